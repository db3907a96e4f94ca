//! Generation of checking moves.

use chuhe_board::{Bitboard, Move, MoveClass, MoveList, Position, Square};

/// Returns the legal moves that give check.
pub fn checking_moves(position: &Position) -> MoveList {
    let mut list = MoveList::new();
    visit_checks(position, |from, targets| list.extend(targets.into_iter().map(|to| Move::new(from, to))));
    list
}

/// Returns the number of legal moves that give check.
pub(super) fn count_checks(position: &Position) -> u32 {
    let mut count = 0;
    visit_checks(position, |_, targets| count += targets.count());
    count
}

/// Calls `visit` with each piece that can give check, and its checking targets.
fn visit_checks(position: &Position, mut visit: impl FnMut(Square, Bitboard)) {
    let checks = position.checks();
    position.visit_moves(MoveClass::All, |from, targets| {
        if let Some(piece) = position.piece_on(from) {
            visit(from, checks.checking_targets(position, piece.kind(), from, targets));
        }
        true
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::random::SplitMix64;

    #[test]
    fn checking_moves_are_the_legal_moves_that_give_check() {
        let mut random = SplitMix64::new(5);
        let mut checks = 0;
        for _ in 0..40 {
            let mut position = Position::start();
            for _ in 0..150 {
                let moves = position.legal_moves();
                let mut found = checking_moves(&position);
                let mut slow: MoveList = moves.iter().copied().filter(|&mv| position.gives_check(mv)).collect();
                for list in [&mut found, &mut slow] {
                    list.sort_by_key(|mv| (mv.from, mv.to));
                }
                assert_eq!(found, slow, "{position}");
                assert_eq!(count_checks(&position) as usize, slow.len());
                checks += slow.len();
                if moves.is_empty() {
                    break;
                }
                // Checks are preferred, so that kings become exposed.
                let choice = if slow.is_empty() { &moves } else { &slow };
                position.make(choice[random.below(choice.len() as u64) as usize]);
            }
        }
        assert!(checks > 1_000, "{checks}");
    }
}
