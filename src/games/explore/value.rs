//! Backed-up values: the equations of one position.

use chuhe_board::score::{DRAW, EVALUATION_LIMIT, MATE, Score, is_evaluation, rule_win_in, to_root};
use std::cmp::Reverse;

/// Maximum length in plies of the line from which a value comes; a longer line counts as a draw.
pub const MAX_LINE: u8 = 250;

/// Cost of a position without unexplored moves below it, greater than any other cost.
pub const UNREACHABLE: u32 = 1_000_000;

/// Backed-up value of a position from the point of view of its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Value {
    /// Score in centipawns.
    pub score: Score,
    /// Number of plies to the leaf that has the score; 0 if the score is zero.
    pub plies: u8,
}

/// Computed state of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// Backed-up value.
    pub value: Value,
    /// Cost of the best move to explore below the position, in centipawns; [`UNREACHABLE`] if there is none.
    pub cost: u32,
}

impl Value {
    /// Value of a position without a legal move.
    pub(crate) const LOST: Value = Value { score: -MATE, plies: 0 };
    /// Value of a move that loses by the rules of repetition.
    pub(crate) const BARRED: Value = Value { score: -rule_win_in(1), plies: 1 };

    /// Creates the value of a move from its own score.
    pub(crate) fn of_move(score: Score) -> Value {
        Value { score, plies: u8::from(score != DRAW) }
    }

    /// Returns the value of a move to a position with this value.
    pub(crate) fn backed(self) -> Value {
        match to_root(-self.score, 1) {
            DRAW => Value::default(),
            score if self.plies < MAX_LINE => Value { score, plies: self.plies + 1 },
            _ => Value::default(),
        }
    }

    /// Returns a sort key that is greater for a higher score, a shorter win or a longer loss.
    pub fn order(self) -> (Score, i32) {
        let plies = i32::from(self.plies);
        (self.score, if self.score > DRAW { -plies } else { plies })
    }
}

/// A move with its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Valued {
    /// Index among the moves of the position.
    pub index: u8,
    /// Value; `None` if the move was not analysed.
    pub value: Option<Value>,
    /// State of the position after the move, if it was analysed.
    pub below: Option<State>,
    /// `true` if the move is barred by the rules of repetition.
    pub barred: bool,
}

/// Returns the move with the best value; among equal values, an unexplored move or else the first.
pub(super) fn best(moves: &[Valued]) -> Option<(&Valued, Value)> {
    let valued = moves.iter().filter_map(|entry| Some((entry, entry.value?)));
    valued.max_by_key(|(entry, value)| (value.order(), entry.below.is_none(), Reverse(entry.index)))
}

/// Costs of exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Costs {
    /// Loss in centipawns beyond which a move is not explored.
    pub margin: u32,
}

impl Costs {
    /// Returns the cost of a ply without a loss: a tenth of the margin, so that losing the whole margin costs
    /// as much as ten plies.
    fn ply(self) -> u32 {
        (self.margin / 10).max(1)
    }

    /// Returns the cost at or above which a position is not explored; it keeps the costs of closed cycles
    /// from growing without limit.
    fn limit(self) -> u32 {
        60 * self.margin + 400
    }

    /// Returns the cost of exploring below a move; `None` if the move must not be explored.
    pub(super) fn of(self, entry: &Valued, best: Value) -> Option<u32> {
        let value = entry.value?;
        let loss = best.score.saturating_sub(value.score).unsigned_abs();
        let is_open = is_evaluation(value.score) && value.score.abs() < EVALUATION_LIMIT && !entry.barred;
        if !is_open || loss > self.margin {
            return None;
        }
        let cost = self.ply() + loss + entry.below.map_or(0, |below| below.cost);
        (cost < self.limit()).then_some(cost)
    }
}

/// Computes the state of a position from its moves.
pub(super) fn state(moves: &[Valued], costs: Costs) -> State {
    let Some((_, value)) = best(moves) else { return State { value: Value::LOST, cost: UNREACHABLE } };
    let cost = moves.iter().filter_map(|entry| costs.of(entry, value)).min().unwrap_or(UNREACHABLE);
    State { value, cost }
}
