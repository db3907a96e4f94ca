//! The engine: searches that release the GIL, can be stopped from any thread, and end with Ctrl-C.

use crate::arguments::{GameArgument, Whole, value_error, whole, within};
use crate::calls::{call, call_in};
use crate::errors::EngineError;
use crate::limits::{Limit, require_limit};
use crate::moves::{Move, moves};
use crate::network::Network;
use crate::notation::legal_move;
use crate::results::build;
use crate::review::Review;
use crate::rules::{Rules, RulesArgument, outcome};
use crate::score::Score;
use crate::session::{Session, engine_error, set};
use crate::shared::{Kind, Shared};
use crate::signals::{Interrupts, StopArgument};
use chuhe::board;
use chuhe::engine::{self, Level, Options};
use chuhe::eval::Chances;
use chuhe::rules::Game;
use chuhe::search::{self, Report};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Maximum size of the hash table, in MB.
const MAX_MEGABYTES: usize = 1 << 20;
/// Maximum number of threads, as in the engine's own options.
pub const MAX_THREADS: usize = 256;

const KIND: Kind = Kind { noun: "engine", error: EngineError::new_err::<String> };

/// The built-in engine; it requires no installation or configuration. It releases the GIL while searching.
///
/// - `hash_mb`: size of the hash table in MB
/// - `threads`: number of search threads, 1 to 256
/// - `rules`: the repetition rules
/// - `level`: strength of `play`, 1 to 10; 10 is full strength
/// - `network`: a `Network` instead of the built-in one
/// - `handcrafted`: use the hand-written evaluation instead of a network
/// - `tables`: folders of tablebases, separated by `;`
/// - `seed`: seed for the choices of levels below 10; 0 selects a new seed each time
///
/// Leaving a `with` block closes the engine. Only one thread searches at a time; other threads wait for their
/// turn. Raises `EngineError` if memory or threads are exhausted, `ValueError` for a number out of range.
/// After `os.fork()`, which `multiprocessing` uses on Linux, an engine created by the parent raises
/// `EngineError` in the child; create an engine in each process.
#[pyclass(module = "chuhe", frozen)]
pub struct Engine {
    /// `None` after the engine has been closed.
    shared: Shared<Option<engine::Engine>>,
    /// The user's options; a search may temporarily set different ones in the engine.
    options: Mutex<Options>,
    /// Flag that stops the running search.
    stop: AtomicBool,
    closed: AtomicBool,
}

fn level_of(number: i128) -> PyResult<Level> {
    let level = u8::try_from(number).ok().and_then(Level::new);
    level.ok_or_else(|| value_error(format!("{number} is not a level (1 to 10)")))
}

fn closed() -> PyErr {
    EngineError::new_err("this engine is closed")
}

impl Engine {
    /// Waits for the engine without holding the GIL, then runs a job on it.
    fn run<T: Send>(
        &self,
        py: Python,
        stop: Option<&StopArgument>,
        job: impl FnOnce(&mut Session<'_, '_>) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        py.detach(|| {
            let mut interrupts = Interrupts::new(stop);
            let mut turn = self.shared.turn(&mut interrupts)?;
            // `stop` is cleared before `closed` is read, so that a concurrent `close` stops either the search
            // or this call.
            self.stop.store(false, SeqCst);
            if self.closed.load(SeqCst) {
                return Err(closed());
            }
            let engine = turn.as_mut().ok_or_else(closed)?;
            job(&mut Session { engine, stop: &self.stop, interrupts: &mut interrupts })
        })
    }

    fn configured(&self) -> MutexGuard<'_, Options> {
        self.options.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the moves to which a search is restricted.
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
        #[pyo3(from_py_with = whole)] hash_mb: i128,
        #[pyo3(from_py_with = whole)] threads: i128,
        rules: RulesArgument,
        #[pyo3(from_py_with = whole)] level: i128,
        network: Option<&Network>,
        handcrafted: bool,
        tables: Option<std::path::PathBuf>,
        #[pyo3(from_py_with = whole)] seed: u64,
    ) -> PyResult<Engine> {
        let options = Options {
            hash_mb: within("hash_mb", hash_mb, MAX_MEGABYTES)?,
            threads: within("threads", threads, MAX_THREADS)?,
            rules: rules.0,
            level: level_of(level)?,
            use_nnue: !handcrafted,
            table_path: tables,
            seed,
            ..Options::default()
        };
        let network = network.map(|network| network.0.clone());
        let made = options.clone();
        let engine = py.detach(|| match network {
            Some(network) => engine::Engine::with_network(made, Some(network)),
            None => engine::Engine::new(made),
        });
        let shared = Shared::new(Some(engine.map_err(engine_error)?), KIND);
        let (stop, closed) = (AtomicBool::new(false), AtomicBool::new(false));
        Ok(Engine { shared, options: Mutex::new(options), stop, closed })
    }

    /// Changes options once the running search has ended; options that are not given are unchanged. Raises
    /// the same exceptions as `Engine`.
    #[pyo3(signature = (*, hash_mb = None, threads = None, rules = None, level = None, seed = None))]
    fn configure(
        &self,
        py: Python,
        hash_mb: Option<Whole<i128>>,
        threads: Option<Whole<i128>>,
        rules: Option<RulesArgument>,
        level: Option<Whole<i128>>,
        seed: Option<Whole<u64>>,
    ) -> PyResult<()> {
        let hash_mb = hash_mb.map(|number| within("hash_mb", number.0, MAX_MEGABYTES)).transpose()?;
        let threads = threads.map(|number| within("threads", number.0, MAX_THREADS)).transpose()?;
        let level = level.map(|number| level_of(number.0)).transpose()?;
        self.run(py, None, |session| {
            let options = self.configured().clone();
            let options = Options {
                hash_mb: hash_mb.unwrap_or(options.hash_mb),
                threads: threads.unwrap_or(options.threads),
                rules: rules.map_or(options.rules, |rules| rules.0),
                level: level.unwrap_or(options.level),
                seed: seed.map_or(options.seed, |seed| seed.0),
                ..options
            };
            set(session.engine, options.clone())?;
            *self.configured() = options;
            Ok(())
        })
    }

    /// The current options: a new dictionary with `hash_mb`, `threads`, `rules`, `level` and `seed`.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.shared.check_process()?;
        let options = self.configured().clone();
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
    /// - `position`: a `Position`, a `Game` or a FEN
    /// - `limit`: a `Limit`; required unless `on_line` or `stop` can end the search
    /// - `lines`: number of best lines
    /// - `root_moves`: the first moves to consider; all others are ignored
    /// - `on_line`: called with every `Line`; ends the search by returning a false value other than `None`. It
    ///   must not use this engine, except for `stop`.
    /// - `stop`: an object such as `threading.Event`; once `is_set()` returns true, this search ends, even if
    ///   it is still waiting for its turn
    ///
    /// Scores are from the point of view of the side to move. Raises `ValueError` without a limit,
    /// `EngineError` if the search fails, and any exception raised by `on_line`.
    #[pyo3(signature = (position, limit = None, *, lines = 1, root_moves = None, on_line = None, stop = None))]
    #[expect(clippy::too_many_arguments)]
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        position: GameArgument,
        limit: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = whole)] lines: i128,
        root_moves: Option<Vec<Bound<'py, PyAny>>>,
        on_line: Option<Py<PyAny>>,
        stop: Option<StopArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let game = position.0;
        let only = self::root_moves(&game, root_moves)?;
        let side = game.position().side();
        let limits = Limit::of(limit.as_ref())?.limits(side, only)?;
        if on_line.is_none() && stop.is_none() {
            require_limit(limit.as_ref(), side, py)?;
        }
        let lines = within("lines", lines, board::MAX_MOVES)?;
        let conclusion = self.run(py, stop.as_ref(), |session| {
            let listen = |line| match &on_line {
                Some(listener) => Python::attach(|py| {
                    let answer = call(listener.bind(py), (line_of(py, &game, &line)?,))?;
                    Ok(answer.is_none() || answer.is_truthy()?)
                }),
                None => Ok(true),
            };
            let change = |options| Options { multipv: lines, level: Level::FULL, ..options };
            session.search(change, &game, limits, listen)
        })?;
        let outcome = outcome(py, conclusion.verdict, side)?;
        let found: Vec<Bound<PyAny>> =
            conclusion.lines.iter().map(|line| line_of(py, &game, line)).collect::<PyResult<_>>()?;
        let (best, ponder) = (conclusion.best.map(Move), conclusion.ponder.map(Move));
        build(py, "Analysis", (found, best, ponder, outcome, conclusion.nodes, conclusion.time.as_secs_f64()))
    }

    /// Starts a search and returns an `AnalysisStream`: an iterator over its lines as they are found, and a
    /// context manager that stops it.
    ///
    /// Without a limit, the search continues until it is stopped. The arguments and exceptions are as in
    /// `analyse`, without `on_line` and `stop`.
    #[pyo3(signature = (position, limit = None, *, lines = 1, root_moves = None))]
    fn analysis<'py>(
        slf: &Bound<'py, Self>,
        position: GameArgument,
        limit: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = whole)] lines: i128,
        root_moves: Option<Vec<Bound<'py, PyAny>>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, engine) = (slf.py(), slf.get());
        engine.shared.check()?;
        if engine.closed.load(SeqCst) {
            return Err(closed());
        }
        let lines = within("lines", lines, board::MAX_MOVES)?;
        let restricted = root_moves.is_some();
        let only = moves(&self::root_moves(&position.0, root_moves)?);
        Limit::of(limit.as_ref())?.limits(position.0.position().side(), Vec::new())?;
        let (game, only) = (crate::game::Game::of(position.0), restricted.then_some(only));
        call_in(py, "chuhe.streams", "engine_stream", (slf, game, limit, lines, only))
    }

    /// Chooses a move at the engine's level, or at `level`, and returns a `PlayResult`. The other arguments
    /// and the exceptions are as in `analyse`; without a limit, it searches for at most one second.
    #[pyo3(signature = (position, limit = None, *, level = None, root_moves = None, stop = None))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        position: GameArgument,
        limit: Option<Bound<'py, PyAny>>,
        level: Option<Whole<i128>>,
        root_moves: Option<Vec<Bound<'py, PyAny>>>,
        stop: Option<StopArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let game = position.0;
        let side = game.position().side();
        let only = self::root_moves(&game, root_moves)?;
        let limits = if limit.is_some() { Limit::of(limit.as_ref())? } else { Limit::seconds(1.0) };
        let limits = limits.limits(side, only)?;
        if limit.is_some() && stop.is_none() {
            require_limit(limit.as_ref(), side, py)?;
        }
        let level = level.map(|number| level_of(number.0)).transpose()?;
        let conclusion = self.run(py, stop.as_ref(), |session| {
            let change = |options: Options| Options { multipv: 1, level: level.unwrap_or(options.level), ..options };
            session.search(change, &game, limits, |_| Ok(true))
        })?;
        let outcome = outcome(py, conclusion.verdict, side)?;
        let score = conclusion.score().map(|value| Score::of(value, side));
        build(py, "PlayResult", (conclusion.best.map(Move), conclusion.ponder.map(Move), score, outcome))
    }

    /// Judges every move of a game, and returns a `Review`. Each position is searched for `nodes` nodes, and
    /// the positions before and after a move that looks bad for eight times as many. `stop` is as in
    /// `analyse`. Raises `EngineError` if the review is stopped.
    #[pyo3(signature = (game, *, nodes = 200_000, stop = None))]
    fn review(
        &self,
        py: Python,
        game: GameArgument,
        #[pyo3(from_py_with = whole)] nodes: u64,
        stop: Option<StopArgument>,
    ) -> PyResult<Review> {
        self.run(py, stop.as_ref(), |session| {
            let terms = session.engine.options().terms();
            Review::of(session, game.0, terms, nodes)
        })
    }

    /// Returns the static evaluation of a position, without a search. For many positions, `Network.evaluate`
    /// is faster.
    fn evaluate(&self, py: Python, position: GameArgument) -> PyResult<Score> {
        let side = position.0.position().side();
        self.run(py, None, |session| {
            session.engine.set_game(position.0);
            Ok(Score::of(session.engine.static_score(), side))
        })
    }

    /// Ends the running search, which returns its result so far. Can be called from any thread; has no effect
    /// on an idle engine.
    fn stop(&self) -> PyResult<()> {
        self.shared.check_process()?;
        self.stop.store(true, SeqCst);
        Ok(())
    }

    /// Clears the hash table and all histories once the running search has ended.
    fn new_game(&self, py: Python) -> PyResult<()> {
        self.run(py, None, |session| {
            session.engine.new_game();
            Ok(())
        })
    }

    /// Stops the running search and frees the memory of the engine. Later searches raise `EngineError`.
    fn close(&self, py: Python) -> PyResult<()> {
        self.shared.check()?;
        self.closed.store(true, SeqCst);
        self.stop.store(true, SeqCst);
        py.detach(|| self.shared.turn(&mut Interrupts::default()).map(|mut turn| drop(turn.take())))
    }

    /// Alias of `close`.
    fn quit(&self, py: Python) -> PyResult<()> {
        self.close(py)
    }

    /// `True` if the engine has been closed.
    #[getter]
    fn closed(&self) -> PyResult<bool> {
        self.shared.check_process()?;
        Ok(self.closed.load(SeqCst))
    }

    fn __enter__(slf: Bound<Self>) -> Bound<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python, _exception: &Bound<PyTuple>) -> PyResult<()> {
        self.close(py)
    }

    fn __repr__(&self) -> String {
        if !self.shared.is_here() {
            return "<Engine of another process>".to_owned();
        }
        let options = self.configured();
        let (hash_mb, threads, level) = (options.hash_mb, options.threads, options.level);
        format!("Engine(hash_mb={hash_mb}, threads={threads}, rules='{}', level={level})", options.rules.rules)
    }
}

/// Converts a line to its dataclass.
fn line_of<'py>(py: Python<'py>, game: &Game, line: &Report) -> PyResult<Bound<'py, PyAny>> {
    let Chances { win, draw, loss } = Chances::of(line.score, game.position());
    let bound = match line.bound {
        search::Bound::Exact => "exact",
        search::Bound::Lower => "lower",
        search::Bound::Upper => "upper",
    };
    let score = Score::of(line.score, game.position().side());
    let wdl = build(py, "Wdl", (win, draw, loss))?;
    let counted = (line.depth, line.seldepth, line.nodes, line.time.as_secs_f64(), line.hashfull);
    let (depth, seldepth, nodes, time, hashfull) = counted;
    build(py, "Line", (score, wdl, moves(&line.pv), line.multipv, depth, seldepth, bound, nodes, time, hashfull))
}
