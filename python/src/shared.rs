//! Values shared by the threads of one process and used by one thread at a time.

use crate::signals::{Interrupts, PATIENCE};
use pyo3::prelude::*;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::process;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// A value that is used by one thread at a time, in the process that created it.
///
/// A forked process has none of its parent's threads, and locks held by them remain locked. Therefore a child
/// neither uses nor drops its parent's values: every access checks the process first.
pub struct Shared<T> {
    /// `None` only after the drop; a child process leaks the value instead of dropping it.
    value: Option<Mutex<T>>,
    user: Mutex<Option<ThreadId>>,
    free: Condvar,
    process: u32,
    kind: Kind,
}

/// Name of a kind of value in messages, and its exception.
#[derive(Clone, Copy)]
pub struct Kind {
    /// A noun, such as "engine".
    pub noun: &'static str,
    /// Creates the exception.
    pub error: fn(String) -> PyErr,
}

/// A thread's exclusive use of a [`Shared`] value; ends on drop.
pub struct Turn<'a, T> {
    shared: &'a Shared<T>,
    value: MutexGuard<'a, T>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Shared<T> {
    /// Creates a value that belongs to this process.
    pub fn new(value: T, kind: Kind) -> Shared<T> {
        Shared {
            value: Some(Mutex::new(value)),
            user: Mutex::new(None),
            free: Condvar::new(),
            process: process::id(),
            kind,
        }
    }

    fn error(&self, reason: &str) -> PyErr {
        (self.kind.error)(format!("this {} {reason}", self.kind.noun))
    }

    /// Returns `true` in the process that created the value.
    pub fn is_here(&self) -> bool {
        self.process == process::id()
    }

    /// Fails in a forked process.
    pub fn check_process(&self) -> PyResult<()> {
        if self.is_here() { Ok(()) } else { Err(self.inherited()) }
    }

    /// Fails in a forked process. Also fails if the current thread is already using the value, since the
    /// thread would wait for itself.
    pub fn check(&self) -> PyResult<()> {
        self.check_process()?;
        if *lock(&self.user) == Some(thread::current().id()) { Err(self.reentered()) } else { Ok(()) }
    }

    fn inherited(&self) -> PyErr {
        self.error("was made before os.fork(); make one in each process")
    }

    fn reentered(&self) -> PyErr {
        self.error("is in use by the current call; a callback must not use it")
    }

    /// Waits, without holding the GIL, until no other thread uses the value or an interrupt ends the wait.
    pub fn turn(&self, interrupts: &mut Interrupts) -> PyResult<Turn<'_, T>> {
        self.check()?;
        let value = self.value.as_ref().ok_or_else(|| self.inherited())?;
        let mut user = lock(&self.user);
        while user.is_some() {
            user = self.free.wait_timeout(user, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
            if user.is_some() {
                // No lock is held while Python's handlers run.
                drop(user);
                if interrupts.pending() {
                    return Err(interrupts.take_error().unwrap_or_else(|| self.error("was busy until the stop")));
                }
                user = lock(&self.user);
            }
        }
        *user = Some(thread::current().id());
        drop(user);
        Ok(Turn { shared: self, value: lock(value) })
    }

    /// Waits for this thread's turn and runs a job on the value, without holding the GIL.
    pub fn with<R: Send>(&self, py: Python, job: impl FnOnce(&mut T) -> R + Send) -> PyResult<R>
    where
        T: Send,
    {
        py.detach(|| Ok(job(&mut *self.turn(&mut Interrupts::default())?)))
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        if !self.is_here() {
            mem::forget(self.value.take());
        }
    }
}

impl<T> Deref for Turn<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Turn<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        *lock(&self.shared.user) = None;
        self.shared.free.notify_one();
    }
}
