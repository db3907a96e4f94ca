//! Boards of the report: pieces, the move played and an arrow for a better move, in the units of the empty
//! board's drawing.

use chuhe_board::{Move, Position, Square};
use chuhe_engine::picture::svg::{BOARD_HEIGHT, WIDTH, centre};
use maud::{Markup, html};

/// Returns the `viewBox` of a drawing.
pub(super) fn view() -> String {
    format!("0 0 {WIDTH} {BOARD_HEIGHT}")
}

/// Returns a square's index in [`places`], row by row from Black's left: a9 is 0, i0 is 89.
pub(super) fn place(square: Square) -> usize {
    9 * (9 - square.rank().index()) + square.file().index()
}

/// Returns the 90 squares of a position in FEN order, with a dot for each empty one.
pub(super) fn places(position: &Position) -> String {
    let mut letters = ['.'; 90];
    for square in position.occupancy().all() {
        letters[place(square)] = position.piece_on(square).map_or('.', |piece| piece.letter());
    }
    letters.iter().collect()
}

/// Returns the empty board.
pub(super) fn empty_board() -> Markup {
    html! { use href="#board-empty" {} }
}

/// Returns the pieces of a position, and the marked squares of a move.
pub(super) fn pieces(position: &Position, marked: Option<Move>) -> Markup {
    html! {
        @if let Some(mv) = marked {
            @for (name, square) in [("from", mv.from), ("to", mv.to)] {
                @let (x, y) = centre(square);
                rect class=(name) x=(x - 29) y=(y - 29) width="58" height="58" rx="6" {}
            }
        }
        @for square in position.occupancy().all() {
            @let (x, y) = centre(square);
            @if let Some(piece) = position.piece_on(square) {
                use href={ "#piece-" (piece.letter()) } x=(x) y=(y) {}
            }
        }
    }
}

/// Returns an arrow from a move's origin to its target.
pub(super) fn arrow(mv: Move) -> Markup {
    let [(x1, y1), (x2, y2)] = [mv.from, mv.to].map(centre);
    let (dx, dy) = (f64::from(x2 - x1), f64::from(y2 - y1));
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let (bx, by) = (f64::from(x2) - 24.0 * ux, f64::from(y2) - 24.0 * uy);
    let (left, right) = ((bx - 13.0 * uy, by + 13.0 * ux), (bx + 13.0 * uy, by - 13.0 * ux));
    html! {
        path class="arrow" d=(format!("M{x1},{y1}L{bx:.0},{by:.0}")) {}
        path class="head" d=(format!("M{x2},{y2}L{:.0},{:.0}L{:.0},{:.0}z", left.0, left.1, right.0, right.1)) {}
    }
}
