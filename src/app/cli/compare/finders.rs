//! Benchmark of finding the targets of rooks and cannons, by table and by walking.

use crate::output::{Align, Table};
use chuhe_board::Position;
use chuhe_lab::textbook::Finder;
use std::hint::black_box;
use std::time::Instant;

/// Times each method over the positions, in alternating repetitions, and returns the medians relative to the
/// fastest.
pub(super) fn compare(positions: &[Position]) -> Table {
    const TURNS: usize = 15;
    let repeat = 200_000 / positions.len().max(1) + 1;
    let mut times = Finder::ALL.map(|_| Vec::with_capacity(TURNS));
    let mut targets = [0u64; 3];
    for _ in 0..TURNS {
        for (index, finder) in Finder::ALL.into_iter().enumerate() {
            let start = Instant::now();
            targets[index] = 0;
            for _ in 0..repeat {
                for position in positions {
                    let mut count = 0;
                    black_box(finder).visit(black_box(position), |to| {
                        black_box(to);
                        count += 1;
                    });
                    targets[index] += count;
                }
            }
            times[index].push(start.elapsed());
        }
    }
    let medians = times.map(|mut times| {
        times.sort();
        times[TURNS / 2].as_secs_f64()
    });
    let least = medians.iter().copied().fold(f64::INFINITY, f64::min);
    let mut table =
        Table::new([("targets of rooks and cannons", Align::Left), ("found", Align::Right), ("× time", Align::Right)]);
    for ((finder, median), found) in Finder::ALL.into_iter().zip(medians).zip(targets) {
        let each = found / repeat as u64;
        table.row([finder.name().to_owned(), each.to_string(), format!("{:.2}", median / least)]);
    }
    table
}
