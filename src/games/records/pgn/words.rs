//! Words in PGN: numbers, glyphs, and moves without spaces between them.

use crate::records::GLYPHS;
use chuhe_board::notation::{self, Dialect};
use chuhe_board::{Move, Position};
use unicode_normalization::UnicodeNormalization;

/// First characters of moves in Chinese notation, except the digits 1 to 5.
const FIRST_CHARACTERS: &str = "一二三四五帅帥将將仕士相象像马馬傌㐷车車俥伡炮砲包軳兵卒前中后後";

fn is_digit(character: char) -> bool {
    character.is_ascii_digit() || ('０'..='９').contains(&character)
}

/// Removes the move number from `12.`, `12...`, `12、`, 第12回合 or `12.H2-E2`.
pub(in crate::records) fn without_number(word: &str) -> &str {
    if let Some(rest) = word.strip_prefix('第').and_then(|rest| rest.trim_start_matches(is_digit).strip_prefix("回合"))
    {
        return rest;
    }
    let is_dot = |c: char| matches!(c, '.' | '．' | '…' | ':' | '：');
    let rest = word.trim_start_matches(is_digit);
    // Digits without a dot are a number, unless there are so many that they are moves of another format.
    let is_number = if rest.is_empty() { word.chars().take(6).count() < 6 } else { rest.starts_with(is_dot) };
    if !is_number {
        return word;
    }
    let rest = rest.trim_start_matches(is_dot);
    // `15.6` is a move: the front pawn on file 5 moves to file 6.
    if rest.len() == 1 && rest.starts_with(is_digit) { word } else { rest }
}

/// Returns the move number at the beginning of a word, and `true` if a move by Black follows, as in `12...`.
pub(super) fn number_of(word: &str) -> Option<(isize, bool)> {
    let text = word.strip_prefix('第').unwrap_or(word);
    let behind = text.trim_start_matches(is_digit);
    let digits: String = text[..text.len() - behind.len()].nfkc().collect();
    let is_black = ["..", "．．", "…"].iter().any(|dots| behind.starts_with(dots));
    let number = digits.parse().ok().filter(|_| digits.len() <= 6)?;
    (without_number(word).len() < word.len()).then_some((number, is_black))
}

/// Returns `true` for a rule between games, of dashes or similar characters.
pub(super) fn is_rule(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| matches!(c, '=' | '-' | '*' | '_' | '—' | '－' | '─'))
}

/// Removes the number from `2炮二平五`, unless it denotes a pawn, as in `2卒进１`.
pub(super) fn without_bare_number<'t>(position: &Position, dialect: Dialect, word: &'t str) -> &'t str {
    let rest = word.trim_start_matches(is_digit);
    if rest.len() == word.len() || !rest.starts_with(|first| FIRST_CHARACTERS.contains(first)) {
        return word;
    }
    let move_text = without_glyph(first_move(word).0).0;
    if notation::read_in(position, move_text, dialect).is_ok() { word } else { rest }
}

/// Removes the glyph after a move, as well as `+` and `#`; returns the glyph's number, or 0.
pub(in crate::records) fn without_glyph(word: &str) -> (&str, u8) {
    let word = word.trim_end_matches('。');
    let text = word.trim_end_matches(['!', '?', '！', '？']);
    let written = word[text.len()..].replace('！', "!").replace('？', "?");
    let index = GLYPHS.iter().position(|glyph| *glyph == written);
    (text.trim_end_matches(['+', '#']), index.map_or(0, |index| index as u8 + 1))
}

/// Splits the first of several moves written without spaces from the rest: 炮二平五马８进７, h2e2h9g7, C2=5H8+7.
pub(in crate::records) fn first_move(word: &str) -> (&str, &str) {
    if word.len() <= 5 {
        return (word, "");
    }
    let bytes = word.as_bytes();
    if bytes[..bytes.len().min(6)].is_ascii() {
        let another_follows = |length: usize| bytes.get(length).is_some_and(u8::is_ascii_alphanumeric);
        let squares = |text: &str| text.parse::<Move>().is_ok();
        let is_wxf = matches!(bytes[2], b'+' | b'-' | b'=' | b'.') && bytes[3].is_ascii_digit();
        return if word.len().is_multiple_of(4) && squares(&word[..4]) || is_wxf && another_follows(4) {
            word.split_at(4)
        } else if bytes[2] == b'-' && squares(&word[..5]) && another_follows(5) {
            word.split_at(5)
        } else {
            (word, "")
        };
    }
    // The verb is the third character, or the fourth if a pawn is denoted by its order and its file.
    let mut characters = word.char_indices();
    let verb = characters.by_ref().skip(2).take(2).find(|(_, c)| matches!(c, '进' | '退' | '平' | '進'));
    let behind = verb.and_then(|_| characters.nth(1));
    match behind {
        Some((end, mark)) if !matches!(mark, '!' | '?' | '！' | '？') => word.split_at(end),
        _ => (word, ""),
    }
}
