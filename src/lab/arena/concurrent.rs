//! Concurrent games: each thread has its own engines and takes the next game of the schedule.

use super::error::{Error, Lack};
use super::openings::Opening;
use super::play::{Contestant, GameSetup, Refereeing, Unplayed, play};
use super::played::Played;
use super::player::Player;
use super::schedule::Fixture;
use super::transcript::Transcript;
use super::wire::usable_cores;
use chuhe_engine::search::can_allocate;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Memory required by a concurrent game in this process, in bytes: the stacks of its threads, and the
/// allocator's reserve per thread. With less memory, even a small allocation during the games could abort the
/// program.
const MEMORY: usize = 16 << 20;

/// Pause between attempts to start a program.
const BETWEEN_STARTS: Duration = Duration::from_millis(250);

/// Players, openings and refereeing.
#[derive(Clone, Copy, Debug)]
pub struct MatchRunner<'m> {
    /// Players by index in fixtures.
    pub players: &'m [Player],
    /// Openings by index in fixtures.
    pub openings: &'m [Opening],
    /// Rules for refereeing.
    pub refereeing: &'m Refereeing,
    /// Number of concurrent games.
    pub concurrency: u32,
    /// Keeps the transcripts of all games instead of only games with faults.
    pub transcripts: bool,
    /// Pins each concurrent game to its own cores.
    pub pin: bool,
}

/// Event of a game.
#[derive(Debug)]
pub enum Event {
    /// A game has started.
    Started(Fixture),
    /// A game has ended; contains its transcript, if kept.
    Finished(Box<Played>, Option<String>),
    /// A game has not started because a player's program failed to start. The game is tried again.
    NotStarted {
        /// Name of the player.
        player: String,
        /// Game and reason, in one line.
        reason: String,
        /// Communication so far.
        transcript: String,
    },
    /// A game cannot be played because the system has no process, thread or memory left; contains a one-line
    /// message.
    Exhausted(String),
}

impl MatchRunner<'_> {
    /// Plays the fixtures in order until all are played, `stop` is set, or `on_event` returns `Break`. In the
    /// last two cases, games in progress are abandoned.
    ///
    /// # Errors
    /// Returns an error if the system lacks the threads or the memory for this many concurrent games; in that
    /// case, no game is played.
    pub fn play(
        &self,
        fixtures: &[Fixture],
        stop: &AtomicBool,
        mut on_event: impl FnMut(Event) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let (next, over) = (AtomicUsize::new(0), AtomicBool::new(stop.load(Ordering::Relaxed)));
        let (events, coming) = channel();
        let wanted = (self.concurrency.max(1) as usize).min(fixtures.len());
        let lacking = |lack| Error::Games { games: wanted, lack };
        let cores = if self.pin { self.cores(wanted).map_err(lacking)? } else { Vec::new() };
        can_allocate(wanted, MEMORY).map_err(|error| lacking(error.into()))?;
        std::thread::scope(|scope| {
            let mut starts = Vec::new();
            for number in 0..wanted {
                let (events, next, over) = (events.clone(), &next, &over);
                let cores = cores.get(number).cloned().unwrap_or_default();
                let (start, started) = channel::<()>();
                let thread = std::thread::Builder::new().name(format!("games {}", number + 1));
                let work = move || {
                    // Games start only after all threads have been created.
                    if started.recv().is_ok() {
                        self.work(fixtures, &cores, next, over, &events);
                    }
                };
                if let Err(error) = thread.spawn_scoped(scope, work) {
                    return Err(lacking(error.into()));
                }
                starts.push(start);
            }
            drop(events);
            for start in starts {
                let _ = start.send(());
            }
            let mut enough = false;
            loop {
                if stop.load(Ordering::Relaxed) {
                    over.store(true, Ordering::Relaxed);
                }
                match coming.recv_timeout(Duration::from_millis(20)) {
                    Ok(event) if !enough => {
                        enough = on_event(event).is_break();
                        over.fetch_or(enough, Ordering::Relaxed);
                    }
                    // Results that arrive after the end of the match are ignored.
                    Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
            }
        })
    }

    /// Returns the cores of each concurrent game.
    fn cores(&self, games: usize) -> Result<Vec<Vec<usize>>, Lack> {
        let usable = usable_cores().ok_or(Lack::Pinning)?;
        let threads = |player: &Player| player.threads.unwrap_or(1).max(1) as usize;
        let most = self.players.iter().map(threads).max().unwrap_or(1);
        // With pondering, both players in a game search at the same time.
        let each = if self.players.iter().any(|player| player.ponder) { 2 * most } else { most };
        if usable.len() < games * each {
            return Err(Lack::Cores { needed: games * each, usable: usable.len() });
        }
        Ok(usable.chunks(each).take(games).map(<[usize]>::to_vec).collect())
    }

    /// Plays fixtures until none are left.
    fn work(
        &self,
        fixtures: &[Fixture],
        cores: &[usize],
        next: &AtomicUsize,
        over: &AtomicBool,
        events: &Sender<Event>,
    ) {
        let pinned = |player: &Player| Player { cores: cores.to_vec(), ..player.clone() };
        let players: Vec<Player> = self.players.iter().map(pinned).collect();
        let mut contestants: Vec<Contestant> =
            players.iter().map(|player| Contestant { player, client: None }).collect();
        while !over.load(Ordering::Relaxed) {
            let Some(fixture) = fixtures.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            // Engines that are not playing are closed to free their memory.
            for (index, contestant) in contestants.iter_mut().enumerate() {
                if index != fixture.red && index != fixture.black {
                    contestant.leave();
                }
            }
            let setup = GameSetup { number: fixture.number, opening: &self.openings[fixture.opening] };
            let Ok([red, black]) = contestants.get_disjoint_mut([fixture.red, fixture.black]) else { break };
            if events.send(Event::Started(*fixture)).is_err() {
                break;
            }
            let Some(event) = self.play_one(setup, [red, black], over, events) else { break };
            let is_end = matches!(event, Event::Exhausted(_));
            if events.send(event).is_err() || is_end {
                break;
            }
        }
        contestants.iter_mut().for_each(Contestant::leave);
    }

    /// Plays a game; retries if a player does not start. Returns `None` if the match ends in the meantime.
    fn play_one(
        &self,
        setup: GameSetup,
        [red, black]: [&mut Contestant; 2],
        over: &AtomicBool,
        events: &Sender<Event>,
    ) -> Option<Event> {
        loop {
            let mut log = Transcript::default();
            match play(setup, [red, black], self.refereeing, &mut log, over) {
                Ok(game) => {
                    let transcript = (self.transcripts || game.fault.is_some()).then(|| log.text());
                    return Some(Event::Finished(Box::new(game), transcript));
                }
                Err(Unplayed::Stopped) => return None,
                Err(Unplayed::Exhausted(reason)) => return Some(Event::Exhausted(reason)),
                Err(Unplayed::NotStarted(player, why)) => {
                    let reason = format!("game {}: {player} {why}", setup.number);
                    events.send(Event::NotStarted { player, reason, transcript: log.text() }).ok()?;
                }
            }
            std::thread::sleep(BETWEEN_STARTS);
            if over.load(Ordering::Relaxed) {
                return None;
            }
        }
    }
}
