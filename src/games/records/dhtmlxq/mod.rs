//! DhtmlXQ, the text of 东萍象棋网 (dpxq.com) and of its UBB code in forums, as it is copied from pages.
//!
//! A square is its file and its rank, both from 0 and counted from Black's left above. `movelist` is the main line;
//! `move_P_N_B` is variation B, which replaces ply N of line P; `commentN` and `commentB_N` are comments, `||` ends a line in them.

mod lines;
mod write;

pub use write::write;

use super::fault::{Fault, Problem};
use super::look::find;
use super::nodes;
use super::record::{GameResult, Record};
use chuhe_board::{FenError, Kind, Piece, Position, Setup, Side};
use lines::{Tags, read_lines, square};

/// What every tag begins with, in lower case: some pages write no capitals.
pub const MARK: &str = "[dhtmlxq";

/// Their names of our tags.
const TEXTS: [(&str, &str); 19] = [
    ("title", "Title"),
    ("event", "Event"),
    ("round", "Round"),
    ("group", "Group"),
    ("table", "Table"),
    ("date", "Date"),
    ("place", "Site"),
    ("timerule", "TimeControl"),
    ("red", "Red"),
    ("redname", "Red"),
    ("redteam", "RedTeam"),
    ("redtime", "RedTime"),
    ("black", "Black"),
    ("blackname", "Black"),
    ("blackteam", "BlackTeam"),
    ("blacktime", "BlackTime"),
    ("author", "Annotator"),
    ("open", "Opening"),
    ("ecco", "ECCO"),
];

/// Each side's pieces in the order of `binit`.
const SET: [Kind; 16] = {
    use Kind::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
    [Rook, Horse, Elephant, Advisor, King, Advisor, Elephant, Horse, Rook, Cannon, Cannon, Pawn, Pawn, Pawn, Pawn, Pawn]
};

/// Whether a text, in lower case, has a mark that is not inside a comment or a tag of another format.
pub(super) fn begins(lower: &str) -> bool {
    let mut is_in_braces = false;
    lower.lines().any(|line| {
        let before = line.find(MARK).map(|at| line[..at].trim_start());
        let is_told_of = |before: &str| before.starts_with(['[', '%', '#']) || before.contains(['{', ';', '"']);
        let begins = !is_in_braces && before.is_some_and(|before| !is_told_of(before));
        is_in_braces = line.rfind(['{', '}']).map_or(is_in_braces, |at| line[at..].starts_with('{'));
        begins
    })
}

/// The games of a text, which may be a whole page.
#[derive(Debug)]
pub struct Games {
    text: String,
    /// The same in lower case, for the names of the tags.
    lower: String,
    at: usize,
    line: usize,
}

impl Games {
    /// The games of a text.
    pub fn new(text: String) -> Games {
        Games { lower: text.to_ascii_lowercase(), text, at: 0, line: 1 }
    }

    /// The tags up to the next game; empty behind the last.
    fn tags<'t>(text: &'t str, lower: &'t str, at: &mut usize, line: &mut usize) -> Tags<'t> {
        let mut tags = Tags::new();
        let mut seen = Vec::new();
        while let Some(found) = find!(&lower[*at..], MARK) {
            let begin = *at + found;
            let rest = &lower[begin + MARK.len()..];
            let Some(close) = find!(rest, ']') else { break };
            let name = &rest[..close];
            let Some(name) = name.strip_prefix('_') else {
                // `[DhtmlXQ]`, `[DhtmlXQHTML]`: the mark of a game's begin.
                if seen.contains(&"movelist") {
                    break;
                }
                step(at, begin + MARK.len() + close + 1, text, line);
                continue;
            };
            if ["binit", "movelist", "title"].contains(&name) {
                if seen.contains(&name) {
                    break;
                }
                seen.push(name);
            }
            let value_at = begin + MARK.len() + close + 1;
            step(at, value_at, text, line);
            let rest = &lower[value_at..];
            let length = next_mark(rest).unwrap_or(rest.len());
            let mut value = &text[value_at..value_at + length];
            // What follows a mark ends with the mark of its end. Without one it goes to the end of its line.
            let has_end = rest[length..].strip_prefix("[/dhtmlxq_").and_then(|end| end.strip_prefix(name));
            if !has_end.is_some_and(|behind| behind.starts_with(']')) {
                value = value.lines().next().unwrap_or_default();
            }
            tags.push((name, value.trim(), *line));
            step(at, value_at + value.len(), text, line);
        }
        if tags.is_empty() {
            *at = text.len();
        }
        tags
    }
}

/// Where the next mark stands, one of an end too.
fn next_mark(lower: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = find!(&lower[at..], '[') {
        at += found;
        let name = &lower[at + 1..];
        if name.strip_prefix('/').unwrap_or(name).starts_with(&MARK[1..]) {
            return Some(at);
        }
        at += 1;
    }
    None
}

fn step(at: &mut usize, to: usize, text: &str, line: &mut usize) {
    *line += text[*at..to].bytes().filter(|byte| *byte == b'\n').count();
    *at = to;
}

impl Iterator for Games {
    type Item = Result<Record, Fault>;

    fn next(&mut self) -> Option<Result<Record, Fault>> {
        let tags = Games::tags(&self.text, &self.lower, &mut self.at, &mut self.line);
        (!tags.is_empty()).then(|| read(&tags))
    }
}

fn read(tags: &Tags) -> Result<Record, Fault> {
    let value = |wanted: &str| tags.iter().find(|(name, ..)| *name == wanted).map(|(_, value, line)| (*value, *line));
    let start = match value("binit") {
        Some((digits, line)) => start(digits).map_err(|problem| Fault::at_line(line, problem))?,
        None => Position::start(),
    };
    let mut record = Record::new(start);
    for (name, tag) in TEXTS {
        if let Some((text, _)) = value(name).filter(|(text, _)| !text.is_empty()) {
            record.set_tag(tag, text);
        }
    }
    record.result = value("result").map_or(GameResult::Unknown, |(text, _)| GameResult::read(text));
    match read_lines(&mut record, tags) {
        Ok(()) => Ok(record),
        Err(fault) => Err(fault.with_game(record)),
    }
}

/// The position of 64 digits: a place for each piece of a set, 99 for one that is not there.
fn start(digits: &str) -> Result<Position, Problem> {
    let digits: Vec<u8> = digits.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    if digits.is_empty() {
        return Ok(Position::start());
    }
    if digits.len() != 64 || !digits.iter().all(u8::is_ascii_digit) {
        return Err(Problem::Form("binit has 64 digits".into()));
    }
    let mut setup = Setup::empty();
    for (index, place) in digits.chunks(2).enumerate() {
        let side = if index < 16 { Side::Red } else { Side::Black };
        if let Some(square) = square(place[0], place[1]) {
            setup.board[square.index()] = Some(Piece::new(side, SET[index % 16]));
        }
    }
    nodes::start(&setup).map_err(|reasons| Problem::Fen(FenError::Impossible(reasons)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::NodeId;

    fn games(text: &str) -> Vec<Result<Record, Fault>> {
        Games::new(text.to_string()).collect()
    }

    /// After the published form of such texts: a variation to ply 2, one inside it to ply 3, comments of all of them.
    #[test]
    fn a_text_with_variations_is_read() {
        let text = "<html>[DhtmlXQHTML]\n[DhtmlXQ_title]楚河[/DhtmlXQ_title][DhtmlXQ_red]甲队 甲[/DhtmlXQ_red]\n\
            [DhtmlXQ_redname]甲[/DhtmlXQ_redname]\n[DhtmlXQ_result]红胜[/DhtmlXQ_result]\n\
            [DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]\n\
            [DhtmlXQ_movelist]774770627967[/DhtmlXQ_movelist]\n[DhtmlXQ_move_0_2_1]10221927[/DhtmlXQ_move_0_2_1]\n\
            [DhtmlXQ_move_1_3_2]7967[/DhtmlXQ_move_1_3_2]\n[DhtmlXQ_comment0]总评[/DhtmlXQ_comment0]\n\
            [DhtmlXQ_comment2]一||二[/DhtmlXQ_comment2]\n[DhtmlXQ_comment2_3]三[/DhtmlXQ_comment2_3]\n[/DhtmlXQHTML]";
        let game = games(text).remove(0).unwrap();
        assert_eq!(game.start, Position::start());
        assert_eq!((game.tag("Red"), game.result), (Some("甲"), GameResult::RedWins));
        let tree = &game.tree;
        assert_eq!(game.moves(), ["h2e2", "h9g7", "h0g2"].map(|mv| mv.parse().unwrap()));
        let first = tree.next(NodeId::ROOT).unwrap();
        let replies: Vec<NodeId> = tree.children(first).collect();
        assert_eq!(replies.len(), 2);
        assert_eq!((tree.comment(NodeId::ROOT), tree.comment(replies[0])), ("总评", "一\n二"));
        let answers: Vec<NodeId> = tree.children(replies[1]).collect();
        assert_eq!(tree.comment(answers[1]), "三");
        // Names in other cases mean the same, and values stay as they are.
        let other = games(&text.to_ascii_lowercase().replace("binit", "Binit")).remove(0).unwrap();
        assert_eq!(other, game);
        let named =
            games("[dhtmlxq_red]Hu[/DHTMLXQ_RED]\n[dhtmlxq_movelist]7747[/dhtmlxq_movelist]").remove(0).unwrap();
        assert_eq!((named.tag("Red"), named.moves().len()), (Some("Hu"), 1));
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let mut record = Record::new("3k5/9/9/9/4c4/9/9/9/4K4/R8 b".parse().unwrap());
        let first = record.tree.add(NodeId::ROOT, "d9d8".parse().unwrap()).unwrap();
        let second = record.tree.add(first, "a0a8".parse().unwrap()).unwrap();
        record.tree.add(second, "d8d9".parse().unwrap()).unwrap();
        let other = record.tree.add(first, "a0a9".parse().unwrap()).unwrap();
        record.tree.add(first, "e1e2".parse().unwrap()).unwrap();
        record.tree.add(NodeId::ROOT, "e5e6".parse().unwrap()).unwrap();
        record.tree.set_comment(other, "wins?\n[no]");
        record.set_tag("Black", "乙");
        record.result = GameResult::Draw;
        let text = write(&record) + &write(&Record::default());
        record.tree.set_comment(other, "wins?\n［no］");
        let read: Vec<Record> = games(&text).into_iter().map(Result::unwrap).collect();
        // The first move shows whose turn it is.
        record.start = read[0].start.clone();
        assert_eq!(read[0].start.side(), Side::Black);
        assert_eq!(read, [record, Record::default()]);
    }

    #[test]
    fn faults_are_told_with_their_line_and_the_rest_is_kept() {
        for (text, line, word) in [
            ("[DhtmlXQ_binit]12[/DhtmlXQ_binit]", 1, "64 digits"),
            ("\n[DhtmlXQ_movelist]77477747[/DhtmlXQ_movelist]", 2, "legal"),
            ("[DhtmlXQ_movelist]774[/DhtmlXQ_movelist]", 1, "ends inside"),
            (
                "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[DhtmlXQ_move_0_9_1]7062[/DhtmlXQ_move_0_9_1]",
                2,
                "does not exist",
            ),
            ("[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[DhtmlXQ_comment7]x[/DhtmlXQ_comment7]", 2, "does not exist"),
        ] {
            let fault = games(text).remove(0).unwrap_err();
            assert_eq!(fault.place, super::super::Place::Line(line), "{text}");
            assert!(fault.to_string().contains(word), "{fault}");
        }
        assert!(games("no tags at all").is_empty() && games("[DhtmlXQ").is_empty());
    }
}
