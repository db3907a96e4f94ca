//! FENs as copied by users: from a URL, a `position` command, quotation marks or a message, with other
//! characters in place of spaces, or with Red on top.

use super::{Kind, Piece, Setup, Side};
use alloc::borrow::Cow;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// Normalises a copied string: decodes full-width characters and percent-encoded octets, and replaces
/// quotation marks and substitutes for spaces, such as `_` and `&nbsp;`, with spaces. Plain text is borrowed.
pub fn plain(text: &str) -> Cow<'_, str> {
    let is_plain =
        |byte: u8| byte.is_ascii() && !matches!(byte, b'%' | b'_' | b'+' | b'&' | b'"' | b'\'' | b'\\' | b'`');
    if text.bytes().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("&nbsp;", " ").replace("\\/", "/");
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            // Percent-encoded octets such as `%20` and `%2F`.
            '%' => match octet(characters.as_str()) {
                Some(octet) => {
                    plain.push(octet);
                    characters.nth(1);
                }
                None => plain.push('%'),
            },
            // Substitutes for spaces, and characters that may surround a copied FEN.
            '_'
            | '+'
            | '"'
            | '\''
            | '`'
            | '\u{3000}'
            | '\u{a0}'
            | '“'
            | '”'
            | '‘'
            | '’'
            | '「'
            | '」'
            | '\u{feff}'
            | '\u{200b}'..='\u{200f}' => plain.push(' '),
            '！'..='～' => plain.push(char::from_u32(u32::from(character) - 0xFEE0).unwrap_or(character)),
            other => plain.push(other),
        }
    }
    Cow::Owned(plain)
}

/// Returns the printable character encoded by two hexadecimal digits at the beginning of a string.
fn octet(text: &str) -> Option<char> {
    let digits = text.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let octet = u8::from_str_radix(digits, 16).ok()?;
    (octet == b' ' || octet.is_ascii_graphic()).then_some(char::from(octet))
}

/// Returns the range of a FEN's board in plain text: ten ranks of nine files, separated by slashes. In a URL,
/// other path segments may precede the board.
pub fn find(text: &str) -> Option<Range<usize>> {
    // Every maximal run of letters and digits may be a rank.
    let is_in_rank = |byte: u8| byte.is_ascii_alphanumeric();
    let bytes = text.as_bytes();
    let mut ranks: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !is_in_rank(bytes[at]) {
            at += 1;
            continue;
        }
        let end = at + bytes[at..].iter().position(|byte| !is_in_rank(*byte)).unwrap_or(bytes.len() - at);
        // A rank must follow the previous one after a single slash.
        let goes_on = ranks.last().is_some_and(|last| last.end + 1 == at && bytes[last.end] == b'/');
        if !goes_on {
            ranks.clear();
        }
        if count_files(&text[at..end]) == Some(9) {
            ranks.push(at..end);
        } else {
            ranks.clear();
        }
        if let [first, .., last] = &ranks[..]
            && ranks.len() == 10
        {
            // Eleven ranks are not a board.
            let rest = text[last.end..].strip_prefix('/').unwrap_or_default();
            let next = &rest[..rest.bytes().position(|byte| !is_in_rank(byte)).unwrap_or(rest.len())];
            return (count_files(next) != Some(9)).then_some(first.start..last.end);
        }
        at = end;
    }
    None
}

/// Returns the number of files described by a rank; `None` if it contains characters other than pieces and
/// digits.
fn count_files(rank: &str) -> Option<usize> {
    rank.chars().try_fold(0, |files, character| match character {
        '1'..='9' => Some(files + character as usize - '0' as usize),
        _ => Piece::from_letter(character).map(|_| files + 1),
    })
}

/// Returns `true` if a word looks like the board of a FEN, possibly with errors: most of its ranks have nine
/// files.
pub fn resembles_board(word: &str) -> bool {
    let whole = word.split('/').filter(|rank| count_files(rank) == Some(9)).count();
    whole >= 3 && 2 * whole > word.split('/').count()
}

/// Extracts a FEN from the surrounding text and returns its fields in the usual form; `None` if the text
/// contains no board.
pub(super) fn fields(text: &str) -> Option<String> {
    let text = plain(text);
    let board = find(&text)?;
    let rest = &text[board.end..];
    // Multi-variant programs write pieces in hand, and some programs add a slash.
    let rest = rest.strip_prefix('[').and_then(|inside| inside.split_once(']')).map_or(rest, |(_, rest)| rest);
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    // Text that follows without a space, such as `&size=2`, belongs to a URL.
    let rest = if rest.starts_with([' ', '\t']) { rest } else { "" };
    let words =
        rest.split([' ', '\t', ',', ';', '&', '#', '?', '<', '>', ')', ']', '|', '\n']).filter(|word| !word.is_empty());
    let mut fen = text[board].to_owned();
    for (number, word) in words.take_while(|word| !word.eq_ignore_ascii_case("moves")).take(5).enumerate() {
        fen.push(' ');
        fen += match (number, side(word)) {
            (0, Some(Side::Red)) => "w",
            (0, Some(Side::Black)) => "b",
            _ => word,
        };
    }
    Some(fen)
}

/// Returns the side denoted by a word in a FEN or a message.
pub fn side(word: &str) -> Option<Side> {
    match word.to_ascii_lowercase().as_str() {
        "w" | "r" | "red" | "white" | "红" | "红方" | "红先" | "紅" | "紅方" | "紅先" => Some(Side::Red),
        "b" | "black" | "黑" | "黑方" | "黑先" => Some(Side::Black),
        _ => None,
    }
}

/// Rotates a board on which each king is in the opponent's half, which means that the FEN had Red on top.
pub(super) fn upright(setup: Setup) -> Setup {
    let is_in_own_half = |side: Side| {
        let king = setup.board.iter().position(|piece| *piece == Some(Piece::new(side, Kind::King)));
        king.map(|king| (king < 45) == (side == Side::Red))
    };
    if (is_in_own_half(Side::Red), is_in_own_half(Side::Black)) != (Some(false), Some(false)) {
        return setup;
    }
    let mut board = setup.board;
    board.reverse();
    Setup { board, ..setup }
}

#[cfg(test)]
mod tests {
    use crate::{FenError, Position, STARTPOS};

    const FEN: &str = "3R2b2/4k4/b8/p1P5p/9/4n1C2/1n5rP/6N1B/4A4/2B1KA3 b - - 0 1";

    #[test]
    fn fens_are_read_as_they_are_copied() {
        for text in [
            "3R2b2/4k4/b8/p1P5p/9/4n1C2/1n5rP/6N1B/4A4/2B1KA3_b_-_-_0_1",
            "3R2b2/4k4/b8/p1P5p/9/4n1C2/1n5rP/6N1B/4A4/2B1KA3%20b",
            "3R2b2%2F4k4%2Fb8%2Fp1P5p%2F9%2F4n1C2%2F1n5rP%2F6N1B%2F4A4%2F2B1KA3+b",
            "https://example.org/?fen=3R2b2/4k4/b8/p1P5p/9/4n1C2/1n5rP/6N1B/4A4/2B1KA3%20b&size=2",
            "https://example.org/a/board/3R2b2/4k4/b8/p1P5p/9/4n1C2/1n5rP/6N1B/4A4/2B1KA3_b",
            "position fen 3R2b2/4k4/b8/p1P5p/9/4n1C2/1n5rP/6N1B/4A4/2B1KA3 b moves",
            "\"3R2b2/4k4/b8/p1P5p/9/4n1C2/1n5rP/6N1B/4A4/2B1KA3 b\"",
            "\u{feff}“3R2b2/4k4/b8/p1P5p/9/4n1C2/1n5rP/6N1B/4A4/2B1KA3 b”",
            "3R2b2/4k4/b8/p1P5p/9/4n1C2/1n5rP/6N1B/4A4/2B1KA3/ black",
            "3R2b2/4k4/b8/p1P5p/9/4n1C2/1n5rP/6N1B/4A4/2B1KA3[] b",
            "３Ｒ２ｂ２／４ｋ４／ｂ８／ｐ１Ｐ５ｐ／９／４ｎ１Ｃ２／１ｎ５ｒＰ／６Ｎ１Ｂ／４Ａ４／２Ｂ１ＫＡ３　ｂ",
            "局面：3R2b2/4k4/b8/p1P5p/9/4n1C2/1n5rP/6N1B/4A4/2B1KA3 黑先",
            "[FEN \"3R2b2/4k4/b8/p1P5p/9/4n1C2/1n5rP/6N1B/4A4/2B1KA3 b - - 0 1\"]",
            "3R2b2\\/4k4\\/b8\\/p1P5p\\/9\\/4n1C2\\/1n5rP\\/6N1B\\/4A4\\/2B1KA3 b",
            // A board with Red on top.
            "3AK1B2/4A4/B1N6/Pr5n1/2C1n4/9/p5P1p/8b/4k4/2b2R3 b",
        ] {
            let position: Position = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(position.to_string(), FEN, "{text}");
        }
        assert_eq!(format!("{} red", &STARTPOS[..STARTPOS.len() - 10]).parse(), Ok(Position::start()));
    }

    #[test]
    fn what_is_no_fen_stays_none() {
        for text in [
            "",
            "hello",
            "a/b/c/d/e/f/g/h/i/j",
            "9/9/9/9/9/9/9/9/9",
            "1/2/3/4/5/6/7/8/9/10",
            "%zz%2",
            "9/9/9/9/9/9/9/9/9/9/9",
        ] {
            let error = text.parse::<Position>().expect_err(text);
            assert!(matches!(error, FenError::Text(_)), "{text}: {error}");
        }
    }
}
