//! External engines for the page, driven by the client of matches.

use super::worker::Handler;
use crate::desk::{
    AnalysisLine, ClockText, Effort, Event, Message, Names, OptionEntry, Refusal, Request, Response, Room, Stop,
    Thinker,
};
use chuhe_board::rules::Game;
use chuhe_board::score::{EVALUATION_LIMIT, Score, mate_in, mated_in};
use chuhe_board::words::{Key, Language};
use chuhe_board::{Move, Position, Side};
use chuhe_engine::protocol::Dialect;
use chuhe_engine::protocol::lines::{flatten, shorten};
use chuhe_engine::search::{Bound, Report};
use chuhe_games::review::JsonScore;
use chuhe_lab::arena::claim::{Claim, Info};
use chuhe_lab::arena::client::Client;
use chuhe_lab::arena::dialect::{Answer, Clock, Clocks, Requests};
use chuhe_lab::arena::fault::{EngineFault, Exit, NoAnswer, NoStart};
use chuhe_lab::arena::offer::{Offer, Refused, Values, Warning};
use chuhe_lab::arena::player::{Limit, Player};
use chuhe_lab::arena::transcript::Transcript;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Maximum duration of an analysis, the same as for Chuhe itself.
const MAX_TIME: Duration = Duration::from_secs(300);
/// Time per move without a clock, unless the engine has its own limit.
const MOVE_TIME: Duration = Duration::from_secs(2);
/// Options that the page does not show, because this module sets them or they would change the engine's
/// protocol.
const OWN_OPTIONS: [&str; 10] = [
    "threads",
    "hash",
    "hashsize",
    "multipv",
    "ponder",
    "newgame",
    "usemillisec",
    "protocol",
    "uci_variant",
    "uci_chess960",
];

/// An external engine, whose process starts on first use.
pub(super) struct Engine {
    player: Player,
    room: Room,
    log: Transcript,
    client: Option<Client>,
    /// Option values that have been set since the process started.
    set: BTreeMap<String, String>,
}

impl Engine {
    /// Creates an engine without starting it. Its communication is added to the log.
    pub(super) fn new(player: Player, room: Room, log: Transcript) -> Engine {
        Engine { player, room, log, client: None, set: BTreeMap::new() }
    }

    /// Returns the running engine with these options.
    fn ready(&mut self, options: &BTreeMap<String, String>, effort: Option<&Effort>) -> Result<&mut Client, NoAnswer> {
        let client = match self.client.take() {
            Some(client) => client,
            None => {
                self.set.clear();
                Client::start(&self.player, &mut self.log, &NEVER)?
            }
        };
        let client = self.client.insert(client);
        let threads = effort.and_then(|effort| effort.threads).unwrap_or(1).clamp(1, self.room.threads.max(1));
        let hash = effort.and_then(|effort| effort.hash_mb).unwrap_or(64).clamp(1, self.room.hash_mb.max(1));
        let mut wished = options.clone();
        wished.retain(|name, _| !OWN_OPTIONS.contains(&name.to_ascii_lowercase().as_str()));
        if effort.is_some() {
            for (names, own, value) in
                [(["threads", "threads"], self.player.threads, threads), (["hash", "hashsize"], self.player.hash, hash)]
            {
                let offer =
                    client.offered.iter().find(|offer| names.contains(&offer.name.to_ascii_lowercase().as_str()));
                if let (Some(offer), None) = (offer, own) {
                    wished.insert(offer.name.clone(), value.to_string());
                }
            }
        }
        for (name, value) in wished {
            let offer = client.offered.iter().find(|offer| offer.name == name && may_take(offer, &value));
            if offer.is_some() && self.set.get(&name).is_none_or(|set| *set != value) {
                client.set_option(&name, (!value.is_empty()).then_some(&value), &mut self.log);
                self.set.insert(name, value);
            }
        }
        Ok(client)
    }

    fn answer(&mut self, message: &Message, stop: &Stop, emit: &mut dyn FnMut(Response)) -> Result<(), Refusal> {
        let language = message.language.unwrap_or_default();
        match &message.request {
            Request::Think { game, lines, limit, thinker, effort, .. } => {
                let limit = limit.unwrap_or_default();
                let time = limit.time_ms.map_or(MAX_TIME, Duration::from_millis).min(MAX_TIME);
                let searched = self.think(&game.game()?, *lines, time, (thinker, effort), stop, emit);
                searched.map_err(|failed| self.refusal(failed, language))
            }
            Request::Play { game, clock, thinker, effort, .. } => {
                let game = game.open_game(language)?;
                let played = self.play(&game, clock.as_ref(), (thinker, effort), stop);
                emit(played.map_err(|failed| self.refusal(failed, language))?);
                Ok(())
            }
            Request::Options { thinker } => {
                let options = self.ready(&thinker.options, None).map(|client| introduce(client, language));
                emit(options.map_err(|failed| self.refusal(failed, language))?);
                Ok(())
            }
            _ => Err(Refusal::NoEngine(self.player.name.clone())),
        }
    }

    fn think(
        &mut self,
        game: &Game,
        lines: usize,
        time: Duration,
        (thinker, effort): (&Thinker, &Effort),
        stop: &Stop,
        emit: &mut dyn FnMut(Response),
    ) -> Result<(), NoAnswer> {
        let start = Instant::now();
        let position = game.position();
        let legal = position.legal_moves().len();
        let pawn = self.player.pawn;
        let client = self.ready(&thinker.options, Some(effort))?;
        let dialect = client.dialect();
        let several = client.offered.iter().find(|offer| offer.name.eq_ignore_ascii_case("multipv"));
        let several = several.map(|offer| offer.name.clone());
        let of = if several.is_some() { lines.clamp(1, 10).min(legal) } else { 1 };
        let (mut nodes, mut wrong) = (0, None);
        let mut hear = |text: Option<&str>| {
            if let Some(info) = text.and_then(Info::read) {
                nodes = info.nodes.unwrap_or(nodes);
                match line(&Info { nodes: Some(nodes), ..info }, dialect, position, of, start.elapsed(), pawn) {
                    Ok(line) => line.into_iter().for_each(|line| emit(Response::Line(Box::new(line)))),
                    Err(fault) => wrong = Some(fault),
                }
            }
            stop.is_asked() || start.elapsed() >= time || wrong.is_some()
        };
        let answer = match &mut self.client {
            Some(client) if legal > 0 => {
                let count = of.to_string();
                if let Some(name) = several.filter(|name| self.set.get(name) != Some(&count)) {
                    client.set_option(&name, Some(&count), &mut self.log);
                    self.set.insert(name, count);
                }
                client.search(&self.player, game, "go infinite", &mut hear, &mut self.log, &NEVER)?
            }
            _ => Answer::Resigns,
        };
        if let Some(fault) = wrong {
            return Err(fault.into());
        }
        let best = if let Answer::Move { mv, .. } = answer { Some(mv) } else { None };
        emit(Response::Done {
            best: best.map(|mv| mv.to_string()),
            names: best.map(|mv| Names::of(position, mv)),
            nodes,
            time_ms: start.elapsed().as_millis() as u64,
            stopped: stop.is_asked(),
        });
        Ok(())
    }

    fn play(
        &mut self,
        game: &Game,
        clock: Option<&ClockText>,
        (thinker, effort): (&Thinker, &Effort),
        stop: &Stop,
    ) -> Result<Response, NoAnswer> {
        let side = game.position().side();
        let mut player = self.player.clone();
        let (clocks, time) = match (clock, player.limit) {
            (Some(clock), _) => {
                let own = |left: u64| {
                    let [left, increment] = [left, clock.inc_ms].map(|ms| Duration::from_millis(ms.min(86_400_000)));
                    Some(Clock { left, increment, moves: clock.moves.map(|moves| moves.max(1)) })
                };
                player.limit = Limit::Clock { moves: None, base: MOVE_TIME, increment: Duration::ZERO };
                let left = if side == Side::Red { clock.red_ms } else { clock.black_ms };
                (Clocks([own(clock.red_ms), own(clock.black_ms)]), Duration::from_millis(left.min(86_400_000)))
            }
            (None, Limit::Clock { .. } | Limit::MoveTime(_)) => {
                let time = if let Limit::MoveTime(time) = player.limit { time } else { MOVE_TIME };
                player.limit = Limit::MoveTime(time);
                (Clocks::default(), time + player.patience)
            }
            (None, _) => (Clocks::default(), MAX_TIME),
        };
        let (mut score, pawn, mut log) = (None, player.pawn, self.log.clone());
        let client = self.ready(&thinker.options, Some(effort))?;
        let start = Instant::now();
        let go = client.dialect().go(&player, side, &clocks, false);
        let mut hear = |text: Option<&str>| {
            let info = text.and_then(Info::read).filter(|info| info.multipv == 1);
            score = info.and_then(|info| info.score).or(score);
            stop.is_asked() || start.elapsed() >= time
        };
        let answer = client.search(&player, game, &go, &mut hear, &mut log, &NEVER)?;
        if stop.is_asked() {
            return Err(NoAnswer::Stopped);
        }
        let Answer::Move { mv, .. } = answer else { return Ok(Response::Resigns {}) };
        Ok(Response::Move {
            mv: mv.to_string(),
            names: Names::of(game.position(), mv),
            book: false,
            score: score.map(|claim| JsonScore::of(points(claim, pawn))),
            time_ms: start.elapsed().as_millis() as u64,
        })
    }

    /// Converts a failure to a refusal. Terminates the process unless the search was only stopped; the next
    /// request starts a new one.
    fn refusal(&mut self, failed: NoAnswer, language: Language) -> Refusal {
        match failed {
            NoAnswer::Fault(fault) => {
                self.client = None;
                let (key, what) = explain(&fault, language);
                Refusal::Engine(key, self.player.name.clone(), shorten(&flatten(&what), 200).to_owned())
            }
            NoAnswer::Exhausted(reason) => Refusal::Failed(reason),
            NoAnswer::Stopped => Refusal::Stopped,
        }
    }
}

/// Returns the message for a fault and its argument.
pub(super) fn explain(fault: &EngineFault, language: Language) -> (Key, String) {
    let say = |key, what: &str| language.say(key, &[("what", &what)]);
    match fault {
        EngineFault::NoStart(NoStart::Failed(fault)) => explain(fault, language),
        EngineFault::NoStart(why) => {
            let why = match why {
                NoStart::System { program, kind: ErrorKind::NotFound, .. } => say(Key::ProgramMissing, program),
                NoStart::System { program, kind: ErrorKind::PermissionDenied, .. } => {
                    say(Key::ProgramForbidden, program)
                }
                NoStart::System { program, .. } => say(Key::ProgramRefused, program),
                NoStart::Option(Refused { name, value, .. }) => {
                    language.say(Key::OptionRefused, &[("name", name), ("value", value)])
                }
                NoStart::OwnOption(text) => say(Key::EngineSays, text),
                NoStart::Mute | NoStart::Failed(_) => language.word(Key::NoHandshake).to_owned(),
            };
            (Key::EngineNoStart, why)
        }
        EngineFault::Crash(Exit::Status(status)) => match status.code() {
            Some(code) => (Key::EngineExited, code.to_string()),
            None => (Key::EngineKilled, String::new()),
        },
        EngineFault::Crash(Exit::Unknown(_)) => (Key::EngineEnded, String::new()),
        EngineFault::Hang | EngineFault::Late(_) => (Key::EngineSilent, String::new()),
        EngineFault::Flood => (Key::EngineFloods, String::new()),
        EngineFault::Garbage(text) => (Key::EngineGarbage, text.clone()),
        EngineFault::Illegal(text) => (Key::EngineIllegal, text.clone()),
    }
}

/// Stop flag of a match client, unused here: each search has its own.
static NEVER: AtomicBool = AtomicBool::new(false);

impl Handler for Engine {
    fn handle(&mut self, message: &Message, stop: &Stop, emit: &mut (dyn FnMut(Event) + Send)) {
        let id = Some(message.id);
        if let Err(refusal) = self.answer(message, stop, &mut |response| emit(Event { id, response })) {
            emit(Event::refused(id, &refusal, message.language.unwrap_or_default()));
        }
    }
}

/// Terminates the process after giving it time to quit.
impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            client.end();
        }
    }
}

/// Returns `true` if the page may set an option to a value. Text options may name files, so they are not
/// allowed.
fn may_take(offer: &Offer, value: &str) -> bool {
    let fits = match &offer.values {
        Values::Number(..) => true,
        Values::Words(words) => words.iter().any(|word| word == value),
        Values::Switch => matches!(value, "true" | "false"),
        Values::Button => value.is_empty(),
        Values::Any => false,
    };
    fits && offer.refuses(value).is_none()
}

fn introduce(client: &Client, language: Language) -> Response {
    let warning = |warning: &Warning| {
        let (key, what) = match warning {
            Warning::NotOffered(name) => (Key::EngineOffersNo, name),
            Warning::Said(text) => (Key::EngineSays, text),
        };
        language.sentence(&language.say(key, &[("what", what)]))
    };
    let entry = |offer: &Offer| {
        let (kind, least, most, choices) = match &offer.values {
            Values::Number(least, most) => ("number", *least, *most, Vec::new()),
            Values::Words(words) => ("choice", None, None, words.clone()),
            Values::Switch => ("switch", None, None, Vec::new()),
            Values::Button => ("button", None, None, Vec::new()),
            Values::Any => return None,
        };
        let own = OWN_OPTIONS.contains(&offer.name.to_ascii_lowercase().as_str());
        let (name, default) = (offer.name.clone(), offer.default.clone());
        (!own).then_some(OptionEntry { name, kind, default, least, most, choices })
    };
    Response::Options {
        identity: client.identity.clone(),
        protocol: match client.dialect() {
            Dialect::Ucci => "UCCI",
            Dialect::Uci => "UCI",
            Dialect::UciVariant => "UCI_Variant",
        },
        options: client.offered.iter().filter_map(entry).collect(),
        warnings: client.warnings.iter().map(warning).collect(),
    }
}

/// Converts an engine's score to centipawns.
fn points(claim: Claim, pawn: u32) -> Score {
    match claim {
        Claim::Points(points) => {
            let hundredths = i64::from(points) * 100 / i64::from(pawn.max(1));
            hundredths.clamp(-i64::from(EVALUATION_LIMIT), i64::from(EVALUATION_LIMIT)) as Score
        }
        Claim::Mate(moves) if moves > 0 => mate_in((2 * moves.min(400) - 1) as usize),
        Claim::Mate(moves) => mated_in((-2 * moves.max(-400)) as usize),
    }
}

/// Converts an engine's line to notation: `None` if no line has a score, an error if the first move is
/// illegal.
fn line(
    info: &Info,
    dialect: Dialect,
    position: &Position,
    of: usize,
    time: Duration,
    pawn: u32,
) -> Result<Option<AnalysisLine>, EngineFault> {
    let (Some(claim), false) = (info.score, info.pv.is_empty()) else { return Ok(None) };
    // At depth 0 an engine reports the moves of its own book, unordered, with weights as scores.
    if info.multipv > of || info.depth == Some(0) {
        return Ok(None);
    }
    let mut pv: Vec<Move> = Vec::new();
    let mut at = position.clone();
    for word in info.pv.iter().take(AnalysisLine::MAX_PLIES) {
        match dialect.ranks().read(word) {
            Ok(mv) if at.is_legal(mv) => {
                at.make(mv);
                pv.push(mv);
            }
            _ if pv.is_empty() => return Err(EngineFault::Illegal(word.chars().take(40).collect())),
            _ => break,
        }
    }
    let depth = info.depth.unwrap_or_default();
    let report = Report {
        depth,
        seldepth: info.seldepth.unwrap_or(depth),
        multipv: info.multipv,
        score: points(claim, pawn),
        bound: match info.bound.as_deref() {
            Some("lowerbound") => Bound::Lower,
            Some(_) => Bound::Upper,
            None => Bound::Exact,
        },
        nodes: info.nodes.unwrap_or_default(),
        time,
        hashfull: info.hashfull.unwrap_or_default(),
        table_hits: 0,
        pv,
    };
    let mut line = AnalysisLine::of(&report, of, position);
    if let Some(wdl) = info.wdl {
        line.set_chances(wdl, position);
    }
    line.nps = info.nps.unwrap_or(line.nps);
    Ok(Some(line))
}
