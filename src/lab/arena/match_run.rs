//! A complete match: plays all games, tolerates faults and saves results.

use super::client::{Client, Session};
use super::concurrent::{Event, MatchRunner};
use super::error::Error;
use super::fault::NoAnswer;
use super::journal::{Journal, JournalHeader, Plan, VERSION};
use super::offer::Warning;
use super::openings::{self, Opening};
use super::play::Refereeing;
use super::played::Played;
use super::player::Player;
use super::schedule::{Fixture, Part, Schedule};
use super::standings::Standings;
use super::statistics::{Sprt, Verdict};
use super::transcript::Transcript;
use chuhe_board::notation::Form;
use chuhe_engine::protocol::lines::{flatten, shorten};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Number of consecutive failed starts of a player after which the match ends.
pub(super) const MAX_FAILED_STARTS: u32 = 6;

/// Settings of a match.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// At least two players with distinct names.
    pub players: Vec<Player>,
    /// The first player plays against each of the others, instead of a round-robin.
    pub gauntlet: bool,
    /// Games per pairing, rounded up to pairs.
    pub games: u32,
    /// Openings in playing order; not empty.
    pub openings: Vec<Opening>,
    /// Rules for refereeing.
    pub refereeing: Refereeing,
    /// Part of the games to play on this machine; `None` for all games.
    pub part: Option<Part>,
    /// Number of concurrent games.
    pub concurrency: u32,
    /// Sequential test that ends a match of two players.
    pub sprt: Option<Sprt>,
    /// Output folder.
    pub folder: PathBuf,
    /// Value of the tag `Event`.
    pub event: String,
    /// Notation of moves.
    pub form: Form,
    /// Keeps the transcripts of all games instead of only games with faults.
    pub transcripts: bool,
    /// Pins each concurrent game to its own cores.
    pub pin: bool,
    /// Continues the match in the folder.
    pub resume: bool,
}

/// Event of a match.
#[derive(Debug)]
pub enum MatchEvent<'n> {
    /// The match starts, possibly with games from an earlier run.
    Begins {
        /// Number of existing games.
        found: u64,
        /// Number of planned games.
        planned: u64,
    },
    /// A game has ended.
    Game(&'n Played, &'n Standings),
    /// A game has not started because a player's program failed to start; the game is tried again. Contains a
    /// one-line message.
    NotStarted(&'n str),
}

/// Reason why a match could not be completed.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// No game was played, because the folder contains a different match or the system cannot run this many
    /// concurrent games.
    #[error(transparent)]
    Refused(Error),
    /// Files cannot be written; their previous content is preserved.
    #[error(transparent)]
    Files(Error),
    /// The match ended early because of a player or the system; finished games are preserved.
    #[error("{0}; use --resume to continue")]
    BrokenOff(Error),
}

/// End of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// All games were played.
    Complete,
    /// The test has reached a decision.
    Decided,
    /// The match was stopped.
    Stopped,
}

/// Starts every player once and reads its name. Stores the detected protocol in the player's settings.
///
/// # Errors
/// Returns an error for the first player that cannot be started or rejects an option.
pub fn try_players(players: &mut [Player], stop: &AtomicBool) -> Result<Vec<Introduction>, Error> {
    let mut introductions = Vec::new();
    for player in players {
        let mut log = Transcript::default();
        match Client::start(&mut Session { player, log: &mut log, stop }) {
            Ok(mut client) => {
                player.detected_dialect = Some(client.dialect());
                introductions.push(Introduction {
                    name: player.name.clone(),
                    identity: std::mem::take(&mut client.identity),
                    warnings: client.warnings.iter().map(Warning::to_string).collect(),
                });
                client.end();
            }
            Err(NoAnswer::Stopped) => return Ok(introductions),
            Err(NoAnswer::Exhausted(reason)) => {
                return Err(Error::Exhausted(format!("{}: {reason}", player.name)));
            }
            Err(NoAnswer::Fault(fault)) => {
                let said = log.text();
                let last = said.lines().rev().take(3).map(|line| shorten(line.trim(), 200)).collect::<Vec<_>>();
                let (player, transcript) = (player.name.clone(), flatten(&last.join(" | ")));
                return Err(match transcript.is_empty() {
                    true => Error::Player { player, fault },
                    false => Error::NotStarted { player, fault, transcript },
                });
            }
        }
    }
    Ok(introductions)
}

impl MatchSettings {
    /// Returns the header, the first line of `games.jsonl`.
    fn header(&self) -> JournalHeader {
        let mut settings: Vec<String> = self.players.iter().map(Player::description).collect();
        settings.push(format!("gauntlet {}", self.gauntlet));
        settings.push(format!("{} openings, {:016x}", self.openings.len(), openings::fingerprint(&self.openings)));
        settings.extend(self.refereeing.description());
        let players = self.players.iter().map(|player| (player.name.clone(), player.limit.to_string()));
        let plan = Plan {
            players: players.collect(),
            gauntlet: self.gauntlet,
            games: self.games,
            openings: self.openings.len(),
            event: self.event.clone(),
            form: self.form.tag().to_string(),
        };
        let player_details = Some(self.players.iter().map(Player::details).collect());
        JournalHeader { chuhe_match: VERSION, settings, player_details, plan }
    }

    /// Plays the match until it is complete, decided or stopped. If `stop` is set, games in progress are
    /// abandoned and finished games are preserved. `warnings` are added to the summary.
    ///
    /// # Errors
    /// Returns an error if files cannot be written or a player can no longer be started.
    pub fn run(
        &self,
        warnings: Vec<String>,
        stop: &AtomicBool,
        mut listener: impl FnMut(MatchEvent),
    ) -> Result<(Finish, Standings), MatchError> {
        let (journal, games) = Journal::open(&self.folder, &self.header(), self.resume).map_err(MatchError::Refused)?;
        let schedule = Schedule::new(self.players.len(), self.gauntlet, self.games, self.openings.len());
        let names = self.players.iter().map(|player| player.name.clone()).collect();
        let mut standings = Standings::new(names, schedule.clone(), self.sprt).with_warnings(warnings);
        games.iter().for_each(|game| standings.add(game));
        let done: HashSet<u32> = games.iter().map(|game| game.game).collect();
        let ours: Vec<Fixture> = schedule.fixtures(self.part).collect();
        let open: Vec<Fixture> = ours.iter().filter(|fixture| !done.contains(&fixture.number)).copied().collect();
        journal.write_standings(&standings).map_err(|error| self.file_error(error))?;
        listener(MatchEvent::Begins { found: (ours.len() - open.len()) as u64, planned: ours.len() as u64 });

        let left = open.len();
        let mut running = RunningMatch {
            settings: self,
            journal,
            standings,
            games,
            left,
            failed_starts: HashMap::new(),
            last_plot: Instant::now(),
            failure: None,
            listener,
        };
        if !running.is_decided() {
            let runner = MatchRunner {
                players: &self.players,
                openings: &self.openings,
                refereeing: &self.refereeing,
                concurrency: self.concurrency,
                transcripts: self.transcripts,
                pin: self.pin,
            };
            runner.play(&open, stop, |event| running.on_event(event)).map_err(MatchError::Refused)?;
        }
        running.finish()
    }

    fn file_error(&self, error: std::io::Error) -> MatchError {
        MatchError::Files(Error::file(&self.folder, error))
    }
}

/// A match in progress.
struct RunningMatch<'c, L> {
    settings: &'c MatchSettings,
    journal: Journal,
    standings: Standings,
    games: Vec<Played>,
    /// Number of games that are not finished.
    left: usize,
    /// Consecutive failed starts by player.
    failed_starts: HashMap<String, u32>,
    /// Time at which the standings were last written.
    last_plot: Instant,
    /// Reason why the match ended early.
    failure: Option<MatchError>,
    listener: L,
}

impl<L: FnMut(MatchEvent)> RunningMatch<'_, L> {
    /// Handles an event from the games; breaks if the match is decided or cannot be continued.
    fn on_event(&mut self, event: Event) -> ControlFlow<()> {
        let handled = match event {
            Event::Started(_) => Ok(()),
            Event::Finished(game, transcript) => self.add(*game, transcript.as_deref()),
            Event::NotStarted { player, reason, transcript } => self.count_failed_start(player, reason, &transcript),
            Event::Exhausted(reason) => Err(MatchError::BrokenOff(Error::Exhausted(reason))),
        };
        self.failure = handled.err();
        if self.failure.is_some() || self.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn add(&mut self, game: Played, transcript: Option<&str>) -> Result<(), MatchError> {
        self.standings.add(&game);
        self.left -= 1;
        for player in [&game.red, &game.black] {
            self.failed_starts.remove(player);
        }
        let mut written = self.journal.add(&game, transcript);
        // In a long match, plotting takes longer than a short game, so it is done less often.
        if self.standings.games() <= 500 || self.last_plot.elapsed() >= Duration::from_secs(2) {
            written = written.and_then(|()| self.journal.write_standings(&self.standings));
            self.last_plot = Instant::now();
        }
        (self.listener)(MatchEvent::Game(&game, &self.standings));
        self.games.push(game);
        written.map_err(|error| self.settings.file_error(error))
    }

    fn count_failed_start(&mut self, player: String, reason: String, transcript: &str) -> Result<(), MatchError> {
        (self.listener)(MatchEvent::NotStarted(&reason));
        self.journal.keep_start(&player, transcript).map_err(|error| self.settings.file_error(error))?;
        let count = self.failed_starts.entry(player).or_default();
        *count += 1;
        if *count < MAX_FAILED_STARTS {
            return Ok(());
        }
        Err(MatchError::BrokenOff(Error::NeverStarted { reason, attempts: MAX_FAILED_STARTS }))
    }

    fn is_decided(&self) -> bool {
        self.standings.verdict().is_some_and(|verdict| verdict != Verdict::GoOn)
    }

    /// Writes the final files and returns the result.
    fn finish(mut self) -> Result<(Finish, Standings), MatchError> {
        let sorted = self.journal.sort_pgn(&self.games);
        let written = sorted.and_then(|()| self.journal.write_standings(&self.standings));
        let is_decided = self.is_decided();
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        written.map_err(|error| self.settings.file_error(error))?;
        let finish = match (is_decided, self.left) {
            (true, _) => Finish::Decided,
            (false, 0) => Finish::Complete,
            (false, _) => Finish::Stopped,
        };
        Ok((finish, self.standings))
    }
}

/// Result of starting a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Introduction {
    /// Name in the match.
    pub name: String,
    /// Name reported by the engine.
    pub identity: String,
    /// Warnings about its options, one line each.
    pub warnings: Vec<String>,
}
