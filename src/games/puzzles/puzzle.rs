//! Puzzles and their file format.

use super::themes::{Aim, Theme};
use crate::records::epd;
use chuhe_board::{Move, Position};
use std::fmt;
use thiserror::Error;

/// Embedded puzzles, from Chuhe's self-play games.
static BUILT_IN: &str = include_str!("../embedded/puzzles.epd");

/// A position with one clearly best move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// Position with the solver to move.
    pub position: Position,
    /// Solution: the solver's moves and the best replies. It ends with a move of the solver.
    pub line: Vec<Move>,
    /// Difficulty, at least 600, derived from the length of a search; not calibrated against human players.
    pub rating: u32,
    /// Themes, starting with the aim.
    pub themes: Vec<Theme>,
}

/// Error in a line of a puzzle file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {number}: {what}")]
pub struct BadPuzzle {
    /// Line number, from 1.
    pub number: usize,
    /// Reason.
    pub what: Wrong,
}

/// Reason why a line in a file is not a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Wrong {
    /// The position is not legal.
    #[error("not a legal position")]
    Position,
    /// `pv` is missing, contains an illegal move, or does not end with the solver's move.
    #[error("pv must consist of legal moves and end with a move by the solver")]
    Line,
    /// `rating` is missing or not a number.
    #[error("rating must be a number")]
    Rating,
    /// `themes` is missing, does not begin with an aim, or contains an unknown word.
    #[error("themes must begin with mate, win or defence")]
    Themes,
}

/// Returns the embedded puzzles.
///
/// ```
/// let puzzles = chuhe_games::puzzles::built_in();
/// assert!(puzzles.iter().all(|puzzle| puzzle.position.is_legal(puzzle.line[0])));
/// ```
pub fn built_in() -> Vec<Puzzle> {
    Puzzle::read(BUILT_IN).expect("a test reads them")
}

impl Puzzle {
    /// Parses a file with one puzzle per line.
    ///
    /// ```
    /// use chuhe_games::puzzles::{Puzzle, Theme};
    ///
    /// let text = "3k5/4P4/9/9/9/9/9/9/9/R3K4 w ; pv a0a9 ; rating 600 ; themes mate ending\n";
    /// let puzzles = Puzzle::read(text).unwrap();
    /// assert_eq!(puzzles[0].themes, [Theme::MATE, Theme::Ending]);
    /// assert_eq!(format!("{}\n", puzzles[0]), text);
    /// ```
    ///
    /// # Errors
    /// Returns the first line that is not a puzzle.
    pub fn read(text: &str) -> Result<Vec<Puzzle>, BadPuzzle> {
        let read = |line: epd::EpdLine| Puzzle::of(&line).map_err(|what| BadPuzzle { number: line.number, what });
        epd::read(text).into_iter().map(read).collect()
    }

    fn of(text: &epd::EpdLine) -> Result<Puzzle, Wrong> {
        let position: Position = text.fen.parse().map_err(|_| Wrong::Position)?;
        let words = |name| text.operation(name).unwrap_or_default().split_whitespace();
        let moves: Option<Vec<Move>> = words("pv").map(|word| word.parse().ok()).collect();
        let line = moves.filter(|line| line.len() % 2 == 1).ok_or(Wrong::Line)?;
        let mut after = position.clone();
        line.iter().try_for_each(|&mv| after.try_make(mv).map(drop)).map_err(|_| Wrong::Line)?;
        let rating = text.operation("rating").and_then(|number| number.parse().ok()).ok_or(Wrong::Rating)?;
        let themes: Option<Vec<Theme>> = words("themes").map(Theme::from_name).collect();
        let themes = themes.filter(|themes| matches!(themes.first(), Some(Theme::Aim(_)))).ok_or(Wrong::Themes)?;
        Ok(Puzzle { position, line, rating, themes })
    }

    /// Returns the aim of the solver.
    pub fn aim(&self) -> Aim {
        match self.themes.first() {
            Some(Theme::Aim(aim)) => *aim,
            _ => Aim::Win,
        }
    }
}

/// Formats the puzzle as a line of a puzzle file, without a line end.
impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let fen = self.position.to_string();
        let board_and_side: Vec<&str> = fen.split(' ').take(2).collect();
        write!(f, "{} ; pv", board_and_side.join(" "))?;
        self.line.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        write!(f, " ; rating {} ; themes", self.rating)?;
        self.themes.iter().try_for_each(|theme| write!(f, " {}", theme.name()))
    }
}
