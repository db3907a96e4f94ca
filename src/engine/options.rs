//! Options of the engine, and errors in applying them.

use super::levels::Level;
use crate::bytes::{MAX_FILE, read_file};
use crate::endings::Tables;
use crate::eval::{Network, nnue};
use crate::machine;
use crate::search::Params;
use chuhe_board::rules::Terms;
use chuhe_board::score::Score;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// Maximum randomness in centipawns.
const MAX_RANDOMNESS: Score = 1000;

/// Options of the engine. Numbers outside their range are clamped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Size of the hash table in MB of 2^20 bytes; at least 1.
    pub hash_mb: usize,
    /// Number of search threads; at least 1.
    pub threads: usize,
    /// Number of best lines to search and report; at least 1, limited by the number of legal moves.
    pub multipv: usize,
    /// Minimum time reserved for communication with the GUI, in milliseconds.
    pub move_overhead: u64,
    /// Enables pondering. The engine then uses slightly more of its own time, because it also searches during
    /// the opponent's time.
    pub ponder: bool,
    /// Repetition rules with their parameters.
    pub rules: Terms,
    /// Number of plies without a capture after which a game is drawn; 0 = set by the rules.
    pub draw_plies: u16,
    /// Maximum random amount added to evaluations, in centipawns, 0 to 1000; 0 = none.
    pub randomness: Score,
    /// Seed for random choices.
    pub seed: u64,
    /// Playing level. Infinite searches are analyses, which are always at full strength.
    pub level: Level,
    /// Uses the level nearest to `elo` instead of `level`.
    pub limit_strength: bool,
    /// Elo on the scale of [`Level::elo`].
    pub elo: u32,
    /// Uses a network for evaluation if there is one, and the hand-written evaluation otherwise.
    pub use_nnue: bool,
    /// File of a network that replaces the embedded one.
    pub eval_file: Option<PathBuf>,
    /// Folders of tablebases, separated by `;`, in addition to the embedded tables.
    pub table_path: Option<PathBuf>,
    /// Parameters and switches of the search.
    pub params: Params,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_mb: 64,
            threads: 1,
            multipv: 1,
            move_overhead: 30,
            ponder: false,
            rules: Terms::default(),
            draw_plies: 0,
            randomness: 0,
            seed: 0,
            level: Level::FULL,
            limit_strength: false,
            elo: Level::FULL.elo(),
            use_nnue: true,
            eval_file: None,
            table_path: None,
            params: Params::default(),
        }
    }
}

impl Options {
    /// Returns the options with each number clamped to its range.
    pub(crate) fn in_range(self) -> Options {
        Options {
            hash_mb: self.hash_mb.max(1),
            threads: self.threads.max(1),
            multipv: self.multipv.max(1),
            randomness: self.randomness.clamp(0, MAX_RANDOMNESS),
            params: Params { numbers: self.params.numbers.in_range(), ..self.params },
            ..self
        }
    }

    /// Returns the rules with the limit from `draw_plies`.
    pub fn terms(&self) -> Terms {
        if self.draw_plies == 0 { self.rules } else { self.rules.with_natural_limit(self.draw_plies) }
    }

    /// Returns the level selected by number or by Elo.
    pub(crate) fn strength(&self) -> Level {
        if self.limit_strength { Level::of_elo(self.elo) } else { self.level }
    }

    /// Selects a new seed, for a new game.
    pub(crate) fn renew_seed(&mut self) {
        self.seed = machine::unseeded().next();
    }

    /// Returns the network from `eval_file` or the embedded network; `None` if there is neither.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read as a network.
    pub fn network(&self) -> Result<Option<Arc<Network>>, Error> {
        match &self.eval_file {
            None => Ok(nnue::embedded()),
            Some(file) => {
                let fault = |reason: String| Error::Network { file: file.clone(), reason };
                let bytes = read_file(file, MAX_FILE).map_err(|error| fault(error.to_string()))?;
                Network::decode(&bytes).map(|network| Some(Arc::new(network))).map_err(|error| fault(error.to_string()))
            }
        }
    }

    /// Returns the tablebases.
    ///
    /// # Errors
    /// Returns an error if a folder cannot be read.
    pub fn tables(&self) -> Result<Arc<Tables>, Error> {
        let path = self.table_path.as_deref().unwrap_or(Path::new(""));
        Tables::of_path(path).map(Arc::new).map_err(|fault| Error::Tables(fault.to_string()))
    }

    /// Returns `true` if searches give the same values with both sets of options, so that the hash table
    /// and the histories remain valid. Options that are not listed here are assumed to change values.
    pub(super) fn value_like(&self, other: &Options) -> bool {
        let Options { hash_mb, threads, multipv, move_overhead, ponder, level, limit_strength, elo, .. } = *other;
        let seed = if self.randomness == 0 { other.seed } else { self.seed };
        Options { hash_mb, threads, multipv, move_overhead, ponder, level, limit_strength, elo, seed, ..self.clone() }
            == *other
    }
}

/// Reason why the engine cannot perform a request.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Error {
    /// Not enough memory for the hash table, or not enough threads.
    #[error("{0}")]
    Resources(String),
    /// A file cannot be read as a network.
    #[error("{}: {reason}", file.display())]
    Network {
        /// Path of the file.
        file: PathBuf,
        /// Reason.
        reason: String,
    },
    /// A folder of tablebases cannot be read.
    #[error("{0}")]
    Tables(String),
    /// The search has panicked because of a bug in the engine.
    #[error("the search has failed; this is a bug in the engine")]
    SearchFailed,
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Resources(error.to_string())
    }
}

impl From<Error> for String {
    fn from(error: Error) -> String {
        error.to_string()
    }
}
