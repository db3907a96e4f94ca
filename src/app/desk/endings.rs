//! Tablebase values of a position.

use super::names::MoveNames;
use super::refusal::Refusal;
use super::response::{EndingEntry, Response};
use super::ruling::result;
use chuhe_board::rules::Game;
use chuhe_board::words::Language;
use chuhe_engine::endings::Tables;

/// Returns the value of a position and of every move; both are absent if no table contains the position.
pub(super) fn endings(tables: &Tables, game: &Game, language: Language) -> Result<Response, Refusal> {
    let position = game.position();
    let Some(text) = tables.say(position, language) else {
        return Ok(Response::Endings { text: None, moves: Vec::new() });
    };
    let moves = tables.moves(position).map_err(|fault| Refusal::Failed(fault.to_string()))?;
    let moves = moves.into_iter().map(|(mv, answer)| EndingEntry {
        mv: mv.to_string(),
        names: MoveNames::of(position, mv),
        value: answer.map(|answer| result(Some(answer.outcome))),
        capture: answer.and_then(|answer| answer.capture),
        mate: answer.and_then(|answer| answer.mate),
    });
    Ok(Response::Endings { text: Some(text), moves: moves.collect() })
}
