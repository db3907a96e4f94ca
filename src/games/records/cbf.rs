//! CBF, the XML format of 象棋桥 (CCBridge): the main line with comments.

use super::fault::{Location, Problem, RecordFault};
use super::lookahead::find;
use super::record::{GameResult, Record};
use super::sheet::Sheet;
use super::start::{Start, is_move};
use super::tags;
use super::tree::{Full, NodeId};
use chuhe_board::notation::NoSuchMove;
use chuhe_board::{Move, Position, Square};
use html_escape::{decode_html_entities, encode_text};
use std::fmt::Write as _;

/// Root element of a file.
pub const ROOT: &str = "<ChineseChessRecord";

/// Elements of the header, and their tags.
const TEXTS: [(&str, &str); 19] = [
    ("Name", tags::TITLE),
    ("Contest", tags::EVENT),
    ("Round", tags::ROUND),
    ("Group", tags::GROUP),
    ("Table", tags::TABLE),
    ("Date", tags::DATE),
    ("Site", tags::SITE),
    ("TimeRule", tags::TIME_CONTROL),
    ("Red", tags::RED),
    ("RedTeam", tags::RED_TEAM),
    ("RedTime", tags::RED_TIME),
    ("RedRating", tags::RED_ELO),
    ("Black", tags::BLACK),
    ("BlackTeam", tags::BLACK_TEAM),
    ("BlackTime", tags::BLACK_TIME),
    ("BlackRating", tags::BLACK_ELO),
    ("Commentator", tags::ANNOTATOR),
    ("Creator", tags::AUTHOR),
    ("ECCO", tags::ECCO),
];

/// Parses the game in a file.
///
/// # Errors
/// Returns the error, with the readable part of the game.
pub fn read(text: &str) -> Result<Record, RecordFault> {
    let mut reader = Reader {
        text,
        at: text.find(ROOT).unwrap_or(0),
        record: Record::default(),
        start: Position::start().into(),
        position: Position::start(),
        last: NodeId::ROOT,
        has_ended: false,
    };
    let fault = reader.read().err().map(|problem| RecordFault::at_line(reader.line(), problem));
    reader.start.finish(reader.record, fault)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    record: Record,
    start: Start,
    position: Position,
    last: NodeId,
    /// `true` once the last move of the main line has been read.
    has_ended: bool,
}

impl<'t> Reader<'t> {
    fn line(&self) -> usize {
        1 + self.text[..self.at.min(self.text.len())].matches('\n').count()
    }

    fn read(&mut self) -> Result<(), Problem> {
        loop {
            let Some(open) = find!(&self.text[self.at..], '<') else { return Err(Problem::Cut("the record")) };
            self.at += open + 1;
            let Some(close) = find!(&self.text[self.at..], '>') else { return Err(Problem::Cut("an element")) };
            let element = &self.text[self.at..self.at + close];
            self.at += close + 1;
            let (is_empty, element) = element.strip_suffix('/').map_or((false, element), |rest| (true, rest));
            let (name, attributes) = element.split_once(char::is_whitespace).unwrap_or((element, ""));
            match name {
                "/ChineseChessRecord" => return Ok(()),
                "Move" => {
                    let value = attribute(attributes, "value").unwrap_or_default();
                    if !self.has_ended {
                        self.make(&value)?;
                    }
                    let comment = if is_empty { String::new() } else { self.content("</Move>")? };
                    if !self.has_ended {
                        self.record.tree.add_comment(self.last, comment.trim());
                    }
                    // Variations follow. They are skipped, since no available description defines the moves
                    // to which they belong.
                    self.has_ended |= attribute(attributes, "end").is_some_and(|end| end == "1");
                }
                _ if is_empty => {}
                "FEN" => {
                    let fen = self.content("</FEN>")?;
                    if !fen.trim().is_empty() {
                        self.start = Start::of_fen(&fen, Location::Line(self.line()))?;
                        self.record.start = self.start.position.clone();
                    }
                }
                "RecordResult" => {
                    let number = self.content("</RecordResult>")?.trim().parse();
                    self.record.result = number.map_or(GameResult::Unknown, GameResult::from_byte);
                }
                name => {
                    if let Some((element, tag)) = TEXTS.iter().find(|(element, _)| *element == name) {
                        let text = self.content(&format!("</{element}>"))?;
                        self.record.set_tag(tag, text.trim());
                    }
                }
            }
        }
    }

    /// Returns the text up to an end tag, and skips the tag.
    fn content(&mut self, end: &str) -> Result<String, Problem> {
        let mut content = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(next) = find!(rest, '<') else { return Err(Problem::Cut("an element")) };
            content += &unescaped(&rest[..next]);
            let rest = &rest[next..];
            self.at += next;
            if let Some(data) = rest.strip_prefix("<![CDATA[") {
                let Some(length) = find!(data, "]]>") else { return Err(Problem::Cut("a comment")) };
                content += &data[..length];
                self.at += "<![CDATA[".len() + length + "]]>".len();
            } else if rest.starts_with(end) {
                self.at += end.len();
                return Ok(content.replace('\r', ""));
            } else {
                let found: String = rest.chars().take(30).collect();
                return Err(Problem::Form(format!("{found:?} instead of {end}")));
            }
        }
    }

    /// Adds a move of the main line; `00-00` denotes the position before the first move.
    fn make(&mut self, value: &str) -> Result<(), Problem> {
        if value == "00-00" && self.record.tree.is_empty() {
            return Ok(());
        }
        let illegal = || Problem::Move(value.chars().take(20).collect(), NoSuchMove::Illegal);
        let square = |text: &str| match text.as_bytes() {
            [file, rank] => Square::at(i32::from(*file) - i32::from(b'0'), i32::from(b'9') - i32::from(*rank)),
            _ => None,
        };
        let (from, to) = value.split_once('-').ok_or_else(illegal)?;
        let mv = square(from).zip(square(to)).map(|(from, to)| Move::new(from, to)).ok_or_else(illegal)?;
        if self.record.tree.is_empty() {
            self.position.clone_from(&self.record.start);
        }
        if !self.start.can_move || !is_move(&self.position, mv) {
            return Err(illegal());
        }
        self.position.make(mv);
        self.last = self.record.tree.add(self.last, mv).map_err(|Full| Problem::TooMuch("the number of moves"))?;
        Ok(())
    }
}

/// Returns the value of an attribute, which is in single or double quotation marks.
fn attribute(attributes: &str, name: &str) -> Option<String> {
    let mut rest = attributes;
    loop {
        let (found, after) = rest.split_at(find!(rest, '=')?);
        let after = after[1..].trim_start();
        let quote = after.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
        let value = &after[1..];
        let end = find!(value, quote)?;
        if found.trim() == name {
            return Some(unescaped(&value[..end]));
        }
        rest = &value[end + 1..];
    }
}

fn unescaped(text: &str) -> String {
    decode_html_entities(text).into_owned()
}

/// Returns the main line of a game as the content of a file in UTF-8.
pub fn write(record: &Record) -> String {
    write_sheet(&record.into())
}

/// Writes a record or a diagram.
pub(super) fn write_sheet(sheet: &Sheet) -> String {
    let mut text = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{ROOT} Version=\"1.0\">\n <Head>\n");
    for (element, tag) in TEXTS {
        let value: String = sheet.tag(tag).chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let _ = match value.as_str() {
            "" => writeln!(text, "  <{element} />"),
            value => writeln!(text, "  <{element}>{}</{element}>", encode_text(value)),
        };
    }
    let result = sheet.result.byte();
    let _ =
        writeln!(text, "  <RecordResult>{result}</RecordResult>\n  <FEN>{}</FEN>\n </Head>\n <MoveList>", sheet.setup);
    for id in std::iter::once(NodeId::ROOT).chain(sheet.tree.main_line()) {
        let name = |square: Square| square.file().index() * 10 + 9 - square.rank().index();
        let value = sheet.tree.mv(id).map_or("00-00".into(), |mv| format!("{:02}-{:02}", name(mv.from), name(mv.to)));
        let end = if sheet.tree.next(id).is_none() { " end=\"1\"" } else { "" };
        let _ = match sheet.tree.comment(id) {
            "" => writeln!(text, "  <Move value=\"{value}\"{end} />"),
            comment => {
                // CDATA must not contain its terminator, and XML forbids most control characters. Only line
                // feeds and tabs are kept.
                let allowed = |c: &char| !c.is_control() || ['\n', '\t'].contains(c);
                let data = comment.chars().filter(allowed).collect::<String>().replace("]]>", "]]]]><![CDATA[>");
                writeln!(text, "  <Move value=\"{value}\"{end}><![CDATA[{data}]]></Move>")
            }
        };
    }
    text += " </MoveList>\n</ChineseChessRecord>\n";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_were_written() {
        let line = [("h2e2", "a < b & ]]> c"), ("h9g7", ""), ("h0g2", "两行\n注解")];
        let mut record =
            Record::of_line(Position::start(), line.map(|(mv, said)| (mv.parse::<Move>().unwrap(), said.to_string())));
        record.tree.set_comment(NodeId::ROOT, "before");
        record.set_tag("Red", "A & \"B\" <C>");
        record.result = GameResult::RedWins;
        assert_eq!(read(&write(&record)).unwrap(), record);
    }

    #[test]
    fn moves_behind_the_end_of_the_main_line_are_left_out() {
        let line = ["h2e2", "h9g7"].map(|mv| (mv.parse::<Move>().unwrap(), String::new()));
        let record = Record::of_line(Position::start(), line);
        let behind = "<Move value=\"10-22\" end=\"1\"><![CDATA[instead]]></Move>";
        let text = write(&record).replace(" </MoveList>", &format!("{behind} </MoveList>"));
        assert!(text.contains(behind), "{text}");
        assert_eq!(read(&text).unwrap(), record);
    }

    #[test]
    fn attributes_are_found_by_their_whole_names() {
        let record = Record::of_line(Position::start(), [("h2e2".parse().unwrap(), String::new())]);
        let text =
            write(&record).replace("value=\"77-47\" end=", "bookend=\"0\" oldvalue=\"value='1'\" value = '77-47' end=");
        assert!(text.contains("oldvalue"), "{text}");
        assert_eq!(read(&text).unwrap(), record);
        assert_eq!(attribute("backend=\"1\"", "end"), None);
        for broken in ["end", "end=1", "end=\"1", "end=", "x=\"1 end=\"1\""] {
            assert_eq!(attribute(broken, "end"), None, "{broken}");
        }
    }

    #[test]
    fn faults_come_with_their_line_and_the_game_before_them() {
        let record = Record::of_line(Position::start(), [("h2e2".parse().unwrap(), String::new())]);
        let text = write(&record);
        let lines = text.lines().count();
        let cut = &text[..text.find(" </MoveList>").unwrap()];
        let fault = read(cut).unwrap_err();
        assert_eq!(fault.location, super::super::Location::Line(lines - 2));
        assert_eq!(fault.game.unwrap().moves().len(), 1);
        let fault = read(&text.replace("77-47", "77-48")).unwrap_err();
        assert!(fault.to_string().contains("legal"), "{fault}");
        assert!(read("").is_err() && read(&text.replace("w - -", "x - -")).is_err());
    }
}
