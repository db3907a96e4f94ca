//! The solver: asks for a mate by checks first, then with one quiet move, with two, and so on.

use super::proof::Proof;
use super::table::{NEVER, Table, Value};
use super::tree::Tree;
use chuhe_board::Move;
use chuhe_board::rules::{Game, Terms, Verdict, judge};
use std::collections::TryReserveError;

/// What a solution may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Positions that are made and looked at.
    pub nodes: u64,
    /// How many quiet moves the attacker may play in one line: moves that neither give check nor answer one. 0 asks for checks alone.
    pub quiet: u8,
}

/// What the solver can say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The side to move mates, whatever the defender answers.
    Mate(Proof),
    /// Checks alone do not mate: that is proved. No quiet move was found that helps.
    NoMateByChecks,
    /// A limit ended the search before anything was proved.
    Unknown,
}

/// A search for mates with its memory, which serves many positions.
pub struct Solver {
    table: Table,
    nodes: u64,
}

impl Solver {
    /// A solver with a table of so many megabytes; 1 is enough for most mates.
    ///
    /// # Errors
    /// The memory can't be had.
    pub fn new(megabytes: usize) -> Result<Solver, TryReserveError> {
        Ok(Solver { table: Table::new(megabytes)?, nodes: 0 })
    }

    /// How many nodes the last solution took.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether a legal move mates by checks, whatever follows; none if the limits do not suffice to tell. A move that gives no check does not.
    pub fn mates_by_checks(&mut self, game: &Game, mv: Move, nodes: u64) -> Option<bool> {
        if !game.position().gives_check(mv) {
            return Some(false);
        }
        let mut after = game.clone();
        after.make(mv);
        let mut goes_on = |_| true;
        let mut tree = Tree::new(&mut self.table, &after, &mut goes_on);
        tree.attacker = game.position().side();
        tree.path.push(game.position().key());
        tree.allow(nodes);
        let value = tree.search(0, Value::open(NEVER, NEVER));
        value.is_solved().then_some(value.is_proved())
    }

    /// Forgets everything, so that the next solution takes the nodes that it would take in a new solver.
    pub fn forget(&mut self) {
        self.table.clear();
    }

    /// Whether the side to move mates. `goes_on` hears the nodes now and then and ends the search by answering no.
    ///
    /// ```
    /// use chuhe_engine::mates::{Answer, Limits, Solver};
    /// use chuhe_board::rules::{Game, Terms, Verdict, judge};
    ///
    /// let mut solver = Solver::new(1).unwrap();
    /// let limits = Limits { nodes: 10_000, quiet: 0 };
    /// let game = Game::from_fen("3k5/4P4/9/9/9/9/9/9/9/R3K4 w").unwrap();
    /// let Answer::Mate(proof) = solver.solve(&game, limits, &mut |_| true) else { panic!("a mate in one") };
    /// assert_eq!(proof.line().len(), 1);
    /// ```
    pub fn solve(&mut self, game: &Game, limits: Limits, goes_on: &mut dyn FnMut(u64) -> bool) -> Answer {
        let mut tree = Tree::new(&mut self.table, game, goes_on);
        let mut by_checks = Value::open(1, 1);
        let mut answer = None;
        for quiet in 0..=limits.quiet {
            // What a level leaves over serves the next ones.
            let levels_left = u64::from(limits.quiet - quiet) + 1;
            tree.allow(limits.nodes.saturating_sub(tree.nodes()) / levels_left);
            let value = tree.search(quiet, Value::open(NEVER, NEVER));
            if quiet == 0 {
                by_checks = value;
            }
            if value.is_proved() {
                // The table may have lost a part of the proof, which has to be searched again.
                tree.allow(limits.nodes);
                answer = Proof::of(&mut tree, quiet).filter(|proof| is_within_limit(game, proof));
                break;
            }
        }
        self.nodes = tree.nodes();
        match answer {
            Some(proof) => Answer::Mate(proof),
            None if by_checks.is_disproved() => Answer::NoMateByChecks,
            None => Answer::Unknown,
        }
    }
}

/// Returns whether the longest line of a proof mates before the natural limit draws.
fn is_within_limit(game: &Game, proof: &Proof) -> bool {
    let mut game = game.clone();
    proof.line().iter().all(|&mv| {
        let is_open = judge(&game, Terms::default()) == Verdict::Open;
        game.make(mv);
        is_open
    })
}
