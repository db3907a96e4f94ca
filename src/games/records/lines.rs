//! Games as lines of text: `position startpos moves h2e2 …`, a FEN with moves, or a plain list of moves.

use super::fault::{Fault, Problem};
use super::look::looked;
use super::record::Record;
use super::text::Lines;
use super::tree::{Full, NodeId};
use chuhe_board::notation::{self, Form, Ranks};
use chuhe_board::{Position, STARTPOS, Setup};
use std::io::BufRead;

/// The games of lines, each line a game: `position fen FEN moves …`, `startpos moves …`, or a FEN alone or with moves; moves in any
/// notation. Empty lines and lines that begin with `#` are skipped, and so is what follows a `;`.
#[derive(Debug)]
pub struct Positions<R> {
    lines: Lines<R>,
    has_ended: bool,
}

impl<R: BufRead> Positions<R> {
    /// The games of lines.
    pub fn new(lines: Lines<R>) -> Positions<R> {
        Positions { lines, has_ended: false }
    }
}

impl<R: BufRead> Iterator for Positions<R> {
    type Item = Result<Record, Fault>;

    fn next(&mut self) -> Option<Result<Record, Fault>> {
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

fn read_position(line: &str, number: usize) -> Result<Record, Fault> {
    let line = strip_word(line, "position").unwrap_or(line);
    let line = strip_word(line, "fen").unwrap_or(line);
    let (start, moves) = match line.split_once(" moves") {
        Some((start, moves)) => (start.trim(), moves),
        None => (line, ""),
    };
    let fen = if start.eq_ignore_ascii_case("startpos") { STARTPOS } else { start };
    let start: Position = fen.parse().map_err(|error| Fault::at_line(number, Problem::Fen(error)))?;
    let first = read_moves(&start, moves, Ranks::FromZero, number);
    // Programs for many kinds of chess count ranks from 1.
    first.or_else(|fault| read_moves(&start, moves, Ranks::FromOne, number).map_err(|_| fault))
}

fn read_moves(start: &Position, moves: &str, ranks: Ranks, number: usize) -> Result<Record, Fault> {
    let mut position = start.clone();
    let mut record = Record::new(start.clone());
    let mut last = NodeId::ROOT;
    for text in moves.split([' ', '\t', ',']).filter(|text| !text.is_empty()) {
        looked(text.len());
        let problem = match notation::read_ranked(&position, text, ranks) {
            Ok(mv) => {
                position.make(mv);
                record.tree.add(last, mv).map(|id| last = id).err().map(|Full| Problem::TooMuch("the number of moves"))
            }
            Err(error) => Some(Problem::Move(text.chars().take(20).collect(), error)),
        };
        if let Some(problem) = problem {
            return Err(Fault::at_line(number, problem).with_game(record));
        }
    }
    Ok(record)
}

/// What follows a first word.
fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (first, rest) = text.split_once(char::is_whitespace)?;
    first.eq_ignore_ascii_case(word).then(|| rest.trim_start())
}

/// The main line as `position startpos moves …`, without the end of the line.
pub fn write_position(record: &Record) -> String {
    let start = record.start.to_string();
    let mut text = if start == STARTPOS { "position startpos".to_string() } else { format!("position fen {start}") };
    if !record.tree.is_empty() {
        text += " moves";
    }
    for mv in record.moves() {
        text += &format!(" {mv}");
    }
    text
}

/// The main line as a list of moves with numbers and the result, the FEN before it if it is not the start.
pub fn write_moves(record: &Record, form: Form) -> String {
    let mut position = record.start.clone();
    let mut text = if position == Position::start() { String::new() } else { format!("{position}\n") };
    for (ply, mv) in record.moves().into_iter().enumerate() {
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
    text + record.result.text() + "\n"
}

/// A FEN at the beginning of a text, and what follows it.
pub(super) fn split_fen(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let board = text.split(|c: char| c.is_whitespace() || c == ',').next()?;
    if board.matches('/').count() != 9 || board.parse::<Setup>().is_err() {
        return None;
    }
    // The other fields: a side, dashes, counters.
    let mut end = board.len();
    let is_field = |word: &str, at: usize| match at {
        0 => ["w", "b", "r", "W", "B", "R"].contains(&word),
        1 | 2 => word == "-",
        _ => !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()),
    };
    for at in 0..5 {
        let rest = &text[end..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let word = rest[blank..].split(|c: char| c.is_whitespace() || c == ',').next().unwrap_or_default();
        if !is_field(word, at) {
            break;
        }
        end += blank + word.len();
    }
    Some((&text[..end], &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &str) -> Vec<Result<Record, Fault>> {
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
        assert_eq!((fault.place, fault.game.unwrap().moves().len()), (super::super::Place::Line(1), 1));
    }

    #[test]
    fn a_fen_before_moves_is_found() {
        for (text, fen, rest) in [
            ("4k4/9/9/9/9/9/9/9/9/4K4 w, e0e1, 1-0", "4k4/9/9/9/9/9/9/9/9/4K4 w", ", e0e1, 1-0"),
            ("4k4/9/9/9/9/9/9/9/9/4K4\n兵七进一", "4k4/9/9/9/9/9/9/9/9/4K4", "\n兵七进一"),
            ("4k4/9/9/9/9/9/9/9/9/4K4 b - - 0 1\n1. x", "4k4/9/9/9/9/9/9/9/9/4K4 b - - 0 1", "\n1. x"),
        ] {
            assert_eq!(split_fen(text), Some((fen, rest)));
        }
        assert_eq!(split_fen("1. h2e2"), None);
    }
}
