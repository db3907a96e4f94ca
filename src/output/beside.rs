//! Notes beside a picture, where a terminal has room to its right.

use super::table::{Align, pad};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns between the picture and the notes.
const GAP: usize = 2;
/// Notes in fewer columns than this can't be read well.
const NARROWEST: usize = 20;

/// A picture with notes to its right, the lowest line of the notes beside the lowest of the picture; `None` if the terminal has too few columns
/// or the picture too few lines, or if there are no notes. Colours of the picture stay.
pub fn beside(picture: &str, notes: &[String], columns: Option<usize>) -> Option<String> {
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

/// A line without the sequences that colour it.
fn without_colours(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or("", |(_, rest)| rest))
}

/// A text in lines of so many columns: broken at spaces, and beside Chinese characters, but not before a mark.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let is_wide = |character: char| character.width() == Some(2);
    let is_mark = |character: char| "，。：；！？、）”".contains(character);
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    for character in text.chars() {
        let begins = last == ' ' || (is_wide(character) || is_wide(last)) && !is_mark(character);
        match words.last_mut() {
            Some(word) if !begins => word.push(character),
            _ => words.push(character.to_string()),
        }
        last = character;
    }
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.width() + word.trim_end().width() <= columns => line.push_str(&word),
            _ => lines.push(word),
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_chinese_characters() {
        assert_eq!(wrapped("Warning: R5=6, and once more", 10), ["Warning:", "R5=6, and", "once more"]);
        assert_eq!(wrapped("注意：走车五平六，对局结束。", 12), ["注意：走车五", "平六，对局结", "束。"]);
        assert_eq!(wrapped("", 10), [""; 0]);
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
