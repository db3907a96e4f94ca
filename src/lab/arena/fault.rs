//! Faults of players, and other reasons for a missing reply.

use super::ending::Ending;
use super::offer::Refused;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;
use thiserror::Error;

/// Fault of a player; the player loses the game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// The program cannot be started or does not complete its handshake.
    #[error("does not start: {0}")]
    NoStart(NoStart),
    /// The program ended.
    #[error("crashed: {0}")]
    Crash(Exit),
    /// No reply, even after `stop`.
    #[error("hangs: no answer")]
    Hang,
    /// The reply arrived this long after the deadline.
    #[error("loses on time: answered {:.0} ms too late", .0.as_secs_f64() * 1000.0)]
    Late(Duration),
    /// Excessive output.
    #[error("sends too much output")]
    Flood,
    /// The reply is not a move; contains its text.
    #[error("answers {0:?}, which is not a move")]
    Garbage(String),
    /// The move is illegal; contains its text.
    #[error("plays {0}, which is not legal")]
    Illegal(String),
}

/// Reason why a program cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NoStart {
    /// The system cannot start it.
    #[error("{program}: {text}")]
    System {
        /// Program as named by the user.
        program: String,
        /// Kind of the error.
        kind: io::ErrorKind,
        /// Message of the system.
        text: String,
    },
    /// No reply to the handshake.
    #[error("no answer to its handshake")]
    Mute,
    /// An option does not accept its value.
    #[error(transparent)]
    Option(Refused),
    /// Chuhe itself rejects an option, with the reason.
    #[error("{0}")]
    OwnOption(String),
    /// The program failed before the first game.
    #[error(transparent)]
    Failed(Box<Fault>),
}

/// End of a program.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Exit {
    /// Exit status or signal.
    #[error("{0}")]
    Status(ExitStatus),
    /// Unknown exit status, with a description.
    #[error("{0}")]
    Unknown(String),
}

impl Fault {
    /// Converts the fault to one that occurred at the start.
    pub(crate) fn at_start(self) -> Fault {
        match self {
            Fault::NoStart(_) => self,
            other => Fault::NoStart(NoStart::Failed(Box::new(other))),
        }
    }

    /// Returns the reason of the game's end caused by the fault.
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

/// Reason for a missing reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoAnswer {
    /// Fault of the player.
    Fault(Fault),
    /// The system has no process, thread or memory left; contains a one-line message.
    Exhausted(String),
    /// The match is being stopped.
    Stopped,
}

impl From<Fault> for NoAnswer {
    fn from(fault: Fault) -> NoAnswer {
        NoAnswer::Fault(fault)
    }
}
