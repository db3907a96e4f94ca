//! Lines of text: reading arbitrary input, and limits on the length of output lines.

use crate::output::steers;
use encoding_rs::GB18030;
use std::borrow::Cow;
use std::io::{self, BufRead};

/// Maximum length of an input line in bytes.
pub(crate) const MAX_LINE: usize = 4 << 20;

/// Result of reading a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ReadLine {
    /// A line without its line break. A line that is not UTF-8 is decoded as GB18030, the encoding of Chinese
    /// paths sent by GUIs on Windows.
    Line(String),
    /// A line longer than [`MAX_LINE`], which was dropped.
    TooLong,
    /// End of the input.
    End,
}

/// Reads a line that ends with `\n`, `\r\n` or the end of the input.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<ReadLine> {
    let mut bytes = Vec::new();
    let mut too_long = false;
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let length = end.unwrap_or(chunk.len());
        too_long |= bytes.len() + length > MAX_LINE;
        if !too_long {
            bytes.extend_from_slice(&chunk[..length]);
        }
        let at_end = chunk.is_empty();
        input.consume(end.map_or(length, |end| end + 1));
        if end.is_some() || at_end {
            return Ok(match (too_long, at_end && bytes.is_empty()) {
                (true, _) => ReadLine::TooLong,
                (false, true) => ReadLine::End,
                (false, false) => ReadLine::Line(decode(&bytes).trim_end_matches('\r').to_owned()),
            });
        }
    }
}

/// Decodes a line as UTF-8, or as GB18030 if it is not UTF-8. Invalid bytes are replaced.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| GB18030.decode_without_bom_handling(bytes).0, Cow::Borrowed)
}

/// Returns the beginning of a string, for use in a message.
pub(crate) fn excerpt(text: &str) -> String {
    shorten(text, 40).to_owned()
}

/// Truncates a string to at most `most` bytes, between words if possible.
pub fn shorten(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let cut = &text[..(0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)];
    match cut.rfind(' ') {
        Some(space) if !text[cut.len()..].starts_with(' ') && cut.len() - space < 100 => &cut[..space],
        _ => cut,
    }
}

/// Replaces control characters, line separators and invisible format characters with spaces.
pub fn flatten(text: &str) -> String {
    text.chars().map(|character| if steers(character) { ' ' } else { character }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_every_way() {
        let mut input: &[u8] = b"one\r\ntwo\n\n\xFF\0three";
        for expected in ["one", "two", "", "\u{FFFD}\0three"] {
            assert_eq!(read(&mut input).ok(), Some(ReadLine::Line(expected.into())));
        }
        assert_eq!(read(&mut input).ok(), Some(ReadLine::End));
        assert_eq!(read(&mut input).ok(), Some(ReadLine::End));
    }

    #[test]
    fn paths_of_chinese_windows_are_read() {
        let mut input: &[u8] =
            b"setoption bookfiles C:\\\xbf\xaa\xbe\xd6\xbf\xe2\\book.obk\n\xe6\xa5\x9a\xe6\xb2\xb3\n";
        for expected in ["setoption bookfiles C:\\开局库\\book.obk", "楚河"] {
            assert_eq!(read(&mut input).ok(), Some(ReadLine::Line(expected.into())));
        }
    }

    #[test]
    fn a_line_without_end_does_not_fill_the_memory() {
        let mut bytes = vec![b'x'; MAX_LINE + 1];
        bytes.extend(b"\nnext");
        let mut input = bytes.as_slice();
        assert_eq!(read(&mut input).ok(), Some(ReadLine::TooLong));
        assert_eq!(read(&mut input).ok(), Some(ReadLine::Line("next".into())));
    }

    #[test]
    fn texts_are_cut_between_words() {
        assert_eq!(shorten("info pv h2e2 h9g7", 17), "info pv h2e2 h9g7");
        assert_eq!(shorten("info pv h2e2 h9g7", 16), "info pv h2e2");
        assert_eq!(shorten("info pv h2e2 h9g7", 12), "info pv h2e2");
        assert_eq!(shorten("炮二平五", 4), "炮");
    }
}
