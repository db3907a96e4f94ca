//! Requests as JSON.

use super::fields::{AnalysedMove, ClockText, Effort, GameText, GamesText, LimitText, SideName, Thinker};
use super::trees::TreeText;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Declares the requests, in groups with enums of their own, and the enum of their names.
macro_rules! requests {
    (
        $(#[$attribute:meta])* enum Request { $($(#[$doc:meta])* $name:ident $fields:tt,)* }
        $(
            $(#[$group_attribute:meta])*
            enum $group:ident in $variant:ident { $($(#[$group_doc:meta])* $group_name:ident $group_fields:tt,)* }
        )*
    ) => {
        $(#[$attribute])*
        #[derive(Clone, PartialEq, Debug, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub(crate) enum Request {
            $($(#[$doc])* $name $fields,)*
            $($(#[$group_attribute])* #[serde(skip)] $variant($group),)*
        }

        $(
            $(#[$group_attribute])*
            #[derive(Clone, PartialEq, Debug, Deserialize)]
            #[serde(rename_all = "snake_case")]
            pub(crate) enum $group {
                $($(#[$group_doc])* $group_name $group_fields,)*
            }
        )*

        /// Name of a request: the value of `do` in a message.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
        #[serde(rename_all = "snake_case")]
        #[allow(missing_docs)]
        pub enum RequestName {
            $($name,)*
            $($($group_name,)*)*
        }

        impl RequestName {
            /// All names.
            pub const ALL: &[RequestName] = &[$(RequestName::$name,)* $($(RequestName::$group_name,)*)*];

            /// Returns the variant of `Request` that contains the group of a request.
            #[cfg(test)]
            pub(super) fn group(self) -> Option<&'static str> {
                match self {
                    $($(RequestName::$group_name)|* => Some(stringify!($variant)),)*
                    $(RequestName::$name)|* => None,
                }
            }
        }

        impl Request {
            /// Returns the name.
            #[cfg(feature = "serve")]
            pub(crate) fn name(&self) -> RequestName {
                match self {
                    $(Request::$name { .. } => RequestName::$name,)*
                    $($(Request::$variant($group::$group_name { .. }) => RequestName::$group_name,)*)*
                }
            }

            /// Parses a request from an object whose only key is the name.
            pub(super) fn read(name: RequestName, text: &str) -> serde_json::Result<Request> {
                match name {
                    $($(RequestName::$group_name)|* => serde_json::from_str(text).map(Request::$variant),)*
                    $(RequestName::$name)|* => serde_json::from_str(text),
                }
            }
        }
    };
}

requests! {
    /// Request. Most requests contain a game; some also contain an `effort` (the resources to use) or a
    /// `thinker` (the engine to use).
    enum Request {
        /// First message of a connection. The host checks the token; the request handler ignores it.
        Hello {
            /// Secret token of the run.
            #[serde(default)]
            token: String,
        },
        /// Requests the state of a game.
        Look {
            #[serde(flatten)]
            game: GameText,
        },
        /// Requests the effect of each move in a line.
        Line {
            /// Game before the line.
            #[serde(flatten)]
            game: GameText,
            /// Moves in any notation.
            line: Vec<String>,
        },
        /// Requests an analysis.
        Think {
            #[serde(flatten)]
            game: GameText,
            /// Number of best lines, 1 to 10.
            #[serde(default = "one")]
            lines: usize,
            /// Limits.
            limit: Option<LimitText>,
            /// Makes the side to move pass first, which shows the opponent's threats.
            #[serde(default)]
            pass: bool,
            #[serde(flatten)]
            thinker: Thinker,
            #[serde(flatten)]
            effort: Effort,
        },
        /// Stops the running search.
        Stop {},
        /// Requests the engine's move.
        Play {
            #[serde(flatten)]
            game: GameText,
            /// Level, 1 to 10.
            level: Option<u8>,
            /// Both clocks, if the game is played with clocks.
            clock: Option<ClockText>,
            /// Limits, used without clocks.
            limit: Option<LimitText>,
            /// Allows moves of the opening book.
            #[serde(default = "yes")]
            book: bool,
            #[serde(flatten)]
            thinker: Thinker,
            /// Seed for random choices.
            seed: Option<u64>,
            #[serde(flatten)]
            effort: Effort,
        },
        /// Offers the engine a draw on behalf of the side to move.
        Offer {
            #[serde(flatten)]
            game: GameText,
            #[serde(flatten)]
            effort: Effort,
        },
        /// Requests a good move.
        Hint {
            #[serde(flatten)]
            game: GameText,
            /// Limits.
            limit: Option<LimitText>,
            #[serde(flatten)]
            effort: Effort,
        },
        /// Requests the moves of the opening book.
        Book {
            #[serde(flatten)]
            game: GameText,
        },
        /// Requests tablebase values.
        Endings {
            #[serde(flatten)]
            game: GameText,
        },
        /// Searches for a proved mate by the side to move.
        Mate {
            #[serde(flatten)]
            game: GameText,
        },
        /// Requests the referee's ruling, with the effect of every ply of a repetition.
        Judge {
            #[serde(flatten)]
            game: GameText,
        },
        /// Parses a move.
        Read {
            #[serde(flatten)]
            game: GameText,
            /// Move in any notation.
            text: String,
        },
        /// Reviews every move of a game.
        Review {
            #[serde(flatten)]
            game: GameText,
            /// Nodes per position.
            nodes: Option<u64>,
            /// Names of Red and Black.
            #[serde(default)]
            players: [String; 2],
            /// Result given in the record.
            #[serde(default = "unknown")]
            result: String,
            #[serde(flatten)]
            effort: Effort,
        },
        /// Judges a learner's answer to a position.
        Try {
            #[serde(flatten)]
            game: GameText,
            /// Move in any notation.
            answer: String,
            /// Best move, if a review has found it.
            best: Option<String>,
            /// Nodes per position.
            nodes: Option<u64>,
            #[serde(flatten)]
            effort: Effort,
        },
        /// Opens a file of games; the file's name is not used.
        Open {
            /// Content as text.
            text: Option<String>,
            /// Content as bytes.
            base64: Option<String>,
            /// Number of the game whose tree is requested, from 1.
            game: Option<usize>,
        },
        /// Requests a game as a file.
        Save {
            /// Name of the format.
            form: String,
            /// Notation of moves, if the format allows a choice.
            notation: Option<String>,
            tree: TreeText,
        },
        /// Requests the name of an external engine and the options that the page can set.
        Options {
            #[serde(flatten)]
            thinker: Thinker,
        },
        /// Requests the last lines of the communication with an external engine.
        Talk {
            #[serde(flatten)]
            thinker: Thinker,
        },
        /// Requests all puzzles.
        Puzzles {},
        /// Checks whether a position is legal.
        Setup {
            /// Position as FEN.
            fen: Option<String>,
            /// Letter of the piece on each occupied square, as an alternative to the FEN.
            pieces: Option<BTreeMap<String, String>>,
            /// Side to move.
            side: Option<SideName>,
        },
    }

    /// Request to a library or to the position database.
    enum LibraryRequest in Library {
        /// Searches a library.
        Find {
            /// Searches the games played on the page.
            #[serde(default)]
            mine: bool,
            /// Game whose final position may restrict the results.
            #[serde(flatten)]
            game: GameText,
            /// Restricts the results to games that contain the game's final position.
            #[serde(default)]
            position: bool,
            /// Filter.
            #[serde(flatten)]
            what: GamesText,
            /// Index of the first result to return, from 0.
            #[serde(default)]
            from: usize,
            /// Number of results to return, at most 500.
            #[serde(default = "hundred")]
            count: usize,
        },
        /// Requests a game from a library.
        Show {
            #[serde(default)]
            mine: bool,
            /// Number in the library.
            game: i64,
        },
        /// Requests the moves played in a position, according to the library.
        Played {
            #[serde(flatten)]
            game: GameText,
        },
        /// Requests the moves of the final position, according to the position database.
        Explored {
            #[serde(flatten)]
            game: GameText,
        },
        /// Stores an analysis of the final position in the position database.
        Remember {
            #[serde(flatten)]
            game: GameText,
            /// Name of the engine; defaults to this one.
            by: Option<String>,
            nodes: u64,
            depth: u32,
            /// Moves with their scores.
            lines: Vec<AnalysedMove>,
        },
        /// Adds games to the library.
        Add {
            /// Bytes of a file.
            base64: String,
        },
        /// Stores a game played on the page. It replaces the game with the same tag `GameId`.
        Keep {
            tree: TreeText,
            /// Number under which an earlier version was stored. A game that was removed is not stored again.
            #[serde(default)]
            game: Option<i64>,
            /// Moves and result of the version that the page last stored or read. A different version is
            /// replaced only if the game continues it.
            #[serde(default)]
            known: Option<Vec<String>>,
        },
        /// Removes a game from a library.
        Remove {
            #[serde(default)]
            mine: bool,
            /// Number in the library.
            game: i64,
        },
        /// Changes a game in a library: some of its tags, or its moves, comments and variations.
        Edit {
            #[serde(default)]
            mine: bool,
            /// Number in the library.
            game: i64,
            /// New values by tag name; an empty value removes the tag.
            #[serde(default)]
            tags: BTreeMap<String, String>,
            /// New result.
            result: Option<String>,
            /// New moves, comments, variations, tags and result.
            tree: Option<TreeText>,
        },
        /// Requests results by opening, from the point of view of a player or of Red; for games played on the
        /// page, also by opponent.
        Results {
            #[serde(default)]
            mine: bool,
            #[serde(flatten)]
            what: GamesText,
        },
        /// Requests the names of players and the merged spellings.
        Names {
            #[serde(default)]
            mine: bool,
        },
        /// Merges another spelling with a player's name; without a spelling, separates all spellings from the
        /// name.
        Merge {
            #[serde(default)]
            mine: bool,
            name: String,
            spelling: Option<String>,
        },
        /// Requests the games that match a filter, as a PGN file.
        Export {
            #[serde(default)]
            mine: bool,
            #[serde(flatten)]
            what: GamesText,
            /// Notation of moves.
            notation: Option<String>,
        },
    }

    /// Request about the list of external engines.
    enum EngineListRequest in EngineList {
        /// Requests the folders and programs in a folder, which defaults to the user's home folder.
        Folder { path: Option<String> },
        /// Requests the path, with links resolved, of a program named by the user; does not start it.
        Program { path: String },
        /// Starts a program and adds it to the user's engines if it plays a move.
        AddEngine {
            /// Path of the program.
            path: String,
            /// Name of the engine; defaults to the file name.
            #[serde(default)]
            name: String,
        },
        /// Removes an engine from the user's list.
        RemoveEngine { name: String },
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
