//! Requests of a board application and their responses: typed messages, independent of sockets and pages.
//!
//! A [`Message`] is a request with a number; a [`RequestHandler`] responds with one or more [`Event`]s with
//! the same number. The desk stores no games: every request contains the starting position and the moves,
//! from which repetitions are detected. Pages, tests and scripts use the same messages. The desk opens only
//! the files named in the host's [`DeskSettings`]. `docs/10-board.md` lists the messages.
//!
//! ```
//! use chuhe::desk::{RequestHandler, Message, Stop};
//!
//! let mut handler = RequestHandler::default();
//! let message = Message::read(r#"{"id":1,"do":"look","moves":["h2e2"]}"#).expect("a request");
//! handler.handle(&message, &Stop::default(), &mut |event| {
//!     let json = serde_json::to_value(&event).expect("JSON");
//!     assert_eq!(json["last"]["names"]["chinese"], "炮二平五");
//! });
//! ```

#[cfg(feature = "sqlite-books")]
mod databases;
mod endings;
mod event;
#[cfg(feature = "sqlite-books")]
mod explored;
mod fields;
mod files;
mod kinds;
mod learn;
#[cfg(feature = "sqlite-books")]
mod library;
mod library_entry;
#[cfg(feature = "sqlite-books")]
mod library_response;
mod look;
mod machine;
mod mate;
mod message;
mod names;
mod play;
mod puzzle_entry;
mod puzzles;
mod refusal;
mod request;
mod response;
mod ruling;
mod settings;
mod setup;
mod stop;
mod think;
mod trees;
mod wording;

pub use event::Event;
#[cfg(feature = "serve")]
pub(crate) use fields::{ClockText, Effort, LimitText, Thinker};
#[cfg(feature = "serve")]
pub(crate) use kinds::RequestKind;
pub use message::Message;
#[cfg(feature = "cli")]
pub(crate) use names::LineNames;
#[cfg(feature = "serve")]
pub(crate) use names::MoveNames;
pub use refusal::Refusal;
#[cfg(feature = "serve")]
pub(crate) use request::EngineListRequest;
pub(crate) use request::Request;
pub use request::RequestName;
pub(crate) use response::Response;
#[cfg(feature = "serve")]
pub(crate) use response::{AnalysisLine, EngineListResponse, OptionEntry};
#[cfg(feature = "cli")]
pub(crate) use ruling::RulingEntry;
pub use settings::{DatabaseAccess, DeskSettings};
pub use stop::Stop;
#[cfg(feature = "serve")]
pub(crate) use think::pass;
#[cfg(feature = "cli")]
pub(crate) use wording::{say_fault, say_losses};

use chuhe_board::words::Language;
use chuhe_engine::book::Book;
use chuhe_games::puzzles::built_in;
use event::Emit;
use machine::Machine;
use std::path::Path;

/// Handles requests sequentially on the caller's thread. A search needs a stack of
/// [`STACK`](chuhe_engine::search::STACK) bytes.
#[derive(Default)]
pub struct RequestHandler {
    machine: Machine,
    /// Opening book, the host's or the embedded one; loaded on first use.
    book: Option<Book>,
    /// Position database as a book for reviews, loaded on first use.
    explored: Option<Book>,
    #[cfg(feature = "sqlite-books")]
    databases: databases::Databases,
    language: Language,
}

impl RequestHandler {
    /// Creates a handler with these settings.
    pub fn new(settings: DeskSettings) -> RequestHandler {
        RequestHandler {
            #[cfg(feature = "sqlite-books")]
            databases: databases::Databases::new(&settings),
            machine: Machine::new(settings),
            ..RequestHandler::default()
        }
    }

    /// Returns the language of the last `hello`, for requests that do not specify one.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Handles a request: emits several events for a search, and one event for any other request. The last
    /// event is neither a line of an analysis nor a progress report. Through `stop`, another thread can end a
    /// search early with the result so far.
    pub fn handle(&mut self, message: &Message, stop: &Stop, emit: &mut (dyn FnMut(Event) + Send)) {
        if let Request::Hello { .. } = message.request {
            self.language = message.language.unwrap_or(self.language);
        }
        let language = message.language.unwrap_or(self.language);
        let id = Some(message.id);
        let mut tell = |response: Response| emit(Event { id, response });
        if let Err(refusal) = self.answer(&message.request, language, stop, &mut tell) {
            tell(Response::refused(&refusal, language));
        }
    }

    fn answer(&mut self, request: &Request, language: Language, stop: &Stop, emit: Emit) -> Result<(), Refusal> {
        // Requests to external engines are handled by the host.
        if let Some(name) = request.engine() {
            return Err(Refusal::NoEngine(name.to_owned()));
        }
        match request {
            Request::Hello { .. } => {
                #[cfg(feature = "sqlite-books")]
                let libraries = self.databases.entries();
                #[cfg(not(feature = "sqlite-books"))]
                let libraries = library_entry::Libraries::default();
                emit(response::hello(self.machine.settings(), libraries));
            }
            Request::Look { game } => emit(Response::Position(look::look(&game.read()?, language))),
            Request::Line { game, line } => emit(look::line(game.read()?.game, line)?),
            Request::Think { game, lines, limit, pass, effort, .. } => {
                let task = think::AnalysisParameters { lines: *lines, limit: limit.as_ref(), pass: *pass, effort };
                think::think(&mut self.machine, game.read()?, &task, stop, emit)?;
            }
            Request::Stop {} => emit(Response::Stopped {}),
            Request::Play { game, level, clock, limit, book, seed, effort, .. } => {
                let task = play::PlayParameters {
                    level: *level,
                    clock: clock.as_ref(),
                    limit: limit.as_ref(),
                    book: *book,
                    seed: *seed,
                    effort,
                };
                let book = loaded(&mut self.book, self.machine.settings().book.as_deref())?;
                play::play(&mut self.machine, book, &game.read_open(language)?, &task, stop, emit)?;
            }
            Request::Offer { game, effort } => {
                emit(play::offer(&mut self.machine, &game.read_open(language)?, effort, stop)?);
            }
            Request::Hint { game, limit, effort } => {
                let limit = limit.as_ref();
                emit(play::hint(&mut self.machine, &game.read_open(language)?, limit, effort, stop)?);
            }
            Request::Book { game } => {
                emit(play::book(loaded(&mut self.book, self.machine.settings().book.as_deref())?, &game.read()?)?);
            }
            Request::Endings { game } => emit(endings::endings(self.machine.tables()?, &game.read()?.game, language)?),
            Request::Puzzles {} => match &self.machine.settings().puzzles {
                Some(own) => emit(puzzles::puzzles(own, language)),
                None => emit(puzzles::puzzles(&built_in(), language)),
            },
            Request::Mate { game } => emit(mate::mate(&game.read_open(language)?, language, stop)?),
            Request::Judge { game } => emit(look::judge(&game.read()?, language)),
            Request::Read { game, text } => emit(look::read(&game.read()?.game, text)?),
            Request::Review { game, nodes, players, result, effort } => {
                let task = learn::ReviewParameters { nodes: *nodes, players, result, effort };
                let settings = self.machine.settings();
                let book = loaded(&mut self.book, settings.book.as_deref())?;
                let database = settings.explored.as_ref().map(|access| &*access.path);
                let explored = database.map(|path| loaded(&mut self.explored, Some(path))).transpose()?;
                learn::review(&mut self.machine, (book, explored), &game.read()?, &task, language, stop, emit)?;
            }
            Request::Try { game, answer, best, nodes, effort } => {
                let task = learn::Attempt { answer, best: best.as_deref(), nodes: *nodes, effort };
                emit(learn::attempt(&mut self.machine, &game.read_open(language)?, &task, stop)?);
            }
            Request::Open { text, base64, game } => {
                let (file, encoding) = ((text.as_deref(), base64.as_deref()), self.machine.settings().encoding);
                emit(files::open(file, encoding, *game, language, stop)?)
            }
            Request::Save { form, notation, tree } => emit(files::save(form, notation.as_deref(), tree, language)?),
            #[cfg(feature = "sqlite-books")]
            Request::Library(request) => {
                emit(self.databases.answer(request, self.machine.settings().encoding, language, stop)?);
            }
            // Without SQLite, there is no library.
            #[cfg(not(feature = "sqlite-books"))]
            Request::Library(_) => return Err(Refusal::NoLibrary),
            // The host handles these requests, if it allows them.
            Request::EngineList(_) => return Err(Refusal::EnginesFixed),
            Request::Options { .. } | Request::Talk { .. } => return Err(Refusal::bad("engine: missing")),
            Request::Setup { fen, pieces, side } => {
                emit(setup::setup(fen.as_deref(), pieces.as_ref(), *side, language)?)
            }
        }
        Ok(())
    }
}

/// Returns the opening book in a file, or the embedded one; loads it on first use.
fn loaded<'b>(book: &'b mut Option<Book>, path: Option<&Path>) -> Result<&'b Book, Refusal> {
    if book.is_none() {
        let opened = path.map_or_else(|| Ok(Book::built_in()), Book::open);
        *book = Some(opened.map_err(|error| Refusal::File(error.to_string()))?);
    }
    book.as_ref().ok_or_else(|| Refusal::Failed("no opening book".to_owned()))
}
