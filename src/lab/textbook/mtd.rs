//! Drivers that find the value with zero-width searches only: the plain MTD(f) loop, Plaat's version with two
//! bounds, and bisection.

use super::alpha_beta::fail_soft;
use super::study::{Answer, INFINITY};
use super::tree::MATE;
use super::zero_width::zero_width;
use super::{Study, Tree};

/// Maximum number of zero-width searches of the plain loop, which then searches the full window; inconsistent
/// hash entries could prevent it from ending.
const MAX_CALLS: usize = 1_000;

/// The plain loop: searches with the last result until it repeats.
///
/// Corrected: the printed loop stops as soon as `(test, test + 1)` returns `test`. That search failed low, so
/// it only proves that the value is at most `test`; on most random trees, the value is less. A search of
/// `(test − 1, test)` must confirm that it is at least `test`.
pub(crate) fn mtd_plain<T: Tree>(study: &mut Study<T>, depth: i32, mut test: i32) -> Answer {
    for _ in 0..MAX_CALLS {
        let mut score = zero_width(study, depth, test)?;
        if score == test {
            score = zero_width(study, depth, test - 1)?;
            if score >= test {
                return Some(test);
            }
        }
        test = score;
    }
    fail_soft(study, depth, -INFINITY, INFINITY)
}

/// The plain loop as printed, for comparison. Inexact; see `mtd_plain`.
pub(crate) fn mtd_printed<T: Tree>(study: &mut Study<T>, depth: i32, mut test: i32) -> Answer {
    for _ in 0..MAX_CALLS {
        let score = zero_width(study, depth, test)?;
        if score == test {
            break;
        }
        test = score;
    }
    Some(test)
}

/// Plaat's driver: an upper and a lower bound converge to the value. Correct as printed, and it always
/// terminates.
pub(crate) fn mtd_plaat<T: Tree>(study: &mut Study<T>, depth: i32, first: i32) -> Answer {
    let mut g = first;
    let (mut lower, mut upper) = (-INFINITY, INFINITY);
    while lower < upper {
        let beta = if g == lower { g + 1 } else { g };
        g = zero_width(study, depth, beta - 1)?;
        if g < beta {
            upper = g;
        } else {
            lower = g;
        }
    }
    Some(g)
}

/// Binary search for the value: each zero-width search halves the remaining part of ±MATE.
///
/// Corrected: the printed version stops with two candidates left, so this version continues while there is
/// more than one. It also floors the mean: division in C rounds −5/2 to −2, which would repeat the same
/// search forever.
pub(crate) fn bisection<T: Tree>(study: &mut Study<T>, depth: i32) -> Answer {
    let (mut alpha, mut beta) = (-MATE, MATE);
    while beta > alpha {
        let mean = (alpha + beta).div_euclid(2);
        if zero_width(study, depth, mean)? > mean {
            alpha = mean + 1;
        } else {
            beta = mean;
        }
    }
    Some(alpha)
}
