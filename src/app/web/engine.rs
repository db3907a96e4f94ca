//! External engines for the page, run through the same client as in matches.

use super::analysis::{Analysis, State, points};
use super::play_time::PlayTime;
use super::worker::Handler;
use crate::desk::{
    DeskSettings, Effort, Event, LimitText, Message, MoveNames, OptionEntry, Refusal, Request, Response, Stop, Thinker,
    pass,
};
use chuhe_board::rules::Game;
use chuhe_board::words::{Key, Language};
use chuhe_engine::protocol::Dialect;
use chuhe_engine::protocol::lines::{flatten, shorten};
use chuhe_games::review::JsonScore;
use chuhe_lab::arena::claim::Info;
use chuhe_lab::arena::client::{Client, Session};
use chuhe_lab::arena::dialect::{Answer, Requests};
use chuhe_lab::arena::fault::{EngineFault, Exit, NoAnswer, NoStart};
use chuhe_lab::arena::offer::{Offer, Refused, Values, Warning};
use chuhe_lab::arena::player::Player;
use chuhe_lab::arena::transcript::Transcript;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Maximum number of lines of an analysis.
const MAX_LINES: usize = 10;
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
pub(super) struct ExternalEngine {
    player: Player,
    settings: DeskSettings,
    log: Transcript,
    client: Option<Client>,
    /// Option values that have been set since the process started.
    set: BTreeMap<String, String>,
}

impl ExternalEngine {
    /// Creates an engine without starting it. Its communication is added to the log.
    pub(super) fn new(player: Player, settings: DeskSettings, log: Transcript) -> ExternalEngine {
        ExternalEngine { player, settings, log, client: None, set: BTreeMap::new() }
    }

    /// Returns the running engine.
    fn start(&mut self) -> Result<&mut Client, NoAnswer> {
        let client = match self.client.take() {
            Some(client) => client,
            None => {
                self.set.clear();
                Client::start(&mut Session { player: &self.player, log: &mut self.log, stop: &NEVER })?
            }
        };
        Ok(self.client.insert(client))
    }

    /// Returns the running engine after setting these options. All other options have their initial values,
    /// even if an earlier request changed them. For a search, its resources and its number of lines are set
    /// as well.
    fn ready(
        &mut self,
        options: &BTreeMap<String, String>,
        search: Option<(&Effort, usize)>,
    ) -> Result<&mut Client, NoAnswer> {
        let offered = self.start()?.offered.clone();
        let mut changes = BTreeMap::new();
        for offer in &offered {
            let value = match (options.get(&offer.name), search) {
                _ if is_own_option(&offer.name) => {
                    search.and_then(|(effort, lines)| self.own_value(&offer.name, effort, lines))
                }
                (Some(value), _) if may_take(offer, value) => Some(value.clone()),
                _ => self.set.contains_key(&offer.name).then(|| self.initial_value(offer)),
            };
            let changes_it = |value: &String| self.set.get(&offer.name) != Some(value) && may_take(offer, value);
            if let Some(value) = value.filter(changes_it) {
                changes.insert(offer.name.clone(), value);
            }
        }
        let client = self.client.as_mut().ok_or(NoAnswer::Stopped)?;
        for (name, value) in changes {
            client.set_option(&name, (!value.is_empty()).then_some(&value), &mut self.log);
            self.set.insert(name, value);
        }
        Ok(client)
    }

    /// Returns the value of an option that a search sets, unless the player's settings fix it.
    fn own_value(&self, name: &str, effort: &Effort, lines: usize) -> Option<String> {
        let value = match name.to_ascii_lowercase().as_str() {
            "threads" if self.player.threads.is_none() => {
                effort.threads.unwrap_or(1).clamp(1, self.settings.threads.max(1))
            }
            "hash" | "hashsize" if self.player.hash.is_none() => {
                effort.hash_mb.unwrap_or(64).clamp(1, self.settings.hash_mb.max(1))
            }
            "multipv" => lines,
            _ => return None,
        };
        Some(value.to_string())
    }

    /// Returns the initial value of an option: from the player's settings, or the engine's default.
    fn initial_value(&self, offer: &Offer) -> String {
        let own = self.player.options.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case(&offer.name));
        own.map_or_else(|| offer.default.clone(), |(_, value)| value.clone())
    }

    fn answer(&mut self, message: &Message, stop: &Stop, emit: &mut dyn FnMut(Response)) -> Result<(), Refusal> {
        let language = message.language.unwrap_or_default();
        match &message.request {
            Request::Think { game, lines, limit, pass: passes, thinker, effort } => {
                let mut game = game.game()?;
                if *passes {
                    pass(&mut game)?;
                    // The protocols cannot express a null move, so the game begins after it.
                    game = Game::new(game.position().clone());
                }
                let limit = limit.unwrap_or_default();
                let searched = self.think(&game, *lines, limit, (thinker, effort), stop, emit);
                searched.map_err(|failed| self.refusal(failed, language))
            }
            Request::Play { game, clock, limit, thinker, effort, .. } => {
                let game = game.open_game(language)?;
                let time = PlayTime::new(&self.player, &game, clock.as_ref(), limit.as_ref());
                let played = self.play(&game, &time, (thinker, effort), stop);
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
        limit: LimitText,
        (thinker, effort): (&Thinker, &Effort),
        stop: &Stop,
        emit: &mut dyn FnMut(Response),
    ) -> Result<(), NoAnswer> {
        let start = Instant::now();
        let position = game.position();
        let legal = position.legal_moves().len();
        let lines = lines.clamp(1, max_lines(self.start()?)).min(legal);
        let client = self.ready(&thinker.options, Some((effort, lines.max(1))))?;
        let dialect = client.dialect();
        let mut analysis = Analysis {
            position,
            dialect,
            pawn: self.player.pawn,
            lines,
            limit,
            start,
            stop,
            emit,
            state: State::default(),
        };
        let answer = match &mut self.client {
            Some(client) if legal > 0 => {
                let mut receive = |text: Option<&str>| analysis.receive(text);
                let mut session = Session { player: &self.player, log: &mut self.log, stop: &NEVER };
                client.search(game, "go infinite", &mut receive, &mut session)?
            }
            // Without a legal move there is nothing to search: the analysis ends without a best move.
            _ => Answer::Resigns,
        };
        analysis.end(answer)
    }

    fn play(
        &mut self,
        game: &Game,
        time: &PlayTime,
        (thinker, effort): (&Thinker, &Effort),
        stop: &Stop,
    ) -> Result<Response, NoAnswer> {
        let (mut score, mut nodes, pawn, mut log) = (None, 0, self.player.pawn, self.log.clone());
        let client = self.ready(&thinker.options, Some((effort, 1)))?;
        let start = Instant::now();
        let go = client.dialect().go(&time.player, game.position().side(), &time.clocks, false);
        let mut receive = |text: Option<&str>| {
            if let Some(info) = text.and_then(Info::read).filter(|info| info.multipv == 1) {
                score = info.score.or(score);
                nodes = info.nodes.unwrap_or(nodes);
            }
            stop.is_asked() || start.elapsed() >= time.most || time.nodes.is_some_and(|limit| nodes >= limit)
        };
        let mut session = Session { player: &time.player, log: &mut log, stop: &NEVER };
        let answer = client.search(game, &go, &mut receive, &mut session)?;
        if stop.is_asked() {
            return Err(NoAnswer::Stopped);
        }
        let Answer::Move { mv, .. } = answer else { return Ok(Response::Resigns {}) };
        Ok(Response::Move {
            mv: mv.to_string(),
            names: MoveNames::of(game.position(), mv),
            book: false,
            score: score.map(|claim| JsonScore::of(points(claim, pawn))),
            time_ms: start.elapsed().as_millis() as u64,
        })
    }

    /// Converts a failure to a refusal. Terminates the process after a fault; the next request starts a new
    /// one.
    fn refusal(&mut self, failed: NoAnswer, language: Language) -> Refusal {
        if let NoAnswer::Fault(_) = failed {
            self.client = None;
        }
        refusal(&self.player.name, failed, language)
    }
}

/// Converts the failure of an engine to a refusal.
pub(super) fn refusal(engine: &str, failed: NoAnswer, language: Language) -> Refusal {
    match failed {
        NoAnswer::Fault(fault) => {
            let (key, what) = explain(&fault, language);
            Refusal::Engine(key, engine.to_owned(), shorten(&flatten(&what), 200).to_owned())
        }
        NoAnswer::Exhausted(reason) => Refusal::Failed(reason),
        NoAnswer::Stopped => Refusal::Stopped,
    }
}

/// Returns the message for a fault, and the argument of the message.
fn explain(fault: &EngineFault, language: Language) -> (Key, String) {
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

/// Stop flag for the match client, never set: each search has its own [`Stop`], and a trial is limited by
/// timeouts.
pub(super) static NEVER: AtomicBool = AtomicBool::new(false);

impl Handler for ExternalEngine {
    fn handle(&mut self, message: &Message, stop: &Stop, emit: &mut (dyn FnMut(Event) + Send)) {
        let id = Some(message.id);
        if let Err(refusal) = self.answer(message, stop, &mut |response| emit(Event { id, response })) {
            emit(Event::refused(id, &refusal, message.language.unwrap_or_default()));
        }
    }
}

/// Sends `quit` to the process, and terminates it if it does not exit.
impl Drop for ExternalEngine {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            client.end();
        }
    }
}

/// Returns `true` if the page may set an option to a value. Text options are not allowed, since they may name
/// files.
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

/// Returns `true` if this module sets an option, not the page.
fn is_own_option(name: &str) -> bool {
    OWN_OPTIONS.contains(&name.to_ascii_lowercase().as_str())
}

/// Returns the maximum number of lines of an analysis.
fn max_lines(client: &Client) -> usize {
    match client.offered.iter().find(|offer| offer.name.eq_ignore_ascii_case("multipv")).map(|offer| &offer.values) {
        Some(Values::Number(_, most)) => most.map_or(MAX_LINES, |most| most.clamp(1, MAX_LINES as i64) as usize),
        _ => 1,
    }
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
        let (name, default) = (offer.name.clone(), offer.default.clone());
        (!is_own_option(&offer.name)).then_some(OptionEntry { name, kind, default, least, most, choices })
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
