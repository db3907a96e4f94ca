//! Precomputed tables for rooks and cannons, indexed by (place on the line, occupancy of the line).
//!
//! A rank is a word of 9 bits, a file a word of 10. One entry describes both directions from a place on such
//! a line: the empty squares up to the first piece, and the first, second and third pieces.
//!
//! ```text
//!   . . P . R . . P P      rank occupancy seen from the rook on e
//!         ·   · ·          reach:  d, f and g: empty squares before the first pieces
//!       1         1        first:  c and h: captures of the rook
//!                   2      second: i: capture of a cannon on e over its screen
//! ```
//!
//! The third pieces are needed for pins: a cannon pins both pieces if there are two between it and a king.

/// View from one place along a line, as masks of the line's squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Line {
    /// Empty squares before the first piece in each direction: quiet moves of a rook or cannon.
    pub reach: u16,
    /// First piece in each direction: captures of a rook, screens of a cannon.
    pub first: u16,
    /// Second piece in each direction: captures of a cannon.
    pub second: u16,
    /// Third piece in each direction.
    pub third: u16,
}

/// Views along a rank, by file and rank occupancy.
static ALONG_RANK: [[Line; 1 << 9]; 9] = table();
/// Views along a file, by rank and file occupancy.
static ALONG_FILE: [[Line; 1 << 10]; 10] = table();

/// `true` to walk the lines instead of using the tables, in order to measure the benefit of the tables for
/// `docs/1-board.md`.
const WALKED: bool = cfg!(feature = "walked-lines");

/// Returns the view along a rank from a file, given the nine bits of the rank's occupancy.
pub(super) fn along_rank(file: usize, occupied: usize) -> Line {
    if WALKED { look(file, occupied, 9) } else { ALONG_RANK[file][occupied] }
}

/// Returns the view along a file from a rank, given the ten bits of the file's occupancy.
pub(super) fn along_file(rank: usize, occupied: usize) -> Line {
    if WALKED { look(rank, occupied, 10) } else { ALONG_FILE[rank][occupied] }
}

const fn table<const PLACES: usize, const WORDS: usize>() -> [[Line; WORDS]; PLACES] {
    let mut table = [[Line { reach: 0, first: 0, second: 0, third: 0 }; WORDS]; PLACES];
    let mut place = 0;
    while place < PLACES {
        let mut occupied = 0;
        while occupied < WORDS {
            table[place][occupied] = look(place, occupied, PLACES);
            occupied += 1;
        }
        place += 1;
    }
    table
}

/// Computes the view from a place by walking in both directions.
const fn look(place: usize, occupied: usize, places: usize) -> Line {
    let mut seen = [0u16; 4]; // 0: empty squares before the first piece; n: the n-th piece.
    let mut met = 0;
    let mut to = place + 1;
    while to < places && met < 3 {
        met = note(&mut seen, met, to, occupied);
        to += 1;
    }
    met = 0;
    to = place;
    while to > 0 && met < 3 {
        to -= 1;
        met = note(&mut seen, met, to, occupied);
    }
    Line { reach: seen[0], first: seen[1], second: seen[2], third: seen[3] }
}

const fn note(seen: &mut [u16; 4], met: usize, to: usize, occupied: usize) -> usize {
    if occupied >> to & 1 != 0 {
        seen[met + 1] |= 1 << to;
        met + 1
    } else {
        if met == 0 {
            seen[0] |= 1 << to;
        }
        met
    }
}

/// The ten bits of a file, spread along file a of the board: bit r becomes bit 9 · r.
pub(super) static UP_THE_FILE: [u128; 1 << 10] = {
    let mut table = [0; 1 << 10];
    let mut word = 0;
    while word < 1 << 10 {
        let mut rank = 0;
        while rank < 10 {
            table[word] |= ((word >> rank & 1) as u128) << (9 * rank);
            rank += 1;
        }
        word += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks the line step by step and collects (empty squares before the first piece, first, second, third).
    fn walk(place: i32, places: i32, occupied: usize) -> Line {
        let mut line = Line { reach: 0, first: 0, second: 0, third: 0 };
        for step in [-1, 1] {
            let mut met = 0;
            let mut to = place + step;
            while (0..places).contains(&to) {
                let taken = occupied >> to & 1 != 0;
                met += i32::from(taken);
                match (taken, met) {
                    (false, 0) => line.reach |= 1 << to,
                    (true, 1) => line.first |= 1 << to,
                    (true, 2) => line.second |= 1 << to,
                    (true, 3) => line.third |= 1 << to,
                    _ => {}
                }
                to += step;
            }
        }
        line
    }

    #[test]
    fn every_entry_equals_a_slow_walk() {
        let check = |length: i32, place: usize, lines: &[Line]| {
            for (occupied, line) in lines.iter().enumerate() {
                assert_eq!(*line, walk(place as i32, length, occupied), "place {place} of {length}, {occupied:010b}");
            }
        };
        ALONG_RANK.iter().enumerate().for_each(|(file, lines)| check(9, file, lines));
        ALONG_FILE.iter().enumerate().for_each(|(rank, lines)| check(10, rank, lines));
    }

    #[test]
    fn files_are_spread_rank_by_rank() {
        for (word, spread) in UP_THE_FILE.iter().enumerate() {
            for rank in 0..10 {
                assert_eq!(spread >> (9 * rank) & 0x1FF, (word >> rank & 1) as u128);
            }
        }
    }
}
