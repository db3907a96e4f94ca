//! `chuhe eval`: the evaluation of a position, term by term.

use super::Done;
use super::game::GameArgs;
use crate::eval::{evaluate, handcrafted};
use clap::Args;
use std::io::Write;

/// Shows what every term of the evaluation gives each side
#[derive(Args)]
#[command(after_help = "Example:\n  chuhe eval --moves \"h2e2 h9g7\"")]
pub struct Eval {
    #[command(flatten)]
    game: GameArgs,
}

impl Eval {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let game = self.game.read()?;
        let position = game.position();
        write!(out, "{}", handcrafted::table(position))?;
        writeln!(out, "{} to move: {:+} centipawns", position.side().name(), evaluate(position))?;
        Ok(())
    }
}
