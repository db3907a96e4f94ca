//! Move notations.

use crate::named;
use crate::words::Language;
use alloc::{borrow::ToOwned, string::String};
use core::str::FromStr;
use thiserror::Error;

named! {
    /// A move notation.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Form {
        /// `H2-E2`: both squares.
        #[default]
        Iccs = "ICCS",
        /// `C2=5`: piece, file, direction and target.
        Wxf = "WXF",
        /// 炮二平五: the same information in Chinese.
        Chinese = "Chinese",
    }

    /// Returns the value of the `Format` tag of records.
    pub fn tag -> &'static str
}

impl Form {
    /// Returns the usual notation for a language.
    pub fn usual(language: Language) -> Form {
        match language {
            Language::English => Form::Wxf,
            Language::Chinese => Form::Chinese,
        }
    }
}

/// Error for an unknown notation name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown notation {0:?}; use iccs, wxf or chinese")]
pub struct UnknownForm(pub String);

/// Parses the name of a notation, ignoring case.
impl FromStr for Form {
    type Err = UnknownForm;

    fn from_str(text: &str) -> Result<Form, UnknownForm> {
        let known = Form::ALL.into_iter().find(|form| form.tag().eq_ignore_ascii_case(text));
        known.ok_or_else(|| UnknownForm(text.to_owned()))
    }
}
