//! The connection of one page: authenticates the page by its token, forwards requests to workers, and sends
//! their responses. Closing the connection stops its searches.

use super::engine::ExternalEngine;
use super::engine_list_handler::EngineListHandler;
use super::guard::Token;
use super::lines::Lines;
use super::waiting::{UnauthenticatedConnection, WaitingConnections};
use super::worker::{Handler, HandlerFactory, NotQueued, PendingRequest, Shared, Worker, refused};
use crate::desk::{
    DeskSettings, EngineListRequest, Event, Message, Refusal, Request, RequestHandler, RequestKind, Response, Stop,
};
use axum::extract::ws::{CloseFrame, Message as Frame, Utf8Bytes, WebSocket, close_code};
use chuhe_board::words::Language;
use chuhe_lab::arena::transcript::Transcript;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::time::{sleep_until, timeout, timeout_at};

/// Time from the connection to the hello.
const HELLO_TIME: Duration = Duration::from_secs(10);
/// Time to send a frame, after which a client that does not read is disconnected.
const SEND_TIME: Duration = Duration::from_secs(10);
/// Maximum length of the hello in bytes; a longer first message is not parsed.
const MAX_HELLO: usize = 4096;
/// Maximum number of responses waiting for a slow page.
const WAITING: usize = 32;
/// Maximum number of bytes in unanswered requests: enough for two requests of maximum length, so that the
/// second can stop the first, and for many short ones.
const MAX_ASKED: usize = 65 << 20;
/// Maximum number of pings between two messages. Some clients ping occasionally, browsers never do; each ping
/// requires a response.
const MAX_PINGS: u32 = 1000;

/// Maximum number of lines of an engine's transcript.
const TALK: usize = 500;

/// Access control.
pub(super) struct Access {
    pub token: Token,
    /// One permit per page.
    pub pages: Arc<Semaphore>,
    pub waiting: WaitingConnections,
    pub connection: Arc<UnauthenticatedConnection>,
}

impl Access {
    /// Admits a connection as a page; it counts as open as long as the returned permit is held.
    ///
    /// # Errors
    /// Returns an error if the request is not a hello with the token, or if there are too many pages.
    fn open(&self, request: &Request) -> Result<OwnedSemaphorePermit, Refusal> {
        match request {
            Request::Hello { token } if self.token.is(token) => {}
            _ => return Err(Refusal::Token),
        }
        let permit = Arc::clone(&self.pages).try_acquire_owned().map_err(|_| Refusal::Busy)?;
        self.waiting.remove_authenticated(&self.connection);
        Ok(permit)
    }
}

/// Serves a page until it disconnects or the server shuts down.
pub(super) async fn serve_page(socket: WebSocket, access: Access, shared: Shared, ended: watch::Receiver<bool>) {
    let (sink, stream) = socket.split();
    let (events, answers) = mpsc::channel(WAITING);
    let budget = Arc::new(Semaphore::new(MAX_ASKED));
    let mut dispatcher = Dispatcher { shared, events, budget, language: None, slots: Default::default() };
    let reading = read(stream, &access, &mut dispatcher);
    let writing = write(sink, answers, ended);
    tokio::select! {
        () = reading => {}
        () = writing => {}
        () = access.connection.closed() => {}
    }
    // The client has disconnected, so its searches are stopped.
    dispatcher.slots.values_mut().for_each(Slot::stop_all);
}

/// Worker for one kind of request.
#[derive(Default)]
struct Slot {
    worker: Option<Worker>,
    /// Stop handles of requests that may still be running.
    stops: Vec<Stop>,
    /// Stop handles of requests that only the end of the connection cancels.
    lasting: Vec<Stop>,
    /// Transcript of the communication with an external engine.
    log: Transcript,
}

impl Slot {
    fn stop(&mut self) {
        self.stops.drain(..).for_each(|stop| stop.ask());
    }

    fn stop_all(&mut self) {
        self.stop();
        self.lasting.drain(..).for_each(|stop| stop.ask());
    }
}

/// Addressee of a request; each has its own worker.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Addressee {
    /// Requests to the desk.
    Own(RequestKind),
    /// Requests to an external engine; each engine has its own worker.
    Engine(String),
}

impl Addressee {
    fn of(request: &Request) -> Addressee {
        match request.engine() {
            Some(name) => Addressee::Engine(name.to_owned()),
            None => Addressee::Own(request.kind()),
        }
    }

    /// Returns `true` if a new request of this kind stops the previous one.
    fn is_alone(&self) -> bool {
        matches!(self, Addressee::Own(RequestKind::File | RequestKind::Search) | Addressee::Engine(_))
    }
}

/// Dispatches a page's requests to its workers.
struct Dispatcher {
    shared: Shared,
    events: mpsc::Sender<Event>,
    /// One permit per byte of unanswered requests.
    budget: Arc<Semaphore>,
    /// Language given in the hello.
    language: Option<Language>,
    /// Workers by kind of request.
    slots: HashMap<Addressee, Slot>,
}

/// Reads the page's frames, starting with the hello.
async fn read(mut stream: SplitStream<WebSocket>, access: &Access, dispatcher: &mut Dispatcher) {
    let (mut permit, mut pings) = (None, 0);
    // A ping does not extend the deadline for the hello.
    let deadline = Instant::now() + HELLO_TIME;
    loop {
        let next = stream.next();
        let frame = if permit.is_some() {
            next.await
        } else {
            match timeout_at(deadline.into(), next).await {
                Ok(frame) => frame,
                Err(_) => return,
            }
        };
        let text = match frame {
            Some(Ok(Frame::Text(text))) => text,
            Some(Ok(Frame::Ping(_) | Frame::Pong(_))) if permit.is_some() && pings < MAX_PINGS => {
                pings += 1;
                continue;
            }
            Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => return,
            // The page never sends frames that are too long or not text.
            Some(Ok(Frame::Binary(_) | Frame::Close(_)) | Err(_)) | None => return,
        };
        pings = 0;
        if permit.is_none() && text.len() > MAX_HELLO {
            return dispatcher.reject(None, &Refusal::Token).await;
        }
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let Ok(bytes) = Arc::clone(&dispatcher.budget).acquire_many_owned(length).await else { return };
        let message = match Message::read(&text) {
            Ok(message) => message,
            Err((id, refusal)) if permit.is_some() => {
                if dispatcher.refuse(id, &refusal).await.is_err() {
                    return;
                }
                continue;
            }
            Err(_) => return dispatcher.reject(None, &Refusal::Token).await,
        };
        if permit.is_none() {
            permit = match access.open(&message.request) {
                Ok(permit) => Some(permit),
                Err(refusal) => return dispatcher.reject(Some(message.id), &refusal).await,
            };
        }
        if dispatcher.ask(message, bytes).await.is_err() {
            return;
        }
    }
}

/// Error: the page has disconnected.
struct Disconnected;

impl Dispatcher {
    async fn refuse(&self, id: Option<u64>, refusal: &Refusal) -> Result<(), Disconnected> {
        self.send(refused(id, refusal, self.language)).await
    }

    async fn send(&self, event: Event) -> Result<(), Disconnected> {
        self.events.send(event).await.map_err(|_| Disconnected)
    }

    /// Sends a refusal and waits until it has been sent.
    async fn reject(&mut self, id: Option<u64>, refusal: &Refusal) {
        let _ = self.refuse(id, refusal).await;
        // The writer closes the connection once all senders are dropped.
        self.events = mpsc::channel(1).0;
        std::future::pending().await
    }

    /// Dispatches a request to the worker for its kind. `bytes` is its share of the budget.
    async fn ask(&mut self, mut message: Message, bytes: OwnedSemaphorePermit) -> Result<(), Disconnected> {
        if matches!(message.request, Request::Hello { .. }) {
            self.language = message.language.or(self.language);
        }
        message.language = message.language.or(self.language);
        let (id, stop) = (Some(message.id), Stop::default());
        let kind = Addressee::of(&message.request);
        // Unknown engine names must not create workers.
        if let Addressee::Engine(name) = &kind
            && self.shared.roster.find(name).is_none()
        {
            return self.refuse(id, &Refusal::NoEngine(name.clone())).await;
        }
        // Another engine may later receive the name of a removed one.
        if let Request::EngineList(EngineListRequest::RemoveEngine { name }) = &message.request
            && let Some(mut slot) = self.slots.remove(&Addressee::Engine(name.clone()))
        {
            slot.stop_all();
        }
        if let Request::Talk { .. } = message.request {
            let text = self.slots.get(&kind).map_or_else(String::new, |slot| slot.log.last(TALK));
            return self.send(Event { id, response: Response::Talk { text } }).await;
        }
        self.cancel_or_register(&kind, &message.request, &stop);
        let mut pending = Box::new(PendingRequest { message, stop, bytes });
        // A worker that has ended while idle is replaced on the second attempt.
        for _ in 0..2 {
            let worker = match self.worker(&kind) {
                Ok(worker) => worker,
                Err(refusal) => return self.refuse(id, &refusal).await,
            };
            match worker.ask(pending) {
                Ok(()) => return Ok(()),
                Err(NotQueued::Full) => return self.refuse(id, &Refusal::Busy).await,
                Err(NotQueued::Ended(again)) => pending = again,
            }
            self.slots.entry(kind.clone()).or_default().worker = None;
        }
        self.refuse(id, &Refusal::Busy).await
    }

    /// Stops the requests that a new request supersedes, and registers the new stop handle.
    fn cancel_or_register(&mut self, kind: &Addressee, request: &Request, stop: &Stop) {
        if let Request::Stop {} = request {
            return self.slots.values_mut().for_each(Slot::stop);
        }
        let slot = self.slots.entry(kind.clone()).or_default();
        if kind.is_alone() {
            slot.stop();
            slot.stops.push(stop.clone());
        } else {
            slot.lasting.retain(Stop::is_shared);
            slot.lasting.push(stop.clone());
        }
    }

    fn worker(&mut self, kind: &Addressee) -> Result<&Worker, Refusal> {
        let slot = self.slots.entry(kind.clone()).or_default();
        let worker = match slot.worker.take() {
            Some(worker) => worker,
            None => {
                let permit = |of: &Arc<Semaphore>| Arc::clone(of).try_acquire_owned().map_err(|_| Refusal::Busy);
                let roster = Arc::clone(&self.shared.roster);
                let settings = DeskSettings { engines: roster.names(), ..self.shared.settings.clone() };
                let (permit, make_handler): (_, HandlerFactory) = match kind {
                    Addressee::Engine(name) => {
                        let player = roster.find(name).ok_or_else(|| Refusal::NoEngine(name.clone()))?;
                        let log = slot.log.clone();
                        let make_handler = move || -> Box<dyn Handler> {
                            Box::new(ExternalEngine::new(player.clone(), settings.clone(), log.clone()))
                        };
                        (Some(permit(&self.shared.processes)?), Box::new(make_handler))
                    }
                    Addressee::Own(RequestKind::EngineList) => {
                        (None, Box::new(move || Box::new(EngineListHandler(Arc::clone(&roster)))))
                    }
                    Addressee::Own(kind) => {
                        let permit =
                            if *kind == RequestKind::Search { Some(permit(&self.shared.engines)?) } else { None };
                        (permit, Box::new(move || Box::new(RequestHandler::new(settings.clone()))))
                    }
                };
                Worker::start(&self.shared, self.events.clone(), permit, make_handler)?
            }
        };
        Ok(slot.worker.insert(worker))
    }
}

/// Sends the workers' events; lines of an analysis at most once per [`super::lines::PAUSE`].
async fn write(
    mut sink: SplitSink<WebSocket, Frame>,
    mut answers: mpsc::Receiver<Event>,
    mut ended: watch::Receiver<bool>,
) {
    let mut lines = Lines::default();
    loop {
        let due = lines.due();
        let wake = async move {
            match due {
                Some(due) => sleep_until(due.into()).await,
                None => std::future::pending().await,
            }
        };
        let out = tokio::select! {
            event = answers.recv() => match event {
                Some(event) => Ok(lines.take(event, Instant::now())),
                None => Err(close(close_code::POLICY, "access denied")),
            },
            () = wake => Ok(lines.flush(Instant::now())),
            _ = ended.wait_for(|ended| *ended) => Err(close(close_code::AWAY, "the server is shutting down")),
        };
        let out = match out {
            Ok(out) => out,
            Err(close) => {
                let _ = timeout(SEND_TIME, sink.send(close)).await;
                return;
            }
        };
        for event in out {
            let sent = timeout(SEND_TIME, sink.send(frame(&event))).await;
            if !matches!(sent, Ok(Ok(()))) {
                return;
            }
        }
    }
}

fn frame(event: &Event) -> Frame {
    match serde_json::to_string(event) {
        Ok(json) => Frame::Text(json.into()),
        // All events are serializable, so this is a bug.
        Err(error) => {
            tracing::error!("cannot write an event as JSON: {error}");
            close(close_code::ERROR, "an error in the program")
        }
    }
}

fn close(code: u16, reason: &'static str) -> Frame {
    Frame::Close(Some(CloseFrame { code, reason: Utf8Bytes::from_static(reason) }))
}
