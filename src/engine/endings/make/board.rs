//! The generator's board: decodes indices, and generates forward moves (for captures and counts) and backward
//! moves (for everything else).

use crate::endings::Index;
use crate::endings::index::Group;
use chuhe_board::{Bitboard, Kind, Occupancy, Side, Square, attackers_of_king};

/// Pieces in one position of an ending.
pub(super) struct Board<'i> {
    index: &'i Index,
    number: usize,
    /// Squares by side and kind.
    pieces: [[Bitboard; 7]; 2],
    occupancy: Occupancy,
    /// Number of placed groups. Placement stops at the first group that would share a square with another.
    placed: usize,
    /// Digit of each group; for a group that is not placed, the last digit at which it was placed.
    digits: Vec<usize>,
}

impl<'i> Board<'i> {
    /// Creates an empty board.
    pub(crate) fn new(index: &'i Index) -> Board<'i> {
        let digits = vec![0; index.groups().len()];
        let pieces = [[Bitboard::EMPTY; 7]; 2];
        Board { index, number: usize::MAX, pieces, occupancy: Occupancy::default(), placed: 0, digits }
    }

    /// Places the pieces for an index. Returns `false` if two of them would share a square.
    pub(super) fn go(&mut self, number: usize) -> bool {
        let block = self.index.block();
        let (groups, guards) = (self.index.groups(), self.index.guards());
        if number / block != self.number / block {
            self.occupancy = Occupancy::default();
            self.pieces = [[Bitboard::EMPTY; 7]; 2];
            for (side, king) in Side::ALL.into_iter().zip(self.index.kings(number)) {
                self.pieces[side.index()][Kind::King.index()] = Bitboard::of(king);
                self.occupancy.toggle(king);
            }
            self.placed = 0;
            self.place(number, guards);
        } else if self.placed >= guards {
            for place in (guards..self.placed).rev() {
                let group = &groups[place];
                let set = &mut self.pieces[group.side.index()][group.kind.index()];
                set.into_iter().for_each(|square| self.occupancy.toggle(square));
                *set = Bitboard::EMPTY;
            }
            self.placed = guards;
        }
        self.number = number;
        if self.placed == guards {
            self.place(number, groups.len());
        }
        self.placed == groups.len()
    }

    /// Places the groups up to `end`, as long as no two pieces share a square.
    fn place(&mut self, number: usize, end: usize) {
        while self.placed < end {
            let group = &self.index.groups()[self.placed];
            let digit = self.index.digit(group, number);
            let set: Bitboard = group.squares(digit).iter().copied().collect();
            if (set & self.occupancy.all()).has_any() {
                return;
            }
            self.pieces[group.side.index()][group.kind.index()] = set;
            set.into_iter().for_each(|square| self.occupancy.toggle(square));
            self.digits[self.placed] = digit;
            self.placed += 1;
        }
    }

    fn king(&self, side: Side) -> Square {
        self.index.kings(self.number)[side.index()]
    }

    fn of_side(&self, side: Side) -> Bitboard {
        self.pieces[side.index()].iter().fold(Bitboard::EMPTY, |all, set| all | *set)
    }

    /// Returns `true` if a side's king is attacked or faces the other king.
    pub(crate) fn is_attacked(&self, side: Side) -> bool {
        let pieces = |kind: Kind| self.pieces[(!side).index()][kind.index()];
        attackers_of_king(self.king(side), &self.occupancy, !side, pieces).has_any()
    }

    /// Calls `visit` with the kind, origin and target of every legal move of a side, either captures or quiet
    /// moves, until `visit` returns `false`.
    pub(crate) fn visit_moves(&self, side: Side, captures: bool, mut visit: impl FnMut(Kind, Square, Square) -> bool) {
        let (own, enemy, king) = (self.of_side(side), self.of_side(!side), self.king(side));
        let wanted = if captures { enemy } else { !(own | enemy) };
        // A move that neither leaves nor enters the king's lines or diagonal neighbours (the legs of
        // attacking horses) does not expose the king.
        let near = Bitboard::of_file(king.file()) | Bitboard::of_rank(king.rank()) | across(king);
        let calm = !self.is_attacked(side);
        for kind in Kind::ALL {
            for from in self.pieces[side.index()][kind.index()] {
                for to in self.occupancy.targets(side, kind, from) & wanted {
                    let is_safe = calm && kind != Kind::King && !near.has(from) && !near.has(to);
                    if (is_safe || self.is_safe_after(side, kind, from, to)) && !visit(kind, from, to) {
                        return;
                    }
                }
            }
        }
    }

    fn is_safe_after(&self, side: Side, kind: Kind, from: Square, to: Square) -> bool {
        let mut occupancy = self.occupancy;
        occupancy.toggle(from);
        if !occupancy.all().has(to) {
            occupancy.toggle(to);
        }
        let king = if kind == Kind::King { to } else { self.king(side) };
        let enemies = |kind: Kind| self.pieces[(!side).index()][kind.index()] & !Bitboard::of(to);
        attackers_of_king(king, &occupancy, !side, enemies).is_empty()
    }

    /// Returns the kind of the opponent's piece on a square.
    pub(crate) fn enemy_on(&self, side: Side, square: Square) -> Kind {
        let enemies = &self.pieces[(!side).index()];
        Kind::ALL.into_iter().find(|kind| enemies[kind.index()].has(square)).expect("a captured piece is on the board")
    }

    /// Returns the index after a quiet move.
    pub(crate) fn number_after(&self, mover: (Side, Kind), from: Square, to: Square) -> usize {
        self.index.number(false, |side, kind| self.pieces_after(mover, from, to, (side, kind)))
    }

    /// Returns `true` if a legal quiet move gives check.
    pub(super) fn gives_check(&self, mover: (Side, Kind), from: Square, to: Square) -> bool {
        let (side, mut occupancy) = (mover.0, self.occupancy);
        occupancy.toggle(from);
        occupancy.toggle(to);
        let pieces = |kind: Kind| self.pieces_after(mover, from, to, (side, kind));
        attackers_of_king(self.king(!side), &occupancy, side, pieces).has_any()
    }

    /// Returns the squares of the pieces of `asked` (side and kind) after a move by a piece of `mover`.
    pub(crate) fn pieces_after(&self, mover: (Side, Kind), from: Square, to: Square, asked: (Side, Kind)) -> Bitboard {
        let set = self.pieces[asked.0.index()][asked.1.index()] & !Bitboard::of(to);
        if asked == mover { (set & !Bitboard::of(from)).with(to) } else { set }
    }

    /// Calls `visit` with the index of every position, legal or not, from which a quiet move of `side` leads
    /// to this position.
    pub(crate) fn visit_origins(&self, side: Side, mut visit: impl FnMut(usize)) {
        let empty = !self.occupancy.all();
        for (place, group) in self.index.groups().iter().enumerate().filter(|(_, group)| group.side == side) {
            let digit = self.digits[place];
            let rest = self.number - digit * group.stride;
            for to in self.pieces[side.index()][group.kind.index()] {
                for from in self.origins(group, to) & empty {
                    visit(rest + group.digit_after(digit, to, from) * group.stride);
                }
            }
        }
        self.visit_kings_origins(side, empty, visit);
    }

    /// Returns the squares from which a piece may have reached this square.
    fn origins(&self, group: &Group, to: Square) -> Bitboard {
        match group.kind {
            Kind::Horse => self.occupancy.attackers(group.side, Kind::Horse, to),
            Kind::Pawn => self.occupancy.attackers(group.side, Kind::Pawn, to) & group.domain(),
            kind => self.occupancy.targets(group.side, kind, to),
        }
    }

    /// Visits the origins of king moves, which may cross to the mirrored half of the board.
    fn visit_kings_origins(&self, side: Side, empty: Bitboard, mut visit: impl FnMut(usize)) {
        let here = self.index.kings(self.number);
        let is_twin = self.index.is_twin(self.number);
        let others = self.number - self.index.kings_number(here).expect("kings of an index have a number");
        for from in self.occupancy.targets(side, Kind::King, here[side.index()]) & empty {
            let mut kings = here;
            kings[side.index()] = from;
            match self.index.kings_number(kings) {
                Some(number) => {
                    visit(number + others);
                    // The mirror image of the origin leads to the mirror image of this position, which has no
                    // index of its own.
                    if !is_twin && self.index.is_twin(number) {
                        self.index.mirrored(kings, self.number).into_iter().for_each(&mut visit);
                    }
                }
                // The mirror image of a twin is visited separately.
                None if is_twin => {}
                None => self.index.mirrored(kings, self.number).into_iter().for_each(&mut visit),
            }
        }
    }
}

/// Returns the diagonal neighbours of a king, which are the legs of attacking horses.
fn across(king: Square) -> Bitboard {
    let beside = Bitboard::of(king).left() | Bitboard::of(king).right();
    beside.ahead(Side::Red) | beside.ahead(Side::Black)
}
