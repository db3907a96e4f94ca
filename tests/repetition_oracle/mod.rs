//! A small solver that knows nothing but the rules: can a side force a win, or at least a draw?

use chuhe::board::{Move, Side};
use chuhe::rules::{Game, Outcome, RuleSet, judge_repetition};

/// What is to be proven for a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    Win,
    Draw,
}

/// Proofs over a game tree: the side tries checks, answers to checks and the moves it is told of, the enemy everything. A repetition within
/// the tree is judged at once: the side can play it for ever. So a proof holds; that none is found says less.
pub struct Oracle<'o> {
    pub rules: RuleSet,
    pub side: Side,
    pub goal: Goal,
    /// Quiet moves that the side may try.
    pub ideas: &'o [Move],
    pub nodes: u32,
}

impl Oracle<'_> {
    /// Whether the side reaches its goal within `depth` plies; `None` if the nodes ran out.
    pub fn proves(&mut self, game: &mut Game, depth: u32) -> Option<bool> {
        self.nodes = self.nodes.checked_sub(1)?;
        let mover = game.position().side();
        let moves = game.position().legal_moves();
        if moves.is_empty() {
            return Some(mover != self.side);
        }
        if let Some(span) = game.occurrences().next() {
            let outcome = judge_repetition(game, self.rules, span).0;
            let outcome = if mover == self.side { outcome } else { !outcome };
            return Some(outcome == Outcome::Win || outcome == Outcome::Draw && self.goal == Goal::Draw);
        }
        if depth == 0 {
            return Some(false);
        }
        let ours = mover == self.side;
        let in_check = game.position().in_check();
        // Checks first, for both sides: they leave little choice.
        for checking in [true, false] {
            for &mv in &moves {
                if game.position().gives_check(mv) != checking {
                    continue;
                }
                if ours && !checking && !in_check && !self.ideas.contains(&mv) {
                    continue;
                }
                if self.proves_after(game, mv, depth)? == ours {
                    return Some(ours);
                }
            }
        }
        Some(!ours)
    }

    /// The same after a move of either side.
    pub fn proves_after(&mut self, game: &mut Game, mv: Move, depth: u32) -> Option<bool> {
        game.make(mv);
        let proven = self.proves(game, depth - 1);
        game.unmake();
        proven
    }
}
