//! Types of option values: parsing and listing.

use super::super::lines::excerpt;
use super::settings::SessionSettings;
use chuhe_board::rules::RuleSet;
use std::path::PathBuf;
use thiserror::Error;

/// Type of an option's values, and their effect.
pub(super) enum OptionType {
    /// A boolean.
    Check { default: bool, set: Setter<bool> },
    /// A number. With `automatic`, 0 is below the range and selects an automatic value.
    Spin { default: u64, min: u64, max: u64, automatic: bool, set: Setter<u64> },
    /// One of several words. The default comes first, because uci2wb and XBoard treat the first word as the
    /// default and send it back.
    Combo { words: Vec<&'static str>, set: Setter<&'static str> },
    /// A path, initially empty.
    Path(Setter<Option<PathBuf>>),
    /// A button that starts a new game, performed by the session.
    NewGame,
    /// A single word without an effect, for GUIs that send back every offered option.
    Fixed(&'static str),
}

/// Effect of a value.
pub(super) type Setter<T> = Box<dyn Fn(&mut SessionSettings, T) + Send + Sync>;

/// A parsed value within its option's range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum OptionValue {
    Flag(bool),
    Number(u64),
    Word(&'static str),
    Path(Option<PathBuf>),
    NewGame,
}

/// Reason why a string is not a value of an option.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum BadValue {
    #[error("must be true or false, not {0:?}")]
    Flag(String),
    #[error("must be a number from {0} to {1}, not {2:?}")]
    Number(u64, u64, String),
    #[error("must be one of {0}, not {1:?}")]
    Word(String, String),
}

/// Empty string in UCI.
const EMPTY: &str = "<empty>";

impl OptionType {
    /// Parses a value.
    pub(crate) fn read(&self, text: &str) -> Result<OptionValue, BadValue> {
        let lower = text.to_ascii_lowercase();
        match self {
            OptionType::Check { .. } => match lower.as_str() {
                "true" | "on" | "1" | "yes" => Ok(OptionValue::Flag(true)),
                "false" | "off" | "0" | "no" => Ok(OptionValue::Flag(false)),
                _ => Err(BadValue::Flag(excerpt(text))),
            },
            &OptionType::Spin { min, max, automatic, .. } => {
                let least = if automatic { 0 } else { min };
                match lower.parse() {
                    Ok(number) if (least..=max).contains(&number) => Ok(OptionValue::Number(number)),
                    _ => Err(BadValue::Number(least, max, excerpt(text))),
                }
            }
            OptionType::Combo { words, .. } => {
                let is_meant = |word: &str| word == lower || rules(word).is_some_and(|set| rules(&lower) == Some(set));
                let word = words.iter().copied().find(|word| is_meant(word)).map(OptionValue::Word);
                word.ok_or_else(|| BadValue::Word(words.join(", "), excerpt(text)))
            }
            OptionType::Path(_) => Ok(OptionValue::Path((!text.is_empty() && text != EMPTY).then(|| text.into()))),
            OptionType::NewGame => Ok(OptionValue::NewGame),
            &OptionType::Fixed(word) if lower == word => Ok(OptionValue::Word(word)),
            OptionType::Fixed(word) => Err(BadValue::Word((*word).to_owned(), excerpt(text))),
        }
    }

    /// Formats the type for an option line. `default` comes first, as some GUIs require.
    pub(crate) fn write(&self) -> String {
        match self {
            OptionType::Check { default, .. } => format!("type check default {default}"),
            OptionType::Spin { default, min, max, automatic, .. } => {
                let min = if *automatic { &0 } else { min };
                format!("type spin default {default} min {min} max {max}")
            }
            OptionType::Combo { words, .. } => {
                format!("type combo default {} var {}", words.first().copied().unwrap_or_default(), words.join(" var "))
            }
            OptionType::Path(_) => format!("type string default {EMPTY}"),
            OptionType::NewGame => "type button".to_owned(),
            OptionType::Fixed(word) => format!("type combo default {word} var {word}"),
        }
    }
}

/// Returns the rule set with this name.
pub(crate) fn rules(name: &str) -> Option<RuleSet> {
    name.parse().ok()
}
