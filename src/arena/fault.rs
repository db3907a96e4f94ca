//! How a player can fail, and why there may be no answer.

use super::ending::Ending;
use super::offer::Refused;
use std::fmt;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

/// How a player failed. All of these lose the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The program can't be started, or does not complete its handshake: why.
    NoStart(NoStart),
    /// The program ended: how.
    Crash(Exit),
    /// No answer, even after `stop`.
    Hang,
    /// The answer came this much after the time was up.
    Late(Duration),
    /// More output than anybody could read.
    Flood,
    /// The answer is not a move. Its text.
    Garbage(String),
    /// The answer is a move that is not legal: its text.
    Illegal(String),
}

/// Why a program can't be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoStart {
    /// The system does not start it.
    System {
        /// The program, as it was named.
        program: String,
        /// Which error it is.
        kind: io::ErrorKind,
        /// The error in the system's words.
        text: String,
    },
    /// It does not answer the handshake.
    Mute,
    /// An option does not take its value.
    Option(Refused),
    /// Our own program refuses an option: why.
    OwnOption(String),
    /// It failed before the first game.
    Failed(Box<Fault>),
}

/// How a program ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exit {
    /// By itself, or by a signal.
    Status(ExitStatus),
    /// Nobody knows how: what is known, in words.
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

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fault::NoStart(why) => write!(f, "does not start: {why}"),
            Fault::Crash(how) => write!(f, "crashed: {how}"),
            Fault::Hang => write!(f, "hangs: no answer"),
            Fault::Late(by) => write!(f, "loses on time: answered {:.0} ms too late", by.as_secs_f64() * 1000.0),
            Fault::Flood => write!(f, "floods its output"),
            Fault::Garbage(text) => write!(f, "answers {text:?}, which is not a move"),
            Fault::Illegal(text) => write!(f, "plays {text}, which is not legal"),
        }
    }
}

impl fmt::Display for NoStart {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NoStart::System { program, text, .. } => write!(f, "{program}: {text}"),
            NoStart::Mute => write!(f, "no answer to its handshake"),
            NoStart::Option(refused) => refused.fmt(f),
            NoStart::OwnOption(why) => f.write_str(why),
            NoStart::Failed(fault) => fault.fmt(f),
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Exit::Status(status) => status.fmt(f),
            Exit::Unknown(words) => f.write_str(words),
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
