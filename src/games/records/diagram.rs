//! Records whose position is not playable: diagrams from books, boards without a king, and prefaces that
//! contain only text.

use super::record::GameResult;
use super::tree::Tree;
use chuhe_board::{Impossible, Position, Setup};

/// A record with its board, its text and its legal moves, but without a position that can be searched.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagram {
    /// Tags, as in a [`Record`](super::Record).
    pub tags: Vec<(String, String)>,
    /// Board.
    pub setup: Setup,
    /// All reasons why no game can reach the board.
    pub reasons: Vec<Impossible>,
    /// Text, stored as the comment of the root, and the moves, if the board allows any.
    pub tree: Tree,
    /// Result.
    pub result: GameResult,
}

impl Diagram {
    /// Returns the position from which the tree's moves are played; `None` if the board allows no moves.
    pub fn position(&self) -> Option<Position> {
        Position::of_diagram(&self.setup)
    }

    /// Returns the value of a tag; names are case-insensitive.
    pub fn tag(&self, name: &str) -> Option<&str> {
        super::record::tag(&self.tags, name)
    }
}
