//! Node types (root, PV, zero-window) as zero-size types, so that the compiler builds a search for each, without the branches of the others.

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
