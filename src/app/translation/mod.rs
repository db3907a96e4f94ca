//! Chinese translations for the command line and for errors in the responses of `desk`. The code contains
//! help, messages and errors in English; they are translated when they are printed.
//!
//! The translations are in the text files of the folder `chinese`, one per subject; [`catalogue`] describes
//! them. A sentence without a translation is printed in English; `tests/library/chinese.rs` finds such
//! sentences.

pub mod catalogue;

use catalogue::Catalogue;
use chuhe_board::words::Language;
#[cfg(feature = "cli")]
use std::sync::OnceLock;

#[cfg(feature = "cli")]
static CHOSEN: OnceLock<Language> = OnceLock::new();

/// Sets the language of the program; only the first call has an effect.
#[cfg(feature = "cli")]
pub(crate) fn choose(language: Language) {
    let _ = CHOSEN.set(language);
}

/// Returns the language of the program; English if none was chosen.
#[cfg(feature = "cli")]
pub(crate) fn language() -> Language {
    CHOSEN.get().copied().unwrap_or_default()
}

/// Translates text into the language of the program, line by line. Lines without a translation are unchanged.
#[cfg(feature = "cli")]
pub(crate) fn translate(text: &str) -> String {
    translate_to(language(), text)
}

/// Translates text into a language, line by line. Lines without a translation are unchanged.
pub(crate) fn translate_to(language: Language, text: &str) -> String {
    match language {
        Language::English => text.to_owned(),
        Language::Chinese => text.split('\n').map(in_chinese).collect::<Vec<_>>().join("\n"),
    }
}

/// Translates a line; keeps the indentation, and the name of the program before an error.
fn in_chinese(line: &str) -> String {
    let message = line.trim_start();
    let message = message.strip_prefix("chuhe: ").unwrap_or(message);
    let before = &line[..line.len() - message.len()];
    match Catalogue::chinese().translate(message) {
        Some(chinese) => format!("{before}{chinese}"),
        None => line.to_owned(),
    }
}
