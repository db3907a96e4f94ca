//! `explore holes`: the positions to analyse next, with the moves that lead to them.

use super::store::StoreArgs;
use crate::cli::game::GameArgs;
use crate::cli::language::NotationArgs;
use crate::cli::{Done, Failure};
use crate::output::{Align, Table, json, width};
use crate::translation::language;
use chuhe_board::notation::{self, Form};
use chuhe_board::rules::Game;
use chuhe_board::words::Key;
use chuhe_board::{Move, Position};
use chuhe_games::explore::{Choice, Leaf, Place, Selection, Store};
use chuhe_games::openings::Opening;
use clap::Args;
use serde::Serialize;
use std::io::Write;

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

/// Maximum number of played moves in the table.
const PLAYED_SHOWN: usize = 3;

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
    /// Moves that lead to a position of the games, also if the games reach it otherwise; the most frequent first.
    played: Vec<JsonPlayed>,
    opening: Option<&'static str>,
}

#[derive(Serialize)]
struct JsonPlayed {
    r#move: String,
    /// Number of games that contain the position after the move.
    games: u64,
}

impl Holes {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let language = language();
        let choice = if self.played { Choice::Played } else { Choice::Critical };
        let store = self.store.open()?;
        let begin = self.game.read()?;
        // Played positions may have no line, so they cannot be confined to those below a position.
        if self.game.is_given() && self.played {
            return Err(Failure::Input("--played cannot be combined with a position".to_owned()));
        }
        let is_below = self.game.is_given() || !self.store.or_fail(store.has_roots())?;
        let roots = if is_below { vec![begin.position().clone()] } else { Vec::new() };
        let selection = Selection { roots: &roots, count: self.count, plies: u32::MAX, choice };
        let leaves = self.store.or_fail(store.leaves(selection))?;
        let leaves = leaves.into_iter().filter(|leaf| !self.played || leaf.cost.is_none());
        let leaves: Vec<Leaf> = leaves.collect();
        let mut lines = Vec::new();
        for leaf in &leaves {
            let line = self.store.or_fail(store.line_to(&leaf.position, &roots))?;
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
                let position = end(leaf, line);
                let played = self.store.or_fail(store.played_moves(position))?.into_iter();
                let played = played.map(|(mv, games)| JsonPlayed { r#move: mv.to_string(), games }).collect();
                let fen = position.to_string();
                let start = line.as_ref().map(|line| line.start.to_string());
                let moves = line.as_ref().map(|line| line.moves.iter().map(ToString::to_string).collect());
                json::write_line(&mut *out, &JsonHole { fen, start, moves, cost, plies, games, played, opening })?;
            }
            return Ok(());
        }
        if leaves.is_empty() {
            return Ok(writeln!(out, "{}", language.word(Key::NothingToExplore))?);
        }
        let head = |key: Key, align: Align| (language.word(key), align);
        let first = if self.played { Key::ColumnGames } else { Key::ColumnCost };
        let played = self.played.then(|| head(Key::ColumnPlayed, Align::Left));
        let columns = [head(first, Align::Right)].into_iter().chain(played);
        let rest = [Key::ColumnOpening, Key::ColumnPosition].map(|key| head(key, Align::Left));
        let mut table = Table::new(columns.chain(rest));
        for (leaf, line) in leaves.iter().zip(&lines) {
            let number = leaf.cost.map_or_else(|| leaf.games.to_string(), |cost| cost.to_string());
            let opening = opening(leaf, line).map_or(String::new(), |opening| opening.name(language).to_owned());
            let moves = line.as_ref().and_then(|line| line.write(self.notation.form()));
            let mut cells = vec![number];
            if self.played {
                cells.push(self.played_moves(&store, end(leaf, line))?);
            }
            cells.extend([opening, moves.unwrap_or_else(|| leaf.position.to_string())]);
            table.row(cells);
        }
        Ok(write!(out, "{}", table.fitted(width()))?)
    }

    /// Formats the most frequent moves of a position that lead to positions of the games.
    fn played_moves(&self, store: &Store, position: &Position) -> Result<String, Failure> {
        let form = self.notation.form();
        let moves = self.store.or_fail(store.played_moves(position))?.into_iter().take(PLAYED_SHOWN);
        let moves = moves.map(|(mv, games)| format!("{} {games}", notation::write(position, mv, form)));
        Ok(moves.collect::<Vec<_>>().join(if form == Form::Chinese { "、" } else { ", " }))
    }
}

/// Returns the position to analyse, as it is at the end of its line.
fn end<'h>(leaf: &'h Leaf, line: &'h Option<Line>) -> &'h Position {
    line.as_ref().map_or(&leaf.position, |line| &line.end)
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
