//! A study: the tree being searched, with its techniques, tables and statistics. The algorithms are functions
//! on it.

use super::oracle::Oracle;
use super::table::{Bound, HashTable, HistoryTable, Killers};
use super::tree::MATE;
use super::{Techniques, Tree};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// Upper bound of all values.
pub const INFINITY: i32 = 100_000;
/// A value from the mover's point of view, or `None` if a limit was reached first.
pub type Answer = Option<i32>;

/// Signature of a search of the current node: depth, alpha, beta.
pub type Search<T> = fn(&mut Study<T>, i32, i32, i32) -> Answer;

/// Statistics of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Positions entered, including the root and the leaves.
    pub nodes: u64,
    /// Static evaluations at the horizon and beyond.
    pub leaves: u64,
    /// Nodes with an open window: `beta − alpha > 1`.
    pub open: u64,
    /// Nodes with a beta cutoff.
    pub cuts: u64,
    /// Beta cutoffs by the first move.
    pub first_cuts: u64,
    /// Nodes resolved by the hash table.
    pub answered: u64,
    /// Root searches started by a driver.
    pub calls: u64,
}

/// Limits of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Maximum depth in plies.
    pub depth: i32,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
    /// Deadline.
    pub deadline: Option<Instant>,
    /// Stop flag.
    pub stop: Option<&'static AtomicBool>,
}

/// State of a search.
pub struct Study<T: Tree> {
    pub(super) tree: T,
    pub(super) techniques: Techniques,
    pub(super) counts: Counts,
    pub(super) limits: Limits,
    pub(super) ply: usize,
    /// Depth of the current iteration, which limits extensions.
    pub(super) root_depth: i32,
    pub(super) table: Option<HashTable<T::Move>>,
    pub(super) killers: Killers<T::Move>,
    pub(super) history: HistoryTable,
    pub(super) oracle: Oracle,
    /// Null moves since the last real move.
    pub(super) passes: u32,
    /// `true` while a null move is being verified; further null moves are then disabled.
    pub(super) verifying: bool,
    /// Iterative widening: maximum number of moves per node.
    pub(super) width: usize,
    /// Principal variation from each ply.
    lines: Vec<Vec<T::Move>>,
    /// Principal variation of the previous depth, and the number of its moves that lead to this node.
    guide: Vec<T::Move>,
    guided: usize,
    /// Principal variation proved so far, from the root.
    principal: Vec<T::Move>,
}

impl<T: Tree> Study<T> {
    /// Creates a study with empty tables.
    pub fn new(tree: T, techniques: Techniques, limits: Limits) -> Study<T> {
        Study {
            tree,
            counts: Counts::default(),
            limits,
            ply: 0,
            root_depth: limits.depth,
            table: techniques.table.map(|_| HashTable::new(techniques.table_bits)),
            killers: Killers::new(techniques.killers),
            history: HistoryTable::new(),
            oracle: Oracle::default(),
            passes: 0,
            verifying: false,
            width: usize::MAX,
            lines: vec![Vec::new()],
            guide: Vec::new(),
            guided: 0,
            principal: Vec::new(),
            techniques,
        }
    }

    /// Returns the statistics.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Returns the proved principal variation.
    pub(crate) fn principal(&self) -> &[T::Move] {
        &self.principal
    }

    /// Starts an iteration that tries the principal variation of the previous iteration first.
    pub fn begin(&mut self, depth: i32) {
        self.root_depth = depth;
        self.guide.clone_from(&self.principal);
    }

    /// Enters a node with a window: counts it and checks the limits.
    pub(crate) fn enter(&mut self, alpha: i32, beta: i32) -> Option<()> {
        debug_assert!(alpha < beta, "({alpha}, {beta}) is not a window");
        let stopped = || self.limits.stop.is_some_and(|stop| stop.load(Relaxed));
        let late = || stopped() || self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let full = self.limits.nodes.is_some_and(|limit| self.counts.nodes >= limit);
        if full || (self.counts.nodes & 1023 == 1023 && late()) {
            return None;
        }
        self.counts.nodes += 1;
        self.counts.open += u64::from(beta - alpha > 1);
        self.counts.calls += u64::from(self.ply == 0);
        if self.lines.len() <= self.ply + 1 {
            self.lines.resize(self.ply + 2, Vec::new());
        }
        self.lines[self.ply].clear();
        Some(())
    }

    /// Searches the node after a move.
    pub fn after(&mut self, mv: T::Move, search: impl FnOnce(&mut Study<T>) -> Answer) -> Answer {
        let (passes, guided) = (self.passes, self.guided);
        self.guided += usize::from(self.guide_move() == Some(mv));
        self.passes = 0;
        let undo = self.tree.play(mv);
        self.ply += 1;
        let answer = search(self);
        self.ply -= 1;
        self.tree.undo(mv, undo);
        (self.passes, self.guided) = (passes, guided);
        answer
    }

    /// Returns the next move of the previous depth's principal variation, if this node is on it.
    pub(super) fn guide_move(&self) -> Option<T::Move> {
        if self.guided == self.ply { self.guide.get(self.ply).copied() } else { None }
    }

    /// Returns the value for a side without legal moves, which is mated or stalemated: a loss, whose absolute
    /// value decreases with the distance from the root.
    pub fn lost(&self) -> i32 {
        self.ply as i32 - MATE
    }

    /// Makes a new best move and its continuation the principal variation of this node.
    pub(crate) fn better(&mut self, mv: T::Move) {
        let (here, below) = self.lines.split_at_mut(self.ply + 1);
        let line = &mut here[self.ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
        if self.ply == 0 {
            self.principal.clone_from(line);
        }
    }

    /// Returns the hash key of this node. Verification of a null move uses separate keys, so that it does not
    /// use results found with null moves.
    pub(super) fn key(&self) -> u64 {
        if self.verifying { !self.tree.key() } else { self.tree.key() }
    }

    /// Returns the hash table's value for this node, if the entry is sufficient for this depth and window.
    pub(crate) fn stored_value(&mut self, depth: i32, alpha: i32, beta: i32) -> Option<i32> {
        let (answers, entry) = (self.techniques.table?, self.table.as_ref()?.entry(self.key())?);
        let (value, mv) = (entry.answer(answers, self.ply as i32, depth, alpha, beta)?, entry.mv);
        self.counts.answered += 1;
        if let Some(mv) = mv.filter(|_| value > alpha) {
            self.lines[self.ply + 1].clear();
            self.better(mv);
        }
        Some(value)
    }

    /// Leaves a node whose moves were tried with this window, and updates the tables. Returns the value, or a
    /// loss if there was no move.
    pub(crate) fn leave(&mut self, depth: i32, (alpha, beta): (i32, i32), value: i32, tried: usize) -> i32 {
        let value = if tried == 0 { self.lost() } else { value };
        let bound = Bound::of(value, alpha, beta);
        let best = self.lines[self.ply].first().copied();
        if bound == Bound::Lower {
            self.counts.cuts += 1;
            self.counts.first_cuts += u64::from(tried == 1);
        }
        if let Some(mv) = best.filter(|&mv| self.tree.is_quiet(mv)) {
            if bound == Bound::Lower {
                self.killers.add(self.ply, mv);
            }
            if let Some(reward) = self.techniques.history {
                self.history.add_bonus(T::squares(mv), reward, depth);
            }
        }
        let key = self.key();
        if let Some(table) = &mut self.table {
            let mv = best.filter(|_| beta - alpha > 1 || !self.techniques.forgetful);
            table.store(key, self.ply as i32, depth, value, bound, mv);
        }
        value
    }
}
