//! `chuhe book`: builds, shows, queries and merges opening books.

use super::game::GameArgs;
use super::gather::Gathering;
use super::output::{OutputArgs, shown};
use super::{Done, Failure};
use crate::output::{Align, Progress, Table, json, width};
use crate::translation::language;
use chuhe_board::Position;
use chuhe_board::notation::{self, Form};
use chuhe_board::words::Key;
use chuhe_engine::book::{Book, BookMove, OwnBook};
use chuhe_engine::bytes::{MAX_FILE, read_file};
use chuhe_games::openings::{Builder, Weighing};
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;
use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;

/// Builds, shows and queries opening books
#[derive(Args)]
#[command(after_help = "\
Examples:
  chuhe book build games.pgn --out my.book --plies 24 --min-games 3
  chuhe book show my.book
  chuhe book probe BOOK.DAT --moves \"h2e2 h9g7\"
  chuhe book merge one.book two.book --out both.book

Supported formats: Chuhe's own, ElephantEye's BOOK.DAT, .obk, .pfBook, .yfk, .xqb, detected from the content.")]
pub(super) struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand)]
enum BookCommand {
    /// Builds a book from games in any record format
    Build(Build),
    /// Describes a book and lists its moves for the starting position
    Show {
        /// The book [default: `own`, the built-in one]
        book: Option<PathBuf>,
    },
    /// Lists a book's moves for a position
    Probe(Probe),
    /// Merges books in Chuhe's own format: games and weights are added
    Merge {
        /// The books
        #[arg(required = true)]
        books: Vec<PathBuf>,

        /// Output book
        #[arg(long, value_name = "FILE")]
        out: PathBuf,

        #[command(flatten)]
        output: OutputArgs,
    },
}

#[derive(Args)]
struct Build {
    /// Game files, or folders of game files
    #[arg(required = true)]
    games: Vec<PathBuf>,

    /// Output book
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    output: OutputArgs,

    /// Plies of each game to use
    #[arg(long, value_name = "N", default_value_t = 30)]
    plies: usize,

    /// Omit moves played in fewer games than this
    #[arg(long, value_name = "K", default_value_t = 1)]
    min_games: u32,

    /// Weighting of the moves
    #[arg(long, value_enum, default_value_t = WeightSource::Result)]
    by: WeightSource,
}

/// Weighting of the moves of a new book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum WeightSource {
    /// By the results of the games
    Result,
    /// By the scores in the games' comments, as written by `chuhe match`
    Score,
}

#[derive(Args)]
struct Probe {
    /// The book, or `own` for the built-in one
    book: PathBuf,

    #[command(flatten)]
    game: GameArgs,

    /// Move notation beside the coordinates: wxf or chinese
    #[arg(long, value_name = "FORM", default_value = "chinese")]
    notation: Form,

    /// Print one line of JSON per move
    #[arg(long)]
    json: bool,
}

/// A book move as JSON.
#[derive(Serialize)]
struct JsonMove {
    r#move: String,
    weight: u64,
    score: Option<i64>,
    /// Games won, drawn and lost by the mover.
    games: Option<[u64; 3]>,
}

impl BookArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        match self.command {
            BookCommand::Build(build) => build.run(out),
            BookCommand::Show { book } => {
                let book = named(&book.unwrap_or_else(|| "own".into()))?;
                writeln!(out, "{}", book.describe(language()))?;
                // `show` is an overview without options; `probe` has an option for the notation.
                list(&book, &Position::start(), Form::Chinese, out)
            }
            BookCommand::Probe(probe) => {
                let book = named(&probe.book)?;
                let game = probe.game.read()?;
                if probe.json {
                    list_as_json(&book, game.position(), out)
                } else {
                    list(&book, game.position(), probe.notation, out)
                }
            }
            BookCommand::Merge { books, out: path, output } => {
                output.check([&path], &books)?;
                let mut builder = Builder::new();
                for book in &books {
                    let bytes = read_file(book, MAX_FILE).map_err(|error| Failure::file(book, &error))?;
                    builder.merge(&OwnBook::read(&bytes).map_err(|error| Failure::at(book.display(), error))?);
                }
                write_book(&builder.merged(), &path, output, out)
            }
        }
    }
}

pub(super) fn open(path: &std::path::Path) -> Result<Book, Failure> {
    Book::open(path).map_err(|error| Failure::at(path.display(), error))
}

/// Opens a book, or returns the built-in one for `own`.
fn named(path: &std::path::Path) -> Result<Book, Failure> {
    if path.as_os_str() == "own" { Ok(Book::built_in()) } else { open(path) }
}

fn write_book(book: &OwnBook, path: &std::path::Path, output: OutputArgs, out: &mut dyn Write) -> Done {
    output.write(path, &book.to_bytes())?;
    let (positions, moves, file) = (book.positions(), book.len(), shown(path));
    let counts: [(&str, &dyn Display); 3] = [("positions", &positions), ("moves", &moves), ("file", &file)];
    Ok(writeln!(out, "{}", language().say(Key::BookWritten, &counts))?)
}

impl Build {
    fn run(self, out: &mut dyn Write) -> Done {
        self.output.check([&self.out], &self.games)?;
        let bar = Progress::endless("games");
        let mut builder = Builder::new();
        let mut games = Gathering::of(&self.games, language())?;
        games.leave_out_duplicates();
        for game in &mut games {
            builder.add(&game.record, self.plies);
            bar.advance(1);
        }
        drop(bar);
        let readable = games.end();
        if builder.is_empty() {
            return readable.and(Err(Failure::Input(language().word(Key::BookIsEmpty).to_owned())));
        }
        let weighing = match self.by {
            WeightSource::Result => Weighing::Result,
            WeightSource::Score => Weighing::Score,
        };
        write_book(&builder.build(weighing, self.min_games), &self.out, self.output, out)?;
        readable
    }
}

/// Prints the book's moves for a position, one JSON object per line.
fn list_as_json(book: &Book, position: &Position, out: &mut dyn Write) -> Done {
    for BookMove { mv, weight, score, games } in moves_of(book, position)? {
        json::write_line(out, &JsonMove { r#move: mv.to_string(), weight, score, games })?;
    }
    Ok(())
}

fn moves_of(book: &Book, position: &Position) -> Result<Vec<BookMove>, Failure> {
    book.moves(position).map_err(|error| Failure::Input(error.to_string()))
}

/// Prints the book's moves for a position as a table.
pub(super) fn list(book: &Book, position: &Position, form: Form, out: &mut dyn Write) -> Done {
    let moves = moves_of(book, position)?;
    if moves.is_empty() {
        return Ok(writeln!(out, "{}", language().word(Key::BookHasNoMove))?);
    }
    let total: u64 = moves.iter().map(|entry| entry.weight).sum();
    let word = |key: Key| language().word(key);
    let numbers =
        [Key::ColumnChance, Key::ColumnWeight, Key::ColumnPoints, Key::ColumnWon, Key::ColumnDrawn, Key::ColumnLost];
    let columns = [(word(Key::ColumnMove), Align::Left), ("", Align::Left)];
    let mut table = Table::new(columns.into_iter().chain(numbers.map(|key| (word(key), Align::Right))));
    for entry in &moves {
        let chance = 100.0 * entry.weight as f64 / total.max(1) as f64;
        let mut cells = vec![
            entry.mv.to_string(),
            notation::write(position, entry.mv, form),
            format!("{chance:.1} %"),
            entry.weight.to_string(),
            entry.score.map_or(String::new(), |score| format!("{score:+}")),
        ];
        cells.extend(entry.games.iter().flatten().map(ToString::to_string));
        table.row(cells);
    }
    write!(out, "{}", table.fitted(width()))?;
    Ok(())
}
