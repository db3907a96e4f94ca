//! Games of a tuning run: two settings play the same openings with reversed colours.
//!
//! Players search a fixed number of nodes and clear their state between games, so a game depends only on its
//! opening and the two settings, and not on the number of threads.

use super::spsa::BoutResult;
use crate::data::adjudication::Adjudication;
use crate::data::selfplay::{choose, play_out, searcher};
use chuhe_board::rules::{Outcome, Terms};
use chuhe_board::share_out;
use chuhe_board::{Position, Side};
use chuhe_engine::eval::Network;
use chuhe_engine::search::{Limits, Params, STACK};
use chuhe_engine::{Error, Searcher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use thiserror::Error;

/// Two players per thread, and the games to play.
pub struct Sparring {
    seats: Vec<[Searcher; 2]>,
    openings: Vec<Position>,
    pairs: usize,
    limits: Limits,
}

/// Two settings of an iteration.
pub struct Bout {
    /// Iteration, from 1; it selects the openings.
    pub iteration: u32,
    /// The two settings; wins are counted for the first.
    pub settings: [Params; 2],
}

/// Reason why a game of a tuning run cannot be played.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NotPlayed {
    /// The opening with this number, from 1, has no legal move.
    #[error("opening {0} has no legal move")]
    Opening(usize),
    /// The system has no thread left.
    #[error("cannot create a thread: {0}")]
    Thread(#[from] std::io::Error),
}

impl Sparring {
    /// Creates players for `threads` threads, with a network or the hand-written evaluation and a hash table
    /// of `hash_mb` MB each, that play `pairs` pairs of games per bout with exactly `nodes` nodes per move.
    ///
    /// # Errors
    /// Returns an error if the hash tables cannot be allocated.
    pub fn new(
        network: Option<&Arc<Network>>,
        threads: usize,
        hash_mb: usize,
        openings: Vec<Position>,
        pairs: u32,
        nodes: u32,
    ) -> Result<Sparring, Error> {
        let player = || searcher(network, hash_mb, Terms::default());
        let seats = (0..threads).map(|_| Ok([player()?, player()?])).collect::<Result<_, Error>>()?;
        // If searches could exceed the limit to complete an iteration, settings that exceed it more often
        // would have an advantage.
        let limits = Limits { nodes: Some(nodes.into()), ..Limits::default() };
        Ok(Sparring { seats, openings, pairs: pairs as usize, limits })
    }

    /// Plays all games of the bouts. Returns `None` if `stop` was set before they ended.
    ///
    /// # Errors
    /// Returns an error if a game cannot be played.
    pub fn play(&mut self, bouts: &[Bout], stop: &AtomicBool) -> Result<Option<Vec<BoutResult>>, NotPlayed> {
        let Sparring { seats, openings, pairs, limits } = self;
        let (openings, pairs, limits) = (&openings[..], *pairs, &*limits);
        let games: Vec<usize> = (0..bouts.len() * pairs * 2).collect();
        let played = share_out("sparring", STACK, seats, &games, |seat, &game| {
            let (bout, pair, exchanged) = (&bouts[game / 2 / pairs], game / 2 % pairs, game % 2 == 1);
            let opening = ((bout.iteration as usize - 1) * pairs + pair) % openings.len();
            let played = play_game(seat, bout, &openings[opening], exchanged, limits, stop);
            played.ok_or_else(|| (!stop.load(Relaxed)).then_some(NotPlayed::Opening(opening + 1)))
        });
        let mut results = vec![BoutResult::default(); bouts.len()];
        for (game, outcome) in games.iter().zip(played?) {
            match outcome {
                Some(Ok(outcome)) => results[game / 2 / pairs] += outcome,
                Some(Err(Some(reason))) => return Err(reason),
                Some(Err(None)) | None => return Ok(None),
            }
        }
        Ok(Some(results))
    }
}

/// Plays one game of a bout and returns the result of the first setting.
fn play_game(
    players: &mut [Searcher; 2],
    bout: &Bout,
    opening: &Position,
    exchanged: bool,
    limits: &Limits,
    stop: &AtomicBool,
) -> Option<BoutResult> {
    for (player, params) in players.iter_mut().zip(&bout.settings) {
        player.forget();
        player.set_params(params.clone());
    }
    let own = if exchanged { Side::Black } else { Side::Red };
    let course = play_out(opening, Terms::default(), Some(Adjudication::default()), stop, |game| {
        choose(&mut players[usize::from(game.position().side() != own)], game, limits)
    })?;
    Some(match course.result.seen_from(own) {
        Outcome::Win => BoutResult { won: 1, ..BoutResult::default() },
        Outcome::Draw => BoutResult { drawn: 1, ..BoutResult::default() },
        Outcome::Loss => BoutResult { lost: 1, ..BoutResult::default() },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_engine::search::params::Switches;

    fn sparring(threads: usize) -> Sparring {
        let openings = crate::arena::openings::built_in().iter().take(5).map(|opening| opening.position()).collect();
        Sparring::new(None, threads, 1, openings, 2, 300).expect("1 MB")
    }

    fn bouts(settings: [Params; 2]) -> Vec<Bout> {
        (1..=3).map(|iteration| Bout { iteration, settings: settings.clone() }).collect()
    }

    fn play(threads: usize, settings: [Params; 2]) -> Vec<BoutResult> {
        let played = sparring(threads).play(&bouts(settings), &AtomicBool::new(false));
        played.expect("openings have moves").expect("it is not stopped")
    }

    #[test]
    fn equals_are_equal() {
        let results = play(2, [Params::default(), Params::default()]);
        assert!(results.iter().all(|result| result.margin() == 0 && result.games() == 4), "{results:?}");
    }

    #[test]
    fn the_better_setting_wins_whichever_it_is_on_any_number_of_threads() {
        let weak = Params { on: Switches::none(), ..Params::default() };
        let results = play(1, [Params::default(), weak.clone()]);
        assert!(results.iter().all(|result| result.games() == 4));
        assert!(results.iter().map(|result| result.margin()).sum::<i64>() >= 6, "{results:?}");
        assert_eq!(play(3, [Params::default(), weak.clone()]), results);
        let turned = results.iter().map(|result| BoutResult { won: result.lost, lost: result.won, ..*result });
        assert_eq!(play(2, [weak, Params::default()]), turned.collect::<Vec<_>>());
    }

    #[test]
    fn a_stopped_bout_counts_for_nothing() {
        let stopped = sparring(2).play(&bouts([Params::default(), Params::default()]), &AtomicBool::new(true));
        assert!(matches!(stopped, Ok(None)));
    }
}
