//! Replies in UCCI 3.0: plain scores, `message`, `nobestmove`.

use super::reply::{Courtesy, Reply, chances_text, nodes_per_second, probed};
use super::{Dialect, options};
use crate::eval::Chances;
use crate::search::{Bound, Progress, Report};
use chuhe_board::Move;

/// Returns the lines of a reply without the last line break.
pub(super) fn write(reply: &Reply) -> String {
    match reply {
        Reply::Welcome => welcome(),
        Reply::Ready => "readyok".to_owned(),
        // UCCI cannot mark a score as a bound.
        Reply::Line { report, .. } if report.bound != Bound::Exact => String::new(),
        Reply::Line { report, several, chances } => line(report, *several, *chances),
        Reply::Progress(Progress { current, .. }) => format!("info currmove {current}"),
        Reply::Static(score) => format!("info depth 0 score {score}"),
        Reply::Best { best, ponder, courtesy } => best_move(*best, *ponder, *courtesy),
        Reply::NoMove | Reply::NothingToStop => "nobestmove".to_owned(),
        Reply::Probed(probe) => probed(probe.as_ref(), Dialect::Ucci.ranks()),
        Reply::Message(text) => format!("info message {text}"),
        Reply::Text(text) => text.clone(),
        Reply::Bye => "bye".to_owned(),
    }
}

fn welcome() -> String {
    let mut text = format!(
        "id name Chuhe\nid version {}\nid copyright {}\nid author the Chuhe authors\nid user everyone\n",
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_LICENSE"),
    );
    options::offered(Dialect::Ucci).for_each(|line| text += &(line + "\n"));
    text + "ucciok"
}

/// Formats a line with `depth`, `score` and `pv` in this order, `time` before `nodes`, and `pv` last, as some
/// parsers require.
fn line(report: &Report, several: bool, chances: Option<Chances>) -> String {
    let chances = chances_text(chances);
    let Report { depth, seldepth, score, nodes, hashfull, tablebase_hits, .. } = report;
    let several = if several { format!(" multipv {}", report.multipv) } else { String::new() };
    let (time, speed) = (report.time.as_millis(), nodes_per_second(report.nodes, report.time));
    let mut text = format!(
        "info depth {depth} seldepth {seldepth}{several} score {score}{chances} time {time} nodes {nodes} nps {speed} hashfull {hashfull} tbhits {tablebase_hits} pv"
    );
    report.pv.iter().for_each(|mv| text += &format!(" {mv}"));
    text
}

fn best_move(best: Move, ponder: Option<Move>, courtesy: Courtesy) -> String {
    let ponder = ponder.map_or(String::new(), |ponder| format!(" ponder {ponder}"));
    let courtesy = match courtesy {
        Courtesy::Nothing => "",
        Courtesy::Draw => " draw",
        Courtesy::Resign => " resign",
    };
    format!("bestmove {best}{ponder}{courtesy}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Probe;
    use crate::protocol::reply;
    use chuhe_board::score::{self, Score};

    fn mv(text: &str) -> Move {
        text.parse().expect("a move")
    }

    fn report(score: Score) -> Report {
        reply::report(2, score, Bound::Exact, "h2e2 h9g7")
    }

    fn of(report: &Report, several: bool) -> Reply<'_> {
        Reply::Line { report, several, chances: None }
    }

    #[test]
    fn chances_follow_the_score_if_they_are_wanted() {
        let chances = Some(Chances { win: 170, draw: 740, loss: 90 });
        let line = write(&Reply::Line { report: &report(35), several: false, chances });
        assert!(line.contains(" score 35 wdl 170 740 90 time "), "{line}");
    }

    #[test]
    fn a_line_has_its_words_in_the_order_of_the_readers() {
        let text = "info depth 9 seldepth 17 score 35 time 1500 nodes 3000 nps 2000 hashfull 12 tbhits 7 pv h2e2 h9g7";
        assert_eq!(write(&of(&report(35), false)), text);
        assert_eq!(write(&of(&report(35), true)), text.replace("score", "multipv 2 score"));
    }

    #[test]
    fn progress_claims_no_depth() {
        let progress = Progress { current: mv("h2e2"), number: 3 };
        assert_eq!(write(&Reply::Progress(&progress)), "info currmove h2e2");
    }

    #[test]
    fn decided_scores_are_plain_numbers() {
        let score = |score| write(&of(&report(score), false));
        assert!(score(score::mate_in(5)).contains(" score 29995 time"));
        assert!(score(score::mated_in(4)).contains(" score -29996 time"));
        assert!(score(score::rule_win_in(3)).contains(" score 24997 time"));
    }

    #[test]
    fn a_bound_is_not_said() {
        assert_eq!(write(&of(&Report { bound: Bound::Lower, ..report(35) }, false)), "");
    }

    #[test]
    fn courtesies_follow_the_move() {
        let write = |ponder, courtesy| write(&Reply::Best { best: mv("h2e2"), ponder, courtesy });
        assert_eq!(write(None, Courtesy::Nothing), "bestmove h2e2");
        assert_eq!(write(Some(mv("h9g7")), Courtesy::Draw), "bestmove h2e2 ponder h9g7 draw");
        assert_eq!(write(None, Courtesy::Resign), "bestmove h2e2 resign");
    }

    #[test]
    fn the_hash_table_is_told_in_bounds() {
        let probe = |bound| Probe { best: Some(mv("h2e2")), score: 21, bound, depth: 5 };
        let probed = |bound| write(&Reply::Probed(Some(probe(bound))));
        assert_eq!(probed(Bound::Exact), "pophash bestmove h2e2 lowerbound 21 depth 5 upperbound 21 depth 5");
        assert_eq!(probed(Bound::Lower), "pophash bestmove h2e2 lowerbound 21 depth 5");
        assert_eq!(probed(Bound::Upper), "pophash bestmove h2e2 upperbound 21 depth 5");
        assert_eq!(write(&Reply::Probed(None)), "pophash");
    }
}
