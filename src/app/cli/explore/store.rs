//! The database of a command, and the failures of databases.

use crate::cli::Failure;
use crate::cli::game::GameArgs;
use crate::output::print_message;
use crate::translation::language;
use chuhe_board::Position;
use chuhe_board::rules::Game;
use chuhe_board::words::Key;
use chuhe_games::explore::{Error, Store, View};
use clap::Args;
use std::path::{Path, PathBuf};

/// Error for a player without games.
pub(super) const NEEDS_GAMES: &str = "a player needs games: use it with --games";

/// Options for every task that reads a position database.
#[derive(Args)]
pub(super) struct StoreArgs {
    /// Position database
    #[arg(value_name = "DATABASE")]
    pub database: PathBuf,
}

impl StoreArgs {
    /// Opens the database.
    pub(super) fn open(&self) -> Result<Store, Failure> {
        self.or_fail(Store::open(&self.database))
    }

    /// Returns the game of a command; without one, the only start of the database.
    pub(super) fn game(&self, store: &Store, game: &GameArgs) -> Result<Game, Failure> {
        let roots = if game.is_given() { Vec::new() } else { self.or_fail(store.roots())? };
        match <[Position; 1]>::try_from(roots) {
            Ok([root]) => Ok(Game::new(root)),
            Err(_) => game.read(),
        }
    }

    /// Returns the values of a position. Prints a message and fails if the database does not contain it.
    pub(super) fn view(&self, store: &Store, position: &Position) -> Result<View, Failure> {
        let Some(view) = self.or_fail(store.view(position))? else {
            print_message(language().word(Key::NotExplored));
            return Err(Failure::Check);
        };
        Ok(view)
    }

    /// Adds the name of the database to an error.
    pub(super) fn or_fail<T>(&self, result: Result<T, Error>) -> Result<T, Failure> {
        result.map_err(|error| failed(&self.database, &error))
    }
}

/// Creates the failure for an error of a database, with its name.
pub(super) fn failed(database: &Path, error: &Error) -> Failure {
    Failure::at(database.display(), error)
}
