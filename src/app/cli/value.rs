//! Invalid values of options.

use chuhe_engine::endings::NotAnEnding;
use thiserror::Error;

/// Reason why the value of an option is invalid.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum BadValue {
    /// Unknown unit of time.
    #[error("unknown unit of time {0:?}; use ms, s, m or h")]
    TimeUnit(String),
    /// A time without a number.
    #[error("{0:?} is not a time such as 3s or 500ms")]
    Time(String),
    /// A time that cannot be represented.
    #[error("{0:?} is too long or negative")]
    TimeRange(String),
    /// A clock without time.
    #[error("the clock must allow time for the first move")]
    NoTime,
    /// Invalid number of threads; contains the maximum.
    #[error("use a number from 0 to {0}; 0 = all cores")]
    Threads(usize),
    /// Invalid level, or pair of levels.
    #[error("use a level from 1 to 10, or one for each side: 4,6")]
    Level,
    /// Invalid side.
    #[error("use red or black")]
    Side,
    /// Invalid result of a game.
    #[cfg(feature = "sqlite-books")]
    #[error("use 1-0, 0-1, 1/2-1/2 or *")]
    Result,
    /// Invalid range of depths.
    #[error("use a depth from 1 to 60, or a range such as 1-4")]
    Depths,
    /// Invalid range of plies.
    #[error("use a number of plies such as 8, or a range such as 6-10")]
    Plies,
    /// Invalid amount of memory.
    #[error("use a number of gigabytes, such as 8")]
    Memory,
    /// Invalid name of an ending.
    #[error(transparent)]
    Ending(#[from] NotAnEnding),
    /// A number that must be positive.
    #[error("not a number above 0")]
    Positive,
    /// A number that must not be negative.
    #[error("not a number of at least 0")]
    NotNegative,
    /// Invalid number of hidden units.
    #[error("not a multiple of 32 up to 4096")]
    HiddenUnits,
    /// Invalid sets of input weights.
    #[error("not six numbers from 0 to 5, such as 0,1,2,2,2,2")]
    KingBuckets,
    /// Invalid learning rate of a tuning run.
    #[error("not a number of steps above 0")]
    Steps,
    /// Unknown search parameter.
    #[error("unknown parameter; `chuhe params` lists all")]
    Parameter,
    /// Invalid setting in a list of numbers.
    #[error("{0:?} is not NAME=NUMBER")]
    Pair(String),
    /// A list of numbers contains unknown names or values.
    #[error("{0}")]
    Numbers(String),
}
