//! The fields that requests share: games, limits, clocks, and who answers.

use super::refusal::Refusal;
use super::trees::LONGEST_GAME;
use chuhe_board::notation::Form;
use chuhe_board::rules::{Game, RuleSet, Terms};
use chuhe_board::words::Language;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::str::FromStr;

/// Who answers: Chuhe, or an engine of another maker that the host has.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub struct Thinker {
    /// The other engine's name.
    pub engine: Option<String>,
    /// Its options by name, where they are not as it was started.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
}

/// A game as a message tells it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct GameText {
    /// `startpos` or a FEN.
    #[serde(default = "startpos")]
    pub start: String,
    /// Legal moves from there, as coordinates.
    #[serde(default)]
    pub moves: Vec<String>,
    /// The rule set's name.
    pub rules: Option<String>,
    /// At which occurrence a repetition is judged, if not as the rule set says.
    pub fold: Option<usize>,
    /// After how many counted plies without a capture a game is drawn, if not as the rule set says.
    pub natural_limit: Option<u16>,
    /// The notation of moves inside sentences.
    pub notation: Option<String>,
}

/// What games of the library must be like; what is empty matters not. Names are parts of names, in traditional or simplified characters.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
pub struct LimitText {
    /// Milliseconds.
    pub time_ms: Option<u64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
}

/// What is left on both clocks, and what each move adds, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct ClockText {
    pub red_ms: u64,
    pub black_ms: u64,
    #[serde(default)]
    pub inc_ms: u64,
    /// How many moves that is for, if time is added after them.
    pub moves: Option<u32>,
}

/// How much of the machine a search takes; more than there is room for is taken as all the room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
pub struct Effort {
    /// Searching threads.
    pub threads: Option<usize>,
    /// Hash table in MB.
    pub hash_mb: Option<usize>,
}

/// `red` or `black`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum SideName {
    Red,
    Black,
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
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn game(&self) -> Result<Game, Refusal> {
        self.read().map(|ruled| ruled.game)
    }

    /// The game with its rules, if it is one.
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
            text.parse().map_err(|unknown: chuhe_board::notation::UnknownForm| Refusal::bad(unknown.to_string()))
        };
        self.notation.as_ref().map(read).transpose()
    }
}
