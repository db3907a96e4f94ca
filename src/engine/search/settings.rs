//! Settings shared by all searches of a game.

use super::params::Params;
use crate::endings::Tables;
use chuhe_board::rules::Terms;
use chuhe_board::score::Score;
use std::sync::Arc;
use std::time::Duration;

/// Settings of a search. The number of threads is determined by the [`Memory`](super::Memory).
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Settings {
    pub params: Params,
    /// Number of best lines to report.
    pub multipv: usize,
    pub terms: Terms,
    /// Minimum time reserved for communication with the GUI.
    pub overhead: Duration,
    /// Enables pondering.
    pub ponder: bool,
    /// Maximum random amount added to evaluations, in centipawns.
    pub randomness: Score,
    /// Tablebases.
    pub tablebases: Arc<Tables>,
    /// Seed for random choices.
    pub seed: u64,
}
