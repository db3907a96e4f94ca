//! DhtmlXQ, the text format of 东萍象棋网 (dpxq.com) and of its UBB code in forums, as copied from pages.
//!
//! A square is written as its file and its rank, both from 0, counted from the top left of the board on
//! Black's side. `movelist` is the main line; `move_P_N_B` is variation B, which replaces ply N of line P,
//! and `move_0_1_0` the main line; `commentN` and `commentB_N` are comments, in which `||` is a line break.
//! Scripts in pages contain the variations in tags without a prefix, `[0_1_0]7747[/0_1_0]`, after the other
//! tags.

mod lines;
mod names;
mod tags;
mod write;

pub(super) use lines::MAX_BRANCHES;
pub(crate) use names::MARK;
pub use write::write;

pub(super) use write::write_sheet;

use super::fault::{Location, Problem, RecordFault};
use super::html;
use super::record::{GameResult, Record};
use super::start::Start;
use super::xqf::SET;
use chuhe_board::{Piece, Position, Setup, Side};
use lines::read_lines;
use names::{Orientation, READ_ONLY_ALIASES, TEXTS};
pub(super) use tags::next_span as next_mark;
use tags::{Tag, Tags};

/// Returns `true` if lower-case text contains a DhtmlXQ tag outside comments and tags of other formats.
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

/// Parser for the games in a text, which may be a whole page.
#[derive(Debug)]
pub struct DhtmlxqGames {
    tags: Tags,
}

impl DhtmlxqGames {
    /// Creates the parser.
    pub fn new(text: String) -> DhtmlxqGames {
        DhtmlxqGames { tags: Tags::new(html::brackets(text)) }
    }
}

impl Iterator for DhtmlxqGames {
    type Item = Result<Record, RecordFault>;

    fn next(&mut self) -> Option<Result<Record, RecordFault>> {
        let tags = self.tags.next_game();
        (!tags.is_empty()).then(|| read(&tags))
    }
}

fn read(tags: &[Tag]) -> Result<Record, RecordFault> {
    let value = |wanted: &str| tags.iter().find(|tag| tag.name == wanted).map(|tag| (tag.value, tag.line));
    let mut view = Orientation::Red;
    let mut start = match (value("binit"), value("fen")) {
        (Some((digits, line)), _) if !digits.is_empty() => {
            let digits: Vec<u8> = digits.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
            view = Orientation::of_board(&digits);
            start(&digits, view, line)?
        }
        (_, Some((fen, line))) if !fen.is_empty() => {
            Start::of_fen(fen, Location::Line(line)).map_err(|problem| RecordFault::at_line(line, problem))?
        }
        _ => Position::start().into(),
    };
    let mut record = Record::new(start.position.clone());
    for (name, tag) in TEXTS {
        let alias = READ_ONLY_ALIASES.into_iter().find(|(_, aliased)| *aliased == tag).map(|(alias, _)| alias);
        let mut texts = alias.into_iter().chain([name]).filter_map(value);
        if let Some((text, _)) = texts.find(|(text, _)| !text.is_empty()) {
            record.set_tag(tag, html::text(text).trim());
        }
    }
    record.result = value("result").map_or(GameResult::Unknown, |(text, _)| GameResult::read(&html::text(text)));
    let outcome = read_lines(&mut record, &mut start, view, tags);
    start.finish(record, outcome.err())
}

/// Parses a position of 64 digits: the square of each piece of a set, or 99 or `nn` for a missing piece.
fn start(digits: &[u8], view: Orientation, line: usize) -> Result<Start, RecordFault> {
    let is_place = |place: &[u8]| place.iter().all(u8::is_ascii_digit) || place.eq_ignore_ascii_case(b"nn");
    if digits.len() != 64 || !digits.chunks(2).all(is_place) {
        return Err(RecordFault::at_line(line, Problem::Form("binit must have 64 digits".into())));
    }
    let mut setup = Setup::empty();
    for (index, place) in digits.chunks(2).enumerate() {
        let side = if index < 16 { Side::Red } else { Side::Black };
        if let Some(square) = view.square(place[0], place[1]) {
            setup.board[square.index()] = Some(Piece::new(side, SET[index % 16]));
        }
    }
    Ok(Start::of_board(&setup, Location::Line(line)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::NodeId;

    fn games(text: &str) -> Vec<Result<Record, RecordFault>> {
        DhtmlxqGames::new(text.to_string()).collect()
    }

    /// The text is a published example with a variation at ply 2, a nested one at ply 3, and comments on all
    /// of them.
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
        // Names are case-insensitive; values keep their case.
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
        // The first move determines the side to move.
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
            (
                "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[DhtmlXQ_comment3_7]x[/DhtmlXQ_comment3_7]",
                2,
                "does not exist",
            ),
        ] {
            let fault = games(text).remove(0).unwrap_err();
            assert_eq!(fault.location, super::super::Location::Line(line), "{text}");
            assert!(fault.to_string().contains(word), "{fault}");
        }
        assert!(games("no tags at all").is_empty() && games("[DhtmlXQ").is_empty());
    }

    #[test]
    fn pages_have_their_lines_in_scripts() {
        let page = "<html><body><div id=\"v\">[DhtmlXQ]\n[DhtmlXQ_title]T[/DhtmlXQ_title]\n[DhtmlXQ_result]红方胜[/DhtmlXQ_result]\n\
            [DhtmlXQ_movelist][/DhtmlXQ_movelist]\n[/DhtmlXQ]</div>\n<script>var DhtmlXQ_movelist = ";
        for (script, moves, variations) in [
            ("'[0_1_0]77477062[/0_1_0][0_2_1]1022[/0_2_1]';", 2, 2),
            ("'[0_2_1]1022[/0_2_1][0_1_0]77477062[/0_1_0]';", 2, 2),
            ("'[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]';", 2, 1),
            ("\"77477062\";", 2, 1),
        ] {
            let read = games(&format!("{page}{script}</script></body></html>"));
            assert_eq!(read.len(), 1, "{script}");
            let game = read[0].as_ref().unwrap_or_else(|fault| panic!("{script}: {fault}"));
            assert_eq!((game.tag("Title"), game.result), (Some("T"), GameResult::RedWins), "{script}");
            assert_eq!(game.moves().len(), moves, "{script}");
            let first = game.tree.next(NodeId::ROOT).unwrap();
            assert_eq!(game.tree.children(first).count(), variations, "{script}");
        }
        // A repeated line does not begin another game.
        let twice = "[DhtmlXQ]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n\
            <script>var DhtmlXQ_movelist = '[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]';</script>";
        assert_eq!(games(twice).len(), 1);
        let two =
            page.replace("<html>", "") + "'[0_1_0]7747[/0_1_0]';</script>" + page + "'[0_1_0]1747[/0_1_0]';</script>";
        let read: Vec<_> = games(&two).into_iter().map(|game| game.unwrap().moves()[0].to_string()).collect();
        assert_eq!(read, ["h2e2", "b2e2"]);
    }

    #[test]
    fn entities_and_breaks_are_text() {
        let post = "<p>&#91;DhtmlXQ&#93;<br />\n&#91;DhtmlXQ_title&#93;Forum &quot;post&quot;&#91;/DhtmlXQ_title&#93;<br />\n\
            &#91;DhtmlXQ_comment1&#93;A<br/>B &lt;b&gt;&nbsp;C &amp; D&#91;/DhtmlXQ_comment1&#93;<br />\n\
            &#91;DhtmlXQ_movelist&#93;77477242&#91;/DhtmlXQ_movelist&#93;<br />\n&#91;/DhtmlXQ&#93;</p>";
        let game = games(post).remove(0).unwrap();
        assert_eq!((game.tag("Title"), game.moves().len()), (Some("Forum \"post\""), 2));
        assert_eq!(game.tree.comment(game.tree.next(NodeId::ROOT).unwrap()), "A\nB <b> C & D");
    }

    #[test]
    fn a_game_without_the_moves_of_its_source_is_a_fault() {
        for text in [
            "[DhtmlXQ_title]x[/DhtmlXQ_title][DhtmlXQ_move_3_1_4]7747[/DhtmlXQ_move_3_1_4]",
            "[DhtmlXQ_title]x[/DhtmlXQ_title][DhtmlXQ_movelist]x[/DhtmlXQ_movelist]",
            "[DhtmlXQ_title]x[/DhtmlXQ_title][3_1_4]7747[/3_1_4]",
        ] {
            let read = games(text);
            assert!(read.len() == 1 && read[0].is_err(), "{text}: {read:?}");
        }
        let main = games("[DhtmlXQ]\n[DhtmlXQ_move_0_1_0]77477062[/DhtmlXQ_move_0_1_0]\n[/DhtmlXQ]").remove(0).unwrap();
        assert_eq!(main.moves().len(), 2);
    }

    #[test]
    fn moves_with_numbers_late_remarks_and_turned_boards_are_read() {
        let board = "63nn69nn49nnnnnnnnnn86nnnnnn54nn05nnnn415130nnnnnnnnnn0338nn84nn";
        let text = format!(
            "[DhtmlXQiFrame]<br />[DhtmlXQ_movelist]63531GZI000041526LXN0001[/DhtmlXQ_movelist]<br />\
             [DhtmlXQ_binit]{board}[/DhtmlXQ_binit]<br />[DhtmlXQ_comment4]1-0[/DhtmlXQ_comment4]"
        );
        let game = games(&text).remove(0).unwrap();
        assert_eq!(game.moves(), ["g6f6", "e8f7"].map(|mv| mv.parse().unwrap()));
        let last = game.tree.next(game.tree.next(NodeId::ROOT).unwrap()).unwrap();
        assert_eq!(game.tree.comment(last), "1-0");
        // Black is at the bottom.
        let text = "[DhtmlXQ_binit]0010203040506070801272032343638389796959493929190977178666462606[/DhtmlXQ_binit]\
            [DhtmlXQ_movelist]1242[/DhtmlXQ_movelist]";
        let game = games(text).remove(0).unwrap();
        assert_eq!((game.start.clone(), game.moves()), (Position::start(), vec!["h2e2".parse().unwrap()]));
    }

    #[test]
    fn boards_without_a_king_are_kept_as_diagrams() {
        let board = "8979695949392919097717866646260600102030995060708012720323436383";
        let text = format!(
            "[DhtmlXQ_title]T[/DhtmlXQ_title][DhtmlXQ_binit]{board}[/DhtmlXQ_binit][DhtmlXQ_comment0]text[/DhtmlXQ_comment0]"
        );
        let diagram = games(&text).remove(0).unwrap_err().diagram.expect("a diagram");
        assert_eq!((diagram.tag("Title"), diagram.tree.comment(NodeId::ROOT)), (Some("T"), "text"));
    }

    #[test]
    fn games_without_moves_end_where_the_next_game_begins() {
        let named = |red: &str, moves: &str| {
            let start = Position::start();
            let moves = moves.split_whitespace().map(|mv| (mv.parse().unwrap(), String::new()));
            let mut record = Record::of_line(start, moves);
            record.set_tag("Red", red);
            record
        };
        let forfeit = Record { result: GameResult::BlackWins, ..named("甲", "") };
        let set_up = Record::new("3k5/9/9/9/9/9/9/9/5p3/4K1R2 b".parse().unwrap());
        let written = [forfeit, named("丙", "h2e2 h9g7"), set_up.clone(), set_up, named("丁", "b0c2")];
        let text: String = written.iter().map(write).collect();
        for text in [text.replace("[/DhtmlXQ]\n", ""), text] {
            let read: Vec<Record> = games(&text).into_iter().map(Result::unwrap).collect();
            assert_eq!(read, written, "{text}");
        }
    }
}
