//! Puzzles and lessons in responses.

#![allow(missing_docs)]

use serde::Serialize;

/// Theme of a puzzle.
#[derive(Debug, Serialize)]
pub(crate) struct ThemeEntry {
    /// Name used in the `themes` of puzzles.
    pub name: &'static str,
    /// Name for display.
    pub title: &'static str,
}

/// A puzzle.
#[derive(Debug, Serialize)]
pub(crate) struct PuzzleEntry {
    /// Position as FEN.
    pub start: String,
    /// Solution; the solver makes the first and the last move.
    pub line: Vec<String>,
    /// Rating, 600 and up.
    pub rating: u32,
    /// Names of themes, starting with the aim.
    pub themes: Vec<&'static str>,
    /// Title and explanation of a lesson. A lesson without a line is an endgame to be played out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lesson: Option<LessonEntry>,
}

/// Lesson for a position.
#[derive(Debug, Serialize)]
pub(crate) struct LessonEntry {
    pub title: &'static str,
    pub text: &'static str,
}
