//! Builds books from games.

use crate::records::{GameResult, NodeId, Record};
use chuhe_board::{Move, Side};
use chuhe_engine::book::{OwnBook, Stored, key_of_move};
use std::collections::HashMap;

/// Weighting of the moves in a new book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weighing {
    /// By results: two per game won by the mover, one per draw, and one per game without a result, since a
    /// player chose the move there too.
    Result,
    /// By the scores in the games' comments (`+35/12`, centipawns, as written by `chuhe match`): a move 40
    /// centipawns below the best is played 1/e times as often, and a move 100 centipawns below it is never
    /// played.
    Score,
}

/// Statistics of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct MoveCounts {
    /// Games won, drawn and lost by the mover.
    games: [u32; 3],
    /// Games without a result.
    unfinished: u32,
    /// Weights from merged books.
    weight: u64,
    scores: i64,
    scored: i64,
}

/// Collects moves of games and builds a book.
#[derive(Debug, Default)]
pub struct Builder {
    moves: HashMap<(u64, Move), MoveCounts>,
}

impl Builder {
    /// Creates an empty builder.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// Returns `true` if there are no moves.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Adds the first plies of a game's main line.
    pub fn add(&mut self, record: &Record, plies: usize) {
        let mut position = record.start.clone();
        let line: Vec<NodeId> = record.tree.main_line().take(plies).collect();
        let mut scores: Vec<Option<i64>> = line.iter().map(|id| score(record.tree.comment(*id))).collect();
        // A move without a score, such as a book move, receives the negated score of the next move.
        for ply in (1..scores.len()).rev() {
            scores[ply - 1] = scores[ply - 1].or(scores[ply].map(|score| -score));
        }
        for (id, score) in line.into_iter().zip(scores) {
            let Some(mv) = record.tree.mv(id) else { break };
            let counts = self.moves.entry(key_of_move(&position, mv)).or_default();
            let result = match (record.result, position.side()) {
                (GameResult::RedWins, Side::Red) | (GameResult::BlackWins, Side::Black) => &mut counts.games[0],
                (GameResult::Draw, _) => &mut counts.games[1],
                (GameResult::RedWins, Side::Black) | (GameResult::BlackWins, Side::Red) => &mut counts.games[2],
                (GameResult::Unknown, _) => &mut counts.unfinished,
            };
            *result += 1;
            if let Some(score) = score {
                counts.scores += score;
                counts.scored += 1;
            }
            position.make(mv);
        }
    }

    /// Adds all moves of a book.
    pub fn merge(&mut self, book: &OwnBook) {
        for stored in book.records() {
            let counts = self.moves.entry((stored.key, stored.mv)).or_default();
            let count: u32 = stored.games.iter().sum();
            for (sum, games) in counts.games.iter_mut().zip(stored.games) {
                *sum = sum.saturating_add(games);
            }
            counts.weight += u64::from(stored.weight);
            if let Some(score) = stored.score {
                counts.scores += i64::from(score) * i64::from(count.max(1));
                counts.scored += i64::from(count.max(1));
            }
        }
    }

    /// Builds the book of all moves played in at least `min_games` games.
    pub fn build(&self, weighing: Weighing, min_games: u32) -> OwnBook {
        let mut best: HashMap<u64, i64> = HashMap::new();
        for ((key, _), counts) in &self.moves {
            if let Some(score) = counts.score() {
                best.entry(*key).and_modify(|best| *best = score.max(*best)).or_insert(score);
            }
        }
        self.collect(min_games, |key, counts| match (weighing, counts.score()) {
            (Weighing::Result, _) => u64::from(counts.games[0]) * 2 + u64::from(counts.games[1] + counts.unfinished),
            (Weighing::Score, None) => 0,
            (Weighing::Score, Some(score)) => {
                let behind = best.get(&key).map_or(0, |best| best - score);
                if behind >= 100 {
                    0
                } else {
                    (f64::from(counts.count()) * 100.0 * (-behind as f64 / 40.0).exp()) as u64
                }
            }
        })
    }

    /// Builds a book from all merged books, adding up their weights.
    pub fn merged(&self) -> OwnBook {
        self.collect(0, |_, counts| counts.weight)
    }

    fn collect(&self, min_games: u32, weigh: impl Fn(u64, &MoveCounts) -> u64) -> OwnBook {
        let enough = self.moves.iter().filter(|(_, counts)| counts.count() >= min_games);
        let stored = enough.map(|(&(key, mv), counts)| Stored {
            key,
            mv,
            score: counts.score().map(|score| score.clamp(-32_000, 32_000) as i16),
            weight: weigh(key, counts).min(u64::from(u32::MAX)) as u32,
            games: counts.games,
        });
        OwnBook::of(stored.filter(|stored| stored.weight > 0).collect())
    }
}

impl MoveCounts {
    fn count(&self) -> u32 {
        self.games.iter().fold(self.unfinished, |sum, games| sum.saturating_add(*games))
    }

    fn score(&self) -> Option<i64> {
        (self.scored > 0).then(|| self.scores / self.scored)
    }
}

/// Parses the score at the beginning of a comment, in centipawns: `+35/12 0.4s`, or in pawns as `+0.35/12`.
fn score(comment: &str) -> Option<i64> {
    let (text, _) = comment.split_once('/')?;
    let pawns = text.contains('.');
    let value: f64 = text.trim().parse().ok()?;
    let value = if pawns { value * 100.0 } else { value };
    // Larger values are mates or invalid.
    (value.abs() < 20_000.0).then_some(value as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::Position;

    fn game(moves: &[(&str, &str)], result: GameResult) -> Record {
        let line = moves.iter().map(|(mv, said)| (mv.parse().unwrap(), said.to_string()));
        Record { result, ..Record::of_line(Position::start(), line) }
    }

    fn weights(book: &OwnBook, position: &Position) -> Vec<String> {
        book.moves(position).iter().map(|entry| format!("{} {}", entry.mv, entry.weight)).collect()
    }

    #[test]
    fn moves_are_weighed_by_results_or_by_scores() {
        let mut builder = Builder::new();
        builder.add(&game(&[("h2e2", "opening"), ("h9g7", "-40/9"), ("h0g2", "")], GameResult::RedWins), 2);
        // This game is the mirror image of the same opening.
        builder.add(&game(&[("b2e2", "+0.40/9"), ("b9c7", "-30/9")], GameResult::Draw), 20);
        builder.add(&game(&[("c3c4", "+0/9"), ("h7e7", "-300/9")], GameResult::BlackWins), 20);
        builder.add(&game(&[("c3c4", "+0/9"), ("g6g5", "+0/9")], GameResult::BlackWins), 20);
        let start = Position::start();
        let by_result = builder.build(Weighing::Result, 1);
        assert_eq!(by_result.moves(&start)[0].games, Some([1, 1, 0]));
        assert_eq!(by_result.moves(&start).len(), 1, "a move that only lost is not stored");
        let by_score = builder.build(Weighing::Score, 1);
        let found = weights(&by_score, &start);
        assert!(found.len() == 2 && found[0].ends_with("2e2 200") && found[1].ends_with(" 73"), "{found:?}");
        let mut after = start.clone();
        after.make("c3c4".parse().unwrap());
        assert_eq!(weights(&by_score, &after), ["g6g5 100"], "the other reply is 300 behind");
        assert_eq!(builder.build(Weighing::Score, 3).len(), 0);
    }

    #[test]
    fn games_without_a_result_are_not_drawn() {
        let mut builder = Builder::new();
        builder.add(&game(&[("h2e2", "")], GameResult::Unknown), 9);
        builder.add(&game(&[("h2e2", "")], GameResult::RedWins), 9);
        let book = builder.build(Weighing::Result, 2);
        let entry = book.moves(&Position::start())[0];
        assert_eq!((entry.weight, entry.games), (3, Some([1, 0, 0])));
    }

    #[test]
    fn merged_books_add_up() {
        let mut builder = Builder::new();
        builder.add(&game(&[("h2e2", "+40/9")], GameResult::RedWins), 9);
        let one = builder.build(Weighing::Result, 1);
        let mut merging = Builder::new();
        merging.merge(&one);
        merging.merge(&one);
        let both = merging.merged();
        let entry = both.moves(&Position::start())[0];
        assert_eq!((entry.weight, entry.games, entry.score), (4, Some([2, 0, 0]), Some(40)));
    }
}
