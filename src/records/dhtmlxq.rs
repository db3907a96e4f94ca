//! DhtmlXQ, the text of 东萍象棋网 (dpxq.com) and of its UBB code in forums, as it is copied from pages.
//!
//! A square is its file and its rank, both from 0 and counted from Black's left above. `movelist` is the main line;
//! `move_P_N_B` is variation B, which replaces ply N of line P; `commentN` and `commentB_N` are comments, `||` ends a line in them.

use super::fault::{Fault, Problem};
use super::record::{GameResult, Record};
use super::tree::{Cursor, Full, NodeId, Tree};
use crate::board::{FenError, Kind, Move, Piece, Position, STARTPOS, Setup, Side, Square};
use crate::notation::NoSuchMove;
use std::collections::HashMap;
use std::fmt::Write as _;

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

/// Longer lines and more variations are refused: each variation is played from the start.
const MAX_PLIES: usize = 2_000;
const MAX_LINES: usize = 5_000;

/// The games of a text, which may be a whole page.
#[derive(Debug)]
pub struct Games {
    text: String,
    /// The same in lower case, for the names of the tags.
    lower: String,
    at: usize,
    line: usize,
}

/// The tags of one game: name, value, line.
type Tags<'t> = Vec<(&'t str, &'t str, usize)>;

impl Games {
    /// The games of a text.
    pub fn new(text: String) -> Games {
        Games { lower: text.to_ascii_lowercase(), text, at: 0, line: 1 }
    }

    /// The tags up to the next game; empty behind the last.
    fn tags<'t>(text: &'t str, lower: &'t str, at: &mut usize, line: &mut usize) -> Tags<'t> {
        let mut tags = Tags::new();
        while let Some(found) = lower[*at..].find(MARK) {
            let begin = *at + found;
            let rest = &lower[begin + MARK.len()..];
            let Some(close) = rest.find(']') else { break };
            let name = &rest[..close];
            let Some(name) = name.strip_prefix('_') else {
                // `[DhtmlXQ]`, `[DhtmlXQHTML]`: the mark of a game's begin.
                if tags.iter().any(|(name, ..)| *name == "movelist") {
                    break;
                }
                step(at, begin + MARK.len() + close + 1, text, line);
                continue;
            };
            let one_only = ["binit", "movelist", "title"].contains(&name);
            if one_only && tags.iter().any(|(other, ..)| *other == name) {
                break;
            }
            let value_at = begin + MARK.len() + close + 1;
            let ending = format!("[/dhtmlxq_{name}]");
            step(at, value_at, text, line);
            let value = match lower[value_at..].find(&ending) {
                Some(length) => &text[value_at..value_at + length],
                // Without an end it goes to the end of its line.
                None => text[value_at..].lines().next().unwrap_or_default(),
            };
            tags.push((name, value.trim(), *line));
            step(at, value_at + value.len(), text, line);
        }
        if tags.is_empty() {
            *at = text.len();
        }
        tags
    }
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

/// Where a line's plies are in the tree: the node after each ply, the root first.
type Plies = Vec<NodeId>;

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

fn read_lines(record: &mut Record, tags: &Tags) -> Result<(), Fault> {
    let mut lines: HashMap<&str, Plies> = HashMap::new();
    let mut bad = None;
    for (name, digits, line) in tags {
        let (parent, ply, own) = match name.strip_prefix("move_").map(|rest| rest.split('_').collect::<Vec<_>>()) {
            Some(parts) => match parts[..] {
                [parent, ply, own] => (parent, ply.parse::<usize>().unwrap_or(0), own),
                _ => continue,
            },
            None if *name == "movelist" => ("", 1, "0"),
            None => continue,
        };
        let before = match lines.get(parent) {
            _ if *name == "movelist" => vec![NodeId::ROOT],
            // The first `ply` nodes are the root and the plies before.
            Some(plies) if ply >= 1 && plies.len() >= ply => plies[..ply].to_vec(),
            _ => {
                let problem = Problem::Form(format!("{name} branches from a line that does not exist"));
                bad.get_or_insert(Fault::at_line(*line, problem));
                continue;
            }
        };
        if lines.len() >= MAX_LINES {
            bad.get_or_insert(Fault::at_line(*line, Problem::TooMuch("the number of variations")));
            break;
        }
        let mut plies = before;
        if let Err(problem) = read_line(record, &mut plies, digits) {
            bad.get_or_insert(Fault::at_line(*line, problem));
        }
        lines.insert(own, plies);
    }
    for (name, text, line) in tags {
        let Some(place) = name.strip_prefix("comment") else { continue };
        let (own, ply) = place.split_once('_').unwrap_or(("0", place));
        let node = lines.get(own).and_then(|plies| plies.get(ply.parse::<usize>().ok()?));
        let root = (ply == "0").then_some(&NodeId::ROOT);
        match node.or(root) {
            Some(node) => record.tree.add_comment(*node, &text.replace("||", "\n")),
            None => {
                let problem = Problem::Form(format!("{name} is for a move that does not exist"));
                bad.get_or_insert(Fault::at_line(*line, problem));
            }
        }
    }
    bad.map_or(Ok(()), Err)
}

/// Plays the moves of a line behind the last of its plies.
fn read_line(record: &mut Record, plies: &mut Plies, digits: &str) -> Result<(), Problem> {
    let Some(&last) = plies.last() else { return Ok(()) };
    let mut position = Cursor::new(&record.tree, &record.start).at(last).clone();
    let digits: Vec<u8> = digits.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    for chunk in digits.chunks(4) {
        let illegal = |mv: &[u8]| Problem::Move(String::from_utf8_lossy(mv).into_owned(), NoSuchMove::Illegal);
        let mv = match chunk {
            [a, b, c, d] => square(*a, *b).zip(square(*c, *d)).map(|(from, to)| Move::new(from, to)),
            _ => return Err(Problem::Cut("a move")),
        };
        let mv = mv.ok_or_else(|| illegal(chunk))?;
        // It is not kept whose turn it is: the first move tells.
        if record.tree.is_empty() && position.piece_on(mv.from).is_some_and(|piece| piece.side() != position.side()) {
            let mut setup = position.setup();
            setup.side = !setup.side;
            if let Ok(turned) = Position::new(&setup) {
                record.start = turned.clone();
                position = turned;
            }
        }
        if !position.is_legal(mv) {
            return Err(illegal(chunk));
        }
        if plies.len() > MAX_PLIES {
            return Err(Problem::TooMuch("the length of a line"));
        }
        let last = plies.last().copied().unwrap_or(NodeId::ROOT);
        let id = record.tree.add(last, mv).map_err(|Full| Problem::TooMuch("the number of moves"))?;
        position.make(mv);
        plies.push(id);
    }
    Ok(())
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
    let turned = Setup { side: Side::Black, ..setup.clone() };
    let start = Position::new(&setup).or_else(|reasons| Position::new(&turned).map_err(|_| reasons));
    start.map_err(|reasons| Problem::Fen(FenError::Impossible(reasons)))
}

fn square(file: u8, rank: u8) -> Option<Square> {
    Square::at(i32::from(file) - i32::from(b'0'), i32::from(b'9') - i32::from(rank))
}

/// The game as text. It has no place for glyphs.
pub fn write(record: &Record) -> String {
    let mut text = "[DhtmlXQ]\n".to_string();
    let mut tag = |name: &str, value: &str| {
        let _ = writeln!(text, "[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]");
    };
    // Brackets would end the tag.
    let plain = |value: &str| -> String {
        let clean = value.trim().replace(['\n', '\r'], "||").replace('[', "［").replace(']', "］");
        clean.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
    };
    for (name, ours) in TEXTS.into_iter().filter(|(name, _)| !name.ends_with("name")) {
        if let Some(value) = record.tag(ours) {
            tag(name, &plain(value));
        }
    }
    if record.start.to_string() != STARTPOS {
        tag("binit", &binit(&record.start));
    }
    let result = match record.result {
        GameResult::Unknown => "未知",
        GameResult::RedWins => "红胜",
        GameResult::BlackWins => "黑胜",
        GameResult::Draw => "和棋",
    };
    tag("result", result);
    let tree = &record.tree;
    let lines = lines(tree);
    for (own, line) in lines.iter().enumerate() {
        let moves: String = line.nodes.iter().filter_map(|id| tree.mv(*id)).map(digits).collect();
        match own {
            0 => tag("movelist", &moves),
            own => tag(&format!("move_{}_{}_{own}", line.parent, line.ply), &moves),
        }
    }
    if !tree.comment(NodeId::ROOT).is_empty() {
        tag("comment0", &plain(tree.comment(NodeId::ROOT)));
    }
    for (own, line) in lines.iter().enumerate() {
        for (ply, id) in (line.ply..).zip(&line.nodes).filter(|(_, id)| !tree.comment(**id).is_empty()) {
            let name = if own == 0 { format!("comment{ply}") } else { format!("comment{own}_{ply}") };
            tag(&name, &plain(tree.comment(*id)));
        }
    }
    text += "[/DhtmlXQ]\n";
    text
}

/// A line of a tree: which line it leaves, at which ply, and its nodes.
struct Line {
    parent: usize,
    ply: usize,
    nodes: Vec<NodeId>,
}

/// All lines, the main line first, in an order in which variations of one move keep theirs.
fn lines(tree: &Tree) -> Vec<Line> {
    let follow = |first: Option<NodeId>| std::iter::successors(first, |id| tree.next(*id)).collect::<Vec<_>>();
    let mut lines = vec![Line { parent: 0, ply: 1, nodes: follow(tree.next(NodeId::ROOT)) }];
    let mut parent = 0;
    while parent < lines.len() {
        let (first_ply, nodes) = (lines[parent].ply, lines[parent].nodes.clone());
        // The variations to a line's first move belong to the line that it leaves.
        let skipped = usize::from(parent > 0);
        for (offset, id) in nodes.iter().enumerate().skip(skipped) {
            for variation in std::iter::successors(tree.sibling(*id), |id| tree.sibling(*id)) {
                lines.push(Line { parent, ply: first_ply + offset, nodes: follow(Some(variation)) });
            }
        }
        parent += 1;
    }
    lines
}

fn digits(mv: Move) -> String {
    let name = |square: Square| format!("{}{}", square.file().index(), 9 - square.rank().index());
    name(mv.from) + &name(mv.to)
}

fn binit(start: &Position) -> String {
    let mut left: Vec<(Piece, Square)> =
        Square::ALL.into_iter().filter_map(|square| Some((start.piece_on(square)?, square))).collect();
    let sides = [Side::Red, Side::Black];
    let wanted = sides.into_iter().flat_map(|side| SET.map(|kind| Piece::new(side, kind)));
    let places = wanted.map(|wanted| {
        let found = left.iter().position(|(piece, _)| *piece == wanted).map(|index| left.remove(index).1);
        found.map_or("99".to_string(), |square| format!("{}{}", square.file().index(), 9 - square.rank().index()))
    });
    places.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
