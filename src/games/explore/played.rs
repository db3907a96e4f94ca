//! Positions that occurred in games, with their frequencies.

use super::place::Place;
use chuhe_board::{Move, Position};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of games by position.
#[derive(Debug, Default)]
pub struct Played {
    /// Stored bytes of a position and its number of games, by key.
    pub(super) counts: BTreeMap<u64, (Vec<u8>, u64)>,
    starts: BTreeMap<u64, Position>,
}

impl Played {
    /// Counts the positions of a game's first plies, each once, and its start as a root. An illegal move ends the game.
    pub fn add(&mut self, start: &Position, moves: &[Move], plies: usize) {
        let mut position = start.clone();
        let mut seen = BTreeSet::new();
        self.starts.entry(start.key()).or_insert_with(|| start.clone());
        for mv in moves.iter().take(plies).map(Some).chain([None]) {
            let place = Place::of(&position);
            if seen.insert(place.key) {
                self.counts.entry(place.key).or_insert_with(|| (place.bytes(), 0)).1 += 1;
            }
            if mv.is_none_or(|mv| position.try_make(*mv).is_err()) {
                return;
            }
        }
    }

    /// Returns the different starts of the games.
    pub fn starts(&self) -> Vec<Position> {
        self.starts.values().cloned().collect()
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Returns `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}
