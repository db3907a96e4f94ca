//! Options offered by an engine during its handshake, and their allowed values.

use thiserror::Error;

/// An option as described by the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// Name in the engine's spelling.
    pub name: String,
    /// Default value.
    pub default: String,
    /// Allowed values.
    pub values: Values,
}

/// Allowed values of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Values {
    /// A number with optional minimum and maximum.
    Number(Option<i64>, Option<i64>),
    /// One of these words.
    Words(Vec<String>),
    /// `true` or `false`.
    Switch,
    /// No value: setting the option triggers an action.
    Button,
    /// Any text, such as a file name.
    Any,
}

/// A value that an option does not accept.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("option {name} accepts {takes}, not {value}")]
pub struct Refused {
    /// Name of the option.
    pub name: String,
    /// Rejected value.
    pub value: String,
    /// Description of the allowed values.
    pub takes: String,
}

/// A warning about an engine's options, which is not a fault.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Warning {
    /// The engine does not offer this option.
    #[error("it offers no option {0}")]
    NotOffered(String),
    /// Output of the engine while its options were being set; one line.
    #[error("output: {0}")]
    Said(String),
}

impl Offer {
    /// Parses `option name Hash type spin min 1 max 64` or UCCI's `option hashsize type spin min 1 max 64`;
    /// `None` if the line is not an option description.
    pub fn read(line: &str) -> Option<Offer> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["option", rest @ ..] = &words[..] else { return None };
        let rest = rest.strip_prefix(&["name"]).unwrap_or(rest);
        let end = rest.iter().position(|word| *word == "type").unwrap_or(rest.len());
        let (name, about) = (rest[..end].join(" "), &rest[end..]);
        if name.is_empty() {
            return None;
        }
        let after = |key: &str| about.iter().skip_while(|word| **word != key).nth(1).copied();
        let values = match after("type") {
            Some("spin") => {
                let number = |key| after(key).and_then(|text: &str| text.parse().ok());
                Values::Number(number("min"), number("max"))
            }
            Some("combo") => {
                // A choice may contain spaces: it extends to the next keyword.
                let parts = about.split(|word| matches!(*word, "var" | "default" | "type"));
                let keys = about.iter().filter(|word| matches!(**word, "var" | "default" | "type"));
                let parts = parts.skip(1).zip(keys).filter(|(_, key)| **key == "var");
                Values::Words(parts.map(|(part, _)| part.join(" ")).collect())
            }
            Some("check") => Values::Switch,
            Some("button") => Values::Button,
            _ => Values::Any,
        };
        let default = about.iter().skip_while(|word| **word != "default").skip(1);
        let default = default.take_while(|word| !matches!(**word, "min" | "max" | "var")).copied();
        Some(Offer { name, default: default.collect::<Vec<_>>().join(" "), values })
    }

    /// Returns the reason why a value is rejected; `None` if it is accepted.
    pub fn refuses(&self, value: &str) -> Option<Refused> {
        let takes = match &self.values {
            Values::Number(least, most) => {
                let (low, high) = (least.unwrap_or(i64::MIN), most.unwrap_or(i64::MAX));
                let inside = value.parse().is_ok_and(|number: i64| (low..=high).contains(&number));
                let end = |end: &Option<i64>| end.map_or("any".to_string(), |end| end.to_string());
                (!inside).then(|| format!("{} to {}", end(least), end(most)))
            }
            Values::Words(words) => {
                let known = words.is_empty() || words.iter().any(|word| word.eq_ignore_ascii_case(value));
                (!known).then(|| words.join(", "))
            }
            Values::Switch | Values::Button | Values::Any => None,
        };
        takes.map(|takes| Refused { name: self.name.clone(), value: value.to_owned(), takes })
    }

    /// Returns `true` for the `UCI_Variant` of a program that supports Xiangqi.
    pub(crate) fn is_variant_with_xiangqi(&self) -> bool {
        self.name == "UCI_Variant"
            && matches!(&self.values, Values::Words(words) if words.iter().any(|word| word == "xiangqi"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_both_dialects_are_read() {
        let hash = Offer::read("option name Hash type spin default 16 min 1 max 1024").unwrap();
        assert_eq!((hash.name.as_str(), hash.default.as_str()), ("Hash", "16"));
        assert_eq!(hash.refuses("1024"), None);
        assert_eq!(hash.refuses("4294967295").unwrap().to_string(), "option Hash accepts 1 to 1024, not 4294967295");
        assert!(hash.refuses("many").is_some());
        let style = Offer::read("option style type combo var very solid var risky default risky").unwrap();
        assert_eq!((style.refuses("very solid"), style.default.as_str()), (None, "risky"));
        assert_eq!(style.refuses("mad").unwrap().takes, "very solid, risky");
        assert!(
            Offer::read("option name UCI_Variant type combo default chess var chess var xiangqi")
                .unwrap()
                .is_variant_with_xiangqi()
        );
        assert_eq!(Offer::read("option name Eval File type string default <empty>").unwrap().name, "Eval File");
        assert_eq!(Offer::read("option newgame type button").unwrap().refuses(""), None);
        assert!(Offer::read("option").is_none() && Offer::read("id name x").is_none());
    }
}
