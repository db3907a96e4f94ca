//! End of the game by mate, stalemate, natural limit, lack of attackers or repetition, under a rule set
//! selected by name.

mod attack;
mod cycle;
mod game;
mod kill;
mod limit;
mod outcome;
mod repetition;
mod sample;
mod terms;
mod verdict;
mod warning;
mod wording;

pub use attack::CaptureValue;
pub use cycle::{Attack, Cycle, CyclePly, Deed, Ruling, rule};
pub use game::{BadGame, Game, IllegalMove, Ply};
pub use limit::counted_plies;
use limit::limit_reached;
pub use outcome::{Offence, Outcome, Reason};
pub use repetition::judge_repetition;
pub use sample::{Cycles, SampledCycle};
pub use terms::{NATURAL_LIMIT, RuleSet, Terms, UnknownRuleSet};
pub use verdict::{Ending, RestsOn, Verdict, judge, judge_in_search};
pub use warning::{Warning, warnings};
