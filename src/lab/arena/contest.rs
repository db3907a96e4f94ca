//! A match from its first game to its report: faults survived, results kept.

use super::client::Client;
use super::concurrent::{Event, Games};
use super::ending::Ending;
use super::fault::NoAnswer;
use super::journal::{Head, Journal, Plan, VERSION};
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
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// After this many games in a row that a player fails to start for, the match ends.
const HOPELESS: u32 = 6;

/// Everything that a match is.
#[derive(Clone, Debug)]
pub struct Contest {
    /// Two or more, with different names.
    pub players: Vec<Player>,
    /// The first against each other, instead of all against all.
    pub gauntlet: bool,
    /// Games of each two players; rounded up to pairs.
    pub games: u32,
    /// In the order in which they are played, not empty.
    pub openings: Vec<Opening>,
    /// How games are refereed.
    pub refereeing: Refereeing,
    /// Only this part of the games is played here; others are played elsewhere.
    pub part: Option<Part>,
    /// Games at once.
    pub concurrency: u32,
    /// A test that ends the match; of two players.
    pub sprt: Option<Sprt>,
    /// Where the files go.
    pub folder: PathBuf,
    /// The tag `Event`.
    pub event: String,
    /// How moves are written.
    pub form: Form,
    /// Whether to keep the transcripts of all games, not of faulty ones alone.
    pub transcripts: bool,
    /// Whether to go on with what is in the folder.
    pub resume: bool,
}

/// What a match tells while it is played.
#[derive(Debug)]
pub enum News<'n> {
    /// The match begins, perhaps with games from an earlier run.
    Begins {
        /// Games found.
        found: u64,
        /// Games planned.
        planned: u64,
    },
    /// A game has ended.
    Game(&'n Played, &'n Standings),
}

/// Why a match has no result. Each reason is one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// Nothing was played: the folder holds another match, or the system can't play this many games at once.
    Refused(String),
    /// The files can't be written; what is in them is kept.
    Files(String),
    /// The match broke off because of a player or the system; what was played is kept.
    BrokenOff(String),
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// All games are played.
    Complete,
    /// The test has decided.
    Decided,
    /// It was stopped.
    Stopped,
}

/// Starts every player once and asks for its name.
///
/// # Errors
/// The first player that can't be started or refuses an option, in one line.
pub fn try_players(players: &[Player], stop: &AtomicBool) -> Result<Vec<Introduction>, String> {
    let mut introductions = Vec::new();
    for player in players {
        let mut log = Transcript::default();
        match Client::start(player, &mut log, stop) {
            Ok(mut client) => {
                introductions.push(Introduction {
                    name: player.name.clone(),
                    identity: std::mem::take(&mut client.identity),
                    warnings: client.warnings.iter().map(Warning::to_string).collect(),
                });
                client.end();
            }
            Err(NoAnswer::Stopped) => return Ok(introductions),
            Err(NoAnswer::Exhausted(reason)) => return Err(format!("{}: {reason}", player.name)),
            Err(NoAnswer::Fault(fault)) => {
                let said = log.text();
                let last = said.lines().rev().take(3).map(|line| shorten(line.trim(), 200)).collect::<Vec<_>>();
                return Err(format!("{} {fault} (last: {})", player.name, flatten(&last.join(" | "))));
            }
        }
    }
    Ok(introductions)
}

impl Contest {
    /// What the first line of `games.jsonl` says.
    fn head(&self) -> Head {
        let mut settings: Vec<String> = self.players.iter().map(Player::description).collect();
        let Refereeing { terms, longest, win, draw, resign } = &self.refereeing;
        settings.push(format!("gauntlet {}", self.gauntlet));
        settings.push(format!("{} openings, {:016x}", self.openings.len(), openings::fingerprint(&self.openings)));
        settings.push(format!("{terms:?}, longest {longest}, win {win:?}, draw {draw:?}"));
        settings.extend(resign.map(|resign| format!("resign {resign:?}")));
        let players = self.players.iter().map(|player| (player.name.clone(), player.limit.to_string()));
        let plan = Plan {
            players: players.collect(),
            gauntlet: self.gauntlet,
            games: self.games,
            openings: self.openings.len(),
            event: self.event.clone(),
            form: self.form.tag().to_string(),
        };
        Head { chuhe_match: VERSION, settings, plan }
    }

    /// Plays the match. `stop` ends it: games in hand are given up, everything finished is kept. `warnings` go into the summary.
    ///
    /// # Errors
    /// The files can't be written, or a player can't be started any more: one line.
    pub fn run(
        &self,
        warnings: Vec<String>,
        stop: &AtomicBool,
        mut listener: impl FnMut(News),
    ) -> Result<(Finish, Standings), Trouble> {
        let (mut journal, mut games) =
            Journal::open(&self.folder, &self.head(), self.resume).map_err(Trouble::Refused)?;
        let schedule = Schedule::new(self.players.len(), self.gauntlet, self.games, self.openings.len());
        let names = self.players.iter().map(|player| player.name.clone()).collect();
        let mut standings = Standings::new(names, schedule.clone(), self.sprt).with_warnings(warnings);
        games.iter().for_each(|game| standings.add(game));
        let files = |error: std::io::Error| Trouble::Files(format!("{}: {error}", self.folder.display()));
        let done: HashSet<u32> = games.iter().map(|game| game.game).collect();
        let ours: Vec<Fixture> = schedule.fixtures(self.part).collect();
        let open: Vec<Fixture> = ours.iter().filter(|fixture| !done.contains(&fixture.number)).copied().collect();
        journal.write_standings(&standings).map_err(files)?;
        listener(News::Begins { found: (ours.len() - open.len()) as u64, planned: ours.len() as u64 });

        let is_decided = |standings: &Standings| standings.verdict().is_some_and(|verdict| verdict != Verdict::GoOn);
        let mut decided = is_decided(&standings);
        let (mut left, mut failure) = (open.len(), None);
        if !decided {
            let mut unstartable = Unstartable::new(&self.players);
            let mut written = Instant::now();
            let tables = Games {
                players: &self.players,
                openings: &self.openings,
                refereeing: &self.refereeing,
                concurrency: self.concurrency,
                transcripts: self.transcripts,
            };
            let played = tables.play(&open, stop, |event| {
                let (game, transcript) = match event {
                    Event::Started(_) => return ControlFlow::Continue(()),
                    Event::Finished(game, transcript) => (*game, transcript),
                    Event::Exhausted(reason) => {
                        failure = Some(Trouble::BrokenOff(format!("{reason}; --resume continues")));
                        return ControlFlow::Break(());
                    }
                };
                standings.add(&game);
                left -= 1;
                // The plot of a long match takes longer than a quick game.
                let many = standings.games() > 500 && written.elapsed() < Duration::from_secs(2);
                let mut kept = journal.add(&game, transcript.as_deref());
                if !many {
                    kept = kept.and_then(|()| journal.write_standings(&standings));
                    written = Instant::now();
                }
                if let Err(error) = kept {
                    failure = Some(files(error));
                }
                if let Some(reason) = unstartable.count(&game) {
                    failure = Some(Trouble::BrokenOff(reason));
                }
                listener(News::Game(&game, &standings));
                games.push(game);
                decided = is_decided(&standings);
                if decided || failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            played.map_err(Trouble::Refused)?;
        }
        let written = journal.sort_pgn(&games).and_then(|()| journal.write_standings(&standings));
        if let Some(failure) = failure {
            return Err(failure);
        }
        written.map_err(files)?;
        let finish = match (decided, left) {
            (true, _) => Finish::Decided,
            (false, 0) => Finish::Complete,
            (false, _) => Finish::Stopped,
        };
        Ok((finish, standings))
    }
}

/// A player that has been started once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Introduction {
    /// As the match calls it.
    pub name: String,
    /// As it calls itself.
    pub identity: String,
    /// What it said when its options were set; each in one line.
    pub warnings: Vec<String>,
}

/// Counts the games in a row that each player could not be started for.
struct Unstartable(Vec<(String, u32)>);

impl Unstartable {
    fn new(players: &[Player]) -> Unstartable {
        Unstartable(players.iter().map(|player| (player.name.clone(), 0)).collect())
    }

    /// Counts a game; a reason to break the match off, if there is one.
    fn count(&mut self, game: &Played) -> Option<String> {
        for (name, count) in &mut self.0 {
            match &game.fault {
                Some(fault) if fault.player == *name && fault.kind == Ending::NoStart => *count += 1,
                _ if game.red == *name || game.black == *name => *count = 0,
                _ => {}
            }
            if *count >= HOPELESS {
                return Some(format!("{}, {HOPELESS} games in a row; --resume continues", game.detail));
            }
        }
        None
    }
}
