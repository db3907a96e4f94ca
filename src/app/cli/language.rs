//! `--language` and `--notation`: the language of messages and the notation of moves.

use crate::translation::language;
use chuhe_board::notation::Form;
use chuhe_board::words::Language;
use clap::Args;
use std::ffi::OsString;

/// Options for every subcommand that also prints moves.
#[derive(Args)]
pub(super) struct NotationArgs {
    /// Move notation: iccs, wxf or chinese [default: wxf; chinese if the language is zh]
    #[arg(long, value_name = "FORM")]
    notation: Option<Form>,
}

impl NotationArgs {
    /// Returns the requested notation, or the default of the language.
    pub(super) fn form(&self) -> Form {
        self.notation.unwrap_or(Form::usual(language()))
    }

    /// Returns `true` if a notation was given.
    #[cfg(feature = "sqlite-books")]
    pub(super) fn is_given(&self) -> bool {
        self.notation.is_some()
    }
}

/// Options for every subcommand that prints games from a library.
#[cfg(feature = "sqlite-books")]
#[derive(Args)]
pub(super) struct RecordNotationArgs {
    /// Move notation for pgn and moves: iccs, wxf, chinese [default: iccs; chinese if the language is zh]
    #[arg(long, value_name = "FORM")]
    notation: Option<Form>,
}

#[cfg(feature = "sqlite-books")]
impl RecordNotationArgs {
    /// Returns the requested notation, or the default of the language.
    pub(super) fn form(&self) -> Form {
        self.notation.unwrap_or(match language() {
            Language::English => Form::Iccs,
            Language::Chinese => Form::Chinese,
        })
    }
}

/// Returns the language of a command line from `--language` or the locale. It is needed before the command
/// line is parsed.
pub(super) fn of_arguments(arguments: &[OsString]) -> Language {
    given(arguments).unwrap_or_else(of_locale)
}

/// Returns the language of the last valid `--language`.
pub(super) fn given(arguments: &[OsString]) -> Option<Language> {
    let arguments: Vec<&str> = arguments.iter().filter_map(|argument| argument.to_str()).collect();
    arguments.iter().enumerate().rev().find_map(|(index, argument)| match argument.strip_prefix("--language")? {
        "" => arguments.get(index + 1)?.parse().ok(),
        value => value.strip_prefix('=')?.parse().ok(),
    })
}

/// Returns the language of the locale.
fn of_locale() -> Language {
    Language::of_locale(|name| {
        let set = std::env::var(name).ok().filter(|value| !value.is_empty());
        // If LANG is not set, the system's settings apply.
        set.or_else(|| if name == "LANG" { of_system() } else { None })
    })
}

/// Returns the language in the system's settings, such as `zh-CN`.
fn of_system() -> Option<String> {
    #[cfg(any(windows, target_os = "macos"))]
    return sys_locale::get_locale();
    #[cfg(not(any(windows, target_os = "macos")))]
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_found_anywhere_on_the_command_line() {
        let of = |words: &str| of_arguments(&words.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(of("chuhe --language zh show"), Language::Chinese);
        assert_eq!(of("chuhe show --language=zh"), Language::Chinese);
        assert_eq!(of("chuhe show --languages zh --language en"), Language::English);
        assert_eq!(of("chuhe --language zh show --language en"), Language::English);
    }
}
