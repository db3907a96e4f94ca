//! The shortest mate by checks, and all first moves that achieve it.
//!
//! The search deepens one move at a time and tries every defence. A shortest mate never repeats a position,
//! so the result does not depend on the path.

use super::moves::checking_moves;
use chuhe_board::{Move, Position};
use std::collections::HashMap;

/// A shortest mate by checks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shortest {
    /// All first moves that mate in the same number of moves; more than one means a second solution.
    pub keys: Vec<Move>,
    /// Line with the longest defence, up to the mate.
    pub line: Vec<Move>,
}

/// Returns the shortest mate by checks in at most `most` moves of the side to move; `None` if there is none,
/// or if it was not found within `nodes` positions.
///
/// ```
/// use chuhe_board::Position;
/// use chuhe_engine::mates::shortest;
///
/// let position: Position = "3k5/4P4/9/9/9/9/9/9/9/R3K4 w".parse().unwrap();
/// let mate = shortest(&position, 3, 10_000).unwrap();
/// assert_eq!((mate.line.len(), mate.keys.len()), (1, 2), "the rook mates on the file and on the rank");
/// ```
pub fn shortest(position: &Position, most: usize, nodes: u64) -> Option<Shortest> {
    let mut finder = Finder { position: position.clone(), bounds: HashMap::new(), nodes };
    for moves in 1..=most as u16 {
        let keys = finder.keys(moves)?;
        if !keys.is_empty() {
            let line = finder.line(keys[0], moves)?;
            return Some(Shortest { keys, line });
        }
    }
    None
}

/// Bounds on the length of the mate in a position with the attacker to move.
#[derive(Clone, Copy, Default)]
struct Bounds {
    /// Number of moves within which there is no mate.
    not_in: u16,
    /// Number of moves within which there is a mate; 0 if unknown.
    mate_in: u16,
}

struct Finder {
    position: Position,
    bounds: HashMap<u64, Bounds>,
    /// Remaining number of positions to search.
    nodes: u64,
}

impl Finder {
    /// Returns the checks after which every defence allows mate in `moves - 1` moves; `None` if the nodes are
    /// used up.
    fn keys(&mut self, moves: u16) -> Option<Vec<Move>> {
        let mut keys = Vec::new();
        for check in checking_moves(&self.position) {
            if self.mates(check, moves)? {
                keys.push(check);
            }
        }
        Some(keys)
    }

    /// Returns `true` if a check leads to mate in at most `moves` moves, including the check.
    fn mates(&mut self, check: Move, moves: u16) -> Option<bool> {
        self.nodes = self.nodes.checked_sub(1)?;
        let undo = self.position.make(check);
        let mut mates = Some(true);
        for answer in self.position.legal_moves() {
            if moves == 1 {
                mates = Some(false);
            } else {
                let undo = self.position.make(answer);
                mates = self.is_mate_in(moves - 1);
                self.position.unmake(answer, undo);
            }
            if mates != Some(true) {
                break;
            }
        }
        self.position.unmake(check, undo);
        mates
    }

    /// Returns `true` if the side to move mates by checks in at most `moves` moves.
    fn is_mate_in(&mut self, moves: u16) -> Option<bool> {
        let key = self.position.key();
        let known = self.bounds.get(&key).copied().unwrap_or_default();
        if known.mate_in > 0 && known.mate_in <= moves {
            return Some(true);
        }
        for moves in known.not_in + 1..=moves {
            let mut found = false;
            for check in checking_moves(&self.position) {
                if self.mates(check, moves)? {
                    found = true;
                    break;
                }
            }
            let bounds = self.bounds.entry(key).or_default();
            if found {
                bounds.mate_in = moves;
                return Some(true);
            }
            bounds.not_in = moves;
        }
        Some(false)
    }

    /// Returns the length of the shortest mate in moves; `None` if it is not below `moves` or the nodes are
    /// used up.
    fn length(&mut self, moves: u16) -> Option<u16> {
        for length in 1..moves {
            if self.is_mate_in(length)? {
                return Some(length);
            }
        }
        None
    }

    /// Returns the line that begins with `check`, which mates in `moves` moves.
    fn line(&mut self, mut check: Move, mut moves: u16) -> Option<Vec<Move>> {
        let before = self.position.clone();
        let mut line = Vec::new();
        loop {
            self.position.make(check);
            line.push(check);
            // Defence against which the mate takes longest.
            let mut latest: Option<(u16, Move)> = None;
            for answer in self.position.legal_moves() {
                let undo = self.position.make(answer);
                let left = self.length(moves)?;
                self.position.unmake(answer, undo);
                if latest.is_none_or(|(most, _)| left > most) {
                    latest = Some((left, answer));
                }
            }
            let Some((left, answer)) = latest else { break };
            self.position.make(answer);
            line.push(answer);
            moves = left;
            check = *self.keys(moves)?.first()?;
        }
        self.position = before;
        Some(line)
    }
}
