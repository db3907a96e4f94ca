//! `--language` and `--notation`: the language of messages and the notation of moves.

use chuhe_board::notation::Form;
use chuhe_board::words::Language;
use clap::Args;

/// Options flattened into every subcommand that prints sentences.
#[derive(Args)]
pub struct LanguageArgs {
    /// Language of messages: en or zh [default: the locale's]
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<Language>,
}

impl LanguageArgs {
    /// Returns the requested language, or the locale's.
    pub fn language(&self) -> Language {
        self.language.unwrap_or_else(of_locale)
    }
}

/// Options flattened into every subcommand that also prints moves.
#[derive(Args)]
pub struct NotationArgs {
    /// Move notation: iccs, wxf or chinese [default: wxf; chinese if the language is zh]
    #[arg(long, value_name = "FORM")]
    notation: Option<Form>,

    #[command(flatten)]
    language: LanguageArgs,
}

impl NotationArgs {
    /// Returns the requested language, or the locale's.
    pub fn language(&self) -> Language {
        self.language.language()
    }

    /// Returns the requested notation, or the default of the language.
    pub fn form(&self) -> Form {
        self.notation.unwrap_or(Form::usual(self.language()))
    }
}

/// Returns the language of the locale.
pub fn of_locale() -> Language {
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
