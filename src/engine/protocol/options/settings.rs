//! Settings changed by options.

use crate::Options;
use chuhe_board::score::Score;
use std::path::PathBuf;

/// Settings of the search and of the session.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct SessionSettings {
    /// Options of the engine.
    pub engine: Options,
    /// UCCI clocks are in seconds instead of milliseconds.
    pub seconds: bool,
    /// Commands wait for the end of the search.
    pub batch: bool,
    /// Log messages are also sent to the GUI.
    pub debug: bool,
    /// Scores are followed by win, draw and loss probabilities in per mille.
    pub show_wdl: bool,
    /// The engine offers a draw in quiet, level positions.
    pub offer_draws: bool,
    /// The engine resigns at this many centipawns below 0; 0 = never.
    pub resign: Score,
    /// Moves are played from opening books while they contain the position.
    pub use_book: bool,
    /// Files of the books, separated by `;`; `None` for the built-in book.
    pub book_files: Option<PathBuf>,
    /// Seed for all random choices; 0 = a new one for each game.
    pub seed: u64,
}

impl SessionSettings {
    /// Reseeds the random choices, with the configured seed or a new one.
    pub(crate) fn renew_seed(&mut self) {
        match self.seed {
            0 => self.engine.renew_seed(),
            seed => self.engine.seed = seed,
        }
    }
}
