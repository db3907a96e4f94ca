//! `chuhe puzzles`: finds puzzles in games, and counts them.

use super::gather::Gathering;
use super::input::read_text;
use super::output::OutputArgs;
use super::{Done, Failure, interrupt, threads};
use crate::output::{Align, Progress, Table, print_message, width};
use crate::translation::language;
use chuhe_board::Move;
use chuhe_board::rules::Game;
use chuhe_board::share_out;
use chuhe_board::words::Key;
use chuhe_engine::search::STACK;
use chuhe_games::puzzles::{Maker, Puzzle, Theme, built_in};
use clap::{Args, Subcommand};
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

/// Finds puzzles in games: positions with one clearly best move
#[derive(Args)]
#[command(after_help = "\
A puzzle is a line of EPD: a position, `pv` with the solution, `rating` and `themes`. `chuhe serve --puzzles FILE` shows them on the board, \
`chuhe practise --file FILE` presents them in the terminal.

Examples:
  chuhe puzzles make games.pgn --out my-puzzles.epd
  chuhe puzzles list my-puzzles.epd
  chuhe puzzles list")]
pub(super) struct Puzzles {
    #[command(subcommand)]
    command: PuzzlesCommand,
}

#[derive(Subcommand)]
enum PuzzlesCommand {
    Make(Make),
    /// Counts the puzzles in a file, or the built-in ones, by theme
    List {
        /// Puzzle file [default: the built-in puzzles]
        file: Option<PathBuf>,
    },
}

/// Finds puzzles in the mistakes made in games
#[derive(Args)]
struct Make {
    /// Game files, in any format that `chuhe convert` reads, or folders of such files
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,

    /// Output file
    #[arg(long, value_name = "EPD")]
    out: PathBuf,

    #[command(flatten)]
    output: OutputArgs,

    /// Nodes per position in a game; candidates are searched with ten times as many
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1_000..=1_000_000_000_000))]
    nodes: u64,

    /// Number of concurrent games; 0 = all cores
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads::read)]
    threads: usize,
}

impl Puzzles {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        match self.command {
            PuzzlesCommand::Make(make) => make.run(),
            PuzzlesCommand::List { file } => {
                let puzzles = file.as_deref().map_or_else(|| Ok(built_in()), read)?;
                let language = language();
                let columns = [Key::ColumnTheme, Key::ColumnPuzzles, Key::ColumnMedianRating];
                let aligns = [Align::Left, Align::Right, Align::Right];
                let mut table = Table::new(columns.map(|key| language.word(key)).into_iter().zip(aligns));
                for theme in Theme::all() {
                    let with = puzzles.iter().filter(|puzzle| puzzle.themes.contains(&theme));
                    count(&mut table, theme.title(language), with);
                }
                count(&mut table, language.word(Key::AllPuzzles), puzzles.iter());
                write!(out, "{}", table.fitted(width()))?;
                Ok(())
            }
        }
    }
}

fn count<'p>(table: &mut Table, name: &str, puzzles: impl Iterator<Item = &'p Puzzle>) {
    let mut ratings: Vec<u32> = puzzles.map(|puzzle| puzzle.rating).collect();
    ratings.sort_unstable();
    let median = ratings.get(ratings.len() / 2).map_or(String::new(), u32::to_string);
    table.row([name.to_owned(), ratings.len().to_string(), median]);
}

/// Reads the puzzles in a file.
///
/// # Errors
/// Returns an error if the file cannot be read or is empty, or if a line is not a puzzle.
pub(super) fn read(path: &Path) -> Result<Vec<Puzzle>, Failure> {
    let puzzles = Puzzle::read(&read_text(path)?).map_err(|error| Failure::at(path.display(), error))?;
    if puzzles.is_empty() { Err(Failure::at(path.display(), "no positions found")) } else { Ok(puzzles) }
}

impl Make {
    fn run(self) -> Done {
        // Ctrl-C while the games are read stops the search before its first game.
        let interrupted = interrupt::flag();
        self.output.check([&self.out], &self.games)?;
        let mut games = Gathering::of(&self.games, language())?;
        games.leave_out_duplicates();
        let all: Vec<(Game, Vec<Move>)> =
            games.by_ref().map(|game| (Game::new(game.record.start.clone()), game.record.moves())).collect();
        let readable = games.end();
        let progress = Progress::new(all.len() as u64, "games");
        let makers = (0..self.threads.min(all.len())).map(|_| Maker::new(self.nodes));
        let makers = makers.collect::<Result<Vec<Maker>, _>>()?;
        let goes_on = || !interrupted.load(Relaxed);
        let found = share_out("puzzles", STACK, makers, &all, |maker, (start, moves)| {
            let found = maker.find(start, moves, &goes_on);
            progress.advance(1);
            // An error prevents further games from starting; its puzzles are kept as well.
            if goes_on() { Ok(found) } else { Err(found) }
        });
        drop(progress);
        let found: Vec<_> = found.map_err(|error| Failure::at("--threads", error))?.into_iter().flatten().collect();
        let done = found.iter().filter(|found| found.is_ok()).count();
        let mut keys = HashSet::new();
        let puzzles: Vec<Puzzle> = found.into_iter().flat_map(|found| found.unwrap_or_else(|found| found)).collect();
        let lines: Vec<String> = puzzles
            .iter()
            .filter(|puzzle| keys.insert(puzzle.position.key()))
            .map(|puzzle| format!("{puzzle}\n"))
            .collect();
        // A run stopped before its first puzzle does not replace an existing file.
        if done == all.len() || !lines.is_empty() {
            self.output.write(&self.out, lines.concat().as_bytes())?;
        }
        print_message(language().say(Key::PuzzlesFound, &[("puzzles", &lines.len()), ("games", &done)]));
        if done < all.len() {
            return Err(Failure::Run(format!("stopped: {done} of {} games were searched", all.len())));
        }
        readable
    }
}
