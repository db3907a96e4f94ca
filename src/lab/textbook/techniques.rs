//! The switches of techniques that work with every algorithm. With all of them off, an algorithm is as its text prints it.

/// In which order moves are tried. It changes how many nodes a search visits, never its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// As they are generated.
    #[default]
    None,
    /// Shuffled, the same way in the same position.
    Random,
    /// The worst first: sorted by their true value, looked up in an oracle whose nodes are not counted.
    Worst,
    /// The best first, by the same oracle.
    Best,
    /// Kornilov's: the largest gain in material and position first.
    Gain,
    /// The slides' lists by (square, occupancy): of each piece the promising targets first, nothing sorted.
    Lists,
    /// By class (table move, captures, killers, others), each class generated and sorted only when it is reached.
    Staged,
    /// The same order as `Staged`, all moves generated and sorted at once.
    Sorted,
}

/// The history bonus of a move that cut or was best.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reward {
    /// `2^depth`: Schaeffer's.
    Power,
    /// `depth * depth`.
    Square,
}

/// Which entries of the hash table may answer for a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answers {
    /// Those of exactly the depth asked: the root value stays minimax's.
    EqualDepth,
    /// Those of that depth or more, as in play: the root value is nearly minimax's.
    AnyDeeper,
}

/// When a null move's cut-off is checked by a search of real moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verify {
    /// Never.
    Never,
    /// When the mover has little left ([`super::Tree::is_thin`]).
    Thin,
    /// Always.
    Always,
}

/// The null move and its conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NullMove {
    /// R: the pass is answered by a search of `depth − 1 − R`.
    pub reduction: i32,
    /// Checking its cut-offs.
    pub verify: Verify,
    /// Whether a null move that fails badly extends the node by a ply.
    pub extend: bool,
    /// How many passes may come between two real moves: 1 or 2.
    pub in_a_row: u32,
    /// No null move at this depth or less.
    pub horizon: i32,
}

impl NullMove {
    /// The text's: not twice in a row, verified in thin positions, no extension. The text stops about three plies before the horizon;
    /// that is, where the reduced search would have no depth left.
    pub fn with_reduction(reduction: i32) -> NullMove {
        NullMove { reduction, verify: Verify::Thin, extend: false, in_a_row: 1, horizon: reduction + 1 }
    }
}

/// All switches and their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Techniques {
    /// Move order.
    pub order: Order,
    /// Depth 1, 2, 3 … instead of the last depth alone.
    pub deepening: bool,
    /// The hash table, and which of its entries may answer.
    pub table: Option<Answers>,
    /// The table has `2^table_bits` entries.
    pub table_bits: u32,
    /// Whether zero-width nodes leave no best move in the table.
    pub forgetful: bool,
    /// Captures are played out at the horizon.
    pub quiescence: bool,
    /// The null move.
    pub null_move: Option<NullMove>,
    /// How many killers each ply keeps.
    pub killers: usize,
    /// The history table and what it pays.
    pub history: Option<Reward>,
    /// Half the width of an aspiration window in units of the evaluation; 0: half a pawn.
    pub window: i32,
    /// How many moves iterative widening tries first; 0: [`super::STARTING_WIDTH`].
    pub width: usize,
}
