//! Switches of techniques that work with every algorithm. With all of them off, an algorithm matches its
//! printed text.

/// Move order. It changes the number of nodes in a search, but never the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Order of generation.
    #[default]
    None,
    /// Random order, the same each time a position is visited.
    Random,
    /// Worst move first: sorted by exact value from an oracle whose nodes are not counted.
    Worst,
    /// Best move first, by the same oracle.
    Best,
    /// Kornilov's order: the largest gain in material and position first.
    Gain,
    /// The slides' lists by (square, occupancy): promising targets of each piece first, without sorting.
    Lists,
    /// By class (hash move, captures, killers, others); each class is generated and sorted only when it is
    /// reached.
    Staged,
    /// Same order as `Staged`, but with all moves generated and sorted at once.
    Sorted,
}

/// History bonus for a move that caused a cutoff or was best.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reward {
    /// `2^depth` (Schaeffer).
    Power,
    /// `depth * depth`.
    Square,
}

/// Hash entries that may resolve a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UsableEntries {
    /// Entries of exactly the requested depth, so that the root value remains the minimax value.
    EqualDepth,
    /// Entries of at least that depth, as in play; the root value is close to the minimax value.
    AnyDeeper,
}

/// Condition for verifying a null-move cutoff by a search of real moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verify {
    /// Never.
    Never,
    /// When the mover has little material ([`super::Tree::is_thin`]).
    Thin,
    /// Always.
    Always,
}

/// The null move and its conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NullMove {
    /// R: the position after the null move is searched to `depth − 1 − R`.
    pub reduction: i32,
    /// Condition for verifying cutoffs.
    pub verify: Verify,
    /// Extends the node by one ply if a null move fails badly.
    pub extend: bool,
    /// Maximum number of null moves between two real moves: 1 or 2.
    pub in_a_row: u32,
    /// Depth at or below which null moves are not tried.
    pub horizon: i32,
}

impl NullMove {
    /// Returns the parameters of the printed text: no two null moves in a row, verification in thin
    /// positions, no extension. The text allows null moves down to about three plies before the horizon;
    /// these parameters allow them as long as the reduced search has a positive depth.
    pub fn with_reduction(reduction: i32) -> NullMove {
        NullMove { reduction, verify: Verify::Thin, extend: false, in_a_row: 1, horizon: reduction + 1 }
    }
}

/// All switches and their parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Techniques {
    /// Move order.
    pub order: Order,
    /// Iterative deepening instead of the last depth only.
    pub deepening: bool,
    /// Hash table, and the entries that may resolve a node.
    pub table: Option<UsableEntries>,
    /// Number of hash entries as a power of two: `2^table_bits`.
    pub table_bits: u32,
    /// Zero-width nodes store no best move.
    pub forgetful: bool,
    /// Quiescence search at the horizon.
    pub quiescence: bool,
    /// Null move.
    pub null_move: Option<NullMove>,
    /// Number of killers per ply.
    pub killers: usize,
    /// History table and its bonus.
    pub history: Option<Reward>,
    /// Half the width of an aspiration window, in units of the evaluation; 0 means half a pawn.
    pub window: i32,
    /// Initial number of moves of iterative widening; 0 means `STARTING_WIDTH`.
    pub width: usize,
}
