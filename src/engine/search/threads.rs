//! Search threads. They are created with their stacks and memory before any search, so that a search cannot
//! fail for lack of resources.

use super::history::Histories;
use rayon_core::{ThreadPool, ThreadPoolBuilder};
use std::fmt::Display;
use std::io;

/// Stack size of a search in bytes.
pub const STACK: usize = 16 << 20;
/// Additional memory per thread during a search, in bytes: the lines of each ply and the evaluator.
const WORKING_MEMORY: usize = 2 << 20;

/// Histories of all threads, and the helper threads.
pub struct Threads {
    /// Histories by thread, the caller's first.
    pub(super) histories: Vec<Histories>,
    /// `None` if the caller searches alone.
    helpers: Option<ThreadPool>,
}

impl Threads {
    /// Creates `count` threads including the caller's; at least 1.
    ///
    /// # Errors
    /// Returns an error if the system does not have enough threads or memory.
    pub fn new(count: usize) -> io::Result<Threads> {
        let count = count.max(1);
        let lacking = |reason: &dyn Display| io::Error::other(format!("cannot create {count} threads: {reason}"));
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

    /// Returns the number of threads, including the caller's.
    pub fn count(&self) -> usize {
        self.histories.len()
    }

    /// Clears the histories of all threads.
    pub(super) fn forget(&mut self) {
        let Threads { histories, helpers } = self;
        let jobs = histories.iter_mut().map(|histories| || histories.forget());
        Helpers(helpers.as_ref()).run_beside(jobs, || {});
    }

    /// Returns the histories of the caller's thread, the histories of the others, and the helper threads.
    pub(super) fn split(&mut self) -> (&mut Histories, &mut [Histories], Helpers<'_>) {
        let (first, others) = self.histories.split_first_mut().expect("there is at least one thread");
        (first, others, Helpers(self.helpers.as_ref()))
    }
}

/// The threads other than the caller's thread.
pub(super) struct Helpers<'t>(Option<&'t ThreadPool>);

impl Helpers<'_> {
    /// Runs the jobs on the helper threads while the caller runs `own`, and waits for all. If there are more
    /// jobs than helpers, the last jobs begin only when others have ended, so each search job needs its own
    /// helper. A panic in a job is propagated to the caller after all jobs have ended.
    pub(super) fn run_beside<J: FnOnce() + Send>(&self, jobs: impl Iterator<Item = J>, own: impl FnOnce()) {
        match self.0 {
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
}

/// Checks that memory is available, because a failing allocation later would abort the program.
///
/// # Errors
/// Returns an error that contains the required amount.
pub fn can_allocate(count: usize, each: usize) -> io::Result<()> {
    let bytes = count.saturating_mul(each);
    let mut room = Vec::<u8>::new();
    let had = room.try_reserve_exact(bytes);
    // Keeps the compiler from removing a vector that is never read.
    std::hint::black_box(&room);
    let lacking = || format!("not enough memory: {} MB needed", bytes >> 20);
    had.map_err(|_| io::Error::new(io::ErrorKind::OutOfMemory, lacking()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn helpers_work_at_the_same_time_as_the_caller() {
        let mut threads = Threads::new(4).expect("4 threads can be created");
        let (_, others, helpers) = threads.split();
        // The barrier opens only if all jobs run at the same time.
        let barrier = Barrier::new(4);
        helpers.run_beside(others.iter().map(|_| || _ = barrier.wait()), || _ = barrier.wait());
    }

    #[test]
    fn threads_that_need_too_much_memory_are_a_message() {
        let error = Threads::new(usize::MAX / Histories::BYTES / 2).err().expect("no machine has that many");
        let said = error.to_string();
        assert!(said.contains("cannot create") && said.contains("MB"), "{said}");
    }
}
