//! `chuhe games find` and `show`: games as a table, as JSON or in a record format.

use super::filters::SelectionArgs;
use super::library::LibraryArgs;
use crate::cli::convert::{Encoding, Source, Target, Writing, print_shortened};
use crate::cli::language::RecordNotationArgs;
use crate::cli::output::OutputArgs;
use crate::cli::{Done, Failure};
use crate::output::{Align, Table, json, width};
use crate::translation::language;
use chuhe_board::words::{Key, Language};
use chuhe_games::library::{Error, Hit};
use chuhe_games::records::{Format, Record};
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Find {
    #[command(flatten)]
    games: SelectionArgs,

    /// List at most this many games; 0 = all [default: 50, with --to and --json all]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Print one line of JSON per game
    #[arg(long, conflicts_with = "to")]
    json: bool,

    /// Write the games themselves, in this format
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,

    /// Output file [default: standard output]
    #[arg(long, value_name = "PATH", requires = "to")]
    out: Option<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    notation: RecordNotationArgs,
}

#[derive(Args)]
pub(super) struct Show {
    #[command(flatten)]
    library: LibraryArgs,

    /// Number of the game
    #[arg(value_name = "ID")]
    id: i64,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "pgn")]
    to: Format,

    #[command(flatten)]
    notation: RecordNotationArgs,
}

/// A game as JSON.
#[derive(Serialize)]
struct JsonHit<'h> {
    id: i64,
    red: &'h str,
    black: &'h str,
    event: &'h str,
    date: &'h str,
    year: Option<i64>,
    result: &'static str,
    plies: i64,
    opening: Option<&'h str>,
    /// Ply at which the position occurred.
    ply: Option<usize>,
    /// `true` if the mirror image occurred.
    mirrored: Option<bool>,
    /// Move played in the position.
    r#move: Option<String>,
}

impl Find {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let (query, place) = (self.games.query()?, &self.games.library);
        self.out.as_deref().map_or(Ok(()), |out| OutputArgs::refuse_inputs(out, &[place.path()]))?;
        let library = self.games.open()?;
        let usual = if self.json || self.to.is_some() { 0 } else { 50 };
        let limit = Some(self.limit.unwrap_or(usual)).filter(|limit| *limit > 0).unwrap_or(usize::MAX);
        let found = place.or_fail(library.search(&query))?;
        let hits = place.or_fail(library.hits(&found[..limit.min(found.len())]))?;
        if let Some(format) = self.to {
            let game = |hit: &Hit| library.game(hit.id)?.ok_or(Error::Damaged(hit.id));
            let games = hits.iter().map(game).collect::<Result<Vec<Record>, Error>>();
            let games = place.or_fail(games)?;
            let writing = Writing {
                to: format,
                notation: self.notation.form(),
                encoding: Encoding::Utf8,
                out: self.out.as_deref(),
                output: self.output,
                // The library was compared above.
                inputs: &[],
                language: language(),
            };
            let mut target = Target::new(writing, out)?;
            for (hit, game) in hits.iter().zip(&games) {
                target.add(Source::Game(game), place.path(), hit.id as usize)?;
            }
            print_shortened(&target.end()?, language());
            return Ok(());
        }
        if self.json {
            return hits.iter().try_for_each(|hit| Ok(json::write_line(&mut *out, &JsonHit::of(hit))?));
        }
        let language = language();
        write!(out, "{}", table(&hits, language).fitted(width()))?;
        let key = if hits.len() < found.len() { Key::FoundAndShown } else { Key::FoundGames };
        writeln!(out, "{}", language.say(key, &[("count", &found.len()), ("shown", &hits.len())]))?;
        Ok(())
    }
}

fn table(hits: &[Hit], language: Language) -> Table {
    let columns = [
        (Key::ColumnGame, Align::Right),
        (Key::Red, Align::Left),
        (Key::Black, Align::Left),
        (Key::ColumnResult, Align::Left),
        (Key::ColumnPlies, Align::Right),
        (Key::ColumnDate, Align::Left),
        (Key::ColumnOpening, Align::Left),
        (Key::ColumnPly, Align::Right),
        (Key::ColumnEvent, Align::Left),
    ];
    let mut table = Table::new(columns.map(|(key, align)| (language.word(key), align)));
    for hit in hits {
        table.row([
            hit.id.to_string(),
            hit.red.clone(),
            hit.black.clone(),
            hit.result.text().to_owned(),
            hit.plies.to_string(),
            hit.date.clone(),
            hit.opening.clone().unwrap_or_default(),
            hit.place.map_or(String::new(), |place| place.ply.to_string()),
            hit.event.clone(),
        ]);
    }
    table
}

impl<'h> JsonHit<'h> {
    fn of(hit: &'h Hit) -> JsonHit<'h> {
        JsonHit {
            id: hit.id,
            red: &hit.red,
            black: &hit.black,
            event: &hit.event,
            date: &hit.date,
            year: hit.year,
            result: hit.result.text(),
            plies: hit.plies,
            opening: hit.opening.as_deref(),
            ply: hit.place.map(|place| place.ply),
            mirrored: hit.place.map(|place| place.mirrored),
            r#move: hit.place.and_then(|place| place.mv).map(|mv| mv.to_string()),
        }
    }
}

impl Show {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let library = self.library.open()?;
        let game = self.library.or_fail(library.game(self.id))?;
        let game = game.ok_or_else(|| Failure::Input(format!("there is no game {}", self.id)))?;
        let (output, language) = (OutputArgs::default(), language());
        let writing = Writing {
            to: self.to,
            notation: self.notation.form(),
            encoding: Encoding::Utf8,
            out: None,
            output,
            inputs: &[],
            language,
        };
        let mut target = Target::new(writing, out)?;
        target.add(Source::Game(&game), self.library.path(), self.id as usize)?;
        print_shortened(&target.end()?, language);
        Ok(())
    }
}
