//! Data on a node and its moves, shared by several steps.

use super::transposition::Entry;
use chuhe_board::Move;
use chuhe_board::score::Score;

/// A node, with the data added by its steps.
pub(super) struct NodeState {
    /// Number of plies above the horizon.
    pub depth: i32,
    pub alpha: Score,
    pub beta: Score,
    pub ply: usize,
    /// `true` if a fail-high is expected.
    pub cut_node: bool,
    pub key: u64,
    pub in_check: bool,
    /// Move excluded by a singular search.
    pub excluded: Option<Move>,
    /// Entry of the hash table; `None` in a singular search.
    pub entry: Option<Entry>,
    /// Move of the entry, if it is legal.
    pub hash_move: Option<Move>,
    pub hash_move_captures: bool,
    /// `true` if the node is, or was in an earlier search, on the principal variation.
    pub was_pv: bool,
    /// Corrected evaluation; [`NOT_EVALUATED`](super::history_update::NOT_EVALUATED) in check.
    pub static_score: Score,
    /// The static score, or the score of the entry if its bound makes it more accurate.
    pub estimate: Score,
    /// `true` if the static score exceeds the static score at the mover's previous turn.
    pub improving: bool,
}

/// A move of a node before it is made.
pub(super) struct Candidate {
    pub mv: Move,
    /// Position in the move order, from 1.
    pub number: usize,
    pub is_capture: bool,
    pub gives_check: bool,
    /// `true` for captures that lose the exchange and for quiet moves, except the hash move.
    pub is_past_good_captures: bool,
    pub history: i32,
    /// Reduction determined by depth and number only, in 1/1024 plies.
    pub base_reduction: i32,
}
