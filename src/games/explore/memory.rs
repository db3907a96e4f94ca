//! A graph in memory, for checks and tests.

use super::graph::{Edge, Storage};
use super::session::{Link, Node, valued};
use super::value::{State, Valued};
use chuhe_engine::book::ScoredMove;
use std::collections::BTreeMap;
use std::convert::Infallible;

/// Decides cycles: see [`Storage::offender`].
pub type Referee<'r> = Box<dyn Fn(&[Edge]) -> Option<usize> + 'r>;

/// A graph in memory. A link to a position that is not in the graph is ignored.
pub struct Memory<'r> {
    nodes: BTreeMap<u64, Node>,
    states: BTreeMap<u64, State>,
    parents: BTreeMap<u64, Vec<(u64, bool)>>,
    referee: Referee<'r>,
}

impl<'r> Memory<'r> {
    /// Creates a graph whose values are all zero and whose bars are removed.
    pub fn new(mut nodes: BTreeMap<u64, Node>, referee: Referee<'r>) -> Memory<'r> {
        let known: Vec<u64> = nodes.keys().copied().collect();
        let mut parents: BTreeMap<u64, Vec<(u64, bool)>> = BTreeMap::new();
        for (&key, node) in &mut nodes {
            node.links.retain(|_, link| known.binary_search(&link.child).is_ok());
            for link in node.links.values_mut() {
                link.barred = false;
                parents.entry(link.child).or_default().push((key, link.repeats));
            }
        }
        let states = known.into_iter().map(|key| (key, State::default())).collect();
        Memory { nodes, states, parents, referee }
    }

    /// Adds a position, with the moves that lead to it.
    pub fn insert(&mut self, key: u64, mut node: Node, from: &[(Edge, bool)]) {
        node.links.retain(|_, link| self.nodes.contains_key(&link.child) || link.child == key);
        for link in node.links.values_mut() {
            link.barred = false;
            self.parents.entry(link.child).or_default().push((key, link.repeats));
        }
        self.nodes.insert(key, node);
        self.states.insert(key, State::default());
        for &(edge, repeats) in from {
            if let Some(parent) = self.nodes.get_mut(&edge.parent).filter(|_| edge.parent != key) {
                parent.links.insert(edge.index, Link { child: key, repeats, barred: false });
                self.parents.entry(key).or_default().push((edge.parent, repeats));
            }
        }
    }

    /// Replaces the moves of a position.
    pub fn rescore(&mut self, key: u64, moves: Vec<ScoredMove>) {
        self.nodes.get_mut(&key).into_iter().for_each(|node| node.moves.clone_from(&moves));
    }

    /// Returns the graph's positions with their moves and bars.
    pub fn nodes(&self) -> &BTreeMap<u64, Node> {
        &self.nodes
    }

    /// Returns all states by key.
    pub fn states(&self) -> &BTreeMap<u64, State> {
        &self.states
    }
}

impl Storage for Memory<'_> {
    type Error = Infallible;

    fn moves(&mut self, key: u64) -> Result<Vec<Valued>, Infallible> {
        let node = self.nodes.get(&key);
        Ok(node.and_then(|node| valued(node, |child| self.states.get(&child).copied())).unwrap_or_default())
    }

    fn child(&mut self, edge: Edge) -> Result<Option<(u64, bool)>, Infallible> {
        let link = self.nodes.get(&edge.parent).and_then(|node| node.links.get(&edge.index));
        Ok(link.map(|link| (link.child, link.repeats)))
    }

    fn children(&mut self, key: u64) -> Result<Vec<u64>, Infallible> {
        let links = self.nodes.get(&key).into_iter().flat_map(|node| node.links.values());
        Ok(links.filter(|link| link.repeats).map(|link| link.child).collect())
    }

    fn parents(&mut self, key: u64) -> Result<Vec<(u64, bool)>, Infallible> {
        Ok(self.parents.get(&key).cloned().unwrap_or_default())
    }

    fn state(&mut self, key: u64) -> Result<State, Infallible> {
        Ok(self.states.get(&key).copied().unwrap_or_default())
    }

    fn set_state(&mut self, key: u64, state: State) -> Result<(), Infallible> {
        self.states.insert(key, state);
        Ok(())
    }

    fn barred(&mut self) -> Result<Vec<Edge>, Infallible> {
        let barred = self.nodes.iter().flat_map(|(&parent, node)| {
            let links = node.links.iter().filter(|(_, link)| link.barred);
            links.map(move |(&index, _)| Edge { parent, index })
        });
        Ok(barred.collect())
    }

    fn bar(&mut self, edge: Edge, barred: bool) -> Result<(), Infallible> {
        let link = self.nodes.get_mut(&edge.parent).and_then(|node| node.links.get_mut(&edge.index));
        link.into_iter().for_each(|link| link.barred = barred);
        Ok(())
    }

    fn offender(&mut self, cycle: &[Edge]) -> Result<Option<usize>, Infallible> {
        Ok((self.referee)(cycle))
    }
}
