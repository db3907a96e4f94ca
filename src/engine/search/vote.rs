//! Selection of the thread whose result is played.

use chuhe_board::Move;
use chuhe_board::score::{Score, is_mate};

/// Result of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Voter {
    /// Depth of the last complete iteration, at least 1.
    pub depth: i32,
    pub score: Score,
    /// Line with at least one move.
    pub pv: Vec<Move>,
}

/// Centipawns added to each thread's lead over the lowest score. They give the thread with the lowest score a
/// vote too, and make differences of a few centipawns weigh less than depth.
const BASE_WEIGHT: Score = 15;

/// Elects a thread: each thread votes for its best move, with more weight for greater depth and a better
/// score; a mate wins outright. Among the threads with the elected move, the one with the deepest search is
/// selected. The first voter is the main thread, which wins ties. A thread with a shallower search wins only
/// with a mate, so that the last reported line is not shallower than the previous one.
pub(super) fn elect(voters: &[Voter]) -> Option<&Voter> {
    let main = voters.first()?;
    let lowest = voters.iter().map(|voter| voter.score).min()?;
    let weight = |voter: &Voter| i64::from(voter.score - lowest + BASE_WEIGHT) * i64::from(voter.depth);
    let votes =
        |voter: &Voter| -> i64 { voters.iter().filter(|other| other.pv.first() == voter.pv.first()).map(weight).sum() };
    let mate = |voter: &Voter| if is_mate(voter.score) { voter.score } else { 0 };
    let is_eligible = |voter: &&Voter| voter.depth >= main.depth || mate(voter) > 0;
    // `max_by_key` returns the last of equal elements, so the main thread comes last.
    voters.iter().rev().filter(is_eligible).max_by_key(|voter| (mate(voter), votes(voter), voter.depth))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::score::mate_in;

    fn voter(mv: &str, depth: i32, score: Score) -> Voter {
        Voter { depth, score, pv: vec![mv.parse().expect("a move")] }
    }

    #[test]
    fn two_threads_outvote_the_main_thread() {
        let voters = [voter("a0a1", 9, 30), voter("b0c2", 9, 28), voter("b0c2", 10, 25)];
        assert_eq!(elect(&voters), Some(&voters[2]), "the thread with the deeper search is elected");
    }

    #[test]
    fn the_main_thread_speaks_if_in_doubt() {
        let voters = [voter("a0a1", 9, 30), voter("b0c2", 9, 30), voter("a0a1", 9, 30), voter("b0c2", 9, 30)];
        assert_eq!(elect(&voters), Some(&voters[0]));
        assert_eq!(elect(&voters[..1]), Some(&voters[0]));
        assert_eq!(elect(&[]), None);
    }

    #[test]
    fn a_mate_wins_outright_and_the_shorter_one_first() {
        let voters = [
            voter("a0a1", 12, 500),
            voter("b0c2", 7, mate_in(9)),
            voter("a0a1", 12, 510),
            voter("e0e1", 8, mate_in(5)),
            voter("i0i1", 13, -mate_in(4)),
        ];
        assert_eq!(elect(&voters), Some(&voters[3]));
    }

    #[test]
    fn no_thread_that_saw_less_than_the_main_thread_speaks() {
        let voters = [voter("a0a1", 12, 10), voter("b0c2", 11, 60), voter("b0c2", 11, 60)];
        assert_eq!(elect(&voters), Some(&voters[0]));
        let voters = [voter("a0a1", 12, 10), voter("b0c2", 11, 60), voter("b0c2", 12, 60)];
        assert_eq!(elect(&voters), Some(&voters[2]));
    }
}
