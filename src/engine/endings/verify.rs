//! Verification of a table: every value must follow from the values after the board's own legal moves.
//!
//! The verifier shares no code with the generator. A win in n plies has a move to a loss in n - 1 plies and
//! none to a shorter loss; all moves of a loss lead to wins, the longest of them in n - 1 plies; a draw has a
//! move to a draw and none to a loss of the enemy. A table that passes is therefore correct by induction on
//! the length of the wins, no matter which program generated it. If both sides have attackers, `perpetual`
//! verifies wins that do not end with mate or a capture.

mod perpetual;

use super::file::{Fault, Table};
use super::{Content, Counts, Folder, Header, Index, Material, PERPETUAL};
use chuhe_board::rules::{NATURAL_LIMIT, Outcome};
use chuhe_board::{Kind, Move, Piece, Position, Side};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use thiserror::Error;

/// Name of this verifier in the header of a table.
pub const VERIFIER: &str = concat!("chuhe ", env!("CARGO_PKG_VERSION"), " forwards");

/// Reason why verification failed.
#[derive(Debug, Error)]
pub enum Refuted {
    /// The table cannot be read.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Wrong value: the ending, the position, the stored value, and the value that follows from its moves.
    #[error("{0}: wrong value for {1}: the table has {2}, the moves give {3}")]
    Value(Material, Box<Position>, Worth, Worth),
    /// Wrong count in the header: the file name, the counted values, the stored count.
    #[error("{0}: the header has {2}, but the values give {1}")]
    Header(String, String, String),
}

/// Outcome of a position for the side to move, with plies to the next capture or mate, and to mate; 0 for
/// draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    outcome: Outcome,
    capture: u16,
    mate: u16,
}

impl Worth {
    const DRAW: Worth = Worth { outcome: Outcome::Draw, capture: 0, mate: 0 };
    const MATED: Worth = Worth { outcome: Outcome::Loss, capture: 0, mate: 0 };

    /// Uses the same length for both metrics, as for ways to a perpetual check.
    fn with_one_length(self) -> Worth {
        let mate = if self.capture >= PERPETUAL { self.capture } else { self.mate };
        Worth { mate, ..self }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let word = match self.outcome {
            Outcome::Draw => return f.write_str("draw"),
            Outcome::Win => "win",
            Outcome::Loss => "loss",
        };
        match self.capture.checked_sub(PERPETUAL) {
            Some(plies) => write!(f, "{word} by perpetual check within {plies} plies"),
            None => write!(f, "{word} in {} plies, the next capture within {}", self.mate, self.capture),
        }
    }
}

/// All values of an ending, unpacked.
struct Values {
    index: Index,
    /// Outcomes by side to move.
    outcomes: [Vec<Outcome>; 2],
    /// Distances to a capture by side to move; empty for smaller endings, where they are not needed.
    captures: [Vec<u16>; 2],
    mates: [Vec<u16>; 2],
}

impl Values {
    fn read(material: Material, folder: &Folder, whole: bool) -> Result<Values, Fault> {
        let distances = |content| -> Result<[Vec<u16>; 2], Fault> {
            let table = folder.open(material, content)?;
            Ok([table.distances(Side::Red)?, table.distances(Side::Black)?])
        };
        let wins = folder.open(material, Content::Wins)?;
        Ok(Values {
            index: Index::new(material),
            outcomes: [wins.outcomes(Side::Red)?, wins.outcomes(Side::Black)?],
            captures: if whole { distances(Content::Capture)? } else { Default::default() },
            mates: distances(Content::Mate)?,
        })
    }

    fn worth(&self, side: Side, number: usize) -> Worth {
        let distance = |values: &[Vec<u16>; 2]| values[side.index()].get(number).copied().unwrap_or_default();
        match self.outcomes[side.index()][number] {
            Outcome::Draw => Worth::DRAW,
            outcome => Worth { outcome, capture: distance(&self.captures), mate: distance(&self.mates) },
        }
    }
}

/// Tables of an ending and of the endings reachable by a capture.
struct Checker {
    own: Values,
    smaller: Vec<(Material, Values)>,
}

/// Verifies the three tables of an ending against each other and against the smaller tables, which are assumed to be
/// correct.
///
/// # Errors
/// Returns an error if a table is missing, damaged or wrong.
pub fn verify(material: Material, folder: &Folder, threads: usize) -> Result<(), Refuted> {
    let tables = Content::ALL.map(|content| folder.open(material, content));
    let [wins, captures, mates] = tables;
    let tables = [wins?, captures?, mates?];
    let own = Values::read(material, folder, true)?;
    let smaller = material.captures().into_iter().map(|left| Ok((left, Values::read(left, folder, false)?)));
    let checker = Checker { own, smaller: smaller.collect::<Result<_, Fault>>()? };
    let (counted, suspects) = checker.check_all(threads)?;
    checker.check_perpetual(suspects)?;
    tables.iter().try_for_each(|table| counted.compare(table))
}

/// Indices of positions in which the side to move can only check or lose, by side to move and stored value.
#[derive(Default)]
pub struct Suspects(BTreeMap<(usize, bool, u16), Vec<usize>>);

impl Suspects {
    /// Adds an index.
    pub fn note(&mut self, side: Side, said: Worth, number: usize) {
        self.0.entry((side.index(), said.outcome == Outcome::Loss, said.capture)).or_default().push(number);
    }

    /// Adds all indices of another thread.
    pub fn join(&mut self, other: Suspects) {
        for (key, numbers) in other.0 {
            self.0.entry(key).or_default().extend(numbers);
        }
    }
}

/// Counts for comparison with the headers.
#[derive(Clone, Default)]
struct Counted {
    counts: Counts,
    /// Number of wins and losses without a distance to mate, by side to move.
    without_mate: [u64; 2],
    /// Longest distance to the next capture or mate, and to mate, by side to move.
    longest: [[u16; 2]; 2],
}

impl Counted {
    fn add(&mut self, side: Side, weight: u64, worth: Worth) {
        let side = side.index();
        self.counts.legal[side] += weight;
        match worth.outcome {
            Outcome::Draw => return,
            Outcome::Win => self.counts.won[side] += weight,
            Outcome::Loss => self.counts.lost[side] += weight,
        }
        match worth.capture {
            PERPETUAL.. => self.counts.perpetual[side] += weight,
            plies if plies > NATURAL_LIMIT => self.counts.cursed[side] += weight,
            _ => {}
        }
        self.without_mate[side] += if worth.mate >= PERPETUAL { weight } else { 0 };
        for (longest, plies) in self.longest[side].iter_mut().zip([worth.capture, worth.mate]) {
            if plies < PERPETUAL {
                *longest = plies.max(*longest);
            }
        }
    }

    fn join(&mut self, other: &Counted) {
        for side in 0..2 {
            let (mine, more) = (&mut self.counts, &other.counts);
            mine.legal[side] += more.legal[side];
            mine.won[side] += more.won[side];
            mine.lost[side] += more.lost[side];
            mine.cursed[side] += more.cursed[side];
            mine.perpetual[side] += more.perpetual[side];
            self.without_mate[side] += other.without_mate[side];
            for metric in 0..2 {
                self.longest[side][metric] = self.longest[side][metric].max(other.longest[side][metric]);
            }
        }
    }

    fn compare(&self, table: &Table) -> Result<(), Refuted> {
        let header: &Header = table.header();
        let metric = usize::from(header.content == Content::Mate);
        let longest = [self.longest[0][metric], self.longest[1][metric]];
        let perpetual = if metric == 1 { self.without_mate } else { self.counts.perpetual };
        let counts = Counts { undecided: header.counts.undecided, perpetual, ..self.counts };
        let counted = (counts, longest, NATURAL_LIMIT);
        let said = (header.counts, header.longest.map(|(plies, _)| plies), header.limit);
        if counted == said {
            return Ok(());
        }
        let name = table.path().file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        Err(Refuted::Header(name, format!("{counted:?}"), format!("{said:?}")))
    }
}

impl Checker {
    fn check_all(&self, threads: usize) -> Result<(Counted, Suspects), Refuted> {
        const PART: usize = 1 << 12;
        let size = self.own.index.size();
        let next = AtomicUsize::new(0);
        let work = || -> Result<(Counted, Suspects), Refuted> {
            let (mut counted, mut suspects) = (Counted::default(), Suspects::default());
            loop {
                let start = next.fetch_add(PART, Relaxed);
                if start >= size {
                    return Ok((counted, suspects));
                }
                for number in start..(start + PART).min(size) {
                    // The first error stops all threads.
                    let checked = self.check(number, &mut counted, &mut suspects);
                    checked.inspect_err(|_| next.store(size, Relaxed))?;
                }
            }
        };
        std::thread::scope(|scope| {
            let spawn = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
            let others: Vec<_> = (1..threads).map_while(spawn).collect();
            let (mut counted, mut suspects) = work()?;
            for other in others {
                let (more, more_suspects) = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
                counted.join(&more);
                suspects.join(more_suspects);
            }
            Ok((counted, suspects))
        })
    }

    fn check(&self, number: usize, counted: &mut Counted, suspects: &mut Suspects) -> Result<(), Refuted> {
        let index = &self.own.index;
        let both_attack = index.material().both_attack();
        let weight = if index.is_twin(number) { 1 } else { 2 };
        for side in Side::ALL {
            let Some(position) = Position::of_pieces(index.pieces(number), side) else { continue };
            let said = self.own.worth(side, number);
            let follows = self.worth_by_moves(&position, number);
            let is_suspect = both_attack && self.may_be_perpetual(&position, number, said, follows);
            if is_suspect {
                suspects.note(side, said, number);
            } else if said != follows {
                return Err(Refuted::Value(index.material(), Box::new(position), said, follows));
            }
            counted.add(side, weight, said);
        }
        Ok(())
    }

    /// Returns the value of a position that follows from its moves.
    fn worth_by_moves(&self, position: &Position, number: usize) -> Worth {
        let (mut win, mut loss, mut holds) = (None::<Worth>, Worth::MATED, false);
        for mv in position.legal_moves() {
            let Some(mover) = position.piece_on(mv.from) else { continue };
            let next = match position.piece_on(mv.to) {
                None => self.own.worth(!position.side(), self.after(position, number, mover, mv)),
                Some(taken) => Worth { capture: 0, ..self.after_capture(position, mover, mv, taken) },
            };
            let (capture, mate) = (next.capture.saturating_add(1), next.mate.saturating_add(1));
            match next.outcome {
                Outcome::Draw => holds = true,
                Outcome::Loss => {
                    let best = win.unwrap_or(Worth { outcome: Outcome::Win, capture, mate });
                    win = Some(Worth { capture: best.capture.min(capture), mate: best.mate.min(mate), ..best });
                }
                Outcome::Win => {
                    loss = Worth { capture: loss.capture.max(capture), mate: loss.mate.max(mate), ..loss };
                }
            }
        }
        match win {
            Some(win) => win.with_one_length(),
            None if holds => Worth::DRAW,
            None => loss.with_one_length(),
        }
    }

    /// Returns the index after a move to an empty square.
    fn after(&self, position: &Position, number: usize, mover: Piece, mv: Move) -> usize {
        match mover.kind() {
            Kind::King => {
                let kings = |side| if side == mover.side() { mv.to } else { position.king(side) };
                self.own.index.number(false, |side, kind| match kind {
                    Kind::King => chuhe_board::Bitboard::of(kings(side)),
                    _ => position.pieces(side, kind),
                })
            }
            _ => self.own.index.after(number, mover, mv),
        }
    }

    fn after_capture(&self, position: &Position, mover: Piece, mv: Move, taken: Piece) -> Worth {
        let (left, flipped) = self.own.index.material().without(taken.side(), taken.kind()).normal();
        let mut after = position.clone();
        after.make(mv);
        if left.is_dead() {
            return if after.has_moves() { Worth::DRAW } else { Worth::MATED };
        }
        let to_move = if flipped { mover.side() } else { !mover.side() };
        // All endings reachable by captures have been read.
        self.smaller.iter().find(|(material, _)| *material == left).map_or(Worth::DRAW, |(_, values)| {
            values.worth(to_move, values.index.number(flipped, |side, kind| after.pieces(side, kind)))
        })
    }
}
