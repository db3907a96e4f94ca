//! `--language` and `--notation`: the language of messages, and how moves are written.

use chuhe_board::notation::Form;
use chuhe_board::words::Language;
use clap::Args;

/// Flattened into every subcommand that prints sentences.
#[derive(Args)]
pub struct LanguageArgs {
    /// Language of messages: en or zh [default: the locale's]
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<Language>,
}

impl LanguageArgs {
    /// The requested language, else the locale's.
    pub fn language(&self) -> Language {
        self.language.unwrap_or_else(of_locale)
    }
}

/// Flattened into every subcommand that also names moves.
#[derive(Args)]
pub struct NotationArgs {
    /// Move notation: iccs, wxf or chinese [default: wxf, in Chinese chinese]
    #[arg(long, value_name = "FORM")]
    notation: Option<Form>,

    #[command(flatten)]
    language: LanguageArgs,
}

impl NotationArgs {
    /// The requested language, else the locale's.
    pub fn language(&self) -> Language {
        self.language.language()
    }

    /// The requested notation, else the language's.
    pub fn form(&self) -> Form {
        self.notation.unwrap_or(Form::usual(self.language()))
    }
}

/// The locale's language.
pub fn of_locale() -> Language {
    Language::of_locale(|name| {
        let set = std::env::var(name).ok().filter(|value| !value.is_empty());
        // LANG comes last, and may reflect the system's settings.
        set.or_else(|| if name == "LANG" { of_system() } else { None })
    })
}

/// The language of the system's settings, such as `zh-CN`, where no variables give it.
fn of_system() -> Option<String> {
    #[cfg(any(windows, target_os = "macos"))]
    return sys_locale::get_locale();
    #[cfg(not(any(windows, target_os = "macos")))]
    None
}
