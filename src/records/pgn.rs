//! PGN as Xiangqi programs write it: `[Game "Chinese Chess"]` first, `Red` and `Black`, moves in the notation that `Format` names.

use crate::board::{FenError, Move, Position, STARTPOS};
use crate::notation::{self, Form, NoSuchMove};
use std::fmt;
use std::fmt::Write as _;

/// One game of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Tags in their order, without `Game`, `FEN`, `Format` and `Result`, which follow from the rest.
    pub tags: Vec<(String, String)>,
    /// The position before the first move.
    pub start: Position,
    /// The moves, each with what is said of it.
    pub moves: Vec<(Move, String)>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

/// What is wrong with a file of games.
#[derive(Clone, PartialEq, Debug)]
pub struct BadRecord {
    /// The line, from 1.
    pub line: usize,
    /// Why.
    pub problem: Problem,
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Debug)]
pub enum Problem {
    /// A tag that is not `[Name "value"]`.
    Tag(String),
    /// A comment without an end.
    OpenComment,
    /// The `FEN` tag.
    Fen(FenError),
    /// A move.
    Move(String, NoSuchMove),
}

impl fmt::Display for BadRecord {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.problem {
            Problem::Tag(text) => write!(f, "{text:?} is not a tag such as [Name \"value\"]"),
            Problem::OpenComment => f.write_str("a comment has no end"),
            Problem::Fen(error) => write!(f, "FEN: {error}"),
            Problem::Move(text, error) => write!(f, "{text:?} {error}"),
        }
    }
}

impl std::error::Error for BadRecord {}

impl Record {
    /// A tag's value.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The game as text, with an empty line after it.
    pub fn write(&self, form: Form) -> String {
        let mut text = "[Game \"Chinese Chess\"]\n".to_string();
        let mut tag = |name: &str, value: &str| {
            let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            let _ = writeln!(text, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
        };
        let (before, after): (Vec<_>, Vec<_>) = self.tags.iter().partition(|(name, _)| {
            ["event", "site", "date", "round", "redteam", "red", "redelo", "blackteam", "black", "blackelo"]
                .contains(&name.to_ascii_lowercase().as_str())
        });
        before.iter().for_each(|(name, value)| tag(name, value));
        tag("Result", &self.result);
        if self.start.to_string() != STARTPOS {
            tag("FEN", &self.start.to_string());
        }
        after.iter().for_each(|(name, value)| tag(name, value));
        tag("Format", form.tag());
        text += "\n";
        self.write_moves(form, &mut text);
        text
    }

    fn write_moves(&self, form: Form, text: &mut String) {
        let mut position = self.start.clone();
        let mut words = Vec::new();
        let mut number_is_due = true;
        for (mv, comment) in &self.moves {
            let red = position.side() == crate::board::Side::Red;
            if red || number_is_due {
                words.push(format!("{}.{}", position.move_number(), if red { "" } else { ".." }));
            }
            words.push(notation::write(&position, *mv, form));
            // Braces can't be written inside a comment.
            let comment: Vec<&str> =
                comment.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
            number_is_due = !comment.is_empty();
            if number_is_due {
                words.push(format!("{{{}}}", comment.join(" ").replace(['{', '}'], "|")));
            }
            position.make(*mv);
        }
        words.push(self.result.clone());
        let mut width = 0;
        for word in words {
            let length = word.chars().count();
            if width > 0 && width + 1 + length > 100 {
                text.push('\n');
                width = 0;
            } else if width > 0 {
                text.push(' ');
                width += 1;
            }
            *text += &word;
            width += length;
        }
        *text += "\n\n";
    }
}

/// Reads all games of a file. `{}`, `()` and `;` hold comments; moves may be in any notation that is known, whatever `Format` says.
///
/// # Errors
/// The first fault, with its line.
pub fn read(text: &str) -> Result<Vec<Record>, BadRecord> {
    let mut reader = Reader { rest: text.trim_start_matches('\u{feff}'), line: 1 };
    let mut games = Vec::new();
    while let Some(game) = reader.game()? {
        games.push(game);
    }
    Ok(games)
}

struct Reader<'t> {
    rest: &'t str,
    line: usize,
}

/// A piece of a game's text.
enum Token<'t> {
    Tag(String, String),
    Comment(&'t str),
    Word(&'t str),
}

impl<'t> Reader<'t> {
    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn bad<T>(&self, problem: Problem) -> Result<T, BadRecord> {
        Err(BadRecord { line: self.line, problem })
    }

    fn token(&mut self) -> Result<Option<Token<'t>>, BadRecord> {
        let blank = self.rest.len() - self.rest.trim_start().len();
        self.take(blank);
        match self.rest.chars().next() {
            None => Ok(None),
            Some('[') => {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                let text = self.rest[..end].trim();
                let Some((name, value)) = read_tag(text) else {
                    return self.bad(Problem::Tag(text.chars().take(60).collect()));
                };
                self.take(end);
                Ok(Some(Token::Tag(name, value)))
            }
            Some('{') => match self.rest.find('}') {
                Some(end) => Ok(Some(Token::Comment(self.take(end + 1)[1..end].trim()))),
                None => self.bad(Problem::OpenComment),
            },
            Some('(') => {
                let mut depth = 0;
                for (at, character) in self.rest.char_indices() {
                    depth += i32::from(character == '(') - i32::from(character == ')');
                    if depth == 0 {
                        return Ok(Some(Token::Comment(self.take(at + 1)[1..at].trim())));
                    }
                }
                self.bad(Problem::OpenComment)
            }
            Some(';') => {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                Ok(Some(Token::Comment(self.take(end)[1..].trim())))
            }
            Some(_) => {
                let end = self.rest.find(|c: char| c.is_whitespace() || "{(;".contains(c)).unwrap_or(self.rest.len());
                Ok(Some(Token::Word(self.take(end))))
            }
        }
    }

    fn game(&mut self) -> Result<Option<Record>, BadRecord> {
        let mut game =
            Record { tags: Vec::new(), start: Position::start(), moves: Vec::new(), result: "*".to_string() };
        let mut position = None::<Position>;
        let mut is_empty = true;
        loop {
            // A tag after moves belongs to the next game, though no result stands between.
            if position.is_some() && self.rest.trim_start().starts_with('[') {
                return Ok(Some(game));
            }
            let Some(token) = self.token()? else {
                return Ok((!is_empty).then_some(game));
            };
            is_empty = false;
            match token {
                Token::Tag(name, value) => match name.to_ascii_lowercase().as_str() {
                    "game" | "format" => {}
                    "result" => game.result = value,
                    "fen" if value.trim().is_empty() => {}
                    "fen" => match value.parse() {
                        Ok(start) => game.start = start,
                        Err(error) => return self.bad(Problem::Fen(error)),
                    },
                    _ => game.tags.push((name, value)),
                },
                Token::Comment(text) => {
                    if let Some((_, comment)) = game.moves.last_mut() {
                        if !comment.is_empty() && !text.is_empty() {
                            comment.push(' ');
                        }
                        comment.push_str(text);
                    }
                }
                Token::Word(word) if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) => {
                    game.result = word.to_string();
                    return Ok(Some(game));
                }
                Token::Word(word) => {
                    let word = without_number(word);
                    if word.is_empty() || word.starts_with('$') {
                        position.get_or_insert_with(|| game.start.clone());
                        continue;
                    }
                    let position = position.get_or_insert_with(|| game.start.clone());
                    match notation::read(position, word) {
                        Ok(mv) => {
                            position.make(mv);
                            game.moves.push((mv, String::new()));
                        }
                        Err(error) => return self.bad(Problem::Move(word.chars().take(20).collect(), error)),
                    }
                }
            }
        }
    }
}

/// `[Name "value"]`, with `\"` and `\\` in the value.
fn read_tag(text: &str) -> Option<(String, String)> {
    let (name, value) = text.strip_prefix('[')?.strip_suffix(']')?.trim().split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let mut plain = String::new();
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        plain.push(if character == '\\' { characters.next()? } else { character });
    }
    Some((name.to_string(), plain))
}

/// `12.`, `12...` or `12.H2-E2` without the number.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with(['.', '．', '…']) {
        return rest.trim_start_matches(['.', '．', '…']);
    }
    // `12. ... c7c6`: dots alone.
    if word.chars().all(|c| matches!(c, '.' | '…') || c.is_ascii_digit()) { "" } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(fen: &str, moves: &[&str]) -> Record {
        let comment = |at: usize| if at.is_multiple_of(3) { format!("+{at}/5 0.1s {{odd}}") } else { String::new() };
        Record {
            tags: vec![
                ("Red".into(), "A \"b\" \\".into()),
                ("Black".into(), "楚河".into()),
                ("Round".into(), "1.2".into()),
            ],
            start: fen.parse().unwrap(),
            moves: moves.iter().enumerate().map(|(at, mv)| (mv.parse().unwrap(), comment(at))).collect(),
            result: "1-0".into(),
        }
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let first = record(STARTPOS, &["h2e2", "h9g7", "h0g2", "i9h9"]);
        let second = record(
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1",
            &["h9g7", "h0g2", "b9c7", "i0h0"],
        );
        let text = first.write(Form::Iccs) + &second.write(Form::Iccs);
        assert!(text.starts_with("[Game \"Chinese Chess\"]\n"));
        let mut read = read(&text).unwrap();
        assert_eq!(read[0].tag("black"), Some("楚河"));
        for (game, original) in read.iter_mut().zip([first, second]) {
            game.tags.sort();
            let mut expected = Record { moves: Vec::new(), ..original.clone() };
            expected.tags.sort();
            expected.moves = original.moves.iter().map(|(mv, text)| (*mv, text.replace(['{', '}'], "|"))).collect();
            assert_eq!(*game, expected);
        }
    }

    #[test]
    fn other_programs_files_are_read() {
        let text = "[Game \"Chinese Chess\"]\r\n[Red \"x\"]\r\n[Result \"1-0\"]\r\n\r\n 1. H2-E2 (a (b) c)  H9-G7 ; rest\r\n\
                    2.h0g2 $1 2... i9h9\r\n1-0\r\n[Red \"y\"]\n\n1. h2e2 *\n\n[Red \"z\"]\n1. h2e2";
        let games = read(text).unwrap();
        assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [4, 1, 1]);
        assert_eq!(games[0].moves[0].1, "a (b) c");
        assert_eq!(games[0].moves[1].1, "rest");
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (text, line, word) in [
            ("[Red \"x\"]\n\n1. h2e2 h2e2\n", 3, "legal"),
            ("[Red \"x\"]\n\n1. bogus\n", 3, "notation"),
            ("[Red x]\n", 1, "tag"),
            ("[FEN \"9/9\"]\n", 1, "10 ranks"),
            ("1. h2e2 {never\n closed", 1, "no end"),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.line, line, "{text}");
            assert!(error.to_string().contains(word), "{error}");
        }
    }
}
