//! The playing search: principal variation search with everything that makes it strong.
//!
//! It prints nothing: it tells a listener. Read `node` for one node, step by step, and `worker` for the deepening around it.

mod cache;
mod clock;
mod deepen;
mod found;
mod history;
mod kinds;
mod lessons;
mod limits;
mod node;
mod order;
pub mod params;
mod path;
mod quiescence;
mod report;
mod root;
mod selective;
mod table;
mod threads;
mod worker;

pub use history::{Histories, HistoryTable};
pub use limits::{Limits, Time};
pub use params::Params;
pub use report::{Bound, Conclusion, Event, Report};
pub use table::{Entry, Table};
pub use threads::{STACK, Threads};

use crate::board::Move;
use crate::eval::Evaluator;
use crate::rules::{Game, Terms};
use crate::score::{Score, is_mate};
use clock::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use worker::Worker;

/// How a search is told to stop, or that the enemy played the expected move, while it runs.
#[derive(Debug, Default)]
pub struct Control {
    stopped: AtomicBool,
    pondering: AtomicBool,
}

impl Control {
    /// Ends the search within milliseconds.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// The enemy played the expected move: the clock runs.
    pub fn ponder_hit(&self) {
        self.pondering.store(false, Relaxed);
    }

    /// Makes ready for a new search.
    pub fn start(&self, pondering: bool) {
        self.pondering.store(pondering, Relaxed);
        self.stopped.store(false, Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Whether the search may not answer yet.
    fn must_wait(&self, limits: &Limits) -> bool {
        !self.is_stopped() && (limits.is_infinite() || self.pondering.load(Relaxed))
    }
}

/// What outlives a search: the hash table, and the threads with what each has learnt. All of it holds for one evaluation, one set of
/// rules and one set of numbers: whoever changes any of them must let it forget.
pub struct Memory {
    /// Shared by all threads, and by whoever asks what is known while a search goes on.
    pub table: Arc<Table>,
    /// As many as search.
    pub threads: Threads,
    /// Whether there is anything to forget.
    used: bool,
}

impl Memory {
    /// A hash table of so many MB, and so many threads.
    ///
    /// # Errors
    /// A message if the memory or the threads can't be had.
    pub fn new(hash_mb: usize, threads: usize) -> Result<Memory, String> {
        Ok(Memory { table: Arc::new(Table::new(hash_mb)?), threads: Threads::new(threads)?, used: false })
    }

    /// Forgets everything learnt. Costs nothing if there was no search since the last time.
    pub fn forget(&mut self) {
        if std::mem::take(&mut self.used) {
            self.table.clear(&self.threads);
            self.threads.forget();
        }
    }
}

/// Stops the search when it is dropped: also if the main thread panics, or the helpers would never end.
struct StopAtTheEnd<'c>(&'c Control);

impl Drop for StopAtTheEnd<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// What is the same for all searches of a game.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Settings {
    pub params: Params,
    /// Best lines to report.
    pub multipv: usize,
    pub terms: Terms,
    /// Kept free on the clock.
    pub overhead: Duration,
    /// The engine also thinks in the enemy's time.
    pub ponder: bool,
    /// Largest random amount added to evaluations, in centipawns.
    pub randomness: Score,
    /// Decides what the randomness adds.
    pub seed: u64,
}

/// What all threads of a search share.
struct Shared<'s> {
    table: &'s Table,
    control: &'s Control,
    node_limit: Option<u64>,
    /// By thread.
    nodes: Vec<Count>,
}

/// A number in a line of cache of its own, so that threads do not wait for each other's counts.
#[derive(Default)]
#[repr(align(128))]
struct Count(AtomicU64);

impl Shared<'_> {
    fn publish_nodes(&self, id: usize, nodes: u64) {
        self.nodes[id].0.store(nodes, Relaxed);
    }

    fn nodes_of_others(&self, id: usize) -> u64 {
        self.nodes.iter().enumerate().filter(|(other, _)| *other != id).map(|(_, nodes)| nodes.0.load(Relaxed)).sum()
    }
}

/// Searches a position on one or more threads until a limit or [`Control::stop`] ends it, telling `listener` every line.
pub fn search<E: Evaluator>(
    game: &Game,
    limits: &Limits,
    settings: &Settings,
    evaluator: &E,
    memory: &mut Memory,
    control: &Control,
    listener: &mut (dyn FnMut(Event) + Send),
) -> Conclusion {
    let clock = Clock::new(limits.time, settings.overhead, settings.ponder);
    memory.used = true;
    let Memory { table, threads, .. } = memory;
    table.grow_older();
    let nodes = (0..threads.count()).map(|_| Count::default()).collect();
    let shared = Shared { table, control, node_limit: limits.nodes, nodes };
    let new_worker = |id, histories, listener| {
        Worker::new(id, &shared, settings, game, limits, clock.clone(), evaluator.clone(), histories, listener)
    };

    let (first, others, pool) = threads.split();
    let mut main = new_worker(0, first, Some(listener));
    // Without a move there is nothing to help with.
    let helpers = if main.root_moves.is_empty() { 0 } else { others.len() };
    let mut voters: Vec<Option<Voter>> = (0..helpers).map(|_| None).collect();
    let jobs = others.iter_mut().zip(&mut voters).enumerate().map(|(index, (histories, voter))| {
        let mut helper = new_worker(index + 1, histories, None);
        move || {
            helper.deepen(limits, 1);
            *voter = Voter::of(&helper);
        }
    });
    pool.run_beside(jobs, || {
        let _stop = StopAtTheEnd(control);
        main.deepen(limits, settings.multipv);
        while control.must_wait(limits) {
            std::thread::sleep(Duration::from_millis(1));
        }
    });

    let mut lines: Vec<Report> = (0..settings.multipv.max(1))
        .filter_map(|index| main.line(index, main.completed_depth.max(1), Bound::Exact))
        .collect();
    let voters: Vec<Voter> = Voter::of(&main).into_iter().chain(voters.into_iter().flatten()).collect();
    if settings.multipv <= 1
        && let (Some(winner), Some(line)) = (elect(&voters), lines.first_mut())
    {
        (line.pv, line.score, line.depth) = (winner.pv.clone(), winner.score, winner.depth as u32);
    }
    let best = lines.first().and_then(|line| line.pv.first().copied());
    let ponder = lines.first().and_then(|line| line.pv.get(1).copied());
    let total = shared.nodes_of_others(0) + main.nodes;
    Conclusion { best, ponder, lines, nodes: total, time: clock.elapsed() }
}

/// What a thread found, for the vote.
struct Voter {
    depth: i32,
    score: Score,
    pv: Vec<Move>,
}

impl Voter {
    fn of<E: Evaluator>(worker: &Worker<E>) -> Option<Voter> {
        let root = worker.root_moves.first()?;
        Some(Voter { depth: worker.completed_depth, score: root.score, pv: root.pv.clone() })
    }
}

/// The threads vote for their best moves, with more weight the deeper they saw and the better it looks; a mate wins outright.
/// Of the threads behind the elected move the best speaks; the main thread if in doubt.
fn elect(voters: &[Voter]) -> Option<&Voter> {
    let least = voters.iter().map(|voter| voter.score).min()?;
    let weight = |voter: &Voter| i64::from(voter.score - least + 15) * i64::from(voter.depth);
    let votes =
        |voter: &Voter| -> i64 { voters.iter().filter(|other| other.pv.first() == voter.pv.first()).map(weight).sum() };
    let rank = |voter: &Voter| {
        let mate = if is_mate(voter.score) { voter.score } else { 0 };
        (mate, votes(voter), voter.depth)
    };
    // `max_by_key` prefers the last of equals, so the main thread is asked last.
    voters.iter().rev().max_by_key(|voter| rank(voter))
}
