//! Worker threads for training. They are created before training starts, so that no step can fail to create a
//! thread.

use rayon_core::{ThreadPool, ThreadPoolBuilder};
use std::io;

/// A pool of worker threads.
pub struct Crew {
    pool: ThreadPool,
}

impl Crew {
    /// Creates `count` threads, at least 1.
    ///
    /// # Errors
    /// Returns an error if the system cannot create the threads.
    pub fn new(count: usize) -> io::Result<Crew> {
        let count = count.max(1);
        let builder =
            ThreadPoolBuilder::new().num_threads(count).thread_name(|index| format!("training {}", index + 1));
        builder
            .build()
            .map(|pool| Crew { pool })
            .map_err(|error| io::Error::other(format!("cannot create {count} threads: {error}")))
    }

    /// Returns the number of threads.
    pub fn count(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Returns the length of each thread's part of a list, at least 1.
    pub fn part(&self, length: usize) -> usize {
        length.div_ceil(self.count()).max(1)
    }

    /// Processes all parts in parallel, and returns the results in the order of the parts. A panic in a
    /// thread is propagated to the caller after all threads have finished.
    pub fn map<P: Send, R: Send>(&self, parts: impl Iterator<Item = P>, work: impl Fn(P) -> R + Sync) -> Vec<R> {
        let mut jobs: Vec<(Option<P>, Option<R>)> = parts.map(|part| (Some(part), None)).collect();
        let work = &work;
        self.pool.in_place_scope(|scope| {
            for (part, result) in &mut jobs {
                scope.spawn(move |_| *result = part.take().map(work));
            }
        });
        jobs.into_iter().filter_map(|(_, result)| result).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn results_stand_in_the_order_of_the_parts() {
        let crew = Crew::new(3).expect("3 threads");
        let doubled = crew.map(0..100, |number| 2 * number);
        assert_eq!(doubled, (0..100).map(|number| 2 * number).collect::<Vec<_>>());
        assert_eq!((crew.count(), crew.part(10), crew.part(0)), (3, 4, 1));
    }

    /// If a thread panics, its missing results must not be silently ignored.
    #[test]
    fn a_panic_of_a_thread_is_the_callers() {
        let crew = Crew::new(2).expect("2 threads");
        let caught = catch_unwind(AssertUnwindSafe(|| crew.map(0..4, |number| assert_ne!(number, 2))));
        assert!(caught.is_err());
    }
}
