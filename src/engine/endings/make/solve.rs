//! Retrograde analysis: works backward from mates and from captures into smaller endings, one ply per round.
//!
//! A position is won as soon as one of its moves leads to a lost position, and lost as soon as all its moves
//! lead to won positions. Positions that are never reached are drawn. Backward moves are never captures: the
//! results of captures are in the smaller tables and are looked up once at the beginning.

use super::board::Board;
use super::cells::{FAR, ILLEGAL, LOSING_CAPTURES, LOSS, OPEN, SAFE, Tally, WIN, cells, plies, state, sweep};
use super::smaller::Smaller;
use crate::endings::{Index, Metric, PERPETUAL};
use chuhe_board::{Kind, Side, Square};
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

/// Solver of an ending.
pub(super) struct Solver<'a> {
    index: &'a Index,
    smaller: &'a Smaller,
    threads: usize,
    metric: Metric,
    /// Cells by side to move.
    cells: [Vec<AtomicU16>; 2],
    /// Number of quiet moves in each position, combined with the flag [`LOSING_CAPTURES`], by side to move;
    /// empty for a side that cannot lose.
    quiet_moves: [Vec<AtomicU8>; 2],
    /// Number of wins and losses by distance, by side to move.
    wins: [Tally; 2],
    losses: [Tally; 2],
}

/// Results of the threads of one round.
#[derive(Default)]
struct RoundResult {
    wins: Tally,
    losses: Tally,
}

impl<'a> Solver<'a> {
    /// Solves an ending: outcomes, and plies to the next capture or mate.
    pub(super) fn solve(index: &'a Index, smaller: &'a Smaller, threads: usize) -> Solver<'a> {
        let mut solver = Solver {
            index,
            smaller,
            threads,
            metric: Metric::Capture,
            cells: [cells(index), cells(index)],
            quiet_moves: Default::default(),
            wins: Default::default(),
            losses: Default::default(),
        };
        for side in Side::ALL {
            let can_lose = index.material().attackers(!side) > 0;
            solver.begin(side, can_lose);
        }
        // If a side's opponent has no attackers, the side can lose only if its own pieces block all its
        // moves. Its moves are counted only if that is possible.
        for side in Side::ALL {
            let is_beaten = solver.losses[side.index()].end() + solver.wins[(!side).index()].end() > 0;
            if solver.quiet_moves[side.index()].is_empty() && is_beaten {
                solver.begin(side, true);
            }
        }
        solver.spread(0);
        solver
    }

    /// Computes plies to mate after the outcomes are known.
    pub(super) fn measure_mates(&mut self) {
        self.metric = Metric::Mate;
        self.wins = Default::default();
        self.losses = Default::default();
        for side in Side::ALL {
            let found = self.sweep_all(|board, found, number| self.begin_again(board, side, number, found));
            self.add(side, found);
        }
        self.spread(0);
    }

    /// Returns the numbering of the ending.
    pub(super) fn index(&self) -> &'a Index {
        self.index
    }

    /// Returns the number of threads.
    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Returns the cells of the positions with a given side to move.
    pub(super) fn cells(&self, side: Side) -> &[AtomicU16] {
        &self.cells[side.index()]
    }

    /// Calls `work` for every position.
    fn sweep_all(&self, work: impl Fn(&mut Board, &mut RoundResult, usize) + Sync) -> RoundResult {
        let mut all = RoundResult::default();
        let work = |numbers, found: &mut RoundResult| {
            let mut board = Board::new(self.index);
            for number in numbers {
                work(&mut board, found, number);
            }
        };
        sweep(self.index, self.threads, work, |found: RoundResult| all.add(&found));
        all
    }

    /// Adds the results of a round for a side to move.
    fn add(&mut self, side: Side, found: RoundResult) {
        self.wins[side.index()].add(&found.wins);
        self.losses[side.index()].add(&found.losses);
    }

    /// Initialises all positions with a given side to move: mates and results of captures.
    fn begin(&mut self, side: Side, counted: bool) {
        (self.wins[side.index()], self.losses[side.index()]) = Default::default();
        if counted {
            self.quiet_moves[side.index()] = (0..self.index.size()).map(|_| AtomicU8::new(SAFE)).collect();
        }
        let found = self.sweep_all(|board, found, number| {
            let is_legal = board.go(number) && !board.is_attacked(!side);
            let (cell, moves) = if is_legal { self.first_look(board, side, counted) } else { (ILLEGAL, SAFE) };
            self.cells[side.index()][number].store(cell, Relaxed);
            if let Some(place) = self.quiet_moves[side.index()].get(number) {
                place.store(moves, Relaxed);
            }
            found.count(cell);
        });
        self.add(side, found);
    }

    /// Reinitialises a position whose outcome is known.
    fn begin_again(&self, board: &mut Board, side: Side, number: usize, found: &mut RoundResult) {
        let place = &self.cells[side.index()][number];
        let cell = place.load(Relaxed);
        let moves = self.quiet_moves[side.index()].get(number).map_or(SAFE, |moves| moves.load(Relaxed));
        let may_capture = state(cell) == WIN && plies(cell) == 1 || state(cell) == LOSS && moves & LOSING_CAPTURES != 0;
        let again = match state(cell) {
            ILLEGAL => return,
            WIN | LOSS if plies(cell) >= PERPETUAL => cell,
            _ if may_capture => {
                board.go(number);
                match self.best_capture(board, side) {
                    BestCapture::Win(plies) => WIN | plies,
                    BestCapture::Lose(plies) if moves == LOSING_CAPTURES => LOSS | plies,
                    _ if state(cell) == WIN => WIN | FAR,
                    _ => OPEN,
                }
            }
            WIN => WIN | FAR,
            LOSS if moves == 0 => LOSS,
            _ => OPEN,
        };
        place.store(again, Relaxed);
        found.count(again);
    }

    /// Returns the initial state of a legal position and the number of its quiet moves. Quiet moves are not
    /// counted for a side that cannot lose.
    fn first_look(&self, board: &Board, side: Side, counted: bool) -> (u16, u8) {
        let captures = self.best_capture(board, side);
        match captures {
            BestCapture::Win(plies) => return (WIN | plies, SAFE),
            BestCapture::Hold => return (OPEN, SAFE),
            _ => {}
        }
        let mut quiet = 0;
        board.visit_moves(side, false, |_, _, _| {
            quiet += 1;
            counted
        });
        match captures {
            BestCapture::Lose(plies) if quiet == 0 => (LOSS | plies, LOSING_CAPTURES),
            _ if quiet == 0 => (LOSS, 0),
            _ if !counted => (OPEN, SAFE),
            BestCapture::Lose(_) => (OPEN, quiet | LOSING_CAPTURES),
            _ => (OPEN, quiet),
        }
    }

    /// Returns the best result of a side's captures.
    pub(super) fn best_capture(&self, board: &Board, side: Side) -> BestCapture {
        let mut best = BestCapture::None;
        board.visit_moves(side, true, |mover, from, to| {
            best = best.or(self.capture(board, (side, mover), from, to));
            true
        });
        best
    }

    fn capture(&self, board: &Board, mover: (Side, Kind), from: Square, to: Square) -> BestCapture {
        let taken = board.enemy_on(mover.0, to);
        let cell = self.smaller.cell(!mover.0, taken, |side, kind| board.pieces_after(mover, from, to, (side, kind)));
        let distance = match self.metric {
            Metric::Capture => 1,
            Metric::Mate => plies(cell) + 1,
        };
        match state(cell) {
            WIN => BestCapture::Lose(distance),
            LOSS => BestCapture::Win(distance),
            _ => BestCapture::Hold,
        }
    }

    /// Marks positions, given by side to move, as lost by perpetual check, and propagates the consequences.
    /// Later sets belong to later rounds, so that a winning side that always chooses the shortest distance
    /// makes progress.
    pub(super) fn lose_by_perpetual_check(&mut self, lost: [Vec<usize>; 2]) {
        let round = self.rounds().max(PERPETUAL);
        for (side, numbers) in Side::ALL.into_iter().zip(lost) {
            for number in numbers {
                self.cells[side.index()][number].store(LOSS | round, Relaxed);
                self.losses[side.index()].count(round);
            }
        }
        self.spread(round);
    }

    fn rounds(&self) -> u16 {
        self.wins.iter().chain(&self.losses).map(Tally::end).max().unwrap_or_default()
    }

    /// Runs rounds, beginning with `round`, until nothing changes.
    fn spread(&mut self, mut round: u16) {
        while self.rounds() > round {
            // Losses are processed first: a move to a lost position wins, and the counters of won positions
            // are no longer incremented.
            for side in Side::ALL {
                if self.losses[side.index()].has(round) {
                    let found = self.for_each_predecessor(side, LOSS | round, |_, number, found| {
                        self.win(!side, number, round + 1, found)
                    });
                    self.add(!side, found);
                }
            }
            for side in Side::ALL {
                if self.wins[side.index()].has(round) && !self.quiet_moves[(!side).index()].is_empty() {
                    let found = self.for_each_predecessor(side, WIN | round, |board, number, found| {
                        self.lose(board, !side, number, round + 1, found);
                    });
                    self.add(!side, found);
                }
            }
            round += 1;
        }
    }

    /// Visits the predecessors of each cell with this content.
    fn for_each_predecessor(
        &self,
        side: Side,
        content: u16,
        origin: impl Fn(&mut Board, usize, &mut RoundResult) + Sync,
    ) -> RoundResult {
        let mut all = RoundResult::default();
        let cells = self.cells(side);
        let work = |numbers: std::ops::Range<usize>, found: &mut RoundResult| {
            let (mut board, mut before) = (Board::new(self.index), Board::new(self.index));
            let first = numbers.start;
            for (number, _) in cells[numbers].iter().enumerate().filter(|(_, cell)| cell.load(Relaxed) == content) {
                board.go(first + number);
                board.visit_origins(!side, |number| origin(&mut before, number, found));
            }
        };
        sweep(self.index, self.threads, work, |found: RoundResult| all.add(&found));
        all
    }

    /// Marks a position as won by a move to a lost position.
    fn win(&self, side: Side, number: usize, plies: u16, found: &mut RoundResult) {
        let place = &self.cells[side.index()][number];
        let cell = place.load(Relaxed);
        if state(cell) == OPEN || state(cell) == WIN && cell > WIN | plies {
            place.store(WIN | plies, Relaxed);
            found.wins.count(plies);
        }
    }

    /// Counts a move that leads to a win for the opponent. If all moves do, marks the position as lost.
    fn lose(&self, before: &mut Board, side: Side, number: usize, plies: u16, found: &mut RoundResult) {
        let place = &self.cells[side.index()][number];
        if state(place.load(Relaxed)) != OPEN {
            return;
        }
        let losing = place.fetch_add(1, Relaxed) + 1;
        let moves = self.quiet_moves[side.index()][number].load(Relaxed);
        if losing == u16::from(moves & SAFE) {
            let mut plies = plies;
            if moves & LOSING_CAPTURES != 0 {
                before.go(number);
                if let BestCapture::Lose(last) = self.best_capture(before, side) {
                    plies = plies.max(last);
                }
            }
            place.store(LOSS | plies, Relaxed);
            found.losses.count(plies);
        }
    }
}

impl RoundResult {
    fn add(&mut self, other: &RoundResult) {
        self.wins.add(&other.wins);
        self.losses.add(&other.losses);
    }

    fn count(&mut self, cell: u16) {
        match state(cell) {
            WIN if plies(cell) < FAR => self.wins.count(plies(cell)),
            LOSS => self.losses.count(plies(cell)),
            _ => {}
        }
    }
}

/// Results of the captures in a position.
#[derive(Clone, Copy)]
pub(super) enum BestCapture {
    /// No captures.
    None,
    /// All captures lose; the longest defence takes this number of plies.
    Lose(u16),
    /// At least one capture draws, and none wins.
    Hold,
    /// At least one capture wins; the shortest win takes this number of plies.
    Win(u16),
}

impl BestCapture {
    /// Combines the results of two captures, choosing the better one for the side to move.
    fn or(self, other: BestCapture) -> BestCapture {
        match (self, other) {
            (BestCapture::Win(one), BestCapture::Win(other)) => BestCapture::Win(one.min(other)),
            (BestCapture::Win(plies), _) | (_, BestCapture::Win(plies)) => BestCapture::Win(plies),
            (BestCapture::Hold, _) | (_, BestCapture::Hold) => BestCapture::Hold,
            (BestCapture::Lose(one), BestCapture::Lose(other)) => BestCapture::Lose(one.max(other)),
            (BestCapture::Lose(plies), BestCapture::None) | (BestCapture::None, BestCapture::Lose(plies)) => {
                BestCapture::Lose(plies)
            }
            (BestCapture::None, BestCapture::None) => BestCapture::None,
        }
    }
}
