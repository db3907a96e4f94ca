//! Numbering of an ending's positions: one digit per side and kind of piece, with the kings outermost and the
//! attackers innermost.
//!
//! Identical pieces are unordered: their digit is the index of the set of their squares. Positions are
//! reduced by mirroring: the red king is on the half with file a; if it is on the middle file, the black king
//! determines the orientation. If both kings are on the middle file, a position and its mirror image have
//! separate indices. Indices of positions in which pieces share a square are never used and have no meaning.

use super::Material;
use chuhe_board::{Bitboard, File, Kind, Move, Piece, Side, Square, domain};

/// Maximum number of pieces of one kind in a table.
pub(crate) const MAX_ALIKE: usize = 3;
/// Number of pairs of king squares, up to mirroring.
const KING_PAIRS: usize = 45;

/// Numbering of one ending's positions.
#[derive(Debug)]
pub struct Index {
    material: Material,
    /// King squares by pair number: red king, black king.
    kings: Vec<[Square; 2]>,
    /// Pair numbers by red king and black king; `None` for pairs that are represented by their mirror image.
    king_pairs: Vec<[Option<u8>; 90]>,
    /// Groups of pieces, outermost first, guards before attackers.
    groups: Vec<Group>,
    /// Number of indices per pair of kings.
    king_stride: usize,
    /// Number of indices with the same kings and guards.
    block: usize,
}

/// The pieces of one side and kind.
#[derive(Debug)]
pub(crate) struct Group {
    /// Side.
    pub side: Side,
    /// Kind.
    pub kind: Kind,
    /// Number of pieces.
    pub count: usize,
    /// Index increment per step of the digit.
    pub stride: usize,
    /// Squares that the pieces can reach.
    domain: Bitboard,
    /// Squares of the pieces by digit; only the first `count` are used.
    sets: Vec<[Square; MAX_ALIKE]>,
    /// Square → index in the domain, for each symmetry in [`VIEWS`].
    places: [[u8; 90]; 4],
    /// Digit → digit of the mirror image.
    mirrored: Vec<u32>,
}

/// Symmetry of the board: identity, mirroring, swapping of colours, or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Symmetry {
    /// `true` if left and right are swapped.
    pub mirrored: bool,
    /// `true` if colours are swapped.
    pub flipped: bool,
}

impl Symmetry {
    fn number(self) -> usize {
        usize::from(self.mirrored) + 2 * usize::from(self.flipped)
    }

    /// Maps a side.
    pub(super) fn side(self, side: Side) -> Side {
        if self.flipped { !side } else { side }
    }

    /// Maps a square.
    pub(crate) fn square(self, square: Square) -> Square {
        let square = if self.mirrored { square.mirrored() } else { square };
        if self.flipped { square.flipped() } else { square }
    }
}

const VIEWS: [Symmetry; 4] = [
    Symmetry { mirrored: false, flipped: false },
    Symmetry { mirrored: true, flipped: false },
    Symmetry { mirrored: false, flipped: true },
    Symmetry { mirrored: true, flipped: true },
];

impl Group {
    fn new(side: Side, kind: Kind, count: usize) -> Group {
        let squares: Vec<Square> = domain(side, kind).into_iter().collect();
        let place = |square: Square| squares.iter().position(|known| *known == square).map_or(u8::MAX, |at| at as u8);
        let places = VIEWS.map(|view| Square::ALL.map(|square| place(view.square(square))));
        let domain = domain(side, kind);
        let mut group = Group { side, kind, count, stride: 0, domain, sets: Vec::new(), places, mirrored: Vec::new() };
        let mut set = [squares[0]; MAX_ALIKE];
        group.add_sets(&squares, count, squares.len(), &mut set);
        let mirrored = |set: &[Square; MAX_ALIKE]| {
            let set = set[..count].iter().map(|square| square.mirrored()).collect();
            group.digit(set, Symmetry::default()) as u32
        };
        group.mirrored = group.sets.iter().map(mirrored).collect();
        group
    }

    /// Adds all sets of `left` squares among the first `below` squares, in the order of their digits; the
    /// highest square is the most significant.
    fn add_sets(&mut self, squares: &[Square], left: usize, below: usize, set: &mut [Square; MAX_ALIKE]) {
        if left == 0 {
            return self.sets.push(*set);
        }
        for place in left - 1..below {
            set[left - 1] = squares[place];
            self.add_sets(squares, left - 1, place, set);
        }
    }

    /// Returns the number of digits.
    pub(crate) fn size(&self) -> usize {
        self.sets.len()
    }

    /// Returns the squares that the pieces can reach.
    pub(crate) fn domain(&self) -> Bitboard {
        self.domain
    }

    /// Returns the squares of the pieces represented by a digit.
    pub(crate) fn squares(&self, digit: usize) -> &[Square] {
        &self.sets[digit][..self.count]
    }

    /// Returns the digit of a set of squares. The set must lie within the domain and have as many squares as
    /// the group has pieces.
    fn digit(&self, set: Bitboard, view: Symmetry) -> usize {
        let places = &self.places[view.number()];
        match self.count {
            1 => set.first().map_or(0, |square| usize::from(places[square.index()])),
            _ => self.digit_of_several(set, places),
        }
    }

    fn digit_of_several(&self, set: Bitboard, places: &[u8; 90]) -> usize {
        let mut sorted = [usize::MAX; MAX_ALIKE];
        for (slot, square) in sorted.iter_mut().zip(set) {
            *slot = usize::from(places[square.index()]);
        }
        sorted.sort_unstable();
        let [a, b, c] = sorted;
        let pair = a + b * (b - 1) / 2;
        if self.count == 2 { pair } else { pair + c * (c - 1) * (c.max(2) - 2) / 6 }
    }

    /// Returns the digit after a piece has moved from one square to another.
    pub(crate) fn digit_after(&self, digit: usize, from: Square, to: Square) -> usize {
        match self.count {
            1 => usize::from(self.places[0][to.index()]),
            _ => {
                let set: Bitboard = self.squares(digit).iter().map(|&at| if at == from { to } else { at }).collect();
                self.digit_of_several(set, &self.places[0])
            }
        }
    }
}

impl Index {
    /// Creates the numbering of an ending, which must be in normal form.
    pub fn new(material: Material) -> Index {
        let guards = [Kind::Advisor, Kind::Elephant];
        let attackers = [Kind::Pawn, Kind::Cannon, Kind::Horse, Kind::Rook];
        let of = |kinds: &[Kind]| {
            let all = Side::ALL.into_iter().flat_map(|side| kinds.iter().map(move |kind| (side, *kind)));
            let there = all.map(|(side, kind)| (side, kind, usize::from(material.count(side, kind))));
            there.filter(|(.., count)| *count > 0).collect::<Vec<_>>()
        };
        let outer = of(&guards);
        let new = |(side, kind, count)| Group::new(side, kind, count);
        let mut groups: Vec<Group> = outer.iter().copied().chain(of(&attackers)).map(new).collect();
        let (mut stride, mut block) = (1, 1);
        for place in (0..groups.len()).rev() {
            groups[place].stride = stride;
            stride *= groups[place].size();
            if place == outer.len() {
                block = stride;
            }
        }
        let mut kings = Vec::with_capacity(KING_PAIRS);
        let mut king_pairs = vec![[None; 90]; 90];
        for red in domain(Side::Red, Kind::King) {
            for black in domain(Side::Black, Kind::King) {
                if (red.file(), black.file()) < (File::E, File::F) {
                    king_pairs[red.index()][black.index()] = Some(kings.len() as u8);
                    kings.push([red, black]);
                }
            }
        }
        debug_assert_eq!(kings.len(), KING_PAIRS);
        Index { material, kings, king_pairs, groups, king_stride: stride, block }
    }

    /// Returns the ending.
    pub(crate) fn material(&self) -> Material {
        self.material
    }

    /// Returns the number of indices for each side to move.
    pub fn size(&self) -> usize {
        self.kings.len() * self.king_stride
    }

    /// Returns the number of consecutive indices with the same kings and guards.
    pub(crate) fn block(&self) -> usize {
        self.block
    }

    /// Returns the number of consecutive indices that differ only in the innermost digit.
    pub fn row(&self) -> usize {
        self.groups.last().map_or(1, Group::size)
    }

    /// Returns the groups of pieces, outermost first.
    pub(crate) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Returns the number of guard groups, which come first.
    pub(crate) fn guards(&self) -> usize {
        self.groups.iter().take_while(|group| matches!(group.kind, Kind::Advisor | Kind::Elephant)).count()
    }

    /// Returns the king squares for an index: Red's, then Black's.
    pub(crate) fn kings(&self, number: usize) -> [Square; 2] {
        self.kings[number / self.king_stride]
    }

    /// Returns the digit of a group in an index.
    pub(crate) fn digit(&self, group: &Group, number: usize) -> usize {
        number / group.stride % group.size()
    }

    /// Returns `true` if a position and its mirror image have separate indices, that is, if both kings are on
    /// the middle file.
    pub fn is_twin(&self, number: usize) -> bool {
        self.kings(number).iter().all(|king| king.file() == File::E)
    }

    /// Returns the pieces for an index, the kings first; pieces may share a square.
    pub fn pieces(&self, number: usize) -> impl Iterator<Item = (Piece, Square)> {
        let kings = Side::ALL.into_iter().zip(self.kings(number));
        let kings = kings.map(|(side, square)| (Piece::new(side, Kind::King), square));
        let others = self.groups.iter().flat_map(move |group| {
            let piece = Piece::new(group.side, group.kind);
            group.squares(self.digit(group, number)).iter().map(move |square| (piece, *square))
        });
        kings.chain(others)
    }

    /// Returns the index after a piece other than a king has moved to an empty square.
    pub(crate) fn after(&self, number: usize, piece: Piece, mv: Move) -> usize {
        let moved = |group: &&Group| (group.side, group.kind) == (piece.side(), piece.kind());
        self.groups.iter().find(moved).map_or(number, |group| {
            let digit = self.digit(group, number);
            number - digit * group.stride + group.digit_after(digit, mv.from, mv.to) * group.stride
        })
    }

    /// Returns the index of a pair of kings without other pieces; `None` if only the mirror image has an
    /// index.
    pub(crate) fn kings_number(&self, kings: [Square; 2]) -> Option<usize> {
        self.king_pairs[kings[0].index()][kings[1].index()].map(|pair| usize::from(pair) * self.king_stride)
    }

    /// Returns the index of the mirror image of the position with kings on `kings` and the other pieces of
    /// `number`; `None` if the mirror image has no index of its own.
    pub fn mirrored(&self, kings: [Square; 2], number: usize) -> Option<usize> {
        let kings = self.kings_number(kings.map(Square::mirrored))?;
        let digits = self.groups.iter().map(|group| group.stride * group.mirrored[self.digit(group, number)] as usize);
        Some(kings + digits.sum::<usize>())
    }

    /// Returns the index of a board that is given by the squares of each side and kind; `flipped` swaps the
    /// colours if Black is the stronger side.
    #[inline]
    pub fn number(&self, flipped: bool, pieces: impl Fn(Side, Kind) -> Bitboard) -> usize {
        let mut view = Symmetry { mirrored: false, flipped };
        let king = |side| pieces(view.side(side), Kind::King).first().map_or(Square::E0, |square| view.square(square));
        let kings = Side::ALL.map(king);
        let kings = self.kings_number(kings).or_else(|| {
            view.mirrored = true;
            self.kings_number(kings.map(Square::mirrored))
        });
        let mut number = kings.unwrap_or_default();
        for group in &self.groups {
            number += group.stride * group.digit(pieces(view.side(group.side), group.kind), view);
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the pieces for an index, or `None` if two of them share a square.
    fn board(index: &Index, number: usize) -> Option<[[Bitboard; 7]; 2]> {
        let mut sets = [[Bitboard::EMPTY; 7]; 2];
        let mut all = Bitboard::EMPTY;
        let mut put = |side: Side, kind: Kind, square: Square| {
            let free = !all.has(square);
            all = all.with(square);
            let set = &mut sets[side.index()][kind.index()];
            *set = set.with(square);
            free
        };
        let sound = index.pieces(number).fold(true, |sound, (piece, at)| put(piece.side(), piece.kind(), at) && sound);
        sound.then_some(sets)
    }

    #[test]
    fn every_number_gives_a_position_that_gives_the_number() {
        for name in ["R-", "H-A", "PA-E", "HH-A", "CE-AAE", "PPP-", "R-P"] {
            let index = Index::new(name.parse().expect(name));
            for number in 0..index.size() {
                let Some(sets) = board(&index, number) else { continue };
                let pieces = |side: Side, kind: Kind| sets[side.index()][kind.index()];
                assert_eq!(index.number(false, pieces), number, "{name}");
                let view = |view: Symmetry| {
                    move |side: Side, kind: Kind| {
                        pieces(view.side(side), kind).into_iter().map(|at| view.square(at)).collect()
                    }
                };
                assert_eq!(index.number(true, view(VIEWS[2])), number, "{name}, colours swapped");
                let mirrored = index.number(false, view(VIEWS[1]));
                assert_eq!(index.number(true, view(VIEWS[3])), mirrored, "{name}, both");
                match index.is_twin(number) {
                    true => assert_eq!(index.mirrored(index.kings(number), number), Some(mirrored), "{name}"),
                    false => assert_eq!(mirrored, number, "{name}"),
                }
            }
        }
    }

    #[test]
    fn sizes_are_those_of_the_board() {
        let size = |name: &str| Index::new(name.parse().expect(name)).size();
        assert_eq!(size("R-AAEE"), 45 * 90 * 210);
        assert_eq!(size("RP-AAEE"), 45 * 90 * 55 * 210);
        assert_eq!(size("HH-AAEE"), 45 * 4005 * 210);
        assert_eq!(size("CAAEE-AAEE"), 45 * 90 * 210 * 210);
    }
}
