//! History tables: statistics of moves that caused cutoffs or failed. The effect of an update decreases as
//! the entry approaches ±[`MAX_HISTORY`] ("gravity"), so that entries stay in range and old statistics fade.

use super::cache::EvaluationCache;
use super::pages::{Pages, prefetch};
use chuhe_board::random::GOLDEN_RATIO;
use chuhe_board::score::Score;
use chuhe_board::{Kind, Move, Piece, Position, Side, Square};
use std::io;
use std::ops::{Deref, DerefMut};

/// Maximum absolute value of an entry.
pub(super) const MAX_HISTORY: i32 = 16_384;

/// Adds a bonus or malus to an entry; the effect decreases as the entry approaches ±[`MAX_HISTORY`].
fn update(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / MAX_HISTORY) as i16;
}

/// Quiet history, indexed by `[from][to]`.
#[derive(Clone)]
pub struct HistoryTable([[i16; 90]; 90]);

impl HistoryTable {
    /// Returns the entry of a move.
    pub fn get(&self, mv: Move) -> i32 {
        i32::from(self.0[mv.from.index()][mv.to.index()])
    }

    /// Returns the entries of all moves from a square.
    pub fn row(&self, from: Square) -> &[i16; 90] {
        &self.0[from.index()]
    }

    /// Applies a bonus, or a malus if negative, to a move.
    pub fn update(&mut self, mv: Move, bonus: i32) {
        update(&mut self.0[mv.from.index()][mv.to.index()], bonus);
    }

    /// Halves all entries for a new search.
    pub(crate) fn age(&mut self) {
        self.0.iter_mut().flatten().for_each(|entry| *entry /= 2);
    }
}

impl Default for HistoryTable {
    fn default() -> Self {
        HistoryTable([[0; 90]; 90])
    }
}

/// Capture history, indexed by `[piece][to][captured kind]`.
#[derive(Clone)]
pub struct CaptureHistory([[[i16; 7]; 90]; 14]);

impl CaptureHistory {
    /// Returns the entry of a capture.
    pub fn get(&self, piece: Piece, to: Square, captured: Kind) -> i32 {
        i32::from(self.0[piece.index()][to.index()][captured.index()])
    }

    /// Applies a bonus or malus to a capture.
    pub fn update(&mut self, piece: Piece, to: Square, captured: Kind, bonus: i32) {
        update(&mut self.0[piece.index()][to.index()][captured.index()], bonus);
    }
}

/// Piece and target square of a move, which index a continuation history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo {
    /// Moved piece.
    pub piece: Piece,
    /// Target.
    pub to: Square,
}

/// Continuation history of quiet moves, indexed by `[previous piece][previous to][kind][to]`. The side to
/// move follows from the previous piece.
#[derive(Clone)]
pub struct ContinuationHistory([[[[i16; 90]; 7]; 90]; 14]);

impl ContinuationHistory {
    /// Returns the entry for a move after another move.
    pub fn get(&self, before: PieceTo, step: PieceTo) -> i32 {
        i32::from(self.0[before.piece.index()][before.to.index()][step.piece.kind().index()][step.to.index()])
    }

    /// Returns the entries of all moves of a piece after another move.
    pub fn row(&self, before: PieceTo, piece: Piece) -> &[i16; 90] {
        &self.0[before.piece.index()][before.to.index()][piece.kind().index()]
    }

    /// Applies a bonus or malus to a move after another move.
    pub fn update(&mut self, before: PieceTo, step: PieceTo, bonus: i32) {
        update(&mut self.0[before.piece.index()][before.to.index()][step.piece.kind().index()][step.to.index()], bonus);
    }
}

/// Number of entries of a correction table.
const CORRECTIONS: usize = 1 << 14;
/// Maximum correction: 128 centipawns.
const MAX_CORRECTION: i32 = i16::MAX as i32;

/// Correction history, indexed by `[side][structure]`: average difference between search results and static
/// evaluations of positions with the same structure.
#[derive(Clone)]
pub struct CorrectionHistory([[i16; CORRECTIONS]; 2]);

impl CorrectionHistory {
    /// Returns the correction in 1/256 centipawns.
    pub fn get(&self, side: Side, structure: u64) -> i32 {
        i32::from(self.0[side.index()][structure as usize % CORRECTIONS])
    }

    /// Prefetches a correction.
    pub fn prefetch(&self, side: Side, structure: u64) {
        prefetch(&self.0[side.index()][structure as usize % CORRECTIONS]);
    }

    /// Updates a correction for an evaluation that was `error` centipawns too low, with a weight of 1–16 in
    /// 256.
    pub fn learn(&mut self, side: Side, structure: u64, error: Score, weight: i32) {
        let entry = &mut self.0[side.index()][structure as usize % CORRECTIONS];
        let moved = (i32::from(*entry) * (256 - weight) + error * 256 * weight) / 256;
        *entry = moved.clamp(-MAX_CORRECTION, MAX_CORRECTION) as i16;
    }
}

/// The last two quiet moves that caused a cutoff at a ply, latest first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Killers([Option<Move>; 2]);

impl Killers {
    /// Adds a move as the latest one.
    pub(super) fn remember(&mut self, mv: Move) {
        if self.0[0] != Some(mv) {
            self.0 = [Some(mv), self.0[0]];
        }
    }

    /// Returns the moves, latest first.
    pub(super) fn moves(self) -> [Option<Move>; 2] {
        self.0
    }
}

/// All history tables of one thread. They contain only numbers, initially zero, so any zeroed memory can hold
/// them.
#[repr(align(128))]
pub struct HistoryTables {
    /// Quiet histories by side.
    pub quiet: [HistoryTable; 2],
    /// Capture history.
    pub capture: CaptureHistory,
    /// Continuation histories for the moves one and two plies earlier.
    pub continuation: [ContinuationHistory; 2],
    /// Correction histories by kind of structure.
    pub corrections: [CorrectionHistory; 5],
    /// Cache of static evaluations.
    pub evaluations: EvaluationCache,
}

/// History tables of one thread in their own memory.
pub struct Histories(Pages);

impl Histories {
    /// Size of the tables in bytes.
    pub(crate) const BYTES: usize = size_of::<HistoryTables>();

    /// Creates empty tables.
    ///
    /// # Errors
    /// Returns an error if the memory cannot be allocated.
    pub fn new() -> io::Result<Histories> {
        let mut histories = Histories(Pages::new(Self::BYTES)?);
        histories.forget();
        Ok(histories)
    }

    /// Clears the tables in place.
    pub fn forget(&mut self) {
        self.0.clear();
    }
}

impl Deref for Histories {
    type Target = HistoryTables;

    fn deref(&self) -> &HistoryTables {
        // SAFETY: the memory is owned by this value, its size is sufficient, it is aligned to LARGE_PAGE, and every
        // bit pattern is a valid number.
        unsafe { &*self.0.first().cast() }
    }
}

impl DerefMut for Histories {
    fn deref_mut(&mut self) -> &mut HistoryTables {
        // SAFETY: as above, and the memory is borrowed mutably.
        unsafe { &mut *self.0.first().cast() }
    }
}

impl HistoryTables {
    /// Ages the tables for a new search in the same game.
    pub(crate) fn age(&mut self) {
        self.quiet.iter_mut().for_each(HistoryTable::age);
    }

    /// Returns the history score of a quiet move, summed over all tables, within about ±3·`MAX_HISTORY`.
    pub(crate) fn of_quiet(&self, side: Side, mv: Move, step: PieceTo, before: [Option<PieceTo>; 2]) -> i32 {
        let mut sum = self.quiet[side.index()].get(mv);
        for (table, before) in self.continuation.iter().zip(before) {
            sum += before.map_or(0, |before| table.get(before, step));
        }
        sum
    }
}

/// Correction-history keys: the pawns of both sides, the material, the other pieces of each side, and the
/// last two moves.
// A call costs more in WebAssembly, where no registers survive it.
#[cfg_attr(target_family = "wasm", inline(always))]
pub(super) fn structures(position: &Position, before: [Option<PieceTo>; 2]) -> [u64; 5] {
    let number = |step: Option<PieceTo>| step.map_or(0, |step| 1 + step.piece.index() * 90 + step.to.index());
    let line = mix((number(before[0]) * 2048 + number(before[1])) as u64);
    let [red, black] = Side::ALL.map(|side| position.army_key(side));
    [position.pawn_key(), mix(position.material()), red, black, line]
}

fn mix(number: u64) -> u64 {
    number.wrapping_mul(GOLDEN_RATIO) >> 40
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().expect("a move")
    }

    #[test]
    fn updates_have_gravity() {
        let mut table = HistoryTable::default();
        let mut last_step = i32::MAX;
        for _ in 0..200 {
            let before = table.get(mv("h2e2"));
            table.update(mv("h2e2"), 1_000);
            let step = table.get(mv("h2e2")) - before;
            assert!(step <= last_step && table.get(mv("h2e2")) <= MAX_HISTORY);
            last_step = step;
        }
        assert!(table.get(mv("h2e2")) > MAX_HISTORY * 9 / 10);
        assert_eq!(table.get(mv("h2d2")), 0, "other moves are unchanged");
        // A large entry falls faster than an entry near 0.
        let high = table.get(mv("h2e2"));
        table.update(mv("h2e2"), -1_000);
        table.update(mv("h2d2"), -1_000);
        assert!(high - table.get(mv("h2e2")) > -table.get(mv("h2d2")));
    }

    #[test]
    fn no_sum_of_updates_leaves_the_range() {
        let mut table = CaptureHistory([[[0; 7]; 90]; 14]);
        let rook = Piece::ALL[0];
        for bonus in [MAX_HISTORY, MAX_HISTORY, -MAX_HISTORY, -MAX_HISTORY, -MAX_HISTORY, 5, MAX_HISTORY] {
            table.update(rook, Square::E4, Kind::Pawn, bonus);
            assert!(table.get(rook, Square::E4, Kind::Pawn).abs() <= MAX_HISTORY);
        }
    }

    #[test]
    fn a_new_search_halves_what_is_known_of_quiet_moves() {
        let mut histories = Histories::new().expect("a few MB can be allocated");
        histories.quiet[0].update(mv("h2e2"), 1_000);
        histories.age();
        assert_eq!(histories.quiet[0].get(mv("h2e2")), 500);
    }

    #[test]
    fn a_quiet_move_is_known_by_itself_and_by_what_came_before() {
        let mut histories = Histories::new().expect("a few MB can be allocated");
        let step = |piece, to| PieceTo { piece, to };
        let (own, answer) = (step(Piece::ALL[3], Square::E4), step(Piece::ALL[9], Square::C6));
        histories.quiet[0].update(mv("h2e2"), 100);
        histories.continuation[0].update(answer, own, 200);
        histories.continuation[1].update(own, own, 400);
        let of = |before| histories.of_quiet(Side::ALL[0], mv("h2e2"), own, before);
        assert_eq!(of([None, None]), 100);
        assert_eq!(of([Some(answer), None]), 300);
        assert_eq!(of([Some(answer), Some(own)]), 700);
        assert_eq!(of([Some(own), Some(answer)]), 100, "the tables for one and two plies before are separate");
    }

    #[test]
    fn killers_are_the_last_two_that_differ() {
        let mut killers = Killers::default();
        for text in ["h2e2", "h2e2", "b0c2", "b0c2", "a0a1"] {
            killers.remember(mv(text));
        }
        assert_eq!(killers.moves(), [Some(mv("a0a1")), Some(mv("b0c2"))]);
    }

    #[test]
    fn corrections_approach_the_error_and_stay_within_their_limit() {
        let mut table = CorrectionHistory([[0; CORRECTIONS]; 2]);
        for _ in 0..500 {
            table.learn(Side::Red, 77, 50, 16);
        }
        assert!((45 * 256..=50 * 256).contains(&table.get(Side::Red, 77)));
        assert_eq!(table.get(Side::Black, 77), 0);
        for _ in 0..500 {
            table.learn(Side::Red, 77, -400, 16);
        }
        assert_eq!(table.get(Side::Red, 77), -MAX_CORRECTION);
    }

    #[test]
    fn structures_differ_where_their_part_of_the_board_does() {
        let position = |fen: &str| fen.parse::<Position>().expect("a legal position");
        let start = structures(&Position::start(), [None; 2]);
        let of = |fen| structures(&position(fen), [None; 2]);
        let differ = |other: [u64; 5]| [0, 1, 2, 3].map(|index| start[index] != other[index]);
        // A pawn has moved; a red horse has moved; a black rook is missing.
        let pawn = of("rnbakabnr/9/1c5c1/p1p1p1p1p/9/2P6/P3P1P1P/1C5C1/9/RNBAKABNR w");
        let horse = of("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1CN4C1/9/R1BAKABNR w");
        let rook = of("1nbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w");
        assert_eq!(differ(pawn), [true, false, false, false]);
        assert_eq!(differ(horse), [false, false, true, false]);
        assert_eq!(differ(rook), [false, true, false, true]);
        let after = |to| structures(&Position::start(), [Some(PieceTo { piece: Piece::ALL[0], to }), None])[4];
        assert_ne!(after(Square::E4), after(Square::E5));
    }
}
