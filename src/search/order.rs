//! In what order moves are tried: in stages, each generated and sorted only when it is reached.

use super::history::{Histories, Step};
use super::params::Params;
use crate::board::{Bitboard, Checks, MAX_MOVES, Move, Position, Square, Targets, exchange_value};
use arrayvec::ArrayVec;

/// The stages, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Hash,
    FindCaptures,
    GoodCaptures,
    Killers,
    FindQuiets,
    Quiets,
    BadCaptures,
    Done,
}

/// The lessons of a table that knows nothing.
static UNKNOWN: [i16; 90] = [0; 90];

/// Which moves a node wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// All of them.
    All,
    /// Captures that win at least this much in the exchange.
    CapturesWinning(i32),
    /// Captures and quiet checks that lose nothing in the exchange.
    CapturesAndChecks,
}

/// What ordering may look at.
pub struct Sources<'w> {
    /// The position whose moves are ordered.
    pub position: &'w Position,
    /// What earlier moves taught.
    pub histories: &'w Histories,
    /// The moves one and two plies before.
    pub before: [Option<Step>; 2],
    /// Switches.
    pub params: &'w Params,
}

/// Hands out the moves of a node, best first.
pub struct Picker {
    stage: Stage,
    wanted: Wanted,
    hash: Option<Move>,
    killers: [Option<Move>; 2],
    moves: ArrayVec<(Move, i32), MAX_MOVES>,
    bad: ArrayVec<(Move, i32), MAX_MOVES>,
    next_killer: usize,
    /// Found when they are asked for.
    checks: Option<Checks>,
}

impl Picker {
    /// `hash` must be legal if it is given; killers are checked when they are reached.
    pub fn new(wanted: Wanted, hash: Option<Move>, killers: [Option<Move>; 2]) -> Picker {
        Picker {
            stage: Stage::Hash,
            wanted,
            hash,
            killers,
            moves: ArrayVec::new(),
            bad: ArrayVec::new(),
            next_killer: 0,
            checks: None,
        }
    }

    /// Whether the move that was handed out last loses the exchange, or is a quiet move behind all good ones.
    pub fn is_past_good_captures(&self) -> bool {
        !matches!(self.stage, Stage::Hash | Stage::FindCaptures | Stage::GoodCaptures)
    }

    /// Whether a move of the picker's position gives check.
    pub fn gives_check(&mut self, position: &Position, mv: Move) -> bool {
        self.checks.get_or_insert_with(|| position.checks()).given_by(position, mv)
    }

    /// The next move; none when all were handed out. With `skip_quiets` the quiet moves that are left are passed over.
    pub fn next(&mut self, sources: &Sources, skip_quiets: bool) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = Stage::FindCaptures;
                    if self.hash.is_some() {
                        return self.hash;
                    }
                }
                Stage::FindCaptures => {
                    self.find_captures(sources);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    let threshold = match self.wanted {
                        Wanted::All | Wanted::CapturesAndChecks => 0,
                        Wanted::CapturesWinning(threshold) => threshold,
                    };
                    while let Some((mv, score)) = take_best(&mut self.moves) {
                        if sources.position.exchange_wins(mv, threshold) {
                            return Some(mv);
                        }
                        self.bad.push((mv, score));
                    }
                    self.stage = match self.wanted {
                        Wanted::All => Stage::Killers,
                        Wanted::CapturesWinning(_) => Stage::Done,
                        Wanted::CapturesAndChecks => Stage::FindQuiets,
                    };
                }
                Stage::Killers => {
                    let killer = self.killers.get(self.next_killer).copied();
                    self.next_killer += 1;
                    match killer {
                        None => self.stage = Stage::FindQuiets,
                        Some(Some(mv))
                            if !skip_quiets && Some(mv) != self.hash && is_legal_quiet(sources.position, mv) =>
                        {
                            return Some(mv);
                        }
                        Some(_) => {}
                    }
                }
                Stage::FindQuiets => {
                    if !skip_quiets {
                        self.find_quiets(sources);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if !skip_quiets && let Some((mv, _)) = take_best(&mut self.moves) {
                        return Some(mv);
                    }
                    // They are taken from the end, the first that was found to be bad first.
                    self.bad.reverse();
                    self.stage = if self.wanted == Wanted::All { Stage::BadCaptures } else { Stage::Done };
                }
                Stage::BadCaptures => match self.bad.pop() {
                    Some((mv, _)) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn find_captures(&mut self, sources: &Sources) {
        let position = sources.position;
        position.visit_moves(Targets::Captures, |from, targets| {
            for to in targets {
                let mv = Move::new(from, to);
                if Some(mv) != self.hash
                    && let (Some(piece), Some(captured)) = (position.piece_on(from), position.piece_on(to))
                {
                    let mut score = 16 * exchange_value(captured.kind()) - exchange_value(piece.kind()) / 16;
                    if sources.params.on.capture_history {
                        score += sources.histories.capture.get(piece, to, captured.kind()) / 4;
                    }
                    self.moves.push((mv, score));
                }
            }
            true
        });
    }

    fn find_quiets(&mut self, sources: &Sources) {
        let Sources { position, histories, before, params } = sources;
        let side = position.side();
        let only_checks = self.wanted == Wanted::CapturesAndChecks;
        let checks = self.checks.get_or_insert_with(|| position.checks());
        let known: ArrayVec<Move, 3> = [self.hash, self.killers[0], self.killers[1]].into_iter().flatten().collect();
        self.moves.clear();
        position.visit_moves(Targets::Quiets, |from, targets| {
            let Some(piece) = position.piece_on(from) else { return true };
            // What every table says of this piece's moves, by target.
            let mut lessons = [&UNKNOWN; 3];
            if params.on.history {
                lessons[0] = histories.quiet[side.index()].row(from);
            }
            if params.on.continuation_history {
                for (index, (table, before)) in histories.continuation.iter().zip(before).enumerate() {
                    lessons[index + 1] = before.map_or(&UNKNOWN, |before| table.row(before, piece));
                }
            }
            let handed_out: Bitboard = known.iter().filter(|mv| mv.from == from).map(|mv| mv.to).collect();
            let others = targets & !handed_out;
            let is_safe = |&to: &Square| position.exchange_wins(Move::new(from, to), 0);
            let safe_checks: Bitboard = if only_checks || params.on.checks_early {
                checks.among(position, piece.kind(), from, others).into_iter().filter(is_safe).collect()
            } else {
                Bitboard::EMPTY
            };
            for to in if only_checks { safe_checks } else { others } {
                let lessons: i32 = lessons.iter().map(|lesson| i32::from(lesson[to.index()])).sum();
                let bonus = if safe_checks.has(to) { params.numbers.check_bonus } else { 0 };
                self.moves.push((Move::new(from, to), lessons + bonus));
            }
            true
        });
    }
}

/// A killer comes from another position: it must be legal here and take nothing.
fn is_legal_quiet(position: &Position, mv: Move) -> bool {
    position.piece_on(mv.to).is_none() && position.is_legal(mv)
}

fn take_best(moves: &mut ArrayVec<(Move, i32), MAX_MOVES>) -> Option<(Move, i32)> {
    let (best, _) = moves.iter().enumerate().min_by_key(|(_, (_, score))| std::cmp::Reverse(*score))?;
    Some(moves.swap_remove(best))
}
