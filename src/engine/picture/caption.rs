//! Captions of boards.

use super::{Board, Picture};
use chuhe_board::notation::{Form, write_made};
use chuhe_board::words::{Key, Language};

/// Returns the side to move and the state of the game, the last move, and the FEN.
pub(super) fn lines(picture: &Picture, language: Language) -> Vec<String> {
    let side = picture.board.side().title(language);
    let state = |number: u16| language.say(Key::ToMove, &[("side", &side), ("number", &number)]);
    let position = match picture.board {
        Board::Position(position) => position,
        Board::Diagram(setup) => return vec![state(setup.move_number), setup.to_string()],
    };
    let mut state = state(position.move_number());
    if let Some((mv, piece)) = picture.last_move.and_then(|mv| Some((mv, position.piece_on(mv.to)?))) {
        let mv = match language {
            Language::English => format!("{} {mv}", piece.noun_with_owner(language)),
            Language::Chinese => write_made(position, mv, Form::Chinese),
        };
        state = language.say(Key::AfterMove, &[("state", &state), ("move", &mv)]);
    }
    let checker = |from| {
        let piece = position.piece_on(from)?;
        let (noun, square) = (piece.noun(language), from.spoken(piece.side(), language));
        Some(language.say(Key::PieceOn, &[("piece", &noun), ("square", &square)]))
    };
    let checkers: Vec<String> = position.checkers().into_iter().filter_map(checker).collect();
    let checkers = checkers.join(language.word(Key::And));
    let danger = match (position.has_moves(), checkers.is_empty()) {
        (true, true) => None,
        (true, false) => Some(Key::InCheck),
        (false, true) => Some(Key::NoMoveLoses),
        (false, false) => Some(Key::MatedBy),
    };
    let danger = danger.map(|key| language.say(key, &[("side", &side), ("checkers", &checkers)]));
    [Some(state), danger, Some(position.to_string())].into_iter().flatten().collect()
}
