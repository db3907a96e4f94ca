//! Errors in the command line.

use crate::arena::error::SettingError;
use chuhe_board::rules::UnknownRuleSet;
use std::io;
use thiserror::Error;

/// Pattern of the comment lines that are recorded.
pub(super) const COMMENT_LINES: &str = "^info string pgncomment .*";

/// Reason why a command line is rejected.
#[derive(Debug, Error)]
pub enum ArgumentError {
    /// A flag is not supported or has an invalid value.
    #[error("{flag}: {error}")]
    Flag {
        /// Flag.
        flag: String,
        /// Reason.
        error: FlagError,
    },
    /// A player's settings are invalid.
    #[error("-engine {settings}: {error}")]
    Player {
        /// Settings of the player.
        settings: String,
        /// Reason.
        error: FlagError,
    },
    /// Both players have the same name.
    #[error("-engine: both players have the same name")]
    SameName,
    /// The number of players is not two; contains the number.
    #[error("-engine: a match has two players, not {0}")]
    Players(usize),
}

/// Reason why a flag or its value is rejected.
#[derive(Debug, Error)]
pub enum FlagError {
    /// Unknown flag.
    #[error("unknown flag")]
    Unknown,
    /// A value without a flag.
    #[error("a flag was expected")]
    NoFlag,
    /// A chess variant other than Xiangqi.
    #[error("{0} is not Xiangqi; chess variants are not supported")]
    Variant(String),
    /// Tablebases for chess.
    #[error("Xiangqi has no Syzygy tablebases; set the server's syzygy options to DISABLED")]
    Tablebases,
    /// A flag that takes one value was given this many values.
    #[error("takes one value, not {0}")]
    Count(usize),
    /// Not a number, or too large.
    #[error("{0:?} is not a number in range")]
    Number(String),
    /// A number outside its range.
    #[error("{text} is not from {min} to {max}")]
    Range {
        /// Number as given.
        text: String,
        /// Minimum.
        min: u32,
        /// Maximum.
        max: u32,
    },
    /// Not a setting.
    #[error("{0:?} is not NAME=VALUE")]
    NotAPair(String),
    /// Unknown setting.
    #[error("unknown setting {0:?}")]
    UnknownSetting(String),
    /// Unsupported value of a setting.
    #[error("{0}={1} is not supported")]
    Unsupported(&'static str, String),
    /// Unsupported pattern of comment lines.
    #[error("match_line={0}: only {known:?} is kept", known = COMMENT_LINES)]
    CommentLines(String),
    /// A required setting is missing.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A player without a limit.
    #[error("a limit is missing: tc=, st=, nodes= or depth=")]
    NoLimit,
    /// A quotation mark in a player's arguments is not closed.
    #[error("args: a quote is not closed")]
    Quote,
    /// A name that workers cannot parse.
    #[error("the name {0:?} contains spaces or non-ASCII characters")]
    Name(String),
    /// Unknown rule set.
    #[error(transparent)]
    Rules(#[from] UnknownRuleSet),
    /// Invalid time.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The working directory is unknown.
    #[error(transparent)]
    System(#[from] io::Error),
}
