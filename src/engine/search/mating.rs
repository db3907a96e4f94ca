//! A mate that a solver proves before the first iteration. Composed problems are mostly won by checks many plies deep, which the solver sees in
//! milliseconds; where there is no attack it is done after a few nodes.

use super::limits::Limits;
use super::report::Bound;
use super::worker::Worker;
use crate::eval::Evaluator;
use crate::mates::{self, Answer, Proof, Solver, shortest};
use chuhe_board::Move;
use chuhe_board::score::mate_in;

/// What the solver may take of a search: of the nodes or of the time that the move will usually take, one part in so many.
const SHARE: u64 = 10;
/// The same where a mate is all that was asked for.
const SHARE_FOR_MATE: u64 = 3;
/// What it may take of a search without a limit, in nodes.
const UNLIMITED: u64 = 300_000;
/// How many nodes the solver makes in a millisecond, about.
const NODES_A_MILLISECOND: u64 = 1_000;
/// How many quiet moves of the attacker it tries in one line.
const QUIET: u8 = 4;
/// How many nodes may be spent on finding a shorter mate.
const SHORTER: u64 = 20_000;

impl<E: Evaluator> Worker<'_, E> {
    /// Looks for a mate before the first iteration. If there is one, it becomes the line of the search, and nothing else is searched. Not
    /// where a depth was asked for, several lines, or only some of the moves.
    pub(super) fn prove_mate(&mut self, limits: &Limits, multipv: usize) -> bool {
        let by_depth = limits.depth.is_some() || limits.soft_nodes.is_some();
        if !self.params.on.mates || by_depth || self.restricted || multipv > 1 || self.root_moves.is_empty() {
            return false;
        }
        let share = if limits.mate.is_some() { SHARE_FOR_MATE } else { SHARE };
        let time = self.shared.clock.usual().map(|time| time / share as u32);
        let by_time = time.map(|time| time.as_millis() as u64 * NODES_A_MILLISECOND);
        let nodes = [limits.nodes.map(|nodes| nodes / share), by_time].into_iter().flatten().min().unwrap_or(UNLIMITED);
        // A table for as many entries as there can be nodes.
        let Ok(mut solver) = Solver::new((nodes / 20_000).clamp(1, 32) as usize) else { return false };
        let shared = self.shared;
        let latest = time.map(|time| shared.clock.elapsed() + time);
        let mut goes_on =
            |_| !shared.control.is_stopped() && latest.is_none_or(|latest| shared.clock.elapsed() < latest);
        let answer = solver.solve(&self.game, mates::Limits { nodes, quiet: QUIET }, &mut goes_on);
        let Answer::Mate(proof) = answer else { return false };
        // Counted only with a mate, so that a search for a number of nodes is what it would be without the solver.
        self.nodes += solver.nodes();
        let line = self.shortened(&proof);
        if limits.mate.is_some_and(|moves| line.len().div_ceil(2) > moves as usize) || !self.is_within_limit(line.len())
        {
            return false;
        }
        let Some(root) = self.root_moves.iter().position(|root| Some(&root.mv) == line.first()) else { return false };
        self.root_moves.swap(0, root);
        let plies = line.len();
        let root = &mut self.root_moves[0];
        (root.score, root.seldepth, root.pv) = (mate_in(plies), plies, line);
        self.completed_depth = plies as i32;
        self.report(0, self.completed_depth, Bound::Exact);
        true
    }

    /// The line of a proof, or of a shorter mate.
    fn shortened(&self, proof: &Proof) -> Vec<Move> {
        let shorter = if proof.quiet() == 0 { shortest(self.game.position(), proof.moves(), SHORTER) } else { None };
        shorter.map_or_else(|| proof.line().to_vec(), |shorter| shorter.line)
    }
}
