//! Table of all options.

use super::option_type::{OptionType, rules};
use super::settings::SessionSettings;
use crate::search::params::{PARAMETERS, Parameter, TECHNIQUES};
use crate::{Level, Options};
use chuhe_board::rules::RuleSet;
use chuhe_board::score::Score;
use std::sync::LazyLock;

/// An option.
pub(crate) struct Row {
    /// Name in UCCI; `None` if the option is not offered there. All dialects accept all names.
    pub ucci: Option<&'static str>,
    /// Name in UCI; `None` if the option is not offered there.
    pub uci: Option<&'static str>,
    /// Name of an option that is accepted but not offered, such as a search parameter for tuners.
    pub unlisted: Option<&'static str>,
    pub form: OptionType,
    /// Purpose as described in the documentation.
    pub purpose: &'static str,
}

/// Maximum hash size in MB; the machine may have less memory.
const MAX_HASH: u64 = if cfg!(target_pointer_width = "32") { 2048 } else { 1 << 20 };
/// Maximum number of search threads.
const MAX_THREADS: u64 = 256;

/// Returns the name of a rule set that GUIs use.
const fn gui_name(rules: RuleSet) -> &'static str {
    match rules {
        RuleSet::Asian => "asianrule",
        RuleSet::Chinese => "chineserule",
        RuleSet::League => "leaguerule",
        RuleSet::Computer => "computerrule",
        RuleSet::Simple => "simplerule",
        RuleSet::Draw => "alwaysdraw",
    }
}

/// Values of `randomness`: the maximum amount added to evaluations, in centipawns.
const RANDOMNESS: [(&str, Score); 6] =
    [("none", 0), ("tiny", 5), ("small", 15), ("medium", 30), ("large", 60), ("huge", 120)];

/// All options: first the offered options, in the order of the handshake, then the hidden ones.
pub(crate) static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let defaults = SessionSettings::default();
    let spin = |default: u64, [min, max]: [u64; 2], set: fn(&mut SessionSettings, u64)| OptionType::Spin {
        default,
        min,
        max,
        automatic: false,
        set: Box::new(set),
    };
    let automatic = |default: u64, max: u64, set: fn(&mut SessionSettings, u64)| OptionType::Spin {
        default,
        min: 1,
        max,
        automatic: true,
        set: Box::new(set),
    };
    let combo = |words: Vec<&'static str>, set: fn(&mut SessionSettings, &'static str)| OptionType::Combo {
        words,
        set: Box::new(set),
    };
    let mut rows = vec![
        in_ucci(
            "usemillisec",
            "clocks count in milliseconds; `false`: in seconds",
            check(!defaults.seconds, |all, on| all.seconds = !on),
        ),
        in_ucci("batch", "commands wait for the end of the search", check(defaults.batch, |all, on| all.batch = on)),
        in_ucci(
            "debug",
            "also sends log messages to the GUI; in UCI `debug on`",
            check(defaults.debug, |all, on| all.debug = on),
        ),
        in_both(
            "hashsize",
            "Hash",
            "hash table in MB; 0 = 64",
            automatic(defaults.engine.hash_mb as u64, MAX_HASH, |all, megabytes| {
                all.engine.hash_mb = if megabytes == 0 { Options::default().hash_mb } else { megabytes as usize };
            }),
        ),
        in_both(
            "threads",
            "Threads",
            "search threads; 0 = all cores",
            automatic(defaults.engine.threads as u64, MAX_THREADS, |all, threads| {
                all.engine.threads = if threads == 0 { cores().min(MAX_THREADS as usize) } else { threads as usize };
            }),
        ),
        in_both(
            "ponder",
            "Ponder",
            "the GUI allows pondering, so Chuhe uses slightly more time",
            check(defaults.engine.ponder, |all, on| all.engine.ponder = on),
        ),
        in_both(
            "multipv",
            "MultiPV",
            "number of best lines to search and show",
            spin(defaults.engine.multipv as u64, [1, 128], |all, lines| all.engine.multipv = lines as usize),
        ),
        in_both(
            "moveoverhead",
            "Move Overhead",
            "minimum time on the clock, in milliseconds, reserved for delays between engine and GUI",
            spin(defaults.engine.move_overhead, [0, 10_000], |all, milliseconds| {
                all.engine.move_overhead = milliseconds
            }),
        ),
        in_both(
            "repetition",
            "Repetition Rule",
            "repetition rules",
            combo(RuleSet::ALL.map(gui_name).to_vec(), |all, name| {
                all.engine.rules = rules(name).map_or(all.engine.rules, RuleSet::terms);
            }),
        ),
        in_both(
            "drawmoves",
            "Draw Moves",
            "full moves without a capture after which the game is drawn; 0 = according to the rules",
            spin(u64::from(defaults.engine.draw_plies) / 2, [0, 1000], |all, moves| {
                all.engine.draw_plies = moves as u16 * 2
            }),
        ),
        in_both(
            "randomness",
            "Randomness",
            "maximum random amount added to evaluations: 0, 5, 15, 30, 60, 120 centipawns",
            combo(RANDOMNESS.map(|(name, _)| name).to_vec(), |all, word| {
                let amount = RANDOMNESS.into_iter().find(|&(name, _)| name == word).map_or(0, |(_, amount)| amount);
                all.engine.randomness = amount;
                all.renew_seed();
            }),
        ),
        in_ucci(
            "level",
            "playing strength: 1 for beginners, 10 for full strength",
            spin(level(defaults.engine.level), [level(Level::WEAKEST), level(Level::FULL)], |all, number| {
                all.engine.level = Level::new(number as u8).unwrap_or(all.engine.level);
            }),
        ),
        in_uci(
            "Skill Level",
            "playing strength on Stockfish's scale",
            spin(20, [0, 20], |all, skill| all.engine.level = Level::of_skill(skill as u8)),
        ),
        in_uci(
            "UCI_LimitStrength",
            "plays at the level nearest to `UCI_Elo`",
            check(defaults.engine.limit_strength, |all, on| all.engine.limit_strength = on),
        ),
        in_uci(
            "UCI_Elo",
            "Elo on Chuhe's own scale, not comparable with human ratings",
            spin(
                u64::from(defaults.engine.elo),
                [Level::WEAKEST, Level::FULL].map(|level| level.elo().into()),
                |all, elo| {
                    all.engine.elo = elo as u32;
                },
            ),
        ),
        in_both(
            "usennue",
            "UseNNUE",
            "evaluation by the network; `false`: hand-written evaluation",
            check(defaults.engine.use_nnue, |all, on| all.engine.use_nnue = on),
        ),
        in_both(
            "evalfile",
            "EvalFile",
            "network file that replaces the built-in network",
            OptionType::Path(Box::new(|all, path| all.engine.eval_file = path)),
        ),
        in_both(
            "tablepath",
            "TablePath",
            "folders of tablebases, separated by `;`, in addition to the built-in ones",
            OptionType::Path(Box::new(|all, path| all.engine.table_path = path)),
        ),
        in_both(
            "usebook",
            "OwnBook",
            "plays book moves while the position is in the book",
            check(defaults.use_book, |all, on| {
                all.use_book = on;
                all.renew_seed();
            }),
        ),
        in_both(
            "bookfiles",
            "BookFile",
            "books that replace the built-in one, separated by `;`",
            OptionType::Path(Box::new(|all, path| all.book_files = path)),
        ),
        in_both(
            "seed",
            "Seed",
            "seed of all random choices (book, level, `randomness`); 0 = a new seed for each game",
            spin(defaults.seed, [0, i32::MAX as u64], |all, seed| {
                all.seed = seed;
                all.renew_seed();
            }),
        ),
        in_ucci(
            "resign",
            "resigns after three consecutive moves with a score of at most minus this many centipawns; 0 = never",
            spin(0, [0, 30_000], |all, centipawns| all.resign = centipawns as Score),
        ),
        in_ucci("offerdraws", "offers draws", check(defaults.offer_draws, |all, on| all.offer_draws = on)),
        in_uci(
            "UCI_ShowWDL",
            "shows win, draw and loss probabilities in per mille after each score",
            check(defaults.show_wdl, |all, on| all.show_wdl = on),
        ),
        in_both("newgame", "Clear Hash", "clears the hash table and the histories", OptionType::NewGame),
        in_uci("UCI_Variant", "only with `--protocol uci-variant`", OptionType::Fixed("xiangqi")),
    ];
    rows.extend(PARAMETERS.iter().map(|&Parameter { name, value, least, most, .. }| {
        let [default, min, max] = [value, least, most].map(|number| number.max(0) as u64);
        let set = move |all: &mut SessionSettings, number: u64| _ = all.engine.params.numbers.set(name, number as i32);
        let form = OptionType::Spin { default, min, max, automatic: false, set: Box::new(set) };
        Row { ucci: None, uci: None, unlisted: Some(name), form, purpose: "a parameter of the search" }
    }));
    rows.extend(TECHNIQUES.iter().map(|&name| {
        let set = move |all: &mut SessionSettings, on: bool| _ = all.engine.params.on.set(name, on);
        let form = OptionType::Check { default: true, set: Box::new(set) };
        Row { ucci: None, uci: None, unlisted: Some(name), form, purpose: "a technique of the search" }
    }));
    rows
});

/// Creates an option that is offered only in UCCI.
fn in_ucci(name: &'static str, purpose: &'static str, form: OptionType) -> Row {
    Row { ucci: Some(name), uci: None, unlisted: None, form, purpose }
}

/// Creates an option that is offered only in UCI.
fn in_uci(name: &'static str, purpose: &'static str, form: OptionType) -> Row {
    Row { ucci: None, uci: Some(name), unlisted: None, form, purpose }
}

/// Creates an option that is offered in both protocols.
fn in_both(ucci: &'static str, uci: &'static str, purpose: &'static str, form: OptionType) -> Row {
    Row { ucci: Some(ucci), uci: Some(uci), unlisted: None, form, purpose }
}

/// Converts a level to an option value.
fn level(level: Level) -> u64 {
    level.number().into()
}

fn check(default: bool, set: fn(&mut SessionSettings, bool)) -> OptionType {
    OptionType::Check { default, set: Box::new(set) }
}

impl Row {
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        [self.ucci, self.uci, self.unlisted].into_iter().flatten()
    }

    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.names().any(|known| known.eq_ignore_ascii_case(name))
    }
}

/// Returns the number of processor cores; 1 if unknown.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
