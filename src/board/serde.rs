//! Support for `serde`: squares, moves, positions and rule sets are represented by their `Display` text and
//! parsed with `FromStr`.

use crate::rules::RuleSet;
use crate::{Move, Position, Square};
use core::fmt::{self, Display, Formatter};
use core::marker::PhantomData;
use core::str::FromStr;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::{Serialize, Serializer};

/// Visitor that parses a string.
struct Text<T>(PhantomData<T>);

impl<T: FromStr<Err: Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut Formatter) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($Type:ty),*) => {
        $(
            impl Serialize for $Type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }

            impl<'de> Deserialize<'de> for $Type {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$Type, D::Error> {
                    deserializer.deserialize_str(Text(PhantomData))
                }
            }
        )*
    };
}

as_text!(Square, Move, Position, RuleSet);

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{from_str, to_string};

    #[test]
    fn values_are_read_as_they_were_written() {
        let position = Position::start();
        let json = to_string(&position).unwrap();
        assert_eq!(json, "\"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\"");
        assert_eq!(from_str::<Position>(&json).unwrap(), position);
        assert_eq!(from_str::<Move>("\"h2e2\"").unwrap(), "h2e2".parse().unwrap());
        assert_eq!(from_str::<Square>("\"e0\"").unwrap(), Square::E0);
        assert_eq!(to_string(&RuleSet::Asian).unwrap(), "\"asian\"");
    }

    #[test]
    fn an_illegal_position_is_an_error_with_its_reason() {
        let error = from_str::<Position>("\"9/9/9/9/9/9/9/9/9/4K4 w\"").unwrap_err();
        assert!(error.to_string().contains("Black has no king"), "{error}");
    }
}
