//! Connection to a running engine: communicates in the engine's dialect and distinguishes all kinds of
//! failure.

use super::claim::Thought;
use super::dialect::{Answer, Clocks, Requests, is_answer};
use super::fault::{EngineFault, NoAnswer, NoStart};
use super::offer::{Offer, Warning};
use super::player::{Limit, Player};
use super::transcript::Transcript;
use super::wire::{Line, Reading, Wire};
use chuhe_board::rules::{Game, Terms, Verdict, judge};
use chuhe_board::{Move, Side};
use chuhe_engine::protocol::Dialect;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Maximum output per move in bytes; more output counts as a flood.
const MAX_OUTPUT: u64 = 32 << 20;
/// Grace period before a program that has exceeded its time is killed.
const GRACE_TIME: Duration = Duration::from_millis(1000);
/// Interval between checks for a stop request during a search.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(20);
/// If the match receives a stop request within this time after a program ends, the request is considered the
/// cause, since Slurm, systemd and a system shutdown signal all processes at once.
const STOP_SIGNAL_TIME: Duration = Duration::from_millis(500);

/// Context of the requests to a player's program.
#[derive(Debug)]
pub struct Session<'s> {
    /// Player.
    pub player: &'s Player,
    /// Transcript of the communication.
    pub log: &'s mut Transcript,
    /// Flag that is set to stop the match.
    pub stop: &'s AtomicBool,
}

/// A running engine.
#[derive(Debug)]
pub struct Client {
    pub(super) wire: Wire,
    name: String,
    pub(super) dialect: Dialect,
    /// Name reported by the engine.
    pub identity: String,
    /// Offered options.
    pub offered: Vec<Offer>,
    /// Warnings about the options.
    pub warnings: Vec<Warning>,
    pub(super) answers_isready: bool,
    /// `true` if no stale reply can still arrive.
    in_step: bool,
    /// Game including the expected reply; `None` unless the engine is pondering.
    pondering: Option<Game>,
}

impl Client {
    /// Starts a player's program, performs the handshake and sets its options.
    ///
    /// # Errors
    /// Returns [`EngineFault::NoStart`] if the program does not start or rejects an option, or an error if
    /// the system is exhausted or the match is being stopped.
    pub fn start(session: &mut Session) -> Result<Client, NoAnswer> {
        let wire = start_program(session.player)?;
        let mut client = Client {
            wire,
            name: session.player.name.clone(),
            dialect: Dialect::Ucci,
            identity: String::new(),
            offered: Vec::new(),
            warnings: Vec::new(),
            answers_isready: true,
            in_step: true,
            pondering: None,
        };
        match client.handshake(session) {
            Ok(()) => Ok(client),
            Err(NoAnswer::Fault(fault)) => {
                if let EngineFault::NoStart(why) = &fault {
                    session.log.remark(&session.player.name, &why.to_string());
                }
                Err(fault.at_start().into())
            }
            Err(other) => Err(other),
        }
    }

    /// Sets an option, or presses a button if `value` is `None`.
    pub fn set_option(&mut self, name: &str, value: Option<&str>, log: &mut Transcript) {
        let line = self.dialect.set_option(name, value);
        self.send(&line, log);
    }

    pub(super) fn send(&mut self, line: &str, log: &mut Transcript) {
        log.add(&self.name, '>', line, Instant::now());
        self.wire.send(line);
    }

    /// Returns the next line of standard output before the deadline, with its arrival time.
    pub(super) fn next_line(
        &mut self,
        deadline: Instant,
        written_before: u64,
        session: &mut Session,
    ) -> Result<Option<(String, Instant)>, NoAnswer> {
        loop {
            // Waits are short, so that stop requests and endless lines are noticed.
            let until = deadline.min(Instant::now() + Duration::from_millis(50));
            match self.read_line(until, written_before, session)? {
                // After the deadline, only a reply to the search is returned; its arrival time indicates the
                // delay.
                Some(line) if line.at > deadline => {
                    return Ok((!line.is_error && is_answer(&line.text)).then_some((line.text, line.at)));
                }
                Some(line) if !line.is_error => return Ok(Some((line.text, line.at))),
                None if Instant::now() >= deadline => return Ok(None),
                Some(_) | None => {}
            }
        }
    }

    /// Returns the next line of standard output or error that arrives in time; a line may be returned shortly
    /// after `until`.
    fn read_line(
        &mut self,
        until: Instant,
        written_before: u64,
        session: &mut Session,
    ) -> Result<Option<Line>, NoAnswer> {
        if session.stop.load(Ordering::Relaxed) {
            return Err(NoAnswer::Stopped);
        }
        if self.wire.written() - written_before > MAX_OUTPUT {
            session.log.remark(&self.name, "sends too much output");
            return Err(EngineFault::Flood.into());
        }
        match self.wire.read(until) {
            Reading::Line(line) => {
                session.log.add(&self.name, if line.is_error { '!' } else { '<' }, &line.text, line.at);
                Ok(Some(line))
            }
            Reading::Closed => {
                let how = self.wire.wait_for_exit();
                if stops_within(STOP_SIGNAL_TIME, session.stop) {
                    return Err(NoAnswer::Stopped);
                }
                session.log.remark(&self.name, &format!("has ended: {how}"));
                Err(EngineFault::Crash(how).into())
            }
            Reading::Silence => Ok(None),
        }
    }

    fn wait_until_ready(&mut self, patience: Duration, session: &mut Session) -> Result<(), NoAnswer> {
        if !self.answers_isready {
            return Ok(());
        }
        self.send("isready", session.log);
        let (deadline, before) = (Instant::now() + patience, self.wire.written());
        while let Some((text, _)) = self.next_line(deadline, before, session)? {
            if text.trim() == "readyok" {
                self.in_step = true;
                return Ok(());
            }
        }
        session.log.remark(&self.name, "does not answer isready");
        Err(EngineFault::Hang.into())
    }

    /// Announces a new game to the engine.
    ///
    /// # Errors
    /// Returns an error on a crash, a timeout or a flood, or if the match is being stopped.
    pub fn new_game(&mut self, session: &mut Session) -> Result<(), NoAnswer> {
        self.end_pondering(session)?;
        self.send(self.dialect.new_game(), session.log);
        self.wait_until_ready(session.player.patience, session)
    }

    /// Returns `true` if the engine can be used for another game.
    pub(crate) fn is_in_step(&self) -> bool {
        self.in_step
    }

    /// Starts pondering on the reply `expected`, unless it is illegal or ends the game under `terms`.
    pub fn ponder(&mut self, game: &Game, expected: Move, terms: Terms, clocks: &Clocks, session: &mut Session) {
        let side = !game.position().side();
        let mut after = game.clone();
        if after.try_make(expected).is_err() || judge(&after, terms) != Verdict::Open {
            return;
        }
        let lines = [self.dialect.position(&after), self.dialect.go_ponder(session.player, side, clocks)];
        lines.iter().for_each(|line| self.send(line, session.log));
        self.pondering = Some(after);
    }

    /// Stops pondering and discards the reply.
    fn end_pondering(&mut self, session: &mut Session) -> Result<(), NoAnswer> {
        if self.pondering.take().is_none() {
            return Ok(());
        }
        self.send("stop", session.log);
        let (deadline, before) = (Instant::now() + session.player.patience, self.wire.written());
        while let Some((text, _)) = self.next_line(deadline, before, session)? {
            if is_answer(&text) {
                return Ok(());
            }
        }
        session.log.remark(&self.name, "does not stop pondering");
        Err(EngineFault::Hang.into())
    }

    /// Requests a move. `offered` is `true` if the opponent offers a draw.
    ///
    /// # Errors
    /// Returns the player's fault, or an error if the match is being stopped.
    pub fn request_move(
        &mut self,
        game: &Game,
        clocks: &Clocks,
        offered: bool,
        session: &mut Session,
    ) -> Result<(Answer, Thought), NoAnswer> {
        let side = game.position().side();
        let last = |game: &Game| game.plies().last().and_then(|ply| ply.mv);
        let is_hit = self.pondering.as_ref().is_some_and(|expected| last(expected) == last(game));
        let go = if is_hit {
            self.pondering = None;
            if offered && self.dialect == Dialect::Ucci { "ponderhit draw".to_owned() } else { "ponderhit".to_owned() }
        } else {
            self.end_pondering(session)?;
            // Late output from the previous search must not be mistaken for a reply to this search.
            self.wait_until_ready(session.player.patience, session)?;
            let position = self.dialect.position(game);
            self.send(&position, session.log);
            self.dialect.go(session.player, side, clocks, offered)
        };
        let before = self.wire.written();
        let start = Instant::now();
        self.send(&go, session.log);
        let deadline = start + allowed_time(session.player, clocks, side);
        let mut thought = Thought::default();
        while let Some((text, at)) = self.next_line(deadline, before, session)? {
            // Some engines reply when pondering ends, instead of waiting for `ponderhit`.
            if is_answer(&text) && at < start && !is_hit {
                session.log.remark(&self.name, "answered too early; not counted");
            } else if is_answer(&text) {
                thought.time = at.saturating_duration_since(start);
                if at > deadline {
                    // The reply arrived after the deadline.
                    self.in_step = true;
                    return Err(EngineFault::Late(at - deadline + session.player.margin).into());
                }
                return Ok((self.dialect.read_answer(&text, game)?, thought));
            } else {
                thought.receive(&text);
            }
        }
        Err(self.stop_late_search(deadline, before, session))
    }

    /// Stops a search that has missed its deadline. The engine can then be used for another game if it
    /// replies. Returns the player's fault.
    fn stop_late_search(&mut self, deadline: Instant, before: u64, session: &mut Session) -> NoAnswer {
        self.in_step = false;
        self.send("stop", session.log);
        let end = Instant::now() + GRACE_TIME.min(session.player.patience);
        loop {
            match self.next_line(end, before, session) {
                Ok(Some((text, at))) if is_answer(&text) => {
                    // A reply that crossed `stop` may be followed by another reply.
                    match self.wait_until_ready(GRACE_TIME.min(session.player.patience), session) {
                        Ok(()) => self.in_step = self.answers_isready,
                        Err(NoAnswer::Fault(_)) => self.in_step = false,
                        Err(other) => return other,
                    }
                    return EngineFault::Late(at.saturating_duration_since(deadline) + session.player.margin).into();
                }
                Ok(Some(_)) => {}
                Ok(None) => return EngineFault::Hang.into(),
                Err(error) => return error,
            }
        }
    }

    /// Sends `go` (formatted by [`Dialect::go`]) and waits for the move. `on_line` is called with each line,
    /// and regularly with `None`; the search is stopped if it returns `true` for `None`. The caller is
    /// responsible for time limits.
    ///
    /// # Errors
    /// Returns the player's fault, or an error if the match is being stopped.
    pub fn search(
        &mut self,
        game: &Game,
        go: &str,
        on_line: &mut dyn FnMut(Option<&str>) -> bool,
        session: &mut Session,
    ) -> Result<Answer, NoAnswer> {
        self.wait_until_ready(session.player.patience, session)?;
        let position = self.dialect.position(game);
        self.send(&position, session.log);
        let before = self.wire.written();
        self.send(go, session.log);
        let mut end = None;
        loop {
            let now = Instant::now();
            if end.is_some_and(|end| now >= end) {
                return Err(EngineFault::Hang.into());
            }
            if on_line(None) && end.is_none() {
                self.send("stop", session.log);
                end = Some(now + session.player.patience);
            }
            let next_check = now + STOP_CHECK_INTERVAL;
            match self.read_line(next_check.min(end.unwrap_or(next_check)), before, session)? {
                Some(line) if line.is_error => {}
                Some(line) if is_answer(&line.text) => return Ok(self.dialect.read_answer(&line.text, game)?),
                Some(line) => _ = on_line(Some(&line.text)),
                None => {}
            }
        }
    }

    /// Returns the dialect.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Ends the program with `quit`, and kills it if it does not exit in time.
    pub fn end(self) {
        self.wire.end(Duration::from_millis(500));
    }
}

/// Returns the time within which a move must arrive.
fn allowed_time(player: &Player, clocks: &Clocks, side: Side) -> Duration {
    match (player.limit, clocks.0[side.index()]) {
        (Limit::Clock { .. }, Some(clock)) => clock.left + player.margin,
        (Limit::MoveTime(time), _) => time + player.margin,
        _ => player.patience,
    }
}

pub(super) fn start_program(player: &Player) -> Result<Wire, NoAnswer> {
    Wire::start(&player.command, player.directory.as_deref(), &player.cores).map_err(|error| {
        let (program, text) = (player.command[0].clone(), error.to_string());
        if is_exhaustion(&error) {
            return NoAnswer::Exhausted(format!("{program}: {text}"));
        }
        EngineFault::NoStart(NoStart::System { program, kind: error.kind(), text }).into()
    })
}

/// Waits up to `time` for a stop request; returns `true` if there was one.
fn stops_within(time: Duration, stop: &AtomicBool) -> bool {
    let deadline = Instant::now() + time;
    while !stop.load(Ordering::Relaxed) {
        if Instant::now() >= deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

/// Returns `true` if the error means that the system has run out of processes, threads, files or memory.
fn is_exhaustion(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{OutOfMemory, WouldBlock};
    // EMFILE and ENFILE have no `ErrorKind`.
    matches!(error.kind(), OutOfMemory | WouldBlock) || (cfg!(unix) && matches!(error.raw_os_error(), Some(23 | 24)))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use chuhe_board::Position;

    /// Returns `true` if a player ponders, under these terms, on the last of `plies` moves of rooks that move
    /// back and forth.
    fn ponders(plies: usize, terms: Terms) -> bool {
        let script =
            "while read word; do case $word in ucci) echo ucciok;; isready) echo readyok;; quit) exit;; esac; done";
        let player: Player = "cmd=sh,protocol=ucci,patience=20,tc=60,ponder=true".parse().expect("a player");
        let player = Player { command: vec!["sh".into(), "-c".into(), script.into()], ..player };
        let (mut log, mut game) = (Transcript::default(), Game::new(Position::start()));
        let mut moves = ["a0a1", "a9a8", "a1a0", "a8a9"].map(|mv| mv.parse().expect("a move")).into_iter().cycle();
        moves.by_ref().take(plies - 1).for_each(|mv| game.make(mv));
        let expected = moves.next().expect("a move");
        let mut session = Session { player: &player, log: &mut log, stop: &AtomicBool::new(false) };
        let mut client = Client::start(&mut session).expect("it starts");
        client.ponder(&game, expected, terms, &Clocks::default(), &mut session);
        client.end();
        log.text().contains("go ponder")
    }

    #[test]
    fn a_player_ponders_on_moves_that_do_not_end_the_game_by_the_rules_of_the_match() {
        let folds = |folds| Terms::default().with_folds(folds);
        assert_eq!([ponders(4, folds(2)), ponders(4, folds(3))], [false, true]);
        assert_eq!([ponders(8, folds(3)), ponders(8, folds(4))], [false, true]);
    }
}
