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

use super::concurrent::{Event, Games};
use super::contest::{HOPELESS, try_players};
use super::error::Error;
use super::openings;
use super::schedule::{Fixture, Schedule};
use super::statistics::{self, Pairs, Results};
use crate::output::is_closed;
use chuhe_board::rules::Outcome;
use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// Output of `--version`. Workers compare the first number with the minimum version of their server.
pub const VERSION: &str = concat!("fastchess 1.8.2 command line for Xiangqi, by chuhe ", env!("CARGO_PKG_VERSION"));

/// Plays a match; its lines are written to `out` as games end.
///
/// # Errors
/// Returns an error if a file cannot be read or written, or if the system cannot run this many games.
pub fn run(arguments: &Arguments, stop: &AtomicBool, out: &mut dyn Write) -> Result<(), Error> {
    let mut book = match &arguments.openings {
        Some(book) => openings::read(&book.file, book.plies, None)?,
        None => openings::usual(),
    };
    if let Some(seed) = arguments.shuffled_by() {
        openings::shuffle(&mut book, seed);
    }
    let start = arguments.openings.as_ref().map_or(0, |book| book.start - 1);
    let length = book.len() as u64;
    book.rotate_left((start % length) as usize);

    let records = arguments.records.as_ref().map(|path| {
        let file = OpenOptions::new().append(true).create(true).open(path);
        file.map_err(|error| Error::file(path, error)).map(|file| (path, file))
    });
    let mut records = records.transpose()?;
    let games = arguments.rounds.saturating_mul(arguments.games);
    let schedule = match arguments.games {
        1 => Schedule::single_games(games, book.len()),
        _ => Schedule::new(2, false, games, book.len()),
    };
    let fixtures: Vec<Fixture> = schedule.fixtures(None).collect();
    let mut players = arguments.players.clone();
    let introductions = try_players(&mut players, stop)?;
    let tables = Games {
        players: &players,
        openings: &book,
        refereeing: &arguments.refereeing,
        concurrency: arguments.concurrency,
        transcripts: false,
        pin: false,
    };
    for player in introductions {
        for warning in player.warnings {
            writeln!(out, "Warning; {}: {warning}", player.name).map_err(Error::Output)?;
        }
    }
    let mut score = Score::default();
    let (mut failure, mut failed_starts) = (None, 0);
    let played = tables.play(&fixtures, stop, |event| {
        let told = match event {
            Event::Started(fixture) => writeln!(out, "{}", lines::started(&fixture, games, &arguments.players)),
            Event::Finished(game, _) => {
                failed_starts = 0;
                score.add(&schedule.fixture(game.game), &game);
                let kept = records.as_mut().map_or(Ok(()), |(path, file)| {
                    let text = pgn::write(&game, arguments);
                    file.write_all(text.as_bytes()).map_err(|error| Error::file(path, error))
                });
                if let Err(error) = kept {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
                writeln!(out, "{}", lines::finished(&game))
            }
            Event::NotStarted { reason, .. } => {
                failed_starts += 1;
                if failed_starts < HOPELESS {
                    return ControlFlow::Continue(());
                }
                failure = Some(Error::NeverStarted { reason, attempts: HOPELESS });
                return ControlFlow::Break(());
            }
            Event::Exhausted(reason) => {
                failure = Some(Error::Exhausted(reason));
                return ControlFlow::Break(());
            }
        };
        match told.and_then(|()| out.flush()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                // If the reader of the output has closed the pipe, further games are useless.
                failure = (!is_closed(&error)).then_some(Error::Output(error));
                ControlFlow::Break(())
            }
        }
    });
    played?;
    if let Some(error) = failure {
        return Err(error);
    }
    // Errors are ignored, since the reader may have closed the pipe.
    let _ = score.write(arguments, out).and_then(|()| out.flush());
    Ok(())
}

/// Score from the first player's point of view.
#[derive(Default)]
struct Score {
    games: statistics::Games,
    pairs: Pairs,
    halves: HashMap<u32, Outcome>,
}

impl Score {
    fn add(&mut self, fixture: &Fixture, game: &super::played::Played) {
        let Some(of_red) = game.result.of_red() else { return };
        let outcome = if fixture.exchanged { !of_red } else { of_red };
        self.games.add(outcome);
        match self.halves.remove(&fixture.pair) {
            Some(other) => self.pairs.add(outcome, other),
            None => drop(self.halves.insert(fixture.pair, outcome)),
        }
    }

    /// Writes the last lines. They must not be empty, because a worker stops reading at an empty line.
    fn write(&self, arguments: &Arguments, out: &mut dyn Write) -> std::io::Result<()> {
        let [first, second] = [0, 1].map(|player| &arguments.players[player].name);
        let (wins, losses, draws) = (self.games.wins(), self.games.losses(), self.games.draws());
        writeln!(out, "Results of {first} vs {second}:")?;
        writeln!(out, "Elo: {}", statistics::Elo::of(&self.pairs))?;
        writeln!(out, "Games: {}, Wins: {wins}, Losses: {losses}, Draws: {draws}", self.games.total())?;
        writeln!(out, "Ptnml(0-2): {:?}", self.pairs.counts())?;
        writeln!(out, "Finished match")
    }
}
