//! Messages: requests with their numbers.

use super::refusal::Refusal;
use super::request::{Request, RequestName};
use chuhe_board::words::{Language, UnknownLanguage};
use serde::Deserialize;
use serde_json::error::Category;
use serde_json::value::RawValue;

/// Upper bound of request numbers: JavaScript represents smaller integers exactly.
const MAX_ID: u64 = 1 << 53;
/// Maximum length of a request without a file or a tree, in bytes; the longest game takes 8,000 bytes.
const MAX_REQUEST: usize = 256 << 10;

/// A request with its number.
#[derive(Clone, PartialEq, Debug)]
pub struct Message {
    /// Number, repeated in every event.
    pub id: u64,
    /// Language of the text in the response; defaults to the language of the hello.
    pub language: Option<Language>,
    /// Request.
    pub(crate) request: Request,
}

/// Fields common to all requests. Other fields are skipped, so they use no memory.
#[derive(Deserialize)]
struct Head<'t> {
    #[serde(borrow)]
    id: Option<&'t RawValue>,
    #[serde(borrow, rename = "do")]
    name: Option<&'t RawValue>,
    #[serde(borrow)]
    language: Option<&'t RawValue>,
}

impl Message {
    /// Parses a message.
    ///
    /// # Errors
    /// Returns the reason why the message is invalid, with its number if it has one.
    pub fn read(text: &str) -> Result<Message, (Option<u64>, Refusal)> {
        let head: Head = serde_json::from_str(text).map_err(|error| match error.classify() {
            Category::Data => (None, Refusal::NoId),
            _ => (None, Refusal::NotJson(error.to_string())),
        })?;
        let id = head.id.and_then(|id| id.get().parse().ok()).filter(|id| *id < MAX_ID);
        let id = id.ok_or((None, Refusal::NoId))?;
        let bad = |error: String| (Some(id), Refusal::Bad(error));
        let key = head.name.map_or("\"\"", RawValue::get);
        let name: RequestName = serde_json::from_str(key).map_err(|_| {
            let name: String = serde_json::from_str(key).unwrap_or_default();
            (Some(id), Refusal::UnknownRequest(name.chars().take(40).collect()))
        })?;
        if text.len() > MAX_REQUEST && !name.may_be_long() {
            return Err(bad(format!("more than {MAX_REQUEST} bytes")));
        }
        let language = head.language.map(|name| serde_json::from_str::<String>(name.get()).unwrap_or_default());
        let language =
            language.map(|name| name.parse().map_err(|error: UnknownLanguage| bad(error.to_string()))).transpose()?;
        // With the name as an outer key, the request is deserialized directly. An internal tag would first
        // require a copy of all fields, which takes a hundred times the memory of the text.
        let request = Request::read(name, &format!("{{{key}:{text}}}"));
        let request = request.map_err(|error: serde_json::Error| {
            // The column is removed, since it would include the added name.
            let said = error.to_string();
            bad(said.split(" at line ").next().unwrap_or_default().to_owned())
        })?;
        Ok(Message { id, language, request })
    }
}
