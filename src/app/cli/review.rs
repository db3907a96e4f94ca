//! `chuhe review`: judges every move of a game.

use super::alias::{PlayerArgs, PlayerFilter};
use super::gather::Gathering;
use super::language::NotationArgs;
use super::output::OutputArgs;
use super::rules::RulesArgs;
use super::value::BadValue;
use super::{Done, Failure, interrupt, threads};
use crate::output::{self, Align, Progress, Table, fitted, json, plain};
use crate::translation::language;
use chuhe_board::Side;
use chuhe_board::rules::Game;
use chuhe_board::share_out;
use chuhe_board::words::{Key, Language};
use chuhe_engine::book::Book;
use chuhe_engine::endings::Tables;
use chuhe_engine::search::{Limits, STACK};
use chuhe_engine::{Error, Options, Searcher};
use chuhe_games::records::{Record, pgn, tags};
use chuhe_games::review::{Analyst, Markup, Report, Review, ScoredLine, Thoroughness, Total, examine, totals};
use chuhe_lab::arena::schedule::Part;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

/// Judges every move of a game: mistakes with their reasons, better lines, each side's accuracy
#[derive(Args)]
#[command(after_help = "Examples:
  chuhe review game.pgn
  chuhe review game.xqf --notation chinese --language zh --html report.html
  chuhe review games.pgn --html reports --pgn annotated.pgn --threads 0
  chuhe review game.pgn --book my.explore.db

Every position is searched with --nodes nodes, and the positions around a bad move with eight times as many. A move is judged by the expected
points that it loses: 0.05 an inaccuracy, 0.10 a mistake, 0.15 a blunder. docs/11-review.md explains how they are computed.")]
pub(super) struct ReviewArgs {
    /// Game files, in any format that `chuhe convert` reads, or folders of such files; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Review only this game of the files, counting from 1 [default: all]
    #[arg(long, value_name = "N")]
    game: Option<usize>,

    /// Review only the K-th of N parts of the games, so that N machines share the work; concatenate the
    /// outputs of --json and --pgn
    #[arg(long, value_name = "K/N", conflicts_with = "game")]
    part: Option<Part>,

    /// Nodes per position
    #[arg(long, default_value_t = Thoroughness::default().nodes, value_parser = clap::value_parser!(u64).range(1_000..))]
    nodes: u64,

    /// Print only this side's moves
    #[arg(long, value_name = "SIDE", value_parser = side)]
    side: Option<Side>,

    #[command(flatten)]
    player: PlayerArgs,

    /// Opening book or position database instead of the built-in book: its moves receive no judgement
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    #[command(flatten)]
    rules: RulesArgs,

    #[command(flatten)]
    notation: NotationArgs,

    /// Print one line of JSON per game instead of text
    #[arg(long)]
    json: bool,

    /// Also write the games with comments, glyphs and better lines to a PGN file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Also write an HTML page; for many games, a folder of pages with an index
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,

    /// Number of concurrent games; 0 = all cores
    #[arg(long, default_value = "1", value_parser = threads::read)]
    threads: usize,

    /// Hash table per thread, in MB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
}

/// Parses `red` or `black`.
pub(super) fn side(text: &str) -> Result<Side, BadValue> {
    match text.to_ascii_lowercase().as_str() {
        "red" | "w" | "r" => Ok(Side::Red),
        "black" | "b" => Ok(Side::Black),
        _ => Err(BadValue::Side),
    }
}

/// Reason why a review did not finish.
enum Stop {
    Asked,
    Failed(Error),
}

/// A searcher that stops at Ctrl-C.
struct SearchAnalyst(Searcher);

impl Analyst for SearchAnalyst {
    type Error = Stop;

    fn lines(&mut self, game: &Game, nodes: u64, count: usize) -> Result<Vec<ScoredLine>, Stop> {
        if interrupt::flag().load(Relaxed) {
            return Err(Stop::Asked);
        }
        let options = Options { multipv: count, ..self.0.options().clone() };
        self.0.set_options(options).map_err(Stop::Failed)?;
        let conclusion = self.0.think(game, &Limits::nodes(nodes), |_| {});
        Ok(conclusion.lines.into_iter().map(|line| ScoredLine { score: line.score, moves: line.pv }).collect())
    }
}

/// A game with its review.
struct Finished {
    number: usize,
    record: Record,
    review: Review,
    /// Number of moves to the first position in the position database, if any.
    explored_from: Option<usize>,
}

/// Reviewed games with their reports and the summary of each player.
struct Results<'r> {
    games: &'r [Finished],
    reports: &'r [(usize, Report<'r>)],
    totals: Vec<Total>,
    /// `true` if several games were to be reviewed, even if fewer are finished.
    many: bool,
}

impl ReviewArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let filter = self.player.read()?;
        let (records, readable) = self.read(&filter)?;
        // A part may contain no games.
        if records.is_empty() && self.part.is_none() {
            return Err(Failure::Input("no games to review".to_owned()));
        }
        if self.part.is_none() && records.iter().all(|(_, record)| record.moves().is_empty()) {
            return Err(Failure::Input("the games have no moves to review".to_owned()));
        }
        self.prepare(&records)?;
        let book = self.book.as_deref().map_or_else(|| Ok(Book::built_in()), super::book::open)?;
        let tables = self.options().tables().map_err(|error| Failure::at("--endings", error))?;
        let (finished, stop) = self.review_all(&records, &book);
        let starts: Vec<Game> = finished.iter().map(|game| Game::new(game.record.start.clone())).collect();
        let reports = finished.iter().zip(&starts).map(|(game, start)| (game.number, self.report(game, start)));
        let reports: Vec<(usize, Report)> = reports.collect();
        let mut totals = totals(&reports, &filter.aliases);
        totals.retain(|total| filter.is_name(&total.player));
        let results = Results { games: &finished, reports: &reports, totals, many: records.len() > 1 };
        // The files are written first, and a failed output does not prevent the others, so that no review
        // is lost.
        let written = self.write_files(&results);
        let printed = self.print(&results, &filter, &tables, out);
        written.and(printed)?;
        match stop {
            None => readable,
            Some(Stop::Asked) => {
                Err(Failure::Run(format!("stopped: {} of {} games were reviewed", finished.len(), records.len())))
            }
            Some(Stop::Failed(error)) => Err(Failure::run_at("the search failed", error)),
        }
    }

    /// Prints the reviews as text or JSON. A damaged tablebase is reported at the end.
    fn print(&self, results: &Results, filter: &PlayerFilter, tables: &Tables, out: &mut dyn Write) -> Done {
        if results.many && !self.json {
            writeln!(out, "{}", table(&results.totals, language()).fitted(output::width()))?;
        }
        let mut done = Ok(());
        for (game, (_, report)) in results.games.iter().zip(results.reports) {
            if self.json {
                json::write_line(&mut &mut *out, &report.json(self.only(filter, &game.record)))?;
                continue;
            }
            if results.many {
                let [red, black] = report.players.map(|name| plain(name.to_owned()));
                writeln!(out, "{}. {red} – {black}", game.number)?;
            }
            let tablebase = report.tablebase_result(tables).unwrap_or_else(|error| {
                done = Err(Failure::at("--endings", error));
                None
            });
            let text = report.text(self.only(filter, &game.record));
            let tablebase = tablebase.map_or(String::new(), |result| result + "\n");
            writeln!(out, "{}", fitted(&(text + &tablebase)))?;
        }
        done
    }

    /// Writes the files of `--pgn` and `--html`, unless no game was reviewed.
    fn write_files(&self, results: &Results) -> Done {
        if results.games.is_empty() {
            return Ok(());
        }
        let pgn = self.pgn.as_ref().map_or(Ok(()), |path| self.write_pgn(path, results));
        pgn.and(self.html.as_ref().map_or(Ok(()), |path| self.write_pages(path, results)))
    }

    /// Writes the games with their reviews. A game that would become too large is reported, and written
    /// without its review.
    fn write_pgn(&self, path: &Path, results: &Results) -> Done {
        let (mut text, mut done) = (String::new(), Ok(()));
        for (game, (_, report)) in results.games.iter().zip(results.reports) {
            text += &self.annotated(game, report).unwrap_or_else(|failure| {
                done = Err(failure);
                pgn::write(&game.record, self.notation.form())
            });
        }
        self.output.write(path, text.as_bytes()).and(done)
    }

    /// Returns a game with its review as PGN.
    fn annotated(&self, game: &Finished, report: &Report) -> Result<String, Failure> {
        let too_large = |_| Failure::Input("--pgn: the game has too many moves to add better lines".to_owned());
        Ok(pgn::write(&report.annotated(&game.record).map_err(too_large)?, self.notation.form()))
    }

    /// Returns the side whose moves are printed; `None` for both.
    fn only(&self, filter: &PlayerFilter, game: &Record) -> Option<Side> {
        let has = |side: Side| filter.has(game, side);
        self.side.or_else(|| Side::ALL.into_iter().find(|side| has(*side) && !has(!*side)))
    }

    /// Returns the games of the selected player with their numbers, without duplicates, and an error if some
    /// games could not be read.
    fn read(&self, filter: &PlayerFilter) -> Result<(Vec<(usize, Record)>, Done), Failure> {
        let mut games = Gathering::of(&self.files, language())?;
        if self.game.is_none() {
            games.leave_out_duplicates();
        }
        let is_of = |side: Side, game: &Record| self.side.is_none_or(|only| only == side) && filter.has(game, side);
        let is_wanted = |game: &Record| Side::ALL.into_iter().any(|side| is_of(side, game));
        let (mut count, mut all) = (0, Vec::new());
        for game in games.by_ref() {
            count = game.index;
            if self.game.is_none_or(|number| number == game.index) && is_wanted(&game.record) {
                all.push((game.index, game.record));
            }
        }
        let readable = games.end();
        if let Some(wanted) = self.game.filter(|wanted| !(1..=count).contains(wanted)) {
            return Err(Failure::at("--game", format!("there is no game {wanted}; the files contain {count}")));
        }
        let part = self.part.map_or(0..all.len(), |part| part.range(all.len()));
        Ok((all.drain(part).collect(), readable))
    }

    fn options(&self) -> Options {
        self.rules.with(Options { hash_mb: self.hash as usize, ..Options::default() })
    }

    fn report<'r>(&self, game: &'r Finished, start: &'r Game) -> Report<'r> {
        Report {
            review: &game.review,
            start,
            terms: self.rules.terms(),
            players: tags::PLAYERS.map(|tag| game.record.tag(tag).unwrap_or_default()),
            result: game.record.result,
            form: self.notation.form(),
            language: language(),
            explored_from: game.explored_from,
        }
    }

    /// Reviews the games on several threads. Finished reviews are returned in the order of the files, even
    /// after Ctrl-C or a failure.
    fn review_all(&self, records: &[(usize, Record)], book: &Book) -> (Vec<Finished>, Option<Stop>) {
        let positions = records.iter().map(|(_, record)| record.moves().len() as u64 + 1).sum();
        let progress = Progress::new(positions, "positions");
        let reviewed =
            share_out("review", STACK, 0..self.threads.min(records.len()), records, |_, (number, record)| {
                let (review, explored_from) = self.review_one(record, book, &progress)?;
                Ok(Finished { number: *number, record: record.clone(), review, explored_from })
            });
        let (mut finished, mut stop) = (Vec::new(), None);
        match reviewed {
            Ok(reviewed) => {
                for game in reviewed.into_iter().flatten() {
                    match game {
                        Ok(game) => finished.push(game),
                        Err(reason) => stop = Some(reason),
                    }
                }
            }
            Err(error) => {
                let error = Error::Resources(format!("cannot create a thread for a review: {error}"));
                stop = Some(Stop::Failed(error));
            }
        }
        (finished, stop)
    }

    /// Reviews a game; also returns the number of moves to the first position in the position database.
    fn review_one(&self, record: &Record, book: &Book, progress: &Progress) -> Result<(Review, Option<usize>), Stop> {
        let mut analyst = SearchAnalyst(Searcher::new(self.options()).map_err(Stop::Failed)?);
        let thoroughness = Thoroughness { nodes: self.nodes, ..Thoroughness::default() };
        let start = Game::new(record.start.clone());
        let moves = record.moves();
        let explored_from = book.explored_from(&start, &moves);
        let known = book.known(&start, &moves, explored_from.unwrap_or(0));
        let terms = self.rules.terms();
        let review = examine(&start, &moves, terms, thoroughness, known, &mut analyst, |_| progress.advance(1))?;
        Ok((review, explored_from))
    }

    /// Checks before the search that the output can be written. Existing files are replaced only after the
    /// search.
    fn prepare(&self, games: &[(usize, Record)]) -> Done {
        let mut outputs: Vec<PathBuf> = self.pgn.iter().cloned().collect();
        match &self.html {
            Some(path) if games.len() > 1 => {
                std::fs::create_dir_all(path).map_err(|error| Failure::file(path, &error))?;
                outputs.extend(games.iter().map(|(number, _)| path.join(format!("{number}.html"))));
                outputs.push(path.join("index.html"));
            }
            page => outputs.extend(page.clone()),
        }
        self.output.check(&outputs, &self.files)
    }

    fn write_pages(&self, path: &Path, results: &Results) -> Done {
        let write = |path: &Path, text: &str| self.output.write(path, text.as_bytes());
        if !results.many {
            return results.reports.iter().try_for_each(|(_, report)| write(path, &report.html()));
        }
        for (number, report) in results.reports {
            write(&path.join(format!("{number}.html")), &report.html())?;
        }
        let rows: Vec<Markup> = results.reports.iter().map(|(number, report)| report.index_row(*number)).collect();
        let rows: Vec<&Markup> = rows.iter().collect();
        write(&path.join("index.html"), &chuhe_games::review::index(language(), &results.totals, &rows))
    }
}

/// Formats the summary of each player over all games.
fn table(totals: &[Total], language: Language) -> Table {
    let numbers = [
        Key::ColumnGames,
        Key::Accuracy,
        Key::AccuracyAsRed,
        Key::AccuracyAsBlack,
        Key::Inaccuracies,
        Key::Mistakes,
        Key::Blunders,
    ];
    let columns = [(Key::Player, Align::Left)].into_iter().chain(numbers.map(|key| (key, Align::Right)));
    let columns = columns.chain([(Key::WorstMoments, Align::Left)]).map(|(key, align)| (language.word(key), align));
    let mut table = Table::new(columns);
    for total in totals {
        let worst = total.worst.iter().map(|moment| format!("{}: {}", moment.game, moment.mv)).collect::<Vec<_>>();
        let accuracy = format!("{:.0}", total.accuracy);
        let colours = total.colours.map(|(games, mean)| if games == 0 { String::new() } else { format!("{mean:.0}") });
        let counts = total.counts.map(|count| count.to_string());
        let cells = [total.player.clone(), total.games.to_string(), accuracy].into_iter().chain(colours).chain(counts);
        table.row(cells.chain([worst.join("; ")]));
    }
    table
}
