//! Move ordering: a queue returns a node's moves one by one, in the order determined by the techniques.

use super::tree::Moves;
use super::{Order, Study, Tree};
use chuhe_board::MoveClass;
use chuhe_board::random::SplitMix64;

/// Stage of a queue of staged moves; other orders do not use it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    First,
    Captures,
    Killers(usize),
    Others,
}

/// The untried moves of a node.
#[derive(Debug)]
pub struct Queue<M> {
    order: Order,
    depth: i32,
    /// Hash move, or move of the previous depth's principal variation.
    first: Option<M>,
    class: Class,
    /// `true` once the moves of the class have been generated.
    ready: bool,
    moves: Moves<(M, i64)>,
    /// Number of moves in `moves` that have been returned; unused if moves are staged.
    at: usize,
    tried: usize,
    width: usize,
}

impl<M> Queue<M> {
    /// Returns the number of moves returned so far.
    pub(crate) fn tried(&self) -> usize {
        self.tried
    }
}

impl<M: Copy + PartialEq + std::fmt::Debug> Queue<M> {
    /// Returns the next move.
    pub fn next<T: Tree<Move = M>>(&mut self, study: &mut Study<T>) -> Option<M> {
        if self.tried == self.width {
            return None;
        }
        let mv = if self.order == Order::Staged { self.next_staged(study) } else { self.next_sorted(study) }?;
        self.tried += 1;
        Some(mv)
    }

    /// Generates, scores and sorts all moves before returning the first one.
    fn next_sorted<T: Tree<Move = M>>(&mut self, study: &mut Study<T>) -> Option<M> {
        if !self.ready {
            self.ready = true;
            let moves = match self.order {
                Order::Lists => study.tree.listed_moves(),
                _ => study.tree.moves(MoveClass::All),
            };
            self.moves = moves.into_iter().map(|mv| (mv, 0)).collect();
            if self.order == Order::Random {
                SplitMix64::new(study.tree.key()).shuffle(&mut self.moves);
            }
            for index in 0..self.moves.len() {
                self.moves[index].1 = self.weight(study, self.moves[index].0);
            }
            self.moves.sort_by_key(|&(_, weight)| std::cmp::Reverse(weight)); // stable sort
        }
        let next = self.moves.get(self.at)?;
        self.at += 1;
        Some(next.0)
    }

    /// Returns moves class by class, best class first. Generates a class when it is reached, and selects
    /// moves only as they are requested.
    fn next_staged<T: Tree<Move = M>>(&mut self, study: &mut Study<T>) -> Option<M> {
        loop {
            match self.class {
                Class::First => {
                    self.class = Class::Captures;
                    if let Some(mv) = self.first.filter(|&mv| study.tree.is_legal(mv)) {
                        return Some(mv);
                    }
                    self.first = None;
                }
                Class::Captures => match self.pick(study, MoveClass::Captures) {
                    Some(mv) => return Some(mv),
                    None => (self.class, self.ready) = (Class::Killers(0), false),
                },
                Class::Killers(index) => match study.killers.at(study.ply).get(index).copied() {
                    None => self.class = Class::Others,
                    Some(mv) => {
                        self.class = Class::Killers(index + 1);
                        if self.first != Some(mv) && study.tree.is_legal(mv) && study.tree.is_quiet(mv) {
                            return Some(mv);
                        }
                    }
                },
                Class::Others => return self.pick(study, MoveClass::Quiets),
            }
        }
    }

    /// Returns the move with the highest score in the class, unless an earlier class has returned it.
    fn pick<T: Tree<Move = M>>(&mut self, study: &mut Study<T>, wanted: MoveClass) -> Option<M> {
        if !self.ready {
            self.ready = true;
            let earlier = |mv: &M| self.first == Some(*mv) || study.killers.at(study.ply).contains(mv);
            let mut moves = study.tree.moves(wanted);
            moves.retain(|mv| if wanted == MoveClass::Quiets { !earlier(mv) } else { self.first != Some(*mv) });
            self.moves = moves.into_iter().map(|mv| (mv, 0)).collect();
            for index in 0..self.moves.len() {
                self.moves[index].1 = self.weight(study, self.moves[index].0);
            }
        }
        let heaviest = self.moves.iter().enumerate().rev().max_by_key(|(_, (_, weight))| *weight)?.0;
        Some(self.moves.remove(heaviest).0)
    }

    /// Returns the sort key of a move: the class in the high bits, the score within the class in the low
    /// bits.
    fn weight<T: Tree<Move = M>>(&self, study: &mut Study<T>, mv: M) -> i64 {
        const CLASS: i64 = 1 << 48;
        match self.order {
            Order::Worst => return -i64::from(study.value_after(mv, self.depth)),
            Order::Best => return i64::from(study.value_after(mv, self.depth)),
            _ if self.first == Some(mv) => return 3 * CLASS,
            _ => {}
        }
        if !matches!(self.order, Order::None | Order::Random) && !study.tree.is_quiet(mv) {
            return 2 * CLASS
                + match self.order {
                    Order::Gain => i64::from(study.tree.gain(mv)),
                    Order::Lists => 0,
                    _ => i64::from(study.tree.gain_estimate(mv)),
                };
        }
        if let Some(index) = study.killers.at(study.ply).iter().position(|&killer| killer == mv) {
            return CLASS - index as i64;
        }
        match study.techniques.history {
            Some(_) => study.history.history_score(T::squares(mv)).min(1 << 40) as i64,
            None if self.order == Order::Gain => i64::from(study.tree.gain(mv)),
            None => 0,
        }
    }
}

impl<T: Tree> Study<T> {
    /// Creates the queue of moves at this node, which will be searched to `depth`.
    pub fn queue(&self, depth: i32) -> Queue<T::Move> {
        let remembered = || self.table.as_ref()?.entry(self.key())?.mv;
        Queue {
            order: self.techniques.order,
            depth,
            first: self.guide_move().or_else(remembered),
            class: Class::First,
            ready: false,
            moves: Moves::new(),
            at: 0,
            tried: 0,
            width: self.width,
        }
    }

    /// Returns the exact value of a move at this depth, for the best and the worst order.
    fn value_after(&mut self, mv: T::Move, depth: i32) -> i32 {
        let undo = self.tree.play(mv);
        let value = -self.oracle.value(&mut self.tree, depth - 1);
        self.tree.undo(mv, undo);
        value
    }
}
