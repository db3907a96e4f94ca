//! Throttling of analysis lines to ten updates per second: users could not see more, but a fast search
//! produces thousands. The lines of an iteration are sent together, so that no two lines on the page begin
//! with the same move. The first lines of a search are sent without delay.

use crate::desk::{Event, Response};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Interval between two updates.
pub(super) const PAUSE: Duration = Duration::from_millis(100);

/// Pending lines by request.
#[derive(Default)]
pub(super) struct Lines(BTreeMap<Option<u64>, Waiting>);

#[derive(Default)]
struct Waiting {
    /// Lines of the incomplete iteration.
    growing: Vec<Event>,
    /// Lines of the last complete iteration.
    whole: Vec<Event>,
    sent: Option<Instant>,
}

impl Waiting {
    /// Returns the time at which the lines are due, if there are any.
    fn due(&self) -> Option<Instant> {
        (!self.whole.is_empty()).then(|| self.sent.map_or_else(Instant::now, |sent| sent + PAUSE))
    }
}

impl Lines {
    /// Returns the time at which the next lines are due, if there are any.
    pub(super) fn due(&self) -> Option<Instant> {
        self.0.values().filter_map(Waiting::due).min()
    }

    /// Handles an event and returns the events to send now, in order.
    pub(super) fn take(&mut self, event: Event, now: Instant) -> Vec<Event> {
        if let Response::Line(line) = &event.response {
            let is_whole = line.multipv >= line.of;
            let waiting = self.0.entry(event.id).or_default();
            waiting.growing.push(event);
            if is_whole {
                waiting.whole = std::mem::take(&mut waiting.growing);
            }
            return self.flush(now);
        }
        // The last lines are sent before the end of their search.
        let last = if event.response.is_partial() { None } else { self.0.remove(&event.id) };
        last.map_or_else(Vec::new, |waiting| waiting.whole).into_iter().chain([event]).collect()
    }

    /// Returns the lines that are due.
    pub(super) fn flush(&mut self, now: Instant) -> Vec<Event> {
        let mut out = Vec::new();
        for waiting in self.0.values_mut() {
            if !waiting.whole.is_empty() && waiting.sent.is_none_or(|sent| now >= sent + PAUSE) {
                waiting.sent = Some(now);
                out.append(&mut waiting.whole);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::{AnalysisLine, LineNames};
    use chuhe_games::review::JsonScore;

    /// Creates one of two lines.
    fn line(id: u64, multipv: usize, depth: u32) -> Event {
        let line = AnalysisLine {
            multipv,
            of: 2,
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
        Event { id: Some(id), response: Response::Line(Box::new(line)) }
    }

    fn seen(events: &[Event]) -> Vec<(usize, u32)> {
        let place = |event: &Event| match &event.response {
            Response::Line(line) => (line.multipv, line.depth),
            _ => (0, 0),
        };
        events.iter().map(place).collect()
    }

    #[test]
    fn the_first_lines_come_at_once_and_of_those_that_wait_the_newest_whole_iteration() {
        let (mut lines, start) = (Lines::default(), Instant::now());
        assert!(lines.take(line(1, 1, 1), start).is_empty());
        assert_eq!(seen(&lines.take(line(1, 2, 1), start)), [(1, 1), (2, 1)]);
        for (multipv, depth) in [(1, 2), (2, 2), (1, 3), (2, 3), (1, 4)] {
            assert!(lines.take(line(1, multipv, depth), start).is_empty());
        }
        assert_eq!(lines.due(), Some(start + PAUSE));
        assert_eq!(seen(&lines.flush(start + PAUSE)), [(1, 3), (2, 3)]);
        assert_eq!(lines.due(), None);
        assert_eq!(seen(&lines.take(line(1, 2, 4), start + 2 * PAUSE)), [(1, 4), (2, 4)]);
    }

    #[test]
    fn the_first_lines_of_another_search_wait_for_none_of_the_one_before() {
        let (mut lines, start) = (Lines::default(), Instant::now());
        for (multipv, depth) in [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)] {
            lines.take(line(1, multipv, depth), start);
        }
        assert!(lines.take(line(2, 1, 1), start).is_empty());
        assert_eq!(seen(&lines.take(line(2, 2, 1), start)), [(1, 1), (2, 1)]);
        lines.take(line(2, 1, 2), start);
        assert!(lines.take(line(2, 2, 2), start).is_empty());
        assert_eq!(seen(&lines.flush(start + PAUSE)), [(1, 2), (2, 2), (1, 2), (2, 2)]);
    }

    #[test]
    fn nothing_is_kept_back_at_the_end() {
        let (mut lines, start) = (Lines::default(), Instant::now());
        for (multipv, depth) in [(1, 1), (2, 1), (1, 2), (2, 2)] {
            lines.take(line(1, multipv, depth), start);
        }
        let end = Event { id: Some(1), response: Response::Stopped {} };
        assert_eq!(seen(&lines.take(end, start)), [(1, 2), (2, 2), (0, 0)]);
    }
}
