//! `chuhe net`: inspects networks.

use super::game::GameArgs;
use super::input::read_bytes;
use super::output::{OutputArgs, shown};
use super::{Done, Failure};
use crate::output::{Align, Table};
use crate::translation::translate;
use chuhe_engine::eval::Network;
use chuhe_engine::eval::nnue::{embedded, evaluate};
use chuhe_lab::train::trainer::Trainer;
use clap::{Args, Subcommand};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Inspects networks
#[derive(Args)]
#[command(
    after_help = "Examples:\n  chuhe net info nets/first.net\n  chuhe net eval nets/first.net --moves \"h2e2 h9g7\"
  chuhe net quantise nets/first.float nets/first.net"
)]
pub(super) struct Net {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Describes a network
    Info {
        /// The network [default: the built-in one]
        file: Option<PathBuf>,
    },
    /// Evaluates a position
    Eval {
        /// The network; - is the built-in one
        file: PathBuf,
        #[command(flatten)]
        game: GameArgs,
    },
    /// Quantises a floating-point network for play
    Quantise {
        /// Input file with suffix .float or .checkpoint
        from: PathBuf,
        /// Output file
        to: PathBuf,
        #[command(flatten)]
        output: OutputArgs,
    },
}

fn read(file: Option<&Path>) -> Result<Arc<Network>, Failure> {
    let Some(file) = file.filter(|file| *file != Path::new("-")) else {
        return embedded().ok_or_else(|| Failure::Input("the program has no built-in network".to_owned()));
    };
    let bytes = read_bytes(file)?;
    Network::decode(&bytes).map(Arc::new).map_err(|error| Failure::at(file.display(), error))
}

impl Net {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        match self.action {
            Action::Info { file } => {
                let network = read(file.as_deref())?;
                let shape = network.shape();
                let rows = [
                    ("name", network.name().to_owned()),
                    ("hash", format!("{:016x}", network.hash())),
                    ("inputs", format!("{} for each side", shape.inputs())),
                    ("mirroring", format!("{:?}", shape.mirroring).to_lowercase()),
                    ("king buckets", format!("{:?}", shape.king_buckets)),
                    ("attack buckets", if shape.attack_buckets { "4" } else { "1" }.to_owned()),
                    ("units with threats", shape.threat_units.to_string()),
                    ("hidden units", format!("{} for each side", shape.hidden)),
                    ("output buckets", shape.outputs.count().to_string()),
                    ("scale", format!("{} centipawns", network.scale())),
                    ("bytes", network.encode().len().to_string()),
                ];
                let mut table = Table::new([("", Align::Left), ("", Align::Left)]);
                rows.into_iter().for_each(|(name, value)| table.row([translate(name), translate(&value)]));
                write!(out, "{}", table.rows())?;
            }
            Action::Eval { file, game } => {
                let network = read(Some(&file))?;
                let game = game.read()?;
                let (position, side) = (game.position(), game.position().side().name());
                let score = format!("{side} to move: {:+} centipawns", evaluate(&network, position));
                writeln!(out, "{}", translate(&score))?;
            }
            Action::Quantise { from, to, output } => {
                output.check([&to], &[&from])?;
                let bytes = read_bytes(&from)?;
                let trainer = Trainer::decode(&bytes).map_err(|error| Failure::at(from.display(), error))?;
                let network = trainer.model.quantised().map_err(|error| Failure::at(from.display(), error))?;
                output.write(&to, &network.encode())?;
                writeln!(out, "{}", translate(&format!("{}: network {}", shown(&to), network.name())))?;
            }
        }
        Ok(())
    }
}
