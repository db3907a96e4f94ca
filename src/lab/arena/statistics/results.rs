//! Counts of results: single games, or pairs of games with the same opening.

use chuhe_board::rules::Outcome;

/// Samples counted by score.
pub trait Results {
    /// Returns the number of samples for each score, evenly spaced from 0 to 1: three counts for games, five
    /// for pairs.
    fn counts(&self) -> &[u64];
}

/// Single games: the trinomial model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCounts([u64; 3]);

impl GameCounts {
    /// Creates counts from the number of games of each outcome.
    pub fn new(wins: u64, draws: u64, losses: u64) -> Self {
        GameCounts([losses, draws, wins])
    }

    /// Adds a game.
    pub fn add(&mut self, outcome: Outcome) {
        self.0[usize::from(outcome.half_points())] += 1;
    }

    /// Returns the number of games won.
    pub fn wins(&self) -> u64 {
        self.0[2]
    }

    /// Returns the number of games drawn.
    pub(crate) fn draws(&self) -> u64 {
        self.0[1]
    }

    /// Returns the number of games lost.
    pub fn losses(&self) -> u64 {
        self.0[0]
    }

    /// Returns the number of games.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the share of drawn games, 0 to 1; 0 if there are no games.
    pub(crate) fn draw_rate(&self) -> f64 {
        self.draws() as f64 / self.total().max(1) as f64
    }
}

impl Results for GameCounts {
    fn counts(&self) -> &[u64] {
        &self.0
    }
}

/// Pairs of games with the same opening and reversed colours, counted by their total score: the pentanomial
/// model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs([u64; 5]);

impl Pairs {
    /// Creates counts from the number of pairs with each score: two losses, a loss and a draw, one point (two
    /// draws, or a win and a loss), a win and a draw, two wins.
    pub fn new(counts: [u64; 5]) -> Self {
        Pairs(counts)
    }

    /// Adds a finished pair. The order of its games is irrelevant.
    pub fn add(&mut self, one: Outcome, other: Outcome) {
        self.0[usize::from(one.half_points()) + usize::from(other.half_points())] += 1;
    }

    /// Returns the number of pairs.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

impl Results for Pairs {
    fn counts(&self) -> &[u64] {
        &self.0
    }
}

/// Returns the score of class `index` of `classes`, from 0 to 1.
pub(super) fn class_score(index: usize, classes: usize) -> f64 {
    index as f64 / (classes - 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_counts_by_its_common_score() {
        use Outcome::{Draw, Loss, Win};
        let mut pairs = Pairs::default();
        for (one, other) in [(Loss, Loss), (Draw, Loss), (Loss, Win), (Draw, Draw), (Draw, Win), (Win, Win)] {
            pairs.add(one, other);
        }
        assert_eq!(pairs, Pairs::new([1, 1, 2, 1, 1]));
        assert_eq!(pairs.total(), 6);
    }
}
