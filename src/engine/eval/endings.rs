//! Scaling of the evaluation in endings that are drawn despite unequal material.

use chuhe_board::score::Score;
use chuhe_board::{Kind, Position, Rank, Side};

/// Factor of an advantage that is not scaled down, in 64ths.
pub const IN_FULL: i32 = 64;

/// Returns the fraction of `side`'s advantage that counts, in 64ths: all of it in most positions, a small
/// part in endings that are drawn according to the literature, and none if the side has no piece that can
/// cross the river. The result is an estimate; the rules declare a draw only if neither side has such a
/// piece.
pub fn winnable_share(position: &Position, side: Side) -> i32 {
    // No known drawn ending has more than two of these pieces, so the function returns here for most
    // positions.
    if (position.major_pieces(Side::Red) | position.major_pieces(Side::Black)).count() > 2 {
        return IN_FULL;
    }
    let count = |side: Side, kind: Kind| position.pieces(side, kind).count();
    let (rooks, cannons, horses, pawns) =
        (count(side, Kind::Rook), count(side, Kind::Cannon), count(side, Kind::Horse), count(side, Kind::Pawn));
    let (advisors, elephants) = (count(!side, Kind::Advisor), count(!side, Kind::Elephant));
    let no_own_guards = count(side, Kind::Advisor) + count(side, Kind::Elephant) == 0;
    let enemy_attackers = position.major_pieces(!side).count() + count(!side, Kind::Pawn);
    match (rooks, cannons, horses, pawns) {
        (0, 0, 0, 0) => 0,
        // A single cannon cannot win without a friendly advisor as a screen.
        (0, 1, 0, 0) if count(side, Kind::Advisor) == 0 => 4,
        // A single rook can neither break two advisors and two elephants nor win against a rook with an
        // advisor.
        (1, 0, 0, 0) if advisors == 2 && elephants == 2 => 8,
        (1, 0, 0, 0) if count(!side, Kind::Rook) == 1 && advisors > 0 => 12,
        // A single horse wins against one advisor, but not against two advisors, an elephant or an attacker.
        (0, 0, 1, 0) if advisors == 2 || elephants > 0 || enemy_attackers > 0 => 8,
        // A cannon with two advisors or two elephants holds against a rook.
        (1, 0, 0, 0) if count(!side, Kind::Cannon) == 1 && (advisors == 2 || elephants == 2) => 24,
        // A pawn on the last rank can only move sideways.
        (0, 0, 0, 1)
            if advisors + elephants > 0
                && position.pieces(side, Kind::Pawn).into_iter().all(|at| side.rank(at) == Rank::R9) =>
        {
            4
        }
        // Two guards of any kind hold against one pawn, and all four hold against two.
        (0, 0, 0, 1) if advisors + elephants >= 2 => 8,
        (0, 0, 0, 2) if advisors + elephants == 4 => 12,
        // Cannons without a friendly screen cannot break two elephants. A pawn does not serve as a screen, so
        // a cannon and a pawn cannot break three guards either.
        (0, 2, 0, 0) | (0, 1, 0, 1) if no_own_guards && elephants == 2 => 8,
        (0, 1, 0, 1) if no_own_guards && advisors + elephants >= 3 => 8,
        _ => IN_FULL,
    }
}

/// Reciprocal of the fraction of an evaluation that is lost per ply without a capture.
const DAMPING: Score = 250;
/// Number of plies without a capture at which the damping of an evaluation reaches its maximum.
const MAX_DAMPED: u16 = 120;

/// Scales an evaluation down with the number of plies without a capture, by at most 48 %.
pub(crate) fn damped(score: Score, quiet_plies: u16) -> Score {
    score - score * Score::from(quiet_plies.min(MAX_DAMPED)) / DAMPING
}

/// Inverts `damped`, up to rounding.
pub fn undamped(score: Score, quiet_plies: u16) -> Score {
    score * DAMPING / (DAMPING - Score::from(quiet_plies.min(MAX_DAMPED)))
}

/// Scales an advantage of the side to move, or of the other side if it is negative.
pub(super) fn scaled(position: &Position, advantage: Score) -> Score {
    let ahead = if advantage > 0 { position.side() } else { !position.side() };
    advantage * winnable_share(position, ahead) / IN_FULL
}

#[cfg(test)]
mod tests {
    use super::*;

    fn red(fen: &str) -> i32 {
        let position: Position = fen.parse().expect("a legal FEN");
        let flipped = winnable_share(&position.flipped(), Side::Black);
        let value = winnable_share(&position, Side::Red);
        assert_eq!(value, flipped, "{fen}");
        value
    }

    #[test]
    fn damping_can_be_undone() {
        assert_eq!((damped(1000, 50), damped(-1000, 400)), (800, -520));
        for quiet_plies in [0, 1, 30, 90, 120, 300] {
            assert!((undamped(damped(777, quiet_plies), quiet_plies) - 777).abs() <= 1);
        }
    }

    #[test]
    fn nothing_is_won_without_attackers() {
        assert_eq!(red("3k5/9/9/9/9/9/9/4B4/4A4/3AK1B2 w"), 0);
        assert_eq!(red("r2k5/9/9/9/9/9/9/4B4/4A4/3AK1B2 w"), 0);
    }

    #[test]
    fn a_cannon_without_screens_wins_nothing() {
        assert_eq!(red("3k5/4a4/9/9/9/9/9/4B4/4C4/4K4 w"), 4);
        assert_eq!(red("3k5/4a4/9/9/9/9/9/9/4A4/C3K4 w"), IN_FULL, "with an advisor the cannon can win");
    }

    #[test]
    fn a_rook_does_not_break_full_guards() {
        assert_eq!(red("3ak1b2/4a4/4b4/9/9/9/9/9/9/R3K4 w"), 8);
        assert_eq!(red("4k1b2/4a4/4b4/9/9/9/9/9/9/R3K4 w"), IN_FULL, "the rook wins against three guards");
    }

    #[test]
    fn rook_against_guarded_rook_is_a_draw() {
        assert_eq!(red("3k5/4a4/9/9/9/r8/9/9/9/R3K4 w"), 12);
    }

    #[test]
    fn a_cannon_with_two_guards_of_a_kind_holds_a_rook() {
        assert_eq!(red("3ak4/4a4/9/9/9/9/9/4c4/R8/3K5 w"), 24);
        assert_eq!(red("4k1b2/9/4b4/9/9/9/9/4c4/R8/3K5 w"), 24);
        assert_eq!(red("4k4/4a4/4b4/9/9/9/9/4c4/R8/3K5 w"), IN_FULL, "an advisor and an elephant do not always hold");
    }

    #[test]
    fn two_guards_hold_a_pawn_and_four_hold_two() {
        assert_eq!(red("3ak4/4a4/9/9/2P6/9/9/9/9/4K4 w"), 8);
        assert_eq!(red("3k5/4a4/4b4/9/2P6/9/9/9/9/4K4 w"), 8);
        assert_eq!(red("3k5/4a4/9/9/2P6/9/9/9/9/4K4 w"), IN_FULL);
        assert_eq!(red("3ak4/4a4/4b4/6P2/2P3b2/9/9/9/9/4K4 w"), 12);
        assert_eq!(red("3ak4/4a4/4b4/6P2/2P6/9/9/9/9/4K4 w"), IN_FULL);
    }

    #[test]
    fn cannons_without_guards_break_no_elephants() {
        assert_eq!(red("3k5/9/4b4/9/2b6/9/9/9/4C4/C3K4 w"), 8);
        assert_eq!(red("3k5/9/4b4/9/2b6/9/9/4C4/4A4/C3K4 w"), IN_FULL, "an advisor is a screen");
        assert_eq!(red("3k5/9/4b4/2P6/2b6/9/9/9/9/C3K4 w"), 8);
        assert_eq!(red("3ak4/4a4/4b4/2P6/9/9/9/9/9/C3K4 w"), 8, "three guards hold a cannon and a pawn");
        assert_eq!(red("3ak4/4a4/9/2P6/9/9/9/9/9/C3K4 w"), IN_FULL);
    }

    #[test]
    fn a_horse_beats_one_advisor_only() {
        assert_eq!(red("3k5/4a4/9/9/9/9/9/9/9/N3K4 w"), IN_FULL);
        assert_eq!(red("3k5/4a4/3a5/9/9/9/9/9/9/N3K4 w"), 8);
        assert_eq!(red("3k5/9/4b4/9/9/9/9/9/9/N3K4 w"), 8);
    }

    #[test]
    fn a_pawn_on_the_last_rank_does_not_beat_a_guard() {
        assert_eq!(red("P2k5/4a4/9/9/9/9/9/9/9/4K4 w"), 4);
        assert_eq!(red("P2ak4/4a4/9/9/9/9/9/9/9/4K4 w"), 4, "two guards do not increase the factor");
        assert_eq!(red("3k5/P3a4/9/9/9/9/9/9/9/4K4 w"), IN_FULL);
    }

    #[test]
    fn a_full_board_counts_in_full() {
        assert_eq!(winnable_share(&Position::start(), Side::Red), IN_FULL);
    }
}
