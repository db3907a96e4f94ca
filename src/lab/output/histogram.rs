//! Text histograms of distributions.

use std::fmt;

use unicode_width::UnicodeWidthStr;

use chuhe_engine::output::{Align, pad};

/// Counts of integers in bins of equal size, with one bin for all smaller values and one for all larger
/// values. The text has one line per bin.
///
/// ```
/// use chuhe_lab::output::Histogram;
///
/// let mut scores = Histogram::new(-100, 100, 100);
/// for score in [-320, -12, 5, 8, 40, 77] {
///     scores.add(score);
/// }
/// let expected = [
///     "     < -100  1   16.7 %  ██████████",
///     "-100 … -1    1   16.7 %  ██████████",
///     "   0 … 99    4   66.7 %  ████████████████████████████████████████",
/// ];
/// assert!(scores.to_string().lines().eq(expected));
/// ```
#[derive(Clone, Debug)]
pub struct Histogram {
    low: i64,
    bin: i64,
    counts: Vec<u64>,
    below: u64,
    above: u64,
}

impl Histogram {
    /// Creates bins of `bin` numbers each, from `low` up to (not including) `high`. The last bin may extend
    /// beyond `high`.
    ///
    /// # Panics
    /// Panics if `bin` is less than 1 or `high` is not above `low`.
    pub fn new(low: i64, high: i64, bin: i64) -> Self {
        assert!(bin > 0 && high > low, "invalid bins: from {low} to {high} by {bin}");
        let bins = ((high - low) as u64).div_ceil(bin as u64);
        Histogram { low, bin, counts: vec![0; bins as usize], below: 0, above: 0 }
    }

    /// Counts one number.
    pub fn add(&mut self, number: i64) {
        if number < self.low {
            self.below += 1;
            return;
        }
        let bin = number.abs_diff(self.low) / self.bin as u64;
        match self.counts.get_mut(bin as usize) {
            Some(count) => *count += 1,
            None => self.above += 1,
        }
    }
}

impl fmt::Display for Histogram {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = |bin: usize| self.low + bin as i64 * self.bin;
        let last = |bin: usize| first(bin) + self.bin - 1;
        let end = first(self.counts.len());
        let wide = |number: i64| number.to_string().len();
        let (left, right) = (wide(self.low).max(wide(end)), wide(last(0)).max(wide(end)).max(wide(self.low)));
        let label = |from: &str, sign: char, to: i64| format!("{from:>left$} {sign} {to:<right$}");
        let mut rows = Vec::new();
        if self.below > 0 {
            rows.push((label("", '<', self.low), self.below));
        }
        for (bin, &count) in self.counts.iter().enumerate() {
            rows.push((label(&first(bin).to_string(), '…', last(bin)), count));
        }
        if self.above > 0 {
            rows.push((label("", '≥', end), self.above));
        }
        out.write_str(&bars(&rows))
    }
}

/// Returns one line per row: label, count, share of the total, and a bar proportional to the count, at most
/// 40 columns wide.
///
/// ```
/// use chuhe_lab::output::bars;
/// assert_eq!(bars(&[("checkmate", 30), ("repetition", 10)]), "\
/// checkmate   30   75.0 %  ████████████████████████████████████████
/// repetition  10   25.0 %  █████████████▍
/// ");
/// ```
pub fn bars<Label: AsRef<str>>(rows: &[(Label, u64)]) -> String {
    const WIDTH: f64 = 40.0;
    let total: u64 = rows.iter().map(|(_, count)| count).sum();
    let longest = rows.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let label_width = rows.iter().map(|(label, _)| label.as_ref().width()).max().unwrap_or(0);
    let count_width = longest.to_string().len();
    let mut text = String::new();
    for (label, count) in rows {
        let label = pad(label.as_ref(), label_width, Align::Left);
        let share = 100.0 * *count as f64 / total.max(1) as f64;
        let bar = bar(WIDTH * *count as f64 / longest.max(1) as f64);
        let line = format!("{label}  {count:>count_width$}  {share:>5.1} %  {bar}");
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// Returns a bar of block characters with a resolution of an eighth of a column. The bar has at least an
/// eighth of a column unless `length` is 0.
fn bar(length: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (length * 8.0).round() as usize;
    let eighths = if length > 0.0 { eighths.max(1) } else { 0 };
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fall_into_their_bins() {
        let mut histogram = Histogram::new(-10, 10, 5);
        for number in [-11, -10, -6, -5, -1, 0, 4, 5, 9, 10, i64::MAX, i64::MIN] {
            histogram.add(number);
        }
        assert_eq!(histogram.counts, [2, 2, 2, 2]);
        assert_eq!((histogram.below, histogram.above), (2, 2));
    }

    #[test]
    fn a_bar_is_empty_only_for_zero() {
        assert_eq!((bar(0.0001), bar(0.0), bar(2.5)), ("▏".into(), String::new(), "██▌".into()));
    }

    #[test]
    fn an_empty_histogram_has_empty_bars() {
        assert_eq!(Histogram::new(0, 20, 10).to_string(), " 0 … 9   0    0.0 %\n10 … 19  0    0.0 %\n");
    }
}
