//! The session with a GUI as a state machine: each message from the GUI or the engine is handled separately
//! and may change the [`State`].
//!
//! `thinking.rs` handles `go` up to its reply, `preparing.rs` changes of options, `working.rs` perft and
//! bench.

mod preparing;
mod thinking;
mod working;

use super::command::{self, Command};
use super::courtesy::CourtesyState;
use super::go_state::GoState;
use super::lines::{self, ReadLine};
use super::opening::OpenBooks;
use super::options::SessionSettings;
use super::output::Output;
use super::position::{BadPosition, PositionCommand, legal_moves};
use super::queue::{Activity, Handling, Queue};
use super::reply::Reply;
use super::{Dialect, terminal, work};
use crate::machine::Instant;
use crate::search::Event;
use crate::{Engine, Error, Options};
use chuhe_board::Move;
use chuhe_board::notation::Ranks;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::time::Duration;
use tracing::debug;

/// A message to the session.
pub(crate) enum Input {
    /// Input from the GUI, or its end.
    Gui(ReadLine),
    /// The user terminates the program.
    Quit,
    /// An event of the search.
    Search(Event),
    /// The engine has changed its options or cleared its state, or failed to do so.
    Prepared(Result<(), Error>),
    /// Output of perft or bench.
    Text(String),
    /// Perft or bench has ended.
    WorkDone,
}

/// State of a session.
enum State {
    /// No activity; commands are executed at once.
    Idle,
    /// The engine is applying a change, since the given time; contains the settings to adopt on success.
    Preparing(Box<SessionSettings>, Instant),
    /// Between `go` and its reply.
    Thinking(GoState),
    /// Running perft or bench; the flag stops it.
    Working(Arc<AtomicBool>),
}

/// A session with one GUI. `prepare`, `go` and `start_work` leave `Idle`; `prepared`, `conclude` and
/// `WorkDone` return to it.
pub(crate) struct Session<W> {
    state: State,
    /// Commands that wait for the engine.
    queue: Queue,
    output: Output<W>,
    /// Dialect selected by `uci`; `UciVariant` if it was set on the command line.
    uci_dialect: Dialect,
    /// `true` if the dialect was set on the command line, in which case the handshake does not change it.
    is_fixed: bool,
    engine: Engine,
    /// `true` if the last `position` was rejected, so that there is no position to search.
    refused: bool,
    /// Total time that the engine has spent on completed preparations.
    prepared: Duration,
    /// [`Self::time_prepared`] at the arrival of each `go` that has not been executed yet.
    arrivals: VecDeque<Duration>,
    /// Channel for events from other threads.
    sender: SyncSender<Input>,
    /// Current settings.
    settings: SessionSettings,
    /// Root moves excluded by `banmoves`.
    banned: Vec<Move>,
    /// Draw offers and resignation.
    courtesy: CourtesyState,
    /// Open opening books.
    opening: OpenBooks,
    /// `true` once the user has been warned of more threads than cores.
    warned_of_threads: bool,
    /// `true` if nothing has been received since the last reply to `go`, so that a `stop` may have crossed
    /// the reply.
    stop_may_be_late: bool,
    /// `true` if the GUI has disconnected or sent `quit` and all replies have been sent, or if the user has
    /// terminated the program.
    over: bool,
}

impl<W: Write> Session<W> {
    /// Creates a session. Its threads send their events to `sender`.
    ///
    /// # Errors
    /// Returns an error if the system does not have enough threads or memory for the engine.
    pub(crate) fn new(output: W, sender: SyncSender<Input>, dialect: Option<Dialect>) -> io::Result<Session<W>> {
        // The hash table is as small as possible; the memory for the options is allocated after the
        // handshake.
        let engine = Engine::new(Options { hash_mb: 1, ..Options::default() })
            .map_err(|error| io::Error::other(error.to_string()))?;
        let mut session = Session {
            state: State::Idle,
            queue: Queue::default(),
            output: Output::new(output, dialect),
            uci_dialect: if dialect == Some(Dialect::UciVariant) { Dialect::UciVariant } else { Dialect::Uci },
            is_fixed: dialect.is_some(),
            engine,
            refused: false,
            prepared: Duration::ZERO,
            arrivals: VecDeque::new(),
            sender,
            settings: SessionSettings::default(),
            banned: Vec::new(),
            courtesy: CourtesyState::default(),
            opening: OpenBooks::default(),
            warned_of_threads: false,
            stop_may_be_late: false,
            over: false,
        };
        if dialect.is_some() {
            session.prepare_first();
        }
        Ok(session)
    }

    /// Handles a message.
    ///
    /// # Errors
    /// Returns an error if the output has failed.
    pub(crate) fn handle(&mut self, input: Input) -> io::Result<()> {
        match input {
            Input::Gui(ReadLine::Line(line)) => {
                debug!("> {}", lines::shorten(&line, 1000));
                if let Some(command) = command::read(&line) {
                    self.receive(command);
                }
            }
            Input::Gui(ReadLine::TooLong) => {
                self.output.inform(&format!("a line longer than {} MB is ignored", lines::MAX_LINE >> 20));
            }
            Input::Gui(ReadLine::End) => {
                debug!("end of input");
                self.queue.push(Command::End);
            }
            Input::Quit => self.over = true,
            Input::Search(event) => self.receive_event(event),
            Input::Prepared(done) => self.prepared(done),
            Input::Text(text) => self.output.send(&Reply::Text(text)),
            Input::WorkDone => self.state = State::Idle,
        }
        self.obey_waiting();
        self.output.check()
    }

    /// Returns `true` if the session has ended; it then accepts no further messages.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// Stops the current activity and ends the session.
    ///
    /// # Errors
    /// Returns an error if the output has failed.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        self.engine.stop();
        if let State::Working(cancelled) = &self.state {
            cancelled.store(true, Ordering::Relaxed);
        }
        self.output.send(&Reply::Bye);
        self.output.check()
    }

    /// Returns the total time that the engine has spent on preparations.
    fn time_prepared(&self) -> Duration {
        match &self.state {
            State::Preparing(_, since) => self.prepared + since.elapsed(),
            _ => self.prepared,
        }
    }

    /// Removes the next `go` from the arrivals, and returns the time spent on preparations since it arrived.
    fn time_prepared_since_arrival(&mut self) -> Duration {
        let arrival = self.arrivals.pop_front().unwrap_or_default();
        self.time_prepared().saturating_sub(arrival)
    }

    fn activity(&self) -> Activity {
        match &self.state {
            State::Idle => Activity::Idle,
            State::Preparing(..) => Activity::Preparing,
            State::Thinking(go_state) => Activity::Thinking { endless: go_state.has_no_end() },
            State::Working(_) => Activity::Working,
        }
    }

    /// Executes a command that need not wait, and queues any other command. [`Self::obey_waiting`] then
    /// executes it, at once if the engine is idle.
    fn receive(&mut self, command: Command) {
        if self.output.dialect().is_none() {
            match command {
                // These commands select the dialect, or do not depend on it.
                Command::Ucci | Command::Uci | Command::Quit => {}
                Command::Unknown(what) => return debug!("ignored before the handshake: {what}"),
                // The command was typed by a user, or sent by a GUI without a handshake.
                _ => {
                    self.output.set_dialect(self.uci_dialect);
                    self.prepare_first();
                }
            }
        }
        if matches!(command, Command::Go(_)) {
            self.arrivals.push_back(self.time_prepared());
        }
        let activity = self.activity();
        // A command received between two searches was sent after the last reply, so a `stop` that follows it
        // is not late.
        if activity == Activity::Idle && !matches!(command, Command::Stop | Command::Unknown(_)) {
            self.stop_may_be_late = false;
        }
        match self.queue.receive(command, activity, self.settings.batch) {
            Handling::Obey(command) => self.obey(command),
            Handling::Wait => {}
            Handling::EndSearch => self.end_search(),
        }
    }

    /// Executes waiting commands as far as the engine allows.
    fn obey_waiting(&mut self) {
        while !self.over {
            match self.queue.next(self.activity(), self.settings.batch) {
                Handling::Obey(command) => self.obey(command),
                Handling::Wait => break,
                Handling::EndSearch => {
                    self.end_search();
                    // A finished search that withheld its move has now replied; any other search is still
                    // running.
                    if self.activity() != Activity::Idle {
                        break;
                    }
                }
            }
        }
    }

    /// Executes a command.
    fn obey(&mut self, command: Command) {
        match command {
            Command::Ucci => self.shake_hands(Dialect::Ucci),
            Command::Uci => self.shake_hands(self.uci_dialect),
            Command::IsReady => self.output.send(&Reply::Ready),
            Command::NewGame => self.new_game(),
            Command::SetOption(change) if change.is_new_game() => self.new_game(),
            Command::SetOption(change) => self.set(&change),
            Command::Debug(on) => self.settings.debug = on,
            Command::Position(line) => match line.and_then(|line| line.game(self.ranks())) {
                Ok(game) => {
                    self.engine.set_game(game);
                    self.banned.clear();
                    self.refused = false;
                }
                Err(fault) => {
                    self.refused = true;
                    self.output
                        .inform(&format!("position: {fault}; go returns no move until a valid position arrives"));
                }
            },
            Command::BanMoves(moves) => {
                let (legal, fault) = legal_moves(&moves, self.engine.game().position(), self.ranks());
                self.banned = legal;
                if let Some(fault) = fault {
                    self.output.inform(&format!("banmoves: {fault}"));
                }
            }
            Command::Go(go) => {
                let prepared = self.time_prepared_since_arrival();
                self.go(&go, prepared);
                self.end_if_asked();
            }
            Command::PonderHit { draw } => self.ponder_hit(draw),
            Command::Stop => self.stop(),
            Command::Probe(line) => self.probe(line),
            Command::Quit | Command::End => self.over = true,
            Command::Show => self.output.send(&Reply::Text(terminal::board(self.engine.game()))),
            Command::Help => self.output.send(&Reply::Text(terminal::help())),
            Command::Explain => {
                let text = terminal::evaluation(self.engine.game().position(), self.engine.static_score());
                self.output.send(&Reply::Text(text));
            }
            Command::Bench(depth) => {
                self.start_work(move |cancelled, tell| work::bench(depth, cancelled, tell));
                self.end_if_asked();
            }
            Command::Fault(fault) => self.output.inform(&fault),
            Command::Unknown(what) => self.remark(&format!("ignored {what}")),
        }
    }

    /// Stops the current activity if a `stop` or `quit` is waiting, since it applies to all commands before
    /// it.
    fn end_if_asked(&mut self) {
        if !self.settings.batch && self.queue.has_stop() {
            self.end_search();
        }
    }

    fn shake_hands(&mut self, dialect: Dialect) {
        if self.is_fixed && self.output.dialect() != Some(dialect) {
            return self.remark("ignored the handshake: the command line selects the other protocol");
        }
        let is_first = self.output.set_dialect(dialect);
        self.output.send(&Reply::Welcome);
        if is_first {
            self.prepare_first();
        }
    }

    /// Stops the search. If the engine is idle, UCCI requires a reply, so that the GUI does not wait forever.
    /// If nothing has been received since the last reply, however, the `stop` crossed that reply, and the GUI
    /// would mistake a `nobestmove` for the reply to the next `go`.
    fn stop(&mut self) {
        match &self.state {
            State::Thinking(_) | State::Working(_) => self.end_search(),
            State::Idle if self.stop_may_be_late => {
                // A second consecutive `stop` is not late, so it receives a reply.
                self.stop_may_be_late = false;
                self.remark("a late stop");
            }
            State::Idle => self.output.send(&Reply::NothingToStop),
            // The queued `stop` takes effect afterwards.
            State::Preparing(..) => {}
        }
    }

    /// Stops the search, which then replies, or stops other work.
    fn end_search(&mut self) {
        match &mut self.state {
            State::Thinking(go_state) => {
                go_state.stopped = true;
                match go_state.release() {
                    Some(conclusion) => self.conclude(conclusion),
                    None => self.engine.stop(),
                }
            }
            State::Working(cancelled) => cancelled.store(true, Ordering::Relaxed),
            State::Idle | State::Preparing(..) => {}
        }
    }

    /// Sends the hash entry of a position.
    fn probe(&mut self, line: Result<PositionCommand, BadPosition>) {
        let game = line.and_then(|line| line.game(self.ranks()));
        if let Err(fault) = &game {
            self.output.inform(&format!("probe: {fault}"));
        }
        let known = game.ok().and_then(|game| self.engine.probe(&game));
        self.output.send(&Reply::Probed(known));
    }

    /// Returns the numbering of ranks.
    fn ranks(&self) -> Ranks {
        self.output.dialect().unwrap_or(self.uci_dialect).ranks()
    }

    /// Logs a remark, and sends it to the user in debug mode.
    fn remark(&mut self, text: &str) {
        debug!("{text}");
        if self.settings.debug {
            self.output.inform(text);
        }
    }
}
