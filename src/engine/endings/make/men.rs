//! The board of the maker: it goes from number to number, and steps forwards for captures and counts, backwards for all else.

use crate::endings::Index;
use crate::endings::index::Group;
use chuhe_board::{Bitboard, Kind, Occupancy, Side, Square, attackers_of_king};

/// The pieces of one number of an ending.
pub struct Men<'i> {
    index: &'i Index,
    number: usize,
    /// By side and kind.
    pieces: [[Bitboard; 7]; 2],
    occupancy: Occupancy,
    /// How many groups stand on the board: fewer than there are if one of the next would share a square.
    placed: usize,
    /// By group; of those not placed the last ones that were.
    digits: Vec<usize>,
}

impl<'i> Men<'i> {
    /// An empty board.
    pub fn new(index: &'i Index) -> Men<'i> {
        let digits = vec![0; index.groups().len()];
        let pieces = [[Bitboard::EMPTY; 7]; 2];
        Men { index, number: usize::MAX, pieces, occupancy: Occupancy::default(), placed: 0, digits }
    }

    /// Puts the pieces of a number on the board. False if two of them would share a square.
    pub fn go(&mut self, number: usize) -> bool {
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

    /// Whether a side's king is attacked or faces the other king.
    pub fn is_attacked(&self, side: Side) -> bool {
        let pieces = |kind: Kind| self.pieces[(!side).index()][kind.index()];
        attackers_of_king(self.king(side), &self.occupancy, !side, pieces).has_any()
    }

    /// Calls `visit` with the kind, origin and target of every legal move of a side, captures or all others, until it returns false.
    pub fn visit_moves(&self, side: Side, captures: bool, mut visit: impl FnMut(Kind, Square, Square) -> bool) {
        let (own, enemy, king) = (self.of_side(side), self.of_side(!side), self.king(side));
        let wanted = if captures { enemy } else { !(own | enemy) };
        // A piece that neither leaves nor enters the king's lines or a horse's leg exposes nothing.
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

    /// The kind of the enemy of `side` on a square.
    pub fn enemy_on(&self, side: Side, square: Square) -> Kind {
        let enemies = &self.pieces[(!side).index()];
        Kind::ALL.into_iter().find(|kind| enemies[kind.index()].has(square)).unwrap_or(Kind::King)
    }

    /// The number after a move without a capture.
    pub fn number_after(&self, mover: (Side, Kind), from: Square, to: Square) -> usize {
        self.index.number(false, |side, kind| self.pieces_after(mover, from, to, (side, kind)))
    }

    /// Whether a legal move without a capture gives check.
    pub fn gives_check(&self, mover: (Side, Kind), from: Square, to: Square) -> bool {
        let (side, mut occupancy) = (mover.0, self.occupancy);
        occupancy.toggle(from);
        occupancy.toggle(to);
        let pieces = |kind: Kind| self.pieces_after(mover, from, to, (side, kind));
        attackers_of_king(self.king(!side), &occupancy, side, pieces).has_any()
    }

    /// The pieces of a side and kind after a move of `mover`.
    pub fn pieces_after(&self, mover: (Side, Kind), from: Square, to: Square, asked: (Side, Kind)) -> Bitboard {
        let set = self.pieces[asked.0.index()][asked.1.index()] & !Bitboard::of(to);
        if asked == mover { (set & !Bitboard::of(from)).with(to) } else { set }
    }

    /// Calls `visit` with the number of every position, whether legal or not, from which a move of `side` without a capture leads here.
    pub fn visit_origins(&self, side: Side, mut visit: impl FnMut(usize)) {
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

    /// Where a piece may have come from, if the square is empty.
    fn origins(&self, group: &Group, to: Square) -> Bitboard {
        match group.kind {
            Kind::Horse => self.occupancy.attackers(group.side, Kind::Horse, to),
            Kind::Pawn => self.occupancy.attackers(group.side, Kind::Pawn, to) & group.domain(),
            kind => self.occupancy.targets(group.side, kind, to),
        }
    }

    /// A king's move may cross into the half of the board that is seen in the mirror.
    fn visit_kings_origins(&self, side: Side, empty: Bitboard, mut visit: impl FnMut(usize)) {
        let here = self.index.kings(self.number);
        let is_twin = self.index.is_twin(self.number);
        let others = self.number - self.index.kings_number(here).unwrap_or_default();
        for from in self.occupancy.targets(side, Kind::King, here[side.index()]) & empty {
            let mut kings = here;
            kings[side.index()] = from;
            match self.index.kings_number(kings) {
                Some(number) => {
                    visit(number + others);
                    // Its mirror image leads to the mirror image of this position, which has no number.
                    if !is_twin && self.index.is_twin(number) {
                        self.index.mirrored(kings, self.number).into_iter().for_each(&mut visit);
                    }
                }
                // The mirror image of a twin is visited by itself.
                None if is_twin => {}
                None => self.index.mirrored(kings, self.number).into_iter().for_each(&mut visit),
            }
        }
    }
}

/// The neighbours across, where horses that attack a king have their legs.
fn across(king: Square) -> Bitboard {
    let beside = Bitboard::of(king).left() | Bitboard::of(king).right();
    beside.ahead(Side::Red) | beside.ahead(Side::Black)
}
