//! All terminal output; strips control characters, which games, books, files and engines may contain.

use super::beside::fold;
use super::terminal::error_width;
use crate::translation::translate;
use chuhe_engine::output::steers;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

/// A writer that replaces characters that control a terminal: escape sequences, control characters and
/// changes of text direction. Colour sequences, which Chuhe's own boards contain, can be allowed.
#[derive(Debug)]
pub(crate) struct Screen<W> {
    out: W,
    colours: bool,
    /// First bytes of an incomplete character.
    begun: Vec<u8>,
}

impl<W: Write> Screen<W> {
    /// Creates a screen that writes to `out`, with or without colours.
    pub(crate) fn new(out: W, colours: bool) -> Screen<W> {
        Screen { out, colours, begun: Vec::new() }
    }

    fn write_text(&mut self, mut text: &str) -> io::Result<()> {
        while let Some(at) = text.find(|c: char| steers(c) && c != '\n' && c != '\t') {
            self.out.write_all(&text.as_bytes()[..at])?;
            let rest = &text[at..];
            let length = if self.colours { colour(rest) } else { None };
            let length = match length {
                Some(length) => {
                    self.out.write_all(&rest.as_bytes()[..length])?;
                    length
                }
                None => {
                    // A Windows line ending is preserved.
                    let shown = if rest.starts_with("\r\n") { "\r" } else { "\u{FFFD}" };
                    self.out.write_all(shown.as_bytes())?;
                    rest.chars().next().map_or(0, char::len_utf8)
                }
            };
            text = &rest[length..];
        }
        self.out.write_all(text.as_bytes())
    }
}

/// Returns the length of a colour sequence at the start of a string: `ESC [ 1;38;5;220 m`.
fn colour(text: &str) -> Option<usize> {
    let numbers = text.strip_prefix("\u{1b}[")?;
    let end = numbers.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    numbers[end..].starts_with('m').then_some(2 + end + 1)
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        let mut rest = &all[..];
        while !rest.is_empty() {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    self.write_text(text)?;
                    break;
                }
                Err(error) => {
                    let (sound, bad) = rest.split_at(error.valid_up_to());
                    self.write_text(
                        std::str::from_utf8(sound).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?,
                    )?;
                    let Some(length) = error.error_len() else {
                        self.begun = bad.to_vec();
                        break;
                    };
                    self.write_text("\u{FFFD}")?;
                    rest = &bad[length..];
                }
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Prints a line to standard error, in the language of the program, wrapped to the terminal. Ignores errors,
/// since standard error may be closed.
pub(crate) fn print_message(line: impl Display) {
    let text = fold(&translate(&line.to_string()), error_width()) + "\n";
    let _ = Screen::new(io::stderr(), false).write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[&[u8]], colours: bool) -> String {
        let mut screen = Screen::new(Vec::new(), colours);
        pieces.iter().for_each(|piece| screen.write_all(piece).expect("a vector"));
        String::from_utf8(screen.out).expect("UTF-8")
    }

    #[test]
    fn nothing_that_steers_a_terminal_gets_through() {
        let title = "a\x1b]0;title\x07b\u{9b}2Jc\u{202e}d\r\ne\rf\tg\x1b[2J";
        let plain = "a\u{FFFD}]0;title\u{FFFD}b\u{FFFD}2Jc\u{FFFD}d\r\ne\u{FFFD}f\tg\u{FFFD}[2J";
        assert_eq!(shown(&[title.as_bytes()], false), plain);
        assert_eq!(shown(&[title.as_bytes()], true), plain);
    }

    #[test]
    fn colours_pass_where_they_are_wanted() {
        let board = "\x1b[1;38;5;160m車\x1b[0m\x1b[";
        assert_eq!(shown(&[board.as_bytes()], true), "\x1b[1;38;5;160m車\x1b[0m\u{FFFD}[");
        assert_eq!(shown(&[board.as_bytes()], false), "\u{FFFD}[1;38;5;160m車\u{FFFD}[0m\u{FFFD}[");
    }

    #[test]
    fn characters_may_come_in_pieces() {
        assert_eq!(shown(&[b"\xe9\xa6", b"\xac\xff!"], false), "馬\u{FFFD}!");
    }
}
