//! An analysis as JSON.

use crate::desk::LineNames;
use chuhe_board::Position;
use chuhe_engine::eval::Chances;
use chuhe_engine::search::{Conclusion, Report};
use chuhe_games::review::JsonScore;
use serde::Serialize;

/// Analysis of a position as JSON.
#[derive(Serialize)]
pub(super) struct Analysis {
    fen: String,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    time_ms: u64,
    nps: u64,
    lines: Vec<JsonLine>,
    bestmove: Option<String>,
    /// Expected reply.
    ponder: Option<String>,
    /// `true` if the result matches the position's `bm` or `dm`; `null` if the position has neither
    /// operation.
    solved: Option<bool>,
    /// Reason why the game is over by the rules; `null` if it is not over.
    over: Option<&'static str>,
}

#[derive(Serialize)]
struct JsonLine {
    multipv: usize,
    /// Score from the mover's point of view.
    score: JsonScore,
    /// The mover's win, draw and loss probabilities, in per mille.
    wdl: [u32; 3],
    pv: Vec<String>,
    names: LineNames,
}

impl Analysis {
    pub(super) fn of(
        position: &Position,
        conclusion: &Conclusion,
        solved: Option<bool>,
        over: Option<&'static str>,
    ) -> Analysis {
        let first = conclusion.lines.first();
        let time_ms = conclusion.time.as_millis() as u64;
        Analysis {
            fen: position.to_string(),
            depth: first.map_or(0, |line| line.depth),
            seldepth: first.map_or(0, |line| line.seldepth),
            nodes: conclusion.nodes,
            time_ms,
            nps: conclusion.nodes * 1000 / time_ms.max(1),
            lines: conclusion.lines.iter().map(|line| JsonLine::of(line, position)).collect(),
            bestmove: conclusion.best.map(|mv| mv.to_string()),
            ponder: conclusion.ponder.map(|mv| mv.to_string()),
            solved,
            over,
        }
    }
}

impl JsonLine {
    fn of(line: &Report, position: &Position) -> JsonLine {
        let Chances { win, draw, loss } = Chances::of(line.score, position);
        JsonLine {
            multipv: line.multipv,
            score: JsonScore::of(line.score),
            wdl: [win, draw, loss],
            pv: line.pv.iter().map(ToString::to_string).collect(),
            names: LineNames::of(position, &line.pv),
        }
    }
}
