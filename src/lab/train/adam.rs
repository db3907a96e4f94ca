//! The optimizer AdamW (Loshchilov and Hutter, "Decoupled weight decay regularization", 2017); without decay
//! it is Adam.

/// Decay rate of the mean of the gradients.
const FIRST: f32 = 0.9;
/// Decay rate of the mean of the squared gradients.
const SECOND: f32 = 0.999;

/// Coefficients of one step.
#[derive(Clone, Copy)]
pub(super) struct Adam {
    /// Learning rate.
    rate: f32,
    /// Factor that converts summed gradients to means.
    share: f32,
    /// Factor by which decay multiplies the weights.
    keep: f32,
    /// Bias corrections of the two moments.
    corrections: [f32; 2],
    /// Lower bound of the denominator, small compared with usual gradients.
    epsilon: f32,
}

impl Adam {
    /// Creates the step number `step`, from 1, for gradients that are sums over `samples` samples.
    pub(super) fn new(step: usize, samples: usize, rate: f32, decay: f32, epsilon: f32) -> Adam {
        // Both corrections have reached 1 long before the exponent exceeds an i32.
        let power = step.min(i32::MAX as usize) as i32;
        let corrections = [FIRST, SECOND].map(|rate| 1.0 / (1.0 - rate.powi(power)));
        Adam { rate, share: 1.0 / samples.max(1) as f32, keep: 1.0 - rate * decay, corrections, epsilon }
    }

    /// Updates parameters and their moments; resets the gradients to 0.
    pub(super) fn step(self, numbers: &mut [f32], means: &mut [f32], squares: &mut [f32], slopes: &mut [f32]) {
        let moments = means.iter_mut().zip(squares);
        for ((number, (mean, square)), slope) in numbers.iter_mut().zip(moments).zip(slopes) {
            self.step_one(number, mean, square, std::mem::take(slope));
        }
    }

    /// Updates one parameter and its moments.
    #[inline(always)]
    pub(super) fn step_one(self, number: &mut f32, mean: &mut f32, square: &mut f32, slope: f32) {
        let mean_slope = slope * self.share;
        *mean = FIRST * *mean + (1.0 - FIRST) * mean_slope;
        *square = SECOND * *square + (1.0 - SECOND) * mean_slope * mean_slope;
        let towards = *mean * self.corrections[0] / ((*square * self.corrections[1]).sqrt() + self.epsilon);
        *number = *number * self.keep - self.rate * towards;
    }
}
