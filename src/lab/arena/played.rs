//! The record of a finished game, as `games.jsonl` keeps it.

use super::claim::Thought;
use super::ending::Ending;
use chuhe_games::records::GameResult;
use serde::{Deserialize, Serialize};

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// The number of the game in the match, from 1.
    pub game: u32,
    /// Red's name.
    pub red: String,
    /// Black's name.
    pub black: String,
    /// FEN of the opening's first position.
    pub fen: String,
    /// How many of the moves belong to the opening.
    pub opening_plies: usize,
    /// All moves, `h2e2`.
    pub moves: Vec<String>,
    /// What the player said and took, for each move after the opening.
    pub thoughts: Vec<Spoken>,
    /// How it ended.
    pub result: GameResult,
    /// Why.
    pub reason: Ending,
    /// Everything more there is to say of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Who failed, if the game ended so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultOf>,
    /// When it ended, `2026.11.21`.
    pub date: String,
}

/// Who failed, and how.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FaultOf {
    /// The player's name.
    pub player: String,
    /// One of [`Ending::FAULTS`].
    pub kind: Ending,
}

/// What a player said of a move, and what the move cost.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Spoken {
    /// From the mover's view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// Plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Plies of the longest line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// Nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The player's own comment for the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Microseconds.
    pub us: u64,
}

impl From<Thought> for Spoken {
    fn from(thought: Thought) -> Spoken {
        let Thought { score, depth, seldepth, nodes, comment, time } = thought;
        let score = score.map(|score| score.to_string());
        Spoken { score, depth, seldepth, nodes, comment, us: time.as_micros() as u64 }
    }
}

impl Played {
    /// What one of the players said, move by move.
    pub fn of_player<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a Spoken> {
        let black_begins = self.fen.split_whitespace().nth(1) == Some("b");
        let first_is_black = (self.opening_plies % 2 == 1) != black_begins;
        let is_black = self.black == name;
        let skipped = usize::from(is_black != first_is_black);
        self.thoughts.iter().skip(skipped).step_by(2)
    }

    /// The moves, each with its player's comment; moves of the opening have none.
    pub fn moves_with_thoughts(&self) -> impl Iterator<Item = (&str, Option<&Spoken>)> {
        let spoken = |at: usize| at.checked_sub(self.opening_plies).and_then(|at| self.thoughts.get(at));
        self.moves.iter().enumerate().map(move |(at, mv)| (mv.as_str(), spoken(at)))
    }
}
