//! Writes games as PGN.

use crate::records::sheet::Sheet;
use crate::records::{Cursor, GLYPHS, NodeId, Record, Step, tags};
use chuhe_board::notation::{self, Form};
use chuhe_board::{STARTPOS, Side};
use std::collections::HashSet;
use std::fmt::Write as _;

/// Tags that precede the result; the others follow it. Both groups keep the order of the record.
const BEFORE_RESULT: [&str; 10] = [
    tags::EVENT,
    tags::SITE,
    tags::DATE,
    tags::ROUND,
    tags::RED_TEAM,
    tags::RED,
    tags::RED_ELO,
    tags::BLACK_TEAM,
    tags::BLACK,
    tags::BLACK_ELO,
];

/// Maximum length of a line of moves, in characters.
const WIDTH: usize = 100;

/// Returns the game as text, followed by an empty line. Braces in comments become full-width braces, since a
/// closing brace ends a comment.
pub fn write(record: &Record, form: Form) -> String {
    write_sheet(&record.into(), form)
}

/// Writes a record or a diagram.
pub(in crate::records) fn write_sheet(sheet: &Sheet, form: Form) -> String {
    let mut text = format!("[{} \"Chinese Chess\"]\n", tags::GAME);
    let mut tag = |name: &str, value: &str| {
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let _ = writeln!(text, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
    };
    // Most programs would interpret a second value of a tag as the start of another game.
    let mut written = HashSet::new();
    let all = sheet.tags.iter().filter(|(name, _)| written.insert(name.to_ascii_lowercase()));
    let (before, after): (Vec<_>, Vec<_>) =
        all.partition(|(name, _)| BEFORE_RESULT.iter().any(|before| before.eq_ignore_ascii_case(name)));
    before.iter().for_each(|(name, value)| tag(name, value));
    tag(tags::RESULT, sheet.result.text());
    let start = sheet.setup.to_string();
    if start != STARTPOS {
        tag(tags::FEN, &start);
    }
    after.iter().for_each(|(name, value)| tag(name, value));
    tag(tags::FORMAT, form.tag());
    text.push('\n');
    write_moves(sheet, form, &mut text);
    text
}

fn write_moves(sheet: &Sheet, form: Form, text: &mut String) {
    let tree = sheet.tree;
    let mut line = Filler { text, width: 0, glue: "" };
    line.comment(tree.comment(NodeId::ROOT));
    let mut cursor = Cursor::new(tree, &sheet.position);
    let mut number_is_due = true;
    for step in tree.steps() {
        match step {
            Step::Open => {
                line.open();
                number_is_due = true;
            }
            Step::Close => {
                line.close();
                number_is_due = true;
            }
            Step::Move(id) => {
                let position = cursor.before(id);
                let Some(mv) = tree.mv(id) else { continue };
                let is_red = position.side() == Side::Red;
                if is_red || number_is_due {
                    line.word(&format!("{}.{}", position.move_number(), if is_red { "" } else { ".." }));
                }
                line.word(&notation::write(position, mv, form));
                for glyph in tree.glyphs(id) {
                    match GLYPHS.get(usize::from(glyph) - 1) {
                        Some(text) => line.word(text),
                        None => line.word(&format!("${glyph}")),
                    }
                }
                line.comment(tree.comment(id));
                number_is_due = !tree.comment(id).is_empty();
            }
        }
    }
    line.word(sheet.result.text());
    text.push_str("\n\n");
}

/// Wraps words into lines.
struct Filler<'t> {
    text: &'t mut String,
    width: usize,
    /// Opening bracket to write directly before the next word; may be empty.
    glue: &'static str,
}

impl Filler<'_> {
    fn word(&mut self, word: &str) {
        let length = word.chars().count() + self.glue.len();
        if self.width > 0 && self.width + 1 + length > WIDTH {
            self.text.push('\n');
            self.width = 0;
        } else if self.width > 0 {
            self.text.push(' ');
            self.width += 1;
        }
        *self.text += std::mem::take(&mut self.glue);
        *self.text += word;
        self.width += length;
    }

    fn open(&mut self) {
        if !self.glue.is_empty() {
            self.word("");
        }
        self.glue = "(";
    }

    fn close(&mut self) {
        self.text.push(')');
        self.width += 1;
    }

    fn comment(&mut self, comment: &str) {
        let mut text = String::new();
        for line in comment.lines() {
            let words = line.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
            let line = words.collect::<Vec<_>>().join(" ").replace('{', "｛").replace('}', "｝");
            if !text.is_empty() && !line.is_empty() {
                // Some programs skip lines that begin with `%`, and others interpret `[` as a tag.
                text.push(if line.starts_with(['%', '[']) { ' ' } else { '\n' });
            }
            text += &line;
        }
        if !text.is_empty() {
            self.word(&format!("{{{text}}}"));
            if let Some((_, last)) = text.rsplit_once('\n') {
                self.width = last.chars().count() + 1;
            }
        }
    }
}
