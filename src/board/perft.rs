//! Perft: counts the leaves of the legal game tree, the standard test of a move generator.

use super::{Move, Position, walk};
#[cfg(feature = "std")]
use crate::parallel::share_out;
#[cfg(feature = "std")]
use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Stack size of a counting thread, in bytes.
#[cfg(feature = "std")]
const STACK: usize = 2 << 20;

/// Counts the leaves at `depth` plies; moves at the last ply are counted as sets, not made.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves(),
        _ => position.legal_moves().into_iter().map(|mv| after(position, mv, depth)).sum(),
    }
}

/// Counts the leaves at `depth` plies, or returns `None` if `stop` is set in the meantime. Checks the flag at
/// every node at least three plies above the leaves.
pub fn perft_until(position: &mut Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Relaxed) {
        return None;
    }
    if depth <= 3 {
        return Some(perft(position, depth));
    }
    let mut sum = 0;
    for mv in position.legal_moves() {
        let undo = position.make(mv);
        let count = perft_until(position, depth - 1, stop);
        position.unmake(mv, undo);
        sum += count?;
    }
    Some(sum)
}

/// Counts the leaves after a move; `depth` includes the move.
fn after(position: &mut Position, mv: Move, depth: u32) -> u64 {
    let undo = position.make(mv);
    let count = perft(position, depth - 1);
    position.unmake(mv, undo);
    count
}

/// Counts the leaves below each legal move on several threads. `depth` is at least 1.
pub fn divide(position: &Position, depth: u32, threads: usize) -> Vec<(Move, u64)> {
    let moves = position.legal_moves();
    // From depth 3, each job is a first move (by index) and a reply; such small jobs let all threads finish
    // at about the same time.
    let jobs: Vec<(usize, Option<Move>)> = (0..moves.len())
        .flat_map(|first| {
            let mut next = position.clone();
            next.make(moves[first]);
            let replies = if depth > 2 { next.legal_moves() } else { Default::default() };
            let whole = (depth <= 2).then_some((first, None));
            whole.into_iter().chain(replies.into_iter().map(move |reply| (first, Some(reply))))
        })
        .collect();
    let work = |here: &mut Position, &(first, reply): &(usize, Option<Move>)| {
        let undo = here.make(moves[first]);
        let count = match reply {
            Some(reply) => after(here, reply, depth - 1),
            None => perft(here, depth - 1),
        };
        here.unmake(moves[first], undo);
        Ok::<u64, Infallible>(count)
    };
    let alone = || -> Vec<Option<Result<u64, Infallible>>> {
        jobs.iter().map(|job| Some(work(&mut position.clone(), job))).collect()
    };
    let counted = match threads {
        0 | 1 => alone(),
        // Falls back to one thread if the system cannot create the others.
        #[cfg(feature = "std")]
        _ => share_out("perft", STACK, vec![position.clone(); threads], &jobs, work).unwrap_or_else(|_| alone()),
        #[cfg(not(feature = "std"))]
        _ => alone(),
    };
    let mut counts: Vec<(Move, u64)> = moves.iter().map(|&mv| (mv, 0)).collect();
    for ((first, _), count) in jobs.iter().zip(counted) {
        let Ok(count) = count.expect("every job is done, since none can fail");
        counts[*first].1 += count;
    }
    counts
}

/// Counts leaves with the slow generator, for comparison.
pub fn perft_walking(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = walk::legal_moves(position);
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut count = 0;
    for mv in moves {
        let undo = position.make(mv);
        count += perft_walking(position, depth - 1);
        position.unmake(mv, undo);
    }
    count
}
