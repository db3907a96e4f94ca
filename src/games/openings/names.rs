//! Names of openings: ECCO's codes and names, found by position, so that transpositions and mirrored games
//! are named as well.

use chuhe_board::rules::Game;
use chuhe_board::words::{Key, Language};
use chuhe_board::{Move, Position};
use chuhe_engine::book::key;
use std::collections::HashMap;
use std::sync::LazyLock;

/// An opening with its names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// ECCO code, such as `C44`.
    pub code: &'static str,
    /// Chinese name; the variation, if any, follows `——`.
    pub chinese: &'static str,
    /// English name; the variation, if any, follows a colon.
    pub english: &'static str,
}

/// Openings, by the keys of the positions at the ends of their lines.
static NAMES: LazyLock<HashMap<u64, Opening>> = LazyLock::new(|| {
    ROWS.iter().flat_map(|(opening, lines)| lines.iter().map(move |line| (key_of(line), *opening))).collect()
});

/// All openings with their lines, in the order of the table.
static ROWS: LazyLock<Vec<(Opening, Vec<&str>)>> =
    LazyLock::new(|| rows(TABLE).map(|(opening, lines)| (opening, lines.collect())).collect());

const TABLE: &str = include_str!("../embedded/opening-names.tsv");

/// Maximum ply at which positions have names. The longest line has twenty plies, but a game may reach the
/// same position with additional moves.
const MAX_PLY: usize = 30;

impl Opening {
    /// Returns the opening of a game, whose moves must be legal: the name of its last named position. `None`
    /// if there is none, as in a game that starts in the middlegame.
    ///
    /// ```
    /// use chuhe_board::Position;
    /// use chuhe_games::openings::Opening;
    ///
    /// let moves = ["h2e2", "h7e7"].map(|mv| mv.parse().unwrap());
    /// let opening = Opening::of(&Position::start(), &moves).unwrap();
    /// assert_eq!((opening.code, opening.chinese), ("D00", "顺炮缓开车对其他"));
    /// ```
    pub fn of(start: &Position, moves: &[Move]) -> Option<Opening> {
        let mut position = start.clone();
        let named = |position: &Position| NAMES.get(&key(position).0).copied();
        moves.iter().take(MAX_PLY).fold(named(&position), |last, mv| {
            debug_assert!(position.is_legal(*mv), "{mv} is not legal");
            position.make(*mv);
            named(&position).or(last)
        })
    }

    /// Returns the opening of a game in progress.
    pub fn of_game(game: &Game) -> Option<Opening> {
        let moves: Vec<Move> = game.plies().iter().filter_map(|ply| ply.mv).collect();
        let mut start = game.clone();
        moves.iter().for_each(|_| start.unmake());
        Opening::of(start.position(), &moves)
    }

    /// Returns the codes that begin with `text`, for example `c4`, or, if there are none, those whose names
    /// contain it, for example `screen horses` or 屏风马; ignores case.
    pub(crate) fn codes(text: &str) -> Vec<&'static str> {
        let text = text.to_lowercase();
        let codes = |fits: &dyn Fn(&Opening) -> bool| -> Vec<&'static str> {
            ROWS.iter().filter(|(opening, _)| fits(opening)).map(|(opening, _)| opening.code).collect()
        };
        match codes(&|opening| opening.code.to_lowercase().starts_with(&text)) {
            found if !found.is_empty() => found,
            _ => codes(&|opening| opening.english.to_lowercase().contains(&text) || opening.chinese.contains(&text)),
        }
    }

    /// Returns the positions at the ends of all lines of the openings whose code begins with `text` or, if there
    /// are none, whose name contains it.
    pub fn lines(text: &str) -> Vec<Position> {
        let codes = Opening::codes(text);
        let wanted = ROWS.iter().filter(|(opening, _)| codes.contains(&opening.code));
        wanted.flat_map(|(_, lines)| lines.iter().map(|line| end_of(line))).collect()
    }

    /// Returns the opening with this code.
    pub fn with_code(code: &str) -> Option<Opening> {
        ROWS.iter().map(|(opening, _)| *opening).find(|opening| opening.code == code)
    }

    /// Returns the name with its variation.
    pub fn name(&self, language: Language) -> &'static str {
        match language {
            Language::English => self.english,
            Language::Chinese => self.chinese,
        }
    }

    /// Returns a caption such as `Opening: C00 Central cannon v. screen horses`.
    pub fn say(&self, language: Language) -> String {
        language.say(Key::OpeningIs, &[("code", &self.code), ("name", &self.name(language))])
    }

    /// Returns the Chinese name without the variation, and the variation, which may be empty; they are the
    /// tags `Opening` and `Variation` of a record.
    pub fn tags(&self) -> [&'static str; 2] {
        self.chinese.split_once("——").map_or([self.chinese, ""], |(name, variation)| [name, variation])
    }
}

/// Returns the rows of a table, each with its lines.
fn rows(table: &'static str) -> impl Iterator<Item = (Opening, impl Iterator<Item = &'static str>)> {
    let rows = table.split_inclusive('\n').scan(0, |end, line| {
        *end += line.len();
        let row = !line.starts_with(['#', '\t']);
        Some(row.then_some((line.trim_end(), &table[*end..])))
    });
    rows.flatten().map(|(names, rest)| {
        let mut names = names.split('\t');
        let [code, chinese, english] = [(); 3].map(|()| names.next().unwrap_or_default());
        (Opening { code, chinese, english }, rest.lines().map_while(|line| line.strip_prefix('\t')))
    })
}

/// Returns the key of the position at the end of a line.
fn key_of(line: &str) -> u64 {
    key(&end_of(line)).0
}

/// Returns the position at the end of a line; a test checks every line.
fn end_of(line: &str) -> Position {
    let mut position = Position::start();
    for mv in line.split(' ').filter_map(|mv| mv.parse().ok()) {
        position.make(mv);
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn moves(line: &str) -> Vec<Move> {
        line.split(' ').map(|mv| mv.parse().expect("a move")).collect()
    }

    fn code(line: &str) -> &'static str {
        Opening::of(&Position::start(), &moves(line)).map_or("", |opening| opening.code)
    }

    #[test]
    fn every_row_has_a_code_two_names_and_lines_that_can_be_played() {
        let (mut positions, mut codes) = (HashSet::new(), Vec::new());
        for (opening, lines) in rows(TABLE) {
            let [letter, digits @ ..] = opening.code.as_bytes() else { panic!("{opening:?}") };
            assert!((b'A'..=b'E').contains(letter) && digits.len() == 2 && digits.iter().all(u8::is_ascii_digit));
            assert!(opening.chinese.chars().all(|letter| letter > '\u{2000}'), "{opening:?}");
            assert!(!opening.english.is_empty() && opening.english.is_ascii(), "{opening:?}");
            codes.push(opening.code);
            let mut count = 0;
            for line in lines {
                let mut position = Position::start();
                for mv in moves(line) {
                    assert!(position.try_make(mv).is_ok(), "{}: {mv} in {line}", opening.code);
                }
                assert!(positions.insert(key(&position).0), "{}: {line} has two names", opening.code);
                assert_eq!(Opening::of(&Position::start(), &moves(line)), Some(opening), "{line}");
                count += 1;
            }
            assert!(count > 0, "{} has no line", opening.code);
        }
        assert!(codes.is_sorted_by(|one, two| one < two) && codes.len() == 260, "{}", codes.len());
        assert!(positions.len() > 1000 && positions.len() == NAMES.len());
    }

    #[test]
    fn every_first_move_has_a_name() {
        for mv in Position::start().legal_moves() {
            assert!(Opening::of(&Position::start(), &[mv]).is_some(), "{mv}");
        }
        assert_eq!(Opening::of(&Position::start(), &[]), None);
    }

    #[test]
    fn other_orders_of_moves_and_mirrored_games_have_the_same_name() {
        for line in ["h2e2 h9g7 h0g2 i9h9 i0h0 b9c7", "h2e2 b9c7 h0g2 h9g7 i0h0 i9h9", "b2e2 b9c7 b0c2 a9b9 a0b0 h9g7"]
        {
            assert_eq!(code(line), "C00", "{line}");
        }
    }

    #[test]
    fn a_game_keeps_its_last_name_and_a_position_without_moves_has_one() {
        let line = "h2e2 h9g7 h0g2 b9c7 i0i1 i9h9 a3a4 a6a5 i3i4 i6i5";
        let opening = Opening::of(&Position::start(), &moves(line)).expect("a name");
        assert_eq!((opening.code, opening.english), ("C10", "Central cannon, right ranked rook v. screen horses"));
        let pawn: Position = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/2P6/P3P1P1P/1C5C1/9/RNBAKABNR b".parse().expect("a FEN");
        assert_eq!(Opening::of(&pawn, &[]).map(|opening| opening.code), Some("E00"));
        let middle: Position = "4k4/9/9/9/9/9/9/9/9/R3K4 w".parse().unwrap_or_else(|_| Position::start());
        assert_eq!(Opening::of(&middle, &[]), None);
    }

    #[test]
    fn openings_are_looked_up_by_code_and_by_name() {
        assert_eq!(Opening::codes("d1"), ["D10", "D11", "D12", "D13", "D14", "D15"]);
        assert!(Opening::codes("B").iter().all(|code| code.starts_with('B')), "names with a b are not meant");
        assert_eq!(Opening::codes("龟背炮"), ["B06"]);
        assert_eq!((Opening::codes("turtle"), Opening::codes("Turtle")), (vec!["B06"], vec!["B06"]));
        assert_eq!(Opening::lines("D1").len(), Opening::lines("d1").len());
        assert_eq!(Opening::with_code("E10").map(|opening| opening.chinese), Some("仙人指路对卒底炮"));
    }

    #[test]
    fn the_lines_of_an_opening_end_in_its_positions() {
        let lines = Opening::lines("龟背炮");
        assert!(!lines.is_empty());
        for position in lines {
            assert_eq!(Opening::of(&position, &[]).map(|opening| opening.code), Some("B06"));
        }
    }

    #[test]
    fn a_variation_is_a_tag_of_its_own() {
        let opening = Opening::of(&Position::start(), &moves("h2e2 h7e7 h0g2 h9g7 i0h0 i9i8 g3g4")).expect("a name");
        assert_eq!((opening.code, opening.tags()), ("D26", ["顺炮直车对横车", "红进三兵"]));
        assert_eq!(opening.name(Language::English), "Same-side cannons, filed rook v. ranked rook: Red 3rd pawn");
    }
}
