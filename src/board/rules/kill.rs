//! Threats of mate: what the Chinese rules call a kill.

use crate::{Move, Position};

/// How many moves a run of checks may have.
const LONGEST_RUN: u32 = 3;
/// How many checks are tried before a threat is taken to be none, so that the answer is always quick and always the same.
const TRIES: u32 = 400;

/// Whether a move, not a check, makes a threat: if the other side passed now, a check or a run of checks would mate, and the mover had no
/// such run before the move either. A threat that existed before is from kill to kill, which is idle like from chase to chase.
pub(super) fn threatens_mate(before: &Position, after: &Position) -> bool {
    if after.in_check() {
        return false;
    }
    let mut board = after.clone();
    board.make_null();
    mates(&mut board, LONGEST_RUN) && !mates(&mut before.clone(), LONGEST_RUN)
}

/// Whether a capture on this board, where the other side is to move and not in check, would let that side mate at once.
pub(super) fn gets_mated(after: &Position, capture: Move) -> bool {
    let mut board = after.clone();
    board.make_null();
    if !board.is_legal(capture) {
        return false;
    }
    board.make(capture);
    mates(&mut board, 1)
}

/// Whether the side to move mates by a run of at most `moves` checks.
fn mates(board: &mut Position, moves: u32) -> bool {
    // Short runs first: a mate in one must not be missed because long runs have used up the tries.
    (1..=moves).any(|moves| mates_by_checks(board, moves, &mut { TRIES }))
}

fn mates_by_checks(board: &mut Position, moves: u32, tries: &mut u32) -> bool {
    for check in board.legal_moves() {
        if !board.gives_check(check) {
            continue;
        }
        if *tries == 0 {
            return false;
        }
        *tries -= 1;
        let undo = board.make(check);
        let mates = board.legal_moves().into_iter().all(|answer| {
            moves > 1 && {
                let undo = board.make(answer);
                let mates = mates_by_checks(board, moves - 1, tries);
                board.unmake(answer, undo);
                mates
            }
        });
        board.unmake(check, undo);
        if mates {
            return true;
        }
    }
    false
}
