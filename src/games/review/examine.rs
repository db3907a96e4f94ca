//! Analysis of a game: searches every position, and those around suspicious moves a second time.

use super::reason::Reason;
use super::scored_line::ScoredLine;
use super::{Judgement, accuracy, expected_points, judgement};
use chuhe_board::rules::{Game, Terms};
use chuhe_board::{Move, Side};
use std::ops::Range;

/// Interface to an engine.
pub trait Analyst {
    /// Reason why a search failed or was stopped.
    type Error;

    /// Returns the best lines of the game's last position, best first: at least one, since the position has a
    /// legal move.
    fn lines(&mut self, game: &Game, nodes: u64, count: usize) -> Result<Vec<ScoredLine>, Self::Error>;
}

/// Effort of the analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thoroughness {
    /// Nodes per position.
    pub nodes: u64,
    /// Multiple of `nodes` for the two positions around a suspicious move.
    pub second_look: u64,
}

/// With 200,000 nodes, the judgements of all but a few moves of a game are the same as with eight times as
/// many; see docs/11-review.md.
impl Default for Thoroughness {
    fn default() -> Thoroughness {
        Thoroughness { nodes: 200_000, second_look: 8 }
    }
}

/// A reviewed game.
#[derive(Clone, Debug)]
pub struct Review {
    /// All moves, in order.
    pub moves: Vec<Reviewed>,
    /// Red's expected points before the first move and after each.
    pub points: Vec<f64>,
    /// Accuracy by `Side::index`, 0 to 100; `None` for a side without moves.
    pub accuracy: [Option<f64>; 2],
}

/// A reviewed move.
#[derive(Clone, Debug)]
pub struct Reviewed {
    /// Ply, from 1.
    pub ply: usize,
    /// Side that moved.
    pub side: Side,
    /// Move of the game.
    pub mv: Move,
    /// Best line from the mover's point of view. It begins with the move of the game if that was best.
    pub best: ScoredLine,
    /// Line that starts with the move of the game, from the mover's point of view.
    pub played: ScoredLine,
    /// Expected points lost by the move, 0 to 1.
    pub loss: f64,
    /// Judgement; `None` for a good move.
    pub judgement: Option<Judgement>,
    /// Reason for the judgement; present if and only if the move was judged.
    pub reason: Option<Reason>,
    /// `true` if there was no other legal move.
    pub is_forced: bool,
    /// `true` if the move is the best one and every other move would have been at least a mistake.
    pub is_only_good_move: bool,
    /// `true` if the move is in the opening book.
    pub is_in_book: bool,
}

/// Number of lines per position: the second line shows how much an alternative would have lost.
const LINES: usize = 2;

/// Reviews the moves of a game. `progress` is called after the first search of each position with the number
/// of completed positions.
///
/// The moves that `start` already contains are history: they count for repetitions and are not reviewed.
/// `book` is the range of the moves that are in the opening book; they receive no judgement.
///
/// # Errors
/// Returns the analyst's error.
pub fn examine<A: Analyst>(
    start: &Game,
    moves: &[Move],
    terms: Terms,
    thoroughness: Thoroughness,
    book: Range<usize>,
    analyst: &mut A,
    mut progress: impl FnMut(usize),
) -> Result<Review, A::Error> {
    let mut game = start.clone();
    let mut looks = Vec::with_capacity(moves.len() + 1);
    for ply in 0..=moves.len() {
        looks.push(look(&game, terms, thoroughness.nodes, analyst)?);
        progress(ply + 1);
        if let Some(&mv) = moves.get(ply) {
            game.make(mv);
        }
    }

    // A new score changes the judgements of two moves, so the game is examined until no position needs a
    // second look. Each position has one final score, which both moves use.
    let nodes = thoroughness.nodes.saturating_mul(thoroughness.second_look);
    let mut is_final = vec![false; looks.len()];
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        let mut game = start.clone();
        for (ply, &mv) in moves.iter().enumerate() {
            let before = game.clone();
            game.make(mv);
            if Reviewed::of(&before, ply, mv, book.contains(&ply), &looks).judgement.is_none() {
                continue;
            }
            for (ply, game) in [(ply, &before), (ply + 1, &game)] {
                if !std::mem::replace(&mut is_final[ply], true) {
                    looks[ply] = look(game, terms, nodes, analyst)?;
                    has_changed = true;
                }
            }
        }
    }

    let mut game = start.clone();
    let mut reviewed: Vec<Reviewed> = Vec::with_capacity(moves.len());
    for (ply, &mv) in moves.iter().enumerate() {
        let mut judged = Reviewed::of(&game, ply, mv, book.contains(&ply), &looks);
        judged.reason = judged.judgement.map(|_| Reason::of(&game, &judged.best, &judged.played, terms));
        reviewed.push(judged);
        game.make(mv);
    }
    Ok(Review::new(start.position().side(), reviewed, &looks))
}

impl Reviewed {
    /// Judges the move after `ply` plies of the game from the lines of all positions; adds no reason.
    fn of(game: &Game, ply: usize, mv: Move, is_in_book: bool, looks: &[Vec<ScoredLine>]) -> Reviewed {
        let (before, best, played) = (&looks[ply], looks[ply][0].clone(), looks[ply + 1][0].after(mv));
        let is_best = best.moves.first() == Some(&mv);
        let is_forced = game.position().legal_moves().len() == 1;
        let is_exempt = is_best || is_forced || is_in_book;
        let is_mistake = |line: &ScoredLine| Judgement::of(best.score, line.score) >= Some(Judgement::Mistake);
        Reviewed {
            ply: ply + 1,
            side: game.position().side(),
            mv,
            loss: if is_exempt { 0.0 } else { judgement::loss(best.score, played.score) },
            judgement: if is_exempt { None } else { Judgement::of(best.score, played.score) },
            reason: None,
            is_forced,
            is_only_good_move: is_best && !is_forced && before.get(1).is_some_and(is_mistake),
            is_in_book,
            best,
            played,
        }
    }
}

impl Review {
    fn new(first: Side, moves: Vec<Reviewed>, looks: &[Vec<ScoredLine>]) -> Review {
        let red =
            |ply: usize, points: f64| if (first == Side::Red) == ply.is_multiple_of(2) { points } else { 1.0 - points };
        let points: Vec<f64> =
            looks.iter().enumerate().map(|(ply, look)| red(ply, expected_points(look[0].score))).collect();
        let losses: Vec<f64> = moves.iter().map(|reviewed| reviewed.loss).collect();
        let [mover, other] = accuracy::of_game(&points, &losses);
        let accuracy = if first == Side::Red { [mover, other] } else { [other, mover] };
        Review { moves, points, accuracy }
    }

    /// Returns the number of a side's moves with this judgement.
    pub fn count(&self, side: Side, judgement: Judgement) -> usize {
        self.moves.iter().filter(|reviewed| reviewed.side == side && reviewed.judgement == Some(judgement)).count()
    }
}

/// Returns the best lines of a position, or the result if the game is over by the rules.
fn look<A: Analyst>(game: &Game, terms: Terms, nodes: u64, analyst: &mut A) -> Result<Vec<ScoredLine>, A::Error> {
    match ScoredLine::of_end(game, terms) {
        Some(end) => Ok(vec![end]),
        None => analyst.lines(game, nodes, LINES),
    }
}
