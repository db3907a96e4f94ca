//! The values of an option: reading and listing them.

use super::super::lines::excerpt;
use super::settings::Settings;
use chuhe_board::rules::RuleSet;
use std::path::PathBuf;

/// The values of an option, and what they change.
pub(super) enum Form {
    /// Yes or no.
    Check { default: bool, set: Setter<bool> },
    /// A number. `automatic`: 0 is below the range and leaves the choice to the engine.
    Spin { default: u64, min: u64, max: u64, automatic: bool, set: Setter<u64> },
    /// One of some words, the default first: uci2wb and XBoard take the first word for it, and send it back.
    Combo { words: Vec<&'static str>, set: Setter<&'static str> },
    /// A path, at first none.
    Path(Setter<Option<PathBuf>>),
    /// No value: pressed. The session does what it says.
    Button,
    /// One word that changes nothing, for those who send back what is offered.
    Fixed(&'static str),
}

/// What a value does.
pub(super) type Setter<T> = Box<dyn Fn(&mut Settings, T) + Send + Sync>;

/// A value that was read, and is within its option's range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Flag(bool),
    Number(u64),
    Word(&'static str),
    Path(Option<PathBuf>),
    Pressed,
}

/// An empty text as UCI writes it.
const EMPTY: &str = "<empty>";

impl Form {
    /// Reads a value, or says why it is none.
    pub fn read(&self, text: &str) -> Result<Value, String> {
        let lower = text.to_ascii_lowercase();
        match self {
            Form::Check { .. } => match lower.as_str() {
                "true" | "on" | "1" | "yes" => Ok(Value::Flag(true)),
                "false" | "off" | "0" | "no" => Ok(Value::Flag(false)),
                _ => Err(format!("is true or false, not {:?}", excerpt(text))),
            },
            &Form::Spin { min, max, automatic, .. } => {
                let least = if automatic { 0 } else { min };
                match lower.parse() {
                    Ok(number) if (least..=max).contains(&number) => Ok(Value::Number(number)),
                    _ => Err(format!("is a number from {least} to {max}, not {:?}", excerpt(text))),
                }
            }
            Form::Combo { words, .. } => {
                let is_meant = |word: &str| word == lower || rules(word).is_some_and(|set| rules(&lower) == Some(set));
                let word = words.iter().copied().find(|word| is_meant(word)).map(Value::Word);
                word.ok_or_else(|| format!("is one of {}, not {:?}", words.join(", "), excerpt(text)))
            }
            Form::Path(_) => Ok(Value::Path((!text.is_empty() && text != EMPTY).then(|| text.into()))),
            Form::Button => Ok(Value::Pressed),
            Form::Fixed(word) => Ok(Value::Word(word)),
        }
    }

    /// The form as an option line tells it: `default` before everything else, which some GUIs need and none minds.
    pub fn write(&self) -> String {
        match self {
            Form::Check { default, .. } => format!("type check default {default}"),
            Form::Spin { default, min, max, automatic, .. } => {
                let min = if *automatic { &0 } else { min };
                format!("type spin default {default} min {min} max {max}")
            }
            Form::Combo { words, .. } => {
                format!("type combo default {} var {}", words.first().copied().unwrap_or_default(), words.join(" var "))
            }
            Form::Path(_) => format!("type string default {EMPTY}"),
            Form::Button => "type button".to_owned(),
            Form::Fixed(word) => format!("type combo default {word} var {word}"),
        }
    }
}

/// The rule set of a name.
pub fn rules(name: &str) -> Option<RuleSet> {
    name.parse().ok()
}
