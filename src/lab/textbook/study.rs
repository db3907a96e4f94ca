//! A study: a tree under search with its techniques, tables and counts. The algorithms are functions on it.

use super::oracle::Oracle;
use super::table::{Bound, HistoryTable, Killers, Table};
use super::tree::MATE;
use super::{Techniques, Tree};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// More than any value.
pub const INFINITY: i32 = 100_000;
/// A value from the mover's view, or `None` if a limit was reached before it was known.
pub type Answer = Option<i32>;

/// A search of the current node: depth, alpha, beta.
pub type Search<T> = fn(&mut Study<T>, i32, i32, i32) -> Answer;

/// What a search did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Positions entered, the root and the leaves among them.
    pub nodes: u64,
    /// Static evaluations at the horizon and beyond.
    pub leaves: u64,
    /// Nodes whose window holds a value: `beta − alpha > 1`.
    pub open: u64,
    /// Nodes that a move cut off.
    pub cuts: u64,
    /// Those that the first move cut off.
    pub first_cuts: u64,
    /// Nodes that the hash table answered.
    pub answered: u64,
    /// Searches of the root: what a driver asked for.
    pub calls: u64,
}

/// The limits of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The last depth, in plies.
    pub depth: i32,
    /// The most nodes.
    pub nodes: Option<u64>,
    /// The time at which it ends.
    pub deadline: Option<Instant>,
    /// A flag that ends it.
    pub stop: Option<&'static AtomicBool>,
}

/// Everything that a search carries from node to node.
pub struct Study<T: Tree> {
    pub(super) tree: T,
    pub(super) techniques: Techniques,
    pub(super) counts: Counts,
    pub(super) limits: Limits,
    pub(super) ply: usize,
    /// The depth of the search now under way, for the limit of extensions.
    pub(super) root_depth: i32,
    pub(super) table: Option<Table<T::Move>>,
    pub(super) killers: Killers<T::Move>,
    pub(super) history: HistoryTable,
    pub(super) oracle: Oracle,
    /// Passes since the last real move.
    pub(super) passes: u32,
    /// Whether a null move is being verified, without further null moves.
    pub(super) verifying: bool,
    /// Iterative widening: how many moves a node may try.
    pub(super) width: usize,
    /// The best line from each ply.
    lines: Vec<Vec<T::Move>>,
    /// The best line of the depth before, and how many of its moves lead to this node.
    guide: Vec<T::Move>,
    guided: usize,
    /// The best line from the root that has been proved so far.
    principal: Vec<T::Move>,
}

impl<T: Tree> Study<T> {
    /// A study with empty tables.
    pub fn new(tree: T, techniques: Techniques, limits: Limits) -> Study<T> {
        Study {
            tree,
            counts: Counts::default(),
            limits,
            ply: 0,
            root_depth: limits.depth,
            table: techniques.table.map(|_| Table::new(techniques.table_bits)),
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

    /// What has been counted so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The best line that has been proved.
    pub fn principal(&self) -> &[T::Move] {
        &self.principal
    }

    /// Begins a depth: the best line of the one before is tried first.
    pub fn begin(&mut self, depth: i32) {
        self.root_depth = depth;
        self.guide.clone_from(&self.principal);
    }

    /// Enters a node with a window: counts it, and looks at the limits.
    pub fn enter(&mut self, alpha: i32, beta: i32) -> Option<()> {
        debug_assert!(alpha < beta, "({alpha}, {beta}) is no window");
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

    /// The node after a move.
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

    /// The move that the last depth thought best here, while we follow its best line.
    pub(super) fn guide_move(&self) -> Option<T::Move> {
        if self.guided == self.ply { self.guide.get(self.ply).copied() } else { None }
    }

    /// The value of a side without a legal move: lost, whether mated or stalemated; later losses count less.
    pub fn lost(&self) -> i32 {
        self.ply as i32 - MATE
    }

    /// A new best move: it and its line are the principal variation from here.
    pub fn better(&mut self, mv: T::Move) {
        let (here, below) = self.lines.split_at_mut(self.ply + 1);
        let line = &mut here[self.ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
        if self.ply == 0 {
            self.principal.clone_from(line);
        }
    }

    /// The hash key of this node. The verification of a null move has keys of its own, so that it doesn't use what null moves found.
    pub(super) fn key(&self) -> u64 {
        if self.verifying { !self.tree.key() } else { self.tree.key() }
    }

    /// The hash table's value for this node, if it suffices for this depth and window.
    pub fn remembered(&mut self, depth: i32, alpha: i32, beta: i32) -> Option<i32> {
        let (answers, entry) = (self.techniques.table?, self.table.as_ref()?.entry(self.key())?);
        let (value, mv) = (entry.answer(answers, self.ply as i32, depth, alpha, beta)?, entry.mv);
        self.counts.answered += 1;
        if let Some(mv) = mv.filter(|_| value > alpha) {
            self.lines[self.ply + 1].clear();
            self.better(mv);
        }
        Some(value)
    }

    /// Leaves a node whose moves were tried with this window, and updates the tables. Returns the value, or that of a lost
    /// game if there was no move.
    pub fn leave(&mut self, depth: i32, (alpha, beta): (i32, i32), value: i32, tried: usize) -> i32 {
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
                self.history.pay(T::squares(mv), reward, depth);
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
