//! A match from its first game to its report: many games at once, faults survived, results kept.

use super::client::{Client, NoAnswer};
use super::journal::{Head, Journal, Style, VERSION};
use super::openings::{self, Opening};
use super::play::{Played, Refereeing, Seat, Task, play};
use super::player::Player;
use super::schedule::Schedule;
use super::standings::Standings;
use super::statistics::{Sprt, Verdict};
use super::transcript::Transcript;
use crate::notation::Form;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

/// So many games in a row that a player can't start for: then nobody learns anything from more of them.
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
    /// So many games were there already, of so many planned.
    Begins {
        /// Games found.
        found: u64,
        /// Games planned.
        planned: u64,
    },
    /// A game has ended.
    Game(&'n Played, &'n Standings),
}

/// Why there is no result; each in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// Nothing was played: the folder holds another match, or can't be written.
    Refused(String),
    /// The match broke off; what was played is kept.
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

impl Contest {
    /// Starts every player once and asks for its name.
    ///
    /// Returns a line for each player, and one for each of its options that it does not offer.
    ///
    /// # Errors
    /// The first player that can't be started, in one line.
    pub fn try_players(&self, stop: &AtomicBool) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        for player in &self.players {
            let mut log = Transcript::default();
            match Client::start(player, &mut log, stop) {
                Ok(client) => {
                    lines.push(format!("{}: {}", player.name, client.identity));
                    let offers = |name: &str| client.offered.iter().any(|offered| offered.eq_ignore_ascii_case(name));
                    let unknown = player.options.iter().filter(|(name, _)| !offers(name));
                    lines.extend(
                        unknown.map(|(name, _)| format!("{}: warning: it offers no option {name}", player.name)),
                    );
                    client.end();
                }
                Err(NoAnswer::Stopped) => return Ok(lines),
                Err(NoAnswer::Fault(fault)) => {
                    let said = log.text();
                    let last = said.lines().rev().take(3).map(str::trim).collect::<Vec<_>>();
                    return Err(format!("{} {fault} (last: {})", player.name, last.join(" | ")));
                }
            }
        }
        Ok(lines)
    }

    /// The settings that games of one match share.
    fn head(&self) -> Head {
        let mut settings: Vec<String> = self.players.iter().map(Player::description).collect();
        let Refereeing { terms, longest, win, draw } = &self.refereeing;
        settings.push(format!("gauntlet {}", self.gauntlet));
        settings.push(format!("{} openings, {:016x}", self.openings.len(), openings::fingerprint(&self.openings)));
        settings.push(format!("{terms:?}, longest {longest}, win {win:?}, draw {draw:?}"));
        Head { chuhe_match: VERSION, settings }
    }

    /// Plays the match. `stop` ends it: games in hand are given up, everything finished is kept.
    ///
    /// # Errors
    /// The files can't be written, or a player can't be started any more: one line.
    pub fn run(&self, stop: &AtomicBool, mut listener: impl FnMut(News)) -> Result<(Finish, Standings), Trouble> {
        let schedule = Schedule::new(self.players.len(), self.gauntlet, self.games, self.openings.len());
        let style = Style {
            event: self.event.clone(),
            limits: self.players.iter().map(|player| (player.name.clone(), player.limit.to_string())).collect(),
            form: self.form,
        };
        let (mut journal, mut games) =
            Journal::open(&self.folder, &self.head(), style, self.resume).map_err(Trouble::Refused)?;
        let names = self.players.iter().map(|player| player.name.clone()).collect();
        let mut standings = Standings::new(names, schedule.clone(), self.sprt);
        games.iter().for_each(|game| standings.add(game));
        let kept = |error: std::io::Error| Trouble::BrokenOff(format!("{}: {error}", self.folder.display()));
        let planned = schedule.games();
        let mut open: Vec<u32> = (1..=planned).collect();
        let mut done: Vec<u32> = games.iter().map(|game| game.game).collect();
        done.sort_unstable();
        open.retain(|number| done.binary_search(number).is_err());
        write_standings(&journal, &standings).map_err(kept)?;
        listener(News::Begins { found: games.len() as u64, planned: u64::from(planned) });

        let decided = |standings: &Standings| standings.verdict().is_some_and(|verdict| verdict != Verdict::GoOn);
        let mut finish = if decided(&standings) { Finish::Decided } else { Finish::Complete };
        let mut failure = None;
        if finish == Finish::Complete && !open.is_empty() {
            let over = AtomicBool::new(false);
            let next = AtomicU32::new(0);
            let mut unstartable = vec![0; self.players.len()];
            let mut written = Instant::now();
            std::thread::scope(|scope| {
                let (finished, results) = channel();
                for _ in 0..self.concurrency.max(1).min(open.len() as u32) {
                    let (finished, schedule, open, next, over) = (finished.clone(), &schedule, &open, &next, &over);
                    scope.spawn(move || self.work(schedule, open, next, over, &finished));
                }
                drop(finished);
                loop {
                    let (game, transcript) = match results.recv_timeout(Duration::from_millis(50)) {
                        Ok(result) => result,
                        Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
                        Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {
                            if stop.load(Ordering::Relaxed) {
                                over.store(true, Ordering::Relaxed);
                            }
                            continue;
                        }
                    };
                    // What ends after the decision is not of the match any more.
                    if finish == Finish::Decided || failure.is_some() {
                        continue;
                    }
                    standings.add(&game);
                    let many = standings.games() > 500 && written.elapsed() < Duration::from_secs(2);
                    let mut kept = journal.add(&game, transcript.as_deref());
                    if !many {
                        kept = kept.and_then(|()| write_standings(&journal, &standings));
                        written = Instant::now();
                    }
                    if let Err(error) = kept {
                        failure = Some(Trouble::BrokenOff(format!("{}: {error}", self.folder.display())));
                    }
                    for (player, count) in self.players.iter().zip(&mut unstartable) {
                        let failed = game.fault.as_ref().filter(|fault| fault.player == player.name);
                        match failed {
                            Some(fault) if fault.kind == "no start" => *count += 1,
                            _ if game.red == player.name || game.black == player.name => *count = 0,
                            _ => {}
                        }
                        if *count >= HOPELESS {
                            let reason = format!("{}, {HOPELESS} games in a row; --resume goes on", game.detail);
                            failure = Some(Trouble::BrokenOff(reason));
                        }
                    }
                    listener(News::Game(&game, &standings));
                    games.push(game);
                    if decided(&standings) {
                        finish = Finish::Decided;
                    }
                    if finish == Finish::Decided || failure.is_some() || stop.load(Ordering::Relaxed) {
                        over.store(true, Ordering::Relaxed);
                    }
                }
            });
            if finish == Finish::Complete && games.len() < planned as usize {
                finish = Finish::Stopped;
            }
        }
        let written = journal.sort_pgn(&games).and_then(|()| write_standings(&journal, &standings));
        match failure {
            Some(failure) => Err(failure),
            None => written.map(|()| (finish, standings)).map_err(kept),
        }
    }

    /// One of the concurrent tables: takes the next open game until there is none.
    fn work(
        &self,
        schedule: &Schedule,
        open: &[u32],
        next: &AtomicU32,
        over: &AtomicBool,
        finished: &Sender<(Played, Option<String>)>,
    ) {
        let mut seats: Vec<Seat> = self.players.iter().map(|player| Seat { player, client: None }).collect();
        while !over.load(Ordering::Relaxed) {
            let Some(number) = open.get(next.fetch_add(1, Ordering::Relaxed) as usize) else { break };
            let fixture = schedule.fixture(*number);
            // Whoever doesn't play now takes no memory.
            for (index, seat) in seats.iter_mut().enumerate() {
                if index != fixture.red && index != fixture.black {
                    seat.leave();
                }
            }
            let task = Task { number: *number, opening: &self.openings[fixture.opening] };
            let Ok([red, black]) = seats.get_disjoint_mut([fixture.red, fixture.black]) else { break };
            let mut log = Transcript::default();
            let Some(game) = play(task, [red, black], &self.refereeing, &mut log, over) else { break };
            let transcript = (self.transcripts || game.fault.is_some()).then(|| log.text());
            if finished.send((game, transcript)).is_err() {
                break;
            }
        }
        seats.iter_mut().for_each(Seat::leave);
    }
}

fn write_standings(journal: &Journal, standings: &Standings) -> std::io::Result<()> {
    let summary = serde_json::to_string_pretty(&standings.summary())?;
    journal.replace("summary.json", &(summary + "\n"))?;
    journal.replace("elo.svg", &standings.plot())
}
