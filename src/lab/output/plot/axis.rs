//! Axes of a plot: their ranges and ticks.

/// Mapping of values to distances along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Linear scale.
    #[default]
    Linear,
    /// Logarithmic scale, for positive values only.
    Log,
}

/// Range of an axis and its ticks.
pub(super) struct Axis {
    low: f64,
    high: f64,
    scale: Scale,
    pub(super) ticks: Vec<Tick>,
}

/// A tick on an axis. A tick with an empty label is a minor tick.
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
}

impl Axis {
    /// Creates the axis that shows all `values`, with ends at round numbers (`rounded`) or exactly at the
    /// extreme values.
    pub(super) fn along(values: impl IntoIterator<Item = f64>, scale: Scale, rounded: bool) -> Axis {
        let values: Vec<f64> = values.into_iter().collect();
        let mut low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let mut high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if values.is_empty() {
            (low, high) = (1.0, 10.0);
        }
        match scale {
            Scale::Linear => {
                if low == high {
                    (low, high) = (low - 1.0, high + 1.0);
                }
                let whole = values.iter().all(|value| value.fract() == 0.0);
                let mut step = round_step((high - low) / 7.0);
                if whole {
                    step = step.max(1.0);
                }
                if rounded {
                    (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
                }
                Axis { low, high, scale, ticks: linear_ticks(low, high, step) }
            }
            Scale::Log => {
                if rounded {
                    (low, high) = (round_below(low), 1.0 / round_below(1.0 / high));
                }
                if low == high {
                    (low, high) = (low / 10.0, high * 10.0);
                }
                Axis { low, high, scale, ticks: log_ticks(low, high) }
            }
        }
    }

    /// Returns the relative position of `value`: 0 at the low end, 1 at the high end.
    pub(super) fn share(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log => (value / self.low).log10() / (self.high / self.low).log10(),
        }
    }
}

/// Returns the smallest of 1, 2 and 5 times a power of ten that is at least `step`.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * power).find(|round| *round >= step).unwrap_or(10.0 * power)
}

/// Returns the largest of 1, 2 and 5 times a power of ten that is at most `value`, up to rounding errors.
fn round_below(value: f64) -> f64 {
    let power = 10f64.powf((value.log10() + 1e-9).floor());
    let digits = [5.0, 2.0, 1.0].into_iter();
    digits.map(|digit| digit * power).find(|round| *round <= value * (1.0 + 1e-9)).unwrap_or(power)
}

fn linear_ticks(low: f64, high: f64, step: f64) -> Vec<Tick> {
    let slack = 1e-6;
    let first = (low / step - slack).ceil() as i64;
    let last = (high / step + slack).floor() as i64;
    (first..=last).map(|tick| tick as f64 * step).map(|value| Tick { value, label: short(value) }).collect()
}

/// Returns major and minor ticks. The labels are at powers of ten, or at some of them if there are many, and
/// also at multiples of 2 and 5 if there are few.
fn log_ticks(low: f64, high: f64) -> Vec<Tick> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let decades = last - first;
    let labelled = |power: i32, digit: i32| match digit {
        1 => power.rem_euclid((decades + 8) / 9) == 0,
        2 | 5 => decades <= 3,
        _ => false,
    };
    let mut ticks = Vec::new();
    for power in first..=last {
        for digit in 1..10 {
            let value = f64::from(digit) * 10f64.powi(power);
            let inside = (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(&value);
            if inside && (digit == 1 || decades <= 7) {
                let label = if labelled(power, digit) { short(value) } else { String::new() };
                ticks.push(Tick { value, label });
            }
        }
    }
    ticks
}

/// Formats a number for an axis: 0.05, 400, 2,500, 20k, 1.5M.
fn short(value: f64) -> String {
    let magnitude = value.abs();
    let (unit, suffix) = match magnitude {
        1e12.. => (1e12, "T"),
        1e9.. => (1e9, "G"),
        1e6.. => (1e6, "M"),
        1e4.. => (1e3, "k"),
        _ => (1.0, ""),
    };
    // Six decimals hide the rounding errors of adding steps of 0.1, and preserve every round tick.
    let digits = format!("{:.6}", magnitude / unit);
    let mut digits = digits.trim_end_matches('0').trim_end_matches('.').to_owned();
    if suffix.is_empty() && magnitude >= 1000.0 {
        digits.insert(1, ',');
    }
    let sign = if value < 0.0 && digits != "0" { "−" } else { "" };
    format!("{sign}{digits}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|tick| tick.label.as_str()).filter(|label| !label.is_empty()).collect()
    }

    #[test]
    fn linear_ticks_are_round() {
        let axis = Axis::along([-13.0, 41.0], Scale::Linear, true);
        assert_eq!(labels(&axis), ["−20", "−10", "0", "10", "20", "30", "40", "50"]);
        let axis = Axis::along([0.0, 0.31], Scale::Linear, true);
        assert_eq!(labels(&axis), ["0", "0.05", "0.1", "0.15", "0.2", "0.25", "0.3", "0.35"]);
    }

    #[test]
    fn whole_numbers_are_not_marked_at_halves() {
        let axis = Axis::along([1.0, 2.0, 3.0, 4.0], Scale::Linear, false);
        assert_eq!(labels(&axis), ["1", "2", "3", "4"]);
    }

    #[test]
    fn log_ticks_are_powers_of_ten() {
        let axis = Axis::along([44.0, 3_500_000.0], Scale::Log, true);
        assert_eq!((axis.low, axis.high), (20.0, 5_000_000.0));
        assert_eq!(labels(&axis), ["100", "1,000", "10k", "100k", "1M"]);
        assert!((axis.share(10_000.0) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_short_log_axis_is_marked_at_two_and_five_too() {
        let axis = Axis::along([30.0, 180.0], Scale::Log, true);
        assert_eq!(labels(&axis), ["20", "50", "100", "200"]);
    }

    #[test]
    fn a_long_log_axis_is_not_crowded() {
        let axis = Axis::along([1.0, 1e15], Scale::Log, true);
        assert_eq!(labels(&axis).len(), 8);
    }

    #[test]
    fn numbers_are_short() {
        let written = [0.05, 400.0, -2_500.0, 20_000.0, 1_500_000.0, 2e9, 0.1 + 0.2, -0.0].map(short);
        assert_eq!(written, ["0.05", "400", "−2,500", "20k", "1.5M", "2G", "0.3", "0"]);
    }
}
