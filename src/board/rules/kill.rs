//! Threats of mate, called kills in the Chinese rules.

use crate::{Move, Position};

/// Maximum number of checks in a mating sequence. The rules set no limit, but players rarely see longer
/// threats, and each further check costs about ten times as much.
const MAX_RUN: u32 = 3;
/// Maximum number of checks tried for each length of the sequence. The limit makes the test fast and
/// independent of the machine. A threat that is not found within it does not count, so the move is idle and
/// the repetition is a draw.
const TRIES: u32 = 400;

/// Returns `true` if a move that is not a check makes a new threat: if the other side passed, one or more
/// checks would mate, and the mover had no such sequence before the move. A move that only maintains a threat
/// is idle, like a move that only maintains a chase.
pub(super) fn threatens_mate(before: &Position, after: &Position) -> bool {
    if after.in_check() {
        return false;
    }
    let mut board = after.clone();
    board.make_null();
    mates(&mut board, MAX_RUN) && !mates(&mut before.clone(), MAX_RUN)
}

/// Returns `true` if a capture by the side that has just moved would allow the other side, which is to move
/// and not in check, to mate at once.
pub(super) fn capture_allows_mate(after: &Position, capture: Move) -> bool {
    let mut board = after.clone();
    board.make_null();
    if !board.is_legal(capture) {
        return false;
    }
    board.make(capture);
    mates(&mut board, 1)
}

/// Returns `true` if the side to move mates with at most `moves` checks.
fn mates(board: &mut Position, moves: u32) -> bool {
    // Short sequences are tried first, so that longer ones cannot exhaust the limit before a mate in one is
    // found.
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
