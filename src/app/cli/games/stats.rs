//! `chuhe games stats`: results by opening, year, event or player.

use super::filters::SelectionArgs;
use crate::cli::Done;
use crate::output::{Align, Table, json, plain, width};
use crate::translation::language;
use chuhe_board::words::{Key, Language};
use chuhe_games::library::{Group, ResultRow, Results, ResultsFor};
use chuhe_games::openings::Opening;
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::io::Write;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

#[derive(Args)]
pub(super) struct Stats {
    #[command(flatten)]
    games: SelectionArgs,

    /// Grouping; rows of players count results from their point of view, other rows from Red's
    #[arg(long, value_enum, default_value_t = GroupBy::Opening)]
    by: GroupBy,

    /// Show all columns with unabbreviated names at any width, with separate columns for the results as Red
    /// and as Black
    #[arg(long)]
    wide: bool,

    /// Show at most this many rows; 0 = all
    #[arg(long, value_name = "N", default_value_t = 30)]
    limit: usize,

    /// Print one line of JSON per row
    #[arg(long)]
    json: bool,
}

/// Grouping of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum GroupBy {
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
    #[serde(flatten)]
    all: JsonResults,
    /// Results as Red and as Black; null if all results are from Red's point of view.
    red: Option<JsonResults>,
    black: Option<JsonResults>,
}

#[derive(Serialize)]
struct JsonResults {
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
        let library = self.games.open()?;
        let group = match self.by {
            GroupBy::Opening => Group::Opening,
            GroupBy::Year => Group::Year,
            GroupBy::Event => Group::Event,
            GroupBy::Player => Group::Player,
        };
        let language = language();
        let mut rows = place.or_fail(library.table(&query, group))?;
        let all = place.or_fail(library.results(&query))?;
        if self.by == GroupBy::Year {
            rows.sort_by(|one, two| one.name.cmp(&two.name));
        }
        // Games without an opening, a year or an event are counted in a separate row after the others.
        let unknown = rows.iter().position(|row| row.name.is_empty()).map(|at| rows.remove(at));
        let count = rows.len();
        if self.limit > 0 {
            rows.truncate(self.limit);
        }
        let shown = rows.len();
        rows.extend(unknown);
        let has_colours = group == Group::Player || query.view() == ResultsFor::Player;
        if self.json {
            return rows.iter().try_for_each(|row| Ok(json::write_line(&mut *out, &JsonRow::of(row, has_colours))?));
        }
        let of = |name: &str| language.say(Key::ResultsOfPlayer, &[("player", &plain(name.to_owned()))]);
        let heading = match (&query.player, &query.black, query.view()) {
            _ if group == Group::Player => language.word(Key::ResultsOfEach).to_owned(),
            (Some(name), ..) | (None, Some(name), ResultsFor::Black) => of(name),
            _ => query.red.as_deref().map_or_else(|| language.word(Key::ResultsOfRed).to_owned(), of),
        };
        writeln!(out, "{}", language.sentence(&heading))?;
        // In a table of players a total would be meaningless, since each game counts for both players.
        if group != Group::Player {
            rows.push(ResultRow { name: language.word(Key::All).to_owned(), ..all });
        }
        write!(out, "{}", self.table(&rows, has_colours, language).fitted(if self.wide { None } else { width() }))?;
        if shown < count {
            writeln!(out, "{}", language.say(Key::RowsShown, &[("count", &count), ("shown", &shown)]))?;
        }
        Ok(())
    }

    fn table(&self, rows: &[ResultRow], has_colours: bool, language: Language) -> Table {
        let head = match self.by {
            GroupBy::Opening => Key::ColumnOpening,
            GroupBy::Year => Key::ColumnYear,
            GroupBy::Event => Key::ColumnEvent,
            GroupBy::Player => Key::Player,
        };
        let both = [(Key::ColumnGamesAsRed, Key::ColumnScoreAsRed), (Key::ColumnGamesAsBlack, Key::ColumnScoreAsBlack)];
        let colours = both.into_iter().filter(|_| has_colours).flat_map(|(games, score)| {
            let results = [Key::ColumnWon, Key::ColumnDrawn, Key::ColumnLost, Key::ColumnUnknown];
            std::iter::once(games).chain(results.into_iter().filter(|_| self.wide)).chain([score])
        });
        let colours = colours.map(|key| (language.word(key), Align::Right));
        let first = std::iter::once((language.word(head), Align::Left));
        // With results by colour, 80 columns leave no room for the games without a result.
        let is_shown = |column: usize| self.wide || !has_colours || column != UNKNOWN;
        let results = result_columns(language).enumerate().filter(|(at, _)| is_shown(*at)).map(|(_, column)| column);
        let mut table = Table::new(first.chain(results).chain(colours));
        for row in rows {
            let opening = Opening::with_code(&row.name).filter(|_| self.by == GroupBy::Opening);
            let name = match opening {
                Some(opening) => format!("{} {}", opening.code, opening.name(language)),
                None if row.name.is_empty() => language.word(Key::Unnamed).to_owned(),
                None => row.name.clone(),
            };
            let name = if self.wide { name } else { shortened(&name, if has_colours { NARROW } else { NAME }) };
            let colours = [row.red, row.black].into_iter().filter(|_| has_colours).flat_map(|results| {
                let cells: Vec<String> = result_cells(&results).collect();
                if self.wide { cells } else { vec![cells[0].clone(), cells[5].clone()] }
            });
            let all = row.results();
            let results = result_cells(&all).enumerate().filter(|(at, _)| is_shown(*at)).map(|(_, cell)| cell);
            table.row(std::iter::once(name).chain(results).chain(colours));
        }
        table
    }
}

/// Index of the column for games without a result in [`result_columns`].
const UNKNOWN: usize = 4;

/// Maximum width of a name in a table of 80 columns, in terminal columns.
const NAME: usize = 36;
/// Maximum width of a name if there are columns for both colours.
const NARROW: usize = 14;

/// Truncates a name to `room` terminal columns, ending in `…`.
fn shortened(name: &str, room: usize) -> String {
    if name.width() <= room {
        return name.to_owned();
    }
    let mut left = room - 1;
    let fits = |letter: &char| {
        let taken = left.checked_sub(letter.width().unwrap_or(0));
        left = taken.unwrap_or(0);
        taken.is_some()
    };
    name.chars().take_while(fits).chain(['…']).collect()
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
    fn of(row: &'r ResultRow, has_colours: bool) -> JsonRow<'r> {
        let colour = |results: Results| has_colours.then(|| JsonResults::of(results));
        JsonRow { name: &row.name, all: JsonResults::of(row.results()), red: colour(row.red), black: colour(row.black) }
    }
}

impl JsonResults {
    fn of(results: Results) -> JsonResults {
        let Results { won, drawn, lost, unknown } = results;
        JsonResults { games: results.games(), won, drawn, lost, unknown, score: results.score() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shortened_to_the_columns_of_a_terminal() {
        assert_eq!(shortened("Hu Ronghua", 10), "Hu Ronghua");
        assert_eq!(shortened("Hu Ronghua", 9), "Hu Rongh…");
        assert_eq!(
            (shortened("五七炮对屏风马", 9), shortened("五七炮", 6)),
            ("五七炮对…".to_owned(), "五七炮".to_owned())
        );
    }
}
