//! Exact endings: tables of what every position of few pieces is worth, made backwards, verified forwards, and asked.
//!
//! | | |
//! |---|---|
//! | [`Material`] | the names of endings, and which endings a capture leads to |
//! | [`Index`] | positions as numbers |
//! | [`make`] | retrograde analysis |
//! | [`verify`] | every value once more, by the board's own moves |
//! | [`file`](mod@file) | tables on disk: compressed blocks, checksums |
//! | [`Tables`] | answers for positions |

mod ask;
pub mod file;
mod folder;
mod header;
mod index;
mod inside;
pub mod make;
mod material;
pub mod verify;
mod wording;

pub use ask::{Answer, Tables};
pub use folder::Folder;
pub use header::{Counts, Header};
pub use index::Index;
pub use material::{MOST_ATTACKERS, Material, NotAnEnding};

/// Distances in tables from here on, in plies, count to a perpetual check that the loser can't end and loses by: this is 0 plies.
pub const PERPETUAL: u16 = 0x2000;

/// What a distance counts to, in plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Metric {
    /// The next capture by either side, or mate: what the natural limit bounds.
    Capture,
    /// Mate.
    Mate,
}

/// What the values of a table are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Content {
    /// Win, draw or loss.
    Wins,
    /// Plies to the next capture or mate.
    Capture,
    /// Plies to mate.
    Mate,
}

impl Content {
    /// All three; a program that wants to know only who wins needs the first alone.
    pub const ALL: [Content; 3] = [Content::Wins, Content::Capture, Content::Mate];

    /// How the names of its files end.
    pub const fn suffix(self) -> &'static str {
        match self {
            Content::Wins => "wins",
            Content::Capture => "capture",
            Content::Mate => "mate",
        }
    }
}
