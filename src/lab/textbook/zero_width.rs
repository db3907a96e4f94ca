//! The zero-width search: beta is alpha + 1, so the function has two parameters. It only determines whether
//! the value exceeds alpha.

use super::null_move::Pass;
use super::study::{Answer, INFINITY};
use super::{Study, Tree};

/// The slides' two-parameter search. As in fail-soft, the returned value is a bound: a lower bound if it
/// exceeds alpha, otherwise an upper bound. No principal variation is kept. The move that causes a cutoff is
/// stored for ordering later searches, unless the study is forgetful.
pub fn zero_width<T: Tree>(study: &mut Study<T>, depth: i32, alpha: i32) -> Answer {
    let beta = alpha + 1;
    study.enter(alpha, beta)?;
    if depth <= 0 {
        return study.horizon(alpha, beta);
    }
    if let Some(value) = study.stored_value(depth, alpha, beta) {
        return Some(value);
    }
    let below = match study.pass(|study, depth, alpha, _| zero_width(study, depth, alpha), depth, beta)? {
        Pass::Cut(value) => return Some(value),
        Pass::On(below) => below,
    };
    let mut best = -INFINITY;
    let mut queue = study.queue(depth);
    while let Some(mv) = queue.next(study) {
        // The child's window is (−beta, −alpha), so its own alpha is −beta.
        let value = -study.after(mv, |study| zero_width(study, below, -beta))?;
        best = best.max(value);
        if value > alpha {
            study.better(mv);
            break;
        }
    }
    Some(study.leave(depth, (alpha, beta), best, queue.tried()))
}
