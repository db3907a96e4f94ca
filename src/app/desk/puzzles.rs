//! Puzzles for a page, sent all at once.

use super::event::{PuzzleEntry, ThemeEntry, Told};
use chuhe_board::Move;
use chuhe_board::words::Language;
use chuhe_games::puzzles::{Puzzle, Theme};

/// Returns all puzzles, and the names of their themes.
pub(super) fn puzzles(puzzles: &[Puzzle], language: Language) -> Told {
    let themes = Theme::all().map(|theme| ThemeEntry { name: theme.name(), title: theme.title(language) });
    let puzzles = puzzles.iter().map(|puzzle| PuzzleEntry {
        start: puzzle.position.to_string(),
        line: puzzle.line.iter().map(Move::to_string).collect(),
        rating: puzzle.rating,
        themes: puzzle.themes.iter().map(|theme| theme.name()).collect(),
    });
    Told::Puzzles { themes: themes.collect(), puzzles: puzzles.collect() }
}
