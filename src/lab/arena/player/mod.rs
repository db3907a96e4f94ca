//! Players: an engine's command, its options and its limits.

use super::error::SettingError;
use super::offer::Offer;
use crate::output::steers;
use chuhe_board::named;
use chuhe_engine::protocol::Dialect;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// Maximum clock or timeout, so that sums of times do not overflow.
const MAX_TIME: Duration = Duration::from_secs(366 * 86_400);

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
    pub found: Option<Dialect>,
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
            found: None,
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

    /// Creates the player described by `own`; the settings in `each` are its defaults.
    ///
    /// # Errors
    /// Returns an error for the first invalid setting.
    pub fn read(each: &[PlayerSettings], own: &PlayerSettings) -> Result<Player, SettingError> {
        let mut player = Player::new();
        for (key, value) in each.iter().chain([own]).flat_map(|settings| &settings.0) {
            player.set(key, value)?;
        }
        if player.command.is_empty() {
            return Err(SettingError::NoProgram);
        }
        if player.ponder && matches!(player.limit, Limit::Nodes(_) | Limit::Depth(_)) {
            return Err(SettingError::PonderWithoutClock);
        }
        if player.name.is_empty() {
            let program = PathBuf::from(&player.command[0]);
            player.name = program.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            if player.name == "self" {
                player.name = "chuhe".to_string();
            }
        }
        Ok(player)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), SettingError> {
        let bad = |allowed| SettingError::value(key, value, allowed);
        match key {
            "cmd" => self.command = split_words(value).ok_or_else(|| bad("a quote is not closed"))?,
            "name" if value.contains(steers) => return Err(SettingError::Invisible),
            "name" => self.name = value.to_string(),
            "dir" => self.directory = Some(value.into()),
            "protocol" => self.protocol = value.parse()?,
            "hash" => self.hash = Some(number(key, value)?),
            "threads" => self.threads = Some(number(key, value)?),
            "tc" => self.limit = read_clock(value)?,
            "movetime" => self.limit = Limit::MoveTime(read_seconds(key, value)?),
            "nodes" => self.limit = Limit::Nodes(number(key, value)?),
            "depth" => self.limit = Limit::Depth(number(key, value)?),
            "margin" => self.margin = Duration::from_millis(number::<u32>(key, value)?.into()),
            "patience" => match read_seconds(key, value)? {
                Duration::ZERO => return Err(bad("must be above 0")),
                patience => self.patience = patience,
            },
            "restart" => self.restart = switch(key, value)?,
            "ponder" => self.ponder = switch(key, value)?,
            "unit" => {
                self.seconds = match value {
                    "ms" => false,
                    "s" => true,
                    _ => return Err(bad("must be ms or s")),
                }
            }
            "pawn" => self.pawn = number::<u32>(key, value)?.max(1),
            _ => match key.strip_prefix("option.") {
                Some(option) if !option.is_empty() => {
                    self.options.retain(|(name, _)| !name.eq_ignore_ascii_case(option));
                    self.options.push((option.to_string(), value.to_string()));
                }
                _ => return Err(SettingError::Unknown(key.to_owned())),
            },
        }
        Ok(())
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

    /// Returns all settings that determine the player's moves, on one line. A match can only be resumed with
    /// the same descriptions.
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

impl FromStr for Player {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Player, SettingError> {
        Player::read(&[], &text.parse()?)
    }
}

/// Settings of a player: keys and values; later values replace earlier ones.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct PlayerSettings(pub Vec<(String, String)>);

impl FromStr for PlayerSettings {
    type Err = SettingError;

    /// Parses `cmd=./engine,tc=2+0.02,option.usebook=false`. A comma within a value is written as `\,`.
    fn from_str(text: &str) -> Result<PlayerSettings, SettingError> {
        let is_path = |text: &str| text.contains(['/', '\\']);
        let pair = |(place, setting): (usize, String)| match setting.split_once('=') {
            Some((key, value)) if !is_path(key) => Ok((key.trim().to_owned(), value.trim().to_owned())),
            _ if place == 0 && is_path(&setting) => Ok(("cmd".to_owned(), quoted(setting.trim()))),
            _ => Err(SettingError::NotAPair(setting)),
        };
        split_at_commas(text).into_iter().enumerate().map(pair).collect::<Result<_, _>>().map(PlayerSettings)
    }
}

impl fmt::Display for PlayerSettings {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let setting = |(key, value): &(String, String)| format!("{key}={}", value.replace(',', "\\,"));
        let settings: Vec<String> = self.0.iter().map(setting).collect();
        f.write_str(&settings.join(","))
    }
}

/// Splits at commas; `\,` is a comma within a part.
fn split_at_commas(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, parts.last_mut()) {
            ('\\', Some(part)) if characters.peek() == Some(&',') => {
                characters.next();
                part.push(',');
            }
            (',', _) => parts.push(String::new()),
            (_, Some(part)) => part.push(character),
            (_, None) => {}
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// Quotes a word if necessary, so that [`split_words`] returns it unchanged.
pub fn quoted(word: &str) -> String {
    let needs_quotes = word.is_empty() || word.contains(|c: char| c.is_whitespace() || c == '\'' || c == '"');
    if needs_quotes { format!("'{}'", word.replace('\'', r#"'"'"'"#)) } else { word.to_owned() }
}

/// Splits at spaces outside single or double quotation marks.
pub fn split_words(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for character in text.chars() {
        match quote {
            Some(open) if character == open => quote = None,
            None if character == '"' || character == '\'' => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            None if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

fn number<N: FromStr>(key: &str, value: &str) -> Result<N, SettingError> {
    value.parse().map_err(|_| SettingError::value(key, value, "not a number in range"))
}

fn switch(key: &str, value: &str) -> Result<bool, SettingError> {
    match value {
        "true" | "on" | "1" => Ok(true),
        "false" | "off" | "0" => Ok(false),
        _ => Err(SettingError::value(key, value, "must be true or false")),
    }
}

/// Parses seconds, or `m:s` for minutes and seconds.
pub(super) fn read_seconds(key: &str, text: &str) -> Result<Duration, SettingError> {
    let bad = || SettingError::value(key, text, "not a time such as 0.5, 90 or 1:30 (seconds)");
    let number = text.strip_suffix('s').unwrap_or(text);
    let (minutes, seconds) = number.split_once(':').unwrap_or(("0", number));
    let minutes: f64 = minutes.parse().map_err(|_| bad())?;
    let seconds: f64 = seconds.parse().map_err(|_| bad())?;
    let time = Duration::try_from_secs_f64(minutes * 60.0 + seconds).map_err(|_| bad())?;
    if time > MAX_TIME { Err(SettingError::value(key, text, "more than a year")) } else { Ok(time) }
}

/// Parses a clock: `2+0.02`, `40/60+0.6`, `1:30`.
pub(super) fn read_clock(text: &str) -> Result<Limit, SettingError> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(number("tc", moves)?), rest),
        None => (None, text),
    };
    let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let (base, increment) = (read_seconds("tc", base)?, read_seconds("tc", increment)?);
    if moves == Some(0) || base + increment == Duration::ZERO {
        return Err(SettingError::value("tc", text, "no time"));
    }
    Ok(Limit::Clock { moves, base, increment })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_read_from_one_line() {
        let each = ["tc=8+0.08,hash=32".parse().unwrap()];
        let own = r"cmd='/a b/x' -q 'y z',name=A,tc=40/1:30+0.5,option.Style=a\,b,margin=7";
        let player = Player::read(&each, &own.parse().unwrap()).unwrap();
        assert_eq!(player.command, ["/a b/x", "-q", "y z"]);
        assert_eq!(player.limit.to_string(), "40/90+0.5");
        assert_eq!(player.hash, Some(32));
        assert_eq!(player.options, [("Style".to_string(), "a,b".to_string())]);
        assert_eq!(player.margin, Duration::from_millis(7));
        assert_eq!(Player::read(&each, &"cmd=./x/eleeye".parse().unwrap()).unwrap().name, "eleeye");
    }

    #[test]
    fn a_mistake_is_named() {
        for (text, word) in [
            ("name=A", "cmd"),
            ("cmd=x,tc=0", "no time"),
            ("cmd=x,tc=fast", "tc=fast"),
            ("cmd=x,nods=5", "nods"),
            ("cmd=x,hash", "hash"),
            ("cmd='x", "quote"),
            ("cmd=x,protocol=usi", "usi"),
            ("cmd=x,movetime=-1", "movetime"),
            ("cmd=x,tc=1e19", "more than a year"),
            ("cmd=x,patience=1e19", "more than a year"),
            ("cmd=x,nodes=5,ponder=true", "needs tc"),
            ("cmd=x,tc=1+1e19", "more than a year"),
            ("cmd=x,name=a\u{1b}[2J", "control"),
        ] {
            let reason = text.parse::<Player>().unwrap_err().to_string();
            assert!(reason.contains(word), "{text}: {reason}");
        }
    }
}
