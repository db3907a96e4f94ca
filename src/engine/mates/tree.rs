//! The search itself: df-pn (Nagai 2002) with 1+ε thresholds (Pawlewicz and Lew 2006).
//!
//! At every node two numbers are kept: how many leaves must be proved to prove the node, and how many disproved to disprove it. The search
//! walks to the leaf that both sides want, and stays below a node until one of its numbers exceeds what another node offers.

use super::moves::{checking_moves, count_checks};
use super::path::Path;
use super::table::{NEVER, NOTHING, Table, Value};
use chuhe_board::rules::Game;
use chuhe_board::{Move, Position, Side};

/// The longest line that is followed, in plies.
const LONGEST: usize = 240;
/// What a quiet move of the attacker counts, before it is looked at: checks are tried first.
const QUIET_MOVE: Value = Value::open(6, 1);
/// A quiet move must threaten a mate by checks that is found in so many nodes.
const THREAT_NODES: u64 = 300;
/// An answer to a threat is no defence if a mate by checks is found against it in so many nodes.
const ANSWER_NODES: u64 = 60;
/// What a position counts that was disproved on another path.
const DISPROVED_ELSEWHERE: Value = Value { proof: 2, disproof: 1, note: NOTHING };
/// How often the caller is asked whether to go on, in nodes.
const ASK_EVERY: u64 = 64;

/// A move of a node, and what is known of the position behind it.
#[derive(Clone, Copy)]
struct Child {
    mv: Move,
    /// How many quiet moves the attacker has left behind it.
    quiet: u8,
    value: Value,
}

/// A search in one position.
pub(super) struct Tree<'t> {
    table: &'t mut Table,
    pub(super) position: Position,
    pub(super) attacker: Side,
    pub(super) path: Path,
    /// The children of all nodes of the line, the root's first.
    children: Vec<Child>,
    nodes: u64,
    node_limit: u64,
    stopped: bool,
    goes_on: &'t mut dyn FnMut(u64) -> bool,
}

impl<'t> Tree<'t> {
    pub(super) fn new(table: &'t mut Table, game: &Game, goes_on: &'t mut dyn FnMut(u64) -> bool) -> Tree<'t> {
        let position = game.position().clone();
        let attacker = position.side();
        let path = Path::of(game);
        Tree { table, position, attacker, path, children: Vec::new(), nodes: 0, node_limit: 0, stopped: false, goes_on }
    }

    /// How many positions were made.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Lets it search so many nodes from here.
    pub(super) fn allow(&mut self, nodes: u64) {
        self.node_limit = self.nodes.saturating_add(nodes);
    }

    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(ASK_EVERY) && !(self.goes_on)(self.nodes) {
            self.stopped = true;
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.stopped || self.nodes >= self.node_limit
    }

    fn attacks(&self) -> bool {
        self.position.side() == self.attacker
    }

    /// The key of the position in the table: who attacks, and with how many quiet moves, belongs to the question.
    fn question(&self, key: u64, quiet: u8) -> u64 {
        let question = u64::from(quiet) << 1 | self.attacker.index() as u64;
        (key ^ question.wrapping_mul(0xD6E8_FEB8_6659_FD93)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// What the table knows of a position that the path leads to.
    pub(super) fn known(&self, key: u64, quiet: u8) -> Option<Value> {
        let question = self.question(key, quiet);
        let value = self.table.probe(question)?;
        // Disproved on another path, and on this one perhaps as well.
        let is_elsewhere = !value.is_solved() && value.note == NOTHING;
        let here = if is_elsewhere { self.table.probe(question ^ self.path.mark()) } else { None };
        Some(here.unwrap_or(value))
    }

    /// Stores the value of the position that the path leads to. A disproof that rests on the path holds on this path alone: stored as if it
    /// held everywhere, it would hide a mate from another line to the position (the graph-history interaction problem).
    fn remember(&mut self, quiet: u8, value: Value, effort: u64) {
        let question = self.question(self.position.key(), quiet);
        let effort = effort.min(u64::from(u32::MAX)) as u32;
        let is_elsewhere =
            |tree: &Tree| tree.table.probe(question).is_some_and(|known| !known.is_solved() && known.note == NOTHING);
        if value.is_disproved() && usize::from(value.note) < self.path.len() {
            self.table.store(question ^ self.path.mark(), value, effort);
            self.table.store(question, DISPROVED_ELSEWHERE, effort);
        } else if value.is_disproved() {
            self.table.store(question, Value::disproved(NOTHING), effort);
        } else if !value.is_proved() && is_elsewhere(self) {
            self.table.store(question, Value { note: NOTHING, ..value }, effort);
        } else {
            self.table.store(question, value, effort);
        }
    }

    /// The value of the position, searched if the table does not know it, until its numbers reach those of `bounds`.
    pub(super) fn search(&mut self, quiet: u8, bounds: Value) -> Value {
        let known = self.known(self.position.key(), quiet).filter(|value| value.is_solved());
        known.unwrap_or_else(|| self.visit(quiet, true, bounds))
    }

    /// Searches the position until its numbers reach those of `bounds`. Unless it was reached by a `free` move, a quiet move of the attacker
    /// must have made a threat.
    pub(super) fn visit(&mut self, quiet: u8, free: bool, bounds: Value) -> Value {
        if self.path.len() >= LONGEST {
            return Value::disproved(0);
        }
        let (key, begin, nodes_before) = (self.position.key(), self.children.len(), self.nodes);
        let must_threaten = !free && !self.attacks() && !self.position.in_check();
        let value = if must_threaten && self.known(key, quiet).is_none() && !self.threatens() {
            Value::disproved(NOTHING)
        } else {
            self.path.push(key);
            let value = self.search_children(quiet, bounds);
            self.path.pop();
            value
        };
        self.children.truncate(begin);
        self.remember(quiet, value, self.nodes - nodes_before);
        value
    }

    fn search_children(&mut self, quiet: u8, bounds: Value) -> Value {
        let (begin, attacks, in_check) = (self.children.len(), self.attacks(), self.position.in_check());
        self.expand(quiet);
        loop {
            let (value, best, second) = self.sum(begin);
            let is_enough = value.proof >= bounds.proof || value.disproof >= bounds.disproof;
            if value.is_solved() || is_enough || self.is_over() {
                return value;
            }
            // A little beyond the second best, so that the search does not jump between two that are as good.
            let beyond = |second: u32| second.saturating_add(second / 4 + 1);
            let child = self.children[best];
            let bounds = if attacks {
                let others = value.disproof.saturating_sub(child.value.disproof);
                Value::open(bounds.proof.min(beyond(second)), bounds.disproof.saturating_sub(others))
            } else {
                let others = value.proof.saturating_sub(child.value.proof);
                Value::open(bounds.proof.saturating_sub(others), bounds.disproof.min(beyond(second)))
            };
            let undo = self.position.make(child.mv);
            self.count_node();
            let found = self.visit(child.quiet, attacks && in_check, bounds);
            self.position.unmake(child.mv, undo);
            self.children[best].value = found;
        }
    }

    /// The node's value from its children, the child to search next, and the number of the second best.
    fn sum(&self, begin: usize) -> (Value, usize, u32) {
        let attacks = self.attacks();
        let children = &self.children[begin..];
        let (mut least, mut second, mut best, mut total) = (NEVER, NEVER, begin, 0u32);
        for (index, child) in children.iter().enumerate() {
            let Value { proof, disproof, .. } = child.value;
            let (choice, sum) = if attacks { (proof, disproof) } else { (disproof, proof) };
            total = total.saturating_add(sum).min(NEVER);
            if choice < least {
                (least, second, best) = (choice, least, begin + index);
            } else {
                second = second.min(choice);
            }
        }
        let proved =
            || children.iter().map(|child| child.value).filter(|value| value.is_proved()).map(|value| value.note);
        let disproved =
            || children.iter().map(|child| child.value).filter(|value| value.is_disproved()).map(|value| value.note);
        let value = match (attacks, least, total) {
            // One move mates; of those that were found the shortest counts.
            (true, 0, _) => Value::proved(1 + proved().min().unwrap_or(0)),
            (true, NEVER, _) => Value::disproved(disproved().min().unwrap_or(NOTHING)),
            (true, proof, disproof) => Value::open(proof, disproof.min(NEVER - 1)),
            // One answer holds; what rests on least of the path counts.
            (false, 0, _) => Value::disproved(disproved().max().unwrap_or(NOTHING)),
            (false, NEVER, _) => Value::proved(proved().max().map_or(0, |plies| plies + 1)),
            (false, disproof, proof) => Value::open(proof.min(NEVER - 1), disproof),
        };
        (value, best, second)
    }

    /// Finds the children. A move that decides the node is the last of them.
    fn expand(&mut self, quiet: u8) {
        for (mv, left) in self.moves(quiet) {
            let value = self.first_value(mv, left);
            self.children.push(Child { mv, quiet: left, value });
            if if self.attacks() { value.is_proved() } else { value.is_disproved() } {
                return;
            }
        }
    }

    /// The moves of the node, and how many quiet moves the attacker has left behind each. An answer to a check costs none.
    pub(super) fn moves(&self, quiet: u8) -> Vec<(Move, u8)> {
        if !self.attacks() {
            return self.position.legal_moves().into_iter().map(|mv| (mv, quiet)).collect();
        }
        let checks = checking_moves(&self.position);
        let mut moves: Vec<(Move, u8)> = checks.iter().map(|&mv| (mv, quiet)).collect();
        if quiet > 0 {
            let left = if self.position.in_check() { quiet } else { quiet - 1 };
            moves
                .extend(self.position.legal_moves().into_iter().filter(|mv| !checks.contains(mv)).map(|mv| (mv, left)));
        }
        moves
    }

    /// What is known of the position behind a move, or a first guess.
    fn first_value(&mut self, mv: Move, quiet: u8) -> Value {
        let key = self.position.key_after(mv);
        if let Some(ply) = self.path.find(key) {
            // The attacker comes back to where it was: no progress, and it may not go on so forever.
            return Value::disproved(ply as u16);
        }
        if let Some(known) = self.known(key, quiet) {
            return known;
        }
        let (attacks, in_check) = (self.attacks(), self.position.in_check());
        if attacks && !self.position.gives_check(mv) {
            return QUIET_MOVE;
        }
        let undo = self.position.make(mv);
        self.count_node();
        let value = if attacks {
            match self.position.count_moves() as u32 {
                0 => Value::proved(0),
                answers => Value::open(answers, 1),
            }
        } else {
            match count_checks(&self.position) {
                0 if quiet == 0 => Value::disproved(NOTHING),
                checks if quiet == 0 => Value::open(1, checks),
                // Most answers to a threat let it happen.
                checks if !in_check && checks > 0 && self.mates_soon(ANSWER_NODES) => {
                    Value::proved(self.plies_by_checks())
                }
                checks => Value::open(1, checks + 2),
            }
        };
        self.position.unmake(mv, undo);
        value
    }

    /// Whether the attacker, who has just made a quiet move, would mate by checks if the defender passed; or the defender can't move at all.
    fn threatens(&mut self) -> bool {
        if !self.position.has_moves() {
            return true;
        }
        let undo = self.position.make_null();
        let mates = self.mates_soon(THREAT_NODES);
        self.position.unmake_null(undo);
        mates
    }

    /// Whether the attacker, to move, is seen to mate by checks in so many nodes.
    fn mates_soon(&mut self, nodes: u64) -> bool {
        let limit = self.node_limit;
        self.node_limit = limit.min(self.nodes + nodes);
        let value = self.search(0, Value::open(NEVER, NEVER));
        self.node_limit = limit;
        value.is_proved()
    }

    fn plies_by_checks(&self) -> u16 {
        self.known(self.position.key(), 0).map_or(0, |value| value.note)
    }
}
