//! Use of tablebases in the search.

use super::value::{counted, counted_as_won};
use super::worker::Worker;
use crate::eval::Evaluator;
use chuhe_board::rules::Outcome;
use chuhe_board::score::{DRAW, Score};

impl<E: Evaluator> Worker<'_, E> {
    /// Returns a draw if the position follows a capture and is drawn by a tablebase. Otherwise tablebases are
    /// not used as results, since a win may come too late for the natural limit.
    #[inline]
    pub(super) fn draw_by_table(&self) -> Option<Score> {
        let asks = self.game.position().quiet_plies() == 0;
        (asks && self.known_outcome() == Some(Outcome::Draw)).then_some(DRAW)
    }

    /// Returns an evaluation adjusted by a tablebase. A table of outcomes does not show how to win, so the
    /// evaluation still guides the search, and mates found by it score higher.
    #[inline]
    pub(super) fn counted_by_table(&self, score: Score) -> Score {
        match self.known_outcome() {
            Some(Outcome::Win) => counted_as_won(score),
            Some(Outcome::Loss) => -counted_as_won(-score),
            // The position is drawn with correct play; the evaluation shows where mistakes are likely.
            Some(Outcome::Draw) => counted(score) / 8,
            None => counted(score),
        }
    }

    /// Returns the outcome in a tablebase; most positions have too many pieces.
    #[inline]
    fn known_outcome(&self) -> Option<Outcome> {
        let tables = &self.shared.settings.tables;
        let position = self.game.position();
        if !self.params.on.tables || !tables.may_know(position) {
            return None;
        }
        // Damaged tablebases are ignored.
        tables.outcome_within(position, self.terms.natural_limit).ok()?
    }
}
