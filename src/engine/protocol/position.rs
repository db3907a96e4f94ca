//! The command `position`, and lists of moves as written by GUIs.

use super::lines::excerpt;
use chuhe_board::notation::Ranks;
use chuhe_board::rules::{Game, IllegalMove};
use chuhe_board::{FenError, Move, Position};
use thiserror::Error;

/// Reason why the arguments of `position` are invalid.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum BadPosition {
    /// Invalid first word.
    #[error("expected fen or startpos, not {0:?}")]
    Start(String),
    /// Invalid FEN.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// First illegal move.
    #[error("{0}")]
    Move(#[from] IllegalMove),
}

/// A position from a GUI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PositionCommand {
    /// A FEN or `startpos`.
    pub start: String,
    /// Moves after the starting position, separated by spaces.
    pub moves: String,
}

impl PositionCommand {
    /// Parses `fen F [moves …]` or `startpos [moves …]`.
    pub(crate) fn read(words: &[&str]) -> Result<PositionCommand, BadPosition> {
        let end = words.iter().position(|word| word.eq_ignore_ascii_case("moves")).unwrap_or(words.len());
        let (start, moves) = words.split_at(end);
        let moves = moves.get(1..).unwrap_or_default().join(" ").to_ascii_lowercase();
        match start {
            [word, ..] if word.eq_ignore_ascii_case("startpos") => {
                Ok(PositionCommand { start: "startpos".to_owned(), moves })
            }
            [word, fen @ ..] if word.eq_ignore_ascii_case("fen") => Ok(PositionCommand { start: fen.join(" "), moves }),
            other => Err(BadPosition::Start(excerpt(other.first().unwrap_or(&"nothing")))),
        }
    }

    /// Returns the game.
    pub(super) fn game(&self, ranks: Ranks) -> Result<Game, BadPosition> {
        let mut game = Game::from_fen(&self.start)?;
        for (index, text) in self.moves.split_whitespace().enumerate() {
            let mv = legal(text, game.position(), ranks).ok_or_else(|| illegal(index, text))?;
            game.make(mv);
        }
        Ok(game)
    }
}

/// Returns the legal moves among `texts` without duplicates, and the first string that is not a legal move.
pub(crate) fn legal_moves(texts: &[String], position: &Position, ranks: Ranks) -> (Vec<Move>, Option<IllegalMove>) {
    let (mut moves, mut fault) = (Vec::new(), None);
    for (index, text) in texts.iter().enumerate() {
        match legal(text, position, ranks) {
            Some(mv) if moves.contains(&mv) => {}
            Some(mv) => moves.push(mv),
            None => fault = fault.or_else(|| Some(illegal(index, text))),
        }
    }
    (moves, fault)
}

fn legal(text: &str, position: &Position, ranks: Ranks) -> Option<Move> {
    ranks.read(text).ok().filter(|&mv| position.is_legal(mv))
}

fn illegal(index: usize, text: &str) -> IllegalMove {
    IllegalMove { number: index + 1, text: excerpt(text) }
}
