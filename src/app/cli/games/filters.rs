//! Conditions for games.

use super::library::LibraryArgs;
use crate::cli::Failure;
use crate::cli::alias::AliasArgs;
use crate::cli::game::{GAME_OPTIONS, GameArgs};
use crate::cli::value::BadValue;
use chuhe_games::library::{Library, Pattern, Pieces, Query};
use chuhe_games::records::GameResult;
use clap::Args;

/// Options for every task that searches for games.
#[derive(Args)]
pub(super) struct Filters {
    /// Player of either colour; substring of the name, in traditional or simplified characters
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// Red's player
    #[arg(long, value_name = "NAME")]
    red: Option<String>,

    /// Black's player
    #[arg(long, value_name = "NAME")]
    black: Option<String>,

    /// Event; substring of its name
    #[arg(long, value_name = "NAME")]
    event: Option<String>,

    /// Played in this year or later
    #[arg(long, value_name = "YEAR")]
    since: Option<i64>,

    /// Played in this year or before
    #[arg(long, value_name = "YEAR")]
    until: Option<i64>,

    /// Result: 1-0, 0-1, 1/2-1/2 or *
    #[arg(long, value_name = "RESULT", value_parser = result)]
    result: Option<GameResult>,

    /// At least this many plies
    #[arg(long, value_name = "N")]
    min_plies: Option<i64>,

    /// At most this many plies
    #[arg(long, value_name = "N")]
    max_plies: Option<i64>,

    /// Opening: prefix of a code (C4), or substring of a name (屏风马, screen horses)
    #[arg(long, value_name = "OPENING")]
    opening: Option<String>,

    #[command(flatten)]
    alias: AliasArgs,
}

fn result(text: &str) -> Result<GameResult, BadValue> {
    GameResult::from_mark(text).ok_or(BadValue::Result)
}

impl Filters {
    /// Opens the library, with the aliases.
    pub(super) fn open(&self, library: &LibraryArgs) -> Result<Library, Failure> {
        let mut opened = library.open()?;
        library.or_fail(opened.set_aliases(self.alias.read()?))?;
        Ok(opened)
    }

    pub(super) fn query(&self) -> Query {
        Query {
            player: self.player.clone(),
            red: self.red.clone(),
            black: self.black.clone(),
            person: None,
            event: self.event.clone(),
            since: self.since,
            until: self.until,
            result: self.result,
            plies_from: self.min_plies,
            plies_to: self.max_plies,
            opening: self.opening.clone(),
            pattern: None,
        }
    }
}

/// Options that select games in a library by conditions and by a position.
#[derive(Args)]
pub(super) struct SelectionArgs {
    #[command(flatten)]
    pub(super) library: LibraryArgs,

    #[command(flatten)]
    pattern: PatternArgs,

    #[command(flatten)]
    filters: Filters,
}

impl SelectionArgs {
    /// Opens the library, with the aliases.
    pub(super) fn open(&self) -> Result<Library, Failure> {
        self.filters.open(&self.library)
    }

    pub(super) fn query(&self) -> Result<Query, Failure> {
        Ok(Query { pattern: self.pattern.pattern()?, ..self.filters.query() })
    }
}

/// Options for a position or a pattern of pieces.
#[derive(Args)]
struct PatternArgs {
    #[command(flatten)]
    game: GameArgs,

    /// Pieces instead of a position: exact material (KRPkaabb), or pieces on squares (Re6,ch2)
    #[arg(long, value_name = "PIECES", conflicts_with_all = GAME_OPTIONS)]
    pattern: Option<Pieces>,

    /// Exclude the mirror image of the position
    #[arg(long)]
    exact: bool,
}

impl PatternArgs {
    /// Returns the pattern; `None` if no option was given.
    fn pattern(&self) -> Result<Option<Pattern>, Failure> {
        if !self.game.is_given() {
            return Ok(self.pattern.clone().map(Pattern::Pieces));
        }
        Ok(Some(Pattern::position(self.game.read()?.position(), !self.exact)))
    }
}
