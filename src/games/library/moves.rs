//! Moves played in a position, with games, results and players.

use super::error::Error;
use super::query::{PLAYER, Pattern, Query, escape};
use super::store::Library;
use super::table::Results;
use crate::names::{Spellings, bare, comparable_name, fold, is_unknown};
use crate::records::GameResult;
use chuhe_board::{Move, Position, Side};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A move played in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Continuation {
    /// Move.
    pub mv: Move,
    /// Results from the mover's point of view.
    pub results: Results,
    /// Most frequent players, at most three.
    pub players: Vec<String>,
    /// Last year in which the move was played.
    pub last: Option<i64>,
}

/// Statistics of a move.
#[derive(Debug, Default)]
struct MoveStatistics {
    results: Results,
    /// Number of games by player number.
    players: HashMap<i64, u64>,
    last: Option<i64>,
    /// Number of games by the move as played: this move or its mirror image.
    as_it_is: HashMap<Move, u64>,
}

impl Library {
    /// Returns the moves played in a position and in its mirror image, in the games that match a query, most
    /// frequent first; the query's pattern is ignored. Each game counts only once. In a symmetric position, a
    /// move and its mirror image count together.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn moves(&self, position: &Position, query: &Query) -> Result<Vec<Continuation>, Error> {
        let query = Query { pattern: Some(Pattern::position(position, true)), ..query.clone() };
        let found = self.search(&query)?;
        let is_symmetric = position.mirrored().key() == position.key();
        let (is_black, mover) = match position.side() {
            Side::Red => (false, "red"),
            Side::Black => (true, "black"),
        };
        let own = query.player.as_ref().map(|name| self.players(name)).transpose()?;
        let mut by_move: HashMap<Move, MoveStatistics> = HashMap::new();
        let count = self.walk(&found, &format!("id, {mover}, year, result FROM games"), |found, row| {
            let Some((place, mv)) = found.place.and_then(|place| Some((place, place.mv?))) else { return Ok(()) };
            if own.as_ref().is_some_and(|own| row.get(1).is_ok_and(|player| !own.contains(&player))) {
                return Ok(());
            }
            let mv = if place.mirrored { mv.mirrored() } else { mv };
            let other = mv.mirrored();
            let first = if is_symmetric && (other.from, other.to) < (mv.from, mv.to) { other } else { mv };
            let statistics = by_move.entry(first).or_default();
            statistics.results.add(GameResult::read(row.get_ref(3)?.as_str()?), is_black);
            statistics.last = statistics.last.max(row.get(2)?);
            *statistics.as_it_is.entry(mv).or_default() += 1;
            *statistics.players.entry(row.get(1)?).or_default() += 1;
            Ok(())
        });
        count?;
        let moves = by_move.into_values().map(|statistics| self.finish(statistics));
        let mut moves = moves.collect::<rusqlite::Result<Vec<_>>>()?;
        moves.sort_by_key(|found| (Reverse(found.results.games()), found.mv.to_string()));
        Ok(moves)
    }

    /// Returns the numbers of the players whose names match `name`.
    fn players(&self, name: &str) -> rusqlite::Result<HashSet<i64>> {
        let mut statement = self.database.prepare_cached(&format!("SELECT id FROM players WHERE {PLAYER}"))?;
        let part = format!("%{}%", escape(&fold(name)));
        statement.query_map((self.aliases.key(name), part), |row| row.get(0))?.collect()
    }

    fn finish(&self, statistics: MoveStatistics) -> rusqlite::Result<Continuation> {
        let mut statement = self.database.prepare_cached("SELECT name FROM players WHERE id = ?1")?;
        // All spellings of a player are counted together, with or without a place before the name.
        let mut players: BTreeMap<String, Spellings> = BTreeMap::new();
        for (id, games) in statistics.players {
            let name: String = statement.query_row([id], |row| row.get(0))?;
            let key = self.aliases.key(bare(&comparable_name(self.aliases.name(&name))));
            if !is_unknown(&name) {
                players.entry(key).or_default().add(self.aliases.name(&name), games);
            }
        }
        let mut players: Vec<Spellings> = players.into_values().collect();
        players.sort_by_key(|player| Reverse(player.games()));
        let mv = statistics.as_it_is.into_iter().max_by_key(|(mv, count)| (*count, mv.to_string())).map(|(mv, _)| mv);
        Ok(Continuation {
            mv: mv.expect("statistics begin with a move"),
            results: statistics.results,
            players: players.iter().take(3).map(|player| player.usual().to_owned()).collect(),
            last: statistics.last,
        })
    }
}
