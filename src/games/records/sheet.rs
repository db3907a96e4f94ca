//! Input of the writers: a record or a diagram.

use super::diagram::Diagram;
use super::record::{GameResult, Record, tag};
use super::tree::Tree;
use chuhe_board::{Move, Piece, Position, Setup, Square};

/// A record or a diagram to write.
#[derive(Clone, Debug)]
pub(super) struct Sheet<'r> {
    pub tags: &'r [(String, String)],
    pub setup: Setup,
    /// Position from which the moves are played; meaningless if there are no moves.
    pub position: Position,
    pub tree: &'r Tree,
    pub result: GameResult,
}

impl<'r> From<&'r Record> for Sheet<'r> {
    fn from(record: &'r Record) -> Sheet<'r> {
        let Record { tags, start, tree, result } = record;
        Sheet { tags, setup: start.setup(), position: start.clone(), tree, result: *result }
    }
}

impl<'r> From<&'r Diagram> for Sheet<'r> {
    fn from(diagram: &'r Diagram) -> Sheet<'r> {
        let Diagram { tags, setup, tree, result, .. } = diagram;
        let position = diagram.position().unwrap_or_else(Position::start);
        Sheet { tags, setup: setup.clone(), position, tree, result: *result }
    }
}

impl Sheet<'_> {
    /// Returns the value of a tag; empty if there is none.
    pub(crate) fn tag(&self, name: &str) -> &str {
        tag(self.tags, name).unwrap_or_default()
    }

    /// Returns the pieces and their squares.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        Square::ALL.into_iter().filter_map(|square| Some((self.setup.board[square.index()]?, square)))
    }

    /// Returns the moves of the main line.
    pub(crate) fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.tree.main_line().filter_map(|id| self.tree.mv(id))
    }
}
