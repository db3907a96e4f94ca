//! `chuhe params`: tunable parameters in the format of OpenBench's SPSA.

use super::Done;
use chuhe_engine::search::params::PARAMETERS;
use clap::Args;
use std::io::Write;

/// Learning rate proposed by OpenBench, relative to the step size at the end of a tune.
const LEARNING_RATE: f64 = 0.002;

/// Lists the tunable parameters of the search: name, type, value, minimum, maximum, step, learning rate
#[derive(Args)]
#[command(after_help = "Example:\n  chuhe params > spsa.txt")]
pub(super) struct Params {}

impl Params {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        for parameter in PARAMETERS {
            let chuhe_engine::search::params::Parameter { name, value, least, most, step } = parameter;
            writeln!(out, "{name}, int, {value}, {least}, {most}, {step}, {LEARNING_RATE}")?;
        }
        Ok(())
    }
}
