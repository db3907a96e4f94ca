//! Endings that a table knows.

use super::worker::Worker;
use crate::eval::Evaluator;
use crate::rules::Outcome;
use crate::score::{DRAW, Score, TABLE_WIN};

impl<E: Evaluator> Worker<'_, E> {
    /// The value of the position if a capture has just led to it and a table knows the ending. Elsewhere nothing is asked: most positions have
    /// more pieces than any table, and with a full count of plies a win may come too late.
    #[inline]
    pub(super) fn score_by_table(&self, ply: usize) -> Option<Score> {
        let position = self.game.position();
        let tables = &self.shared.settings.tables;
        if position.quiet_plies() > 0 || position.occupancy().all().count() > tables.most_pieces() {
            return None;
        }
        // A damaged table is none.
        Some(match tables.outcome_within(position, self.terms.natural_limit).ok()?? {
            Outcome::Win => TABLE_WIN - ply as Score,
            Outcome::Draw => DRAW,
            Outcome::Loss => ply as Score - TABLE_WIN,
        })
    }
}
