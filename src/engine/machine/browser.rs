//! WebAssembly in a browser or in Node: one thread, and nothing but what the program around the module provides.

use super::Job;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;
use std::ops::Sub;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::time::Duration;

/// What the program around the module provides. Without it the clock stands still, nothing is heard during a search, and chance always says the
/// same.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// Milliseconds since some moment.
    pub now: fn() -> f64,
    /// Called many times in a second while something lasts: here a `stop` can be heard. Not called again before it has returned.
    pub give_way: fn(),
    /// Waits so many milliseconds, or less.
    pub rest: fn(f64),
    /// An unpredictable number.
    pub chance: fn() -> u64,
}

static HOST: OnceLock<Host> = OnceLock::new();

/// Names the host; the first one stays.
pub fn set_host(host: Host) {
    let _ = HOST.set(host);
}

/// A moment on the host's clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instant(Duration);

impl Instant {
    /// This moment.
    pub fn now() -> Instant {
        let milliseconds = HOST.get().map_or(0.0, |host| (host.now)());
        Instant(Duration::from_secs_f64(milliseconds.max(0.0) / 1000.0))
    }

    /// How long ago it was; nothing if the clock was set back.
    pub fn elapsed(&self) -> Duration {
        Instant::now().0.saturating_sub(self.0)
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

/// There are no large pages; a line of cache serves as one.
pub const LARGE_PAGE: usize = 64;

/// Zeroed memory. A size that can't be had is an error, not the end of the program.
pub struct Reserved {
    first: *mut u8,
    layout: Layout,
}

// SAFETY: the memory belongs to this value alone, like that of a box.
unsafe impl Send for Reserved {}
// SAFETY: it gives out its address, and nothing of what stands there.
unsafe impl Sync for Reserved {}

impl Reserved {
    /// So many bytes.
    ///
    /// # Errors
    /// If there is not that much.
    pub fn new(bytes: usize) -> io::Result<Reserved> {
        let layout = Layout::from_size_align(bytes.max(1), LARGE_PAGE).map_err(|_| io::ErrorKind::OutOfMemory)?;
        // SAFETY: it is at least one byte.
        let first = unsafe { alloc_zeroed(layout) };
        if first.is_null() { Err(io::ErrorKind::OutOfMemory.into()) } else { Ok(Reserved { first, layout }) }
    }

    /// The first byte.
    pub fn first(&self) -> *mut u8 {
        self.first
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        // SAFETY: it was allocated so, and is no longer used.
        unsafe { dealloc(self.first, self.layout) };
    }
}

thread_local! {
    /// Work that was begun, in its order. It is done when its result is awaited, or by [`work_off`].
    static BEGUN: RefCell<VecDeque<Box<dyn FnOnce()>>> = const { RefCell::new(VecDeque::new()) };
    /// The host has been given way, and has not returned yet.
    static GIVING_WAY: Cell<bool> = const { Cell::new(false) };
}

/// Does the work that was begun first; false if there is none.
pub fn work_off() -> bool {
    let first = BEGUN.with_borrow_mut(VecDeque::pop_front);
    first.map(|work| work()).is_some()
}

/// A worker that takes a value and hands it back. There is no thread to do it: it is done when it is waited for, or by
/// [`work_off`].
pub struct Hand<T> {
    back: Sender<T>,
    from_work: Receiver<T>,
}

impl<T: Send + 'static> Hand<T> {
    /// A hand. Neither a stack nor a way to mend things is needed: a panic ends the module.
    ///
    /// # Errors
    /// None here.
    pub fn new(_: &str, _: usize, _: impl Fn(&mut T) + Send + 'static) -> io::Result<Hand<T>> {
        let (back, from_work) = channel();
        Ok(Hand { back, from_work })
    }

    /// Lends it something to work on.
    pub fn give(&mut self, mut thing: T, job: Job<T>) {
        let back = self.back.clone();
        let work = move || {
            job(&mut thing);
            // The hand may be gone.
            let _ = back.send(thing);
        };
        BEGUN.with_borrow_mut(|begun| begun.push_back(Box::new(work)));
    }

    /// Does the work and hands the value back.
    pub fn take(&mut self) -> T {
        loop {
            if let Ok(thing) = self.from_work.try_recv() {
                return thing;
            }
            assert!(work_off(), "a value was given");
        }
    }
}

/// Begins some work; it is done when someone waits, or by [`work_off`].
///
/// # Errors
/// None here.
pub fn spawn(_: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    BEGUN.with_borrow_mut(|begun| begun.push_back(Box::new(work)));
    Ok(())
}

/// Does work on a slice.
pub fn on_all_cores<T: Sync>(all: &[T], _: usize, work: impl Fn(&[T]) + Sync) {
    work(all);
}

/// Receives what was said, doing the work that was begun until something is.
///
/// # Errors
/// If nothing came, or nothing can come any more.
pub fn receive<T>(receiver: &Receiver<T>, _: Duration) -> Result<T, RecvTimeoutError> {
    loop {
        match receiver.try_recv() {
            Ok(said) => return Ok(said),
            Err(TryRecvError::Disconnected) => return Err(RecvTimeoutError::Disconnected),
            Err(TryRecvError::Empty) if work_off() => {}
            Err(TryRecvError::Empty) => return Err(RecvTimeoutError::Timeout),
        }
    }
}

/// Does nothing for so long, but gives way to the host first.
pub fn rest(time: Duration) {
    give_way();
    if let Some(host) = HOST.get() {
        (host.rest)(time.as_secs_f64() * 1000.0);
    }
}

/// Long work calls this many times in a second, so that the host gets its turn.
pub fn give_way() {
    if let Some(host) = HOST.get()
        && !GIVING_WAY.replace(true)
    {
        (host.give_way)();
        GIVING_WAY.set(false);
    }
}

/// An unpredictable number.
pub fn chance() -> u64 {
    HOST.get().map_or(0, |host| (host.chance)())
}
