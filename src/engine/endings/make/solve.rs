//! Retrograde analysis: from mates and from captures into smaller endings backwards, one ply further in each round.
//!
//! A position is won as soon as one of its moves is seen to lead to a lost one, and lost as soon as all its moves have been counted as
//! leading to won ones. What is never reached is drawn. Moves backwards are followed only without captures: what a capture leads to stands
//! in a smaller table, and is looked up once, at the beginning.

use super::cells::{FAR, ILLEGAL, LOSING_CAPTURES, LOSS, OPEN, SAFE, Tally, WIN, cells, kind, plies, share_out};
use super::men::Men;
use super::smaller::Smaller;
use crate::endings::{Index, Metric, PERPETUAL};
use chuhe_board::{Kind, Side, Square};
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

/// An ending that is being solved.
pub struct Solver<'a> {
    index: &'a Index,
    smaller: &'a Smaller,
    threads: usize,
    metric: Metric,
    /// By side to move.
    cells: [Vec<AtomicU16>; 2],
    /// By side to move; none for a side that can't lose.
    moves: [Vec<AtomicU8>; 2],
    /// By side to move: how many wins and losses have each distance.
    wins: [Tally; 2],
    losses: [Tally; 2],
}

/// What the threads of one round found.
#[derive(Default)]
struct Found {
    wins: Tally,
    losses: Tally,
}

impl<'a> Solver<'a> {
    /// Solves an ending: wins, draws, and plies to the next capture or mate.
    pub fn solve(index: &'a Index, smaller: &'a Smaller, threads: usize) -> Solver<'a> {
        let mut solver = Solver {
            index,
            smaller,
            threads,
            metric: Metric::Capture,
            cells: [cells(index), cells(index)],
            moves: Default::default(),
            wins: Default::default(),
            losses: Default::default(),
        };
        for side in Side::ALL {
            let can_lose = index.material().attackers(!side) > 0;
            solver.begin(side, can_lose);
        }
        // A side whose enemy has no attackers can lose only if its own pieces leave it no move: then its moves must be counted after all.
        for side in Side::ALL {
            let is_beaten = solver.losses[side.index()].end() + solver.wins[(!side).index()].end() > 0;
            if solver.moves[side.index()].is_empty() && is_beaten {
                solver.begin(side, true);
            }
        }
        solver.spread(0);
        solver
    }

    /// Once wins and draws are known: plies to mate.
    pub fn measure_mates(&mut self) {
        self.metric = Metric::Mate;
        self.wins = Default::default();
        self.losses = Default::default();
        for side in Side::ALL {
            let found = self.share(|men, found, number| self.begin_again(men, side, number, found));
            self.note(side, found);
        }
        self.spread(0);
    }

    /// The ending's numbers.
    pub fn index(&self) -> &'a Index {
        self.index
    }

    /// How many threads work.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The cells of a side to move.
    pub fn cells(&self, side: Side) -> &[AtomicU16] {
        &self.cells[side.index()]
    }

    fn share(&self, work: impl Fn(&mut Men, &mut Found, usize) + Sync) -> Found {
        let mut all = Found::default();
        let work = |numbers, found: &mut Found| {
            let mut men = Men::new(self.index);
            for number in numbers {
                work(&mut men, found, number);
            }
        };
        share_out(self.index, self.threads, work, |found: Found| {
            all.wins.add(&found.wins);
            all.losses.add(&found.losses);
        });
        all
    }

    fn note(&mut self, side: Side, found: Found) {
        self.wins[side.index()].add(&found.wins);
        self.losses[side.index()].add(&found.losses);
    }

    /// The first look at all positions of a side to move: who is mated, and what captures lead to.
    fn begin(&mut self, side: Side, counted: bool) {
        (self.wins[side.index()], self.losses[side.index()]) = Default::default();
        if counted {
            self.moves[side.index()] = (0..self.index.size()).map(|_| AtomicU8::new(SAFE)).collect();
        }
        let found = self.share(|men, found, number| {
            let is_legal = men.go(number) && !men.is_attacked(!side);
            let (cell, moves) = if is_legal { self.first_look(men, side, counted) } else { (ILLEGAL, SAFE) };
            self.cells[side.index()][number].store(cell, Relaxed);
            if let Some(place) = self.moves[side.index()].get(number) {
                place.store(moves, Relaxed);
            }
            found.count(cell);
        });
        self.note(side, found);
    }

    /// The first look at a position whose value is known by now.
    fn begin_again(&self, men: &mut Men, side: Side, number: usize, found: &mut Found) {
        let place = &self.cells[side.index()][number];
        let cell = place.load(Relaxed);
        let moves = self.moves[side.index()].get(number).map_or(SAFE, |moves| moves.load(Relaxed));
        let may_capture = kind(cell) == WIN && plies(cell) == 1 || kind(cell) == LOSS && moves & LOSING_CAPTURES != 0;
        let again = match kind(cell) {
            ILLEGAL => return,
            WIN | LOSS if plies(cell) >= PERPETUAL => cell,
            _ if may_capture => {
                men.go(number);
                match self.best_capture(men, side) {
                    Captures::Win(plies) => WIN | plies,
                    Captures::Lose(plies) if moves == LOSING_CAPTURES => LOSS | plies,
                    _ if kind(cell) == WIN => WIN | FAR,
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

    /// What is seen of a legal position at first, and its quiet moves, which for a side that can't lose are not counted.
    fn first_look(&self, men: &Men, side: Side, counted: bool) -> (u16, u8) {
        let captures = self.best_capture(men, side);
        match captures {
            Captures::Win(plies) => return (WIN | plies, SAFE),
            Captures::Hold => return (OPEN, SAFE),
            _ => {}
        }
        let mut quiet = 0;
        men.visit_moves(side, false, |_, _, _| {
            quiet += 1;
            counted
        });
        match captures {
            Captures::Lose(plies) if quiet == 0 => (LOSS | plies, LOSING_CAPTURES),
            _ if quiet == 0 => (LOSS, 0),
            _ if !counted => (OPEN, SAFE),
            Captures::Lose(_) => (OPEN, quiet | LOSING_CAPTURES),
            _ => (OPEN, quiet),
        }
    }

    /// What the captures of a side lead to.
    pub fn best_capture(&self, men: &Men, side: Side) -> Captures {
        let mut best = Captures::None;
        men.visit_moves(side, true, |mover, from, to| {
            best = best.or(self.capture(men, (side, mover), from, to));
            true
        });
        best
    }

    fn capture(&self, men: &Men, mover: (Side, Kind), from: Square, to: Square) -> Captures {
        let taken = men.enemy_on(mover.0, to);
        let cell = self.smaller.cell(!mover.0, taken, |side, kind| men.pieces_after(mover, from, to, (side, kind)));
        let distance = match self.metric {
            Metric::Capture => 1,
            Metric::Mate => plies(cell) + 1,
        };
        match kind(cell) {
            WIN => Captures::Lose(distance),
            LOSS => Captures::Win(distance),
            _ => Captures::Hold,
        }
    }

    /// Takes positions, by the side to move, for lost by perpetual check, and follows what that decides. Later ones count to a later round, so
    /// that a winner who takes the nearest makes progress.
    pub fn lose_by_perpetual_check(&mut self, lost: [Vec<usize>; 2]) {
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

    /// Round after round from this one, until nothing is left to be followed.
    fn spread(&mut self, mut round: u16) {
        while self.rounds() > round {
            // Losses first: a move into a lost position wins, and a position that is won is not counted down any more.
            for side in Side::ALL {
                if self.losses[side.index()].has(round) {
                    let found =
                        self.follow(side, LOSS | round, |_, number, found| self.win(!side, number, round + 1, found));
                    self.note(!side, found);
                }
            }
            for side in Side::ALL {
                if self.wins[side.index()].has(round) && !self.moves[(!side).index()].is_empty() {
                    let found = self.follow(side, WIN | round, |men, number, found| {
                        self.lose(men, !side, number, round + 1, found);
                    });
                    self.note(!side, found);
                }
            }
            round += 1;
        }
    }

    /// Goes back one ply from each cell of this content.
    fn follow(&self, side: Side, content: u16, origin: impl Fn(&mut Men, usize, &mut Found) + Sync) -> Found {
        let mut all = Found::default();
        let cells = self.cells(side);
        let work = |numbers: std::ops::Range<usize>, found: &mut Found| {
            let (mut men, mut before) = (Men::new(self.index), Men::new(self.index));
            let first = numbers.start;
            for (number, _) in cells[numbers].iter().enumerate().filter(|(_, cell)| cell.load(Relaxed) == content) {
                men.go(first + number);
                men.visit_origins(!side, |number| origin(&mut before, number, found));
            }
        };
        share_out(self.index, self.threads, work, |found: Found| {
            all.wins.add(&found.wins);
            all.losses.add(&found.losses);
        });
        all
    }

    /// A move of this position leads to a lost one.
    fn win(&self, side: Side, number: usize, plies: u16, found: &mut Found) {
        let place = &self.cells[side.index()][number];
        let cell = place.load(Relaxed);
        if kind(cell) == OPEN || kind(cell) == WIN && cell > WIN | plies {
            place.store(WIN | plies, Relaxed);
            found.wins.count(plies);
        }
    }

    /// A move of this position leads to a won one.
    fn lose(&self, before: &mut Men, side: Side, number: usize, plies: u16, found: &mut Found) {
        let place = &self.cells[side.index()][number];
        if kind(place.load(Relaxed)) != OPEN {
            return;
        }
        let losing = place.fetch_add(1, Relaxed) + 1;
        let moves = self.moves[side.index()][number].load(Relaxed);
        if losing == u16::from(moves & SAFE) {
            let mut plies = plies;
            if moves & LOSING_CAPTURES != 0 {
                before.go(number);
                if let Captures::Lose(last) = self.best_capture(before, side) {
                    plies = plies.max(last);
                }
            }
            place.store(LOSS | plies, Relaxed);
            found.losses.count(plies);
        }
    }
}

impl Found {
    fn count(&mut self, cell: u16) {
        match kind(cell) {
            WIN if plies(cell) < FAR => self.wins.count(plies(cell)),
            LOSS => self.losses.count(plies(cell)),
            _ => {}
        }
    }
}

/// What the captures of a position lead to.
#[derive(Clone, Copy)]
pub enum Captures {
    /// There are none.
    None,
    /// All lose, the last one in so many plies.
    Lose(u16),
    /// One holds.
    Hold,
    /// One wins, the first one in so many plies.
    Win(u16),
}

impl Captures {
    /// With one capture more, as the side to move likes them.
    fn or(self, other: Captures) -> Captures {
        match (self, other) {
            (Captures::Win(one), Captures::Win(other)) => Captures::Win(one.min(other)),
            (Captures::Win(plies), _) | (_, Captures::Win(plies)) => Captures::Win(plies),
            (Captures::Hold, _) | (_, Captures::Hold) => Captures::Hold,
            (Captures::Lose(one), Captures::Lose(other)) => Captures::Lose(one.max(other)),
            (Captures::Lose(plies), Captures::None) | (Captures::None, Captures::Lose(plies)) => Captures::Lose(plies),
            (Captures::None, Captures::None) => Captures::None,
        }
    }
}
