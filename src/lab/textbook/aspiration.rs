//! Aspiration: the root is searched with a narrow window around a guess, and again with a wider one if the value is outside.

use super::study::{Answer, INFINITY, Search};
use super::{Study, Tree};

/// What a failure widens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Widening {
    /// The failing side goes straight to infinity.
    ToInfinity,
    /// The failing side goes step by step, each step twice as large.
    Stepwise,
}

/// Searches with `guess − below … guess + above` and widens the failing side. The window holds a value if one lies strictly inside.
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
