//! Mate solver that runs before the first iteration. Most composed problems are won by long sequences of
//! checks, which the solver finds in milliseconds. In positions without an attack, it ends after a few nodes.

use super::limits::Limits;
use super::report::Bound;
use super::worker::Worker;
use crate::eval::Evaluator;
use crate::mates::{self, Proof, Solver, SolverResult, shortest};
use chuhe_board::Move;
use chuhe_board::score::{Score, mate_in};

/// Divisor of the search's nodes or planned time that gives the mate solver's share.
const DIVISOR: u64 = 10;
/// Divisor that gives the solver's share if only a mate was requested.
const MATE_DIVISOR: u64 = 3;
/// Number of nodes for the solver in a search without limits.
const UNLIMITED_NODES: u64 = 300_000;
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
        let by_depth = limits.depth.is_some() || limits.soft_nodes.is_some();
        if !self.params.on.mates || by_depth || self.restricted || multipv > 1 || self.root_moves.is_empty() {
            return false;
        }
        let divisor = if limits.mate.is_some() { MATE_DIVISOR } else { DIVISOR };
        let time = self.shared.clock.planned_time().map(|time| time / divisor as u32);
        let by_time = time.map(|time| time.as_millis() as u64 * NODES_A_MILLISECOND);
        let nodes =
            [limits.nodes.map(|nodes| nodes / divisor), by_time].into_iter().flatten().min().unwrap_or(UNLIMITED_NODES);
        // Up to 32 MB, the table has room for all nodes of the solver. Without memory for it, the iterations
        // search for the mate.
        let Ok(solver) = Solver::new((nodes / 20_000).clamp(1, 32) as usize) else { return false };
        let mut solver = solver.with_terms(self.terms);
        let shared = self.shared;
        let latest = time.map(|time| shared.clock.elapsed() + time);
        let mut goes_on =
            |_| !shared.control.is_stopped() && latest.is_none_or(|latest| shared.clock.elapsed() < latest);
        let answer = solver.solve(&self.game, mates::Limits { nodes, quiet: MAX_QUIET_MOVES }, &mut goes_on);
        let SolverResult::Mate(proof) = answer else { return false };
        // Solver nodes are counted only if there is a mate, so that other searches with a node limit are
        // unchanged.
        self.nodes += solver.nodes();
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
