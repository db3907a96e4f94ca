//! 16-bit cells, each with the generator's state of a position, and multi-threaded loops over all indices.

use crate::endings::Index;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering::Relaxed};

/// Undecided; the low bits count the moves that are known to lose.
pub(crate) const OPEN: u16 = 0;
/// The side to move wins; the low bits are the number of plies.
pub(crate) const WIN: u16 = 0x4000;
/// The side to move loses; the low bits are the number of plies.
pub(crate) const LOSS: u16 = 0x8000;
/// Illegal position.
pub(crate) const ILLEGAL: u16 = 0xC000;
/// Mask of the state.
const STATE: u16 = 0xC000;
/// Maximum distance of a cell; in a won cell, it also marks an unknown distance.
pub(crate) const FAR: u16 = 0x3FFF;

/// Returns the state of a cell.
pub(crate) const fn state(cell: u16) -> u16 {
    cell & STATE
}

/// Returns the plies of a win or a loss, or the number of losing moves of an open cell.
pub(crate) const fn plies(cell: u16) -> u16 {
    cell & FAR
}

/// Mask of the number of quiet moves, and placeholder where the number is not needed, for example because a
/// capture draws or wins.
pub(crate) const SAFE: u8 = 0x7F;
/// Flag added to the number of quiet moves if there are captures and all of them lose.
pub(crate) const LOSING_CAPTURES: u8 = 0x80;

/// Creates the cells for one side to move.
pub(crate) fn cells(index: &Index) -> Vec<AtomicU16> {
    (0..index.size()).map(|_| AtomicU16::new(OPEN)).collect()
}

/// Approximate number of indices per job.
const PART: usize = 1 << 14;

/// Processes all indices of an ending on several threads, and passes the sum of each thread to `add`.
pub(crate) fn sweep<T: Send + Default>(
    index: &Index,
    threads: usize,
    work: impl Fn(Range<usize>, &mut T) + Sync,
    mut add: impl FnMut(T),
) {
    let part = index.block() * (PART / index.block()).max(1);
    let parts = index.size().div_ceil(part);
    let next = AtomicUsize::new(0);
    let sum_of_parts = || {
        let mut sum = T::default();
        loop {
            let start = next.fetch_add(1, Relaxed) * part;
            if start >= index.size() {
                return sum;
            }
            work(start..(start + part).min(index.size()), &mut sum);
        }
    };
    std::thread::scope(|scope| {
        // Uses fewer threads if the system cannot create more.
        let spawn = |_| std::thread::Builder::new().spawn_scoped(scope, sum_of_parts).ok();
        let others: Vec<_> = (1..threads.min(parts)).map_while(spawn).collect();
        add(sum_of_parts());
        for other in others {
            add(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
    });
}

/// Number of cells by distance.
#[derive(Clone, Default, Debug)]
pub(crate) struct Tally(Vec<u64>);

impl Tally {
    /// Adds one cell with this distance.
    pub(crate) fn count(&mut self, plies: u16) {
        let plies = usize::from(plies);
        if self.0.len() <= plies {
            self.0.resize(plies + 1, 0);
        }
        self.0[plies] += 1;
    }

    /// Adds another tally.
    pub(crate) fn add(&mut self, other: &Tally) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0.iter_mut().zip(&other.0).for_each(|(mine, more)| *mine += more);
    }

    /// Returns `true` if there is a cell with this distance.
    pub(crate) fn has(&self, plies: u16) -> bool {
        self.0.get(usize::from(plies)).is_some_and(|count| *count > 0)
    }

    /// Returns one more than the greatest counted distance.
    pub(crate) fn end(&self) -> u16 {
        self.0.len() as u16
    }
}
