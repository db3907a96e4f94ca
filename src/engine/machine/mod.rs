//! Platform services: clock, memory, threads, sleep, random numbers. Each platform has its own file with the
//! same interface.
//!
//! A browser provides none of these directly: `Host` in `browser.rs` lists the services of the host program.

#[cfg(target_family = "wasm")]
mod browser;

mod job;
#[cfg(not(target_family = "wasm"))]
mod native;

#[cfg(target_family = "wasm")]
pub use browser::*;
#[cfg(not(target_family = "wasm"))]
pub(crate) use native::*;

use chuhe_board::random::SplitMix64;

/// Returns a generator with a different seed each time, for choices that need not be repeatable.
pub fn unseeded() -> SplitMix64 {
    SplitMix64::new(random_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use std::sync::mpsc::{RecvTimeoutError, channel};
    use std::time::Duration;

    #[test]
    fn a_hand_gives_back_what_it_has_worked_on() {
        let mut hand = JobRunner::new("counter", 1 << 16, |_: &mut u32| {}).expect("a thread");
        for expected in 1..4 {
            hand.give(expected - 1, Box::new(|number| *number += 1));
            assert_eq!(hand.take(), expected);
        }
    }

    #[test]
    fn a_hand_survives_a_panic_and_mends_what_it_has_left() {
        let mut hand = JobRunner::new("counter", 1 << 16, |number: &mut u32| *number = 7).expect("a thread");
        hand.give(1, Box::new(|_| panic!("on purpose")));
        assert_eq!(hand.take(), 7);
    }

    #[test]
    fn unseeded_generators_differ() {
        assert_ne!(unseeded().next(), unseeded().next());
    }

    #[test]
    fn all_cores_work_on_every_element_once() {
        for length in [0, 1, 7, 1000] {
            let counts: Vec<AtomicU32> = (0..length).map(AtomicU32::new).collect();
            on_all_cores(&counts, 3, |part| part.iter().for_each(|count| _ = count.fetch_add(1, Relaxed)));
            assert!(counts.iter().zip(1..).all(|(count, expected)| count.load(Relaxed) == expected));
        }
    }

    #[test]
    fn receiving_has_an_end() {
        let (sender, receiver) = channel();
        assert_eq!(receive(&receiver, Duration::from_millis(1)), Err(RecvTimeoutError::Timeout));
        spawn("teller", move || _ = sender.send(3)).expect("a thread");
        assert_eq!(receive(&receiver, Duration::from_secs(60)), Ok(3));
        assert_eq!(receive(&receiver, Duration::from_secs(60)), Err(RecvTimeoutError::Disconnected));
    }

    #[test]
    fn reserved_memory_is_zero_and_too_much_is_an_error() {
        let memory = Reserved::new(10_000).expect("10 kB");
        // SAFETY: this number of bytes was allocated, and nothing else refers to them.
        let bytes = unsafe { std::slice::from_raw_parts(memory.first(), 10_000) };
        assert!(bytes.iter().all(|byte| *byte == 0));
        assert!(Reserved::new(usize::MAX / 2).is_err());
    }
}
