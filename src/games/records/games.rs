//! Reader for the games in a file of any format.

use super::fault::RecordFault;
use super::format::Format;
use super::lines::Positions;
use super::page;
use super::record::Record;
use super::text::{Lines, MAX_WHOLE, decode_lines, utf_16};
use super::{cbf, cbr, dhtmlxq, old_cbl, pgn, wxf, xqf};
use chuhe_engine::bytes::open_file;
use encoding_rs::Encoding;
use std::fmt;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// Number of bytes at the beginning of a file used to detect its format.
const HEAD: usize = 1 << 14;

/// Iterator over the games in a file of any format. Unreadable content yields a [`RecordFault`]; if the
/// format allows it, the games after the fault follow.
pub struct RecordReader {
    /// Detected format.
    pub format: Format,
    games: Box<dyn Iterator<Item = Result<Record, RecordFault>> + Send>,
}

impl fmt::Debug for RecordReader {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("RecordReader").field("format", &self.format).finish_non_exhaustive()
    }
}

impl RecordReader {
    /// Opens a file. PGN and lists of positions are read in constant memory; files in other formats are read
    /// as a whole.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not a regular file, or is too large for its format.
    pub fn open(path: &Path) -> io::Result<RecordReader> {
        RecordReader::open_in(path, None)
    }

    /// Like [`Self::open`], but decodes text in the given encoding, if any.
    pub fn open_in(path: &Path, encoding: Option<&'static Encoding>) -> io::Result<RecordReader> {
        RecordReader::new_in(BufReader::with_capacity(1 << 16, open_file(path)?), encoding)
    }

    /// Creates a reader for any input.
    ///
    /// # Errors
    /// Returns an error if the input cannot be read, is too large for its format, or is binary data in an
    /// unknown format.
    pub fn new(input: impl BufRead + Send + 'static) -> io::Result<RecordReader> {
        RecordReader::new_in(input, None)
    }

    /// Like [`Self::new`], but decodes text in the given encoding, if any.
    pub fn new_in(
        mut input: impl BufRead + Send + 'static,
        encoding: Option<&'static Encoding>,
    ) -> io::Result<RecordReader> {
        let mut head = Vec::new();
        input.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        let wide = utf_16(&head).or(encoding.filter(|encoding| !encoding.is_ascii_compatible()));
        if let Some(wide) = wide {
            let text = wide.decode(&whole(head, input)?).0.into_owned();
            return RecordReader::new(Cursor::new(text.into_bytes()));
        }
        let format = Format::detect(&head);
        if format == Format::Pgn && is_binary(&head) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it is not a game file"));
        }
        if format.is_text() && page::begins(&String::from_utf8_lossy(&head), format) {
            let (format, games) = page::games(text(&whole(head, input)?, encoding)?, format);
            return Ok(RecordReader { format, games: Box::new(games) });
        }
        let games: Box<dyn Iterator<Item = Result<Record, RecordFault>> + Send> = match format {
            // The PGN parser also handles lists of moves.
            Format::Pgn | Format::Moves => {
                let lines = Lines::in_encoding(Cursor::new(head).chain(input), encoding);
                Box::new(pgn::PgnGames::of_lines(lines))
            }
            Format::Position => Box::new(Positions::new(Lines::in_encoding(Cursor::new(head).chain(input), encoding))),
            Format::Xqf => Box::new(std::iter::once(xqf::read(&whole(head, input)?, encoding))),
            Format::Cbl if head.starts_with(old_cbl::MAGIC) => {
                Box::new(old_cbl::OldCblGames::new(&whole(head, input)?, encoding))
            }
            Format::Cbr | Format::Cbl => Box::new(cbr::CbrGames::new(whole(head, input)?)),
            Format::Cbf => Box::new(std::iter::once(cbf::read(&text(&whole(head, input)?, encoding)?))),
            Format::DhtmlXq => Box::new(dhtmlxq::DhtmlxqGames::new(text(&whole(head, input)?, encoding)?)),
            Format::Wxf => Box::new(wxf::WxfGames::new(text(&whole(head, input)?, encoding)?)),
        };
        Ok(RecordReader { format, games })
    }

    /// Creates a reader for bytes that contain records. Returns `None` for a list of positions or unknown
    /// content.
    ///
    /// # Errors
    /// Returns an error if the bytes cannot be decoded or are too many for their format.
    pub fn of_records(bytes: &[u8]) -> io::Result<Option<RecordReader>> {
        RecordReader::of_records_in(bytes, None)
    }

    /// Like [`Self::of_records`], but decodes text in the given encoding, if any.
    pub fn of_records_in(bytes: &[u8], encoding: Option<&'static Encoding>) -> io::Result<Option<RecordReader>> {
        let open = || RecordReader::new_in(Cursor::new(bytes.to_vec()), encoding);
        let head = &bytes[..bytes.len().min(HEAD)];
        if utf_16(head).is_some() || page::begins(&String::from_utf8_lossy(head), Format::detect(head)) {
            return Ok(Some(open()?).filter(|games| games.format != Format::Position));
        }
        Ok(match Format::detect(head) {
            Format::Position => None,
            Format::Pgn if is_binary(head) => None,
            Format::Pgn | Format::Moves => {
                let begins_with_a_tag = bytes.trim_ascii_start().starts_with(b"[");
                if begins_with_a_tag || has_moves(open()?.next()) { Some(open()?) } else { None }
            }
            _ => Some(open()?),
        })
    }
}

impl Iterator for RecordReader {
    type Item = Result<Record, RecordFault>;

    fn next(&mut self) -> Option<Result<Record, RecordFault>> {
        self.games.next()
    }
}

/// Returns `true` if the beginning of a file contains control characters and does not start with a tag.
fn is_binary(head: &[u8]) -> bool {
    head.iter().any(|byte| *byte < b'\t') && !head.trim_ascii_start().starts_with(b"[")
}

/// Returns `true` if a game has moves, possibly only before an error.
fn has_moves(game: Option<Result<Record, RecordFault>>) -> bool {
    let readable = game.and_then(|game| game.map_or_else(|fault| fault.game.map(|game| *game), Some));
    readable.is_some_and(|game| !game.tree.is_empty())
}

fn whole(mut head: Vec<u8>, mut rest: impl Read) -> io::Result<Vec<u8>> {
    rest.by_ref().take(MAX_WHOLE + 1).read_to_end(&mut head)?;
    if head.len() as u64 > MAX_WHOLE {
        return Err(io::Error::other(format!("files of this format can be at most {} MB", MAX_WHOLE >> 20)));
    }
    Ok(head)
}

/// Decodes the text of a file.
fn text(bytes: &[u8], encoding: Option<&'static Encoding>) -> io::Result<String> {
    decode_lines(bytes, encoding).map_err(|fault| io::Error::other(fault.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::text::MAX_GAME;
    use chuhe_board::STARTPOS;

    #[test]
    fn binary_data_is_not_a_game_file() {
        for bytes in [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], b"\xff\xd8\xff\xe0\0\x10JFIF\0", b"PK\x03\x04\x14\0"] {
            let error = RecordReader::new(Cursor::new(bytes.to_vec())).expect_err("no games");
            assert_eq!(error.to_string(), "it is not a game file");
            assert!(RecordReader::of_records(bytes).expect("unknown content").is_none());
        }
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
            ("炮二平五 马8进7 nonsense", true),
            ("XQ\n", true),
        ] {
            let games = RecordReader::of_records(text.as_bytes()).expect("short texts are decoded");
            assert_eq!(games.is_some(), is_record, "{text}");
        }
        let line_too_long = format!("{}{}", cbf::ROOT, " ".repeat(MAX_GAME + 1));
        assert!(RecordReader::of_records(line_too_long.as_bytes()).is_err());
    }

    #[test]
    fn lists_and_utf16_are_read() {
        let list = format!("{}\n炮二平五，马８进７\n马二进三 1-0\n", STARTPOS);
        let utf16: Vec<u8> = std::iter::once(0xFEFF).chain(list.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        for bytes in [list.into_bytes(), utf16] {
            let games: Vec<Record> = RecordReader::new(Cursor::new(bytes)).unwrap().map(Result::unwrap).collect();
            assert_eq!((games.len(), games[0].moves().len(), games[0].result.text()), (1, 3, "1-0"));
        }
    }
}
