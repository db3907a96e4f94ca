//! Errors of matches, their files and their settings.

use super::fault::EngineFault;
use chuhe_board::rules::BadGame;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Reason why a match cannot be prepared, played, continued or merged.
#[derive(Debug, Error)]
pub enum Error {
    /// A file or folder cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Path.
        path: PathBuf,
        /// System error.
        error: io::Error,
    },
    /// The output cannot be written.
    #[error(transparent)]
    Output(io::Error),
    /// An opening in a file cannot be used.
    #[error("{}: {error}", path.display())]
    Opening {
        /// Path of the file.
        path: PathBuf,
        /// Reason.
        error: OpeningError,
    },
    /// Another process is writing the match.
    #[error("{}: another run is writing to it", .0.display())]
    Locked(PathBuf),
    /// The folder of a new match already contains one.
    #[error("{} contains a match: use --resume to continue it, or --out FOLDER to start another", .0.display())]
    Exists(PathBuf),
    /// The folder of a new match contains a file of this name that does not belong to a match.
    #[error("{}: the file exists, but the folder contains no match; --out FOLDER chooses another folder", .0.display())]
    Taken(PathBuf),
    /// The first line of a journal is damaged.
    #[error("{}: line 1, with the settings of the match, is damaged: {error}", path.display())]
    Head {
        /// Path of the journal.
        path: PathBuf,
        /// Error of the parser.
        error: serde_json::Error,
    },
    /// A line in a journal is not a game of its match.
    #[error("{}: line {line}: {error}", path.display())]
    Line {
        /// Path of the journal.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// Reason.
        error: LineError,
    },
    /// The journal belongs to a different match.
    #[error("{}: {difference}", path.display())]
    OtherMatch {
        /// Path of the journal.
        path: PathBuf,
        /// Difference between the settings.
        difference: Difference,
    },
    /// Two folders to merge belong to different matches.
    #[error("{} and {}: {difference}", folders[0].display(), folders[1].display())]
    DifferentMatches {
        /// Both folders.
        folders: [PathBuf; 2],
        /// Difference between the settings.
        difference: Difference,
    },
    /// Two folders to merge contain different games with the same number.
    #[error("{} and {} have different versions of game {game}", folders[0].display(), folders[1].display())]
    DifferentGames {
        /// Both folders.
        folders: [PathBuf; 2],
        /// Number of the game.
        game: u32,
    },
    /// A folder to merge has no list of players.
    #[error("{}: written by an older version, which stored no plan", .0.display())]
    NoPlan(PathBuf),
    /// No folder was given.
    #[error("there is no folder to merge")]
    NoFolder,
    /// The system cannot run this many games concurrently.
    #[error("{games} games at once: {lack}")]
    Games {
        /// Number of concurrent games.
        games: usize,
        /// Missing resource.
        lack: Lack,
    },
    /// The system cannot evaluate this many positions concurrently.
    #[error("{positions} positions at once: {error}")]
    Positions {
        /// Number of concurrent positions.
        positions: u32,
        /// System error.
        error: io::Error,
    },
    /// A player cannot be used.
    #[error("{player} {fault}")]
    Player {
        /// Name.
        player: String,
        /// Reason.
        fault: EngineFault,
    },
    /// A player cannot be started.
    #[error("{player} {fault} (last: {transcript})")]
    NotStarted {
        /// Name.
        player: String,
        /// Reason.
        fault: EngineFault,
        /// Last lines of the communication.
        transcript: String,
    },
    /// A player could not be started for a game despite several attempts.
    #[error("{reason}, {attempts} times in a row")]
    NeverStarted {
        /// Game, player, and reason for the failure of the last attempt.
        reason: String,
        /// Number of attempts.
        attempts: u32,
    },
    /// The system has run out of processes, threads or memory; contains the affected player or program and
    /// the message.
    #[error("{0}")]
    Exhausted(String),
}

impl Error {
    /// Adds the path to an error of the system.
    pub(super) fn file(path: &Path, error: io::Error) -> Error {
        Error::File { path: path.to_owned(), error }
    }
}

/// Resource that concurrent games lack.
#[derive(Debug, Error)]
pub enum Lack {
    /// This system cannot pin processes.
    #[error("processes can be pinned to cores only on Linux")]
    Pinning,
    /// There are fewer cores than pinned games require.
    #[error("pinned games need {needed} cores, and there are {usable}")]
    Cores {
        /// Required number of cores.
        needed: usize,
        /// Number of cores that this process may use.
        usable: usize,
    },
    /// The system cannot create a thread or allocate memory.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// Reason why an opening cannot be used.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum OpeningError {
    /// The line with this number is not a position with legal moves.
    #[error("line {0}: {1}")]
    Line(usize, BadGame),
    /// A game record cannot be parsed.
    #[error(transparent)]
    Record(#[from] chuhe_games::records::RecordFault),
    /// The game with this number consists only of tags.
    #[error("game {0} has neither moves nor a FEN")]
    Empty(usize),
    /// The game is over after the opening with this number.
    #[error("the game is over after opening {0}")]
    Over(usize),
    /// The file contains no opening.
    #[error("no openings found")]
    Missing,
}

/// Reason why a line in a journal is not a game of its match.
#[derive(Debug, Error)]
pub enum LineError {
    /// Not a game.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A game with this number occurs in an earlier line.
    #[error("game {0} occurs twice")]
    Twice(u32),
    /// A game has a player who is not in the match.
    #[error("game {game}: {name:?} is not a player of this match")]
    Stranger {
        /// Number of the game.
        game: u32,
        /// Name of the player.
        name: String,
    },
    /// The first position or a move of a game is illegal.
    #[error("game {game}: {error}")]
    Illegal {
        /// Number of the game.
        game: u32,
        /// Reason.
        error: BadGame,
    },
}

/// Difference between the settings of two matches.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Difference {
    /// Different versions of the file format, or different numbers of settings.
    #[error("this is a different match: a different version or number of settings")]
    Version,
    /// A setting that differs; contains both values.
    #[error("this is a different match: {0:?} there, {1:?} now")]
    Setting(String, String),
}

/// Reason why the settings of a player are rejected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SettingError {
    /// The text is not a setting.
    #[error("{0:?} is not KEY=VALUE, such as cmd=PROGRAM")]
    NotAPair(String),
    /// Unknown key.
    #[error(
        "there is no setting {0:?}; known are cmd, name, dir, protocol, hash, threads, tc, movetime, nodes, depth, \
         margin, patience, restart, ponder, unit, pawn, option.NAME"
    )]
    Unknown(String),
    /// Invalid value.
    #[error("{key}={value}: {allowed}")]
    Value {
        /// Key.
        key: String,
        /// Value.
        value: String,
        /// Description of allowed values.
        allowed: &'static str,
    },
    /// The name contains control characters.
    #[error("name: control characters and other invisible characters are not allowed")]
    Invisible,
    /// The program is missing.
    #[error("cmd=PROGRAM is missing")]
    NoProgram,
    /// Two limits in one list of settings.
    #[error("{0} and {1}: a player has one limit")]
    TwoLimits(String, String),
    /// Pondering without a clock or a time per move.
    #[error("ponder=true: needs tc or movetime")]
    PonderWithoutClock,
    /// A fraction of a second as the time per move of an engine that receives whole seconds.
    #[error("movetime: unit=s needs whole seconds")]
    MoveTimeInSeconds,
}

impl SettingError {
    /// Returns an error for an invalid value.
    pub(super) fn value(key: &str, value: &str, allowed: &'static str) -> SettingError {
        SettingError::Value { key: key.to_owned(), value: value.to_owned(), allowed }
    }
}
