//! Players: an engine's command, its options and its limits.

mod settings;

pub use settings::{PlayerSettings, quoted, split_words};
pub(super) use settings::{read_clock, read_seconds};

use super::error::SettingError;
use super::offer::Offer;
use chuhe_board::named;
use chuhe_engine::protocol::Dialect;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// A player in a match, as described on the command line or in the match's file.
#[derive(Clone, PartialEq, Debug)]
pub struct Player {
    /// Name in tables and records; unique within a match.
    pub name: String,
    /// Program and its arguments; the single word `self` is this program.
    pub command: Vec<String>,
    /// Working directory of the program.
    pub directory: Option<PathBuf>,
    /// Protocol.
    pub protocol: Protocol,
    /// Protocol detected for the first process and used for later processes.
    pub detected_dialect: Option<Dialect>,
    /// Options in the given order, sent after the handshake.
    pub options: Vec<(String, String)>,
    /// Size of the hash table in MB.
    pub hash: Option<u32>,
    /// Number of threads.
    pub threads: Option<u32>,
    /// Limit per move or game.
    pub limit: Limit,
    /// Time after the deadline within which a late reply is tolerated.
    pub margin: Duration,
    /// Timeout for a search by nodes or depth, and for all replies other than moves.
    pub patience: Duration,
    /// Starts a new process for each game.
    pub restart: bool,
    /// Sends UCCI times in seconds.
    pub seconds: bool,
    /// Ponders. Requires a clock or a fixed time per move.
    pub ponder: bool,
    /// Cores that the player's processes may use; empty for all.
    pub cores: Vec<usize>,
    /// Value of a pawn in the player's scores. Matches compare scores as reported.
    pub pawn: u32,
}

named! {
    /// Protocol dialects.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Protocol {
        /// Tries `ucci`, then `uci`, with ranks 1–10 if the engine offers a `UCI_Variant` that supports
        /// Xiangqi.
        #[default]
        Auto = "auto",
        /// Tries `uci`, then `ucci`, with ranks 1–10 if the engine offers a `UCI_Variant` that supports
        /// Xiangqi.
        AutoUci = "auto-uci",
        /// UCCI.
        Ucci = "ucci",
        /// UCI as in Pikafish: ranks 0–9.
        Uci = "uci",
        /// UCI with `UCI_Variant xiangqi`: ranks 1–10.
        UciVariant = "uci-variant",
    }

    /// Returns the name on the command line.
    pub fn name -> &'static str
}

impl FromStr for Protocol {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Protocol, SettingError> {
        let found = Protocol::ALL.into_iter().find(|protocol| protocol.name() == text);
        found.ok_or_else(|| SettingError::value("protocol", text, "must be auto, auto-uci, ucci, uci or uci-variant"))
    }
}

/// Limit of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// A clock: base time for a number of moves or for the whole game, and an increment per move.
    Clock {
        /// Number of moves after which the base time is added again; `None` for never.
        moves: Option<u32>,
        /// Initial time.
        base: Duration,
        /// Increment per move.
        increment: Duration,
    },
    /// Fixed time per move.
    MoveTime(Duration),
    /// Nodes per move.
    Nodes(u64),
    /// Depth per move, in plies.
    Depth(u32),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Limit::Clock { moves, base, increment } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", base.as_secs_f64())?;
                if *increment > Duration::ZERO { write!(f, "+{}", increment.as_secs_f64()) } else { Ok(()) }
            }
            Limit::MoveTime(time) => write!(f, "{}/move", time.as_secs_f64()),
            Limit::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Limit::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

impl Player {
    /// Returns the defaults without a name and a program: two seconds plus 20 ms per move.
    pub(super) fn new() -> Player {
        Player {
            name: String::new(),
            command: Vec::new(),
            directory: None,
            protocol: Protocol::Auto,
            detected_dialect: None,
            options: Vec::new(),
            hash: None,
            threads: None,
            limit: Limit::Clock { moves: None, base: Duration::from_secs(2), increment: Duration::from_millis(20) },
            margin: Duration::from_millis(50),
            patience: Duration::from_secs(60),
            restart: false,
            seconds: false,
            ponder: false,
            cores: Vec::new(),
            pawn: 100,
        }
    }

    /// Returns `true` if the player's program is Chuhe itself.
    pub fn is_self(&self) -> bool {
        self.command.first().is_some_and(|program| program == "self")
    }

    /// Returns the options to set, with the engine's spelling for the options that it offers.
    pub(super) fn options_to_set(&self, offered: &[Offer], dialect: Dialect) -> Vec<(String, String)> {
        let mut wished = Vec::new();
        for (names, value) in [(["hashsize", "Hash"], self.hash), (["threads", "Threads"], self.threads)] {
            if let Some(value) = value {
                let own = if dialect == Dialect::Ucci { names[0] } else { names[1] };
                let find = |name: &str| offered.iter().find(|offer| offer.name.eq_ignore_ascii_case(name));
                let offer = find(own).or_else(|| names.into_iter().find_map(find));
                wished.push((offer.map_or(own, |offer| &offer.name).to_string(), value.to_string()));
            }
        }
        if self.ponder
            && let Some(offer) = offered.iter().find(|offer| offer.name.eq_ignore_ascii_case("ponder"))
        {
            wished.push((offer.name.clone(), "true".to_owned()));
        }
        wished.extend(self.options.iter().cloned());
        wished
    }

    /// Returns the settings that even the first matches stored in `games.jsonl`, on one line. A match is
    /// resumed only with the same text, so the text must not change; new settings belong to
    /// [`Player::details`].
    pub fn description(&self) -> String {
        let Player { name, command, protocol, options, hash, threads, limit, restart, .. } = self;
        let mut text = format!("{name}: {} ({}), {limit}", command.join(" "), protocol.name());
        for (what, value) in [("hash", hash), ("threads", threads)] {
            if let Some(value) = value {
                text += &format!(", {what} {value}");
            }
        }
        for (name, value) in options {
            text += &format!(", {name} = {value}");
        }
        if *restart {
            text += ", restarted";
        }
        if self.ponder { text + ", ponders" } else { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Matches in existing folders are resumed only with the same text.
    #[test]
    fn the_description_of_a_player_never_changes() {
        let settings = "cmd='/a b/x' -q,name=A,protocol=uci,tc=40/90+0.5,hash=16,threads=2,option.Style=a,restart=true,ponder=true";
        let text = "A: /a b/x -q (uci), 40/90+0.5, hash 16, threads 2, Style = a, restarted, ponders";
        assert_eq!(settings.parse::<Player>().map(|player| player.description()), Ok(text.to_owned()));
        let plain = "cmd=self,nodes=100".parse::<Player>();
        assert_eq!(plain.map(|player| player.description()), Ok("chuhe: self (auto), 100 nodes".to_owned()));
    }
}
