//! How a player can fail, and why there may be no answer.

use super::ending::Ending;
use super::offer::Refused;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;
use thiserror::Error;

/// How a player failed. All of these lose the game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// The program can't be started, or does not complete its handshake: why.
    #[error("does not start: {0}")]
    NoStart(NoStart),
    /// The program ended: how.
    #[error("crashed: {0}")]
    Crash(Exit),
    /// No answer, even after `stop`.
    #[error("hangs: no answer")]
    Hang,
    /// The answer came this much after the time was up.
    #[error("loses on time: answered {:.0} ms too late", .0.as_secs_f64() * 1000.0)]
    Late(Duration),
    /// More output than anybody could read.
    #[error("sends too much output")]
    Flood,
    /// The answer is not a move. Its text.
    #[error("answers {0:?}, which is not a move")]
    Garbage(String),
    /// The answer is a move that is not legal: its text.
    #[error("plays {0}, which is not legal")]
    Illegal(String),
}

/// Why a program can't be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NoStart {
    /// The system does not start it.
    #[error("{program}: {text}")]
    System {
        /// The program, as it was named.
        program: String,
        /// Which error it is.
        kind: io::ErrorKind,
        /// The error in the system's words.
        text: String,
    },
    /// It does not answer the handshake.
    #[error("no answer to its handshake")]
    Mute,
    /// An option does not take its value.
    #[error(transparent)]
    Option(Refused),
    /// Our own program refuses an option: why.
    #[error("{0}")]
    OwnOption(String),
    /// It failed before the first game.
    #[error(transparent)]
    Failed(Box<Fault>),
}

/// How a program ended.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Exit {
    /// By itself, or by a signal.
    #[error("{0}")]
    Status(ExitStatus),
    /// Nobody knows how: what is known, in words.
    #[error("{0}")]
    Unknown(String),
}

impl Fault {
    /// The same fault of a program that was to be started.
    pub fn at_start(self) -> Fault {
        match self {
            Fault::NoStart(_) => self,
            other => Fault::NoStart(NoStart::Failed(Box::new(other))),
        }
    }

    /// The ending of a game that it decides.
    pub fn ending(&self) -> Ending {
        match self {
            Fault::NoStart(_) => Ending::NoStart,
            Fault::Crash(_) => Ending::Crash,
            Fault::Hang => Ending::Hang,
            Fault::Late(_) => Ending::Time,
            Fault::Flood => Ending::Flood,
            Fault::Garbage(_) => Ending::Garbage,
            Fault::Illegal(_) => Ending::IllegalMove,
        }
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoAnswer {
    /// The player's fault.
    Fault(Fault),
    /// No player's fault: the system has no process, thread or memory left. One line.
    Exhausted(String),
    /// The match is being stopped.
    Stopped,
}

impl From<Fault> for NoAnswer {
    fn from(fault: Fault) -> NoAnswer {
        NoAnswer::Fault(fault)
    }
}
