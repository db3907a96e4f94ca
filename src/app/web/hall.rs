//! Connections that have not yet sent a hello. Their number is limited; if it is reached, an old connection
//! is closed to admit a new one.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::watch;

/// Maximum number of connections before their hello, including those that load files.
const MAX_GUESTS: usize = 128;
/// Maximum number of bytes that a connection may send over a WebSocket before its hello is complete; enough
/// to detect a hello that is too long.
const MAX_BEFORE_HELLO: usize = 8 << 10;

/// All connections that have not sent a hello, oldest first.
#[derive(Clone, Default)]
pub(super) struct Hall(Arc<Mutex<VecDeque<Weak<Guest>>>>);

/// A connection that has not sent a hello. Dropping it removes it from the hall.
#[derive(Default)]
pub(super) struct Guest {
    /// `true` once the connection has requested an existing resource.
    has_asked: AtomicBool,
    /// Remaining number of bytes before the hello; `None` if unlimited.
    allowance: Mutex<Option<usize>>,
    is_sent_away: watch::Sender<bool>,
}

impl Hall {
    fn guests(&self) -> MutexGuard<'_, VecDeque<Weak<Guest>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a connection. If the hall is full, closes the oldest connection that has not requested
    /// anything, or otherwise the oldest connection, so that idle connections cannot block others.
    pub(super) fn admit(&self) -> Arc<Guest> {
        let guest = Arc::new(Guest::default());
        let mut guests = self.guests();
        guests.retain(|other| other.strong_count() > 0);
        if guests.len() >= MAX_GUESTS {
            let is_silent = |other: &Weak<Guest>| other.upgrade().is_none_or(|other| !other.has_asked());
            let place = guests.iter().position(is_silent).unwrap_or(0);
            if let Some(other) = guests.remove(place).and_then(|other| other.upgrade()) {
                other.is_sent_away.send_replace(true);
            }
        }
        guests.push_back(Arc::downgrade(&guest));
        guest
    }

    /// Removes a connection that has sent its hello, and lifts its limits.
    pub(super) fn lead_on(&self, guest: &Arc<Guest>) {
        *guest.allowance() = None;
        self.guests().retain(|other| !std::ptr::eq(other.as_ptr(), Arc::as_ptr(guest)));
    }
}

impl Guest {
    fn has_asked(&self) -> bool {
        self.has_asked.load(Ordering::Relaxed)
    }

    /// Records that the connection has requested an existing resource.
    pub(super) fn asks(&self) {
        self.has_asked.store(true, Ordering::Relaxed);
    }

    fn allowance(&self) -> MutexGuard<'_, Option<usize>> {
        self.allowance.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that the connection has opened a WebSocket and must now send a hello.
    pub(super) fn must_greet(&self) {
        *self.allowance() = Some(MAX_BEFORE_HELLO);
    }

    /// Waits until the hall closes the connection.
    pub(super) async fn sent_away(&self) {
        let _ = self.is_sent_away.subscribe().wait_for(|away| *away).await;
    }
}

/// Stream of a connection; it fails when too many bytes have been received before the hello.
pub(super) struct LimitedStream<S> {
    pub stream: S,
    pub guest: Arc<Guest>,
}

impl<S: AsyncRead + Unpin> AsyncRead for LimitedStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context, buffer: &mut ReadBuf) -> Poll<io::Result<()>> {
        // Data sent together with the hello arrives in the same read, so only the next read is refused.
        if *self.guest.allowance() == Some(0) {
            return Poll::Ready(Err(io::Error::other("too much before the hello")));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if let Some(left) = self.guest.allowance().as_mut() {
            *left = left.saturating_sub(buffer.filled().len() - before);
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for LimitedStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
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
        let others: Vec<_> = (2..MAX_GUESTS).map(|_| hall.admit()).collect();
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
            let guests: Vec<_> = (0..MAX_GUESTS).map(|_| hall.admit()).collect();
            assert!(!is_away(&page) && guests.iter().all(|guest| !is_away(guest)));
        }
    }
}
