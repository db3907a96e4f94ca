//! Positions of the game and of the current line, to which the attacker must not return.

use chuhe_board::random::GOLDEN_RATIO;
use chuhe_board::rules::Game;
use std::collections::HashMap;

/// Keys of the positions on a line, and a hash of the line up to each of them.
pub(super) struct Path {
    keys: Vec<u64>,
    /// Hash of the line up to each ply.
    marks: Vec<u64>,
    /// Number of keys per slot; in most cases a single load shows that a position is new. A counter cannot
    /// overflow: a game and the line after it have fewer than 65,536 positions in a slot.
    seen: Box<[u16; SLOTS]>,
}

const SLOTS: usize = 4096;

impl Path {
    /// Creates the path of a game whose repetitions are judged at occurrence `folds`. It contains only those
    /// positions whose next occurrence is judged.
    pub(super) fn of(game: &Game, folds: usize) -> Path {
        let mut path = Path { keys: Vec::new(), marks: Vec::new(), seen: Box::new([0; SLOTS]) };
        let mut times: HashMap<u64, usize> = HashMap::new();
        let reversible = usize::from(game.position().quiet_plies()).min(game.plies().len());
        for ply in &game.plies()[game.plies().len() - reversible..] {
            let times = times.entry(ply.key).or_default();
            *times += 1;
            if *times + 1 == folds {
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
        self.seen[key as usize % SLOTS] += 1;
    }

    pub(super) fn pop(&mut self) {
        self.marks.pop();
        if let Some(key) = self.keys.pop() {
            self.seen[key as usize % SLOTS] -= 1;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_whose_next_occurrence_is_judged_are_on_the_path() {
        let cycle = "h0g2 h9g7 g2h0 g7h9";
        for (cycles, folds, count) in [(1, 2, 4), (1, 3, 0), (2, 3, 4), (2, 4, 0), (3, 4, 4)] {
            let game = Game::read(&format!("startpos moves {}", vec![cycle; cycles].join(" "))).expect("a game");
            assert_eq!(Path::of(&game, folds).len(), count, "{cycles} cycles, {folds} folds");
        }
    }

    #[test]
    fn a_position_is_found_after_hundreds_of_others_in_its_slot() {
        let mut path = Path::of(&Game::new(chuhe_board::Position::start()), 3);
        let keys = (0..300).map(|index| index * SLOTS as u64);
        keys.clone().for_each(|key| path.push(key));
        keys.skip(1).for_each(|_| path.pop());
        assert_eq!((path.find(0), path.find(SLOTS as u64)), (Some(0), None));
        path.pop();
        assert_eq!(path.find(0), None);
    }
}
