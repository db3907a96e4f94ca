//! `chuhe eval`: evaluates a position term by term.

use super::Done;
use super::game::GameArgs;
use crate::output;
use crate::translation::translate;
use chuhe_engine::eval::{evaluate, handcrafted, nnue};
use clap::Args;
use std::io::Write;

/// Evaluates a position: the hand-written evaluation term by term, and the network
#[derive(Args)]
#[command(after_help = "Example:\n  chuhe eval --moves \"h2e2 h9g7\"")]
pub(super) struct Eval {
    #[command(flatten)]
    game: GameArgs,
}

impl Eval {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let game = self.game.read()?;
        let position = game.position();
        write!(
            out,
            "{}",
            handcrafted::table(position).titled(translate).with_names(translate).fitted(output::width())
        )?;
        let side = position.side().name();
        let score = format!("{side} to move: {:+} centipawns, hand-written evaluation", evaluate(position));
        writeln!(out, "{}", translate(&score))?;
        if let Some(network) = nnue::embedded() {
            let score = format!("{side} to move: {:+} centipawns, network", nnue::evaluate(&network, position));
            writeln!(out, "{}", translate(&score))?;
        }
        Ok(())
    }
}
