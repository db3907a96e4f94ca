//! What depends on the path to a position: the rules of repetition, and whether a stored score may be believed.

use super::found::{Found, GAME, NOTHING};
use super::value::told;
use super::worker::Worker;
use crate::eval::Evaluator;
use chuhe_board::Move;
use chuhe_board::rules::{Outcome, RestsOn, judge_in_search};
use chuhe_board::score::{DRAW, Score, is_mate, mate_in, mated_in, rule_win_in};

/// A stored score is not trusted within this many plies of the natural limit, because it does not know that the game is about to end.
const NEAR_THE_LIMIT: u16 = 20;

impl<E: Evaluator> Worker<'_, E> {
    /// The score of a node where the game is over by the rules: repetition, natural limit, no attackers left.
    ///
    /// Who loses by a repetition is as good as mated. Were this loss counted as a lesser one, it would be preferred to a mate many moves
    /// later, and who may check forever would hide every mate from the search.
    #[inline]
    pub(super) fn score_by_rule(&self, ply: usize) -> Option<Found> {
        let ending = judge_in_search(&self.game, self.terms, ply)?;
        let score = match ending.outcome {
            Outcome::Win => mate_in(ply + 1),
            Outcome::Loss => mated_in(ply),
            Outcome::Draw => DRAW,
        };
        let rests_on = match ending.rests_on {
            RestsOn::Position => NOTHING,
            RestsOn::Plies(span) => ply as i32 - span as i32,
            RestsOn::Game => GAME,
        };
        Some(Found { score, rests_on })
    }

    /// The score of a line as it is told: a mate only if the line does not end by a repetition.
    pub(super) fn score_to_tell(&self, score: Score, line: &[Move]) -> Score {
        if !is_mate(score) {
            return told(score);
        }
        let mut game = self.game.clone();
        line.iter().for_each(|&mv| game.make(mv));
        let by_rule = game.position().has_moves() && judge_in_search(&game, self.terms, line.len()).is_some();
        if by_rule { score.signum() * rule_win_in(line.len()) } else { score }
    }

    /// Whether a stored score may replace a search. Not where the path matters: in a position that occurred before, a move may repeat, which
    /// the entry does not know; and near the natural limit.
    pub(super) fn table_may_cut(&self) -> bool {
        !self.params.on.rules
            || (!self.is_near_the_limit() && (self.game.is_surely_new() || self.game.occurrences().next().is_none()))
    }

    /// Whether the game may end soon by the natural limit, of which a stored score knows nothing.
    pub(super) fn is_near_the_limit(&self) -> bool {
        self.params.on.rules && self.game.position().quiet_plies() + NEAR_THE_LIMIT >= self.terms.natural_limit
    }
}
