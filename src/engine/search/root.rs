//! Root moves and their statistics.

use super::limits::Limits;
use chuhe_board::rules::Game;
use chuhe_board::score::{INFINITE, Score};
use chuhe_board::{Move, MoveClass, Side};

/// A root move.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Score in the current iteration; −[`INFINITE`] if the move failed low.
    pub score: Score,
    /// Mean of the scores of all iterations, with more weight on later ones; `None` after a decided score.
    pub mean: Option<Score>,
    /// Principal variation, beginning with the move.
    pub pv: Vec<Move>,
    /// Number of nodes spent on the move in all iterations.
    pub nodes: u64,
    pub seldepth: usize,
}

/// Returns the root moves in an initial order: captures, then quiet moves; excludes banned moves unless all
/// are banned.
pub(super) fn root_moves(game: &Game, limits: &Limits) -> Vec<RootMove> {
    let position = game.position();
    let all = position.moves(MoveClass::Captures).into_iter().chain(position.moves(MoveClass::Quiets));
    let all: Vec<Move> = all.filter(|mv| limits.only.is_empty() || limits.only.contains(mv)).collect();
    let allowed: Vec<Move> = all.iter().copied().filter(|mv| !limits.banned.contains(mv)).collect();
    let mut moves = if allowed.is_empty() { all } else { allowed };
    // Without history, a move and its mirror image are equivalent; with history, one of them may repeat a
    // position.
    if game.plies().is_empty() && *position == position.mirrored() {
        moves.sort_by_key(|&mv| (position.piece_on(mv.to).is_none(), is_with_the_left_hand(mv, position.side())));
    }
    moves
        .into_iter()
        .map(|mv| RootMove { mv, score: -INFINITE, mean: None, pv: vec![mv], nodes: 0, seldepth: 0 })
        .collect()
}

/// Returns `true` if a move is on the mover's left compared with its mirror image. In symmetric positions,
/// both moves have the same value, and players prefer the right side: the usual central cannon is 炮二平五, not
/// 炮八平五.
fn is_with_the_left_hand(mv: Move, side: Side) -> bool {
    let files = |mv: Move| (mv.from.file(), mv.to.file());
    match side {
        Side::Red => files(mv) < files(mv.mirrored()),
        Side::Black => files(mv) > files(mv.mirrored()),
    }
}

/// Sorts moves, best first. The sort is stable: moves that failed low keep their order.
pub(super) fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|root| std::cmp::Reverse(root.score));
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::Position;

    fn first_moves(fen: &str) -> Vec<String> {
        let game = Game::new(fen.parse::<Position>().expect("a legal position"));
        root_moves(&game, &Limits::default()).iter().map(|root| root.mv.to_string()).collect()
    }

    #[test]
    fn of_two_moves_that_are_worth_the_same_the_right_hand_comes_first() {
        for (side, right, left) in [("w", "h2e2", "b2e2"), ("b", "b7e7", "h7e7")] {
            let moves = first_moves(&format!("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR {side}"));
            let place = |wanted: &str| moves.iter().position(|mv| mv == wanted);
            assert_eq!(moves.len(), 44);
            assert!(place(right) < place(left), "{side}");
        }
        // In asymmetric positions, the order of the generator is used.
        let moves = first_moves("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C6C/9/RNBAKABNR w");
        assert!(moves.iter().position(|mv| mv == "b2e2") < moves.iter().position(|mv| mv == "i2e2"));
    }
}
