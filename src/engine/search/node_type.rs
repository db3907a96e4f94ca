//! Node types (root, PV, zero-window) as zero-sized types, so that the compiler generates a specialised
//! search for each of them.

/// Node type.
pub(super) trait NodeType {
    /// `true` for the root.
    const ROOT: bool;
    /// `true` for an open window, which requires an exact score and a principal variation.
    const PV: bool;
    /// Node type of a child in an open window.
    type Next: NodeType;
}

/// The root.
pub(super) struct Root;
/// A node with an open window.
pub(super) struct Pv;
/// A node with a zero window, which is only tested against a bound.
pub(super) struct Zero;

impl NodeType for Root {
    const ROOT: bool = true;
    const PV: bool = true;
    type Next = Pv;
}

impl NodeType for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
    type Next = Pv;
}

impl NodeType for Zero {
    const ROOT: bool = false;
    const PV: bool = false;
    type Next = Zero;
}
