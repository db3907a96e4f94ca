//! Finished games as stored in `games.jsonl`.

use super::claim::Thought;
use super::end_reason::GameEndReason;
use chuhe_board::rules::Outcome;
use chuhe_games::records::GameResult;
use serde::{Deserialize, Serialize};

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// Number of the game in the match, from 1.
    pub game: u32,
    /// Name of Red's player.
    pub red: String,
    /// Name of Black's player.
    pub black: String,
    /// FEN of the opening's first position.
    pub fen: String,
    /// Number of opening moves.
    pub opening_plies: usize,
    /// All moves in coordinate notation, such as `h2e2`.
    pub moves: Vec<String>,
    /// Search information and time of each move after the opening.
    pub thoughts: Vec<Spoken>,
    /// Result.
    pub result: GameResult,
    /// Reason why the game ended.
    pub reason: GameEndReason,
    /// Details of the reason.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Fault of a player, if it ended the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultOf>,
    /// Date of the end, such as `2026.11.21`.
    pub date: String,
}

/// A player's fault.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FaultOf {
    /// Name of the player.
    pub player: String,
    /// Kind of fault.
    pub kind: GameEndReason,
}

/// Search information and time of a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Spoken {
    /// Score from the mover's point of view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Length of the longest line in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// Number of nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Comment by the player for the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Time in microseconds.
    #[serde(rename = "us")]
    pub microseconds: u64,
}

impl From<Thought> for Spoken {
    fn from(thought: Thought) -> Spoken {
        let Thought { score, depth, seldepth, nodes, comment, time } = thought;
        let score = score.map(|score| score.to_string());
        Spoken { score, depth, seldepth, nodes, comment, microseconds: time.as_micros() as u64 }
    }
}

impl Played {
    /// Returns Red's outcome.
    pub(crate) fn outcome_for_red(&self) -> Option<Outcome> {
        let outcome = self.result.outcome_for_red();
        debug_assert!(outcome.is_some(), "a match plays every game to a result");
        outcome
    }

    /// Returns the search information of one player, move by move.
    pub(crate) fn of_player<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a Spoken> {
        let black_begins = self.fen.split_whitespace().nth(1) == Some("b");
        let first_is_black = (self.opening_plies % 2 == 1) != black_begins;
        let is_black = self.black == name;
        let skipped = usize::from(is_black != first_is_black);
        self.thoughts.iter().skip(skipped).step_by(2)
    }

    /// Returns the moves, each with its player's search information; `None` for opening moves.
    pub(crate) fn moves_with_thoughts(&self) -> impl Iterator<Item = (&str, Option<&Spoken>)> {
        let spoken = |at: usize| at.checked_sub(self.opening_plies).and_then(|at| self.thoughts.get(at));
        self.moves.iter().enumerate().map(move |(at, mv)| (mv.as_str(), spoken(at)))
    }
}
