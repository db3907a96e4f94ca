//! Perpetual check: a side that can hold a position only by checking at every move loses, unless the other
//! side must check at every move as well.
//!
//! The candidates are the undecided positions in which every move of the side to move loses or gives check.
//! The algorithm finds the largest set of candidates from which the checked side can always return to the
//! set, and can repeatedly do so with a move that is not a check. In these positions the side to move loses,
//! either by perpetual check or in another way. The consequences are propagated as usual, and the algorithm
//! repeats until no such set remains. (Fang, Hsu and Hsu, ICGA Journal 27, 2004.)

use super::board::Board;
use super::cells::{OPEN, WIN, state, sweep};
use super::solve::{BestCapture, Solver};
use chuhe_board::Side;
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;

/// Decides the positions that depend on perpetual check, after all others have been decided.
pub(crate) fn decide(solver: &mut Solver) {
    loop {
        let lost = Side::ALL.map(|side| Checks::of(solver, side).perpetual());
        if lost.iter().all(Vec::is_empty) {
            return;
        }
        solver.lose_by_perpetual_check(lost);
    }
}

/// Undecided positions in which a side can only check or lose, and the replies to each check.
struct Checks {
    numbers: Vec<usize>,
    /// Indices of the positions after each check.
    checked: Vec<Vec<usize>>,
    /// For each position after a check: indices of the positions after each reply, and whether the reply is a
    /// check.
    answers: Vec<Vec<(usize, bool)>>,
}

impl Checks {
    fn of(solver: &Solver, side: Side) -> Checks {
        let mut found: Vec<(usize, Vec<usize>)> = Vec::new();
        let look = |numbers: std::ops::Range<usize>, found: &mut Vec<_>| {
            let mut board = Board::new(solver.index());
            for number in numbers {
                if state(solver.cells(side)[number].load(Relaxed)) == OPEN {
                    board.go(number);
                    found.extend(only_checks(solver, &board, side).map(|checked| (number, checked)));
                }
            }
        };
        sweep(solver.index(), solver.threads(), look, |more| found.extend(more));
        let places: HashMap<usize, usize> =
            found.iter().enumerate().map(|(place, (number, _))| (*number, place)).collect();
        let mut board = Board::new(solver.index());
        let mut seen = HashMap::new();
        let mut answers = Vec::new();
        let mut reply_list_of = |number: usize| {
            *seen.entry(number).or_insert_with(|| {
                board.go(number);
                let mut moves = Vec::new();
                board.visit_moves(!side, false, |piece, from, to| {
                    let place = places.get(&board.number_after((!side, piece), from, to));
                    moves.extend(place.map(|place| (*place, board.gives_check((!side, piece), from, to))));
                    true
                });
                answers.push(moves);
                answers.len() - 1
            })
        };
        let (numbers, checked) = found
            .into_iter()
            .map(|(number, checked)| (number, checked.into_iter().map(&mut reply_list_of).collect::<Vec<_>>()))
            .unzip();
        Checks { numbers, checked, answers }
    }

    /// Returns the indices of the positions in which the side to move can be forced to check forever.
    fn perpetual(self) -> Vec<usize> {
        let mut perpetual = vec![true; self.numbers.len()];
        loop {
            let still_perpetual = self.returning(&perpetual);
            if still_perpetual == perpetual {
                return self
                    .numbers
                    .into_iter()
                    .zip(perpetual)
                    .filter(|(_, is_perpetual)| *is_perpetual)
                    .map(|(number, _)| number)
                    .collect();
            }
            perpetual = still_perpetual;
        }
    }

    /// Returns, for each position, `true` if it is in the set `perpetual` and the checked side can answer every
    /// check such that play returns to the set, at some point by a move that is not a check.
    fn returning(&self, perpetual: &[bool]) -> Vec<bool> {
        let mut returns = vec![false; perpetual.len()];
        let mut is_answered = vec![false; self.answers.len()];
        loop {
            let mut is_new = false;
            for (index, replies) in self.answers.iter().enumerate() {
                if !is_answered[index] {
                    let keeps = |&(place, is_check): &(usize, bool)| {
                        if is_check { returns[place] } else { perpetual[place] }
                    };
                    is_answered[index] = replies.iter().any(keeps);
                    is_new |= is_answered[index];
                }
            }
            for place in 0..perpetual.len() {
                returns[place] = perpetual[place] && self.checked[place].iter().all(|&after| is_answered[after]);
            }
            if !is_new {
                return returns;
            }
        }
    }
}

/// Returns the indices after each check, or `None` if some move that is not a check does not lose.
fn only_checks(solver: &Solver, board: &Board, side: Side) -> Option<Vec<usize>> {
    if matches!(solver.best_capture(board, side), BestCapture::Hold) {
        return None;
    }
    let (mut checked, mut escapes) = (Vec::new(), false);
    board.visit_moves(side, false, |mover, from, to| {
        let after = board.number_after((side, mover), from, to);
        if state(solver.cells(!side)[after].load(Relaxed)) == WIN {
            return true;
        }
        checked.push(after);
        escapes = !board.gives_check((side, mover), from, to);
        !escapes
    });
    (!escapes).then_some(checked)
}
