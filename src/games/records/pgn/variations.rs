//! The current line of a game in a PGN text, and the lines that contain it.

use crate::records::{Full, NodeId, Record, Tree};
use chuhe_board::{Move, Position, Undo};

/// Maximum nesting depth of variations.
pub(in crate::records) const MAX_DEPTH: usize = 200;

/// Point in a game's tree at which parsing continues.
#[derive(Clone)]
pub(super) struct TreePoint {
    pub position: Position,
    pub node: NodeId,
    /// Last move with its undo data; a variation starts before it.
    pub last: Option<(Move, Undo)>,
    /// Number of moves before this point.
    pub depth: usize,
}

impl TreePoint {
    /// Continues with a move that the tree contains.
    pub(super) fn follow(&mut self, node: NodeId, mv: Move) -> Option<()> {
        self.last = Some((mv, self.position.make(mv)));
        self.node = node;
        self.depth += 1;
        Some(())
    }
}

/// The current line, and the lines that contain it.
#[derive(Default)]
pub(super) struct Variations {
    /// Current point; `None` before the first move, while the starting position may still change.
    pub here: Option<TreePoint>,
    /// Points at which the outer lines continue, each with `true` if the variation began with a move number.
    outer: Vec<(TreePoint, bool)>,
    /// Comment before the first move of a variation.
    waiting: String,
}

impl Variations {
    /// Returns `true` after the first move of the game.
    pub(super) fn has_moves(&self) -> bool {
        self.here.is_some()
    }

    pub(super) fn is_in_main_line(&self) -> bool {
        self.outer.is_empty()
    }

    pub(super) fn node(&self) -> NodeId {
        self.here.as_ref().map_or(NodeId::ROOT, |here| here.node)
    }

    /// Returns the number of moves before the current point.
    pub(super) fn depth(&self) -> usize {
        self.here.as_ref().map_or(0, |here| here.depth)
    }

    /// Returns the number of lines that contain the current one.
    pub(super) fn nesting(&self) -> usize {
        self.outer.len()
    }

    /// Enters a variation at its first point.
    pub(super) fn enter(&mut self, first: TreePoint, is_numbered: bool) {
        self.outer.extend(self.here.replace(first).map(|outer| (outer, is_numbered)));
    }

    /// Returns to the outer line. Returns `true` if the variation began with a move number, and `None` in the
    /// main line.
    pub(super) fn leave(&mut self) -> Option<bool> {
        let (outer, is_numbered) = self.outer.pop()?;
        self.here = Some(outer);
        Some(is_numbered)
    }

    /// Adds a comment to the last move or, at the beginning of a variation, to the next move.
    pub(super) fn add_comment(&mut self, tree: &mut Tree, text: &str) {
        let follows_a_move = self.here.as_ref().is_some_and(|here| here.last.is_some());
        if follows_a_move || self.is_in_main_line() {
            return tree.add_comment(self.node(), text);
        }
        if !self.waiting.is_empty() && !text.is_empty() {
            self.waiting.push(' ');
        }
        self.waiting.push_str(text);
    }

    /// Adds a legal move.
    pub(super) fn make(&mut self, game: &mut Record, mv: Move) -> Result<(), Full> {
        let start = || TreePoint { position: game.start.clone(), node: NodeId::ROOT, last: None, depth: 0 };
        let here = self.here.get_or_insert_with(start);
        here.last = Some((mv, here.position.make(mv)));
        here.node = game.tree.add(here.node, mv)?;
        here.depth += 1;
        game.tree.add_comment(here.node, &std::mem::take(&mut self.waiting));
        Ok(())
    }
}
