//! Detection of a file's format from its content, and reading its games.

use super::diagram::Diagram;
use super::fault::Fault;
use super::lines::{self, Positions, split_fen};
use super::page;
use super::record::Record;
use super::sheet::Sheet;
use super::text::{Lines, MAX_GAME, Shortened, decode_lines, utf_16};
use super::{cbf, cbr, dhtmlxq, old_cbl, pgn, wxf, xqf};
use chuhe_board::named;
use chuhe_board::notation::Form;
use chuhe_engine::bytes::open_file;
use encoding_rs::Encoding;
use std::cmp::Ordering;
use std::fmt;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::str::FromStr;
use thiserror::Error;

/// Maximum size in bytes of a file that must be read as a whole.
pub const MAX_WHOLE: u64 = 256 << 20;

/// Number of bytes at the beginning of a file used to detect its format.
const HEAD: usize = 1 << 14;

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
        /// Format of PlayOK, and of drafts of the World Xiangqi Federation.
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
    /// Returns the suffix of its files.
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

    /// Returns the maximum size of a readable file of this format in bytes; `None` if it is read in constant
    /// memory.
    pub const fn most(self) -> Option<u64> {
        match self {
            Format::Pgn | Format::Position | Format::Moves => None,
            _ => Some(MAX_WHOLE),
        }
    }

    /// Returns a game as the bytes of a file, with text in UTF-8; for a library, the record that it contains.
    /// `form` is the notation in formats that allow a choice.
    pub fn write(self, game: &Record, form: Form) -> Result<Written, TooLong> {
        self.write_sheet(&game.into(), form)
    }

    /// Writes a diagram.
    pub fn write_diagram(self, diagram: &Diagram, form: Form) -> Result<Written, TooLong> {
        self.write_sheet(&diagram.into(), form)
    }

    fn write_sheet(self, sheet: &Sheet, form: Form) -> Result<Written, TooLong> {
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
        match self {
            Format::Pgn | Format::Position | Format::Moves if bytes.len() > MAX_GAME => Err(TooLong(bytes.len())),
            _ => Ok(Written { bytes, shortened }),
        }
    }

    /// Detects the format from the beginning of a file; a few kilobytes suffice.
    pub fn detect(head: &[u8]) -> Format {
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

    /// Detects the format of a text from its beginning, since comments and tags may contain the keywords of
    /// all other formats.
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
            // A FEN followed by moves is a list of moves; otherwise the file has one position per line.
            Some((_, rest)) => {
                let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
                let next = lines.nth(1).unwrap_or_default();
                let has_moves = rest.trim_start().starts_with(',') || !next.is_empty() && split_fen(next).is_none();
                if has_moves { Format::Moves } else { Format::Position }
            }
            None if dhtmlxq::begins(&lower) => Format::DhtmlXq,
            None => Format::Pgn,
        }
    }
}

/// A game encoded in a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// Bytes.
    pub bytes: Vec<u8>,
    /// Texts that were truncated, because the format has not enough room.
    pub shortened: Vec<Shortened>,
}

/// A game whose text would be too long to read; contains its length in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the text of the game would have {} MB; it can have at most {} MB", .0 >> 20, MAX_GAME >> 20)]
pub struct TooLong(pub usize);

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Format, String> {
        let text = text.trim_start_matches('.').to_ascii_lowercase();
        let text = if text == "ubb" { "dhtmlxq" } else { &text };
        Format::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| {
            let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
            format!("unknown format {text:?}; use one of {}", names.join(", "))
        })
    }
}

/// Iterator over the games of a file of any format. Unreadable content gives a [`Fault`]; if the format
/// allows it, the games after the fault follow.
pub struct Games {
    /// Detected format.
    pub format: Format,
    games: Box<dyn Iterator<Item = Result<Record, Fault>> + Send>,
}

impl fmt::Debug for Games {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Games").field("format", &self.format).finish_non_exhaustive()
    }
}

impl Games {
    /// Opens a file. PGN and lines of positions are read in constant memory, other formats as a whole.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not a regular file, or is too large for its format.
    pub fn open(path: &Path) -> io::Result<Games> {
        Games::open_in(path, None)
    }

    /// Opens a file in the given encoding, if any.
    pub fn open_in(path: &Path, encoding: Option<&'static Encoding>) -> io::Result<Games> {
        Games::new_in(BufReader::with_capacity(1 << 16, open_file(path)?), encoding)
    }

    /// Reads games from any input.
    ///
    /// # Errors
    /// Returns an error if the input cannot be read or is too large for its format.
    pub fn new(input: impl BufRead + Send + 'static) -> io::Result<Games> {
        Games::new_in(input, None)
    }

    /// Reads games in the given encoding, if any.
    pub fn new_in(mut input: impl BufRead + Send + 'static, encoding: Option<&'static Encoding>) -> io::Result<Games> {
        let mut head = Vec::new();
        input.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        let wide = utf_16(&head).or(encoding.filter(|encoding| !encoding.is_ascii_compatible()));
        if let Some(wide) = wide {
            let text = wide.decode(&whole(head, input)?).0.into_owned();
            return Games::new(Cursor::new(text.into_bytes()));
        }
        let format = Format::detect(&head);
        if format.is_text() && page::begins(&String::from_utf8_lossy(&head), format) {
            let (format, games) = page::games(text(&whole(head, input)?, encoding)?, format);
            return Ok(Games { format, games: Box::new(games) });
        }
        let games: Box<dyn Iterator<Item = Result<Record, Fault>> + Send> = match format {
            // The PGN parser also handles lists of moves.
            Format::Pgn | Format::Moves => {
                let lines = Lines::in_encoding(Cursor::new(head).chain(input), encoding);
                Box::new(pgn::Games::of_lines(lines))
            }
            Format::Position => Box::new(Positions::new(Lines::in_encoding(Cursor::new(head).chain(input), encoding))),
            Format::Xqf => Box::new(std::iter::once(xqf::read(&whole(head, input)?, encoding))),
            Format::Cbl if head.starts_with(old_cbl::MAGIC) => {
                Box::new(old_cbl::Games::new(&whole(head, input)?, encoding))
            }
            Format::Cbr | Format::Cbl => Box::new(cbr::Games::new(whole(head, input)?)),
            Format::Cbf => Box::new(std::iter::once(cbf::read(&text(&whole(head, input)?, encoding)?))),
            Format::DhtmlXq => Box::new(dhtmlxq::Games::new(text(&whole(head, input)?, encoding)?)),
            Format::Wxf => Box::new(wxf::Games::new(text(&whole(head, input)?, encoding)?)),
        };
        Ok(Games { format, games })
    }

    /// Returns the games of bytes that contain records; `None` for positions, one per line, or unknown
    /// content.
    pub fn of_records(bytes: &[u8]) -> Option<Games> {
        Games::of_records_in(bytes, None)
    }

    /// Returns the games of bytes in the given encoding, if any.
    pub fn of_records_in(bytes: &[u8], encoding: Option<&'static Encoding>) -> Option<Games> {
        let open = || Games::new_in(Cursor::new(bytes.to_vec()), encoding).ok();
        let head = &bytes[..bytes.len().min(HEAD)];
        if utf_16(head).is_some() || page::begins(&String::from_utf8_lossy(head), Format::detect(head)) {
            return open().filter(|games| games.format != Format::Position);
        }
        match Format::detect(head) {
            Format::Position => None,
            Format::Pgn | Format::Moves => {
                let begins_with_a_tag = bytes.trim_ascii_start().starts_with(b"[");
                let has_moves = || open()?.next()?.ok().filter(|game| !game.tree.is_empty());
                if begins_with_a_tag || has_moves().is_some() { open() } else { None }
            }
            _ => open(),
        }
    }
}

impl Iterator for Games {
    type Item = Result<Record, Fault>;

    fn next(&mut self) -> Option<Result<Record, Fault>> {
        self.games.next()
    }
}

fn whole(mut head: Vec<u8>, mut rest: impl Read) -> io::Result<Vec<u8>> {
    rest.by_ref().take(MAX_WHOLE + 1).read_to_end(&mut head)?;
    if head.len() as u64 > MAX_WHOLE {
        return Err(io::Error::other(format!("files of this format can have at most {} MB", MAX_WHOLE >> 20)));
    }
    Ok(head)
}

/// Returns the text of a file.
fn text(bytes: &[u8], encoding: Option<&'static Encoding>) -> io::Result<String> {
    decode_lines(bytes, encoding).map_err(|fault| io::Error::other(fault.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::STARTPOS;

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
            (&format!("# one\n# two\n{positions}"), Format::Position),
        ] {
            assert_eq!(Format::detect(text.as_bytes()), format, "{text}");
        }
        assert_eq!("ubb".parse(), Ok(Format::DhtmlXq));
        assert!("doc".parse::<Format>().is_err());
    }

    #[test]
    fn records_are_told_from_positions() {
        let positions = format!("# c\n{STARTPOS} ; id \"x\";\n{STARTPOS} moves h2e2\n");
        for (text, is_record) in [
            ("", false),
            ("hello", false),
            (&positions, false),
            ("startpos moves h2e2", false),
            ("[Red \"x\"]\n1. nonsense *", true),
            ("炮二平五 马8进7", true),
            ("XQ\n", true),
        ] {
            assert_eq!(Games::of_records(text.as_bytes()).is_some(), is_record, "{text}");
        }
    }

    #[test]
    fn lists_and_utf16_are_read() {
        let list = format!("{}\n炮二平五，马８进７\n马二进三 1-0\n", STARTPOS);
        let utf16: Vec<u8> = std::iter::once(0xFEFF).chain(list.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        for bytes in [list.into_bytes(), utf16] {
            let games: Vec<Record> = Games::new(Cursor::new(bytes)).unwrap().map(Result::unwrap).collect();
            assert_eq!((games.len(), games[0].moves().len(), games[0].result.text()), (1, 3, "1-0"));
        }
    }
}
