//! The search: df-pn (Nagai 2002) with 1+ε thresholds (Pawlewicz and Lew 2006).
//!
//! Every node has a proof number and a disproof number: the minimum number of leaves that must be proved to
//! prove the node, or disproved to disprove it. The search descends to the most-proving leaf, and stays below
//! a node until one of the node's numbers reaches a threshold, which depends on the numbers of its siblings.

use super::moves::{checking_moves, count_checks};
use super::path::Path;
use super::table::{NEVER, NOTHING, ProofNumbers, ProofTable};
use chuhe_board::random::GOLDEN_RATIO;
use chuhe_board::rules::{Game, Terms};
use chuhe_board::{Move, Position, Side};

/// Maximum length of a line in plies.
const MAX_PLIES: usize = 240;
/// Initial value of a quiet attacker move; checks are tried first.
const QUIET_MOVE: ProofNumbers = ProofNumbers::open(6, 1);
/// Maximum number of nodes for testing whether a quiet move threatens a mate by checks.
const THREAT_NODES: u64 = 300;
/// Maximum number of nodes for testing whether a mate by checks refutes a defence against the threat.
const ANSWER_NODES: u64 = 60;
/// Proof numbers of a position that was disproved on another path.
const DISPROVED_ELSEWHERE: ProofNumbers = ProofNumbers { proof: 2, disproof: 1, note: NOTHING };
/// Number of nodes between two opportunities for the caller to stop the search.
const ASK_EVERY: u64 = 64;

/// A move of a node, and the value of the position after it.
#[derive(Clone, Copy)]
struct Child {
    mv: Move,
    /// Number of quiet moves that the attacker has left after it.
    quiet_moves_left: u8,
    value: ProofNumbers,
}

/// A search of one position.
pub(super) struct Tree<'t> {
    table: &'t mut ProofTable,
    pub(super) position: Position,
    pub(super) attacker: Side,
    pub(super) path: Path,
    /// Maximum length of a line in plies, counting the positions of the game on the path.
    max_plies: usize,
    /// Children of all nodes on the current line, starting with the root's.
    children: Vec<Child>,
    nodes: u64,
    node_limit: u64,
    stopped: bool,
    goes_on: &'t mut dyn FnMut(u64) -> bool,
}

impl<'t> Tree<'t> {
    pub(super) fn new(
        table: &'t mut ProofTable,
        game: &Game,
        terms: Terms,
        goes_on: &'t mut dyn FnMut(u64) -> bool,
    ) -> Tree<'t> {
        let position = game.position().clone();
        let attacker = position.side();
        let path = Path::of(game, terms.folds());
        let (max_plies, children) = (MAX_PLIES, Vec::new());
        Tree { table, position, attacker, path, max_plies, children, nodes: 0, node_limit: 0, stopped: false, goes_on }
    }

    /// Clears the table, and limits lines from the current position to `plies` plies. Afterwards, the table
    /// must be cleared again, since its values apply only to this limit.
    pub(super) fn restart(&mut self, plies: usize) {
        self.table.clear();
        self.max_plies = MAX_PLIES.min(self.path.len().saturating_add(plies).saturating_add(1));
    }

    /// Returns the number of positions searched.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Increases the node limit so that `nodes` more nodes are allowed.
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

    /// Returns the table key of the position, which includes the attacker and the number of quiet moves left.
    fn hash_key(&self, key: u64, quiet_moves_left: u8) -> u64 {
        let question = u64::from(quiet_moves_left) << 1 | self.attacker.index() as u64;
        // Any odd multipliers with well-mixed bits are suitable, but they must differ.
        (key ^ question.wrapping_mul(0xD6E8_FEB8_6659_FD93)).wrapping_mul(GOLDEN_RATIO)
    }

    /// Returns the table's value of the position with this key.
    pub(super) fn stored_value(&self, key: u64, quiet_moves_left: u8) -> Option<ProofNumbers> {
        let question = self.hash_key(key, quiet_moves_left);
        let value = self.table.probe(question)?;
        // The position was disproved on another path, so the entry for this path is checked as well.
        let is_elsewhere = !value.is_solved() && value.note == NOTHING;
        let here = if is_elsewhere { self.table.probe(question ^ self.path.mark()) } else { None };
        Some(here.unwrap_or(value))
    }

    /// Stores the value of the current position. A disproof that depends on the path is stored for this path
    /// only; otherwise it would hide mates on other lines to the position (the graph-history interaction
    /// problem).
    fn remember(&mut self, quiet_moves_left: u8, value: ProofNumbers, effort: u64) {
        let question = self.hash_key(self.position.key(), quiet_moves_left);
        let effort = effort.min(u64::from(u32::MAX)) as u32;
        let is_elsewhere =
            |tree: &Tree| tree.table.probe(question).is_some_and(|known| !known.is_solved() && known.note == NOTHING);
        if value.is_disproved() && usize::from(value.note) < self.path.len() {
            self.table.store(question ^ self.path.mark(), value, effort);
            self.table.store(question, DISPROVED_ELSEWHERE, effort);
        } else if value.is_disproved() {
            self.table.store(question, ProofNumbers::disproved(NOTHING), effort);
        } else if !value.is_proved() && is_elsewhere(self) {
            self.table.store(question, ProofNumbers { note: NOTHING, ..value }, effort);
        } else {
            self.table.store(question, value, effort);
        }
    }

    /// Returns the value of the position from the table if it is solved there; otherwise searches until one
    /// of its numbers reaches the corresponding number of `bounds`.
    pub(super) fn search(&mut self, quiet_moves_left: u8, bounds: ProofNumbers) -> ProofNumbers {
        let known = self.stored_value(self.position.key(), quiet_moves_left).filter(|value| value.is_solved());
        known.unwrap_or_else(|| self.visit(quiet_moves_left, true, bounds))
    }

    /// Searches the position until one of its numbers reaches the corresponding number of `bounds`. Unless
    /// `may_be_quiet` is set, a quiet attacker move that led to the position must have made a threat.
    pub(super) fn visit(&mut self, quiet_moves_left: u8, may_be_quiet: bool, bounds: ProofNumbers) -> ProofNumbers {
        if self.path.len() >= self.max_plies {
            return ProofNumbers::disproved(0);
        }
        let (key, begin, nodes_before) = (self.position.key(), self.children.len(), self.nodes);
        let must_threaten = !may_be_quiet && !self.attacks() && !self.position.in_check();
        let value = if must_threaten && self.stored_value(key, quiet_moves_left).is_none() && !self.threatens() {
            ProofNumbers::disproved(NOTHING)
        } else {
            self.path.push(key);
            let value = self.search_children(quiet_moves_left, bounds);
            self.path.pop();
            value
        };
        self.children.truncate(begin);
        self.remember(quiet_moves_left, value, self.nodes - nodes_before);
        value
    }

    fn search_children(&mut self, quiet_moves_left: u8, bounds: ProofNumbers) -> ProofNumbers {
        let (begin, attacks, in_check) = (self.children.len(), self.attacks(), self.position.in_check());
        self.expand(quiet_moves_left);
        loop {
            let (value, best, second) = self.sum(begin);
            let is_enough = value.proof >= bounds.proof || value.disproof >= bounds.disproof;
            if value.is_solved() || is_enough || self.is_over() {
                return value;
            }
            // The 1 + ε trick: the threshold exceeds the second-best value by a quarter, so that the search
            // does not alternate between two equal nodes.
            let beyond = |second: u32| second.saturating_add(second / 4 + 1);
            let child = self.children[best];
            let bounds = if attacks {
                let others = value.disproof.saturating_sub(child.value.disproof);
                ProofNumbers::open(bounds.proof.min(beyond(second)), bounds.disproof.saturating_sub(others))
            } else {
                let others = value.proof.saturating_sub(child.value.proof);
                ProofNumbers::open(bounds.proof.saturating_sub(others), bounds.disproof.min(beyond(second)))
            };
            let undo = self.position.make(child.mv);
            self.count_node();
            let found = self.visit(child.quiet_moves_left, attacks && in_check, bounds);
            self.position.unmake(child.mv, undo);
            self.children[best].value = found;
        }
    }

    /// Returns the value of the node as derived from its children, the child to search next, and the proof or
    /// disproof number of the second-best child.
    fn sum(&self, begin: usize) -> (ProofNumbers, usize, u32) {
        let attacks = self.attacks();
        let children = &self.children[begin..];
        let (mut least, mut second, mut best, mut total) = (NEVER, NEVER, begin, 0u32);
        for (index, child) in children.iter().enumerate() {
            let ProofNumbers { proof, disproof, .. } = child.value;
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
            // One mating move is sufficient; the shortest mate found is used.
            (true, 0, _) => ProofNumbers::proved(1 + proved().min().unwrap_or(0)),
            (true, NEVER, _) => ProofNumbers::disproved(disproved().min().unwrap_or(NOTHING)),
            (true, proof, disproof) => ProofNumbers::open(proof, disproof.min(NEVER - 1)),
            // One defence is sufficient; the one that depends least on the path is used.
            (false, 0, _) => ProofNumbers::disproved(disproved().max().unwrap_or(NOTHING)),
            (false, NEVER, _) => ProofNumbers::proved(proved().max().map_or(0, |plies| plies + 1)),
            (false, disproof, proof) => ProofNumbers::open(proof.min(NEVER - 1), disproof),
        };
        (value, best, second)
    }

    /// Generates the children; stops after a move that decides the node.
    fn expand(&mut self, quiet_moves_left: u8) {
        for (mv, left) in self.moves(quiet_moves_left) {
            let value = self.first_value(mv, left);
            self.children.push(Child { mv, quiet_moves_left: left, value });
            let decides = if self.attacks() { value.is_proved() } else { value.is_disproved() };
            if decides {
                return;
            }
        }
    }

    /// Returns the moves of the node, each with the number of quiet moves left to the attacker. A reply to a
    /// check costs none.
    pub(super) fn moves(&self, quiet_moves_left: u8) -> Vec<(Move, u8)> {
        if !self.attacks() {
            return self.position.legal_moves().into_iter().map(|mv| (mv, quiet_moves_left)).collect();
        }
        let checks = checking_moves(&self.position);
        let mut moves: Vec<(Move, u8)> = checks.iter().map(|&mv| (mv, quiet_moves_left)).collect();
        if quiet_moves_left > 0 {
            let left = if self.position.in_check() { quiet_moves_left } else { quiet_moves_left - 1 };
            moves
                .extend(self.position.legal_moves().into_iter().filter(|mv| !checks.contains(mv)).map(|mv| (mv, left)));
        }
        moves
    }

    /// Returns the stored value of the position after a move, or an initial estimate.
    fn first_value(&mut self, mv: Move, quiet_moves_left: u8) -> ProofNumbers {
        let key = self.position.key_after(mv);
        if let Some(ply) = self.path.find(key) {
            // The move repeats an earlier position, so the attacker makes no progress; perpetual check is not
            // allowed.
            return ProofNumbers::disproved(ply as u16);
        }
        if let Some(known) = self.stored_value(key, quiet_moves_left) {
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
                0 => ProofNumbers::proved(0),
                answers => ProofNumbers::open(answers, 1),
            }
        } else {
            match count_checks(&self.position) {
                0 if quiet_moves_left == 0 => ProofNumbers::disproved(NOTHING),
                checks if quiet_moves_left == 0 => ProofNumbers::open(1, checks),
                // Most replies to a threat do not parry it.
                checks if !in_check && checks > 0 && self.mates_soon(ANSWER_NODES) => {
                    ProofNumbers::proved(self.plies_by_checks())
                }
                // The attacker also has quiet moves, which cost about as much to refute as two checks.
                checks => ProofNumbers::open(1, checks + 2),
            }
        };
        self.position.unmake(mv, undo);
        value
    }

    /// Returns `true` if the attacker, who has just made a quiet move, would mate by checks if the defender
    /// passed, or if the defender has no moves.
    fn threatens(&mut self) -> bool {
        if !self.position.has_moves() {
            return true;
        }
        let undo = self.position.make_null();
        let mates = self.mates_soon(THREAT_NODES);
        self.position.unmake_null(undo);
        mates
    }

    /// Returns `true` if a mate by checks is found within `nodes` nodes. The attacker must be to move.
    fn mates_soon(&mut self, nodes: u64) -> bool {
        let limit = self.node_limit;
        self.node_limit = limit.min(self.nodes + nodes);
        let value = self.search(0, ProofNumbers::open(NEVER, NEVER));
        self.node_limit = limit;
        value.is_proved()
    }

    fn plies_by_checks(&self) -> u16 {
        self.stored_value(self.position.key(), 0).map_or(0, |value| value.note)
    }
}
