//! `--fen` and `--moves`: the position that a subcommand is about.

use super::Failure;
use crate::board::{FenError, Position, Setup};
use crate::rules::Game;
use clap::Args;

/// Flattened into every subcommand that takes a position.
#[derive(Args)]
pub struct GameArgs {
    /// The position: a FEN or `startpos`, perhaps with `moves h2e2 h9g7` behind it
    #[arg(long, value_name = "FEN", default_value = "startpos")]
    pub(super) fen: String,

    /// Moves played from there, in one quoted list: "h2e2 h9g7"
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    pub(super) moves: String,
}

impl GameArgs {
    /// The game that the arguments describe.
    pub fn read(&self) -> Result<Game, Failure> {
        self.play(Game::read(&self.fen))
    }

    /// The same for counting; see [`game_to_count`].
    pub fn read_to_count(&self) -> Result<Game, Failure> {
        self.play(game_to_count(&self.fen))
    }

    fn play(&self, start: Result<Game, String>) -> Result<Game, Failure> {
        let mut game = start.map_err(|error| Failure::at("--fen", error))?;
        let moves = self.moves.split(|between: char| between.is_whitespace() || between == ',');
        game.play_text(moves.filter(|text| !text.is_empty())).map_err(|error| Failure::at("--moves", error))?;
        Ok(game)
    }
}

/// Reads a game whose moves are only counted: the kings may face each other at its start, as they do in some collections of perft
/// counts.
pub fn game_to_count(text: &str) -> Result<Game, String> {
    Game::read_from(text, |fen| match fen {
        "startpos" => Game::from_fen(fen),
        _ => {
            let setup: Setup = fen.parse().map_err(FenError::Text)?;
            Position::new_with_kings_facing(&setup).map(Game::new).map_err(FenError::Impossible)
        }
    })
}
