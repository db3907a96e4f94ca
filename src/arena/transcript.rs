//! What was said in a game, line by line, kept for the log of a faulty one.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::time::Instant;

/// Kept from the beginning of a game, bytes.
const HEAD: usize = 1 << 20;
/// Kept from its end, bytes.
const TAIL: usize = 1 << 19;

/// The lines of one game, the middle left out when a program floods its wire.
#[derive(Debug)]
pub struct Transcript {
    start: Instant,
    head: String,
    tail: VecDeque<String>,
    tail_bytes: usize,
    left_out: u64,
}

impl Default for Transcript {
    fn default() -> Self {
        Transcript { start: Instant::now(), head: String::new(), tail: VecDeque::new(), tail_bytes: 0, left_out: 0 }
    }
}

impl Transcript {
    /// Adds a line: who, which way it went (`>` to the program, `<` from it, `!` its errors, `=` the match's own words), what, when.
    pub fn add(&mut self, who: &str, way: char, text: &str, at: Instant) {
        let ms = at.saturating_duration_since(self.start).as_micros() as f64 / 1000.0;
        let line = format!("{ms:>10.1} {who} {way} {text}\n");
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

    /// Adds the match's own words.
    pub fn remark(&mut self, who: &str, text: &str) {
        self.add(who, '=', text, Instant::now());
    }

    /// The whole of it; times are milliseconds since the game began.
    pub fn text(&self) -> String {
        let mut text = self.head.clone();
        if self.left_out > 0 {
            let _ = writeln!(text, "… {} lines left out …", self.left_out);
        }
        text.extend(self.tail.iter().map(String::as_str));
        text
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
    }
}
