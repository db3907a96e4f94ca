//! An engine on a thread of its own, for protocols and programs.

use crate::endings::Tables;
use crate::eval::Network;
use crate::machine::{self, Hand};
use crate::options::{Error, Options};
use crate::search::{Conclusion, Control, Event, Limits, STACK};
use crate::searcher::{Probe, Searcher, View};
use chuhe_board::Position;
use chuhe_board::rules::Game;
use chuhe_board::score::Score;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// A searcher with a position, which works on a thread of its own while its owner does something else.
pub struct Engine {
    game: Game,
    control: Arc<Control>,
    view: View,
    /// None while it works.
    searcher: Option<Box<Searcher>>,
    /// The thread where it works.
    hand: Hand<Box<Searcher>>,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new(Options::default()).expect("a small hash table can be had")
    }
}

impl Engine {
    /// An engine at the start of a game.
    ///
    /// # Errors
    /// If the memory or the threads can't be had, or the network can't be read.
    pub fn new(options: Options) -> Result<Engine, Error> {
        Engine::of(Searcher::new(options)?)
    }

    /// An engine with a network at hand, which many can share; without one, with the hand-written evaluation.
    ///
    /// # Errors
    /// If the memory or the threads can't be had.
    pub fn with_network(options: Options, network: Option<Arc<Network>>) -> Result<Engine, Error> {
        Engine::of(Searcher::with_network(options, network)?)
    }

    fn of(searcher: Searcher) -> Result<Engine, Error> {
        let hand = Hand::new("engine", STACK, |searcher: &mut Box<Searcher>| {
            tracing::error!("the search has panicked");
            // Its state is unknown.
            searcher.forget();
        });
        let hand = hand.map_err(|error| Error::Resources(format!("no thread for the engine: {error}")))?;
        Ok(Engine {
            game: Game::new(Position::start()),
            control: Arc::clone(searcher.control()),
            view: searcher.view().clone(),
            searcher: Some(Box::new(searcher)),
            hand,
        })
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        self.view.options()
    }

    /// Sets all options, after the running search. What was learned is forgotten if it would be wrong under the new ones.
    ///
    /// # Errors
    /// If memory or threads can't be had, or the network can't be read; then everything stays as it was.
    pub fn set_options(&mut self, options: Options) -> Result<(), Error> {
        let searcher = self.searcher();
        let done = searcher.set_options(options);
        self.view = searcher.view().clone();
        done
    }

    /// Forgets everything learned, after the running search.
    pub fn new_game(&mut self) {
        self.searcher().forget();
    }

    /// Sets up a position with its history, for the searches to come.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
    }

    /// The position with its history.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Starts a search on the engine's thread. The listener is called there, at last with [`Event::Done`] or [`Event::Failed`]. A search
    /// that still runs is waited for.
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

    /// Lets the searcher do something on the engine's thread, after what it does now.
    pub fn begin(&mut self, job: impl FnOnce(&mut Searcher) + Send + 'static) {
        self.wait();
        if let Some(searcher) = self.searcher.take() {
            self.hand.give(searcher, Box::new(|searcher| job(searcher)));
        }
    }

    /// Searches and waits for the end.
    ///
    /// # Errors
    /// If the search fails.
    pub fn think(&mut self, limits: Limits, listener: impl FnMut(&Event)) -> Result<Conclusion, Error> {
        self.think_until(&AtomicBool::new(false), limits, listener)
    }

    /// The same, but it ends early, with what it has found, when the listener breaks off.
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
    /// If the search fails.
    pub fn think_while(
        &mut self,
        limits: Limits,
        mut listener: impl FnMut(&Event) -> ControlFlow<()>,
    ) -> Result<Conclusion, Error> {
        let stop = AtomicBool::new(false);
        self.think_until(&stop, limits, |event| stop.store(stop.load(Relaxed) || listener(event).is_break(), Relaxed))
    }

    /// The same as [`Self::think`], but it ends early, with what it has found, when `stop` is set.
    ///
    /// # Errors
    /// If the search fails.
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

    /// Asks the running search to end: it answers within milliseconds. No effect while idle.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// The enemy has played the expected move: the clock runs from now.
    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// Waits for the end of what the searcher does.
    pub fn wait(&mut self) {
        self.searcher();
    }

    /// What the hash table knows of a position; while thinking too.
    pub fn probe(&self, game: &Game) -> Option<Probe> {
        self.view.probe(game)
    }

    /// The evaluation of the position, from the view of the side to move, in centipawns.
    pub fn static_score(&self) -> Score {
        self.view.static_score(self.game.position())
    }

    /// The network that evaluates; none where the hand-written evaluation does.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.view.network()
    }

    /// The tablebases.
    pub fn tables(&self) -> &Tables {
        self.view.tables()
    }

    /// The searcher, when it has come back.
    fn searcher(&mut self) -> &mut Searcher {
        if self.searcher.is_none() {
            let searcher = self.hand.take();
            self.take_back(searcher);
        }
        self.searcher.as_mut().expect("it has come back")
    }

    fn take_back(&mut self, searcher: Box<Searcher>) {
        self.view = searcher.view().clone();
        self.searcher = Some(searcher);
    }
}

/// Ends a running search with the engine.
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
