//! Parsing of WXF and Chinese notation in all spellings: a piece, a direction, and a target.

use super::NoSuchMove;
use super::chinese;
use super::naming::{Ordinal, Way, file, is_straight, places};
use crate::{Kind, Move, Position, Square};

/// A move as described by a string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Spoken {
    kind: Kind,
    which: Which,
    way: Way,
    goal: usize,
}

/// Selection among several pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Which {
    /// `C2`, 炮二: the piece on a file.
    File(usize),
    /// `C+`, 前炮: the piece by its position on the file; 前兵九 and 前九 also specify the file.
    Spot(Spot, Option<usize>),
    /// 二兵: the number of the piece on its file, or across all files with more than one pawn. With a file
    /// (`15`, 一兵五), the number on that file.
    Count(usize, Option<usize>),
}

/// Position among the pieces on a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Spot {
    Front,
    Middle,
    Rear,
}

/// Symbol of a written move, the same for all spellings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    Piece(Kind),
    Digit(usize),
    /// `+`, 进 or 前; its position in the move determines its meaning.
    Plus,
    Minus,
    Level,
    Middle,
}

impl Sign {
    fn of(character: char) -> Option<Sign> {
        Some(match chinese::letter(character).to_ascii_uppercase() {
            'K' => Sign::Piece(Kind::King),
            'A' | 'S' => Sign::Piece(Kind::Advisor),
            'E' | 'B' => Sign::Piece(Kind::Elephant),
            'H' | 'N' => Sign::Piece(Kind::Horse),
            'R' => Sign::Piece(Kind::Rook),
            'C' => Sign::Piece(Kind::Cannon),
            'P' => Sign::Piece(Kind::Pawn),
            digit @ '1'..='9' => Sign::Digit(digit as usize - '0' as usize),
            '+' | '＋' => Sign::Plus,
            '-' | '–' | '—' | '−' | '－' => Sign::Minus,
            '=' | '.' | '。' | '·' | '＝' => Sign::Level,
            'M' => Sign::Middle,
            _ => return None,
        })
    }

    fn spot(self) -> Option<Spot> {
        match self {
            Sign::Plus => Some(Spot::Front),
            Sign::Minus => Some(Spot::Rear),
            Sign::Middle => Some(Spot::Middle),
            _ => None,
        }
    }
}

/// Parses a legal move in WXF or Chinese; `None` if the text is in neither notation.
pub(super) fn read(position: &Position, text: &str) -> Option<Result<Move, NoSuchMove>> {
    let spoken = parse(text)?;
    let side = position.side();
    let places = places(position, side, spoken.kind);
    let mut found = None;
    for place in places.iter().filter(|place| spoken.which.names(place)) {
        let Some(to) = spoken.target(place.square, position) else { continue };
        let mv = Move::new(place.square, to);
        if position.is_legal(mv) {
            if found.is_some() {
                return Some(Err(NoSuchMove::Ambiguous));
            }
            found = Some(mv);
        }
    }
    Some(found.ok_or(NoSuchMove::Illegal))
}

fn parse(text: &str) -> Option<Spoken> {
    let mut signs = [Sign::Level; 5];
    let mut length = 0;
    for character in text.chars() {
        *signs.get_mut(length)? = Sign::of(character)?;
        length += 1;
    }
    let (piece, [way, Sign::Digit(goal)]) = signs[..length].split_last_chunk()? else { return None };
    let way = match way {
        Sign::Plus => Way::Ahead,
        Sign::Level => Way::Sideways,
        Sign::Minus => Way::Back,
        _ => return None,
    };
    let (kind, which) = match *piece {
        [Sign::Piece(kind), Sign::Digit(file)] => (kind, Which::File(file)),
        [Sign::Digit(count), Sign::Piece(kind)] => (kind, Which::Count(count, None)),
        [Sign::Digit(count), Sign::Digit(file)] => (Kind::Pawn, Which::Count(count, Some(file))),
        [Sign::Digit(count), Sign::Piece(kind), Sign::Digit(file)] => (kind, Which::Count(count, Some(file))),
        [Sign::Piece(kind), spot] | [spot, Sign::Piece(kind)] => (kind, Which::Spot(spot.spot()?, None)),
        [spot, Sign::Digit(file)] => (Kind::Pawn, Which::Spot(spot.spot()?, Some(file))),
        [spot, Sign::Piece(kind), Sign::Digit(file)] => (kind, Which::Spot(spot.spot()?, Some(file))),
        _ => return None,
    };
    Some(Spoken { kind, which, way, goal: *goal })
}

impl Which {
    fn names(self, place: &Ordinal) -> bool {
        match self {
            Which::File(file) => place.file == file,
            Which::Spot(spot, file) => {
                let is_there = match spot {
                    Spot::Front => place.order == 1,
                    Spot::Rear => place.order == place.on_file,
                    Spot::Middle => place.on_file == 3 && place.order == 2,
                };
                place.on_file > 1 && is_there && file.is_none_or(|file| file == place.file)
            }
            Which::Count(count, file) => {
                let counted = match file {
                    Some(file) => place.file == file && place.order == count,
                    None if place.crowded_files > 1 => place.number == count,
                    None => place.order == count,
                };
                place.on_file > 1 && counted
            }
        }
    }
}

impl Spoken {
    /// Returns the target of the piece on a square.
    fn target(&self, from: Square, position: &Position) -> Option<Square> {
        let side = position.side();
        let forward = if side == crate::Side::Red { 1 } else { -1 };
        let (files, ranks) = match (self.way, is_straight(self.kind)) {
            (Way::Sideways, true) => (self.files_to_goal(from, position), 0),
            (Way::Ahead, true) => (0, self.goal as i32),
            (Way::Back, true) => (0, -(self.goal as i32)),
            (Way::Sideways, false) => return None,
            (way, false) => {
                let files = self.files_to_goal(from, position);
                let ranks = match (self.kind, files.abs()) {
                    (Kind::Horse, 1) | (Kind::Elephant, 2) => 2,
                    (Kind::Horse, 2) | (Kind::Advisor, 1) => 1,
                    _ => return None,
                };
                (files, if way == Way::Ahead { ranks } else { -ranks })
            }
        };
        from.offset(files, ranks * forward)
    }

    /// Returns the number of files from a square to the goal; positive towards file i.
    fn files_to_goal(&self, from: Square, position: &Position) -> i32 {
        let away = file(position.side(), from) as i32 - self.goal as i32;
        if position.side() == crate::Side::Red { away } else { -away }
    }
}
