//! Progress on standard error: a bar on a terminal, and otherwise occasional lines.

use super::{print_message, steers};
use crate::translation::translate;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A bar on standard error. It is drawn only on a terminal, and removed when dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Time at which the last line was printed instead of the bar; initially the creation time of the bar.
    last_line: Mutex<Instant>,
}

/// Interval between two lines printed instead of the bar.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

impl Progress {
    /// Creates a bar that is full after `total` steps; `unit` is the name of a step.
    pub(crate) fn new(total: u64, unit: &'static str) -> Self {
        let style = "{bar:30} {human_pos}/{human_len} {prefix}  {elapsed}, {eta} left  {msg}";
        Self::with_style(ProgressBar::new(total), style, unit)
    }

    /// Creates a counter for a run of unknown length.
    pub(crate) fn endless(unit: &'static str) -> Self {
        Self::with_style(ProgressBar::no_length(), "{spinner} {human_pos} {prefix}  {elapsed}  {msg}", unit)
    }

    /// Creates a message that is shown until it is dropped; each [`Self::note`] replaces the previous one.
    pub(crate) fn text() -> Self {
        Self::with_style(ProgressBar::no_length(), "{msg}", "")
    }

    fn with_style(bar: ProgressBar, style: &str, unit: &'static str) -> Self {
        let style = style.replace("{eta} left", &translate("{eta} left"));
        let style = ProgressStyle::with_template(&style).expect("the templates are constants");
        let bar = bar.with_style(style.progress_chars("█▉▊▋▌▍▎▏ ")).with_prefix(translate(unit));
        Progress { bar, last_line: Mutex::new(Instant::now()) }
    }

    /// Advances the bar by `steps`. Threads may share the bar.
    pub(crate) fn advance(&self, steps: u64) {
        self.bar.inc(steps);
    }

    /// Translates `text` and shows it beside the bar, replacing the previous text. It may have several lines.
    pub(crate) fn note(&self, text: impl Into<String>) {
        // Control characters other than line breaks can only come from names, and could control the terminal.
        self.bar
            .set_message(translate(&text.into()).replace(|letter: char| steers(letter) && letter != '\n', "\u{FFFD}"));
    }

    /// Prints a line if no bar is drawn and either `due` is set or half a minute has passed since the last
    /// line.
    pub(crate) fn print_instead(&self, due: bool, line: impl FnOnce() -> String) {
        let mut last = self.last_line.lock().unwrap_or_else(PoisonError::into_inner);
        if !stderr().is_terminal() && (due || last.elapsed() > BETWEEN_LINES) {
            *last = Instant::now();
            print_message(line());
        }
    }

    /// Hides the bar while `print` writes to the terminal, so that their outputs do not mix. The bar is
    /// locked in the meantime, so `print` must not call [`Self::advance`] or [`Self::note`].
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_counts_what_threads_report_and_lets_them_print() {
        let bar = Progress::new(200, "games");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..50).for_each(|_| bar.advance(1)));
            }
        });
        bar.note("Elo +3.2\nLLR 0.40");
        assert_eq!(bar.bar.position(), 200);
        assert_eq!(bar.aside(|| "printed"), "printed");
    }

    #[test]
    fn a_counter_needs_no_total() {
        let counter = Progress::endless("positions");
        counter.advance(3);
        assert_eq!(counter.bar.position(), 3);
    }
}
