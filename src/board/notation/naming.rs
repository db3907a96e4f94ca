//! The parts of a move in WXF and Chinese notation: the piece, the direction, the target.

use crate::{Kind, Move, Piece, Position, Side, Square};
use arrayvec::ArrayVec;

/// The place of a piece among those of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub square: Square,
    /// The file, 1–9 from the mover's right.
    pub file: usize,
    /// Its place among the pieces of its kind on its file, 1 = in front.
    pub order: usize,
    /// How many of its kind are on its file.
    pub on_file: usize,
    /// On how many files the mover has more than one of the kind.
    pub crowded_files: usize,
    /// Its place among all of its kind on crowded files, from the mover's right, those in front first; means nothing on a file of its own.
    pub number: usize,
}

/// A move as one tells it: the piece by its place, and where it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Naming {
    pub kind: Kind,
    pub side: Side,
    pub place: Place,
    pub way: Way,
    /// Ranks it moves if it goes straight ahead or back, else the file it reaches.
    pub goal: usize,
}

/// The direction of a move, from the mover's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    Ahead,
    Across,
    Back,
}

/// The places of all pieces of a kind, by files from the mover's right, those in front first.
pub(super) fn places(position: &Position, side: Side, kind: Kind) -> ArrayVec<Place, 16> {
    let mut places: ArrayVec<Place, 16> = ArrayVec::new();
    for square in position.pieces(side, kind).into_iter().take(16) {
        places.push(Place { square, file: file(side, square), order: 1, on_file: 1, crowded_files: 0, number: 0 });
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

/// A file as the mover counts it: 1–9 from the right.
pub(super) fn file(side: Side, square: Square) -> usize {
    match side {
        Side::Red => 9 - square.file().index(),
        Side::Black => square.file().index() + 1,
    }
}

/// Whether a kind goes straight, so that a way ahead or back is told by its length.
pub(super) fn is_straight(kind: Kind) -> bool {
    matches!(kind, Kind::King | Kind::Rook | Kind::Cannon | Kind::Pawn)
}

impl Naming {
    /// What a notation says of a move of the side to move; `None` if there is no piece.
    pub fn of(position: &Position, mv: Move) -> Option<Naming> {
        let piece = position.piece_on(mv.from)?;
        let (kind, side) = (piece.kind(), piece.side());
        let place = places(position, side, kind).into_iter().find(|place| place.square == mv.from)?;
        let (from, to) = (side.rank(mv.from).index(), side.rank(mv.to).index());
        let way = match to.cmp(&from) {
            core::cmp::Ordering::Greater => Way::Ahead,
            core::cmp::Ordering::Equal => Way::Across,
            core::cmp::Ordering::Less => Way::Back,
        };
        let goal = if way != Way::Across && is_straight(kind) { to.abs_diff(from) } else { file(side, mv.to) };
        Some(Naming { kind, side, place, way, goal })
    }

    /// Two pieces of these kinds on one file never go the same way, so that the file is name enough.
    pub fn never_needs_a_place(&self) -> bool {
        matches!(self.kind, Kind::Advisor | Kind::Elephant)
    }

    /// The piece itself.
    pub fn piece(&self) -> Piece {
        Piece::new(self.side, self.kind)
    }

    /// The letter that WXF uses.
    pub fn letter(&self) -> char {
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
