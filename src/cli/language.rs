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
        self.language.unwrap_or_else(|| Language::of_locale(|name| std::env::var(name).ok()))
    }
}
