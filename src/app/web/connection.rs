//! One page's connection: it greets with the token, asks, and is answered; when it closes, its searches end.

use super::engine::Engine;
use super::guard::Token;
use super::hall::{Guest, Hall};
use super::lines::Lines;
use super::worker::{Hand, Hire, Question, Shared, Unasked, Worker, refused};
use crate::desk::{Desk, Event, Message, Refusal, Request, Stop, Told};
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

/// Clients that are silent, or take no answer, for this long are disconnected.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest hello, in bytes: before it, nothing long is parsed.
const LONGEST_HELLO: usize = 4096;
/// Answers that may wait for a page that is slow.
const WAITING: usize = 32;
/// Bytes of questions that were read and not answered yet: two of the longest, so that the second one can end the first, and many short ones.
const MOST_ASKED: usize = 65 << 20;
/// Programs ping now and then, browsers never; so many pings between two messages are a flood, and each is owed an answer.
const MOST_PINGS: u32 = 1000;

/// Lines of the talk with an engine that are told.
const TALK: usize = 500;

/// What lets somebody in.
pub(super) struct Door {
    pub token: Token,
    /// A permit for each page.
    pub pages: Arc<Semaphore>,
    pub hall: Hall,
    pub guest: Arc<Guest>,
}

impl Door {
    /// Makes a guest a page; it is one as long as it keeps what it gets.
    ///
    /// # Errors
    /// It has said no hello with the token, or there are too many pages.
    fn open(&self, request: &Request) -> Result<OwnedSemaphorePermit, Refusal> {
        match request {
            Request::Hello { token } if self.token.is(token) => {}
            _ => return Err(Refusal::Token),
        }
        let place = Arc::clone(&self.pages).try_acquire_owned().map_err(|_| Refusal::Busy)?;
        self.hall.lead_on(&self.guest);
        Ok(place)
    }
}

/// Speaks with a page until it leaves or the server ends.
pub(super) async fn converse(socket: WebSocket, door: Door, shared: Shared, ended: watch::Receiver<bool>) {
    let (sink, stream) = socket.split();
    let (events, answers) = mpsc::channel(WAITING);
    let room = Arc::new(Semaphore::new(MOST_ASKED));
    let mut asker = Asker { shared, events, room, language: None, seats: Default::default() };
    let reading = read(stream, &door, &mut asker);
    let writing = write(sink, answers, ended);
    tokio::select! {
        () = reading => {}
        () = writing => {}
        () = door.guest.sent_away() => {}
    }
    // A search without a client must end.
    asker.seats.values_mut().for_each(Seat::stop);
}

/// Who answers one kind of questions.
#[derive(Default)]
struct Seat {
    worker: Option<Worker>,
    /// Of the questions that may still be in hand.
    stops: Vec<Stop>,
    /// What was said to another maker's engine, and by it.
    log: Transcript,
}

impl Seat {
    fn stop(&mut self) {
        self.stops.drain(..).for_each(|stop| stop.ask());
    }
}

/// Each kind has a worker of its own, so that none waits for another.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Kind {
    Quick,
    /// Of the library, which may take a while.
    Library,
    /// Files are opened one at a time: the next ends the one before.
    File,
    /// So are searches,
    Search,
    /// and each engine of another maker has its own.
    Engine(String),
}

impl Kind {
    fn of(request: &Request) -> Kind {
        if let Some(name) = request.engine() {
            return Kind::Engine(name.to_owned());
        }
        match request {
            Request::Open { .. } => Kind::File,
            request if request.is_of_library() => Kind::Library,
            request if request.is_quick() => Kind::Quick,
            _ => Kind::Search,
        }
    }

    /// Whether a new question ends the one before.
    fn is_alone(&self) -> bool {
        matches!(self, Kind::File | Kind::Search | Kind::Engine(_))
    }
}

/// Hands a page's questions to its workers.
struct Asker {
    shared: Shared,
    events: mpsc::Sender<Event>,
    /// A permit for each byte of the questions in hand.
    room: Arc<Semaphore>,
    /// As the hello said.
    language: Option<Language>,
    /// For each kind of questions.
    seats: HashMap<Kind, Seat>,
}

/// The page's frames, from the hello on.
async fn read(mut stream: SplitStream<WebSocket>, door: &Door, asker: &mut Asker) {
    let (mut place, mut pings) = (None, 0);
    // A ping is no hello.
    let deadline = Instant::now() + PATIENCE;
    loop {
        let next = stream.next();
        let frame = if place.is_some() {
            next.await
        } else {
            match timeout_at(deadline.into(), next).await {
                Ok(frame) => frame,
                Err(_) => return,
            }
        };
        let text = match frame {
            Some(Ok(Frame::Text(text))) => text,
            Some(Ok(Frame::Ping(_) | Frame::Pong(_))) if place.is_some() && pings < MOST_PINGS => {
                pings += 1;
                continue;
            }
            Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => return,
            // A frame that is too long, or no text: not our page.
            Some(Ok(Frame::Binary(_) | Frame::Close(_)) | Err(_)) | None => return,
        };
        pings = 0;
        if place.is_none() && text.len() > LONGEST_HELLO {
            return asker.turn_away(None, &Refusal::Token).await;
        }
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let Ok(room) = Arc::clone(&asker.room).acquire_many_owned(length).await else { return };
        let message = match Message::read(&text) {
            Ok(message) => message,
            Err((id, refusal)) if place.is_some() => {
                if asker.refuse(id, &refusal).await.is_err() {
                    return;
                }
                continue;
            }
            Err(_) => return asker.turn_away(None, &Refusal::Token).await,
        };
        if place.is_none() {
            place = match door.open(&message.request) {
                Ok(place) => Some(place),
                Err(refusal) => return asker.turn_away(Some(message.id), &refusal).await,
            };
        }
        if asker.ask(message, room).await.is_err() {
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
    async fn turn_away(&mut self, id: Option<u64>, refusal: &Refusal) {
        let _ = self.refuse(id, refusal).await;
        // When nobody can say anything more, the writer closes.
        self.events = mpsc::channel(1).0;
        std::future::pending().await
    }

    /// Hands a question to the worker for its kind.
    async fn ask(&mut self, mut message: Message, room: OwnedSemaphorePermit) -> Result<(), Left> {
        if matches!(message.request, Request::Hello { .. }) {
            self.language = message.language.or(self.language);
        }
        message.language = message.language.or(self.language);
        let (id, stop) = (Some(message.id), Stop::default());
        let kind = Kind::of(&message.request);
        // Nothing is kept of names that nobody has.
        if let Kind::Engine(name) = &kind
            && self.shared.players.iter().all(|player| player.name != *name)
        {
            return self.refuse(id, &Refusal::NoEngine(name.clone())).await;
        }
        match message.request {
            Request::Stop {} => self.seats.values_mut().for_each(Seat::stop),
            Request::Talk { .. } => {
                let text = self.seats.get(&kind).map_or_else(String::new, |seat| seat.log.last(TALK));
                return self.events.send(Event { id, told: Told::Talk { text } }).await.map_err(|_| Left);
            }
            _ if kind.is_alone() => {
                let seat = self.seats.entry(kind.clone()).or_default();
                seat.stop();
                seat.stops.push(stop.clone());
            }
            _ => {}
        }
        let mut question = Box::new(Question { message, stop, room });
        // The second time, a worker that has ended idle is replaced.
        for _ in 0..2 {
            let worker = match self.worker(&kind) {
                Ok(worker) => worker,
                Err(refusal) => return self.refuse(id, &refusal).await,
            };
            match worker.ask(question) {
                Ok(()) => return Ok(()),
                Err(Unasked::Full) => return self.refuse(id, &Refusal::Busy).await,
                Err(Unasked::Ended(again)) => question = again,
            }
            self.seats.entry(kind.clone()).or_default().worker = None;
        }
        self.refuse(id, &Refusal::Busy).await
    }

    fn worker(&mut self, kind: &Kind) -> Result<&Worker, Refusal> {
        let seat = self.seats.entry(kind.clone()).or_default();
        let worker = match seat.worker.take() {
            Some(worker) => worker,
            None => {
                let permit = |of: &Arc<Semaphore>| Arc::clone(of).try_acquire_owned().map_err(|_| Refusal::Busy);
                let room = self.shared.room.clone();
                let (permit, hire): (_, Hire) = match kind {
                    Kind::Engine(name) => {
                        let known = self.shared.players.iter().find(|player| player.name == *name);
                        let player = known.ok_or_else(|| Refusal::NoEngine(name.clone()))?.clone();
                        let log = seat.log.clone();
                        let hire = move || -> Box<dyn Hand> {
                            Box::new(Engine::new(player.clone(), room.clone(), log.clone()))
                        };
                        (Some(permit(&self.shared.processes)?), Box::new(hire))
                    }
                    kind => {
                        let permit = if *kind == Kind::Search { Some(permit(&self.shared.engines)?) } else { None };
                        (permit, Box::new(move || Box::new(Desk::new(room.clone()))))
                    }
                };
                Worker::start(&self.shared, self.events.clone(), permit, hire)?
            }
        };
        Ok(seat.worker.insert(worker))
    }
}

/// Sends what the workers say, lines not more often than [`super::lines::PAUSE`].
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
                None => Err(close(close_code::POLICY, "not let in")),
            },
            () = wake => Ok(lines.flush(Instant::now())),
            _ = ended.wait_for(|ended| *ended) => Err(close(close_code::AWAY, "the server ends")),
        };
        let out = match out {
            Ok(out) => out,
            Err(close) => {
                let _ = timeout(PATIENCE, sink.send(close)).await;
                return;
            }
        };
        for event in out {
            let sent = timeout(PATIENCE, sink.send(frame(&event))).await;
            if !matches!(sent, Ok(Ok(()))) {
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
