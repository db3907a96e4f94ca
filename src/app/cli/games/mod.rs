//! `chuhe games`: fills, searches and summarises a game library.

mod add;
mod aliases;
mod filters;
mod find;
mod library;
mod moves;
mod stats;

use super::Done;
use clap::{Args, Subcommand};
use std::io::Write;

/// Manages a library of games: finds them by position, player, event and opening; counts results
#[derive(Args)]
#[command(after_help = "Examples:
  chuhe games add my-games/ --to my.games.db
  chuhe games find my.games.db --player 胡荣华 --since 1980 --opening 屏风马
  chuhe games find my.games.db --moves \"h2e2 h7e7\" --to pgn --out found.pgn
  chuhe games find my.games.db --pattern KRPkaabb --result 1-0
  chuhe games show my.games.db 12
  chuhe games stats my.games.db --by player
  chuhe games stats my.games.db --player 胡荣华 --by opening
  chuhe games aliases my-games/ --alias players.txt
  chuhe games moves my.games.db --moves \"h2e2 h9g7\" --nodes 100000

A library is one file, an SQLite database; docs/records.md describes its tables for other programs.")]
pub(super) struct GamesArgs {
    #[command(subcommand)]
    command: GamesCommand,
}

#[derive(Subcommand)]
enum GamesCommand {
    /// Adds the games in files and folders; skips games that the library already contains
    Add(add::Add),
    /// Lists the games that meet all conditions, or writes them to a file
    Find(find::Find),
    /// Prints a game by its number
    Show(find::Show),
    /// Counts results: by opening, year, event or player
    Stats(stats::Stats),
    /// Lists the moves played in a position, with frequencies, results and players
    Moves(moves::Moves),
    /// Proposes spellings that may belong to the same player, for --alias
    Aliases(aliases::Propose),
}

impl GamesArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        match self.command {
            GamesCommand::Add(add) => add.run(out),
            GamesCommand::Find(find) => find.run(out),
            GamesCommand::Show(show) => show.run(out),
            GamesCommand::Stats(stats) => stats.run(out),
            GamesCommand::Moves(moves) => moves.run(out),
            GamesCommand::Aliases(aliases) => aliases.run(out),
        }
    }
}
