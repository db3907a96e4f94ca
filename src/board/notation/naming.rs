//! Parts of a move in WXF and Chinese notation: piece, direction, target.

use crate::{Kind, Move, Piece, Position, Side, Square};
use arrayvec::ArrayVec;

/// Position of a piece among the pieces of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ordinal {
    pub square: Square,
    /// File, 1–9 from the mover's right.
    pub file: usize,
    /// Position among the pieces of its kind on its file; 1 is the front piece.
    pub order: usize,
    /// Number of pieces of its kind on its file.
    pub on_file: usize,
    /// Number of files with more than one piece of the kind.
    pub crowded_files: usize,
    /// Position among all pieces of its kind on such files, from the mover's right, front pieces first;
    /// meaningless if the piece is alone on its file.
    pub number: usize,
}

/// A move as named in these notations: the piece, identified by its position, and the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Naming {
    pub kind: Kind,
    pub side: Side,
    pub place: Ordinal,
    pub way: Way,
    /// Number of ranks for a forward or backward move of a straight-moving piece, otherwise the target file.
    pub goal: usize,
}

/// Direction of a move from the mover's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    Ahead,
    Sideways,
    Back,
}

/// Returns the positions of all pieces of a kind, by file from the mover's right, front pieces first.
pub(super) fn places(position: &Position, side: Side, kind: Kind) -> ArrayVec<Ordinal, 16> {
    let mut places: ArrayVec<Ordinal, 16> = ArrayVec::new();
    for square in position.pieces(side, kind).into_iter().take(16) {
        places.push(Ordinal { square, file: file(side, square), order: 1, on_file: 1, crowded_files: 0, number: 0 });
    }
    places.sort_unstable_by_key(|place| (place.file, 9 - side.rank(place.square).index()));
    let mut crowded = 0;
    let mut number = 0;
    let mut first = 0;
    while first < places.len() {
        let on_file = places[first..].iter().take_while(|place| place.file == places[first].file).count();
        crowded += usize::from(on_file > 1);
        for (order, place) in places[first..first + on_file].iter_mut().enumerate() {
            number += usize::from(on_file > 1);
            (place.order, place.on_file, place.number) = (order + 1, on_file, number);
        }
        first += on_file;
    }
    places.iter_mut().for_each(|place| place.crowded_files = crowded);
    places
}

/// Returns a file as numbered by the mover: 1–9 from the right.
pub(super) fn file(side: Side, square: Square) -> usize {
    match side {
        Side::Red => 9 - square.file().index(),
        Side::Black => square.file().index() + 1,
    }
}

/// Returns `true` if a kind moves in straight lines, so that forward and backward moves are named by their
/// length.
pub(super) fn is_straight(kind: Kind) -> bool {
    matches!(kind, Kind::King | Kind::Rook | Kind::Cannon | Kind::Pawn)
}

impl Naming {
    /// Returns the parts of a move's name; `None` if its origin is empty.
    pub(super) fn of(position: &Position, mv: Move) -> Option<Naming> {
        let piece = position.piece_on(mv.from)?;
        let (kind, side) = (piece.kind(), piece.side());
        let place = places(position, side, kind).into_iter().find(|place| place.square == mv.from)?;
        let (from, to) = (side.rank(mv.from).index(), side.rank(mv.to).index());
        let way = match to.cmp(&from) {
            core::cmp::Ordering::Greater => Way::Ahead,
            core::cmp::Ordering::Equal => Way::Sideways,
            core::cmp::Ordering::Less => Way::Back,
        };
        let goal = if way != Way::Sideways && is_straight(kind) { to.abs_diff(from) } else { file(side, mv.to) };
        Some(Naming { kind, side, place, way, goal })
    }

    /// Returns `true` if two pieces of this kind on one file never have moves with the same name, so that the
    /// file identifies the piece.
    pub(super) fn never_needs_a_place(&self) -> bool {
        matches!(self.kind, Kind::Advisor | Kind::Elephant)
    }

    /// Returns the piece.
    pub(super) fn piece(&self) -> Piece {
        Piece::new(self.side, self.kind)
    }

    /// Returns the WXF letter.
    pub(super) fn letter(&self) -> char {
        match self.kind {
            Kind::King => 'K',
            Kind::Advisor => 'A',
            Kind::Elephant => 'E',
            Kind::Horse => 'H',
            Kind::Rook => 'R',
            Kind::Cannon => 'C',
            Kind::Pawn => 'P',
        }
    }
}
