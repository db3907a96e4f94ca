//! What the maker knows of a position, in sixteen bits, and the work of all threads on all of them.

use crate::endings::Index;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering::Relaxed};

/// Not decided: below it, how many moves of the position are known to lose.
pub const OPEN: u16 = 0;
/// The side to move wins, in as many plies as are added.
pub const WIN: u16 = 0x4000;
/// The side to move loses, in as many plies as are added.
pub const LOSS: u16 = 0x8000;
/// No game gets there.
pub const ILLEGAL: u16 = 0xC000;
/// The part of a cell that says which of these it is.
const KIND: u16 = 0xC000;
/// The longest distance that a cell can hold; of a win also: not known yet.
pub const FAR: u16 = 0x3FFF;

/// Which of the four a cell is.
pub const fn kind(cell: u16) -> u16 {
    cell & KIND
}

/// The plies of a win or a loss, the losing moves of an open cell.
pub const fn plies(cell: u16) -> u16 {
    cell & FAR
}

/// The moves of a position in one byte: how many quiet ones there are, or that it need not be known, because a capture holds or wins.
pub const SAFE: u8 = 0x7F;
/// Added to the quiet moves: there are captures, and all lose.
pub const LOSING_CAPTURES: u8 = 0x80;

/// Cells of one side to move.
pub fn cells(index: &Index) -> Vec<AtomicU16> {
    (0..index.size()).map(|_| AtomicU16::new(OPEN)).collect()
}

/// About how many numbers a thread takes at once.
const PART: usize = 1 << 14;

/// Works at all numbers of an ending, as many parts at once as there are threads; adds up what the threads found.
pub fn share_out<T: Send + Default>(
    index: &Index,
    threads: usize,
    work: impl Fn(Range<usize>, &mut T) + Sync,
    mut add: impl FnMut(T),
) {
    let part = index.block() * (PART / index.block()).max(1);
    let parts = index.size().div_ceil(part);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = T::default();
        loop {
            let start = next.fetch_add(1, Relaxed) * part;
            if start >= index.size() {
                return found;
            }
            work(start..(start + part).min(index.size()), &mut found);
        }
    };
    std::thread::scope(|scope| {
        // Where no more threads can be had, fewer do the work.
        let spawn = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads.min(parts)).map_while(spawn).collect();
        add(work());
        for other in others {
            add(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
    });
}

/// How many cells have each distance.
#[derive(Clone, Default, Debug)]
pub struct Tally(Vec<u64>);

impl Tally {
    /// One more.
    pub fn count(&mut self, plies: u16) {
        let plies = usize::from(plies);
        if self.0.len() <= plies {
            self.0.resize(plies + 1, 0);
        }
        self.0[plies] += 1;
    }

    /// All of another tally.
    pub fn add(&mut self, other: &Tally) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0.iter_mut().zip(&other.0).for_each(|(mine, more)| *mine += more);
    }

    /// Whether any has this distance.
    pub fn has(&self, plies: u16) -> bool {
        self.0.get(usize::from(plies)).is_some_and(|count| *count > 0)
    }

    /// No distance is as long as this.
    pub fn end(&self) -> u16 {
        self.0.len() as u16
    }
}
