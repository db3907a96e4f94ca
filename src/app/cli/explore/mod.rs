//! `chuhe explore`: a database of analysed positions with backed-up scores.

mod add;
mod check;
mod export;
mod holes;
mod line;
mod run;
mod show;
mod store;

use super::Done;
use clap::{Args, Subcommand};
use std::io::Write;

/// Analyses positions best-first into a database with backed-up scores; shows and exports it
///
/// Each position has a score for every legal move; the scores are backed up through transpositions and
/// repetitions. A run can be stopped and resumed at any time, and several processes can work on one file.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:
  chuhe explore --to my.explore.db --time 1h
  chuhe explore --moves \"炮二平五 炮８平５\" --to same-side.explore.db
  chuhe explore --games master.games.db --player 许银川 --to xu.explore.db
  chuhe explore show my.explore.db --moves \"h2e2 h9g7\"
  chuhe explore line my.explore.db
  chuhe explore holes my.explore.db --count 10
  chuhe explore export my.explore.db --to my.book
  chuhe explore plan my.explore.db --leaves 1000 --to jobs.epd
  chuhe analyze --file jobs.epd --part 1/4 --multipv 6 --nodes 100000 --json
  chuhe explore add my.explore.db results.jsonl
  chuhe explore check my.explore.db

The engine uses the file as an opening book (option BookFile). docs/16-explore.md describes values, costs and tables."
)]
pub(super) struct ExploreArgs {
    #[command(subcommand)]
    command: Option<ExploreCommand>,

    #[command(flatten)]
    run: run::Run,
}

#[derive(Subcommand)]
enum ExploreCommand {
    /// Lists the moves of a position with their values
    Show(show::Show),
    /// Prints the best line of both sides
    Line(line::BestLine),
    /// Lists the positions to analyse next: the most critical, or the most played
    Holes(holes::Holes),
    /// Writes an opening book (.book, .obk, .xqb), a tree of moves (.pgn) or all positions (.jsonl)
    Export(export::Export),
    /// Adds results of `chuhe analyze --json`, or another position database
    Add(add::Add),
    /// Recomputes every value and reports differences
    Check(check::Check),
    /// Writes the next positions to a file for `chuhe analyze --file`
    Plan(export::Plan),
}

impl ExploreArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        match self.command {
            None => self.run.run(out),
            Some(ExploreCommand::Show(show)) => show.run(out),
            Some(ExploreCommand::Line(line)) => line.run(out),
            Some(ExploreCommand::Holes(holes)) => holes.run(out),
            Some(ExploreCommand::Export(export)) => export.run(out),
            Some(ExploreCommand::Add(add)) => add.run(out),
            Some(ExploreCommand::Check(check)) => check.run(out),
            Some(ExploreCommand::Plan(plan)) => plan.run(out),
        }
    }
}
