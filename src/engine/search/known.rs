//! Endings that a table knows.

use super::value::{counted, counted_as_won};
use super::worker::Worker;
use crate::eval::Evaluator;
use chuhe_board::rules::Outcome;
use chuhe_board::score::{DRAW, Score};

impl<E: Evaluator> Worker<'_, E> {
    /// A draw if a capture has just led to the position and a table knows it to be one. With a full count of plies a win may come too late, and
    /// so nothing is asked elsewhere.
    #[inline]
    pub(super) fn draw_by_table(&self) -> Option<Score> {
        let asks = self.game.position().quiet_plies() == 0;
        (asks && self.known_outcome() == Some(Outcome::Draw)).then_some(DRAW)
    }

    /// What an evaluation of the position counts, by what a table knows of it. How a won ending is won the table does not say: the evaluation
    /// leads from there, and a mate that is found counts more.
    #[inline]
    pub(super) fn counted_by_table(&self, score: Score) -> Score {
        match self.known_outcome() {
            Some(Outcome::Win) => counted_as_won(score),
            Some(Outcome::Loss) => -counted_as_won(-score),
            // Without a mistake nothing comes of it; the evaluation tells where mistakes are near.
            Some(Outcome::Draw) => counted(score) / 8,
            None => counted(score),
        }
    }

    /// What a table knows; most positions have more pieces than any.
    #[inline]
    fn known_outcome(&self) -> Option<Outcome> {
        let tables = &self.shared.settings.tables;
        let position = self.game.position();
        if !self.params.on.tables || !tables.may_know(position) {
            return None;
        }
        // A damaged table is none.
        tables.outcome_within(position, self.terms.natural_limit).ok()?
    }
}
