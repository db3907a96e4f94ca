//! A complete proof tree: the winning move after every defence.

use super::table::{NEVER, ProofNumbers};
use super::tree::Tree;
use chuhe_board::{Move, Position};
use std::collections::HashMap;

/// The attacker's move in a position of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Move.
    pub mv: Move,
    /// Plies to mate, including this move, against the longest defence within the proof.
    pub plies: u16,
}

/// A proved mate: a move for each position that the defender can reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    steps: HashMap<u64, Step>,
    line: Vec<Move>,
    quiet: u8,
}

impl Proof {
    /// Extracts the proof from a tree whose root is proved; `None` if a part was overwritten and cannot be
    /// found again within the limits.
    pub(super) fn of(tree: &mut Tree, quiet: u8) -> Option<Proof> {
        let mut steps = HashMap::new();
        gather(tree, quiet, &mut steps)?;
        let line = longest_line(tree.position.clone(), &steps);
        Some(Proof { steps, line, quiet })
    }

    /// Returns the attacker's move in a position, if it is part of the proof.
    pub fn step(&self, position: &Position) -> Option<Step> {
        self.steps.get(&position.key()).copied()
    }

    /// Returns the line with the longest defence, up to the mate.
    pub fn line(&self) -> &[Move] {
        &self.line
    }

    /// Returns the number of attacker moves in [`Self::line`].
    pub fn moves(&self) -> usize {
        self.line.len().div_ceil(2)
    }

    /// Returns the maximum number of quiet moves per line; 0 if every move gives check.
    pub fn quiet(&self) -> u8 {
        self.quiet
    }
}

/// Collects the steps from a position with the attacker to move, and returns the plies to mate. A step is
/// recorded only after the steps that follow it, so that no step depends on itself.
fn gather(tree: &mut Tree, quiet: u8, steps: &mut HashMap<u64, Step>) -> Option<u16> {
    let key = tree.position.key();
    if let Some(step) = steps.get(&key) {
        return Some(step.plies);
    }
    // Parts of the proof that were overwritten in the table are searched again.
    for _ in 0..2 {
        for (mv, left) in proved_moves(tree, quiet) {
            let undo = tree.position.make(mv);
            tree.path.push(key);
            let plies = gather_answers(tree, left, steps);
            tree.path.pop();
            tree.position.unmake(mv, undo);
            if let Some(plies) = plies {
                steps.insert(key, Step { mv, plies: plies + 1 });
                return Some(plies + 1);
            }
        }
        if tree.is_over() || !tree.research(quiet).is_proved() {
            return None;
        }
    }
    None
}

/// Returns the moves for which the table contains a proved mate, shortest first.
fn proved_moves(tree: &mut Tree, quiet: u8) -> Vec<(Move, u8)> {
    let mut moves: Vec<(u16, Move, u8)> = Vec::new();
    for (mv, left) in tree.moves(quiet) {
        let after = tree.position.key_after(mv);
        if tree.path.find(after).is_some() {
            continue;
        }
        if let Some(plies) = tree.mate_behind(mv, left) {
            moves.push((plies, mv, left));
        }
    }
    moves.sort_by_key(|&(plies, ..)| plies);
    moves.into_iter().map(|(_, mv, left)| (mv, left)).collect()
}

/// Returns the plies to mate from a position with the defender to move.
fn gather_answers(tree: &mut Tree, quiet: u8, steps: &mut HashMap<u64, Step>) -> Option<u16> {
    let key = tree.position.key();
    let mut longest = 0;
    for mv in tree.position.legal_moves() {
        let undo = tree.position.make(mv);
        tree.path.push(key);
        let plies = if tree.path.find(tree.position.key()).is_some() {
            None
        } else {
            // A mate by checks uses none of the remaining quiet moves.
            let by_checks = quiet > 0 && tree.stored_value(tree.position.key(), 0).is_some_and(ProofNumbers::is_proved);
            gather(tree, if by_checks { 0 } else { quiet }, steps).or_else(|| gather(tree, quiet, steps))
        };
        tree.path.pop();
        tree.position.unmake(mv, undo);
        longest = longest.max(plies? + 1);
    }
    Some(longest)
}

/// Returns the line with the longest defence.
fn longest_line(mut position: Position, steps: &HashMap<u64, Step>) -> Vec<Move> {
    let mut line = Vec::new();
    while let Some(step) = steps.get(&position.key()) {
        position.make(step.mv);
        line.push(step.mv);
        let plies = |mv: &Move| steps.get(&position.key_after(*mv)).map_or(0, |step| step.plies);
        let Some(answer) = position.legal_moves().into_iter().max_by_key(plies) else { break };
        position.make(answer);
        line.push(answer);
    }
    line
}

impl Tree<'_> {
    /// Searches the position from scratch, ignoring its table entry.
    fn research(&mut self, quiet: u8) -> ProofNumbers {
        self.visit(quiet, true, ProofNumbers::open(NEVER, NEVER))
    }

    /// Returns the plies to mate after an attacker move, if the table contains a mate or the move itself
    /// mates.
    fn mate_behind(&mut self, mv: Move, quiet: u8) -> Option<u16> {
        let undo = self.position.make(mv);
        let known = self.stored_value(self.position.key(), quiet).filter(|value| value.is_proved());
        let plies = if self.position.has_moves() { known.map(|value| value.note) } else { Some(0) };
        self.position.unmake(mv, undo);
        plies
    }
}
