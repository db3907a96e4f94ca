//! Settings changed by options.

use crate::Options;
use chuhe_board::score::Score;
use std::path::PathBuf;

/// Settings of the search and of the session.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct SessionSettings {
    /// Options of the engine.
    pub engine: Options,
    /// `true` if UCCI clocks are in seconds instead of milliseconds.
    pub seconds: bool,
    /// `true` if commands wait for the end of the search.
    pub batch: bool,
    /// `true` if log messages are also sent to the GUI.
    pub debug: bool,
    /// `true` if scores are followed by win, draw and loss probabilities in per mille.
    pub show_wdl: bool,
    /// `true` if the engine offers a draw in quiet, level positions.
    pub offer_draws: bool,
    /// Deficit in centipawns at which the engine resigns; 0 = never.
    pub resign: Score,
    /// `true` if moves are played from opening books as long as they contain the position.
    pub use_book: bool,
    /// Files of the books, separated by `;`; `None` for the built-in book.
    pub book_files: Option<PathBuf>,
    /// Seed for all random choices; 0 = a new seed for each game.
    pub seed: u64,
}

impl SessionSettings {
    /// Reseeds the random choices with the configured seed or a new one.
    pub(crate) fn renew_seed(&mut self) {
        match self.seed {
            0 => self.engine.renew_seed(),
            seed => self.engine.seed = seed,
        }
    }
}
