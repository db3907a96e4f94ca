//! Endgame tablebases: generation by retrograde analysis, verification, storage and probing.
//!
//! | | |
//! |---|---|
//! | [`Material`] | names of endings, and the endings reachable by a capture |
//! | [`Index`] | numbering of positions |
//! | [`make`] | retrograde analysis |
//! | [`verify`] | check of every value with the board's move generator |
//! | [`file`](mod@file) | table files: compressed blocks, checksums |
//! | [`Tables`] | probing |

pub mod file;
mod folder;
mod header;
mod index;
mod inside;
pub mod make;
mod material;
mod probe;
pub mod verify;
mod wording;

pub use folder::Folder;
pub use header::{Counts, Header};
pub use index::Index;
pub use material::{Material, NotAnEnding};
pub use probe::{ProbeResult, Tables};

/// Base of distances to a perpetual check. A distance of at least this value is the sum of this constant and
/// the number of plies to a perpetual check that the losing side cannot avoid.
pub const PERPETUAL: u16 = 0x2000;

/// End point of a distance in plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Metric {
    /// The next capture by either side, or mate: the interval bounded by the natural limit.
    Capture,
    /// Mate.
    Mate,
}

/// Content of a table.
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
    /// All contents; probing outcomes requires only the first.
    pub const ALL: [Content; 3] = [Content::Wins, Content::Capture, Content::Mate];

    /// Returns the suffix of the file name.
    pub(crate) const fn suffix(self) -> &'static str {
        match self {
            Content::Wins => "wins",
            Content::Capture => "capture",
            Content::Mate => "mate",
        }
    }
}
