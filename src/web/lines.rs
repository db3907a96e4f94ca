//! Lines of an analysis, merged to ten a second: a page can't show more, and a quick search finds thousands. The first line of a search
//! waits for nothing.

use crate::desk::{Event, Told};
use std::time::{Duration, Instant};

/// Between two tellings.
pub(super) const PAUSE: Duration = Duration::from_millis(100);

/// Lines that wait, at most one for each place among the best.
pub(super) struct Lines {
    waiting: Vec<Event>,
    told: Option<Instant>,
    /// The question whose lines came last.
    question: Option<u64>,
}

impl Lines {
    /// None yet.
    pub fn new() -> Lines {
        Lines { waiting: Vec::new(), told: None, question: None }
    }

    /// When the waiting lines are due, if there are any.
    pub fn due(&self) -> Option<Instant> {
        (!self.waiting.is_empty()).then(|| self.told.map_or_else(Instant::now, |told| told + PAUSE))
    }

    /// Takes an event; what is returned goes out now, in this order.
    pub fn take(&mut self, event: Event, now: Instant) -> Vec<Event> {
        let Told::Line(line) = &event.told else {
            // The last lines come before the end of their search.
            let mut out = if event.told.is_partial() { Vec::new() } else { std::mem::take(&mut self.waiting) };
            out.push(event);
            return out;
        };
        let same = |other: &Event| {
            other.id == event.id && matches!(&other.told, Told::Line(waits) if waits.multipv == line.multipv)
        };
        self.waiting.retain(|other| !same(other));
        if event.id != self.question {
            self.question = event.id;
            self.told = None;
        }
        self.waiting.push(event);
        if self.told.is_none_or(|told| now >= told + PAUSE) { self.flush(now) } else { Vec::new() }
    }

    /// The waiting lines.
    pub fn flush(&mut self, now: Instant) -> Vec<Event> {
        self.told = Some(now);
        std::mem::take(&mut self.waiting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::{Line, LineNames};
    use crate::review::JsonScore;

    fn line(id: u64, multipv: usize, depth: u32) -> Event {
        let line = Line {
            multipv,
            depth,
            seldepth: depth,
            score: JsonScore::Cp(0),
            bound: "exact",
            wdl: [0, 1000, 0],
            red: 0.5,
            pv: Vec::new(),
            names: LineNames::default(),
            nodes: 0,
            nps: 0,
            time_ms: 0,
            hashfull: 0,
        };
        Event { id: Some(id), told: Told::Line(Box::new(line)) }
    }

    fn seen(events: &[Event]) -> Vec<(usize, u32)> {
        let place = |event: &Event| match &event.told {
            Told::Line(line) => (line.multipv, line.depth),
            _ => (0, 0),
        };
        events.iter().map(place).collect()
    }

    #[test]
    fn the_first_line_comes_at_once_and_of_those_that_wait_the_newest() {
        let (mut lines, start) = (Lines::new(), Instant::now());
        assert_eq!(seen(&lines.take(line(1, 1, 1), start)), [(1, 1)]);
        for (multipv, depth) in [(1, 2), (2, 2), (1, 3)] {
            assert!(lines.take(line(1, multipv, depth), start).is_empty());
        }
        assert_eq!(lines.due(), Some(start + PAUSE));
        assert_eq!(seen(&lines.flush(start + PAUSE)), [(2, 2), (1, 3)]);
        assert_eq!(lines.due(), None);
        assert_eq!(seen(&lines.take(line(1, 1, 4), start + 2 * PAUSE)), [(1, 4)]);
    }

    #[test]
    fn the_first_line_of_another_search_waits_for_none_of_the_one_before() {
        let (mut lines, start) = (Lines::new(), Instant::now());
        lines.take(line(1, 1, 1), start);
        lines.take(line(1, 1, 2), start);
        assert_eq!(seen(&lines.take(line(2, 1, 1), start)), [(1, 2), (1, 1)]);
        assert!(lines.take(line(2, 1, 2), start).is_empty());
    }

    #[test]
    fn nothing_is_kept_back_at_the_end() {
        let (mut lines, start) = (Lines::new(), Instant::now());
        lines.take(line(1, 1, 1), start);
        lines.take(line(1, 1, 2), start);
        let end = Event { id: Some(1), told: Told::Stopped {} };
        assert_eq!(seen(&lines.take(end, start)), [(1, 2), (0, 0)]);
    }
}
