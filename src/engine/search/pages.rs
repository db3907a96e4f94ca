//! Zeroed memory straight from the system, in large pages where it has them.

use crate::machine::{LARGE_PAGE, Reserved};
use std::io;

/// A piece of memory that begins at a large page.
pub(super) struct Pages {
    memory: Reserved,
    /// Where the first large page begins.
    start: usize,
    bytes: usize,
}

impl Pages {
    pub(super) fn new(bytes: usize) -> io::Result<Pages> {
        let all = bytes.checked_add(LARGE_PAGE).ok_or(io::ErrorKind::OutOfMemory)?;
        let memory = Reserved::new(all)?;
        let start = memory.first().align_offset(LARGE_PAGE).min(LARGE_PAGE);
        Ok(Pages { memory, start, bytes })
    }

    /// The first byte; it lies on a boundary of a large page.
    pub(super) fn first(&self) -> *mut u8 {
        // SAFETY: the memory is one large page longer than what was asked for, so the start lies in it.
        unsafe { self.memory.first().add(self.start) }
    }

    /// Fills the memory with zeros. The system gives it now, not when it is used first.
    pub(super) fn clear(&mut self) {
        // SAFETY: so many bytes were asked for, they are this value's alone, and it is borrowed mutably.
        unsafe { self.first().write_bytes(0, self.bytes) };
    }
}

/// Asks the memory for something that will be wanted soon. A hint that costs next to nothing where it is wrong.
#[inline]
pub(super) fn prefetch<T>(wanted: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching never faults, and SSE is part of every x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(wanted).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = wanted;
}
