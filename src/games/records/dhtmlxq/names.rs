//! Names of tags, and the order and squares of pieces.

use crate::records::tags;
use chuhe_board::Square;

/// Start of every tag, in lower case because some pages do not use capitals.
pub(crate) const MARK: &str = "[dhtmlxq";

/// Names of the PGN tags in this format.
pub(super) const TEXTS: [(&str, &str); 17] = [
    ("title", tags::TITLE),
    ("event", tags::EVENT),
    ("round", tags::ROUND),
    ("group", tags::GROUP),
    ("table", tags::TABLE),
    ("date", tags::DATE),
    ("place", tags::SITE),
    ("timerule", tags::TIME_CONTROL),
    ("red", tags::RED),
    ("redteam", tags::RED_TEAM),
    ("redtime", tags::RED_TIME),
    ("black", tags::BLACK),
    ("blackteam", tags::BLACK_TEAM),
    ("blacktime", tags::BLACK_TIME),
    ("author", tags::ANNOTATOR),
    ("open", tags::OPENING),
    ("ecco", tags::ECCO),
];

/// Other names of PGN tags, which some pages use. They take precedence over the names in [`TEXTS`] when a game
/// is read, and are not written.
pub(super) const READ_ONLY_ALIASES: [(&str, &str); 2] = [("redname", tags::RED), ("blackname", tags::BLACK)];

/// Orientation of the board in a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Orientation {
    /// Red is at the bottom.
    Red,
    /// Black is at the bottom.
    Black,
}

impl Orientation {
    /// Returns the orientation of a board, determined from the squares of the kings; `digits` is the value of
    /// `binit`.
    pub(super) fn of_board(digits: &[u8]) -> Orientation {
        match (digits.get(9), digits.get(41)) {
            (Some(b'0'..=b'2'), Some(b'7'..=b'9')) => Orientation::Black,
            _ => Orientation::Red,
        }
    }

    /// Returns the square denoted by two digits: files from the left, ranks from the top.
    pub(super) fn square(self, file: u8, rank: u8) -> Option<Square> {
        let (file, rank) = (i32::from(file) - i32::from(b'0'), i32::from(rank) - i32::from(b'0'));
        match self {
            Orientation::Red => Square::at(file, 9 - rank),
            Orientation::Black => Square::at(8 - file, rank),
        }
    }
}

/// Returns the moves of a line, four digits each. On ichinachess.com, each move is followed by four letters
/// or digits and its number.
pub(super) fn moves(digits: &[u8]) -> impl Iterator<Item = &[u8]> {
    let has_numbers = digits
        .get(4..12)
        .is_some_and(|rest| rest[..4].iter().any(u8::is_ascii_alphabetic) && rest[4..].iter().all(u8::is_ascii_digit));
    digits.chunks(if has_numbers { 12 } else { 4 }).map(|chunk| &chunk[..chunk.len().min(4)])
}
