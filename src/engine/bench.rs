//! The fixed search whose node count is the engine's signature: it changes only when the way it plays does.

use super::{Engine, Error, Options};
use crate::machine::Instant;
use crate::search::Limits;
use chuhe_board::rules::Game;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// One position a line.
const POSITIONS: &str = include_str!("embedded/bench.epd");

/// What a bench gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bench {
    /// The signature.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

impl Bench {
    /// Nodes a second.
    pub fn speed(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// The depth of the signature.
pub const BENCH_DEPTH: u32 = 10;

/// Searches the bench positions to a depth, one thread, every one with a fresh memory; `told` hears each position and its nodes.
///
/// # Errors
/// If 16 MB can't be had, or the search fails.
pub fn bench(depth: u32, told: impl FnMut(&str, u64)) -> Result<Bench, Error> {
    bench_with(Options::default(), depth, told)
}

/// The same with other options, all but the size of the hash table.
///
/// # Errors
/// If memory can't be had, the network can't be read, or the search fails.
pub fn bench_with(options: Options, depth: u32, told: impl FnMut(&str, u64)) -> Result<Bench, Error> {
    bench_until(&AtomicBool::new(false), options, depth, told)
}

/// The same, but it ends early, with what it has searched, when `stop` is set.
///
/// # Errors
/// If memory can't be had, the network can't be read, or the search fails.
pub fn bench_until(
    stop: &AtomicBool,
    options: Options,
    depth: u32,
    mut told: impl FnMut(&str, u64),
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
        told(fen, conclusion.nodes);
        nodes += conclusion.nodes;
    }
    Ok(Bench { nodes, time: start.elapsed() })
}
