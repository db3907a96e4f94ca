//! Fields shared by requests: games, limits, clocks, and the selected engine.

use super::refusal::Refusal;
use super::trees::MAX_TREE_PLIES;
use chuhe_board::notation::Form;
use chuhe_board::rules::{Game, RuleSet, Terms, Verdict, rule};
use chuhe_board::words::Language;
use chuhe_games::review::JsonScore;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::str::FromStr;

/// Engine selected by a request: Chuhe, or an external engine of the host.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub(crate) struct Thinker {
    /// Name of the external engine.
    pub engine: Option<String>,
    /// Options by name that differ from those set at startup.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
}

/// A game as represented in messages.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct GameText {
    /// `startpos` or a FEN.
    #[serde(default = "startpos")]
    pub start: String,
    /// Legal moves from the starting position, as coordinates.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Name of the rule set.
    pub rules: Option<String>,
    /// Occurrence at which a repetition is judged, if different from the rule set's default.
    pub fold: Option<usize>,
    /// Number of counted plies without a capture after which a game is drawn, if different from the rule
    /// set's default.
    pub natural_limit: Option<u16>,
    /// Notation of moves in sentences.
    pub notation: Option<String>,
}

/// Filter for games in the library; empty fields match everything. Names are substrings, in traditional or
/// simplified characters.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
#[allow(missing_docs)]
pub(crate) struct GamesText {
    /// Name of either player.
    pub player: String,
    pub red: String,
    pub black: String,
    /// Colour of the user, in the user's own games.
    pub person: Option<SideName>,
    pub event: String,
    /// Prefix of an opening code, or substring of an opening's name in either language.
    pub opening: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// Exact material (`KRPkaabb`), or pieces on squares (`Re6,ch2`).
    pub pieces: String,
    /// First year.
    pub since: Option<i64>,
    /// Last year.
    pub until: Option<i64>,
}

/// A move of an analysis with its score from the mover's point of view.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct AnalysedMove {
    #[serde(rename = "move")]
    pub mv: String,
    pub score: JsonScore,
}

/// Limits of an analysis. It ends when the first one is reached, and after five minutes at the latest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
pub(crate) struct LimitText {
    /// Time in milliseconds.
    pub time_ms: Option<u64>,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
    /// Maximum depth in plies.
    pub depth: Option<u32>,
}

/// Remaining time and increments of both clocks, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[allow(missing_docs)]
pub(crate) struct ClockText {
    pub red_ms: u64,
    pub black_ms: u64,
    #[serde(default)]
    pub inc_ms: u64,
    /// Number of moves to the next time control.
    pub moves: Option<u32>,
}

/// Resources for a search; clamped to the host's limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
pub(crate) struct Effort {
    /// Number of search threads.
    pub threads: Option<usize>,
    /// Size of the hash table in MB.
    pub hash_mb: Option<usize>,
}

/// Side: `red` or `black`.
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

/// A game with its rules.
#[derive(Clone, Debug)]
pub(super) struct Ruled {
    pub game: Game,
    pub terms: Terms,
    /// Requested notation.
    pub form: Option<Form>,
}

impl Ruled {
    /// Returns the notation of moves in sentences.
    pub(super) fn form(&self, language: Language) -> Form {
        self.form.unwrap_or(Form::usual(language))
    }
}

impl GameText {
    /// Parses the game.
    ///
    /// # Errors
    /// Returns the reason if the game is invalid.
    #[cfg(feature = "serve")]
    pub(crate) fn game(&self) -> Result<Game, Refusal> {
        self.read().map(|ruled| ruled.game)
    }

    /// Parses the game and its rules.
    pub(super) fn read(&self) -> Result<Ruled, Refusal> {
        if self.moves.len() > MAX_TREE_PLIES {
            return Err(Refusal::TooLong(MAX_TREE_PLIES));
        }
        let mut game = Game::from_fen(&self.start).map_err(Refusal::Fen)?;
        game.play_text(self.moves.iter().map(String::as_str)).map_err(Refusal::IllegalMove)?;
        Ok(Ruled { game, terms: self.terms()?, form: self.form()? })
    }

    /// Parses a game that must not be over.
    ///
    /// # Errors
    /// Returns the reason why the game is invalid, or the end of a finished game.
    pub(super) fn read_open(&self, language: Language) -> Result<Ruled, Refusal> {
        let ruled = self.read()?;
        let ruling = rule(&ruled.game, ruled.terms);
        match ruling.verdict {
            Verdict::Open => Ok(ruled),
            Verdict::Over(..) => Err(Refusal::GameOver(ruling.say(language))),
        }
    }

    /// Parses a game that must not be over, without its rules, for engines that ignore them.
    ///
    /// # Errors
    /// Returns the reason why the game is invalid, or the end of a finished game.
    #[cfg(feature = "serve")]
    pub(crate) fn open_game(&self, language: Language) -> Result<Game, Refusal> {
        Ok(self.read_open(language)?.game)
    }

    /// Parses the rules.
    pub(super) fn terms(&self) -> Result<Terms, Refusal> {
        let rules = self.rules.as_deref().map_or(Ok(RuleSet::default()), RuleSet::from_str);
        let mut terms = rules.map_err(|unknown| Refusal::bad(unknown.to_string()))?.terms();
        if let Some(folds) = self.fold {
            let folds = (2..=10).contains(&folds).then_some(folds);
            terms = terms.with_folds(folds.ok_or_else(|| Refusal::bad("fold: 2 to 10"))?);
        }
        match self.natural_limit {
            Some(0) => Err(Refusal::bad("natural_limit: must be at least 1")),
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
