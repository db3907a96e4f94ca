//! A term's weight: one number for a full board, one for an empty one, and the mean of the two in between.

use chuhe_board::score::Score;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// The material of a full board as [`material`](super::material) counts it.
pub const FULL_BOARD: i32 = 48;

/// A number for a full board and one for an empty one, in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Tapered {
    pub full: i32,
    pub empty: i32,
}

impl Tapered {
    /// The two numbers.
    pub const fn new(full: i32, empty: i32) -> Tapered {
        Tapered { full, empty }
    }

    /// The mean of the two, weighed by the material on the board, 0–[`FULL_BOARD`].
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
