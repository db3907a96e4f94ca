//! Structured values of a match's settings, parsed from the command line and from TOML.

use crate::cli::value::BadValue;
use chuhe_lab::arena::play::Agreement;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use std::fmt::Display;
use std::num::NonZeroU32;
use std::str::FromStr;
use toml::{Table, Value};

/// Bounds of a sequential test: two Elo differences, and error probabilities.
#[derive(Clone, Copy, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Bounds {
    pub elo0: f64,
    pub elo1: f64,
    pub alpha: f64,
    pub beta: f64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 }
    }
}

/// Adjudication thresholds set by the user.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Claims {
    moves: Option<NonZeroU32>,
    score: Option<u16>,
    after: Option<u32>,
}

impl Claims {
    /// Returns the thresholds; missing ones default to the thresholds in `usual`.
    pub(super) fn or(self, usual: Agreement) -> Agreement {
        Agreement {
            moves: self.moves.map_or(usual.moves, NonZeroU32::get),
            score: self.score.map_or(usual.score, i32::from),
            after: self.after.unwrap_or(usual.after),
        }
    }
}

/// Parses `a=1,b=2` from the command line.
pub(super) fn read_numbers<T: DeserializeOwned>(text: &str) -> Result<T, BadValue> {
    let mut table = Table::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let number = |text: &str| text.parse().map(Value::Integer).or_else(|_| text.parse().map(Value::Float)).ok();
        let pair = part.split_once('=').and_then(|(name, value)| Some((name.trim(), number(value.trim())?)));
        let (name, number) = pair.ok_or_else(|| BadValue::Pair(part.to_owned()))?;
        table.insert(name.to_owned(), number);
    }
    table.try_into().map_err(numbers)
}

fn numbers(error: toml::de::Error) -> BadValue {
    BadValue::Numbers(error.message().to_owned())
}

/// Deserializes numbers from a file: a table, or a string as on the command line.
pub(super) fn numbers_of_file<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    source: D,
) -> Result<Option<T>, D::Error> {
    let read = match Value::deserialize(source)? {
        Value::String(text) => read_numbers(&text),
        value => value.try_into().map_err(numbers),
    };
    read.map(Some).map_err(Error::custom)
}

/// Deserializes a name from a file.
pub(super) fn name_of_file<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
    source: D,
) -> Result<Option<T>, D::Error> {
    String::deserialize(source)?.parse().map(Some).map_err(Error::custom)
}
