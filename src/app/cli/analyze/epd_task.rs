//! Tasks in EPD lines: `bm`, the best moves, and `dm`, a mate in a number of moves.

use chuhe_board::notation::{self, NoSuchMove};
use chuhe_board::score::mate_moves;
use chuhe_board::{Move, Position};
use chuhe_engine::search::Conclusion;
use chuhe_games::records::epd::EpdLine;
use thiserror::Error;

/// Task of a position.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct EpdTask {
    best: Vec<Move>,
    mate: Option<i32>,
}

/// Error in the task of an EPD line.
#[derive(Debug, PartialEq, Eq, Error)]
pub(super) enum EpdTaskError {
    /// A best move that cannot be played.
    #[error("bm: {0:?} {1}")]
    Move(String, NoSuchMove),
    /// An invalid mate length.
    #[error("dm: {0:?} is not a number of moves")]
    Mate(String),
}

/// Parses the task in a line; `None` if it has none.
pub(super) fn read(line: &EpdLine, position: &Position) -> Result<Option<EpdTask>, EpdTaskError> {
    let best = line
        .operation("bm")
        .unwrap_or_default()
        .split_whitespace()
        .map(|text| notation::read(position, text).map_err(|error| EpdTaskError::Move(text.to_owned(), error)));
    let best = best.collect::<Result<Vec<Move>, EpdTaskError>>()?;
    let mate = line.operation("dm").map(|text| {
        let moves = text.parse().ok().filter(|moves| *moves > 0);
        moves.ok_or_else(|| EpdTaskError::Mate(text.to_owned()))
    });
    let mate = mate.transpose()?;
    Ok((mate.is_some() || !best.is_empty()).then_some(EpdTask { best, mate }))
}

impl EpdTask {
    /// Returns `true` if a search has solved the task: with `dm`, by a mate of at most this length; otherwise
    /// by a move of `bm`.
    pub(super) fn is_solved_by(&self, conclusion: &Conclusion) -> bool {
        match self.mate {
            Some(longest) => {
                let mate = conclusion.lines.first().and_then(|line| mate_moves(line.score));
                mate.is_some_and(|moves| (1..=longest).contains(&moves))
            }
            None => conclusion.best.is_some_and(|best| self.best.contains(&best)),
        }
    }
}
