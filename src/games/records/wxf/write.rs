//! Writes games as WXF.

use super::names::{FORMAT, TEXTS};
use crate::records::sheet::Sheet;
use crate::records::{Record, tags};
use chuhe_board::notation;
use chuhe_board::{STARTPOS, Side};
use std::fmt::Write as _;

/// Returns the main line as the content of a file. The format does not support comments, variations or
/// glyphs; braces in tags become `|`.
pub fn write(record: &Record) -> String {
    write_sheet(&record.into())
}

/// Writes a record or a diagram.
pub(in crate::records) fn write_sheet(sheet: &Sheet) -> String {
    let mut text = format!("{FORMAT}\tWXF\n");
    let plain = |value: &str| {
        // A brace would begin a block.
        let plain = |c: char| match c {
            '{' | '}' => '|',
            c if c.is_control() => ' ',
            c => c,
        };
        value.chars().map(plain).collect::<String>()
    };
    for (key, tag) in TEXTS {
        let value = plain(sheet.tag(tag));
        let _ = match key {
            "RED" | "BLACK" => {
                let rating = plain(sheet.tag(if tag == tags::RED { tags::RED_ELO } else { tags::BLACK_ELO }));
                writeln!(text, "{key}\t{} ; {} ;;", value.replace(';', ","), rating.replace(';', ","))
            }
            "SITE" => continue,
            key if value.is_empty() && key != "GAME" => continue,
            key => writeln!(text, "{key}\t{value}"),
        };
    }
    let _ = writeln!(text, "RESULT\t{}", sheet.result);
    let start = sheet.setup.to_string();
    if start != STARTPOS {
        let _ = writeln!(text, "FEN\t{}", start.replacen(" w ", " r ", 1));
    }
    text += "\nSTART{\n";
    let mut position = sheet.position.clone();
    for (ply, mv) in sheet.moves().enumerate() {
        let word = notation::write_wxf(&position, mv).replace('=', ".");
        let _ = match (position.side(), ply) {
            (Side::Red, _) => write!(text, "{:3}. {word:<6}", position.move_number()),
            (Side::Black, 0) => writeln!(text, "{:3}. ...    {word}", position.move_number()),
            (Side::Black, _) => writeln!(text, " {word}"),
        };
        position.make(mv);
    }
    let text = text.trim_end().to_string() + "\n";
    text + "}END\n\n"
}
