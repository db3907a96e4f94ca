//! Principal variation search, also called NegaScout or minimal-window search: all moves except the first are
//! searched with a zero-width window.

use super::null_move::Pass;
use super::study::{Answer, INFINITY};
use super::{Study, Tree};

/// Printed form to follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PvsVariant {
    /// Eppstein's form, corrected: a value strictly inside the window is searched again with (alpha, beta).
    Pvs,
    /// The slides' NegaScout: re-search with (v, beta), since v is already proved.
    NegaScout,
    /// Eppstein's form as printed: after the first move, alpha is not raised and there is no cutoff. The
    /// value is correct, but requires more nodes.
    Printed,
}

/// PVS, fail-soft. `FORM` is a [`PvsVariant`] as a number, so that each form compiles to its own function.
pub fn pvs<T: Tree, const FORM: u8>(study: &mut Study<T>, depth: i32, mut alpha: i32, beta: i32) -> Answer {
    let window = (alpha, beta);
    study.enter(alpha, beta)?;
    if depth <= 0 {
        return study.horizon(alpha, beta);
    }
    if let Some(value) = study.stored_value(depth, alpha, beta) {
        return Some(value);
    }
    let below = match study.pass(pvs::<T, FORM>, depth, beta)? {
        Pass::Cut(value) => return Some(value),
        Pass::On(below) => below,
    };
    let mut best = -INFINITY;
    let mut queue = study.queue(depth);
    while let Some(mv) = queue.next(study) {
        let is_first = queue.tried() == 1;
        let value = if is_first {
            -study.after(mv, |study| pvs::<T, FORM>(study, below, -beta, -alpha))?
        } else {
            let doubt = -study.after(mv, |study| pvs::<T, FORM>(study, below, -alpha - 1, -alpha))?;
            if alpha < doubt && doubt < beta {
                let proved = if FORM == PvsVariant::NegaScout as u8 { doubt } else { alpha };
                -study.after(mv, |study| pvs::<T, FORM>(study, below, -beta, -proved))?
            } else {
                doubt
            }
        };
        best = best.max(value);
        if value > alpha {
            study.better(mv);
        }
        // Corrected: the printed text omits these two steps after the first move.
        if FORM == PvsVariant::Printed as u8 && is_first {
            continue;
        }
        alpha = alpha.max(value);
        if value >= beta {
            break;
        }
    }
    Some(study.leave(depth, window, best, queue.tried()))
}
