//! Answers, as JSON: fields are added, never renamed. Those without a comment are what they are called.

#![allow(missing_docs)]

use super::message::Request;
use super::names::{LineNames, Names};
use super::refusal::Refusal;
use super::room::Room;
use super::ruling::RulingEntry;
use super::trees::TreeText;
use chuhe_board::notation::Form;
use chuhe_board::rules::RuleSet;
use chuhe_board::words::Language;
use chuhe_engine::Level;
use chuhe_games::records::Format;
use chuhe_games::review::{JsonScore, Judgement, Reviewal};
use serde::Serialize;
use std::collections::BTreeMap;

/// An answer, or a part of it, with the number of its question: none if the question had none that could be read.
#[derive(Debug, Serialize)]
pub struct Event {
    /// The question's.
    pub id: Option<u64>,
    /// What is told.
    #[serde(flatten)]
    pub told: Told,
}

/// Where answers go.
pub(super) type Emit<'e> = &'e mut (dyn FnMut(Told) + Send);

/// What can be told.
#[derive(Debug, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Told {
    /// What there is to choose from.
    Hello(Box<Hello>),
    /// How a game stands.
    Position(Box<Standing>),
    /// What each move of a line does.
    Plies { start: String, plies: Vec<PlyEntry> },
    /// A line of an analysis.
    Line(Box<Line>),
    /// The end of an analysis.
    Done { best: Option<String>, names: Option<Names>, nodes: u64, time_ms: u64, stopped: bool },
    /// The engine's move.
    Move {
        #[serde(rename = "move")]
        mv: String,
        names: Names,
        book: bool,
        score: Option<JsonScore>,
        time_ms: u64,
    },
    /// The engine gives up.
    Resigns {},
    /// What another maker's engine calls itself, what it speaks, and its options.
    Options { identity: String, protocol: &'static str, options: Vec<OptionEntry>, warnings: Vec<String> },
    /// What was said to another maker's engine (`>`) and by it (`<`, errors `!`), after so many milliseconds.
    Talk { text: String },
    /// Whether the engine takes a draw.
    Offer { takes: bool },
    /// A good move.
    Hint {
        from: String,
        #[serde(rename = "move")]
        mv: String,
        names: Names,
    },
    /// What the opening book knows.
    Book { moves: Vec<BookEntry> },
    /// What tablebases know: a sentence, and every move with its worth, the best first; nothing if the ending is not known.
    Endings { text: Option<String>, moves: Vec<EndingEntry> },
    /// Whether the side to move can mate: in words, and the solution as a game with every defence, without moves if there is none.
    Mate { mates: bool, text: String, tree: TreeText },
    /// The referee's ruling.
    Judgement {
        #[serde(flatten)]
        ruling: Box<RulingEntry>,
        text: String,
    },
    /// A typed move.
    Read {
        #[serde(rename = "move")]
        mv: String,
        names: Names,
    },
    /// Positions with one good move, and what they can be about.
    Puzzles { themes: Vec<ThemeEntry>, puzzles: Vec<PuzzleEntry> },
    /// How far a review is.
    Progress { done: usize, of: usize },
    /// A review.
    Review(Box<Reviewal>),
    /// What an answer is worth.
    Tried {
        right: bool,
        best: bool,
        loss: f64,
        judgement: Option<Judgement>,
        score: JsonScore,
        line: Vec<String>,
        names: LineNames,
    },
    /// The games of a file.
    Games { format: &'static str, count: usize, games: Vec<GameEntry>, faults: Vec<Fault>, more: bool },
    /// Games of the library: how many there are, and some of them.
    Found { total: usize, from: usize, games: Vec<FoundEntry> },
    /// What was played in a position.
    Played { moves: Vec<PlayedEntry> },
    /// What became of games for the library: those that are new, those that were there, those that could not be read.
    Added { added: usize, duplicates: usize, refused: usize, faults: Vec<Fault>, total: u64 },
    /// A game as a file.
    File {
        name: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        base64: Option<String>,
    },
    /// What ran is being ended.
    Stopped {},
    /// Whether pieces form a legal position, with all reasons why not.
    Setup { fen: Option<String>, possible: bool, faults: Vec<Faulty> },
    /// There is no answer.
    Error { code: &'static str, text: String, at: Option<usize> },
}

/// What a puzzle can be about.
#[derive(Debug, Serialize)]
pub struct ThemeEntry {
    /// In puzzles.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
}

/// A puzzle.
#[derive(Debug, Serialize)]
pub struct PuzzleEntry {
    /// A FEN.
    pub start: String,
    /// The solution; the solver has the first move and the last.
    pub line: Vec<String>,
    /// 600 and up.
    pub rating: u32,
    /// Names of themes, the aim first.
    pub themes: Vec<&'static str>,
}

/// What there is to choose from.
#[derive(Debug, Serialize)]
pub struct Hello {
    version: &'static str,
    rules: Vec<Rules>,
    levels: Vec<LevelEntry>,
    threads: usize,
    hash_mb: usize,
    forms: Vec<String>,
    formats: Vec<FormatEntry>,
    languages: [&'static str; 2],
    requests: &'static [&'static str],
    library: Option<LibraryEntry>,
    /// Engines of other makers, by name.
    engines: Vec<String>,
}

/// The library of games.
#[derive(Debug, Serialize)]
pub struct LibraryEntry {
    pub games: u64,
    pub may_add: bool,
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
    /// Whether its files are text.
    text: bool,
    /// Whether moves are written in the notation that is asked for.
    notation: bool,
}

/// How a game stands after its last move.
#[derive(Debug, Serialize)]
pub struct Standing {
    pub fen: String,
    pub side: &'static str,
    pub check: bool,
    /// The squares of the pieces that give check.
    pub checkers: Vec<String>,
    pub legal: Vec<String>,
    pub last: Option<PlyEntry>,
    /// Plies played since the start.
    pub ply: usize,
    pub move_number: u16,
    pub verdict: VerdictEntry,
    /// How often the position has occurred.
    pub occurrences: usize,
    /// Counted plies without a capture, and at how many the game is drawn.
    pub quiet: u16,
    pub natural_limit: u16,
    /// By move: legal moves that bring a position back.
    pub warnings: BTreeMap<String, WarningEntry>,
}

/// A played move.
#[derive(Debug, Serialize)]
pub struct PlyEntry {
    #[serde(rename = "move")]
    pub mv: String,
    pub names: Names,
    pub side: &'static str,
    /// The letter of the piece that moved.
    pub piece: char,
    /// The letter of the piece that it took.
    pub capture: Option<char>,
    pub check: bool,
    /// The position after it.
    pub fen: String,
}

/// How a game stands by the rules.
#[derive(Debug, Serialize)]
pub struct VerdictEntry {
    /// `open`, or for the side to move `win`, `loss`, `draw`.
    pub result: &'static str,
    pub winner: Option<&'static str>,
    /// The reason's name: `perpetual_check`.
    pub code: Option<&'static str>,
    pub offender: Option<&'static str>,
    /// After how many plies the game was first over.
    pub ended_at: Option<usize>,
    pub text: String,
}

/// What a move that brings a position back leads to.
#[derive(Debug, Serialize)]
pub struct WarningEntry {
    pub code: Option<&'static str>,
    /// For the mover: `win`, `loss`, `draw`; `open` if the rules judge nothing yet.
    pub result: &'static str,
    /// How often the position must still come back before it is judged; 0 if this move ends the game.
    pub returns_left: usize,
    pub text: String,
}

/// A line of an analysis, from the view of the side that moves first in it.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    pub multipv: usize,
    /// How many lines are told together, this one among them: the best moves after one iteration, all different.
    pub of: usize,
    pub depth: u32,
    pub seldepth: u32,
    pub score: JsonScore,
    /// `exact`, `lower` or `upper`.
    pub bound: &'static str,
    /// Win, draw and loss in thousandths.
    pub wdl: [u32; 3],
    /// Expected points of Red, 0 to 1: what a bar or a graph shows.
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
pub struct BookEntry {
    #[serde(rename = "move")]
    pub mv: String,
    pub names: Names,
    /// How often it is chosen, 0 to 1.
    pub share: f64,
    pub weight: u64,
    pub score: Option<i64>,
    /// Games that the mover won, drew and lost.
    pub games: Option<[u64; 3]>,
}

/// A move of an ending that a table knows.
#[derive(Debug, Serialize)]
pub struct EndingEntry {
    #[serde(rename = "move")]
    pub mv: String,
    pub names: Names,
    /// For the mover: `win`, `draw`, `loss`; null if it leads to an ending that no table knows.
    pub value: Option<&'static str>,
    /// Plies to the next capture or mate, this move counted.
    pub capture: Option<u16>,
    /// Plies to mate, this move counted.
    pub mate: Option<u16>,
}

/// A game of a file.
#[derive(Debug, Serialize)]
pub struct GameEntry {
    /// From 1.
    pub number: usize,
    /// Red and Black.
    pub players: [String; 2],
    pub event: String,
    pub date: String,
    pub result: &'static str,
    /// Of the main line.
    pub plies: usize,
    /// Of all lines.
    pub moves: usize,
    /// Why it could not be read to its end.
    pub fault: Option<String>,
    /// What is left out of the tree, though it could be read.
    pub note: Option<String>,
    pub tree: Option<TreeText>,
}

/// A game of the library.
#[derive(Debug, Serialize)]
pub struct FoundEntry {
    pub id: i64,
    /// Red and Black.
    pub players: [String; 2],
    pub event: String,
    pub date: String,
    pub result: &'static str,
    pub plies: i64,
    /// ECCO's code.
    pub opening: Option<String>,
    pub opening_name: Option<&'static str>,
    /// After so many plies it had the position.
    pub ply: Option<usize>,
}

/// A move that was played in the games of the library.
#[derive(Debug, Serialize)]
pub struct PlayedEntry {
    #[serde(rename = "move")]
    pub mv: String,
    pub names: Names,
    pub games: u64,
    /// By the mover, as the next two.
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
    /// Not ended, or not told.
    pub unknown: u64,
    /// Who played it most often, at most three.
    pub players: Vec<String>,
    /// The last year.
    pub last: Option<i64>,
}

/// What could not be read in a file.
#[derive(Debug, Serialize)]
pub struct Fault {
    pub text: String,
}

/// An option of another maker's engine that can be set here.
#[derive(Debug, Serialize)]
pub struct OptionEntry {
    pub name: String,
    /// `number`, `choice`, `switch` or `button`.
    pub kind: &'static str,
    pub default: String,
    /// The least and the most of a number, where there is an end.
    pub least: Option<i64>,
    pub most: Option<i64>,
    pub choices: Vec<String>,
}

/// A reason why a position is not legal.
#[derive(Debug, Serialize)]
pub struct Faulty {
    pub code: &'static str,
    pub text: String,
    pub square: Option<String>,
}

impl Told {
    /// An error in words.
    pub fn refused(refusal: &Refusal, language: Language) -> Told {
        Told::Error { code: refusal.code(), text: refusal.say(language), at: refusal.at() }
    }

    /// Whether more may come under the same number.
    pub fn is_partial(&self) -> bool {
        matches!(self, Told::Line(_) | Told::Progress { .. })
    }
}

pub(super) fn hello(room: &Room, library: Option<LibraryEntry>) -> Told {
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
    Told::Hello(Box::new(Hello {
        version: env!("CARGO_PKG_VERSION"),
        rules: rules.into(),
        levels: Level::all().map(|level| LevelEntry { level: level.number(), elo: level.elo() }).collect(),
        threads: room.threads,
        hash_mb: room.hash_mb,
        forms: Form::ALL.map(|form| form.tag().to_ascii_lowercase()).into(),
        formats: Format::ALL.map(format).into(),
        languages: ["en", "zh"],
        requests: Request::NAMES,
        library,
        engines: room.engines.to_vec(),
    }))
}
