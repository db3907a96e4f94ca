//! Computes the values of the graph: updates the parents of changed positions until every equation holds, and
//! bars moves in cycles that lose by the rules.

use super::error::Error;
use super::session::{Edge, Referee, Session};
use super::value::{Costs, best, state};
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

/// Updates all values of a database after changes at some positions. The database must be in a transaction.
///
/// # Errors
/// Returns an error if the database is damaged or cannot be written.
pub fn update_values(
    database: &Connection,
    referee: Referee,
    costs: Costs,
    changed: impl IntoIterator<Item = u64>,
) -> Result<(), Error> {
    let mut session = Session::new(database, referee)?;
    session.update_values(costs, changed)?;
    session.write().map(drop)
}

impl Session<'_> {
    /// Updates all values after changes at some positions.
    pub(super) fn update_values(&mut self, costs: Costs, changed: impl IntoIterator<Item = u64>) -> Result<(), Error> {
        let (queue, queued, touched) = (VecDeque::new(), HashSet::new(), BTreeSet::new());
        let mut work = Work { session: self, costs, queue, queued, touched };
        changed.into_iter().for_each(|key| work.enqueue(key));
        work.update()?;
        while let Some(component) = work.next_component()? {
            work.update_bars(&component)?;
            work.touched.retain(|key| !component.contains(key));
        }
        Ok(())
    }
}

struct Work<'s, 'c> {
    session: &'s mut Session<'c>,
    costs: Costs,
    /// Positions to recompute, in order.
    queue: VecDeque<u64>,
    queued: HashSet<u64>,
    /// Positions recomputed since their component was last checked for cycles that lose by the rules.
    touched: BTreeSet<u64>,
}

impl Work<'_, '_> {
    fn enqueue(&mut self, key: u64) {
        if self.queued.insert(key) {
            self.queue.push_back(key);
        }
    }

    /// Recomputes positions until every equation holds.
    fn update(&mut self) -> Result<(), Error> {
        while let Some(key) = self.queue.pop_front() {
            self.queued.remove(&key);
            self.touched.insert(key);
            let after = state(&self.session.moves(key)?, self.costs);
            if after != self.session.row(key)?.state {
                self.session.change(key, |row| row.state = after);
                for (parent, _) in self.session.parents(key)? {
                    self.enqueue(parent);
                }
            }
        }
        Ok(())
    }

    /// Returns a component with touched positions whose bars must be recomputed.
    fn next_component(&mut self) -> Result<Option<BTreeSet<u64>>, Error> {
        for edge in self.session.bars().clone() {
            let component = self.component(edge.parent)?;
            if component.iter().any(|key| self.touched.contains(key)) {
                return Ok(Some(component));
            }
        }
        for key in self.touched.clone() {
            if let Some(cycle) = self.cycle(key)?
                && (self.session.referee)(&cycle)?.is_some()
            {
                return self.component(cycle[0].parent).map(Some);
            }
        }
        Ok(None)
    }

    /// Recomputes the bars of a component.
    fn update_bars(&mut self, component: &BTreeSet<u64>) -> Result<(), Error> {
        for edge in self.session.bars().clone() {
            if component.contains(&edge.parent) {
                self.session.bar(edge, false);
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
                if let Some(offender) = (self.session.referee)(&cycle)? {
                    let edge = self.weakest(&cycle, offender)?;
                    self.session.bar(edge, true);
                    self.enqueue(edge.parent);
                    is_sound = false;
                }
            }
            if is_sound {
                return Ok(());
            }
        }
    }

    /// Returns the cycle into which the best moves from a position lead, beginning at its smallest key;
    /// `None` if they do not lead into a cycle.
    fn cycle(&mut self, start: u64) -> Result<Option<Vec<Edge>>, Error> {
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
            let moves = self.session.moves(key)?;
            // Only a score of zero can result from repetition.
            let Some((chosen, _)) = best(&moves).filter(|(_, value)| value.score == 0) else { return Ok(None) };
            let edge = Edge { parent: key, index: chosen.index };
            let Some(link) = self.session.link_of(edge)?.filter(|link| link.is_reversible) else { return Ok(None) };
            line.push(edge);
            key = link.child;
        }
    }

    /// Returns the offender's move to bar: the move in the position whose best other move has the highest
    /// score or, if equal, in the position with the smallest key. This choice suffices, since the offender
    /// can reach this position from all its other positions on the cycle.
    fn weakest(&mut self, cycle: &[Edge], offender: usize) -> Result<Edge, Error> {
        let mut found: Option<(Option<i32>, Edge)> = None;
        for edge in cycle.iter().skip(offender).step_by(2) {
            let moves = self.session.moves(edge.parent)?;
            let others = moves.iter().filter(|entry| entry.index != edge.index);
            let score = others.filter_map(|entry| entry.value).map(|value| value.score).max();
            let is_better = found.is_none_or(|(known, by)| score > known || score == known && edge.parent < by.parent);
            if is_better {
                found = Some((score, *edge));
            }
        }
        Ok(found.map_or(cycle[offender], |(_, edge)| edge))
    }

    /// Returns the strongly connected component of a position: the position itself and all positions on a
    /// cycle with it. Most positions have few predecessors, so the search among the successors is restricted
    /// to the predecessors.
    fn component(&mut self, key: u64) -> Result<BTreeSet<u64>, Error> {
        let above = self.reach(key, |session, key| {
            let parents = session.parents(key)?;
            Ok(parents.into_iter().filter(|(_, is_reversible)| *is_reversible).map(|(parent, _)| parent).collect())
        })?;
        self.reach(key, |session, key| {
            let links =
                session.node(key)?.links.values().filter(|link| link.is_reversible && above.contains(&link.child));
            Ok(links.map(|link| link.child).collect())
        })
    }

    fn reach(
        &mut self,
        key: u64,
        next: impl Fn(&mut Session, u64) -> Result<Vec<u64>, Error>,
    ) -> Result<BTreeSet<u64>, Error> {
        let (mut reached, mut open) = (BTreeSet::from([key]), vec![key]);
        while let Some(key) = open.pop() {
            for other in next(self.session, key)? {
                if reached.insert(other) {
                    open.push(other);
                }
            }
        }
        Ok(reached)
    }
}
