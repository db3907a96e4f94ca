//! A Xiangqi (Chinese chess) engine: evaluation, search, mate solver, tablebases, opening books, and the UCCI
//! and UCI protocols.
//!
//! A [`Searcher`] searches on its caller's thread, which needs a large stack ([`search::STACK`]); an
//! [`Engine`] owns a searcher and a thread. Scores are in centipawns from the point of view of the side to
//! move; [`chuhe_board::score`] distinguishes mates from evaluations.
//!
//! ```
//! use chuhe_engine::Engine;
//! use chuhe_engine::search::Limits;
//!
//! let mut engine = Engine::default();
//! let conclusion = engine.think(Limits::depth(5), |_| {})?;
//! assert!(conclusion.best.is_some());
//! # Ok::<(), chuhe_engine::Error>(())
//! ```

mod bench;
pub mod book;
pub mod bytes;
#[cfg(feature = "sqlite-books")]
pub mod database;
mod draws;
pub mod endings;
mod engine;
pub mod eval;
mod levels;
pub mod machine;
pub mod mates;
mod options;
pub mod output;
pub mod picture;
pub mod protocol;
pub mod search;
mod searcher;
mod view;

pub(crate) use bench::bench_until;
pub use bench::{BENCH_DEPTH, Bench, bench, bench_with};
pub(crate) use draws::is_dull;
pub use draws::{DRAW_NODES, takes_draw};
pub use engine::Engine;
pub use levels::Level;
pub use options::{Error, Options};
pub use searcher::Searcher;
pub use view::{Probe, SearcherView};
