//! A searcher that runs on its caller's thread: evaluation, hash table and options.

use super::options::{Error, Options};
use super::view::SearcherView;
use crate::endings::Tables;
use crate::eval::{Evaluator, Handcrafted, Network, Nnue};
use crate::machine;
use crate::search::{
    Conclusion, Control, Event, Limits, Memory, Params, Settings, Threads, TranspositionTable, search,
};
use chuhe_board::Position;
use chuhe_board::random::SplitMix64;
use chuhe_board::rules::Game;
use chuhe_board::score::Score;
use std::sync::Arc;

/// All resources of a search, allocated in advance. Searches run sequentially on the caller's thread, whose
/// stack must have [`STACK`](crate::search::STACK) bytes for the deepest search. Self-play, levels, reviews
/// and [`Engine`](super::Engine) are built on it.
///
/// ```
/// use chuhe_engine::{Options, Searcher};
/// use chuhe_board::rules::Game;
/// use chuhe_engine::search::Limits;
///
/// let mut searcher = Searcher::new(Options { hash_mb: 1, ..Options::default() })?;
/// let game = Game::from_fen("3k5/9/9/9/9/9/9/9/4R4/R3K4 w").unwrap();
/// let conclusion = searcher.think(&game, &Limits::depth(3), |_| {});
/// assert_eq!(chuhe_board::score::mate_moves(conclusion.lines[0].score), Some(1));
/// # Ok::<(), chuhe_engine::Error>(())
/// ```
pub struct Searcher {
    view: SearcherView,
    evaluation: Evaluation,
    memory: Memory,
    control: Arc<Control>,
}

/// Evaluation used by a search.
enum Evaluation {
    Handcrafted(Handcrafted),
    Network(Nnue),
}

impl Searcher {
    /// Creates a searcher.
    ///
    /// # Errors
    /// Returns an error if memory or threads are not available, or if the network cannot be read.
    pub fn new(options: Options) -> Result<Searcher, Error> {
        let network = options.network()?;
        Searcher::with_network(options, network)
    }

    /// Creates a searcher with a shared network, or with the hand-written evaluation if there is none.
    ///
    /// # Errors
    /// Returns an error if memory or threads are not available.
    pub fn with_network(options: Options, network: Option<Arc<Network>>) -> Result<Searcher, Error> {
        let options = options.in_range();
        let memory = Memory::new(options.hash_mb, options.threads)?;
        let tablebases = options.tables()?;
        let view = SearcherView {
            options: Arc::new(options),
            network,
            tablebases,
            hash_table: Arc::downgrade(&memory.hash_table),
        };
        Ok(Searcher { evaluation: Evaluation::of(&view), view, memory, control: Arc::default() })
    }

    /// Returns the options.
    pub fn options(&self) -> &Options {
        &self.view.options
    }

    /// Returns read access for other threads during a search.
    pub fn view(&self) -> &SearcherView {
        &self.view
    }

    /// Returns the control, which stops a search from another thread or reports that the expected move was
    /// played.
    pub fn control(&self) -> &Arc<Control> {
        &self.control
    }

    /// Sets all options. Clears the hash table and the histories if they are not valid with the new options.
    ///
    /// # Errors
    /// Returns an error if memory or threads are not available, or if the network cannot be read; in that
    /// case, nothing is changed.
    pub fn set_options(&mut self, options: Options) -> Result<(), Error> {
        let options = options.in_range();
        let before = &self.view.options;
        let other_file = options.eval_file != before.eval_file;
        let network = if other_file { options.network()? } else { self.view.network.clone() };
        let other_path = options.table_path != before.table_path;
        let tablebases = if other_path { options.tables()? } else { Arc::clone(&self.view.tablebases) };
        let table = (options.hash_mb != before.hash_mb).then(|| TranspositionTable::new(options.hash_mb));
        let threads = (options.threads != before.threads).then(|| Threads::new(options.threads));
        let (table, threads) = (table.transpose()?, threads.transpose()?);

        if let Some(threads) = threads {
            self.memory.threads = threads;
        }
        if let Some(table) = table {
            self.memory.replace_hash_table(table);
        }
        self.adopt(options, network, tablebases);
        Ok(())
    }

    /// Sets the parameters and switches of the search. Clears the hash table and the histories.
    pub fn set_params(&mut self, params: Params) {
        let options = Options { params, ..self.options().clone() }.in_range();
        self.adopt(options, self.view.network.clone(), Arc::clone(&self.view.tablebases));
    }

    /// Adopts options whose memory and threads have been allocated.
    fn adopt(&mut self, options: Options, network: Option<Arc<Network>>, tablebases: Arc<Tables>) {
        let forgets = !options.value_like(self.options());
        self.view = SearcherView {
            options: Arc::new(options),
            network,
            tablebases,
            hash_table: Arc::downgrade(&self.memory.hash_table),
        };
        if forgets {
            self.evaluation = Evaluation::of(&self.view);
            self.memory.forget();
        }
    }

    /// Clears the hash table and the histories.
    pub fn forget(&mut self) {
        self.memory.forget();
    }

    /// Returns the static evaluation of a position, from the point of view of the side to move, in
    /// centipawns.
    pub fn evaluate(&mut self, position: &Position) -> Score {
        match &mut self.evaluation {
            Evaluation::Handcrafted(evaluator) => score(evaluator, position),
            Evaluation::Network(evaluator) => score(evaluator, position),
        }
    }

    /// Searches a position until a limit is reached or [`Self::control`] stops the search. The listener
    /// receives every line.
    pub fn think(&mut self, game: &Game, limits: &Limits, mut listener: impl FnMut(Event) + Send) -> Conclusion {
        self.control.start(limits.ponder);
        self.search(game, limits, &mut listener)
    }

    /// Searches like [`Self::think`], but requires that the caller has already called
    /// [`Control::start`](crate::search::Control::start), so that an earlier stop takes effect.
    pub fn search(&mut self, game: &Game, limits: &Limits, listener: &mut (dyn FnMut(Event) + Send)) -> Conclusion {
        let asked = self.view.options.multipv;
        let Some(handicap) =
            self.view.options.strength().handicap().filter(|_| !limits.analysis && !limits.is_infinite())
        else {
            return self.search_lines(game, limits, asked, listener);
        };
        let mut random = match self.view.options.seed {
            0 => machine::unseeded(),
            seed => SplitMix64::new(seed ^ game.position().key() ^ game.plies().len() as u64),
        };
        let view = self.view.clone();
        let search = |limits: &Limits, lines: usize| {
            self.search_lines(game, limits, lines.max(asked), &mut |event| match event {
                Event::Line(report) if report.multipv > asked => {}
                event => listener(event),
            })
        };
        let mut conclusion = handicap.think(game, limits, &mut random, search, |position| view.static_score(position));
        conclusion.lines.truncate(asked.max(1));
        conclusion
    }

    /// Searches for a number of best lines, without a handicap.
    fn search_lines(
        &mut self,
        game: &Game,
        limits: &Limits,
        lines: usize,
        listener: &mut (dyn FnMut(Event) + Send),
    ) -> Conclusion {
        let settings = Settings { multipv: lines, ..self.view.settings() };
        let view = self.view.clone();
        view.tablebases.forget_hits();
        let limits = &view.guided(game.position(), limits, lines);
        let listener: &mut (dyn FnMut(Event) + Send) = &mut |mut event| {
            if let Event::Line(line) = &mut event {
                view.apply_tablebase(game, line);
            }
            listener(event);
        };
        let (memory, control) = (&mut self.memory, &self.control);
        let mut conclusion = match &self.evaluation {
            Evaluation::Handcrafted(evaluator) => search(game, limits, &settings, evaluator, memory, control, listener),
            Evaluation::Network(evaluator) => search(game, limits, &settings, evaluator, memory, control, listener),
        };
        conclusion.lines.iter_mut().for_each(|line| view.apply_tablebase(game, line));
        conclusion
    }
}

impl Evaluation {
    fn of(view: &SearcherView) -> Evaluation {
        match view.network() {
            Some(network) => Evaluation::Network(Nnue::new(Arc::clone(network))),
            None => Evaluation::Handcrafted(Handcrafted::default()),
        }
    }
}

fn score(evaluator: &mut impl Evaluator, position: &Position) -> Score {
    evaluator.reset(position);
    evaluator.score(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::MAX_FILE;
    use crate::eval::evaluate;
    use crate::eval::nnue::features::{Mirroring, Outputs, Shape};
    use crate::eval::nnue::{Numbers, UNIT};
    use crate::search::params::Switches;
    use chuhe_board::Move;
    use chuhe_board::rules::RuleSet;
    use chuhe_board::score::{DRAW, mate_in};
    use std::path::PathBuf;
    use std::time::Duration;

    fn small() -> Options {
        Options { hash_mb: 1, ..Options::default() }
    }

    fn searcher() -> Searcher {
        Searcher::new(small()).expect("1 MB")
    }

    fn start() -> Game {
        Game::new(Position::start())
    }

    /// Returns the bytes of a network that evaluates every position as 1000 centipawns.
    fn optimist() -> Vec<u8> {
        let shape = Shape::new(32, Mirroring::Wings, Outputs::One);
        let numbers = Numbers {
            bias: vec![0; 32],
            weights: vec![0; 32 * shape.inputs()],
            threats: Vec::new(),
            output_unit: 64,
            output: vec![0; 64],
            output_bias: vec![2 * UNIT * 64],
        };
        Network::new(shape, 500, &numbers).expect("small numbers").encode()
    }

    #[test]
    fn whatever_changes_values_lets_it_forget_and_nothing_else_does() {
        let few = Params { on: Switches { razoring: false, ..Switches::default() }, ..Params::default() };
        let changes: [(&str, bool, Options); 10] = [
            ("rules", true, Options { rules: RuleSet::Chinese.terms(), ..small() }),
            ("fold", true, Options { rules: small().rules.with_folds(5), ..small() }),
            ("limit", true, Options { draw_plies: 20, ..small() }),
            ("evaluation", true, Options { use_nnue: false, ..small() }),
            ("randomness", true, Options { randomness: 9, ..small() }),
            ("switch", true, Options { params: few, ..small() }),
            ("lines", false, Options { multipv: 2, ..small() }),
            ("overhead", false, Options { move_overhead: 1, ..small() }),
            ("ponder", false, Options { ponder: true, ..small() }),
            ("seed without randomness", false, Options { seed: 7, ..small() }),
        ];
        for (name, forgets, options) in changes {
            let mut searcher = searcher();
            searcher.think(&start(), &Limits::depth(3), |_| {});
            assert!(searcher.view().probe(&start()).is_some(), "{name}");
            searcher.set_options(options).expect("valid options");
            assert_eq!(searcher.view().probe(&start()).is_none(), forgets, "{name}");
        }
    }

    #[test]
    fn a_searcher_that_has_forgotten_searches_as_a_new_one() {
        let mut used = Searcher::new(Options { threads: 1, ..small() }).expect("1 MB");
        let nodes = |searcher: &mut Searcher| searcher.think(&start(), &Limits::depth(6), |_| {}).nodes;
        let fresh = nodes(&mut used);
        assert_ne!(nodes(&mut used), fresh);
        used.forget();
        assert_eq!(nodes(&mut used), fresh);
    }

    #[test]
    fn numbers_out_of_range_are_taken_for_the_nearest_in_range() {
        let mut wild = Params::default();
        (wild.numbers.aspiration_window, wild.numbers.reduction_divisor) = (i32::MAX, i32::MIN);
        for options in [
            Options { multipv: usize::MAX, ..small() },
            Options { multipv: 0, hash_mb: 0, threads: 0, ..small() },
            Options { randomness: Score::MAX, ..small() },
            Options { randomness: Score::MIN, move_overhead: u64::MAX, draw_plies: u16::MAX, ..small() },
            Options { limit_strength: true, elo: u32::MAX, ..small() },
            Options { rules: small().rules.with_folds(0), ..small() },
            Options { rules: small().rules.with_folds(usize::MAX).with_natural_limit(0), ..small() },
            Options { params: wild, ..small() },
        ] {
            let mut searcher = searcher();
            searcher.set_options(options.clone()).expect("nothing large");
            assert_eq!(*searcher.options(), options.clone().in_range());
            let found = searcher.think(&start(), &Limits::depth(4), |_| {});
            assert!(found.best.is_some() && found.lines.len() <= 44, "{options:?}");
            assert!(searcher.think(&start(), &Limits::fixed(Duration::ZERO), |_| {}).best.is_some(), "{options:?}");
        }
    }

    #[test]
    fn what_cannot_be_had_changes_nothing() {
        let mut searcher = searcher();
        searcher.think(&start(), &Limits::depth(3), |_| {});
        for options in [
            Options { hash_mb: usize::MAX >> 21, rules: RuleSet::Draw.terms(), ..small() },
            Options { threads: usize::MAX >> 24, rules: RuleSet::Draw.terms(), ..small() },
            Options { eval_file: Some("no such file".into()), rules: RuleSet::Draw.terms(), ..small() },
        ] {
            let error = searcher.set_options(options).expect_err("a missing file").to_string();
            assert!(!error.contains('\n'), "{error}");
            assert_eq!(*searcher.options(), small());
            assert!(searcher.view().probe(&start()).is_some());
        }
        assert!(searcher.think(&start(), &Limits::depth(3), |_| {}).best.is_some());
    }

    #[test]
    fn a_network_is_chosen_by_options_and_a_wrong_file_changes_nothing() {
        let folder = std::env::temp_dir().join(format!("chuhe-searcher-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (right, wrong) = (folder.join("right.net"), folder.join("wrong.net"));
        std::fs::write(&right, optimist()).expect("a file");
        std::fs::write(&wrong, &optimist()[..500]).expect("a file");

        let mut searcher = searcher();
        let options = |file: &PathBuf| Options { eval_file: Some(file.clone()), ..small() };
        searcher.set_options(options(&right)).expect("a network");
        let score = |searcher: &Searcher| searcher.view().static_score(start().position());
        assert_eq!(score(&searcher), 1000);
        assert!(searcher.think(&start(), &Limits::depth(3), |_| {}).best.is_some());
        let long = folder.join("long.net");
        let holes = std::fs::File::create(&long).and_then(|file| file.set_len(MAX_FILE + 1));
        holes.expect("a file of holes");
        for (file, reason) in [
            (&wrong, ""),
            (&folder.join("none.net"), ""),
            (&long, "long.net: too long: more than 1073741824 bytes"),
            (&folder, ": not a regular file"),
        ] {
            let message = searcher.set_options(options(file)).expect_err("a wrong file").to_string();
            assert!(message.contains(": ") && message.ends_with(reason), "{message}");
            assert_eq!((score(&searcher), searcher.options().eval_file.as_ref()), (1000, Some(&right)));
        }
        searcher.set_options(Options { use_nnue: false, ..options(&right) }).expect("no network");
        assert_eq!(score(&searcher), evaluate(start().position()));
        std::fs::remove_dir_all(folder).expect("the folder");
    }

    fn game(fen: &str, moves: &str) -> Game {
        let mut game = Game::from_fen(fen).expect("a position");
        moves.split_whitespace().for_each(|mv| game.make(mv.parse().expect("a move")));
        game
    }

    #[test]
    fn a_banned_move_is_not_played_in_an_ending_of_the_tables() {
        for (fen, banned) in [("4N4/4k4/9/9/9/9/9/9/3K5/9 b", "e8e9"), ("9/4ak3/4P4/9/9/9/9/9/4K4/9 b", "e8d9")] {
            let banned: Move = banned.parse().expect("a move");
            let limits = Limits { banned: vec![banned], ..Limits::nodes(3_000) };
            let best = searcher().think(&game(fen, ""), &limits, |_| {}).best;
            assert!(best.is_some_and(|best| best != banned), "{fen}: {best:?}");
        }
    }

    #[test]
    fn a_draw_by_repetition_is_not_a_lost_ending() {
        let moves = "a0a1 d9d8 a1a0 d8d9 a0a1 d9d8 a1a0";
        let game = game("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", moves);
        let conclusion = searcher().think(&game, &Limits::depth(6), |_| {});
        assert_eq!((conclusion.best, conclusion.lines[0].score), ("d8d9".parse().ok(), DRAW));
    }

    #[test]
    fn a_mate_in_one_by_a_quiet_move_comes_before_a_longer_one_by_checks() {
        for (fen, plies, best) in [
            ("5k3/7n1/1c7/9/9/2nr5/3N5/4p4/9/4K4 b - - 60 1", 1, "d4d3"),
            ("9/5k3/9/8c/9/n8/9/9/1r7/3K5 b - - 90 1", 1, "b1e1"),
            ("9/4k4/9/9/1r1n2n2/pr3p3/9/9/9/5K3 b", 1, "b4b1"),
            ("9/3k5/9/9/9/2R6/9/9/5K3/9 w", 3, "f1e1"),
            ("4k4/3P5/9/6P2/9/2N2C3/6N2/3K5/9/9 w - - 0 1", 1, "g3f5"),
        ] {
            let conclusion = searcher().think(&game(fen, ""), &Limits::nodes(30_000), |_| {});
            assert_eq!(conclusion.lines[0].score, mate_in(plies), "{fen}");
            assert_eq!(conclusion.best, best.parse().ok(), "{fen}");
        }
    }
}
