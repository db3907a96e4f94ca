//! Neural network evaluation: an efficiently updatable network (NNUE).
//!
//! The board is seen from two perspectives, one per side ([`features`]). One layer of weights transforms the
//! inputs of a perspective into H hidden units, which are clipped to 0–1 and squared. An output layer,
//! selected by the remaining pieces, computes the score from the units of both perspectives. A move changes
//! few inputs, so the hidden units are updated incrementally (`accumulator`). Some of them may also see which
//! pieces are attacked (`threats`, `threat_units`). All numbers are integers
//! (`network`), and the loops use the widest SIMD registers of the processor (`simd`).

mod accumulator;
mod error;
pub mod features;
#[cfg(target_arch = "aarch64")]
mod neon;
mod network;
mod numbers;
pub mod simd;
mod threat_units;
pub mod threats;

pub use error::{BadNetwork, BadShape, Overflow};
pub use network::Network;
pub use numbers::{MAX_OUTPUT_SUM, MAX_OUTPUT_UNIT, Numbers, UNIT};

use super::{Evaluator, endings};
use accumulator::Accumulator;
use chuhe_board::score::Score;
use chuhe_board::{Move, Position};
use simd::SimdLevel;
use std::sync::{Arc, OnceLock};

/// The embedded network file; empty if the program has no network.
static EMBEDDED: &[u8] = include_bytes!("../../embedded/chuhe.net");

/// Returns the network embedded in the program, if there is one.
pub fn embedded() -> Option<Arc<Network>> {
    static NETWORK: OnceLock<Option<Arc<Network>>> = OnceLock::new();
    NETWORK.get_or_init(|| Network::decode(EMBEDDED).ok().map(Arc::new)).clone()
}

/// Evaluation by a network.
#[derive(Clone, Debug)]
pub struct Nnue(Accumulator);

impl Nnue {
    /// Creates an evaluation that uses the widest registers of this machine.
    pub fn new(network: Arc<Network>) -> Nnue {
        Nnue::at_level(network, SimdLevel::best())
    }

    /// Creates an evaluation that uses the given registers.
    pub(crate) fn at_level(network: Arc<Network>, level: SimdLevel) -> Nnue {
        Nnue(Accumulator::new(network, level))
    }
}

impl Evaluator for Nnue {
    fn reset(&mut self, position: &Position) {
        self.0.reset(position);
    }

    fn made(&mut self, before: &Position, mv: Move) {
        self.0.push(before, mv);
    }

    fn unmade(&mut self) {
        self.0.take_back();
    }

    fn score(&mut self, position: &Position) -> Score {
        let side = position.side();
        self.0.update(position);
        let (mover, other) = (self.0.units(side), self.0.units(!side));
        let bucket = self.0.network().shape().outputs.bucket_of(position);
        let score = self.0.network().score(self.0.level(), bucket, mover, other);
        endings::scaled(position, score)
    }
}

/// Returns the network's evaluation of a single position, from the point of view of the side to move.
pub fn evaluate(network: &Arc<Network>, position: &Position) -> Score {
    let mut evaluator = Nnue::new(Arc::clone(network));
    evaluator.reset(position);
    evaluator.score(position)
}

#[cfg(test)]
mod tests {
    use super::features::{Mirroring, Outputs, Shape};
    use super::network::random_network;
    use super::threats::ThreatIndices;
    use super::*;
    use chuhe_board::random::SplitMix64;
    use chuhe_board::score::EVALUATION_LIMIT;
    use chuhe_board::{Kind, Setup, Side};

    fn networks() -> Vec<Arc<Network>> {
        let six = |hidden, mirroring, outputs| Shape {
            king_buckets: [0, 1, 2, 3, 4, 5],
            ..Shape::new(hidden, mirroring, outputs)
        };
        let shapes = [
            Shape::new(64, Mirroring::King, Outputs::Rooks),
            Shape::new(32, Mirroring::Wings, Outputs::One),
            six(32, Mirroring::King, Outputs::Rooks),
            six(96, Mirroring::Wings, Outputs::One),
            Shape { attack_buckets: true, ..Shape::new(32, Mirroring::King, Outputs::Rooks) },
            Shape { attack_buckets: true, ..six(32, Mirroring::Wings, Outputs::One) },
            Shape { attack_buckets: true, threat_units: 32, ..Shape::new(64, Mirroring::King, Outputs::Rooks) },
            Shape { threat_units: 64, ..Shape::new(64, Mirroring::Wings, Outputs::One) },
        ];
        shapes.into_iter().zip(1..).map(|(shape, seed)| Arc::new(random_network(shape, seed))).collect()
    }

    /// Computes the score by definition, without any optimisation.
    fn slow(network: &Network, position: &Position) -> Score {
        let shape = network.shape();
        let units = |side: Side| -> Vec<i64> {
            let view = shape.view_of(side, position);
            let mut units: Vec<i64> = network.bias().iter().flat_map(|block| block.0).map(i64::from).collect();
            for square in position.occupancy().all() {
                let Some(piece) = position.piece_on(square) else { continue };
                let row = network.row(features::input(side, view, piece, square));
                let row = row.iter().flat_map(|block| block.0).map(i64::from);
                units.iter_mut().zip(row).for_each(|(unit, weight)| *unit += weight);
                if shape.threat_units == 0 {
                    continue;
                }
                let kinds = [Kind::Horse, Kind::Rook, Kind::Cannon, Kind::Pawn];
                let attacking = Side::ALL.into_iter().flat_map(|side| kinds.map(|kind| (side, kind)));
                for (attacker, (by, kind)) in attacking.enumerate() {
                    let mut from = position.pieces(by, kind).into_iter();
                    if from.any(|from| position.occupancy().targets(by, kind, from).has(square)) {
                        let indices = ThreatIndices::of([view.mirrored; 2]).get(attacker, piece, square);
                        let width = network.threat_width();
                        let row = &network.threats()[usize::from(indices[side.index()]) * width..][..width];
                        let row = row.iter().flat_map(|block| block.0).map(i64::from);
                        units.iter_mut().zip(row).for_each(|(unit, weight)| *unit += weight);
                    }
                }
            }
            units
        };
        let (bucket, hidden) = (shape.outputs.bucket_of(position), shape.hidden);
        let (output, bias) = network.output_of(bucket);
        assert_eq!(output.len(), 2 * hidden);
        let both = units(position.side()).into_iter().chain(units(!position.side()));
        let sum: i64 =
            both.zip(output).map(|(unit, weight)| (unit.clamp(0, 510) / 2).pow(2) / 2 * i64::from(weight)).sum();
        let score = (sum * 8 / 510 + i64::from(bias)) * i64::from(network.scale()) / (510 * 64);
        endings::scaled(position, score.clamp(-i64::from(EVALUATION_LIMIT), EVALUATION_LIMIT.into()) as Score)
    }

    /// Makes and unmakes moves of a random game, and calls `look` at random times.
    fn walk(seed: u64, evaluators: &mut [Nnue], mut look: impl FnMut(&Position, &mut [Nnue])) {
        let mut random = SplitMix64::new(seed);
        let mut position = Position::start();
        let mut line = Vec::new();
        evaluators.iter_mut().for_each(|evaluator| evaluator.reset(&position));
        for _ in 0..300 {
            let moves = position.legal_moves();
            if moves.is_empty() || random.below(3) == 0 {
                let Some((mv, undo)) = line.pop() else { continue };
                position.unmake(mv, undo);
                evaluators.iter_mut().for_each(Nnue::unmade);
            } else {
                let kings = moves.iter().copied().filter(|mv| mv.from == position.king(position.side()));
                let kings: Vec<Move> = kings.collect();
                let choice = if !kings.is_empty() && random.below(3) == 0 { &kings[..] } else { &moves[..] };
                let mv = choice[random.below(choice.len() as u64) as usize];
                evaluators.iter_mut().for_each(|evaluator| evaluator.made(&position, mv));
                line.push((mv, position.make(mv)));
            }
            if random.below(3) == 0 {
                look(&position, evaluators);
            }
        }
    }

    #[test]
    fn kept_units_equal_the_definition_at_every_level() {
        for network in networks() {
            let levels = SimdLevel::available().into_iter();
            let mut evaluators: Vec<Nnue> = levels.map(|level| Nnue::at_level(Arc::clone(&network), level)).collect();
            for seed in 0..12 {
                walk(seed, &mut evaluators, |position, evaluators| {
                    let slow = slow(&network, position);
                    for evaluator in evaluators {
                        assert_eq!(evaluator.score(position), slow, "{:?} {position}", evaluator.0.level());
                    }
                });
            }
        }
    }

    #[test]
    fn a_passed_turn_is_seen_from_the_other_side() {
        let network = networks().remove(6);
        let mut position: Position =
            "2bak4/4a4/4b4/p3p1p1p/2P6/9/P3P1P1P/4C1N2/4A4/2BK1AB2 w".parse().expect("a position");
        let mut evaluator = Nnue::new(Arc::clone(&network));
        evaluator.reset(&position);
        evaluator.score(&position);
        position.make_null();
        assert_eq!(evaluator.score(&position), slow(&network, &position));
        let turned = Setup { side: Side::Black, ..position.setup() };
        assert_eq!(position.setup().board, turned.board);
    }

    #[test]
    fn swapped_colours_are_worth_the_same_and_mirror_images_too() {
        for network in networks() {
            walk(5, &mut [Nnue::new(Arc::clone(&network))], |position, _| {
                assert_eq!(evaluate(&network, &position.flipped()), evaluate(&network, position), "{position}");
                let in_the_middle = Side::ALL.iter().any(|&side| position.king(side).file().index() == 4);
                if network.shape().mirroring == Mirroring::Wings || !in_the_middle {
                    assert_eq!(evaluate(&network, &position.mirrored()), evaluate(&network, position), "{position}");
                }
            });
        }
    }

    #[test]
    fn long_lines_find_room() {
        let network = networks().remove(7);
        let mut evaluator = Nnue::new(Arc::clone(&network));
        let mut position = Position::start();
        evaluator.reset(&position);
        for text in ["h2e2", "h7e7", "e2h2", "e7h7"].iter().cycle().take(700) {
            let mv = text.parse().expect("a move");
            evaluator.made(&position, mv);
            position.make(mv);
        }
        assert_eq!(evaluator.score(&position), slow(&network, &position));
    }

    #[test]
    fn the_file_in_the_program_is_empty_or_a_network() {
        assert!(EMBEDDED.is_empty() || embedded().is_some());
    }
}
