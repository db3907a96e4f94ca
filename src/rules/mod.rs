//! How a game ends: mate, stalemate, the natural limit, dead positions and repetition, under a rule set chosen by name.

mod game;
mod verdict;

pub use game::{Game, IllegalMove, Ply};
pub use verdict::{NATURAL_LIMIT, Outcome, Reason, RuleSet, Verdict, judge, judge_repetition};
