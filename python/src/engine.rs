//! The engine: searches that leave the GIL free, can be stopped from any thread, and end with Ctrl-C.

use crate::arguments::{GameArgument, value_error};
use crate::errors::{EngineError, NetworkError};
use crate::moves::{Move, moves};
use crate::network::Network;
use crate::notation::legal_move;
use crate::results::build;
use crate::review::Review;
use crate::rules::{Rules, RulesArgument, outcome};
use crate::score::Score;
use crate::signals::{PATIENCE, Signals};
use chuhe::board;
use chuhe::engine::{self, Error, Level, Options};
use chuhe::eval::Chances;
use chuhe::rules::Game;
use chuhe::search::{self, Conclusion, Event, Limits, Report, Time};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The largest hash table that can be asked for, in MB, and the most threads.
const MOST_MEGABYTES: usize = 1 << 20;
const MOST_THREADS: usize = 1024;

/// An engine inside the process: nothing to install, no path to configure. The GIL is free while it searches.
///
/// `hash_mb` is the size of its table in MB, `threads` how many threads search, `rules` the rules of repetition, `level` how strongly
/// `play` plays (1 to 10, 10 is full strength), `network` a `Network` in place of the built-in one, `handcrafted` whether the hand-written
/// evaluation is used instead, `tables` folders of tablebases with `;` between them, `seed` decides the choices of levels below
/// 10 (0: a new one each time).
///
/// Raises `EngineError` if memory or threads can't be had, `ValueError` for a number out of its range. After `os.fork()` (`multiprocessing` does it on
/// Linux), an engine of the parent raises `EngineError` in the child: make one in each process.
#[pyclass(module = "chuhe", frozen)]
pub struct Engine {
    engine: Mutex<engine::Engine>,
    stop: AtomicBool,
    /// The process that made it: a forked one has none of its threads.
    process: u32,
}

/// What ends a search: the fields of the dataclass `Limit`.
#[derive(FromPyObject, Default)]
pub struct Limit {
    time: Option<f64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    mate: Option<u32>,
    red_clock: Option<f64>,
    black_clock: Option<f64>,
    red_inc: Option<f64>,
    black_inc: Option<f64>,
    remaining_moves: Option<u32>,
}

impl Limit {
    fn limits(&self, side: board::Side, only: Vec<board::Move>) -> PyResult<Limits> {
        let seconds = |name: &str, number: f64| {
            Duration::try_from_secs_f64(number).map_err(|error| value_error(format!("{name}: {error}")))
        };
        let (left, increment) = match side {
            board::Side::Red => (self.red_clock, self.red_inc),
            board::Side::Black => (self.black_clock, self.black_inc),
        };
        let time = match (self.time, left) {
            (Some(time), _) => Time::Fixed(seconds("time", time)?),
            (None, Some(left)) => Time::Clock {
                left: seconds("clock", left)?,
                increment: seconds("inc", increment.unwrap_or_default())?,
                moves_to_go: self.remaining_moves,
            },
            (None, None) => Time::Unlimited,
        };
        Ok(Limits { depth: self.depth, nodes: self.nodes, mate: self.mate, time, only, ..Limits::default() })
    }
}

/// The exception for what an engine reports.
fn engine_error(error: Error) -> PyErr {
    match error {
        Error::Network { .. } => NetworkError::new_err(error.to_string()),
        _ => EngineError::new_err(error.to_string()),
    }
}

fn level_of(number: u8) -> PyResult<Level> {
    Level::new(number).ok_or_else(|| value_error(format!("{number} is not a level (1 to 10)")))
}

/// The number if it is within 1 and the most.
fn within(name: &str, number: usize, most: usize) -> PyResult<usize> {
    let fits = (1..=most).contains(&number);
    if fits { Ok(number) } else { Err(value_error(format!("{name} is {number}; it must be 1 to {most}"))) }
}

impl Engine {
    /// The engine, when no other thread uses it.
    fn engine(&self) -> MutexGuard<'_, engine::Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a search run, without the GIL, until it ends or is stopped; `told` hears every line and stops the search by answering no.
    fn search(
        &self,
        engine: &mut engine::Engine,
        game: &Game,
        limits: Limits,
        mut told: impl FnMut(Report) -> PyResult<bool>,
    ) -> PyResult<Conclusion> {
        if self.process != process::id() {
            return Err(EngineError::new_err("this engine was made before os.fork(); make one in each process"));
        }
        let (sender, events) = mpsc::channel();
        engine.set_game(game.clone());
        engine.go(limits, move |event| {
            let _ = sender.send(event);
        });
        let (mut signals, mut raised, mut concluded) = (Signals::default(), None, None);
        loop {
            match events.recv_timeout(PATIENCE) {
                Ok(Event::Line(line)) if raised.is_none() => match told(line) {
                    Ok(true) => {}
                    Ok(false) => self.stop(),
                    Err(error) => raised = Some(error),
                },
                Ok(Event::Done(conclusion)) => concluded = Some(conclusion),
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if self.stop.load(Relaxed) || raised.is_some() || signals.have_raised() {
                engine.stop();
            }
        }
        engine.wait();
        match raised {
            Some(error) => Err(error),
            None => signals.or(concluded)?.ok_or_else(|| engine_error(Error::SearchFailed)),
        }
    }

    /// The same for one line after another of a whole game: `Review` asks so. The first search clears the stop.
    pub fn lines(&self, game: &Game, nodes: u64, count: usize) -> PyResult<Vec<Report>> {
        let engine = &mut *self.engine();
        set(engine, |options| Options { multipv: count, level: Level::FULL, ..options })?;
        let conclusion = self.search(engine, game, Limits::nodes(nodes), |_| Ok(true))?;
        if self.stop.load(Relaxed) {
            return Err(EngineError::new_err("the review was stopped"));
        }
        Ok(conclusion.lines)
    }

    /// Forgets an earlier stop, before a new task.
    pub fn resume(&self) {
        self.stop.store(false, Relaxed);
    }
}

/// Changes the options of an engine.
fn set(engine: &mut engine::Engine, change: impl FnOnce(Options) -> Options) -> PyResult<()> {
    let options = change(engine.options().clone());
    if options == *engine.options() { Ok(()) } else { engine.set_options(options).map_err(engine_error) }
}

/// The moves that a search is confined to.
fn root_moves(game: &Game, given: Option<Vec<Bound<PyAny>>>) -> PyResult<Vec<board::Move>> {
    given.unwrap_or_default().iter().map(|mv| legal_move(game.position(), mv)).collect()
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, hash_mb = 64, threads = 1, rules = crate::game::ASIAN, level = 10, network = None, handcrafted = false,
                        tables = None, seed = 0))]
    #[expect(clippy::too_many_arguments)]
    fn new(
        py: Python,
        hash_mb: usize,
        threads: usize,
        rules: RulesArgument,
        level: u8,
        network: Option<&Network>,
        handcrafted: bool,
        tables: Option<std::path::PathBuf>,
        seed: u64,
    ) -> PyResult<Engine> {
        let options = Options {
            hash_mb: within("hash_mb", hash_mb, MOST_MEGABYTES)?,
            threads: within("threads", threads, MOST_THREADS)?,
            rules: rules.0,
            level: level_of(level)?,
            use_nnue: !handcrafted,
            table_path: tables,
            seed,
            ..Options::default()
        };
        let network = network.map(|network| network.0.clone());
        let engine = py.detach(|| match network {
            Some(network) => engine::Engine::with_network(options, Some(network)),
            None => engine::Engine::new(options),
        });
        let engine = Mutex::new(engine.map_err(engine_error)?);
        Ok(Engine { engine, stop: AtomicBool::new(false), process: process::id() })
    }

    /// Changes options, after the running search; those that are not given stay. Raises what `Engine` raises.
    #[pyo3(signature = (*, hash_mb = None, threads = None, rules = None, level = None, seed = None))]
    fn configure(
        &self,
        py: Python,
        hash_mb: Option<usize>,
        threads: Option<usize>,
        rules: Option<RulesArgument>,
        level: Option<u8>,
        seed: Option<u64>,
    ) -> PyResult<()> {
        let hash_mb = hash_mb.map(|number| within("hash_mb", number, MOST_MEGABYTES)).transpose()?;
        let threads = threads.map(|number| within("threads", number, MOST_THREADS)).transpose()?;
        let level = level.map(level_of).transpose()?;
        py.detach(|| {
            set(&mut self.engine(), |options| Options {
                hash_mb: hash_mb.unwrap_or(options.hash_mb),
                threads: threads.unwrap_or(options.threads),
                rules: rules.map_or(options.rules, |rules| rules.0),
                level: level.unwrap_or(options.level),
                seed: seed.unwrap_or(options.seed),
                ..options
            })
        })
    }

    /// The options in force: a new dictionary with `hash_mb`, `threads`, `rules`, `level` and `seed`. Waits for a running search.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = py.detach(|| self.engine().options().clone());
        let dictionary = PyDict::new(py);
        dictionary.set_item("hash_mb", options.hash_mb)?;
        dictionary.set_item("threads", options.threads)?;
        dictionary.set_item("rules", Rules(options.rules))?;
        dictionary.set_item("level", options.level.number())?;
        dictionary.set_item("seed", options.seed)?;
        Ok(dictionary)
    }

    /// Searches a position with its history, at full strength, and returns an `Analysis`.
    ///
    /// `position` is a `Position`, a `Game` or a FEN; `limit` a `Limit`, without one the search goes on until it is stopped; `lines` how many
    /// best lines are wanted; `root_moves` the only moves to look at. `on_line` hears every `Line` as it is found, and ends the search by
    /// returning `False`.
    ///
    /// Scores are those of the side to move. Raises `EngineError` if the search fails, and whatever `on_line` raises.
    #[pyo3(signature = (position, limit = None, *, lines = 1, root_moves = None, on_line = None))]
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        position: GameArgument,
        limit: Option<Limit>,
        lines: usize,
        root_moves: Option<Vec<Bound<'py, PyAny>>>,
        on_line: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let game = position.0;
        let only = self::root_moves(&game, root_moves)?;
        let limits = limit.unwrap_or_default().limits(game.position().side(), only)?;
        let lines = within("lines", lines, board::MAX_MOVES)?;
        let conclusion = py.detach(|| {
            let engine = &mut *self.engine();
            self.resume();
            let level = engine.options().level;
            set(engine, |options| Options { multipv: lines, level: Level::FULL, ..options })?;
            let told = |line| match &on_line {
                Some(listener) => Python::attach(|py| {
                    let answer = listener.call1(py, (line_of(py, &game, &line)?,))?;
                    Ok(!answer.bind(py).is(false.into_pyobject(py)?))
                }),
                None => Ok(true),
            };
            let found = self.search(engine, &game, limits, told);
            set(engine, |options| Options { level, ..options })?;
            found
        })?;
        let outcome = outcome(py, conclusion.verdict, game.position().side())?;
        let found: Vec<Bound<PyAny>> =
            conclusion.lines.iter().map(|line| line_of(py, &game, line)).collect::<PyResult<_>>()?;
        let (best, ponder) = (conclusion.best.map(Move), conclusion.ponder.map(Move));
        build(py, "Analysis", (found, best, ponder, outcome, conclusion.nodes, conclusion.time.as_secs_f64()))
    }

    /// Chooses a move at the engine's level, or at `level`, and returns a `PlayResult`. Arguments and exceptions are those of `analyse`;
    /// without a limit, it thinks for a second at most.
    #[pyo3(signature = (position, limit = None, *, level = None, root_moves = None))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        position: GameArgument,
        limit: Option<Limit>,
        level: Option<u8>,
        root_moves: Option<Vec<Bound<'py, PyAny>>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let game = position.0;
        let only = self::root_moves(&game, root_moves)?;
        let limit = limit.unwrap_or(Limit { time: Some(1.0), ..Limit::default() });
        let limits = limit.limits(game.position().side(), only)?;
        let level = level.map(level_of).transpose()?;
        let conclusion = py.detach(|| {
            let engine = &mut *self.engine();
            self.resume();
            let before = engine.options().level;
            set(engine, |options| Options { multipv: 1, level: level.unwrap_or(before), ..options })?;
            let found = self.search(engine, &game, limits, |_| Ok(true));
            set(engine, |options| Options { level: before, ..options })?;
            found
        })?;
        let outcome = outcome(py, conclusion.verdict, game.position().side())?;
        let score = conclusion.score().map(|value| Score { value });
        build(py, "PlayResult", (conclusion.best.map(Move), conclusion.ponder.map(Move), score, outcome))
    }

    /// Judges every move of a game, and returns a `Review`. `nodes` are searched for each position, eight times as many around a move that looks
    /// bad. Raises `EngineError` if it is stopped.
    #[pyo3(signature = (game, *, nodes = 200_000))]
    fn review(slf: &Bound<Self>, game: GameArgument, nodes: u64) -> PyResult<Review> {
        let (py, engine) = (slf.py(), slf.get());
        engine.resume();
        py.detach(|| {
            let terms = engine.engine().options().terms();
            Review::of(engine, game.0, terms, nodes)
        })
    }

    /// The static evaluation of a position, without a search. For many positions, `Network.evaluate` is faster.
    fn evaluate(&self, py: Python, position: GameArgument) -> Score {
        let value = py.detach(|| {
            let engine = &mut *self.engine();
            engine.set_game(position.0);
            engine.static_score()
        });
        Score { value }
    }

    /// Ends the running search, from whatever thread; it answers with what it has found. No effect while idle.
    fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Forgets everything learned, after the running search.
    fn new_game(&self, py: Python) {
        py.detach(|| self.engine().new_game());
    }

    fn __repr__(&self, py: Python) -> String {
        let options = py.detach(|| self.engine().options().clone());
        let (hash_mb, threads, level) = (options.hash_mb, options.threads, options.level);
        format!("Engine(hash_mb={hash_mb}, threads={threads}, rules='{}', level={level})", options.rules.rules)
    }
}

/// A line as a dataclass.
fn line_of<'py>(py: Python<'py>, game: &Game, line: &Report) -> PyResult<Bound<'py, PyAny>> {
    let Chances { win, draw, loss } = Chances::of(line.score, game.position());
    let bound = match line.bound {
        search::Bound::Exact => "exact",
        search::Bound::Lower => "lower",
        search::Bound::Upper => "upper",
    };
    let (score, wdl) = (Score { value: line.score }, build(py, "Wdl", (win, draw, loss))?);
    let counted = (line.depth, line.seldepth, line.nodes, line.time.as_secs_f64(), line.hashfull);
    let (depth, seldepth, nodes, time, hashfull) = counted;
    build(py, "Line", (score, wdl, moves(&line.pv), line.multipv, depth, seldepth, bound, nodes, time, hashfull))
}
