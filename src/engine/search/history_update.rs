//! Updates of the histories after a node, and their use: bonuses and maluses for moves, and corrections of
//! evaluations.

use super::history::PieceTo;
use super::params::Params;
use super::worker::Worker;
use crate::eval::Evaluator;
use chuhe_board::Move;
use chuhe_board::score::{INFINITE, Score};

/// Marker for a missing evaluation: the side to move is in check.
pub(super) const NOT_EVALUATED: Score = -INFINITE;

/// Maximum error in centipawns used to update a correction; a larger error is due to tactics, not to the
/// evaluation.
const MAX_ERROR: Score = 400;

impl<E: Evaluator> Worker<'_, E> {
    /// Returns the history score of a move: for captures on the scale of one table, for quiet moves on the
    /// scale of three.
    // A call costs more in WebAssembly, where no registers survive it.
    #[cfg_attr(target_family = "wasm", inline(always))]
    pub(super) fn history_of(&self, mv: Move, ply: usize) -> i32 {
        let position = self.game.position();
        let Some(piece) = position.piece_on(mv.from) else { return 0 };
        match position.piece_on(mv.to) {
            Some(captured) if self.params.on.capture_history => {
                self.histories.capture.get(piece, mv.to, captured.kind())
            }
            Some(_) => 0,
            None => {
                let before = if self.params.on.continuation_history { self.before(ply) } else { [None; 2] };
                self.histories.of_quiet(position.side(), mv, PieceTo { piece, to: mv.to }, before)
            }
        }
    }

    /// Applies a bonus to the move that caused a cutoff, and a malus to the moves tried before it.
    pub(super) fn learn_cut(
        &mut self,
        mv: Move,
        depth: i32,
        ply: usize,
        failed_quiets: &[Move],
        failed_captures: &[Move],
    ) {
        let numbers = &self.params.numbers;
        let bonus = numbers.history_bonus * depth * depth + numbers.history_bonus_slope * depth;
        let bonus = bonus.min(numbers.history_bonus_most);
        let malus = numbers.history_malus * depth * depth + numbers.history_malus_slope * depth;
        let malus = malus.min(numbers.history_malus_most);
        let position = self.game.position();
        let side = position.side();
        let before = self.before(ply);
        let step_of = |mv: Move| position.piece_on(mv.from).map(|piece| PieceTo { piece, to: mv.to });
        // Quiet moves receive a malus only if a quiet move caused the cutoff; if a capture did, few quiet
        // moves had been tried.
        if position.piece_on(mv.to).is_none() {
            if self.params.on.killers {
                self.frames[ply].killers.remember(mv);
            }
            for (mv, bonus) in failed_quiets.iter().map(|&mv| (mv, -malus)).chain([(mv, bonus)]) {
                self.histories.quiet[side.index()].update(mv, bonus);
                for (table, before) in self.histories.continuation.iter_mut().zip(before) {
                    if let (Some(before), Some(step)) = (before, step_of(mv)) {
                        table.update(before, step, bonus);
                    }
                }
            }
        }
        let cutter = Some((mv, bonus)).filter(|(mv, _)| position.piece_on(mv.to).is_some());
        for (mv, bonus) in failed_captures.iter().map(|&mv| (mv, -malus)).chain(cutter) {
            if let (Some(piece), Some(captured)) = (position.piece_on(mv.from), position.piece_on(mv.to)) {
                self.histories.capture.update(piece, mv.to, captured.kind(), bonus);
            }
        }
    }

    /// Returns the previous move if it was quiet.
    fn quiet_move_before(&self, ply: usize) -> Option<(PieceTo, Move)> {
        let last = self.game.plies().last().filter(|last| last.captured().is_none())?;
        Some((self.frames[ply - 1].step?, last.mv?))
    }

    /// Returns `true` if the evaluation has improved since the mover's previous move or, if that was a reply
    /// to a check, since the move before it. Returns `false` at the mover's first move in the line, and
    /// `true` if neither position was evaluated.
    pub(super) fn is_improving(&self, static_score: Score, ply: usize) -> bool {
        let mut earlier =
            [2, 4].into_iter().filter(|&back| back <= ply).map(|back| self.frames[ply - back].static_score);
        ply >= 2 && earlier.find(|&before| before != NOT_EVALUATED).is_none_or(|before| static_score > before)
    }

    /// Applies a bonus or malus to the previous quiet move according to the change of evaluation. This also
    /// orders quiet moves that were never searched deeply enough to cause a cutoff.
    pub(super) fn learn_swing(&mut self, static_score: Score, ply: usize) {
        let before = self.frames[ply - 1].static_score;
        if before != NOT_EVALUATED
            && let Some((step, mv)) = self.quiet_move_before(ply)
        {
            // Each score is from its mover's point of view, so their sum is the loss caused by the move.
            let Params { numbers, .. } = self.params;
            let gain = numbers.swing_neutral - before - static_score;
            let bonus = (gain * numbers.swing_bonus / 16).clamp(-numbers.swing_bonus_most, numbers.swing_bonus_most);
            self.histories.quiet[step.piece.side().index()].update(mv, bonus);
        }
    }

    /// Applies a bonus to the previous quiet move if every reply failed low.
    pub(super) fn learn_reply(&mut self, depth: i32, ply: usize) {
        if let Some((step, mv)) = self.quiet_move_before(ply) {
            let Params { numbers, .. } = self.params;
            let bonus = (numbers.reply_bonus * depth * depth).min(numbers.reply_bonus_most);
            self.histories.quiet[step.piece.side().index()].update(mv, bonus);
            if let Some(before) = self.before(ply)[1] {
                self.histories.continuation[0].update(before, step, bonus);
            }
        }
    }

    /// Updates the corrections by the difference between a search result and the static evaluation.
    pub(super) fn learn_correction(&mut self, score: Score, depth: i32, ply: usize) {
        if self.params.on.correction_history {
            let weight = (depth + 1).min(16);
            let error = (score - self.evaluate()).clamp(-MAX_ERROR, MAX_ERROR);
            let position = self.game.position();
            for (table, structure) in self.histories.corrections.iter_mut().zip(self.frames[ply].structures) {
                table.learn(position.side(), structure, error, weight);
            }
        }
    }
}
