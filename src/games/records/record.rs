//! A game record: players, first position, moves and result.

use super::tree::{NodeId, Tree};
use chuhe_board::rules::{Game, Outcome};
use chuhe_board::{Illegal, Move, Position, Side};
use std::fmt;

/// A game record.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Tags in order, without `Game`, `FEN`, `Format` and `Result`, which are derived from the other fields.
    pub tags: Vec<(String, String)>,
    /// Position before the first move.
    pub start: Position,
    /// Moves with variations, comments and glyphs; all moves are legal.
    pub tree: Tree,
    /// Result.
    pub result: GameResult,
}

/// Result of a game as given in its record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GameResult {
    /// `1-0`
    #[cfg_attr(feature = "serde", serde(rename = "1-0"))]
    RedWins,
    /// `0-1`
    #[cfg_attr(feature = "serde", serde(rename = "0-1"))]
    BlackWins,
    /// `1/2-1/2`
    #[cfg_attr(feature = "serde", serde(rename = "1/2-1/2"))]
    Draw,
    /// `*`: unfinished or unknown. Matches never produce it, but games from other programs may contain it.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "*", skip_deserializing))]
    Unknown,
}

impl GameResult {
    /// Returns the result of a win by this side.
    pub fn win_of(side: Side) -> GameResult {
        if side == Side::Red { GameResult::RedWins } else { GameResult::BlackWins }
    }

    /// Returns the winner.
    pub fn winner(self) -> Option<Side> {
        match self {
            GameResult::RedWins => Some(Side::Red),
            GameResult::BlackWins => Some(Side::Black),
            GameResult::Draw | GameResult::Unknown => None,
        }
    }

    /// Returns Red's outcome, if the game has ended.
    pub fn outcome_for_red(self) -> Option<Outcome> {
        match self {
            GameResult::RedWins => Some(Outcome::Win),
            GameResult::Draw => Some(Outcome::Draw),
            GameResult::BlackWins => Some(Outcome::Loss),
            GameResult::Unknown => None,
        }
    }

    /// Returns the number used by CBF, CBR and XQF.
    pub(super) fn byte(self) -> u8 {
        match self {
            GameResult::Unknown => 0,
            GameResult::RedWins => 1,
            GameResult::BlackWins => 2,
            GameResult::Draw => 3,
        }
    }

    /// Converts the number used by CBF, CBR and XQF; two numbers represent a draw.
    pub(super) fn from_byte(byte: u8) -> GameResult {
        match byte {
            1 => GameResult::RedWins,
            2 => GameResult::BlackWins,
            3 | 4 => GameResult::Draw,
            _ => GameResult::Unknown,
        }
    }

    /// Returns the result for an outcome of this side.
    pub fn of(outcome: Outcome, side: Side) -> GameResult {
        match outcome {
            Outcome::Win => GameResult::win_of(side),
            Outcome::Loss => GameResult::win_of(!side),
            Outcome::Draw => GameResult::Draw,
        }
    }

    /// Returns `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::RedWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }

    /// Parses a PGN result such as `1-0`.
    pub fn from_mark(text: &str) -> Option<GameResult> {
        Some(match text {
            "1-0" => GameResult::RedWins,
            "0-1" => GameResult::BlackWins,
            "1/2-1/2" | "1/2" | "½-½" | "0.5-0.5" => GameResult::Draw,
            "*" => GameResult::Unknown,
            _ => return None,
        })
    }

    /// Parses a PGN result in half- or full-width characters, or a word at the end of a Chinese move list,
    /// such as 红胜.
    pub(crate) fn from_word(text: &str) -> Option<GameResult> {
        const WORDS: [(GameResult, &[&str]); 3] = [
            (
                GameResult::RedWins,
                &[
                    "红胜",
                    "紅勝",
                    "红方胜",
                    "紅方勝",
                    "红先胜",
                    "紅先勝",
                    "先胜",
                    "先勝",
                    "黑负",
                    "黑負",
                    "黑方负",
                    "黑方負",
                ],
            ),
            (
                GameResult::BlackWins,
                &[
                    "黑胜",
                    "黑勝",
                    "黑方胜",
                    "黑方勝",
                    "红先负",
                    "紅先負",
                    "先负",
                    "先負",
                    "红负",
                    "紅負",
                    "红方负",
                    "紅方負",
                ],
            ),
            (GameResult::Draw, &["和棋", "和局", "平局", "平手", "双方和棋", "红先和", "紅先和", "先和", "和"]),
        ];
        if text.is_ascii() {
            return GameResult::from_mark(text);
        }
        let named = WORDS.iter().find(|(_, words)| words.contains(&text)).map(|(result, _)| *result);
        let narrow = |c: char| match c {
            '－' | '–' | '—' | '：' => '-',
            '／' | '０'..='９' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
            other => other,
        };
        named.or_else(|| GameResult::from_mark(&text.chars().map(narrow).collect::<String>()))
    }

    /// Parses the value of a tag like `GameResult::from_word`, but also finds a result among other words.
    /// Returns `Unknown` if there is none.
    pub fn read(text: &str) -> GameResult {
        let text = text.trim();
        let is_between = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | ';' | '（' | '）' | '，' | '；');
        let plain: String = text.split_whitespace().collect();
        let words = text.split(is_between).filter_map(GameResult::from_word);
        let parts = text.split(|c: char| is_between(c) || c.is_ascii_punctuation()).filter_map(GameResult::from_word);
        let read = GameResult::from_word(&plain).or_else(|| GameResult::from_points(&plain));
        read.or_else(|| words.chain(parts).next()).unwrap_or_default()
    }

    /// Parses points separated by a colon or a hyphen, or Red's result as a letter.
    fn from_points(text: &str) -> Option<GameResult> {
        match text.to_ascii_uppercase().replace([':', '：', '－'], "-").as_str() {
            "W" | "2-0" | "1-0" => Some(GameResult::RedWins),
            "L" | "0-2" | "0-1" => Some(GameResult::BlackWins),
            "D" | "1-1" | "0.5-0.5" | "1/2-1/2" => Some(GameResult::Draw),
            _ => None,
        }
    }
}

/// Returns the value of a tag; names are case-insensitive.
pub(super) fn tag<'t>(tags: &'t [(String, String)], name: &str) -> Option<&'t str> {
    tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl Default for Record {
    fn default() -> Record {
        Record::new(Position::start())
    }
}

impl Record {
    /// Creates a record without tags or moves.
    pub fn new(start: Position) -> Record {
        Record { tags: Vec::new(), start, tree: Tree::new(), result: GameResult::Unknown }
    }

    /// Creates a record of moves without variations, each with its comment. The moves must be legal, and
    /// there must be at most [`super::MAX_NODES`] of them.
    pub fn of_line(start: Position, line: impl IntoIterator<Item = (Move, String)>) -> Record {
        let mut record = Record::new(start);
        let mut last = NodeId::ROOT;
        for (mv, comment) in line {
            let Ok(id) = record.tree.add(last, mv) else { break };
            record.tree.set_comment(id, &comment);
            last = id;
        }
        record
    }

    /// Returns the moves of the main line.
    pub fn moves(&self) -> Vec<Move> {
        self.tree.main_line().filter_map(|id| self.tree.mv(id)).collect()
    }

    /// Returns the game of the main line.
    ///
    /// # Errors
    /// Returns an error if a move is illegal, which is possible only for trees that were not read from a
    /// file.
    pub fn game(&self) -> Result<Game, Illegal> {
        let mut game = Game::new(self.start.clone());
        self.moves().into_iter().try_for_each(|mv| game.try_make(mv))?;
        Ok(game)
    }

    /// Returns a tag's value; names are case-insensitive.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag(&self.tags, name)
    }

    /// Returns `true` if the record contains nothing but tags: no moves, no comment before them, and the
    /// initial position.
    pub fn is_blank(&self) -> bool {
        self.tree.is_empty() && self.tree.comment(NodeId::ROOT).is_empty() && self.start == Position::start()
    }

    /// Sets a tag, or removes it if the value is empty.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().find(|(key, _)| key.eq_ignore_ascii_case(name)) {
            _ if value.is_empty() => self.tags.retain(|(key, _)| !key.eq_ignore_ascii_case(name)),
            Some((_, old)) => *old = value.to_string(),
            None => self.tags.push((name.to_string(), value.to_string())),
        }
    }

    /// Adds the tags of an earlier version that this one lacks.
    pub fn with_missing_tags(mut self, earlier: &Record) -> Record {
        for (name, value) in &earlier.tags {
            if self.tag(name).is_none() {
                self.set_tag(name, value);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_in_words_too() {
        for (text, result) in [
            ("1-0", GameResult::RedWins),
            (" 1/2-1/2 ", GameResult::Draw),
            ("红先胜", GameResult::RedWins),
            ("黑勝", GameResult::BlackWins),
            ("红先负", GameResult::BlackWins),
            ("和棋", GameResult::Draw),
            ("黑负", GameResult::RedWins),
            ("１－０", GameResult::RedWins),
            ("1／2－1／2", GameResult::Draw),
            ("认输 (黑胜)", GameResult::BlackWins),
            ("1-0 (time)", GameResult::RedWins),
            ("0 - 1", GameResult::BlackWins),
            ("0.5-0.5(Agreed)", GameResult::Draw),
            ("W", GameResult::RedWins),
            ("l", GameResult::BlackWins),
            ("D", GameResult::Draw),
            ("红方胜", GameResult::RedWins),
            ("黑方胜", GameResult::BlackWins),
            ("平局", GameResult::Draw),
            ("1:0", GameResult::RedWins),
            ("0：1", GameResult::BlackWins),
            ("1 : 1", GameResult::Draw),
            ("0-0", GameResult::Unknown),
            ("?", GameResult::Unknown),
        ] {
            assert_eq!(GameResult::read(text), result, "{text}");
        }
    }

    #[test]
    fn tags_are_set_and_taken_away() {
        let mut record = Record::default();
        record.set_tag("Red", "A");
        record.set_tag("red", "B");
        assert_eq!((record.tag("RED"), record.tags.len()), (Some("B"), 1));
        record.set_tag("Red", "");
        assert_eq!(record.tag("Red"), None);
    }
}
