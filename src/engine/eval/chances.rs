//! Conversion of scores to probabilities of win, draw and loss.

use chuhe_board::score::{Score, is_decided};
use chuhe_board::{Kind, Position, Side};

/// Probabilities of the results for the side to move, in per mille; their sum is 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Chances {
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
}

/// Parameters fitted to results of games between equal engines: material and, in centipawns, the score at
/// which half of the games are won and the width of the logistic curve. Based on 255,064 quiet positions from
/// games at 1,500 nodes per move, with material below 40, from 40 to 64, from 65 to 89, and of at least 90.
const FIT: [(f64, f64, f64); 4] =
    [(30.0, 420.0, 108.0), (52.0, 334.0, 158.0), (77.0, 244.0, 188.0), (100.0, 190.0, 200.0)];

impl Chances {
    /// Returns the probabilities for a score from the point of view of the side to move. With more material
    /// on the board, a smaller score decides the game.
    pub fn of(score: Score, position: &Position) -> Chances {
        if is_decided(score) {
            return if score > 0 { Chances::new(1000, 0) } else { Chances::new(0, 1000) };
        }
        let (half, width) = fit(material(position));
        let share = |score: f64| (1000.0 / (1.0 + ((half - score) / width).exp())).round() as u32;
        Chances::new(share(f64::from(score)), share(-f64::from(score)))
    }

    fn new(win: u32, loss: u32) -> Chances {
        Chances { win, draw: 1000 - win - loss, loss }
    }
}

/// Returns the material of both sides: rook 10, horse and cannon 5, elephant 3, advisor 2, pawn 1; a total of
/// 110 in the initial position.
fn material(position: &Position) -> f64 {
    let worth = [
        (Kind::Rook, 10),
        (Kind::Horse, 5),
        (Kind::Cannon, 5),
        (Kind::Elephant, 3),
        (Kind::Advisor, 2),
        (Kind::Pawn, 1),
    ];
    let count = |kind| Side::ALL.into_iter().map(|side| position.pieces(side, kind).count()).sum::<u32>();
    worth.into_iter().map(|(kind, worth)| f64::from(worth * count(kind))).sum()
}

/// Returns the two parameters for an amount of material, interpolated linearly.
fn fit(material: f64) -> (f64, f64) {
    let material = material.clamp(FIT[0].0, FIT[3].0);
    let upper = FIT.iter().position(|row| row.0 >= material).unwrap_or(3).max(1);
    let ((from, half, width), (to, next_half, next_width)) = (FIT[upper - 1], FIT[upper]);
    let part = (material - from) / (to - from);
    (half + part * (next_half - half), width + part * (next_width - width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::score::{mate_in, mated_in};

    fn chances(score: Score, fen: &str) -> Chances {
        Chances::of(score, &fen.parse().expect("a position"))
    }

    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    const ROOK: &str = "4k4/9/9/9/9/9/9/9/9/R2K5 w";

    #[test]
    fn chances_add_up_and_are_the_same_for_both_sides() {
        for fen in [START, ROOK] {
            for score in (-2000..=2000).step_by(50) {
                let Chances { win, draw, loss } = chances(score, fen);
                assert_eq!(win + draw + loss, 1000);
                assert_eq!(chances(-score, fen), Chances { win: loss, draw, loss: win });
            }
        }
    }

    #[test]
    fn a_higher_score_wins_more_and_a_full_board_draws_less() {
        let wins: Vec<u32> = (-600..=600).step_by(100).map(|score| chances(score, START).win).collect();
        assert!(wins.is_sorted_by(|a, b| a < b), "{wins:?}");
        assert!(chances(0, START).draw < chances(0, ROOK).draw);
    }

    #[test]
    fn a_mate_is_certain() {
        assert_eq!(chances(mate_in(5), START), Chances { win: 1000, draw: 0, loss: 0 });
        assert_eq!(chances(mated_in(5), START), Chances { win: 0, draw: 0, loss: 1000 });
    }
}
