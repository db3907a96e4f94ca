//! Data shared by the threads of one search.

use super::clock::Clock;
use super::control::Control;
use super::settings::Settings;
use super::transposition::TranspositionTable;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

pub(super) struct Shared<'s> {
    pub settings: &'s Settings,
    pub hash_table: &'s TranspositionTable,
    pub control: &'s Control,
    pub clock: Clock,
    /// Maximum number of nodes of all threads.
    pub node_limit: Option<u64>,
    /// Late move reductions by depth and move number, in 1/1024 plies.
    pub reductions: Box<[[i32; 64]; 64]>,
    /// Node counts by thread.
    nodes: Vec<Count>,
}

/// A counter in its own cache line, to avoid false sharing.
#[derive(Default)]
#[repr(align(128))]
struct Count(AtomicU64);

impl<'s> Shared<'s> {
    pub(super) fn new(
        settings: &'s Settings,
        hash_table: &'s TranspositionTable,
        control: &'s Control,
        clock: Clock,
        node_limit: Option<u64>,
        threads: usize,
    ) -> Self {
        let nodes = (0..threads).map(|_| Count::default()).collect();
        Shared { settings, hash_table, control, clock, node_limit, reductions: reductions(settings), nodes }
    }

    pub(super) fn threads(&self) -> usize {
        self.nodes.len()
    }

    /// Publishes the node count of a thread.
    pub(super) fn publish_nodes(&self, id: usize, nodes: u64) {
        self.nodes[id].0.store(nodes, Relaxed);
    }

    /// Returns the published node counts of all other threads.
    pub(super) fn nodes_of_others(&self, id: usize) -> u64 {
        self.nodes.iter().enumerate().filter(|(other, _)| *other != id).map(|(_, nodes)| nodes.0.load(Relaxed)).sum()
    }
}

/// Returns the reductions, which grow with the logarithms of the depth and the move number: later moves are
/// less likely to be best, and at greater depth more can be saved.
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
