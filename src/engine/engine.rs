//! An engine on its own thread, for protocols and programs.

use crate::endings::Tables;
use crate::eval::Network;
use crate::machine::{self, JobRunner};
use crate::options::{Error, Options};
use crate::search::{Conclusion, Control, Event, Limits, STACK};
use crate::searcher::Searcher;
use crate::view::{Probe, SearcherView};
use chuhe_board::Position;
use chuhe_board::rules::Game;
use chuhe_board::score::Score;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// A searcher and a position. Searches run on the engine's own thread, concurrently with the caller.
pub struct Engine {
    game: Game,
    control: Arc<Control>,
    view: SearcherView,
    /// `None` while the worker thread uses the searcher.
    searcher: Option<Box<Searcher>>,
    /// The worker thread.
    worker: JobRunner<Box<Searcher>>,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new(Options::default()).expect("a small hash table")
    }
}

impl Engine {
    /// Creates an engine at the start of a game.
    ///
    /// # Errors
    /// Returns an error if memory or threads are not available, or if the network cannot be read.
    pub fn new(options: Options) -> Result<Engine, Error> {
        Engine::of(Searcher::new(options)?)
    }

    /// Creates an engine with a shared network, or with the hand-written evaluation if there is none.
    ///
    /// # Errors
    /// Returns an error if memory or threads are not available.
    pub fn with_network(options: Options, network: Option<Arc<Network>>) -> Result<Engine, Error> {
        Engine::of(Searcher::with_network(options, network)?)
    }

    fn of(searcher: Searcher) -> Result<Engine, Error> {
        let worker = JobRunner::new("engine", STACK, |searcher: &mut Box<Searcher>| {
            tracing::error!("the search has panicked");
            // The search state may be inconsistent after a panic.
            searcher.forget();
        });
        let worker = worker.map_err(|error| Error::Resources(format!("cannot create the engine's thread: {error}")))?;
        Ok(Engine {
            game: Game::new(Position::start()),
            control: Arc::clone(searcher.control()),
            view: searcher.view().clone(),
            searcher: Some(Box::new(searcher)),
            worker,
        })
    }

    /// Returns the options.
    pub fn options(&self) -> &Options {
        self.view.options()
    }

    /// Sets all options after the running search has ended. Clears the hash table and the histories if they
    /// are not valid with the new options.
    ///
    /// # Errors
    /// Returns an error if memory or threads are not available, or if the network cannot be read; in that
    /// case, nothing is changed.
    pub fn set_options(&mut self, options: Options) -> Result<(), Error> {
        let searcher = self.searcher();
        let done = searcher.set_options(options);
        self.view = searcher.view().clone();
        done
    }

    /// Clears the hash table and the histories after the running search has ended.
    pub fn new_game(&mut self) {
        self.searcher().forget();
    }

    /// Sets the position, with its history, for the next searches.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
    }

    /// Returns the position with its history.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Starts a search on the engine's thread, after the running search, if any, has ended. The listener is
    /// called on that thread; its last event is [`Event::Done`] or [`Event::Failed`].
    pub fn go(&mut self, limits: Limits, mut listener: impl FnMut(Event) + Send + 'static) {
        self.wait();
        self.control.start(limits.ponder);
        let game = self.game.clone();
        self.begin(move |searcher| {
            match catch_unwind(AssertUnwindSafe(|| searcher.search(&game, &limits, &mut listener))) {
                Ok(conclusion) => listener(Event::Done(conclusion)),
                Err(panic) => {
                    listener(Event::Failed);
                    resume_unwind(panic);
                }
            }
        });
    }

    /// Runs a job with the searcher on the engine's thread, after the current work has ended.
    pub fn begin(&mut self, job: impl FnOnce(&mut Searcher) + Send + 'static) {
        self.wait();
        if let Some(searcher) = self.searcher.take() {
            self.worker.give(searcher, Box::new(|searcher| job(searcher)));
        }
    }

    /// Searches and waits for the result.
    ///
    /// # Errors
    /// Returns an error if the search fails.
    pub fn think(&mut self, limits: Limits, listener: impl FnMut(&Event)) -> Result<Conclusion, Error> {
        self.think_until(&AtomicBool::new(false), limits, listener)
    }

    /// Searches; ends early with the result so far when the listener returns `Break`.
    ///
    /// ```
    /// use chuhe_engine::Engine;
    /// use chuhe_engine::search::{Event, Limits};
    /// use std::ops::ControlFlow;
    ///
    /// let found = Engine::default().think_while(Limits::default(), |event| match event {
    ///     Event::Line(line) if line.depth >= 4 => ControlFlow::Break(()),
    ///     _ => ControlFlow::Continue(()),
    /// })?;
    /// assert!(found.best.is_some());
    /// # Ok::<(), chuhe_engine::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the search fails.
    pub fn think_while(
        &mut self,
        limits: Limits,
        mut listener: impl FnMut(&Event) -> ControlFlow<()>,
    ) -> Result<Conclusion, Error> {
        let stop = AtomicBool::new(false);
        self.think_until(&stop, limits, |event| stop.store(stop.load(Relaxed) || listener(event).is_break(), Relaxed))
    }

    /// Searches like [`Self::think`]; ends early with the result so far when `stop` is set.
    ///
    /// # Errors
    /// Returns an error if the search fails.
    pub fn think_until(
        &mut self,
        stop: &AtomicBool,
        limits: Limits,
        mut listener: impl FnMut(&Event),
    ) -> Result<Conclusion, Error> {
        let (sender, events) = mpsc::channel();
        self.go(limits, move |event| {
            let _ = sender.send(event);
        });
        let mut conclusion = Err(Error::SearchFailed);
        loop {
            match machine::receive(&events, Duration::from_millis(20)) {
                Ok(event) => {
                    listener(&event);
                    if let Event::Done(done) = event {
                        conclusion = Ok(done);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return conclusion,
            }
            if stop.load(Relaxed) {
                self.stop();
            }
        }
    }

    /// Stops the running search, which ends within milliseconds. Has no effect while idle.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Reports that the opponent has played the expected move, which starts the engine's clock.
    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// Waits for the end of the current work.
    pub fn wait(&mut self) {
        self.searcher();
    }

    /// Returns the hash table's entry for a position; can be called during a search.
    pub fn probe(&self, game: &Game) -> Option<Probe> {
        self.view.probe(game)
    }

    /// Returns the static evaluation of the position, from the point of view of the side to move, in
    /// centipawns.
    pub fn static_score(&self) -> Score {
        self.view.static_score(self.game.position())
    }

    /// Returns the network used for evaluation; `None` if the hand-written evaluation is used.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.view.network()
    }

    /// Returns the tablebases.
    pub fn tables(&self) -> &Tables {
        self.view.tables()
    }

    /// Waits for the searcher and returns it.
    fn searcher(&mut self) -> &mut Searcher {
        if self.searcher.is_none() {
            let searcher = self.worker.take();
            self.take_back(searcher);
        }
        self.searcher.as_mut().expect("the searcher is idle")
    }

    fn take_back(&mut self, searcher: Box<Searcher>) {
        self.view = searcher.view().clone();
        self.searcher = Some(searcher);
    }
}

/// Stops a running search when the engine is dropped.
impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine() -> Engine {
        Engine::new(Options { hash_mb: 1, ..Options::default() }).expect("an engine")
    }

    #[test]
    fn a_search_that_is_stopped_tells_what_it_has_found() {
        let conclusion = engine().think_until(&AtomicBool::new(true), Limits::default(), |_| {});
        assert!(conclusion.expect("no failure").best.is_some());
    }

    #[test]
    fn a_search_that_panics_is_an_error_and_the_next_one_is_not() {
        let mut engine = engine();
        engine.begin(|_| panic!("on purpose"));
        assert!(engine.think(Limits::depth(2), |_| {}).is_ok());
        let (sender, events) = mpsc::channel();
        engine.go(Limits::depth(9), move |event| {
            assert!(!matches!(event, Event::Line(_)), "on purpose");
            let _ = sender.send(event);
        });
        assert!(matches!(events.recv(), Ok(Event::Failed)));
        assert!(engine.think(Limits::depth(2), |_| {}).is_ok_and(|conclusion| conclusion.best.is_some()));
    }

    #[test]
    fn the_hash_table_can_be_asked_while_it_searches() {
        let mut engine = engine();
        engine.think(Limits::depth(4), |_| {}).expect("no failure");
        engine.go(Limits::default(), |_| {});
        let start = engine.game().clone();
        assert!(engine.probe(&start).is_some());
        engine.stop();
        engine.wait();
    }
}
