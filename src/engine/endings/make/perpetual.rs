//! Perpetual check: who can hold a position only by checking at every move loses it, if the other need not check at every move, too.
//!
//! Of the positions that are left open, those count in which each move of the side to move loses or is a check. The largest set of them is
//! sought from which the checked side can always come back to the set, and from time to time by a move that is no check: the side to move
//! there checks forever or loses otherwise, and both lose. What follows from that is decided as usual. Then the same is asked again,
//! until no such set is left. (Fang, Hsu and Hsu, ICGA Journal 27, 2004.)

use super::cells::{OPEN, WIN, kind, share_out};
use super::men::Men;
use super::solve::{Captures, Solver};
use chuhe_board::Side;
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;

/// Decides all positions that perpetual check decides, once the others are decided.
pub fn judge(solver: &mut Solver) {
    loop {
        let lost = Side::ALL.map(|side| Checks::of(solver, side).perpetual());
        if lost.iter().all(Vec::is_empty) {
            return;
        }
        solver.lose_by_perpetual_check(lost);
    }
}

/// Open positions in which a side can only check or lose, with the answers.
struct Checks {
    numbers: Vec<usize>,
    /// The places of the positions after each check.
    checked: Vec<Vec<usize>>,
    /// For each position after a check: places of those that a move leads to, and whether that move is a check.
    answers: Vec<Vec<(usize, bool)>>,
}

impl Checks {
    fn of(solver: &Solver, side: Side) -> Checks {
        let mut found: Vec<(usize, Vec<usize>)> = Vec::new();
        let look = |numbers: std::ops::Range<usize>, found: &mut Vec<_>| {
            let mut men = Men::new(solver.index());
            for number in numbers {
                if kind(solver.cells(side)[number].load(Relaxed)) == OPEN {
                    men.go(number);
                    found.extend(only_checks(solver, &men, side).map(|checked| (number, checked)));
                }
            }
        };
        share_out(solver.index(), solver.threads(), look, |more| found.extend(more));
        let places: HashMap<usize, usize> =
            found.iter().enumerate().map(|(place, (number, _))| (*number, place)).collect();
        let mut men = Men::new(solver.index());
        let mut seen = HashMap::new();
        let mut answers = Vec::new();
        let mut answered = |number: usize| {
            *seen.entry(number).or_insert_with(|| {
                men.go(number);
                let mut moves = Vec::new();
                men.visit_moves(!side, false, |kind, from, to| {
                    let place = places.get(&men.number_after((!side, kind), from, to));
                    moves.extend(place.map(|place| (*place, men.gives_check((!side, kind), from, to))));
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

    /// The numbers of those from which the checks never end.
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

    /// From where the checked side gets to a lasting position by a move that is no check.
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

/// The numbers after each check, if every other move of a side loses.
fn only_checks(solver: &Solver, men: &Men, side: Side) -> Option<Vec<usize>> {
    if matches!(solver.best_capture(men, side), Captures::Hold) {
        return None;
    }
    let (mut checked, mut escapes) = (Vec::new(), false);
    men.visit_moves(side, false, |mover, from, to| {
        let after = men.number_after((side, mover), from, to);
        if kind(solver.cells(!side)[after].load(Relaxed)) == WIN {
            return true;
        }
        checked.push(after);
        escapes = !men.gives_check((side, mover), from, to);
        !escapes
    });
    (!escapes).then_some(checked)
}
