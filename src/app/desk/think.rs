//! Analysis: sends the best lines of a position as they are found.

use super::event::Emit;
use super::fields::{Effort, LimitText, Ruled};
use super::machine::Machine;
use super::names::{LineNames, MoveNames};
use super::refusal::Refusal;
use super::response::{AnalysisLine, Response};
use super::stop::Stop;
use chuhe_board::rules::Game;
use chuhe_board::{Position, Side};
use chuhe_engine::Options;
use chuhe_engine::eval::{Chances, expected_points};
use chuhe_engine::search::{Bound, Event, Limits, Report, Time};
use chuhe_games::review::JsonScore;
use std::time::Duration;

/// Maximum duration of a search, so that an unattended analysis does not drain the battery.
const MAX_TIME: Duration = Duration::from_secs(300);
/// Maximum number of lines.
const MAX_LINES: usize = 10;

/// Parameters of an analysis.
pub(super) struct AnalysisParameters<'t> {
    pub lines: usize,
    pub limit: Option<&'t LimitText>,
    pub pass: bool,
    pub effort: &'t Effort,
}

/// Emits the best lines as they are found, and the best move at the end.
pub(super) fn think(
    machine: &mut Machine,
    ruled: Ruled,
    task: &AnalysisParameters,
    stop: &Stop,
    emit: Emit,
) -> Result<(), Refusal> {
    let Ruled { mut game, terms, .. } = ruled;
    if task.pass {
        pass(&mut game)?;
    }
    let lines = task.lines.clamp(1, MAX_LINES);
    machine.prepare(task.effort, |options| Options { rules: terms, multipv: lines, ..options })?;
    let position = game.position().clone();
    let (limits, of) = (limits(task.limit), lines.min(position.legal_moves().len()));
    let conclusion = machine.search(&game, &limits, stop, &mut |event| {
        if let Event::Line(report) = event {
            emit(Response::Line(Box::new(AnalysisLine::of(&report, of, &position))));
        }
    })?;
    emit(Response::Done {
        best: conclusion.best.map(|mv| mv.to_string()),
        names: conclusion.best.map(|mv| MoveNames::of(&position, mv)),
        nodes: conclusion.nodes,
        time_ms: conclusion.time.as_millis() as u64,
        stopped: stop.is_asked(),
    });
    Ok(())
}

/// Makes the side to move pass.
///
/// # Errors
/// Returns an error if the side to move is in check.
pub(crate) fn pass(game: &mut Game) -> Result<(), Refusal> {
    if game.position().in_check() {
        return Err(Refusal::InCheck);
    }
    game.make_null();
    Ok(())
}

/// Returns the limits of a message, at most [`MAX_TIME`].
pub(super) fn limits(limit: Option<&LimitText>) -> Limits {
    let LimitText { time_ms, nodes, depth } = limit.copied().unwrap_or_default();
    let time = time_ms.map_or(MAX_TIME, |time| Duration::from_millis(time).min(MAX_TIME));
    Limits { depth: depth.map(|depth| depth.max(1)), nodes, time: Time::Fixed(time), ..Limits::default() }
}

/// Rounds a share to four decimals: sufficient for display, and identical on every machine.
pub(super) fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}

impl AnalysisLine {
    /// Maximum length in plies; later moves are unreliable.
    pub(crate) const MAX_PLIES: usize = 24;

    /// Converts a report of the search, one of `of` lines, to notation.
    pub(crate) fn of(report: &Report, of: usize, position: &Position) -> AnalysisLine {
        let pv = &report.pv[..report.pv.len().min(AnalysisLine::MAX_PLIES)];
        let chances = Chances::of(report.score, position);
        let time_ms = report.time.as_millis() as u64;
        AnalysisLine {
            multipv: report.multipv,
            of,
            depth: report.depth,
            seldepth: report.seldepth,
            score: JsonScore::of(report.score),
            bound: match report.bound {
                Bound::Exact => "exact",
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            },
            wdl: [chances.win, chances.draw, chances.loss],
            red: points_of_red(expected_points(report.score), position),
            pv: pv.iter().map(ToString::to_string).collect(),
            names: LineNames::of(position, pv),
            nodes: report.nodes,
            nps: report.nodes * 1000 / time_ms.max(1),
            time_ms,
            hashfull: report.hashfull,
        }
    }

    /// Replaces the mover's chances of a win, a draw and a loss, in per mille, with those reported by an
    /// engine.
    #[cfg(feature = "serve")]
    pub(crate) fn set_chances(&mut self, wdl: [u32; 3], position: &Position) {
        let [win, draw, loss] = wdl.map(f64::from);
        self.wdl = wdl;
        self.red = points_of_red((win + draw / 2.0) / (win + draw + loss), position);
    }
}

/// Converts the mover's expected points to Red's.
fn points_of_red(points: f64, position: &Position) -> f64 {
    rounded(if position.side() == Side::Red { points } else { 1.0 - points })
}
