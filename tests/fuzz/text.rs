//! Parsers of text, and of records in any format.

use chuhe::board::{Position, STARTPOS};
use chuhe::desk::Message;
use chuhe::notation::{self, Form};
use chuhe::protocol::{Dialect, Talk};
use chuhe::records::{Record, RecordReader, pgn};
use std::cell::RefCell;
use std::io::{Cursor, Sink, sink};

/// Maximum number of lines of an input that are sent to a session.
const MAX_LINES: usize = 40;

/// Commands whose duration depends on their numbers, or that end the session.
const LONG: [&str; 10] = ["go", "quit", "bench", "perft", "probe", "eval", "d", "mate", "exit", "position-from"];

/// Parses a FEN. The result is written and parsed again as the same position.
pub(crate) fn fen(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let Ok(position) = text.parse::<Position>() else { return };
    let written = position.to_string();
    let again: Position = written.parse().unwrap_or_else(|error| panic!("{written} is refused: {error}"));
    assert_eq!(written, again.to_string());
    for mv in position.legal_moves() {
        assert!(position.is_legal(mv), "{mv} in {written}");
    }
}

/// Parses moves in any notation from the initial position. Each parsed move is written in every notation and
/// parsed again as the same move.
pub(crate) fn moves(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let Ok(mut position) = STARTPOS.parse::<Position>() else { return };
    for word in text.split_whitespace().take(200) {
        let Ok(mv) = notation::read(&position, word) else { return };
        for form in Form::ALL {
            let written = notation::write(&position, mv, form);
            assert_eq!(notation::read(&position, &written).ok(), Some(mv), "{written} in {position}");
        }
        position.make(mv);
    }
}

/// Reads the records in a file. A playable game must be unchanged after being written as PGN and read again.
pub(crate) fn records(data: &[u8]) {
    let Ok(games) = RecordReader::new(Cursor::new(data.to_vec())) else { return };
    for record in games.take(20).flatten() {
        if record.game().is_ok() {
            written_and_read(&record);
        }
    }
}

fn written_and_read(record: &Record) {
    for form in Form::ALL {
        let text = pgn::write(record, form);
        match pgn::read(&text).as_deref() {
            Ok([again]) => assert_eq!(record.moves(), again.moves(), "{text}"),
            Ok(several) => panic!("{} games in {text}", several.len()),
            Err(fault) => panic!("{fault} in {text}"),
        }
    }
}

/// Parses a request of the page.
pub(crate) fn request(data: &[u8]) {
    if let Ok(text) = str::from_utf8(data) {
        let _ = Message::read(text);
    }
}

/// Handles the lines of a UCI session.
pub(crate) fn uci(data: &[u8]) {
    session(data, Dialect::Uci);
}

/// Handles the lines of a UCCI session.
pub(crate) fn ucci(data: &[u8]) {
    session(data, Dialect::Ucci);
}

thread_local! {
    /// A single session for all inputs, since each allocates a hash table.
    static TALK: RefCell<Option<(Dialect, Talk<Sink>)>> = const { RefCell::new(None) };
}

fn session(data: &[u8], dialect: Dialect) {
    TALK.with_borrow_mut(|talk| {
        if talk.as_ref().is_none_or(|(other, _)| *other != dialect) {
            *talk = Talk::new(sink(), Some(dialect)).ok().map(|talk| (dialect, talk));
        }
        let Some((_, talk)) = talk else { return };
        let text = String::from_utf8_lossy(data);
        for line in text.lines().take(MAX_LINES).filter(|line| is_quick(line)) {
            if let Err(error) = talk.receive_line(line) {
                panic!("{error}");
            }
        }
        assert!(!talk.is_over(), "the session ended");
    });
}

/// Returns `true` if a line does not search, end the session, open a file, or set the memory or the threads.
fn is_quick(line: &str) -> bool {
    let lower = line.to_lowercase();
    let word = lower.split_whitespace().next().unwrap_or_default();
    !LONG.iter().any(|long| word.contains(long))
        && !["hash", "thread", "file", "path", "book", "ponder", "batch"].iter().any(|name| lower.contains(name))
}
