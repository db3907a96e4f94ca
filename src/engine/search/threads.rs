//! The search threads: created before any search, with their stacks and their memory, so that no search fails for lack of them.

use super::history::Histories;
use rayon_core::{ThreadPool, ThreadPoolBuilder};
use std::fmt::Display;
use std::io;

/// The stack that a search needs, in bytes.
pub const STACK: usize = 16 << 20;
/// What a thread needs beside its histories while it searches, in bytes: the lines of each ply and the evaluator.
const WORKING_MEMORY: usize = 2 << 20;

/// What each thread has learned, and the helper threads.
pub struct Threads {
    /// One for each thread, the caller's first.
    pub(super) histories: Vec<Histories>,
    /// None where the caller searches alone.
    helpers: Option<ThreadPool>,
}

impl Threads {
    /// `count` threads, the caller's among them; at least 1.
    ///
    /// # Errors
    /// If the system has no more threads, or not the memory that they need.
    pub fn new(count: usize) -> io::Result<Threads> {
        let count = count.max(1);
        let lacking = |reason: &dyn Display| io::Error::other(format!("{count} threads can't be had: {reason}"));
        can_allocate(count, Histories::BYTES).map_err(|reason| lacking(&reason))?;
        let made = (0..count).map(|_| Histories::new()).collect::<Result<_, _>>();
        let histories = made.map_err(|error| lacking(&error))?;
        let helpers = (count > 1).then(|| {
            let builder = ThreadPoolBuilder::new().num_threads(count - 1).stack_size(STACK);
            builder.thread_name(|index| format!("helper {}", index + 1)).build()
        });
        let helpers = helpers.transpose().map_err(|error| lacking(&error))?;
        can_allocate(count, WORKING_MEMORY).map_err(|reason| lacking(&reason))?;
        Ok(Threads { histories, helpers })
    }

    /// How many there are, the caller's among them.
    pub fn count(&self) -> usize {
        self.histories.len()
    }

    /// Forgets what the threads have learned.
    pub(super) fn forget(&mut self) {
        let Threads { histories, helpers } = self;
        let jobs = histories.iter_mut().map(|histories| || histories.forget());
        share_out(helpers.as_ref(), jobs, || {});
    }

    /// The histories of the caller's thread and of the others, and the way to set those others to work.
    pub(super) fn split(&mut self) -> (&mut Histories, &mut [Histories], Helpers<'_>) {
        let (first, others) = self.histories.split_first_mut().expect("there is at least one thread");
        (first, others, Helpers(self.helpers.as_ref()))
    }
}

/// The threads beside the caller's.
pub(super) struct Helpers<'t>(Option<&'t ThreadPool>);

impl Helpers<'_> {
    /// Does each job on a thread of its own while the caller does `own`, and waits for all. There may be no more jobs than helpers.
    /// A panic in a job becomes the caller's, when all have ended.
    pub fn run_beside<J: FnOnce() + Send>(&self, jobs: impl Iterator<Item = J>, own: impl FnOnce()) {
        share_out(self.0, jobs, own);
    }
}

fn share_out<J: FnOnce() + Send>(helpers: Option<&ThreadPool>, jobs: impl Iterator<Item = J>, own: impl FnOnce()) {
    match helpers {
        None => {
            jobs.for_each(|job| job());
            own();
        }
        Some(pool) => pool.in_place_scope(|scope| {
            jobs.for_each(|job| scope.spawn(move |_| job()));
            own();
        }),
    }
}

/// Whether so much memory can be had: an allocation that fails ends the program, unless it is asked for like this.
///
/// # Errors
/// It can't; the error says how much it is.
pub fn can_allocate(count: usize, each: usize) -> io::Result<()> {
    let bytes = count.saturating_mul(each);
    let mut room = Vec::<u8>::new();
    let had = room.try_reserve_exact(bytes);
    // Without this the compiler may leave out a vector that is never read.
    std::hint::black_box(&room);
    let lacking = || format!("not enough memory: they need {} MB", bytes >> 20);
    had.map_err(|_| io::Error::new(io::ErrorKind::OutOfMemory, lacking()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn helpers_work_at_the_same_time_as_the_caller() {
        let mut threads = Threads::new(4).expect("4 threads can be had");
        let (_, others, helpers) = threads.split();
        // No thread passes before all have arrived.
        let barrier = Barrier::new(4);
        helpers.run_beside(others.iter().map(|_| || _ = barrier.wait()), || _ = barrier.wait());
    }

    #[test]
    fn threads_that_need_too_much_memory_are_a_message() {
        let error = Threads::new(usize::MAX / Histories::BYTES / 2).err().expect("no machine has that many");
        let said = error.to_string();
        assert!(said.contains("threads can't be had") && said.contains("MB"), "{said}");
    }
}
