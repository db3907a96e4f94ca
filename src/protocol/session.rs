//! Handles GUI and engine messages one at a time, so the only race that a GUI sees is the one on the wire (see [`Session::stop`]).

use super::command::{self, Command, Line};
use super::courtesy::Manners;
use super::lines::{self, Heard};
use super::opening::Opening;
use super::options::Settings;
use super::queue::{Activity, Queue, Step};
use super::reply::Reply;
use super::task::Task;
use super::{Dialect, help, ucci, uci, work};
use crate::board::{Move, Position};
use crate::engine::{Engine, Error, Options};
use crate::eval::handcrafted;
use crate::machine;
use crate::picture::{Picture, Style};
use crate::rules::{Game, IllegalMove};
use crate::search::Event;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use tracing::debug;

/// What comes through the channel.
pub(super) enum Input {
    /// The GUI spoke, or left.
    Gui(Heard),
    /// The user ends the program, whatever it does.
    Quit,
    /// The search has news.
    Engine(Event),
    /// The search ended without an answer: an error in the engine.
    Lost,
    /// The engine has taken other options, or can't and why, or has forgotten a game.
    Prepared(Result<(), Error>),
    /// Text from some work.
    Text(String),
    /// The work is over.
    WorkDone,
}

/// What the session is doing.
pub(super) enum State {
    /// Between two commands.
    Idle,
    /// The engine changes; the settings that hold if it can.
    Preparing(Box<Settings>),
    /// Between `go` and its answer.
    Thinking(Task),
    /// Counting or measuring; the flag ends it.
    Working(Arc<AtomicBool>),
}

/// One talk with a GUI.
pub(super) struct Session<W: Write> {
    pub(super) output: W,
    pub(super) sender: SyncSender<Input>,
    pub(super) engine: Engine,
    /// How we speak; none before the first command.
    pub(super) dialect: Option<Dialect>,
    /// What `uci` turns on.
    pub(super) uci: Dialect,
    pub(super) state: State,
    /// Commands that wait for the end of what the engine does.
    pub(super) queue: Queue,
    /// What the options say.
    pub(super) settings: Settings,
    /// It was said that there are more threads than cores.
    pub(super) warned: bool,
    /// The GUI said `quit` or left, and has heard every answer.
    pub(super) over: bool,
    /// Nothing was said since our last answer to `go`: a `stop` now has crossed it on the wire.
    pub(super) answered: bool,
    pub(super) banned: Vec<Move>,
    pub(super) manners: Manners,
    /// The opening books that are open.
    pub(super) opening: Opening,
}

/// The deepest `go perft`, in plies: deeper ones would not end.
const DEEPEST_COUNT: u32 = 60;
/// In UCCI a line is shorter than this, in bytes: GUIs have buffers of 2048.
const LONGEST_UCCI: usize = 2047;
/// The longest message, in bytes.
const LONGEST_MESSAGE: usize = 500;
impl<W: Write> Session<W> {
    /// A talk that has not begun, with an engine of the least size. What it starts says its news to `sender`.
    pub(super) fn new(output: W, sender: SyncSender<Input>, dialect: Option<Dialect>) -> io::Result<Session<W>> {
        let uci = if dialect == Some(Dialect::UciVariant) { Dialect::UciVariant } else { Dialect::Uci };
        let mut session = Session {
            output,
            sender,
            engine: Engine::new(Options { hash_mb: 1, ..Options::default() })
                .map_err(|error| io::Error::other(error.to_string()))?,
            dialect,
            uci,
            state: State::Idle,
            queue: Queue::default(),
            settings: Settings::default(),
            warned: false,
            over: false,
            answered: false,
            banned: Vec::new(),
            manners: Manners::default(),
            opening: Opening::default(),
        };
        if dialect.is_some() {
            session.prepare_first();
        }
        Ok(session)
    }

    /// Does what follows from one thing that was said.
    pub(super) fn hear(&mut self, input: Input) -> io::Result<()> {
        match input {
            Input::Gui(Heard::Line(line)) => {
                debug!("> {}", lines::shorten(&line, 1000));
                if let Some(command) = command::read(&line) {
                    self.receive(command)?;
                }
            }
            Input::Gui(Heard::TooLong) => self.complain("a line longer than 4 MB is ignored")?,
            Input::Gui(Heard::End) => {
                debug!("end of input");
                self.queue.push(Command::End);
            }
            Input::Quit => self.over = true,
            Input::Engine(event) => self.receive_event(event)?,
            Input::Lost => self.lost()?,
            Input::Prepared(done) => self.prepared(done)?,
            Input::Text(text) => self.say(&Reply::Text(text))?,
            Input::WorkDone => self.state = State::Idle,
        }
        self.work_off()
    }

    /// Ends whatever is being done, and the talk.
    pub(super) fn part(&mut self) -> io::Result<()> {
        self.engine.stop();
        if let State::Working(cancelled) = &self.state {
            cancelled.store(true, Ordering::Relaxed);
        }
        self.say(&Reply::Bye)
    }

    fn activity(&self) -> Activity {
        match &self.state {
            State::Idle => Activity::Idle,
            State::Preparing(_) => Activity::Preparing,
            State::Thinking(task) => Activity::Thinking { endless: !task.may_answer() },
            State::Working(_) => Activity::Working,
        }
    }

    /// Obeys a command, or lets it wait.
    fn receive(&mut self, command: Command) -> io::Result<()> {
        let is_handshake = matches!(command, Command::Ucci | Command::Uci | Command::Quit);
        if self.dialect.is_none() && !is_handshake {
            if let Command::Unknown(what) = command {
                debug!("ignored before the handshake: {what}");
                return Ok(());
            }
            self.dialect = Some(self.uci);
            self.prepare_first();
        }
        let activity = self.activity();
        if activity == Activity::Idle && !matches!(command, Command::Stop | Command::Unknown(_)) {
            self.answered = false;
        }
        match self.queue.receive(command, activity, self.settings.batch) {
            Step::Obey(command) => self.obey(command),
            Step::Wait => Ok(()),
            Step::EndSearch => self.end_search(),
        }
    }

    /// Obeys what waits, as far as the engine allows.
    fn work_off(&mut self) -> io::Result<()> {
        while !self.over {
            match self.queue.next(self.activity(), self.settings.batch) {
                Step::Obey(command) => self.obey(command)?,
                Step::Wait => break,
                Step::EndSearch => {
                    self.end_search()?;
                    if self.activity() != Activity::Idle {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Obeys a command now.
    fn obey(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Ucci => self.welcome(Dialect::Ucci),
            Command::Uci => self.welcome(self.uci),
            Command::IsReady => self.say(&Reply::Ready),
            Command::SetOption(change) if change.is_new_game() => {
                self.new_game();
                Ok(())
            }
            Command::NewGame => {
                self.new_game();
                Ok(())
            }
            Command::Debug(on) => {
                self.settings.debug = on;
                Ok(())
            }
            Command::SetOption(change) => self.set(&change),
            Command::Position(line) => match self.read_game(&line) {
                Ok(game) => {
                    self.engine.set_game(game);
                    self.banned.clear();
                    Ok(())
                }
                Err(fault) => self.complain(&format!("position: {fault}; the position stays as it was")),
            },
            Command::BanMoves(moves) => {
                let texts: Vec<&str> = moves.split(' ').filter(|text| !text.is_empty()).collect();
                let (legal, faults) = self.read_root_moves(&texts);
                self.banned = legal;
                faults.map_or(Ok(()), |fault| self.complain(&format!("banmoves: {fault}")))
            }
            Command::Go(go) => {
                self.go(&go)?;
                self.end_if_asked()
            }
            Command::PonderHit { draw } => self.ponder_hit(draw),
            Command::Stop => self.stop(),
            Command::Probe(line) => match line.and_then(|line| self.read_game(&line)) {
                Ok(game) => self.say(&Reply::Probed(self.engine.probe(&game))),
                Err(fault) => {
                    self.complain(&format!("probe: {fault}"))?;
                    self.say(&Reply::Probed(None))
                }
            },
            Command::Quit | Command::End => {
                self.over = true;
                Ok(())
            }
            Command::Show => self.show(),
            Command::Help => self.say(&Reply::Text(help::help())),
            Command::Explain => self.explain(),
            Command::Bench(depth) => {
                self.work(move |cancelled, tell| work::bench(depth, cancelled, tell))?;
                self.end_if_asked()
            }
            Command::Fault(fault) => self.complain(&fault),
            Command::Unknown(what) => self.remark(&format!("ignored {what}")),
        }
    }

    /// A `stop` or `quit` that waits behind other commands was sent for everything before it.
    fn end_if_asked(&mut self) -> io::Result<()> {
        if !self.settings.batch && self.queue.has_stop() { self.end_search() } else { Ok(()) }
    }

    fn welcome(&mut self, dialect: Dialect) -> io::Result<()> {
        let is_first = self.dialect.replace(dialect).is_none();
        self.say(&Reply::Welcome)?;
        if is_first {
            self.prepare_first();
        }
        Ok(())
    }

    /// The game that a line describes.
    fn read_game(&self, line: &Line) -> Result<Game, String> {
        let mut game = Game::from_fen(&line.start).map_err(|error| error.to_string())?;
        let ranks = self.dialect.unwrap_or(self.uci).ranks();
        for (index, text) in line.moves.split(' ').filter(|text| !text.is_empty()).enumerate() {
            match ranks.read(text) {
                Ok(mv) if game.position().is_legal(mv) => game.make(mv),
                _ => return Err(IllegalMove { number: index + 1, text: lines::excerpt(text) }.to_string()),
            }
        }
        Ok(game)
    }

    /// The legal moves among some texts, and what is wrong with the others.
    pub(super) fn read_root_moves(&self, texts: &[&str]) -> (Vec<Move>, Option<String>) {
        let ranks = self.dialect.unwrap_or(self.uci).ranks();
        let position = self.engine.game().position();
        let mut legal = Vec::new();
        let mut fault = None;
        for (index, text) in texts.iter().enumerate() {
            match ranks.read(text) {
                Ok(mv) if position.is_legal(mv) && !legal.contains(&mv) => legal.push(mv),
                Ok(mv) if legal.contains(&mv) => {}
                _ => {
                    let illegal = || IllegalMove { number: index + 1, text: lines::excerpt(text) };
                    fault = fault.or_else(|| Some(illegal().to_string()));
                }
            }
        }
        (legal, fault)
    }

    /// Counts the leaves of the game tree.
    pub(super) fn count(&mut self, depth: u32) -> io::Result<()> {
        if depth > DEEPEST_COUNT {
            return self.complain(&format!("go: perft is a number from 0 to {DEEPEST_COUNT}, not {depth}"));
        }
        let position: Position = self.engine.game().position().clone();
        let ranks = self.dialect.unwrap_or(self.uci).ranks();
        self.work(move |cancelled, tell| work::count(&position, depth, ranks, cancelled, tell))
    }

    /// Starts work that is no search, on a thread of its own.
    fn work(&mut self, work: impl FnOnce(&AtomicBool, &dyn Fn(String)) + Send + 'static) -> io::Result<()> {
        let cancelled = Arc::new(AtomicBool::new(false));
        self.state = State::Working(cancelled.clone());
        let to_session = self.sender.clone();
        let worker = move || {
            // No one listens after `quit`.
            let tell = |text| _ = to_session.send(Input::Text(text));
            if catch_unwind(AssertUnwindSafe(|| work(&cancelled, &tell))).is_err() {
                tell("the command has failed, which is an error in the engine".to_owned());
            }
            let _ = to_session.send(Input::WorkDone);
        };
        match machine::spawn("work", worker) {
            Ok(()) => Ok(()),
            Err(error) => {
                self.state = State::Idle;
                self.complain(&format!("can't start a thread: {error}"))
            }
        }
    }

    /// Draws the board.
    fn show(&mut self) -> io::Result<()> {
        let game = self.engine.game();
        let position = game.position();
        let last_move = game.plies().last().and_then(|ply| ply.mv);
        let style = Style { letters: true, ..Style::default() };
        let board = Picture::new(position).with_last_move(last_move).text(style);
        let text = format!("{}\nFen: {position}\nKey: {:016x}", board.trim_end(), position.key());
        self.say(&Reply::Text(text))
    }

    /// Explains the static score.
    fn explain(&mut self) -> io::Result<()> {
        let position = self.engine.game().position();
        let (table, side, score) = (handcrafted::table(position), position.side().name(), self.engine.static_score());
        self.say(&Reply::Text(format!("{table}{side} to move: {score:+} centipawns")))
    }

    /// Tells the user what is wrong.
    pub(super) fn complain(&mut self, text: &str) -> io::Result<()> {
        let text = lines::flatten(lines::shorten(text, LONGEST_MESSAGE));
        self.say(&Reply::Message(text))
    }

    /// Tells the log, and in debug mode the user.
    pub(super) fn remark(&mut self, text: &str) -> io::Result<()> {
        debug!("{text}");
        if self.settings.debug { self.complain(text) } else { Ok(()) }
    }

    /// Says it in the dialect, each line at once.
    pub(super) fn say(&mut self, reply: &Reply) -> io::Result<()> {
        let Some(dialect) = self.dialect else {
            debug!("not said before the handshake: {reply:?}");
            return Ok(());
        };
        let text = match dialect {
            Dialect::Ucci => ucci::write(reply),
            Dialect::Uci | Dialect::UciVariant => uci::write(reply, dialect),
        };
        if text.is_empty() {
            return Ok(());
        }
        let mut block = String::with_capacity(text.len() + 1);
        for line in text.split('\n') {
            let line = if dialect == Dialect::Ucci { lines::shorten(line, LONGEST_UCCI) } else { line };
            debug!("< {line}");
            block.push_str(line);
            block.push('\n');
        }
        self.output.write_all(block.as_bytes())?;
        self.output.flush()
    }
}
