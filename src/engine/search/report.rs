//! What a search reports to its listener, while it runs and at its end.

use chuhe_board::Move;
use chuhe_board::rules::Verdict;
use chuhe_board::score::Score;
use std::time::Duration;

/// How a score relates to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Bound {
    Exact,
    /// At least the score.
    Lower,
    /// At most the score.
    Upper,
}

/// One line of one iteration.
#[derive(Clone, Debug)]
pub struct Report {
    /// The iteration, in plies.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub seldepth: u32,
    /// Which of the best lines this is, from 1.
    pub multipv: usize,
    /// From the mover's view.
    pub score: Score,
    /// Exact, or a bound while a window is being widened.
    pub bound: Bound,
    /// Nodes of all threads since the start.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// Share of the hash table in use, in thousandths.
    pub hashfull: u32,
    /// How often tablebases have answered since the start.
    pub table_hits: u64,
    /// The line, at least one move.
    pub pv: Vec<Move>,
}

/// How far a search is, between two lines.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The root move that is being searched.
    pub current: Move,
    /// Which root move that is, from 1.
    pub number: usize,
}

/// The answer of a search.
#[derive(Clone, Debug, Default)]
pub struct Conclusion {
    /// The ruling on the game before the search. A position where it is over by the rules, but not by mate or stalemate, was searched as if the
    /// game had begun there: nothing before it counts, and the natural limit is far away.
    pub verdict: Verdict,
    /// The move to play; none if there is no legal move.
    pub best: Option<Move>,
    /// The reply that is expected.
    pub ponder: Option<Move>,
    /// The last complete lines, best first, one a root move that was asked for.
    pub lines: Vec<Report>,
    /// The line of the move to play, if a limited level did not choose the best one.
    pub chosen: Option<Report>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time from start to end.
    pub time: Duration,
}

impl Conclusion {
    /// The score of the best line, from the mover's view; none where no move could be searched, as after mate or stalemate.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }

    /// The best line; without a move where none could be searched.
    pub fn main_line(&self) -> &[Move] {
        self.lines.first().map_or(&[], |line| &line.pv)
    }
}

/// What a listener hears.
#[derive(Clone, Debug)]
pub enum Event {
    /// A line was searched.
    Line(Report),
    /// A second has passed without a line.
    Progress(Progress),
    /// The search is over.
    Done(Conclusion),
    /// The search has panicked, an error in the engine: it has no answer.
    Failed,
}

impl Bound {
    /// Whether a score with this bound answers the question that a window asks.
    pub(super) fn cuts(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        }
    }

    /// Whether a score with this bound says more than an estimate.
    pub(super) fn improves(self, score: Score, estimate: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score > estimate,
            Bound::Upper => score < estimate,
        }
    }
}
