//! The natural limit: the maximum number of plies without a capture, and the plies that count.

use super::{Game, Terms};
use crate::Side;

/// Returns the number of plies since the last capture that count towards the natural limit: each side's first
/// [`Terms::free_checks`] checks count, but further checks and the replies to them do not. Plies before the
/// game's first position are taken from its FEN and all count.
pub fn counted_plies(game: &Game, terms: impl Into<Terms>) -> u16 {
    let free_checks = terms.into().free_checks;
    let quiet = game.position().quiet_plies();
    let recorded = usize::from(quiet).min(game.plies().len());
    let mut counted = quiet - recorded as u16;
    let mut checks = [0u16; 2];
    let mut mover = game.position().side();
    let window = &game.plies()[game.plies().len() - recorded..];
    if recorded % 2 == 1 {
        mover = !mover;
    }
    for (index, ply) in window.iter().enumerate() {
        let side: Side = if index % 2 == 0 { mover } else { !mover };
        let gives_check = window.get(index + 1).map_or(game.position().in_check(), |next| next.was_in_check);
        checks[side.index()] += u16::from(gives_check);
        let is_spent = |side: Side| free_checks == 0 || checks[side.index()] > free_checks;
        let uncounted = gives_check && is_spent(side) || ply.was_in_check && is_spent(!side);
        counted += u16::from(!uncounted);
    }
    counted
}

/// Returns `true` if the natural limit is reached. The plies are counted only if there are enough of them.
pub(super) fn limit_reached(game: &Game, terms: impl Into<Terms>) -> bool {
    let terms = terms.into();
    game.position().quiet_plies() >= terms.natural_limit && counted_plies(game, terms) >= terms.natural_limit
}
