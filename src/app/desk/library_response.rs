//! Responses of libraries and position databases as JSON. Fields without a comment are self-explanatory.

use super::names::MoveNames;
use super::wording::FileFault;
use chuhe_games::review::JsonScore;
use serde::Serialize;

/// Response to a request of the library.
#[derive(Debug, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum LibraryResponse {
    /// Games in a library: the number of matches, the total number of games, and a part of the list.
    Found { total: usize, all: u64, from: usize, games: Vec<FoundEntry> },
    /// Moves played in a position.
    Played { moves: Vec<PlayedEntry> },
    /// Moves of an analysed position, best first, and the number of positions below it.
    Explored { below: u64, moves: Vec<ValuedEntry> },
    /// Confirms that the position database contains the analysis; `positions` is its size, and `changed` is
    /// `false` if it already had a better analysis.
    Remembered { changed: bool, positions: u64 },
    /// Result of adding games to the library: numbers of new, duplicate and unreadable games, of duplicates
    /// whose comments were stored, and of those whose comments differ and were not stored.
    Added {
        added: usize,
        duplicates: usize,
        annotated: usize,
        different: usize,
        refused: usize,
        faults: Vec<FileFault>,
        total: u64,
    },
    /// Result of storing a game: its number, or `None` if it was removed before. With a conflict, the game
    /// was not stored, and the number is that of the conflicting version.
    Kept {
        game: Option<i64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        conflict: Option<Conflict>,
    },
    /// The library has been changed; `total` is its new number of games.
    Changed { total: u64 },
    /// Results by opponent and by opening.
    Results { opponents: Vec<ResultsEntry>, openings: Vec<ResultsEntry> },
    /// Sorted names of players, as many as fit into a response; merged and proposed spellings, each with the
    /// player's name first.
    Names { names: Vec<String>, merged: Vec<Vec<String>>, proposed: Vec<Vec<String>> },
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
