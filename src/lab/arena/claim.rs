//! Information reported by a player about its search: score, depth, nodes and comments.

use std::fmt;
use std::time::Duration;

/// Maximum length of a comment in a record, in characters; longer comments are truncated.
const MAX_COMMENT: usize = 500;

/// Information reported about a search; `None` for fields that were not reported.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// Score from the mover's point of view.
    pub score: Option<Claim>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Length of the longest line in plies.
    pub seldepth: Option<u32>,
    /// Total nodes of the search.
    pub nodes: Option<u64>,
    /// Content of the last `info string pgncomment …`.
    pub comment: Option<String>,
    /// Time measured by the match.
    pub time: Duration,
}

/// Score reported by a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Score in the player's own unit.
    Points(i32),
    /// Mate in this many moves; negative if the mover is mated.
    Mate(i32),
}

impl Claim {
    /// Converts the score to a comparable number: a mate is 30,000 minus its distance.
    pub fn points(self) -> i32 {
        match self {
            Claim::Points(points) => points,
            Claim::Mate(moves) if moves > 0 => 30_000 - moves.min(1000),
            Claim::Mate(moves) => -30_000 - moves.max(-1000),
        }
    }
}

/// Formats the score as in records: `+35`, `M5`, `-M3`.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Claim::Points(points) => write!(f, "{points:+}"),
            Claim::Mate(moves) if *moves < 0 => write!(f, "-M{}", moves.unsigned_abs()),
            Claim::Mate(moves) => write!(f, "M{moves}"),
        }
    }
}

impl Thought {
    /// Updates the information from an `info` line of either dialect about the best line.
    pub fn receive(&mut self, text: &str) {
        if let Some(comment) = text.strip_prefix("info string pgncomment ") {
            self.comment = Some(comment.chars().take(MAX_COMMENT).collect());
            return;
        }
        let Some(info) = Info::read(text) else { return };
        self.nodes = info.nodes.or(self.nodes);
        if info.multipv == 1 && info.score.is_some() {
            self.score = info.score;
            self.depth = info.depth.or(self.depth);
            self.seldepth = info.seldepth.or(self.seldepth);
        }
    }
}

/// Content of an `info` line of either dialect.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Rank of the line, from 1, if the engine reports several lines.
    pub multipv: usize,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Length of the longest line in plies.
    pub seldepth: Option<u32>,
    /// Score from the mover's point of view.
    pub score: Option<Claim>,
    /// `lowerbound` or `upperbound`, if the score is a bound.
    pub bound: Option<String>,
    /// The mover's win, draw and loss probabilities, in per mille.
    pub wdl: Option<[u32; 3]>,
    /// Total nodes of the search.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Usage of the hash table in per mille.
    pub hashfull: Option<u32>,
    /// Line in the engine's notation.
    pub pv: Vec<String>,
}

impl Info {
    /// Parses a line; `None` if it is not an `info` line.
    pub fn read(text: &str) -> Option<Info> {
        let mut words = text.split_whitespace();
        if words.next() != Some("info") {
            return None;
        }
        let mut info = Info { multipv: 1, ..Info::default() };
        while let Some(word) = words.next() {
            let mut value = words.clone();
            let count = || words.clone().next().and_then(|word| word.parse::<u64>().ok());
            let up_to_1000 = || count().map(|number| number.min(1000) as u32);
            match word {
                "depth" => info.depth = up_to_1000(),
                "seldepth" => info.seldepth = up_to_1000(),
                "nodes" => info.nodes = count(),
                "nps" => info.nps = count(),
                "hashfull" => info.hashfull = up_to_1000(),
                "multipv" => info.multipv = count().map_or(1, |line| line.clamp(1, 1000) as usize),
                "lowerbound" | "upperbound" => info.bound = Some(word.to_owned()),
                "wdl" => {
                    let [win, draw, loss] =
                        [(); 3].map(|()| value.next().and_then(|word| word.parse().ok()).unwrap_or(1001));
                    info.wdl = (win.max(draw).max(loss) <= 1000 && win + draw + loss > 0).then_some([win, draw, loss]);
                }
                "score" => {
                    let number = |word: Option<&str>| {
                        word.and_then(|word| word.parse::<i32>().ok()).map(|n| n.clamp(-99_999, 99_999))
                    };
                    info.score = match value.next() {
                        Some("mate") => number(value.next()).map(Claim::Mate),
                        Some("cp") => number(value.next()).map(Claim::Points),
                        word => number(word).map(Claim::Points),
                    };
                }
                "pv" => {
                    info.pv = words.map(str::to_owned).collect();
                    break;
                }
                "string" | "message" | "currmove" => break,
                _ => {}
            }
        }
        Some(info)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_of_both_dialects_are_heard() {
        let mut thought = Thought::default();
        thought.receive("info time 6 nodes 30076");
        thought.receive("info depth 5 score 9 pv c3c4 g6g5");
        assert_eq!((thought.depth, thought.score, thought.nodes), (Some(5), Some(Claim::Points(9)), Some(30_076)));
        thought.receive("info depth 9 seldepth 12 multipv 1 score mate -3 nodes 99 nps 5 time 7 pv a0a1 depth 77");
        assert_eq!((thought.depth, thought.score, thought.nodes), (Some(9), Some(Claim::Mate(-3)), Some(99)));
        thought.receive("info depth 10 seldepth 40 multipv 2 score cp 5 nodes 120 pv a0a1");
        assert_eq!((thought.depth, thought.score, thought.nodes), (Some(9), Some(Claim::Mate(-3)), Some(120)));
        thought.receive("info depth 11 currmove a0a1");
        thought.receive("info string depth 50 score cp 3");
        thought.receive("info depth 99999999999999999999 score cp x nodes -1");
        assert_eq!((thought.depth, thought.seldepth), (Some(9), Some(12)));
        assert_eq!(thought.comment, None);
        let info =
            Info::read("info depth 9 multipv 2 score cp -12 lowerbound wdl 100 800 100 nps 7 hashfull 3 pv a0a1 b0b1")
                .expect("a line");
        assert_eq!((info.multipv, info.bound.as_deref(), info.wdl), (2, Some("lowerbound"), Some([100, 800, 100])));
        assert_eq!(info.pv, ["a0a1", "b0b1"]);
        assert_eq!(Info::read("info depth 9 wdl 5000000000 1").and_then(|info| info.wdl), None);
        thought.receive("info string pgncomment temperature 0.3");
        assert_eq!(thought.comment.as_deref(), Some("temperature 0.3"));
        thought.receive(&format!("info string pgncomment {}", "河".repeat(MAX_COMMENT + 1)));
        assert_eq!(thought.comment, Some("河".repeat(MAX_COMMENT)));
    }

    #[test]
    fn claims_compare_and_print() {
        assert!(Claim::Mate(2).points() > Claim::Mate(5).points());
        assert!(Claim::Mate(-2).points() < Claim::Mate(-5).points());
        let shown: Vec<String> = [Claim::Points(35), Claim::Points(0), Claim::Mate(4), Claim::Mate(-1)]
            .iter()
            .map(Claim::to_string)
            .collect();
        assert_eq!(shown, ["+35", "+0", "M4", "-M1"]);
    }
}
