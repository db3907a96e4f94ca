//! `show`, `line`, `holes` and `check`: reading a database.

use super::store::StoreArgs;
use crate::cli::alias::{PlayerArgs, PlayerFilter};
use crate::cli::analyze::report::pawns;
use crate::cli::game::GameArgs;
use crate::cli::language::NotationArgs;
use crate::cli::{Done, Failure};
use crate::output::{Align, Table, json, print_message, width};
use crate::translation::{language, translate};
use chuhe_board::notation::{self, Form};
use chuhe_board::rules::Game;
use chuhe_board::words::{Key, Language};
use chuhe_board::{Move, Position};
use chuhe_games::explore::{Choice, Leaf, MoveView, Place, Selection, Value, View};
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
        let game = self.game.read()?;
        let position = game.position();
        let language = language();
        let found = self.store.or_fail(self.store.open()?.view(position))?;
        let Some(view) = found else {
            print_message(language.word(Key::NotExplored));
            return Err(Failure::Check);
        };
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
            library.moves(position, &Query { player, ..Query::default() })
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

/// A line as JSON.
#[derive(Serialize)]
struct JsonLine {
    fen: String,
    /// Backed-up score in centipawns from the mover's point of view.
    value: i32,
    line: Vec<String>,
}

impl BestLine {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let game = self.game.read()?;
        let (position, language) = (game.position(), language());
        let store = self.store.open()?;
        let Some(view) = self.store.or_fail(store.view(position))? else {
            print_message(language.word(Key::NotExplored));
            return Err(Failure::Check);
        };
        let line = self.store.or_fail(store.line(position))?;
        if self.json {
            let moves = line.iter().map(ToString::to_string).collect();
            let entry = JsonLine { fen: position.to_string(), value: view.value.score, line: moves };
            return Ok(json::write_line(out, &entry)?);
        }
        let moves = notation::write_line(position, &line, self.notation.form());
        let moves = moves.map_err(|error| Failure::Input(error.to_string()))?;
        Ok(writeln!(out, "{}  {}", pawns(view.value.score), moves.join(" "))?)
    }
}

#[derive(Args)]
pub(super) struct Holes {
    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    game: GameArgs,

    /// List the most played positions instead of the most critical
    #[arg(long)]
    played: bool,

    /// Number of positions
    #[arg(long, value_name = "N", default_value_t = 20)]
    count: usize,

    /// Print one line of JSON per position
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    notation: NotationArgs,
}

/// A position to analyse, as JSON.
#[derive(Serialize)]
struct JsonHole {
    fen: String,
    /// Position and moves that lead to `fen`; null if no line is known.
    start: Option<String>,
    moves: Option<Vec<String>>,
    /// Cost of the path from the beginning, in centipawns.
    cost: Option<u32>,
    plies: u32,
    games: u64,
    opening: Option<&'static str>,
}

impl Holes {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let language = language();
        let choice = if self.played { Choice::Played } else { Choice::Critical };
        let selection = Selection { count: self.count, plies: u32::MAX, choice };
        let store = self.store.open()?;
        let leaves = self.store.or_fail(store.leaves(selection))?;
        let leaves = leaves.into_iter().filter(|leaf| !self.played || leaf.cost.is_none());
        let leaves: Vec<Leaf> = leaves.collect();
        let begin = self.game.read()?;
        let mut lines = Vec::new();
        for leaf in &leaves {
            let line = self.store.or_fail(store.line_to(&leaf.position))?;
            lines.push(line.map(|(root, moves)| Line::of(&begin, root, moves)));
        }
        let opening = |leaf: &Leaf, line: &Option<Line>| match line {
            Some(line) => Opening::of(&line.start, &line.moves),
            None => Opening::of(&leaf.position, &[]),
        };
        if self.json {
            for (leaf, line) in leaves.iter().zip(&lines) {
                let opening = opening(leaf, line).map(|opening| opening.code);
                let Leaf { cost, plies, games, .. } = *leaf;
                let fen = line.as_ref().map_or(&leaf.position, |line| &line.end).to_string();
                let start = line.as_ref().map(|line| line.start.to_string());
                let moves = line.as_ref().map(|line| line.moves.iter().map(ToString::to_string).collect());
                json::write_line(&mut *out, &JsonHole { fen, start, moves, cost, plies, games, opening })?;
            }
            return Ok(());
        }
        if leaves.is_empty() {
            return Ok(writeln!(out, "{}", language.word(Key::NothingToExplore))?);
        }
        let head = |key: Key, align: Align| (language.word(key), align);
        let first = if self.played { Key::ColumnGames } else { Key::ColumnCost };
        let mut table = Table::new([
            head(first, Align::Right),
            head(Key::ColumnOpening, Align::Left),
            head(Key::ColumnPosition, Align::Left),
        ]);
        for (leaf, line) in leaves.iter().zip(&lines) {
            let number = leaf.cost.map_or_else(|| leaf.games.to_string(), |cost| cost.to_string());
            let opening = opening(leaf, line).map_or(String::new(), |opening| opening.name(language).to_owned());
            let moves = line.as_ref().and_then(|line| line.write(self.notation.form()));
            table.row([number, opening, moves.unwrap_or_else(|| leaf.position.to_string())]);
        }
        Ok(write!(out, "{}", table.fitted(width()))?)
    }
}

/// A line to a position.
struct Line {
    start: Position,
    moves: Vec<Move>,
    end: Position,
}

impl Line {
    /// Returns a line from a root, preceded by the moves of `begin` if they lead to the root or its mirror
    /// image.
    fn of(begin: &Game, root: Position, moves: Vec<Move>) -> Line {
        let begins_here = Place::of(begin.position()).key == Place::of(&root).key;
        let is_turned = begins_here && begin.position().key() != root.key();
        let first: Vec<Move> = begin.plies().iter().filter_map(|ply| ply.mv).filter(|_| begins_here).collect();
        let mut start = begin.clone();
        start.take_back_to(0);
        let start = if begins_here { start.position().clone() } else { root };
        let rest = moves.into_iter().map(|mv| if is_turned { mv.mirrored() } else { mv });
        let moves: Vec<Move> = first.into_iter().chain(rest).collect();
        let mut end = start.clone();
        for mv in &moves {
            end.make(*mv);
        }
        Line { start, moves, end }
    }

    /// Formats the moves; `None` if there are none. The FEN precedes them unless the line begins at the
    /// initial position.
    fn write(&self, form: Form) -> Option<String> {
        let moves = notation::write_line(&self.start, &self.moves, form).ok().filter(|moves| !moves.is_empty())?;
        let is_usual = self.start.key() == Position::start().key();
        Some(if is_usual { moves.join(" ") } else { format!("{} moves {}", self.start, moves.join(" ")) })
    }
}

#[derive(Args)]
pub(super) struct Check {
    #[command(flatten)]
    store: StoreArgs,
}

/// Maximum number of faults to print.
const SHOWN: usize = 20;

impl Check {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let language = language();
        let checked = self.store.or_fail(self.store.open()?.check())?;
        let (positions, faults) = (checked.positions, checked.faults.len());
        if faults == 0 {
            return Ok(writeln!(out, "{}", language.say(Key::ExploredSound, &[("positions", &positions)]))?);
        }
        let counts: [(&str, &dyn std::fmt::Display); 2] = [("positions", &positions), ("faults", &faults)];
        writeln!(out, "{}", language.say(Key::ExploredFaulty, &counts))?;
        checked.faults.iter().take(SHOWN).try_for_each(|fault| writeln!(out, "  {}", translate(&fault.to_string())))?;
        Err(Failure::Check)
    }
}
