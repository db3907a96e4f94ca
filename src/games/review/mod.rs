//! Game reviews: evaluation of every move, and mistakes with their reasons.
//!
//! [`examine`] searches every position of a game with its history, converts scores to [`expected_points`],
//! and judges each move by the points it lost ([`Judgement`]). [`Reason`] explains why a move was bad. A
//! [`Report`] formats the result as text, JSON, an annotated record or a page.

pub(crate) mod accuracy;
mod annotate;
mod deed;
mod effect;
mod examine;
mod html;
mod json;
mod judgement;
mod material;
mod reason;
mod report;
mod scored_line;
pub mod solution;
mod totals;
mod wording;

pub use chuhe_engine::eval::expected_points;
pub use deed::Deed;
pub use effect::Effect;
pub use examine::{Analyst, Review, Reviewed, Thoroughness, examine};
pub use html::{game_page, index};
pub use json::{JsonScore, Reviewal};
pub use judgement::Judgement;
pub use maud::Markup;
pub use reason::Reason;
pub use report::Report;
pub use scored_line::ScoredLine;
pub use totals::{Moment, Total, totals};
pub use wording::{names, score as score_words};
