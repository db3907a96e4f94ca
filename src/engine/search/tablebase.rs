//! Use of tablebases in the search.

use super::value::{counted_as_won, internal};
use super::worker::Worker;
use crate::eval::Evaluator;
use chuhe_board::rules::Outcome;
use chuhe_board::score::{DRAW, Score};

impl<E: Evaluator> Worker<'_, E> {
    /// Returns a draw if the last move was a capture and a tablebase gives the position as a draw. Tablebase
    /// wins and losses are not used as results, since the natural limit may be reached first.
    #[inline]
    pub(super) fn draw_by_tablebase(&self) -> Option<Score> {
        let asks = self.game.position().quiet_plies() == 0;
        (asks && self.known_outcome() == Some(Outcome::Draw)).then_some(DRAW)
    }

    /// Returns an evaluation adjusted by a tablebase. A table of outcomes contains no distances to the win,
    /// so the evaluation still guides the search, and mates found by the search score higher.
    #[inline]
    pub(super) fn counted_by_tablebase(&self, score: Score) -> Score {
        match self.known_outcome() {
            Some(Outcome::Win) => counted_as_won(score),
            Some(Outcome::Loss) => -counted_as_won(-score),
            // The position is drawn with correct play; a part of the evaluation favours positions in which
            // the opponent is more likely to err.
            Some(Outcome::Draw) => internal(score) / 8,
            None => internal(score),
        }
    }

    /// Returns the outcome in a tablebase; `None` for most positions, which have too many pieces.
    #[inline]
    fn known_outcome(&self) -> Option<Outcome> {
        let tables = &self.shared.settings.tablebases;
        let position = self.game.position();
        if !self.params.on.tablebases || !tables.may_know(position) {
            return None;
        }
        // The search cannot return an error at a node, so a damaged tablebase is ignored here, as in
        // `SearcherView`.
        tables.outcome_within(position, self.terms.natural_limit).ok()?
    }
}
