//! What Chinese notations say of a move: which piece, and forward, back or across to where.

use crate::board::{Kind, Move, Position, Side, Square};

/// A move as one tells it: the piece by its file or its place on it, and where it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Naming {
    pub kind: Kind,
    pub side: Side,
    /// The file it leaves, 1–9 from the mover's right.
    pub file: usize,
    /// Its place among the pieces of its kind on its file, 1 = in front.
    pub order: usize,
    /// How many of its kind stand on its file.
    pub on_file: usize,
    /// On how many files the mover has more than one of the kind.
    pub crowded_files: usize,
    /// Its place among all of its kind on crowded files, from the mover's right, those in front first; means nothing on a file of its own.
    pub number: usize,
    /// Where it goes.
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

impl Naming {
    /// What a notation says of a move of the side to move; `None` if no piece stands there.
    pub fn of(position: &Position, mv: Move) -> Option<Naming> {
        let piece = position.piece_on(mv.from)?;
        let (kind, side) = (piece.kind(), piece.side());
        let file = |square: Square| match side {
            Side::Red => 9 - square.file().index(),
            Side::Black => square.file().index() + 1,
        };
        let rank = |square: Square| side.rank(square).index();
        let mut all: Vec<(usize, usize)> = Square::ALL
            .into_iter()
            .filter(|square| position.piece_on(*square) == Some(piece))
            .map(|square| (file(square), 9 - rank(square)))
            .collect();
        all.sort_unstable();
        let on = |file: usize| all.iter().filter(|(other, _)| *other == file).count();
        let own = (file(mv.from), 9 - rank(mv.from));
        // Sorted by file and then from the front, the pieces stand in the order in which they are told apart.
        let place = |counts: &dyn Fn(usize) -> bool| {
            let among = all.iter().filter(|(file, _)| counts(*file));
            among.take_while(|other| **other <= own).count()
        };
        let way = match rank(mv.to).cmp(&rank(mv.from)) {
            std::cmp::Ordering::Greater => Way::Ahead,
            std::cmp::Ordering::Equal => Way::Across,
            std::cmp::Ordering::Less => Way::Back,
        };
        let is_straight = matches!(kind, Kind::King | Kind::Rook | Kind::Cannon | Kind::Pawn);
        let goal = if way != Way::Across && is_straight { rank(mv.to).abs_diff(rank(mv.from)) } else { file(mv.to) };
        Some(Naming {
            kind,
            side,
            file: own.0,
            order: place(&|file| file == own.0),
            on_file: on(own.0),
            crowded_files: (1..=9).filter(|file| on(*file) > 1).count(),
            number: place(&|file| on(file) > 1),
            way,
            goal,
        })
    }

    /// Two pieces of these kinds on one file never go the same way, so that the file is name enough.
    pub fn never_needs_a_place(&self) -> bool {
        matches!(self.kind, Kind::Advisor | Kind::Elephant)
    }

    /// The letter that reading goes by.
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

    /// Everything by which people name this move, in the letters that [`super::read`] turns a text into.
    pub fn spellings(&self) -> Vec<String> {
        let letter = self.letter();
        let sign = match self.way {
            Way::Ahead => '+',
            Way::Across => '=',
            Way::Back => '-',
        };
        let (file, goal) = (self.file, self.goal);
        let mut pieces = vec![format!("{letter}{file}")];
        if self.on_file > 1 {
            let mut places = Vec::new();
            if self.order == 1 {
                places.push("+".to_string());
            }
            if self.order == self.on_file {
                places.push("-".to_string());
            }
            if self.on_file == 3 && self.order == 2 {
                places.push("m".to_string());
            }
            let number = if self.crowded_files > 1 { self.number } else { self.order };
            pieces.push(format!("{number}{letter}"));
            pieces.push(format!("{}{file}", self.order));
            for place in places {
                // C+, 前炮, 前兵九, 前九.
                pieces.extend([
                    format!("{letter}{place}"),
                    format!("{place}{letter}"),
                    format!("{place}{letter}{file}"),
                    format!("{place}{file}"),
                ]);
            }
        }
        pieces.into_iter().map(|piece| format!("{piece}{sign}{goal}")).collect()
    }
}
