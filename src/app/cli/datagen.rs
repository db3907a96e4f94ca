//! `chuhe datagen`: generates training records by self-play, and checks them.

use super::evaluation::EvaluationArgs;
use super::genfens::read_book;
use super::output::shown;
use super::pack::pack;
use super::{Done, Failure, interrupt};
use crate::output::{Progress, print_message};
use crate::translation::translate;
use chuhe_engine::bytes::open_file;
use chuhe_lab::data::adjudication::Adjudication;
use chuhe_lab::data::census::{Census, RecordCounts};
use chuhe_lab::data::records::{HEADER_SIZE, Header, MAGIC};
use chuhe_lab::data::selfplay::{Goal, Plan, RunEvent, generate};
use chuhe_lab::data::source::{GameError, Source};
use clap::{ArgGroup, Args};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Minimum and maximum number of random plies after a book position: sufficient to vary games while staying
/// close to the book.
const BOOK_PLIES: [u8; 2] = [0, 2];

/// Identifiers of the options that only self-play uses; `games` and `positions` are in the group `end`.
const PLAYED_ONLY: [&str; 9] =
    ["threads", "nodes", "seed", "resume", "book", "hash", "no_tables", "net", "handcrafted"];

/// Plays self-play games and writes training records
#[derive(Args)]
#[command(group(ArgGroup::new("end").args(["games", "positions", "inspect", "pack"]).required(true)))]
#[command(after_help = "\
Each thread writes one file, OUT/SEED-THREAD.games, in blocks of up to 256 games. Ctrl-C keeps the games played so far; a run that \
is killed loses at most a block per file, and --resume plays these games again, with identical results. CHUHE_LOG=info logs progress.

Examples:
  chuhe datagen --out data --threads 2 --nodes 1500 --positions 5000000 --seed 1
  chuhe datagen --out data --threads 2 --nodes 1500 --positions 5000000 \\
      --seed 1 --resume
  chuhe datagen --inspect data/*.games
  chuhe datagen --pack old/*.games --out packed")]
pub(super) struct Datagen {
    /// Output folder
    #[arg(long, value_name = "DIR", required_unless_present = "inspect")]
    out: Option<PathBuf>,

    /// Number of concurrent games, each on its own core and with its own file
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Nodes after which a search starts no new iteration
    #[arg(long, value_name = "N", default_value_t = 1500, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    nodes: u32,

    /// Stop after this many games in all files
    #[arg(long, value_name = "N")]
    games: Option<u64>,

    /// Stop after this many positions in all files
    #[arg(long, value_name = "N")]
    positions: Option<u64>,

    /// Seed for all games; use a different one for each run
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Continue the files of a stopped run
    #[arg(long)]
    resume: bool,

    /// Starting positions, one FEN per line, each followed by up to two random plies; instead of 4 to 10
    /// random plies from the initial position
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    /// Hash table of each thread, in MB
    #[arg(long, value_name = "MB", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,

    /// Continue games whose result is in a built-in tablebase, instead of ending them with that result
    #[arg(long)]
    no_tables: bool,

    #[command(flatten)]
    evaluation: EvaluationArgs,

    /// Check and describe record files, or PGN files with scores, instead of playing
    #[arg(long, value_name = "FILES", num_args = 1.., conflicts_with_all = PLAYED_ONLY, conflicts_with = "out")]
    inspect: Vec<PathBuf>,

    /// Instead of playing, rewrite record files in blocks to the output folder; files of older versions
    /// shrink to a third of their size
    #[arg(long, value_name = "FILES", num_args = 1.., conflicts_with_all = PLAYED_ONLY)]
    pack: Vec<PathBuf>,
}

impl Datagen {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        match (self.inspect.is_empty(), self.pack.is_empty()) {
            (false, _) => inspect(&self.inspect, out),
            (true, false) => pack(&self.pack, &self.out.expect("--out is required without --inspect"), out),
            (true, true) => self.play(out),
        }
    }

    fn play(self, out: &mut dyn Write) -> Done {
        let goal = self.games.map_or(Goal::Positions(self.positions.unwrap_or(0)), Goal::Games);
        let network = self.evaluation.network()?;
        let hash = network.as_ref().map_or(0, |network| network.hash());
        let adjudication = Adjudication { tables: !self.no_tables, ..Adjudication::default() };
        let mut header = Header { network: hash, adjudication, ..Header::with_defaults(self.seed, self.nodes) };
        let book = self.book.as_deref().map(read_book).transpose()?.unwrap_or_default();
        if !book.is_empty() {
            header.random_plies = BOOK_PLIES;
        }
        let plan = Plan {
            header,
            threads: usize::from(self.threads),
            book,
            goal,
            hash_mb: self.hash as usize,
            folder: self.out.expect("--out is required without --inspect"),
            resume: self.resume,
        };
        let stop = interrupt::flag();
        let mut progress = RunProgress::new(goal);
        let told = &mut |event| progress.on_event(&event);
        let run = generate(&plan, network.as_ref(), stop, told);
        let summary = progress.summary();
        drop(progress);
        run.map_err(Failure::input)?;
        writeln!(out, "{}", translate(&summary))?;
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            print_message("stopped; use --resume to continue");
        }
        Ok(())
    }
}

/// Progress display of a run.
struct RunProgress {
    bar: Progress,
    goal: Goal,
    start: Instant,
    /// Positions and games of this run.
    played: RecordCounts,
    all: RecordCounts,
    logged: Instant,
}

impl RunProgress {
    fn new(goal: Goal) -> RunProgress {
        let bar = match goal {
            Goal::Games(games) => Progress::new(games, "games"),
            Goal::Positions(positions) => Progress::new(positions, "positions"),
        };
        let now = Instant::now();
        RunProgress {
            bar,
            goal,
            start: now,
            played: RecordCounts::default(),
            all: RecordCounts::default(),
            logged: now,
        }
    }

    fn on_event(&mut self, event: &RunEvent) {
        let more = match event {
            RunEvent::Resumed(counts, cut) => {
                if let Some(cut) = cut {
                    self.bar.aside(|| print_message(cut));
                }
                *counts
            }
            RunEvent::Played(counts) => {
                self.played.add(*counts);
                *counts
            }
        };
        self.all.add(more);
        self.bar.advance(match self.goal {
            Goal::Games(_) => more.games,
            Goal::Positions(_) => more.positions,
        });
        self.bar.note(format!("{} usable/h", self.usable_an_hour()));
        if self.logged.elapsed().as_secs() >= 60 {
            self.logged = Instant::now();
            tracing::info!("{}", self.summary());
        }
    }

    fn usable_an_hour(&self) -> u64 {
        (self.played.usable as f64 / self.start.elapsed().as_secs_f64().max(1e-3) * 3600.0) as u64
    }

    fn summary(&self) -> String {
        let RecordCounts { games, positions, usable } = self.all;
        format!("{games} games, {positions} positions, {usable} usable; {} usable per hour", self.usable_an_hour())
    }
}

/// Reads and replays every game. An incomplete game at the end of a file results from a stopped run; any
/// other damage is an error.
fn inspect(files: &[PathBuf], out: &mut dyn Write) -> Done {
    let mut census = Census::default();
    let mut sound = true;
    let bar = Progress::new(files.len() as u64, "files");
    for path in files {
        let before = census.counts().games;
        let faults = read(path, &mut census)?;
        let games = census.counts().games - before;
        sound &= faults.iter().all(|(_, harmless)| *harmless);
        bar.aside(|| -> Done {
            writeln!(out, "{}", translate(&format!("{}: {games} games", shown(path))))?;
            for (fault, _) in faults {
                writeln!(out, "{}", translate(&format!("{}: {fault}", shown(path))))?;
            }
            Ok(())
        })?;
        bar.advance(1);
    }
    drop(bar);
    write!(out, "\n{}", census.report(translate))?;
    if sound { Ok(()) } else { Err(Failure::Check) }
}

/// Counts the games in a file and returns its errors, each with a flag that is `true` for harmless errors.
fn read(path: &Path, census: &mut Census) -> Result<Vec<(String, bool)>, Failure> {
    let file = open_file(path).map_err(|error| Failure::file(path, &error))?;
    let mut faults = Vec::new();
    let length = file.metadata().map_err(|error| Failure::file(path, &error))?.len();
    let mut begin = Vec::new();
    file.take(MAGIC.len() as u64).read_to_end(&mut begin).map_err(|error| Failure::file(path, &error))?;
    let is_head = MAGIC.starts_with(&begin);
    if length < HEADER_SIZE as u64 && is_head {
        return Ok(vec![(format!("an unfinished header; {length} bytes skipped"), true)]);
    }
    let source = Source::open(path).map_err(Failure::input)?;
    let header = source.header().copied();
    let before = census.counts().games;
    for (number, item) in source.enumerate() {
        match item {
            Ok(record) => {
                if let Some(header) = header
                    && let Err(reason) = record.check(header.terms)
                {
                    faults.push((format!("game {}: {reason}", number + 1), false));
                }
                // Games in PGN files have no header to be compared with.
                census.add(&header.unwrap_or_else(|| Header::with_defaults(0, 0)), &record);
            }
            Err(GameError::Records(damage)) => {
                faults.push((damage.to_string(), damage.is_tail() && damage.is_unfinished()));
            }
            Err(GameError::Pgn(fault)) => faults.push((fault, false)),
        }
    }
    if header.is_none() && faults.is_empty() && census.counts().games == before {
        faults.push(("no games found".to_owned(), false));
    }
    Ok(faults)
}
