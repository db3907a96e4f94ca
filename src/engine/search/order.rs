//! Move ordering in stages, each scored only when it is reached. Captures and quiet moves are generated
//! together.

use super::history::{HistoryTables, PieceTo};
use super::params::Params;
use arrayvec::ArrayVec;
use chuhe_board::{Bitboard, Checks, MAX_MOVES, Move, MoveClass, Position, Square, exchange_value};

/// Stages in order.
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

/// Row of an empty history table.
static UNKNOWN: [i16; 90] = [0; 90];

/// Moves required by a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveFilter {
    /// All moves.
    All,
    /// Captures whose static exchange evaluation is at least this value.
    CapturesWinning(i32),
    /// Captures and quiet checks whose static exchange evaluation is not negative.
    CapturesAndChecks,
}

/// Data used for move ordering.
pub struct Sources<'w> {
    /// Position whose moves are ordered.
    pub position: &'w Position,
    /// History tables.
    pub histories: &'w HistoryTables,
    /// Moves played one and two plies earlier.
    pub before: [Option<PieceTo>; 2],
    /// Parameters and switches.
    pub params: &'w Params,
}

/// Move picker of one node; returns the moves one by one, best first.
pub struct Picker {
    stage: Stage,
    filter: MoveFilter,
    hash_move: Option<Move>,
    killers: [Option<Move>; 2],
    moves: ScoredMoves,
    /// Captures that lose the exchange, best first.
    bad: ArrayVec<Move, MAX_MOVES>,
    next_killer: usize,
    /// Checks of the position, computed on first use.
    checks: Option<Checks>,
    /// Quiet targets of each piece, generated with its captures.
    quiets: ArrayVec<(Square, Bitboard), 16>,
}

impl Picker {
    /// Creates a picker. `hash_move` must be legal; killers are checked when they are reached.
    pub fn new(filter: MoveFilter, hash_move: Option<Move>, killers: [Option<Move>; 2]) -> Picker {
        Picker {
            stage: Stage::Hash,
            filter,
            hash_move,
            killers,
            moves: ScoredMoves::default(),
            bad: ArrayVec::new(),
            next_killer: 0,
            checks: None,
            quiets: ArrayVec::new(),
        }
    }

    /// Returns `true` if the last returned move is neither the hash move nor a capture whose static exchange
    /// evaluation reaches the threshold.
    pub(crate) fn is_past_good_captures(&self) -> bool {
        !matches!(self.stage, Stage::Hash | Stage::FindCaptures | Stage::GoodCaptures)
    }

    /// Returns `true` if a move in the picker's position gives check.
    // A call costs more in WebAssembly, where no registers survive it.
    #[cfg_attr(target_family = "wasm", inline(always))]
    pub fn gives_check(&mut self, position: &Position, mv: Move) -> bool {
        self.checks.get_or_insert_with(|| position.checks()).given_by(position, mv)
    }

    /// Returns the next move; `None` after the last. `skip_quiets` skips the remaining quiet moves.
    pub fn next(&mut self, sources: &Sources, skip_quiets: bool) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = Stage::FindCaptures;
                    if self.hash_move.is_some() {
                        return self.hash_move;
                    }
                }
                Stage::FindCaptures => {
                    self.find_captures(sources);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    if let Some(mv) = self.next_good_capture(sources.position) {
                        return Some(mv);
                    }
                    self.stage = match self.filter {
                        MoveFilter::All => Stage::Killers,
                        MoveFilter::CapturesWinning(_) => Stage::Done,
                        MoveFilter::CapturesAndChecks => Stage::FindQuiets,
                    };
                }
                Stage::Killers => {
                    let killer = self.killers.get(self.next_killer).copied();
                    self.next_killer += 1;
                    match killer {
                        None => self.stage = Stage::FindQuiets,
                        Some(Some(mv))
                            if !skip_quiets && Some(mv) != self.hash_move && is_legal_quiet(sources.position, mv) =>
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
                    if !skip_quiets && let Some(mv) = self.moves.take_best() {
                        return Some(mv);
                    }
                    // Moves are removed from the end, so the list is reversed to preserve the order of
                    // insertion.
                    self.bad.reverse();
                    self.stage = if self.filter == MoveFilter::All { Stage::BadCaptures } else { Stage::Done };
                }
                Stage::BadCaptures => match self.bad.pop() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Returns the best remaining capture whose static exchange evaluation reaches the threshold; stores the
    /// others for the last stage.
    #[inline(always)]
    fn next_good_capture(&mut self, position: &Position) -> Option<Move> {
        let threshold = match self.filter {
            MoveFilter::All | MoveFilter::CapturesAndChecks => 0,
            MoveFilter::CapturesWinning(threshold) => threshold,
        };
        while let Some(mv) = self.moves.take_best() {
            if position.exchange_wins(mv, threshold) {
                return Some(mv);
            }
            self.bad.push(mv);
        }
        None
    }

    fn find_captures(&mut self, sources: &Sources) {
        let position = sources.position;
        let occupied = position.occupancy().all();
        let wanted =
            if matches!(self.filter, MoveFilter::CapturesWinning(_)) { MoveClass::Captures } else { MoveClass::All };
        position.visit_moves(wanted, |from, targets| {
            let quiets = targets & !occupied;
            if quiets.has_any() {
                self.quiets.push((from, quiets));
            }
            for to in targets & occupied {
                let mv = Move::new(from, to);
                if Some(mv) != self.hash_move
                    && let (Some(piece), Some(captured)) = (position.piece_on(from), position.piece_on(to))
                {
                    let mut score = 16 * exchange_value(captured.kind()) - exchange_value(piece.kind()) / 16;
                    if sources.params.on.capture_history {
                        score += sources.histories.capture.get(piece, to, captured.kind()) / 4;
                    }
                    self.moves.push(mv, score);
                }
            }
            true
        });
    }

    fn find_quiets(&mut self, sources: &Sources) {
        let Sources { position, histories, before, params } = sources;
        let side = position.side();
        let only_checks = self.filter == MoveFilter::CapturesAndChecks;
        let checks = self.checks.get_or_insert_with(|| position.checks());
        let known: ArrayVec<Move, 3> =
            [self.hash_move, self.killers[0], self.killers[1]].into_iter().flatten().collect();
        self.moves.clear();
        for &(from, targets) in &self.quiets {
            let Some(piece) = position.piece_on(from) else { continue };
            // Rows of all tables for the moves of this piece, by target.
            let mut rows = [&UNKNOWN; 3];
            if params.on.history {
                rows[0] = histories.quiet[side.index()].row(from);
            }
            if params.on.continuation_history {
                for (index, (table, before)) in histories.continuation.iter().zip(before).enumerate() {
                    rows[index + 1] = before.map_or(&UNKNOWN, |before| table.row(before, piece));
                }
            }
            let handed_out: Bitboard = known.iter().filter(|mv| mv.from == from).map(|mv| mv.to).collect();
            let others = targets & !handed_out;
            let checks = checks.checking_targets(position, piece.kind(), from, others);
            // Checks that lose the exchange are also tried early, since many mates begin with a sacrifice.
            let bonus_of = |to| if params.on.checks_early && checks.has(to) { params.numbers.check_bonus } else { 0 };
            let is_safe = |&to: &Square| position.exchange_wins(Move::new(from, to), 0);
            for to in if only_checks { checks.into_iter().filter(is_safe).collect() } else { others } {
                let history: i32 = rows.iter().map(|row| i32::from(row[to.index()])).sum();
                let bonus = bonus_of(to);
                self.moves.push(Move::new(from, to), history + bonus);
            }
        }
    }
}

/// Returns `true` if a killer, which comes from another position, is legal here and not a capture.
fn is_legal_quiet(position: &Position, mv: Move) -> bool {
    position.piece_on(mv.to).is_none() && position.is_legal(mv)
}

/// Moves and their scores in separate arrays, so that the maximum is found with SIMD instructions.
#[derive(Default)]
struct ScoredMoves {
    moves: ArrayVec<Move, MAX_MOVES>,
    /// Score of each move, with its index from the end in the lowest bits, so that the maximum is the first
    /// of the best moves.
    scores: ArrayVec<i32, MAX_MOVES>,
}

/// Last index; a power of two minus one.
const LAST: i32 = MAX_MOVES as i32 - 1;

impl ScoredMoves {
    fn push(&mut self, mv: Move, score: i32) {
        self.scores.push(score * (LAST + 1) + LAST - self.moves.len() as i32);
        self.moves.push(mv);
    }

    fn clear(&mut self) {
        self.moves.clear();
        self.scores.clear();
    }

    /// Removes and returns the move with the highest score; ties go to the first move. Most nodes are cut off
    /// after a few moves, so it would be wasteful to sort all moves.
    // A call costs more in WebAssembly, where no registers survive it.
    #[cfg_attr(target_family = "wasm", inline(always))]
    fn take_best(&mut self) -> Option<Move> {
        let best = self.scores.iter().fold(i32::MIN, |best, score| best.max(*score));
        let last = self.scores.pop()?;
        let index = (LAST - (best & LAST)) as usize;
        // The last move takes the place of the removed move.
        if let Some(score) = self.scores.get_mut(index) {
            *score = (last & !LAST) | (best & LAST);
        }
        Some(self.moves.swap_remove(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Histories;
    use chuhe_board::random::SplitMix64;
    use chuhe_board::{Side, perft};

    /// Perft positions with their counts, one depth per column.
    const PERFT: &str = include_str!("../../../positions/perft.epd");

    fn positions(count: usize) -> impl Iterator<Item = (Position, [u64; 3])> {
        let read = |line: &str| {
            let mut fields = line.split(';').map(str::trim);
            // Some collections allow the kings to face each other; such positions are skipped.
            let position = fields.next()?.parse().ok()?;
            Some((
                position,
                [(); 3].map(|()| fields.next().and_then(|field| field[3..].parse().ok()).expect("a count")),
            ))
        };
        PERFT.lines().filter(|line| !line.starts_with('#')).filter_map(read).take(count)
    }

    /// Returns histories that order moves at random.
    fn histories(random: &mut SplitMix64) -> Histories {
        let mut histories = Histories::new().expect("a few MB can be allocated");
        for _ in 0..4_000 {
            let [from, to] = [0; 2].map(|_| Square::ALL[random.below(90) as usize]);
            let bonus = random.below(4_000) as i32 - 2_000;
            Side::ALL.into_iter().for_each(|side| histories.quiet[side.index()].update(Move::new(from, to), bonus));
        }
        histories
    }

    fn sources<'w>(position: &'w Position, histories: &'w HistoryTables, params: &'w Params) -> Sources<'w> {
        Sources { position, histories, before: [None; 2], params }
    }

    fn all_of(mut picker: Picker, sources: &Sources, skip_quiets: bool) -> Vec<Move> {
        std::iter::from_fn(|| picker.next(sources, skip_quiets)).collect()
    }

    fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
        let mut moves: Vec<Move> = moves.into_iter().collect();
        moves.sort_by_key(|mv| (mv.from.index(), mv.to.index()));
        moves
    }

    #[test]
    fn every_legal_move_comes_exactly_once_whatever_is_tried_first() {
        let mut random = SplitMix64::new(8);
        let (histories, params) = (histories(&mut random), Params::default());
        for (position, _) in positions(40) {
            let (legal, sources) = (position.legal_moves(), sources(&position, &histories, &params));
            let one_of = |random: &mut SplitMix64| legal.get(random.below(legal.len() as u64) as usize).copied();
            for _ in 0..30 {
                // Hash moves are legal. Killers may be any moves, including the hash move, but differ from
                // each other.
                let hash = one_of(&mut random).filter(|_| random.below(3) > 0);
                let strange = Move::new(Square::A0, Square::ALL[1 + random.below(89) as usize]);
                let killers =
                    [one_of(&mut random), if random.below(2) == 0 { one_of(&mut random) } else { Some(strange) }];
                let killers = if killers[0] == killers[1] { [killers[0], None] } else { killers };
                let picked = all_of(Picker::new(MoveFilter::All, hash, killers), &sources, false);
                assert_eq!(sorted(picked), sorted(legal.iter().copied()), "{position} {hash:?} {killers:?}");
            }
        }
    }

    #[test]
    fn perft_through_the_picker_counts_as_perft_does() {
        fn count(position: &mut Position, depth: usize, histories: &HistoryTables, params: &Params) -> u64 {
            let mut picker = Picker::new(MoveFilter::All, None, [None; 2]);
            let mut nodes = 0;
            while let Some(mv) = picker.next(&sources(position, histories, params), false) {
                nodes += 1;
                if depth > 1 {
                    let undo = position.make(mv);
                    nodes += count(position, depth - 1, histories, params) - 1;
                    position.unmake(mv, undo);
                }
            }
            nodes
        }
        let (histories, params) = (histories(&mut SplitMix64::new(3)), Params::default());
        for (mut position, counts) in positions(12) {
            let depth = if counts[2] < 30_000 { 3 } else { 2 };
            assert_eq!(count(&mut position, depth, &histories, &params), counts[depth - 1], "{position}");
            assert_eq!(perft::perft(&mut position, 2), counts[1]);
        }
    }

    #[test]
    fn quiescence_gets_the_captures_and_checks_that_it_wants() {
        let (histories, params) = (Histories::new().expect("a few MB can be allocated"), Params::default());
        for (position, _) in positions(40) {
            let sources = sources(&position, &histories, &params);
            let legal = position.legal_moves();
            let takes = |mv: &Move| position.piece_on(mv.to).is_some();
            for gain in [-200, 0, 150, 500] {
                let wanted = legal.iter().copied().filter(|mv| takes(mv) && position.exchange_wins(*mv, gain));
                let picker = Picker::new(MoveFilter::CapturesWinning(gain), None, [None; 2]);
                assert_eq!(sorted(all_of(picker, &sources, true)), sorted(wanted), "{position} {gain}");
            }
            let interesting = |mv: &Move| takes(mv) || position.gives_check(*mv);
            let wanted = legal.iter().copied().filter(|mv| interesting(mv) && position.exchange_wins(*mv, 0));
            let picker = Picker::new(MoveFilter::CapturesAndChecks, None, [None; 2]);
            assert_eq!(sorted(all_of(picker, &sources, false)), sorted(wanted), "{position}");
        }
    }

    #[test]
    fn the_stages_come_in_their_order() {
        let (mut histories, params) = (Histories::new().expect("a few MB can be allocated"), Params::default());
        let position = Position::start();
        let mv = |text: &str| text.parse::<Move>().expect("a move");
        histories.quiet[Side::Red.index()].update(mv("c3c4"), 500);
        let picker = Picker::new(MoveFilter::All, Some(mv("a0a1")), [Some(mv("g3g4")), Some(mv("i0i1"))]);
        let picked = all_of(picker, &sources(&position, &histories, &params), false);
        // Cannons that capture horses lose material and come last. The order of quiet moves without history
        // is unspecified.
        assert_eq!(picked[..4], ["a0a1", "g3g4", "i0i1", "c3c4"].map(mv));
        assert_eq!(sorted(picked[picked.len() - 2..].to_vec()), sorted(["b2b9", "h2h9"].map(mv)));
        let picker = Picker::new(MoveFilter::All, Some(mv("a0a1")), [Some(mv("g3g4")), None]);
        let without_quiets = all_of(picker, &sources(&position, &histories, &params), true);
        assert_eq!(without_quiets.len(), 3, "the hash move and the two captures: {without_quiets:?}");
    }
}
