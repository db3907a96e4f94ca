//! What depends on the path to a position: the rules of repetition, and whether a stored score may be believed.

use super::found::{Found, GAME, NOTHING};
use super::worker::Worker;
use crate::eval::Evaluator;
use crate::rules::{Outcome, Reason, RestsOn, judge_in_search};
use crate::score::{DRAW, mated_in, rule_win_in};

/// A stored score is not trusted within this many plies of the natural limit, because it does not know that the game is about to end.
const NEAR_THE_LIMIT: u16 = 20;

impl<E: Evaluator> Worker<'_, E> {
    /// The score of a node where the game is over by the rules: repetition, natural limit, no attackers left.
    #[inline]
    pub(super) fn score_by_rule(&self, ply: usize) -> Option<Found> {
        let ending = judge_in_search(&self.game, self.terms, ply)?;
        let score = match (ending.outcome, ending.reason) {
            (_, Reason::Mate | Reason::Stalemate) => mated_in(ply),
            (Outcome::Win, _) => rule_win_in(ply),
            (Outcome::Loss, _) => -rule_win_in(ply),
            (Outcome::Draw, _) => DRAW,
        };
        let rests_on = match ending.rests_on {
            RestsOn::Position => NOTHING,
            RestsOn::Plies(span) => ply as i32 - span as i32,
            RestsOn::Game => GAME,
        };
        Some(Found { score, rests_on })
    }

    /// Whether a stored score may replace a search. Not where the path matters: in a position that occurred before, a move may repeat, which
    /// the entry does not know; and near the natural limit.
    pub(super) fn table_may_cut(&self) -> bool {
        !self.params.on.rules
            || (self.game.position().quiet_plies() + NEAR_THE_LIMIT < self.terms.natural_limit
                && (self.game.is_surely_new() || self.game.occurrences().next().is_none()))
    }
}
