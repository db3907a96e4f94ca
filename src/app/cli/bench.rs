//! `chuhe bench`: the fixed search whose node count is the engine's signature.

use super::Done;
use super::evaluation::EvaluationArgs;
use chuhe_engine::{BENCH_DEPTH, bench_with};
use clap::Args;
use std::io::Write;

/// Searches fixed positions to a fixed depth: the node count is the same on every machine
#[derive(Args)]
#[command(after_help = "Example:\n  chuhe bench")]
pub(super) struct Bench {
    /// The depth, in plies
    #[arg(default_value_t = BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..64))]
    depth: u32,

    #[command(flatten)]
    evaluation: EvaluationArgs,
}

impl Bench {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let mut told = Ok(());
        let result = bench_with(self.evaluation.options(), self.depth, |fen, nodes| {
            if told.is_ok() {
                told = writeln!(out, "{nodes:>10}  {fen}");
            }
        });
        told?;
        let result = result?;
        writeln!(out, "{} nodes {} nps", result.nodes, result.speed())?;
        Ok(())
    }
}
