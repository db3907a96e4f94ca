//! Pictures of the board: text for a terminal, SVG for everything else.

mod caption;
mod faces;
pub mod strokes;
pub mod svg;
mod text;

pub use faces::Pieces;
pub use svg::definitions;

use chuhe_board::words::Language;
use chuhe_board::{Kind, Move, Piece, Position, Setup, Side, Square};

/// Content of a picture.
#[derive(Clone, Copy)]
pub struct Picture<'p> {
    board: Board<'p>,
    last_move: Option<Move>,
    arrow: Option<Move>,
    flipped: bool,
}

/// Board of a picture.
#[derive(Clone, Copy)]
enum Board<'p> {
    Position(&'p Position),
    /// A diagram, which may be unreachable in a game.
    Diagram(&'p Setup),
}

impl Board<'_> {
    fn piece_on(self, square: Square) -> Option<Piece> {
        match self {
            Board::Position(position) => position.piece_on(square),
            Board::Diagram(setup) => setup.board[square.index()],
        }
    }

    fn side(self) -> Side {
        match self {
            Board::Position(position) => position.side(),
            Board::Diagram(setup) => setup.side,
        }
    }

    fn fen(self) -> String {
        match self {
            Board::Position(position) => position.to_string(),
            Board::Diagram(setup) => setup.to_string(),
        }
    }

    /// Returns `true` if the king of the side to move is on this square and in check. Checks are not marked
    /// in diagrams.
    fn is_checked(self, square: Square) -> bool {
        let Board::Position(position) = self else { return false };
        let king = Piece::new(position.side(), Kind::King);
        position.in_check() && position.piece_on(square) == Some(king)
    }
}

/// Style of text pictures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Uses letters and plain lines instead of Chinese characters.
    pub letters: bool,
    /// Style of the pieces.
    pub pieces: Pieces,
    /// Enables terminal colours.
    pub colour: bool,
    /// Language of the caption.
    pub language: Language,
}

impl<'p> Picture<'p> {
    /// Creates a picture of a position.
    pub fn new(position: &'p Position) -> Picture<'p> {
        Picture { board: Board::Position(position), last_move: None, arrow: None, flipped: false }
    }

    /// Creates a picture of a diagram, which may be unreachable in a game.
    pub fn of_diagram(setup: &'p Setup) -> Picture<'p> {
        Picture { board: Board::Diagram(setup), last_move: None, arrow: None, flipped: false }
    }

    /// Marks the move that led to the position.
    pub fn with_last_move(self, last_move: Option<Move>) -> Picture<'p> {
        Picture { last_move, ..self }
    }

    /// Draws an arrow for a suggested move; in SVG only.
    pub fn with_arrow(self, arrow: Option<Move>) -> Picture<'p> {
        Picture { arrow, ..self }
    }

    /// Draws the board from Black's point of view if `flipped` is `true`; in text only.
    pub fn flipped(self, flipped: bool) -> Picture<'p> {
        Picture { flipped, ..self }
    }

    /// Returns the square that is drawn where an unflipped board shows `square`.
    fn turned(&self, square: Square) -> Square {
        if self.flipped { Square::ALL[89 - square.index()] } else { square }
    }
}
