//! Events: responses with the numbers of their requests.

use super::refusal::Refusal;
use super::response::Response;
use chuhe_board::words::Language;
use serde::Serialize;

/// A response or a part of it, with the number of its request.
#[derive(Debug, Serialize)]
pub struct Event {
    /// Number of the request; `None` if the request had no valid number.
    pub id: Option<u64>,
    /// Content.
    #[serde(flatten)]
    pub(crate) response: Response,
}

impl Event {
    /// Creates the response to a message rejected by [`Message::read`](super::Message::read).
    pub fn refused(id: Option<u64>, refusal: &Refusal, language: Language) -> Event {
        Event { id, response: Response::refused(refusal, language) }
    }
}

/// Callback that receives responses.
pub(super) type Emit<'e> = &'e mut (dyn FnMut(Response) + Send);
