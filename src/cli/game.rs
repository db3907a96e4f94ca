//! `--fen` and `--moves`: the position that a subcommand is about.

use super::Failure;
use crate::board::{FenError, Position, Setup};
use crate::rules::Game;
use clap::Args;

/// Flattened into every subcommand that takes a position.
#[derive(Args)]
pub struct GameArgs {
    /// The position: a FEN, or `startpos`
    #[arg(long, value_name = "FEN", default_value = "startpos")]
    pub(super) fen: String,

    /// Moves played from there, in one quoted list: "h2e2 h9g7"
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    pub(super) moves: String,
}

impl GameArgs {
    /// The game that the arguments describe.
    pub fn read(&self) -> Result<Game, Failure> {
        self.play(Game::from_fen(&self.fen))
    }

    /// The same for counting, which also takes [`position_to_count`]'s positions.
    pub fn read_to_count(&self) -> Result<Game, Failure> {
        self.play(match self.fen.trim() {
            "startpos" => Ok(Game::new(Position::start())),
            fen => position_to_count(fen).map(Game::new),
        })
    }

    fn play(&self, start: Result<Game, FenError>) -> Result<Game, Failure> {
        let mut game = start.map_err(|error| Failure::at("--fen", error))?;
        let moves = self.moves.split(|between: char| between.is_whitespace() || between == ',');
        game.play_text(moves.filter(|text| !text.is_empty())).map_err(|error| Failure::at("--moves", error))?;
        Ok(game)
    }
}

/// Reads a position whose moves are only counted: the kings may face each other, as they do in some collections of perft counts.
pub fn position_to_count(fen: &str) -> Result<Position, FenError> {
    let setup: Setup = fen.parse().map_err(FenError::Text)?;
    Position::new_with_kings_facing(&setup).map_err(FenError::Impossible)
}
