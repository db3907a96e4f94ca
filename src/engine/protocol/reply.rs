//! Replies before they are formatted in a dialect.

use crate::Probe;
use crate::eval::Chances;
use crate::search::{Bound, Progress, Report};
use chuhe_board::Move;
use chuhe_board::notation::Ranks;
use chuhe_board::score::Score;
use std::time::Duration;

/// A reply or an event.
#[derive(Clone, Debug)]
pub(super) enum Reply<'r> {
    /// Identification and options: the reply to the handshake.
    Welcome,
    /// `readyok`.
    Ready,
    /// A searched line.
    Line {
        /// Line.
        report: &'r Report,
        /// `true` if several lines were requested.
        several: bool,
        /// Probabilities of the results, if requested.
        chances: Option<Chances>,
    },
    /// Progress of the search between two lines.
    Progress(&'r Progress),
    /// A static evaluation.
    Static(Score),
    /// The move to play.
    Best {
        /// Move.
        best: Move,
        /// Expected reply.
        ponder: Option<Move>,
        /// Draw offer or resignation.
        courtesy: Courtesy,
    },
    /// There is no move to play.
    NoMove,
    /// `stop` without a running search.
    NothingToStop,
    /// Entry of the hash table.
    Probed(Option<Probe>),
    /// Message for the user.
    Message(String),
    /// Text of several lines, requested by the user.
    Text(String),
    /// The session ends.
    Bye,
}

/// Draw offer or resignation that accompanies a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub(super) enum Courtesy {
    #[default]
    Nothing,
    /// A draw offer, or its acceptance.
    Draw,
    Resign,
}

/// Returns ` wdl 170 740 90`, if requested.
pub(crate) fn chances_text(chances: Option<Chances>) -> String {
    chances.map_or(String::new(), |Chances { win, draw, loss }| format!(" wdl {win} {draw} {loss}"))
}

/// Returns the nodes per second.
pub(crate) fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let microseconds = time.as_micros().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000 / microseconds).unwrap_or(u64::MAX)
}

/// Formats a hash entry in UCCI; UCI has no equivalent. An exact score is both a lower and an upper bound.
pub(crate) fn probed(probe: Option<&Probe>, ranks: Ranks) -> String {
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

/// Returns a report for tests.
#[cfg(test)]
pub(super) fn report(multipv: usize, score: Score, bound: Bound, moves: &str) -> Report {
    let time = Duration::from_millis(1500);
    let pv = moves.split(' ').map(|mv| mv.parse().expect("a move")).collect();
    Report { depth: 9, seldepth: 17, multipv, score, bound, nodes: 3000, time, hashfull: 12, tablebase_hits: 7, pv }
}
