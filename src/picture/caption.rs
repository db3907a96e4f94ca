//! What is said below a board.

use super::Picture;
use crate::board::{Piece, Side};

/// The side to move and how it stands, the last move, and the FEN.
pub(super) fn lines(picture: &Picture) -> Vec<String> {
    let position = picture.position;
    let side = name(position.side());
    let mut lines = vec![format!("{side} to move (move {})", position.move_number())];
    if let Some(mv) = picture.last_move {
        let mover = position.piece_on(mv.to).map_or("", |piece: Piece| piece.kind().name());
        lines[0] += &format!(", after {}'s {mover} {mv}", name(!position.side()));
    }
    let checkers: Vec<String> = position
        .checkers()
        .into_iter()
        .filter_map(|from| Some(format!("the {} on {from}", position.piece_on(from)?.kind().name())))
        .collect();
    match (position.has_moves(), checkers.is_empty()) {
        (true, true) => {}
        (true, false) => lines.push(format!("{side} is in check by {}", checkers.join(" and "))),
        (false, true) => lines.push(format!("{side} has no legal move and has lost")),
        (false, false) => lines.push(format!("{side} is mated by {}", checkers.join(" and "))),
    }
    lines.push(position.to_string());
    lines
}

fn name(side: Side) -> &'static str {
    match side {
        Side::Red => "Red",
        Side::Black => "Black",
    }
}
