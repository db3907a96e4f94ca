//! Moves in position databases (`chuhe explore`), as stored and as book moves.

use super::entry::BookMove;
use chuhe_board::score::EVALUATION_LIMIT;
use chuhe_board::{Move, Square};

/// A move with the engine's score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// Move.
    pub mv: Move,
    /// Score in centipawns from the mover's point of view; `None` if the move was not analysed.
    pub score: Option<i16>,
}

/// Length of a stored move in bytes: origin, target, and a little-endian score (−32768 if there is none).
const RECORD: usize = 4;

impl ScoredMove {
    /// Encodes the moves of a position in their stored form.
    pub fn write(moves: &[ScoredMove]) -> Vec<u8> {
        let record = |entry: &ScoredMove| {
            let [low, high] = entry.score.unwrap_or(i16::MIN).to_le_bytes();
            [entry.mv.from.index() as u8, entry.mv.to.index() as u8, low, high]
        };
        moves.iter().flat_map(record).collect()
    }

    /// Parses the stored form; `None` if it is damaged.
    pub fn read(bytes: &[u8]) -> Option<Vec<ScoredMove>> {
        let square = |byte: u8| Square::ALL.get(usize::from(byte)).copied();
        let record = |bytes: &[u8]| {
            let score = i16::from_le_bytes([bytes[2], bytes[3]]);
            let mv = Move::new(square(bytes[0])?, square(bytes[1])?);
            Some(ScoredMove { mv, score: (score != i16::MIN).then_some(score) })
        };
        if !bytes.len().is_multiple_of(RECORD) {
            return None;
        }
        bytes.chunks_exact(RECORD).map(record).collect()
    }
}

/// Distance below the best score, in centipawns, at which a book move is no longer played.
const TOO_BAD: i64 = 50;

/// Converts scored moves to book moves: a move 20 centipawns below the best is played 1/e times as often, and
/// a move at least 50 centipawns below it is never played. If the best score is a mate or another decided
/// score, only moves with this score are played.
pub fn weigh(scored: &[(Move, i64)]) -> Vec<BookMove> {
    let best = scored.iter().map(|(_, score)| *score).max().unwrap_or(0);
    let is_decided = best.abs() > i64::from(EVALUATION_LIMIT);
    let weight = |score: i64| match best - score {
        loss if loss >= TOO_BAD || is_decided && loss > 0 => 0,
        loss => (1000.0 * (-loss as f64 / 20.0).exp()) as u64,
    };
    scored.iter().map(|&(mv, score)| BookMove { mv, weight: weight(score), score: Some(score), games: None }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_moves_are_read_as_they_were_written() {
        let entry = |mv: &str, score| ScoredMove { mv: mv.parse().unwrap(), score };
        let moves = vec![entry("h2e2", Some(31)), entry("a0a1", None), entry("i9i0", Some(-29_999))];
        let bytes = ScoredMove::write(&moves);
        assert_eq!(ScoredMove::read(&bytes), Some(moves));
        assert_eq!(ScoredMove::read(&bytes[1..]), None);
        assert_eq!(ScoredMove::read(&[90, 0, 0, 0]), None);
    }

    #[test]
    fn moves_that_lose_too_much_are_never_played() {
        let scored = [("h2e2", 30), ("b0c2", 10), ("a0a1", -20)].map(|(mv, score)| (mv.parse().unwrap(), score));
        let weights: Vec<u64> = weigh(&scored).iter().map(|entry| entry.weight).collect();
        assert_eq!(weights, [1000, 367, 0]);
        // A mate in 1, two mates in 2.
        let scored = [("h2e2", 29_999), ("b0c2", 29_997), ("a0a1", 29_997)];
        let scored = scored.map(|(mv, score)| (mv.parse().unwrap(), score));
        let weights: Vec<u64> = weigh(&scored).iter().map(|entry| entry.weight).collect();
        assert_eq!(weights, [1000, 0, 0]);
    }
}
