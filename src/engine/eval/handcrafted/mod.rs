//! The hand-written evaluation: a sum of terms, each a weight of [`weights`] times its count in [`features`],
//! Red minus Black.
//!
//! Every term has two weights, for a full board and for an empty board, interpolated by the game phase. The
//! evaluation, its explanation (`explain`) and the fitting of weights use the same features.

pub mod features;
mod tapered;
pub mod weights;

pub use tapered::{FULL_BOARD, Tapered};

use super::{Evaluator, endings};
use crate::output::{Align, Table};
use chuhe_board::score::{EVALUATION_LIMIT, Score};
use chuhe_board::{Kind, Move, Piece, Position, Side, Square};
use features::{Features, missing_guards, placement};
use weights::{GROUPS, TEMPO, TERMS, WEIGHTS};

/// Returns the game phase: 6 per rook and 3 per horse or cannon, at most [`FULL_BOARD`].
pub fn material(position: &Position) -> i32 {
    let count = |kind| Side::ALL.into_iter().map(|side| position.pieces(side, kind).count() as i32).sum::<i32>();
    (6 * count(Kind::Rook) + 3 * (count(Kind::Horse) + count(Kind::Cannon))).min(FULL_BOARD)
}

/// Two numbers packed into one word, with the value for the full board in the low half: a single addition
/// adds both halves, and unpacking corrects the carry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Packed(i64);

impl Packed {
    const fn new(numbers: Tapered) -> Packed {
        Packed(numbers.full as i64 + ((numbers.empty as i64) << 32))
    }

    fn numbers(self) -> Tapered {
        let full = self.0 as i32;
        Tapered::new(full, ((self.0 - i64::from(full)) >> 32) as i32)
    }
}

/// Packed [`WEIGHTS`].
static PACKED: [Packed; TERMS] = {
    let mut table = [Packed(0); TERMS];
    let mut term = 0;
    while term < TERMS {
        table[term] = Packed::new(WEIGHTS[term]);
        term += 1;
    }
    table
};

/// Value of each piece on each square, Red positive, by the enemy's missing advisors and elephants (3 ×
/// advisors + elephants).
type ValueTable = [[[i64; 90]; 14]; 9];

#[cfg(not(target_family = "wasm"))]
static WORTH: ValueTable = worth();
/// WebAssembly modules compute this 91 kB table on first use, which keeps the download small; nearly all
/// positions are evaluated by the neural network anyway.
#[cfg(target_family = "wasm")]
static WORTH: std::sync::LazyLock<Box<ValueTable>> = std::sync::LazyLock::new(|| Box::new(worth()));

const fn worth() -> ValueTable {
    let mut table = [[[0; 90]; 14]; 9];
    let mut at = 0;
    while at < 9 * 14 * 90 {
        let (missing, piece, square) = (at / 90 / 14, at / 90 % 14, at % 90);
        let terms = placement(Piece::ALL[piece], Square::ALL[square], (missing / 3, missing % 3));
        let mut worth = 0;
        let mut number = 0;
        while number < terms.len() {
            let (term, count) = terms[number];
            worth += PACKED[term].0 * count as i64;
            number += 1;
        }
        table[missing][piece][square] = if piece < 7 { worth } else { -worth };
        at += 1;
    }
    table
}

/// Returns the part of [`WORTH`] that applies to each side's pieces.
fn worths(position: &Position) -> [&'static [[i64; 90]; 14]; 2] {
    Side::ALL.map(|side| {
        let (advisors, elephants) = missing_guards(position, !side);
        &WORTH[3 * advisors + elephants]
    })
}

/// The hand-written evaluation. Sums that change little are updated with each move.
#[derive(Clone, Debug, Default)]
pub struct Handcrafted {
    kept: Sums,
    /// Sums in the positions before each move.
    before: Vec<Sums>,
}

/// Sums, Red minus Black; `None` after a capture that changes them, until the next evaluation.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// Sum of the piece-square terms.
    placed: Option<Packed>,
    /// Sum of the terms that depend on the numbers of pieces.
    numbers: Option<Packed>,
}

fn placed(position: &Position) -> Packed {
    let worths = worths(position);
    let pieces = position.occupancy().all().into_iter().filter_map(|at| Some((position.piece_on(at)?, at)));
    Packed(pieces.map(|(piece, square)| worths[piece.side().index()][piece.index()][square.index()]).sum())
}

fn numbers(position: &Position) -> Packed {
    let mut sum = 0;
    features::piece_counts(position, |term, side, count| {
        let seen = PACKED[term].0 * i64::from(count);
        sum += if side == Side::Red { seen } else { -seen };
    });
    Packed(sum)
}

impl Evaluator for Handcrafted {
    fn reset(&mut self, _: &Position) {
        *self = Handcrafted::default();
    }

    fn made(&mut self, before: &Position, mv: Move) {
        self.before.push(self.kept);
        let captured = before.piece_on(mv.to);
        if let Some(captured) = captured {
            self.kept.numbers = None;
            if matches!(captured.kind(), Kind::Advisor | Kind::Elephant) {
                self.kept.placed = None;
            }
        }
        if let (Some(placed), Some(piece)) = (&mut self.kept.placed, before.piece_on(mv.from)) {
            let worths = worths(before);
            let own = &worths[piece.side().index()][piece.index()];
            placed.0 += own[mv.to.index()] - own[mv.from.index()];
            if let Some(captured) = captured {
                placed.0 -= worths[captured.side().index()][captured.index()][mv.to.index()];
            }
        }
    }

    fn unmade(&mut self) {
        self.kept = self.before.pop().unwrap_or_default();
    }

    fn score(&mut self, position: &Position) -> Score {
        let placed = self.kept.placed.get_or_insert_with(|| placed(position)).0;
        let mut sum = placed + self.kept.numbers.get_or_insert_with(|| numbers(position)).0;
        Features::of(position).visit(|term, side, count| {
            let seen = PACKED[term].0 * i64::from(count);
            sum += if side == Side::Red { seen } else { -seen };
        });
        let red = Packed(sum).numbers().at(material(position));
        let own = if position.side() == Side::Red { red } else { -red };
        (endings::scaled(position, own) + TEMPO).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }
}

/// Returns the evaluation term by term: one row per group, with the value for each side on a full board and
/// on an empty board, in centipawns.
pub(crate) fn explain(position: &Position) -> Vec<Explained> {
    let mut rows: Vec<Explained> =
        GROUPS.iter().map(|group| Explained { name: group.name, ..Explained::default() }).collect();
    features::count(position, |term, side, count| {
        if let Some(row) = GROUPS.iter().position(|group| group.terms.contains(&term)) {
            rows[row].sides[side.index()] += WEIGHTS[term] * count;
        }
    });
    rows
}

/// Returns the result of `explain` as a table with interpolated values, Red minus Black; the last row is the
/// deduction for a known drawn ending.
pub fn table(position: &Position) -> Table {
    let columns = ["term", "red full", "red empty", "black full", "black empty", "red - black"];
    let align = |index| if index == 0 { Align::Left } else { Align::Right };
    let mut table = Table::new(columns.into_iter().enumerate().map(|(index, name)| (name, align(index))));
    let mut sum = Tapered::default();
    for Explained { name, sides: [red, black] } in explain(position) {
        sum += red - black;
        let difference = (red - black).at(material(position));
        let numbers = [red.full, red.empty, black.full, black.empty, difference].map(|number| number.to_string());
        table.row(std::iter::once(name.to_lowercase().replace('_', " ")).chain(numbers));
    }
    let advantage = sum.at(material(position));
    let taken = match position.side() {
        Side::Red => endings::scaled(position, advantage) - advantage,
        Side::Black => -endings::scaled(position, -advantage) - advantage,
    };
    let blanks = std::iter::repeat_n(String::new(), 4);
    table.row(std::iter::once("drawn ending".to_string()).chain(blanks).chain([taken.to_string()]));
    table
}

/// Values of a group of terms for each side.
#[derive(Clone, Debug, Default)]
pub(crate) struct Explained {
    /// Name of the group.
    pub name: &'static str,
    /// Values of each side.
    pub sides: [Tapered; 2],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::evaluate;
    use chuhe_board::random::SplitMix64;

    fn random_game(seed: u64, mut look: impl FnMut(&Position, &mut Handcrafted)) {
        let mut random = SplitMix64::new(seed);
        let mut position = Position::start();
        let mut evaluator = Handcrafted::default();
        evaluator.reset(&position);
        for _ in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                return;
            }
            let mv = moves[random.below(moves.len() as u64) as usize];
            evaluator.made(&position, mv);
            position.make(mv);
            look(&position, &mut evaluator);
        }
    }

    #[test]
    fn kept_sums_equal_a_fresh_look() {
        for seed in 0..40 {
            let mut ply = 0;
            let mut first = None;
            random_game(seed, |position, evaluator| {
                ply += 1;
                // Some positions are not evaluated, so that sums over several moves are also computed.
                if seed % 2 == 0 || ply % 5 == 0 {
                    assert_eq!(evaluator.score(position), evaluate(position));
                }
                let (position, taken_back) = first.get_or_insert_with(|| (position.clone(), evaluator.clone()));
                assert_eq!(taken_back.score(position), evaluate(position));
                *taken_back = evaluator.clone();
                (1..ply).for_each(|_| taken_back.unmade());
            });
        }
    }

    #[test]
    fn mirrored_and_colour_swapped_positions_are_worth_the_same() {
        for seed in 0..50 {
            random_game(seed, |position, _| {
                assert_eq!(evaluate(&position.mirrored()), evaluate(position), "{position}");
                assert_eq!(evaluate(&position.flipped()), evaluate(position), "{position}");
            });
        }
    }

    #[test]
    fn the_view_adds_up_to_the_score() {
        random_game(7, |position, _| {
            let sum = explain(position).iter().fold(Tapered::default(), |sum, row| sum + row.sides[0] - row.sides[1]);
            let red = sum.at(material(position));
            let own = if position.side() == Side::Red { red } else { -red };
            assert_eq!(endings::scaled(position, own) + TEMPO, evaluate(position));
        });
    }

    #[test]
    fn drawn_endings_are_worth_little() {
        let drawn = [
            "3k5/4a4/9/9/9/9/9/4B4/4C4/4K4 w",             // a cannon without screens
            "3ak1b2/4a4/4b4/9/9/9/9/9/9/R3K4 w",           // a rook against all guards
            "3k5/4a4/9/9/9/r8/9/4B4/4A4/R3KAB2 w",         // rook against rook
            "3ak4/4a4/9/9/9/9/9/4c4/R8/3K5 w",             // a rook against a cannon and two advisors
            "3k5/4a4/3a5/9/9/9/9/9/9/N3K4 w",              // a horse against two advisors
            "3ak4/4a4/9/9/2P6/9/9/9/4A4/3AK4 w",           // a pawn against two advisors
            "3ak4/4a4/4b4/6P2/2P3b2/9/9/4B4/4A4/3AK1B2 w", // two pawns against all guards
            "P2k5/4a4/9/9/9/9/9/9/4A4/3AK4 w",             // a pawn on the last rank
            "4k4/9/9/9/9/9/9/4B4/4A4/3AK1B2 w",            // no attacking pieces
        ];
        for fen in drawn {
            let position: Position = fen.parse().expect("a legal FEN");
            assert!((evaluate(&position) - TEMPO).abs() < 220, "{fen}: {}", evaluate(&position));
            assert_eq!(evaluate(&position.flipped()), evaluate(&position), "{fen}");
            let counted = red_less_black(&position);
            assert!(counted > 2 * (evaluate(&position) - TEMPO).max(10), "{fen} would count {counted}");
        }
    }

    /// Returns the sum of the terms, without scaling.
    fn red_less_black(position: &Position) -> Score {
        let sum = explain(position).iter().fold(Tapered::default(), |sum, row| sum + row.sides[0] - row.sides[1]);
        sum.at(material(position))
    }

    #[test]
    fn the_start_is_worth_the_first_move() {
        assert_eq!(evaluate(&Position::start()), TEMPO);
    }
}
