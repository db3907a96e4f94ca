//! Perft and bench, which run in parallel with the session and can be stopped.

use crate::machine::Instant;
use crate::{BENCH_DEPTH, Options};
use chuhe_board::Position;
use chuhe_board::notation::Ranks;
use chuhe_board::perft::perft_until;
use std::sync::atomic::{AtomicBool, Ordering};

/// Counts the leaves below each move and reports each count; ends early when `cancelled` is set.
pub(super) fn count(position: &Position, depth: u32, ranks: Ranks, cancelled: &AtomicBool, tell: &dyn Fn(String)) {
    let start = Instant::now();
    let mut here = position.clone();
    let mut sum = 0;
    if depth == 0 {
        sum = 1;
    } else {
        for mv in position.legal_moves() {
            let undo = here.make(mv);
            let count = perft_until(&mut here, depth - 1, cancelled);
            here.unmake(mv, undo);
            let Some(count) = count else { return tell("the count was stopped".to_owned()) };
            tell(format!("{}: {count}", ranks.write(mv)));
            sum += count;
        }
    }
    let speed = u128::from(sum) * 1000 / start.elapsed().as_millis().max(1);
    tell(format!("\nNodes searched: {sum}\nNodes/second: {speed}"));
}

/// Runs the bench; ends early when `cancelled` is set.
pub(super) fn bench(depth: Option<u32>, cancelled: &AtomicBool, tell: &dyn Fn(String)) {
    let told = |fen: &str, nodes| tell(format!("{nodes:>10}  {fen}"));
    match crate::bench_until(cancelled, Options::default(), depth.unwrap_or(BENCH_DEPTH), told) {
        Ok(_) if cancelled.load(Ordering::Relaxed) => tell("the bench was stopped".to_owned()),
        Ok(result) => tell(format!("{} nodes {} nps", result.nodes, result.speed())),
        Err(error) => tell(format!("bench: {error}")),
    }
}
