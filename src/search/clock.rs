//! The clock of one search: it is told when it starts, what each iteration found, and asked whether to go on.

use super::limits::Time;
use std::time::{Duration, Instant};

/// How much time a search may take: at most `hard`; and no new iteration after `soft`, stretched or shrunk by how settled the move is.
#[derive(Clone, Debug)]
pub struct Clock {
    started: Instant,
    /// When the clock of the game began to run: later than `started` after a ponder hit.
    running_since: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
    /// The time is a clock's, not a fixed one: the soft limit may be stretched and shrunk.
    elastic: bool,
}

/// What an iteration found out about how settled the best move is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Iterations in a row with the same best move.
    pub stable: u32,
    /// Share of the nodes that went into the best move, 0–1.
    pub effort: f64,
    /// How far the score fell since the iteration before, in centipawns; negative if it rose.
    pub fall: i32,
    /// There is only one legal move.
    pub forced: bool,
}

impl Clock {
    /// A clock for a search that starts now. `overhead` is kept back for the way to the GUI; `pondering` allows for time won.
    pub fn new(time: Time, overhead: Duration, pondering: bool) -> Clock {
        let now = Instant::now();
        let (soft, hard, elastic) = match time {
            Time::Unlimited => (None, None, false),
            Time::Fixed(time) => (None, Some(time.saturating_sub(overhead)), false),
            Time::Clock { left, increment, moves_to_go } => {
                let (soft, hard) = share(left.saturating_sub(overhead), increment, moves_to_go);
                let soft = if pondering { soft + soft / 4 } else { soft };
                (Some(soft.min(hard)), Some(hard), true)
            }
        };
        Clock { started: now, running_since: now, soft, hard, elastic }
    }

    /// The enemy played the expected move: the game's clock runs from now. What was thought before is a gift.
    pub fn ponder_hit(&mut self) {
        self.running_since = Instant::now();
    }

    /// Time since the search started.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the search must end at once.
    pub fn is_up(&self) -> bool {
        self.hard.is_some_and(|hard| self.running_since.elapsed() >= hard)
    }

    /// Whether the time is a game's, so that what is saved now serves later.
    pub fn is_elastic(&self) -> bool {
        self.elastic
    }

    /// After an iteration: whether another one should begin.
    pub fn goes_on(&self, progress: Progress) -> bool {
        let Some(soft) = self.soft else { return true };
        if progress.forced && self.elastic {
            return false;
        }
        self.elapsed() < soft.mul_f64(progress.need())
    }
}

impl Progress {
    /// How much of its usual time or nodes the search needs, about 0.35–3.5: less the longer the best move stands and the more nodes it took, more if
    /// the score falls.
    pub fn need(self) -> f64 {
        let stability = 1.35 - 0.08 * f64::from(self.stable.min(8));
        let effort = (1.75 - 1.15 * self.effort).clamp(0.6, 1.6);
        let fall = (1.0 + f64::from(self.fall) / 120.0).clamp(0.8, 1.6);
        stability * effort * fall
    }
}

/// The soft and the hard share of a clock for one move.
fn share(left: Duration, increment: Duration, moves_to_go: Option<u32>) -> (Duration, Duration) {
    let left = left.as_secs_f64();
    let increment = increment.as_secs_f64();
    let moves = f64::from(moves_to_go.unwrap_or(40).clamp(1, 40));
    let (soft, hard) = if moves_to_go.is_some() {
        // The clock is set anew after these moves: spend it all, with a little kept for the last of them.
        (0.9 * left / moves + 0.8 * increment, left * (0.9 / moves.sqrt()).min(0.8))
    } else {
        (left / 26.0 + 0.75 * increment, 0.3 * left + 0.5 * increment)
    };
    let hard = hard.min(0.85 * left);
    (Duration::from_secs_f64(soft.min(hard).max(0.0)), Duration::from_secs_f64(hard.max(0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_share_is_more_than_the_clock_holds() {
        for left in [0, 1, 30, 500, 60_000, 3_600_000] {
            for increment in [0, 10, 2_000, 100_000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(1000)] {
                    let left = Duration::from_millis(left);
                    let (soft, hard) = share(left, Duration::from_millis(increment), moves);
                    assert!(soft <= hard && hard <= left, "{left:?} {increment} {moves:?}: {soft:?} {hard:?}");
                }
            }
        }
    }

    #[test]
    fn an_empty_clock_is_up_at_once() {
        let time = Time::Clock { left: Duration::ZERO, increment: Duration::ZERO, moves_to_go: None };
        assert!(Clock::new(time, Duration::from_millis(30), false).is_up());
    }
}
