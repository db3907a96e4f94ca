//! Positions between the root and a node, to which the attacker must not return.

use chuhe_board::random::GOLDEN_RATIO;
use chuhe_board::rules::Game;
use std::collections::HashMap;

/// Keys of the positions on a line, and a hash of the line up to each of them.
pub(super) struct Path {
    keys: Vec<u64>,
    /// Hash of the line up to each ply.
    marks: Vec<u64>,
    /// Number of keys per slot; in most cases, a single load shows that a position is new.
    seen: Box<[u8; SLOTS]>,
}

const SLOTS: usize = 4096;

impl Path {
    /// Creates the path of a game. It contains only positions that have occurred twice, because the third
    /// occurrence is judged.
    pub(super) fn of(game: &Game) -> Path {
        let mut path = Path { keys: Vec::new(), marks: Vec::new(), seen: Box::new([0; SLOTS]) };
        let mut times: HashMap<u64, u32> = HashMap::new();
        let reversible = usize::from(game.position().quiet_plies()).min(game.plies().len());
        for ply in &game.plies()[game.plies().len() - reversible..] {
            let times = times.entry(ply.key).or_default();
            *times += 1;
            if *times == 2 {
                path.push(ply.key);
            }
        }
        path
    }

    /// Returns the number of positions.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(super) fn push(&mut self, key: u64) {
        let mixed = (self.mark().rotate_left(5) ^ key).wrapping_mul(GOLDEN_RATIO);
        self.marks.push(mixed);
        self.keys.push(key);
        let count = &mut self.seen[key as usize % SLOTS];
        *count = count.saturating_add(1);
    }

    pub(super) fn pop(&mut self) {
        self.marks.pop();
        if let Some(key) = self.keys.pop() {
            let count = &mut self.seen[key as usize % SLOTS];
            *count = count.saturating_sub(1);
        }
    }

    /// Returns the index of a position's last occurrence on the path, counting from 0.
    pub(super) fn find(&self, key: u64) -> Option<usize> {
        if self.seen[key as usize % SLOTS] == 0 {
            return None;
        }
        self.keys.iter().rposition(|&other| other == key)
    }

    /// Returns a hash of the line.
    pub(super) fn mark(&self) -> u64 {
        self.marks.last().copied().unwrap_or(0)
    }
}
