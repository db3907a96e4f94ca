//! Platform services of WebAssembly in a browser or in Node. There is a single thread, and the host program
//! provides all other services.

use super::job::Job;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;
use std::ops::Sub;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::time::Duration;

/// Services of the host program. Without a host, the clock does not advance, no input arrives during a
/// search, and random seeds are constant.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// Returns the time in milliseconds since an arbitrary moment.
    pub now: fn() -> f64,
    /// Called many times per second during long work, so that the host can deliver input such as `stop`.
    /// Never called recursively.
    pub give_way: fn(),
    /// Waits for at most this number of milliseconds.
    pub sleep: fn(f64),
    /// Returns an unpredictable number.
    pub random_bits: fn() -> u64,
}

static HOST: OnceLock<Host> = OnceLock::new();

/// Sets the host; later calls have no effect.
pub fn set_host(host: Host) {
    let _ = HOST.set(host);
}

/// A point in time on the host's clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Instant(Duration);

impl Instant {
    /// Returns the current time.
    pub(crate) fn now() -> Instant {
        let milliseconds = HOST.get().map_or(0.0, |host| (host.now)());
        Instant(Duration::from_secs_f64(milliseconds.max(0.0) / 1000.0))
    }

    /// Returns the time elapsed since this instant; zero if the clock was set back.
    pub(crate) fn elapsed(&self) -> Duration {
        Instant::now().0.saturating_sub(self.0)
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

/// Alignment of memory, that of the history tables: WebAssembly has no large pages.
pub(crate) const LARGE_PAGE: usize = 128;

/// Zeroed memory. Allocation failure is an error instead of a panic.
pub(crate) struct Reserved {
    first: *mut u8,
    layout: Layout,
}

// SAFETY: this value owns the memory like a `Box`.
unsafe impl Send for Reserved {}
// SAFETY: a shared reference gives access only to the address, not to the contents.
unsafe impl Sync for Reserved {}

impl Reserved {
    /// Allocates `bytes` bytes.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub(crate) fn new(bytes: usize) -> io::Result<Reserved> {
        let layout = Layout::from_size_align(bytes.max(1), LARGE_PAGE).map_err(|_| io::ErrorKind::OutOfMemory)?;
        // SAFETY: the size is at least one byte.
        let first = unsafe { alloc_zeroed(layout) };
        if first.is_null() { Err(io::ErrorKind::OutOfMemory.into()) } else { Ok(Reserved { first, layout }) }
    }

    /// Returns the address of the first byte.
    pub(crate) fn first(&self) -> *mut u8 {
        self.first
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        // SAFETY: the memory was allocated with this layout and is no longer used.
        unsafe { dealloc(self.first, self.layout) };
    }
}

thread_local! {
    /// Queue of started tasks. Tasks run when a result is awaited, or in [`work_off`].
    static BEGUN: RefCell<VecDeque<Box<dyn FnOnce()>>> = const { RefCell::new(VecDeque::new()) };
    /// `true` while the host is running inside `give_way`.
    static GIVING_WAY: Cell<bool> = const { Cell::new(false) };
}

/// Runs the oldest task in the queue; returns `false` if the queue is empty.
pub fn work_off() -> bool {
    let first = BEGUN.with_borrow_mut(VecDeque::pop_front);
    first.map(|work| work()).is_some()
}

/// A worker that borrows a value and returns it. It has no thread; its job runs when the value is awaited, or
/// in [`work_off`].
pub(crate) struct JobRunner<T> {
    back: Sender<T>,
    from_work: Receiver<T>,
}

impl<T: Send + 'static> JobRunner<T> {
    /// Creates a worker. The stack size and the repair function are not used: a panic ends the module.
    ///
    /// # Errors
    /// Never fails on this platform.
    pub(crate) fn new(_: &str, _: usize, _: impl Fn(&mut T) + Send + 'static) -> io::Result<JobRunner<T>> {
        let (back, from_work) = channel();
        Ok(JobRunner { back, from_work })
    }

    /// Passes a value and a job to the worker.
    pub(crate) fn give(&mut self, mut thing: T, job: Job<T>) {
        let back = self.back.clone();
        let work = move || {
            job(&mut thing);
            // Sending fails if the receiver has been dropped.
            let _ = back.send(thing);
        };
        BEGUN.with_borrow_mut(|begun| begun.push_back(Box::new(work)));
    }

    /// Runs the job and returns the value.
    pub(crate) fn take(&mut self) -> T {
        loop {
            if let Ok(thing) = self.from_work.try_recv() {
                return thing;
            }
            assert!(work_off(), "a value was given");
        }
    }
}

/// Queues a task; it runs when a result is awaited, or in [`work_off`].
///
/// # Errors
/// Never fails on this platform.
pub(crate) fn spawn(_: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    BEGUN.with_borrow_mut(|begun| begun.push_back(Box::new(work)));
    Ok(())
}

/// Processes a slice on the current thread.
pub(crate) fn on_all_cores<T: Sync>(all: &[T], _: usize, work: impl Fn(&[T]) + Sync) {
    work(all);
}

/// Receives a message, running queued tasks until one arrives.
///
/// # Errors
/// Returns an error if no message has arrived, or none can arrive any more.
pub(crate) fn receive<T>(receiver: &Receiver<T>, _: Duration) -> Result<T, RecvTimeoutError> {
    loop {
        match receiver.try_recv() {
            Ok(said) => return Ok(said),
            Err(TryRecvError::Disconnected) => return Err(RecvTimeoutError::Disconnected),
            Err(TryRecvError::Empty) if work_off() => {}
            Err(TryRecvError::Empty) => return Err(RecvTimeoutError::Timeout),
        }
    }
}

/// Sleeps after yielding to the host.
pub(crate) fn sleep(time: Duration) {
    give_way();
    if let Some(host) = HOST.get() {
        (host.sleep)(time.as_secs_f64() * 1000.0);
    }
}

/// Yields to the host; long work calls this many times per second.
pub(crate) fn give_way() {
    if let Some(host) = HOST.get()
        && !GIVING_WAY.replace(true)
    {
        (host.give_way)();
        GIVING_WAY.set(false);
    }
}

/// Returns an unpredictable number.
pub(crate) fn random_bits() -> u64 {
    HOST.get().map_or(0, |host| (host.random_bits)())
}
