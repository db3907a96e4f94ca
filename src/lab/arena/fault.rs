//! Faults of players, and other reasons for a missing reply.

use super::end_reason::GameEndReason;
use super::offer::Refused;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;
use thiserror::Error;

/// Fault of a player, who loses the game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EngineFault {
    /// The program cannot be started or does not complete its handshake.
    #[error("does not start: {0}")]
    NoStart(NoStart),
    /// The program ended.
    #[error("crashed: {0}")]
    Crash(Exit),
    /// No reply, even after `stop`.
    #[error("hangs: no answer")]
    Hang,
    /// The reply arrived after the deadline, this long after the time of the clock.
    #[error("loses on time: answered {} ms too late", .0.as_millis().max(1))]
    Late(Duration),
    /// Excessive output.
    #[error("sends too much output")]
    Flood,
    /// The reply is not a move; contains the reply.
    #[error("answers {0:?}, which is not a move")]
    Garbage(String),
    /// The move is illegal; contains the move.
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
    #[error("no reply to the handshake")]
    Mute,
    /// An option does not accept its value.
    #[error(transparent)]
    Option(Refused),
    /// Chuhe itself rejects an option, with the reason.
    #[error("{0}")]
    OwnOption(String),
    /// The program failed before its first game.
    #[error(transparent)]
    Failed(Box<EngineFault>),
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

impl EngineFault {
    /// Converts the fault to [`EngineFault::NoStart`], for a program that failed before its first game.
    pub(crate) fn at_start(self) -> EngineFault {
        match self {
            EngineFault::NoStart(_) => self,
            other => EngineFault::NoStart(NoStart::Failed(Box::new(other))),
        }
    }

    /// Returns the reason for the end of a game that ends by this fault.
    pub fn end_reason(&self) -> GameEndReason {
        match self {
            EngineFault::NoStart(_) => GameEndReason::NoStart,
            EngineFault::Crash(_) => GameEndReason::Crash,
            EngineFault::Hang => GameEndReason::Hang,
            EngineFault::Late(_) => GameEndReason::Time,
            EngineFault::Flood => GameEndReason::Flood,
            EngineFault::Garbage(_) => GameEndReason::Garbage,
            EngineFault::Illegal(_) => GameEndReason::IllegalMove,
        }
    }
}

/// Reason for a missing reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoAnswer {
    /// Fault of the player.
    Fault(EngineFault),
    /// The system has no process, thread or memory left; contains a one-line message.
    Exhausted(String),
    /// The match is being stopped.
    Stopped,
}

impl From<EngineFault> for NoAnswer {
    fn from(fault: EngineFault) -> NoAnswer {
        NoAnswer::Fault(fault)
    }
}
