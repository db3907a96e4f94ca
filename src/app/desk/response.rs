//! Responses as JSON: fields may be added but are never renamed. Fields without a comment are
//! self-explanatory.

#![allow(missing_docs)]

use super::library_entry::{ExploredEntry, Libraries, LibraryEntry};
#[cfg(feature = "sqlite-books")]
use super::library_response::LibraryResponse;
use super::names::{LineNames, MoveNames};
use super::puzzle_entry::{PuzzleEntry, ThemeEntry};
use super::refusal::Refusal;
use super::request::RequestName;
use super::ruling::RulingEntry;
use super::settings::DeskSettings;
use super::trees::TreeText;
use super::wording::FileFault;
use chuhe_board::notation::Form;
use chuhe_board::rules::RuleSet;
use chuhe_board::words::Language;
use chuhe_engine::Level;
use chuhe_games::records::Format;
use chuhe_games::review::{JsonScore, Judgement, Reviewal};
use serde::Serialize;
use std::collections::BTreeMap;

/// Content of a response.
#[derive(Debug, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum Response {
    /// Available choices.
    Hello(Box<Hello>),
    /// State of a game.
    Position(Box<GameState>),
    /// Effect of each move of a line.
    Plies { start: String, plies: Vec<PlyEntry> },
    /// A line of an analysis.
    Line(Box<AnalysisLine>),
    /// End of an analysis.
    Done { best: Option<String>, names: Option<MoveNames>, nodes: u64, time_ms: u64, stopped: bool },
    /// The engine's move.
    Move {
        #[serde(rename = "move")]
        mv: String,
        names: MoveNames,
        book: bool,
        score: Option<JsonScore>,
        time_ms: u64,
    },
    /// The engine resigns.
    #[cfg(feature = "serve")]
    Resigns {},
    /// Name, protocol and options of an external engine.
    #[cfg(feature = "serve")]
    Options { identity: String, protocol: &'static str, options: Vec<OptionEntry>, warnings: Vec<String> },
    /// Communication with an external engine: lines sent to it (`>`), its output (`<`), its errors (`!`) and
    /// remarks of Chuhe (`=`), each with a timestamp in milliseconds.
    #[cfg(feature = "serve")]
    Talk { text: String },
    /// Reply to a draw offer.
    Offer { takes: bool },
    /// A hint: a good move.
    Hint {
        from: String,
        #[serde(rename = "move")]
        mv: String,
        names: MoveNames,
    },
    /// Moves of the opening book.
    Book { moves: Vec<BookEntry> },
    /// Tablebase result: a sentence, and every move with its value, best first; `None` and no moves if no
    /// table contains the position.
    Endings { text: Option<String>, moves: Vec<EndingEntry> },
    /// Result of a mate search: proved facts, one per line, and the solution as a game with every defence; the
    /// game has no moves if no mate was found.
    Mate { mates: bool, text: String, tree: TreeText },
    /// The referee's ruling.
    #[serde(rename = "judgement")]
    Ruling {
        #[serde(flatten)]
        ruling: Box<RulingEntry>,
        text: String,
    },
    /// A parsed move.
    Read {
        #[serde(rename = "move")]
        mv: String,
        names: MoveNames,
    },
    /// All puzzles, and the names of their themes.
    Puzzles { themes: Vec<ThemeEntry>, puzzles: Vec<PuzzleEntry> },
    /// Progress of a review.
    Progress { done: usize, of: usize },
    /// A review.
    Review(Box<Reviewal>),
    /// Quality of an answer.
    Tried {
        right: bool,
        best: bool,
        loss: f64,
        judgement: Option<Judgement>,
        score: JsonScore,
        line: Vec<String>,
        names: LineNames,
    },
    /// Games in a file.
    Games { format: &'static str, count: usize, games: Vec<GameEntry>, faults: Vec<FileFault>, more: bool },
    /// A game as a file.
    File {
        name: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        base64: Option<String>,
        /// What the format could not store, one sentence for each kind.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        losses: Vec<String>,
    },
    /// The running search is being stopped.
    Stopped {},
    /// Legality of a position, with all reasons if it is not legal.
    Setup { fen: Option<String>, possible: bool, faults: Vec<SetupFault> },
    /// The request failed.
    Error { code: &'static str, text: String, at: Option<usize> },
    /// Response to a request of the library.
    #[cfg(feature = "sqlite-books")]
    #[serde(untagged)]
    Library(LibraryResponse),
    /// Response to a request of the list of engines.
    #[cfg(feature = "serve")]
    #[serde(untagged)]
    EngineList(EngineListResponse),
}

/// Response to a request of the list of engines.
#[cfg(feature = "serve")]
#[derive(Debug, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum EngineListResponse {
    /// Content of a folder: sorted names of folders and programs.
    Folder { path: String, parent: Option<String>, folders: Vec<String>, programs: Vec<String> },
    /// A program that can be added, and a name for it.
    Program { path: String, name: String },
    /// Names of all external engines after a change, and the result of the new engine's trial.
    Engines { engines: Vec<String>, text: String },
}

/// Available choices.
#[derive(Debug, Serialize)]
pub(crate) struct Hello {
    version: &'static str,
    rules: Vec<Rules>,
    levels: Vec<LevelEntry>,
    threads: usize,
    hash_mb: usize,
    forms: Vec<String>,
    formats: Vec<FormatEntry>,
    languages: [&'static str; 2],
    requests: &'static [RequestName],
    library: Option<LibraryEntry>,
    /// Library of the games played on the page.
    mine: Option<LibraryEntry>,
    /// Position database.
    #[serde(skip_serializing_if = "Option::is_none")]
    explored: Option<ExploredEntry>,
    /// Names of external engines.
    engines: Vec<String>,
    /// `true` if engines can be added and removed.
    may_add_engines: bool,
    /// URL of a hosted page, to which links point.
    public_url: Option<String>,
    /// Language of pages whose user has not chosen one.
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Rules {
    name: &'static str,
    folds: usize,
    natural_limit: u16,
}

#[derive(Debug, Serialize)]
struct LevelEntry {
    level: u8,
    elo: u32,
}

#[derive(Debug, Serialize)]
struct FormatEntry {
    name: &'static str,
    suffix: &'static str,
    /// `true` for text formats.
    text: bool,
    /// `true` if the notation of moves can be chosen.
    notation: bool,
}

/// State of a game after its last move.
#[derive(Debug, Serialize)]
pub(crate) struct GameState {
    pub fen: String,
    pub side: &'static str,
    pub check: bool,
    /// Squares of the pieces that give check.
    pub checkers: Vec<String>,
    pub legal: Vec<String>,
    pub last: Option<PlyEntry>,
    /// Number of plies played from the first position.
    pub ply: usize,
    pub move_number: u16,
    pub verdict: VerdictEntry,
    /// Opening of the game so far.
    pub opening: Option<OpeningEntry>,
    /// Number of occurrences of the position.
    pub occurrences: usize,
    /// Number of counted plies without a capture, and the number at which the game is drawn.
    pub quiet: u16,
    pub natural_limit: u16,
    /// Legal moves that repeat a position.
    pub warnings: BTreeMap<String, WarningEntry>,
}

/// Opening of a game.
#[derive(Debug, Serialize)]
pub(crate) struct OpeningEntry {
    /// ECCO code.
    pub code: &'static str,
    pub name: &'static str,
}

/// A move of the game.
#[derive(Debug, Serialize)]
pub(crate) struct PlyEntry {
    #[serde(rename = "move")]
    pub mv: String,
    pub names: MoveNames,
    pub side: &'static str,
    /// Letter of the piece that moved.
    pub piece: char,
    /// Letter of the captured piece.
    pub capture: Option<char>,
    pub check: bool,
    /// Position after the move.
    pub fen: String,
}

/// State of a game by the rules.
#[derive(Debug, Serialize)]
pub(crate) struct VerdictEntry {
    /// `open`, or `win`, `loss`, `draw` for the side to move.
    pub result: &'static str,
    pub winner: Option<&'static str>,
    /// Name of the reason, such as `perpetual_check`.
    pub code: Option<&'static str>,
    pub offender: Option<&'static str>,
    /// Number of plies after which the game first ended by the rules.
    pub ended_at: Option<usize>,
    pub text: String,
}

/// Consequence of a move that repeats a position.
#[derive(Debug, Serialize)]
pub(crate) struct WarningEntry {
    pub code: Option<&'static str>,
    /// Result for the mover: `win`, `loss`, `draw`; `open` if the rules do not decide yet.
    pub result: &'static str,
    /// Number of further occurrences before the repetition is judged; 0 if this move ends the game.
    pub returns_left: usize,
    pub text: String,
}

/// A line of an analysis, from the point of view of the side that moves first in it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct AnalysisLine {
    pub multipv: usize,
    /// Total number of lines in this iteration, each beginning with a different move.
    pub of: usize,
    pub depth: u32,
    pub seldepth: u32,
    pub score: JsonScore,
    /// `exact`, `lower` or `upper`.
    pub bound: &'static str,
    /// Probabilities of win, draw and loss in per mille.
    pub wdl: [u32; 3],
    /// Expected points of Red, 0 to 1, for a bar or a graph.
    pub red: f64,
    pub pv: Vec<String>,
    pub names: LineNames,
    pub nodes: u64,
    pub nps: u64,
    pub time_ms: u64,
    pub hashfull: u32,
}

/// A move of the opening book.
#[derive(Debug, Serialize)]
pub(crate) struct BookEntry {
    #[serde(rename = "move")]
    pub mv: String,
    pub names: MoveNames,
    /// Probability that the move is chosen, 0 to 1.
    pub share: f64,
    pub weight: u64,
    pub score: Option<i64>,
    /// Games that the mover won, drew and lost.
    pub games: Option<[u64; 3]>,
}

/// A move in a tablebase ending.
#[derive(Debug, Serialize)]
pub(crate) struct EndingEntry {
    #[serde(rename = "move")]
    pub mv: String,
    pub names: MoveNames,
    /// Result for the mover: `win`, `draw`, `loss`; null if the resulting ending has no table.
    pub value: Option<&'static str>,
    /// Plies to the next capture or mate, including this move.
    pub capture: Option<u16>,
    /// Plies to mate, including this move.
    pub mate: Option<u16>,
}

/// A game in a file.
#[derive(Debug, Serialize)]
pub(crate) struct GameEntry {
    /// Number, from 1.
    pub number: usize,
    /// Names of Red and Black.
    pub players: [String; 2],
    pub event: String,
    pub date: String,
    pub result: &'static str,
    /// Plies of the main line.
    pub plies: usize,
    /// Moves in all lines.
    pub moves: usize,
    /// Error that ended the parsing of the game.
    pub fault: Option<String>,
    /// Note about content that is missing from the tree.
    pub note: Option<String>,
    pub tree: Option<TreeText>,
}

/// An option of an external engine that the page can set.
#[cfg(feature = "serve")]
#[derive(Debug, Serialize)]
pub(crate) struct OptionEntry {
    pub name: String,
    /// `number`, `choice`, `switch` or `button`.
    pub kind: &'static str,
    pub default: String,
    /// Minimum and maximum of a number, if bounded.
    pub least: Option<i64>,
    pub most: Option<i64>,
    pub choices: Vec<String>,
}

/// A reason why a position is not legal.
#[derive(Debug, Serialize)]
pub(crate) struct SetupFault {
    pub code: &'static str,
    pub text: String,
    pub square: Option<String>,
}

impl Response {
    /// Creates the response for a refusal.
    pub(crate) fn refused(refusal: &Refusal, language: Language) -> Response {
        Response::Error { code: refusal.code(), text: refusal.say(language), at: refusal.at() }
    }

    /// Returns `true` if more responses to the same request may follow.
    #[cfg(feature = "serve")]
    pub(crate) fn is_partial(&self) -> bool {
        matches!(self, Response::Line(_) | Response::Progress { .. })
    }
}

pub(super) fn hello(settings: &DeskSettings, libraries: Libraries) -> Response {
    let Libraries { library, mine, explored } = libraries;
    let rules = RuleSet::ALL.map(|rules| {
        let terms = rules.terms();
        Rules { name: rules.name(), folds: terms.folds(), natural_limit: terms.natural_limit }
    });
    let format = |format: Format| FormatEntry {
        name: format.name(),
        suffix: format.suffix(),
        text: format.is_text(),
        notation: matches!(format, Format::Pgn | Format::Moves),
    };
    Response::Hello(Box::new(Hello {
        version: env!("CARGO_PKG_VERSION"),
        rules: rules.into(),
        levels: Level::all().map(|level| LevelEntry { level: level.number(), elo: level.elo() }).collect(),
        threads: settings.threads,
        hash_mb: settings.hash_mb,
        forms: Form::ALL.map(|form| form.tag().to_ascii_lowercase()).into(),
        formats: Format::ALL.map(format).into(),
        languages: [Language::English, Language::Chinese].map(Language::code),
        requests: RequestName::ALL,
        library,
        mine,
        explored,
        engines: settings.engines.to_vec(),
        may_add_engines: settings.may_add_engines,
        public_url: settings.public_url.as_deref().map(str::to_owned),
        language: settings.language.map(Language::code),
    }))
}
