//! A game with its variations: a tree of moves, each with a comment and glyphs.

use chuhe_board::Move;

/// Maximum number of moves, larger than any game or collection of lines; the limit prevents damaged files
/// from exhausting memory.
pub const MAX_NODES: usize = 500_000;

/// A node of a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// Node of the position before the first move. It has no move, but may have a comment.
    pub const ROOT: NodeId = NodeId(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Glyphs of a move, numbered as in PGN: 1 `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`, …; at most four, 0 for
/// none.
pub(crate) type Glyphs = [u8; 4];

/// Text of the glyphs 1 to 6.
pub(crate) const GLYPHS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// A tree of moves in a flat list. Nodes refer to each other by index, so that building, traversing and
/// dropping a deep tree need no recursion. A node's first child continues the main line; the others are
/// variations.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Comments; the first one is empty and shared by all nodes without a comment.
    comments: Vec<String>,
    /// Number of removed nodes, which stay in the list.
    removed: usize,
}

#[derive(Clone, Debug)]
struct Node {
    /// Index of the node's comment.
    comment: u32,
    parent: NodeId,
    /// First child; `ROOT` means none, since the root is never a child.
    first_child: NodeId,
    last_child: NodeId,
    next: NodeId,
    glyphs: Glyphs,
    mv: Option<Move>,
}

const _: () = assert!(size_of::<Node>() <= 28);

impl Default for Tree {
    fn default() -> Tree {
        Tree { nodes: vec![Node::new(None, NodeId::ROOT)], comments: vec![String::new()], removed: 0 }
    }
}

impl Node {
    fn new(mv: Option<Move>, parent: NodeId) -> Node {
        let none = NodeId::ROOT;
        Node { comment: 0, parent, first_child: none, last_child: none, next: none, glyphs: [0; 4], mv }
    }
}

/// Error for a tree that has reached [`MAX_NODES`] moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

impl Tree {
    /// Creates a tree with only the root.
    pub fn new() -> Tree {
        Tree::default()
    }

    /// Returns the number of moves, including variations.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1 - self.removed
    }

    /// Returns `true` if there are no moves.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a move after a node, as its last child.
    ///
    /// # Errors
    /// Returns an error if the tree is full.
    pub fn add(&mut self, parent: NodeId, mv: Move) -> Result<NodeId, Full> {
        if self.nodes.len() > MAX_NODES {
            return Err(Full);
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node::new(Some(mv), parent));
        let elder = std::mem::replace(&mut self.nodes[parent.index()].last_child, id);
        match elder {
            NodeId::ROOT => self.nodes[parent.index()].first_child = id,
            elder => self.nodes[elder.index()].next = id,
        }
        Ok(id)
    }

    /// Reorders the children of a node. Children not in `order` are removed with all their descendants, and
    /// their identifiers become invalid.
    pub fn arrange(&mut self, parent: NodeId, order: &[NodeId]) {
        let before: Vec<NodeId> = self.children(parent).collect();
        let mut kept: Vec<NodeId> = Vec::with_capacity(order.len());
        for id in order {
            if before.contains(id) && !kept.contains(id) {
                kept.push(*id);
            }
        }
        let mut removed: Vec<NodeId> = before.into_iter().filter(|id| !kept.contains(id)).collect();
        while let Some(id) = removed.pop() {
            self.removed += 1;
            removed.extend(self.children(id));
        }
        let next = kept.iter().skip(1).copied().chain([NodeId::ROOT]);
        for (id, next) in kept.iter().zip(next) {
            self.nodes[id.index()].next = next;
        }
        let node = &mut self.nodes[parent.index()];
        node.first_child = kept.first().copied().unwrap_or(NodeId::ROOT);
        node.last_child = kept.last().copied().unwrap_or(NodeId::ROOT);
    }

    /// Returns the move that leads to a node; `None` for the root.
    pub fn mv(&self, id: NodeId) -> Option<Move> {
        self.nodes[id.index()].mv
    }

    /// Returns the previous node; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id != NodeId::ROOT).then(|| self.nodes[id.index()].parent)
    }

    /// Returns the comment of a node, which may have several lines; empty if there is none.
    pub fn comment(&self, id: NodeId) -> &str {
        &self.comments[self.nodes[id.index()].comment as usize]
    }

    /// Sets the comment of a node.
    pub fn set_comment(&mut self, id: NodeId, text: &str) {
        if !self.comment(id).is_empty() || !text.is_empty() {
            text.clone_into(self.comment_mut(id));
        }
    }

    /// Appends to the comment of a node, after a space, in amortised linear time.
    pub fn add_comment(&mut self, id: NodeId, text: &str) {
        if !text.is_empty() {
            let comment = self.comment_mut(id);
            if !comment.is_empty() {
                comment.push(' ');
            }
            comment.push_str(text);
        }
    }

    fn comment_mut(&mut self, id: NodeId) -> &mut String {
        let place = &mut self.nodes[id.index()].comment;
        if *place == 0 {
            *place = self.comments.len() as u32;
            self.comments.push(String::new());
        }
        &mut self.comments[*place as usize]
    }

    /// Returns the glyphs of a node.
    pub fn glyphs(&self, id: NodeId) -> impl Iterator<Item = u8> + '_ {
        self.nodes[id.index()].glyphs.into_iter().take_while(|&glyph| glyph != 0)
    }

    /// Adds a glyph; duplicates, a fifth glyph and 0 are ignored.
    pub fn add_glyph(&mut self, id: NodeId, glyph: u8) {
        let glyphs = &mut self.nodes[id.index()].glyphs;
        if !glyphs.contains(&glyph)
            && let Some(free) = glyphs.iter_mut().find(|place| **place == 0)
        {
            *free = glyph;
        }
    }

    /// Returns the moves after a node: the main line first, then the variations.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let some = |id: NodeId| (id != NodeId::ROOT).then_some(id);
        std::iter::successors(some(self.nodes[id.index()].first_child), move |id| some(self.nodes[id.index()].next))
    }

    /// Returns the next child of the node's parent.
    pub(crate) fn sibling(&self, id: NodeId) -> Option<NodeId> {
        Some(self.nodes[id.index()].next).filter(|next| *next != NodeId::ROOT)
    }

    /// Returns the first child, which continues the line.
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        self.children(id).next()
    }

    /// Returns the child with this move.
    pub fn child(&self, id: NodeId, mv: Move) -> Option<NodeId> {
        self.children(id).find(|child| self.mv(*child) == Some(mv))
    }

    /// Iterates over the main line: the root's first child, that child's first child, and so on.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.next(NodeId::ROOT), |id| self.next(*id))
    }

    /// Returns the moves from the root to a node.
    pub fn line_to(&self, id: NodeId) -> Vec<Move> {
        let back = std::iter::successors(Some(id), |id| self.parent(*id));
        let mut moves: Vec<Move> = back.filter_map(|id| self.mv(id)).collect();
        moves.reverse();
        moves
    }

    /// Iterates over all nodes except the root in PGN order: a move of a line, then its variations, then the
    /// continuation of the line.
    pub fn steps(&self) -> Steps<'_> {
        Steps { tree: self, todo: self.next(NodeId::ROOT).map(Todo::Line).into_iter().collect() }
    }

    /// Returns the number of variations and their maximum nesting depth.
    pub(crate) fn count_variations(&self) -> (usize, usize) {
        let (mut count, mut depth, mut deepest) = (0, 0, 0);
        for step in self.steps() {
            match step {
                Step::Open => (count, depth) = (count + 1, depth + 1),
                Step::Close => depth -= 1,
                Step::Move(_) => {}
            }
            deepest = deepest.max(depth);
        }
        (count, deepest)
    }
}

/// Two trees are equal if they have the same moves, comments and glyphs in the same order.
impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        let said = |tree: &Tree, id| (tree.mv(id), tree.nodes[id.index()].glyphs);
        let same = |one: Step, two: Step| match (one, two) {
            (Step::Move(one), Step::Move(two)) => {
                said(self, one) == said(other, two) && self.comment(one) == other.comment(two)
            }
            (one, two) => std::mem::discriminant(&one) == std::mem::discriminant(&two),
        };
        self.len() == other.len()
            && self.comment(NodeId::ROOT) == other.comment(NodeId::ROOT)
            && self.steps().zip(other.steps()).all(|(one, two)| same(one, two))
    }
}

/// A step of [`Tree::steps`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Start of a variation to the previous move.
    Open,
    /// A move.
    Move(NodeId),
    /// End of the variation.
    Close,
}

/// Iterator of [`Tree::steps`].
#[derive(Clone, Debug)]
pub struct Steps<'t> {
    tree: &'t Tree,
    todo: Vec<Todo>,
}

#[derive(Clone, Copy, Debug)]
enum Todo {
    /// A move, its variations and its continuation.
    Line(NodeId),
    /// Like `Line`, within the brackets of a variation.
    Variation(NodeId),
    Close,
}

impl Iterator for Steps<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        match self.todo.pop()? {
            Todo::Close => Some(Step::Close),
            Todo::Variation(id) => {
                self.todo.extend([Todo::Close, Todo::Line(id)]);
                Some(Step::Open)
            }
            Todo::Line(id) => {
                self.todo.extend(self.tree.next(id).map(Todo::Line));
                let parent = self.tree.nodes[id.index()].parent;
                if self.tree.next(parent) == Some(id) {
                    let first = self.todo.len();
                    self.todo.extend(self.tree.children(parent).skip(1).map(Todo::Variation));
                    self.todo[first..].reverse();
                }
                Some(Step::Move(id))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(tree: &mut Tree, parent: NodeId, mv: &str) -> NodeId {
        tree.add(parent, mv.parse().unwrap()).unwrap()
    }

    #[test]
    fn variations_come_after_the_move_that_they_replace() {
        let mut tree = Tree::new();
        let first = add(&mut tree, NodeId::ROOT, "h2e2");
        let reply = add(&mut tree, first, "h9g7");
        let other = add(&mut tree, first, "b9c7");
        let third = add(&mut tree, reply, "h0g2");
        let last = add(&mut tree, other, "b0c2");
        let opening = add(&mut tree, NodeId::ROOT, "c3c4");
        use Step::{Close, Move, Open};
        let steps: Vec<Step> = tree.steps().collect();
        let expected =
            [Move(first), Open, Move(opening), Close, Move(reply), Open, Move(other), Move(last), Close, Move(third)];
        assert_eq!(steps, expected);
        assert_eq!(tree.main_line().collect::<Vec<_>>(), [first, reply, third]);
        assert_eq!(tree.line_to(last).iter().map(ToString::to_string).collect::<Vec<_>>(), ["h2e2", "b9c7", "b0c2"]);
        assert_eq!(tree.child(first, "b9c7".parse().unwrap()), Some(other));
    }

    #[test]
    fn children_are_put_in_order_and_those_left_out_are_removed() {
        let mut tree = Tree::new();
        let [first, second, third] = ["h2e2", "b2e2", "c3c4"].map(|mv| add(&mut tree, NodeId::ROOT, mv));
        let reply = add(&mut tree, second, "h9g7");
        tree.arrange(NodeId::ROOT, &[third, first, second, reply, third]);
        assert_eq!(tree.children(NodeId::ROOT).collect::<Vec<_>>(), [third, first, second]);
        assert_eq!((tree.len(), tree.main_line().collect::<Vec<_>>()), (4, vec![third]));
        tree.arrange(NodeId::ROOT, &[first, third]);
        assert_eq!(tree.children(NodeId::ROOT).collect::<Vec<_>>(), [first, third]);
        assert_eq!((tree.len(), tree.steps().filter(|step| matches!(step, Step::Move(_))).count()), (2, 2));
        let fourth = add(&mut tree, NodeId::ROOT, "g3g4");
        assert_eq!(tree.children(NodeId::ROOT).last(), Some(fourth));
        tree.arrange(NodeId::ROOT, &[]);
        assert!(tree.is_empty() && tree.steps().next().is_none());
        assert_eq!(tree, Tree::new());
    }

    #[test]
    fn trees_are_equal_if_they_say_the_same() {
        let mut one = Tree::new();
        let first = add(&mut one, NodeId::ROOT, "h2e2");
        add(&mut one, NodeId::ROOT, "c3c4");
        add(&mut one, first, "h9g7");
        // This tree is equal, but was built in a different order.
        let mut two = Tree::new();
        let first = add(&mut two, NodeId::ROOT, "h2e2");
        add(&mut two, first, "h9g7");
        let second = add(&mut two, NodeId::ROOT, "c3c4");
        assert_eq!(one, two);
        for change in [
            |tree: &mut Tree, id| tree.set_comment(id, "good"),
            |tree: &mut Tree, id| tree.add_glyph(id, 1),
            |tree: &mut Tree, id| {
                add(tree, id, "h9g7");
            },
        ] {
            let mut other = two.clone();
            change(&mut other, second);
            assert_ne!(one, other);
        }
    }

    #[test]
    fn a_line_of_half_a_million_moves_needs_no_deep_stack_and_is_the_most() {
        let mut tree = Tree::new();
        let mut last = NodeId::ROOT;
        for at in 0..MAX_NODES {
            last = add(&mut tree, last, ["h2e2", "h9g7", "e2h2", "g7h9"][at % 4]);
        }
        assert_eq!(tree.add(last, "h2e2".parse().unwrap()), Err(Full));
        assert_eq!(tree.steps().count(), MAX_NODES);
        assert_eq!(tree, tree.clone());
    }

    #[test]
    fn comments_add_up_and_glyphs_are_few() {
        let mut tree = Tree::new();
        let id = add(&mut tree, NodeId::ROOT, "h2e2");
        for text in ["", "one", "", "two"] {
            tree.add_comment(id, text);
        }
        assert_eq!(tree.comment(id), "one two");
        (0..9).chain(3..5).for_each(|glyph| tree.add_glyph(id, glyph));
        assert_eq!(tree.glyphs(id).collect::<Vec<_>>(), [1, 2, 3, 4]);
    }
}
