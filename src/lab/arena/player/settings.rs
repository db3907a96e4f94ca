//! The settings of a player on the command line: a table of their keys, and their parsers.

use super::{Limit, Player};
use crate::arena::error::SettingError;
use crate::output::steers;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// Maximum clock or timeout, so that sums of times do not overflow.
const MAX_TIME: Duration = Duration::from_secs(366 * 86_400);

/// A setting of players.
struct Setting {
    key: &'static str,
    /// Part of the first line of `games.jsonl` that contains the setting.
    stored: Stored,
    /// Parses the value and changes the player.
    set: fn(&mut Player, Value) -> Result<(), SettingError>,
}

/// Part of the first line of `games.jsonl` that contains a setting. A match is resumed only with the same
/// settings.
enum Stored {
    /// [`Player::description`].
    InDescription,
    /// [`Player::details`], with this value.
    InDetails(fn(&Player) -> String),
    /// None, since the setting has no effect in matches.
    Nowhere,
}

/// All settings except `option.NAME`, which is stored in the description.
const SETTINGS: [Setting; 16] = [
    setting("cmd", Stored::InDescription, |player, value| {
        let words = split_words(value.text).ok_or_else(|| value.error("a quote is not closed"))?;
        player.command = words;
        Ok(())
    }),
    setting("name", Stored::InDescription, |player, value| {
        if value.text.contains(steers) {
            return Err(SettingError::Invisible);
        }
        player.name = value.text.to_owned();
        Ok(())
    }),
    setting("dir", Stored::InDetails(directory), |player, value| {
        player.directory = Some(value.text.into());
        Ok(())
    }),
    setting("protocol", Stored::InDescription, |player, value| {
        value.text.parse().map(|protocol| player.protocol = protocol)
    }),
    setting("hash", Stored::InDescription, |player, value| value.number().map(|hash| player.hash = Some(hash))),
    setting("threads", Stored::InDescription, |player, value| {
        value.number().map(|threads| player.threads = Some(threads))
    }),
    setting("tc", Stored::InDescription, |player, value| read_clock(value.text).map(|limit| player.limit = limit)),
    setting("movetime", Stored::InDescription, |player, value| {
        match value.seconds()? {
            // Engines receive whole milliseconds.
            time if time.as_millis() == 0 => return Err(value.error("must be at least 0.001")),
            time => player.limit = Limit::MoveTime(time),
        }
        Ok(())
    }),
    setting("nodes", Stored::InDescription, |player, value| {
        value.positive().map(|nodes| player.limit = Limit::Nodes(nodes))
    }),
    setting("depth", Stored::InDescription, |player, value| {
        value.positive().map(|depth| player.limit = Limit::Depth(depth))
    }),
    setting("margin", Stored::InDetails(|player| player.margin.as_millis().to_string()), |player, value| {
        value.number::<u32>().map(|margin| player.margin = Duration::from_millis(margin.into()))
    }),
    setting("patience", Stored::InDetails(|player| player.patience.as_secs_f64().to_string()), |player, value| {
        match value.seconds()? {
            Duration::ZERO => return Err(value.error("must be above 0")),
            patience => player.patience = patience,
        }
        Ok(())
    }),
    setting("restart", Stored::InDescription, |player, value| value.boolean().map(|restart| player.restart = restart)),
    setting("ponder", Stored::InDescription, |player, value| value.boolean().map(|ponder| player.ponder = ponder)),
    setting("unit", Stored::InDetails(unit), |player, value| {
        player.seconds = match value.text {
            "ms" => false,
            "s" => true,
            _ => return Err(value.error("must be ms or s")),
        };
        Ok(())
    }),
    setting("pawn", Stored::Nowhere, |player, value| value.number().map(|pawn: u32| player.pawn = pawn.max(1))),
];

/// Keys of the settings that limit a move.
const LIMITS: [&str; 4] = ["tc", "movetime", "nodes", "depth"];

const fn setting(
    key: &'static str,
    stored: Stored,
    set: fn(&mut Player, Value) -> Result<(), SettingError>,
) -> Setting {
    Setting { key, stored, set }
}

fn directory(player: &Player) -> String {
    player.directory.as_ref().map_or(String::new(), |folder| folder.display().to_string())
}

fn unit(player: &Player) -> String {
    (if player.seconds { "s" } else { "ms" }).to_owned()
}

/// Value of a setting on the command line.
#[derive(Clone, Copy)]
struct Value<'v> {
    key: &'v str,
    text: &'v str,
}

impl Value<'_> {
    fn error(self, allowed: &'static str) -> SettingError {
        SettingError::value(self.key, self.text, allowed)
    }

    fn number<N: FromStr>(self) -> Result<N, SettingError> {
        self.text.parse().map_err(|_| self.error("not a number in range"))
    }

    fn positive<N: FromStr + Default + PartialEq>(self) -> Result<N, SettingError> {
        let number = self.number()?;
        if number == N::default() { Err(self.error("must be above 0")) } else { Ok(number) }
    }

    fn seconds(self) -> Result<Duration, SettingError> {
        read_seconds(self.key, self.text)
    }

    fn boolean(self) -> Result<bool, SettingError> {
        match self.text {
            "true" | "on" | "1" => Ok(true),
            "false" | "off" | "0" => Ok(false),
            _ => Err(self.error("must be true or false")),
        }
    }
}

impl Player {
    /// Creates the player described by `own`; the settings in `each` are its defaults.
    ///
    /// # Errors
    /// Returns an error for the first invalid setting.
    pub fn read(each: &[PlayerSettings], own: &PlayerSettings) -> Result<Player, SettingError> {
        let mut player = Player::new();
        for settings in each.iter().chain([own]) {
            settings.check_limits()?;
            for (key, value) in &settings.0 {
                player.set(key, value)?;
            }
        }
        if player.command.is_empty() {
            return Err(SettingError::NoProgram);
        }
        if player.ponder && matches!(player.limit, Limit::Nodes(_) | Limit::Depth(_)) {
            return Err(SettingError::PonderWithoutClock);
        }
        if let Limit::MoveTime(time) = player.limit
            && player.seconds
            && time.subsec_nanos() > 0
        {
            return Err(SettingError::MoveTimeInSeconds);
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

    fn set(&mut self, key: &str, text: &str) -> Result<(), SettingError> {
        if let Some(setting) = SETTINGS.iter().find(|setting| setting.key == key) {
            return (setting.set)(self, Value { key, text });
        }
        let option = key.strip_prefix("option.").filter(|option| !option.is_empty());
        let option = option.ok_or_else(|| SettingError::Unknown(key.to_owned()))?;
        self.options.retain(|(name, _)| !name.eq_ignore_ascii_case(option));
        self.options.push((option.to_string(), text.to_string()));
        Ok(())
    }

    /// Returns the settings that determine the results of a match and are not in [`Player::description`], on
    /// one line.
    pub fn details(&self) -> String {
        let detail = |setting: &Setting| match setting.stored {
            Stored::InDetails(value) => Some(format!("{}={}", setting.key, value(self))),
            Stored::InDescription | Stored::Nowhere => None,
        };
        format!("{}: {}", self.name, SETTINGS.iter().filter_map(detail).collect::<Vec<_>>().join(", "))
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

impl PlayerSettings {
    /// Returns the keys of all settings. The last one, `option.NAME`, represents the options of the engine.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        SETTINGS.iter().map(|setting| setting.key).chain(["option.NAME"])
    }

    /// Returns an error if there are two limits, the second of which would replace the first.
    fn check_limits(&self) -> Result<(), SettingError> {
        let mut limits = self.0.iter().map(|(key, _)| key).filter(|key| LIMITS.contains(&key.as_str()));
        let Some(first) = limits.next() else { return Ok(()) };
        let other = limits.find(|key| *key != first);
        other.map_or(Ok(()), |other| Err(SettingError::TwoLimits(first.clone(), other.clone())))
    }
}

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

/// Parses seconds, or `m:s` for minutes and seconds.
pub(in crate::arena) fn read_seconds(key: &str, text: &str) -> Result<Duration, SettingError> {
    let bad = || SettingError::value(key, text, "not a time such as 0.5, 90 or 1:30 (seconds)");
    let parse = |number: &str| number.parse::<f64>().ok().filter(|_| !number.starts_with(['+', '-']));
    let number = text.strip_suffix('s').unwrap_or(text);
    let seconds = match number.split_once(':') {
        None => parse(number).ok_or_else(bad)?,
        Some((minutes, seconds)) => {
            let minutes: u32 = minutes.parse().map_err(|_| bad())?;
            let seconds = parse(seconds).filter(|seconds| *seconds < 60.0).ok_or_else(bad)?;
            f64::from(minutes) * 60.0 + seconds
        }
    };
    if seconds > MAX_TIME.as_secs_f64() {
        return Err(SettingError::value(key, text, "more than a year"));
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| bad())
}

/// Parses a clock: `2+0.02`, `40/60+0.6`, `1:30`.
pub(in crate::arena) fn read_clock(text: &str) -> Result<Limit, SettingError> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(Value { key: "tc", text: moves }.number()?), rest),
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
            ("cmd=x,movetime=0", "movetime=0: must be at least 0.001"),
            ("cmd=x,movetime=0.0009", "must be at least 0.001"),
            ("cmd=x,nodes=0", "nodes=0: must be above 0"),
            ("cmd=x,depth=0", "depth=0: must be above 0"),
            ("cmd=x,movetime=1:-59.99", "not a time"),
            ("cmd=x,movetime=1:-30", "not a time"),
            ("cmd=x,movetime=1:90", "not a time"),
            ("cmd=x,movetime=1:60", "not a time"),
            ("cmd=x,movetime=-1:30", "not a time"),
            ("cmd=x,movetime=-0:30", "not a time"),
            ("cmd=x,movetime=1.5:30", "not a time"),
            ("cmd=x,movetime=1:nan", "not a time"),
            ("cmd=x,movetime=nan", "not a time"),
            ("cmd=x,patience=1:-1", "not a time"),
            ("cmd=x,tc=2:-1+0.5", "not a time"),
            ("cmd=x,tc=1:30+0:90", "not a time"),
            ("cmd=x,tc=0:99999999999", "not a time"),
            ("cmd=x,tc=1e19", "more than a year"),
            ("cmd=x,patience=1e19", "more than a year"),
            ("cmd=x,nodes=5,ponder=true", "needs tc"),
            ("cmd=x,tc=1,nodes=5", "tc and nodes: a player has one limit"),
            ("cmd=x,movetime=0.5,unit=s", "whole seconds"),
            ("cmd=x,tc=1+1e19", "more than a year"),
            ("cmd=x,name=a\u{1b}[2J", "control"),
        ] {
            let reason = text.parse::<Player>().unwrap_err().to_string();
            assert!(reason.contains(word), "{text}: {reason}");
        }
    }

    #[test]
    fn minutes_and_seconds_are_added() {
        for (text, seconds) in [("90", 90.0), ("1:30", 90.0), ("0:00.5", 0.5), ("2:5s", 125.0), (".5", 0.5)] {
            assert_eq!(read_seconds("movetime", text), Ok(Duration::from_secs_f64(seconds)), "{text}");
        }
    }

    #[test]
    fn details_are_all_settings_that_determine_results_and_are_not_described() {
        let plain: Player = "cmd=self,name=a,nodes=100".parse().unwrap();
        assert_eq!(plain.details(), "a: dir=, margin=50, patience=60, unit=ms");
        let other: Player = "cmd=self,name=a,nodes=100,dir=/tmp,margin=7,patience=9.5,unit=s".parse().unwrap();
        assert_eq!(other.details(), "a: dir=/tmp, margin=7, patience=9.5, unit=s");
        assert_eq!(plain.description(), other.description());
    }

    #[test]
    fn every_setting_that_is_stored_changes_the_stored_text() {
        let stored = |text: &str| text.parse::<Player>().map(|player| (player.description(), player.details()));
        let plain = stored("cmd=self,name=a");
        for Setting { key, stored: place, .. } in &SETTINGS {
            let value = match *key {
                "cmd" => "other",
                "name" => "b",
                "dir" => "/tmp",
                "protocol" => "uci",
                "restart" | "ponder" => "true",
                "unit" => "s",
                _ => "77",
            };
            let changed = stored(&format!("cmd=self,name=a,{key}={value}"));
            assert!(changed.is_ok(), "{changed:?}");
            assert_eq!(changed != plain, !matches!(place, Stored::Nowhere), "{key}");
        }
    }

    #[test]
    fn the_message_for_an_unknown_setting_lists_all_settings() {
        let known = |message: &str| {
            let list = message.split_once("known are ").unwrap().1;
            list.split(',').map(|key| key.trim().to_owned()).collect::<std::collections::BTreeSet<_>>()
        };
        let message = "cmd=x,nods=5".parse::<Player>().unwrap_err().to_string();
        assert_eq!(known(&message), PlayerSettings::keys().map(str::to_owned).collect());
    }
}
