//! Puzzles for a page, sent all at once.

use super::puzzle_entry::{LessonEntry, PuzzleEntry, ThemeEntry};
use super::response::Response;
use chuhe_board::Move;
use chuhe_board::words::Language;
use chuhe_games::puzzles::{Aim, Puzzle, Theme, lessons};

/// Rating of every lesson: the minimum rating of a puzzle.
const EASIEST: u32 = 600;

/// Aim of a lesson that ends with a stalemate.
const STALEMATE: &str = "stalemate";

/// Returns all puzzles followed by the lessons, and the names of their themes.
pub(super) fn puzzles(puzzles: &[Puzzle], language: Language) -> Response {
    let themes = Theme::all().map(|theme| ThemeEntry { name: theme.name(), title: theme.title(language) });
    let puzzles = puzzles.iter().map(|puzzle| PuzzleEntry {
        start: puzzle.position.to_string(),
        line: puzzle.line.iter().map(Move::to_string).collect(),
        rating: puzzle.rating,
        themes: puzzle.themes.iter().map(|theme| theme.name()).collect(),
        lesson: None,
    });
    let lessons = lessons().into_iter().map(|lesson| PuzzleEntry {
        start: lesson.position.to_string(),
        line: lesson.line.iter().map(Move::to_string).collect(),
        rating: EASIEST,
        themes: vec![if lesson.is_stalemate() { STALEMATE } else { aim(lesson.aim) }],
        lesson: Some(LessonEntry { title: lesson.title(language), text: lesson.text(language) }),
    });
    Response::Puzzles { themes: themes.collect(), puzzles: puzzles.chain(lessons).collect() }
}

fn aim(aim: Aim) -> &'static str {
    Theme::Aim(aim).name()
}
