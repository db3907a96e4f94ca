//! Connection to a running engine: communicates in the engine's dialect and distinguishes all kinds of
//! failure.

use super::claim::Thought;
use super::dialect::{Answer, Clocks, Requests, is_answer};
use super::fault::{EngineFault, NoAnswer, NoStart};
use super::offer::{Offer, Warning};
use super::player::{Limit, Player};
use super::transcript::Transcript;
use super::wire::{Reading, Wire};
use chuhe_board::rules::{Game, Terms, Verdict, judge};
use chuhe_board::{Move, Side};
use chuhe_engine::protocol::Dialect;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Maximum output per move in bytes; more output counts as a flood.
const FLOOD: u64 = 32 << 20;
/// Grace period before a program that has exceeded its time is killed.
const GRACE: Duration = Duration::from_millis(1000);
/// Interval between checks for a stop request during a search.
const GLANCE: Duration = Duration::from_millis(20);
/// If the match receives a stop request within this time after a program ends, the request is considered the
/// cause, since Slurm, systemd and a system shutdown signal all processes at once.
const MOMENT: Duration = Duration::from_millis(500);

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
    pub fn start(player: &Player, log: &mut Transcript, stop: &AtomicBool) -> Result<Client, NoAnswer> {
        let wire = start_program(player)?;
        let mut client = Client {
            wire,
            name: player.name.clone(),
            dialect: Dialect::Ucci,
            identity: String::new(),
            offered: Vec::new(),
            warnings: Vec::new(),
            answers_isready: true,
            in_step: true,
            pondering: None,
        };
        match client.handshake(player, log, stop) {
            Ok(()) => Ok(client),
            Err(NoAnswer::Fault(fault)) => {
                if let EngineFault::NoStart(why) = &fault {
                    log.remark(&player.name, &why.to_string());
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
    pub(super) fn line(
        &mut self,
        deadline: Instant,
        written_before: u64,
        log: &mut Transcript,
        stop: &AtomicBool,
    ) -> Result<Option<(String, Instant)>, NoAnswer> {
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(NoAnswer::Stopped);
            }
            if self.wire.written() - written_before > FLOOD {
                log.remark(&self.name, "sends too much output");
                return Err(EngineFault::Flood.into());
            }
            // Waits are short, so that stop requests and endless lines are noticed.
            let until = deadline.min(Instant::now() + Duration::from_millis(50));
            match self.wire.read(until) {
                Reading::Line(line) => {
                    log.add(&self.name, if line.is_error { '!' } else { '<' }, &line.text, line.at);
                    if line.at > deadline {
                        // After the deadline, only a reply to the search is returned; its arrival time
                        // indicates the delay.
                        return Ok((!line.is_error && is_answer(&line.text)).then_some((line.text, line.at)));
                    }
                    if !line.is_error {
                        return Ok(Some((line.text, line.at)));
                    }
                }
                Reading::Closed => {
                    let how = self.wire.ending();
                    if stops_within(MOMENT, stop) {
                        return Err(NoAnswer::Stopped);
                    }
                    log.remark(&self.name, &format!("has ended: {how}"));
                    return Err(EngineFault::Crash(how).into());
                }
                Reading::Silence if Instant::now() >= deadline => return Ok(None),
                Reading::Silence => {}
            }
        }
    }

    fn wait_until_ready(
        &mut self,
        patience: Duration,
        log: &mut Transcript,
        stop: &AtomicBool,
    ) -> Result<(), NoAnswer> {
        if !self.answers_isready {
            return Ok(());
        }
        self.send("isready", log);
        let (deadline, before) = (Instant::now() + patience, self.wire.written());
        while let Some((text, _)) = self.line(deadline, before, log, stop)? {
            if text.trim() == "readyok" {
                self.in_step = true;
                return Ok(());
            }
        }
        log.remark(&self.name, "does not answer isready");
        Err(EngineFault::Hang.into())
    }

    /// Announces a new game to the engine.
    ///
    /// # Errors
    /// Returns an error on a crash, a timeout or a flood, or if the match is being stopped.
    pub fn new_game(&mut self, player: &Player, log: &mut Transcript, stop: &AtomicBool) -> Result<(), NoAnswer> {
        self.end_pondering(player, log, stop)?;
        self.send(self.dialect.new_game(), log);
        self.wait_until_ready(player.patience, log, stop)
    }

    /// Returns `true` if the engine can be used for another game.
    pub(crate) fn is_in_step(&self) -> bool {
        self.in_step
    }

    /// Starts pondering on the reply `expected`, unless it is illegal or ends the game under `terms`.
    pub fn ponder(
        &mut self,
        player: &Player,
        game: &Game,
        expected: Move,
        terms: Terms,
        clocks: &Clocks,
        log: &mut Transcript,
    ) {
        let side = !game.position().side();
        let mut after = game.clone();
        if after.try_make(expected).is_err() || judge(&after, terms) != Verdict::Open {
            return;
        }
        let lines = [self.dialect.position(&after), self.dialect.go_ponder(player, side, clocks)];
        lines.iter().for_each(|line| self.send(line, log));
        self.pondering = Some(after);
    }

    /// Stops pondering and discards the reply.
    fn end_pondering(&mut self, player: &Player, log: &mut Transcript, stop: &AtomicBool) -> Result<(), NoAnswer> {
        if self.pondering.take().is_none() {
            return Ok(());
        }
        self.send("stop", log);
        let (deadline, before) = (Instant::now() + player.patience, self.wire.written());
        while let Some((text, _)) = self.line(deadline, before, log, stop)? {
            if is_answer(&text) {
                return Ok(());
            }
        }
        log.remark(&self.name, "does not stop pondering");
        Err(EngineFault::Hang.into())
    }

    /// Requests a move. `offered` is `true` if the opponent offers a draw.
    ///
    /// # Errors
    /// Returns the player's fault, or an error if the match is being stopped.
    pub fn request_move(
        &mut self,
        player: &Player,
        game: &Game,
        clocks: &Clocks,
        offered: bool,
        log: &mut Transcript,
        stop: &AtomicBool,
    ) -> Result<(Answer, Thought), NoAnswer> {
        let side = game.position().side();
        let last = |game: &Game| game.plies().last().and_then(|ply| ply.mv);
        let is_hit = self.pondering.as_ref().is_some_and(|expected| last(expected) == last(game));
        let go = if is_hit {
            self.pondering = None;
            if offered && self.dialect == Dialect::Ucci { "ponderhit draw".to_owned() } else { "ponderhit".to_owned() }
        } else {
            self.end_pondering(player, log, stop)?;
            // Late output from the previous search must not be mistaken for a reply to this search.
            self.wait_until_ready(player.patience, log, stop)?;
            let position = self.dialect.position(game);
            self.send(&position, log);
            self.dialect.go(player, side, clocks, offered)
        };
        let before = self.wire.written();
        let start = Instant::now();
        self.send(&go, log);
        let deadline = start + allowed_time(player, clocks, side);
        let mut thought = Thought::default();
        while let Some((text, at)) = self.line(deadline, before, log, stop)? {
            // Some engines reply when pondering ends, instead of waiting for `ponderhit`.
            if is_answer(&text) && at < start && !is_hit {
                log.remark(&self.name, "answered too early; not counted");
            } else if is_answer(&text) {
                thought.time = at.saturating_duration_since(start);
                if at > deadline {
                    // The reply arrived after the deadline.
                    self.in_step = true;
                    return Err(EngineFault::Late(at - deadline).into());
                }
                return Ok((self.dialect.read_answer(&text, game)?, thought));
            } else {
                thought.receive(&text);
            }
        }
        Err(self.stop_late_search(player, deadline, before, log, stop))
    }

    /// Stops a search that has missed its deadline. The engine can then be used for another game if it
    /// replies. Returns the player's fault.
    fn stop_late_search(
        &mut self,
        player: &Player,
        deadline: Instant,
        before: u64,
        log: &mut Transcript,
        stop: &AtomicBool,
    ) -> NoAnswer {
        self.in_step = false;
        self.send("stop", log);
        let end = Instant::now() + GRACE.min(player.patience);
        loop {
            match self.line(end, before, log, stop) {
                Ok(Some((text, at))) if is_answer(&text) => {
                    // A reply that crossed `stop` may be followed by another reply.
                    match self.wait_until_ready(GRACE.min(player.patience), log, stop) {
                        Ok(()) => self.in_step = self.answers_isready,
                        Err(NoAnswer::Fault(_)) => self.in_step = false,
                        Err(other) => return other,
                    }
                    return EngineFault::Late(at.saturating_duration_since(deadline)).into();
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
        player: &Player,
        game: &Game,
        go: &str,
        on_line: &mut dyn FnMut(Option<&str>) -> bool,
        log: &mut Transcript,
        stop: &AtomicBool,
    ) -> Result<Answer, NoAnswer> {
        self.wait_until_ready(player.patience, log, stop)?;
        let position = self.dialect.position(game);
        self.send(&position, log);
        let before = self.wire.written();
        self.send(go, log);
        let mut end = None;
        loop {
            let now = Instant::now();
            if on_line(None) && end.is_none() {
                self.send("stop", log);
                end = Some(now + player.patience);
            }
            match self.line((now + GLANCE).min(end.unwrap_or(now + GLANCE)), before, log, stop)? {
                Some((text, _)) if is_answer(&text) => return Ok(self.dialect.read_answer(&text, game)?),
                Some((text, _)) => {
                    on_line(Some(&text));
                }
                None if end.is_some_and(|end| now >= end) => return Err(EngineFault::Hang.into()),
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
        let mut client = Client::start(&player, &mut log, &AtomicBool::new(false)).expect("it starts");
        client.ponder(&player, &game, expected, terms, &Clocks::default(), &mut log);
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
