//! The examination: every position of a game is searched, and every move that looks bad a second time.

use super::found::Found;
use super::reason::Reason;
use super::{Judgement, accuracy, expected_points, judgement};
use chuhe_board::rules::{Game, Terms};
use chuhe_board::{Move, Side};

/// What the examination asks of an engine.
pub trait Analyst {
    /// Why a search failed, or that it was stopped.
    type Error;

    /// The best lines of the game's last position, the best first: at least one, since the position has a legal move.
    fn lines(&mut self, game: &Game, nodes: u64, count: usize) -> Result<Vec<Found>, Self::Error>;
}

/// What decides how thoroughly a game is examined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thoroughness {
    /// Nodes for each position.
    pub nodes: u64,
    /// So many times as many nodes for the two positions around a move that looks bad.
    pub second_look: u64,
}

/// 200,000 nodes agree with eight times as many on all but a few moves of a game; see docs/11-review.md.
impl Default for Thoroughness {
    fn default() -> Thoroughness {
        Thoroughness { nodes: 200_000, second_look: 8 }
    }
}

/// A reviewed game.
#[derive(Clone, Debug)]
pub struct Review {
    /// Every move, in order.
    pub moves: Vec<Reviewed>,
    /// Red's expected points before the first move and after each.
    pub points: Vec<f64>,
    /// By `Side::index`: 0 to 100; `None` for a side that made no move.
    pub accuracy: [Option<f64>; 2],
}

/// A reviewed move.
#[derive(Clone, Debug)]
pub struct Reviewed {
    /// From 1.
    pub ply: usize,
    /// Who moved.
    pub side: Side,
    /// The move of the game.
    pub mv: Move,
    /// The best line instead, from the mover's view. It begins with the same move if that was best.
    pub best: Found,
    /// The line that the move leads to, from the mover's view, the move itself first.
    pub played: Found,
    /// Expected points that the move gave away, 0 to 1.
    pub loss: f64,
    /// None for a move that is good enough.
    pub judgement: Option<Judgement>,
    /// Why it is bad; there is one exactly where there is a judgement.
    pub reason: Option<Reason>,
    /// There was no other legal move.
    pub forced: bool,
    /// It is the best move, and every other one would have been a mistake at least.
    pub only: bool,
    /// The move is in the opening book.
    pub book: bool,
}

/// How many lines are searched in each position: the second shows whether there was a choice.
const LINES: usize = 2;

/// Reviews the moves of a game. `progress` is told after every search how many positions are done.
///
/// The game's moves before `from` are history: they count for repetitions and are not reviewed. `book` says of how many of the reviewed moves,
/// from the first on, the opening book knows; they are never blamed.
///
/// # Errors
/// What the analyst says.
pub fn examine<A: Analyst>(
    start: &Game,
    moves: &[Move],
    terms: Terms,
    thoroughness: Thoroughness,
    book: usize,
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

    let mut game = start.clone();
    let mut reviewed: Vec<Reviewed> = Vec::with_capacity(moves.len());
    for (ply, &mv) in moves.iter().enumerate() {
        let forced = game.position().legal_moves().len() == 1;
        let exempt = forced || ply < book;
        let suspect = |before: &[Found], after: &[Found]| {
            let (best, played) = (&before[0], after[0].after(mv));
            !exempt && best.moves.first() != Some(&mv) && Judgement::of(best.score, played.score).is_some()
        };
        if suspect(&looks[ply], &looks[ply + 1]) {
            let nodes = thoroughness.nodes.saturating_mul(thoroughness.second_look);
            looks[ply] = look(&game, terms, nodes, analyst)?;
            let mut after = game.clone();
            after.make(mv);
            looks[ply + 1] = look(&after, terms, nodes, analyst)?;
        }
        let (before, after) = (&looks[ply], &looks[ply + 1]);
        let (best, played) = (before[0].clone(), after[0].after(mv));
        let bad = suspect(before, after);
        let judgement = if bad { Judgement::of(best.score, played.score) } else { None };
        let reason = judgement.map(|_| Reason::of(&game, &best, &played, terms));
        reviewed.push(Reviewed {
            ply: ply + 1,
            side: game.position().side(),
            mv,
            loss: if exempt || best.moves.first() == Some(&mv) {
                0.0
            } else {
                judgement::loss(best.score, played.score)
            },
            only: !forced
                && best.moves.first() == Some(&mv)
                && before
                    .get(1)
                    .is_some_and(|second| Judgement::of(best.score, second.score) >= Some(Judgement::Mistake)),
            best,
            played,
            judgement,
            reason,
            forced,
            book: ply < book,
        });
        game.make(mv);
    }
    Ok(Review::new(start.position().side(), reviewed, &looks))
}

impl Review {
    fn new(first: Side, moves: Vec<Reviewed>, looks: &[Vec<Found>]) -> Review {
        let red =
            |ply: usize, points: f64| if (first == Side::Red) == ply.is_multiple_of(2) { points } else { 1.0 - points };
        let points: Vec<f64> =
            looks.iter().enumerate().map(|(ply, look)| red(ply, expected_points(look[0].score))).collect();
        let losses: Vec<f64> = moves.iter().map(|reviewed| reviewed.loss).collect();
        let [mover, other] = accuracy::of_game(&points, &losses);
        let accuracy = if first == Side::Red { [mover, other] } else { [other, mover] };
        Review { moves, points, accuracy }
    }

    /// How many moves of a side have a judgement.
    pub fn count(&self, side: Side, judgement: Judgement) -> usize {
        self.moves.iter().filter(|reviewed| reviewed.side == side && reviewed.judgement == Some(judgement)).count()
    }
}

/// The best lines of a position; of one that is over by the rules, its result.
fn look<A: Analyst>(game: &Game, terms: Terms, nodes: u64, analyst: &mut A) -> Result<Vec<Found>, A::Error> {
    match Found::of_end(game, terms) {
        Some(end) => Ok(vec![end]),
        None => analyst.lines(game, nodes, LINES),
    }
}
