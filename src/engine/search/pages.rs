//! Zeroed memory from the operating system, in large pages if available.

use crate::machine::{LARGE_PAGE, Reserved};
use std::io;

/// Memory aligned to a large page.
pub(super) struct Pages {
    memory: Reserved,
    /// Offset of the first large page.
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

    /// Returns the address of the first byte, aligned to a large page.
    pub(super) fn first(&self) -> *mut u8 {
        // SAFETY: the allocation is one large page longer than requested, so the start lies within it.
        unsafe { self.memory.first().add(self.start) }
    }

    /// Fills the memory with zeros, which also commits it.
    pub(super) fn clear(&mut self) {
        // SAFETY: the memory has this length, is owned by this value, and is borrowed mutably.
        unsafe { self.first().write_bytes(0, self.bytes) };
    }
}

/// Prefetches a cache line. An unnecessary prefetch costs almost nothing.
#[inline]
pub(super) fn prefetch<T>(wanted: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching never faults, and SSE is part of every x86-64 processor.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(wanted).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = wanted;
}
