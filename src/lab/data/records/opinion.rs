//! Scores, coded as differences from a prediction based on the previous scores.

use super::coder::{Bit, Coder, Number, digits};
use super::game::GameFault;

/// Minimum absolute score of a mate or a result by rule; such scores count plies.
const COUNTING: i32 = 20_000;
/// Number of classes of recent errors, of the last change, and of the absolute prediction.
const CLASSES: [usize; 3] = [9, 8, 4];

/// Adaptive probabilities of scores.
pub(super) struct Opinion {
    /// Flags for a score of 0, by the number of zeros among the last two scores and the size of the
    /// prediction.
    zero: [[Bit; 10]; 4],
    /// Flags for a score that counts plies: whether it differs from the previous score by one ply, and
    /// whether it equals the previous score.
    count: [Bit; 2],
    recount: Number,
    errors: Vec<Number>,
}

/// Scores of a game so far, from the point of view of the side to move.
#[derive(Clone, Copy)]
pub(super) struct ScoreHistory {
    /// Score of the opponent's last move.
    last: Option<i32>,
    /// Score of the mover's previous move.
    own: Option<i32>,
    /// Numbers of binary digits of the last two errors.
    errors: [usize; 2],
}

impl ScoreHistory {
    pub(crate) const BEGIN: ScoreHistory = ScoreHistory { last: None, own: None, errors: [6; 2] };

    fn guess(self) -> i32 {
        match (self.last, self.own) {
            (None, _) => 0,
            (Some(last), None) => last,
            (Some(last), Some(own)) if own.abs() > COUNTING => {
                if last.abs() > COUNTING {
                    last
                } else {
                    own
                }
            }
            (Some(last), Some(own)) => (5 * last + 3 * own) / 8,
        }
    }

    fn class(self, guess: i32) -> usize {
        let change = digits((self.last.unwrap_or(0) - self.own.unwrap_or(0)) / 2).min(CLASSES[1] - 1);
        let errors = (self.errors[0] + self.errors[1]).div_ceil(2).clamp(2, CLASSES[0] + 1) - 2;
        let size = match digits(guess) {
            0..5 => 0,
            5..8 => 1,
            8..10 => 2,
            _ => 3,
        };
        (errors * CLASSES[1] + change) * CLASSES[2] + size
    }

    /// Returns the state after a move with this score.
    fn after(self, score: i32, error: usize) -> ScoreHistory {
        ScoreHistory {
            last: Some(-score),
            own: self.last.map(|last| -last),
            errors: [error.div_ceil(2) + self.errors[0] / 2, self.errors[0]],
        }
    }
}

impl Default for Opinion {
    fn default() -> Opinion {
        Opinion {
            zero: Default::default(),
            count: Default::default(),
            recount: Number::default(),
            errors: vec![Number::default(); CLASSES.iter().product()],
        }
    }
}

impl Opinion {
    /// Codes the next score in a game.
    pub(crate) fn code(
        &mut self,
        coder: &mut impl Coder,
        history: &mut ScoreHistory,
        score: i16,
    ) -> Result<i16, GameFault> {
        let given = i32::from(score);
        let guess = history.guess();
        if let Some(last) = history.last.filter(|last| last.abs() > COUNTING) {
            let next = last + last.signum();
            let score = if self.count[0].code(coder, given == next)? {
                next
            } else if self.count[1].code(coder, given == last)? {
                last
            } else {
                last + self.recount.code(coder, given - last)?
            };
            *history = history.after(score, digits(score - guess));
            return i16::try_from(score).map_err(|_| GameFault::Code);
        }
        let zeros = usize::from(history.last == Some(0)) * 2 + usize::from(history.own == Some(0));
        let score = if self.zero[zeros][digits(guess).min(9)].code(coder, given == 0)? {
            0
        } else {
            guess + self.errors[history.class(guess)].code(coder, given - guess)?
        };
        *history = history.after(score, digits(score - guess));
        i16::try_from(score).map_err(|_| GameFault::Code)
    }
}
