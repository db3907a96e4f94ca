//! Sentences for users, by key, in English and in Chinese.
//!
//! ```
//! use chuhe_board::words::{Key, Language};
//!
//! let said = |language: Language| language.say(Key::LeavesNoMove, &[("side", &language.word(Key::Black))]);
//! assert_eq!(said(Language::English), "Black has no legal move");
//! assert_eq!(said(Language::Chinese), "黑方被困毙");
//! ```

mod table;

pub use table::Key;

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
};
use core::fmt::Display;
use core::str::FromStr;
use thiserror::Error;

/// Language of the interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub enum Language {
    #[default]
    English,
    Chinese,
}

impl Language {
    /// Returns the code, `en` or `zh`.
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Chinese => "zh",
        }
    }

    /// Returns the language of the user's locale, from the first non-empty variable of `LC_ALL`,
    /// `LC_MESSAGES` and `LANG`.
    pub fn of_locale(variable: impl Fn(&str) -> Option<String>) -> Language {
        let set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(variable).find(|value| !value.is_empty());
        match set {
            Some(locale) if locale.starts_with("zh") => Language::Chinese,
            _ => Language::English,
        }
    }

    /// Returns a word or a sentence without arguments.
    pub fn word(self, key: Key) -> &'static str {
        let [english, chinese] = key.texts;
        match self {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    /// Returns a sentence in which the arguments replace their names in braces; `{count?game:games}` selects
    /// the singular or the plural.
    pub fn say(self, key: Key, arguments: &[(&str, &dyn Display)]) -> String {
        let mut said = String::new();
        let mut rest = self.word(key);
        while let Some((before, behind)) = rest.split_once('{') {
            let (name, after) = behind.split_once('}').unwrap_or((behind, ""));
            let (name, forms) = name.split_once('?').unwrap_or((name, ""));
            let argument = arguments.iter().find(|(known, _)| *known == name);
            debug_assert!(argument.is_some(), "{key:?} needs {name}");
            let value = argument.map_or_else(String::new, |(_, value)| value.to_string());
            said += before;
            said += match forms.split_once(':') {
                Some((one, _)) if value == "1" => one,
                Some((_, many)) => many,
                None => &value,
            };
            rest = after;
        }
        said + rest
    }

    /// Turns a clause into a sentence: capitalises the first letter and adds a full stop.
    pub fn sentence(self, clause: &str) -> String {
        let mut letters = clause.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        let stop = if self == Language::Chinese { '。' } else { '.' };
        format!("{}{}{stop}", first.map_or(String::new(), String::from), letters.as_str())
    }

    /// Formats a count within a phrase, as in `3 moves` and 两步; Chinese numerals are used from 1 to 99.
    pub fn count(self, number: u32) -> String {
        const DIGITS: [&str; 10] = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
        let digit = |value: u32| DIGITS[value as usize];
        match (self, number) {
            (Language::English, _) | (_, 0 | 100..) => number.to_string(),
            (Language::Chinese, 2) => "两".to_owned(),
            (Language::Chinese, 1..10) => digit(number).to_owned(),
            (Language::Chinese, 10..20) => format!("十{}", digit(number % 10)),
            (Language::Chinese, _) => format!("{}十{}", digit(number / 10), digit(number % 10)),
        }
    }

    /// Formats a position in a sequence: `third`, `12th`, 第 3.
    pub(crate) fn ordinal(self, number: usize) -> String {
        const NAMES: [&str; 9] = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];
        match (self, number) {
            (Language::Chinese, _) => format!("第 {number}"),
            (Language::English, 1..=9) => NAMES[number - 1].to_owned(),
            (Language::English, _) => {
                let ending = match (number % 10, number % 100) {
                    (_, 11..=13) => "th",
                    (1, _) => "st",
                    (2, _) => "nd",
                    (3, _) => "rd",
                    _ => "th",
                };
                format!("{number}{ending}")
            }
        }
    }
}

/// Error for a string that is not a supported language.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown language {0:?}; use en or zh")]
pub struct UnknownLanguage(pub String);

/// Parses `en` or `zh`.
impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(text: &str) -> Result<Language, UnknownLanguage> {
        match text {
            "en" => Ok(Language::English),
            "zh" => Ok(Language::Chinese),
            _ => Err(UnknownLanguage(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names in braces, sorted.
    fn arguments(text: &str) -> Vec<&str> {
        let names = text.split('{').skip(1).filter_map(|part| part.split_once('}')?.0.split('?').next());
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    #[test]
    fn every_sentence_has_both_languages_with_the_same_arguments() {
        for key in Key::all() {
            let [english, chinese] = key.texts;
            assert!(!english.is_empty() && english.is_ascii(), "{key:?}: {english}");
            let is_chinese = chinese.chars().any(|letter| letter > '\u{2E7F}');
            let has_words = chinese.split(['{', '}']).step_by(2).any(|between| !between.is_empty());
            assert!(is_chinese || !has_words, "{key:?}: {chinese}");
            assert_eq!(arguments(english), arguments(chinese), "{key:?}");
        }
    }

    #[test]
    fn arguments_take_the_place_of_their_names() {
        let said = Language::English.say(Key::WinnerMates, &[("winner", &"Red"), ("moves", &3)]);
        assert_eq!(said, "Red mates in 3");
        let said = |games: u32| Language::English.say(Key::GamesFromFiles, &[("games", &games), ("files", &2)]);
        assert_eq!([said(1), said(11)], ["1 game from 2 files", "11 games from 2 files"]);
    }

    #[test]
    fn the_locale_chooses_the_language() {
        let of = |set: [(&'static str, &'static str); 2]| {
            Language::of_locale(|name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string()))
        };
        assert_eq!(of([("LANG", "zh_CN.UTF-8"), ("LC_ALL", "")]), Language::Chinese);
        assert_eq!(of([("LANG", "zh_CN.UTF-8"), ("LC_ALL", "C")]), Language::English);
        assert_eq!(of([("LANG", "de_DE"), ("LC_MESSAGES", "zh_TW")]), Language::Chinese);
        assert_eq!(Language::of_locale(|_| None), Language::English);
    }

    #[test]
    fn chinese_counts_in_characters() {
        let said = [1, 2, 12, 20, 45, 120].map(|number| Language::Chinese.count(number));
        assert_eq!(said, ["一", "两", "十二", "二十", "四十五", "120"]);
        assert_eq!(Language::English.count(12), "12");
    }

    #[test]
    fn ordinals_end_as_they_are_spoken() {
        let said = [3, 11, 12, 21, 22, 103, 111].map(|number| Language::English.ordinal(number));
        assert_eq!(said, ["third", "11th", "12th", "21st", "22nd", "103rd", "111th"]);
    }
}
