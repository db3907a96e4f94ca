//! Alpha-beta in three forms: Kornilov's with one maximum per side, fail-hard, and fail-soft.

use super::null_move::Pass;
use super::study::{Answer, INFINITY};
use super::{Study, Tree};

/// Kornilov's first form: `maxima[0]` is the best value that the side to move at the root has found so far on
/// the path to this node, `maxima[1]` the other side's, each from its own point of view. A cutoff occurs when
/// a side reaches the negated maximum of the other side. Combined into a pair that is swapped and negated at
/// each call, the two maxima become (alpha, beta).
pub fn two_maxima<T: Tree>(study: &mut Study<T>, depth: i32, mut maxima: [i32; 2]) -> Answer {
    let (own, other) = (study.ply % 2, 1 - study.ply % 2);
    let window = (maxima[own], -maxima[other]);
    study.enter(window.0, window.1)?;
    if depth <= 0 {
        return study.horizon(window.0, window.1);
    }
    if let Some(value) = study.stored_value(depth, window.0, window.1) {
        return Some(value);
    }
    // Corrected: the initial score must be −infinity. Otherwise the value for a side whose moves all lose
    // would be a score that no move has.
    let mut score = -INFINITY;
    let mut queue = study.queue(depth);
    while let Some(mv) = queue.next(study) {
        let tmp = -study.after(mv, |study| two_maxima(study, depth - 1, maxima))?;
        if tmp > score {
            score = tmp; // Corrected: the printed text lacks this assignment.
        }
        if score > maxima[own] {
            maxima[own] = score;
            study.better(mv);
        }
        if maxima[own] >= -maxima[other] {
            break;
        }
    }
    Some(study.leave(depth, window, score, queue.tried()))
}

/// Fail-hard: returns alpha, beta or a value between them. A fail-low cannot be distinguished from a value
/// equal to alpha.
pub fn fail_hard<T: Tree>(study: &mut Study<T>, depth: i32, mut alpha: i32, beta: i32) -> Answer {
    let window = (alpha, beta);
    study.enter(alpha, beta)?;
    if depth <= 0 {
        return Some(study.horizon(alpha, beta)?.clamp(alpha, beta));
    }
    if let Some(value) = study.stored_value(depth, alpha, beta) {
        return Some(value.clamp(alpha, beta));
    }
    let below = match study.pass(fail_hard, depth, beta)? {
        Pass::Cut(_) => return Some(beta),
        Pass::On(below) => below,
    };
    let mut queue = study.queue(depth);
    while let Some(mv) = queue.next(study) {
        let value = -study.after(mv, |study| fail_hard(study, below, -beta, -alpha))?;
        if value >= beta {
            study.better(mv);
            alpha = beta;
            break;
        }
        if value > alpha {
            alpha = value;
            study.better(mv);
        }
    }
    Some(study.leave(depth, window, alpha, queue.tried()).clamp(window.0, window.1))
}

/// Fail-soft: tracks the best value separately from alpha. Outside the window, this value is a bound: an
/// upper bound below alpha, a lower bound above beta.
pub fn fail_soft<T: Tree>(study: &mut Study<T>, depth: i32, mut alpha: i32, beta: i32) -> Answer {
    let window = (alpha, beta);
    study.enter(alpha, beta)?;
    if depth <= 0 {
        return study.horizon(alpha, beta);
    }
    if let Some(value) = study.stored_value(depth, alpha, beta) {
        return Some(value);
    }
    let below = match study.pass(fail_soft, depth, beta)? {
        Pass::Cut(value) => return Some(value),
        Pass::On(below) => below,
    };
    let mut best = -INFINITY;
    let mut queue = study.queue(depth);
    while let Some(mv) = queue.next(study) {
        let value = -study.after(mv, |study| fail_soft(study, below, -beta, -alpha))?;
        best = best.max(value);
        if value > alpha {
            alpha = value;
            study.better(mv);
        }
        if value >= beta {
            break;
        }
    }
    Some(study.leave(depth, window, best, queue.tried()))
}
