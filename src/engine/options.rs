//! What users can set, and what can go wrong with it.

use super::levels::Level;
use crate::bytes::{LONGEST_FILE, read_file};
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

/// The largest random amount that makes any sense, in centipawns.
const MOST_RANDOMNESS: Score = 1000;

/// What users can set. A number out of its range is taken for the nearest that is in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Hash table, in MB of 2^20 bytes, 1 and up.
    pub hash_mb: usize,
    /// Searching threads, 1 and up.
    pub threads: usize,
    /// How many best lines are searched and reported, 1 and up; never more than there are moves.
    pub multipv: usize,
    /// Kept free on the clock for the way to the GUI, in milliseconds.
    pub move_overhead: u64,
    /// The enemy's time is used for thinking, so own thinking may take a little longer.
    pub ponder: bool,
    /// The rules of repetition, with their numbers.
    pub rules: Terms,
    /// Plies without a capture after which a game is drawn; 0 = as the rules say.
    pub draw_plies: u16,
    /// The largest random amount added to evaluations, in centipawns, 0 to 1000; 0 = none.
    pub randomness: Score,
    /// Decides what the randomness adds: the same number adds the same.
    pub seed: u64,
    /// How strongly it plays. An infinite search is an analysis, and never weakened.
    pub level: Level,
    /// Whether it plays at the level nearest to `elo` instead.
    pub limit_strength: bool,
    /// An Elo on the scale of [`Level::elo`].
    pub elo: u32,
    /// Whether a network evaluates, if there is one; otherwise the hand-written evaluation does.
    pub use_nnue: bool,
    /// The file of a network that takes the place of the one in the program.
    pub eval_file: Option<PathBuf>,
    /// Folders of tablebases, with `;` between them, beside the tables in the program.
    pub table_path: Option<PathBuf>,
    /// The numbers and switches of the search.
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
    /// The same options, each number within its range.
    pub fn in_range(self) -> Options {
        Options {
            hash_mb: self.hash_mb.max(1),
            threads: self.threads.max(1),
            multipv: self.multipv.max(1),
            randomness: self.randomness.clamp(0, MOST_RANDOMNESS),
            params: Params { numbers: self.params.numbers.in_range(), ..self.params },
            ..self
        }
    }

    /// The rules with the limit that was set.
    pub fn terms(&self) -> Terms {
        if self.draw_plies == 0 { self.rules } else { self.rules.with_natural_limit(self.draw_plies) }
    }

    /// The level by number or by Elo.
    pub fn strength(&self) -> Level {
        if self.limit_strength { Level::of_elo(self.elo) } else { self.level }
    }

    /// Draws another seed, for a new game.
    pub fn renew_seed(&mut self) {
        self.seed = machine::unseeded().next();
    }

    /// The network of the file, or the program's own.
    ///
    /// # Errors
    /// If the file can't be read as a network.
    pub fn network(&self) -> Result<Option<Arc<Network>>, Error> {
        match &self.eval_file {
            None => Ok(nnue::embedded()),
            Some(file) => match read_network(file) {
                Ok(network) => Ok(Some(Arc::new(network))),
                Err(reason) => Err(Error::Network { file: file.clone(), reason }),
            },
        }
    }

    /// The tablebases.
    ///
    /// # Errors
    /// If a folder can't be read.
    pub fn tables(&self) -> Result<Arc<Tables>, Error> {
        let path = self.table_path.as_deref().unwrap_or(Path::new(""));
        Tables::of_path(path).map(Arc::new).map_err(|fault| Error::Tables(fault.to_string()))
    }

    /// Whether searches find the same values under both, so that what was learned under one holds under the other. Whatever is not
    /// listed here is taken to change values.
    pub(super) fn value_like(&self, other: &Options) -> bool {
        let Options { hash_mb, threads, multipv, move_overhead, ponder, level, limit_strength, elo, .. } = *other;
        let seed = if self.randomness == 0 { other.seed } else { self.seed };
        Options { hash_mb, threads, multipv, move_overhead, ponder, level, limit_strength, elo, seed, ..self.clone() }
            == *other
    }
}

fn read_network(file: &Path) -> Result<Network, String> {
    let bytes = read_file(file, LONGEST_FILE).map_err(|error| error.to_string())?;
    Network::decode(&bytes).map_err(|error| error.to_string())
}

/// Why the engine can't do what is asked. Everything is as it was before.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Error {
    /// There is no memory for the hash table, or no more threads.
    #[error("{0}")]
    Resources(String),
    /// A file can't be read as a network.
    #[error("{}: {reason}", file.display())]
    Network {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A folder of tables can't be read.
    #[error("{0}")]
    Tables(String),
    /// The search has panicked: an error in the engine.
    #[error("the search has failed; this is an error in the engine")]
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
