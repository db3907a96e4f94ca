//! The run: worker threads lease positions, analyse them, and add the results.

use super::store::{NEEDS_GAMES, failed};
use crate::cli::alias::PlayerArgs;
use crate::cli::analyze::report::pawns;
use crate::cli::evaluation::EvaluationArgs;
use crate::cli::game::GameArgs;
use crate::cli::gather::Gathering;
use crate::cli::output::shown;
use crate::cli::review::side;
use crate::cli::rules::RuleSetParser;
use crate::cli::{Done, Failure, duration, interrupt, threads};
use crate::output::{Progress, print_message};
use crate::translation::language;
use chuhe_board::rules::RuleSet;
use chuhe_board::words::Key;
use chuhe_board::{Position, Side};
use chuhe_engine::Options;
use chuhe_engine::search::STACK;
use chuhe_games::explore::{Added, Analyst, Choice, Effort, Error, Leaf, PlayedPositions, Selection, Store, View};
use chuhe_games::openings::Opening;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(Args)]
pub(super) struct Run {
    #[command(flatten)]
    game: GameArgs,

    /// Database; it is created if it does not exist
    // An option, because it is not required with a subcommand.
    #[arg(long, value_name = "DATABASE", required = true)]
    to: Option<PathBuf>,

    /// Begin with the lines of an opening: its code, or a part of its name (屏风马, screen horses)
    #[arg(long, value_name = "OPENING")]
    opening: Option<String>,

    /// Games whose positions after the start of the exploration are preferred: files, folders, or libraries
    #[arg(long, value_name = "PATH", num_args = 1..)]
    games: Vec<PathBuf>,

    #[command(flatten)]
    player: PlayerArgs,

    /// Only the games in which the player has this side
    #[arg(long, value_name = "SIDE", value_parser = side, requires = "player")]
    side: Option<Side>,

    /// Plies of each game to use, counted from the start of the exploration
    #[arg(long, value_name = "N", default_value_t = 24)]
    game_plies: usize,

    /// Percentage of positions chosen by how often they are played
    #[arg(long, value_name = "PERCENT", default_value_t = 25, value_parser = clap::value_parser!(u64).range(0..=100))]
    people: u64,

    /// Stop after this many positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,

    /// Stop after this time: 30m, 8h
    #[arg(long, value_parser = duration::read)]
    time: Option<Duration>,

    /// Maximum plies from the beginning
    #[arg(long, value_name = "N", default_value_t = 60)]
    plies: u32,

    /// Loss in centipawns beyond which a move is not explored [default: 60]
    #[arg(long, value_name = "POINTS", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    margin: Option<u32>,

    /// Number of best lines of each position
    #[arg(long, value_name = "LINES", default_value_t = Effort::default().lines as u16, value_parser = clap::value_parser!(u16).range(1..=128))]
    lines: u16,

    /// Total number of nodes for the best lines of a position
    #[arg(long, value_name = "N", default_value_t = Effort::default().nodes, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Nodes for each of the other moves
    #[arg(long, value_name = "N", default_value_t = Effort::default().rest, value_parser = clap::value_parser!(u64).range(1..))]
    rest: u64,

    /// Number of positions analysed at the same time; 0 = all cores
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads::read)]
    concurrency: usize,

    /// Hash table size of each search, in MB
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,

    /// Time after which another process may analyse a position that is not finished; positions of a process
    /// that has ended on this machine are free at once
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = duration::read)]
    lease: Duration,

    /// Repetition rules of a new database [default: asian]
    #[arg(long, value_parser = RuleSetParser)]
    rules: Option<RuleSet>,

    #[command(flatten)]
    evaluation: EvaluationArgs,
}

/// State shared by the workers.
struct Shared<'r> {
    run: &'r Run,
    path: &'r PathBuf,
    bar: Progress,
    /// Positions to begin at; empty for the roots of the database.
    roots: Vec<Position>,
    /// Percentage of positions chosen by how often they are played.
    people: u64,
    /// Number of leased positions, which determines the choice of played positions and the end of the run.
    begun: AtomicU64,
    analysed: AtomicU64,
    is_over: AtomicBool,
    /// `true` if no position was left to explore.
    is_complete: AtomicBool,
    failure: Mutex<Option<Failure>>,
}

impl Run {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let language = language();
        let path = self.to.as_ref().expect("--to is required without a subcommand");
        if self.games.is_empty() && self.player.is_given() {
            return Err(Failure::Input(NEEDS_GAMES.to_owned()));
        }
        let or_fail = |error| failed(path, &error);
        let mut store = Store::open_to_add(path, self.rules, self.margin).map_err(or_fail)?;
        let (roots, readable) = self.begin(&mut store, path)?;
        // Positions stored by a run from other roots may not be below these.
        let people = if roots.is_empty() || !self.games.is_empty() { self.people } else { 0 };
        let unit = "positions";
        let bar = self.positions.map_or_else(|| Progress::endless(unit), |count| Progress::new(count, unit));
        let options =
            Options { hash_mb: self.hash as usize, rules: store.rules().terms(), ..self.evaluation.options() };
        let shared = Shared {
            run: &self,
            path,
            bar,
            roots,
            people,
            begun: AtomicU64::new(0),
            analysed: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            is_complete: AtomicBool::new(false),
            failure: Mutex::new(None),
        };
        shared.supervise(&store, &options)?;
        let Shared { bar, roots, failure, analysed, is_complete, .. } = shared;
        drop(bar);
        if let Some(failure) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(failure);
        }
        if is_complete.into_inner() {
            print_message(language.word(Key::ExploredAll));
        }
        let (new, total) = (analysed.into_inner(), store.count().map_err(or_fail)?);
        writeln!(out, "{}", language.say(Key::Explored, &[("file", &shown(path)), ("new", &new), ("total", &total)]))?;
        if let Some(text) = root(&store, &roots).map_err(or_fail)? {
            writeln!(out, "{text}")?;
        }
        readable
    }

    /// Adds the root positions and the positions of the games. Returns the root positions of this run, none if
    /// it continues from those of the database; and whether all games were readable.
    fn begin(&self, store: &mut Store, path: &std::path::Path) -> Result<(Vec<Position>, Done), Failure> {
        let or_fail = |error| failed(path, &error);
        let is_given = self.game.is_given();
        let mut roots = Vec::new();
        if let Some(opening) = &self.opening {
            roots = Opening::lines(opening);
            if roots.is_empty() {
                return Err(Failure::at("--opening", format!("no opening is named {opening:?}")));
            }
        }
        if is_given || roots.is_empty() && !store.has_roots().map_err(or_fail)? {
            roots.push(self.game.read()?.position().clone());
        }
        store.add_roots(&roots).map_err(or_fail)?;
        let mut readable = Ok(());
        if !self.games.is_empty() {
            let all = if roots.is_empty() { store.roots().map_err(or_fail)? } else { roots.clone() };
            let played;
            (played, readable) = self.played(&all)?;
            store.set_played(&played).map_err(or_fail)?;
        }
        Ok((roots, readable))
    }

    /// Counts the positions of the games after they have reached a root, so that exercises and other openings
    /// are ignored. Unreadable games are reported and left out.
    fn played(&self, roots: &[Position]) -> Result<(PlayedPositions, Done), Failure> {
        let filter = self.player.read()?;
        let (mut played, bar) = (PlayedPositions::below(roots), Progress::endless("games"));
        let mut games = Gathering::of(&self.games, language())?;
        games.leave_out_duplicates();
        let sides: &[Side] = self.side.as_ref().map_or(&Side::ALL, std::slice::from_ref);
        let mut has_player = false;
        for game in &mut games {
            if sides.iter().any(|side| filter.has(&game.record, *side)) {
                has_player = true;
                played.add(&game.record.start, &game.record.moves(), self.game_plies);
            }
            bar.advance(1);
        }
        drop(bar);
        let readable = games.end();
        match has_player {
            false => readable.and(Err(Failure::at(
                "--player",
                match self.side {
                    Some(_) => "no player of this side has this name",
                    None => "no player in the games has this name",
                },
            ))),
            true if played.is_empty() => {
                readable.and(Err(Failure::at("--games", "no game reaches the start of the exploration")))
            }
            true => Ok((played, readable)),
        }
    }
}

impl Shared<'_> {
    /// Runs the workers until all have ended. The run is over after Ctrl-C, when its time has elapsed, or
    /// after an error.
    fn supervise(&self, store: &Store, options: &Options) -> Done {
        let (stop, start) = (interrupt::flag(), Instant::now());
        let fail = |failure: Failure| {
            self.is_over.store(true, Relaxed);
            failure
        };
        std::thread::scope(|scope| -> Done {
            let mut workers = Vec::new();
            for _ in 0..self.run.concurrency {
                let thread = std::thread::Builder::new().name("explore".into()).stack_size(STACK);
                let worker = thread.spawn_scoped(scope, || self.work(options.clone()));
                workers.push(worker.map_err(|error| fail(Failure::at("--concurrency", error)))?);
            }
            let mut last_shown = Instant::now();
            while workers.iter().any(|worker| !worker.is_finished()) {
                std::thread::sleep(Duration::from_millis(20));
                if stop.load(Relaxed) || self.run.time.is_some_and(|time| start.elapsed() >= time) {
                    self.is_over.store(true, Relaxed);
                }
                if last_shown.elapsed() > Duration::from_secs(1) {
                    last_shown = Instant::now();
                    self.tell(store, start.elapsed()).map_err(|error| fail(failed(self.path, &error)))?;
                }
            }
            Ok(())
        })
    }

    /// Analyses positions until the run is over.
    fn work(&self, options: Options) {
        if let Err(failure) = self.explore(options) {
            self.is_over.store(true, Relaxed);
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
        }
    }

    fn explore(&self, options: Options) -> Done {
        let run = self.run;
        let or_fail = |error| failed(self.path, &error);
        let mut store = Store::open_to_add(self.path, None, None).map_err(or_fail)?;
        let effort = Effort { lines: run.lines.into(), nodes: run.nodes, rest: run.rest };
        let mut analyst = Analyst::new(options, effort)?;
        while !self.is_over.load(Relaxed) {
            let Some(leaves) = self.lease(&mut store).map_err(or_fail)? else { return Ok(()) };
            let mut analyses = Vec::with_capacity(leaves.len());
            for leaf in &leaves {
                analyses.push(analyst.analyse(&leaf.position));
                if self.is_over.load(Relaxed) {
                    break;
                }
            }
            if leaves.is_empty() {
                continue;
            }
            let Added { new, .. } = store.add(&analyses).map_err(or_fail)?;
            self.analysed.fetch_add(new as u64, Relaxed);
            self.bar.advance(new as u64);
            if analyses.len() < leaves.len() {
                return store.release(&leaves[analyses.len()..]).map_err(or_fail);
            }
        }
        Ok(())
    }

    /// Leases the next positions; `None` if the run is over. If there are many workers, each leases several
    /// positions at once, since only one worker at a time can write to the database.
    fn lease(&self, store: &mut Store) -> Result<Option<Vec<Leaf>>, Error> {
        let run = self.run;
        let most = (run.concurrency as u64 / 4).max(1);
        let number = self.begun.fetch_add(most, Relaxed);
        let count = run.positions.map_or(most, |count| count.saturating_sub(number).min(most));
        if count == 0 {
            return Ok(None);
        }
        // Played positions are evenly distributed, so that any interval contains about the same share.
        let share = |number: u64| number / most * self.people / 100;
        let choice = if share(number + most) > share(number) { Choice::Played } else { Choice::Critical };
        let selection = Selection { roots: &self.roots, count: count as usize, plies: run.plies, choice };
        let leaves = store.lease(selection, run.lease)?;
        self.begun.fetch_sub(most - leaves.len() as u64, Relaxed);
        if leaves.is_empty() {
            if !store.has_leases()? {
                self.is_complete.store(true, Relaxed);
                return Ok(None);
            }
            // Positions analysed by other workers may lead to further positions.
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(Some(leaves))
    }

    /// Displays the speed, the score of the root and the length of its main line.
    fn tell(&self, store: &Store, elapsed: Duration) -> Result<(), Error> {
        let analysed = self.analysed.load(Relaxed);
        let speed = analysed as f64 / elapsed.as_secs_f64().max(0.001);
        let root = root(store, &self.roots)?.unwrap_or_default();
        let text = format!("{speed:.1}/s  {root}");
        self.bar.print_instead(false, || format!("{analysed} positions, {text}"));
        self.bar.note(text);
        Ok(())
    }
}

/// Returns the score and the length of the main line from the root with the most positions below it; `roots`
/// are those of the run, or empty for all.
fn root(store: &Store, roots: &[Position]) -> Result<Option<String>, Error> {
    let roots = if roots.is_empty() { store.roots()? } else { roots.to_vec() };
    let mut best = None;
    for root in roots {
        if let Some(view) = store.view(&root)?
            && best.as_ref().is_none_or(|(_, known): &(_, View)| view.below > known.below)
        {
            best = Some((root, view));
        }
    }
    let Some((root, view)) = best else { return Ok(None) };
    let (score, plies) = (pawns(view.value.score), store.line(&root)?.len());
    let language = language();
    Ok(Some(language.say(Key::ExploredScore, &[("score", &score), ("plies", &plies)])))
}
