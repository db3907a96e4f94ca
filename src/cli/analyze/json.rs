//! An analysis as scripts read it.

use crate::board::Position;
use crate::score::{Score, mate_moves};
use crate::search::{Conclusion, Report};
use serde::Serialize;

/// A position's analysis as scripts read it.
#[derive(Serialize)]
pub struct Analysis {
    fen: String,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    time_ms: u64,
    nps: u64,
    lines: Vec<JsonLine>,
    bestmove: Option<String>,
    /// Whether the position's `bm` or `dm` was met, if it has one.
    solved: Option<bool>,
    /// Why the game is over by the rules, if it is.
    over: Option<&'static str>,
}

#[derive(Serialize)]
struct JsonLine {
    multipv: usize,
    score: JsonScore,
    pv: Vec<String>,
}

/// From the mover's view; `mate` in moves, negative when being mated.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum JsonScore {
    Cp(Score),
    Mate(i32),
}

impl Analysis {
    pub fn of(
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
            lines: conclusion.lines.iter().map(JsonLine::of).collect(),
            bestmove: conclusion.best.map(|mv| mv.to_string()),
            solved,
            over,
        }
    }
}

impl JsonLine {
    fn of(line: &Report) -> JsonLine {
        JsonLine {
            multipv: line.multipv,
            score: mate_moves(line.score).map_or(JsonScore::Cp(line.score), JsonScore::Mate),
            pv: line.pv.iter().map(ToString::to_string).collect(),
        }
    }
}
