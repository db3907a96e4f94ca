//! Perpetual check: a side that can hold a position only by checking at every move loses, unless the other
//! side must check at every move as well.
//!
//! The candidates are the undecided positions in which every move of the side to move loses or gives check.
//! The algorithm finds the largest set of candidates from which the checked side can always return to the
//! set, and can repeatedly do so with a move that is not a check. In these positions the side to move loses,
//! either by perpetual check or in another way. The consequences are propagated as usual, and the algorithm
//! repeats until no such set remains. (Fang, Hsu and Hsu, ICGA Journal 27, 2004.)

use super::board::Board;
use super::cells::{OPEN, WIN, kind, sweep};
use super::solve::{BestCapture, Solver};
use chuhe_board::Side;
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;

/// Decides the positions that depend on perpetual check, after all others have been decided.
pub(crate) fn judge(solver: &mut Solver) {
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
                if kind(solver.cells(side)[number].load(Relaxed)) == OPEN {
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
        let mut answered = |number: usize| {
            *seen.entry(number).or_insert_with(|| {
                board.go(number);
                let mut moves = Vec::new();
                board.visit_moves(!side, false, |kind, from, to| {
                    let place = places.get(&board.number_after((!side, kind), from, to));
                    moves.extend(place.map(|place| (*place, board.gives_check((!side, kind), from, to))));
                    true
                });
                answers.push(moves);
                answers.len() - 1
            })
        };
        let (numbers, checked) = found
            .into_iter()
            .map(|(number, checked)| (number, checked.into_iter().map(&mut answered).collect::<Vec<_>>()))
            .unzip();
        Checks { numbers, checked, answers }
    }

    /// Returns the indices of the positions in which the side to move can be forced to check forever.
    fn perpetual(self) -> Vec<usize> {
        let mut lasting = vec![true; self.numbers.len()];
        loop {
            let reached = self.reach(&lasting);
            if reached == lasting {
                return self
                    .numbers
                    .into_iter()
                    .zip(lasting)
                    .filter(|(_, lasts)| *lasts)
                    .map(|(number, _)| number)
                    .collect();
            }
            lasting = reached;
        }
    }

    /// Returns, for each position, `true` if the checked side can force play into a lasting position by a
    /// move that is not a check.
    fn reach(&self, lasting: &[bool]) -> Vec<bool> {
        let mut reached = vec![false; lasting.len()];
        let mut answered = vec![false; self.answers.len()];
        loop {
            let mut is_new = false;
            for (answered, moves) in answered.iter_mut().zip(&self.answers).filter(|(answered, _)| !**answered) {
                *answered =
                    moves.iter().any(|&(place, is_check)| if is_check { reached[place] } else { lasting[place] });
                is_new |= *answered;
            }
            for place in 0..lasting.len() {
                reached[place] = lasting[place] && self.checked[place].iter().all(|&after| answered[after]);
            }
            if !is_new {
                return reached;
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
        if kind(solver.cells(!side)[after].load(Relaxed)) == WIN {
            return true;
        }
        checked.push(after);
        escapes = !board.gives_check((side, mover), from, to);
        !escapes
    });
    (!escapes).then_some(checked)
}
