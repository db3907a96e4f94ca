//! Selection of book moves.

use super::entry::BookMove;
use chuhe_board::random::SplitMix64;
use chuhe_board::rules::{Game, Outcome, Terms, Verdict, judge};

/// Returns the book moves that may be played in a game: they have a nonzero weight and neither lose nor draw
/// at once by the rules.
pub fn sound_moves(game: &Game, moves: &[BookMove], terms: Terms) -> Vec<BookMove> {
    let is_sound = |entry: &&BookMove| {
        let mut after = game.clone();
        after.make(entry.mv);
        // The position after a mating move is a loss for the side to move.
        matches!(judge(&after, terms), Verdict::Open | Verdict::Over(Outcome::Loss, _))
    };
    moves.iter().filter(|entry| entry.weight > 0).filter(is_sound).copied().collect()
}

/// Selects a move with a probability proportional to its weight; `None` if there is none. The same seed
/// selects the same move.
pub fn choose(moves: &[BookMove], seed: u64) -> Option<&BookMove> {
    let total: u64 = moves.iter().map(|entry| entry.weight).sum();
    let mut drawn = SplitMix64::new(seed).below(total.max(1));
    moves.iter().find(|entry| match drawn.checked_sub(entry.weight) {
        Some(rest) => {
            drawn = rest;
            false
        }
        None => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::rules::RuleSet;

    fn entry(mv: &str, weight: u64) -> BookMove {
        BookMove { mv: mv.parse().unwrap(), weight, score: None, games: None }
    }

    #[test]
    fn moves_are_chosen_by_weight_and_repeatably() {
        let moves = [entry("h2e2", 30), entry("b0c2", 0), entry("c3c4", 10)];
        let mut counts = [0u32; 3];
        for seed in 0..4000 {
            let chosen = choose(&moves, seed).unwrap();
            assert_eq!(Some(chosen), choose(&moves, seed));
            counts[moves.iter().position(|entry| entry == chosen).unwrap()] += 1;
        }
        assert!(counts[0].abs_diff(3000) < 150 && counts[1] == 0, "{counts:?}");
        assert_eq!(choose(&[], 1), None);
    }

    #[test]
    fn a_move_that_loses_by_repetition_is_not_played() {
        // Red's rook gives perpetual check: after the next check, the position would occur for the third
        // time.
        let checks = "4k4/9/9/9/9/9/9/9/3R5/3K5 w moves d1e1 e9f9 e1f1 f9e9 f1e1 e9f9 e1f1 f9e9";
        let game = Game::read(checks).unwrap();
        let found = sound_moves(&game, &[entry("f1e1", 5), entry("f1g1", 5), entry("f1h1", 0)], RuleSet::Asian.terms());
        assert_eq!(found.iter().map(|entry| entry.mv.to_string()).collect::<Vec<_>>(), ["f1g1"]);
    }
}
