//! Libraries and their games as JSON. Fields without a comment are self-explanatory.

#![allow(missing_docs)]

use super::names::MoveNames;
use chuhe_games::review::JsonScore;
use serde::Serialize;

/// Game library.
#[derive(Debug, Serialize)]
pub(crate) struct LibraryEntry {
    pub games: u64,
    pub may_add: bool,
    pub may_edit: bool,
}

/// Position database.
#[derive(Debug, Serialize)]
pub(crate) struct ExploredEntry {
    pub positions: u64,
    pub may_add: bool,
}

/// Libraries of the host.
#[derive(Debug, Default)]
pub(super) struct Libraries {
    pub library: Option<LibraryEntry>,
    /// Library of the games played on the page.
    pub mine: Option<LibraryEntry>,
    /// Position database.
    pub explored: Option<ExploredEntry>,
}

/// Reason why a game does not replace the stored game with the same identifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Conflict {
    /// The stored game continues this one.
    Longer,
    /// The stored game has different moves or a different result.
    Other,
}

/// A move of an analysed position.
#[derive(Debug, Serialize)]
pub(crate) struct ValuedEntry {
    #[serde(rename = "move")]
    pub mv: String,
    pub names: MoveNames,
    /// Backed-up score from the mover's point of view.
    pub value: Option<JsonScore>,
    /// Plies to the move from which the score comes.
    pub plies: Option<u8>,
    /// The engine's score.
    pub own: Option<JsonScore>,
    /// Number of positions below the move.
    pub below: u64,
    /// `true` if the move loses by the rules of repetition.
    pub barred: bool,
}

/// Results of a group of games: won, drawn, lost and unknown, as Red and as Black.
#[derive(Debug, Serialize)]
pub(crate) struct ResultsEntry {
    /// Seat of the opponent (`human`, a level, `engine:` and a name), or code of the opening.
    pub name: String,
    /// Name of the opening.
    pub opening_name: Option<&'static str>,
    pub red: [u64; 4],
    pub black: [u64; 4],
}

/// A game in the library.
#[derive(Debug, Serialize)]
pub(crate) struct FoundEntry {
    pub id: i64,
    /// Names of Red and Black.
    pub players: [String; 2],
    pub event: String,
    pub date: String,
    pub result: &'static str,
    pub plies: i64,
    /// ECCO code.
    pub opening: Option<String>,
    pub opening_name: Option<&'static str>,
    /// Ply at which the position occurred.
    pub ply: Option<usize>,
}

/// A move played in games in the library.
#[derive(Debug, Serialize)]
pub(crate) struct PlayedEntry {
    #[serde(rename = "move")]
    pub mv: String,
    pub names: MoveNames,
    pub games: u64,
    /// Games won by the mover; `drawn` and `lost` are also from the mover's point of view.
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
    /// Unfinished games and games without a result.
    pub unknown: u64,
    /// Most frequent players of the move, at most three.
    pub players: Vec<String>,
    /// Latest year.
    pub last: Option<i64>,
}
