//! Path-dependent aspects of a position: the repetition rules and the validity of stored scores.

use super::key::{has_occurred, hash_key};
use super::node_result::{GAME, NodeResult, PATH_INDEPENDENT};
use super::transposition::Entry;
use super::value::reported;
use super::worker::Worker;
use crate::eval::Evaluator;
use crate::mates::shortest;
use chuhe_board::Move;
use chuhe_board::rules::{Game, Outcome, Reason, RestsOn, Verdict, judge, judge_in_search};
use chuhe_board::score::{DRAW, MATE, Score, is_decided, is_mate, mate_in, mated_in, rule_win_in};

/// Number of plies before the natural limit within which stored scores are not used, since they do not take
/// the end of the game into account.
const NEAR_THE_LIMIT: u16 = 6;

/// Maximum number of mate solver nodes for completing a line.
const COMPLETION_NODES: u64 = 20_000;

/// End of a line according to the referee.
struct End {
    reason: Reason,
    /// Sign of the score for the side to move at the root; 0 is a draw.
    sign: Score,
    /// All moves to the end of the game, with repeated cycles.
    line: Vec<Move>,
}

impl<E: Evaluator> Worker<'_, E> {
    /// Returns the score of a node where the game is over by the rules: repetition, natural limit, dead
    /// position.
    ///
    /// A loss by repetition scores like a mate. If its score were closer to zero, the search would prefer it
    /// to being mated many moves later, and a side that can give perpetual check would hide every mate from
    /// the search.
    #[inline]
    pub(super) fn score_by_rule(&self, ply: usize) -> Option<NodeResult> {
        let ending = judge_in_search(&self.game, self.terms, ply)?;
        let score = match ending.outcome {
            Outcome::Win => mate_in(ply + 1),
            Outcome::Loss => mated_in(ply),
            Outcome::Draw => DRAW,
        };
        let rests_on = match ending.rests_on {
            RestsOn::Position => PATH_INDEPENDENT,
            RestsOn::Plies(span) => ply as i32 - span as i32,
            RestsOn::Game => GAME,
        };
        Some(NodeResult { score, rests_on })
    }

    /// Returns the score and the moves to report for a line with internal score `score`.
    ///
    /// A mate is reported only if the line does not end the game in a different way. Otherwise the referee's
    /// verdict on the line is used: a win by the repetition rules, or a draw. The reported moves repeat the
    /// cycle as often as the referee requires, so `judge` gives the same verdict on them.
    pub(super) fn line_to_tell(&self, score: Score, line: &[Move]) -> (Score, Vec<Move>) {
        let end = if is_mate(score) { self.end_of_line(line) } else { None };
        let Some(End { reason, sign, line }) = end else { return (reported(score), line.to_vec()) };
        let score = match sign {
            _ if reason.is_without_moves() => score,
            0 => DRAW,
            sign => sign * rule_win_in(line.len()),
        };
        (score, line)
    }

    /// Returns the score and the moves to report, like [`Self::line_to_tell`]. Also completes a line to a
    /// mate that was cut off by a hash entry.
    pub(super) fn complete_line(&self, score: Score, line: &[Move]) -> (Score, Vec<Move>) {
        let (score, line) = self.line_to_tell(score, line);
        let whole = if is_mate(score) { self.mating_line(score, &line) } else { None };
        (score, whole.unwrap_or(line))
    }

    /// Appends the moves of the hash table to a line and, on the attacker's turn, the moves of the mate
    /// solver. Returns `None` if the resulting line does not end in the announced mate.
    fn mating_line(&self, score: Score, line: &[Move]) -> Option<Vec<Move>> {
        let plies = (MATE - score.abs()) as usize;
        let (mut game, mut whole) = (self.game.clone(), line.to_vec());
        line.iter().for_each(|&mv| game.make(mv));
        while whole.len() < plies {
            let known = self.shared.hash_table.probe(hash_key(&game), 0).and_then(|entry| entry.best);
            let missing = plies - whole.len();
            let next = match known.filter(|&mv| game.position().is_legal(mv)) {
                Some(mv) => vec![mv],
                None if missing % 2 == 1 => shortest(game.position(), missing.div_ceil(2), COMPLETION_NODES)?.line,
                None => return None,
            };
            next.iter().for_each(|&mv| game.make(mv));
            whole.extend(next);
        }
        let End { reason, sign, line } = self.end_of_line(&whole)?;
        let is_mate = reason.is_without_moves() && sign == score.signum() && line.len() == plies;
        is_mate.then_some(line)
    }

    /// Returns `true` if the referee confirms a mate or a win by the repetition rules at the end of a line.
    /// Only a confirmed score may end the search.
    pub(super) fn is_confirmed(&self, score: Score, line: &[Move]) -> bool {
        self.end_of_line(line).is_some_and(|end| end.sign == score.signum())
    }

    /// Returns the referee's verdict on a line; `None` if the line does not end the game. A repetition that
    /// the search judged at its second occurrence is repeated until the referee judges it.
    fn end_of_line(&self, line: &[Move]) -> Option<End> {
        let mut game = self.game.clone();
        let root = game.position().side();
        let (mut line, mut verdict) = (line.to_vec(), self.referee(&game));
        let mut played = 0;
        while verdict == Verdict::Open {
            if played == line.len() {
                let forecast = judge_in_search(&game, self.terms, played)?;
                let RestsOn::Plies(span) = forecast.rests_on else { return None };
                line.extend_from_within(line.len().checked_sub(span)?..);
            }
            game.make(*line.get(played)?);
            played += 1;
            verdict = self.referee(&game);
        }
        let Verdict::Over(outcome, reason) = verdict else { return None };
        let sign = match outcome {
            Outcome::Draw => 0,
            outcome if (outcome == Outcome::Win) == (game.position().side() == root) => 1,
            _ => -1,
        };
        line.truncate(played);
        Some(End { reason, sign, line })
    }

    /// Judges the game like the referee; if the rules are disabled, only mate and stalemate end it.
    fn referee(&self, game: &Game) -> Verdict {
        match judge(game, self.terms) {
            Verdict::Over(_, reason) if !self.params.on.rules && !reason.is_without_moves() => Verdict::Open,
            verdict => verdict,
        }
    }

    /// Returns the stored score if it decides a node at this depth and with this window.
    #[inline]
    pub(super) fn stored_score(
        &self,
        entry: Option<Entry>,
        depth: i32,
        (alpha, beta): (Score, Score),
        ply: usize,
    ) -> Option<Score> {
        let Entry { bound: Some(bound), score, depth: searched, .. } = entry? else { return None };
        let cuts = searched >= depth && bound.cuts(score, alpha, beta) && self.hash_may_cut(score, ply);
        cuts.then_some(score)
    }

    /// Returns `false` if an entry belongs to a different position with the same 16 bits of the key, so that
    /// its move is illegal here.
    #[inline]
    pub(super) fn is_of_this_position(&self, entry: &Entry) -> bool {
        entry.best.is_none_or(|mv| self.game.position().is_legal(mv))
    }

    /// Returns the stored score if its bound makes it more accurate than the static score, and the static
    /// score otherwise.
    #[inline]
    pub(super) fn estimate(&self, static_score: Score, entry: Option<Entry>) -> Score {
        match entry {
            Some(Entry { bound: Some(bound), score, .. })
                if !is_decided(score) && bound.improves(score, static_score) && !self.is_near_the_limit() =>
            {
                score
            }
            _ => static_score,
        }
    }

    /// Returns `true` if a stored score may replace a search. Returns `false` if the path matters: after a
    /// repetition, since the entry does not take further repetitions into account, and if the natural limit
    /// is near or would be reached before the mate.
    fn hash_may_cut(&self, score: Score, ply: usize) -> bool {
        !self.params.on.rules
            || (!self.is_near_the_limit()
                && (!is_decided(score) || self.is_within_limit((MATE - score.abs()) as usize - ply))
                && !has_occurred(&self.game))
    }

    /// Returns `true` if the natural limit is more than `plies` plies away.
    pub(super) fn is_within_limit(&self, plies: usize) -> bool {
        !self.params.on.rules
            || usize::from(self.game.position().quiet_plies()) + plies < usize::from(self.terms.natural_limit)
    }

    /// Returns `true` if the game may soon end by the natural limit, which stored scores do not take into
    /// account.
    fn is_near_the_limit(&self) -> bool {
        self.params.on.rules && self.game.position().quiet_plies() + NEAR_THE_LIMIT >= self.terms.natural_limit
    }
}

#[cfg(test)]
mod tests {
    use super::super::clock::Clock;
    use super::super::worker::tests::with_worker;
    use super::*;
    use crate::eval::Handcrafted;
    use crate::search::{Limits, Time};
    use std::time::Duration;

    /// Returns the reported score of a line, the moves added to the line, and whether the referee confirms a
    /// win.
    fn told_of(fen: &str, score: Score, line: &str) -> (Score, String, bool) {
        let clock = Clock::new(Time::Unlimited, Duration::ZERO, false, false);
        let line: Vec<Move> = line.split(' ').map(|mv| mv.parse().expect("a move")).collect();
        let mut found = None;
        with_worker(0, fen, Handcrafted::default(), clock, &mut |_| {}, |worker| {
            let (told, moves) = worker.line_to_tell(score, &line);
            let added: Vec<String> = moves.iter().skip(line.len()).map(Move::to_string).collect();
            assert!(moves.starts_with(&line) || told == DRAW, "{moves:?}");
            found = Some((told, added.join(" "), worker.is_confirmed(score, &line)));
        });
        found.expect("the worker was tested")
    }

    #[test]
    fn a_line_to_a_mate_is_completed() {
        let clock = Clock::new(Time::Unlimited, Duration::ZERO, false, false);
        let mate = "4k4/9/9/9/9/9/9/R8/1R7/5K3 w";
        with_worker(0, mate, Handcrafted::default(), clock, &mut |_| {}, |worker| {
            let moves = |text: &str| -> Vec<Move> { text.split(' ').map(|mv| mv.parse().expect("a move")).collect() };
            // The solver finds the last move; the table is empty, so Black's move remains unknown.
            let whole = worker.complete_line(mate_in(3), &moves("a2a8 e9d9"));
            assert_eq!(whole, (mate_in(3), moves("a2a8 e9d9 b1b9")));
            assert_eq!(worker.complete_line(mate_in(3), &moves("a2a8")).1, moves("a2a8"));
            assert_eq!(worker.complete_line(mate_in(5), &moves("a2a8 e9d9")).1, moves("a2a8 e9d9"), "another mate");
            worker.deepen(&Limits::depth(5), 1);
            let (_, line) = worker.complete_line(mate_in(3), &worker.root_moves[0].pv[..1]);
            assert_eq!(line.len(), 3, "{line:?}");
        });
    }

    #[test]
    fn a_line_is_worth_what_the_referee_says_about_it() {
        let told = |score, added: &str, confirmed| (score, added.to_owned(), confirmed);
        let mate = "4k4/9/9/9/9/9/9/R8/1R7/5K3 w";
        assert_eq!(told_of(mate, mate_in(3), "a2a8 e9d9 b1b9"), told(mate_in(3), "", true));
        assert_eq!(told_of(mate, mate_in(3), "a2a8"), told(mate_in(3), "", false), "the line is incomplete");
        // The natural limit precedes the mate.
        assert_eq!(told_of(&format!("{mate} - - 118 70"), mate_in(3), "a2a8 e9d9 b1b9"), told(DRAW, "", false));
        // Red gives perpetual check. Moves are added up to the third occurrence of the position reached after
        // two plies.
        let checks = "3k5/9/9/p8/9/9/P8/9/4R4/5K3 w";
        let line = "f0f1 d9d8 e1d1 d8e8 d1e1 e8d8 e1d1";
        let cycle = "d8e8 d1e1 e8d8";
        assert_eq!(told_of(checks, -mate_in(7), line), told(-rule_win_in(10), cycle, true));
        // Checks and chases alternate.
        let line = "g1g0 e0e1 g0g1 e1e0 g1c1 c2g2 c1g1 g2c2";
        assert_eq!(told_of("3aka3/4n4/9/9/9/9/9/2C6/6r2/3AK4 b", -mate_in(8), line), told(DRAW, "", false));
    }
}
