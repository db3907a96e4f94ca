//! How a player can fail, and why there may be no answer.

use super::ending::Ending;
use std::fmt;
use std::time::Duration;

/// How a player failed. All of these lose the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The program can't be started, or does not complete its handshake: why.
    NoStart(String),
    /// The program ended: how.
    Crash(String),
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

impl Fault {
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
