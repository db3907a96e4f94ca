//! What ends a search.

use chuhe_board::Move;
use std::time::Duration;

/// How long a search may go on. All limits that are set hold together; without any, the search goes on until it is stopped.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Nodes, all threads together.
    pub nodes: Option<u64>,
    /// Nodes of the main thread after which no new iteration begins, fewer if the best move is settled, more if it is not: unlike
    /// [`Self::nodes`] it cuts no iteration off.
    pub soft_nodes: Option<u64>,
    /// Ends when a mate in this many moves is found.
    pub mate: Option<u32>,
    /// The time.
    pub time: Time,
    /// The clock does not run, and no move is given, until the opponent has played the expected move.
    pub ponder: bool,
    /// If not empty, only these root moves are searched.
    pub only: Vec<Move>,
    /// These root moves are not played, unless all are banned.
    pub banned: Vec<Move>,
}

/// The time that a search has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Time {
    /// No limit of time. Without depth, nodes or mate either, the search waits for its stop even when nothing is left to search.
    #[default]
    Unlimited,
    /// Exactly this long.
    Fixed(Duration),
    /// A game's clock: what is left, what each move adds, and in how many moves the clock is reset, if it is.
    Clock {
        /// Left on the mover's clock.
        left: Duration,
        /// Added after each move.
        increment: Duration,
        /// Moves to the next time control.
        moves_to_go: Option<u32>,
    },
}

impl Time {
    /// Returns the time that is left after `spent`.
    pub fn less(self, spent: Duration) -> Time {
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
    /// To a depth.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// For a number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Until an iteration ends with about this many nodes, see [`Self::soft_nodes`](Limits#structfield.soft_nodes), but never more than eight times as many.
    pub fn soft_nodes(nodes: u64) -> Limits {
        Limits { soft_nodes: Some(nodes), nodes: Some(nodes.saturating_mul(8)), ..Limits::default() }
    }

    /// For a time.
    pub fn fixed(time: Duration) -> Limits {
        Limits { time: Time::Fixed(time), ..Limits::default() }
    }

    /// Returns whether nothing but a mate or a stop ends the search.
    pub fn ends_with_a_mate_only(&self) -> bool {
        self.mate.is_some() && Limits { mate: None, ..self.clone() }.is_infinite()
    }

    /// Whether nothing but a stop ends the search.
    pub fn is_infinite(&self) -> bool {
        let counted = [self.nodes, self.soft_nodes];
        self.depth.is_none() && counted == [None; 2] && self.mate.is_none() && self.time == Time::Unlimited
    }
}
