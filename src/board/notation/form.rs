//! The forms in which moves are written.

use crate::named;
use crate::words::Language;
use alloc::{borrow::ToOwned, string::String};
use core::str::FromStr;
use thiserror::Error;

named! {
    /// The forms in which moves are written.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Form {
        /// `H2-E2`: the squares.
        #[default]
        Iccs = "ICCS",
        /// `C2=5`: the piece, its file, its way.
        Wxf = "WXF",
        /// 炮二平五: the same in Chinese.
        Chinese = "Chinese",
    }

    /// As the `Format` tag of records names it.
    pub fn tag -> &'static str
}

impl Form {
    /// What readers of a language expect.
    pub fn usual(language: Language) -> Form {
        match language {
            Language::English => Form::Wxf,
            Language::Chinese => Form::Chinese,
        }
    }
}

/// No notation has this name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown notation {0:?}; use iccs, wxf or chinese")]
pub struct UnknownForm(pub String);

/// Reads a form's name in any case.
impl FromStr for Form {
    type Err = UnknownForm;

    fn from_str(text: &str) -> Result<Form, UnknownForm> {
        let known = Form::ALL.into_iter().find(|form| form.tag().eq_ignore_ascii_case(text));
        known.ok_or_else(|| UnknownForm(text.to_owned()))
    }
}
