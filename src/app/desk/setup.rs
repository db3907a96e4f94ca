//! Validation of a position in the editor, with all reasons for rejection.

use super::fields::SideName;
use super::refusal::Refusal;
use super::response::{Response, SetupFault};
use chuhe_board::words::Language;
use chuhe_board::{Impossible, Piece, Position, Setup, Side, Square};
use std::collections::BTreeMap;

/// Checks a position after each change in the editor.
pub(super) fn setup(
    fen: Option<&str>,
    pieces: Option<&BTreeMap<String, String>>,
    side: Option<SideName>,
    language: Language,
) -> Result<Response, Refusal> {
    let read = match (fen, pieces) {
        (Some("startpos"), None) => Ok(Position::start().setup()),
        (Some(fen), None) => fen.parse::<Setup>(),
        (None, Some(pieces)) => Ok(place(pieces)?),
        _ => return Err(Refusal::bad("give either fen or pieces")),
    };
    let mut setup = match read {
        Ok(setup) => setup,
        Err(bad) => {
            let text = language.sentence(&bad.say(language));
            let fault = SetupFault { code: bad.code(), text, square: None };
            return Ok(Response::Setup { fen: None, possible: false, faults: vec![fault] });
        }
    };
    if let Some(side) = side {
        setup.side = side.into();
    }
    let faults: Vec<SetupFault> = setup.impossibilities().iter().map(|why| fault(why, language)).collect();
    Ok(Response::Setup { fen: Some(setup.to_string()), possible: faults.is_empty(), faults })
}

impl From<SideName> for Side {
    fn from(side: SideName) -> Side {
        match side {
            SideName::Red => Side::Red,
            SideName::Black => Side::Black,
        }
    }
}

fn place(pieces: &BTreeMap<String, String>) -> Result<Setup, Refusal> {
    let mut setup = Setup::empty();
    for (square, letter) in pieces {
        let at: Square = square.parse().map_err(|_| Refusal::bad(format!("pieces: {square:?} is not a square")))?;
        let mut letters = letter.chars();
        let piece = letters.next().and_then(Piece::from_letter).filter(|_| letters.next().is_none());
        setup.board[at.index()] =
            Some(piece.ok_or_else(|| Refusal::bad(format!("pieces: {letter:?} is not a piece")))?);
    }
    Ok(setup)
}

fn fault(why: &Impossible, language: Language) -> SetupFault {
    let square = why.square().map(|square| square.to_string());
    SetupFault { code: why.code(), text: language.sentence(&why.say(language)), square }
}
