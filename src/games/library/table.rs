//! Counting results by opening, year, event or player.

use super::error::Error;
use super::find::Hit;
use super::query::Query;
use super::store::Library;
use crate::names::{Spellings, fold, is_unknown};
use crate::records::GameResult;
use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;

/// Results from one side's point of view.
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

/// Side or player whose results are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultsFor {
    /// Red.
    Red,
    /// Black, if the query names only Black's player.
    Black,
    /// The player named by the query, with either colour.
    Player,
}

/// A row of the table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ResultRow {
    /// Code of the opening, year, event or player; empty if unknown.
    pub name: String,
    /// Results as Red.
    pub red: Results,
    /// Results as Black; all zero if only Red's results are counted.
    pub black: Results,
}

impl ResultRow {
    /// Returns the results with both colours.
    pub fn results(&self) -> Results {
        let ResultRow { red, black, .. } = self;
        Results {
            won: red.won + black.won,
            drawn: red.drawn + black.drawn,
            lost: red.lost + black.lost,
            unknown: red.unknown + black.unknown,
        }
    }

    /// Compares rows for sorting: by number of games in descending order, then by name; a row without a name
    /// is the last.
    pub(super) fn by_games(&self, other: &ResultRow) -> Ordering {
        let order = |row: &ResultRow| (row.name.is_empty(), Reverse(row.results().games()));
        order(self).cmp(&order(other)).then_with(|| self.name.cmp(&other.name))
    }

    pub(super) fn add(&mut self, result: GameResult, with_black: bool) {
        if with_black { &mut self.black } else { &mut self.red }.add(result, with_black);
    }
}

impl Query {
    /// Returns the side or player whose results [`Library::table`] counts: the player named by the query,
    /// otherwise Red.
    pub fn view(&self) -> ResultsFor {
        match (&self.player, &self.red, &self.black) {
            (Some(_), ..) => ResultsFor::Player,
            (None, None, Some(_)) => ResultsFor::Black,
            (None, ..) => ResultsFor::Red,
        }
    }
}

impl Results {
    /// Counts a game; if `from_black` is set, the result is reversed.
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
    /// Returns the results of the games that match a query, one row per group, largest groups first. Games
    /// without an opening, a year or an event form the last row without a name; players without a name have
    /// no row.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn table(&self, query: &Query, group: Group) -> Result<Vec<ResultRow>, Error> {
        let mut rows = match group {
            Group::Player => self.players_table(query)?,
            Group::Opening => self.games_table(query, |hit| hit.opening.clone())?,
            Group::Year => self.games_table(query, |hit| hit.year.map(|year| year.to_string()))?,
            Group::Event => {
                self.games_table(query, |hit| Some(hit.event.clone()).filter(|event| !is_unknown(event)))?
            }
        };
        rows.sort_by(ResultRow::by_games);
        Ok(rows)
    }

    /// Returns the results of each player, in no particular order. All spellings of a name share a row.
    fn players_table(&self, query: &Query) -> Result<Vec<ResultRow>, Error> {
        let mut rows: HashMap<String, (Spellings, ResultRow)> = HashMap::new();
        self.each(&self.search(query)?, |hit| {
            let players = [(&hit.red, false), (&hit.black, true)].into_iter();
            for (name, with_black) in players.filter(|(name, _)| !is_unknown(name)) {
                let (spellings, row) = rows.entry(self.aliases.key(name)).or_default();
                spellings.add(self.aliases.name(name), 1);
                row.add(hit.result, with_black);
            }
        })?;
        let named = |(spellings, row): (Spellings, ResultRow)| ResultRow { name: spellings.usual().to_owned(), ..row };
        Ok(rows.into_values().map(named).collect())
    }

    /// Returns the results by a property of the games, in no particular order.
    fn games_table(&self, query: &Query, property: impl Fn(&Hit) -> Option<String>) -> Result<Vec<ResultRow>, Error> {
        let mut rows: HashMap<String, ResultRow> = HashMap::new();
        self.each(&self.search(query)?, |hit| {
            let name = property(&hit).unwrap_or_default();
            let row = rows.entry(fold(&name)).or_insert_with(|| ResultRow { name, ..ResultRow::default() });
            self.colours(query, &hit).for_each(|with_black| row.add(hit.result, with_black));
        })?;
        Ok(rows.into_values().collect())
    }

    /// Returns the results of all games that match a query, from the point of view of [`Query::view`].
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn results(&self, query: &Query) -> Result<ResultRow, Error> {
        let mut all = ResultRow::default();
        self.each(&self.search(query)?, |hit| {
            self.colours(query, &hit).for_each(|with_black| all.add(hit.result, with_black));
        })?;
        Ok(all)
    }

    /// Returns the colours whose results are counted: `true` for Black. Returns both if both players in a
    /// game match the name in the query.
    fn colours(&self, query: &Query, hit: &Hit) -> impl Iterator<Item = bool> {
        let is_player = |name: &str| query.player.as_ref().is_some_and(|wanted| self.aliases.is_part(wanted, name));
        let counted = match query.view() {
            ResultsFor::Red => [true, false],
            ResultsFor::Black => [false, true],
            ResultsFor::Player => [is_player(&hit.red), is_player(&hit.black)],
        };
        [false, true].into_iter().zip(counted).filter_map(|(with_black, counts)| counts.then_some(with_black))
    }
}
