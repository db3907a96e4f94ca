//! The verified counts in positions/perft.epd.

use chuhe::board::{Position, Setup, perft};

/// Maximum number of leaves per row in this test. `chuhe perft --file positions/perft.epd` counts all rows.
const BUDGET: u64 = if cfg!(debug_assertions) { 300_000 } else { 5_000_000 };

fn rows() -> Vec<(Position, Vec<(u32, u64)>)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/positions/perft.epd");
    let text = std::fs::read_to_string(path).expect("positions/perft.epd");
    let row = |line: &str| {
        let mut fields = line.split(';');
        let setup: Setup = fields.next().expect("a FEN").parse().expect("a FEN");
        let counts = fields.map(|field| {
            let (depth, count) = field.trim().strip_prefix('D').and_then(|field| field.split_once(' ')).expect("D1 44");
            (depth.parse().expect("a depth"), count.trim().parse().expect("a count"))
        });
        (Position::new_with_kings_facing(&setup).expect("a possible position"), counts.collect())
    };
    text.lines().map(row).collect()
}

#[test]
fn vetted_counts_agree() {
    let mut checked = 0;
    for (position, counts) in rows() {
        for (depth, expected) in counts.into_iter().filter(|(_, expected)| *expected <= BUDGET) {
            assert_eq!(perft::perft(&mut position.clone(), depth), expected, "{position} depth {depth}");
            checked += 1;
        }
    }
    assert!(checked > 240, "{checked} counts");
}

#[test]
fn threads_and_the_walking_generator_count_the_same() {
    for (mut position, counts) in rows().into_iter().step_by(5) {
        for (depth, expected) in counts.into_iter().filter(|(_, expected)| *expected <= BUDGET / 50) {
            let divided: u64 = perft::divide(&position, depth, 3).iter().map(|(_, count)| count).sum();
            assert_eq!(divided, expected, "{position} depth {depth}");
            assert_eq!(perft::perft_walking(&mut position, depth), expected, "{position} depth {depth}");
        }
    }
}

#[test]
fn mirrored_and_colour_swapped_rows_have_equal_counts() {
    for (position, counts) in rows() {
        for (depth, expected) in counts.into_iter().filter(|(_, expected)| *expected <= BUDGET / 10) {
            for mut other in [position.mirrored(), position.flipped()] {
                assert_eq!(perft::perft(&mut other, depth), expected, "{position} depth {depth}");
            }
        }
    }
}
