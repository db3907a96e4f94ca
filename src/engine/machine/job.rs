//! Jobs for worker threads.

/// Job of a worker.
pub(crate) type Job<T> = Box<dyn FnOnce(&mut T) + Send>;
