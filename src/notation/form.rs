//! The forms in which moves are written.

use std::str::FromStr;

/// The forms in which moves are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// `H2-E2`: the squares.
    #[default]
    Iccs,
    /// `C2=5`: the piece, its file, its way.
    Wxf,
    /// 炮二平五: the same in Chinese.
    Chinese,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 3] = [Form::Iccs, Form::Wxf, Form::Chinese];

    /// As the `Format` tag of records names it.
    pub fn tag(self) -> &'static str {
        match self {
            Form::Iccs => "ICCS",
            Form::Wxf => "WXF",
            Form::Chinese => "Chinese",
        }
    }
}

/// Reads a form's name in any case.
impl FromStr for Form {
    type Err = String;

    fn from_str(text: &str) -> Result<Form, String> {
        let known = Form::ALL.into_iter().find(|form| form.tag().eq_ignore_ascii_case(text));
        known.ok_or_else(|| format!("no notation is called {text:?}; there are iccs, wxf and chinese"))
    }
}
