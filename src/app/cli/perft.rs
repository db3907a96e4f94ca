//! `chuhe perft`: counts the leaves of the legal game tree.

use super::game::{GAME_OPTIONS, GameArgs, game_to_count};
use super::input::{Placed, read_epd};
use super::output::shown;
use super::{Done, Failure, threads};
use crate::translation::translate;
use chuhe_board::{Position, perft};
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Counts the leaves of the legal move tree, or checks known counts
#[derive(Args)]
#[command(after_help = "\
Examples:
  chuhe perft 5
  chuhe perft 4 3k5/9/9/9/9/9/9/4R4/9/4K4 w
  chuhe perft 4 --moves \"h2e2\" --divide --threads 2
  chuhe perft --file positions/perft.epd --max-depth 4")]
pub(super) struct Perft {
    /// Depth in plies
    #[arg(required_unless_present = "file", value_parser = clap::value_parser!(u32).range(..=64))]
    depth: Option<u32>,

    #[command(flatten)]
    game: GameArgs,

    /// First print the count below each move
    #[arg(long)]
    divide: bool,

    /// Threads; 0 = all cores
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads::read)]
    threads: usize,

    /// Use the slow reference generator, which walks every line, on one thread
    #[arg(long, conflicts_with_all = ["divide", "threads", "file"])]
    walk: bool,

    /// Check the counts in a file instead: lines such as `FEN ;D1 44 ;D2 1920`; `-` is standard input
    #[arg(long, value_name = "EPD", conflicts_with_all = GAME_OPTIONS, conflicts_with_all = ["depth", "divide"])]
    file: Option<PathBuf>,

    /// Maximum depth for --file
    #[arg(long, value_name = "N", requires = "file")]
    max_depth: Option<u32>,
}

impl Perft {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        match &self.file {
            Some(path) => self.check(path, out),
            None => self.count(self.depth.expect("a depth is required without --file"), out),
        }
    }

    fn count(&self, depth: u32, out: &mut dyn Write) -> Done {
        let mut position = self.game.read_to_count()?.position().clone();
        let start = Instant::now();
        let nodes = if self.divide && depth > 0 {
            let counts = perft::divide(&position, depth, self.threads);
            for (mv, count) in &counts {
                writeln!(out, "{mv}: {count}")?;
            }
            writeln!(out)?;
            counts.iter().map(|(_, count)| count).sum()
        } else if self.walk {
            perft::perft_walking(&mut position, depth)
        } else {
            self.leaves(position, depth)
        };
        let seconds = start.elapsed().as_secs_f64();
        let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
        let lines = format!("Nodes searched: {nodes}\n{speed:.1} M nodes/s, {seconds:.3} s");
        writeln!(out, "{}", translate(&lines))?;
        Ok(())
    }

    fn leaves(&self, mut position: Position, depth: u32) -> u64 {
        match self.threads {
            threads if threads > 1 && depth > 1 => {
                perft::divide(&position, depth, threads).iter().map(|(_, count)| count).sum()
            }
            _ => perft::perft(&mut position, depth),
        }
    }

    fn check(&self, path: &Path, out: &mut dyn Write) -> Done {
        // The whole file is parsed first, so that an invalid line is reported at once.
        let rows: Vec<Row> = read_epd(path)?.iter().map(Row::read).collect::<Result<_, _>>()?;
        if rows.iter().all(|row| row.counts.is_empty()) {
            return Err(Failure::at(shown(path), "no counts to check, such as ; D1 44"));
        }
        for row in &rows {
            for &(depth, expected) in &row.counts {
                if depth > self.max_depth.unwrap_or(u32::MAX) {
                    continue;
                }
                let counted = self.leaves(row.position.clone(), depth);
                if counted != expected {
                    let wrong = format!("{}: depth {depth}: counted {counted}, expected {expected}", row.place);
                    writeln!(out, "{}", translate(&wrong))?;
                    writeln!(out, "{}", row.position)?;
                    return Err(Failure::Check);
                }
            }
        }
        writeln!(out, "{}", translate(&format!("{} positions, all counts agree", rows.len())))?;
        Ok(())
    }
}

/// A position in a file, with its counts by depth.
struct Row {
    place: String,
    position: Position,
    counts: Vec<(u32, u64)>,
}

impl Row {
    fn read(Placed { place, line }: &Placed) -> Result<Row, Failure> {
        let game = game_to_count(&line.fen).map_err(|error| Failure::at(place, error))?;
        // Other operations may occur between the counts; a `D` without two numbers is an error.
        let count = |operation: &String| {
            let (depth, nodes) = operation.strip_prefix('D')?.split_once(' ')?;
            Some((depth.parse().ok().filter(|depth| *depth <= 64)?, nodes.trim().parse().ok()?))
        };
        let counts = line.operations.iter().filter(|operation| operation.starts_with('D'));
        let counts = counts.map(|operation| {
            count(operation).ok_or_else(|| Failure::at(place, format!("{operation:?} is not a count such as D1 44")))
        });
        Ok(Row { place: place.clone(), position: game.position().clone(), counts: counts.collect::<Result<_, _>>()? })
    }
}
