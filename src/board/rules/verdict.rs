//! The referee: judges games and search nodes.

use super::repetition::judge_repetition;
use super::{Game, Outcome, Reason, Terms, counted_plies, limit_reached};
use crate::{Kind, Position, Side};

/// State of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Verdict {
    /// The game continues.
    #[default]
    Open,
    /// The game is over.
    Over(Outcome, Reason),
}

/// Judges the game after its last move. Mate and stalemate have priority, then repetition, then the natural
/// limit.
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

/// End of the game at a search node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Result for the side to move.
    pub outcome: Outcome,
    /// Reason.
    pub reason: Reason,
    /// Dependence of the result on the path.
    pub rests_on: RestsOn,
}

/// Dependence of a verdict on the path. It determines whether a search may store the verdict under the
/// position's key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RestsOn {
    /// Depends only on the position.
    Position,
    /// Depends on this many of the last plies.
    Plies(usize),
    /// Depends on all plies since the last capture.
    Game,
}

/// Judges a node `ply` plies below the root of a search. It checks the same conditions as [`judge`], in the
/// same order, with two differences:
///
/// - Below the root a draw and a perpetual check are judged at the second occurrence, since a cycle that was
///   possible once is possible again. A chase is judged only when it is complete. At the natural limit,
///   neither side can repeat again, so only a complete repetition counts there.
/// - `None` means that no rule ends the game; the search itself determines whether there is a legal move.
///   Mate and stalemate are tested only where the natural limit or the material would end the game, since
///   they have priority. The material is tested where it may be new to the search: after a capture and after
///   the first move.
///
/// Most nodes return after a few comparisons.
#[inline]
pub fn judge_in_search(game: &Game, terms: Terms, ply: usize) -> Option<Ending> {
    let quiet_plies = game.position().quiet_plies();
    if game.is_surely_new() && quiet_plies > 0 && quiet_plies < terms.natural_limit && ply != 1 {
        return None;
    }
    let ending = ending(game, terms, ply)?;
    // A repeated position had a legal move at its first occurrence, so it has one now.
    let is_repetition = !matches!(ending.reason, Reason::NaturalLimit | Reason::NoAttackers);
    if is_repetition { Some(ending) } else { no_moves(game.position()).or(Some(ending)) }
}

/// Returns the game's end by mate or stalemate; `None` if there is a legal move.
fn no_moves(position: &Position) -> Option<Ending> {
    let reason = if position.in_check() { Reason::Mate } else { Reason::Stalemate };
    (!position.has_moves()).then_some(Ending { outcome: Outcome::Loss, reason, rests_on: RestsOn::Position })
}

/// Returns the game's end by repetition, natural limit or material, assuming that the side to move has a
/// legal move.
#[inline(never)]
fn ending(game: &Game, terms: Terms, ply: usize) -> Option<Ending> {
    let at_limit = limit_reached(game, terms);
    if let Some(mut ending) = repetition(game, terms, if at_limit { 0 } else { ply }) {
        ending.rests_on = if at_limit { RestsOn::Game } else { ending.rests_on };
        return Some(ending);
    }
    if at_limit {
        return Some(Ending { outcome: Outcome::Draw, reason: Reason::NaturalLimit, rests_on: RestsOn::Game });
    }
    let position = game.position();
    let attackers = |side| position.major_pieces(side) | position.pieces(side, Kind::Pawn);
    let none_left = Side::ALL.into_iter().all(|side| attackers(side).is_empty());
    none_left.then_some(Ending { outcome: Outcome::Draw, reason: Reason::NoAttackers, rests_on: RestsOn::Position })
}

/// Returns the verdict on a repetition that the referee judges. Below the root, also returns the verdict on
/// an earlier repetition if the referee's verdict is already certain.
///
/// A draw is certain, since the cycle can be repeated. So is a perpetual check, because the offender has no
/// harmless cycle to combine with it: a cycle without a check would be a draw by itself. A chase is not
/// certain: alternating between chases of different pieces, or between a chase and a check, is not an
/// offence, although each chase by itself is. The search therefore continues with another cycle, in which the
/// offender may choose a different move.
fn repetition(game: &Game, terms: Terms, ply: usize) -> Option<Ending> {
    let verdict = |span| {
        let (outcome, reason) = judge_repetition(game, terms.rules, span);
        Ending { outcome, reason, rests_on: RestsOn::Plies(span) }
    };
    let returns = terms.folds() - 1;
    let (mut nearest, mut farthest, mut count) = (None, 0, 0);
    for span in game.occurrences().take(returns) {
        nearest = nearest.or((span < ply).then_some(span));
        (farthest, count) = (span, count + 1);
    }
    if count == returns {
        return Some(verdict(farthest));
    }
    let nearest = nearest?;
    let forecast = verdict(nearest);
    let is_sure = match forecast.reason {
        _ if forecast.outcome == Outcome::Draw => true,
        Reason::PerpetualChase(_) => false,
        // If the position occurred more than once, the longest span must give the same outcome. The natural
        // limit must not be reached first.
        _ => {
            (farthest == nearest || verdict(farthest).outcome == forecast.outcome)
                && !limit_comes_within(game, terms, nearest.saturating_mul(returns - count))
        }
    };
    is_sure.then_some(forecast)
}

/// Returns `true` if the game may end by the natural limit within `plies` plies.
fn limit_comes_within(game: &Game, terms: Terms, plies: usize) -> bool {
    let limit = usize::from(terms.natural_limit);
    usize::from(game.position().quiet_plies()).saturating_add(plies) >= limit
        && usize::from(counted_plies(game, terms)).saturating_add(plies) >= limit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;

    /// Returns the search's verdict after moves from a root; `None` if the game continues.
    fn after(fen: &str, moves: &str) -> Option<(Outcome, Reason)> {
        let mut game = Game::from_fen(fen).expect("a legal FEN");
        let moves: Vec<&str> = moves.split(' ').collect();
        game.play_text(moves.iter().copied()).expect("legal moves");
        judge_in_search(&game, RuleSet::Asian.terms(), moves.len()).map(|ending| (ending.outcome, ending.reason))
    }

    /// Root positions. The cycles of checks and the cycles of chases begin one move later.
    const CHECKS: &str = "3k5/9/9/p8/9/9/P8/9/9/4RK3 w";
    const CHASES: &str = "5k3/9/9/8p/2n6/9/8P/9/9/3RK4 w";
    const MIXED: &str = "3aka3/4n4/9/9/9/9/9/2C6/6r2/3AK4 b";

    #[test]
    fn a_perpetual_check_is_judged_at_the_second_occurrence_below_the_root() {
        let found = after(CHECKS, "e0e1 d9d8 e1d1 d8e8 d1e1 e8d8");
        assert_eq!(found, Some((Outcome::Loss, Reason::PerpetualCheck(Side::Red))));
        let found = after(CHECKS, "f0f1 d9d8 e0d0 d8e8 d0e0 e8d8 e0d0");
        assert_eq!(found, Some((Outcome::Win, Reason::PerpetualCheck(Side::Red))));
    }

    #[test]
    fn a_chase_is_judged_only_when_it_is_complete() {
        let once = "d0d1 f9f8 d1c1 c5d7 c1d1 d7c5 d1c1";
        assert_eq!(after(CHASES, once), None);
        let found = after(CHASES, &format!("{once} c5d7 c1d1 d7c5 d1c1"));
        assert_eq!(found, Some((Outcome::Win, Reason::PerpetualChase(Side::Red))));
    }

    #[test]
    fn a_check_and_a_chase_in_turn_draw_though_each_alone_loses() {
        let (check, chase) = ("g1g0 e0e1 g0g1 e1e0", "g1c1 c2g2 c1g1 g2c2");
        let draw = Some((Outcome::Draw, Reason::Repetition));
        assert_eq!(after(MIXED, check), None, "the first occurrence is the root itself");
        assert_eq!(after(MIXED, &format!("{check} {chase}")), draw);
        assert_eq!(after(MIXED, &format!("{chase} {check}")), draw);
        let lost = |offence| Some((Outcome::Loss, offence));
        assert_eq!(after(MIXED, &format!("{check} {check}")), lost(Reason::PerpetualCheck(Side::Black)));
        assert_eq!(after(MIXED, &format!("{chase} {chase}")), lost(Reason::PerpetualChase(Side::Black)));
    }

    #[test]
    fn a_perpetual_check_that_the_natural_limit_cuts_short_is_no_loss() {
        // Four plies later the position would occur for the third time, but the limit is reached first.
        for (quiet_plies, loses) in [(100, true), (110, false)] {
            let fen = format!("3k5/9/9/p8/9/9/P8/9/9/4RK3 w - - {quiet_plies} 60");
            let found = after(&fen, "f0f1 d9d8 e0d0 d8e8 d0e0 e8d8 e0d0");
            assert_eq!(found.is_some(), loses, "{quiet_plies}");
        }
    }
}
