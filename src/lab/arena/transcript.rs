//! Transcript of a game's communication, line by line, for the log of a game with a fault.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Number of bytes kept from the beginning of a game.
const HEAD: usize = 1 << 20;
/// Number of bytes kept from the end of a game.
const TAIL: usize = 1 << 19;

/// Lines of one game; the middle is dropped if a program floods its output. Copies share the same lines, so
/// that threads can add and read lines concurrently.
#[derive(Clone, Debug, Default)]
pub struct Transcript(Arc<Mutex<Lines>>);

#[derive(Debug)]
struct Lines {
    start: Instant,
    head: String,
    tail: VecDeque<String>,
    tail_bytes: usize,
    left_out: u64,
}

impl Default for Lines {
    fn default() -> Self {
        Lines { start: Instant::now(), head: String::new(), tail: VecDeque::new(), tail_bytes: 0, left_out: 0 }
    }
}

impl Transcript {
    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line: name, direction (`>` for input of the program, `<` for its output, `!` for its errors,
    /// `=` for remarks by the match), text, and time.
    pub fn add(&mut self, who: &str, way: char, text: &str, at: Instant) {
        let mut lines = self.lines();
        let ms = at.saturating_duration_since(lines.start).as_micros() as f64 / 1000.0;
        lines.push(format!("{ms:>10.1} {who} {way} {text}\n"));
    }

    /// Adds a remark by the match.
    pub fn remark(&mut self, who: &str, text: &str) {
        self.add(who, '=', text, Instant::now());
    }

    /// Returns all lines; times are milliseconds since the start of the game.
    pub fn text(&self) -> String {
        let lines = self.lines();
        let mut text = lines.head.clone();
        if lines.left_out > 0 {
            let _ = writeln!(text, "… {} lines left out …", lines.left_out);
        }
        text.extend(lines.tail.iter().map(String::as_str));
        text
    }

    /// Returns the last lines, at most `count`.
    pub fn last(&self, count: usize) -> String {
        let lines = self.lines();
        let all: Vec<&str> = lines
            .tail
            .iter()
            .rev()
            .map(String::as_str)
            .chain(lines.head.split_inclusive('\n').rev())
            .take(count)
            .collect();
        all.into_iter().rev().collect()
    }
}

impl Lines {
    fn push(&mut self, line: String) {
        if self.head.len() + line.len() <= HEAD && self.tail.is_empty() {
            self.head += &line;
            return;
        }
        self.tail_bytes += line.len();
        self.tail.push_back(line);
        while self.tail_bytes > TAIL {
            let Some(dropped) = self.tail.pop_front() else { break };
            self.tail_bytes -= dropped.len();
            self.left_out += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_keeps_its_beginning_and_its_end() {
        let mut transcript = Transcript::default();
        let line = "x".repeat(1000);
        transcript.remark("A", "first");
        for _ in 0..5000 {
            transcript.remark("A", &line);
        }
        transcript.remark("A", "last");
        let text = transcript.text();
        assert!(text.len() < HEAD + TAIL + 2000);
        assert!(text.lines().next().unwrap().ends_with("first") && text.lines().last().unwrap().ends_with("last"));
        assert!(text.contains("lines left out"));
        assert_eq!(transcript.last(2).lines().count(), 2);
        assert!(transcript.last(1).ends_with("last\n") && transcript.last(100_000).contains("first"));
    }
}
