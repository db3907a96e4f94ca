//! `chuhe tune`: tunes search parameters by self-play.

use super::evaluation::EvaluationArgs;
use super::input::read_text;
use super::output::{OutputArgs, write_own};
use super::value::BadValue;
use super::{Done, Failure, encoding, interrupt, threads};
use crate::output::{Align, Plot, Progress, Series, Table, print_message};
use crate::translation::translate;
use chuhe_board::Position;
use chuhe_board::rules::Terms;
use chuhe_engine::search::Params;
use chuhe_engine::search::params::{PARAMETERS, Parameter};
use chuhe_lab::arena::openings;
use chuhe_lab::data::selfplay::{searcher, signature};
use chuhe_lab::tune::sparring::{Bout, Sparring};
use chuhe_lab::tune::spsa::{Trial, TunedParameter};
use chuhe_lab::tune::state::{RunSettings, State};
use clap::{Args, ValueEnum};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Identifiers of the options that `--inspect` would ignore.
const PLAYED_ONLY: [&str; 12] = [
    "out",
    "resume",
    "nodes",
    "pairs",
    "iterations",
    "batch",
    "r_end",
    "params",
    "openings",
    "seed",
    "threads",
    "hash",
];

/// Tunes the parameters of the search by self-play (SPSA)
#[derive(Args)]
#[command(after_help = "\
Every iteration changes each parameter up or down at random, plays that setting against its opposite, and moves the parameters towards the \
winner. The file of --out contains the whole run and is written after each batch of iterations: Ctrl-C loses no more \
than a batch; use --resume to continue. The same settings give the same result, on any number of threads.

Examples:
  chuhe tune --out tune.toml --iterations 10000
  chuhe tune --out tune.toml --iterations 10000 --resume
  chuhe tune --out null.toml --params null_move_base,null_move_margin \\
      --iterations 4000 --r-end 0.005
  chuhe tune --inspect tune.toml --plot tune.svg
  chuhe match --engine cmd=self,name=before \\
      --engine cmd=self,$(chuhe tune --inspect tune.toml --form match) \\
      --each tc=2+0.02 --sprt elo0=0,elo1=5")]
pub(super) struct Tune {
    /// The file of the run
    #[arg(long, value_name = "FILE.toml", required_unless_present = "inspect")]
    out: Option<PathBuf>,

    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    nodes: u32,

    /// Openings per iteration, each played with both colours
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pairs: u32,

    /// Number of iterations
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    iterations: u32,

    /// Iterations that start from the same parameters, so that their games can be played in parallel
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    batch: u32,

    /// Change of the parameters per game won at the end of the run, in steps
    #[arg(long, value_name = "STEPS", default_value_t = 0.002, value_parser = learning_rate)]
    r_end: f64,

    /// Parameters to tune; `chuhe params` lists them [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = parameter)]
    params: Vec<&'static str>,

    /// Starting positions: a FEN or EPD per line, or PGN [default: a thousand built-in ones]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Seed for the directions, the rounding and the order of the openings
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u32,

    /// Number of concurrent games; 0 = all cores
    #[arg(long, value_name = "N", default_value = "0", value_parser = threads::read)]
    threads: usize,

    /// Hash table of each of a thread's two players, in MB
    #[arg(long, value_name = "MB", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,

    #[command(flatten)]
    evaluation: EvaluationArgs,

    /// Continue the run of the file
    #[arg(long)]
    resume: bool,

    /// Show the progress stored in a run's file instead of playing
    #[arg(long, value_name = "FILE.toml", conflicts_with_all = PLAYED_ONLY)]
    inspect: Option<PathBuf>,

    /// Format of the parameters
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ParameterFormat::Table)]
    form: ParameterFormat,

    /// Plot the ten parameters with the largest changes
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,
}

/// Output format of parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ParameterFormat {
    /// A table for readers
    Table,
    /// For a player of `chuhe match`: option.NAME=VALUE,…
    Match,
    /// For the UCCI loop: setoption NAME VALUE
    Ucci,
    /// For the UCI loop: setoption name NAME value VALUE
    Uci,
    /// For src/engine/search/params.rs
    Source,
}

fn learning_rate(text: &str) -> Result<f64, BadValue> {
    let rate = text.parse().ok().filter(|rate: &f64| *rate > 0.0 && *rate <= 10.0);
    rate.ok_or(BadValue::Steps)
}

fn parameter(name: &str) -> Result<&'static str, BadValue> {
    let known = PARAMETERS.iter().find(|parameter| parameter.name == name);
    known.map(|parameter| parameter.name).ok_or(BadValue::Parameter)
}

impl Tune {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        self.output.check(&self.plot, self.inspect.as_slice())?;
        let state = match &self.inspect {
            Some(path) => read(path)?,
            None => self.play()?,
        };
        if let Some(path) = &self.plot {
            self.output.write(path, plot(&state).svg().as_bytes())?;
        }
        Ok(write!(out, "{}", print(&state, self.form))?)
    }

    fn play(&self) -> Result<State, Failure> {
        let path = self.out.as_deref().unwrap_or(Path::new(""));
        if self.resume {
            std::fs::metadata(path).map_err(|error| Failure::file(path, &error))?;
        }
        let network = self.evaluation.network()?;
        let mut openings = match &self.openings {
            Some(path) => {
                openings::read(path, usize::MAX, encoding::named(), Terms::default()).map_err(Failure::input)?
            }
            None => openings::built_in(),
        };
        let fingerprint = openings::fingerprint(&openings);
        openings::shuffle(&mut openings, self.seed.into());
        let mut searcher = searcher(network.as_ref(), 4, Terms::default())?;
        let settings = RunSettings {
            engine: signature(&mut searcher),
            network: format!("{:016x}", network.as_ref().map_or(0, |network| network.hash())),
            openings: format!("{fingerprint:016x}"),
            nodes: self.nodes,
            hash: self.hash,
            pairs: self.pairs,
            iterations: self.iterations,
            batch: self.batch,
            r_end: self.r_end,
            seed: self.seed,
        };
        let _lock = RunLock::new(path)?;
        let mut state = self.load_or_start(path, settings)?;
        let openings: Vec<Position> = openings.iter().map(|opening| opening.position()).collect();
        let mut sparring =
            Sparring::new(network.as_ref(), self.threads, self.hash as usize, openings, self.pairs, self.nodes)
                .map_err(|reason| Failure::at("--hash", reason))?;
        let stop = interrupt::flag();
        let bar = Progress::new(state.settings.iterations.into(), "iterations");
        bar.advance(state.iteration.into());
        while !state.is_done() {
            let trials = state.trials();
            let bouts: Vec<Bout> = trials.iter().map(|trial| bout(&state.parameters, trial)).collect();
            let Some(results) = sparring.play(&bouts, stop).map_err(|error| Failure::Input(error.to_string()))? else {
                drop(bar);
                print_message(format!("stopped after {} iterations; use --resume to continue", state.iteration));
                break;
            };
            state.update(&trials, &results);
            write_state(path, &state)?;
            bar.advance(trials.len() as u64);
            let note = one_line(&state);
            bar.print_instead(false, || {
                format!("{} of {} iterations, {note}", state.iteration, state.settings.iterations)
            });
            bar.note(note);
        }
        Ok(state)
    }

    /// Returns the run to continue, or a new run.
    fn load_or_start(&self, path: &Path, settings: RunSettings) -> Result<State, Failure> {
        let is_tuned = |parameter: &Parameter| self.params.is_empty() || self.params.contains(&parameter.name);
        let fresh = State::new(settings, is_tuned);
        if !path.exists() {
            write_state(path, &fresh)?;
            return Ok(fresh);
        }
        if !self.resume {
            return Err(Failure::at(
                path.display(),
                "already exists; use --resume to continue it, or a different --out to start a new run",
            ));
        }
        let state = read(path)?;
        match state.check_same_run(&fresh) {
            Ok(()) => Ok(state),
            Err(reason) => {
                Err(Failure::at(path.display(), format!("{reason}; use a different --out to start a new run")))
            }
        }
    }
}

/// Lock of a run against other processes. The run's file itself is replaced after each batch, so an empty file
/// beside it is locked, which is removed at the end.
struct RunLock {
    file: File,
    path: PathBuf,
}

impl RunLock {
    fn new(run: &Path) -> Result<RunLock, Failure> {
        let mut path = run.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        loop {
            let mut options = OpenOptions::new();
            let opened = options.write(true).create(true).truncate(false).open(&path);
            let file = opened.map_err(|error| Failure::file(&path, &error))?;
            // Some file systems do not support locks.
            if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
                return Err(Failure::at(run.display(), "is being written by another run"));
            }
            // Another run may have removed the file after it was opened here, and a third may have created it again.
            if is_at(&file, &path) {
                return Ok(RunLock { file, path });
            }
        }
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // Where files cannot be compared, the file remains, since its removal could let two runs begin. A file
        // with content is not a lock file.
        if cfg!(unix) && self.file.metadata().is_ok_and(|metadata| metadata.len() == 0) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Returns `true` if an open file still has this path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    let there = std::fs::metadata(path).map(identity);
    file.metadata().map(identity).is_ok_and(|own| there.is_ok_and(|there| there == own))
}

/// Returns `true`, since lock files are not removed on this system.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

fn read(path: &Path) -> Result<State, Failure> {
    State::read(&read_text(path)?).map_err(|reason| Failure::at(path.display(), reason))
}

fn write_state(path: &Path, state: &State) -> Done {
    write_own(path, state.text().as_bytes())
}

/// Converts the settings of a trial to search parameters.
fn bout(parameters: &[TunedParameter], trial: &Trial) -> Bout {
    let params = |values: &[i32]| {
        let mut params = Params::default();
        for (parameter, value) in parameters.iter().zip(values) {
            // The names and bounds are valid, since the run was started with them.
            params.numbers.set(&parameter.name, *value);
        }
        params
    };
    Bout { iteration: trial.iteration, settings: [params(&trial.plus), params(&trial.minus)] }
}

/// Formats the progress of a run as one line.
fn one_line(state: &State) -> String {
    let most = farthest(state, 3).map(|parameter| format!("{} {:+.2}", parameter.name, parameter.change()));
    let most = most.collect::<Vec<_>>().join(", ");
    format!("{} games; in steps: {most}; by chance ±{:.2}", state.total.games(), state.deviation_by_chance())
}

/// Returns the parameters with the largest changes, at most `count` of them.
fn farthest(state: &State, count: usize) -> impl Iterator<Item = &TunedParameter> {
    let mut parameters: Vec<&TunedParameter> = state.parameters.iter().collect();
    parameters.sort_by(|one, two| two.change().abs().total_cmp(&one.change().abs()));
    parameters.into_iter().take(count)
}

fn print(state: &State, form: ParameterFormat) -> String {
    let parameters = &state.parameters;
    let lines = |line: fn(&TunedParameter) -> String| parameters.iter().map(line).collect::<String>();
    match form {
        ParameterFormat::Table => table(state),
        ParameterFormat::Match => {
            let options =
                parameters.iter().map(|parameter| format!("option.{}={}", parameter.name, parameter.rounded()));
            format!("{}\n", options.collect::<Vec<_>>().join(","))
        }
        ParameterFormat::Ucci => lines(|parameter| format!("setoption {} {}\n", parameter.name, parameter.rounded())),
        ParameterFormat::Uci => {
            lines(|parameter| format!("setoption name {} value {}\n", parameter.name, parameter.rounded()))
        }
        ParameterFormat::Source => lines(|parameter| {
            let TunedParameter { name, least, most, step, .. } = parameter;
            format!("    {name} = {}, {least}, {most}, {step};\n", parameter.rounded())
        }),
    }
}

fn table(state: &State) -> String {
    let left = [("name", Align::Left)];
    let right = ["start", "now", "steps", "least", "most"].map(|name| (name, Align::Right));
    let mut table = Table::new(left.into_iter().chain(right));
    for parameter in &state.parameters {
        let TunedParameter { name, start, least, most, .. } = parameter;
        let numbers = [start.to_string(), parameter.rounded().to_string(), format!("{:+.2}", parameter.change())];
        table.row([name.clone()].into_iter().chain(numbers).chain([least.to_string(), most.to_string()]));
    }
    let (settings, total) = (&state.settings, state.total);
    let progress = format!(
        "{} of {} iterations, {} games: +{} ={} -{}; by chance alone a parameter moves ±{:.2} steps",
        state.iteration,
        settings.iterations,
        total.games(),
        total.won,
        total.drawn,
        total.lost,
        state.deviation_by_chance()
    );
    format!("{}\n{}\n", table.titled(translate), translate(&progress))
}

fn plot(state: &State) -> Plot {
    let path = |parameter: &TunedParameter| {
        let points = state.marks.iter().zip(&parameter.path).map(|(mark, steps)| (f64::from(*mark), *steps));
        Series::new(parameter.name.clone(), std::iter::once((0.0, 0.0)).chain(points))
    };
    Plot {
        title: format!("Tuning: {} nodes per move, {} games", state.settings.nodes, state.total.games()),
        x_label: "iteration".into(),
        y_label: "change, steps".into(),
        // With more lines, colours and names would be indistinguishable.
        series: farthest(state, 10).map(path).collect(),
        ..Plot::default()
    }
}
