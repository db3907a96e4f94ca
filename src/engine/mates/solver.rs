//! The solver: searches for a mate by checks, then with one quiet move, then with two, and so on.

use super::proof::Proof;
use super::table::{NEVER, ProofNumbers, ProofTable};
use super::tree::Tree;
use chuhe_board::Move;
use chuhe_board::rules::{Game, Reason, Terms, Verdict, judge};
use std::collections::{HashSet, TryReserveError};

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
    is_late: bool,
}

impl Solver {
    /// Creates a solver with a table of `megabytes` MB; 1 MB is sufficient for most mates.
    ///
    /// # Errors
    /// Returns an error if the memory cannot be allocated.
    pub fn new(megabytes: usize) -> Result<Solver, TryReserveError> {
        Ok(Solver { table: ProofTable::new(megabytes)?, terms: Terms::default(), nodes: 0, is_late: false })
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

    /// Returns `true` if the last search found a mate, but none before the natural limit. A mate of the same
    /// length with other captures may exist.
    pub fn is_late(&self) -> bool {
        self.is_late
    }

    /// Returns `true` if a legal move mates by checks against every defence, `false` if it does not, and
    /// `None` if the limit of nodes or the natural limit is reached first.
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
        let is_late = after.position().quiet_plies().saturating_add(value.note) > self.terms.natural_limit;
        (value.is_solved() && !(value.is_proved() && is_late)).then_some(value.is_proved())
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
        let terms = self.terms;
        let end = |proof: &Proof| early_end(&mut game.clone(), terms, proof, &mut HashSet::new());
        let mut tree = Tree::new(&mut self.table, game, terms, goes_on);
        let (mut answer, by_checks) = prove(&mut tree, limits);
        let (mut plies, mut reason) = (usize::MAX, None);
        while let Some((proof, early)) = answer.as_ref().and_then(|proof| Some((proof, end(proof)?))) {
            // The search does not count plies without a capture, so it is repeated with shorter lines.
            plies = plies.min(proof.line().len()).saturating_sub(1);
            reason = Some(early);
            tree.restart(plies);
            answer = if plies > 0 { prove(&mut tree, limits).0 } else { None };
        }
        if reason.is_some() {
            tree.restart(usize::MAX);
        }
        self.is_late = answer.is_none() && reason == Some(Reason::NaturalLimit);
        self.nodes = tree.nodes();
        match answer {
            Some(proof) => SolverResult::Mate(proof),
            None if by_checks.is_disproved() => SolverResult::NoMateByChecks,
            None => SolverResult::Unknown,
        }
    }
}

/// Searches for a mate by checks, then with more and more quiet moves, until `limits.nodes` nodes have been
/// searched. Returns the first proof, and the value of the search by checks.
fn prove(tree: &mut Tree, limits: Limits) -> (Option<Proof>, ProofNumbers) {
    let mut by_checks = ProofNumbers::open(1, 1);
    for quiet in 0..=limits.quiet {
        // Nodes left over from one number of quiet moves are available to the next number.
        let levels_left = u64::from(limits.quiet - quiet) + 1;
        tree.allow(limits.nodes.saturating_sub(tree.nodes()) / levels_left);
        let value = tree.search(quiet, ProofNumbers::open(NEVER, NEVER));
        if quiet == 0 {
            by_checks = value;
        }
        if value.is_proved() {
            // A part of the proof may have been overwritten in the table, in which case it must be searched again.
            tree.allow(limits.nodes);
            return (Proof::of(tree, quiet), by_checks);
        }
    }
    (None, by_checks)
}

/// Returns the reason for which the rules end a game with the attacker to move before the mate of a proof, in
/// any line; `None` if all lines mate in time. `checked` contains the keys and plies without a capture of
/// positions for which this is known.
fn early_end(game: &mut Game, terms: Terms, proof: &Proof, checked: &mut HashSet<(u64, u16)>) -> Option<Reason> {
    if let Verdict::Over(_, reason) = judge(game, terms) {
        return Some(reason);
    }
    let (key, quiet_plies) = (game.position().key(), game.position().quiet_plies());
    let step = proof.step(game.position())?;
    // The moves of a proof repeat no position, so only the natural limit can end the game.
    if quiet_plies.saturating_add(step.plies) <= terms.natural_limit || !checked.insert((key, quiet_plies)) {
        return None;
    }
    game.make(step.mv);
    let end = match judge(game, terms) {
        Verdict::Over(_, Reason::Mate | Reason::Stalemate) => None,
        Verdict::Over(_, reason) => Some(reason),
        Verdict::Open => game.position().legal_moves().into_iter().find_map(|mv| {
            game.make(mv);
            let end = early_end(game, terms, proof, checked);
            game.unmake();
            end
        }),
    };
    game.unmake();
    end
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

    #[test]
    fn every_line_of_a_mate_must_end_within_the_natural_limit() {
        let three_moves = "2bak4/9/9/9/9/9/9/9/9/3K2R1R w";
        // The first mate found is longer than three moves.
        let longer_first = "3k1a3/1NR2n3/3a5/1r4CC1/2b6/9/9/9/1c1p3r1/4K4 w";
        // The longest line contains a capture, a shorter line does not.
        let late_without_capture = "1c1k5/4R4/4N4/4rC3/9/6Rr1/9/6C2/4p4/5K3 w";
        let shorter_second = "2ba1kb2/4a4/9/pCp3p1p/9/P1P1C3P/4Prc2/4B4/3K3c1/1RB6 b";
        let with_capture = "4kab2/4a4/4bc3/3P5/9/6B2/4C4/4B1n2/3p1K3/3p5 b";
        for (position, quiet, quiet_plies, mates) in [
            (three_moves, 0, 115, true),
            (three_moves, 0, 116, false),
            (three_moves, 0, 120, false),
            (longer_first, 0, 115, true),
            (late_without_capture, 0, 0, true),
            (late_without_capture, 0, 116, false),
            // At 115 the first mate found is short enough, at 114 it is not.
            (shorter_second, 2, 113, true),
            (shorter_second, 2, 114, true),
            (shorter_second, 2, 115, true),
            // The capture in the mate begins the count again.
            (with_capture, 2, 118, true),
        ] {
            let game = Game::from_fen(&format!("{position} - - {quiet_plies} 90")).expect("a FEN");
            let mut solver = Solver::new(1).expect("1 MB can be had");
            let answer = solver.solve(&game, Limits { nodes: 200_000, quiet }, &mut |_| true);
            let found = (matches!(answer, SolverResult::Mate(_)), solver.is_late());
            assert_eq!(found, (mates, !mates), "{position} {quiet_plies}");
        }
        let at = |quiet_plies: u16| Game::from_fen(&format!("{three_moves} - - {quiet_plies} 90")).expect("a FEN");
        let mut solver = Solver::new(1).expect("1 MB can be had");
        let check = "g0g9".parse().expect("a move");
        assert_eq!([115, 116].map(|plies| solver.mates_by_checks(&at(plies), check, 10_000)), [Some(true), None]);
    }
}
