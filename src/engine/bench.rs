//! The bench: a fixed search whose node count is the engine's signature. The count changes only if the
//! engine's play changes.

use super::{Engine, Error, Options};
use crate::machine::Instant;
use crate::search::Limits;
use chuhe_board::rules::Game;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// Positions, one per line.
const POSITIONS: &str = include_str!("embedded/bench.epd");

/// Result of a bench.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bench {
    /// Number of nodes, the signature.
    pub nodes: u64,
    /// Duration.
    pub time: Duration,
}

impl Bench {
    /// Returns the number of nodes per second.
    pub fn speed(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// Depth at which the signature is computed.
pub const BENCH_DEPTH: u32 = 10;

/// Searches the bench positions to a depth on one thread; clears the hash table before each position.
/// `progress` is called with each position and its node count.
///
/// # Errors
/// Returns an error if 16 MB cannot be allocated, or the search fails.
pub fn bench(depth: u32, progress: impl FnMut(&str, u64)) -> Result<Bench, Error> {
    bench_with(Options::default(), depth, progress)
}

/// Runs the bench with other options; the size of the hash table is fixed.
///
/// # Errors
/// Returns an error if memory cannot be allocated, the network cannot be read, or the search fails.
pub fn bench_with(options: Options, depth: u32, progress: impl FnMut(&str, u64)) -> Result<Bench, Error> {
    bench_until(&AtomicBool::new(false), options, depth, progress)
}

/// Runs the bench with other options; when `stop` is set, ends early and returns the node count so far.
///
/// # Errors
/// Returns an error if memory cannot be allocated, the network cannot be read, or the search fails.
pub(crate) fn bench_until(
    stop: &AtomicBool,
    options: Options,
    depth: u32,
    mut progress: impl FnMut(&str, u64),
) -> Result<Bench, Error> {
    let mut engine = Engine::new(Options { hash_mb: 16, ..options })?;
    let start = Instant::now();
    let mut nodes = 0;
    for fen in POSITIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let game = Game::from_fen(fen).unwrap_or_else(|error| panic!("bench position {fen}: {error}"));
        engine.new_game();
        engine.set_game(game);
        let conclusion = engine.think_until(stop, Limits::depth(depth), |_| {})?;
        if stop.load(Relaxed) {
            break;
        }
        progress(fen, conclusion.nodes);
        nodes += conclusion.nodes;
    }
    Ok(Bench { nodes, time: start.elapsed() })
}
