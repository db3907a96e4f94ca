//! The moves of the root, and what is known of each.

use super::limits::Limits;
use crate::board::{Move, Targets};
use crate::rules::Game;
use crate::score::{INFINITE, Score};

/// A move of the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Of the present iteration; −[`INFINITE`] if the move failed low.
    pub score: Score,
    /// Its principal variation, itself first.
    pub pv: Vec<Move>,
    /// How many nodes all iterations spent on it.
    pub nodes: u64,
    pub seldepth: usize,
}

/// The root moves in a first order: captures, then quiet moves; without the banned ones unless all are banned.
pub(super) fn root_moves(game: &Game, limits: &Limits) -> Vec<RootMove> {
    let position = game.position();
    let all = position.moves(Targets::Captures).into_iter().chain(position.moves(Targets::Quiets));
    let all: Vec<Move> = all.filter(|mv| limits.only.is_empty() || limits.only.contains(mv)).collect();
    let allowed: Vec<Move> = all.iter().copied().filter(|mv| !limits.banned.contains(mv)).collect();
    let moves = if allowed.is_empty() { all } else { allowed };
    moves.into_iter().map(|mv| RootMove { mv, score: -INFINITE, pv: vec![mv], nodes: 0, seldepth: 0 }).collect()
}

/// Best first. The sort is stable: moves that failed low keep their order.
pub(super) fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|root| std::cmp::Reverse(root.score));
}
