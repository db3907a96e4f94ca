//! What the engine says, before it is worded in a dialect.

use crate::Probe;
use crate::eval::Chances;
use crate::search::{Bound, Progress, Report};
use chuhe_board::Move;
use chuhe_board::notation::Ranks;
use chuhe_board::score::Score;
use std::time::Duration;

/// An answer or a piece of news.
#[derive(Clone, Debug)]
pub enum Reply<'r> {
    /// Who we are and what can be set: the answer to the handshake.
    Welcome,
    /// `readyok`.
    Ready,
    /// A line that was searched.
    Line {
        /// The line.
        report: &'r Report,
        /// It is one of several that were asked for.
        several: bool,
        /// How the game may end, if someone wants to know.
        chances: Option<Chances>,
    },
    /// How far the search is, between two lines.
    Progress(&'r Progress),
    /// A score without a search.
    Static(Score),
    /// The move to play.
    Best {
        /// The move.
        best: Move,
        /// The answer that is expected.
        ponder: Option<Move>,
        /// A word beside the move.
        courtesy: Courtesy,
    },
    /// There is no move to play.
    NoMove,
    /// `stop` while nothing was to stop.
    NothingToStop,
    /// What the hash table knows.
    Probed(Option<Probe>),
    /// A remark for the user.
    Message(String),
    /// Text of any number of lines, for someone who asked for it.
    Text(String),
    /// The last word.
    Bye,
}

/// What may be said beside a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum Courtesy {
    #[default]
    Nothing,
    /// A draw: offered, or agreed to.
    Draw,
    Resign,
}

/// ` wdl 170 740 90`, if it is wanted.
pub fn chances_text(chances: Option<Chances>) -> String {
    chances.map_or(String::new(), |Chances { win, draw, loss }| format!(" wdl {win} {draw} {loss}"))
}

/// Nodes per second.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let microseconds = time.as_micros().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000 / microseconds).unwrap_or(u64::MAX)
}

/// What the hash table knows, in the words of UCCI; UCI has none of its own. What is exact is at least and at most the score.
pub fn probed(probe: Option<&Probe>, ranks: Ranks) -> String {
    let Some(Probe { best, score, bound, depth }) = probe else { return "pophash".to_owned() };
    let mut text = "pophash".to_owned();
    if let Some(best) = best {
        text += &format!(" bestmove {}", ranks.write(*best));
    }
    if *bound != Bound::Upper {
        text += &format!(" lowerbound {score} depth {depth}");
    }
    if *bound != Bound::Lower {
        text += &format!(" upperbound {score} depth {depth}");
    }
    text
}

/// A report for tests.
#[cfg(test)]
pub(super) fn report(multipv: usize, score: Score, bound: Bound, moves: &str) -> Report {
    let time = Duration::from_millis(1500);
    let pv = moves.split(' ').map(|mv| mv.parse().expect("a move")).collect();
    Report { depth: 9, seldepth: 17, multipv, score, bound, nodes: 3000, time, hashfull: 12, table_hits: 7, pv }
}
