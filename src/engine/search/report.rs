//! Reports of a search to its listener, during the search and at its end.

use chuhe_board::Move;
use chuhe_board::rules::Verdict;
use chuhe_board::score::Score;
use std::time::Duration;

/// Relation of a score to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Bound {
    Exact,
    /// The true value is at least the score.
    Lower,
    /// The true value is at most the score.
    Upper,
}

/// Principal variation of an iteration, with its score and statistics.
#[derive(Clone, Debug)]
pub struct Report {
    /// Depth of the iteration in plies.
    pub depth: u32,
    /// Length of the longest line searched, in plies.
    pub seldepth: u32,
    /// Rank of the line among the best lines, from 1.
    pub multipv: usize,
    /// Score from the mover's point of view.
    pub score: Score,
    /// Exact, or a bound while a window is being widened.
    pub bound: Bound,
    /// Nodes of all threads since the start.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// Usage of the hash table in per mille.
    pub hashfull: u32,
    /// Number of successful tablebase probes since the start.
    pub tablebase_hits: u64,
    /// Moves of the line; at least one.
    pub pv: Vec<Move>,
}

/// Progress of a search between two reports.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Root move being searched.
    pub current: Move,
    /// Number of the root move being searched, from 1.
    pub number: usize,
}

/// Result of a completed search.
#[derive(Clone, Debug, Default)]
pub struct Conclusion {
    /// Ruling on the game before the search. If the game is over by a rule other than mate or stalemate, the
    /// position is searched as if the game had begun there, without history and far from the natural limit.
    pub verdict: Verdict,
    /// Move to play; `None` if there is no legal move.
    pub best: Option<Move>,
    /// Expected reply.
    pub ponder: Option<Move>,
    /// Last complete lines, best first: as many as requested, but at most one per root move.
    pub lines: Vec<Report>,
    /// Line of the move to play, if a limited level did not choose the best line.
    pub chosen: Option<Report>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Duration.
    pub time: Duration,
}

impl Conclusion {
    /// Returns the score of the best line from the mover's point of view; `None` if no move could be
    /// searched, as after mate or stalemate.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }

    /// Returns the best line; empty if no move could be searched.
    pub fn main_line(&self) -> &[Move] {
        self.lines.first().map_or(&[], |line| &line.pv)
    }
}

/// Event of a search.
#[derive(Clone, Debug)]
pub enum Event {
    /// A line was searched.
    Line(Report),
    /// One second has passed without a line.
    Progress(Progress),
    /// The search has ended.
    Done(Conclusion),
    /// The search has panicked because of a bug in the engine, so it has no result.
    Failed,
}

impl Bound {
    /// Returns `true` if a score with this bound allows a cutoff in a window.
    pub(super) fn cuts(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        }
    }

    /// Returns `true` if a score with this bound is more accurate than an estimate.
    pub(super) fn improves(self, score: Score, estimate: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score > estimate,
            Bound::Upper => score < estimate,
        }
    }
}
