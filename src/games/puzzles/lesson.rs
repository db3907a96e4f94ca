//! Lessons: basic mates and basic endgames, with titles and explanations in both languages.

use super::themes::Aim;
use chuhe_board::words::Language;
use chuhe_board::{Move, Position};

/// Lessons, one per line: aim, FEN, solution (`-` for an endgame that is played out), and the title and the
/// explanation in English and in Chinese, separated by tabs.
static LESSONS: &str = include_str!("../embedded/lessons.tsv");

/// A lesson: a position and its explanation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lesson {
    /// Aim of the learner, who is to move.
    pub aim: Aim,
    /// Position.
    pub position: Position,
    /// Solution of a mate; empty for an endgame, which is played out: every move that preserves the tablebase
    /// result is correct.
    pub line: Vec<Move>,
    titles: [&'static str; 2],
    texts: [&'static str; 2],
}

impl Lesson {
    /// Parses a line.
    fn read(text: &'static str) -> Option<Lesson> {
        let mut fields = text.split('\t');
        let mut next = || fields.next().map(str::trim);
        let aim = match next()? {
            "mate" => Aim::Mate,
            "win" => Aim::Win,
            "draw" => Aim::Defence,
            _ => return None,
        };
        let position: Position = next()?.parse().ok()?;
        let line: Option<Vec<Move>> = next()?.split(' ').filter(|mv| *mv != "-").map(|mv| mv.parse().ok()).collect();
        let line = line?;
        let [english, chinese] = [(next()?, next()?), (next()?, next()?)];
        Some(Lesson { aim, position, line, titles: [english.0, chinese.0], texts: [english.1, chinese.1] })
    }

    /// Returns `true` if the solution leaves the opponent without a legal move, but not in check.
    pub fn is_stalemate(&self) -> bool {
        let mut position = self.position.clone();
        for &mv in &self.line {
            position.make(mv);
        }
        position.legal_moves().is_empty() && !position.in_check()
    }

    /// Returns the title.
    pub fn title(&self, language: Language) -> &'static str {
        self.titles[usize::from(language == Language::Chinese)]
    }

    /// Returns the explanation.
    pub fn text(&self, language: Language) -> &'static str {
        self.texts[usize::from(language == Language::Chinese)]
    }
}

/// Returns the lessons in teaching order.
pub fn lessons() -> Vec<Lesson> {
    LESSONS.lines().filter(|line| !line.starts_with('#')).filter_map(Lesson::read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::rules::Outcome;
    use chuhe_engine::Options;
    use chuhe_engine::mates::shortest;

    #[test]
    fn every_line_is_a_lesson_in_both_languages() {
        let lessons = lessons();
        assert_eq!(lessons.len(), LESSONS.lines().filter(|line| !line.starts_with('#')).count());
        assert!(lessons.len() >= 30, "{}", lessons.len());
        for lesson in &lessons {
            for text in [lesson.title(Language::English), lesson.text(Language::English)] {
                assert!(!text.is_empty() && text.is_ascii(), "{text}");
            }
            for text in [lesson.title(Language::Chinese), lesson.text(Language::Chinese)] {
                assert!(!text.is_empty() && text.chars().any(|letter| letter > '\u{4e00}'), "{text}");
            }
        }
    }

    #[test]
    fn every_mate_ends_the_game_and_is_the_shortest_by_checks() {
        for lesson in lessons().iter().filter(|lesson| lesson.aim == Aim::Mate) {
            let (mut after, mut is_quiet) = (lesson.position.clone(), false);
            for (ply, &mv) in lesson.line.iter().enumerate() {
                assert!(after.try_make(mv).is_ok(), "{}: {mv}", lesson.position);
                is_quiet |= ply % 2 == 0 && !after.in_check();
            }
            assert!(!after.has_moves(), "{}", lesson.position);
            let moves = lesson.line.len().div_ceil(2);
            let found = shortest(&lesson.position, moves, 1_000_000);
            assert!(is_quiet || found.is_some_and(|mate| mate.line.len() == lesson.line.len()), "{}", lesson.position);
        }
    }

    #[test]
    fn every_ending_has_its_value_in_the_embedded_tables() {
        let tables = Options::default().tables().expect("the embedded tables");
        for lesson in lessons().iter().filter(|lesson| lesson.aim != Aim::Mate) {
            let answer = tables.answer(&lesson.position).expect("a table").expect("a value");
            let wanted = if lesson.aim == Aim::Win { Outcome::Win } else { Outcome::Draw };
            assert_eq!(answer.outcome, wanted, "{}", lesson.position);
            let moves = tables.moves(&lesson.position).expect("values");
            assert!(moves.iter().all(|(_, answer)| answer.is_some()), "{}", lesson.position);
        }
    }
}
