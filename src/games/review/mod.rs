//! The review of a game: what every move was worth, which were mistakes, and why.
//!
//! [`examine`] searches every position of a game with its history, turns scores into [`expected_points`], and judges each move by the points that
//! it gave away ([`Judgement`]). [`Reason`] says why a move was bad. A [`Report`] prints the result: text, JSON, a commented record, a page.

pub mod accuracy;
mod annotate;
mod examine;
mod found;
mod html;
mod json;
mod judgement;
mod reason;
mod report;
pub mod solution;
mod totals;
mod wording;

pub use chuhe_engine::eval::expected_points;
pub use examine::{Analyst, Review, Reviewed, Thoroughness, examine};
pub use found::Found;
pub use html::index;
pub use json::{JsonScore, Reviewal};
pub use judgement::{Judgement, OBVIOUS_MATE, THRESHOLDS};
pub use maud::Markup;
pub use reason::Reason;
pub use report::Report;
pub use totals::{Moment, Total, totals};
pub use wording::{names, score as score_words};
