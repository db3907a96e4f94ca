//! Limits of a search.

use chuhe_board::Move;
use std::time::Duration;

/// Limits of a search. All limits that are set apply together. Without limits, the search runs until it is
/// stopped.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Maximum depth of iterations in plies.
    pub depth: Option<u32>,
    /// Maximum number of nodes of all threads.
    pub nodes: Option<u64>,
    /// Number of nodes of the main thread after which no new iteration starts, scaled by the stability of the
    /// best move. Unlike [`Self::nodes`] it never interrupts an iteration.
    pub soft_nodes: Option<u64>,
    /// Maximum number of moves of a mate that ends the search.
    pub mate: Option<u32>,
    /// Time limit.
    pub time: Time,
    /// `true` to ponder: the clock does not run, and no move is returned, until the opponent has played the
    /// expected move.
    pub ponder: bool,
    /// `true` for an analysis, which is at full strength at every level.
    pub analysis: bool,
    /// Root moves to search; all if empty.
    pub only: Vec<Move>,
    /// Root moves to exclude; ignored if they include all legal moves.
    pub banned: Vec<Move>,
}

/// Time limit of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Time {
    /// No time limit. Unless depth, nodes or mate are limited, the search waits for a stop even if there is
    /// nothing left to search.
    #[default]
    Unlimited,
    /// Fixed time.
    Fixed(Duration),
    /// Clock of a game.
    Clock {
        /// Remaining time of the mover.
        left: Duration,
        /// Increment per move.
        increment: Duration,
        /// Number of moves until the next time control, if any.
        moves_to_go: Option<u32>,
    },
}

impl Time {
    /// Returns the time limit that remains after `spent`.
    pub(crate) fn less(self, spent: Duration) -> Time {
        match self {
            Time::Unlimited => Time::Unlimited,
            Time::Fixed(time) => Time::Fixed(time.saturating_sub(spent)),
            Time::Clock { left, increment, moves_to_go } => {
                Time::Clock { left: left.saturating_sub(spent), increment, moves_to_go }
            }
        }
    }
}

impl Limits {
    /// Creates limits with a maximum depth in plies.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Creates limits with a maximum number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Creates limits with a soft limit of this many nodes, see
    /// [`Self::soft_nodes`](Limits#structfield.soft_nodes), and a maximum of eight times as many.
    pub fn soft_nodes(nodes: u64) -> Limits {
        Limits { soft_nodes: Some(nodes), nodes: Some(nodes.saturating_mul(8)), ..Limits::default() }
    }

    /// Creates limits with a fixed time.
    pub fn fixed(time: Duration) -> Limits {
        Limits { time: Time::Fixed(time), ..Limits::default() }
    }

    /// Returns `true` if only a mate or a stop ends the search.
    pub(crate) fn ends_with_a_mate_only(&self) -> bool {
        self.mate.is_some() && Limits { mate: None, ..self.clone() }.is_infinite()
    }

    /// Returns `true` if only a stop ends the search.
    pub(crate) fn is_infinite(&self) -> bool {
        let counted = [self.nodes, self.soft_nodes];
        self.depth.is_none() && counted == [None; 2] && self.mate.is_none() && self.time == Time::Unlimited
    }
}
