//! A synthetic game for tests: a random tree with transpositions, reproducible from its seed.

use super::tree::{Moves, Tree};
use chuhe_board::MoveClass;
use chuhe_board::random::SplitMix64;

/// A game without rules: all properties of a position are derived from its key. The key is a sum over the
/// moves of each side, so lines that swap moves transpose, as in real games.
#[derive(Clone, Debug)]
pub struct Synthetic {
    key: u64,
    /// Number of plies from the root, which determines the side to move.
    ply: u32,
    branching: u64,
    range: i32,
}

impl Synthetic {
    /// Creates a tree in which a position has up to `branching` moves (occasionally none) and static values
    /// up to ±`range`.
    pub fn new(seed: u64, branching: u64, range: i32) -> Synthetic {
        Synthetic { key: SplitMix64::new(seed).next(), ply: 0, branching, range }
    }

    /// Returns a random number for this position; each purpose has its own stream.
    fn drawn(&self, purpose: u64, bound: u64) -> u64 {
        SplitMix64::new(self.key ^ purpose.wrapping_mul(0xA24B_AED4_963E_E407)).below(bound)
    }

    fn count(&self) -> u8 {
        // One position in thirty is terminal.
        if self.drawn(1, 30) == 0 { 0 } else { 1 + self.drawn(2, self.branching) as u8 }
    }

    /// Returns the contribution of a move to the key, which is the same in all positions with the same side
    /// to move.
    fn trace(&self, mv: u8) -> u64 {
        SplitMix64::new(u64::from(mv) << 1 | u64::from(self.ply & 1)).next()
    }
}

impl Tree for Synthetic {
    type Move = u8;
    type Undo = ();

    fn moves(&self, wanted: MoveClass) -> Moves<u8> {
        let fits = |mv: &u8| wanted == MoveClass::All || (wanted == MoveClass::Quiets) == self.is_quiet(*mv);
        (0..self.count()).filter(fits).collect()
    }

    fn is_legal(&self, mv: u8) -> bool {
        mv < self.count()
    }

    /// Marks one move in eight as a capture, so that capture sequences end.
    fn is_quiet(&self, mv: u8) -> bool {
        self.drawn(16 + u64::from(mv), 8) != 0
    }

    fn play(&mut self, mv: u8) {
        self.key = self.key.wrapping_add(self.trace(mv));
        self.ply += 1;
    }

    fn undo(&mut self, mv: u8, (): ()) {
        self.ply -= 1;
        self.key = self.key.wrapping_sub(self.trace(mv));
    }

    fn pass(&mut self) {
        self.play(u8::MAX);
    }

    fn undo_pass(&mut self, (): ()) {
        self.undo(u8::MAX, ());
    }

    fn in_check(&self) -> bool {
        self.drawn(3, 16) == 0
    }

    fn is_thin(&self) -> bool {
        self.drawn(4, 4) == 0
    }

    fn value(&mut self) -> i32 {
        self.drawn(5, 2 * self.range as u64 + 1) as i32 - self.range
    }

    fn pawn(&self) -> i32 {
        (self.range / 8).max(1)
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn gain_estimate(&self, mv: u8) -> i32 {
        self.drawn(300 + u64::from(mv), 8) as i32
    }

    fn squares(mv: u8) -> (usize, usize) {
        (0, usize::from(mv) % 90)
    }
}
