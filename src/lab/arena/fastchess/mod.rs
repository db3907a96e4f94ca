//! Matches with the flags and output lines of `fastchess`, as expected by OpenBench workers.
//!
//! `arguments` parses the command line, `lines` formats standard output, `pgn` formats records; [`run`] plays
//! the games.

mod arguments;
mod error;
mod lines;
mod pgn;

pub use arguments::Arguments;
pub use error::{ArgumentError, FlagError};

use super::concurrent::{Event, MatchRunner};
use super::error::Error;
use super::match_run::{MAX_FAILED_STARTS, try_players};
use super::openings::{self, Opening};
use super::schedule::{Fixture, Schedule};
use super::standings::Encounter;
use super::statistics::{self, Results};
use crate::output::is_closed;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Output of `--version`. Workers compare the first number with the minimum version of their server.
pub const VERSION: &str = concat!("fastchess 1.8.2 command line for Xiangqi, by chuhe ", env!("CARGO_PKG_VERSION"));

/// Plays a match; writes its lines to `out` as games end.
///
/// # Errors
/// Returns an error if a file cannot be read or written, or if the system cannot run this many games.
pub fn run(arguments: &Arguments, stop: &AtomicBool, out: &mut dyn Write) -> Result<(), Error> {
    let openings = openings_of(arguments)?;
    let records = arguments.records.as_ref().map(|path| {
        let file = OpenOptions::new().append(true).create(true).open(path);
        file.map_err(|error| Error::file(path, error)).map(|file| (path.as_path(), file))
    });
    let records = records.transpose()?;
    let games = arguments.rounds.saturating_mul(arguments.games);
    let schedule = match arguments.games {
        1 => Schedule::single_games(games, openings.len()),
        _ => Schedule::new(2, false, games, openings.len()),
    };
    let fixtures: Vec<Fixture> = schedule.fixtures(None).collect();
    let mut players = arguments.players.clone();
    for player in try_players(&mut players, stop)? {
        for warning in player.warnings {
            writeln!(out, "Warning; {}: {warning}", player.name).map_err(Error::Output)?;
        }
    }
    let runner = MatchRunner {
        players: &players,
        openings: &openings,
        refereeing: &arguments.refereeing,
        concurrency: arguments.concurrency,
        transcripts: false,
        pin: false,
    };
    let mut running =
        RunningMatch { arguments, schedule: &schedule, records, out, score: Encounter::default(), failed_starts: 0 };
    let mut failure = None;
    runner.play(&fixtures, stop, |event| match running.on_event(event) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failure = Some(error);
            ControlFlow::Break(())
        }
    })?;
    match failure {
        // The reader of the output has closed the pipe, so further games would be useless.
        Some(Error::Output(error)) if is_closed(&error) => {}
        Some(error) => return Err(error),
        None => {}
    }
    // Errors are ignored, since the reader may have closed the pipe.
    let RunningMatch { score, out, .. } = running;
    let _ = write_score(&score, arguments, out).and_then(|()| out.flush());
    Ok(())
}

/// Returns the openings in the order in which they are played.
fn openings_of(arguments: &Arguments) -> Result<Vec<Opening>, Error> {
    let mut openings = match &arguments.openings {
        Some(book) => openings::read(&book.file, book.plies, None, arguments.refereeing.terms)?,
        None => openings::built_in(),
    };
    if let Some(seed) = arguments.shuffled_by() {
        openings::shuffle(&mut openings, seed);
    }
    let start = arguments.openings.as_ref().map_or(0, |book| book.start - 1);
    let length = openings.len() as u64;
    openings.rotate_left((start % length) as usize);
    Ok(openings)
}

/// A match in progress.
struct RunningMatch<'m> {
    arguments: &'m Arguments,
    schedule: &'m Schedule,
    /// File to which games are appended, with its path.
    records: Option<(&'m Path, File)>,
    out: &'m mut dyn Write,
    /// Score from the first player's point of view.
    score: Encounter,
    /// Number of consecutive failed starts.
    failed_starts: u32,
}

impl RunningMatch<'_> {
    /// Handles an event from the games.
    ///
    /// # Errors
    /// Returns an error if the match cannot be continued.
    fn on_event(&mut self, event: Event) -> Result<(), Error> {
        let arguments = self.arguments;
        let line = match event {
            Event::Started(fixture) => {
                let games = arguments.rounds.saturating_mul(arguments.games);
                lines::started(&fixture, games, &arguments.players)
            }
            Event::Finished(game, _) => {
                self.failed_starts = 0;
                let Fixture { pair, exchanged, .. } = self.schedule.fixture(game.game);
                if let Some(for_red) = game.outcome_for_red() {
                    self.score.add(pair, if exchanged { !for_red } else { for_red });
                }
                if let Some((path, file)) = &mut self.records {
                    let written = file.write_all(pgn::write(&game, arguments).as_bytes());
                    written.map_err(|error| Error::file(path, error))?;
                }
                lines::finished(&game)
            }
            Event::NotStarted { reason, .. } => {
                self.failed_starts += 1;
                let is_hopeless = self.failed_starts >= MAX_FAILED_STARTS;
                return if is_hopeless {
                    Err(Error::NeverStarted { reason, attempts: MAX_FAILED_STARTS })
                } else {
                    Ok(())
                };
            }
            Event::Exhausted(reason) => return Err(Error::Exhausted(reason)),
        };
        writeln!(self.out, "{line}").and_then(|()| self.out.flush()).map_err(Error::Output)
    }
}

/// Writes the last lines. They must not be empty, because a worker stops reading at an empty line.
fn write_score(score: &Encounter, arguments: &Arguments, out: &mut dyn Write) -> std::io::Result<()> {
    let [first, second] = [0, 1].map(|player| &arguments.players[player].name);
    let (wins, losses, draws) = (score.games.wins(), score.games.losses(), score.games.draws());
    writeln!(out, "Results of {first} vs {second}:")?;
    // With one game per opening, no two games are a pair.
    let single = arguments.games == 1;
    let elo = if single { statistics::Elo::of(&score.games) } else { statistics::Elo::of(&score.pairs) };
    let pairs = if single { Default::default() } else { score.pairs };
    writeln!(out, "Elo: {elo}")?;
    writeln!(out, "Games: {}, Wins: {wins}, Losses: {losses}, Draws: {draws}", score.games.total())?;
    writeln!(out, "Ptnml(0-2): {:?}", pairs.counts())?;
    writeln!(out, "Finished match")
}
