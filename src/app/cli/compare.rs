//! `chuhe compare`: compares the algorithms from the literature.

mod finders;
mod results;
mod rows;

use super::game::{GAME_OPTIONS, GameArgs};
use super::input::{Placed, read_epd};
use super::output::OutputArgs;
use super::value::BadValue;
use super::{Done, Failure, duration, interrupt};
use crate::output::{self, Progress, json, print_message};
use crate::translation::translate;
use chuhe_board::Position;
use chuhe_board::rules::Game;
use chuhe_lab::textbook::Algorithm;
use clap::Args;
use results::{JsonResult, Results};
use rows::{Goal, Row, RowSettings};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Compares the search algorithms from the literature: values, nodes, time
///
/// Without --only, all exact algorithms run, and all must find the same value. The switches of a row follow
/// its name, `pvs+killers=2+order=staged`; the switches of --with apply to all rows.
#[derive(Args)]
#[command(after_help = "\
Examples:
  chuhe compare --depth 3
  chuhe compare --file positions/gallery.epd --depth 1-4 --plot nodes.svg
  chuhe compare --depth 5 --with order=staged --only pvs,pvs+killers=2,pvs+hash
  chuhe compare --only search,search+without=null_move --depth 10
  chuhe compare --finders --file positions/gallery.epd
  chuhe compare --list

Switches:
  eval=material|positional|full  Kornilov's scale, the same with the positional
                                 part, or the engine's hand-written one (full)
  divide=K                       divides evaluations, to make them coarser
  order=none|random|worst|best|gain|lists|staged|sorted
  deepening                      depths 1, 2, 3 … instead of only the last
  hash, hash=deeper              uses only entries of equal depth, which preserves
                                 all values; or also deeper entries
  hash-bits=N                    the table has 2^N entries (20)
  forgetful                      zero-width nodes store no best move
  quiescence                     quiescence search at the horizon
  killers=K                      killers per ply
  history=power|square           a bonus of 2^depth, or of depth squared
  null=R                         the null move, with this reduction; after it:
    verify=never|thin|always     when to verify a null-move cut-off (thin)
    threats                      extends if a null move reveals a threat
    passes=1|2                   consecutive null moves (1)
    null-from=N                  minimum depth of a null move (R + 2)
  window=N                       half an aspiration window (half a pawn)
  width=N                        initial moves of iterative widening (8)
  without=NAME, without=all      disables techniques of the engine's search

All switches except eval, order and numbers accept `=off`.")]
pub(super) struct Compare {
    #[command(flatten)]
    game: GameArgs,

    /// Compare over the positions in a file instead; `-` is standard input
    #[arg(long, value_name = "EPD", conflicts_with_all = GAME_OPTIONS)]
    file: Option<PathBuf>,

    /// Search to this depth, or to each depth in a range: 4, 1-4
    #[arg(long, value_name = "N|A-B", value_parser = read_depths, default_value = "4")]
    depth: Depths,

    /// Search each row and position for this time: 3s, 500ms
    #[arg(long, value_name = "TIME", value_parser = duration::read, conflicts_with_all = ["depth", "nodes"])]
    time: Option<Duration>,

    /// Search each row and position for this many nodes
    #[arg(long, value_name = "N", conflicts_with = "depth")]
    nodes: Option<u64>,

    /// Only these rows, separated by commas: names from --list, optionally with switches
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,

    /// Switches of all rows, as in a row: order=staged+hash
    #[arg(long, value_name = "SWITCHES", default_value = "", hide_default_value = true)]
    with: String,

    /// One JSON object per line, for each position and row
    #[arg(long)]
    json: bool,

    /// Also write the lines as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Also plot nodes against depth
    #[arg(long, value_name = "FILE.svg", conflicts_with_all = ["time", "nodes"])]
    plot: Option<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,

    /// List the algorithms
    #[arg(long)]
    list: bool,

    /// Compare the methods of finding the targets of rooks and cannons instead: tables and walking
    #[arg(long)]
    finders: bool,
}

/// Range of depths.
#[derive(Clone, Copy, Debug)]
struct Depths(u32, u32);

fn read_depths(text: &str) -> Result<Depths, BadValue> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let depth = |text: &str| text.parse().ok().filter(|depth| (1..=60).contains(depth));
    match (depth(first), depth(last)) {
        (Some(first), Some(last)) if first <= last => Ok(Depths(first, last)),
        _ => Err(BadValue::Depths),
    }
}

/// Results of the completed searches.
struct Found {
    /// Contents of the file of `--csv`.
    csv: String,
    /// Message about a disagreement between two algorithms.
    disagreed: Option<String>,
    results: Results,
}

impl Compare {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        if self.list {
            for algorithm in Algorithm::ALL {
                writeln!(out, "{:22} {}", algorithm.name(), translate(algorithm.about()))?;
            }
            writeln!(out, "{:22} {}", rows::PLAYING, translate("the playing search"))?;
            return Ok(());
        }
        let lines = self.file.as_deref().map(read_epd).transpose()?;
        // Invalid lines are reported before any search starts.
        self.games(&lines).try_for_each(|game| game.map(drop))?;
        if self.finders {
            write!(out, "{}", finders::compare(&self.positions(&lines)?).titled(translate).with_names(translate))?;
            return Ok(());
        }
        self.compare(&lines, &self.rows()?, out)
    }

    /// Returns the games in a file, or the game given on the command line.
    fn games<'g>(&'g self, lines: &'g Option<Vec<Placed>>) -> Box<dyn Iterator<Item = Result<Game, Failure>> + 'g> {
        match lines {
            Some(lines) => Box::new(lines.iter().map(Placed::game)),
            None => Box::new(std::iter::once(self.game.read())),
        }
    }

    fn positions(&self, lines: &Option<Vec<Placed>>) -> Result<Vec<Position>, Failure> {
        self.games(lines).map(|game| Ok(game?.position().clone())).collect()
    }

    fn rows(&self) -> Result<Vec<Row>, Failure> {
        let mut common = RowSettings::default();
        common.set_all(self.with.split('+')).map_err(|error| Failure::at("--with", error))?;
        if self.only.is_empty() {
            return Ok(Row::all_exact(&common));
        }
        let read = |text: &String| Row::read(text.trim(), &common).map_err(|error| Failure::at("--only", error));
        self.only.iter().map(read).collect()
    }

    fn goals(&self) -> Vec<Goal> {
        match (self.time, self.nodes) {
            (Some(time), _) => vec![Goal::Time(time)],
            (_, Some(nodes)) => vec![Goal::Nodes(nodes)],
            _ => (self.depth.0..=self.depth.1).map(Goal::Depth).collect(),
        }
    }

    fn compare(&self, lines: &Option<Vec<Placed>>, rows: &[Row], out: &mut dyn Write) -> Done {
        self.output.check(self.plot.iter().chain(&self.csv), &self.game.files(&self.file))?;
        let results = Results::new(rows, self.goals().len());
        let mut found = Found { csv: JsonResult::csv_headings(), disagreed: None, results };
        let searched = self.search(lines, rows, &mut found, out);
        // A failure, such as a closed pipe, must not discard the results of the completed searches.
        if let Some(path) = &self.csv {
            self.output.write(path, found.csv.as_bytes())?;
        }
        searched?;
        self.report(lines, &found.results, found.disagreed, out)
    }

    /// Searches all positions, until two algorithms disagree or until Ctrl-C.
    fn search(&self, lines: &Option<Vec<Placed>>, rows: &[Row], found: &mut Found, out: &mut dyn Write) -> Done {
        let goals = self.goals();
        let count = lines.as_ref().map_or(1, Vec::len);
        let progress = Progress::new((count * rows.len() * goals.len()) as u64, "searches");
        let stop = interrupt::flag();
        for game in self.games(lines) {
            let game = game?;
            let fen = game.position().to_string();
            for (goal_index, &goal) in goals.iter().enumerate() {
                let mut all = Vec::new();
                for row in rows {
                    progress.note(&row.label);
                    let result = row.search(&game, goal, stop)?;
                    // A search interrupted by Ctrl-C has no result; results of earlier searches are printed.
                    if stop.load(Relaxed) {
                        return Ok(());
                    }
                    let line = JsonResult::new(&fen, row, &result);
                    found.csv += &line.csv();
                    if self.json {
                        progress.aside(|| json::write_line(&mut &mut *out, &line))?;
                    }
                    all.push((row, result));
                    progress.advance(1);
                }
                found.disagreed = disagreement(&fen, &all);
                if found.disagreed.is_some() {
                    return Ok(());
                }
                add_all(&mut found.results, goal_index, &all);
            }
        }
        Ok(())
    }

    /// Prints the table and writes the plot, or reports a disagreement.
    fn report(
        &self,
        lines: &Option<Vec<Placed>>,
        results: &Results,
        disagreed: Option<String>,
        out: &mut dyn Write,
    ) -> Done {
        if let Some(message) = disagreed {
            // JSON lines are for scripts; errors are for the user.
            if self.json {
                print_message(message)
            } else {
                writeln!(out, "{}", translate(&message))?
            }
            return Err(Failure::Check);
        }
        if let Some(path) = &self.plot {
            let positions = self.positions(lines)?;
            let depths: Vec<u32> = (self.depth.0..=self.depth.1).collect();
            self.output.write(path, results.plot(&positions, &depths).svg().as_bytes())?;
        }
        if !self.json {
            write!(out, "{}", results.table().titled(translate).fitted(output::width()))?;
        }
        Ok(())
    }
}

/// Adds the results for a position. A value is wrong if an exact row with the same evaluation found a
/// different value at the same depth.
fn add_all(results: &mut Results, goal_index: usize, all: &[(&Row, rows::Measurement)]) {
    for (index, (row, found)) in all.iter().enumerate() {
        let is_truth = |(other, truth): &&(&Row, rows::Measurement)| {
            other.is_exact() && row.evaluates_like(other) && truth.depth == found.depth
        };
        let wrong = all.iter().find(is_truth).map(|(_, truth)| truth.value != found.value);
        results.add(goal_index, index, found, wrong);
    }
}

/// Returns the first pair of exact rows that should agree on a position but do not.
fn disagreement(fen: &str, all: &[(&Row, rows::Measurement)]) -> Option<String> {
    let pairs = all.iter().enumerate().flat_map(|(index, one)| all[..index].iter().map(move |other| (other, one)));
    let (one, other) = pairs
        .filter(|((one, _), (other, _))| one.is_exact() && other.is_exact() && one.evaluates_like(other))
        .filter(|((_, found), (_, also))| found.depth == also.depth)
        .find(|((_, found), (_, also))| found.value != also.value)?;
    let value_of = |(row, found): &(&Row, rows::Measurement)| format!("  {}: {}\n", row.label, found.value);
    Some(format!("exact algorithms disagree at depth {}:\n{}{}{fen}", one.1.depth, value_of(one), value_of(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(value: i32) -> rows::Measurement {
        rows::Measurement { depth: 3, value, nodes: 1, counts: None, best: None, time: Duration::ZERO }
    }

    #[test]
    fn exact_rows_that_differ_are_an_error_and_others_are_not() {
        let read = |text: &str| Row::read(text, &RowSettings::default()).expect("a row");
        let (minimax, pvs, coarse, inexact) = (read("minimax"), read("pvs"), read("pvs+divide=10"), read("pvs+null=2"));
        let fine = [(&minimax, found(20)), (&pvs, found(20)), (&coarse, found(2)), (&inexact, found(30))];
        assert_eq!(disagreement("the position", &fine), None);
        let wrong = disagreement("the position", &[(&minimax, found(20)), (&pvs, found(21))]).expect("an error");
        for part in ["minimax: 20", "pvs: 21", "the position", "depth 3"] {
            assert!(wrong.contains(part), "{wrong}");
        }
    }
}
