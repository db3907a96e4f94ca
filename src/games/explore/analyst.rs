//! Analysis of a position: several lines, then every other move with few nodes.

use super::place::Place;
use super::store::Analysis;
use chuhe_board::Position;
use chuhe_board::rules::Game;
use chuhe_board::score::Score;
use chuhe_engine::search::Limits;
use chuhe_engine::{Error, Options, Searcher};

/// Number of lines and nodes of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Number of best lines.
    pub lines: usize,
    /// Total number of nodes for the best lines.
    pub nodes: u64,
    /// Nodes for each of the other moves.
    pub rest: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { lines: 6, nodes: 40_000, rest: 500 }
    }
}

/// A searcher that scores every legal move. Its thread needs a stack of [`chuhe_engine::search::STACK`]
/// bytes.
pub struct Analyst {
    searcher: Searcher,
    effort: Effort,
    engine: String,
}

impl Analyst {
    /// Creates an analyst.
    ///
    /// # Errors
    /// Returns an error if memory is not available, or the network cannot be read.
    pub fn new(options: Options, effort: Effort) -> Result<Analyst, Error> {
        let searcher = Searcher::new(Options { multipv: effort.lines, move_overhead: 0, ..options })?;
        Ok(Analyst { searcher, effort, engine: format!("Chuhe {}", env!("CARGO_PKG_VERSION")) })
    }

    /// Analyses a position with at least one legal move.
    pub fn analyse(&mut self, position: &Position) -> Analysis {
        let place = Place::of(position);
        let game = Game::new(place.position.clone());
        let conclusion = self.searcher.think(&game, &Limits::nodes(self.effort.nodes), |_| {});
        let depth = conclusion.lines.first().map_or(0, |line| line.depth);
        let lines = conclusion.lines.iter().filter_map(|line| Some((place.stored(*line.pv.first()?), line.score)));
        let mut scores: Vec<(chuhe_board::Move, i16)> = lines.map(|(mv, score)| (mv, stored(score))).collect();
        // The other moves are not among the best, even if a shallow search scores them higher.
        let lowest = scores.iter().map(|(_, score)| *score).min().unwrap_or(i16::MAX);
        for mv in place.moves() {
            if scores.iter().any(|(known, _)| *known == mv) {
                continue;
            }
            let limits = Limits { only: vec![mv], ..Limits::nodes(self.effort.rest) };
            let found = self.searcher.think(&game, &limits, |_| {});
            if let Some(score) = found.score() {
                scores.push((mv, stored(score).min(lowest)));
            }
        }
        // The nodes of the other moves are not counted: they do not improve the best lines, and `analyze` does not
        // search them, so its better analysis would have fewer nodes.
        let nodes = conclusion.nodes;
        Analysis { position: place.position, scores, engine: self.engine.clone(), nodes, depth }
    }
}

/// Clamps a score to the range of stored scores.
pub fn stored(score: Score) -> i16 {
    score.clamp(-i32::from(i16::MAX), i16::MAX.into()) as i16
}
