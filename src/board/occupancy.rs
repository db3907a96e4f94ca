//! Occupied squares in the three forms required by the tables, and table results as sets of squares.

use super::bitboard::Bitboard;
use super::lines::{Line, UP_THE_FILE, along_file, along_rank};
use super::square::Square;
use super::steps::{ADVISOR, ELEPHANT, HORSE, HORSE_ATTACKERS, KING, PAWN, PAWN_ATTACKERS};
use super::{Kind, Side};

/// Occupied squares as one set, as ten rank words and as nine file words, which are updated together. Small
/// enough to be copied for hypothetical positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Occupancy {
    all: Bitboard,
    /// Nine bits per rank, with an empty rank at each end, so that accessing neighbours needs no bounds
    /// check.
    ranks: [u16; 12],
    /// Ten bits per file.
    files: [u16; 9],
}

/// View from a square along its rank and its file; see [`Line`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Sight {
    pub reach: Bitboard,
    pub first: Bitboard,
    pub second: Bitboard,
    pub third: Bitboard,
}

impl Occupancy {
    /// Returns the occupied squares.
    pub fn all(&self) -> Bitboard {
        self.all
    }

    /// Adds a piece on an empty square, or removes the piece from an occupied square.
    pub fn toggle(&mut self, square: Square) {
        self.all ^= Bitboard::of(square);
        self.ranks[square.rank().index() + 1] ^= 1 << square.file() as u16;
        self.files[square.file().index()] ^= 1 << square.rank() as u16;
    }

    /// Returns the occupancy of the square's rank (nine bits) and of its file (ten bits), which index the
    /// tables.
    pub fn words(&self, square: Square) -> (usize, usize) {
        let (file, rank) = (square.file().index(), square.rank().index());
        (usize::from(self.ranks[rank + 1]) & 0x1FF, usize::from(self.files[file]) & 0x3FF)
    }

    #[inline]
    fn lines(&self, from: Square) -> (Line, Line) {
        let (rank, file) = self.words(from);
        (along_rank(from.file().index(), rank), along_file(from.rank().index(), file))
    }

    /// Returns the view along the rank and file of a square.
    #[inline]
    pub fn sight(&self, from: Square) -> Sight {
        let (rank, file) = self.lines(from);
        Sight {
            reach: on_board(from, rank.reach, file.reach),
            first: on_board(from, rank.first, file.first),
            second: on_board(from, rank.second, file.second),
            third: on_board(from, rank.third, file.third),
        }
    }

    /// Returns the targets of a rook, including captures of pieces of either side.
    #[inline]
    pub fn rook(&self, from: Square) -> Bitboard {
        let (rank, file) = self.lines(from);
        on_board(from, rank.reach | rank.first, file.reach | file.first)
    }

    /// Returns the targets of a cannon, including captures of pieces of either side over a screen.
    #[inline]
    pub fn cannon(&self, from: Square) -> Bitboard {
        let (rank, file) = self.lines(from);
        on_board(from, rank.reach | rank.second, file.reach | file.second)
    }

    /// Returns the squares from which a cannon attacks, or would attack, the square over an existing screen.
    #[inline]
    pub fn behind_screens(&self, target: Square) -> Bitboard {
        let (rank, file) = self.lines(target);
        let mut without = *self;
        without.ranks[target.rank().index() + 1] &= !rank.first;
        without.files[target.file().index()] &= !file.first;
        without.rook(target) & !on_board(target, rank.reach | rank.first, file.reach | file.first)
    }

    /// Returns a mask of the occupied orthogonal neighbours: bit 0 west, 1 south, 2 east, 3 north.
    fn legs(&self, square: Square) -> usize {
        let (file, rank) = (square.file() as u32, square.rank() as u32);
        let beside = u32::from(self.ranks[rank as usize + 1]) << 1 >> file & 0b101;
        let before = u32::from(self.files[file as usize]) << 1 >> rank & 0b101;
        (beside | before << 1) as usize
    }

    /// Returns a mask of the occupied diagonal neighbours: bit 0 south-west, 1 north-west, 2 south-east, 3
    /// north-east.
    fn eyes(&self, square: Square) -> usize {
        let (file, rank) = (square.file() as u32, square.rank().index());
        let south = u32::from(self.ranks[rank]) << 1 >> file & 0b101;
        let north = u32::from(self.ranks[rank + 2]) << 1 >> file & 0b101;
        (south | north << 1) as usize
    }

    /// Returns the targets of a horse, taking blocked legs into account.
    #[inline]
    pub fn horse(&self, from: Square) -> Bitboard {
        HORSE[from.index()][self.legs(from)]
    }

    /// Returns the squares from which a horse whose leg is free attacks the square.
    #[inline]
    pub fn horse_attackers(&self, target: Square) -> Bitboard {
        HORSE_ATTACKERS[target.index()][self.eyes(target)]
    }

    /// Returns the targets of an elephant, taking blocked eyes into account.
    #[inline]
    pub fn elephant(&self, from: Square) -> Bitboard {
        ELEPHANT[from.index()][self.eyes(from)]
    }

    /// Returns the targets of a piece, including captures of pieces of either side. The targets of a king
    /// exclude the enemy king on its file.
    // A call costs more in WebAssembly, where no registers survive it.
    #[cfg_attr(target_family = "wasm", inline(always))]
    #[cfg_attr(not(target_family = "wasm"), inline)]
    pub fn targets(&self, side: Side, kind: Kind, from: Square) -> Bitboard {
        match kind {
            Kind::King => KING[from.index()],
            Kind::Advisor => ADVISOR[from.index()],
            Kind::Elephant => self.elephant(from),
            Kind::Horse => self.horse(from),
            Kind::Rook => self.rook(from),
            Kind::Cannon => self.cannon(from),
            Kind::Pawn => PAWN[side.index()][from.index()],
        }
    }

    /// Returns the squares from which pieces of a side and kind attack an occupied square.
    // A call costs more in WebAssembly, where no registers survive it.
    #[cfg_attr(target_family = "wasm", inline(always))]
    #[cfg_attr(not(target_family = "wasm"), inline)]
    pub fn attackers(&self, side: Side, kind: Kind, target: Square) -> Bitboard {
        match kind {
            Kind::Horse => self.horse_attackers(target),
            Kind::Pawn => PAWN_ATTACKERS[side.index()][target.index()],
            Kind::Cannon => {
                let (rank, file) = self.lines(target);
                on_board(target, rank.second, file.second)
            }
            Kind::Rook => {
                let (rank, file) = self.lines(target);
                on_board(target, rank.first, file.first)
            }
            symmetric => self.targets(side, symmetric, target),
        }
    }

    /// Returns the squares between two squares on one rank or file; empty if they share no line.
    #[inline]
    pub fn between(one: Square, other: Square) -> Bitboard {
        let ((file, rank), (other_file, other_rank)) = ((one.file(), one.rank()), (other.file(), other.rank()));
        if file == other_file {
            on_board(one, 0, inside(rank as u32, other_rank as u32))
        } else if rank == other_rank {
            on_board(one, inside(file as u32, other_file as u32), 0)
        } else {
            Bitboard::EMPTY
        }
    }
}

/// Returns the bits strictly between two bit numbers.
#[inline]
fn inside(one: u32, other: u32) -> u16 {
    let (low, high) = (one.min(other), one.max(other));
    ((1 << high) - 1) & !((2 << low) - 1)
}

/// Converts masks of the rank and the file through a square to a set of squares.
fn on_board(through: Square, rank: u16, file: u16) -> Bitboard {
    let (at_file, at_rank) = (through.file() as u32, through.rank() as u32);
    let file = UP_THE_FILE[usize::from(file) & 0x3FF];
    if cfg!(target_family = "wasm") {
        return Bitboard::from_bits(shifted(rank.into(), 9 * at_rank) | shifted(file, at_file));
    }
    Bitboard::from_bits(u128::from(rank) << (9 * at_rank) | file << at_file)
}

/// Computes `bits << places` in two halves, because a 128-bit shift is a function call in WebAssembly.
#[inline(always)]
fn shifted(bits: u128, places: u32) -> u128 {
    let (low, high, within) = (bits as u64, (bits >> 64) as u64, places & 63);
    let carried = low >> 1 >> (63 - within);
    let (low, high) = if places < 64 { (low << within, high << within | carried) } else { (0, low << within) };
    u128::from(high) << 64 | u128::from(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    #[test]
    fn a_shift_in_two_halves_is_a_shift() {
        for bits in [1, 0x1FF, UP_THE_FILE[0x3FF], UP_THE_FILE[0x2A5], u128::MAX / 7] {
            for places in 0..128 {
                assert_eq!(shifted(bits, places), bits << places, "{bits:x} by {places}");
            }
        }
    }

    #[test]
    fn kept_words_equal_slow_walks_on_random_boards() {
        let mut random = SplitMix64::new(1);
        for _ in 0..2_000 {
            let mut occupancy = Occupancy::default();
            for _ in 0..random.below(60) {
                occupancy.toggle(Square::ALL[random.below(90) as usize]);
            }
            for from in Square::ALL {
                let mut seen = [Bitboard::EMPTY; 5];
                for (files, ranks) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                    let (mut at, mut met) = (from, 0);
                    while let Some(next) = at.offset(files, ranks) {
                        at = next;
                        let occupied = occupancy.all().has(at);
                        met += usize::from(occupied);
                        if (occupied || met == 0) && met < 4 {
                            seen[met] = seen[met].with(at);
                        }
                    }
                }
                let sight = occupancy.sight(from);
                assert_eq!([sight.reach, sight.first, sight.second, sight.third], seen[..4]);
                assert_eq!(occupancy.rook(from), seen[0] | seen[1]);
                assert_eq!(occupancy.cannon(from), seen[0] | seen[2]);
                let over_one = |&to: &Square| (Occupancy::between(from, to) & occupancy.all()).count() == 1;
                assert_eq!(occupancy.behind_screens(from), Square::ALL.into_iter().filter(over_one).collect());
                for to in Square::ALL {
                    let kinds = [Kind::Horse, Kind::Elephant, Kind::Advisor, Kind::King, Kind::Pawn];
                    for (side, kind) in Side::ALL.into_iter().flat_map(|side| kinds.map(|kind| (side, kind))) {
                        assert_eq!(
                            occupancy.targets(side, kind, from).has(to),
                            occupancy.attackers(side, kind, to).has(from),
                            "{side:?} {kind:?} {from}{to}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn between_is_symmetric_and_excludes_its_ends() {
        for one in Square::ALL {
            for other in Square::ALL {
                let between = Occupancy::between(one, other);
                assert_eq!(between, Occupancy::between(other, one));
                assert!(!between.has(one) && !between.has(other));
                let apart = one.file().index().abs_diff(other.file().index())
                    + one.rank().index().abs_diff(other.rank().index());
                let aligned = one != other && (one.file() == other.file() || one.rank() == other.rank());
                assert_eq!(between.count() as usize, if aligned { apart - 1 } else { 0 });
            }
        }
    }
}
