//! Everything that options change.

use crate::Options;
use chuhe_board::score::Score;
use std::path::PathBuf;

/// Everything that options change: how the engine searches, and how the session talks.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Settings {
    /// What the engine is asked to be.
    pub engine: Options,
    /// UCCI's clocks count in seconds, not in milliseconds.
    pub seconds: bool,
    /// The next command waits for the end of the search.
    pub batch: bool,
    /// What is logged is said as well.
    pub debug: bool,
    /// Scores are followed by win, draw and loss in per mille.
    pub show_wdl: bool,
    /// The engine offers a draw when nothing happens any more.
    pub offer_draws: bool,
    /// The engine resigns at this many centipawns below 0; 0 = never.
    pub resign: Score,
    /// Moves come from opening books as long as these know the position.
    pub use_book: bool,
    /// The files of the books, with `;` between them; none: the book in the program.
    pub book_files: Option<PathBuf>,
    /// What decides every choice that is left to chance; 0 = another number for each game.
    pub seed: u64,
}

impl Settings {
    /// Seeds the random choices again: with the number that was set, or else with a new one.
    pub fn renew_seed(&mut self) {
        match self.seed {
            0 => self.engine.renew_seed(),
            seed => self.engine.seed = seed,
        }
    }
}
