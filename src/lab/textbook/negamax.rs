//! Negamax: the full tree, with every value from the mover's point of view. This is the reference for all
//! other algorithms (Eppstein's first listing).

use super::study::{Answer, INFINITY};
use super::{Study, Tree};

/// Visits every node. The window is only used by the hash table; nothing is pruned.
pub fn negamax<T: Tree>(study: &mut Study<T>, depth: i32) -> Answer {
    const WINDOW: (i32, i32) = (-INFINITY, INFINITY);
    study.enter(WINDOW.0, WINDOW.1)?;
    if depth <= 0 {
        return study.horizon(WINDOW.0, WINDOW.1);
    }
    if let Some(value) = study.stored_value(depth, WINDOW.0, WINDOW.1) {
        return Some(value);
    }
    let mut best = -INFINITY;
    let mut queue = study.queue(depth);
    while let Some(mv) = queue.next(study) {
        let value = -study.after(mv, |study| negamax(study, depth - 1))?;
        if value > best {
            best = value;
            study.better(mv);
        }
    }
    Some(study.leave(depth, WINDOW, best, queue.tried()))
}
