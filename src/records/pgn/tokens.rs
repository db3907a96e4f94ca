//! The pieces of a PGN text: tags, comments, brackets, words.

use crate::records::{Fault, Problem};

/// The text that is not read yet, and its line.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'t> {
    pub rest: &'t str,
    pub line: usize,
}

/// A piece of a game's text.
#[derive(Debug)]
pub(super) enum Token<'t> {
    Tag(String, String),
    Comment(&'t str),
    Open,
    Close,
    Word(&'t str),
}

impl<'t> Tokens<'t> {
    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.bytes().filter(|byte| *byte == b'\n').count();
        self.rest = rest;
        taken
    }

    pub fn fault(&self, problem: Problem) -> Fault {
        Fault::at_line(self.line, problem)
    }

    pub fn skip_blanks(&mut self) {
        let blank = self.rest.len() - self.rest.trim_start_matches(|c: char| is_between(c) || c == '\u{feff}').len();
        self.take(blank);
    }

    /// The next piece, or `None` at the end.
    pub fn next(&mut self) -> Result<Option<Token<'t>>, Fault> {
        self.skip_blanks();
        let line_end = |text: &str| text.find('\n').unwrap_or(text.len());
        Ok(Some(match self.rest.chars().next() {
            None => return Ok(None),
            Some('[') => {
                let end = line_end(self.rest);
                let text = self.rest[..end].trim();
                let Some((name, value)) = read_tag(text) else {
                    return Err(self.fault(Problem::Tag(text.chars().take(60).collect())));
                };
                self.take(end);
                Token::Tag(name, value)
            }
            Some('{') => match self.rest.find('}') {
                Some(end) => Token::Comment(self.take(end + 1)[1..end].trim()),
                None => return Err(self.fault(Problem::OpenComment)),
            },
            Some(';') => Token::Comment(self.take(line_end(self.rest))[1..].trim()),
            Some('(') => {
                self.take(1);
                Token::Open
            }
            Some(')') => {
                self.take(1);
                Token::Close
            }
            Some(_) => Token::Word(self.take(self.word().len())),
        }))
    }

    /// The word that comes next, which is not taken; empty if something else comes.
    pub fn word(&self) -> &'t str {
        let end = self.rest.find(|c: char| is_between(c) || "{}();".contains(c));
        // A `}` on its own is a word, so that there is something to complain of.
        let end = end.unwrap_or(self.rest.len()).max(usize::from(self.rest.starts_with('}')));
        &self.rest[..end]
    }

    /// What stands before the `)` that closes the brackets one is in, which is taken too.
    pub fn rest_of_brackets(&mut self) -> Result<&'t str, Fault> {
        let mut depth = 0;
        for (at, byte) in self.rest.bytes().enumerate() {
            match byte {
                b'(' => depth += 1,
                b')' if depth == 0 => return Ok(self.take(at + 1)[..at].trim()),
                b')' => depth -= 1,
                _ => {}
            }
        }
        Err(self.fault(Problem::OpenComment))
    }
}

/// Whether a character only keeps words apart.
fn is_between(character: char) -> bool {
    character.is_whitespace() || matches!(character, ',' | '，' | '、' | '；' | '\0')
}

/// `[Name "value"]`, with `\"` and `\\` in the value.
fn read_tag(text: &str) -> Option<(String, String)> {
    let (name, value) = text.strip_prefix('[')?.strip_suffix(']')?.trim().split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let mut plain = String::with_capacity(value.len());
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        plain.push(if character == '\\' { characters.next()? } else { character });
    }
    Some((name.to_string(), plain))
}
