//! Replies in UCI: `score cp` and `score mate`, `string`, `bestmove (none)`, and the dialect's rank
//! numbering.

use super::reply::{Reply, chances_text, nodes_per_second, probed};
use super::{Dialect, options};
use crate::eval::Chances;
use crate::search::{Bound, Progress, Report};
use chuhe_board::notation::Ranks;
use chuhe_board::score::{self, Score};

/// Returns the lines of a reply without the last line break; empty if UCI has no equivalent.
pub(super) fn write(reply: &Reply, dialect: Dialect) -> String {
    let ranks = dialect.ranks();
    match reply {
        Reply::Welcome => welcome(dialect),
        Reply::Ready => "readyok".to_owned(),
        Reply::Line { report, chances, .. } => line(report, *chances, ranks),
        // The depth is omitted, since some GUIs would interpret it as the completed depth.
        Reply::Progress(Progress { current, number }) => {
            format!("info currmove {} currmovenumber {number}", ranks.write(*current))
        }
        Reply::Static(score) => format!("info depth 0 score {}", score_text(*score)),
        Reply::Best { best, ponder, .. } => {
            let ponder = ponder.map_or(String::new(), |ponder| format!(" ponder {}", ranks.write(ponder)));
            format!("bestmove {}{ponder}", ranks.write(*best))
        }
        Reply::NoMove => "bestmove (none)".to_owned(),
        Reply::NothingToStop | Reply::Bye => String::new(),
        Reply::Probed(probe) => probed(probe.as_ref(), ranks),
        Reply::Message(text) => format!("info string {text}"),
        Reply::Text(text) => text.clone(),
    }
}

fn welcome(dialect: Dialect) -> String {
    let mut text = format!("id name Chuhe {}\nid author the Chuhe authors\n", env!("CARGO_PKG_VERSION"));
    options::offered(dialect).for_each(|line| text += &(line + "\n"));
    text + "uciok"
}

/// Formats mates in moves, and all other scores, including wins by the repetition rules, in centipawns.
fn score_text(score: Score) -> String {
    score::mate_moves(score).map_or_else(|| format!("cp {score}"), |moves| format!("mate {moves}"))
}

fn line(report: &Report, chances: Option<Chances>, ranks: Ranks) -> String {
    let chances = chances_text(chances);
    let Report { depth, seldepth, multipv, nodes, hashfull, tablebase_hits, .. } = report;
    let bound = match report.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let (score, time, speed) =
        (score_text(report.score), report.time.as_millis(), nodes_per_second(report.nodes, report.time));
    let mut text = format!(
        "info depth {depth} seldepth {seldepth} multipv {multipv} score {score}{bound}{chances} nodes {nodes} nps {speed} hashfull {hashfull} tbhits {tablebase_hits} time {time} pv"
    );
    report.pv.iter().for_each(|&mv| text += &format!(" {}", ranks.write(mv)));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::reply::{self, Courtesy};
    use chuhe_board::Move;

    fn mv(text: &str) -> Move {
        text.parse().expect("a move")
    }

    fn report(score: Score, bound: Bound) -> Report {
        reply::report(1, score, bound, "h2e2 h9g7")
    }

    fn of(report: &Report, chances: Option<Chances>) -> Reply<'_> {
        Reply::Line { report, several: false, chances }
    }

    #[test]
    fn chances_follow_the_score_if_they_are_wanted() {
        let chances = Some(Chances { win: 170, draw: 740, loss: 90 });
        let line = write(&of(&report(35, Bound::Exact), chances), Dialect::Uci);
        assert!(line.contains(" score cp 35 wdl 170 740 90 nodes "), "{line}");
    }

    #[test]
    fn a_line_is_worded_as_the_family_does() {
        assert_eq!(
            write(&of(&report(35, Bound::Exact), None), Dialect::Uci),
            "info depth 9 seldepth 17 multipv 1 score cp 35 nodes 3000 nps 2000 hashfull 12 tbhits 7 time 1500 pv h2e2 h9g7"
        );
        let bound = write(&of(&report(35, Bound::Upper), None), Dialect::UciVariant);
        assert!(bound.contains(" score cp 35 upperbound nodes") && bound.ends_with(" pv h3e3 h10g8"), "{bound}");
    }

    /// Some clients parse scores and lines with a regular expression that expects Stockfish's order. The
    /// lines were recorded from Fairy-Stockfish 11.1 and, with hashfull from the start, from Pikafish-HCE
    /// (2026-11-26).
    #[test]
    fn the_words_of_a_line_have_the_order_of_other_engines() {
        let recorded = [
            "info depth 6 seldepth 6 multipv 1 score cp 57 nodes 7297 nps 45893 tbhits 0 time 159 pv h1g3 h8h6 g4g5",
            "info depth 15 seldepth 23 multipv 1 score cp 13 nodes 307498 nps 64668 hashfull 153 tbhits 0 time 4755 pv h1g3 g7g6",
            "info depth 11 seldepth 16 multipv 1 score cp 33 lowerbound nodes 54575 nps 17259 hashfull 21 tbhits 0 time 3162 pv h1g3",
            "info depth 6 seldepth 2 multipv 1 score mate 1 nodes 314 nps 39250 tbhits 0 time 8 pv e3d3",
            "info depth 5 seldepth 4 multipv 1 score cp 83 nodes 1141 nps 29256 hashfull 0 tbhits 0 time 39 pv b2b6 d9e8",
            "info depth 12 seldepth 12 multipv 1 score cp 53 nodes 128214 nps 10872 hashfull 57 tbhits 0 time 11793 pv h2e2 g6g5",
            "info depth 11 seldepth 8 multipv 1 score cp 51 upperbound nodes 27134 nps 8655 hashfull 13 tbhits 0 time 3135 pv h2e2",
            "info depth 11 seldepth 15 multipv 1 score cp 19 lowerbound nodes 85000 nps 10614 hashfull 36 tbhits 0 time 8008 pv b0a2",
            "info depth 6 seldepth 2 multipv 1 score mate 1 nodes 188 nps 4177 hashfull 0 tbhits 0 time 45 pv a1d1",
        ];
        let names = |line: &str| -> Vec<String> {
            let words = line.split(' ').filter(|word| word.parse::<i64>().is_err());
            words.take_while(|word| *word != "pv").map(str::to_owned).collect()
        };
        for line in recorded {
            let bound = match line {
                line if line.contains(" lowerbound ") => Bound::Lower,
                line if line.contains(" upperbound ") => Bound::Upper,
                _ => Bound::Exact,
            };
            let score = if line.contains(" mate ") { score::mate_in(1) } else { 35 };
            let mut ours = names(&write(&of(&report(score, bound), None), Dialect::Uci));
            // During the first second, Fairy-Stockfish omits the usage of the hash table.
            ours.retain(|name| name != "hashfull" || line.contains(" hashfull "));
            assert_eq!(ours, names(line), "{line}");
        }
    }

    #[test]
    fn progress_claims_no_depth() {
        let progress = Progress { current: mv("h2e2"), number: 3 };
        let write = |dialect| write(&Reply::Progress(&progress), dialect);
        assert_eq!(write(Dialect::Uci), "info currmove h2e2 currmovenumber 3");
        assert_eq!(write(Dialect::UciVariant), "info currmove h3e3 currmovenumber 3");
    }

    #[test]
    fn mates_are_counted_in_moves_and_rule_wins_are_not() {
        let score = |score| write(&Reply::Static(score), Dialect::Uci);
        assert_eq!(score(score::mate_in(5)), "info depth 0 score mate 3");
        assert_eq!(score(score::mated_in(4)), "info depth 0 score mate -2");
        assert_eq!(score(score::rule_win_in(3)), "info depth 0 score cp 24997");
    }

    #[test]
    fn courtesies_have_no_words() {
        let best = Reply::Best { best: mv("h2e2"), ponder: Some(mv("h9g7")), courtesy: Courtesy::Draw };
        assert_eq!(write(&best, Dialect::Uci), "bestmove h2e2 ponder h9g7");
        assert_eq!(write(&best, Dialect::UciVariant), "bestmove h3e3 ponder h10g8");
        assert_eq!(write(&Reply::NothingToStop, Dialect::Uci), "");
    }
}
