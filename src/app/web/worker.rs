//! Threads that answer: each connection has one for quick requests, and one for searches as soon as it asks for one.

use crate::desk::{Desk, Event, Message, Refusal, Room, Stop, Told};
use chuhe_board::words::Language;
use chuhe_engine::search::STACK;
use chuhe_lab::arena::player::Player;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// More questions may not wait.
const QUEUE: usize = 64;
/// After so long without a question, an engine's memory is given back.
const IDLE: Duration = Duration::from_secs(300);

/// A question in hand.
pub(super) struct Question {
    pub message: Message,
    /// Ends its search.
    pub stop: Stop,
    /// Given back when it is answered.
    pub room: OwnedSemaphorePermit,
}

/// What all connections share.
#[derive(Clone)]
pub(super) struct Shared {
    pub room: Room,
    /// An engine for each permit.
    pub engines: Arc<Semaphore>,
    /// One review at a time, since each takes long.
    pub reviews: Arc<Semaphore>,
    /// Engines of other makers,
    pub players: Arc<[Player]>,
    /// and a permit for each process of theirs.
    pub processes: Arc<Semaphore>,
}

/// Who answers on a worker's thread.
pub(super) trait Hand {
    /// Answers a question; the last event is never partial.
    fn handle(&mut self, message: &Message, stop: &Stop, emit: &mut (dyn FnMut(Event) + Send));
}

impl Hand for Desk {
    fn handle(&mut self, message: &Message, stop: &Stop, emit: &mut (dyn FnMut(Event) + Send)) {
        Desk::handle(self, message, stop, emit);
    }
}

/// Makes one, on the thread on which it answers.
pub(super) type Hire = Box<dyn Fn() -> Box<dyn Hand> + Send>;

/// A thread that answers one question after the other.
pub(super) struct Worker {
    questions: SyncSender<Box<Question>>,
}

impl Worker {
    /// A worker whose answers go to `events`. It ends with its last question when it is dropped, and one with a permit when it is idle.
    ///
    /// # Errors
    /// There is no thread to be had.
    pub fn start(
        shared: &Shared,
        events: mpsc::Sender<Event>,
        permit: Option<OwnedSemaphorePermit>,
        hire: Hire,
    ) -> Result<Worker, Refusal> {
        let (questions, asked) = sync_channel(QUEUE);
        let shared = shared.clone();
        let thread = std::thread::Builder::new().name("desk".into()).stack_size(STACK);
        let thread = thread.spawn(move || {
            work(&shared, &asked, &events, permit.is_some(), &hire);
            drop(permit);
        });
        thread.map_err(|error| Refusal::Failed(error.to_string()))?;
        Ok(Worker { questions })
    }

    /// Hands a question over.
    ///
    /// # Errors
    /// Too many wait; or the worker has ended, and the question comes back.
    pub fn ask(&self, question: Box<Question>) -> Result<(), Unasked> {
        self.questions.try_send(question).map_err(|error| match error {
            TrySendError::Full(_) => Unasked::Full,
            TrySendError::Disconnected(question) => Unasked::Ended(question),
        })
    }
}

/// A question that was not taken.
pub(super) enum Unasked {
    Full,
    Ended(Box<Question>),
}

fn work(shared: &Shared, asked: &Receiver<Box<Question>>, events: &mpsc::Sender<Event>, may_idle: bool, hire: &Hire) {
    let mut hand = hire();
    loop {
        let question = match asked.recv_timeout(IDLE) {
            Ok(question) => question,
            Err(RecvTimeoutError::Timeout) if !may_idle => continue,
            Err(_) => return,
        };
        let Question { message, stop, room } = *question;
        let is_review = message.request.is_long();
        let permit = is_review.then(|| Arc::clone(&shared.reviews).try_acquire_owned());
        if let Some(Err(_)) = permit {
            tell(events, &message, &Refusal::Busy);
            continue;
        }
        // No one is listening any more: the search ends.
        let mut emit = |event: Event| {
            if events.blocking_send(event).is_err() {
                stop.ask();
            }
        };
        let answer = AssertUnwindSafe(|| hand.handle(&message, &stop, &mut emit));
        if catch_unwind(answer).is_err() {
            tracing::error!("a desk has panicked");
            hand = hire();
            tell(events, &message, &Refusal::Failed("an error in the program".to_owned()));
        }
        drop((permit, room));
    }
}

/// Tells a refusal from a worker's thread.
fn tell(events: &mpsc::Sender<Event>, message: &Message, refusal: &Refusal) {
    let _ = events.blocking_send(refused(Some(message.id), refusal, message.language));
}

/// A refusal as an event.
pub(super) fn refused(id: Option<u64>, refusal: &Refusal, language: Option<Language>) -> Event {
    Event { id, told: Told::refused(refusal, language.unwrap_or_default()) }
}
