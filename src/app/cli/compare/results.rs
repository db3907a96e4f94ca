//! Results of a comparison: lines for scripts, and a table and a plot for users.

use super::rows::{Measurement, Row};
use crate::output::{Align, Plot, Scale, Series, Table, csv};
use chuhe_board::{Position, perft};
use chuhe_lab::textbook::Counts;
use serde::Serialize;
use std::time::Duration;

/// A result as JSON.
#[derive(Serialize)]
pub(super) struct JsonResult<'r> {
    pub fen: &'r str,
    pub algorithm: &'r str,
    pub exact: bool,
    pub depth: u32,
    pub value: i32,
    pub nodes: u64,
    pub leaves: Option<u64>,
    pub time_ms: f64,
    pub bestmove: Option<String>,
    /// Number of root searches.
    pub calls: Option<u64>,
    /// Number of nodes with an open window.
    pub open: Option<u64>,
    /// Number of beta cutoffs.
    pub cuts: Option<u64>,
    /// Number of beta cutoffs by the first move.
    pub first_cuts: Option<u64>,
    /// Number of nodes cut off by the hash table.
    pub answered: Option<u64>,
}

impl<'r> JsonResult<'r> {
    pub(super) fn new(fen: &'r str, row: &'r Row, found: &Measurement) -> JsonResult<'r> {
        let count = |of: fn(&Counts) -> u64| found.counts.as_ref().map(of);
        JsonResult {
            fen,
            algorithm: &row.label,
            exact: row.is_exact(),
            depth: found.depth,
            value: found.value,
            nodes: found.nodes,
            leaves: count(|counts| counts.leaves),
            time_ms: (found.time.as_secs_f64() * 1e6).round() / 1e3,
            bestmove: found.best.map(|mv| mv.to_string()),
            calls: count(|counts| counts.calls),
            open: count(|counts| counts.open),
            cuts: count(|counts| counts.cuts),
            first_cuts: count(|counts| counts.first_cuts),
            answered: count(|counts| counts.answered),
        }
    }

    /// Returns the headings of [`Self::csv`].
    pub(super) fn csv_headings() -> String {
        csv::line([
            "fen",
            "algorithm",
            "exact",
            "depth",
            "value",
            "nodes",
            "leaves",
            "time_ms",
            "bestmove",
            "calls",
            "open",
            "cuts",
            "first_cuts",
            "answered",
        ])
    }

    pub(super) fn csv(&self) -> String {
        let count = |count: Option<u64>| count.map_or(String::new(), |count| count.to_string());
        csv::line([
            self.fen.to_owned(),
            self.algorithm.to_owned(),
            self.exact.to_string(),
            self.depth.to_string(),
            self.value.to_string(),
            self.nodes.to_string(),
            count(self.leaves),
            self.time_ms.to_string(),
            self.bestmove.clone().unwrap_or_default(),
            count(self.calls),
            count(self.open),
            count(self.cuts),
            count(self.first_cuts),
            count(self.answered),
        ])
    }
}

/// Results of a row over all positions at one depth, or for one limit.
#[derive(Clone, Default)]
struct Sum {
    positions: u64,
    depths: u64,
    nodes: u64,
    counts: Option<Counts>,
    time: Duration,
    /// Number of positions in which an exact row found a different value, if it can be determined.
    wrong: Option<u64>,
    /// Value of the last position.
    value: i32,
    best: String,
}

/// All results, summed over positions.
pub(super) struct Results {
    labels: Vec<String>,
    /// Sums by goal and row.
    sums: Vec<Vec<Sum>>,
}

impl Results {
    pub(super) fn new(rows: &[Row], goals: usize) -> Results {
        let labels = rows.iter().map(|row| row.label.clone()).collect();
        Results { labels, sums: vec![vec![Sum::default(); rows.len()]; goals] }
    }

    /// Adds a result. `wrong` is `true` if an exact row found a different value in this position, and `None`
    /// if this cannot be determined.
    pub(super) fn add(&mut self, goal: usize, row: usize, found: &Measurement, wrong: Option<bool>) {
        let sum = &mut self.sums[goal][row];
        if let Some(wrong) = wrong {
            *sum.wrong.get_or_insert_default() += u64::from(wrong);
        }
        sum.positions += 1;
        sum.depths += u64::from(found.depth);
        sum.nodes += found.nodes;
        sum.time += found.time;
        sum.value = found.value;
        sum.best = found.best.map_or("-".to_owned(), |mv| mv.to_string());
        if let Some(counts) = &found.counts {
            let total = sum.counts.get_or_insert_default();
            total.leaves += counts.leaves;
            total.open += counts.open;
            total.cuts += counts.cuts;
            total.first_cuts += counts.first_cuts;
            total.calls += counts.calls;
            total.answered += counts.answered;
        }
    }

    /// Returns one line per goal and row. For a single position it shows the value and the move; for several,
    /// the sums and the number of positions in which an exact row found a different value.
    pub(super) fn table(&self) -> Table {
        let single = self.sums.iter().flatten().all(|sum| sum.positions <= 1);
        let numbers: &[&str] = if single { &["value", "move"] } else { &["wrong"] };
        let more = ["calls", "nodes", "leaves", "table", "open", "first cuts", "ms", "× nodes", "× time"];
        let names = ["depth"].iter().chain(numbers).chain(&more).map(|name| (*name, Align::Right));
        let mut table = Table::new([("algorithm", Align::Left)].into_iter().chain(names));
        for sums in &self.sums {
            let nodes = sums.iter().map(|sum| sum.nodes).min().unwrap_or(0).max(1) as f64;
            let time = sums.iter().map(|sum| sum.time.as_secs_f64()).fold(f64::INFINITY, f64::min).max(1e-6);
            for (label, sum) in self.labels.iter().zip(sums) {
                let count =
                    |of: fn(&Counts) -> u64| sum.counts.as_ref().map_or("-".to_owned(), |counts| grouped(of(counts)));
                let share = |of: fn(&Counts) -> u64, all: u64| match &sum.counts {
                    Some(counts) if all > 0 => format!("{:.1} %", 100.0 * of(counts) as f64 / all as f64),
                    _ => "-".to_owned(),
                };
                let depth = sum.depths as f64 / sum.positions.max(1) as f64;
                let depth = if depth.fract() == 0.0 { depth.to_string() } else { format!("{depth:.2}") };
                let mut cells = vec![label.clone(), depth];
                if single {
                    cells.extend([sum.value.to_string(), sum.best.clone()]);
                } else {
                    cells.push(sum.wrong.map_or("-".to_owned(), |wrong| wrong.to_string()));
                }
                let cuts = sum.counts.as_ref().map_or(0, |counts| counts.cuts);
                cells.extend([
                    count(|counts| counts.calls),
                    grouped(sum.nodes),
                    count(|counts| counts.leaves),
                    share(|counts| counts.answered, sum.nodes),
                    share(|counts| counts.open, sum.nodes),
                    share(|counts| counts.first_cuts, cuts),
                    format!("{:.1}", sum.time.as_secs_f64() * 1e3),
                    format!("{:.2}", sum.nodes as f64 / nodes),
                    format!("{:.2}", sum.time.as_secs_f64() / time),
                ]);
                table.row(cells);
            }
        }
        table
    }

    /// Plots nodes per position against depth, with the leaves of the minimal and of the full tree of these
    /// positions.
    pub(super) fn plot(&self, positions: &[Position], depths: &[u32]) -> Plot {
        let mean = |sum: &Sum| sum.nodes as f64 / sum.positions.max(1) as f64;
        let line = |(row, label): (usize, &String)| {
            let points = depths.iter().zip(&self.sums).map(|(&depth, sums)| (f64::from(depth), mean(&sums[row])));
            Series::new(label.clone(), points)
        };
        let mut series: Vec<Series> = self.labels.iter().enumerate().map(line).collect();
        let branching: Vec<f64> = positions.iter().map(branching).collect();
        let mut bound = |name: &str, leaves: fn(f64, i32) -> f64| {
            let mean = |depth: i32| branching.iter().map(|&b| leaves(b, depth)).sum::<f64>() / branching.len() as f64;
            let points = depths.iter().map(|&depth| (f64::from(depth), mean(depth as i32)));
            series.push(Series::new(name, points).dashed());
        };
        bound("full tree", |b, depth| b.powi(depth));
        bound("minimal tree", |b, depth| b.powi((depth + 1) / 2) + b.powi(depth / 2) - 1.0);
        Plot {
            title: "Nodes against depth".into(),
            x_label: "depth, plies".into(),
            y_label: "nodes per position".into(),
            y_scale: Scale::Log,
            series,
            ..Plot::default()
        }
    }
}

/// Returns the branching factor of a position: the geometric mean over the first three plies.
fn branching(position: &Position) -> f64 {
    (perft::perft(&mut position.clone(), 3) as f64).cbrt()
}

/// Formats a number with thousands separators: 1,234,567.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
