//! The engine as protocols and programs see it: options, a position, and a search that runs beside its caller.
//!
//! ```
//! use chuhe::engine::Engine;
//! use chuhe::search::Limits;
//!
//! let mut engine = Engine::default();
//! let conclusion = engine.think(Limits::depth(5), |_| {});
//! assert!(conclusion.best.is_some());
//! ```

mod bench;

pub use bench::{BENCH_DEPTH, Bench, bench, bench_with};

use crate::board::Move;
use crate::bytes::{LONGEST_FILE, read_file};
use crate::eval::{Handcrafted, Network, Nnue, evaluate, nnue};
use crate::random::SplitMix64;
use crate::rules::{Game, RuleSet};
use crate::score::Score;
use crate::search::{Bound, Conclusion, Control, Entry, Event, Limits, Memory, Params, Settings, Table, search};
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// What users can set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Hash table, in MB of 2^20 bytes, 1 and up.
    pub hash_mb: usize,
    /// Searching threads, 1–256.
    pub threads: usize,
    /// How many best lines are searched and reported.
    pub multipv: usize,
    /// Kept free on the clock for what the way to the GUI costs, in milliseconds.
    pub move_overhead: u64,
    /// The enemy's time is used for thinking: own thinking may take a little longer.
    pub ponder: bool,
    /// The rules of repetition.
    pub rules: RuleSet,
    /// Plies without a capture after which a game is drawn; 0 = as the rule set says.
    pub draw_plies: u16,
    /// The largest random amount added to evaluations, in centipawns; 0 = none.
    pub randomness: Score,
    /// Whether a network evaluates, if there is one; otherwise the hand-written evaluation does.
    pub use_nnue: bool,
    /// The file of a network that takes the place of the one in the program.
    pub eval_file: Option<PathBuf>,
    /// The numbers and switches of the search.
    pub params: Params,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_mb: 64,
            threads: 1,
            multipv: 1,
            move_overhead: 30,
            ponder: false,
            rules: RuleSet::default(),
            draw_plies: 0,
            randomness: 0,
            use_nnue: true,
            eval_file: None,
            params: Params::default(),
        }
    }
}

/// What the hash table knows of a position; see [`Engine::probe`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probe {
    /// The best move, if one is known.
    pub best: Option<Move>,
    /// From the view of the side to move.
    pub score: Score,
    /// How the score relates to the true value.
    pub bound: Bound,
    /// To what depth it was searched, in plies.
    pub depth: u32,
}

/// An engine with its position, options and memory.
pub struct Engine {
    options: Options,
    game: Game,
    control: Arc<Control>,
    memory: Arc<Mutex<Memory>>,
    /// The network of the options' file, or the program's own.
    network: Option<Arc<Network>>,
    running: Option<JoinHandle<()>>,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new(Options::default()).expect("a small hash table can be had")
    }
}

impl Engine {
    /// An engine at the start of a game; a message if the hash table can't be had or the network can't be read.
    pub fn new(options: Options) -> Result<Engine, String> {
        let network = network_of(&options)?;
        let memory = Memory { table: Table::new(options.hash_mb)?, histories: Vec::new() };
        Ok(Engine {
            options,
            game: Game::new(crate::board::Position::start()),
            control: Arc::default(),
            memory: Arc::new(Mutex::new(memory)),
            network,
            running: None,
        })
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets all options; a message if the hash table can't be had or the network can't be read: then everything stays as it was.
    pub fn set_options(&mut self, options: Options) -> Result<(), String> {
        self.wait();
        let other_file = options.eval_file != self.options.eval_file;
        let network = if other_file { network_of(&options)? } else { self.network.clone() };
        if options.hash_mb != self.options.hash_mb {
            let table = Table::new(options.hash_mb)?;
            self.memory().table = table;
        }
        let before = self.network();
        (self.options, self.network) = (options, network);
        if self.network() != before {
            self.new_game(); // what one evaluation has found is nothing to another
        }
        Ok(())
    }

    /// Forgets everything learnt: hash table and histories.
    pub fn new_game(&mut self) {
        self.wait();
        let threads = self.options.threads;
        let mut memory = self.memory();
        memory.table.clear(threads);
        memory.histories.clear();
    }

    /// Sets up a position with its history.
    pub fn set_game(&mut self, game: Game) {
        self.wait();
        self.game = game;
    }

    /// The position with its history.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Starts a search on a thread of its own. The listener is called there, at last with [`Event::Done`].
    /// A search that still runs is waited for.
    pub fn go(&mut self, limits: Limits, mut listener: impl FnMut(Event) + Send + 'static) {
        self.wait();
        let settings = self.settings();
        let (game, control, memory) = (self.game.clone(), Arc::clone(&self.control), Arc::clone(&self.memory));
        let network = self.network();
        control.start(limits.ponder);
        let thread = std::thread::Builder::new().name("search".into()).stack_size(16 << 20);
        let spawned = thread.spawn(move || {
            let conclusion = {
                let mut memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
                match network {
                    Some(network) => {
                        let evaluator = Nnue::new(network);
                        search(&game, &limits, &settings, &evaluator, &mut memory, &control, &mut listener)
                    }
                    None => {
                        let evaluator = Handcrafted::default();
                        search(&game, &limits, &settings, &evaluator, &mut memory, &control, &mut listener)
                    }
                }
            };
            listener(Event::Done(conclusion));
        });
        match spawned {
            Ok(handle) => self.running = Some(handle),
            Err(error) => tracing::error!(%error, "no thread for the search"),
        }
    }

    /// Searches and waits for the end.
    pub fn think(&mut self, limits: Limits, listener: impl FnMut(&Event)) -> Conclusion {
        self.think_until(&AtomicBool::new(false), limits, listener)
    }

    /// The same, but it ends early, with what it has found, when `stop` is set.
    pub fn think_until(&mut self, stop: &AtomicBool, limits: Limits, mut listener: impl FnMut(&Event)) -> Conclusion {
        let (sender, events) = mpsc::channel();
        self.go(limits, move |event| {
            let _ = sender.send(event);
        });
        let mut conclusion = Conclusion::default();
        loop {
            match events.recv_timeout(Duration::from_millis(20)) {
                Ok(event) => {
                    listener(&event);
                    if let Event::Done(done) = event {
                        conclusion = done;
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

    /// Whether a search is running.
    pub fn is_thinking(&self) -> bool {
        self.running.as_ref().is_some_and(|handle| !handle.is_finished())
    }

    /// Waits for the end of the running search.
    pub fn wait(&mut self) {
        if let Some(handle) = self.running.take()
            && handle.join().is_err()
        {
            tracing::error!("the search has panicked");
        }
    }

    /// What the hash table knows of a position; not while thinking.
    pub fn probe(&self, game: &Game) -> Option<Probe> {
        let memory = self.memory.try_lock().ok()?;
        let Entry { best, score, depth, bound, .. } = memory.table.probe(game.position().key(), 0)?;
        let best = best.filter(|&mv| game.position().is_legal(mv));
        Some(Probe { best, score, bound: bound?, depth: depth as u32 })
    }

    /// The evaluation of the position, from the view of the side to move, in centipawns.
    pub fn static_score(&self) -> Score {
        match self.network() {
            Some(network) => nnue::evaluate(&network, self.game.position()),
            None => evaluate(self.game.position()),
        }
    }

    /// The network that evaluates; none where the hand-written evaluation does.
    pub fn network(&self) -> Option<Arc<Network>> {
        self.network.clone().filter(|_| self.options.use_nnue)
    }

    fn memory(&self) -> std::sync::MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn settings(&self) -> Settings {
        let Options { threads, multipv, move_overhead, ponder, rules, draw_plies, randomness, .. } = self.options;
        Settings {
            params: self.options.params.clone(),
            threads,
            multipv,
            terms: if draw_plies == 0 { rules.terms() } else { rules.terms().with_natural_limit(draw_plies) },
            overhead: Duration::from_millis(move_overhead),
            ponder,
            randomness,
            seed: if randomness > 0 { SplitMix64::unseeded().next() } else { 0 },
        }
    }
}

/// The network of the options' file, or else the program's own.
fn network_of(options: &Options) -> Result<Option<Arc<Network>>, String> {
    let Some(file) = &options.eval_file else { return Ok(nnue::embedded()) };
    let wrong = |error: &dyn Display| format!("{}: {error}", file.display());
    let bytes = read_file(file, LONGEST_FILE).map_err(|error| wrong(&error))?;
    let network = Network::decode(&bytes).map_err(|error| wrong(&error))?;
    Ok(Some(Arc::new(network)))
}

/// Ends a running search with the engine.
impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        self.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::nnue::Numbers;
    use crate::eval::nnue::features::{Mirroring, Shape};

    /// The bytes of a network to which every position is worth 1000 centipawns.
    fn optimist() -> Vec<u8> {
        let shape = Shape::new(32, Mirroring::Wings, 1);
        let numbers = Numbers {
            bias: vec![0; 32],
            weights: vec![0; 32 * shape.inputs()],
            output_unit: 64,
            output: vec![0; 64],
            output_bias: vec![2 * 255 * 64],
        };
        Network::new(shape, 500, &numbers).expect("small numbers").encode()
    }

    #[test]
    fn a_search_that_is_stopped_tells_what_it_has_found() {
        let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() }).expect("an engine");
        let conclusion = engine.think_until(&AtomicBool::new(true), Limits::default(), |_| {});
        assert!(conclusion.best.is_some());
    }

    #[test]
    fn a_network_is_chosen_by_options_and_a_wrong_file_changes_nothing() {
        let folder = std::env::temp_dir().join(format!("chuhe-engine-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (right, wrong) = (folder.join("right.net"), folder.join("wrong.net"));
        std::fs::write(&right, optimist()).expect("a file");
        std::fs::write(&wrong, &optimist()[..500]).expect("a file");

        let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() }).expect("an engine");
        let options = |file: &PathBuf| Options { hash_mb: 1, eval_file: Some(file.clone()), ..Options::default() };
        engine.set_options(options(&right)).expect("a network");
        assert_eq!(engine.static_score(), 1000);
        assert!(engine.think(Limits::depth(3), |_| {}).best.is_some());
        let long = folder.join("long.net");
        let holes = std::fs::File::create(&long).and_then(|file| file.set_len(LONGEST_FILE + 1));
        holes.expect("a file of holes");
        for (file, reason) in [
            (&wrong, ""),
            (&folder.join("none.net"), ""),
            (&long, "long.net: too long: more than 1073741824 bytes"),
            (&folder, ": not a regular file"),
        ] {
            let message = engine.set_options(options(file)).expect_err("a wrong file");
            assert!(message.contains(": ") && message.ends_with(reason), "{message}");
            assert_eq!((engine.static_score(), engine.options().eval_file.as_ref()), (1000, Some(&right)));
        }
        engine.set_options(Options { use_nnue: false, ..options(&right) }).expect("no network");
        assert_eq!(engine.static_score(), evaluate(engine.game().position()));
        std::fs::remove_dir_all(folder).expect("the folder");
    }
}
