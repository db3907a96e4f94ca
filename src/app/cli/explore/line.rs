//! `explore line`: the best line of both sides.

use super::store::StoreArgs;
use crate::cli::analyze::report::pawns;
use crate::cli::game::GameArgs;
use crate::cli::language::NotationArgs;
use crate::cli::{Done, Failure};
use crate::output::json;
use chuhe_board::notation;
use clap::Args;
use serde::Serialize;
use std::io::Write;

#[derive(Args)]
pub(super) struct BestLine {
    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    game: GameArgs,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    notation: NotationArgs,
}

/// The line as JSON.
#[derive(Serialize)]
struct JsonBestLine {
    fen: String,
    /// Backed-up score in centipawns from the mover's point of view.
    value: i32,
    line: Vec<String>,
}

impl BestLine {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let store = self.store.open()?;
        let game = self.store.game(&store, &self.game)?;
        let position = game.position();
        let view = self.store.view(&store, position)?;
        let line = self.store.or_fail(store.line(position))?;
        if self.json {
            let moves = line.iter().map(ToString::to_string).collect();
            let entry = JsonBestLine { fen: position.to_string(), value: view.value.score, line: moves };
            return Ok(json::write_line(out, &entry)?);
        }
        let moves = notation::write_line(position, &line, self.notation.form());
        let moves = moves.map_err(|error| Failure::Input(error.to_string()))?;
        Ok(writeln!(out, "{}  {}", pawns(view.value.score), moves.join(" "))?)
    }
}
