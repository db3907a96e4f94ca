//! Rows of a comparison: an algorithm of the gallery, or the engine's search, with its switches.

use crate::cli::Failure;
use chuhe_board::Move;
use chuhe_board::rules::Game;
use chuhe_engine::search::{self, Params, params};
use chuhe_engine::{Engine, Options};
use chuhe_lab::textbook::{
    Algorithm, Counts, Evaluation, Limits, NullMove, Order, Reward, Techniques, UsableEntries, Verify, Xiangqi,
    from_score, run,
};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use thiserror::Error;

const ORDERS: [(&str, Order); 8] = [
    ("none", Order::None),
    ("random", Order::Random),
    ("worst", Order::Worst),
    ("best", Order::Best),
    ("gain", Order::Gain),
    ("lists", Order::Lists),
    ("staged", Order::Staged),
    ("sorted", Order::Sorted),
];
const EVALUATIONS: [(&str, Evaluation); 3] =
    [("material", Evaluation::Material), ("positional", Evaluation::Positional), ("full", Evaluation::Full)];
const HISTORIES: [(&str, Option<Reward>); 3] =
    [("off", None), ("power", Some(Reward::Power)), ("square", Some(Reward::Square))];
const HASHES: [(&str, Option<UsableEntries>); 3] =
    [("off", None), ("equal", Some(UsableEntries::EqualDepth)), ("deeper", Some(UsableEntries::AnyDeeper))];
const VERIFICATIONS: [(&str, Verify); 3] =
    [("never", Verify::Never), ("thin", Verify::Thin), ("always", Verify::Always)];

/// Name under which the engine's search appears among the algorithms.
pub(super) const PLAYING: &str = "search";

/// All settings of a row except its algorithm.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct RowSettings {
    pub evaluation: Evaluation,
    pub divisor: i32,
    pub techniques: Techniques,
    /// Parameters of the engine's search.
    pub params: Params,
}

impl Default for RowSettings {
    /// Returns the defaults: all techniques are off, and the hash table has a million entries if it is
    /// enabled.
    fn default() -> RowSettings {
        let techniques = Techniques { table_bits: 20, ..Techniques::default() };
        RowSettings { evaluation: Evaluation::Full, divisor: 1, techniques, params: Params::default() }
    }
}

/// Error in a row: its algorithm or its switches.
#[derive(Debug, PartialEq, Eq, Error)]
pub(super) enum BadRow {
    #[error("unknown algorithm {0:?}; use one of {1}, {PLAYING}")]
    Algorithm(String, String),
    #[error("unknown switch {0:?}")]
    Switch(String),
    #[error("{0} must follow null=R")]
    NoNullMove(String),
    #[error("without must be all or one of {0}, not {1:?}")]
    Technique(String, String),
    #[error("{0} must be one of {1}, not {2:?}")]
    Name(String, String, String),
    #[error("{0} must be a number from {1} to {2}, not {3:?}")]
    Number(String, i32, i32, String),
    #[error("{0} must be on or off, not {1:?}")]
    Flag(String, String),
}

impl RowSettings {
    /// Sets switches of the form `name=value`, or `name` to turn one on.
    pub(super) fn set_all<'t>(&mut self, mut texts: impl Iterator<Item = &'t str>) -> Result<(), BadRow> {
        texts.by_ref().filter(|text| !text.is_empty()).try_for_each(|text| {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            self.set(name, value)
        })
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), BadRow> {
        let techniques = &mut self.techniques;
        let null = || techniques.null_move.ok_or_else(|| BadRow::NoNullMove(name.to_owned()));
        match name {
            "eval" => self.evaluation = named(&EVALUATIONS, name, value)?,
            "divide" => self.divisor = number(name, value, 1, 1_000_000)?,
            "order" => techniques.order = named(&ORDERS, name, value)?,
            "deepening" => techniques.deepening = flag(name, value)?,
            "hash" => {
                techniques.table =
                    if value.is_empty() { Some(UsableEntries::EqualDepth) } else { named(&HASHES, name, value)? }
            }
            "hash-bits" => techniques.table_bits = number(name, value, 0, 26)? as u32,
            "forgetful" => techniques.forgetful = flag(name, value)?,
            "quiescence" => techniques.quiescence = flag(name, value)?,
            "killers" => techniques.killers = number(name, value, 0, 100)? as usize,
            "history" => techniques.history = named(&HISTORIES, name, value)?,
            "null" if value == "off" => techniques.null_move = None,
            "null" => techniques.null_move = Some(NullMove::with_reduction(number(name, value, 0, 20)?)),
            "verify" => {
                techniques.null_move = Some(NullMove { verify: named(&VERIFICATIONS, name, value)?, ..null()? })
            }
            "threats" => techniques.null_move = Some(NullMove { extend: flag(name, value)?, ..null()? }),
            "passes" => {
                techniques.null_move = Some(NullMove { in_a_row: number(name, value, 1, 2)? as u32, ..null()? })
            }
            "null-from" => {
                techniques.null_move = Some(NullMove { horizon: number(name, value, 1, 60)? - 1, ..null()? })
            }
            "window" => techniques.window = number(name, value, 1, 100_000)?,
            "width" => techniques.width = number(name, value, 1, 128)? as usize,
            "without" => self.leave_out(value)?,
            _ => return Err(BadRow::Switch(name.to_owned())),
        }
        Ok(())
    }

    fn leave_out(&mut self, technique: &str) -> Result<(), BadRow> {
        if technique == "all" {
            self.params.on = params::Switches::none();
        } else if !self.params.on.set(technique, false) {
            return Err(BadRow::Technique(params::TECHNIQUES.join(", "), technique.to_owned()));
        }
        Ok(())
    }
}

fn named<T: Copy>(names: &[(&str, T)], switch: &str, value: &str) -> Result<T, BadRow> {
    names.iter().find(|(name, _)| *name == value).map(|(_, named)| *named).ok_or_else(|| {
        let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        BadRow::Name(switch.to_owned(), names.join(", "), value.to_owned())
    })
}

fn number(switch: &str, value: &str, least: i32, most: i32) -> Result<i32, BadRow> {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| BadRow::Number(switch.to_owned(), least, most, value.to_owned()))
}

fn flag(switch: &str, value: &str) -> Result<bool, BadRow> {
    match value {
        "" | "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(BadRow::Flag(switch.to_owned(), value.to_owned())),
    }
}

/// Algorithm of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RowAlgorithm {
    Textbook(Algorithm),
    Engine,
}

/// Limit or depth of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Goal {
    Depth(u32),
    Nodes(u64),
    Time(Duration),
}

/// A row of the comparison.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Row {
    /// Label as given on the command line: `pvs+killers=2`.
    pub label: String,
    searcher: RowAlgorithm,
    switches: RowSettings,
}

/// Result of a row for a position.
#[derive(Clone, Debug)]
pub(super) struct Measurement {
    pub depth: u32,
    pub value: i32,
    pub nodes: u64,
    /// Statistics; `None` for the engine's search, which counts only nodes.
    pub counts: Option<Counts>,
    pub best: Option<Move>,
    pub time: Duration,
}

impl Row {
    /// Parses `name`, or `name+switch=value+switch…`; the switches default to `common`.
    pub(super) fn read(text: &str, common: &RowSettings) -> Result<Row, BadRow> {
        let mut parts = text.split('+');
        let name = parts.next().unwrap_or_default();
        let searcher = match Algorithm::from_name(name) {
            Some(algorithm) => RowAlgorithm::Textbook(algorithm),
            None if name == PLAYING => RowAlgorithm::Engine,
            None => {
                let names: Vec<&str> = Algorithm::ALL.into_iter().map(Algorithm::name).collect();
                return Err(BadRow::Algorithm(name.to_owned(), names.join(", ")));
            }
        };
        let mut switches = common.clone();
        switches.set_all(parts)?;
        Ok(Row { label: text.to_owned(), searcher, switches })
    }

    /// Returns a row for every exact algorithm of the gallery.
    pub(super) fn all_exact(common: &RowSettings) -> Vec<Row> {
        let exact = Algorithm::ALL.into_iter().filter(|algorithm| algorithm.is_exact());
        let row = |algorithm: Algorithm| Row {
            label: algorithm.name().to_owned(),
            searcher: RowAlgorithm::Textbook(algorithm),
            switches: common.clone(),
        };
        exact.map(row).collect()
    }

    /// Returns `true` if the row returns the minimax value.
    pub(super) fn is_exact(&self) -> bool {
        let RowSettings { evaluation, divisor, techniques, params } = &self.switches;
        match self.searcher {
            RowAlgorithm::Textbook(algorithm) => {
                algorithm.is_exact()
                    && techniques.null_move.is_none()
                    && techniques.table != Some(UsableEntries::AnyDeeper)
            }
            RowAlgorithm::Engine => {
                params.on == params::Switches::none()
                    && (*evaluation, *divisor, techniques.quiescence) == (Evaluation::Full, 1, false)
            }
        }
    }

    /// Returns `true` if two rows use the same evaluation, so that they must agree if both are exact. With
    /// its techniques enabled, the engine's search uses its own evaluation.
    pub(super) fn evaluates_like(&self, other: &Row) -> bool {
        let of = |row: &Row| {
            let plays = row.searcher == RowAlgorithm::Engine && !row.is_exact();
            (plays, row.switches.evaluation, row.switches.divisor, row.switches.techniques.quiescence)
        };
        of(self) == of(other)
    }

    /// Searches the last position of a game.
    pub(super) fn search(&self, game: &Game, goal: Goal, stop: &'static AtomicBool) -> Result<Measurement, Failure> {
        match self.searcher {
            RowAlgorithm::Textbook(algorithm) => Ok(self.search_textbook(algorithm, game, goal, stop)),
            RowAlgorithm::Engine => self.search_playing(game, goal, stop),
        }
    }

    fn search_textbook(&self, algorithm: Algorithm, game: &Game, goal: Goal, stop: &'static AtomicBool) -> Measurement {
        let tree = Xiangqi::new(game.position().clone(), self.switches.evaluation, self.switches.divisor);
        let mut techniques = self.switches.techniques;
        let start = Instant::now();
        let mut limits = Limits { depth: 60, stop: Some(stop), ..Limits::default() };
        match goal {
            Goal::Depth(depth) => limits.depth = depth as i32,
            Goal::Nodes(nodes) => limits.nodes = Some(nodes),
            Goal::Time(time) => limits.deadline = Some(start + time),
        }
        techniques.deepening |= !matches!(goal, Goal::Depth(_));
        let outcome = run(algorithm, tree, techniques, limits);
        Measurement {
            depth: outcome.depth as u32,
            value: outcome.value,
            nodes: outcome.counts.nodes,
            counts: Some(outcome.counts),
            best: outcome.line.first().copied(),
            time: start.elapsed(),
        }
    }

    fn search_playing(&self, game: &Game, goal: Goal, stop: &AtomicBool) -> Result<Measurement, Failure> {
        // Uses the hand-written evaluation, which other rows select with `full`.
        let options = Options { params: self.switches.params.clone(), use_nnue: false, ..Options::default() };
        let mut engine = Engine::new(options)?;
        // The position is searched without its history, as in the textbook.
        engine.set_game(Game::new(game.position().clone()));
        let limits = match goal {
            Goal::Depth(depth) => search::Limits::depth(depth),
            Goal::Nodes(nodes) => search::Limits::nodes(nodes),
            Goal::Time(time) => search::Limits::fixed(time),
        };
        let conclusion = engine.think_until(stop, limits, |_| {})?;
        let (depth, value) = match conclusion.lines.first() {
            Some(line) => (line.depth, from_score(line.score)),
            None if game.position().legal_moves().is_empty() => (0, -chuhe_lab::textbook::MATE),
            None => return Err(Failure::Run("the search found no line".to_owned())),
        };
        Ok(Measurement {
            depth,
            value,
            nodes: conclusion.nodes,
            counts: None,
            best: conclusion.best,
            time: conclusion.time,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_adds_its_switches_to_those_of_all() {
        let mut common = RowSettings::default();
        common.set("killers", "2").expect("a switch");
        let row = Row::read("pvs+hash+order=staged+null=3+verify=always", &common).expect("a row");
        let techniques = row.switches.techniques;
        assert_eq!((techniques.killers, techniques.order), (2, Order::Staged));
        assert_eq!(techniques.null_move.map(|null| (null.reduction, null.verify)), Some((3, Verify::Always)));
        assert!(!row.is_exact());
        assert!(Row::read("pvs+hash", &common).expect("a row").is_exact());
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("pvx", "unknown algorithm \"pvx\""),
            ("pvs+colour=red", "unknown switch \"colour\""),
            ("pvs+killers=many", "killers must be a number from 0 to 100"),
            ("pvs+order=good", "order must be one of none, random"),
            ("pvs+verify=never", "verify must follow null=R"),
            ("search+without=luck", "without must be all or one of "),
        ] {
            let error = Row::read(text, &RowSettings::default()).expect_err(text).to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
