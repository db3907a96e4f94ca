//! Everything that options change.

use crate::engine::Options;
use crate::score::Score;

/// Everything that options change: how the engine searches, and how the session talks.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// What the engine is asked to be.
    pub engine: Options,
    /// UCCI's clocks count in milliseconds, not in seconds.
    pub milliseconds: bool,
    /// The next command waits for the end of the search.
    pub batch: bool,
    /// What is logged is said as well.
    pub debug: bool,
    /// Scores are followed by win, draw and loss in per mille.
    pub show_wdl: bool,
    /// The engine offers a draw when nothing happens any more.
    pub offer_draws: bool,
    /// The engine resigns when it stands this much worse, in centipawns; 0 = never.
    pub resign: Score,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            engine: Options::default(),
            milliseconds: true,
            batch: false,
            debug: false,
            show_wdl: false,
            offer_draws: false,
            resign: 0,
        }
    }
}
