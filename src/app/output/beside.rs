//! Text layout for terminals: wrapped text, and notes to the right of a picture if the terminal is wide
//! enough.

use super::terminal::width;
use chuhe_engine::output::{Align, pad};
use unicode_width::UnicodeWidthStr;

/// Columns between the picture and the notes.
const GAP: usize = 2;
/// Minimum width of notes in columns.
const NARROWEST: usize = 20;

/// Chinese punctuation marks that must not begin a line.
pub(crate) const CLOSING_MARKS: &str = "，。；：！？、）”";

/// Returns a picture with notes to its right, aligned at the last line; `None` if the terminal has too few
/// columns, if the picture has too few lines, or if there are no notes. Preserves the colours of the picture.
pub(crate) fn beside(picture: &str, notes: &[String], columns: Option<usize>) -> Option<String> {
    let lines: Vec<&str> = picture.lines().collect();
    let own = lines.iter().map(|line| without_colours(line).width()).max()? + GAP;
    let room = columns?.checked_sub(own + 1).filter(|room| *room >= NARROWEST)?;
    let notes: Vec<String> = notes.iter().flat_map(|note| wrapped(note, room)).collect();
    let first = lines.len().checked_sub(notes.len()).filter(|first| *first < lines.len())?;
    let line = |(index, line): (usize, &&str)| match index.checked_sub(first) {
        None => format!("{line}\n"),
        Some(note) => {
            let spaces = pad("", own - without_colours(line).width(), Align::Left);
            format!("{line}{spaces}{}\n", notes[note])
        }
    };
    Some(lines.iter().enumerate().map(line).collect())
}

/// Wraps text to the width of standard output.
pub(crate) fn fitted(text: &str) -> String {
    fold(text, width())
}

/// Wraps text to `columns`; does nothing if the width is `None`. Continuation lines are indented like their
/// first line.
pub(crate) fn fold(text: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns else { return text.to_owned() };
    let folded = |line: &str| {
        let (indent, words) = line.split_at(line.len() - line.trim_start_matches(' ').len());
        match wrapped(words, columns.saturating_sub(indent.len()).max(NARROWEST)) {
            parts if parts.is_empty() => String::new(),
            parts => parts.iter().map(|part| format!("{indent}{part}")).collect::<Vec<_>>().join("\n"),
        }
    };
    text.split('\n')
        .map(|line| if line.width() <= columns { line.to_owned() } else { folded(line) })
        .collect::<Vec<_>>()
        .join("\n")
}

/// Removes colour sequences from a line.
fn without_colours(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or("", |(_, rest)| rest))
}

/// Wraps text to `columns`. Breaks lines after spaces and Chinese punctuation, never within a move, and
/// elsewhere only if a line has no such place. The help (`cli/help.rs`), which has no Chinese moves, breaks
/// between all Chinese characters.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_inclusive(|character: char| character == ' ' || CLOSING_MARKS.contains(character)) {
        let fits = |line: &str, more: &str| line.width() + more.trim_end().width() <= columns;
        let mut rest = word;
        while !rest.is_empty() {
            let line = lines.last_mut().expect("there is a line");
            if fits(line, rest) {
                line.push_str(rest);
                break;
            }
            if line.is_empty() {
                // If the rest is longer than a line, as many characters as fit are taken, but at least one.
                let ends = rest.char_indices().map(|(at, character)| at + character.len_utf8());
                let end = ends.take_while(|&end| fits("", &rest[..end])).last();
                let end = end.unwrap_or_else(|| rest.chars().next().map_or(0, char::len_utf8));
                line.push_str(&rest[..end]);
                rest = &rest[end..];
            }
            if !rest.is_empty() {
                lines.push(String::new());
            }
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_clauses_but_not_inside_a_move() {
        assert_eq!(wrapped("Warning: R5=6, and once more", 10), ["Warning:", "R5=6, and", "once more"]);
        assert_eq!(wrapped("注意：走车五平六，对局结束。", 14), ["注意：", "走车五平六，", "对局结束。"]);
        assert_eq!(wrapped("应走士４进５ 车九平八 炮二平五。", 19), ["应走士４进５", "车九平八 炮二平五。"]);
        assert_eq!(wrapped("将军将军将军", 6), ["将军将", "军将军"]);
        assert_eq!(wrapped("", 10), [""; 0]);
    }

    #[test]
    fn a_folded_text_keeps_its_indents_and_its_moves_whole() {
        let text = "7... 车４进４??\n    败着：丢车。应走车４进５ 马七进八。\n\n";
        let folded = "7... 车４进４??\n    败着：丢车。\n    应走车４进５\n    马七进八。\n\n";
        assert_eq!((fold(text, Some(24)), fold(text, None)), (folded.to_owned(), text.to_owned()));
    }

    #[test]
    fn notes_stand_at_the_foot_of_a_picture_if_there_is_room() {
        let picture = "\u{1b}[31m將\u{1b}[0m-\n|+|\n|+|\n";
        let notes = ["one two three four".to_owned(), "five".to_owned()];
        assert_eq!(
            beside(picture, &notes, Some(26)).unwrap(),
            "\u{1b}[31m將\u{1b}[0m-\n|+|  one two three four\n|+|  five\n"
        );
        assert_eq!(beside(picture, &notes, Some(25)), None);
        assert_eq!(beside(picture, &notes, None), None);
        assert_eq!(beside(picture, &[], Some(80)), None);
        assert_eq!(beside("|\n", &notes, Some(80)), None);
    }
}
