//! Perft: counting the leaves of the legal game tree, the check of every move generator.

use super::{Move, Position, walk};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The leaves at `depth` plies; those of the last ply are counted as sets, not made.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves(),
        _ => position.legal_moves().into_iter().map(|mv| after(position, mv, depth)).sum(),
    }
}

/// The leaves below a move.
fn after(position: &mut Position, mv: Move, depth: u32) -> u64 {
    let undo = position.make(mv);
    let count = perft(position, depth - 1);
    position.unmake(mv, undo);
    count
}

/// The leaves below each legal move, on several threads. `depth` is at least 1.
pub fn divide(position: &Position, depth: u32, threads: usize) -> Vec<(Move, u64)> {
    let moves = position.legal_moves();
    let counts: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    // Jobs of two plies, so that threads end together: (index of the first move, second move).
    let jobs: Vec<(usize, Option<Move>)> = (0..moves.len())
        .flat_map(|first| {
            let mut next = position.clone();
            next.make(moves[first]);
            let replies = if depth > 2 { next.legal_moves() } else { Default::default() };
            let whole = (depth <= 2).then_some((first, None));
            whole.into_iter().chain(replies.into_iter().map(move |reply| (first, Some(reply))))
        })
        .collect();
    let next_job = AtomicUsize::new(0);
    let work = || {
        let mut here = position.clone();
        while let Some(&(first, reply)) = jobs.get(next_job.fetch_add(1, Ordering::Relaxed)) {
            let undo = here.make(moves[first]);
            let count = match reply {
                Some(reply) => after(&mut here, reply, depth - 1),
                None => perft(&mut here, depth - 1),
            };
            here.unmake(moves[first], undo);
            counts[first].fetch_add(count, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        // Where no more threads can be had, fewer do the work.
        let others = (1..threads).map_while(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok());
        others.for_each(drop);
        work();
    });
    moves.into_iter().zip(counts.into_iter().map(AtomicU64::into_inner)).collect()
}

/// Perft with the generator that walks: for comparison only.
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
