//! Requests, as JSON.

use super::refusal::Refusal;
use super::trees::{LONGEST_GAME, TreeText};
use crate::notation::Form;
use crate::rules::{Game, RuleSet, Terms};
use crate::words::Language;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::str::FromStr;

/// Numbers of questions are whole and below this, so that JavaScript holds them exactly.
const LARGEST_ID: u64 = 1 << 53;

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

/// What can be asked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Request {
    /// The first message of a connection. A desk answers it; whether the token is right is its host's business.
    Hello {
        /// The secret of the run.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        token: String,
    },
    /// How a game stands.
    Look {
        /// The game.
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
        /// The game.
        #[serde(flatten)]
        game: GameText,
        /// How many best lines, 1 to 10.
        #[serde(default = "one")]
        lines: usize,
        /// What ends it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<LimitText>,
        /// Whether the side to move passes first: what the enemy threatens.
        #[serde(default)]
        pass: bool,
        /// How much of the machine it takes.
        #[serde(flatten)]
        effort: Effort,
    },
    /// Ends what runs.
    Stop {},
    /// The engine's move.
    Play {
        /// The game.
        #[serde(flatten)]
        game: GameText,
        /// How strongly, 1 to 10.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        level: Option<u8>,
        /// Both clocks, if they run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock: Option<ClockText>,
        /// Or what ends its thinking.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<LimitText>,
        /// Whether it may play from its opening book.
        #[serde(default = "yes")]
        book: bool,
        /// Makes its choices repeatable.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed: Option<u64>,
        /// How much of the machine it takes.
        #[serde(flatten)]
        effort: Effort,
    },
    /// The side to move offers a draw to the engine.
    Offer {
        /// The game.
        #[serde(flatten)]
        game: GameText,
        /// How much of the machine it takes.
        #[serde(flatten)]
        effort: Effort,
    },
    /// A good move.
    Hint {
        /// The game.
        #[serde(flatten)]
        game: GameText,
        /// What ends the thinking.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<LimitText>,
        /// How much of the machine it takes.
        #[serde(flatten)]
        effort: Effort,
    },
    /// What the opening book knows.
    Book {
        /// The game.
        #[serde(flatten)]
        game: GameText,
    },
    /// What tables of endings know.
    Endings {
        /// The game.
        #[serde(flatten)]
        game: GameText,
    },
    /// The referee's ruling, with what every ply of a repetition does.
    Judge {
        /// The game.
        #[serde(flatten)]
        game: GameText,
    },
    /// A typed move.
    Read {
        /// The game.
        #[serde(flatten)]
        game: GameText,
        /// In any notation.
        text: String,
    },
    /// Every move of a game, judged.
    Review {
        /// The game.
        #[serde(flatten)]
        game: GameText,
        /// Nodes a position.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nodes: Option<u64>,
        /// Red's and Black's names.
        #[serde(default)]
        players: [String; 2],
        /// The result that the record claims.
        #[serde(default = "unknown")]
        result: String,
        /// How much of the machine it takes.
        #[serde(flatten)]
        effort: Effort,
    },
    /// An answer to the question what is best.
    Try {
        /// The game.
        #[serde(flatten)]
        game: GameText,
        /// In any notation.
        answer: String,
        /// The best move, if a review has found it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        best: Option<String>,
        /// Nodes a position.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nodes: Option<u64>,
        /// How much of the machine it takes.
        #[serde(flatten)]
        effort: Effort,
    },
    /// A file of games; its name does not matter.
    Open {
        /// What it holds,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// or its bytes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        base64: Option<String>,
        /// The game whose tree is wanted, from 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<usize>,
    },
    /// A game as a file.
    Save {
        /// The format's name.
        form: String,
        /// How moves are written, where there is a choice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        notation: Option<String>,
        /// The game.
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
        /// The game.
        #[serde(flatten)]
        game: GameText,
    },
    /// Games for the library.
    Add {
        /// The bytes of a file.
        base64: String,
    },
    /// Whether pieces on a board are a position.
    Setup {
        /// As text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fen: Option<String>,
        /// Or the letter of the piece on each square that is not empty.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pieces: Option<BTreeMap<String, String>>,
        /// And who is to move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<SideName>,
    },
}

impl Request {
    /// What they are called.
    pub const NAMES: &[&str] = &[
        "hello", "look", "line", "think", "stop", "play", "offer", "hint", "book", "judge", "read", "review", "try",
        "open", "save", "setup", "find", "show", "played", "add", "endings",
    ];

    /// Whether it takes so long that there should be one at a time.
    pub fn is_long(&self) -> bool {
        matches!(self, Request::Review { .. })
    }

    /// Whether it is about the library of games.
    pub fn is_of_library(&self) -> bool {
        matches!(self, Request::Find { .. } | Request::Show { .. } | Request::Played { .. } | Request::Add { .. })
    }

    /// Whether it is answered at once. What is not is a search: it can be stopped, and its host runs it beside the quick ones.
    pub fn is_quick(&self) -> bool {
        use Request::{Hint, Offer, Play, Review, Think, Try};
        !matches!(self, Think { .. } | Play { .. } | Hint { .. } | Offer { .. } | Try { .. } | Review { .. })
    }
}

/// A game as a message tells it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameText {
    /// `startpos` or a FEN.
    #[serde(default = "startpos")]
    pub start: String,
    /// Legal moves from there, as coordinates.
    #[serde(default)]
    pub moves: Vec<String>,
    /// The rule set's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// At which occurrence a repetition is judged, if not as the rule set says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fold: Option<usize>,
    /// After how many counted plies without a capture a game is drawn, if not as the rule set says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub natural_limit: Option<u16>,
    /// The notation of moves inside sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notation: Option<String>,
}

/// What games of the library must be like; what is empty matters not. Names are parts of names, in traditional or simplified characters.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs)]
pub struct GamesText {
    /// Either side's.
    pub player: String,
    pub red: String,
    pub black: String,
    pub event: String,
    /// The beginning of a code, or a part of a name in either language.
    pub opening: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// Exactly these pieces (`KRPkaabb`), or these on their squares (`Re6,ch2`).
    pub pieces: String,
    /// The first year.
    pub since: Option<i64>,
    /// The last year.
    pub until: Option<i64>,
}

/// What ends an analysis; the earliest does. Never longer than five minutes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LimitText {
    /// Milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

/// What is left on both clocks, and what each move adds, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct ClockText {
    pub red_ms: u64,
    pub black_ms: u64,
    #[serde(default)]
    pub inc_ms: u64,
}

/// How much of the machine a search takes; more than there is room for is taken as all the room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    /// Searching threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// Hash table in MB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash_mb: Option<usize>,
}

/// `red` or `black`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum SideName {
    Red,
    Black,
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

fn startpos() -> String {
    "startpos".to_owned()
}

/// A game with the rules by which it is judged.
#[derive(Clone, Debug)]
pub(super) struct Ruled {
    pub game: Game,
    pub terms: Terms,
    /// The notation that was asked for.
    pub form: Option<Form>,
}

impl Ruled {
    /// The notation of moves inside sentences.
    pub fn form(&self, language: Language) -> Form {
        self.form.unwrap_or(Form::usual(language))
    }
}

impl GameText {
    /// The game, if it is one.
    pub(super) fn read(&self) -> Result<Ruled, Refusal> {
        if self.moves.len() > LONGEST_GAME {
            return Err(Refusal::TooLong(LONGEST_GAME));
        }
        let mut game = Game::from_fen(&self.start).map_err(Refusal::Fen)?;
        game.play_text(self.moves.iter().map(String::as_str)).map_err(Refusal::IllegalMove)?;
        Ok(Ruled { game, terms: self.terms()?, form: self.form()? })
    }

    /// The rules.
    pub(super) fn terms(&self) -> Result<Terms, Refusal> {
        let rules = self.rules.as_deref().map_or(Ok(RuleSet::default()), RuleSet::from_str);
        let mut terms = rules.map_err(|unknown| Refusal::bad(unknown.to_string()))?.terms();
        if let Some(folds) = self.fold {
            let folds = (2..=10).contains(&folds).then_some(folds);
            terms = terms.with_folds(folds.ok_or_else(|| Refusal::bad("fold: 2 to 10"))?);
        }
        match self.natural_limit {
            Some(0) => Err(Refusal::bad("natural_limit: 1 and up")),
            Some(plies) => Ok(terms.with_natural_limit(plies)),
            None => Ok(terms),
        }
    }

    fn form(&self) -> Result<Option<Form>, Refusal> {
        let read = |text: &String| {
            text.parse().map_err(|unknown: crate::notation::UnknownForm| Refusal::bad(unknown.to_string()))
        };
        self.notation.as_ref().map(read).transpose()
    }
}

impl Message {
    /// Reads a message.
    ///
    /// # Errors
    /// What is wrong with it, with its number if it has one.
    pub fn read(text: &str) -> Result<Message, (Option<u64>, Refusal)> {
        let value: Value = serde_json::from_str(text).map_err(|error| (None, Refusal::NotJson(error.to_string())))?;
        let id = value.get("id").and_then(Value::as_u64).filter(|id| *id < LARGEST_ID);
        let id = id.ok_or((None, Refusal::NoId))?;
        let bad = |error: String| (Some(id), Refusal::Bad(error));
        let name = value.get("do").and_then(Value::as_str).unwrap_or_default();
        if !Request::NAMES.contains(&name) {
            return Err((Some(id), Refusal::UnknownRequest(name.chars().take(40).collect())));
        }
        let language = value.get("language").filter(|language| !language.is_null());
        let language = language.map(|name| name.as_str().unwrap_or_default().parse()).transpose().map_err(bad)?;
        let request = Request::deserialize(value).map_err(|error| bad(error.to_string()))?;
        Ok(Message { id, language, request })
    }
}
