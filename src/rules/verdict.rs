//! The one door: what a game's last position is worth by rule.

use super::repetition::{Offence, judge_repetition};
use super::{Game, Terms, limit_reached};
use crate::board::{Kind, Side};

/// The result for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Outcome {
    Win,
    Loss,
    Draw,
}

/// The same result from the other side.
impl std::ops::Not for Outcome {
    type Output = Outcome;

    fn not(self) -> Outcome {
        match self {
            Outcome::Win => Outcome::Loss,
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
        }
    }
}

/// Why a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// In check without a legal move.
    Mate,
    /// Not in check without a legal move: a loss in Xiangqi.
    Stalemate,
    /// Too many plies without a capture.
    NaturalLimit,
    /// Neither side has a piece that can cross the river.
    NoAttackers,
    /// This side checked with every move of a repetition, the other did not.
    PerpetualCheck(Side),
    /// This side chased one piece with every move of a repetition, the other did nothing of the kind.
    PerpetualChase(Side),
    /// This side checked, threatened mate or chased with every move of a repetition, which the Chinese rules forbid; the other did not.
    PerpetualAttack(Side),
    /// Both sides offended alike.
    MutualOffence(Offence),
    /// A repetition that is nobody's fault.
    Repetition,
}

/// How a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The game goes on.
    Open,
    /// The game is over.
    Over(Outcome, Reason),
}

/// The referee: how the game stands after its last move. Mate and stalemate come first, then repetition, then the natural limit.
///
/// ```
/// use chuhe::rules::{Game, Outcome, Reason, RuleSet, Verdict, judge};
/// use chuhe::board::Side;
///
/// let mut game = Game::from_fen("3k5/9/9/p8/9/9/P8/9/4R4/5K3 w").unwrap();
/// for _ in 0..2 {
///     assert_eq!(judge(&game, RuleSet::Asian), Verdict::Open);
///     game.play_text("e1d1 d9e9 d1e1 e9d9".split(' ')).unwrap();
/// }
/// assert_eq!(judge(&game, RuleSet::Asian), Verdict::Over(Outcome::Loss, Reason::PerpetualCheck(Side::Red)));
/// ```
pub fn judge(game: &Game, terms: impl Into<Terms>) -> Verdict {
    let terms = terms.into();
    let position = game.position();
    if !position.has_moves() {
        let reason = if position.in_check() { Reason::Mate } else { Reason::Stalemate };
        return Verdict::Over(Outcome::Loss, reason);
    }
    if let Some(span) = game.occurrences().nth(terms.folds - 2) {
        let (outcome, reason) = judge_repetition(game, terms.rules, span);
        return Verdict::Over(outcome, reason);
    }
    if limit_reached(game, terms) {
        return Verdict::Over(Outcome::Draw, Reason::NaturalLimit);
    }
    let attackers = [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Pawn];
    if Side::ALL.into_iter().all(|side| attackers.into_iter().all(|kind| position.pieces(side, kind).is_empty())) {
        return Verdict::Over(Outcome::Draw, Reason::NoAttackers);
    }
    Verdict::Open
}

/// In a search, `distance` plies below its root: how many plies back the position stood that makes this one a repetition to be judged by
/// [`judge_repetition`]. An occurrence below the root decides at once, for whoever goes round once can go round again; in the game before the
/// root the position must have stood `terms.folds - 1` times.
///
/// A win or a loss is then a forecast, since the offender may vary: it hangs on the way to the position, and is no mate.
pub fn deciding_span(game: &Game, terms: impl Into<Terms>, distance: usize) -> Option<usize> {
    let folds = terms.into().folds;
    let decides = |(earlier, span): &(usize, usize)| *span < distance || earlier + 2 >= folds;
    game.occurrences().enumerate().find(decides).map(|(_, span)| span)
}
