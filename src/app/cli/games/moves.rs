//! `chuhe games moves`: moves played in a position, optionally with engine scores.

use super::filters::Filters;
use super::library::LibraryArgs;
use super::stats::{result_cells, result_columns};
use crate::cli::game::GameArgs;
use crate::cli::{Done, Failure};
use crate::output::{Align, Table, json, width};
use crate::translation::language;
use chuhe_board::notation::{self, Form};
use chuhe_board::rules::Game;
use chuhe_board::score::{Score, to_root};
use chuhe_board::words::{Key, Language};
use chuhe_engine::search::{Limits, STACK};
use chuhe_engine::{Options, Searcher};
use chuhe_games::library::Continuation;
use chuhe_games::review::score_words;
use clap::Args;
use serde::Serialize;
use std::io::Write;

#[derive(Args)]
pub(super) struct Moves {
    #[command(flatten)]
    library: LibraryArgs,

    #[command(flatten)]
    game: GameArgs,

    #[command(flatten)]
    filters: Filters,

    /// Score each move with a search of this many nodes
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Print one line of JSON per move
    #[arg(long)]
    json: bool,
}

/// A move as JSON.
#[derive(Serialize)]
struct JsonMove<'m> {
    r#move: String,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    unknown: u64,
    players: &'m [String],
    last: Option<i64>,
    /// Score from the mover's point of view, in centipawns.
    score: Option<Score>,
}

impl Moves {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let game = self.game.read()?;
        let library = self.filters.open(&self.library)?;
        let moves = self.library.or_fail(library.moves(game.position(), &self.filters.query()))?;
        let scores = match self.nodes {
            Some(nodes) => scores_of(&game, &moves, nodes)?.into_iter().map(Some).collect(),
            None => vec![None; moves.len()],
        };
        let language = language();
        if self.json {
            for (found, score) in moves.iter().zip(scores) {
                json::write_line(&mut *out, &JsonMove::of(found, score))?;
            }
        } else if moves.is_empty() {
            writeln!(out, "{}", language.word(Key::NotPlayed))?;
        } else {
            write!(out, "{}", table(&game, &moves, &scores, language).fitted(width()))?;
        }
        Ok(())
    }
}

/// Returns the score of each move for the mover, by a search of the position after it.
fn scores_of(game: &Game, moves: &[Continuation], nodes: u64) -> Result<Vec<Score>, Failure> {
    let search = || {
        let mut searcher = Searcher::new(Options::default())?;
        let scores = moves.iter().map(|found| {
            let mut after = game.clone();
            after.make(found.mv);
            let conclusion = searcher.think(&after, &Limits::nodes(nodes), |_| {});
            // A position without legal moves is lost and has no line.
            let score = conclusion.lines.first().map_or(chuhe_board::score::mated_in(0), |line| line.score);
            to_root(-score, 1)
        });
        Ok(scores.collect())
    };
    let failed = |error: &dyn std::fmt::Display| Failure::run_at("the search failed", error);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("scores".into()).stack_size(STACK);
        let thread = thread.spawn_scoped(scope, search).map_err(|error| failed(&error))?;
        let scores: Result<Vec<Score>, chuhe_engine::Error> =
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        scores.map_err(|error| failed(&error))
    })
}

fn table(game: &Game, moves: &[Continuation], scores: &[Option<Score>], language: Language) -> Table {
    let position = game.position();
    let column = |key: Key, align: Align| (language.word(key), align);
    let first = [column(Key::ColumnMove, Align::Left), ("", Align::Left)];
    let last = [
        column(Key::ColumnEngine, Align::Right),
        column(Key::ColumnLast, Align::Right),
        column(Key::ColumnPlayers, Align::Left),
    ];
    let mut table = Table::new(first.into_iter().chain(result_columns(language)).chain(last));
    for (found, score) in moves.iter().zip(scores) {
        let names = [found.mv.to_string(), notation::write(position, found.mv, Form::Chinese)];
        let score = score.map_or(String::new(), |score| score_words(language, position.side(), score));
        let last = [score, found.last.map_or(String::new(), |year| year.to_string()), found.players.join(", ")];
        table.row(names.into_iter().chain(result_cells(&found.results)).chain(last));
    }
    table
}

impl<'m> JsonMove<'m> {
    fn of(found: &'m Continuation, score: Option<Score>) -> JsonMove<'m> {
        let results = found.results;
        JsonMove {
            r#move: found.mv.to_string(),
            games: results.games(),
            won: results.won,
            drawn: results.drawn,
            lost: results.lost,
            unknown: results.unknown,
            players: &found.players,
            last: found.last,
            score,
        }
    }
}
