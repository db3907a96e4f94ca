//! Values of a graph of positions: updates along all parents until every equation holds, and cycles by the rules.

use super::value::{Costs, State, Valued, best, state};
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

/// A move to an analysed position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edge {
    /// Key of the position before the move.
    pub parent: u64,
    /// Index of the move among those of the position.
    pub index: u8,
}

/// Storage of a graph. Positions are identified by keys.
pub trait Storage {
    /// Error type of the storage.
    type Error;

    /// Returns the moves of a position with the current states of the positions after them.
    fn moves(&mut self, key: u64) -> Result<Vec<Valued>, Self::Error>;

    /// Returns the position after a move, if it was analysed, and `true` if the move can be undone.
    fn child(&mut self, edge: Edge) -> Result<Option<(u64, bool)>, Self::Error>;

    /// Returns the positions after all moves of a position that can be undone.
    fn children(&mut self, key: u64) -> Result<Vec<u64>, Self::Error>;

    /// Returns the positions that have a move to this one, each with `true` if the move can be undone.
    fn parents(&mut self, key: u64) -> Result<Vec<(u64, bool)>, Self::Error>;

    /// Returns the state of a position.
    fn state(&mut self, key: u64) -> Result<State, Self::Error>;

    /// Changes the state of a position.
    fn set_state(&mut self, key: u64, state: State) -> Result<(), Self::Error>;

    /// Returns all moves that are barred.
    fn barred(&mut self) -> Result<Vec<Edge>, Self::Error>;

    /// Bars a move, or allows it again.
    fn bar(&mut self, edge: Edge, barred: bool) -> Result<(), Self::Error>;

    /// Returns the offender in a cycle of moves under the rules of repetition: 0 for the side that plays the first
    /// move, 1 for the other; `None` if the repetition is a draw.
    fn offender(&mut self, cycle: &[Edge]) -> Result<Option<usize>, Self::Error>;
}

/// Updates all values after changes at some positions.
///
/// # Errors
/// Returns an error of the storage.
pub fn settle<S: Storage>(
    storage: &mut S,
    costs: Costs,
    changed: impl IntoIterator<Item = u64>,
) -> Result<(), S::Error> {
    let mut work = Work { storage, costs, queue: VecDeque::new(), queued: HashSet::new(), touched: BTreeSet::new() };
    changed.into_iter().for_each(|key| work.enqueue(key));
    work.update()?;
    while let Some(component) = work.next_component()? {
        work.renew(&component)?;
        work.touched.retain(|key| !component.contains(key));
    }
    Ok(())
}

struct Work<'s, S: Storage> {
    storage: &'s mut S,
    costs: Costs,
    /// Positions to recompute, in order.
    queue: VecDeque<u64>,
    queued: HashSet<u64>,
    /// Positions recomputed since their component was last checked for faults.
    touched: BTreeSet<u64>,
}

impl<S: Storage> Work<'_, S> {
    fn enqueue(&mut self, key: u64) {
        if self.queued.insert(key) {
            self.queue.push_back(key);
        }
    }

    /// Recomputes positions until every equation holds.
    fn update(&mut self) -> Result<(), S::Error> {
        while let Some(key) = self.queue.pop_front() {
            self.queued.remove(&key);
            self.touched.insert(key);
            let after = state(&self.storage.moves(key)?, self.costs);
            if after != self.storage.state(key)? {
                self.storage.set_state(key, after)?;
                for (parent, _) in self.storage.parents(key)? {
                    self.enqueue(parent);
                }
            }
        }
        Ok(())
    }

    /// Returns a component with touched positions whose bars must be redetermined.
    fn next_component(&mut self) -> Result<Option<BTreeSet<u64>>, S::Error> {
        for edge in self.storage.barred()? {
            let component = self.component(edge.parent)?;
            if component.iter().any(|key| self.touched.contains(key)) {
                return Ok(Some(component));
            }
        }
        for key in self.touched.clone() {
            if let Some(cycle) = self.cycle(key)?
                && self.storage.offender(&cycle)?.is_some()
            {
                return self.component(cycle[0].parent).map(Some);
            }
        }
        Ok(None)
    }

    /// Determines the bars of a component from scratch.
    fn renew(&mut self, component: &BTreeSet<u64>) -> Result<(), S::Error> {
        for edge in self.storage.barred()? {
            if component.contains(&edge.parent) {
                self.storage.bar(edge, false)?;
                self.enqueue(edge.parent);
            }
        }
        loop {
            self.update()?;
            let mut cycles: BTreeMap<u64, Vec<Edge>> = BTreeMap::new();
            for &key in component {
                if let Some(cycle) = self.cycle(key)? {
                    cycles.entry(cycle[0].parent).or_insert(cycle);
                }
            }
            let mut is_sound = true;
            for cycle in cycles.into_values().filter(|cycle| component.contains(&cycle[0].parent)) {
                if let Some(offender) = self.storage.offender(&cycle)? {
                    let edge = self.weakest(&cycle, offender)?;
                    self.storage.bar(edge, true)?;
                    self.enqueue(edge.parent);
                    is_sound = false;
                }
            }
            if is_sound {
                return Ok(());
            }
        }
    }

    /// Returns the cycle to which the best moves from a position lead, beginning at its smallest key; `None`
    /// if they lead elsewhere.
    fn cycle(&mut self, start: u64) -> Result<Option<Vec<Edge>>, S::Error> {
        let mut line: Vec<Edge> = Vec::new();
        let mut seen: BTreeMap<u64, usize> = BTreeMap::new();
        let mut key = start;
        loop {
            if let Some(&first) = seen.get(&key) {
                let mut cycle = line.split_off(first);
                let smallest = (0..cycle.len()).min_by_key(|at| cycle[*at].parent).unwrap_or(0);
                cycle.rotate_left(smallest);
                return Ok(Some(cycle));
            }
            seen.insert(key, line.len());
            let moves = self.storage.moves(key)?;
            // Only a draw can be maintained by repetition.
            let Some((chosen, _)) = best(&moves).filter(|(_, value)| value.score == 0) else { return Ok(None) };
            let edge = Edge { parent: key, index: chosen.index };
            let Some((child, true)) = self.storage.child(edge)? else { return Ok(None) };
            line.push(edge);
            key = child;
        }
    }

    /// Returns the move of the offender that is to be barred: in the position whose best other move has the
    /// highest score or, if equal, in the position with the smallest key. The offender can still reach this
    /// position from its other positions on the cycle.
    fn weakest(&mut self, cycle: &[Edge], offender: usize) -> Result<Edge, S::Error> {
        let mut found: Option<(Option<i32>, Edge)> = None;
        for edge in cycle.iter().skip(offender).step_by(2) {
            let moves = self.storage.moves(edge.parent)?;
            let others = moves.iter().filter(|entry| entry.index != edge.index);
            let score = others.filter_map(|entry| entry.value).map(|value| value.score).max();
            let is_better = found.is_none_or(|(known, by)| score > known || score == known && edge.parent < by.parent);
            if is_better {
                found = Some((score, *edge));
            }
        }
        Ok(found.map_or(cycle[offender], |(_, edge)| edge))
    }

    /// Returns all positions that lie on a cycle with this one, and the position itself. Most positions have
    /// few predecessors, so the search among the successors is restricted to these.
    fn component(&mut self, key: u64) -> Result<BTreeSet<u64>, S::Error> {
        let above = self.reach(key, |storage, key| {
            let parents = storage.parents(key)?;
            Ok(parents.into_iter().filter(|(_, repeats)| *repeats).map(|(parent, _)| parent).collect())
        })?;
        self.reach(key, |storage, key| {
            Ok(storage.children(key)?.into_iter().filter(|child| above.contains(child)).collect())
        })
    }

    fn reach(
        &mut self,
        key: u64,
        next: impl Fn(&mut S, u64) -> Result<Vec<u64>, S::Error>,
    ) -> Result<BTreeSet<u64>, S::Error> {
        let (mut reached, mut open) = (BTreeSet::from([key]), vec![key]);
        while let Some(key) = open.pop() {
            for other in next(self.storage, key)? {
                if reached.insert(other) {
                    open.push(other);
                }
            }
        }
        Ok(reached)
    }
}
