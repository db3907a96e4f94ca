//! Aspiration windows: searches the root with a narrow window around a guess, and again with a wider one if
//! the value lies outside.

use super::study::{Answer, INFINITY, Search};
use super::{Study, Tree};

/// Widening of the window after a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Widening {
    /// Moves the bound that failed to infinity.
    ToInfinity,
    /// Moves the bound that failed step by step, doubling each step.
    Stepwise,
}

/// Searches with `guess − below … guess + above` and moves the bound that fails. A value is accepted if it
/// lies strictly inside the window.
pub fn aspiration<T: Tree>(
    study: &mut Study<T>,
    search: Search<T>,
    depth: i32,
    guess: i32,
    (mut below, mut above): (i32, i32),
    widening: Widening,
) -> Answer {
    loop {
        let (alpha, beta) = ((guess - below).max(-INFINITY), (guess + above).min(INFINITY));
        let value = search(study, depth, alpha, beta)?;
        let wider =
            |step: i32| if widening == Widening::ToInfinity { 2 * INFINITY } else { (2 * step).min(2 * INFINITY) };
        if value <= alpha {
            below = wider(below);
        } else if value >= beta {
            above = wider(above);
        } else {
            return Some(value);
        }
    }
}
