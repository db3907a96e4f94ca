//! What the threads of one search share.

use super::clock::Clock;
use super::control::Control;
use super::settings::Settings;
use super::transposition::TranspositionTable;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

pub(super) struct Shared<'s> {
    pub settings: &'s Settings,
    pub table: &'s TranspositionTable,
    pub control: &'s Control,
    pub clock: Clock,
    /// Nodes of all threads together.
    pub node_limit: Option<u64>,
    /// Late-move reductions by depth and number of the move, in 1/1024 plies.
    pub reductions: Box<[[i32; 64]; 64]>,
    /// By thread.
    nodes: Vec<Count>,
}

/// A number in a cache line of its own, so that threads do not wait for each other's counts.
#[derive(Default)]
#[repr(align(128))]
struct Count(AtomicU64);

impl<'s> Shared<'s> {
    pub(super) fn new(
        settings: &'s Settings,
        table: &'s TranspositionTable,
        control: &'s Control,
        clock: Clock,
        node_limit: Option<u64>,
        threads: usize,
    ) -> Self {
        let nodes = (0..threads).map(|_| Count::default()).collect();
        Shared { settings, table, control, clock, node_limit, reductions: reductions(settings), nodes }
    }

    pub(super) fn threads(&self) -> usize {
        self.nodes.len()
    }

    /// Tells the other threads how many nodes one has searched.
    pub(super) fn publish_nodes(&self, id: usize, nodes: u64) {
        self.nodes[id].0.store(nodes, Relaxed);
    }

    /// The nodes of all threads but one, as they were last published.
    pub(super) fn nodes_of_others(&self, id: usize) -> u64 {
        self.nodes.iter().enumerate().filter(|(other, _)| *other != id).map(|(_, nodes)| nodes.0.load(Relaxed)).sum()
    }
}

/// The reduction grows with the logarithms of the depth and of the move's number: the later a move and the more depth there is to save,
/// the less likely it is to be best.
fn reductions(settings: &Settings) -> Box<[[i32; 64]; 64]> {
    let numbers = &settings.params.numbers;
    let (base, divisor) = (f64::from(numbers.reduction_base) / 100.0, f64::from(numbers.reduction_divisor));
    let mut reductions = Box::new([[0; 64]; 64]);
    let logarithms: [f64; 64] = std::array::from_fn(|number| (number as f64).ln());
    for (depth, row) in reductions.iter_mut().enumerate().skip(1) {
        for (number, reduction) in row.iter_mut().enumerate().skip(1) {
            let plies = base + logarithms[depth] * logarithms[number] * 100.0 / divisor;
            *reduction = (plies * 1024.0) as i32;
        }
    }
    reductions
}
