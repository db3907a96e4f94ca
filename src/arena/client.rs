//! A running engine as the match sees it: asked for moves in its own dialect, with every way in which it can fail told apart.

use super::player::{Limit, Player, Protocol};
use super::transcript::Transcript;
use super::wire::{Reading, Wire};
use crate::board::{Move, Side};
use crate::rules::Game;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// More bytes than this for one move are a flood, not an answer.
const FLOOD: u64 = 32 << 20;
/// How long a program has to answer `ucci` before `uci` is tried.
const FIRST_WORD: Duration = Duration::from_secs(3);
/// How long a program that has lost on time has to come back to its senses before it is killed.
const GRACE: Duration = Duration::from_millis(1000);

/// How a player failed. All of these lose the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The program can't be started, or does not come through its handshake.
    NoStart(String),
    /// The program ended: how.
    Crash(String),
    /// No answer, even after `stop`.
    Hang,
    /// The answer came after the time was up: so much too late.
    Late(Duration),
    /// More output than anybody could read.
    Flood,
    /// The answer is no move: its text.
    Garbage(String),
    /// The answer is a move that is not legal: its text.
    Illegal(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fault::NoStart(why) => write!(f, "does not start: {why}"),
            Fault::Crash(how) => write!(f, "crashed: {how}"),
            Fault::Hang => write!(f, "hangs: no answer"),
            Fault::Late(by) => write!(f, "loses on time: answered {:.0} ms too late", by.as_secs_f64() * 1000.0),
            Fault::Flood => write!(f, "floods its output"),
            Fault::Garbage(text) => write!(f, "answers {text:?}, which is no move"),
            Fault::Illegal(text) => write!(f, "plays {text}, which is not legal"),
        }
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoAnswer {
    /// The player's fault.
    Fault(Fault),
    /// The match is being stopped.
    Stopped,
}

impl From<Fault> for NoAnswer {
    fn from(fault: Fault) -> NoAnswer {
        NoAnswer::Fault(fault)
    }
}

/// What a player said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A legal move, perhaps with an offer of a draw (which also accepts the enemy's).
    Move {
        /// The move.
        mv: Move,
        /// Whether `draw` followed it.
        draw: bool,
    },
    /// It gives up.
    Resigns,
}

/// What a player said about its search, as far as it did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// From the mover's view.
    pub score: Option<Claim>,
    /// Plies.
    pub depth: Option<u32>,
    /// All nodes of the search.
    pub nodes: Option<u64>,
    /// As the match measured it.
    pub time: Duration,
}

/// A player's own score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// In the player's own unit.
    Points(i32),
    /// Mate in so many moves; negative: being mated.
    Mate(i32),
}

impl Claim {
    /// A number to compare with others: a mate is 30,000 less its distance.
    pub fn points(self) -> i32 {
        match self {
            Claim::Points(points) => points,
            Claim::Mate(moves) if moves > 0 => 30_000 - moves.min(1000),
            Claim::Mate(moves) => -30_000 - moves.max(-1000),
        }
    }
}

/// As records show it: `+35`, `M5`, `-M3`.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Claim::Points(points) => write!(f, "{points:+}"),
            Claim::Mate(moves) if *moves < 0 => write!(f, "-M{}", moves.unsigned_abs()),
            Claim::Mate(moves) => write!(f, "M{moves}"),
        }
    }
}

/// The clocks before a move, by side; `None` for a side that plays without one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clocks(pub [Option<Clock>; 2]);

/// One side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until time is added, if it ever is.
    pub moves: Option<u32>,
}

/// A running engine.
#[derive(Debug)]
pub struct Client {
    wire: Wire,
    name: String,
    dialect: Dialect,
    /// What it calls itself.
    pub identity: String,
    /// The names of the options that it offers.
    pub offered: Vec<String>,
    answers_isready: bool,
    seconds: bool,
    /// Nothing that it says may be an answer to an earlier question.
    in_step: bool,
}

/// The dialect in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Dialect {
    Ucci,
    Uci,
    UciVariant,
}

impl Client {
    /// Starts a player's program, greets it and sets its options.
    ///
    /// # Errors
    /// [`Fault::NoStart`], or the match is being stopped.
    pub fn start(player: &Player, log: &mut Transcript, stop: &AtomicBool) -> Result<Client, NoAnswer> {
        let wire = Wire::start(&player.command, player.directory.as_deref())
            .map_err(|error| Fault::NoStart(format!("{}: {error}", player.command[0])))?;
        let mut client = Client {
            wire,
            name: player.name.clone(),
            dialect: Dialect::Ucci,
            identity: String::new(),
            offered: Vec::new(),
            answers_isready: true,
            seconds: player.seconds,
            in_step: true,
        };
        match client.greet(player, log, stop) {
            Ok(()) => Ok(client),
            Err(NoAnswer::Fault(Fault::NoStart(why))) => {
                log.remark(&player.name, &why);
                Err(Fault::NoStart(why).into())
            }
            Err(NoAnswer::Fault(fault)) => Err(Fault::NoStart(fault.to_string()).into()),
            Err(NoAnswer::Stopped) => Err(NoAnswer::Stopped),
        }
    }

    fn greet(&mut self, player: &Player, log: &mut Transcript, stop: &AtomicBool) -> Result<(), NoAnswer> {
        let patience = player.patience.min(Duration::from_secs(10));
        let mut variants = false;
        let spoken = match player.protocol {
            Protocol::Ucci => self.say_hello("ucci", patience, &mut variants, log, stop)?,
            Protocol::Uci | Protocol::UciVariant => self.say_hello("uci", patience, &mut variants, log, stop)?,
            Protocol::Auto => {
                self.say_hello("ucci", patience.min(FIRST_WORD), &mut variants, log, stop)?
                    || self.say_hello("uci", patience, &mut variants, log, stop)?
            }
        };
        if !spoken {
            return Err(Fault::NoStart("no answer to its handshake".to_string()).into());
        }
        if player.protocol == Protocol::UciVariant
            || (self.dialect == Dialect::Uci && variants && player.protocol == Protocol::Auto)
        {
            self.dialect = Dialect::UciVariant;
            self.set_option("UCI_Variant", Some("xiangqi"), log);
        }
        if self.dialect == Dialect::Ucci {
            self.set_option("usemillisec", Some(if player.seconds { "false" } else { "true" }), log);
        }
        for (names, value) in [(["hashsize", "Hash"], player.hash), (["threads", "Threads"], player.threads)] {
            if let Some(value) = value {
                let own = if self.dialect == Dialect::Ucci { names[0] } else { names[1] };
                let offered = self.offered.iter().find(|offered| offered.eq_ignore_ascii_case(own));
                let name = offered.or_else(|| self.offered.iter().find(|offered| names.contains(&offered.as_str())));
                let name = name.cloned().unwrap_or_else(|| own.to_string());
                self.set_option(&name, Some(&value.to_string()), log);
            }
        }
        for (name, value) in &player.options {
            self.set_option(name, (!value.is_empty()).then_some(value), log);
        }
        // The league asks nobody for `isready`: whoever does not answer it once is not asked again.
        let known = self.dialect != Dialect::Ucci;
        let waited = if known { patience } else { patience.min(FIRST_WORD) };
        match self.wait_until_ready(waited, log, stop) {
            Err(NoAnswer::Fault(Fault::Hang)) if !known => self.answers_isready = false,
            other => other?,
        }
        Ok(())
    }

    /// Says `ucci` or `uci` and reads until the answer's end; false if it isn't understood.
    fn say_hello(
        &mut self,
        word: &str,
        patience: Duration,
        variants: &mut bool,
        log: &mut Transcript,
        stop: &AtomicBool,
    ) -> Result<bool, NoAnswer> {
        self.dialect = if word == "ucci" { Dialect::Ucci } else { Dialect::Uci };
        self.offered.clear();
        self.send(word, log);
        let done = format!("{word}ok");
        let deadline = Instant::now() + patience;
        let before = self.wire.written();
        loop {
            let Some(line) = self.line(deadline, before, log, stop)? else { return Ok(false) };
            let words: Vec<&str> = line.0.split_whitespace().collect();
            match words[..] {
                [first, ..] if first == done => return Ok(true),
                ["id", "name", ..] => self.identity = words[2..].join(" "),
                ["id", "version", ..] => self.identity += &format!(" {}", words[2..].join(" ")),
                ["option", "name", ..] => {
                    let end = words.iter().position(|word| *word == "type").unwrap_or(words.len());
                    let name = words[2..end.max(2)].join(" ");
                    *variants |= name == "UCI_Variant" && words.contains(&"xiangqi");
                    self.offer(name);
                }
                ["option", name, ..] => self.offer(name.to_string()),
                _ if word == "ucci" && line.0.to_ascii_lowercase().starts_with("unknown command") => return Ok(false),
                _ => {}
            }
        }
    }

    /// A handshake without an end must not fill the memory.
    fn offer(&mut self, name: String) {
        if self.offered.len() < 1000 {
            self.offered.push(name);
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>, log: &mut Transcript) {
        let line = match (self.dialect, value) {
            (Dialect::Ucci, Some(value)) => format!("setoption {name} {value}"),
            (Dialect::Ucci, None) => format!("setoption {name}"),
            (_, Some(value)) => format!("setoption name {name} value {value}"),
            (_, None) => format!("setoption name {name}"),
        };
        self.send(&line, log);
    }

    fn send(&mut self, line: &str, log: &mut Transcript) {
        log.add(&self.name, '>', line, Instant::now());
        self.wire.send(line);
    }

    /// The next line of standard output until the deadline, and when it came.
    fn line(
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
                log.remark(&self.name, "floods its output");
                return Err(Fault::Flood.into());
            }
            // Short waits, so that a stop is seen, and a line that never ends.
            let until = deadline.min(Instant::now() + Duration::from_millis(50));
            match self.wire.read(until) {
                Reading::Line(line) => {
                    log.add(&self.name, if line.is_error { '!' } else { '<' }, &line.text, line.at);
                    if line.at > deadline {
                        // Only an answer is still worth something: it tells how late it is.
                        return Ok((!line.is_error && is_answer(&line.text)).then_some((line.text, line.at)));
                    }
                    if !line.is_error {
                        return Ok(Some((line.text, line.at)));
                    }
                }
                Reading::Closed => {
                    let how = self.wire.ending();
                    log.remark(&self.name, &format!("has ended: {how}"));
                    return Err(Fault::Crash(how).into());
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
        Err(Fault::Hang.into())
    }

    /// Tells the engine that a new game begins.
    ///
    /// # Errors
    /// A crash, a hang or a flood; or the match is being stopped.
    pub fn new_game(&mut self, player: &Player, log: &mut Transcript, stop: &AtomicBool) -> Result<(), NoAnswer> {
        match self.dialect {
            Dialect::Ucci => self.set_option("newgame", None, log),
            _ => self.send("ucinewgame", log),
        }
        self.wait_until_ready(player.patience, log, stop)
    }

    /// Whether it can be used for another game.
    pub fn is_in_step(&self) -> bool {
        self.in_step
    }

    /// Asks for a move. `offered` tells that the enemy offers a draw.
    ///
    /// # Errors
    /// How the player failed, or the match is being stopped.
    pub fn think(
        &mut self,
        player: &Player,
        game: &Game,
        clocks: &Clocks,
        offered: bool,
        log: &mut Transcript,
        stop: &AtomicBool,
    ) -> Result<(Answer, Thought), NoAnswer> {
        // Whatever it still has to say of its last search must not be taken for an answer to this one.
        self.wait_until_ready(player.patience, log, stop)?;
        let position = self.position_command(game);
        self.send(&position, log);
        let side = game.position().side();
        let go = self.go_command(player, side, clocks, offered);
        let before = self.wire.written();
        let start = Instant::now();
        self.send(&go, log);
        let allowed = match (player.limit, clocks.0[side.index()]) {
            (Limit::Clock { .. }, Some(clock)) => clock.left + player.margin,
            (Limit::MoveTime(time), _) => time + player.margin,
            _ => player.patience,
        };
        let deadline = start + allowed;
        let mut thought = Thought::default();
        while let Some((text, at)) = self.line(deadline, before, log, stop)? {
            if is_answer(&text) && at < start {
                log.remark(&self.name, "answered before it was asked; not counted");
            } else if is_answer(&text) {
                thought.time = at.saturating_duration_since(start);
                if at > deadline {
                    // Crossed the end of its time.
                    self.in_step = true;
                    return Err(Fault::Late(at - deadline).into());
                }
                return Ok((self.read_answer(&text, game)?, thought));
            } else {
                thought.hear(&text);
            }
        }
        self.in_step = false;
        self.send("stop", log);
        let end = Instant::now() + GRACE.min(player.patience);
        loop {
            match self.line(end, before, log, stop)? {
                Some((text, at)) if is_answer(&text) => {
                    // An answer that crossed the `stop` may have left another behind.
                    match self.wait_until_ready(GRACE.min(player.patience), log, stop) {
                        Ok(()) => self.in_step = self.answers_isready,
                        Err(NoAnswer::Stopped) => return Err(NoAnswer::Stopped),
                        Err(NoAnswer::Fault(_)) => self.in_step = false,
                    }
                    return Err(Fault::Late(at.saturating_duration_since(deadline)).into());
                }
                Some(_) => {}
                None => return Err(Fault::Hang.into()),
            }
        }
    }

    /// UCCI wants the position after the last capture and the moves since, UCI the whole game.
    fn position_command(&self, game: &Game) -> String {
        let mut start = game.clone();
        let plies = game.plies();
        let from = match self.dialect {
            Dialect::Ucci => plies.iter().rposition(|ply| ply.captured().is_some()).map_or(0, |last| last + 1),
            _ => 0,
        };
        while start.plies().len() > from {
            start.unmake();
        }
        let mut command = format!("position fen {}", start.position());
        if plies.len() > from {
            command += " moves";
        }
        for mv in plies[from..].iter().filter_map(|ply| ply.mv) {
            command += " ";
            command += &self.write_move(mv);
        }
        command
    }

    fn write_move(&self, mv: Move) -> String {
        match self.dialect {
            Dialect::UciVariant => {
                let square = |square: crate::board::Square| {
                    let letter = (b'a' + square.file().index() as u8) as char;
                    format!("{letter}{}", square.rank().index() + 1)
                };
                square(mv.from) + &square(mv.to)
            }
            _ => mv.to_string(),
        }
    }

    fn read_move(&self, text: &str) -> Option<Move> {
        if self.dialect != Dialect::UciVariant {
            return text.parse().ok();
        }
        let second = text.char_indices().skip(1).find(|(_, character)| character.is_ascii_alphabetic())?.0;
        let square = |text: &str| -> Option<crate::board::Square> {
            let rank: i32 = text.get(1..)?.parse().ok()?;
            let file = i32::from(text.as_bytes().first()?.to_ascii_lowercase()) - i32::from(b'a');
            crate::board::Square::at(file, rank - 1)
        };
        Some(Move::new(square(&text[..second])?, square(&text[second..])?))
    }

    fn go_command(&self, player: &Player, side: Side, clocks: &Clocks, offered: bool) -> String {
        if self.dialect != Dialect::Ucci {
            let mut command = "go".to_string();
            match player.limit {
                Limit::Clock { .. } => {
                    for (letter, clock) in ["w", "b"].into_iter().zip(clocks.0) {
                        if let Some(clock) = clock {
                            let (left, increment) = (clock.left.as_millis(), clock.increment.as_millis());
                            command += &format!(" {letter}time {left} {letter}inc {increment}");
                        }
                    }
                    if let Some(moves) = clocks.0[side.index()].and_then(|clock| clock.moves) {
                        command += &format!(" movestogo {moves}");
                    }
                }
                Limit::MoveTime(time) => command += &format!(" movetime {}", time.as_millis()),
                Limit::Nodes(nodes) => command += &format!(" nodes {nodes}"),
                Limit::Depth(depth) => command += &format!(" depth {depth}"),
            }
            return command;
        }
        let unit = |time: Duration| if self.seconds { u128::from(time.as_secs()) } else { time.as_millis() };
        let clock = |prefix: &str, clock: Clock| {
            let what = match clock.moves {
                Some(moves) => format!("{prefix}movestogo {moves}"),
                None => format!("{prefix}increment {}", unit(clock.increment)),
            };
            format!(" {prefix}time {} {what}", unit(clock.left))
        };
        let mut command = if offered { "go draw" } else { "go" }.to_string();
        match player.limit {
            Limit::Clock { .. } => {
                command += &clocks.0[side.index()].map(|own| clock("", own)).unwrap_or_default();
                command += &clocks.0[(!side).index()].map(|enemy| clock("opp", enemy)).unwrap_or_default();
            }
            // UCCI has no fixed time: all of it for one move says the same.
            Limit::MoveTime(time) => command += &format!(" time {} movestogo 1", unit(time)),
            Limit::Nodes(nodes) => command += &format!(" nodes {nodes}"),
            Limit::Depth(depth) => command += &format!(" depth {depth}"),
        }
        command
    }

    /// Reads `bestmove h2e2 [ponder h9g7] [draw | resign]`, `nobestmove` and their like.
    fn read_answer(&self, text: &str, game: &Game) -> Result<Answer, Fault> {
        let short = |text: &str| text.chars().take(40).collect::<String>();
        let mut words = text.split_whitespace();
        if words.next() == Some("nobestmove") {
            return Ok(Answer::Resigns);
        }
        let word = words.next().unwrap_or("");
        let rest: Vec<&str> = words.collect();
        if ["(none)", "null", "0000", "resign"].contains(&word) || rest.contains(&"resign") {
            return Ok(Answer::Resigns);
        }
        let mv = self.read_move(word).ok_or_else(|| Fault::Garbage(short(text)))?;
        if !game.position().is_legal(mv) {
            return Err(Fault::Illegal(short(word)));
        }
        Ok(Answer::Move { mv, draw: rest.contains(&"draw") })
    }

    /// Ends the program, politely at first.
    pub fn end(self) {
        self.wire.end(Duration::from_millis(500));
    }
}

fn is_answer(text: &str) -> bool {
    matches!(text.split_whitespace().next(), Some("bestmove" | "nobestmove"))
}

impl Thought {
    /// Takes what an `info` line of either dialect says of the best line.
    fn hear(&mut self, text: &str) {
        let mut words = text.split_whitespace();
        if words.next() != Some("info") {
            return;
        }
        let (mut depth, mut score, mut nodes, mut line) = (None, None, None, 1);
        while let Some(word) = words.next() {
            let count = || words.clone().next().and_then(|word| word.parse::<u64>().ok());
            match word {
                "depth" => depth = count().map(|depth| depth.min(1000) as u32),
                "nodes" => nodes = count(),
                "multipv" => line = count().unwrap_or(1),
                "score" => {
                    let mut value = words.clone();
                    let number = |word: Option<&str>| {
                        word.and_then(|word| word.parse::<i32>().ok()).map(|n| n.clamp(-99_999, 99_999))
                    };
                    score = match value.next() {
                        Some("mate") => number(value.next()).map(Claim::Mate),
                        Some("cp") => number(value.next()).map(Claim::Points),
                        word => number(word).map(Claim::Points),
                    };
                }
                "pv" | "string" | "message" | "currmove" => break,
                _ => {}
            }
        }
        self.nodes = nodes.or(self.nodes);
        if line == 1 && score.is_some() {
            self.score = score;
            self.depth = depth.or(self.depth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_of_both_dialects_are_heard() {
        let mut thought = Thought::default();
        thought.hear("info time 6 nodes 30076");
        thought.hear("info depth 5 score 9 pv c3c4 g6g5");
        assert_eq!((thought.depth, thought.score, thought.nodes), (Some(5), Some(Claim::Points(9)), Some(30_076)));
        thought.hear("info depth 9 seldepth 12 multipv 1 score mate -3 nodes 99 nps 5 time 7 pv a0a1 depth 77");
        assert_eq!((thought.depth, thought.score, thought.nodes), (Some(9), Some(Claim::Mate(-3)), Some(99)));
        thought.hear("info depth 10 multipv 2 score cp 5 nodes 120 pv a0a1");
        assert_eq!((thought.depth, thought.score, thought.nodes), (Some(9), Some(Claim::Mate(-3)), Some(120)));
        thought.hear("info depth 11 currmove a0a1");
        thought.hear("info string depth 50 score cp 3");
        thought.hear("info depth 99999999999999999999 score cp x nodes -1");
        assert_eq!(thought.depth, Some(9));
    }

    #[test]
    fn claims_compare_and_print() {
        assert!(Claim::Mate(2).points() > Claim::Mate(5).points());
        assert!(Claim::Mate(-2).points() < Claim::Mate(-5).points());
        let shown: Vec<String> = [Claim::Points(35), Claim::Points(0), Claim::Mate(4), Claim::Mate(-1)]
            .iter()
            .map(Claim::to_string)
            .collect();
        assert_eq!(shown, ["+35", "+0", "M4", "-M1"]);
    }
}
