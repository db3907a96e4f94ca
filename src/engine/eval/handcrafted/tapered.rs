//! Weights with one value for a full board and one for an empty board, interpolated by the game phase.

use chuhe_board::score::Score;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// Game phase of a full board, as returned by [`material`](super::material).
pub const FULL_BOARD: i32 = 48;

/// A value for a full board and one for an empty board, in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Tapered {
    pub full: i32,
    pub empty: i32,
}

impl Tapered {
    /// Creates a weight from its two values.
    pub const fn new(full: i32, empty: i32) -> Tapered {
        Tapered { full, empty }
    }

    /// Returns the mean of the two values, weighted by the game phase, 0–[`FULL_BOARD`].
    pub fn at(self, material: i32) -> Score {
        (self.full * material + self.empty * (FULL_BOARD - material)) / FULL_BOARD
    }
}

impl Add for Tapered {
    type Output = Tapered;
    fn add(self, other: Tapered) -> Tapered {
        Tapered::new(self.full + other.full, self.empty + other.empty)
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    fn sub(self, other: Tapered) -> Tapered {
        Tapered::new(self.full - other.full, self.empty - other.empty)
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    fn mul(self, count: i32) -> Tapered {
        Tapered::new(self.full * count, self.empty * count)
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    fn neg(self) -> Tapered {
        self * -1
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}
