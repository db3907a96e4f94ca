//! WXF files, written by PlayOK and 象棋桥 (CCBridge): header lines `KEY value`, then the moves in `START{ …
//! }END`.
//!
//! Based on files from these programs and on drafts from the 1990s, in which moves may be in ICCS.

mod names;
mod read;
mod write;

pub use write::write;
pub(super) use write::write_sheet;

use super::fault::{Problem, RecordFault};
use super::lookahead::find;
use super::record::Record;
use names::{FORMAT, key};
use read::Draft;

/// Notations that the first line may specify.
const KINDS: [&str; 5] = ["WXF", "AXF", "ICCS", "LALG", "SALG"];

/// Returns `true` if `text` begins like a WXF file.
pub(crate) fn begins(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let Some(first) = words.next() else { return false };
    let is_kind = |word: &str| KINDS.iter().any(|kind| word.eq_ignore_ascii_case(kind));
    if first.eq_ignore_ascii_case(FORMAT) && words.next().is_some_and(is_kind) {
        return true;
    }
    // A comment may contain arbitrary text.
    let mut is_in_braces = false;
    let begins_the_moves = |line: &str| {
        let (key, rest) = key(line);
        let begins = !is_in_braces && key.eq_ignore_ascii_case("START") && rest.trim_start().starts_with('{');
        is_in_braces = line.rfind(['{', '}']).map_or(is_in_braces, |at| line[at..].starts_with('{'));
        begins
    };
    !first.starts_with('[') && text.lines().any(begins_the_moves)
}

/// Returns `true` if a line is the first line of a game.
pub(super) fn begins_with(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_kind = |word: &str| KINDS.iter().any(|kind| word.eq_ignore_ascii_case(kind));
    words.next().is_some_and(|first| first.eq_ignore_ascii_case(FORMAT)) && words.next().is_some_and(is_kind)
}

/// Iterator over the games in a WXF file.
#[derive(Debug)]
pub struct WxfGames {
    text: String,
    at: usize,
    /// Number of the last line read, from 1.
    line: usize,
    has_ended: bool,
}

impl WxfGames {
    /// Creates the iterator.
    pub fn new(text: String) -> WxfGames {
        WxfGames { text, at: 0, line: 0, has_ended: false }
    }
}

impl Iterator for WxfGames {
    type Item = Result<Record, RecordFault>;

    fn next(&mut self) -> Option<Result<Record, RecordFault>> {
        let mut game = Draft::default();
        while !self.has_ended {
            let rest = &self.text[self.at..];
            let end = find!(rest, '\n').map_or(rest.len(), |end| end + 1);
            let line = rest[..end].trim_end_matches(['\n', '\r']);
            self.at += end;
            self.has_ended = self.at >= self.text.len();
            self.line += usize::from(end > 0);
            if game.read_line(line, self.line) {
                return Some(game.finish(None));
            }
        }
        game.cut().map(|inside| game.finish(Some(RecordFault::at_line(self.line, Problem::Cut(inside)))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Format, GameResult, RecordReader};
    use chuhe_board::Side;

    fn games(text: &str) -> Vec<Result<Record, crate::records::RecordFault>> {
        let games = RecordReader::new(std::io::Cursor::new(text.as_bytes().to_vec())).unwrap();
        assert_eq!(games.format, Format::Wxf, "{text}");
        games.collect()
    }

    /// A file as written by PlayOK.
    const PLAYOK: &str = "FORMAT  WXF\nRED     anna ; 1200 ;;\nBLACK   bo ; 1240 ;;\nRESULT  0-1\nDATE    2026-11-22 02:02:02\n\
        EVENT   PlayOK Game ; 10m+0s\nSTART{\n 1. P3+1 c8.7   2. E7+5 c2.5   3. H2+3 h2+3\n 4. H8+6 r1.2 }END\n";

    #[test]
    fn files_of_other_programs_are_read() {
        let game = games(PLAYOK).remove(0).unwrap();
        assert_eq!(game.moves().len(), 8);
        assert_eq!(game.moves()[7], "a9b9".parse().unwrap());
        let tags = ["Red", "RedElo", "Black", "BlackElo", "Event"].map(|tag| game.tag(tag).unwrap_or_default());
        assert_eq!(tags, ["anna", "1200", "bo", "1240", "PlayOK Game ; 10m+0s"]);
        assert_eq!(game.result, GameResult::BlackWins);
        // The file is a position as written by 象棋桥, followed by a game.
        let position = "FORMAT  \tWXF\nGAME    \nRED     \t;;;\nBLACK   \t;;;\nDATE    \t2026-11-22\nFEN  \t\t\
            4kaer1/4a2c1/2h1e1h2/3Rp1C1p/2C6/5rP2/1pP1P3P/8E/9/1cEAKA1R1 b\n\nSTART{\n}END\n";
        let both: Vec<Record> = games(&(position.to_string() + PLAYOK)).into_iter().map(Result::unwrap).collect();
        assert_eq!(both.len(), 2);
        assert_eq!((both[0].start.side(), both[0].tags.len()), (Side::Black, 1));
        assert_eq!(both[1], game);
    }

    #[test]
    fn drafts_with_coordinates_comments_and_lists_of_pieces_are_read() {
        let text = "GAME\nred x\nSome words\nRESULT 0.5-0.5(Agreed)\nNOTES{\nRed played { on\n}END\nSTART {\n\
            1. H2-E2 ...\n# a {good} reply\n1.  ... H9-G7!\n2. H0-G2 {two\nlines} I9-H9\n}\n";
        let game = games(text).remove(0).unwrap();
        assert_eq!((game.moves().len(), game.result), (4, GameResult::Draw));
        let line: Vec<_> = game.tree.main_line().collect();
        assert_eq!(game.tree.comment(line[0]), "a {good} reply");
        assert_eq!(game.tree.comment(line[2]), "two\nlines");
        assert_eq!(game.tree.glyphs(line[1]).collect::<Vec<_>>(), [1]);
        let pieces = "FORMAT\tWXF\nSETUP{\nKe0 Ra0 kd9\nMOVE 12 BLACK }END\nSTART{\n1. ... k4+1\n}END\n";
        let game = games(pieces).remove(0).unwrap();
        assert_eq!(game.start.to_string(), "3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1");
    }

    #[test]
    fn a_semicolon_ends_values_and_moves_and_begins_no_comment() {
        let text = "FORMAT\tWXF\nGAME\tCup;\nRED\tanna;\nTIME\t10;5;\nRESULT\t1-0;\nSTART{\n1. C2.5; H8+7;\n2. H2+3; R9.8;\n};\n";
        let game = games(text).remove(0).unwrap();
        assert_eq!((game.moves().len(), game.result), (4, GameResult::RedWins));
        assert!(game.tree.main_line().all(|id| game.tree.comment(id).is_empty()));
        let tags = ["Title", "Red", "RedTime", "BlackTime"].map(|tag| game.tag(tag).unwrap_or_default());
        assert_eq!(tags, ["Cup", "anna", "10", "5"]);
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let mut record = Record::new("3k5/4P4/4P4/4P4/9/9/9/9/2p6/5K3 b - - 3 40".parse().unwrap());
        record.result = GameResult::RedWins;
        for (tag, value) in
            [("Red", "\"A\" \\"), ("RedElo", "2000"), ("Black", "乙"), ("Title", "x ; y"), ("Site", "z")]
        {
            record.set_tag(tag, value);
        }
        let mut last = crate::records::NodeId::ROOT;
        for mv in ["c1c0", "e8f8", "c0b0", "e6f6"] {
            last = record.tree.add(last, mv.parse().unwrap()).unwrap();
        }
        let text = write(&record);
        assert!(text.contains(" 40. ...    P3+1\n 41. 15.4   P3.2\n 42. P-.4\n}END"), "{text}");
        let mut read: Vec<Record> =
            games(&(text + &write(&Record::default()))).into_iter().map(Result::unwrap).collect();
        read[0].tags.sort();
        record.tags.sort();
        assert_eq!(read, [record, Record::default()]);
    }

    #[test]
    fn faults_are_named_with_their_line_and_the_games_around_them_are_read() {
        let broken = PLAYOK.replace("H2+3", "H2+4");
        let read = games(&(PLAYOK.to_string() + &broken + PLAYOK));
        assert_eq!(read.len(), 3);
        let fault = read[1].as_ref().unwrap_err();
        assert_eq!(
            (fault.location, fault.game.as_ref().unwrap().moves().len()),
            (crate::records::Location::Line(17), 4)
        );
        assert!(read[0].is_ok() && read[2].is_ok());
        assert!(games("FORMAT WXF\nFEN 9/9 r\nSTART{\n}END\n")[0].is_err());
        for (cut, line, word) in [
            ("FORMAT WXF\nRED x\n", 2, "head"),
            ("FORMAT WXF\rRED x\rSTART{\r1. C2.5\r}END\r", 1, "head"),
            ("FORMAT WXF\nSTART{\n1. C2.5 h8+7", 3, "moves"),
            ("FORMAT WXF\nSETUP{ Ke0 kd9", 2, "block"),
        ] {
            let read = games(&(PLAYOK.to_string() + cut));
            let fault = read[1].as_ref().unwrap_err();
            assert_eq!((read.len(), fault.location), (2, crate::records::Location::Line(9 + line)), "{cut}");
            assert!(fault.to_string().contains(word), "{fault}");
        }
        assert_eq!(games(&PLAYOK.to_ascii_lowercase())[0].as_ref().unwrap().tag("Red"), Some("anna"));
        for text in ["", "[Event \"START{\"]\n", "format the disk", "1. C2=5 {START{}"] {
            assert!(!begins(text), "{text}");
        }
    }
}
