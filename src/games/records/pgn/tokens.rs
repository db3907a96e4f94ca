//! Tokens of PGN: tags, comments, brackets, words.

use crate::records::headings::{begins_with_a_year, headings, is_remark};
use crate::records::lookahead::{count_lookahead, find};
use crate::records::{Problem, RecordFault};

/// The unread text and its line number.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'t> {
    pub rest: &'t str,
    pub line: usize,
    /// `true` if only spaces precede the rest on its line.
    at_line_start: bool,
    /// `true` if the last token was the first of its line.
    pub began_line: bool,
}

/// A token.
#[derive(Debug)]
pub(super) enum Token<'t> {
    Tag(String, String),
    /// A line of headings of a game sheet, each with its tag.
    Headings(Vec<(&'static str, &'t str)>),
    Comment(&'t str),
    /// A line of prose between the moves.
    Remark(&'t str),
    Open,
    Close,
    Word(&'t str),
}

impl<'t> Tokens<'t> {
    /// Creates a tokenizer for `rest`, which begins at line number `line`.
    pub(crate) fn new(rest: &'t str, line: usize) -> Tokens<'t> {
        Tokens { rest, line, at_line_start: true, began_line: false }
    }

    fn take(&mut self, bytes: usize) -> &'t str {
        count_lookahead(bytes);
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.bytes().filter(|byte| *byte == b'\n').count();
        self.rest = rest;
        taken
    }

    pub(crate) fn fault(&self, problem: Problem) -> RecordFault {
        RecordFault::at_line(self.line, problem)
    }

    pub(crate) fn skip_blanks(&mut self) {
        let blank = self.rest.len() - self.rest.trim_start_matches(|c: char| is_between(c) || c == '\u{feff}').len();
        self.at_line_start |= self.take(blank).contains('\n');
    }

    /// Returns the rest of the line, if it is a line of headings or a remark.
    fn whole_line(&mut self) -> Option<Token<'t>> {
        let line = &self.rest[..find!(self.rest, '\n').unwrap_or(self.rest.len())];
        let headings = headings(line);
        if headings.is_empty() && !is_remark(line) {
            return None;
        }
        self.take(line.len());
        Some(if headings.is_empty() { Token::Remark(line.trim()) } else { Token::Headings(headings) })
    }

    /// Returns the next token, or `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Token<'t>>, RecordFault> {
        self.skip_blanks();
        self.began_line = std::mem::take(&mut self.at_line_start);
        if self.began_line
            && (self.rest.starts_with(char::is_alphabetic) || begins_with_a_year(self.rest))
            && let Some(line) = self.whole_line()
        {
            return Ok(Some(line));
        }
        let line_end = |text: &str| find!(text, '\n').unwrap_or(text.len());
        Ok(Some(match self.rest.chars().next() {
            None => return Ok(None),
            Some('[') => {
                let Some((name, value, length)) = read_tag(self.rest) else {
                    let line = self.rest.lines().next().unwrap_or_default();
                    return Err(self.fault(Problem::Tag(line.trim().chars().take(60).collect())));
                };
                self.take(length);
                Token::Tag(name, value)
            }
            Some('{') => match find!(self.rest, '}') {
                Some(end) => Token::Comment(self.take(end + 1)[1..end].trim()),
                None => return Err(self.fault(Problem::OpenComment)),
            },
            Some(';') => Token::Comment(self.take(line_end(self.rest))[1..].trim()),
            Some('【') => match find!(self.rest, ['】', '\n']).filter(|end| self.rest[*end..].starts_with('】')) {
                Some(end) => Token::Comment(self.take(end + '】'.len_utf8())['【'.len_utf8()..end].trim()),
                None => Token::Word(self.take('【'.len_utf8())),
            },
            Some(open @ ('(' | '（')) => {
                self.take(open.len_utf8());
                Token::Open
            }
            Some(close @ (')' | '）')) => {
                self.take(close.len_utf8());
                Token::Close
            }
            Some(_) => Token::Word(self.take(self.word().len())),
        }))
    }

    /// Returns the next word without consuming it; empty if the next token is not a word.
    pub(crate) fn word(&self) -> &'t str {
        let end = find!(self.rest, |c: char| is_between(c) || "{}();（）【".contains(c));
        // A lone `}` is a word, so that it can be reported as an error.
        let end = end.unwrap_or(self.rest.len()).max(usize::from(self.rest.starts_with('}')));
        &self.rest[..end]
    }

    /// Returns the text up to the closing `)` of the current brackets, and consumes it.
    pub(crate) fn rest_of_brackets(&mut self) -> Result<&'t str, RecordFault> {
        let mut depth = 0;
        for (at, character) in self.rest.char_indices() {
            count_lookahead(1);
            match character {
                '(' | '（' => depth += 1,
                ')' | '）' if depth == 0 => return Ok(self.take(at + character.len_utf8())[..at].trim()),
                ')' | '）' => depth -= 1,
                _ => {}
            }
        }
        Err(self.fault(Problem::Brackets))
    }
}

/// Returns `true` for characters that only separate words.
fn is_between(character: char) -> bool {
    character.is_whitespace() || matches!(character, ',' | '，' | '、' | '；' | '\0')
}

/// Returns `true` if a line begins with a tag, `[Name "value"]`.
pub(in crate::records) fn begins_with_tag(line: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let behind = line.trim_start().strip_prefix('[').map(|inside| inside.trim_start_matches(is_name));
    behind.is_some_and(|behind| behind.starts_with([' ', '\t']) && behind.trim_start().starts_with('"'))
}

/// Parses `[Name "value"]` at the beginning of `text`, on one line, with `\"` and `\\` in the value; also
/// returns its length in bytes. Inner quotes may be unescaped.
fn read_tag(text: &str) -> Option<(String, String, usize)> {
    let inside = text.strip_prefix('[')?;
    let (name, _) = inside.trim_start().split_once(|c: char| c.is_whitespace() || c == '"')?;
    let begin = find!(inside, ['"', '\n']).filter(|at| inside[*at..].starts_with('"'))? + 1;
    let mut plain = String::new();
    let mut characters = inside[begin..].char_indices();
    while let Some((at, character)) = characters.next() {
        count_lookahead(1);
        match character {
            '\n' => return None,
            '\\' => plain.push(characters.next()?.1),
            '"' => {
                let rest = inside[begin + at + 1..].trim_start_matches([' ', '\t']);
                if rest.starts_with(']') {
                    return Some((name.to_string(), plain, text.len() - rest.len() + 1));
                }
                plain.push('"');
            }
            other => plain.push(other),
        }
    }
    None
}
