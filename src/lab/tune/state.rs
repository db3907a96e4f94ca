//! A tuning run: its settings, its progress, and its state file.

use super::spsa::{BoutResult, Gains, Trial, TunedParameter};
use chuhe_engine::search::params::{PARAMETERS, Parameter};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Version of the file format.
const VERSION: u32 = 1;
/// Maximum number of points stored per parameter path; longer runs store every second, third, … point.
const MARKS: u64 = 100;

/// Settings that must be unchanged to resume a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    /// Signature of the engine before tuning.
    pub engine: u32,
    /// Network used for evaluation, in hexadecimal digits; 0 without a network.
    pub network: String,
    /// Fingerprint of the openings, in hexadecimal digits.
    pub openings: String,
    /// Nodes per move.
    pub nodes: u32,
    /// Hash table per player, in MB.
    pub hash: u32,
    /// Openings per iteration, each played with both colours.
    pub pairs: u32,
    /// Iterations of the whole run.
    pub iterations: u32,
    /// Number of iterations that start from the same parameters, so that their games can be played in
    /// parallel.
    pub batch: u32,
    /// Update per game won at the end of the run, in steps.
    pub r_end: f64,
    /// Seed for the directions, the rounding and the order of the openings.
    pub seed: u32,
}

/// State of a run between two batches.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    chuhe_tune: u32,
    /// Completed iterations.
    pub iteration: u32,
    /// Sum of the squares of all updates, in steps.
    #[serde(rename = "variance")] // the name in existing files, like the two below
    sum_of_squares: f64,
    /// Iterations after which points are added to the parameter paths.
    pub marks: Vec<u32>,
    /// Settings.
    pub settings: RunSettings,
    /// Results of all games.
    #[serde(rename = "tally")]
    pub total: BoutResult,
    /// Parameters being tuned.
    #[serde(rename = "numbers")]
    pub parameters: Vec<TunedParameter>,
}

/// Reason why a string is not the state of a tuning run.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BadState {
    /// The text is not from a tuning run.
    #[error("not the state of a tuning run")]
    OtherFile,
    /// A line cannot be parsed; contains its number, from 1, and the reason.
    #[error("line {0}: {1}")]
    Line(usize, String),
    /// Unsupported version.
    #[error("version {0} is not supported; this program reads version {VERSION}")]
    Version(i64),
    /// The named parameter has an invalid value, step or path.
    #[error("{0} has an invalid value, step or path")]
    Parameter(String),
}

/// Difference between a stored state and the run that would resume it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum OtherRun {
    /// The engines differ; contains the signature of the engine that started the run and that of the engine
    /// that would resume it.
    #[error("was started by an engine that plays differently (signature {0}, now {1})")]
    Engine(u32, u32),
    /// A setting differs; contains its name and its value in the earlier run.
    #[error("was started with {0} {1}")]
    Setting(String, String),
    /// The parameters, their bounds or their steps differ.
    #[error("was started with different parameters, bounds or steps")]
    Parameters,
}

impl State {
    /// Creates a run that tunes the parameters selected by `is_tuned`.
    pub fn new(settings: RunSettings, is_tuned: impl Fn(&Parameter) -> bool) -> State {
        let tuned = |&Parameter { name, value, least, most, step }: &Parameter| TunedParameter {
            name: name.to_owned(),
            start: value,
            least,
            most,
            step,
            now: value.into(),
            path: Vec::new(),
        };
        State {
            chuhe_tune: VERSION,
            iteration: 0,
            sum_of_squares: 0.0,
            marks: Vec::new(),
            settings,
            total: BoutResult::default(),
            parameters: PARAMETERS.iter().filter(|parameter| is_tuned(parameter)).map(tuned).collect(),
        }
    }

    /// Parses the output of [`State::text`].
    ///
    /// # Errors
    /// Returns an error if the text is not the state of a run of this version.
    pub fn read(text: &str) -> Result<State, BadState> {
        // The version is checked first, since another version may have other fields.
        let table: toml::Table = text.parse().map_err(|_| BadState::OtherFile)?;
        let version = table.get("chuhe_tune").and_then(toml::Value::as_integer).ok_or(BadState::OtherFile)?;
        if version != i64::from(VERSION) {
            return Err(BadState::Version(version));
        }
        let state: State = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            BadState::Line(line, error.message().to_owned())
        })?;
        let is_sound = |parameter: &TunedParameter| {
            let bounds = f64::from(parameter.least)..=f64::from(parameter.most);
            parameter.step > 0 && bounds.contains(&parameter.now) && parameter.path.len() == state.marks.len()
        };
        if let Some(parameter) = state.parameters.iter().find(|parameter| !is_sound(parameter)) {
            return Err(BadState::Parameter(parameter.name.clone()));
        }
        Ok(state)
    }

    /// Returns the state as TOML, from which [`State::read`] restores it exactly.
    pub fn text(&self) -> String {
        toml::to_string(self).expect("names, numbers and lists of numbers can be written")
    }

    /// Checks that this is an earlier state of the run started by `fresh`.
    ///
    /// # Errors
    /// Returns the first difference.
    pub fn check_same_run(&self, fresh: &State) -> Result<(), OtherRun> {
        let (ours, theirs) = (&self.settings, &fresh.settings);
        if ours.engine != theirs.engine {
            return Err(OtherRun::Engine(ours.engine, theirs.engine));
        }
        let table = |settings| toml::Table::try_from(settings).expect("as in the state's text");
        let theirs = table(theirs);
        if let Some((name, value)) = table(ours).iter().find(|(name, value)| theirs.get(*name) != Some(value)) {
            return Err(OtherRun::Setting(name.replace('_', "-"), value.to_string()));
        }
        let fixed = |state: &State| -> Vec<TunedParameter> {
            let start = |parameter: &TunedParameter| TunedParameter { now: 0.0, path: Vec::new(), ..parameter.clone() };
            state.parameters.iter().map(start).collect()
        };
        if fixed(self) != fixed(fresh) {
            return Err(OtherRun::Parameters);
        }
        Ok(())
    }

    /// Returns `true` if all iterations have been played.
    pub fn is_done(&self) -> bool {
        self.iteration >= self.settings.iterations
    }

    fn gains(&self) -> Gains {
        Gains { iterations: self.settings.iterations, r_end: self.settings.r_end }
    }

    /// Returns the trials of the next batch.
    pub fn trials(&self) -> Vec<Trial> {
        let last = self.iteration.saturating_add(self.settings.batch).min(self.settings.iterations);
        let trial = |iteration| Trial::new(&self.parameters, self.gains(), self.settings.seed, iteration);
        (self.iteration + 1..=last).map(trial).collect()
    }

    /// Updates the parameters with the results of the trials, one after another.
    pub fn update(&mut self, trials: &[Trial], results: &[BoutResult]) {
        let gains = self.gains();
        let mark = |iteration| u64::from(iteration) * MARKS / u64::from(gains.iterations);
        let before = mark(self.iteration);
        for (trial, result) in trials.iter().zip(results) {
            self.sum_of_squares += trial.update(&mut self.parameters, gains, *result).powi(2);
            self.total += *result;
            self.iteration = trial.iteration;
        }
        if mark(self.iteration) > before {
            self.marks.push(self.iteration);
            for parameter in &mut self.parameters {
                parameter.path.push((parameter.change() * 100.0).round() / 100.0);
            }
        }
    }

    /// Returns the standard deviation, in steps, of a parameter's change if it had no effect on play. It is
    /// the same for all parameters, since all are moved by the same distance and only the directions differ.
    pub fn deviation_by_chance(&self) -> f64 {
        self.sum_of_squares.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> RunSettings {
        RunSettings {
            engine: 123,
            network: "fedcba9876543210".to_owned(),
            openings: "0".to_owned(),
            nodes: 100,
            hash: 1,
            pairs: 2,
            iterations: 130,
            batch: 8,
            r_end: 0.05,
            seed: 5,
        }
    }

    fn new_run() -> State {
        State::new(settings(), |_| true)
    }

    /// The side with the larger aspiration window wins three games in four.
    fn batch(state: &mut State) {
        let trials = state.trials();
        let result = |trial: &Trial| match trial.plus[0] > trial.minus[0] {
            true => BoutResult { won: 3, drawn: 0, lost: 1 },
            false => BoutResult { won: 0, drawn: 2, lost: 2 },
        };
        let results: Vec<BoutResult> = trials.iter().map(result).collect();
        state.update(&trials, &results);
    }

    #[test]
    fn a_run_that_went_through_its_file_after_every_batch_ends_like_one_that_did_not() {
        let (mut whole, mut broken) = (new_run(), new_run());
        while !whole.is_done() {
            assert_eq!(whole.trials().len() as u32, 8.min(130 - whole.iteration));
            batch(&mut whole);
        }
        for _ in 0..17 {
            broken = State::read(&broken.text()).expect("what was written");
            assert!(!broken.is_done() && broken.check_same_run(&new_run()).is_ok());
            batch(&mut broken);
        }
        assert_eq!(broken, whole);
        assert_eq!((whole.iteration, whole.total.games()), (130, 520));
        assert_eq!(whole.marks.last(), Some(&130));
        let [window, others @ ..] = &whole.parameters[..] else { panic!("there are parameters") };
        assert!(
            window.change() > 2.0 * whole.deviation_by_chance(),
            "{} of {}",
            window.change(),
            whole.deviation_by_chance()
        );
        let within = |times: f64| {
            others.iter().filter(|other| other.change().abs() < times * whole.deviation_by_chance()).count()
        };
        assert!(within(1.0) * 2 > others.len() && within(4.0) == others.len());
    }

    #[test]
    fn other_runs_are_refused() {
        let mut state = new_run();
        batch(&mut state);
        let differs = |change: &dyn Fn(&mut RunSettings)| {
            let mut other = settings();
            change(&mut other);
            state.check_same_run(&State::new(other, |_| true)).expect_err("another run").to_string()
        };
        assert!(differs(&|other| other.engine = 124).contains("signature 123, now 124"));
        assert_eq!(differs(&|other| other.nodes = 101), "was started with nodes 100");
        assert_eq!(differs(&|other| other.r_end = 0.1), "was started with r-end 0.05");
        assert!(differs(&|other| other.network = "0".to_owned()).contains("network \"fedcba9876543210\""));
        let fewer = State::new(settings(), |parameter| parameter.name != "late_move_base");
        assert!(state.check_same_run(&fewer).expect_err("another run").to_string().contains("different parameters"));
        assert_eq!(state.check_same_run(&new_run()), Ok(()));
    }

    #[test]
    fn files_that_are_no_state_are_refused() {
        let mut state = new_run();
        while state.marks.is_empty() {
            batch(&mut state);
        }
        let text = state.text();
        let reason = |text: &str| State::read(text).expect_err(text).to_string();
        for foreign in ["", "games = 6\n", "{\"chuhe_match\": 1}\n", "chuhe_tune", &text[..text.len() / 2]] {
            assert!(!reason(foreign).is_empty());
        }
        assert!(reason("games = 6\n").contains("not the state of a tuning run"));
        assert!(reason(&text.replace("chuhe_tune = 1", "chuhe_tune = 2\nnew_field = 1")).contains("version 2"));
        assert!(reason(&text.replace("least = 8\n", "least = 80\n")).contains("aspiration_window"));
        assert!(reason(&text.replace("nodes = 100\n", "")).contains("nodes"));
        assert!(reason(&text.replace("nodes = 100\n", "nodes = -1\n")).starts_with("line "));
    }
}
