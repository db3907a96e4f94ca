//! The solver: searches for a mate by checks, then with one quiet move, then with two, and so on.

use super::proof::Proof;
use super::table::{NEVER, ProofNumbers, ProofTable};
use super::tree::Tree;
use chuhe_board::Move;
use chuhe_board::rules::{Game, Terms, Verdict, judge};
use std::collections::TryReserveError;

/// Limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Maximum number of positions to search.
    pub nodes: u64,
    /// Maximum number of quiet attacker moves per variation, that is, moves that neither give check nor
    /// answer a check; 0 allows only checks.
    pub quiet: u8,
}

/// Result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolverResult {
    /// The side to move mates against every defence.
    Mate(Proof),
    /// There is provably no mate by checks, and no mate with quiet moves was found.
    NoMateByChecks,
    /// A limit was reached before a proof.
    Unknown,
}

/// A mate solver with its table, reusable for many positions.
pub struct Solver {
    table: ProofTable,
    terms: Terms,
    nodes: u64,
}

impl Solver {
    /// Creates a solver with a table of `megabytes` MB; 1 MB is sufficient for most mates.
    ///
    /// # Errors
    /// Returns an error if the memory cannot be allocated.
    pub fn new(megabytes: usize) -> Result<Solver, TryReserveError> {
        Ok(Solver { table: ProofTable::new(megabytes)?, terms: Terms::default(), nodes: 0 })
    }

    /// Selects other rules than the default: a mate must come before the natural limit, and the attacker must
    /// not repeat positions.
    pub fn with_terms(self, terms: impl Into<Terms>) -> Solver {
        Solver { terms: terms.into(), ..self }
    }

    /// Returns the number of nodes of the last search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns `true` if a legal move mates by checks against every defence, `false` if it does not, and
    /// `None` if the limit is reached first.
    pub fn mates_by_checks(&mut self, game: &Game, mv: Move, nodes: u64) -> Option<bool> {
        if !game.position().gives_check(mv) {
            return Some(false);
        }
        let mut after = game.clone();
        after.make(mv);
        let mut goes_on = |_| true;
        let mut tree = Tree::new(&mut self.table, &after, self.terms, &mut goes_on);
        tree.attacker = game.position().side();
        tree.path.push(game.position().key());
        tree.allow(nodes);
        let value = tree.search(0, ProofNumbers::open(NEVER, NEVER));
        value.is_solved().then_some(value.is_proved())
    }

    /// Clears the table, so that the next search visits the same nodes as in a new solver.
    pub fn forget(&mut self) {
        self.table.clear();
    }

    /// Determines whether the side to move mates. `goes_on` is called regularly with the number of nodes, and
    /// stops the search by returning `false`.
    ///
    /// ```
    /// use chuhe_engine::mates::{Limits, Solver, SolverResult};
    /// use chuhe_board::rules::{Game, Terms, Verdict, judge};
    ///
    /// let mut solver = Solver::new(1).unwrap();
    /// let limits = Limits { nodes: 10_000, quiet: 0 };
    /// let game = Game::from_fen("3k5/4P4/9/9/9/9/9/9/9/R3K4 w").unwrap();
    /// let SolverResult::Mate(proof) = solver.solve(&game, limits, &mut |_| true) else { panic!("a mate in one") };
    /// assert_eq!(proof.line().len(), 1);
    /// ```
    pub fn solve(&mut self, game: &Game, limits: Limits, goes_on: &mut dyn FnMut(u64) -> bool) -> SolverResult {
        let mut tree = Tree::new(&mut self.table, game, self.terms, goes_on);
        let mut by_checks = ProofNumbers::open(1, 1);
        let mut answer = None;
        for quiet in 0..=limits.quiet {
            // Nodes left over from one number of quiet moves are available to the next number.
            let levels_left = u64::from(limits.quiet - quiet) + 1;
            tree.allow(limits.nodes.saturating_sub(tree.nodes()) / levels_left);
            let value = tree.search(quiet, ProofNumbers::open(NEVER, NEVER));
            if quiet == 0 {
                by_checks = value;
            }
            if value.is_proved() {
                // A part of the proof may have been overwritten in the table, in which case it must be
                // searched again.
                tree.allow(limits.nodes);
                answer = Proof::of(&mut tree, quiet).filter(|proof| is_within_limit(game, self.terms, proof));
                break;
            }
        }
        self.nodes = tree.nodes();
        match answer {
            Some(proof) => SolverResult::Mate(proof),
            None if by_checks.is_disproved() => SolverResult::NoMateByChecks,
            None => SolverResult::Unknown,
        }
    }
}

/// Returns `true` if the longest line of a proof mates before the rules end the game.
fn is_within_limit(game: &Game, terms: Terms, proof: &Proof) -> bool {
    let mut game = game.clone();
    proof.line().iter().all(|&mv| {
        let is_open = judge(&game, terms) == Verdict::Open;
        game.make(mv);
        is_open
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_must_come_before_the_limit_of_the_selected_rules() {
        let mates = |quiet_plies: u16, limit: u16| {
            let game = Game::from_fen(&format!("3k5/4P4/9/9/9/9/9/9/9/R3K4 w - - {quiet_plies} 90")).expect("a FEN");
            let solver = Solver::new(1).expect("1 MB can be had");
            let mut solver = solver.with_terms(Terms::default().with_natural_limit(limit));
            let limits = Limits { nodes: 1_000, quiet: 0 };
            matches!(solver.solve(&game, limits, &mut |_| true), SolverResult::Mate(_))
        };
        assert!(mates(59, 60) && !mates(60, 60));
        assert!(mates(119, 120) && !mates(120, 120) && mates(120, 200));
    }
}
