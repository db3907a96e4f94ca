//! Games as lines of text: `position startpos moves h2e2 …`, a FEN with moves, or a plain list of moves.

use super::fault::{Location, Problem, RecordFault};
use super::lookahead::count_lookahead;
use super::record::Record;
use super::sheet::Sheet;
use super::start::{Start, is_move};
use super::text::Lines;
use super::tree::{Full, NodeId};
use chuhe_board::notation::{self, Dialect, Evidence, Form, NoSuchMove, Ranks};
use chuhe_board::{STARTPOS, copied};
use std::borrow::Cow;
use std::io::BufRead;
use std::ops::Range;

/// Parser for games, one per line: `position fen FEN moves …`, `startpos moves …`, or a FEN, optionally with
/// moves, in any notation. Skips empty lines, lines that begin with `#`, and everything after a `;`.
#[derive(Debug)]
pub(crate) struct Positions<R> {
    lines: Lines<R>,
    has_ended: bool,
}

impl<R: BufRead> Positions<R> {
    /// Creates the parser.
    pub(crate) fn new(lines: Lines<R>) -> Positions<R> {
        Positions { lines, has_ended: false }
    }
}

impl<R: BufRead> Iterator for Positions<R> {
    type Item = Result<Record, RecordFault>;

    fn next(&mut self) -> Option<Result<Record, RecordFault>> {
        while !self.has_ended {
            let number = self.lines.number() + 1;
            match self.lines.read_line() {
                Ok(None) => self.has_ended = true,
                Err(fault) => {
                    self.has_ended = true;
                    return Some(Err(fault));
                }
                Ok(Some(line)) => {
                    let line = line.split(';').next().unwrap_or_default().trim();
                    if !line.is_empty() && !line.starts_with('#') {
                        return Some(read_position(line, number));
                    }
                }
            }
        }
        None
    }
}

fn read_position(line: &str, number: usize) -> Result<Record, RecordFault> {
    let line = strip_word(line, "position").unwrap_or(line);
    let line = strip_word(line, "fen").unwrap_or(line);
    let (start, moves) = match line.split_once(" moves") {
        Some((start, moves)) => (start.trim(), moves),
        None => (line, ""),
    };
    let fen = if start.eq_ignore_ascii_case("startpos") { STARTPOS } else { start };
    let start = Start::of_fen(fen, Location::Line(number)).map_err(|problem| RecordFault::at_line(number, problem))?;
    let mut evidence = Evidence::default();
    words(moves).for_each(|word| evidence.add(word));
    let is_short = evidence.is_short();
    let read = |ranks| read_moves(start.clone(), moves, Dialect { ranks, is_short }, number);
    // Multi-variant programs number ranks from 1.
    read(Ranks::FromZero).or_else(|fault| read(Ranks::FromOne).map_err(|_| fault))
}

fn words(moves: &str) -> impl Iterator<Item = &str> {
    moves.split([' ', '\t', ',']).filter(|text| !text.is_empty())
}

fn read_moves(start: Start, moves: &str, dialect: Dialect, number: usize) -> Result<Record, RecordFault> {
    let mut position = start.position.clone();
    let mut record = Record::new(position.clone());
    let mut last = NodeId::ROOT;
    for text in words(moves) {
        count_lookahead(text.len());
        let problem = match notation::read_in(&position, text, dialect) {
            Ok(mv) if start.can_move && is_move(&position, mv) => {
                position.make(mv);
                record.tree.add(last, mv).map(|id| last = id).err().map(|Full| Problem::TooMuch("the number of moves"))
            }
            other => {
                let error = other.err().unwrap_or(NoSuchMove::Illegal);
                Some(Problem::Move(text.chars().take(20).collect(), error))
            }
        };
        if let Some(problem) = problem {
            return start.finish(record, Some(RecordFault::at_line(number, problem)));
        }
    }
    start.finish(record, None)
}

/// Strips the first word of a text if it is `word`, ignoring case.
fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (first, rest) = text.split_once(char::is_whitespace)?;
    first.eq_ignore_ascii_case(word).then(|| rest.trim_start())
}

/// Returns the main line as `position startpos moves …`, without a line end.
pub fn write_position(record: &Record) -> String {
    write_position_of(&record.into())
}

/// Writes a record or a diagram.
pub(super) fn write_position_of(sheet: &Sheet) -> String {
    let start = sheet.setup.to_string();
    let mut text = if start == STARTPOS { "position startpos".to_string() } else { format!("position fen {start}") };
    if !sheet.tree.is_empty() {
        text += " moves";
    }
    for mv in sheet.moves() {
        text += &format!(" {mv}");
    }
    text
}

/// Returns the main line as a list of numbered moves and the result, preceded by the FEN of the first
/// position unless it is the initial position.
pub fn write_moves(record: &Record, form: Form) -> String {
    write_moves_of(&record.into(), form)
}

/// Writes a record or a diagram.
pub(super) fn write_moves_of(sheet: &Sheet, form: Form) -> String {
    let start = sheet.setup.to_string();
    let mut position = sheet.position.clone();
    let mut text = if start == STARTPOS { String::new() } else { format!("{start}\n") };
    for (ply, mv) in sheet.moves().enumerate() {
        if ply.is_multiple_of(2) {
            text += &format!("{}{}. ", if ply == 0 { "" } else { "\n" }, ply / 2 + 1);
        } else {
            text.push(' ');
        }
        text += &notation::write(&position, mv, form);
        position.make(mv);
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text + sheet.result.text() + "\n"
}

/// Splits text pasted by a user into the FEN at its beginning and the rest. The board and the other fields,
/// such as `w - - 0 1`, are returned in the usual form.
pub(super) fn split_fen(text: &str) -> Option<(String, String)> {
    let slashes = text.bytes().filter(|byte| *byte == b'/').count();
    if slashes < 9 && !text.contains(['%', '／']) {
        return None;
    }
    // A text with a plain FEN is not normalised, since its moves may contain characters that represent spaces
    // in URLs.
    let ends = |board: &Range<usize>| {
        text[board.end..].chars().next().is_none_or(|c| c.is_whitespace() || ",;[/\"".contains(c))
    };
    let line = match copied::find(text).filter(ends) {
        Some(_) => Cow::Borrowed(text),
        None => copied::plain(text),
    };
    let board = copied::find(&line)?;
    // A key and a URL may precede the board.
    let before = line[..board.start].trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let is_key =
        before.is_empty() || before.ends_with([':', '：', '=', '/', '"']) || before.eq_ignore_ascii_case("fen");
    if !is_key || before.contains(['[', '{', '(']) {
        return None;
    }
    // The other fields are a side, hyphens and counters.
    let rest = &line[board.end..];
    let rest = rest.strip_prefix('[').and_then(|inside| inside.split_once(']')).map_or(rest, |(_, rest)| rest);
    let mut rest = rest.strip_prefix('/').unwrap_or(rest);
    let mut fen = line[board].to_owned();
    let is_field = |word: &str, at: usize| match at {
        0 => copied::side(word).is_some(),
        1 | 2 => word == "-",
        _ => !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()),
    };
    for at in 0..5 {
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let word = rest[blank..]
            .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '&' | '"' | ']'))
            .next()
            .unwrap_or_default();
        if blank == 0 || !is_field(word, at) {
            break;
        }
        fen.push(' ');
        fen += word;
        rest = &rest[blank + word.len()..];
    }
    // The rest of a URL and a closing quote are not part of a move.
    let rest =
        if rest.starts_with(['&', '#', '?']) { "" } else { rest.trim_start_matches(['"', '\'', '”', '’', '`']) };
    Some((fen, rest.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &str) -> Vec<Result<Record, RecordFault>> {
        Positions::new(Lines::new(text.as_bytes())).collect()
    }

    #[test]
    fn lines_are_read_as_they_were_written() {
        let text = format!(
            "# games\nposition startpos moves h2e2 h9g7\nposition fen {STARTPOS} moves C2=5 马8进7\n\n{STARTPOS}\n\
             3k5/9/9/9/9/9/9/9/4K4/R8 w moves a0a9 ; id\n"
        );
        let read: Vec<Record> = games(&text).into_iter().map(Result::unwrap).collect();
        assert_eq!(read.iter().map(|game| game.moves().len()).collect::<Vec<_>>(), [2, 2, 0, 1]);
        let written: String = read.iter().map(|game| write_position(game) + "\n").collect();
        assert_eq!(games(&written).into_iter().map(Result::unwrap).collect::<Vec<_>>(), read);
        let from_one = games("startpos moves h3e3 h10g8").remove(0).unwrap();
        assert_eq!(write_position(&from_one), "position startpos moves h2e2 h9g7");
        let fault = games("startpos moves h2e2 h2e2").remove(0).unwrap_err();
        assert_eq!((fault.location, fault.game.unwrap().moves().len()), (super::super::Location::Line(1), 1));
    }

    #[test]
    fn boards_that_cannot_be_played_from_are_kept_as_diagrams() {
        let fault = games("position fen 9/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1").remove(0).unwrap_err();
        let diagram = fault.diagram.expect("a diagram");
        assert_eq!(write_position_of(&(&*diagram).into()), "position fen 9/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1");
    }

    #[test]
    fn a_fen_before_moves_is_found() {
        for (text, fen, rest) in [
            ("4k4/9/9/9/9/9/9/9/9/4K4 w, e0e1, 1-0", "4k4/9/9/9/9/9/9/9/9/4K4 w", ", e0e1, 1-0"),
            ("4k4/9/9/9/9/9/9/9/9/4K4\n兵七进一", "4k4/9/9/9/9/9/9/9/9/4K4", "\n兵七进一"),
            ("4k4/9/9/9/9/9/9/9/9/4K4 b - - 0 1\n1. x", "4k4/9/9/9/9/9/9/9/9/4K4 b - - 0 1", "\n1. x"),
        ] {
            assert_eq!(split_fen(text), Some((fen.to_owned(), rest.to_owned())));
        }
        for copied in [
            "https://example.org/?fen=4k4/9/9/9/9/9/9/9/9/4K4%20b&size=2",
            "\u{feff}\"4k4/9/9/9/9/9/9/9/9/4K4 b\"",
            "FEN: 4k4/9/9/9/9/9/9/9/9/4K4[] b",
            "4k4/9/9/9/9/9/9/9/9/4K4_b",
        ] {
            assert_eq!(split_fen(copied), Some(("4k4/9/9/9/9/9/9/9/9/4K4 b".to_owned(), String::new())), "{copied}");
        }
        assert_eq!(split_fen("1. h2e2"), None);
    }
}
