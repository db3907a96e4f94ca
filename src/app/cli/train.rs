//! `chuhe train`: fits the evaluation to training records.

mod linear;
mod network;

use super::output::{OutputArgs, shown};
use super::value::BadValue;
use super::{Done, Failure, threads};
use crate::output::{Progress, print_message};
use crate::translation::translate;
use chuhe_engine::eval::nnue::features::{Mirroring, Outputs};
use chuhe_lab::train::crew::Crew;
use chuhe_lab::train::labels::LabelSettings;
use chuhe_lab::train::load::{Loaded, load};
use chuhe_lab::train::samples::agreement;
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::PathBuf;

/// Identifiers of the options that `--linear` would ignore.
const NETWORK_ONLY: [&str; 10] = [
    "hidden",
    "outputs",
    "king_buckets",
    "attack_buckets",
    "threat_units",
    "mirroring",
    "last_rate",
    "warm_up",
    "decay",
    "scale",
];

/// Fits a network, or with --linear the hand-written evaluation, to training records
#[derive(Args)]
#[command(after_help = "\
After each epoch OUT.checkpoint contains everything that --resume needs, and OUT.net the network, ready to play; at the end \
OUT.float contains the network in floating point, for --from, and OUT.svg the plot of the losses. \
--linear prints the table of src/engine/eval/handcrafted/weights.rs.

Examples:
  chuhe train data/*.games --hidden 256 --epochs 40 --out nets/first
  chuhe train data/*.games --hidden 256 --epochs 40 --out nets/first --resume
  chuhe train new/*.games --from nets/first.float --rate 0.0003 --epochs 10 \\
      --out nets/second
  chuhe train data/*.games --linear --out weights.txt")]
pub(super) struct Train {
    /// Files of training records, or PGN files with scores in the comments
    #[arg(value_name = "FILES", required = true)]
    files: Vec<PathBuf>,

    /// Fit the weights of the hand-written evaluation instead of a network
    #[arg(long, conflicts_with_all = NETWORK_ONLY)]
    linear: bool,

    /// Output path without a suffix; with --linear the file of the table [default: standard output]
    #[arg(long, value_name = "PATH", required_unless_present = "linear")]
    out: Option<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,

    /// Hidden units per side, a multiple of 32 [default: 128; with --from, as in the network]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = hidden_units)]
    hidden: Option<u16>,

    /// Selection of the set of output weights [default: one; with --from, as in the network]
    #[arg(long, value_enum)]
    outputs: Option<Choice>,

    /// Set of input weights for each location of the side's own king: rank 0, its middle, rank 1, its middle,
    /// rank 2, its middle [default: 0,0,0,0,0,0; with --from, as in the network]
    #[arg(long, value_name = "SETS", value_parser = king_buckets)]
    king_buckets: Option<KingBuckets>,

    /// Four sets of input weights for each location of the king: whether the side has rooks, and whether it
    /// has horses or cannons
    #[arg(long)]
    attack_buckets: bool,

    /// Hidden units that also see which pieces are attacked or protected, a multiple of 32 [default: 0; with
    /// --from, as in the network]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = connected_units)]
    threat_units: Option<u16>,

    /// Condition for swapping left and right [default: king; with --from, that of the network]
    #[arg(long, value_enum)]
    mirroring: Option<Mirror>,

    /// Number of epochs [default: 12, with --linear 30]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    epochs: Option<u16>,

    /// Positions per step [default: 4096, with --linear 16384]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    batch: Option<u32>,

    /// Maximum learning rate: largest change of a weight per step [default: 0.001, with --linear 1 centipawn]
    #[arg(long, value_name = "RATE", allow_negative_numbers = true, value_parser = positive)]
    rate: Option<f32>,

    /// Final learning rate
    #[arg(long, value_name = "RATE", default_value_t = 3e-6, allow_negative_numbers = true, value_parser = not_negative)]
    last_rate: f32,

    /// Initial epochs during which the rate rises
    #[arg(long, value_name = "EPOCHS", default_value_t = 1.0, allow_negative_numbers = true, value_parser = not_negative)]
    warm_up: f32,

    /// Weight decay per step at a learning rate of 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, allow_negative_numbers = true, value_parser = not_negative)]
    decay: f32,

    /// Weight of the game's result against the search's score, 0 to 1; two numbers: at the start and at the
    /// end [default: 0.15, with --linear 0.5]
    #[arg(long, value_name = "WEIGHT", value_delimiter = ',', num_args = 1..=2)]
    result_weight: Vec<f32>,

    /// Exclude positions after this many plies without a capture
    #[arg(long, value_name = "PLIES", default_value_t = u16::MAX, hide_default_value = true)]
    quiet_plies: u16,

    /// Remove the search's damping for plies without a capture from the scores
    #[arg(long)]
    undamped: bool,

    /// Weight of the scores of the mover's next six moves relative to the position's own score, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    look_ahead: f32,

    /// Scale in centipawns, 10 to 10000: the score with log odds of 1 [default: fitted to the records; with
    /// --from, as in the network]
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u16).range(10..=10_000))]
    scale: Option<u16>,

    /// Standard deviation of the prior in centipawns, with --linear
    #[arg(long, requires = "linear", value_name = "CP", default_value_t = 400.0, allow_negative_numbers = true, value_parser = positive)]
    prior: f32,

    /// Hold out one game in N for testing
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(2..))]
    held_out: u32,

    /// Threads; 0 = all cores
    #[arg(long, value_name = "N", default_value = "0", value_parser = threads::read)]
    threads: usize,

    /// Seed for the initial weights and the order of the positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Continue the run of OUT.checkpoint; repeat all other options, since the file stores only the
    /// architecture
    #[arg(long, conflicts_with_all = ["linear", "from"])]
    resume: bool,

    /// Start from the network in a floating-point file; its architecture is kept, or widened by --hidden,
    /// --outputs, --king-buckets, --attack-buckets and --threat-units
    #[arg(long, value_name = "FILE", conflicts_with = "linear")]
    from: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Mirror {
    /// If the side's own king is on the right
    King,
    /// Like king; if that king is on the middle file, the enemy king decides, then the guards, then the other
    /// pieces
    Wings,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Choice {
    /// A single set
    One,
    /// Eight sets, by the difference in rooks
    Rooks,
}

impl Mirror {
    fn mirroring(self) -> Mirroring {
        match self {
            Mirror::King => Mirroring::King,
            Mirror::Wings => Mirroring::Wings,
        }
    }
}

impl Choice {
    fn outputs(self) -> Outputs {
        match self {
            Choice::One => Outputs::One,
            Choice::Rooks => Outputs::Rooks,
        }
    }
}

fn positive(text: &str) -> Result<f32, BadValue> {
    finite(text).filter(|number| *number > 0.0).ok_or(BadValue::Positive)
}

fn not_negative(text: &str) -> Result<f32, BadValue> {
    finite(text).filter(|number| *number >= 0.0).ok_or(BadValue::NotNegative)
}

fn finite(text: &str) -> Option<f32> {
    text.parse().ok().filter(|number: &f32| number.is_finite())
}

fn hidden_units(text: &str) -> Result<u16, BadValue> {
    match text.parse::<u16>() {
        Ok(units) if units > 0 && units.is_multiple_of(32) && units <= 4096 => Ok(units),
        _ => Err(BadValue::HiddenUnits),
    }
}

fn connected_units(text: &str) -> Result<u16, BadValue> {
    if text == "0" { Ok(0) } else { hidden_units(text) }
}

/// Index of the set of input weights for each location of the king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct KingBuckets([u8; 6]);

fn king_buckets(text: &str) -> Result<KingBuckets, BadValue> {
    let sets: Result<Vec<u8>, _> = text.split(',').map(|set| set.trim().parse::<u8>()).collect();
    let sets = sets.ok().and_then(|sets| <[u8; 6]>::try_from(sets).ok());
    let sets = sets.filter(|sets| sets.iter().all(|set| *set < 6));
    sets.map(KingBuckets).ok_or(BadValue::KingBuckets)
}

impl Train {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        if let Some(out) = &self.out {
            let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
            folder.map_or(Ok(()), std::fs::create_dir_all).map_err(|error| Failure::file(out, &error))?;
        }
        let in_range = |weights: &[f32]| weights.iter().all(|weight| (0.0..=1.0).contains(weight));
        for (name, weights) in [("--result-weight", &self.result_weight[..]), ("--look-ahead", &[self.look_ahead])] {
            if !in_range(weights) {
                return Err(Failure::at(name, "not between 0 and 1"));
            }
        }
        if !self.linear && !self.resume && self.path("checkpoint").exists() {
            let said = "already exists; use --resume to continue its run, or a different --out to start a new one";
            return Err(Failure::at(shown(&self.path("checkpoint")), said));
        }
        if self.linear {
            self.output.check(&self.out, &self.files)?;
        } else if !self.resume {
            let inputs: Vec<&PathBuf> = self.files.iter().chain(&self.from).collect();
            self.output.check(["checkpoint", "net", "float", "svg"].map(|ending| self.path(ending)), &inputs)?;
        }
        let trainer = if self.linear { None } else { self.load_start()? };
        let crew = Crew::new(self.threads).map_err(|error| Failure::at("--threads", error))?;
        let loaded = self.load(&crew, out)?;
        match trainer {
            _ if self.linear => self.fit_weights(&loaded, &crew, out),
            Some(trainer) => self.train(trainer, &loaded, &crew, out),
            None => self.train(self.new_trainer(&loaded), &loaded, &crew, out),
        }
    }

    fn load(&self, crew: &Crew, out: &mut dyn Write) -> Result<Loaded, Failure> {
        let loaded = {
            let bar = Progress::new(self.files.len() as u64, "files");
            load(&self.files, &self.labels(), self.held_out.into(), crew, |_| bar.advance(1))
        };
        let loaded = loaded.map_err(Failure::input)?;
        for damage in &loaded.damage {
            print_message(format!("chuhe: {damage}"));
        }
        let (training, held_out) = (&loaded.samples.training, &loaded.samples.held_out);
        if training.is_empty() {
            return Err(Failure::Input("the files contain no positions suitable for training".to_owned()));
        }
        let agreeing = agreement(training, 300);
        let counts = format!(
            "{} games, {} positions; {} for training, {} held out; clear scores and results agree in {:.1} %",
            loaded.games,
            loaded.positions,
            training.len(),
            held_out.len(),
            100.0 * agreeing.unwrap_or(f64::NAN)
        );
        writeln!(out, "{}", translate(&counts))?;
        if held_out.is_empty() {
            let few = "too few games to hold one out: losses refer to the training positions";
            writeln!(out, "{}", translate(few))?;
        }
        if agreeing.is_some_and(|share| share < 0.6) {
            return Err(Failure::Input(
                "scores and results disagree: the labels probably have the wrong sign".to_owned(),
            ));
        }
        Ok(loaded)
    }

    fn labels(&self) -> LabelSettings {
        let Train { quiet_plies, undamped, look_ahead, .. } = *self;
        LabelSettings { quiet_plies_limit: quiet_plies, undamped, look_ahead, ..LabelSettings::default() }
    }
}
