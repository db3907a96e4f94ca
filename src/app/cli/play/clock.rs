//! Clocks of a game in the terminal: a budget for each side, and an increment per move.

use crate::cli::duration;
use crate::cli::value::BadValue;
use chuhe_board::Side;
use std::str::FromStr;
use std::time::Duration;

/// Time control such as `10m+5s`: ten minutes for the game, plus five seconds per move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Control {
    pub(super) budget: Duration,
    pub(super) increment: Duration,
}

impl FromStr for Control {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Control, BadValue> {
        let (budget, increment) = text.split_once('+').unwrap_or((text, "0s"));
        let control = Control { budget: duration::read_in("m", budget)?, increment: duration::read(increment)? };
        if control.budget.is_zero() {
            return Err(BadValue::NoTime);
        }
        Ok(control)
    }
}

/// Clocks of both sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Clocks {
    left: [Duration; 2],
    increment: Duration,
}

impl Clocks {
    pub(super) fn new(control: Control) -> Clocks {
        Clocks { left: [control.budget; 2], increment: control.increment }
    }

    pub(super) fn left(&self, side: Side) -> Duration {
        self.left[side.index()]
    }

    pub(super) fn increment(&self) -> Duration {
        self.increment
    }

    /// Subtracts the time of a move and adds the increment; returns `false` if the time has run out.
    pub(super) fn spend(&mut self, side: Side, spent: Duration) -> bool {
        let left = &mut self.left[side.index()];
        match left.checked_sub(spent) {
            Some(rest) => {
                *left = rest.saturating_add(self.increment);
                true
            }
            None => {
                *left = Duration::ZERO;
                false
            }
        }
    }
}

/// Formats minutes and seconds: `9:05`; hours are included in the minutes.
pub(super) fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_costs_its_time_and_earns_the_increment() {
        let mut clocks = Clocks::new("10m+5s".parse().expect("a control"));
        assert!(clocks.spend(Side::Red, Duration::from_secs(60)));
        assert_eq!(minutes(clocks.left(Side::Red)), "9:05");
        assert_eq!(minutes(clocks.left(Side::Black)), "10:00");
        assert!(!clocks.spend(Side::Red, Duration::from_secs(546)));
        assert_eq!(clocks.left(Side::Red), Duration::ZERO);
    }

    #[test]
    fn controls_without_sense_are_refused() {
        for bad in ["", "ten", "+5s", "10m+", "10m+5s+1s", "0", "0s+5s"] {
            assert!(bad.parse::<Control>().is_err(), "{bad}");
        }
    }
}
