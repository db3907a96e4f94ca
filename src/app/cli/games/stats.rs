//! `chuhe games stats`: results by opening, year, event or player.

use super::filters::SelectionArgs;
use crate::cli::Done;
use crate::cli::language::LanguageArgs;
use crate::output::{Align, Table, json, width};
use chuhe_board::words::{Key, Language};
use chuhe_games::library::{Group, Results, Row};
use chuhe_games::openings::Opening;
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::io::Write;

#[derive(Args)]
pub(super) struct Stats {
    #[command(flatten)]
    games: SelectionArgs,

    /// Grouping; rows of players count results from their view, other rows from Red's
    #[arg(long, value_enum, default_value_t = By::Opening)]
    by: By,

    /// Show at most this many rows; 0 = all
    #[arg(long, value_name = "N", default_value_t = 30)]
    limit: usize,

    /// Print one line of JSON per row
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    language: LanguageArgs,
}

/// Grouping of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum By {
    /// By opening
    Opening,
    /// By year
    Year,
    /// By event
    Event,
    /// By player; each game counts for both players
    Player,
}

/// A row as JSON.
#[derive(Serialize)]
struct JsonRow<'r> {
    name: &'r str,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    unknown: u64,
    score: Option<f64>,
}

impl Stats {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let (query, place) = (self.games.query()?, &self.games.library);
        let library = place.open()?;
        let group = match self.by {
            By::Opening => Group::Opening,
            By::Year => Group::Year,
            By::Event => Group::Event,
            By::Player => Group::Player,
        };
        let language = self.language.language();
        let mut rows = place.or_fail(library.table(&query, group))?;
        let all = place.or_fail(library.results(&query))?;
        if self.by == By::Year {
            rows.sort_by(|one, two| one.name.cmp(&two.name));
        }
        if self.limit > 0 {
            rows.truncate(self.limit);
        }
        if self.json {
            return rows.iter().try_for_each(|row| Ok(json::write_line(&mut *out, &JsonRow::of(row))?));
        }
        rows.push(Row { name: language.word(Key::All).to_owned(), results: all });
        write!(out, "{}", self.table(&rows, language).fitted(width()))?;
        Ok(())
    }

    fn table(&self, rows: &[Row], language: Language) -> Table {
        let head = match self.by {
            By::Opening => Key::ColumnOpening,
            By::Year => Key::ColumnYear,
            By::Event => Key::ColumnEvent,
            By::Player => Key::Player,
        };
        let mut table = Table::new(std::iter::once((language.word(head), Align::Left)).chain(result_columns(language)));
        for row in rows {
            let opening = Opening::with_code(&row.name).filter(|_| self.by == By::Opening);
            let name = match opening {
                Some(opening) => format!("{} {}", opening.code, opening.name(language)),
                None => row.name.clone(),
            };
            table.row(std::iter::once(name).chain(result_cells(&row.results)));
        }
        table
    }
}

/// Returns the headings of [`result_cells`].
pub(super) fn result_columns(language: Language) -> impl Iterator<Item = (&'static str, Align)> {
    let keys =
        [Key::ColumnGames, Key::ColumnWon, Key::ColumnDrawn, Key::ColumnLost, Key::ColumnUnknown, Key::ColumnScore];
    keys.into_iter().map(move |key| (language.word(key), Align::Right))
}

/// Returns results as cells of a table.
pub(super) fn result_cells(results: &Results) -> impl Iterator<Item = String> {
    let counts =
        [results.games(), results.won, results.drawn, results.lost, results.unknown].map(|count| count.to_string());
    let score = results.score().map_or(String::new(), |score| format!("{:.1} %", 100.0 * score));
    counts.into_iter().chain([score])
}

impl<'r> JsonRow<'r> {
    fn of(row: &'r Row) -> JsonRow<'r> {
        let Results { won, drawn, lost, unknown } = row.results;
        JsonRow { name: &row.name, games: row.results.games(), won, drawn, lost, unknown, score: row.results.score() }
    }
}
