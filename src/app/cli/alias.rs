//! `--alias` and `--player`: players with several spellings, and restriction to one player.

use super::Failure;
use super::input::read_text;
use chuhe_board::Side;
use chuhe_games::names::Aliases;
use chuhe_games::records::Record;
use clap::Args;
use std::path::PathBuf;

/// Options for every subcommand that compares players' names.
#[derive(Args)]
pub(super) struct AliasArgs {
    /// Merge players' names according to this file, written by `chuhe games aliases`: NAME = SPELLING;
    /// SPELLING on each line
    #[arg(long, value_name = "FILE")]
    alias: Option<PathBuf>,
}

impl AliasArgs {
    /// Returns the aliases in the file, or none if no file was given.
    pub(super) fn read(&self) -> Result<Aliases, Failure> {
        let Some(path) = &self.alias else { return Ok(Aliases::default()) };
        Aliases::read(&read_text(path)?).map_err(|error| Failure::at(path.display(), error))
    }
}

/// Options for every subcommand that can be restricted to one player.
#[derive(Args)]
pub(super) struct PlayerArgs {
    /// Only this player's games and moves; substring of the name, in traditional or simplified characters
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    #[command(flatten)]
    alias: AliasArgs,
}

/// Player to select, and the aliases of all players.
#[derive(Default)]
pub(super) struct PlayerFilter {
    pub player: Option<String>,
    /// Spellings of players' names.
    pub aliases: Aliases,
}

impl PlayerArgs {
    /// Returns `true` if a player was given.
    #[cfg(feature = "sqlite-books")]
    pub(super) fn is_given(&self) -> bool {
        self.player.is_some()
    }

    /// Returns the player and the aliases in the file.
    pub(super) fn read(&self) -> Result<PlayerFilter, Failure> {
        Ok(PlayerFilter { player: self.player.clone(), aliases: self.alias.read()? })
    }
}

impl PlayerFilter {
    /// Returns `true` if a player was given.
    pub(super) fn is_given(&self) -> bool {
        self.player.is_some()
    }

    /// Returns `true` if the name is the player's, or if no player was given.
    pub(super) fn is_name(&self, name: &str) -> bool {
        self.player.as_ref().is_none_or(|wanted| self.aliases.is_part(wanted, name))
    }

    /// Returns `true` if the player plays this side in a game, or if no player was given.
    pub(super) fn has(&self, game: &Record, side: Side) -> bool {
        let tag = if side == Side::Red { "Red" } else { "Black" };
        self.is_name(game.tag(tag).unwrap_or_default())
    }
}
