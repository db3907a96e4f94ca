//! Settings that stay the same for all searches of a game.

use super::params::Params;
use crate::endings::Tables;
use chuhe_board::rules::Terms;
use chuhe_board::score::Score;
use std::sync::Arc;
use std::time::Duration;

/// What users can set of a search. How many threads search is decided by the [`Memory`](super::Memory).
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Settings {
    pub params: Params,
    /// Best lines to report.
    pub multipv: usize,
    pub terms: Terms,
    /// Kept free on the clock.
    pub overhead: Duration,
    /// The engine also thinks in the opponent's time.
    pub ponder: bool,
    /// Largest random amount added to evaluations, in centipawns.
    pub randomness: Score,
    /// Endings that are known.
    pub tables: Arc<Tables>,
    /// Decides what the randomness adds.
    pub seed: u64,
}
