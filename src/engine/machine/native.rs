//! A machine with an operating system: everything is there.

use super::Job;
use memmap2::{MmapOptions, MmapRaw};
use std::io;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, Builder, JoinHandle};
use std::time::Duration;

pub use std::time::Instant;

/// A large page of x86-64 and of AArch64 with small pages of 4 KB, in bytes.
pub const LARGE_PAGE: usize = 2 << 20;

/// Zeroed memory straight from the system. It is untouched until it is used, so that even a huge piece is there at once, and a size that
/// can't be had is an error, not the end of the program.
pub struct Reserved(MmapRaw);

impl Reserved {
    /// So many bytes, in large pages where the system has them.
    ///
    /// # Errors
    /// If the system has not that much.
    pub fn new(bytes: usize) -> io::Result<Reserved> {
        let memory = MmapOptions::new().len(bytes).map_anon()?;
        // Fewer, larger pages are found sooner by the processor; a system that has none goes on without.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Reserved(MmapRaw::from(memory)))
    }

    /// The first byte.
    pub fn first(&self) -> *mut u8 {
        self.0.as_mut_ptr()
    }
}

/// A worker thread that takes a value and hands it back.
pub struct Hand<T> {
    /// None only while the hand is being dropped.
    to_work: Option<Sender<(T, Job<T>)>>,
    from_work: Receiver<T>,
    thread: Option<JoinHandle<()>>,
}

impl<T: Send + 'static> Hand<T> {
    /// A hand with a stack of so many bytes. `mend` is called for what was worked on when a job panics.
    ///
    /// # Errors
    /// If the system has no thread.
    pub fn new(name: &str, stack: usize, mend: impl Fn(&mut T) + Send + 'static) -> io::Result<Hand<T>> {
        let (to_work, work) = channel::<(T, Job<T>)>();
        let (back, from_work) = channel();
        let thread = Builder::new().name(name.into()).stack_size(stack).spawn(move || {
            for (mut thing, job) in work {
                // A job that panics drops what it tells others by, so that they know.
                if catch_unwind(AssertUnwindSafe(|| job(&mut thing))).is_err() {
                    mend(&mut thing);
                }
                if back.send(thing).is_err() {
                    return;
                }
            }
        })?;
        Ok(Hand { to_work: Some(to_work), from_work, thread: Some(thread) })
    }

    /// Lends it something to work on.
    pub fn give(&mut self, thing: T, job: Job<T>) {
        if let Some(to_work) = &self.to_work {
            to_work.send((thing, job)).expect("the thread lives as long as its hand");
        }
    }

    /// Waits for the value.
    pub fn take(&mut self) -> T {
        self.from_work.recv().expect("the worker thread hands the value back, even after a panic")
    }
}

/// Ends with the work that is being done.
impl<T> Drop for Hand<T> {
    fn drop(&mut self) {
        self.to_work = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Does some work beside the caller's.
///
/// # Errors
/// If the system has no thread.
pub fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    Builder::new().name(name.into()).spawn(work).map(|_| ())
}

/// Does work on a slice with all cores, a part of at least `least` elements on each, and waits until all is done. Parts for which the system
/// has no thread are done by the caller.
pub fn on_all_cores<T: Sync>(all: &[T], least: usize, work: impl Fn(&[T]) + Sync) {
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

/// Waits so long for something to be said by work beside the caller's.
///
/// # Errors
/// If nothing came, or nothing can come any more.
pub fn receive<T>(receiver: &Receiver<T>, patience: Duration) -> Result<T, RecvTimeoutError> {
    receiver.recv_timeout(patience)
}

/// Does nothing for so long.
pub fn rest(time: Duration) {
    thread::sleep(time);
}

/// Long work calls this many times in a second, so that something else gets its turn. Here the system sees to that.
#[inline(always)]
pub fn give_way() {}

/// An unpredictable number, from the keys that the standard library draws for its hash maps.
pub fn chance() -> u64 {
    std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0)
}
