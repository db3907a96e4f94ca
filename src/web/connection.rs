//! One page's connection: it greets with the token, asks, and is answered; when it closes, its searches end.

use super::guard::Token;
use super::lines::Lines;
use super::worker::{Shared, Unasked, Worker, refused};
use crate::desk::{Event, Message, Refusal, Request, Stop};
use crate::words::Language;
use axum::extract::ws::{CloseFrame, Message as Frame, Utf8Bytes, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep_until, timeout, timeout_at};

/// Clients that are silent, or take no answer, for this long are disconnected.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest hello, in bytes: before it, nothing long is parsed.
const LONGEST_HELLO: usize = 4096;
/// Answers that may wait for a page that is slow.
const WAITING: usize = 256;

/// Speaks with a page until it leaves or the server ends.
pub(super) async fn converse(socket: WebSocket, token: Token, shared: Shared, ended: watch::Receiver<bool>) {
    let (sink, stream) = socket.split();
    let (events, answers) = mpsc::channel(WAITING);
    let stops = Stops::default();
    let mut asker = Asker { shared, events, stops, language: None, quick: None, searches: None };
    let reading = read(stream, &token, &mut asker);
    let writing = write(sink, answers, ended);
    tokio::select! {
        () = reading => {}
        () = writing => {}
    }
    // A search without a client must end.
    asker.stops.ask_all();
}

/// The searches that may still run.
#[derive(Default)]
struct Stops(Vec<Stop>);

impl Stops {
    fn ask_all(&mut self) {
        self.0.drain(..).for_each(|stop| stop.ask());
    }
}

/// Hands a page's questions to its workers.
struct Asker {
    shared: Shared,
    events: mpsc::Sender<Event>,
    stops: Stops,
    /// As the hello said.
    language: Option<Language>,
    quick: Option<Worker>,
    searches: Option<Worker>,
}

/// The page's frames, from the hello on.
async fn read(mut stream: SplitStream<WebSocket>, token: &Token, asker: &mut Asker) {
    let mut greeted = false;
    // A ping is no hello.
    let deadline = Instant::now() + PATIENCE;
    loop {
        let next = stream.next();
        let frame = if greeted {
            next.await
        } else {
            match timeout_at(deadline.into(), next).await {
                Ok(frame) => frame,
                Err(_) => return,
            }
        };
        let text = match frame {
            Some(Ok(Frame::Text(text))) => text,
            Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => continue,
            // A frame that is too long, or no text: not our page.
            Some(Ok(Frame::Binary(_) | Frame::Close(_)) | Err(_)) | None => return,
        };
        if !greeted && text.len() > LONGEST_HELLO {
            return asker.turn_away(None).await;
        }
        let message = match Message::read(&text) {
            Ok(message) => message,
            Err((id, refusal)) if greeted => {
                if asker.refuse(id, &refusal).await.is_err() {
                    return;
                }
                continue;
            }
            Err(_) => return asker.turn_away(None).await,
        };
        if let Request::Hello { token: said } = &message.request {
            greeted = token.is(said);
        }
        if !greeted {
            return asker.turn_away(Some(message.id)).await;
        }
        if asker.ask(message).await.is_err() {
            return;
        }
    }
}

/// The page has left.
struct Left;

impl Asker {
    async fn refuse(&self, id: Option<u64>, refusal: &Refusal) -> Result<(), Left> {
        self.events.send(refused(id, refusal, self.language)).await.map_err(|_| Left)
    }

    /// Says why, and waits until it has been sent.
    async fn turn_away(&self, id: Option<u64>) {
        let _ = self.refuse(id, &Refusal::Token).await;
        // The writer closes behind an error about the token; until then the connection stays.
        self.events.closed().await;
    }

    /// Hands a question to the worker for its kind.
    async fn ask(&mut self, mut message: Message) -> Result<(), Left> {
        if matches!(message.request, Request::Hello { .. }) {
            self.language = message.language.or(self.language);
        }
        message.language = message.language.or(self.language);
        let (id, stop) = (Some(message.id), Stop::default());
        let is_quick = message.request.is_quick();
        if !is_quick || matches!(message.request, Request::Stop {}) {
            self.stops.ask_all();
        }
        if !is_quick {
            self.stops.0.push(stop.clone());
        }
        let mut question = Box::new((message, stop));
        // The second time, a worker that has ended idle is replaced.
        for _ in 0..2 {
            let worker = match self.worker(is_quick) {
                Ok(worker) => worker,
                Err(refusal) => return self.refuse(id, &refusal).await,
            };
            match worker.ask(question) {
                Ok(()) => return Ok(()),
                Err(Unasked::Full) => return self.refuse(id, &Refusal::Busy).await,
                Err(Unasked::Ended(again)) => question = again,
            }
            *self.seat(is_quick) = None;
        }
        self.refuse(id, &Refusal::Busy).await
    }

    fn seat(&mut self, is_quick: bool) -> &mut Option<Worker> {
        if is_quick { &mut self.quick } else { &mut self.searches }
    }

    fn worker(&mut self, is_quick: bool) -> Result<&Worker, Refusal> {
        if self.seat(is_quick).is_none() {
            let engine = || Arc::clone(&self.shared.engines).try_acquire_owned().map_err(|_| Refusal::Busy);
            let permit = if is_quick { None } else { Some(engine()?) };
            let worker = Worker::start(&self.shared, self.events.clone(), permit)?;
            *self.seat(is_quick) = Some(worker);
        }
        self.seat(is_quick).as_ref().ok_or(Refusal::Busy)
    }
}

/// Sends what the workers say, lines not more often than [`super::lines::PAUSE`].
async fn write(
    mut sink: SplitSink<WebSocket, Frame>,
    mut answers: mpsc::Receiver<Event>,
    mut ended: watch::Receiver<bool>,
) {
    let mut lines = Lines::new();
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
                Some(event) => Some(lines.take(event, Instant::now())),
                None => return,
            },
            () = wake => Some(lines.flush(Instant::now())),
            _ = ended.wait_for(|ended| *ended) => None,
        };
        let Some(out) = out else {
            let _ = timeout(PATIENCE, sink.send(close(close_code::AWAY, "the server ends"))).await;
            return;
        };
        for event in out {
            let sent = timeout(PATIENCE, sink.send(frame(&event))).await;
            if !matches!(sent, Ok(Ok(()))) {
                return;
            }
            if event.is_farewell() {
                let _ = timeout(PATIENCE, sink.send(close(close_code::POLICY, "no token"))).await;
                return;
            }
        }
    }
}

fn frame(event: &Event) -> Frame {
    // What an event holds can always be written.
    Frame::Text(serde_json::to_string(event).unwrap_or_default().into())
}

fn close(code: u16, reason: &'static str) -> Frame {
    Frame::Close(Some(CloseFrame { code, reason: Utf8Bytes::from_static(reason) }))
}
