//! Positions that occurred in games below the roots of an exploration, with their frequencies.

use super::error::Error;
use super::place::Place;
use super::store::Store;
use chuhe_board::{Move, Position, Side};
use rusqlite::OptionalExtension;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of games by position.
#[derive(Debug, Default)]
pub struct PlayedPositions {
    /// Stored bytes of a position and its number of games, by key.
    pub(super) counts: BTreeMap<u64, (Vec<u8>, u64)>,
    /// Keys of the positions at which counting begins.
    roots: BTreeSet<u64>,
    /// Minimum number of pieces in a root.
    fewest: u32,
}

impl PlayedPositions {
    /// Creates a counter for the positions of games from one of `roots` on.
    pub fn below(roots: &[Position]) -> PlayedPositions {
        PlayedPositions {
            counts: BTreeMap::new(),
            roots: roots.iter().map(|root| Place::of(root).key).collect(),
            fewest: roots.iter().map(pieces).min().unwrap_or(0),
        }
    }

    /// Counts the positions of a game, each once, from its first root up to `plies` plies after it. An
    /// illegal move ends the game. A game that does not reach a root is ignored.
    pub fn add(&mut self, start: &Position, moves: &[Move], plies: usize) {
        let mut position = start.clone();
        let mut seen = BTreeSet::new();
        let mut left = None;
        for mv in moves.iter().map(Some).chain([None]) {
            // The number of pieces never grows, so a position with fewer pieces cannot lead to a root.
            if left.is_none() && pieces(&position) < self.fewest {
                return;
            }
            let place = Place::of(&position);
            if left.is_none() && self.roots.contains(&place.key) {
                left = Some(plies);
            }
            if left.is_some() && seen.insert(place.key) {
                self.counts.entry(place.key).or_insert_with(|| (place.bytes(), 0)).1 += 1;
            }
            if left == Some(0) || mv.is_none_or(|mv| position.try_make(*mv).is_err()) {
                return;
            }
            left = left.map(|left| left - 1);
        }
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Returns `true` if there are no positions.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}

impl Store {
    /// Returns the moves of a position that lead to positions of the games, the most frequent first, each with
    /// the number of games that contain the position after it, also if they reach it otherwise.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn played_moves(&self, position: &Position) -> Result<Vec<(Move, u64)>, Error> {
        let place = Place::of(position);
        let mut select = self.database.prepare_cached("SELECT games FROM played WHERE key = ?1")?;
        let mut moves = Vec::new();
        for mv in place.moves() {
            let key = place.key_after(mv) as i64;
            let games = select.query_row([key], |row| row.get::<_, i64>(0)).optional()?;
            moves.extend(games.map(|games| (place.oriented(mv), games as u64)));
        }
        moves.sort_by_key(|(_, games)| Reverse(*games));
        Ok(moves)
    }
}

/// Returns the number of pieces in a position.
fn pieces(position: &Position) -> u32 {
    Side::ALL.into_iter().map(|side| position.of_side(side).count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<Move> {
        text.split(' ').map(|mv| mv.parse().expect("a move")).collect()
    }

    fn after(text: &str) -> Position {
        let mut position = Position::start();
        for mv in moves(text) {
            position.make(mv);
        }
        position
    }

    #[test]
    fn only_positions_below_a_root_are_counted() {
        let mut played = PlayedPositions::below(&[after("g3g4 g6g5")]);
        // The second game reaches the mirror image of the root, the third one never reaches it, and the last
        // one starts with too few pieces.
        played.add(&Position::start(), &moves("g3g4 g6g5 h2e2 h9g7"), 1);
        played.add(&Position::start(), &moves("c3c4 c6c5 b2e2 h9g7"), 9);
        played.add(&Position::start(), &moves("h2e2 h9g7"), 9);
        played.add(&"3k5/9/9/9/9/9/9/9/4R4/4K4 w".parse().expect("a position"), &moves("e1e9 d9e9"), 9);
        let games = |position: &Position| played.counts.get(&Place::of(position).key).map(|(_, games)| *games);
        assert_eq!(games(&after("g3g4 g6g5")), Some(2));
        assert_eq!(games(&after("g3g4 g6g5 h2e2")), Some(2));
        assert_eq!(games(&after("c3c4 c6c5 b2e2 h9g7")), Some(1));
        assert_eq!((games(&Position::start()), played.len()), (None, 3));
    }
}
