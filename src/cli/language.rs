//! `--language`: in which language sentences are said.

use crate::words::Language;
use clap::Args;

/// Flattened into every subcommand that speaks in sentences.
#[derive(Args)]
pub struct LanguageArgs {
    /// The language of sentences: en or zh [default: the locale's]
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<Language>,
}

impl LanguageArgs {
    /// The language that was asked for, else the locale's.
    pub fn language(&self) -> Language {
        self.language.unwrap_or_else(of_locale)
    }
}

/// The locale's language.
pub fn of_locale() -> Language {
    Language::of_locale(|name| {
        let set = std::env::var(name).ok().filter(|value| !value.is_empty());
        // LANG is asked last, and may stand for what the system's settings say.
        set.or_else(|| if name == "LANG" { of_system() } else { None })
    })
}

/// The language of the system's settings, such as `zh-CN`, where programs are not told it by variables.
fn of_system() -> Option<String> {
    #[cfg(any(windows, target_os = "macos"))]
    return sys_locale::get_locale();
    #[cfg(not(any(windows, target_os = "macos")))]
    None
}
