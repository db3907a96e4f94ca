//! Mate solver that runs before the first iteration. Most composed problems are won by long sequences of
//! checks, which the solver finds in milliseconds. In positions without an attack, it ends after a few nodes.
//! It runs again, for longer, when the score shows that the game is lost, so that a mate is the last chance.

use super::limits::Limits;
use super::report::Bound;
use super::worker::Worker;
use crate::eval::Evaluator;
use crate::mates::{self, Proof, Solver, SolverResult, shortest};
use chuhe_board::Move;
use chuhe_board::score::{Score, is_decided, mate_in};

/// The mate solver's share of the search's nodes or planned time before the first iteration, in per cent.
const SHARE: u64 = 10;
/// Its share if only a mate was requested.
const MATE_SHARE: u64 = 33;
/// Its share if the game is lost.
const LOST_SHARE: u64 = 55;
/// Score, and minimum depth, at which the game is considered lost.
const LOST: Score = -800;
const LOST_FROM: i32 = 8;
/// Number of nodes to which the shares apply in a search without limits.
const UNLIMITED_NODES: u64 = 3_000_000;
/// Approximate number of solver nodes per millisecond.
const NODES_A_MILLISECOND: u64 = 1_000;
/// Maximum number of quiet attacker moves per variation.
const MAX_QUIET_MOVES: u8 = 4;
/// Number of nodes spent on finding a shorter mate.
const SHORTER_MATE_NODES: u64 = 20_000;
/// Maximum depth of the search for a shorter mate.
const SHORTER_MATE_DEPTH: u32 = 6;

impl<E: Evaluator> Worker<'_, E> {
    /// Searches for a mate before the first iteration. If there is a mate, it becomes the line of the search,
    /// and nothing else is searched. Returns `false` at once if a depth, a soft node limit, several lines or
    /// a subset of the moves was requested.
    pub(super) fn prove_mate(&mut self, limits: &Limits, multipv: usize) -> bool {
        let share = if limits.mate.is_some() { MATE_SHARE } else { SHARE };
        self.may_prove_mate(limits, multipv) && self.prove_with(limits, share)
    }

    /// Runs the solver again if the game is lost after an iteration; returns `None` if it is not.
    pub(super) fn prove_last_chance(&mut self, limits: &Limits, multipv: usize, depth: i32) -> Option<bool> {
        let score = self.root_moves[0].score;
        let is_lost = depth >= LOST_FROM && score <= LOST && !is_decided(score) && limits.mate.is_none();
        is_lost.then(|| self.may_prove_mate(limits, multipv) && self.prove_with(limits, LOST_SHARE))
    }

    fn may_prove_mate(&self, limits: &Limits, multipv: usize) -> bool {
        let by_depth = limits.depth.is_some() || limits.soft_nodes.is_some();
        self.params.on.mates && !by_depth && !self.restricted && multipv <= 1 && !self.root_moves.is_empty()
    }

    /// Searches for a mate with a share of the nodes or time.
    fn prove_with(&mut self, limits: &Limits, share: u64) -> bool {
        let time = self.shared.clock.planned_time().map(|time| time * share as u32 / 100);
        let by_time = time.map(|time| time.as_millis() as u64 * NODES_A_MILLISECOND);
        let by_nodes = limits.nodes.map(|nodes| (u128::from(nodes) * u128::from(share) / 100) as u64);
        let nodes = [by_nodes, by_time].into_iter().flatten().min().unwrap_or(UNLIMITED_NODES * share / 100);
        // Up to 32 MB, the table has room for all nodes of the solver. Without memory for it, the iterations
        // search for the mate.
        let Ok(solver) = Solver::new((nodes / 20_000).clamp(1, 32) as usize) else { return false };
        let mut solver = solver.with_terms(self.terms);
        let shared = self.shared;
        let latest = time.map(|time| shared.clock.elapsed() + time);
        let mut goes_on =
            |_| !shared.control.is_stopped() && latest.is_none_or(|latest| shared.clock.elapsed() < latest);
        let answer = solver.solve(&self.game, mates::Limits { nodes, quiet: MAX_QUIET_MOVES }, &mut goes_on);
        // Before the first iteration, solver nodes are counted only if there is a mate, so that other searches
        // with a node limit are unchanged.
        if self.completed_depth > 0 || matches!(answer, SolverResult::Mate(_)) {
            self.nodes += solver.nodes();
        }
        let SolverResult::Mate(proof) = answer else { return false };
        let line = self.shortened(&proof);
        if limits.mate.is_some_and(|moves| line.len().div_ceil(2) > moves as usize) || !self.is_within_limit(line.len())
        {
            return false;
        }
        let plies = line.len();
        if self.finds_shorter_mate(plies) {
            return true;
        }
        let Some(root) = self.root_moves.iter().position(|root| Some(&root.mv) == line.first()) else { return false };
        self.root_moves.swap(0, root);
        let root = &mut self.root_moves[0];
        (root.score, root.seldepth, root.pv) = (mate_in(plies), plies, line);
        self.completed_depth = plies as i32;
        self.report(0, self.completed_depth, Bound::Exact);
        true
    }

    /// Searches for a mate in fewer plies, which may begin with a quiet move.
    fn finds_shorter_mate(&mut self, plies: usize) -> bool {
        let depth = (plies as u32).saturating_sub(1).min(SHORTER_MATE_DEPTH);
        let limits = Limits { soft_nodes: Some(self.nodes + SHORTER_MATE_NODES), ..Limits::depth(depth) };
        if depth > 0 {
            self.deepen(&limits, 1);
        }
        self.completed_depth > 0
            && self.has_mate(&self.root_moves[0], plies as Score - 1)
            && self.root_moves[0].score > 0
    }

    /// Returns the line of a proof, or of a shorter mate if one is found.
    fn shortened(&self, proof: &Proof) -> Vec<Move> {
        let shorter =
            if proof.quiet() == 0 { shortest(self.game.position(), proof.moves(), SHORTER_MATE_NODES) } else { None };
        shorter.map_or_else(|| proof.line().to_vec(), |shorter| shorter.line)
    }
}
