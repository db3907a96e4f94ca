//! What a board on a screen asks, and what it is told: typed messages, without sockets, files or threads of their own.
//!
//! A [`Message`] is a question with a number; a [`Desk`] answers it with one or several [`Event`]s that carry the same number. A desk is
//! stateless about games: every question brings its start and its moves, so that repetitions are always seen, and a page, a test and a
//! script speak the same messages. `docs/10-board.md` lists them all.
//!
//! ```
//! use chuhe::desk::{Desk, Message, Stop};
//!
//! let mut desk = Desk::default();
//! let message = Message::read(r#"{"id":1,"do":"look","moves":["h2e2"]}"#).expect("a question");
//! desk.handle(&message, &Stop::default(), &mut |event| {
//!     let json = serde_json::to_value(&event).expect("JSON");
//!     assert_eq!(json["last"]["names"]["chinese"], "炮二平五");
//! });
//! ```

mod event;
mod look;
mod machine;
mod message;
mod names;
mod refusal;
mod room;
mod setup;
mod stop;
mod think;
mod wording;

pub use event::{Event, Faulty, Hello, Line, PlyEntry, Standing, Told, VerdictEntry, WarningEntry};
pub use message::{Effort, GameText, LimitText, Message, Request, SideName};
pub use names::{LineNames, Names};
pub use refusal::Refusal;
pub use room::Room;
pub use stop::Stop;

use crate::words::Language;
use event::Emit;
use machine::Machine;

/// Answers questions, one after the other, on the thread of its caller. A search needs a stack of [`STACK`](crate::search::STACK) bytes.
#[derive(Default)]
pub struct Desk {
    machine: Machine,
    language: Language,
}

impl Desk {
    /// A desk that has searched nothing yet.
    pub fn new(room: Room) -> Desk {
        Desk { machine: Machine::new(room), ..Desk::default() }
    }

    /// Answers a question: several events for a search, one for everything else. The last of them is never [`Told::Line`] or
    /// [`Told::Progress`]. `stop`, asked from elsewhere, ends a search early, with what it has found.
    pub fn handle(&mut self, message: &Message, stop: &Stop, emit: &mut (dyn FnMut(Event) + Send)) {
        if let Request::Hello { .. } = message.request {
            self.language = message.language.unwrap_or(self.language);
        }
        let language = message.language.unwrap_or(self.language);
        let id = Some(message.id);
        let mut tell = |told: Told| emit(Event { id, told });
        if let Err(refusal) = self.answer(&message.request, language, stop, &mut tell) {
            tell(Told::refused(&refusal, language));
        }
    }

    fn answer(&mut self, request: &Request, language: Language, stop: &Stop, emit: Emit) -> Result<(), Refusal> {
        match request {
            Request::Hello { .. } => emit(event::hello(self.machine.room())),
            Request::Look { game } => emit(Told::Position(look::look(&game.read()?, language))),
            Request::Line { game, line } => emit(look::line(game.read()?.game, line)?),
            Request::Think { game, lines, limit, pass, effort } => {
                let task = think::Task { lines: *lines, limit: limit.as_ref(), pass: *pass, effort };
                think::think(&mut self.machine, game.read()?, &task, stop, emit)?;
            }
            Request::Stop {} => emit(Told::Stopped {}),
            Request::Setup { fen, pieces, side } => {
                emit(setup::setup(fen.as_deref(), pieces.as_ref(), *side, language)?)
            }
        }
        Ok(())
    }
}
