//! Players in a TOML file, for matches and for the list of engines.

use chuhe_lab::arena::player::PlayerSettings;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use toml::Value;

/// Deserializes one player or a list of players, each a table or a string as on the command line.
pub(crate) fn players<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<PlayerSettings>, D::Error> {
    let list = match Value::deserialize(source)? {
        Value::Array(list) => list,
        one => vec![one],
    };
    list.into_iter().map(player).collect()
}

/// Converts a table to a player: `option = { Hash = 16 }` becomes `option.Hash=16`.
fn player<E: Error>(value: Value) -> Result<PlayerSettings, E> {
    let wrong = || E::custom("a player must be a table or a string");
    let table = match value {
        Value::String(text) => return text.parse().map_err(E::custom),
        Value::Table(table) => table,
        _ => return Err(wrong()),
    };
    let mut settings = Vec::new();
    for (key, value) in table {
        match value {
            Value::Table(inner) => {
                settings.extend(inner.into_iter().map(|(name, value)| (format!("{key}.{name}"), value)))
            }
            value => settings.push((key, value)),
        }
    }
    let as_text = |(key, value)| match value {
        Value::String(text) => Ok((key, text)),
        Value::Array(_) | Value::Table(_) => Err(wrong()),
        value => Ok((key, value.to_string())),
    };
    settings.into_iter().map(as_text).collect::<Result<_, _>>().map(PlayerSettings)
}
