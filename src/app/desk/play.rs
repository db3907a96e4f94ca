//! The engine as a player: its move at a level, a hint, a reply to a draw offer, and book moves.

use super::event::Emit;
use super::fields::{ClockText, Effort, LimitText, Ruled};
use super::machine::Machine;
use super::names::MoveNames;
use super::refusal::Refusal;
use super::response::{BookEntry, Response};
use super::stop::Stop;
use super::think::{limits, rounded};
use chuhe_board::rules::Game;
use chuhe_board::{Move, Side};
use chuhe_engine::book::{Book, BookMove, choose, sound_moves};
use chuhe_engine::search::{Limits, Time};
use chuhe_engine::{DRAW_NODES, Level, Options, takes_draw};
use chuhe_games::review::JsonScore;
use std::time::Duration;

/// Thinking time of the strongest level without a clock or a limit.
const THINKING_TIME: Duration = Duration::from_secs(2);
/// Maximum time on a clock.
const MAX_CLOCK: Duration = Duration::from_secs(24 * 3600);
/// Thinking time for a hint.
const HINT_TIME: Duration = Duration::from_secs(1);

/// Parameters of a move.
pub(super) struct PlayParameters<'t> {
    pub level: Option<u8>,
    pub clock: Option<&'t ClockText>,
    pub limit: Option<&'t LimitText>,
    pub book: bool,
    pub seed: Option<u64>,
    pub effort: &'t Effort,
}

/// Returns the engine's move.
pub(super) fn play(
    machine: &mut Machine,
    book: &Book,
    ruled: &Ruled,
    task: &PlayParameters,
    stop: &Stop,
    emit: Emit,
) -> Result<(), Refusal> {
    let Ruled { game, terms, .. } = ruled;
    let level = task.level.map_or(Some(Level::FULL), Level::new);
    let level = level.ok_or_else(|| Refusal::bad("level: 1 to 10"))?;
    let seed = task.seed.unwrap_or_else(|| chuhe_engine::machine::unseeded().next());
    if task.book
        && let Some(mv) = book_move(book, ruled, seed)?
    {
        emit(moved(game, mv, true, None, 0));
        return Ok(());
    }
    // A seed of 0 would be replaced by a random one.
    machine.prepare(task.effort, |options| Options { rules: *terms, level, seed: seed.max(1), ..options })?;
    let conclusion = machine.search(game, &play_limits(game, task), stop, &mut |_| {})?;
    let mv = conclusion.best.ok_or(Refusal::Stopped)?;
    let score = conclusion.lines.first().map(|line| JsonScore::of(line.score));
    emit(moved(game, mv, false, score, conclusion.time.as_millis() as u64));
    Ok(())
}

fn moved(game: &Game, mv: Move, book: bool, score: Option<JsonScore>, time_ms: u64) -> Response {
    Response::Move { mv: mv.to_string(), names: MoveNames::of(game.position(), mv), book, score, time_ms }
}

/// Returns the limits from the mover's clock, or the request's own limits.
fn play_limits(game: &Game, task: &PlayParameters) -> Limits {
    match (task.clock, task.limit) {
        (Some(clock), _) => {
            let left = if game.position().side() == Side::Red { clock.red_ms } else { clock.black_ms };
            let [left, increment] = [left, clock.inc_ms].map(|ms| Duration::from_millis(ms).min(MAX_CLOCK));
            Limits {
                time: Time::Clock { left, increment, moves_to_go: clock.moves.map(|moves| moves.max(1)) },
                ..Limits::default()
            }
        }
        (None, Some(limit)) => limits(Some(limit)),
        (None, None) => Limits::fixed(THINKING_TIME),
    }
}

/// Returns the book moves of the final position, highest weight first.
fn book_moves(book: &Book, ruled: &Ruled) -> Result<Vec<BookMove>, Refusal> {
    book.moves(ruled.game.position()).map_err(|error| Refusal::File(error.to_string()))
}

fn book_move(book: &Book, ruled: &Ruled, seed: u64) -> Result<Option<Move>, Refusal> {
    let sound = sound_moves(&ruled.game, &book_moves(book, ruled)?, ruled.terms);
    Ok(choose(&sound, seed).map(|entry| entry.mv))
}

/// Returns a good move as a hint.
pub(super) fn hint(
    machine: &mut Machine,
    ruled: &Ruled,
    limit: Option<&LimitText>,
    effort: &Effort,
    stop: &Stop,
) -> Result<Response, Refusal> {
    machine.prepare(effort, |options| Options { rules: ruled.terms, ..options })?;
    let limits = limit.map_or(Limits::fixed(HINT_TIME), |limit| limits(Some(limit)));
    let best = machine.search(&ruled.game, &limits, stop, &mut |_| {})?.best.ok_or(Refusal::Stopped)?;
    let names = MoveNames::of(ruled.game.position(), best);
    Ok(Response::Hint { from: best.from.to_string(), mv: best.to_string(), names })
}

/// Returns the engine's reply to a draw offered by the side to move.
pub(super) fn offer(machine: &mut Machine, ruled: &Ruled, effort: &Effort, stop: &Stop) -> Result<Response, Refusal> {
    machine.prepare(effort, |options| Options { rules: ruled.terms, ..options })?;
    let conclusion = machine.search(&ruled.game, &Limits::nodes(DRAW_NODES), stop, &mut |_| {})?;
    let own = -conclusion.lines.first().ok_or(Refusal::Stopped)?.score;
    Ok(Response::Offer { takes: takes_draw(&ruled.game, own) })
}

/// Returns the book moves, highest weight first.
pub(super) fn book(book: &Book, ruled: &Ruled) -> Result<Response, Refusal> {
    let known = book_moves(book, ruled)?;
    let total: u64 = known.iter().map(|entry| entry.weight).sum();
    let entry = |entry: &BookMove| BookEntry {
        mv: entry.mv.to_string(),
        names: MoveNames::of(ruled.game.position(), entry.mv),
        share: rounded(entry.weight as f64 / total.max(1) as f64),
        weight: entry.weight,
        score: entry.score,
        games: entry.games,
    };
    Ok(Response::Book { moves: known.iter().map(entry).collect() })
}
