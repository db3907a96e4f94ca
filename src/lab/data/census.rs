//! Statistics of records: counts, distributions, and consistency of the labels.

use super::adjudication::Watch;
use super::filter::Filter;
use super::records::{Header, TrainingRecord};
use crate::output::{Align, Histogram, Table, bars};
use chuhe_board::rules::Outcome;
use std::collections::BTreeMap;
use std::fmt;

/// Minimum absolute score of a decided position in centipawns, when scores are compared with results.
const DECIDED: i32 = 300;

/// Numbers of games and positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RecordCounts {
    /// Number of games.
    pub games: u64,
    /// Number of positions.
    pub positions: u64,
    /// Number of positions kept by [`Filter::default`].
    pub usable: u64,
}

impl RecordCounts {
    /// Adds a game.
    pub fn count(&mut self, record: &TrainingRecord) {
        self.add(RecordCounts::of(record));
    }

    /// Counts one game.
    pub(crate) fn of(record: &TrainingRecord) -> RecordCounts {
        let filter = Filter::default();
        let usable = record.samples().filter(|sample| filter.keeps(sample)).count() as u64;
        RecordCounts { games: 1, positions: record.plies.len() as u64, usable }
    }

    /// Adds another count.
    pub fn add(&mut self, more: RecordCounts) {
        self.games += more.games;
        self.positions += more.positions;
        self.usable += more.usable;
    }
}

/// Statistics collected while games are read. `Display` formats tables of about a page.
#[derive(Clone, Debug)]
pub struct Census {
    counts: RecordCounts,
    endings: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    ends: BTreeMap<String, u64>,
    lengths: Histogram,
    scores: Histogram,
    /// Key of each position.
    keys: Vec<u64>,
    usable_keys: Vec<u64>,
    /// Number of positions in decided games with an absolute score of at least [`DECIDED`], and the number of
    /// these scores that favour the winner.
    decided: [u64; 2],
    /// Number of played-out games that adjudication would have ended, and the number of those in which it
    /// would have given the same result.
    foretold: [u64; 2],
}

impl Default for Census {
    fn default() -> Census {
        Census {
            counts: RecordCounts::default(),
            endings: 0,
            wins: 0,
            draws: 0,
            losses: 0,
            ends: BTreeMap::new(),
            lengths: Histogram::new(0, 300, 20),
            scores: Histogram::new(-2000, 2000, 200),
            keys: Vec::new(),
            usable_keys: Vec::new(),
            decided: [0; 2],
            foretold: [0; 2],
        }
    }
}

impl Census {
    /// Adds a game that was played under the conditions in the header.
    pub fn add(&mut self, header: &Header, record: &TrainingRecord) {
        self.counts.count(record);
        self.endings += u64::from(record.starts_in_endgame);
        match record.result {
            Outcome::Win => self.wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Loss => self.losses += 1,
        }
        *self.ends.entry(record.end.to_string()).or_default() += 1;
        self.lengths.add(record.plies.len() as i64);
        let filter = Filter::default();
        for sample in record.samples() {
            self.keys.push(sample.position.key());
            if filter.keeps(&sample) {
                self.usable_keys.push(sample.position.key());
                self.scores.add(sample.score.into());
                if sample.result != Outcome::Draw && sample.score.abs() >= DECIDED {
                    self.decided[0] += 1;
                    self.decided[1] += u64::from((sample.score > 0) == (sample.result == Outcome::Win));
                }
            }
        }
        if record.played_out {
            let mut watch = Watch::new(header.adjudication);
            let mut told = record.samples().map(|sample| {
                let position = &sample.position;
                watch.receive(position.side(), position.quiet_plies(), sample.score)
            });
            if let Some((result, _)) = told.find_map(|told| told) {
                self.foretold[0] += 1;
                self.foretold[1] += u64::from(result == record.result);
            }
        }
    }

    /// Returns the counts.
    pub fn counts(&self) -> RecordCounts {
        self.counts
    }
}

/// Formats a share as a percentage with one decimal: `12.3 %`.
fn share(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// Formats the share of duplicate keys.
fn duplicates(keys: &[u64]) -> String {
    let mut sorted = keys.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    share((keys.len() - sorted.len()) as u64, keys.len() as u64)
}

impl Census {
    /// Returns the statistics as text; `say` translates its sentences and names.
    pub fn report(&self, say: impl Fn(&str) -> String + Copy) -> String {
        let RecordCounts { games, positions, usable } = self.counts;
        let mut table = Table::new([("", Align::Left), ("", Align::Right)]);
        let mut row = |name: &str, value: String| {
            let indent = " ".repeat(name.len() - name.trim_start().len());
            table.row([indent + &say(name.trim_start()), value]);
        };
        row("games", games.to_string());
        row("  from random endings", share(self.endings, games));
        row("plies per game", format!("{:.1}", positions as f64 / games.max(1) as f64));
        row("positions", positions.to_string());
        row("  seen before", duplicates(&self.keys));
        row("usable positions", usable.to_string());
        row("  of all", share(usable, positions));
        row("  seen before", duplicates(&self.usable_keys));
        row("scores that agree with the result", share(self.decided[1], self.decided[0]));
        let [foretold, right] = self.foretold;
        row("played-out games that scores would have ended", foretold.to_string());
        row("  with the same result", share(right, foretold));
        let results = [("red wins", self.wins), ("draw", self.draws), ("black wins", self.losses)];
        let mut ends: Vec<(&str, u64)> = self.ends.iter().map(|(end, count)| (end.as_str(), *count)).collect();
        ends.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let named = |rows: &[(&str, u64)]| {
            bars(&rows.iter().map(|(name, count)| (say(name), *count)).collect::<Vec<(String, u64)>>())
        };
        let parts = [
            ("Results", named(&results)),
            ("Ends of games", named(&ends)),
            ("Plies of games", self.lengths.to_string()),
            ("Scores of usable positions, from the mover's point of view", self.scores.to_string()),
        ];
        let parts = parts.map(|(heading, text)| format!("{}\n{text}", say(heading)));
        format!("{}\n{}", table.rows(), parts.join("\n"))
    }
}

/// Formats the statistics in English.
impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.report(str::to_owned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::end::RecordedEnd;
    use crate::data::records::Ply;
    use chuhe_board::Position;

    fn record(result: Outcome, scores: [i16; 12]) -> TrainingRecord {
        let start = Position::start();
        let moves = ["a0a1", "a9a8", "a1a0", "a8a9"].map(|mv| mv.parse().expect("a move"));
        let plies = moves.into_iter().cycle().zip(scores).map(|(mv, score)| Ply { mv, score }).collect();
        TrainingRecord {
            start,
            random_plies: 4,
            starts_in_endgame: false,
            played_out: true,
            plies,
            result,
            end: RecordedEnd::TooLong,
        }
    }

    #[test]
    fn a_census_counts_what_is_there() {
        let header = Header::with_defaults(1, 100);
        let mut census = Census::default();
        census.add(&header, &record(Outcome::Draw, [0; 12]));
        let mut scores = [0; 12];
        scores[8..].copy_from_slice(&[400, -400, 400, 400]);
        census.add(&header, &record(Outcome::Win, scores));
        census.add(&header, &record(Outcome::Loss, std::array::from_fn(|ply| if ply % 2 == 0 { 1600 } else { -1600 })));
        assert_eq!(census.counts(), RecordCounts { games: 3, positions: 36, usable: 12 });
        assert_eq!(census.decided, [8, 3]);
        assert_eq!(census.foretold, [1, 0]);
        let text = census.to_string();
        assert!(text.contains("usable positions") && text.contains("too long"), "{text}");
        assert_eq!(duplicates(&census.keys), share(32, 36));
    }
}
