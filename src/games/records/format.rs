//! Record formats: detection of a file's format from its content, and writing of games.

use super::diagram::Diagram;
use super::lines::{self, split_fen};
use super::record::Record;
use super::sheet::Sheet;
use super::text::{MAX_GAME, MAX_WHOLE, Shortened};
use super::tree::{NodeId, Step, Tree};
use super::{cbf, cbr, dhtmlxq, old_cbl, pgn, wxf, xqf};
use chuhe_board::Piece;
use chuhe_board::copied;
use chuhe_board::named;
use chuhe_board::notation::Form;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Suffixes of files that may contain records or positions.
pub const SUFFIXES: [&str; 10] = ["pgn", "xqf", "cbr", "cbl", "cbf", "wxf", "txt", "ubb", "dhtmlxq", "epd"];

named! {
    /// A record format.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Format {
        /// PGN.
        Pgn = "pgn",
        /// Format of 象棋演播室.
        Xqf = "xqf",
        /// Record of 象棋桥.
        Cbr = "cbr",
        /// Library of 象棋桥.
        Cbl = "cbl",
        /// XML record of 象棋桥.
        Cbf = "cbf",
        /// Format of 东萍, or UBB code of forums.
        DhtmlXq = "dhtmlxq",
        /// Format used by PlayOK and in drafts of the World Xiangqi Federation.
        Wxf = "wxf",
        /// One position with moves per line.
        Position = "position",
        /// A plain list of moves.
        Moves = "moves",
    }

    /// Returns the name on the command line.
    pub fn name -> &'static str
}

impl Format {
    /// Returns the suffix of files in this format.
    pub const fn suffix(self) -> &'static str {
        match self {
            Format::DhtmlXq | Format::Position | Format::Moves => "txt",
            other => other.name(),
        }
    }

    /// Returns `true` if a file contains at most one game.
    pub const fn is_single(self) -> bool {
        matches!(self, Format::Xqf | Format::Cbr | Format::Cbf)
    }

    /// Returns `true` for text formats.
    pub const fn is_text(self) -> bool {
        !matches!(self, Format::Xqf | Format::Cbr | Format::Cbl)
    }

    /// Returns the maximum size in bytes of a readable file in this format; `None` if files are read in
    /// constant memory.
    pub const fn most(self) -> Option<u64> {
        match self {
            Format::Pgn | Format::Position | Format::Moves => None,
            _ => Some(MAX_WHOLE),
        }
    }

    /// Encodes a game as the content of a file, with text in UTF-8. For [`Format::Cbl`], returns the single
    /// record without a library around it. `form` is the notation in formats that allow a choice.
    ///
    /// # Errors
    /// Returns an error if the reader of the format would refuse the game.
    pub fn write(self, game: &Record, form: Form) -> Result<Written, Unreadable> {
        self.write_sheet(&game.into(), form)
    }

    /// Writes a diagram.
    ///
    /// # Errors
    /// Returns the errors of [`Format::write`].
    pub fn write_diagram(self, diagram: &Diagram, form: Form) -> Result<Written, Unreadable> {
        self.write_sheet(&diagram.into(), form)
    }

    fn write_sheet(self, sheet: &Sheet, form: Form) -> Result<Written, Unreadable> {
        let (variations, depth) = sheet.tree.count_variations();
        match self {
            Format::Pgn if depth > pgn::MAX_DEPTH => return Err(Unreadable::Variations),
            Format::DhtmlXq if variations >= dhtmlxq::MAX_BRANCHES => return Err(Unreadable::Variations),
            _ => {}
        }
        let (bytes, shortened) = match self {
            Format::Xqf => xqf::write_sheet(sheet),
            Format::Cbr | Format::Cbl => cbr::write_sheet(sheet),
            Format::Pgn => (pgn::write_sheet(sheet, form).into_bytes(), Vec::new()),
            Format::Cbf => (cbf::write_sheet(sheet).into_bytes(), Vec::new()),
            Format::DhtmlXq => (dhtmlxq::write_sheet(sheet).into_bytes(), Vec::new()),
            Format::Wxf => (wxf::write_sheet(sheet).into_bytes(), Vec::new()),
            Format::Position => ((lines::write_position_of(sheet) + "\n").into_bytes(), Vec::new()),
            Format::Moves => ((lines::write_moves_of(sheet, form) + "\n").into_bytes(), Vec::new()),
        };
        // In text formats, a single line may contain almost the whole game.
        let most = if self.is_text() { MAX_GAME } else { MAX_WHOLE as usize };
        if bytes.len() > most {
            return Err(Unreadable::Long(bytes.len(), most));
        }
        Ok(Written {
            bytes,
            shortened,
            signs_lost: self.signs_lost(sheet.tree),
            comments_lost: self.comments_lost(sheet.tree),
            moves_lost: self.moves_lost(sheet.tree),
            pieces_lost: self.pieces_lost(sheet),
        })
    }

    /// Returns the number of pieces that this format cannot hold: XQF and DhtmlXQ store a square for each
    /// piece of the initial position, and a diagram may have more pieces of a kind.
    fn pieces_lost(self, sheet: &Sheet) -> usize {
        let stored = |piece: Piece| match self {
            Format::Xqf | Format::DhtmlXq => xqf::SET.iter().filter(|kind| **kind == piece.kind()).count(),
            _ => usize::MAX,
        };
        let count = |piece: Piece| sheet.pieces().filter(|(other, _)| *other == piece).count();
        Piece::ALL.into_iter().map(|piece| count(piece).saturating_sub(stored(piece))).sum()
    }

    /// Returns the number of moves whose glyphs this format cannot store; 0 for lists of moves, which no one
    /// expects to contain more.
    fn signs_lost(self, tree: &Tree) -> usize {
        let has_sign = |id: &NodeId| tree.glyphs(*id).next().is_some();
        match self {
            Format::Xqf | Format::Cbr | Format::Cbl | Format::DhtmlXq => moves(tree).filter(has_sign).count(),
            Format::Cbf | Format::Wxf => tree.main_line().filter(has_sign).count(),
            Format::Pgn | Format::Position | Format::Moves => 0,
        }
    }

    /// Returns the number of comments that this format cannot store, excluding those of variations that it
    /// cannot store either.
    fn comments_lost(self, tree: &Tree) -> usize {
        match self {
            Format::Wxf => {
                let ids = std::iter::once(NodeId::ROOT).chain(tree.main_line());
                ids.filter(|id| !tree.comment(*id).is_empty()).count()
            }
            _ => 0,
        }
    }

    /// Returns the number of moves in variations that this format cannot store.
    fn moves_lost(self, tree: &Tree) -> usize {
        match self {
            Format::Wxf | Format::Cbf => tree.len() - tree.main_line().count(),
            _ => 0,
        }
    }

    /// Detects the format from the beginning of a file; a few kilobytes are sufficient.
    pub(crate) fn detect(head: &[u8]) -> Format {
        if head.starts_with(xqf::MAGIC) && head.get(2).is_some_and(|version| *version < b' ') {
            return Format::Xqf;
        }
        if head.starts_with(cbr::MAGIC) {
            return Format::Cbr;
        }
        if head.starts_with(cbr::LIBRARY) || head.starts_with(old_cbl::MAGIC) {
            return Format::Cbl;
        }
        let text = String::from_utf8_lossy(head);
        Format::of_text(text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}'))
    }

    /// Detects the format of text only from its beginning, since comments and tags may contain the keywords
    /// of other formats.
    fn of_text(text: &str) -> Format {
        let lower = text.to_ascii_lowercase();
        if text.starts_with('<') {
            // XML, or a page that contains a game.
            let place = |mark: &str| lower.find(&mark.to_ascii_lowercase()).unwrap_or(usize::MAX);
            match place(cbf::ROOT).cmp(&place(dhtmlxq::MARK)) {
                Ordering::Less => return Format::Cbf,
                Ordering::Greater => return Format::DhtmlXq,
                Ordering::Equal => {}
            }
        }
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        if lines.find(|line| !line.starts_with(['#', '%', ';'])).is_some_and(pgn::begins_with_tag) {
            return Format::Pgn;
        }
        let is_wxf =
            wxf::begins_with(text.lines().next().unwrap_or_default()) || wxf::begins(text) && !dhtmlxq::begins(&lower);
        if is_wxf {
            return Format::Wxf;
        }
        let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')).unwrap_or_default();
        let word = first.split_whitespace().next().unwrap_or_default();
        if ["position", "startpos", "fen"].iter().any(|known| word.eq_ignore_ascii_case(known)) {
            return Format::Position;
        }
        match split_fen(first) {
            Some((_, rest)) if rest.trim_start().starts_with("moves") => Format::Position,
            // A FEN followed by moves is a list of moves; otherwise each line is a position.
            Some((_, rest)) => {
                let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
                let next = lines.nth(1).unwrap_or_default();
                let has_moves = rest.trim_start().starts_with(',') || !next.is_empty() && split_fen(next).is_none();
                if has_moves { Format::Moves } else { Format::Position }
            }
            None if dhtmlxq::begins(&lower) => Format::DhtmlXq,
            None if copied::resembles_board(word) => Format::Position,
            None => Format::Pgn,
        }
    }
}

/// Iterates over all moves of a tree.
fn moves(tree: &Tree) -> impl Iterator<Item = NodeId> + '_ {
    tree.steps().filter_map(|step| if let Step::Move(id) = step { Some(id) } else { None })
}

/// A game encoded in a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// Bytes.
    pub bytes: Vec<u8>,
    /// Fields that were truncated because the format limits their length.
    pub shortened: Vec<Shortened>,
    /// Number of moves whose glyphs, such as `!`, were omitted because the format does not store glyphs.
    pub signs_lost: usize,
    /// Number of comments that were omitted because the format does not store comments.
    pub comments_lost: usize,
    /// Number of moves that were omitted because the format does not store variations.
    pub moves_lost: usize,
    /// Number of pieces that were omitted because the format does not store so many of their kind.
    pub pieces_lost: usize,
}

/// Error for a game that could not be read again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Unreadable {
    /// Length of the text, and the maximum, in bytes.
    #[error("the text of the game would be {} MB; the maximum is {} MB", .0 >> 20, .1 >> 20)]
    Long(usize, usize),
    /// The variations are nested too deeply, or too many.
    #[error("the variations of the game are nested too deeply, or too many, to be read again")]
    Variations,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A string that is not the name of a [`Format`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown format {0:?}; use one of {names}", names = Format::ALL.map(Format::name).join(", "))]
pub struct UnknownFormat(pub String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Format, UnknownFormat> {
        let text = text.trim_start_matches('.').to_ascii_lowercase();
        let text = if text == "ubb" { "dhtmlxq" } else { &text };
        let found = Format::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| UnknownFormat(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GameResult, RecordReader};
    use super::*;
    use chuhe_board::{STARTPOS, Setup};
    use std::io::Cursor;

    #[test]
    fn pieces_that_a_format_cannot_store_are_counted() {
        let setup: Setup = "3k5/9/9/9/pppppp3/9/9/9/RRR6/4K4 w".parse().expect("a board");
        let diagram = Diagram {
            tags: Vec::new(),
            reasons: setup.impossibilities(),
            setup,
            tree: Tree::default(),
            result: GameResult::Unknown,
        };
        for format in Format::ALL {
            let written = format.write_diagram(&diagram, Form::Iccs).expect("a short game");
            let lost = if matches!(format, Format::Xqf | Format::DhtmlXq) { 2 } else { 0 };
            assert_eq!(written.pieces_lost, lost, "{format}");
            let mut records = RecordReader::new(Cursor::new(written.bytes)).expect("a record");
            let read = records.next().expect("a record").expect_err("a diagram").diagram;
            let count = |setup: &Setup| setup.board.iter().flatten().count();
            assert_eq!(read.map(|read| count(&read.setup) + lost), Some(count(&diagram.setup)), "{format}");
        }
    }

    #[test]
    fn formats_are_found_by_content() {
        let list = format!("{STARTPOS}\n炮二平五\n");
        let positions = format!("{STARTPOS}\n{STARTPOS}\n");
        for (text, format) in [
            ("XQ\n…", Format::Xqf),
            ("CCBridge Record\0…", Format::Cbr),
            ("CCBridgeLibrary\0…", Format::Cbl),
            ("\u{feff}<?xml version=\"1.0\"?>\n<ChineseChessRecord>", Format::Cbf),
            ("<html>\n[DhtmlXQ_title]x", Format::DhtmlXq),
            ("[dhtmlxq]\n[dhtmlxq_binit]", Format::DhtmlXq),
            ("\nFORMAT\tWXF\nRED\tx\n", Format::Wxf),
            ("GAME\nRED x\nSTART{\n", Format::Wxf),
            ("word before it [DhtmlXQ_binit]", Format::DhtmlXq),
            ("<html><p>1. h2e2 {x} \"y\" [DhtmlXQ]", Format::DhtmlXq),
            ("[DhtmlXQ_title]<ChineseChessRecord START{[/DhtmlXQ_title]", Format::DhtmlXq),
            ("<ChineseChessRecord Version=\"1.0\"><Name>[DhtmlXQ_binit]", Format::Cbf),
            ("FORMAT WXF\nGAME [DhtmlXQ_binit]\n", Format::Wxf),
            ("[Title \"[DhtmlXQ_binit] <ChineseChessRecord\"]\n1. h2e2 {START{}", Format::Pgn),
            ("; a line\n[Title \"x\"]\n[DhtmlXQ]", Format::Pgn),
            ("1. h2e2 {[DhtmlXQ_binit]} h9g7", Format::Pgn),
            ("1. h2e2 {\n[DhtmlXQ_binit]\nSTART{\n} h9g7", Format::Pgn),
            ("1. h2e2 {<ChineseChessRecord} h9g7", Format::Pgn),
            ("startpos ; [DhtmlXQ_binit]", Format::Position),
            ("[Game \"Chinese Chess\"]\n", Format::Pgn),
            ("1. h2e2 h9g7", Format::Pgn),
            ("炮二平五 马8进7", Format::Pgn),
            ("# c\nposition startpos moves h2e2", Format::Position),
            (&format!("{STARTPOS} moves h2e2"), Format::Position),
            (&positions, Format::Position),
            (STARTPOS, Format::Position),
            (&list, Format::Moves),
            ("4k4/9/9/9/9/9/9/9/9/4K4 w, e0e1, 1-0", Format::Moves),
            // Damaged FENs: a rank is too short, a rank is missing, a piece is unknown.
            ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABN w", Format::Position),
            ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/9/RNBAKABNR w", Format::Position),
            ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1X5C1/9/RNBAKABNR w", Format::Position),
            ("1999/9/9 h2e2 h9g7", Format::Pgn),
            (&format!("# one\n# two\n{positions}"), Format::Position),
        ] {
            assert_eq!(Format::detect(text.as_bytes()), format, "{text}");
        }
        assert_eq!("ubb".parse(), Ok(Format::DhtmlXq));
        assert!("doc".parse::<Format>().is_err());
    }
}
