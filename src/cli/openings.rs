//! `chuhe openings`: makes positions to begin games with.

use super::{Done, Failure, interrupt};
use crate::arena::balanced::{Balanced, Wanted, find};
use crate::arena::player::{Limit, Player};
use crate::output::Progress;
use clap::Args;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Makes openings: random moves from the start, kept where an engine sees neither side ahead
///
/// One EPD line for each: the position, the moves that led to it and the engine's score from the mover's view. No two are mirror images.
#[derive(Args)]
#[command(after_help = "\
The engine is described as for `chuhe match`; it needs nodes= or depth=. The same seed and engine give the same openings.

Examples:
  chuhe openings --count 20
  chuhe openings --count 1000 --plies 6-10 --seed 7 --concurrency 2 \\
      --engine cmd=self,nodes=200000,hash=16 --out openings.epd")]
pub struct Openings {
    /// How many
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: usize,

    /// How many random plies each: a number, or two of them
    #[arg(long, value_name = "N|A-B", default_value = "6-10", value_parser = read_plies)]
    plies: RangeInclusive<u32>,

    /// The seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// The largest score of a balanced position; a rook is about 1000
    #[arg(long, value_name = "POINTS", default_value_t = 50, value_parser = clap::value_parser!(i32).range(0..=10_000))]
    within: i32,

    /// Who weighs the positions
    #[arg(long, value_name = "KEY=VALUE,…", default_value = "cmd=self,nodes=100000,hash=16")]
    engine: String,

    /// How many engines at once
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: u32,

    /// Where the openings go, instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn read_plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last && last <= 100 => Ok(first..=last),
        _ => Err("not a number of plies such as 8, nor two such as 6-10".to_owned()),
    }
}

impl Openings {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let judge = Player::read(&[], &self.engine).map_err(Failure::Input)?;
        if !matches!(judge.limit, Limit::Nodes(_) | Limit::Depth(_)) {
            return Err(Failure::at(
                "--engine",
                "openings are weighed by nodes= or depth=, for the same on every machine",
            ));
        }
        match &self.out {
            Some(path) => {
                let file = File::create(path).map_err(|error| Failure::file(path, &error))?;
                self.write(judge, &mut BufWriter::new(file))
            }
            None => self.write(judge, out),
        }
    }

    fn write(&self, judge: Player, out: &mut dyn Write) -> Done {
        let (first, last) = (self.plies.start(), self.plies.end());
        writeln!(
            out,
            "# {first}-{last} random plies, seed {}, within {} of {}",
            self.seed,
            self.within,
            judge.description()
        )?;
        let wanted = Wanted {
            count: self.count,
            plies: self.plies.clone(),
            seed: self.seed,
            within: self.within,
            judge,
            concurrency: self.concurrency,
        };
        let bar = Progress::new(self.count as u64, "openings");
        let mut written = Ok(());
        let stop = interrupt::flag();
        let found = find(&wanted, stop, |Balanced { position, moves, score }, candidates| {
            bar.advance(1);
            bar.note(format!("of {candidates} candidates"));
            let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
            if written.is_ok() {
                written =
                    writeln!(out, "{position} ; c0 \"{}\"; ce {score};", moves.join(" ")).and_then(|()| out.flush());
            }
            if written.is_err() {
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        });
        written?;
        found.map_err(|reason| Failure::at("--engine", reason))
    }
}
