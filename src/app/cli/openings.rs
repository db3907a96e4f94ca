//! `chuhe openings`: generates balanced openings.

use super::output::{OutputArgs, keep};
use super::value::BadValue;
use super::{Done, Failure, encoding, interrupt};
use crate::output::{Progress, print_message};
use chuhe_lab::arena::balanced::{Balanced, OpeningRequest, SearchEnd, find};
use chuhe_lab::arena::openings::read_sound;
use chuhe_lab::arena::player::{Limit, Player};
use clap::Args;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Generates balanced openings: random moves, or the opening moves of games, kept if an engine considers
/// neither side better
///
/// Each line is EPD: the position, the moves that led to it and the engine's score from the mover's point of
/// view. No two openings are mirror images of each other.
#[derive(Args)]
#[command(after_help = "\
The engine is described as for `chuhe match`; it needs nodes= or depth=. The same seed and engine give the same openings.

Examples:
  chuhe openings --count 20
  chuhe openings --count 1000 --plies 6-10 --seed 7 --concurrency 2 \\
      --engine cmd=self,nodes=200000,hash=16 --out openings.epd
  chuhe openings --from library.cbl --plies 12 --count 200")]
pub(super) struct Openings {
    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: usize,

    /// Use the opening moves of the games in a file, in turn, instead of random ones; any record format
    #[arg(long, value_name = "GAMES")]
    from: Option<PathBuf>,

    /// Plies of each opening: a number, or a range
    #[arg(long, value_name = "N|A-B", default_value = "6-10", value_parser = read_plies)]
    plies: RangeInclusive<u32>,

    /// Seed for the random moves and their number
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Maximum absolute score of a balanced position; a rook is about 1000
    #[arg(long, value_name = "POINTS", default_value_t = 50, value_parser = clap::value_parser!(i32).range(0..=10_000))]
    within: i32,

    /// Engine that evaluates the positions
    #[arg(long, value_name = "KEY=VALUE,…", default_value = "cmd=self,nodes=100000,hash=16")]
    engine: String,

    /// Number of concurrent engines
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: u32,

    /// Output file, instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,
}

fn read_plies(text: &str) -> Result<RangeInclusive<u32>, BadValue> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last && last <= 100 => Ok(first..=last),
        _ => Err(BadValue::Plies),
    }
}

impl Openings {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let judge = self.engine.parse::<Player>().map_err(|reason| Failure::at("--engine", reason))?;
        if !matches!(judge.limit, Limit::Nodes(_) | Limit::Depth(_)) {
            return Err(Failure::at(
                "--engine",
                "give nodes= or depth=, so that the openings are the same on every machine",
            ));
        }
        match &self.out {
            Some(path) => {
                self.output.check([path], self.from.as_slice())?;
                let mut file = self.output.new_file(path)?;
                let mut found = 0;
                let done = self.write(judge, &mut file, &mut found);
                // The openings found so far are kept even if the requested number was not reached.
                match done {
                    Ok(()) | Err(Failure::Check) => keep(file, path)?,
                    Err(Failure::Input(_)) if found > 0 => keep(file, path)?,
                    Err(_) => {}
                }
                done
            }
            None => self.write(judge, out, &mut 0),
        }
    }

    /// Writes the openings and counts them in `found`.
    fn write(&self, judge: Player, out: &mut dyn Write, found: &mut usize) -> Done {
        let (games, faults) = match &self.from {
            // Games that end within the maximum number of plies are accepted, since fewer of their plies can
            // be used.
            Some(path) => {
                let plies = *self.plies.end() as usize;
                read_sound(path, plies, encoding::named(), |_| true).map_err(Failure::input)?
            }
            None => Default::default(),
        };
        faults.iter().for_each(|fault| print_message(format!("chuhe: {fault}")));
        let (first, last) = (self.plies.start(), self.plies.end());
        let kind = if games.is_empty() { "random plies" } else { "plies of games" };
        writeln!(
            out,
            "# {first}-{last} {kind}, seed {}, within {} of {}",
            self.seed,
            self.within,
            judge.description()
        )?;
        let request = OpeningRequest {
            count: self.count,
            plies: self.plies.clone(),
            seed: self.seed,
            games,
            within: self.within,
            judge,
            concurrency: self.concurrency,
        };
        let bar = Progress::new(self.count as u64, "openings");
        let mut written = Ok(());
        let stop = interrupt::flag();
        let search = find(&request, stop, |Balanced { position, moves, score }, candidates| {
            *found += 1;
            bar.advance(1);
            bar.note(format!("of {candidates} candidates"));
            bar.print_instead(false, || format!("{found} of {} openings, of {candidates} candidates", self.count));
            let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
            if written.is_ok() {
                written = bar.aside(|| {
                    writeln!(out, "{position} ; c0 \"{}\"; ce {score};", moves.join(" "))?;
                    out.flush()
                });
            }
            if written.is_err() {
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        });
        drop(bar);
        written?;
        let end = search.map_err(|reason| {
            self.print_stopped(*found);
            Failure::at("--engine", reason)
        })?;
        self.report(end, *found, faults.is_empty())
    }

    /// Prints how the search ended after `found` openings.
    fn report(&self, search: SearchEnd, found: usize, all_readable: bool) -> Done {
        let request = self.count;
        match search {
            SearchEnd::Complete if all_readable => Ok(()),
            SearchEnd::Complete => Err(Failure::Check),
            SearchEnd::Exhausted => {
                print_message(format!("chuhe: only {found} of {request} openings were found; all of them are written"));
                Err(Failure::Check)
            }
            SearchEnd::Stopped => {
                self.print_stopped(found);
                Ok(())
            }
        }
    }

    fn print_stopped(&self, found: usize) {
        print_message(format!("chuhe: stopped; {found} of {} openings were written", self.count));
    }
}
