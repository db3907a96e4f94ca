//! Statistics of match results: difference in strength, its uncertainty, and sequential tests.
//!
//! Results are counted in one of two ways: [`GameCounts`] counts single games; [`Pairs`] counts the two games
//! of an opening, one with each colour, as one sample. The advantage that an opening gives to a side then
//! cancels out instead of adding noise, so the same games give a narrower interval and a shorter test. Both
//! implement [`Results`], which [`Elo`] and [`Sprt`] accept.
//!
//! ```
//! use chuhe_lab::arena::statistics::{Elo, Pairs, Sprt, Verdict};
//! use chuhe_board::rules::Outcome;
//!
//! let mut pairs = Pairs::default();
//! for _ in 0..50 {
//!     pairs.add(Outcome::Win, Outcome::Draw);
//!     pairs.add(Outcome::Draw, Outcome::Draw);
//!     pairs.add(Outcome::Loss, Outcome::Win);
//!     pairs.add(Outcome::Loss, Outcome::Draw);
//!     pairs.add(Outcome::Draw, Outcome::Win);
//! }
//! assert_eq!(Elo::of(&pairs).to_string(), "+34.9 [+18.4, +51.3]");
//!
//! let test = Sprt::new(0.0, 10.0, 0.05, 0.05).expect("the bounds are in order");
//! assert_eq!(test.verdict(&pairs), Verdict::AcceptH1);
//! ```

mod elo;
mod results;
mod sprt;

pub use elo::{Elo, MAX_ELO};
pub use results::{GameCounts, Pairs, Results};
pub use sprt::{Sprt, SprtError, Verdict};

#[cfg(test)]
mod simulation {
    //! Simulated matches between players of known strength, to validate the statistics.

    use super::{GameCounts, Pairs};
    use chuhe_board::random::SplitMix64;
    use chuhe_board::rules::Outcome;

    /// Probabilities of a player's results against another player, and the effect of openings.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Truth {
        pub score: f64,
        pub draw_rate: f64,
        /// Score by which an opening favours or disfavours the first player; the return game reverses it.
        pub opening_swing: f64,
    }

    impl Truth {
        fn game(&self, random: &mut SplitMix64, swing: f64) -> Outcome {
            let win = self.score + swing - self.draw_rate / 2.0;
            debug_assert!(win >= -1e-9 && win + self.draw_rate <= 1.0 + 1e-9, "{self:?} is impossible");
            match random.unit_f64() {
                luck if luck < win => Outcome::Win,
                luck if luck < win + self.draw_rate => Outcome::Draw,
                _ => Outcome::Loss,
            }
        }

        pub(super) fn add_pair(&self, random: &mut SplitMix64, pairs: &mut Pairs) {
            let swing = if random.below(2) == 0 { self.opening_swing } else { -self.opening_swing };
            pairs.add(self.game(random, swing), self.game(random, -swing));
        }

        pub(super) fn add_game(&self, random: &mut SplitMix64, games: &mut GameCounts) {
            games.add(self.game(random, 0.0));
        }
    }
}
