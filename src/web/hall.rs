//! Where connections are until they have said hello: there is room for some of them, and newcomers are always let in.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::watch;

/// Connections that have not said hello, those for files counted.
const MOST_GUESTS: usize = 128;

/// All connections that have not said hello, the oldest first.
#[derive(Clone, Default)]
pub(super) struct Hall(Arc<Mutex<VecDeque<Weak<Guest>>>>);

/// One of them. It leaves the hall when it is dropped.
#[derive(Default)]
pub(super) struct Guest {
    /// Whether it has asked for something that there is.
    has_asked: AtomicBool,
    is_sent_away: watch::Sender<bool>,
}

impl Hall {
    fn guests(&self) -> MutexGuard<'_, VecDeque<Weak<Guest>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets somebody in. If the hall is full, the oldest of those who have asked for nothing is sent away, or else the oldest: a crowd that holds
    /// connections and says nothing can't keep others out.
    pub fn admit(&self) -> Arc<Guest> {
        let guest = Arc::new(Guest::default());
        let mut guests = self.guests();
        guests.retain(|other| other.strong_count() > 0);
        if guests.len() >= MOST_GUESTS {
            let is_silent = |other: &Weak<Guest>| other.upgrade().is_none_or(|other| !other.has_asked());
            let place = guests.iter().position(is_silent).unwrap_or(0);
            if let Some(other) = guests.remove(place).and_then(|other| other.upgrade()) {
                other.is_sent_away.send_replace(true);
            }
        }
        guests.push_back(Arc::downgrade(&guest));
        guest
    }

    /// A guest has said hello: nobody takes its place any more.
    pub fn lead_on(&self, guest: &Arc<Guest>) {
        self.guests().retain(|other| !std::ptr::eq(other.as_ptr(), Arc::as_ptr(guest)));
    }
}

impl Guest {
    fn has_asked(&self) -> bool {
        self.has_asked.load(Ordering::Relaxed)
    }

    /// Notes that it has asked for something that there is.
    pub fn asks(&self) {
        self.has_asked.store(true, Ordering::Relaxed);
    }

    /// Returns when it must leave.
    pub async fn sent_away(&self) {
        let _ = self.is_sent_away.subscribe().wait_for(|away| *away).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_away(guest: &Guest) -> bool {
        *guest.is_sent_away.borrow()
    }

    #[test]
    fn newcomers_take_the_places_of_those_who_have_waited_longest_and_said_nothing() {
        let hall = Hall::default();
        let first = hall.admit();
        first.asks();
        let second = hall.admit();
        let others: Vec<_> = (2..MOST_GUESTS).map(|_| hall.admit()).collect();
        assert!(!is_away(&first) && !is_away(&second));
        let newcomer = hall.admit();
        assert!(is_away(&second) && !is_away(&first) && !is_away(&newcomer));
        others.iter().for_each(|other| other.asks());
        newcomer.asks();
        let last = hall.admit();
        assert!(is_away(&first) && !is_away(&last));
    }

    #[test]
    fn those_who_have_left_or_said_hello_take_no_place() {
        let hall = Hall::default();
        let page = hall.admit();
        hall.lead_on(&page);
        for _ in 0..3 {
            let guests: Vec<_> = (0..MOST_GUESTS).map(|_| hall.admit()).collect();
            assert!(!is_away(&page) && guests.iter().all(|guest| !is_away(guest)));
        }
    }
}
