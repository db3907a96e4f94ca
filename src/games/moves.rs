//! What was played in a position: each move with its games, results and players.

use super::query::{Pattern, Query};
use super::store::Library;
use super::table::Results;
use crate::board::{Move, Position, Side};
use std::collections::HashMap;

/// A move that was played in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Continuation {
    /// The move.
    pub mv: Move,
    /// How the games ended, from the mover's view.
    pub results: Results,
    /// Who played it most often, at most three.
    pub players: Vec<String>,
    /// The last year in which it was played.
    pub last: Option<i64>,
}

/// What was counted of a move.
#[derive(Debug, Default)]
struct Tally {
    results: Results,
    players: HashMap<String, u64>,
    last: Option<i64>,
    /// How often it was this move, and not its mirror image.
    as_it_is: HashMap<Move, u64>,
}

impl Library {
    /// The moves that were played in a position and in its mirror image, in the games that meet a query (its own pattern doesn't matter): the most
    /// played first. A game counts once. In a position that is its own mirror image, a move counts together with its mirror image.
    ///
    /// # Errors
    /// One line: the database is damaged.
    pub fn moves(&self, position: &Position, query: &Query) -> Result<Vec<Continuation>, String> {
        let query = Query { pattern: Some(Pattern::position(position, true)), ..query.clone() };
        let is_symmetric = position.mirrored().key() == position.key();
        let mut tallies: HashMap<Move, Tally> = HashMap::new();
        self.each(&query, |hit| {
            let Some((place, mv)) = hit.place.and_then(|place| Some((place, place.mv?))) else { return };
            let mv = if place.mirrored { mv.mirrored() } else { mv };
            let other = mv.mirrored();
            let first = if is_symmetric && (other.from, other.to) < (mv.from, mv.to) { other } else { mv };
            let tally = tallies.entry(first).or_default();
            tally.results.add(hit.result, position.side() == Side::Black);
            tally.last = tally.last.max(hit.year);
            *tally.as_it_is.entry(mv).or_default() += 1;
            let player = if position.side() == Side::Red { hit.red } else { hit.black };
            if !player.is_empty() {
                *tally.players.entry(player).or_default() += 1;
            }
        })?;
        let mut moves: Vec<Continuation> = tallies.into_values().map(Tally::finish).collect();
        moves.sort_by_key(|found| (std::cmp::Reverse(found.results.games()), found.mv.to_string()));
        Ok(moves)
    }
}

impl Tally {
    fn finish(self) -> Continuation {
        let mut players: Vec<(String, u64)> = self.players.into_iter().collect();
        players.sort_by(|one, two| (two.1, &one.0).cmp(&(one.1, &two.0)));
        let mv = self.as_it_is.into_iter().max_by_key(|(mv, count)| (*count, mv.to_string())).map(|(mv, _)| mv);
        Continuation {
            mv: mv.expect("a tally begins with a move"),
            results: self.results,
            players: players.into_iter().take(3).map(|(name, _)| name).collect(),
            last: self.last,
        }
    }
}
