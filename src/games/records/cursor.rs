//! Positions at the nodes of a tree.

use super::tree::{NodeId, Tree};
use chuhe_board::{Move, Position, Undo};

/// A cursor that tracks the position at a node of a tree.
#[derive(Debug)]
pub struct Cursor<'t> {
    tree: &'t Tree,
    position: Position,
    path: Vec<(NodeId, Move, Undo)>,
}

impl<'t> Cursor<'t> {
    /// Creates a cursor at the root, where the position is `start`. The tree's moves must be legal from this
    /// position, as in a [`super::Record`].
    pub fn new(tree: &'t Tree, start: &Position) -> Cursor<'t> {
        Cursor { tree, position: start.clone(), path: Vec::new() }
    }

    /// Moves to a node, and returns the position after its move.
    pub fn at(&mut self, id: NodeId) -> &Position {
        // A node has a larger index than its ancestors.
        let mut missing = Vec::new();
        let mut known = id;
        loop {
            let top = self.path.last().map_or(NodeId::ROOT, |(top, ..)| *top);
            match top.cmp(&known) {
                std::cmp::Ordering::Equal => break,
                std::cmp::Ordering::Greater => {
                    if let Some((_, mv, undo)) = self.path.pop() {
                        self.position.unmake(mv, undo);
                    }
                }
                std::cmp::Ordering::Less => {
                    missing.push(known);
                    known = self.tree.parent(known).unwrap_or(NodeId::ROOT);
                }
            }
        }
        for id in missing.into_iter().rev() {
            if let Some(mv) = self.tree.mv(id) {
                self.path.push((id, mv, self.position.make(mv)));
            }
        }
        &self.position
    }

    /// Moves to a node, and returns the position before its move; for the root, returns the first position.
    pub fn before(&mut self, id: NodeId) -> &Position {
        self.at(self.tree.parent(id).unwrap_or(NodeId::ROOT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::MAX_NODES;

    fn add(tree: &mut Tree, parent: NodeId, mv: &str) -> NodeId {
        tree.add(parent, mv.parse().unwrap()).unwrap()
    }

    #[test]
    fn a_cursor_has_the_position_of_its_node() {
        let mut tree = Tree::new();
        let first = add(&mut tree, NodeId::ROOT, "h2e2");
        let reply = add(&mut tree, first, "h9g7");
        let other = add(&mut tree, first, "b9c7");
        let third = add(&mut tree, reply, "h0g2");
        let last = add(&mut tree, other, "b0c2");
        let opening = add(&mut tree, NodeId::ROOT, "c3c4");
        let start = Position::start();
        let mut cursor = Cursor::new(&tree, &start);
        for id in [third, last, NodeId::ROOT, opening, reply, third, other] {
            let mut position = start.clone();
            for mv in tree.line_to(id) {
                position.make(mv);
            }
            assert_eq!(*cursor.at(id), position);
        }
    }

    #[test]
    fn a_cursor_reaches_the_end_of_the_longest_line() {
        let mut tree = Tree::new();
        let mut last = NodeId::ROOT;
        for at in 0..MAX_NODES {
            last = add(&mut tree, last, ["h2e2", "h9g7", "e2h2", "g7h9"][at % 4]);
        }
        let start = Position::start();
        assert_eq!(*Cursor::new(&tree, &start).at(last), {
            let mut position = start.clone();
            for id in tree.main_line() {
                position.make(tree.mv(id).unwrap());
            }
            position
        });
    }
}
