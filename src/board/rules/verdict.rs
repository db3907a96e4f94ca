//! The referee: how a game stands, and how it stands at a node of a search.

use super::repetition::judge_repetition;
use super::{Game, Outcome, Reason, Terms, limit_reached};
use crate::{Kind, Position, Side};

/// How a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Verdict {
    /// The game goes on.
    #[default]
    Open,
    /// The game is over.
    Over(Outcome, Reason),
}

/// The referee: how the game stands after its last move. Mate and stalemate come first, then repetition, then the natural limit.
///
/// ```
/// use chuhe_board::rules::{Game, Outcome, Reason, RuleSet, Verdict, judge};
/// use chuhe_board::Side;
///
/// let mut game = Game::from_fen("3k5/9/9/p8/9/9/P8/9/4R4/5K3 w").unwrap();
/// for _ in 0..2 {
///     assert_eq!(judge(&game, RuleSet::Asian), Verdict::Open);
///     game.play_text("e1d1 d9e9 d1e1 e9d9".split(' ')).unwrap();
/// }
/// assert_eq!(judge(&game, RuleSet::Asian), Verdict::Over(Outcome::Loss, Reason::PerpetualCheck(Side::Red)));
/// ```
pub fn judge(game: &Game, terms: impl Into<Terms>) -> Verdict {
    let ending = no_moves(game.position()).or_else(|| ending(game, terms.into(), 0));
    ending.map_or(Verdict::Open, |Ending { outcome, reason, .. }| Verdict::Over(outcome, reason))
}

/// The end of a game at a node of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The result for the side to move.
    pub outcome: Outcome,
    /// Why the game has ended.
    pub reason: Reason,
    /// What the result depends on.
    pub rests_on: RestsOn,
}

/// What a verdict depends on: whether a search may store it under the position's key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RestsOn {
    /// The position alone.
    Position,
    /// This many of the last plies.
    Plies(usize),
    /// All plies since the last capture.
    Game,
}

/// The referee at a node `ply` plies below the root of a search. It asks what [`judge`] asks, in the same order, with two differences:
///
/// - Below the root a position is judged at its second occurrence, since what can be done once can be done again. Such a win or loss is a
///   forecast: the offender may still vary. At the natural limit no side can repeat again, so there only a complete repetition counts.
/// - `None` means that no rule ends the game; the search itself finds out whether there is a legal move. Mate and stalemate are looked for
///   only where the natural limit or the material would end the game, because they come first.
///
/// Most nodes pass after one load and two comparisons.
#[inline]
pub fn judge_in_search(game: &Game, terms: Terms, ply: usize) -> Option<Ending> {
    let quiet_plies = game.position().quiet_plies();
    if game.is_surely_new() && quiet_plies > 0 && quiet_plies < terms.natural_limit {
        return None;
    }
    let ending = ending(game, terms, ply)?;
    // A position that has come back had a legal move before, and has it still.
    let is_repetition = !matches!(ending.reason, Reason::NaturalLimit | Reason::NoAttackers);
    if is_repetition { Some(ending) } else { no_moves(game.position()).or(Some(ending)) }
}

/// Mate or stalemate.
fn no_moves(position: &Position) -> Option<Ending> {
    let reason = if position.in_check() { Reason::Mate } else { Reason::Stalemate };
    (!position.has_moves()).then_some(Ending { outcome: Outcome::Loss, reason, rests_on: RestsOn::Position })
}

/// Repetition, then the natural limit, then the material; the side to move is taken to have a legal move.
#[inline(never)]
fn ending(game: &Game, terms: Terms, ply: usize) -> Option<Ending> {
    let at_limit = limit_reached(game, terms);
    if let Some(span) = deciding_span(game, terms, if at_limit { 0 } else { ply }) {
        let (outcome, reason) = judge_repetition(game, terms.rules, span);
        let rests_on = if at_limit { RestsOn::Game } else { RestsOn::Plies(span) };
        return Some(Ending { outcome, reason, rests_on });
    }
    if at_limit {
        return Some(Ending { outcome: Outcome::Draw, reason: Reason::NaturalLimit, rests_on: RestsOn::Game });
    }
    let position = game.position();
    let attackers = |side| position.major_pieces(side) | position.pieces(side, Kind::Pawn);
    let none_left = Side::ALL.into_iter().all(|side| attackers(side).is_empty());
    none_left.then_some(Ending { outcome: Outcome::Draw, reason: Reason::NoAttackers, rests_on: RestsOn::Position })
}

/// How many plies back the occurrence was that makes this one a repetition to be judged. An occurrence below the root decides at once; in
/// the game before the root the position must have occurred `terms.folds() - 1` times.
fn deciding_span(game: &Game, terms: Terms, ply: usize) -> Option<usize> {
    let decides = |(earlier, span): &(usize, usize)| *span < ply || earlier + 2 >= terms.folds();
    game.occurrences().enumerate().find(decides).map(|(_, span)| span)
}
