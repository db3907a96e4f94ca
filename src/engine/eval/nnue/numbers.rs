//! The parameters of a network as integers, and their bounds: no position can exceed the integers used for
//! inference.

use super::error::{BadNetwork, BadShape, Overflow};
use super::features::{SLOTS, Shape};
use super::threats::{ATTACKERS, MOST_ATTACKED, THREATS};
use chuhe_board::Kind;

/// Scale of the hidden units; this value represents 1.
pub const UNIT: i32 = 510;
/// Maximum scale of the output weights.
pub const MAX_OUTPUT_UNIT: u16 = 4096;
/// Maximum sum of the positive (or negative) weights of one output; it ensures that the weighted sum of
/// squares, in eighths, fits in 32 bits.
pub const MAX_OUTPUT_SUM: i32 = i32::MAX / (UNIT * UNIT / 8);

/// Parameters of a network before packing.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// Bias by hidden unit.
    pub bias: Vec<i16>,
    /// Weights by input and hidden unit.
    pub weights: Vec<i16>,
    /// Weights by threat and connected hidden unit.
    pub threats: Vec<i8>,
    /// Scale of the output weights; this value represents 1.
    pub output_unit: u16,
    /// Output weights by output bucket, mover or other, and hidden unit.
    pub output: Vec<i16>,
    /// Output bias by output bucket.
    pub output_bias: Vec<i32>,
}

/// Returns the expected numbers of biases, weights, weights of threats, output weights and output biases.
pub(super) fn counts_of(shape: &Shape) -> [usize; 5] {
    let outputs = shape.outputs.count();
    [shape.hidden, shape.inputs() * shape.hidden, THREATS * shape.threat_units, outputs * 2 * shape.hidden, outputs]
}

/// Checks that no sum can exceed its 16 or 32 bits in any position.
pub(super) fn check_sums(shape: &Shape, numbers: &Numbers) -> Result<(), BadNetwork> {
    let threats = bounds_of_threats(shape, &numbers.threats);
    // A full set has 32 pieces, so a unit is bounded by the weights of 32 pieces; for each kind, the largest
    // weights are used.
    for set in numbers.weights.chunks(SLOTS * shape.hidden) {
        let mut most = vec![0i32; shape.hidden];
        let mut least = vec![0i32; shape.hidden];
        let mut rows = set.chunks(shape.hidden);
        for (piece, slots) in slots_of_pieces().into_iter().enumerate() {
            let (mut low, mut high) = (vec![0i16; shape.hidden], vec![0i16; shape.hidden]);
            for row in rows.by_ref().take(slots) {
                for (unit, &weight) in row.iter().enumerate() {
                    low[unit] = low[unit].min(weight);
                    high[unit] = high[unit].max(weight);
                }
            }
            let in_a_set = Kind::ALL[piece % 7].in_a_set() as i32;
            for unit in 0..shape.hidden {
                most[unit] += in_a_set * i32::from(high[unit]);
                least[unit] += in_a_set * i32::from(low[unit]);
            }
        }
        for (unit, &bias) in numbers.bias.iter().enumerate() {
            let (lowest, highest) = threats.get(unit).copied().unwrap_or_default();
            let (low, high) = (least[unit] + lowest + i32::from(bias), most[unit] + highest + i32::from(bias));
            if low < i16::MIN.into() || high > i16::MAX.into() {
                return Err(Overflow::HiddenUnit { unit, least: low, most: high }.into());
            }
        }
    }
    if numbers.output_unit == 0 || numbers.output_unit > MAX_OUTPUT_UNIT {
        return Err(BadShape::OutputUnit(numbers.output_unit).into());
    }
    for (bucket, weights) in numbers.output.chunks(2 * shape.hidden).enumerate() {
        for sign in [1, -1] {
            let sum: i64 = weights.iter().map(|&weight| (sign * i64::from(weight)).max(0)).sum();
            if sum > MAX_OUTPUT_SUM.into() {
                return Err(Overflow::Output { bucket, sum }.into());
            }
        }
        if numbers.output_bias[bucket].unsigned_abs() > 1 << 24 {
            return Err(Overflow::OutputBias(numbers.output_bias[bucket]).into());
        }
    }
    Ok(())
}

/// Returns the minimum and the maximum sum of the threats' weights, by connected hidden unit.
fn bounds_of_threats(shape: &Shape, weights: &[i8]) -> Vec<(i32, i32)> {
    let mut bounds = vec![(0, 0); shape.threat_units];
    for index in 0..ATTACKERS {
        let attacks = MOST_ATTACKED[index % 4] as i32;
        let rows = weights.chunks(shape.threat_units.max(1)).skip(index).step_by(ATTACKERS);
        let mut extremes = vec![(0, 0); shape.threat_units];
        for row in rows {
            for ((low, high), &weight) in extremes.iter_mut().zip(row) {
                (*low, *high) = (weight.min(*low), weight.max(*high));
            }
        }
        for ((least, most), (low, high)) in bounds.iter_mut().zip(extremes) {
            *least += attacks * i32::from(low);
            *most += attacks * i32::from(high);
        }
    }
    bounds
}

/// Returns the number of slots of each piece, own kinds first.
fn slots_of_pieces() -> [usize; 14] {
    [6, 5, 7, 90, 90, 90, 55, 9, 5, 7, 90, 90, 90, 55]
}

#[cfg(test)]
mod tests {
    use super::super::features::{Mirroring, Outputs};
    use super::*;
    use crate::eval::Network;

    /// Returns a network whose input weights, and whose output weights, are equal.
    fn uniform(shape: &Shape, input_weight: i16, output_weight: i16) -> Numbers {
        let [bias, weights, threats, output, output_bias] = counts_of(shape);
        Numbers {
            bias: vec![0; bias],
            weights: vec![input_weight; weights],
            threats: vec![127; threats],
            output_unit: 64,
            output: vec![output_weight; output],
            output_bias: vec![0; output_bias],
        }
    }

    #[test]
    fn pieces_share_the_slots() {
        assert_eq!(slots_of_pieces().iter().sum::<usize>(), SLOTS);
    }

    #[test]
    fn numbers_that_could_overflow_are_refused() {
        let shape = Shape::new(32, Mirroring::King, Outputs::One);
        let numbers = uniform(&shape, 1000, 100);
        assert!(Network::new(shape.clone(), 400, &numbers).is_ok());
        let with = |change: &dyn Fn(&mut Numbers)| {
            let mut numbers = numbers.clone();
            change(&mut numbers);
            Network::new(shape.clone(), 400, &numbers)
        };
        let refused = |change: &dyn Fn(&mut Numbers)| matches!(with(change), Err(BadNetwork::Overflow(_)));
        assert!(refused(&|numbers| numbers.bias[3] = 1000));
        let threats = Shape { threat_units: 32, ..shape.clone() };
        assert!(Network::new(threats.clone(), 400, &uniform(&threats, 500, 100)).is_ok());
        assert!(Network::new(threats.clone(), 400, &uniform(&threats, 700, 100)).is_err());
        assert!(refused(&|numbers| numbers.output[3..5].fill(i16::MAX)));
        assert!(refused(&|numbers| numbers.output.fill(i16::MIN)));
        assert!(matches!(with(&|numbers| numbers.output_unit = 0), Err(BadNetwork::Shape(_))));
        assert!(refused(&|numbers| numbers.output_bias[0] = i32::MAX));
        assert!(refused(&|numbers| numbers.output_bias[0] = i32::MIN));
        let wide = Shape::new(512, Mirroring::King, Outputs::One);
        let numbers = uniform(&wide, 0, 200);
        assert!(matches!(Network::new(wide, 400, &numbers), Err(BadNetwork::Overflow(_))));
    }
}
