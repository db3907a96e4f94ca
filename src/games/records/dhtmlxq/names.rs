//! Names of tags, and the order and squares of pieces.

use chuhe_board::{Kind, Square};

/// Start of every tag in lower case, since some pages use no capitals.
pub(crate) const MARK: &str = "[dhtmlxq";

/// Names of PGN tags in this format.
pub(super) const TEXTS: [(&str, &str); 19] = [
    ("title", "Title"),
    ("event", "Event"),
    ("round", "Round"),
    ("group", "Group"),
    ("table", "Table"),
    ("date", "Date"),
    ("place", "Site"),
    ("timerule", "TimeControl"),
    ("red", "Red"),
    ("redname", "Red"),
    ("redteam", "RedTeam"),
    ("redtime", "RedTime"),
    ("black", "Black"),
    ("blackname", "Black"),
    ("blackteam", "BlackTeam"),
    ("blacktime", "BlackTime"),
    ("author", "Annotator"),
    ("open", "Opening"),
    ("ecco", "ECCO"),
];

/// Pieces of each side in the order of `binit`.
pub(super) const SET: [Kind; 16] = {
    use Kind::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
    [Rook, Horse, Elephant, Advisor, King, Advisor, Elephant, Horse, Rook, Cannon, Cannon, Pawn, Pawn, Pawn, Pawn, Pawn]
};

/// Returns the square of two digits: files from the left, ranks from Black's side.
pub(super) fn square(file: u8, rank: u8) -> Option<Square> {
    Square::at(i32::from(file) - i32::from(b'0'), i32::from(b'9') - i32::from(rank))
}
