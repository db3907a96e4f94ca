//! Connections that have not yet sent a hello. Their number is limited; when the limit is reached, an old
//! connection is closed to admit a new one.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::watch;

/// Maximum number of connections before their hello, including connections that load files.
const MAX_WAITING: usize = 128;
/// Maximum number of bytes that a connection may send over a WebSocket before its hello is complete; enough
/// to detect a hello that is too long.
const MAX_BEFORE_HELLO: usize = 8 << 10;

/// All connections that have not sent a hello, oldest first.
#[derive(Clone, Default)]
pub(super) struct WaitingConnections(Arc<Mutex<VecDeque<Weak<UnauthenticatedConnection>>>>);

/// A connection that has not sent a hello. Dropping it removes it from the waiting connections.
#[derive(Default)]
pub(super) struct UnauthenticatedConnection {
    /// `true` once the connection has requested an existing resource.
    has_requested: AtomicBool,
    /// Remaining number of bytes before the hello; `None` if unlimited.
    allowance: Mutex<Option<usize>>,
    is_closed: watch::Sender<bool>,
}

impl WaitingConnections {
    fn connections(&self) -> MutexGuard<'_, VecDeque<Weak<UnauthenticatedConnection>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection. If there are too many, closes the oldest connection that has not requested
    /// anything, or otherwise the oldest connection, so that idle connections cannot block others.
    pub(super) fn add(&self) -> Arc<UnauthenticatedConnection> {
        let connection = Arc::new(UnauthenticatedConnection::default());
        let mut connections = self.connections();
        connections.retain(|other| other.strong_count() > 0);
        if connections.len() >= MAX_WAITING {
            let is_silent =
                |other: &Weak<UnauthenticatedConnection>| other.upgrade().is_none_or(|other| !other.has_requested());
            let place = connections.iter().position(is_silent).unwrap_or(0);
            if let Some(other) = connections.remove(place).and_then(|other| other.upgrade()) {
                other.is_closed.send_replace(true);
            }
        }
        connections.push_back(Arc::downgrade(&connection));
        connection
    }

    /// Removes a connection that has sent its hello, and its limits.
    pub(super) fn remove_authenticated(&self, connection: &Arc<UnauthenticatedConnection>) {
        *connection.allowance() = None;
        self.connections().retain(|other| !std::ptr::eq(other.as_ptr(), Arc::as_ptr(connection)));
    }
}

impl UnauthenticatedConnection {
    fn has_requested(&self) -> bool {
        self.has_requested.load(Ordering::Relaxed)
    }

    /// Records that the connection has requested an existing resource.
    pub(super) fn note_request(&self) {
        self.has_requested.store(true, Ordering::Relaxed);
    }

    fn allowance(&self) -> MutexGuard<'_, Option<usize>> {
        self.allowance.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that the connection has opened a WebSocket and must now send a hello.
    pub(super) fn require_hello(&self) {
        *self.allowance() = Some(MAX_BEFORE_HELLO);
    }

    /// Waits until the connection is closed to admit another one.
    pub(super) async fn closed(&self) {
        let _ = self.is_closed.subscribe().wait_for(|away| *away).await;
    }
}

/// Stream of a connection; fails when too many bytes have been received before the hello.
pub(super) struct LimitedStream<S> {
    pub stream: S,
    pub connection: Arc<UnauthenticatedConnection>,
}

impl<S: AsyncRead + Unpin> AsyncRead for LimitedStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context, buffer: &mut ReadBuf) -> Poll<io::Result<()>> {
        // Data sent together with the hello arrives in the same read, so only the next read is refused.
        if *self.connection.allowance() == Some(0) {
            return Poll::Ready(Err(io::Error::other("too much before the hello")));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if let Some(left) = self.connection.allowance().as_mut() {
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

    fn is_closed(connection: &UnauthenticatedConnection) -> bool {
        *connection.is_closed.borrow()
    }

    #[test]
    fn a_new_connection_replaces_the_oldest_one_without_a_request() {
        let waiting = WaitingConnections::default();
        let first = waiting.add();
        first.note_request();
        let second = waiting.add();
        let others: Vec<_> = (2..MAX_WAITING).map(|_| waiting.add()).collect();
        assert!(!is_closed(&first) && !is_closed(&second));
        let latest = waiting.add();
        assert!(is_closed(&second) && !is_closed(&first) && !is_closed(&latest));
        others.iter().for_each(|other| other.note_request());
        latest.note_request();
        let last = waiting.add();
        assert!(is_closed(&first) && !is_closed(&last));
    }

    #[test]
    fn closed_and_authenticated_connections_do_not_count() {
        let waiting = WaitingConnections::default();
        let page = waiting.add();
        waiting.remove_authenticated(&page);
        for _ in 0..3 {
            let connections: Vec<_> = (0..MAX_WAITING).map(|_| waiting.add()).collect();
            assert!(!is_closed(&page) && connections.iter().all(|connection| !is_closed(connection)));
        }
    }
}
