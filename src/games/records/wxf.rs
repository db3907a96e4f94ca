//! WXF files, which PlayOK and 象棋桥 (CCBridge) write: a head of lines `KEY value`, then the moves in `START{ … }END`.
//!
//! After files of these programs and the drafts of the 1990s, in which the moves may be ICCS. A file is turned into PGN line by line, so that
//! the reader of PGN reads the moves and faults name the file's own lines.

use super::fault::{Fault, Problem};
use super::look::{find, looked};
use super::pgn;
use super::record::{GameResult, Record};
use chuhe_board::notation;
use chuhe_board::{Piece, STARTPOS, Setup, Side, Square};
use std::fmt::Write as _;
use std::io::Cursor;

/// What the first line begins with, before the kind of notation.
const FIRST: &str = "FORMAT";
/// The keys of the head, and which tags they are.
const TEXTS: [(&str, &str); 11] = [
    ("GAME", "Title"),
    ("EVENT", "Event"),
    ("ROUND", "Round"),
    ("DATE", "Date"),
    ("PLACE", "Site"),
    ("SITE", "Site"),
    ("RED", "Red"),
    ("BLACK", "Black"),
    ("OPEN", "Opening"),
    ("ECCO", "ECCO"),
    ("AUTHOR", "Author"),
];

/// Other formats that a first line may name.
const KINDS: [&str; 5] = ["WXF", "AXF", "ICCS", "LALG", "SALG"];

/// Whether a text begins as such a file does.
pub fn begins(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let Some(first) = words.next() else { return false };
    let is_kind = |word: &str| KINDS.iter().any(|kind| word.eq_ignore_ascii_case(kind));
    if first.eq_ignore_ascii_case(FIRST) && words.next().is_some_and(is_kind) {
        return true;
    }
    // A comment may hold anything.
    let mut is_in_braces = false;
    let begins_the_moves = |line: &str| {
        let (key, rest) = key(line);
        let begins = !is_in_braces && key.eq_ignore_ascii_case("START") && rest.trim_start().starts_with('{');
        is_in_braces = line.rfind(['{', '}']).map_or(is_in_braces, |at| line[at..].starts_with('{'));
        begins
    };
    !first.starts_with('[') && text.lines().any(begins_the_moves)
}

/// The key of a line of the head, and what follows it.
fn key(line: &str) -> (&str, &str) {
    let line = line.trim_start();
    let end = find!(line, |c: char| !c.is_ascii_alphabetic()).unwrap_or(line.len());
    line.split_at(end)
}

/// The games of a text.
pub fn games(text: &str) -> impl Iterator<Item = Result<Record, Fault>> + Send + use<> {
    let (pgn, cut) = as_pgn(text);
    let mut games = pgn::Games::new(Cursor::new(pgn.into_bytes())).peekable();
    std::iter::from_fn(move || match (games.next()?, &cut) {
        (Ok(game), Some(fault)) if games.peek().is_none() => Some(Err(fault.clone().with_game(game))),
        (game, _) => Some(game),
    })
}

/// The same text as PGN, line for line, and what is wrong with its end.
fn as_pgn(text: &str) -> (String, Option<Fault>) {
    let pgn = String::with_capacity(text.len());
    let mut reader = Reader { pgn, place: Place::Head, is_open: false, result: None, setup: None };
    for line in text.lines() {
        reader.line(line);
        reader.pgn.push('\n');
    }
    let inside = match reader.place {
        Place::Head => Some("the head").filter(|_| reader.is_open),
        Place::Moves | Place::Comment => Some("the moves"),
        Place::Pieces | Place::Other => Some("a block"),
    };
    let cut = inside.map(|inside| Fault::at_line(text.lines().count(), Problem::Cut(inside)));
    (reader.pgn, cut)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Head,
    Moves,
    /// A comment among the moves.
    Comment,
    /// The list of the pieces at the start.
    Pieces,
    /// A block that is not known.
    Other,
}

struct Reader {
    pgn: String,
    place: Place,
    /// A head has begun whose moves were not met yet.
    is_open: bool,
    result: Option<GameResult>,
    setup: Option<Setup>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let mut rest = line;
        if self.place == Place::Moves && line.trim_start().starts_with('#') {
            let text = line.trim_start().trim_start_matches('#').replace(['{', '}'], "|");
            let _ = write!(self.pgn, "{{{}}}", text.trim());
            return;
        }
        while !rest.is_empty() {
            rest = match self.place {
                Place::Head => self.head(rest),
                Place::Moves => match find!(rest, ['{', '}']) {
                    Some(at) => {
                        self.moves(&rest[..at]);
                        if rest[at..].starts_with('{') {
                            self.pgn.push('{');
                            self.place = Place::Comment;
                        } else {
                            let result = self.result.take().unwrap_or_default();
                            let _ = write!(self.pgn, " {}", result.text());
                            self.place = Place::Head;
                        }
                        behind(&rest[at..])
                    }
                    None => {
                        self.moves(rest);
                        ""
                    }
                },
                Place::Comment => {
                    let end = find!(rest, '}').map_or(rest.len(), |at| at + 1);
                    self.pgn += &rest[..end].replace('{', "|");
                    if rest[..end].ends_with('}') {
                        self.place = Place::Moves;
                    }
                    &rest[end..]
                }
                Place::Pieces | Place::Other => {
                    let end = find!(rest, '}').unwrap_or(rest.len());
                    self.pieces(&rest[..end]);
                    if end < rest.len() {
                        self.end_block();
                    }
                    behind(&rest[end..])
                }
            };
        }
    }

    /// Moves; a `;` between them begins no comment here.
    fn moves(&mut self, text: &str) {
        self.pgn.extend(text.chars().map(|c| if c == ';' { ' ' } else { c }));
    }

    /// A line of the head; what follows if a block begins in it.
    fn head<'t>(&mut self, line: &'t str) -> &'t str {
        let (word, rest) = key(line);
        let key = &*word.to_ascii_uppercase();
        let value = rest.trim_start().trim_start_matches(':').trim_start();
        if let Some(inside) = value.strip_prefix('{') {
            self.is_open &= key != "START";
            self.place = match key {
                "START" => Place::Moves,
                "SETUP" => Place::Pieces,
                _ => Place::Other,
            };
            self.setup = (self.place == Place::Pieces).then(Setup::empty);
            return inside;
        }
        looked(value.len());
        let value = value.trim_end_matches(|c: char| c.is_whitespace() || c == ';');
        match key {
            FIRST => {
                self.pgn += "[Game \"Chinese Chess\"]";
                self.is_open = true;
            }
            "RESULT" => {
                self.result = Some(GameResult::read(value));
                self.tag("Result", self.result.unwrap_or_default().text());
            }
            "FEN" => self.tag("FEN", value),
            "RED" | "BLACK" => {
                // The name; the rating; two more.
                let mut parts = value.split(';').map(str::trim);
                let name = if key == "RED" { "Red" } else { "Black" };
                self.tag(name, parts.next().unwrap_or_default());
                let rating = parts.next().filter(|rating| rating.bytes().all(|byte| byte.is_ascii_digit()));
                self.tag(&format!("{name}Elo"), rating.unwrap_or_default());
            }
            "TIME" => {
                let (red, black) = value.split_once(';').unwrap_or((value, ""));
                self.tag("RedTime", red);
                self.tag("BlackTime", black);
            }
            "END" => {}
            key => {
                let known = TEXTS.iter().find(|(known, _)| *known == key).map(|(_, tag)| *tag);
                // Other keys are kept if they are words in capitals.
                let other = Some(word).filter(|word| *word == key && (2..20).contains(&word.len()));
                if let Some(tag) = known.or(other) {
                    self.tag(tag, value);
                }
            }
        }
        ""
    }

    fn tag(&mut self, name: &str, value: &str) {
        let value = value.trim().replace('\\', "\\\\").replace('"', "\\\"");
        if !value.is_empty() {
            let _ = write!(self.pgn, "[{name} \"{value}\"]");
        }
    }

    /// `Rh0 cb7 … BLACK`: pieces with their squares, and whose turn it is.
    fn pieces(&mut self, text: &str) {
        let Some(setup) = &mut self.setup else { return };
        for word in text.split_whitespace() {
            let mut letters = word.chars();
            let piece = letters.next().and_then(Piece::from_letter);
            match (word, piece, letters.as_str().parse::<Square>()) {
                ("RED", ..) => setup.side = Side::Red,
                ("BLACK", ..) => setup.side = Side::Black,
                (_, Some(piece), Ok(square)) => setup.board[square.index()] = Some(piece),
                _ => {}
            }
        }
    }

    fn end_block(&mut self) {
        self.place = Place::Head;
        if let Some(setup) = self.setup.take() {
            self.tag("FEN", &setup.to_string());
        }
    }
}

/// What follows behind a brace, and behind the word `END` after it.
fn behind(text: &str) -> &str {
    let rest = text.get(1..).unwrap_or_default();
    if text.starts_with('}') { rest.strip_prefix("END").unwrap_or(rest) } else { rest }
}

/// The main line as a file. It has no place for comments, variations and glyphs; braces in tags become `|`.
pub fn write(record: &Record) -> String {
    let mut text = format!("{FIRST}\tWXF\n");
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
        let value = plain(record.tag(tag).unwrap_or_default());
        let _ = match key {
            "RED" | "BLACK" => {
                let rating = plain(record.tag(&format!("{tag}Elo")).unwrap_or_default());
                writeln!(text, "{key}\t{} ; {} ;;", value.replace(';', ","), rating.replace(';', ","))
            }
            "SITE" => continue,
            key if value.is_empty() && key != "GAME" => continue,
            key => writeln!(text, "{key}\t{value}"),
        };
    }
    let _ = writeln!(text, "RESULT\t{}", record.result);
    let start = record.start.to_string();
    if start != STARTPOS {
        let _ = writeln!(text, "FEN\t{}", start.replacen(" w ", " r ", 1));
    }
    text += "\nSTART{\n";
    let mut position = record.start.clone();
    for (ply, mv) in record.moves().into_iter().enumerate() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Format, Games};

    fn games(text: &str) -> Vec<Result<Record, crate::records::Fault>> {
        let games = Games::new(std::io::Cursor::new(text.as_bytes().to_vec())).unwrap();
        assert_eq!(games.format, Format::Wxf, "{text}");
        games.collect()
    }

    /// As PlayOK writes them.
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
        // As 象棋桥 writes a position, and behind it a game.
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
        assert_eq!(game.tree.comment(line[0]), "a |good| reply");
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
        assert_eq!((fault.place, fault.game.as_ref().unwrap().moves().len()), (crate::records::Place::Line(17), 4));
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
            assert_eq!((read.len(), fault.place), (2, crate::records::Place::Line(9 + line)), "{cut}");
            assert!(fault.to_string().contains(word), "{fault}");
        }
        assert_eq!(games(&PLAYOK.to_ascii_lowercase())[0].as_ref().unwrap().tag("Red"), Some("anna"));
        for text in ["", "[Event \"START{\"]\n", "format the disk", "1. C2=5 {START{}"] {
            assert!(!begins(text), "{text}");
        }
    }
}
