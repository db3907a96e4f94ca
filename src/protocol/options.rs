//! The options: what each is called in either dialect, which values it takes, and how a GUI writes them.

use super::Dialect;
use super::lines::excerpt;
use crate::engine::{Level, Options};
use crate::rules::RuleSet;
use crate::score::Score;
use crate::search::params::{PARAMETERS, Parameter, TECHNIQUES};

/// Everything that can be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the names say it; the table below says the rest
pub enum Setting {
    UseMilliseconds,
    Batch,
    Debug,
    Ponder,
    HashSize,
    Threads,
    MultiPv,
    MoveOverhead,
    Repetition,
    DrawMoves,
    Randomness,
    Level,
    SkillLevel,
    LimitStrength,
    Elo,
    UseNnue,
    EvalFile,
    Resign,
    OfferDraws,
    NewGame,
    Variant,
    /// A number of the search, by its place among the parameters: for tuners, understood but not offered.
    Tuned(usize),
    /// A technique of the search, by its place: likewise.
    Technique(usize),
}

/// The values of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// Yes or no.
    Check {
        /// At the start.
        default: bool,
    },
    /// A number.
    Spin {
        /// At the start.
        default: u64,
        /// The least.
        min: u64,
        /// The most.
        max: u64,
        /// 0, below `min`, leaves the choice to the engine.
        automatic: bool,
    },
    /// One of some words.
    Combo {
        /// At the start.
        default: &'static str,
        /// All of them.
        words: Vec<&'static str>,
    },
    /// A text, at first empty: none.
    Text,
    /// No value: pressed.
    Button,
}

/// A value that was read, and is within its form.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Value {
    Flag(bool),
    Number(u64),
    Word(&'static str),
    Text(String),
    Pressed,
}

/// Setting, name in UCCI, name in UCI; no name: not offered there. Every name is understood in every dialect.
const NAMES: [(Setting, Option<&str>, Option<&str>); 21] = [
    (Setting::UseMilliseconds, Some("usemillisec"), None),
    (Setting::Batch, Some("batch"), None),
    (Setting::Debug, Some("debug"), None),
    (Setting::HashSize, Some("hashsize"), Some("Hash")),
    (Setting::Threads, Some("threads"), Some("Threads")),
    (Setting::Ponder, Some("ponder"), Some("Ponder")),
    (Setting::MultiPv, Some("multipv"), Some("MultiPV")),
    (Setting::MoveOverhead, Some("moveoverhead"), Some("Move Overhead")),
    (Setting::Repetition, Some("repetition"), Some("Repetition Rule")),
    (Setting::DrawMoves, Some("drawmoves"), Some("Draw Moves")),
    (Setting::Randomness, Some("randomness"), Some("Randomness")),
    (Setting::Level, Some("level"), None),
    (Setting::SkillLevel, None, Some("Skill Level")),
    (Setting::LimitStrength, None, Some("UCI_LimitStrength")),
    (Setting::Elo, None, Some("UCI_Elo")),
    (Setting::UseNnue, Some("usennue"), Some("UseNNUE")),
    (Setting::EvalFile, Some("evalfile"), Some("EvalFile")),
    (Setting::Resign, Some("resign"), None),
    (Setting::OfferDraws, Some("offerdraws"), None),
    (Setting::NewGame, Some("newgame"), Some("Clear Hash")),
    (Setting::Variant, None, Some("UCI_Variant")),
];

/// An empty text as UCI writes it.
const EMPTY: &str = "<empty>";

/// The most MB that can be asked for; whether they can be had is another matter.
const MAX_HASH: u64 = 1 << 20;
/// The most searching threads.
const MAX_THREADS: u64 = 256;

/// The rule sets by the names that GUIs use; those which the engine does not know yet are not offered.
const RULES: [&str; 7] = ["asianrule", "chineserule", "leaguerule", "computerrule", "simplerule", "alwaysdraw", "draw"];

/// `randomness`: the largest amount added to evaluations, in centipawns.
const RANDOMNESS: [(&str, Score); 6] =
    [("none", 0), ("tiny", 5), ("small", 15), ("medium", 30), ("large", 60), ("huge", 120)];

impl Setting {
    /// The values it takes. Defaults are the engine's.
    pub fn form(self) -> Form {
        let options = Options::default();
        match self {
            Setting::UseMilliseconds => Form::Check { default: true },
            Setting::Batch | Setting::Debug | Setting::OfferDraws => Form::Check { default: false },
            Setting::Ponder => Form::Check { default: options.ponder },
            Setting::HashSize => Form::Spin { default: options.hash_mb as u64, min: 1, max: MAX_HASH, automatic: true },
            Setting::Threads => {
                Form::Spin { default: options.threads as u64, min: 1, max: MAX_THREADS, automatic: true }
            }
            Setting::MultiPv => Form::Spin { default: options.multipv as u64, min: 1, max: 128, automatic: false },
            Setting::MoveOverhead => {
                Form::Spin { default: options.move_overhead, min: 0, max: 10_000, automatic: false }
            }
            Setting::Repetition => {
                let mut words: Vec<&str> = RULES.into_iter().filter(|name| rules(name).is_some()).collect();
                words.dedup_by_key(|name| rules(name));
                // The default comes first: uci2wb and XBoard take the first word for it, and send it back.
                words.sort_by_key(|name| rules(name) != Some(options.rules.rules));
                Form::Combo { default: words.first().copied().unwrap_or("alwaysdraw"), words }
            }
            Setting::DrawMoves => {
                Form::Spin { default: u64::from(options.draw_plies) / 2, min: 0, max: 1000, automatic: false }
            }
            Setting::Randomness => Form::Combo { default: "none", words: RANDOMNESS.map(|(name, _)| name).to_vec() },
            Setting::Level => {
                let [min, max, default] =
                    [Level::WEAKEST, Level::FULL, options.level].map(Level::number).map(u64::from);
                Form::Spin { default, min, max, automatic: false }
            }
            Setting::SkillLevel => Form::Spin { default: 20, min: 0, max: 20, automatic: false },
            Setting::LimitStrength => Form::Check { default: options.limit_strength },
            Setting::Elo => {
                let [min, max] = [Level::WEAKEST, Level::FULL].map(Level::elo).map(u64::from);
                Form::Spin { default: u64::from(options.elo), min, max, automatic: false }
            }
            Setting::UseNnue => Form::Check { default: options.use_nnue },
            Setting::EvalFile => Form::Text,
            Setting::Resign => Form::Spin { default: 0, min: 0, max: 30_000, automatic: false },
            Setting::NewGame => Form::Button,
            Setting::Variant => Form::Combo { default: "xiangqi", words: vec!["xiangqi"] },
            Setting::Tuned(index) => {
                let Parameter { value, least, most, .. } = PARAMETERS[index];
                let [default, min, max] = [value, least, most].map(|number| number.max(0) as u64);
                Form::Spin { default, min, max, automatic: false }
            }
            Setting::Technique(_) => Form::Check { default: true },
        }
    }

    /// Finds an option and its value in the words after `setoption`, in both spellings: `hashsize 64` and `name Hash value 64`. `None`: no
    /// such option. `Err`: the value does not fit, and why.
    pub fn read(words: &[&str]) -> Option<Result<(Setting, Value), String>> {
        let words = match words {
            [name, rest @ ..] if name.eq_ignore_ascii_case("name") => rest,
            words => words,
        };
        let separator = words.iter().position(|word| word.eq_ignore_ascii_case("value"));
        let (setting, name, value) = match separator {
            Some(at) => (find(&words[..at])?, words[..at].join(" "), &words[at + 1..]),
            // Without the word between them the longest name counts.
            None => (1..=words.len().min(3)).rev().find_map(|length| {
                let (name, value) = words.split_at(length);
                find(name).map(|setting| (setting, name.join(" "), value))
            })?,
        };
        let value = setting.form().read(&value.join(" "));
        Some(value.map(|value| (setting, value)).map_err(|fault| format!("setoption: {name} {fault}")))
    }
}

/// The setting of a name, in any case.
fn find(name: &[&str]) -> Option<Setting> {
    let name = name.join(" ");
    let is_name = |known: Option<&str>| known.is_some_and(|known| known.eq_ignore_ascii_case(&name));
    let offered = NAMES.into_iter().find(|&(_, ucci, uci)| is_name(ucci) || is_name(uci)).map(|(setting, ..)| setting);
    let tuned = || PARAMETERS.iter().position(|parameter| is_name(Some(parameter.name))).map(Setting::Tuned);
    let technique = || TECHNIQUES.iter().position(|technique| is_name(Some(technique))).map(Setting::Technique);
    offered.or_else(tuned).or_else(technique)
}

impl Form {
    /// Reads a value, or says why it is none.
    fn read(&self, text: &str) -> Result<Value, String> {
        let lower = text.to_ascii_lowercase();
        match self {
            Form::Check { .. } => match lower.as_str() {
                "true" | "on" | "1" | "yes" => Ok(Value::Flag(true)),
                "false" | "off" | "0" | "no" => Ok(Value::Flag(false)),
                _ => Err(format!("is true or false, not {:?}", excerpt(text))),
            },
            &Form::Spin { min, max, automatic, .. } => match lower.parse() {
                Ok(number) if (min..=max).contains(&number) || (automatic && number == 0) => Ok(Value::Number(number)),
                _ => Err(format!("is a number from {min} to {max}, not {:?}", excerpt(text))),
            },
            Form::Combo { words, .. } => {
                let same =
                    |word: &&&'static str| **word == lower || (rules(word).is_some() && rules(word) == rules(&lower));
                let word = words.iter().find(same).copied().map(Value::Word);
                word.ok_or_else(|| format!("is one of {}, not {:?}", words.join(", "), excerpt(text)))
            }
            Form::Text => Ok(Value::Text(if text == EMPTY { String::new() } else { text.to_owned() })),
            Form::Button => Ok(Value::Pressed),
        }
    }

    /// The form as an option line tells it.
    fn write(&self, dialect: Dialect) -> String {
        match (self, dialect) {
            (Form::Check { default }, _) => format!("type check default {default}"),
            (&Form::Spin { default, min, max, automatic }, Dialect::Ucci) => {
                let min = if automatic { 0 } else { min };
                format!("type spin min {min} max {max} default {default}")
            }
            (Form::Spin { default, min, max, .. }, _) => format!("type spin default {default} min {min} max {max}"),
            (Form::Combo { default, words }, Dialect::Ucci) => {
                format!("type combo var {} default {default}", words.join(" var "))
            }
            (Form::Combo { default, words }, _) => format!("type combo default {default} var {}", words.join(" var ")),
            (Form::Text, _) => format!("type string default {EMPTY}"),
            (Form::Button, _) => "type button".to_owned(),
        }
    }
}

/// The option lines of a dialect: what is offered there has an effect.
pub fn offered(dialect: Dialect) -> impl Iterator<Item = String> {
    NAMES.into_iter().filter_map(move |(setting, ucci, uci)| match dialect {
        Dialect::Ucci => ucci.map(|name| format!("option {name} {}", setting.form().write(dialect))),
        // A GUI that echoes it would take the ranks for 1–10.
        Dialect::Uci if setting == Setting::Variant => None,
        _ => uci.map(|name| format!("option name {name} {}", setting.form().write(dialect))),
    })
}

/// The rule set of a name.
pub fn rules(name: &str) -> Option<RuleSet> {
    name.parse().ok()
}

/// The amount of a word of `randomness`, in centipawns.
pub fn randomness(word: &str) -> Score {
    RANDOMNESS.into_iter().find(|&(name, _)| name == word).map_or(0, |(_, amount)| amount)
}

/// How many threads `threads 0` means.
pub fn automatic_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().min(MAX_THREADS as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<Result<(Setting, Value), String>> {
        Setting::read(&line.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn both_spellings_are_understood() {
        for line in ["hashsize 32", "name hashsize value 32", "name Hash value 32", "Hash 32", "HASH value 32"] {
            assert_eq!(read(line), Some(Ok((Setting::HashSize, Value::Number(32)))), "{line}");
        }
        for line in ["Move Overhead 50", "name Move Overhead value 50", "moveoverhead 50", "name move overhead 50"] {
            assert_eq!(read(line), Some(Ok((Setting::MoveOverhead, Value::Number(50)))), "{line}");
        }
        for line in ["newgame", "name Clear Hash", "clear hash", "newgame true"] {
            assert_eq!(read(line), Some(Ok((Setting::NewGame, Value::Pressed))), "{line}");
        }
    }

    #[test]
    fn checks_have_many_spellings() {
        for (text, expected) in
            [("true", true), ("on", true), ("1", true), ("off", false), ("0", false), ("False", false)]
        {
            assert_eq!(read(&format!("ponder {text}")), Some(Ok((Setting::Ponder, Value::Flag(expected)))));
        }
    }

    #[test]
    fn texts_keep_their_spelling() {
        for (line, text) in [
            ("evalfile Nets/A.net", "Nets/A.net"),
            ("name EvalFile value /My Nets/A.net", "/My Nets/A.net"),
            ("name EvalFile value <empty>", ""),
            ("name EvalFile value", ""),
        ] {
            assert_eq!(read(line), Some(Ok((Setting::EvalFile, Value::Text(text.to_owned())))), "{line}");
        }
    }

    #[test]
    fn combos_begin_with_their_default() {
        for (setting, ..) in NAMES {
            if let Form::Combo { default, words } = setting.form() {
                assert_eq!(words.first(), Some(&default), "{setting:?}");
            }
        }
    }

    #[test]
    fn unknown_options_are_nothing() {
        for line in ["", "name", "usebook true", "name Ponder Hits value 3", "promotion false", "value 3"] {
            assert_eq!(read(line), None, "{line}");
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
            let fault = read(line).expect("a known option").expect_err(line);
            assert!(fault.starts_with("setoption: ") && fault.contains(" not "), "{fault}");
        }
    }

    #[test]
    fn the_numbers_and_techniques_of_the_search_can_be_set_but_are_not_offered() {
        for parameter in PARAMETERS {
            let line = format!("name {} value {}", parameter.name, parameter.least);
            assert!(matches!(read(&line), Some(Ok((Setting::Tuned(_), Value::Number(_))))), "{line}");
        }
        for technique in TECHNIQUES {
            let set = read(&format!("{technique} off"));
            assert!(matches!(set, Some(Ok((Setting::Technique(_), Value::Flag(false))))), "{technique}");
        }
        assert!(offered(Dialect::Uci).all(|line| !line.contains("margin")));
    }

    #[test]
    fn rule_sets_have_many_spellings() {
        for line in ["repetition alwaysdraw", "name Repetition Rule value AlwaysDraw", "Repetition Rule draw"] {
            assert_eq!(read(line), Some(Ok((Setting::Repetition, Value::Word("alwaysdraw")))), "{line}");
        }
        assert_eq!(rules("SimpleRule"), rules("simple"));
    }

    #[test]
    fn what_is_offered_can_be_set() {
        for dialect in [Dialect::Ucci, Dialect::Uci, Dialect::UciVariant] {
            for line in offered(dialect) {
                let start = if dialect == Dialect::Ucci { "option " } else { "option name " };
                let (name, rest) = line.strip_prefix(start).and_then(|line| line.split_once(" type ")).expect("a name");
                let words: Vec<&str> = rest.split(' ').collect();
                let default = words.iter().position(|&word| word == "default").map_or("", |at| words[at + 1]);
                assert!(matches!(read(&format!("name {name} value {default}")), Some(Ok(_))), "{line}");
                assert!(matches!(read(&format!("{name} {default}")), Some(Ok(_))), "{line}");
            }
        }
    }

    #[test]
    fn the_variant_is_named_only_where_ranks_begin_with_one() {
        let names = |dialect| offered(dialect).filter(|line| line.contains("UCI_Variant")).count();
        assert_eq!([Dialect::Ucci, Dialect::Uci, Dialect::UciVariant].map(names), [0, 0, 1]);
    }
}
