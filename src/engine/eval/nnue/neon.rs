//! Output sum of the network for 64-bit ARM, where NEON is always available.
//!
//! The compiler generates optimal NEON code for the other loops. Here, two instructions add eight products to
//! 32-bit sums.

use std::arch::aarch64::{
    int32x4_t, vaddq_s32, vaddvq_s32, vdupq_n_s16, vdupq_n_s32, vget_low_s16, vld1q_s16, vmaxq_s16, vminq_s16,
    vmlal_high_s16, vmlal_s16, vmulq_u16, vreinterpretq_s16_u16, vreinterpretq_u16_s16, vshrq_n_u16,
};

/// A sum in four parts of four lanes each, so that additions are independent.
pub(crate) struct Sum([int32x4_t; 4]);

impl Sum {
    /// Creates an empty sum.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(crate) fn new() -> Sum {
        Sum([vdupq_n_s32(0); 4])
    }

    /// Adds `weight · squared(unit)` for 32 units.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(crate) fn add(&mut self, units: &[i16; 32], weights: &[i16; 32]) {
        for (part, sum) in self.0.iter_mut().enumerate() {
            // SAFETY: the arrays have 32 numbers; each load reads eight from index 8 · part, and part is at
            // most 3.
            let (unit, weight) =
                unsafe { (vld1q_s16(units.as_ptr().add(8 * part)), vld1q_s16(weights.as_ptr().add(8 * part))) };
            let clipped = vminq_s16(vmaxq_s16(unit, vdupq_n_s16(0)), vdupq_n_s16(510));
            let half = vshrq_n_u16::<1>(vreinterpretq_u16_s16(clipped));
            let square = vreinterpretq_s16_u16(vshrq_n_u16::<1>(vmulq_u16(half, half)));
            *sum = vmlal_s16(*sum, vget_low_s16(square), vget_low_s16(weight));
            *sum = vmlal_high_s16(*sum, square, weight);
        }
    }

    /// Returns the total.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(crate) fn total(self) -> i32 {
        let [first, second, third, fourth] = self.0;
        vaddvq_s32(vaddq_s32(vaddq_s32(first, second), vaddq_s32(third, fourth)))
    }
}
