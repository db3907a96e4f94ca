//! Frame of every page: head, style, and the policy that prevents a browser from fetching external resources.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use chuhe_board::words::Language;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("page.css");

/// Returns a whole page, which runs no script other than the given one.
pub(super) fn page(language: Language, title: &str, script: Option<&str>, body: &Markup) -> String {
    let scripts = script.map_or(String::new(), |script| format!("script-src {}; ", hash(script)));
    let policy = format!("default-src 'none'; style-src {}; {scripts}base-uri 'none'; form-action 'none'", hash(STYLE));
    let page = html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (body)
                @if let Some(script) = script { script { (PreEscaped(script)) } }
            }
        }
    };
    page.into_string() + "\n"
}

/// Returns a source expression that allows exactly this style or script.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}
