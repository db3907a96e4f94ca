//! Protection against overflow: bounds on the weights, with which no position can exceed the integers used for
//! inference.

use super::features::{SLOTS, Shape};
use super::network::{BadNetwork, MAX_OUTPUT_SUM, MAX_OUTPUT_UNIT, Numbers};
use chuhe_board::Kind;

/// Checks that no sum can exceed its 16 or 32 bits in any position.
pub(super) fn check_sums(shape: &Shape, numbers: &Numbers) -> Result<(), BadNetwork> {
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
            let (low, high) = (least[unit] + i32::from(bias), most[unit] + i32::from(bias));
            if low < i16::MIN.into() || high > i16::MAX.into() {
                return Err(BadNetwork::Overflow(format!("hidden unit {unit} can lie anywhere from {low} to {high}")));
            }
        }
    }
    if numbers.output_unit == 0 || numbers.output_unit > MAX_OUTPUT_UNIT {
        return Err(BadNetwork::Shape(format!("invalid scale of the output weights: {}", numbers.output_unit)));
    }
    for (bucket, weights) in numbers.output.chunks(2 * shape.hidden).enumerate() {
        for sign in [1, -1] {
            let sum: i64 = weights.iter().map(|&weight| i64::from(sign * weight).max(0)).sum();
            if sum > MAX_OUTPUT_SUM.into() {
                return Err(BadNetwork::Overflow(format!("output weights of bucket {bucket} add up to {sum}")));
            }
        }
        if numbers.output_bias[bucket].unsigned_abs() > 1 << 24 {
            return Err(BadNetwork::Overflow(format!("an output bias of {}", numbers.output_bias[bucket])));
        }
    }
    Ok(())
}

/// Returns the number of slots of each piece, own kinds first.
fn slots_of_pieces() -> [usize; 14] {
    [6, 5, 7, 90, 90, 90, 55, 9, 5, 7, 90, 90, 90, 55]
}

#[cfg(test)]
mod tests {
    use super::super::features::{Mirroring, Outputs};
    use super::super::network::counts_of;
    use super::*;
    use crate::eval::Network;

    #[test]
    fn pieces_share_the_slots() {
        assert_eq!(slots_of_pieces().iter().sum::<usize>(), SLOTS);
    }

    #[test]
    fn numbers_that_could_overflow_are_refused() {
        let shape = Shape::new(32, Mirroring::King, Outputs::One);
        let [bias, weights, output, output_bias] = counts_of(&shape);
        let numbers = Numbers {
            bias: vec![0; bias],
            weights: vec![1000; weights],
            output_unit: 64,
            output: vec![100; output],
            output_bias: vec![0; output_bias],
        };
        assert!(Network::new(shape.clone(), 400, &numbers).is_ok());
        let with = |change: &dyn Fn(&mut Numbers)| {
            let mut numbers = numbers.clone();
            change(&mut numbers);
            Network::new(shape.clone(), 400, &numbers)
        };
        let refused = |change: &dyn Fn(&mut Numbers)| matches!(with(change), Err(BadNetwork::Overflow(_)));
        assert!(refused(&|numbers| numbers.bias[3] = 1000));
        assert!(refused(&|numbers| numbers.output[3..5].fill(i16::MAX)));
        assert!(matches!(with(&|numbers| numbers.output_unit = 0), Err(BadNetwork::Shape(_))));
        assert!(refused(&|numbers| numbers.output_bias[0] = i32::MAX));
        assert!(refused(&|numbers| numbers.output_bias[0] = i32::MIN));
        let wide = Shape::new(512, Mirroring::King, Outputs::One);
        let [bias, weights, output, output_bias] = counts_of(&wide);
        let numbers = Numbers {
            bias: vec![0; bias],
            weights: vec![0; weights],
            output_unit: 64,
            output: vec![200; output],
            output_bias: vec![0; output_bias],
        };
        assert!(matches!(Network::new(wide, 400, &numbers), Err(BadNetwork::Overflow(_))));
    }
}
