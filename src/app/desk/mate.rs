//! Mate proofs by the solver.

use super::fields::Ruled;
use super::refusal::Refusal;
use super::response::Response;
use super::stop::Stop;
use super::trees::TreeText;
use chuhe_board::words::Language;
use chuhe_engine::mates::Solver;
use chuhe_games::review::solution::{MateResult, Solution};

/// Memory of the solver in MB; together with the node limit, it allows searches of a few seconds.
const MEMORY: usize = 32;
const NODES: u64 = 300_000;
/// Maximum number of quiet attacker moves per variation.
const QUIET: u8 = 3;

pub(super) fn mate(ruled: &Ruled, language: Language, stop: &Stop) -> Result<Response, Refusal> {
    let solver = Solver::new(MEMORY).map_err(|error| Refusal::Failed(error.to_string()))?;
    let mut solver = solver.with_terms(ruled.terms);
    let solution = Solution::find(&ruled.game, &mut solver, NODES, QUIET, &|| !stop.is_asked());
    let mates = matches!(solution.found, MateResult::Mate(_));
    if stop.is_asked() && !mates {
        return Err(Refusal::Stopped);
    }
    let text = solution.say(language, ruled.form(language));
    Ok(Response::Mate { mates, text, tree: TreeText::of(&solution.record(language)) })
}
