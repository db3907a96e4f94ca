//! Analysis by an external engine: converts its output to the lines of the page and enforces the limits.

use super::play_time::MAX_TIME;
use crate::desk::{AnalysisLine, LimitText, MoveNames, Response, Stop};
use chuhe_board::score::{EVALUATION_LIMIT, Score, mate_in, mated_in};
use chuhe_board::{Move, Position};
use chuhe_engine::protocol::Dialect;
use chuhe_engine::search::{Bound, Report};
use chuhe_lab::arena::claim::{Claim, Info};
use chuhe_lab::arena::dialect::Answer;
use chuhe_lab::arena::fault::{EngineFault, NoAnswer};
use std::time::{Duration, Instant};

/// A running analysis.
pub(super) struct Analysis<'a> {
    pub position: &'a Position,
    pub dialect: Dialect,
    /// Value of a pawn in the engine's scores.
    pub pawn: u32,
    /// Number of lines per iteration.
    pub lines: usize,
    pub limit: LimitText,
    pub start: Instant,
    pub stop: &'a Stop,
    /// Receives the lines, and the best move at the end.
    pub emit: &'a mut dyn FnMut(Response),
    pub state: State,
}

/// Progress of an analysis.
#[derive(Default)]
pub(super) struct State {
    nodes: u64,
    /// `true` once all lines of the maximum depth have been received.
    is_deep_enough: bool,
    fault: Option<EngineFault>,
}

impl Analysis<'_> {
    /// Handles a line of the engine's output, if there is one. Returns `true` if the engine must stop.
    pub(super) fn receive(&mut self, text: Option<&str>) -> bool {
        if let Some(info) = text.and_then(Info::read) {
            self.state.nodes = info.nodes.unwrap_or(self.state.nodes);
            match self.line(&info) {
                Ok(Some(line)) => {
                    let is_last = line.multipv >= self.lines && line.bound == "exact";
                    self.state.is_deep_enough |= self
                        .limit
                        .depth
                        .is_some_and(|most| line.depth > most.max(1) || (line.depth == most.max(1) && is_last));
                    (self.emit)(Response::Line(Box::new(line)));
                }
                Ok(None) => {}
                Err(fault) => self.state.fault = Some(fault),
            }
        }
        let time = self.limit.time_ms.map_or(MAX_TIME, Duration::from_millis).min(MAX_TIME);
        let State { nodes, is_deep_enough, fault } = &self.state;
        self.stop.is_asked()
            || self.start.elapsed() >= time
            || self.limit.nodes.is_some_and(|most| *nodes >= most)
            || *is_deep_enough
            || fault.is_some()
    }

    /// Sends the best move.
    ///
    /// # Errors
    /// Returns an error if a line began with an illegal move.
    pub(super) fn end(self, answer: Answer) -> Result<(), NoAnswer> {
        if let Some(fault) = self.state.fault {
            return Err(fault.into());
        }
        let best = if let Answer::Move { mv, .. } = answer { Some(mv) } else { None };
        (self.emit)(Response::Done {
            best: best.map(|mv| mv.to_string()),
            names: best.map(|mv| MoveNames::of(self.position, mv)),
            nodes: self.state.nodes,
            time_ms: self.start.elapsed().as_millis() as u64,
            stopped: self.stop.is_asked(),
        });
        Ok(())
    }

    /// Converts a line to notation: `None` if it has no score, an error if the first move is illegal.
    fn line(&self, info: &Info) -> Result<Option<AnalysisLine>, EngineFault> {
        let (Some(claim), false) = (info.score, info.pv.is_empty()) else { return Ok(None) };
        // At depth 0, an engine reports the moves in its own book, unordered, with weights as scores.
        if info.multipv > self.lines || info.depth == Some(0) {
            return Ok(None);
        }
        let mut pv: Vec<Move> = Vec::new();
        let mut at = self.position.clone();
        for word in info.pv.iter().take(AnalysisLine::MAX_PLIES) {
            match self.dialect.ranks().read(word) {
                Ok(mv) if at.is_legal(mv) => {
                    at.make(mv);
                    pv.push(mv);
                }
                _ if pv.is_empty() => return Err(EngineFault::Illegal(word.chars().take(40).collect())),
                _ => break,
            }
        }
        let depth = info.depth.unwrap_or_default();
        let report = Report {
            depth,
            seldepth: info.seldepth.unwrap_or(depth),
            multipv: info.multipv,
            score: points(claim, self.pawn),
            bound: match info.bound.as_deref() {
                Some("lowerbound") => Bound::Lower,
                Some(_) => Bound::Upper,
                None => Bound::Exact,
            },
            nodes: self.state.nodes,
            time: self.start.elapsed(),
            hashfull: info.hashfull.unwrap_or_default(),
            tablebase_hits: 0,
            pv,
        };
        let mut line = AnalysisLine::of(&report, self.lines, self.position);
        if let Some(wdl) = info.wdl {
            line.set_chances(wdl, self.position);
        }
        line.nps = info.nps.unwrap_or(line.nps);
        Ok(Some(line))
    }
}

/// Converts an engine's score to centipawns.
pub(super) fn points(claim: Claim, pawn: u32) -> Score {
    match claim {
        Claim::Points(points) => {
            let hundredths = i64::from(points) * 100 / i64::from(pawn.max(1));
            hundredths.clamp(-i64::from(EVALUATION_LIMIT), i64::from(EVALUATION_LIMIT)) as Score
        }
        Claim::Mate(moves) if moves > 0 => mate_in((2 * moves.min(400) - 1) as usize),
        Claim::Mate(moves) => mated_in((-2 * moves.max(-400)) as usize),
    }
}
