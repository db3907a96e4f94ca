//! Requests, as JSON.

use super::fields::{ClockText, Effort, GameText, GamesText, LimitText, SideName, Thinker};
use super::refusal::Refusal;
use super::trees::TreeText;
use chuhe_board::words::Language;
use serde::Deserialize;
use serde_json::error::Category;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Numbers of questions are whole and below this, so that JavaScript holds them exactly.
const LARGEST_ID: u64 = 1 << 53;
/// Bytes of a question without a file: a longest game takes 8,000.
const LONGEST_QUESTION: usize = 256 << 10;
/// What may be longer, as long as its host takes it.
const FILES: [&str; 3] = ["open", "save", "add"];

/// A question with its number.
#[derive(Clone, PartialEq, Debug)]
pub struct Message {
    /// Echoed by every event.
    pub id: u64,
    /// The language of the answer's texts; without one, that of the hello.
    pub language: Option<Language>,
    /// What is asked.
    pub request: Request,
}

/// What can be asked. Most have a game; some an effort: how much of the machine they take; some a thinker: who answers.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Request {
    /// The first message of a connection. A desk answers it; whether the token is right is its host's business.
    Hello {
        /// The secret of the run.
        #[serde(default)]
        token: String,
    },
    /// How a game stands.
    Look {
        #[serde(flatten)]
        game: GameText,
    },
    /// What each move of a line does.
    Line {
        /// The game that the line goes on from.
        #[serde(flatten)]
        game: GameText,
        /// Moves in any notation.
        line: Vec<String>,
    },
    /// An analysis.
    Think {
        #[serde(flatten)]
        game: GameText,
        /// How many best lines, 1 to 10.
        #[serde(default = "one")]
        lines: usize,
        /// What ends it.
        limit: Option<LimitText>,
        /// Whether the side to move passes first: what the enemy threatens.
        #[serde(default)]
        pass: bool,
        #[serde(flatten)]
        thinker: Thinker,
        #[serde(flatten)]
        effort: Effort,
    },
    /// Ends what runs.
    Stop {},
    /// The engine's move.
    Play {
        #[serde(flatten)]
        game: GameText,
        /// How strongly, 1 to 10.
        level: Option<u8>,
        /// Both clocks, if they run.
        clock: Option<ClockText>,
        /// Or what ends its thinking.
        limit: Option<LimitText>,
        /// Whether it may play from its opening book.
        #[serde(default = "yes")]
        book: bool,
        #[serde(flatten)]
        thinker: Thinker,
        /// Makes its choices repeatable.
        seed: Option<u64>,
        #[serde(flatten)]
        effort: Effort,
    },
    /// The side to move offers a draw to the engine.
    Offer {
        #[serde(flatten)]
        game: GameText,
        #[serde(flatten)]
        effort: Effort,
    },
    /// A good move.
    Hint {
        #[serde(flatten)]
        game: GameText,
        /// What ends the thinking.
        limit: Option<LimitText>,
        #[serde(flatten)]
        effort: Effort,
    },
    /// What the opening book knows.
    Book {
        #[serde(flatten)]
        game: GameText,
    },
    /// What tablebases know.
    Endings {
        #[serde(flatten)]
        game: GameText,
    },
    /// Whether the side to move can mate, proved.
    Mate {
        #[serde(flatten)]
        game: GameText,
    },
    /// The referee's ruling, with what every ply of a repetition does.
    Judge {
        #[serde(flatten)]
        game: GameText,
    },
    /// A typed move.
    Read {
        #[serde(flatten)]
        game: GameText,
        /// In any notation.
        text: String,
    },
    /// Every move of a game, judged.
    Review {
        #[serde(flatten)]
        game: GameText,
        /// Nodes a position.
        nodes: Option<u64>,
        /// Red's and Black's names.
        #[serde(default)]
        players: [String; 2],
        /// The result that the record claims.
        #[serde(default = "unknown")]
        result: String,
        #[serde(flatten)]
        effort: Effort,
    },
    /// An answer to the question what is best.
    Try {
        #[serde(flatten)]
        game: GameText,
        /// In any notation.
        answer: String,
        /// The best move, if a review has found it.
        best: Option<String>,
        /// Nodes a position.
        nodes: Option<u64>,
        #[serde(flatten)]
        effort: Effort,
    },
    /// A file of games; its name does not matter.
    Open {
        /// What it holds,
        text: Option<String>,
        /// or its bytes.
        base64: Option<String>,
        /// The game whose tree is wanted, from 1.
        game: Option<usize>,
    },
    /// A game as a file.
    Save {
        /// The format's name.
        form: String,
        /// How moves are written, where there is a choice.
        notation: Option<String>,
        tree: TreeText,
    },
    /// Games of the library.
    Find {
        /// A game,
        #[serde(flatten)]
        game: GameText,
        /// and whether those that are looked for must have had the position at its end.
        #[serde(default)]
        position: bool,
        /// What else they must be like.
        #[serde(flatten)]
        what: GamesText,
        /// The first of the list that is told, from 0.
        #[serde(default)]
        from: usize,
        /// How many are told, at most 500.
        #[serde(default = "hundred")]
        count: usize,
    },
    /// A game of the library.
    Show {
        /// Its number.
        game: i64,
    },
    /// What was played in a position, in the games of the library.
    Played {
        #[serde(flatten)]
        game: GameText,
    },
    /// Games for the library.
    Add {
        /// The bytes of a file.
        base64: String,
    },
    /// What another maker's engine calls itself, and its options that can be set here.
    Options {
        #[serde(flatten)]
        thinker: Thinker,
    },
    /// The last lines of the talk with another maker's engine.
    Talk {
        #[serde(flatten)]
        thinker: Thinker,
    },
    /// All puzzles.
    Puzzles {},
    /// Whether pieces on a board are a position.
    Setup {
        /// As text.
        fen: Option<String>,
        /// Or the letter of the piece on each square that is not empty.
        pieces: Option<BTreeMap<String, String>>,
        /// And who is to move.
        side: Option<SideName>,
    },
}

impl Request {
    /// What they are called.
    pub const NAMES: &[&str] = &[
        "hello", "look", "line", "think", "stop", "play", "offer", "hint", "book", "judge", "read", "review", "try",
        "open", "save", "setup", "find", "show", "played", "add", "endings", "mate", "options", "talk", "puzzles",
    ];

    /// Whether it takes so long that there should be one at a time.
    pub fn is_long(&self) -> bool {
        matches!(self, Request::Review { .. })
    }

    /// The engine of another maker that is to answer it.
    pub fn engine(&self) -> Option<&str> {
        match self {
            Request::Think { thinker, .. }
            | Request::Play { thinker, .. }
            | Request::Options { thinker }
            | Request::Talk { thinker } => thinker.engine.as_deref(),
            _ => None,
        }
    }

    /// Whether it is about the library of games.
    pub fn is_of_library(&self) -> bool {
        matches!(self, Request::Find { .. } | Request::Show { .. } | Request::Played { .. } | Request::Add { .. })
    }

    /// Whether it is answered at once. What is not is a search: it can be stopped, and its host runs it beside the quick ones.
    pub fn is_quick(&self) -> bool {
        use Request::{Hint, Mate, Offer, Play, Review, Think, Try};
        !matches!(
            self,
            Think { .. } | Play { .. } | Hint { .. } | Offer { .. } | Try { .. } | Review { .. } | Mate { .. }
        )
    }
}

fn one() -> usize {
    1
}

fn hundred() -> usize {
    100
}

fn yes() -> bool {
    true
}

fn unknown() -> String {
    "*".to_owned()
}

/// What every question has. What else it has is passed over here, so that it takes no memory.
#[derive(Deserialize)]
struct Head<'t> {
    #[serde(borrow)]
    id: Option<&'t RawValue>,
    #[serde(borrow, rename = "do")]
    name: Option<&'t RawValue>,
    #[serde(borrow)]
    language: Option<&'t RawValue>,
}

impl Message {
    /// Reads a message.
    ///
    /// # Errors
    /// What is wrong with it, with its number if it has one.
    pub fn read(text: &str) -> Result<Message, (Option<u64>, Refusal)> {
        let head: Head = serde_json::from_str(text).map_err(|error| match error.classify() {
            Category::Data => (None, Refusal::NoId),
            _ => (None, Refusal::NotJson(error.to_string())),
        })?;
        let id = head.id.and_then(|id| id.get().parse().ok()).filter(|id| *id < LARGEST_ID);
        let id = id.ok_or((None, Refusal::NoId))?;
        let bad = |error: String| (Some(id), Refusal::Bad(error));
        let name: String = head.name.and_then(|name| serde_json::from_str(name.get()).ok()).unwrap_or_default();
        if !Request::NAMES.contains(&name.as_str()) {
            return Err((Some(id), Refusal::UnknownRequest(name.chars().take(40).collect())));
        }
        if text.len() > LONGEST_QUESTION && !FILES.contains(&name.as_str()) {
            return Err(bad(format!("more than {LONGEST_QUESTION} bytes")));
        }
        let language = head.language.map(|name| serde_json::from_str::<String>(name.get()).unwrap_or_default().parse());
        let language = language.transpose().map_err(bad)?;
        // With its name before it, a request is read straight into its place; a name among its fields would first make a copy of them all,
        // which takes a hundred times the memory of the text.
        let request = serde_json::from_str(&format!("{{\"{name}\":{text}}}"));
        let request = request.map_err(|error: serde_json::Error| {
            // Its place would be counted from the name on.
            let said = error.to_string();
            bad(said.split(" at line ").next().unwrap_or_default().to_owned())
        })?;
        Ok(Message { id, language, request })
    }
}
