//! Worker threads: each connection has one worker per kind of request, created on first use.

use super::roster::Roster;
use crate::desk::{DeskSettings, Event, Message, Refusal, RequestHandler, Stop};
use chuhe_board::words::Language;
use chuhe_engine::search::STACK;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// Maximum number of waiting requests.
const QUEUE: usize = 64;
/// Idle time after which an engine's memory is freed.
const IDLE: Duration = Duration::from_secs(300);

/// A request in progress.
pub(super) struct PendingRequest {
    pub message: Message,
    /// Handle that stops the request's search.
    pub stop: Stop,
    /// Permit for the bytes of the request, released with the response.
    pub bytes: OwnedSemaphorePermit,
}

/// Resources shared by all connections.
#[derive(Clone)]
pub(super) struct Shared {
    pub settings: DeskSettings,
    /// One permit per engine.
    pub engines: Arc<Semaphore>,
    /// Limits reviews to one at a time, since each one takes a long time.
    pub reviews: Arc<Semaphore>,
    /// External engines.
    pub roster: Arc<Roster>,
    /// One permit per process of an external engine.
    pub processes: Arc<Semaphore>,
}

/// Request handler on a worker's thread.
pub(super) trait Handler {
    /// Handles a request; the last event is never a partial response.
    fn handle(&mut self, message: &Message, stop: &Stop, emit: &mut (dyn FnMut(Event) + Send));
}

impl Handler for RequestHandler {
    fn handle(&mut self, message: &Message, stop: &Stop, emit: &mut (dyn FnMut(Event) + Send)) {
        RequestHandler::handle(self, message, stop, emit);
    }
}

/// Creates a handler on the thread on which it will run.
pub(super) type HandlerFactory = Box<dyn Fn() -> Box<dyn Handler> + Send>;

/// A thread that handles requests sequentially.
pub(super) struct Worker {
    requests: SyncSender<Box<PendingRequest>>,
}

impl Worker {
    /// Starts a worker that sends its responses to `events`. When dropped, it ends after its last request; a
    /// worker with a permit also ends when it has been idle for a while.
    ///
    /// # Errors
    /// Returns an error if the system cannot create a thread.
    pub(super) fn start(
        shared: &Shared,
        events: mpsc::Sender<Event>,
        permit: Option<OwnedSemaphorePermit>,
        make_handler: HandlerFactory,
    ) -> Result<Worker, Refusal> {
        let (requests, receiver) = sync_channel(QUEUE);
        let shared = shared.clone();
        let thread = std::thread::Builder::new().name("desk".into()).stack_size(STACK);
        let thread = thread.spawn(move || {
            work(&shared, &receiver, &events, permit.is_some(), &make_handler);
            drop(permit);
        });
        thread.map_err(|error| Refusal::Failed(error.to_string()))?;
        Ok(Worker { requests })
    }

    /// Queues a request.
    ///
    /// # Errors
    /// Returns an error if too many requests are waiting, or the request itself if the worker has ended.
    pub(super) fn ask(&self, request: Box<PendingRequest>) -> Result<(), NotQueued> {
        self.requests.try_send(request).map_err(|error| match error {
            TrySendError::Full(_) => NotQueued::Full,
            TrySendError::Disconnected(request) => NotQueued::Ended(request),
        })
    }
}

/// A request that was not accepted.
pub(super) enum NotQueued {
    Full,
    Ended(Box<PendingRequest>),
}

fn work(
    shared: &Shared,
    receiver: &Receiver<Box<PendingRequest>>,
    events: &mpsc::Sender<Event>,
    ends_when_idle: bool,
    make_handler: &HandlerFactory,
) {
    let mut handler = make_handler();
    loop {
        let request = match receiver.recv_timeout(IDLE) {
            Ok(request) => request,
            Err(RecvTimeoutError::Timeout) if !ends_when_idle => continue,
            Err(_) => return,
        };
        let PendingRequest { message, stop, bytes } = *request;
        let is_review = message.request.is_long();
        let permit = is_review.then(|| Arc::clone(&shared.reviews).try_acquire_owned());
        if let Some(Err(_)) = permit {
            tell(events, &message, &Refusal::Busy);
            continue;
        }
        // When the connection is closed, the search is stopped.
        let mut emit = |event: Event| {
            if events.blocking_send(event).is_err() {
                stop.ask();
            }
        };
        let answer = AssertUnwindSafe(|| handler.handle(&message, &stop, &mut emit));
        if catch_unwind(answer).is_err() {
            tracing::error!("a request handler has panicked");
            handler = make_handler();
            tell(events, &message, &Refusal::Failed("an error in the program".to_owned()));
        }
        drop((permit, bytes));
    }
}

/// Sends a refusal from a worker's thread.
fn tell(events: &mpsc::Sender<Event>, message: &Message, refusal: &Refusal) {
    let _ = events.blocking_send(refused(Some(message.id), refusal, message.language));
}

/// Creates the event for a refusal.
pub(super) fn refused(id: Option<u64>, refusal: &Refusal, language: Option<Language>) -> Event {
    Event::refused(id, refusal, language.unwrap_or_default())
}
