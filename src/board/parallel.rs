//! Distribution of a list of jobs among worker threads.

use alloc::{borrow::ToOwned, vec::Vec};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::io;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

/// Runs all jobs: each worker has its own thread with `stack` bytes of stack, and takes the next job as soon
/// as it is free. The results are in the order of the jobs. After a job fails, no further job starts; jobs
/// that did not start have no result.
///
/// # Errors
/// Returns an error if the system cannot create a thread for every worker.
pub fn share_out<W: Send, J: Sync, R: Send, E: Send>(
    name: &str,
    stack: usize,
    workers: impl IntoIterator<Item = W>,
    jobs: &[J],
    work: impl Fn(&mut W, &J) -> Result<R, E> + Sync,
) -> io::Result<Vec<Option<Result<R, E>>>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(jobs.iter().map(|_| None).collect::<Vec<_>>());
    let run = |mut worker: W| {
        while let index = next.fetch_add(1, Relaxed)
            && let Some(job) = jobs.get(index)
        {
            let result = work(&mut worker, job);
            if result.is_err() {
                next.store(jobs.len(), Relaxed);
            }
            results.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(result);
        }
    };
    thread::scope(|scope| {
        for worker in workers {
            let thread = Builder::new().name(name.to_owned()).stack_size(stack);
            if let Err(error) = thread.spawn_scoped(scope, || run(worker)) {
                // The threads that have already started finish after their current jobs.
                next.store(jobs.len(), Relaxed);
                return Err(error);
            }
        }
        Ok(())
    })?;
    Ok(results.into_inner().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STACK: usize = 1 << 16;

    #[test]
    fn results_are_in_the_order_of_the_jobs() {
        let jobs: Vec<u32> = (0..100).collect();
        let doubled = share_out("double", STACK, [2, 2, 2], &jobs, |factor, job| Ok::<_, ()>(*factor * job));
        let expected: Vec<_> = jobs.iter().map(|job| Some(Ok(2 * job))).collect();
        assert_eq!(doubled.expect("3 threads"), expected);
    }

    #[test]
    fn after_a_failure_no_job_begins() {
        let done =
            share_out("count", STACK, [()], &[1, 2, 3, 4], |(), job| if *job < 3 { Ok(*job) } else { Err(*job) });
        assert_eq!(done.expect("a thread"), [Some(Ok(1)), Some(Ok(2)), Some(Err(3)), None]);
    }
}
