//! The engine as protocols and programs see it: options, a position, and a search that runs beside its caller.
//!
//! ```no_run
//! use chuhe::engine::Engine;
//! use chuhe::search::Limits;
//!
//! let mut engine = Engine::default();
//! let conclusion = engine.think(Limits::depth(8), |_| {});
//! println!("{:?}", conclusion.best);
//! ```

use crate::board::Move;
use crate::rules::{Game, RuleSet};
use crate::score::Score;
use crate::search::{Bound, Conclusion, Event, Limits};

/// What users can set.
#[derive(Clone, Debug)]
pub struct Options {
    /// Hash table, in MB of 2^20 bytes, 1 and up.
    pub hash_mb: usize,
    /// Searching threads, 1–256.
    pub threads: usize,
    /// How many best lines are searched and reported.
    pub multipv: usize,
    /// Kept free on the clock for what the way to the GUI costs, in milliseconds.
    pub move_overhead: u64,
    /// The enemy's time is used for thinking: own thinking may take a little longer.
    pub ponder: bool,
    /// The rules of repetition.
    pub rules: RuleSet,
    /// Plies without a capture after which a game is drawn; 0 = as the rule set says.
    pub draw_plies: u16,
    /// The largest random amount added to evaluations, in centipawns; 0 = none.
    pub randomness: Score,
}

/// What the hash table knows of a position; see [`Engine::probe`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probe {
    /// The best move, if one is known.
    pub best: Option<Move>,
    /// The score and how it relates to the true value.
    pub score: Score,
    /// How the score relates to the true value.
    pub bound: Bound,
    /// To what depth it was searched, in plies.
    pub depth: u32,
}

// ---- the rest is being written: this is the interface ----
/*
impl Engine {
    /// `Err` with a clear message if the hash size cannot be had: the old table stays, and so do all options.
    pub fn set_options(&mut self, options: Options) -> Result<(), String>;
    pub fn options(&self) -> &Options;
    /// Clears hash and histories.
    pub fn new_game(&mut self);
    pub fn set_game(&mut self, game: Game);
    pub fn game(&self) -> &Game;
    /// Starts a search on its own thread. The listener is called on that thread, at last with `Event::Done`.
    /// While thinking, set_options/new_game/set_game/go first wait for the end of the running search (the caller stops it before).
    pub fn go(&mut self, limits: Limits, listener: impl FnMut(Event) + Send + 'static);
    /// Searches and waits for the end.
    pub fn think(&mut self, limits: Limits, listener: impl FnMut(&Event)) -> Conclusion;
    /// Asks the running search to end; answered within milliseconds by Event::Done. No effect while idle.
    pub fn stop(&self);
    /// The enemy has played the expected move: the clock runs from now.
    pub fn ponder_hit(&self);
    pub fn is_thinking(&self) -> bool;
    /// Waits for the end of the running search.
    pub fn wait(&mut self);
    pub fn probe(&self, game: &Game) -> Option<Probe>;
    /// Static evaluation of the position, side to move's view, centipawns.
    pub fn static_score(&self) -> Score;
    /// The evaluation term by term, as text.
    pub fn explain(&self) -> String;
}
/// The fixed search: nodes and time.
pub fn bench(depth: u32) -> (u64, Duration)
*/
