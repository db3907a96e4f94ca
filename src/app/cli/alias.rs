//! `--alias` and `--player`: players with several spellings, and one player of many games.

use super::Failure;
use super::input::read_text;
use chuhe_board::Side;
use chuhe_games::names::Aliases;
use chuhe_games::records::Record;
use clap::Args;
use std::path::PathBuf;

/// Flattened into every subcommand that compares players' names.
#[derive(Args)]
pub struct AliasArgs {
    /// Merge players' names by this file, which `chuhe games aliases` writes: NAME = SPELLING; SPELLING on each line
    #[arg(long, value_name = "FILE")]
    alias: Option<PathBuf>,
}

impl AliasArgs {
    /// The aliases of the file; none without one.
    pub fn read(&self) -> Result<Aliases, Failure> {
        let Some(path) = &self.alias else { return Ok(Aliases::default()) };
        Aliases::read(&read_text(path)?).map_err(|error| Failure::at(path.display(), error))
    }
}

/// Flattened into every subcommand that looks at the games of one player.
#[derive(Args)]
pub struct PlayerArgs {
    /// Only this player's games and moves; a part of the name, in traditional or simplified characters
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    #[command(flatten)]
    alias: AliasArgs,
}

/// The player that is wanted, with the aliases of all players.
#[derive(Default)]
pub struct Wanted {
    player: Option<String>,
    /// Spellings of players' names.
    pub aliases: Aliases,
}

impl PlayerArgs {
    /// The player, and the aliases of the file.
    pub fn read(&self) -> Result<Wanted, Failure> {
        Ok(Wanted { player: self.player.clone(), aliases: self.alias.read()? })
    }
}

impl Wanted {
    /// Returns `true` if a name is the player's, or every player is wanted.
    pub fn is_name(&self, name: &str) -> bool {
        self.player.as_ref().is_none_or(|wanted| self.aliases.is_part(wanted, name))
    }

    /// Returns `true` if a side of a game is played by the player, or every player is wanted.
    pub fn has(&self, game: &Record, side: Side) -> bool {
        let tag = if side == Side::Red { "Red" } else { "Black" };
        self.is_name(game.tag(tag).unwrap_or_default())
    }
}
