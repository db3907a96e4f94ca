//! The loop: hears the GUI and the engine through one channel, and decides what happens when.
//!
//! A thread of its own reads the input, so that nothing blocks it; the search tells its events from its thread. Everything is decided
//! here, one thing after the other, so there is no race that the GUI could see but the one on the wire (see [`Session::stop`]).

use super::command::{self, Command, Line};
use super::courtesy::Manners;
use super::go::Go;
use super::lines::{self, Heard};
use super::options::{self, Setting, Value};
use super::reply::Reply;
use super::{Dialect, work};
use crate::board::{Move, Position};
use crate::engine::{Engine, Level, Options};
use crate::eval::handcrafted;
use crate::picture::{Picture, Style};
use crate::random::SplitMix64;
use crate::rules::{Game, IllegalMove, RuleSet};
use crate::score::{self, Score};
use crate::search::params::{PARAMETERS, TECHNIQUES};
use crate::search::{Bound, Conclusion, Event, Report};
use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use tracing::debug;

/// What comes through the channel.
enum Input {
    /// The GUI spoke, or left.
    Gui(Heard),
    /// The user ends the program.
    Quit,
    /// The search has news.
    Engine(Event),
    /// The search ended without an answer; this should not happen.
    Lost,
    /// Text from some work.
    Text(String),
    /// The work is over.
    WorkDone,
}

/// What the session is doing.
enum State {
    /// Before the handshake, or between two commands.
    Idle,
    /// Between `go` and its answer.
    Thinking(Task),
    /// Counting or measuring; the flag ends it.
    Working(Arc<AtomicBool>),
}

/// A search that was begun, and what its answer depends on.
#[derive(Default)]
struct Task {
    /// No answer before `ponderhit`.
    ponder: bool,
    /// No answer before `stop`.
    endless: bool,
    /// `stop` came, or another command that ends the search.
    stopped: bool,
    /// The enemy offers a draw.
    offered: bool,
    /// A score was shown.
    spoken: bool,
    /// The move at the head of the best line, if that was the last that was shown.
    shown: Option<Move>,
    /// The answer, while it may not be given.
    held: Option<Conclusion>,
}

impl Task {
    fn may_answer(&self) -> bool {
        self.stopped || !(self.ponder || self.endless)
    }
}

/// One talk with a GUI.
struct Session<W: Write> {
    output: W,
    sender: Sender<Input>,
    engine: Engine,
    /// How we speak; nothing before the handshake.
    dialect: Option<Dialect>,
    /// What `uci` turns on.
    uci: Dialect,
    state: State,
    /// Commands that wait for the end of the search, in order.
    waiting: VecDeque<Command>,
    /// The GUI said `quit` or left.
    over: bool,
    /// Nothing was said since our last answer to `go`: a `stop` now has crossed it on the wire.
    answered: bool,
    banned: Vec<Move>,
    manners: Manners,
    milliseconds: bool,
    batch: bool,
    debug: bool,
}

/// The deepest `go perft`, in plies: deeper ones would not end.
const DEEPEST_COUNT: u32 = 60;
/// In UCCI a line is shorter than this, in bytes: GUIs have buffers of 2048.
const LONGEST_UCCI: usize = 2047;
/// The longest message, in bytes.
const LONGEST_MESSAGE: usize = 500;

/// Talks with a GUI until it says `quit`, its input ends or nobody listens any more. With a dialect it speaks at once; without, the
/// first handshake decides. `give_quit` gets a function that ends the talk as `quit` does, whoever calls it and whatever else waits.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write,
    dialect: Option<Dialect>,
    give_quit: impl FnOnce(Box<dyn Fn() + Send>),
) -> io::Result<()> {
    let (sender, receiver) = mpsc::channel();
    let quits = sender.clone();
    // Nobody listens after the end.
    give_quit(Box::new(move || _ = quits.send(Input::Quit)));
    let to_session = sender.clone();
    thread::Builder::new().name("input".into()).spawn(move || listen(input, &to_session))?;
    let uci = if dialect == Some(Dialect::UciVariant) { Dialect::UciVariant } else { Dialect::Uci };
    let mut session = Session {
        output,
        sender,
        engine: Engine::new(Options { hash_mb: 1, ..Options::default() }).map_err(io::Error::other)?,
        dialect,
        uci,
        state: State::Idle,
        waiting: VecDeque::new(),
        over: false,
        answered: false,
        banned: Vec::new(),
        manners: Manners::default(),
        milliseconds: true,
        batch: false,
        debug: false,
    };
    let furnished = if dialect.is_some() { session.furnish() } else { Ok(()) };
    match furnished.and_then(|()| session.talk(&receiver)) {
        // Whoever does not listen any more has ended the talk.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Reads lines until the input ends or the session is over.
fn listen(input: impl Read, to_session: &Sender<Input>) {
    let mut input = BufReader::with_capacity(1 << 16, input);
    loop {
        let heard = lines::read(&mut input).unwrap_or_else(|error| {
            debug!("the input can't be read: {error}");
            Heard::End
        });
        let at_end = heard == Heard::End;
        if to_session.send(Input::Gui(heard)).is_err() || at_end {
            return;
        }
    }
}

/// Passes the events of a search on. If the search ends without an answer, it says that instead.
struct Listener {
    to_session: Sender<Input>,
    done: bool,
}

impl Listener {
    fn hear(&mut self, event: Event) {
        self.done |= matches!(event, Event::Done(_));
        // Nobody listens after `quit`.
        let _ = self.to_session.send(Input::Engine(event));
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if !self.done {
            let _ = self.to_session.send(Input::Lost);
        }
    }
}

impl<W: Write> Session<W> {
    fn talk(&mut self, receiver: &Receiver<Input>) -> io::Result<()> {
        while !self.over {
            // The session holds a sender itself, so the channel never closes.
            let Ok(input) = receiver.recv() else { break };
            match input {
                Input::Gui(Heard::Line(line)) => {
                    debug!("> {}", lines::shorten(&line, 1000));
                    if let Some(command) = command::read(&line) {
                        self.hear(command)?;
                    }
                }
                Input::Gui(Heard::TooLong) => self.complain("a line longer than 4 MB is ignored")?,
                Input::Gui(Heard::End) => self.hear_end(),
                Input::Quit => self.over = true,
                Input::Engine(event) => self.hear_engine(event)?,
                Input::Lost => self.lost()?,
                Input::Text(text) => self.say(&Reply::Text(text))?,
                Input::WorkDone => self.state = State::Idle,
            }
            self.work_off()?;
        }
        self.engine.stop();
        if let State::Working(cancelled) = &self.state {
            cancelled.store(true, Ordering::Relaxed);
        }
        self.say(&Reply::Bye)
    }

    fn is_busy(&self) -> bool {
        !matches!(self.state, State::Idle)
    }

    /// Decides whether a command is for now or has to wait.
    fn hear(&mut self, command: Command) -> io::Result<()> {
        let is_handshake = matches!(command, Command::Ucci | Command::Uci | Command::Quit);
        if self.dialect.is_none() && !is_handshake {
            debug!("ignored before the handshake");
            return Ok(());
        }
        if !self.is_busy() || self.batch {
            if !matches!(command, Command::Stop | Command::Unknown(_)) {
                self.answered = false;
            }
            self.waiting.push_back(command);
            return Ok(());
        }
        // `stop` and `ponderhit` are meant for the last `go` that was sent, which may be still waiting; and nobody waits for the others.
        let go_waits = self.waiting.iter().any(|command| matches!(command, Command::Go(_)));
        match command {
            Command::Stop if go_waits => {
                self.end_search()?;
                self.waiting.push_back(command);
            }
            Command::PonderHit { .. } if go_waits => self.waiting.push_back(command),
            // What shows the position waits for a position that waits.
            Command::Show | Command::Explain if !self.waiting.is_empty() => self.waiting.push_back(command),
            command if is_for_now(&command) => self.obey(command)?,
            command => self.waiting.push_back(command),
        }
        Ok(())
    }

    /// The end of the input is `quit`, in its turn where input waits.
    fn hear_end(&mut self) {
        debug!("end of input");
        if self.batch { self.waiting.push_back(Command::Quit) } else { self.over = true }
    }

    /// Obeys what waits, as far as the search allows.
    fn work_off(&mut self) -> io::Result<()> {
        while !self.over
            && let Some(command) = self.waiting.pop_front()
        {
            if !self.is_busy() || (is_for_now(&command) && !self.batch) {
                self.obey(command)?;
                continue;
            }
            // A search without an end of its own would let it wait for ever.
            let is_endless = matches!(&self.state, State::Thinking(task) if !task.may_answer());
            self.waiting.push_front(command);
            if !is_endless || self.batch {
                break;
            }
            self.end_search()?;
            if self.is_busy() {
                break;
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
            Command::NewGame => self.set(Setting::NewGame, Value::Pressed),
            Command::Debug(on) => self.set(Setting::Debug, Value::Flag(on)),
            Command::SetOption(setting, value) => self.set(setting, value),
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
                // A `stop` that waits behind other commands was sent for everything before it.
                if !self.batch && self.waiting.contains(&Command::Stop) { self.end_search() } else { Ok(()) }
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
            Command::Quit => {
                self.over = true;
                Ok(())
            }
            Command::Show => self.show(),
            Command::Explain => self.explain(),
            Command::Bench(depth) => self.work(move |_, tell| work::bench(depth, tell)),
            Command::Fault(fault) => self.complain(&fault),
            Command::Unknown(what) => self.remark(&format!("ignored {what}")),
        }
    }

    fn welcome(&mut self, dialect: Dialect) -> io::Result<()> {
        let is_first = self.dialect.replace(dialect).is_none();
        self.say(&Reply::Welcome)?;
        if is_first { self.furnish() } else { Ok(()) }
    }

    /// Gets the memory that the options ask for: after the greeting, for a GUI does not wait long for that.
    fn furnish(&mut self) -> io::Result<()> {
        match self.engine.set_options(Options::default()) {
            Ok(()) => Ok(()),
            Err(reason) => self.complain(&format!("{reason}; it has 1 MB")),
        }
    }

    /// Sets an option: of the talk, or of the engine.
    fn set(&mut self, setting: Setting, value: Value) -> io::Result<()> {
        match (setting, value) {
            (Setting::UseMilliseconds, Value::Flag(on)) => self.milliseconds = on,
            (Setting::Batch, Value::Flag(on)) => self.batch = on,
            (Setting::Debug, Value::Flag(on)) => self.debug = on,
            (Setting::OfferDraws, Value::Flag(on)) => self.manners.offers = on,
            (Setting::Resign, Value::Number(centipawns)) => self.manners.resign = centipawns as Score,
            (Setting::Variant, _) => {}
            (Setting::NewGame, _) => {
                self.engine.new_game();
                self.manners.new_game();
            }
            (setting, value) => return self.set_engine(setting, value),
        }
        Ok(())
    }

    /// Sets an option of the engine. If it can't be had, everything stays as it was.
    fn set_engine(&mut self, setting: Setting, value: Value) -> io::Result<()> {
        let mut options = self.engine.options().clone();
        match (setting, value) {
            (Setting::Ponder, Value::Flag(on)) => options.ponder = on,
            (Setting::HashSize, Value::Number(0)) => options.hash_mb = Options::default().hash_mb,
            (Setting::HashSize, Value::Number(megabytes)) => options.hash_mb = megabytes as usize,
            (Setting::Threads, Value::Number(0)) => options.threads = options::automatic_threads(),
            (Setting::Threads, Value::Number(threads)) => options.threads = threads as usize,
            (Setting::MultiPv, Value::Number(lines)) => options.multipv = lines as usize,
            (Setting::MoveOverhead, Value::Number(milliseconds)) => options.move_overhead = milliseconds,
            (Setting::Repetition, Value::Word(name)) => {
                options.rules = options::rules(name).map_or(options.rules, RuleSet::terms);
            }
            // Moves of both sides.
            (Setting::DrawMoves, Value::Number(moves)) => options.draw_plies = moves as u16 * 2,
            (Setting::Randomness, Value::Word(name)) => {
                options.randomness = options::randomness(name);
                options.seed = SplitMix64::unseeded().next();
            }
            (Setting::Level, Value::Number(number)) => {
                options.level = Level::new(number as u8).unwrap_or(options.level)
            }
            (Setting::SkillLevel, Value::Number(skill)) => options.level = Level::of_skill(skill as u8),
            (Setting::LimitStrength, Value::Flag(on)) => options.limit_strength = on,
            (Setting::Elo, Value::Number(elo)) => options.elo = elo as u32,
            (Setting::UseNnue, Value::Flag(on)) => options.use_nnue = on,
            (Setting::EvalFile, Value::Text(path)) => options.eval_file = (!path.is_empty()).then(|| path.into()),
            (Setting::Tuned(index), Value::Number(number)) => {
                options.params.numbers.set(PARAMETERS[index].name, number as i32);
            }
            (Setting::Technique(index), Value::Flag(on)) => {
                options.params.on.set(TECHNIQUES[index], on);
            }
            (setting, value) => return self.remark(&format!("{setting:?} can't be {value:?}")),
        }
        match self.engine.set_options(options) {
            Ok(()) => Ok(()),
            Err(reason) => self.complain(&format!("setoption: {reason}; everything stays as it was")),
        }
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
    fn read_root_moves(&self, texts: &[&str]) -> (Vec<Move>, Option<String>) {
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

    /// Begins to think, or to count.
    fn go(&mut self, go: &Go) -> io::Result<()> {
        for fault in &go.faults {
            self.complain(fault)?;
        }
        if let Some(depth) = go.perft {
            return self.count(depth);
        }
        let position = self.engine.game().position();
        let mut limits = go.limits(position.side(), self.milliseconds);
        let endless = go.infinite || limits.is_infinite() && go.depth != Some(0);
        if self.batch && (endless || go.ponder) {
            return self.complain("go: infinite and ponder have no end in batch mode, nothing is done");
        }
        let searchmoves: Vec<&str> = go.searchmoves.iter().map(String::as_str).collect();
        let (only, fault) = self.read_root_moves(&searchmoves);
        if let Some(fault) = fault {
            self.complain(&format!("go: searchmoves: {fault}"))?;
        }
        limits.only = only;
        limits.banned = self.banned.clone();
        self.remark(&format!("thinking with {:?}, {} banned moves", limits.time, limits.banned.len()))?;
        self.state = State::Thinking(Task { ponder: go.ponder, endless, offered: go.draw, ..Task::default() });
        if go.depth == Some(0) {
            return self.static_score();
        }
        let mut listener = Listener { to_session: self.sender.clone(), done: false };
        self.engine.go(limits, move |event| listener.hear(event));
        Ok(())
    }

    /// `go depth 0`: the static score, and no move.
    fn static_score(&mut self) -> io::Result<()> {
        let has_moves = self.engine.game().position().has_moves();
        let score = if has_moves { self.engine.static_score() } else { score::mated_in(0) };
        self.say(&Reply::Static(score))?;
        if let State::Thinking(task) = &mut self.state {
            task.spoken = true;
        }
        self.conclude(Conclusion::default())
    }

    /// The enemy has played the expected move.
    fn ponder_hit(&mut self, draw: bool) -> io::Result<()> {
        let State::Thinking(task) = &mut self.state else { return Ok(()) };
        task.ponder = false;
        task.offered |= draw;
        self.engine.ponder_hit();
        match task.held.take() {
            Some(conclusion) => self.conclude(conclusion),
            None => Ok(()),
        }
    }

    /// `stop`: ends the search. While idle UCCI answers it, so that a confused GUI does not wait for ever; but if nothing was said since
    /// our last answer, the two have crossed on the wire, and a `nobestmove` would be taken for the answer to the next `go`.
    fn stop(&mut self) -> io::Result<()> {
        match &self.state {
            State::Thinking(_) => self.end_search(),
            State::Working(cancelled) => {
                cancelled.store(true, Ordering::Relaxed);
                Ok(())
            }
            State::Idle if std::mem::take(&mut self.answered) => self.remark("a late stop"),
            State::Idle => self.say(&Reply::NothingToStop),
        }
    }

    /// Asks the search to answer now.
    fn end_search(&mut self) -> io::Result<()> {
        match &mut self.state {
            State::Thinking(task) => {
                task.stopped = true;
                match task.held.take() {
                    Some(conclusion) => self.conclude(conclusion),
                    None => {
                        self.engine.stop();
                        Ok(())
                    }
                }
            }
            State::Working(cancelled) => {
                cancelled.store(true, Ordering::Relaxed);
                Ok(())
            }
            State::Idle => Ok(()),
        }
    }

    /// News of the search.
    fn hear_engine(&mut self, event: Event) -> io::Result<()> {
        match event {
            // Scripts stumble over a line without a move.
            Event::Line(report) if report.pv.is_empty() => Ok(()),
            Event::Line(report) => {
                if let State::Thinking(task) = &mut self.state {
                    task.spoken = true;
                    task.shown = match (report.bound, report.multipv) {
                        (Bound::Exact, 1) => report.pv.first().copied(),
                        (Bound::Exact, _) => task.shown,
                        _ => None,
                    };
                }
                self.say_line(&report)
            }
            Event::Progress(progress) => {
                if let State::Thinking(task) = &mut self.state {
                    task.shown = None;
                }
                self.say(&Reply::Progress(&progress))
            }
            Event::Done(conclusion) => self.conclude(conclusion),
        }
    }

    fn say_line(&mut self, report: &Report) -> io::Result<()> {
        let several = self.engine.options().multipv > 1;
        self.say(&Reply::Line(report, several))
    }

    /// Answers `go`, or holds the answer back while it may not be given.
    fn conclude(&mut self, conclusion: Conclusion) -> io::Result<()> {
        let State::Thinking(task) = &mut self.state else { return Ok(()) };
        if !task.may_answer() {
            task.held = Some(conclusion);
            return Ok(());
        }
        let (offered, spoken, shown) = (task.offered, task.spoken, task.shown);
        self.state = State::Idle;
        self.answered = true;
        match conclusion.best {
            Some(best) => {
                // Some readers take the last line for the result: it has the score of the move that is played.
                if shown != Some(best) {
                    conclusion
                        .lines
                        .iter()
                        .filter(|line| !line.pv.is_empty())
                        .try_for_each(|line| self.say_line(line))?;
                }
                let courtesy = self.manners.answer(&conclusion, self.engine.game(), offered);
                self.say(&Reply::Best { best, ponder: conclusion.ponder, courtesy })
            }
            None => {
                if !spoken {
                    self.say(&Reply::Static(score::mated_in(0)))?;
                }
                self.say(&Reply::NoMove)
            }
        }
    }

    /// The search has failed: any move is better than none.
    fn lost(&mut self) -> io::Result<()> {
        self.complain("the search has failed, this is an error in the engine; the move is the first that is legal")?;
        let moves = self.engine.game().position().legal_moves();
        let allowed = moves.iter().find(|mv| !self.banned.contains(mv)).or(moves.first());
        self.conclude(Conclusion { best: allowed.copied(), ..Conclusion::default() })
    }

    /// Counts the leaves of the game tree.
    fn count(&mut self, depth: u32) -> io::Result<()> {
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
            // Nobody listens after `quit`.
            let tell = |text| _ = to_session.send(Input::Text(text));
            if catch_unwind(AssertUnwindSafe(|| work(&cancelled, &tell))).is_err() {
                tell("the work has failed, this is an error in the engine".to_owned());
            }
            let _ = to_session.send(Input::WorkDone);
        };
        match thread::Builder::new().name("work".into()).spawn(worker) {
            Ok(_) => Ok(()),
            Err(error) => {
                self.state = State::Idle;
                self.complain(&format!("no thread can be had: {error}"))
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
    fn complain(&mut self, text: &str) -> io::Result<()> {
        let text = lines::flatten(lines::shorten(text, LONGEST_MESSAGE));
        self.say(&Reply::Message(text))
    }

    /// Tells the log, and in debug mode the user.
    fn remark(&mut self, text: &str) -> io::Result<()> {
        debug!("{text}");
        if self.debug { self.complain(text) } else { Ok(()) }
    }

    /// Says it in the dialect, each line at once.
    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        let Some(dialect) = self.dialect else {
            debug!("not said before the handshake: {reply:?}");
            return Ok(());
        };
        let text = reply.lines(dialect);
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

/// Whether a command is obeyed while the engine thinks.
fn is_for_now(command: &Command) -> bool {
    match command {
        Command::Ucci | Command::Uci | Command::IsReady | Command::Debug(_) | Command::Quit => true,
        Command::Stop | Command::PonderHit { .. } | Command::Probe(_) => true,
        Command::Show | Command::Explain | Command::Fault(_) | Command::Unknown(_) => true,
        Command::NewGame | Command::SetOption(..) | Command::Position(_) | Command::BanMoves(_) => false,
        Command::Go(_) | Command::Bench(_) => false,
    }
}
