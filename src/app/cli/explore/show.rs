//! `explore show`: the moves of a position.

use super::store::{NEEDS_GAMES, StoreArgs};
use crate::cli::alias::{PlayerArgs, PlayerFilter};
use crate::cli::analyze::report::pawns;
use crate::cli::game::GameArgs;
use crate::cli::language::NotationArgs;
use crate::cli::{Done, Failure};
use crate::output::{Align, Table, json, width};
use crate::translation::language;
use chuhe_board::notation;
use chuhe_board::words::{Key, Language};
use chuhe_board::{Move, Position};
use chuhe_games::explore::{MoveView, Value, View};
use chuhe_games::library::{Continuation, Library, Query};
use chuhe_games::openings::Opening;
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Show {
    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    game: GameArgs,

    /// Library whose games and results are shown beside the moves
    #[arg(long, value_name = "LIBRARY")]
    games: Option<PathBuf>,

    #[command(flatten)]
    player: PlayerArgs,

    /// Red's player
    #[arg(long, value_name = "NAME")]
    red: Option<String>,

    /// Black's player
    #[arg(long, value_name = "NAME")]
    black: Option<String>,

    /// Number of moves to show; 0 = all
    #[arg(long, value_name = "N", default_value_t = 12)]
    moves_shown: usize,

    /// Print one JSON object with all moves
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    notation: NotationArgs,
}

/// A position as JSON. Scores are in centipawns from the mover's point of view.
#[derive(Serialize)]
struct JsonView<'v> {
    fen: String,
    value: i32,
    plies: u8,
    below: u64,
    engine: &'v str,
    nodes: u64,
    depth: u32,
    opening: Option<&'static str>,
    moves: Vec<JsonMove>,
}

#[derive(Serialize)]
struct JsonMove {
    r#move: String,
    /// Backed-up score.
    value: Option<i32>,
    plies: Option<u8>,
    /// The engine's score.
    own: Option<i16>,
    below: u64,
    barred: bool,
    /// Games in the library that the mover won, drew and lost, and games without a result.
    games: Option<[u64; 4]>,
}

impl Show {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        if self.games.is_none() && (self.player.is_given() || self.red.is_some() || self.black.is_some()) {
            return Err(Failure::Input(NEEDS_GAMES.to_owned()));
        }
        let store = self.store.open()?;
        let game = self.store.game(&store, &self.game)?;
        let position = game.position();
        let language = language();
        let view = self.store.view(&store, position)?;
        let played = self.played(position)?;
        let opening = Opening::of_game(&game);
        if self.json {
            return Ok(json::write_line(out, &JsonView::of(position, &view, opening, played.as_deref()))?);
        }
        if let Some(opening) = opening {
            writeln!(out, "{}", opening.say(language))?;
        }
        let (engine, nodes, depth, below) = (&view.engine, view.nodes, view.depth, view.below);
        let from: [(&str, &dyn std::fmt::Display); 4] =
            [("below", &below), ("engine", engine), ("nodes", &nodes), ("depth", &depth)];
        writeln!(out, "{}\n", language.say(Key::ExploredFrom, &from))?;
        write!(out, "{}", self.table(position, &view, played.as_deref()).fitted(width()))?;
        Ok(())
    }

    /// Returns the moves played in the library, by the selected player if there is one.
    fn played(&self, position: &Position) -> Result<Option<Vec<Continuation>>, Failure> {
        let Some(path) = &self.games else { return Ok(None) };
        let PlayerFilter { player, aliases } = self.player.read()?;
        let read = || {
            let mut library = Library::open(path)?;
            library.set_aliases(aliases)?;
            let (red, black) = (self.red.clone(), self.black.clone());
            library.moves(position, &Query { player, red, black, ..Query::default() })
        };
        read().map(Some).map_err(|error| Failure::at(path.display(), error))
    }

    fn table(&self, position: &Position, view: &View, played: Option<&[Continuation]>) -> Table {
        let language = language();
        let head = |key: Key, align: Align| (language.word(key), align);
        let results = [Key::ColumnGames, Key::ColumnWon, Key::ColumnDrawn, Key::ColumnLost];
        let columns = [
            head(Key::ColumnMove, Align::Left),
            ("", Align::Left),
            head(Key::ColumnBackedUp, Align::Right),
            head(Key::ColumnPlies, Align::Right),
            head(Key::ColumnOwn, Align::Right),
            head(Key::ColumnBelow, Align::Right),
        ];
        let results = results.into_iter().filter(|_| played.is_some()).map(|key| head(key, Align::Right));
        let mut table = Table::new(columns.into_iter().chain(results));
        let shown = if self.moves_shown == 0 { view.moves.len() } else { self.moves_shown };
        for entry in view.moves.iter().take(shown) {
            let text = |value: Option<String>| value.unwrap_or_default();
            let mut cells = vec![
                entry.mv.to_string(),
                notation::write(position, entry.mv, self.notation.form()),
                value(entry, language),
                text(entry.value.map(|value| value.plies.to_string())),
                text(entry.own.map(|own| pawns(own.into()))),
                entry.below.to_string(),
            ];
            if let Some(games) = played.map(|played| games(position, entry.mv, played)) {
                let [won, drawn, lost, unknown] = games;
                cells.extend([won + drawn + lost + unknown, won, drawn, lost].map(|count| count.to_string()));
            }
            table.row(cells);
        }
        table
    }
}

fn value(entry: &MoveView, language: Language) -> String {
    match entry.value {
        _ if entry.barred => language.word(Key::Barred).to_owned(),
        Some(Value { score, .. }) => pawns(score),
        None => String::new(),
    }
}

/// Returns the results of a move in the library. In a symmetric position, they may be stored under the
/// mirrored move.
fn games(position: &Position, mv: Move, played: &[Continuation]) -> [u64; 4] {
    let is_symmetric = position.mirrored().key() == position.key();
    let found = played.iter().find(|found| found.mv == mv || is_symmetric && found.mv == mv.mirrored());
    found.map_or([0; 4], |found| {
        let results = found.results;
        [results.won, results.drawn, results.lost, results.unknown]
    })
}

impl<'v> JsonView<'v> {
    fn of(position: &Position, view: &'v View, opening: Option<Opening>, played: Option<&[Continuation]>) -> Self {
        let entry = |entry: &MoveView| JsonMove {
            r#move: entry.mv.to_string(),
            value: entry.value.map(|value| value.score),
            plies: entry.value.map(|value| value.plies),
            own: entry.own,
            below: entry.below,
            barred: entry.barred,
            games: played.map(|played| games(position, entry.mv, played)),
        };
        JsonView {
            fen: position.to_string(),
            value: view.value.score,
            plies: view.value.plies,
            below: view.below,
            engine: &view.engine,
            nodes: view.nodes,
            depth: view.depth,
            opening: opening.map(|opening| opening.code),
            moves: view.moves.iter().map(entry).collect(),
        }
    }
}
