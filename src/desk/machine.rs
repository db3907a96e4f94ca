//! The searcher of a desk, and how much of the machine it may take.

use super::message::Effort;
use super::refusal::Refusal;
use super::room::Room;
use super::stop::Stop;
use crate::engine::{Error, Options, Searcher};
use crate::rules::Game;
use crate::search::{Conclusion, Event, Limits};

/// A searcher that is made when it is needed.
#[derive(Default)]
pub(super) struct Machine {
    room: Room,
    searcher: Option<Searcher>,
}

impl Machine {
    /// One that has searched nothing yet.
    pub fn new(room: Room) -> Machine {
        Machine { room, searcher: None }
    }

    /// How much it may take.
    pub fn room(&self) -> &Room {
        &self.room
    }

    /// Makes the searcher ready for searches with these options.
    pub fn prepare(&mut self, effort: &Effort, change: impl FnOnce(Options) -> Options) -> Result<(), Refusal> {
        let threads = effort.threads.unwrap_or(1).clamp(1, self.room.threads.max(1));
        let hash_mb = effort.hash_mb.unwrap_or(64).clamp(1, self.room.hash_mb.max(1));
        let options = change(Options { threads, hash_mb, ..Options::default() });
        let failed = |error: Error| Refusal::Failed(error.to_string());
        match &mut self.searcher {
            Some(searcher) if *searcher.options() == options => {}
            Some(searcher) => searcher.set_options(options).map_err(failed)?,
            None => self.searcher = Some(Searcher::new(options).map_err(failed)?),
        }
        Ok(())
    }

    /// Searches until a limit or `stop` ends it.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        listener: &mut (dyn FnMut(Event) + Send),
    ) -> Result<Conclusion, Refusal> {
        let searcher = self.searcher.as_mut().ok_or_else(|| Refusal::Failed("not prepared".to_owned()))?;
        stop.begin(searcher.control());
        let conclusion = searcher.search(game, limits, listener);
        stop.end();
        Ok(conclusion)
    }
}
