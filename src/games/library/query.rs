//! Queries: conditions on a game's tags, and a position or a pattern that must occur in it.

use crate::names::{Aliases, fold};
use crate::openings::Opening;
use crate::records::GameResult;
use crate::records::tags::SEATS;
use chuhe_board::{Piece, Position, Side, Square};
use rusqlite::types::Value;
use serde_json::json;
use std::str::FromStr;
use thiserror::Error;

/// Value of a [`SEATS`] tag for a person.
pub(super) const PERSON: &str = "human";

/// Conditions that a game must meet. Names are case-insensitive substrings, in traditional or simplified
/// characters.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Player of either colour.
    pub player: Option<String>,
    /// Red's player.
    pub red: Option<String>,
    /// Black's player.
    pub black: Option<String>,
    /// Colour of a person, in games stored by the page.
    pub person: Option<Side>,
    /// Event.
    pub event: Option<String>,
    /// First year.
    pub since: Option<i64>,
    /// Last year.
    pub until: Option<i64>,
    /// Result.
    pub result: Option<GameResult>,
    /// Minimum number of plies.
    pub plies_from: Option<i64>,
    /// Maximum number of plies.
    pub plies_to: Option<i64>,
    /// Prefix of an ECCO code (`C4`), or substring of an opening's name in either language.
    pub opening: Option<String>,
    /// Pattern that a position of the game must match.
    pub pattern: Option<Pattern>,
}

/// Pattern of a position.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// This position with its side to move; the counters are ignored.
    Position {
        /// Position.
        position: Box<Position>,
        /// Also matches the mirror image.
        mirrored: bool,
    },
    /// A position with these pieces.
    Pieces(Pieces),
}

/// Piece pattern.
#[derive(Clone, Debug)]
pub enum Pieces {
    /// Exact material, in any order.
    Material(Vec<Piece>),
    /// Pieces on squares, or on the mirror images of the squares.
    OnSquares(Vec<(Piece, Square)>),
}

impl Pattern {
    /// Creates a pattern for a position, optionally with its mirror image.
    pub fn position(position: &Position, mirrored: bool) -> Pattern {
        Pattern::Position { position: Box::new(position.clone()), mirrored }
    }
}

impl Pieces {
    /// Matches the pattern against a position: `Some(true)` if only the mirror image matches, `None` if
    /// neither matches.
    pub(super) fn fit(&self, position: &Position) -> Option<bool> {
        match self {
            Pieces::Material(pieces) => (material(position) == *pieces).then_some(false),
            Pieces::OnSquares(places) => [false, true].into_iter().find(|turned| {
                let turn = |square: Square| if *turned { square.mirrored() } else { square };
                places.iter().all(|(piece, square)| position.piece_on(turn(*square)) == Some(*piece))
            }),
        }
    }
}

/// Returns the pieces of a position, sorted.
fn material(position: &Position) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Square::ALL.into_iter().filter_map(|square| position.piece_on(square)).collect();
    pieces.sort_unstable_by_key(|piece| piece.index());
    pieces
}

/// Reason why a string is not a piece pattern.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PatternError {
    /// The text is empty.
    #[error("pieces are missing, such as KRPkaabb or Re6,ch2")]
    Empty,
    /// A letter is not a piece.
    #[error("{0:?} is not a piece")]
    Piece(char),
    /// A piece is missing before or after a comma.
    #[error("a piece is missing before or after a comma")]
    Gap,
    /// A piece has no square, or an invalid one.
    #[error("{0:?} is not a piece with its square, such as Re6")]
    Square(String),
}

/// Parses `KRPkaabb`, the material of both sides, or `Re6,ch2`, pieces on squares, with the letters of a FEN.
impl FromStr for Pieces {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Pieces, PatternError> {
        let piece = |letter: char| Piece::from_letter(letter).ok_or(PatternError::Piece(letter));
        if text.is_empty() {
            return Err(PatternError::Empty);
        }
        if !text.contains(|letter: char| letter.is_ascii_digit()) {
            let mut pieces = text.chars().map(piece).collect::<Result<Vec<Piece>, _>>()?;
            pieces.sort_unstable_by_key(|piece| piece.index());
            return Ok(Pieces::Material(pieces));
        }
        let place = |word: &str| {
            let mut letters = word.chars();
            let letter = letters.next().ok_or(PatternError::Gap)?;
            let square = letters.as_str().parse().map_err(|_| PatternError::Square(word.to_owned()))?;
            Ok((piece(letter)?, square))
        };
        text.split(',').map(|word| place(word.trim())).collect::<Result<_, _>>().map(Pieces::OnSquares)
    }
}

/// SQL condition that is true for every game.
const ALL: &str = "1";

/// Condition on a player's name, as in [`Aliases::is_part`].
pub(super) const PLAYER: &str = "(instr(person(name), ?) OR folded LIKE ? ESCAPE '\\')";

impl Query {
    /// Returns `true` if there are conditions on tags.
    pub(super) fn has_conditions(&self) -> bool {
        self.conditions(&Aliases::default()).0 != ALL
    }

    /// Returns the conditions on tags as SQL over the tables `games`, `red`, `black` and `event`, with their
    /// values in order.
    pub(super) fn conditions(&self, aliases: &Aliases) -> (String, Vec<Value>) {
        let mut conditions = vec![ALL.to_owned()];
        let mut values: Vec<Value> = Vec::new();
        let mut condition = |sql: &str, given: Vec<Value>| {
            conditions.push(sql.to_owned());
            values.extend(given);
        };
        let part = |name: &String| Value::Text(format!("%{}%", escape(&fold(name))));
        let names = |name: &String| [Value::Text(aliases.key(name)), part(name)];
        let of = |column: &str| format!("games.{column} IN (SELECT id FROM players WHERE {PLAYER})");
        if let Some(name) = &self.player {
            condition(&format!("({} OR {})", of("red"), of("black")), [names(name), names(name)].concat());
        }
        for (name, column) in [(&self.red, "red"), (&self.black, "black")] {
            if let Some(name) = name {
                condition(&of(column), names(name).to_vec());
            }
        }
        if let Some(side) = self.person {
            let seat = json!([SEATS[side.index()], PERSON]).to_string();
            condition("games.id IN (SELECT game FROM lines WHERE instr(tags, ?))", vec![Value::Text(seat)]);
        }
        if let Some(name) = &self.event {
            condition("games.event IN (SELECT id FROM events WHERE folded LIKE ? ESCAPE '\\')", vec![part(name)]);
        }
        for (number, sql) in [
            (self.since, "games.year >= ?"),
            (self.until, "games.year <= ?"),
            (self.plies_from, "games.plies >= ?"),
            (self.plies_to, "games.plies <= ?"),
        ] {
            if let Some(number) = number {
                condition(sql, vec![Value::Integer(number)]);
            }
        }
        if let Some(result) = self.result {
            condition("games.result = ?", vec![Value::Text(result.text().to_owned())]);
        }
        if let Some(codes) = self.opening.as_ref().map(|name| Opening::codes(&fold(name))) {
            let marks = vec!["?"; codes.len()].join(", ");
            condition(
                &format!("games.opening IN ({marks})"),
                codes.into_iter().map(|code| Value::Text(code.to_owned())).collect(),
            );
        }
        (conditions.join(" AND "), values)
    }
}

/// Escapes the wildcards of `LIKE`.
pub(super) fn escape(text: &str) -> String {
    text.chars()
        .flat_map(|letter| ['%', '_', '\\'].contains(&letter).then_some('\\').into_iter().chain([letter]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_material_or_pieces_on_squares() {
        let end: Position = "3k5/9/9/9/9/9/9/9/4R4/4K4 w".parse().expect("a FEN");
        let fits = |text: &str| text.parse::<Pieces>().expect("pieces").fit(&end);
        assert_eq!((fits("kKR"), fits("KRk"), fits("KRRk"), fits("Kk")), (Some(false), Some(false), None, None));
        assert_eq!(
            (fits("Re1"), fits("Re1, kd9"), fits("kf9"), fits("Re2")),
            (Some(false), Some(false), Some(true), None)
        );
        assert!("Xe1".parse::<Pieces>().is_err() && "Re".parse::<Pieces>().is_ok_and(|p| p.fit(&end).is_none()));
        assert!("Rz9".parse::<Pieces>().is_err());
    }
}
