//! Drivers that find the value by zero-width searches alone: the plain MTD(f) loop, Plaat's with two bounds, and bisection.

use super::alpha_beta::fail_soft;
use super::study::{Answer, INFINITY};
use super::tree::MATE;
use super::zero_width::zero_width;
use super::{Study, Tree};

/// A plain loop may never end when the hash table answers inconsistently: after so many searches the whole window is searched.
const PATIENCE: usize = 1_000;

/// The plain loop: search with the last answer until it repeats.
///
/// Repaired: the printed loop stops as soon as `(test, test + 1)` returns `test`. That failed low, so it proves only that the value is at
/// most `test`; on most random trees it is less. `(test − 1, test)` has to confirm that it is at least `test`.
pub fn mtd_plain<T: Tree>(study: &mut Study<T>, depth: i32, mut test: i32) -> Answer {
    for _ in 0..PATIENCE {
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

/// The plain loop as printed, for comparison: inexact, see [`mtd_plain`].
pub fn mtd_printed<T: Tree>(study: &mut Study<T>, depth: i32, mut test: i32) -> Answer {
    for _ in 0..PATIENCE {
        let score = zero_width(study, depth, test)?;
        if score == test {
            break;
        }
        test = score;
    }
    Some(test)
}

/// Plaat's driver: an upper and a lower bound close in on the value. Right as printed, and it can't go in circles.
pub fn mtd_plaat<T: Tree>(study: &mut Study<T>, depth: i32, first: i32) -> Answer {
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

/// Binary search of the value: each question halves what is left of ±WIN, whatever the answers' values are.
///
/// Repaired: as printed two candidates are left at the end, so it loops while there is more than one; and the mean is floored, since
/// C's division rounds −5/2 to −2, which asks the same question forever.
pub fn bisection<T: Tree>(study: &mut Study<T>, depth: i32) -> Answer {
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
