//! Time management of one search: decides after each iteration whether to continue. [`Delays`] computes the
//! share of the game's clock that is reserved.

use super::limits::Time;
use crate::machine::Instant;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Time limits of a search: the search stops at `hard`, and starts no iteration after `soft`, scaled by the
/// stability of the best move. All threads check the same clock, and any thread may stop the search.
#[derive(Debug)]
pub(super) struct Clock {
    started: Instant,
    /// Start of the game clock, in microseconds after `started`; [`WAITING`] while the opponent is to move.
    running_since: AtomicU64,
    soft: Option<Duration>,
    hard: Option<Duration>,
    /// `true` for a game clock, `false` for a fixed time; allows the soft limit to be scaled.
    elastic: bool,
    /// Time of the last call to [`Self::is_up`], in microseconds after `started`; `u64::MAX` before the first
    /// call.
    checked: AtomicU64,
    /// Longest interval between two of these calls, in microseconds. The search ends late by at most this
    /// interval.
    gap: AtomicU64,
}

/// Value of [`Clock::running_since`] before the game clock starts.
const WAITING: u64 = u64::MAX;
/// Upper bound on all times (ten years), so that sums and multiples cannot overflow.
const MAX_TIME: Duration = Duration::from_secs(315_360_000);

/// Stability of the best move after an iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stability {
    /// Consecutive iterations with the same best move.
    pub stable: u32,
    /// Share of the nodes spent on the best move, 0–1.
    pub effort: f64,
    /// Decrease of the score since the previous iteration, in centipawns; negative if it rose.
    pub fall: i32,
    /// `true` if there is only one legal move.
    pub forced: bool,
}

impl Clock {
    /// Creates a clock for a search that starts now. `overhead` is reserved for communication with the GUI;
    /// `ponder` anticipates the time gained by pondering. If the opponent is still to move (`waits`),
    /// [`Self::start`] starts the game clock.
    pub(super) fn new(time: Time, overhead: Duration, ponder: bool, waits: bool) -> Clock {
        let (soft, hard, elastic) = match time {
            Time::Unlimited => (None, None, false),
            // A short time is only requested over a fast connection, so most of it is used.
            Time::Fixed(time) => {
                let time = time.min(MAX_TIME);
                (None, Some(time - overhead.min(time / 4)), false)
            }
            Time::Clock { left, increment, moves_to_go } => {
                let (left, increment) = (left.min(MAX_TIME).saturating_sub(overhead), increment.min(MAX_TIME));
                let (soft, hard) = share(left, increment, moves_to_go);
                let soft = if ponder { soft + soft / 4 } else { soft };
                (Some(soft.min(hard)), Some(hard), true)
            }
        };
        let running_since = AtomicU64::new(if waits { WAITING } else { 0 });
        let [checked, gap] = [u64::MAX, 0].map(AtomicU64::new);
        Clock { started: Instant::now(), running_since, soft, hard, elastic, checked, gap }
    }

    /// Starts the game clock when the opponent has played the expected move. Time spent pondering is not
    /// charged.
    pub(super) fn start(&self) {
        let now = self.elapsed().as_micros() as u64;
        let _ = self.running_since.compare_exchange(WAITING, now, Relaxed, Relaxed);
    }

    /// Returns the clock with an earlier start.
    #[cfg(test)]
    pub(super) fn started_earlier(self, by: Duration) -> Clock {
        Clock { started: self.started.checked_sub(by).expect("the machine has been running for that long"), ..self }
    }

    /// Returns the time since the search started.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns `true` if the search must stop at once.
    pub(super) fn is_up(&self) -> bool {
        let Some(hard) = self.hard else { return false };
        let elapsed = self.elapsed();
        let now = elapsed.as_micros() as u64;
        let gap = now.saturating_sub(self.checked.load(Relaxed));
        self.checked.store(now, Relaxed);
        if gap > self.gap.load(Relaxed) {
            self.gap.store(gap, Relaxed);
        }
        match self.running_since.load(Relaxed) {
            WAITING => false,
            since => elapsed >= hard + Duration::from_micros(since),
        }
    }

    /// Returns the time that the search was allowed to use on the game clock; `None` if the game clock has
    /// not started. Excludes overruns.
    fn used(&self) -> Option<Duration> {
        let since = Some(self.running_since.load(Relaxed)).filter(|since| *since != WAITING)?;
        let used = self.elapsed().saturating_sub(Duration::from_micros(since));
        Some(self.hard.map_or(used, |hard| used.min(hard)))
    }

    /// Returns the time that the search usually takes; `None` if its time is not limited.
    pub(super) fn planned_time(&self) -> Option<Duration> {
        self.soft.or(self.hard)
    }

    /// Returns `true` for a game clock, on which unused time remains available.
    pub(super) fn is_elastic(&self) -> bool {
        self.elastic
    }

    /// Returns `true` if another iteration should start.
    pub(super) fn goes_on(&self, stability: Stability) -> bool {
        let Some(soft) = self.soft else { return true };
        if stability.forced && self.elastic {
            return false;
        }
        self.elapsed() < soft.mul_f64(stability.need())
    }
}

/// Reciprocal of the weight of a new delay in the running mean.
const MEMORY_OF_DELAYS: u32 = 8;
/// Maximum number of moves whose mean delay is reserved.
const MOVES_AHEAD: u32 = 40;
/// Maximum share of the clock reserved for delays, in per cent.
const MAX_RESERVE: u32 = 60;

/// Delays: clock time lost after a search ended or should have ended.
///
/// On a busy machine, a search is stopped late, and commands and replies arrive late. The clock at the next
/// move shows how much time was lost. Without delays, only [`Settings::overhead`](super::Settings::overhead)
/// is reserved.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Delays {
    /// Clock and increment before the last move, and the time used by its search, excluding overruns.
    last: Option<(Duration, Duration, Duration)>,
    /// Mean delay per move.
    mean: Duration,
    /// Longest recent delay.
    worst: Duration,
}

impl Delays {
    /// Creates the clock of a search; see [`Clock::new`]. `continues` is `true` if it is the same side's next
    /// search in the same game; otherwise no delay is measured.
    pub(super) fn begin(
        &mut self,
        time: Time,
        overhead: Duration,
        ponder: bool,
        waits: bool,
        continues: bool,
    ) -> Clock {
        if !continues {
            self.forget_last();
        }
        self.measure(time);
        Clock::new(time, self.reserve(time, overhead), ponder, waits)
    }

    /// Records the end of a search, so that its delay can be measured at the next move.
    pub(super) fn end(&mut self, time: Time, clock: &Clock) {
        self.last = match (time, clock.used()) {
            (Time::Clock { left, increment, .. }, Some(used)) => {
                Some((left.min(MAX_TIME), increment.min(MAX_TIME), used))
            }
            _ => None,
        };
        if self.last.is_some() {
            self.worst = self.worst.max(Duration::from_micros(clock.gap.load(Relaxed)));
        }
    }

    /// Discards the last clock, but keeps the delays, since they depend on the machine.
    fn forget_last(&mut self) {
        self.last = None;
    }

    /// Measures the delay of the last move as the difference between the expected and the actual clock.
    fn measure(&mut self, time: Time) {
        let (Some((before, increment, used)), Time::Clock { left, .. }) = (self.last.take(), time) else { return };
        let left = left.min(MAX_TIME);
        // No delay can be measured if a new game has begun or time was added. Clocks in whole seconds are too
        // coarse.
        let is_coarse = [before, left].iter().all(|time| time.subsec_millis() == 0);
        let Some(delay) = (before + increment).checked_sub(left + used).filter(|_| !is_coarse) else { return };
        self.mean = (self.mean * (MEMORY_OF_DELAYS - 1) + delay) / MEMORY_OF_DELAYS;
        self.worst = delay.max(self.worst * (MEMORY_OF_DELAYS - 1) / MEMORY_OF_DELAYS);
    }

    /// Returns the time to reserve, which is at least `overhead`.
    fn reserve(&self, time: Time, overhead: Duration) -> Duration {
        let Time::Clock { left, increment, moves_to_go } = time else { return overhead };
        let moves = moves_to_go.unwrap_or(MOVES_AHEAD).min(MOVES_AHEAD);
        // The search is allotted three quarters of the increment, so the rest absorbs delays.
        let lost = self.mean.saturating_sub(increment / 4) * moves;
        // Both the end of the search and its reply may be late.
        let delays = (lost + 2 * self.worst).min(left.min(MAX_TIME) * MAX_RESERVE / 100);
        overhead.max(delays)
    }
}

impl Stability {
    /// Returns the factor applied to the usual time or node limit, about 0.34–3.5. It decreases with the
    /// stability of the best move and its share of the nodes, and increases if the score falls.
    pub(super) fn need(self) -> f64 {
        let stability = 1.35 - 0.08 * f64::from(self.stable.min(8));
        let effort = (1.75 - 1.15 * self.effort).clamp(0.6, 1.6);
        let fall = (1.0 + f64::from(self.fall) / 120.0).clamp(0.8, 1.6);
        stability * effort * fall
    }
}

/// Returns the soft and the hard limit for one move.
fn share(left: Duration, increment: Duration, moves_to_go: Option<u32>) -> (Duration, Duration) {
    let left = left.as_secs_f64();
    let increment = increment.as_secs_f64();
    let moves = f64::from(moves_to_go.unwrap_or(40).clamp(1, 40));
    let (soft, hard) = if moves_to_go.is_some() {
        // The clock is reset after these moves, so all of it is used, except for a small reserve for the last
        // move.
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
    fn the_longest_times_overflow_nowhere() {
        let unsettled = Stability { stable: 0, effort: 0.0, fall: 500, forced: false };
        let (left, increment) = (Duration::MAX, Duration::MAX);
        for time in [Time::Fixed(left), Time::Clock { left, increment, moves_to_go: Some(1) }] {
            let clock = Clock::new(time, Duration::ZERO, true, true);
            clock.start();
            assert!(clock.goes_on(unsettled) && !clock.is_up());
        }
    }

    #[test]
    fn most_of_a_short_fixed_time_is_used() {
        for (time, used) in [(1_000, 970), (100, 75), (20, 15), (0, 0)] {
            let clock = Clock::new(Time::Fixed(Duration::from_millis(time)), Duration::from_millis(30), false, false);
            assert_eq!(clock.planned_time(), Some(Duration::from_millis(used)), "{time} ms");
        }
    }

    #[test]
    fn an_empty_clock_is_up_at_once() {
        let time = Time::Clock { left: Duration::ZERO, increment: Duration::ZERO, moves_to_go: None };
        assert!(Clock::new(time, Duration::from_millis(30), false, false).is_up());
    }

    /// Plays moves in a game, each with the same delay, and returns their number when the clock has run out.
    fn moves_until_flag([base, increment, delay]: [u64; 3], adapts: bool) -> u32 {
        let [mut left, increment, delay] = [base, increment, delay].map(Duration::from_micros);
        let (overhead, mut delays) = (Duration::from_millis(30), Delays::default());
        for number in 0..400 {
            let time = Time::Clock { left, increment, moves_to_go: None };
            let clock = delays.begin(time, overhead, false, false, true);
            let used = clock.planned_time().expect("a clock");
            if adapts {
                delays.end(time, &clock.started_earlier(used));
            }
            let Some(after) = left.checked_sub(used + delay) else { return number };
            left = after + increment;
        }
        400
    }

    #[test]
    fn a_game_with_delays_lasts_longer_with_them_measured() {
        for delay in [2_000, 5_000, 8_000] {
            let [before, after] = [false, true].map(|adapts| moves_until_flag([1_000_000, 0, delay], adapts));
            assert!(after * 10 > before * 11, "{delay} us: {after} moves, {before} before");
        }
        assert_eq!(moves_until_flag([2_000_000, 20_000, 10_000], true), 400);
    }

    #[test]
    fn without_delays_only_the_overhead_is_kept_back() {
        let overhead = Duration::from_millis(30);
        let mut delays = Delays::default();
        let mut left = Duration::from_millis(2_001);
        let increment = Duration::from_millis(20);
        for _ in 0..60 {
            let time = Time::Clock { left, increment, moves_to_go: None };
            let clock = delays.begin(time, overhead, false, false, true);
            assert_eq!(delays.reserve(time, overhead), overhead);
            let used = clock.planned_time().expect("a clock");
            delays.end(time, &clock.started_earlier(used));
            left = left - used - Duration::from_micros(400) + increment;
        }
    }

    #[test]
    fn delays_are_measured_within_a_game_alone() {
        let clock =
            |left: u64| Time::Clock { left: Duration::from_millis(left), increment: Duration::ZERO, moves_to_go: None };
        let after_in = |next: Time, continues: bool| {
            let mut delays = Delays::default();
            let begun = delays.begin(clock(1_001), Duration::ZERO, false, false, true);
            delays.end(clock(1_001), &begun.started_earlier(Duration::from_millis(10)));
            delays.begin(next, Duration::ZERO, false, false, continues);
            delays.worst.as_millis()
        };
        let after = |next: Time| after_in(next, true);
        assert_eq!(after_in(clock(901), false), 0, "another game or side");
        assert!((60..=90).contains(&after(clock(901))), "{}", after(clock(901)));
        // Time was added, a new game has begun, or the search does not use the game clock.
        for next in [clock(1_200), clock(60_000), Time::Unlimited, Time::Fixed(Duration::from_secs(1))] {
            assert_eq!(after(next), 0, "{next:?}");
        }
        let mut delays = Delays::default();
        let begun = delays.begin(clock(9_000), Duration::ZERO, false, false, true);
        delays.end(clock(9_000), &begun);
        delays.begin(clock(8_000), Duration::ZERO, false, false, true);
        assert_eq!(delays.worst.as_millis(), 0, "the clock is in whole seconds");
    }

    #[test]
    fn a_search_that_looks_at_its_clock_too_rarely_is_noticed() {
        let time = Time::Clock { left: Duration::from_secs(60), increment: Duration::ZERO, moves_to_go: None };
        let mut delays = Delays::default();
        let clock = delays.begin(time, Duration::ZERO, false, false, true).started_earlier(Duration::from_secs(1));
        clock.is_up();
        assert!(clock.gap.load(Relaxed) == 0, "the mate solver has its own limit");
        let clock = clock.started_earlier(Duration::from_millis(80));
        clock.is_up();
        delays.end(time, &clock);
        assert!(delays.worst >= Duration::from_millis(80) && delays.reserve(time, Duration::ZERO) >= 2 * delays.worst);
    }

    #[test]
    fn most_of_a_clock_is_never_kept_back() {
        let delays = Delays { mean: Duration::from_secs(5), worst: Duration::from_secs(50), last: None };
        let left = Duration::from_secs(10);
        let reserve =
            delays.reserve(Time::Clock { left, increment: Duration::ZERO, moves_to_go: None }, Duration::ZERO);
        assert_eq!(reserve, left * MAX_RESERVE / 100);
    }

    const SETTLED: Stability = Stability { stable: 8, effort: 0.9, fall: 0, forced: false };

    /// Returns a clock of one hour whose soft limit is far away or has just passed.
    fn clock(soft: Duration) -> Clock {
        let left = Duration::from_secs(3600);
        let time = Time::Clock { left, increment: Duration::ZERO, moves_to_go: None };
        Clock { soft: Some(soft), ..Clock::new(time, Duration::ZERO, false, false) }
    }

    #[test]
    fn a_settled_move_needs_less_time_than_one_that_changes_or_falls() {
        let changing = Stability { stable: 0, ..SETTLED };
        let contested = Stability { effort: 0.2, ..SETTLED };
        let falling = Stability { fall: 60, ..SETTLED };
        let rising = Stability { fall: -20, ..SETTLED };
        for other in [changing, contested, falling] {
            assert!(other.need() > SETTLED.need(), "{other:?}");
        }
        assert!(rising.need() < SETTLED.need());
        let panic = Stability { stable: 0, effort: 0.1, fall: 500, forced: false };
        assert!(panic.need() > 3.0 && SETTLED.need() < 0.6);
    }

    #[test]
    fn the_soft_limit_ends_a_search_between_iterations() {
        assert!(clock(Duration::from_secs(3600)).goes_on(SETTLED));
        assert!(!clock(Duration::ZERO).goes_on(SETTLED));
    }

    #[test]
    fn a_forced_move_takes_no_time_from_a_clock_but_all_of_a_fixed_time() {
        let forced = Stability { forced: true, ..SETTLED };
        assert!(!clock(Duration::from_secs(3600)).goes_on(forced));
        let fixed = Clock::new(Time::Fixed(Duration::from_secs(3600)), Duration::ZERO, false, false);
        assert!(fixed.goes_on(forced) && !fixed.is_elastic() && !fixed.is_up());
    }

    #[test]
    fn a_clock_that_waits_for_the_opponent_is_never_up() {
        let clock = Clock::new(Time::Fixed(Duration::ZERO), Duration::ZERO, true, true);
        assert!(!clock.is_up());
        clock.start();
        assert!(clock.is_up());
    }

    #[test]
    fn the_clock_runs_from_the_first_start() {
        let time = Time::Fixed(Duration::from_secs(3600));
        let clock = Clock::new(time, Duration::ZERO, false, true);
        clock.start();
        let first = clock.running_since.load(Relaxed);
        assert_ne!(first, WAITING);
        clock.start();
        assert_eq!(clock.running_since.load(Relaxed), first);
    }
}
