//! Xiangqi as a tree: board positions with a fixed evaluation. Repetition is ignored.

use super::lists::lists_of;
use super::tree::MATE;
use super::tree::{Moves, Tree};
use chuhe_board::score::{Score, is_mate};
use chuhe_board::{Kind, Move, MoveClass, Position, Side, Square, Undo, exchange_value};
use chuhe_engine::eval::{Evaluator, Handcrafted};

/// Evaluation of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evaluation {
    /// Material only, on Kornilov's scale ([`material`]).
    Material,
    /// Material and placement after Kornilov ([`placement`]). It never changes, so that published figures
    /// remain reproducible.
    Positional,
    /// The engine's hand-written evaluation, in centipawns (rook = 1000).
    Full,
}

/// Returns the material value on Kornilov's scale, adapted to Xiangqi. In chess, Kornilov values a pawn at
/// 1000, knight and bishop at 3000, the rook at 5000, the queen at 9000, and the king at 90000. The value of
/// the pawn is unchanged, and the rook, the strongest piece in Xiangqi, is worth 9000. The other values
/// follow Xiangqi literature: the cannon, another long-range piece, 4500; the horse, similar to the knight,
/// 4000; the guards, which never cross the river, 2000 each; a pawn that has crossed 2000. The king's 90000
/// is the value of a lost game.
pub fn material(kind: Kind, crossed: bool) -> i32 {
    match kind {
        Kind::King => 0,
        Kind::Advisor | Kind::Elephant => 2000,
        Kind::Horse => 4000,
        Kind::Rook => 9000,
        Kind::Cannon => 4500,
        Kind::Pawn if crossed => 2000,
        Kind::Pawn => 1000,
    }
}

/// Returns Kornilov's positional term for a piece on a file and rank from its own side's point of view: a
/// rough measure of placement that favours advanced and central pieces, and guards at home. The sum over a
/// board is limited to ±500, half a pawn.
pub fn placement(kind: Kind, file: usize, rank: usize) -> i32 {
    let middle = 4 - file.abs_diff(4) as i32;
    let rank = rank as i32;
    match kind {
        Kind::King => -40 * rank,
        Kind::Advisor => 10 * middle,
        Kind::Elephant => 5 * middle,
        Kind::Horse => 15 * middle + 12 * rank.min(7),
        Kind::Rook => 10 * middle + 10 * rank.min(8),
        Kind::Cannon => 20 * middle + 4 * rank,
        Kind::Pawn => 15 * middle + 10 * rank.min(7),
    }
}

/// Maximum of the positional term.
const POSITIONAL_LIMIT: i32 = 500;

/// Converts an engine score to the textbook's scale, where mates lie beyond all of Kornilov's material.
pub fn from_score(score: Score) -> i32 {
    if is_mate(score) { score + score.signum() * (MATE - chuhe_board::score::MATE) } else { score }
}

/// A position as a tree for the algorithms.
#[derive(Clone, Debug)]
pub struct Xiangqi {
    position: Position,
    evaluation: Evaluation,
    divisor: i32,
    handcrafted: Handcrafted,
}

impl Xiangqi {
    /// Creates a position with an evaluation that is coarsened by a divisor of at least 1; fractions are
    /// dropped.
    pub fn new(position: Position, evaluation: Evaluation, divisor: i32) -> Xiangqi {
        let mut handcrafted = Handcrafted::default();
        handcrafted.reset(&position);
        Xiangqi { position, evaluation, divisor: divisor.max(1), handcrafted }
    }

    /// Returns the current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    fn material(&self) -> i32 {
        let crossed = |square: &Square| self.position.side().has_crossed(*square);
        let count = |side: Side, kind| self.position.pieces(side, kind).count() as i32;
        let (own, other) = (self.position.side(), !self.position.side());
        let pieces = [Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Rook, Kind::Cannon];
        let sum: i32 =
            pieces.into_iter().map(|kind| material(kind, false) * (count(own, kind) - count(other, kind))).sum();
        // A pawn that is beyond the river from one side's point of view is on the home side from the other's.
        let pawns = |side: Side, away: bool| {
            let gone =
                self.position.pieces(side, Kind::Pawn).into_iter().filter(|at| crossed(at) == away).count() as i32;
            material(Kind::Pawn, true) * gone + material(Kind::Pawn, false) * (count(side, Kind::Pawn) - gone)
        };
        sum + pawns(own, true) - pawns(other, false)
    }
}

impl Xiangqi {
    fn placement(&self) -> i32 {
        let worth = |at: Square| {
            let piece = self.position.piece_on(at)?;
            let worth = placement(piece.kind(), at.file().index(), piece.side().rank(at).index());
            Some(if piece.side() == self.position.side() { worth } else { -worth })
        };
        self.position.occupancy().all().into_iter().filter_map(worth).sum()
    }
}

impl Tree for Xiangqi {
    type Move = Move;
    type Undo = Undo;

    fn moves(&self, wanted: MoveClass) -> Moves<Move> {
        self.position.moves(wanted)
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.position.is_legal(mv)
    }

    fn is_quiet(&self, mv: Move) -> bool {
        self.position.piece_on(mv.to).is_none()
    }

    fn play(&mut self, mv: Move) -> Undo {
        if self.evaluation == Evaluation::Full {
            self.handcrafted.made(&self.position, mv);
        }
        self.position.make(mv)
    }

    fn undo(&mut self, mv: Move, undo: Undo) {
        self.position.unmake(mv, undo);
        if self.evaluation == Evaluation::Full {
            self.handcrafted.unmade();
        }
    }

    fn pass(&mut self) -> Undo {
        self.position.make_null()
    }

    fn undo_pass(&mut self, undo: Undo) {
        self.position.unmake_null(undo);
    }

    fn in_check(&self) -> bool {
        self.position.in_check()
    }

    /// Returns `true` if the side to move has at most one rook, cannon or horse.
    fn is_thin(&self) -> bool {
        self.position.major_pieces(self.position.side()).count() <= 1
    }

    fn value(&mut self) -> i32 {
        let value = match self.evaluation {
            Evaluation::Material => self.material(),
            Evaluation::Positional => self.material() + self.placement().clamp(-POSITIONAL_LIMIT, POSITIONAL_LIMIT),
            Evaluation::Full => self.handcrafted.score(&self.position),
        };
        value / self.divisor
    }

    fn pawn(&self) -> i32 {
        let pawn = match self.evaluation {
            Evaluation::Material | Evaluation::Positional => material(Kind::Pawn, false),
            Evaluation::Full => exchange_value(Kind::Pawn),
        };
        (pawn / self.divisor).max(1)
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    /// Returns the MVV-LVA score of a capture: most valuable victim first, then least valuable attacker.
    fn gain_estimate(&self, mv: Move) -> i32 {
        let worth = |at| self.position.piece_on(at).map_or(0, |piece| exchange_value(piece.kind()));
        16 * worth(mv.to) - worth(mv.from).min(1000)
    }

    fn squares(mv: Move) -> (usize, usize) {
        (mv.from.index(), mv.to.index())
    }

    /// Returns the captures of each piece before its other moves; moves of rooks and cannons are in the order
    /// of the slides' lists.
    fn listed_moves(&self) -> Moves<Move> {
        let mut moves = Moves::new();
        self.position.visit_moves(MoveClass::All, |from, targets| {
            let mut push = |to| moves.push(Move::new(from, to));
            match self.position.piece_on(from).map(|piece| piece.kind()) {
                Some(kind @ (Kind::Rook | Kind::Cannon)) => {
                    let lists = lists_of(&self.position, kind, from);
                    let captures = lists.iter().flat_map(|list| list.captures());
                    let listed = captures.chain(lists.iter().flat_map(|list| list.quiets()));
                    listed.copied().filter(|&to| targets.has(to)).for_each(&mut push);
                }
                _ => {
                    let occupied = self.position.occupancy().all();
                    (targets & occupied).into_iter().for_each(&mut push);
                    (targets & !occupied).into_iter().for_each(&mut push);
                }
            }
            true
        });
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::STARTPOS;

    fn tree(fen: &str, evaluation: Evaluation, divisor: i32) -> Xiangqi {
        Xiangqi::new(fen.parse().expect("a legal FEN"), evaluation, divisor)
    }

    #[test]
    fn material_counts_crossed_pawns_double() {
        assert_eq!(tree(STARTPOS, Evaluation::Material, 1).value(), 0);
        assert_eq!(tree("4k4/9/9/9/4P4/9/9/9/9/R3K4 w", Evaluation::Material, 1).value(), 9000 + 1000 + 1000);
        assert_eq!(tree("4k4/9/9/9/9/4p4/9/9/9/R3K4 b", Evaluation::Material, 1).value(), 2000 - 9000);
        assert_eq!(tree("4k4/9/9/9/4p4/9/9/9/9/R3K4 b", Evaluation::Material, 100).value(), (1000 - 9000) / 100);
    }

    #[test]
    fn place_counts_half_a_pawn_at_most_and_the_same_for_both_sides() {
        assert_eq!(tree(STARTPOS, Evaluation::Positional, 1).value(), 0);
        let fen = "4k4/4a4/9/2N3R1p/9/2r3c2/9/4B4/9/3AK4 w";
        let mut red = tree(fen, Evaluation::Positional, 1);
        let mut black = Xiangqi::new(red.position().flipped(), Evaluation::Positional, 1);
        assert_eq!(red.value(), black.value());
        assert!((red.value() - red.material()).abs() <= 500 && red.value() != red.material());
    }

    #[test]
    fn listed_moves_are_the_legal_moves() {
        let tree = tree(STARTPOS, Evaluation::Material, 1);
        let (mut listed, mut legal) = (tree.listed_moves(), tree.moves(MoveClass::All));
        listed.sort_by_key(|mv| Xiangqi::squares(*mv));
        legal.sort_by_key(|mv| Xiangqi::squares(*mv));
        assert_eq!(listed, legal);
    }
}
