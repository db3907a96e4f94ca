//! Counting results by opening, year, event or player.

use super::find::Hit;
use super::query::Query;
use super::spelling::fold;
use super::store::Library;
use crate::records::GameResult;
use std::collections::HashMap;

/// Results from one side's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Results {
    /// Won games.
    pub won: u64,
    /// Drawn games.
    pub drawn: u64,
    /// Lost games.
    pub lost: u64,
    /// Unfinished games, and games without a result.
    pub unknown: u64,
}

/// Grouping of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Group {
    Opening,
    Year,
    Event,
    /// Each game counts for both players.
    Player,
}

/// A row of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Code of the opening, year, event or player; empty if unknown.
    pub name: String,
    /// Results: Red's or, for a player, the player's.
    pub results: Results,
}

impl Results {
    /// Counts a game; from Black's view the result is reversed.
    pub fn add(&mut self, result: GameResult, from_black: bool) {
        let count = match (result, from_black) {
            (GameResult::RedWins, false) | (GameResult::BlackWins, true) => &mut self.won,
            (GameResult::RedWins, true) | (GameResult::BlackWins, false) => &mut self.lost,
            (GameResult::Draw, _) => &mut self.drawn,
            (GameResult::Unknown, _) => &mut self.unknown,
        };
        *count += 1;
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.won + self.drawn + self.lost + self.unknown
    }

    /// Returns the score, 0 to 1, of the finished games; `None` if there are none.
    pub fn score(&self) -> Option<f64> {
        let ended = self.won + self.drawn + self.lost;
        (ended > 0).then(|| (self.won as f64 + self.drawn as f64 / 2.0) / ended as f64)
    }
}

impl Library {
    /// Returns the results of the games that match a query, by group, with the most games first.
    ///
    /// # Errors
    /// Returns a message of one line if the database is damaged.
    pub fn table(&self, query: &Query, group: Group) -> Result<Vec<Row>, String> {
        let mut rows: HashMap<String, Row> = HashMap::new();
        let mut count = |name: String, hit: &Hit, from_black: bool| {
            // Both spellings of a name share a row, under the one found first.
            let row = rows.entry(fold(&name)).or_insert_with(|| Row { name, results: Results::default() });
            row.results.add(hit.result, from_black);
        };
        self.each(&self.search(query)?, |hit| match group {
            Group::Opening => count(hit.opening.clone().unwrap_or_default(), &hit, false),
            Group::Year => count(hit.year.map_or(String::new(), |year| year.to_string()), &hit, false),
            Group::Event => count(hit.event.clone(), &hit, false),
            Group::Player => {
                count(hit.red.clone(), &hit, false);
                count(hit.black.clone(), &hit, true);
            }
        })?;
        let mut rows: Vec<Row> = rows.into_values().collect();
        rows.sort_by(|one, two| (two.results.games(), &one.name).cmp(&(one.results.games(), &two.name)));
        Ok(rows)
    }

    /// Returns the results of all games that match a query, from Red's view.
    ///
    /// # Errors
    /// Returns a message of one line if the database is damaged.
    pub fn results(&self, query: &Query) -> Result<Results, String> {
        let mut results = Results::default();
        self.each(&self.search(query)?, |hit| results.add(hit.result, false))?;
        Ok(results)
    }
}
