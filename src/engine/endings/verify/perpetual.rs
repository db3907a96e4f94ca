//! Verification of wins by perpetual check, and of related draws.
//!
//! A lost position is a start of perpetual checks if its moves give a distance two plies greater than its
//! own. Each move that leads to this distance must be a check, and the checked side must be able to return to
//! such positions of the same distance, and to do so repeatedly with a move that is not a check. Under this
//! condition, distances to perpetual check prove a win, as distances to mate do. Conversely, no draw that the
//! side to move holds only by checks may be such a start.

use super::{Checker, Refuted, Suspects, TableValue};
use crate::endings::PERPETUAL;
use chuhe_board::rules::Outcome;
use chuhe_board::{Move, Position, Side};
use std::collections::{HashMap, HashSet};

impl Checker {
    /// Returns `true` if a position must be verified together with others, because the values after its moves
    /// are not sufficient.
    pub(super) fn may_be_perpetual(
        &self,
        position: &Position,
        number: usize,
        said: TableValue,
        follows: TableValue,
    ) -> bool {
        let may_begin = said.outcome == Outcome::Loss && said.capture >= PERPETUAL && said.mate == said.capture;
        let begins = may_begin && follows.outcome == Outcome::Loss && follows.capture == said.capture.saturating_add(2);
        if !begins && (said != TableValue::DRAW || follows != TableValue::DRAW) {
            return false;
        }
        let holding = self.holding(position, number, said);
        // If a capture draws, the position is drawn in any case.
        let none_holds = begins
            || position.legal_moves().into_iter().all(|mv| match self.capture(position, mv) {
                Some(next) => next.outcome == Outcome::Win,
                None => true,
            });
        none_holds && holding.iter().all(|(mv, _)| position.gives_check(*mv))
    }

    /// Returns the value of a capture for the enemy; `None` for other moves.
    fn capture(&self, position: &Position, mv: Move) -> Option<TableValue> {
        let (mover, taken) = (position.piece_on(mv.from)?, position.piece_on(mv.to)?);
        Some(self.after_capture(position, mover, mv, taken))
    }

    /// Returns the quiet moves that lead to draws, or from one start of perpetual checks to the next, and the
    /// indices after them.
    fn holding(&self, position: &Position, number: usize, said: TableValue) -> Vec<(Move, usize)> {
        let next = match said.outcome {
            Outcome::Draw => TableValue::DRAW,
            _ => TableValue { outcome: Outcome::Win, capture: said.capture + 1, mate: said.capture + 1 },
        };
        let quiet = position.legal_moves().into_iter().filter(|mv| position.piece_on(mv.to).is_none());
        let after = quiet.filter_map(|mv| Some((mv, self.after(position, number, position.piece_on(mv.from)?, mv))));
        after.filter(|(_, after)| self.own.worth(!position.side(), *after) == next).collect()
    }

    /// Checks that every claimed start of perpetual checks is one, and that no draw is one.
    pub(super) fn check_perpetual(&self, suspects: Suspects) -> Result<(), Refuted> {
        for ((side, is_lost, _), numbers) in suspects.0 {
            let lasting = self.lasting(Side::ALL[side], &numbers);
            let wrong = numbers.iter().find(|number| lasting.contains(number) != is_lost);
            let position = wrong.and_then(|&number| self.position(number, Side::ALL[side]));
            if let (Some(&number), Some(position)) = (wrong, position) {
                let said = self.own.worth(Side::ALL[side], number);
                let follows = if is_lost {
                    TableValue::DRAW
                } else {
                    TableValue { capture: PERPETUAL, mate: PERPETUAL, ..TableValue::MATED }
                };
                return Err(Refuted::Value(self.own.index.material(), Box::new(position), said, follows));
            }
        }
        Ok(())
    }

    fn position(&self, number: usize, side: Side) -> Option<Position> {
        Position::of_pieces(self.own.index.pieces(number), side)
    }

    /// Returns the positions in which `side` can be forced to give perpetual check within the set.
    fn lasting(&self, side: Side, numbers: &[usize]) -> HashSet<usize> {
        let mut lasting: HashSet<usize> = numbers.iter().copied().collect();
        let checks = |&number: &usize| {
            let position = self.position(number, side)?;
            let said = self.own.worth(side, number);
            let checked = self.holding(&position, number, said).into_iter().map(|(_, after)| after);
            Some((number, checked.collect::<Vec<usize>>()))
        };
        let checks: HashMap<usize, Vec<usize>> = numbers.iter().filter_map(checks).collect();
        let answers: HashMap<usize, Vec<(usize, bool)>> =
            checks.values().flatten().map(|&number| (number, self.answers(number, !side, &lasting))).collect();
        loop {
            // From these positions, the checked side can force a move that is not a check and stays within
            // the set.
            let mut forced = HashSet::new();
            loop {
                let answers_well = |number: &usize| {
                    let mut moves = answers[number].iter();
                    moves.any(|(next, is_check)| if *is_check { forced.contains(next) } else { lasting.contains(next) })
                };
                let more = lasting.iter().filter(|number| !forced.contains(*number));
                let more: Vec<usize> =
                    more.filter(|number| checks[*number].iter().all(answers_well)).copied().collect();
                if more.is_empty() {
                    break;
                }
                forced.extend(more);
            }
            if forced.len() == lasting.len() {
                return lasting;
            }
            lasting = forced;
        }
    }

    /// Returns the indices in `set` that the checked side reaches with quiet moves, each with `true` if the
    /// move is a check.
    fn answers(&self, number: usize, side: Side, set: &HashSet<usize>) -> Vec<(usize, bool)> {
        let Some(position) = self.position(number, side) else { return Vec::new() };
        let quiet = position.legal_moves().into_iter().filter(|mv| position.piece_on(mv.to).is_none());
        let after = quiet.filter_map(|mv| Some((self.after(&position, number, position.piece_on(mv.from)?, mv), mv)));
        after.filter(|(next, _)| set.contains(next)).map(|(next, mv)| (next, position.gives_check(mv))).collect()
    }
}
