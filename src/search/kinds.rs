//! Kinds of nodes, as types: the compiler makes a search of each, without the questions that only another kind asks.

/// What kind a node is.
pub(super) trait NodeKind {
    /// The position that was asked about.
    const ROOT: bool;
    /// The window is open: an exact score and a principal variation are wanted.
    const PV: bool;
    /// The kind of a child in an open window.
    type Next: NodeKind;
}

/// The position that was asked about.
pub(super) struct Root;
/// A node in an open window.
pub(super) struct Pv;
/// A node in a window of width 1: only "at least" or "at most" is asked.
pub(super) struct Zero;

impl NodeKind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
    type Next = Pv;
}

impl NodeKind for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
    type Next = Pv;
}

impl NodeKind for Zero {
    const ROOT: bool = false;
    const PV: bool = false;
    type Next = Zero;
}
