//! `--net` and `--handcrafted`: selection of the evaluation.

use super::Failure;
use chuhe_engine::Options;
use chuhe_engine::eval::Network;
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;

/// Options that select an evaluation; the default is the built-in network.
#[derive(Args)]
pub(super) struct EvaluationArgs {
    /// Network file to use instead of the built-in network
    #[arg(long, value_name = "NET")]
    net: Option<PathBuf>,

    /// Use the hand-written evaluation
    #[arg(long, conflicts_with = "net")]
    handcrafted: bool,
}

impl EvaluationArgs {
    /// Returns the default options of the engine with this evaluation.
    pub(super) fn options(&self) -> Options {
        Options { use_nnue: !self.handcrafted, eval_file: self.net.clone(), ..Options::default() }
    }

    /// Returns the network, or `None` for the hand-written evaluation.
    pub(super) fn network(&self) -> Result<Option<Arc<Network>>, Failure> {
        let network = self.options().network().map_err(|error| Failure::at("--net", error))?;
        Ok(network.filter(|_| !self.handcrafted))
    }
}
