//! Options: one row per option with its names, values, effect and purpose.

mod option_type;
mod settings;
mod table;

pub(super) use settings::SessionSettings;
pub(crate) use table::cores;

use super::Dialect;
use option_type::{OptionType, OptionValue};
use table::TABLE;

/// An option and its new value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SetOption {
    /// Index of the row.
    row: usize,
    value: OptionValue,
}

/// Reason why `setoption` has no effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Refused {
    /// Unknown option.
    Option,
    /// Invalid value, with a message.
    Value(String),
}

impl SetOption {
    /// Parses the words after `setoption` in both forms: `hashsize 64` and `name Hash value 64`.
    pub(crate) fn read(words: &[&str]) -> Result<SetOption, Refused> {
        let words = match words {
            [name, rest @ ..] if name.eq_ignore_ascii_case("name") => rest,
            words => words,
        };
        let separator = words.iter().position(|word| word.eq_ignore_ascii_case("value"));
        let found = match separator {
            Some(at) => find(&words[..at]).map(|row| (row, &words[..at], &words[at + 1..])),
            // Without the keyword `value`, the longest matching name is used.
            None => (1..=words.len().min(3)).rev().find_map(|length| {
                let (name, value) = words.split_at(length);
                find(name).map(|row| (row, name, value))
            }),
        };
        let (row, name, value) = found.ok_or(Refused::Option)?;
        let value = TABLE[row].form.read(&value.join(" "));
        let refused = |fault| Refused::Value(format!("setoption: {} {fault}", name.join(" ")));
        value.map(|value| SetOption { row, value }).map_err(refused)
    }

    /// Returns `true` if the option starts a new game.
    pub(crate) fn is_new_game(&self) -> bool {
        self.value == OptionValue::NewGame
    }

    /// Applies the change.
    pub(crate) fn apply(&self, settings: &mut SessionSettings) {
        match (&TABLE[self.row].form, &self.value) {
            (OptionType::Check { set, .. }, OptionValue::Flag(on)) => set(settings, *on),
            (OptionType::Spin { set, .. }, OptionValue::Number(number)) => set(settings, *number),
            (OptionType::Combo { set, .. }, OptionValue::Word(word)) => set(settings, word),
            (OptionType::Path(set), OptionValue::Path(path)) => set(settings, path.clone()),
            // `read` returns a value of the option's type.
            _ => {}
        }
    }
}

/// Returns the index of the row with this name, ignoring case.
fn find(name: &[&str]) -> Option<usize> {
    let name = name.join(" ");
    TABLE.iter().position(|row| row.is_called(&name))
}

/// Returns `true` if there is an option with this name, offered or not.
pub fn is_known(name: &str) -> bool {
    find(&[name]).is_some()
}

/// Returns the option lines of a dialect; only options with an effect are offered.
pub(crate) fn offered(dialect: Dialect) -> impl Iterator<Item = String> {
    TABLE.iter().filter_map(move |row| match dialect {
        Dialect::Ucci => row.ucci.map(|name| format!("option {name} {}", row.form.write())),
        // If this option were offered, a GUI that sends it back would expect ranks 1–10.
        Dialect::Uci if matches!(row.form, OptionType::Fixed(_)) => None,
        _ => row.uci.map(|name| format!("option name {name} {}", row.form.write())),
    })
}

/// Returns the names and the purpose of each offered option, for users.
pub(crate) fn described() -> impl Iterator<Item = (String, String)> {
    TABLE.iter().filter(|row| row.unlisted.is_none()).map(|row| {
        let names: Vec<&str> = row.names().collect();
        (names.join(", "), row.purpose.replace('`', ""))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::search::params::{PARAMETERS, TECHNIQUES};
    use chuhe_board::rules::RuleSet;
    use std::path::PathBuf;

    fn read(line: &str) -> Result<SetOption, Refused> {
        SetOption::read(&line.split_whitespace().collect::<Vec<_>>())
    }

    /// Returns the settings after some changes.
    fn after(lines: &[&str]) -> SessionSettings {
        let mut settings = SessionSettings::default();
        for line in lines {
            read(line).expect("a known option with a value in range").apply(&mut settings);
        }
        settings
    }

    fn engine(options: Options) -> SessionSettings {
        SessionSettings { engine: options, ..SessionSettings::default() }
    }

    #[test]
    fn both_spellings_are_understood() {
        for line in ["hashsize 32", "name hashsize value 32", "name Hash value 32", "Hash 32", "HASH value 32"] {
            assert_eq!(after(&[line]).engine.hash_mb, 32, "{line}");
        }
        for line in ["Move Overhead 50", "name Move Overhead value 50", "moveoverhead 50", "name move overhead 50"] {
            assert_eq!(after(&[line]).engine.move_overhead, 50, "{line}");
        }
        for line in ["newgame", "name Clear Hash", "clear hash", "newgame true"] {
            assert!(read(line).is_ok_and(|change| change.is_new_game()), "{line}");
        }
    }

    #[test]
    fn checks_have_many_spellings() {
        for (text, expected) in
            [("true", true), ("on", true), ("1", true), ("off", false), ("0", false), ("False", false)]
        {
            assert_eq!(after(&[&format!("ponder {text}")]).engine.ponder, expected);
        }
    }

    #[test]
    fn paths_keep_their_spelling() {
        for (line, path) in [
            ("evalfile Nets/A.net", Some("Nets/A.net")),
            ("name EvalFile value /My Nets/A.net", Some("/My Nets/A.net")),
            ("name EvalFile value <empty>", None),
            ("name EvalFile value", None),
        ] {
            assert_eq!(after(&["evalfile old.net", line]).engine.eval_file, path.map(PathBuf::from), "{line}");
        }
    }

    #[test]
    fn zero_leaves_hash_and_threads_to_the_engine() {
        let settings = after(&["hashsize 7", "hashsize 0", "threads 3", "threads 0"]);
        assert_eq!(settings.engine.hash_mb, Options::default().hash_mb);
        assert_eq!(settings.engine.threads, cores().min(256));
    }

    #[test]
    fn a_limit_that_was_set_outlives_a_change_of_rules() {
        let terms = after(&["drawmoves 60", "repetition leaguerule"]).engine.terms();
        assert_eq!((terms.rules, terms.natural_limit), (RuleSet::League, 120));
        let terms = after(&["drawmoves 60", "repetition leaguerule", "drawmoves 0"]).engine.terms();
        assert_eq!(terms, RuleSet::League.terms());
    }

    #[test]
    fn unknown_options_are_nothing() {
        for line in ["", "name", "style normal", "name Ponder Hits value 3", "promotion false", "value 3"] {
            assert_eq!(read(line), Err(Refused::Option), "{line}");
        }
    }

    #[test]
    fn a_bad_value_names_the_option_and_the_value() {
        for line in [
            "hashsize many",
            "Hash -1",
            "hashsize 99999999999999999999",
            "multipv 0",
            "ponder maybe",
            "randomness 3",
            "ponder",
        ] {
            let Err(Refused::Value(fault)) = read(line) else { panic!("{line}") };
            assert!(fault.starts_with("setoption: ") && fault.contains(" not "), "{fault}");
        }
    }

    #[test]
    fn the_range_that_is_offered_is_the_range_that_is_named_and_taken() {
        for row in TABLE.iter() {
            let OptionType::Spin { .. } = row.form else { continue };
            let name = row.names().next().expect("a name");
            let line = row.form.write();
            let number = |word| -> i64 {
                let after = line.split(' ').skip_while(|other| *other != word).nth(1);
                after.and_then(|text| text.parse().ok()).expect("a number")
            };
            let (least, most) = (number("min"), number("max"));
            // XBoard and other GUIs do not support larger numbers.
            assert!(most <= i64::from(i32::MAX), "{name}");
            for value in [least, most, number("default")] {
                assert!(read(&format!("{name} {value}")).is_ok(), "{name} {value}");
            }
            for value in [least - 1, most + 1] {
                let Err(Refused::Value(fault)) = read(&format!("{name} {value}")) else { panic!("{name} {value}") };
                assert!(fault.contains(&format!("a number from {least} to {most}, not")), "{fault}");
            }
        }
    }

    #[test]
    fn the_defaults_that_are_offered_change_nothing() {
        for dialect in [Dialect::Ucci, Dialect::Uci, Dialect::UciVariant] {
            for line in offered(dialect).filter(|line| !line.ends_with("type button")) {
                let start = if dialect == Dialect::Ucci { "option " } else { "option name " };
                let (name, rest) = line.strip_prefix(start).and_then(|line| line.split_once(" type ")).expect("a name");
                let default = rest.split(' ').skip_while(|word| *word != "default").nth(1).expect("a default");
                let [with, without] = [format!("name {name} value {default}"), format!("{name} {default}")];
                for line in [with, without] {
                    let mut changed = after(&[&line]);
                    changed.engine.seed = 0;
                    assert_eq!(changed, SessionSettings::default(), "{line}");
                }
            }
        }
    }

    #[test]
    fn the_default_comes_before_the_range_and_is_the_first_word() {
        for line in offered(Dialect::Ucci).chain(offered(Dialect::UciVariant)) {
            let words: Vec<&str> = line.split(' ').skip_while(|word| *word != "type").collect();
            assert!(words[1] == "button" || words[2] == "default", "{line}");
            if words[1] == "combo" {
                assert_eq!(words[4..6], ["var", words[3]], "{line}");
            }
        }
    }

    #[test]
    fn the_numbers_and_techniques_of_the_search_can_be_set_but_are_not_offered() {
        for parameter in PARAMETERS {
            let settings = after(&[&format!("name {} value {}", parameter.name, parameter.least)]);
            let mut expected = Options::default();
            expected.params.numbers.set(parameter.name, parameter.least);
            assert_eq!(settings, engine(expected), "{}", parameter.name);
        }
        for technique in TECHNIQUES {
            let mut expected = Options::default();
            expected.params.on.set(technique, false);
            assert_eq!(after(&[&format!("{technique} off")]), engine(expected), "{technique}");
        }
        assert!(offered(Dialect::Uci).all(|line| !line.contains("margin")));
    }

    #[test]
    fn rule_sets_have_many_spellings() {
        for line in ["repetition alwaysdraw", "name Repetition Rule value AlwaysDraw", "Repetition Rule draw"] {
            assert_eq!(after(&[line]).engine.rules, RuleSet::Draw.terms(), "{line}");
        }
    }

    #[test]
    fn the_variant_is_named_only_where_ranks_begin_with_one() {
        let names = |dialect| offered(dialect).filter(|line| line.contains("UCI_Variant")).count();
        assert_eq!([Dialect::Ucci, Dialect::Uci, Dialect::UciVariant].map(names), [0, 0, 1]);
    }

    #[test]
    fn the_documentation_lists_every_option_with_its_purpose() {
        let page = include_str!("../../../../docs/6-protocol.md");
        for row in TABLE.iter().filter(|row| row.unlisted.is_none()) {
            let name = |name: Option<&str>| name.map_or(String::new(), |name| format!("`{name}`"));
            let start = format!("| {} | {} |", name(row.ucci), name(row.uci));
            let line = page.lines().find(|line| line.replace("|  |", "| |").starts_with(&start.replace("|  |", "| |")));
            assert!(line.is_some_and(|line| line.contains(row.purpose)), "{start} {}", row.purpose);
        }
    }
}
