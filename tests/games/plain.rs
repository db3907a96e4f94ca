//! An independent program that shares no code with the database: it plays out the game on the graph for an
//! increasing number of plies; an unfinished game is a draw.

use std::collections::BTreeSet;

/// A move: its own score, the index of the position after it, whether that position can occur again, and
/// whether the move gives check.
#[derive(Clone, Debug)]
pub(crate) struct PlainMove {
    pub own: Option<i32>,
    pub child: Option<usize>,
    pub repeats: bool,
    pub checks: bool,
}

pub(crate) type PlainGraph = Vec<Vec<PlainMove>>;

/// Returns the offender in a cycle of positions and moves.
pub(crate) type Judge<'j> = &'j dyn Fn(&[(usize, usize)]) -> Option<usize>;

/// Solution of the independent program: values, costs and barred moves.
pub(crate) struct Plain {
    pub values: Vec<i32>,
    pub costs: Vec<u32>,
    pub barred: BTreeSet<(usize, usize)>,
}

const LOST_BY_RULE: i32 = -24_999;

/// Cost of a position without unexplored moves below it.
const CLOSED: u32 = 1_000_000;

/// Replaces a relation by its transitive closure.
fn close(reach: &mut [Vec<bool>]) {
    for via in 0..reach.len() {
        for from in 0..reach.len() {
            for to in 0..reach.len() {
                reach[from][to] |= reach[from][via] && reach[via][to];
            }
        }
    }
}

impl Plain {
    pub(crate) fn solve(graph: &PlainGraph, order: &[u64], judge: Judge) -> Plain {
        let count = graph.len();
        let mut reach = vec![vec![false; count]; count];
        for (at, moves) in graph.iter().enumerate() {
            reach[at][at] = true;
            moves.iter().filter(|mv| mv.repeats).filter_map(|mv| mv.child).for_each(|child| reach[at][child] = true);
        }
        close(&mut reach);
        let mut plain = Plain { values: vec![0; count], costs: vec![CLOSED; count], barred: BTreeSet::new() };
        // Includes irreversible moves, which lead to other components.
        let mut after = reach.clone();
        for (at, moves) in graph.iter().enumerate() {
            moves.iter().filter_map(|mv| mv.child).for_each(|child| after[at][child] = true);
        }
        close(&mut after);
        let mut done = vec![false; count];
        while let Some(at) =
            (0..count).filter(|at| !done[*at]).min_by_key(|at| after[*at].iter().filter(|to| **to).count())
        {
            let component: Vec<usize> = (0..count).filter(|to| reach[at][*to] && reach[*to][at]).collect();
            loop {
                plain.iterate(graph, &component);
                let faults = plain.faults(graph, &component, order, judge);
                if faults.is_empty() {
                    break;
                }
                plain.barred.extend(faults);
            }
            component.into_iter().for_each(|at| done[at] = true);
        }
        plain.count_costs(graph);
        plain
    }

    fn value(&self, at: usize, place: usize, mv: &PlainMove) -> Option<i32> {
        match mv.child {
            _ if self.barred.contains(&(at, place)) => Some(LOST_BY_RULE),
            Some(child) => Some(match -self.values[child] {
                mate if mate > 24_000 => mate - 1,
                mate if mate < -24_000 => mate + 1,
                score => score,
            }),
            None => mv.own,
        }
    }

    fn iterate(&mut self, graph: &PlainGraph, component: &[usize]) {
        component.iter().for_each(|at| self.values[*at] = 0);
        for _ in 0..2 * graph.len() + 10 {
            let next = component.iter().map(|&at| {
                let values = graph[at].iter().enumerate().filter_map(|(place, mv)| self.value(at, place, mv));
                values.max().unwrap_or(-30_000)
            });
            let next: Vec<i32> = next.collect();
            component.iter().zip(next).for_each(|(at, value)| self.values[*at] = value);
        }
    }

    /// Returns a move that secures a draw: one that leaves the graph, if there is one, or else the first.
    fn drawing(&self, graph: &PlainGraph, at: usize) -> Option<usize> {
        let zero = |(place, mv): &(usize, &PlainMove)| self.value(at, *place, mv) == Some(0);
        let moves: Vec<(usize, &PlainMove)> = graph[at].iter().enumerate().filter(zero).collect();
        let leaf = moves.iter().find(|(_, mv)| mv.child.is_none());
        (self.values[at] == 0).then(|| leaf.or(moves.first()).map(|(place, _)| *place)).flatten()
    }

    fn faults(&self, graph: &PlainGraph, component: &[usize], order: &[u64], judge: Judge) -> BTreeSet<(usize, usize)> {
        let mut faults = BTreeSet::new();
        for &start in component {
            let mut line: Vec<(usize, usize)> = Vec::new();
            let mut at = start;
            while let Some(place) = self.drawing(graph, at) {
                if let Some(first) = line.iter().position(|(known, _)| *known == at) {
                    let mut cycle = line.split_off(first);
                    let smallest = (0..cycle.len()).min_by_key(|index| order[cycle[*index].0]).unwrap();
                    cycle.rotate_left(smallest);
                    if let Some(offender) = judge(&cycle) {
                        let others = |&&(at, place): &&(usize, usize)| {
                            let moves = graph[at].iter().enumerate().filter(|(other, _)| *other != place);
                            let best = moves.filter_map(|(other, mv)| self.value(at, other, mv)).max();
                            (best, std::cmp::Reverse(order[at]))
                        };
                        faults.insert(*cycle.iter().skip(offender).step_by(2).max_by_key(others).unwrap());
                    }
                    break;
                }
                let mv = &graph[at][place];
                let Some(child) = mv.child.filter(|child| mv.repeats && component.contains(child)) else { break };
                line.push((at, place));
                at = child;
            }
        }
        faults
    }

    fn count_costs(&mut self, graph: &PlainGraph) {
        for _ in 0..1000 {
            for at in 0..graph.len() {
                let costs = graph[at].iter().enumerate().filter_map(|(place, mv)| {
                    let value = self.value(at, place, mv)?;
                    let loss = (self.values[at] - value) as u32;
                    let rest = mv.child.map_or(0, |child| self.costs[child]);
                    let is_open = !self.barred.contains(&(at, place)) && value.abs() < 20_000 && loss <= 60;
                    Some(6 + loss + rest).filter(|cost| is_open && *cost < 4_000)
                });
                self.costs[at] = costs.min().unwrap_or(CLOSED);
            }
        }
    }
}
