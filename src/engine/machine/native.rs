//! Platform services of an operating system.

use super::job::Job;
use memmap2::{MmapOptions, MmapRaw};
use std::io;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, Builder, JoinHandle};
use std::time::Duration;

pub(crate) use std::time::Instant;

/// Size of a large page in bytes, on x86-64 and on AArch64 with 4 KB pages.
pub(crate) const LARGE_PAGE: usize = 2 << 20;

/// Zeroed memory obtained directly from the operating system. Pages are committed on first use, so even large
/// allocations return at once, and allocation failure is an error instead of a panic.
pub(crate) struct Reserved(MmapRaw);

impl Reserved {
    /// Allocates `bytes` bytes, in large pages if the system supports them.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub(crate) fn new(bytes: usize) -> io::Result<Reserved> {
        let memory = MmapOptions::new().len(bytes).map_anon()?;
        // Large pages reduce TLB misses; systems without them ignore the request.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Reserved(MmapRaw::from(memory)))
    }

    /// Returns the address of the first byte.
    pub(crate) fn first(&self) -> *mut u8 {
        self.0.as_mut_ptr()
    }
}

/// A worker thread that borrows a value and returns it.
pub(crate) struct JobRunner<T> {
    /// `None` only while the worker is being dropped.
    to_work: Option<Sender<(T, Job<T>)>>,
    from_work: Receiver<T>,
    thread: Option<JoinHandle<()>>,
}

impl<T: Send + 'static> JobRunner<T> {
    /// Creates a worker with a stack of `stack` bytes. If a job panics, `mend` repairs the borrowed value.
    ///
    /// # Errors
    /// Returns an error if the system cannot create a thread.
    pub(crate) fn new(name: &str, stack: usize, mend: impl Fn(&mut T) + Send + 'static) -> io::Result<JobRunner<T>> {
        let (to_work, work) = channel::<(T, Job<T>)>();
        let (back, from_work) = channel();
        let thread = Builder::new().name(name.into()).stack_size(stack).spawn(move || {
            for (mut thing, job) in work {
                // A job that panics drops its channels, so its receivers return an error.
                if catch_unwind(AssertUnwindSafe(|| job(&mut thing))).is_err() {
                    mend(&mut thing);
                }
                if back.send(thing).is_err() {
                    return;
                }
            }
        })?;
        Ok(JobRunner { to_work: Some(to_work), from_work, thread: Some(thread) })
    }

    /// Passes a value and a job to the worker.
    pub(crate) fn give(&mut self, thing: T, job: Job<T>) {
        if let Some(to_work) = &self.to_work {
            to_work.send((thing, job)).expect("the thread exists as long as the worker");
        }
    }

    /// Waits for the value.
    pub(crate) fn take(&mut self) -> T {
        self.from_work.recv().expect("the worker thread returns the value, even after a panic")
    }
}

/// Waits for the current job to end.
impl<T> Drop for JobRunner<T> {
    fn drop(&mut self) {
        self.to_work = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Runs a task on a new thread.
///
/// # Errors
/// Returns an error if the system cannot create a thread.
pub(crate) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    Builder::new().name(name.into()).spawn(work).map(|_| ())
}

/// Processes a slice on all cores, in parts of at least `least` elements, and waits for completion. The
/// caller processes the parts for which the system cannot create a thread.
pub(crate) fn on_all_cores<T: Sync>(all: &[T], least: usize, work: impl Fn(&[T]) + Sync) {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let mut parts = all.chunks(all.len().div_ceil(cores).max(least).max(1));
    let own = parts.next().unwrap_or_default();
    thread::scope(|scope| {
        for part in parts {
            if Builder::new().spawn_scoped(scope, || work(part)).is_err() {
                work(part);
            }
        }
        work(own);
    });
}

/// Waits at most `patience` for a message from another thread.
///
/// # Errors
/// Returns an error if no message arrived in time, or none can arrive any more.
pub(crate) fn receive<T>(receiver: &Receiver<T>, patience: Duration) -> Result<T, RecvTimeoutError> {
    receiver.recv_timeout(patience)
}

/// Sleeps.
pub(crate) fn sleep(time: Duration) {
    thread::sleep(time);
}

/// Yields during long work. The operating system schedules threads, so this does nothing.
#[inline(always)]
pub(crate) fn give_way() {}

/// Returns an unpredictable number, derived from the random keys of the standard library's hash maps.
pub(crate) fn random_bits() -> u64 {
    std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0)
}
