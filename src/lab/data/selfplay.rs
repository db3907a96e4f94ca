//! Self-play: plays games as fast as possible and records them.
//!
//! Each file has its own thread, searcher and random number generator. The hash table and the histories are
//! cleared between games. Game `k` of file `i` therefore depends only on the seed, `i` and `k`, and an
//! interrupted run continues with exactly the same games.

use super::adjudication::{Adjudication, Watch};
use super::census::RecordCounts;
use super::end::RecordedEnd;
use super::error::{Error, FileError};
use super::openings::{random_ending, random_moves};
use super::records::{Header, MAX_PLIES, Ply, TrainingRecord};
use super::run::{self, Output};
use chuhe_board::random::SplitMix64;
use chuhe_board::rules::{Game, Outcome, Terms, Verdict, judge};
use chuhe_board::score::Score;
use chuhe_board::{Move, Position};
use chuhe_engine::eval::Network;
use chuhe_engine::search::{Limits, STACK};
use chuhe_engine::{Options, Searcher};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, mpsc};

/// Parameters of the engine's signature: number of random openings, and soft node limit for the search of
/// each opening. Computing it takes a few hundredths of a second.
const SIGNATURE: (u64, u64) = (12, 1_500);
/// Maximum number of attempts to find a balanced starting position; about one in three random ones is
/// balanced.
const MAX_TRIES: u32 = 1_000;
/// Multiple of the maximum score of a balanced starting position; positions whose static evaluation exceeds
/// it are rejected without a search.
const MAX_STATIC_FACTOR: Score = 2;

/// Creates a searcher for self-play on one thread, with a network or, without one, the hand-written
/// evaluation.
///
/// # Errors
/// Returns an error if its hash table of `hash_mb` MB cannot be allocated.
pub fn searcher(network: Option<&Arc<Network>>, hash_mb: usize, terms: Terms) -> Result<Searcher, chuhe_engine::Error> {
    let options = Options { hash_mb, threads: 1, move_overhead: 0, rules: terms, ..Options::default() };
    Searcher::with_network(options, network.cloned())
}

/// Returns the move chosen by a searcher, with its score; `None` if no move is legal.
pub(crate) fn choose(searcher: &mut Searcher, game: &Game, limits: &Limits) -> Option<(Move, Score)> {
    let conclusion = searcher.think(game, limits, |_| {});
    Some((conclusion.best?, conclusion.lines.first()?.score))
}

/// Returns the node count of a few searches, which changes if the search or the evaluation changes. Clears
/// the hash table and the histories.
pub fn signature(searcher: &mut Searcher) -> u32 {
    let (openings, soft) = SIGNATURE;
    let mut nodes = 0;
    for seed in 0..openings {
        searcher.forget();
        if let Some(position) = random_moves(&Position::start(), 8, &mut SplitMix64::new(seed)) {
            nodes += searcher.think(&Game::new(position), &Limits::soft_nodes(soft), |_| {}).nodes;
        }
    }
    nodes as u32
}

/// Starting position of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Start {
    /// Position.
    pub position: Position,
    /// Number of random plies that led to the position.
    pub random_plies: u8,
    /// `true` if the position is a random ending.
    pub starts_in_endgame: bool,
}

impl Header {
    /// Returns the default conditions for records with `nodes` nodes per move; `engine` is 0, since
    /// [`generate`] computes it.
    pub fn with_defaults(seed: u64, nodes: u32) -> Header {
        Header {
            seed,
            file: 0,
            engine: 0,
            network: 0,
            nodes,
            most_nodes: nodes.saturating_mul(8),
            terms: Terms::default(),
            random_plies: [4, 10],
            opening_score: 300,
            endings: 10,
            played_out: 10,
            adjudication: Adjudication::default(),
        }
    }

    fn limits(&self, budgets: u64) -> Limits {
        Limits {
            soft_nodes: Some(budgets * u64::from(self.nodes)),
            nodes: Some(budgets * u64::from(self.most_nodes)),
            ..Limits::default()
        }
    }

    /// Returns a random starting position that a search with twice the nodes per move scores as balanced. The
    /// random plies begin at one of the positions of `book`, or at the initial position if `book` is empty.
    /// Returns `None` if no balanced position is found, for example in a book of lost positions.
    pub fn start(&self, searcher: &mut Searcher, book: &[Position], random: &mut SplitMix64) -> Option<Start> {
        // The kind of starting position is chosen once, before the attempts, because balanced endings are
        // rarer than balanced openings.
        let starts_in_endgame = random.below(100) < u64::from(self.endings);
        for _ in 0..MAX_TRIES {
            let [least, most] = self.random_plies.map(u64::from);
            let plies = least + random.below(most.saturating_sub(least) + 1);
            let position = if starts_in_endgame {
                random_ending(random)
            } else if book.is_empty() {
                random_moves(&Position::start(), plies, random)
            } else {
                random_moves(&book[random.below(book.len() as u64) as usize], plies, random)
            };
            let Some(position) = position else { continue };
            let game = Game::new(position);
            if judge(&game, self.terms) != Verdict::Open {
                continue;
            }
            let fair = Score::from(self.opening_score);
            if searcher.evaluate(game.position()).abs() > MAX_STATIC_FACTOR * fair {
                continue;
            }
            let score = choose(searcher, &game, &self.limits(2)).map_or(Score::MAX, |(_, score)| score.abs());
            if score <= fair {
                let random_plies = if starts_in_endgame { 0 } else { plies as u8 };
                return Some(Start { position: game.position().clone(), random_plies, starts_in_endgame });
            }
        }
        None
    }

    /// Plays game number `game` of the file; `None` if `stop` was set or there is no balanced starting
    /// position. See [`Self::start`] for `book`.
    pub fn play(
        &self,
        searcher: &mut Searcher,
        book: &[Position],
        game: u64,
        stop: &AtomicBool,
    ) -> Option<TrainingRecord> {
        let mut random = self.random_of(game);
        searcher.forget();
        let Start { position, random_plies, starts_in_endgame } = self.start(searcher, book, &mut random)?;
        let played_out = random.below(100) < u64::from(self.played_out);
        let adjudication = (!played_out).then_some(self.adjudication);
        let limits = self.limits(1);
        let think = |game: &Game| choose(searcher, game, &limits);
        let CompleteGame { plies, result, end } = play_out(&position, self.terms, adjudication, stop, think)?;
        Some(TrainingRecord { start: position, random_plies, starts_in_endgame, played_out, plies, result, end })
    }

    /// Returns the random number generator for a game.
    fn random_of(&self, game: u64) -> SplitMix64 {
        let mixed = [u64::from(self.file), game]
            .into_iter()
            .fold(self.seed, |seed, number| SplitMix64::new(seed).next() ^ number);
        SplitMix64::new(SplitMix64::new(mixed).next())
    }
}

/// A complete game.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CompleteGame {
    /// Moves with their scores.
    pub plies: Vec<Ply>,
    /// Result for Red.
    pub result: Outcome,
    /// Reason for the end.
    pub end: RecordedEnd,
}

/// Plays from a position until the referee or, if enabled, adjudication by scores or tablebases ends the
/// game. `think` chooses the moves of both sides. Returns `None` if `think` returns no move, or if `stop` was
/// set.
pub(crate) fn play_out(
    start: &Position,
    terms: Terms,
    adjudication: Option<Adjudication>,
    stop: &AtomicBool,
    mut think: impl FnMut(&Game) -> Option<(Move, Score)>,
) -> Option<CompleteGame> {
    let mut game = Game::new(start.clone());
    let mut watch = adjudication.map(Watch::new);
    let mut plies = Vec::with_capacity(256);
    let (result, end) = loop {
        if stop.load(Relaxed) {
            return None;
        }
        let (mover, quiet_plies) = (game.position().side(), game.position().quiet_plies());
        let (mv, score) = think(&game)?;
        plies.push(Ply { mv, score: score as i16 });
        game.make(mv);
        let end = watch.as_mut().and_then(|watch| watch.receive(mover, quiet_plies, score));
        if let Verdict::Over(outcome, reason) = judge(&game, terms) {
            let result = outcome.seen_from(game.position().side());
            break (result, RecordedEnd::Referee(reason));
        }
        let known = watch.as_ref().and_then(|watch| watch.known(game.position(), terms.natural_limit));
        if let Some(ended) = known.or(end) {
            break ended;
        }
        if plies.len() == MAX_PLIES {
            break (Outcome::Draw, RecordedEnd::TooLong);
        }
    };
    Some(CompleteGame { plies, result, end })
}

/// Target of a whole run. Each file has a fixed share, so that a run always produces the same files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Number of games.
    Games(u64),
    /// Minimum number of positions.
    Positions(u64),
}

impl Goal {
    fn is_reached(self, file: usize, files: usize, counts: RecordCounts) -> bool {
        let share = |all: u64| all / files as u64 + u64::from((file as u64) < all % files as u64);
        match self {
            Goal::Games(games) => counts.games >= share(games),
            Goal::Positions(positions) => counts.positions >= share(positions),
        }
    }
}

/// A self-play run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Conditions of the games; [`generate`] sets the file number and the engine.
    pub header: Header,
    /// Number of files and threads, 1–65,535.
    pub threads: usize,
    /// Positions from which the random plies begin; empty for the initial position. The book is not stored in
    /// the files, so a run must be resumed with the same book.
    pub book: Vec<Position>,
    /// Goal.
    pub goal: Goal,
    /// Size of the hash table per thread, in MB.
    pub hash_mb: usize,
    /// Output folder.
    pub folder: PathBuf,
    /// Continues existing files; otherwise they must not exist.
    pub resume: bool,
}

/// Event of a run.
#[derive(Clone, PartialEq, Debug)]
pub enum RunEvent {
    /// An existing file is continued; contains the count of its games, and a message if a damaged end was
    /// removed.
    Resumed(RecordCounts, Option<String>),
    /// A game was written.
    Played(RecordCounts),
}

/// Plays until the goal is reached or `stop` is set, with a network or, without one, the hand-written
/// evaluation.
///
/// # Errors
/// Returns an error if a file cannot be continued (before any game is played) or written; finished games are
/// preserved.
pub fn generate(
    plan: &Plan,
    network: Option<&Arc<Network>>,
    stop: &AtomicBool,
    emit: &mut dyn FnMut(RunEvent),
) -> Result<(), Error> {
    let engine = signature(&mut searcher(network, plan.hash_mb, plan.header.terms)?);
    fs::create_dir_all(&plan.folder).map_err(|error| Error::file(&plan.folder, error))?;
    run::check_threads(&plan.folder, plan.header.seed, plan.threads, plan.resume)?;
    let mut workers = Vec::new();
    for number in 0..plan.threads {
        workers.push(Worker::new(plan, network, engine, number, emit)?);
    }
    // If a thread fails, the others stop.
    let failed = AtomicBool::new(false);
    let (sender, all_counts) = mpsc::channel();
    std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for mut worker in workers {
            let (sender, failed) = (sender.clone(), &failed);
            // The search needs a large stack.
            let builder = std::thread::Builder::new().name(format!("selfplay {}", worker.number)).stack_size(STACK);
            let run = move || {
                let ended = worker.play(plan, stop, failed, &sender);
                ended.inspect_err(|_| failed.store(true, Relaxed)).map_err(|error| Error::file(&worker.path, error))
            };
            threads.push(builder.spawn_scoped(scope, run).map_err(|error| {
                failed.store(true, Relaxed);
                Error::Thread(error)
            })?);
        }
        drop(sender);
        for counts in all_counts {
            emit(RunEvent::Played(counts));
        }
        let joined = threads.into_iter().map(|thread| thread.join().unwrap_or(Err(Error::Panicked)));
        joined.fold(Ok(()), Result::and)
    })
}

/// Work of one thread.
struct Worker {
    number: usize,
    path: PathBuf,
    header: Header,
    output: Output,
    counts: RecordCounts,
    searcher: Searcher,
}

impl Worker {
    /// Opens the file of a thread.
    fn new(
        plan: &Plan,
        network: Option<&Arc<Network>>,
        engine: u32,
        number: usize,
        emit: &mut dyn FnMut(RunEvent),
    ) -> Result<Worker, Error> {
        let header = Header { file: number as u16, engine, ..plan.header };
        let path = plan.folder.join(run::file_name(header.seed, number));
        let (output, counts, cut) =
            run::open(&path, &header, plan.resume).map_err(|error| Error::file(&path, error))?;
        let searcher = searcher(network, plan.hash_mb, header.terms)?;
        if counts.games > 0 || cut.is_some() {
            emit(RunEvent::Resumed(counts, cut));
        }
        Ok(Worker { number, path, header, output, counts, searcher })
    }

    /// Plays until the goal is reached, `stop` is set, or another thread has failed.
    fn play(
        &mut self,
        plan: &Plan,
        stop: &AtomicBool,
        failed: &AtomicBool,
        sender: &mpsc::Sender<RecordCounts>,
    ) -> Result<(), FileError> {
        while !plan.goal.is_reached(self.number, plan.threads, self.counts)
            && !failed.load(Relaxed)
            && !stop.load(Relaxed)
        {
            self.play_one(&plan.book, stop, sender)?;
        }
        self.output.finish().map_err(FileError::System)
    }

    fn play_one(
        &mut self,
        book: &[Position],
        stop: &AtomicBool,
        sender: &mpsc::Sender<RecordCounts>,
    ) -> Result<(), FileError> {
        let Some(record) = self.header.play(&mut self.searcher, book, self.counts.games, stop) else {
            return if stop.load(Relaxed) { Ok(()) } else { Err(FileError::NoStart) };
        };
        let played = RecordCounts::of(&record);
        self.output.add(record)?;
        self.counts.add(played);
        // Sending fails if the receiver has been dropped.
        let _ = sender.send(played);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handcrafted() -> Searcher {
        searcher(None, 1, Terms::default()).expect("1 MB")
    }

    fn play(header: &Header, game: u64) -> TrainingRecord {
        header.play(&mut handcrafted(), &[], game, &AtomicBool::new(false)).expect("it is not stopped")
    }

    #[test]
    fn a_game_depends_on_seed_file_and_number_alone() {
        let header = Header::with_defaults(7, 40);
        let mut used = handcrafted();
        let stop = AtomicBool::new(false);
        let games: Vec<TrainingRecord> = (0..6).filter_map(|game| header.play(&mut used, &[], game, &stop)).collect();
        for (number, game) in games.iter().enumerate() {
            assert_eq!(*game, play(&header, number as u64), "game {number}");
        }
        assert!(games.iter().skip(1).all(|game| game.plies != games[0].plies));
        assert_ne!(play(&Header { file: 1, ..header }, 0), games[0]);
        assert_ne!(play(&Header { seed: 8, ..header }, 0), games[0]);
    }

    #[test]
    fn games_end_as_the_referee_says() {
        let header = Header { played_out: 50, endings: 50, ..Header::with_defaults(11, 30) };
        for number in 0..20 {
            let game = play(&header, number);
            assert_eq!(game.check(header.terms), Ok(()), "game {number}: {}", game.start);
            assert!(!game.played_out || matches!(game.end, RecordedEnd::Referee(_) | RecordedEnd::TooLong));
        }
    }

    #[test]
    fn starts_are_fair_and_as_random_as_asked() {
        let header = Header { endings: 30, ..Header::with_defaults(3, 200) };
        let (mut searcher, mut random) = (handcrafted(), SplitMix64::new(1));
        let starts: Vec<Start> = (0..40).filter_map(|_| header.start(&mut searcher, &[], &mut random)).collect();
        assert_eq!(starts.len(), 40);
        assert!(
            starts.iter().any(|start| start.starts_in_endgame) && starts.iter().any(|start| !start.starts_in_endgame)
        );
        assert!(starts.iter().all(|start| start.starts_in_endgame || (4..=10).contains(&start.random_plies)));
        let book = random_ending(&mut SplitMix64::new(5)).expect("an ending");
        let from_book = Header { random_plies: [0, 0], endings: 0, opening_score: 30_000, ..header };
        let start = from_book.start(&mut searcher, std::slice::from_ref(&book), &mut random);
        assert_eq!(start.map(|start| start.position.key()), Some(book.key()));
        let unfair: Position = "4k4/9/9/9/9/9/9/4R4/9/3K5 b".parse().expect("a position");
        let strict = Header { opening_score: 10, ..from_book };
        assert_eq!(strict.start(&mut searcher, &[unfair], &mut random), None);
    }

    #[test]
    fn shares_of_files_add_up() {
        for files in 1..6 {
            for all in 0..20 {
                let done = |file, games| {
                    Goal::Games(all).is_reached(file, files, RecordCounts { games, ..RecordCounts::default() })
                };
                let needed: u64 = (0..files).map(|file| (0..).find(|&games| done(file, games)).unwrap_or(0)).sum();
                assert_eq!(needed, all);
            }
        }
    }
}
