//! The slides' precomputed lists: targets of rooks and cannons by (square, occupancy of its rank) and
//! (square, occupancy of its file), each list sorted so that promising targets come first.

use arrayvec::ArrayVec;
use chuhe_board::named;
use chuhe_board::{Kind, Position, Square};
use std::sync::LazyLock;

/// Targets along one line: first the occupied squares, then the empty ones from the middle of the board
/// outwards.
#[derive(Clone, Debug, Default)]
pub(crate) struct List {
    targets: ArrayVec<Square, 9>,
    occupied: u8,
}

impl List {
    /// Returns the targets occupied by pieces of either side.
    pub(crate) fn captures(&self) -> &[Square] {
        &self.targets[..usize::from(self.occupied)]
    }

    /// Returns the empty targets.
    pub(crate) fn quiets(&self) -> &[Square] {
        &self.targets[usize::from(self.occupied)..]
    }
}

/// Lists of one kind of piece: `[90][512]` along ranks and `[90][1024]` along files.
struct Lists {
    along_rank: Vec<List>,
    along_file: Vec<List>,
}

static ROOK: LazyLock<Lists> = LazyLock::new(|| Lists::of(Kind::Rook));
static CANNON: LazyLock<Lists> = LazyLock::new(|| Lists::of(Kind::Cannon));

impl Lists {
    fn of(kind: Kind) -> Lists {
        let lists = |words: usize, step: (i32, i32)| {
            let word = move |from: Square| (0..words).map(move |word| list(kind, from, step, word));
            Square::ALL.into_iter().flat_map(word).collect()
        };
        Lists { along_rank: lists(1 << 9, (1, 0)), along_file: lists(1 << 10, (0, 1)) }
    }
}

/// Walks from a square in both directions along a line whose occupied squares are the bits of `word`.
fn list(kind: Kind, from: Square, (files, ranks): (i32, i32), word: usize) -> List {
    let bit = |at: Square| if files == 1 { at.file().index() } else { at.rank().index() };
    let mut list = List::default();
    let mut empty: ArrayVec<Square, 9> = ArrayVec::new();
    for way in [1, -1] {
        walk(
            kind,
            from,
            (way * files, way * ranks),
            |at| word >> bit(at) & 1 != 0,
            |to, taken| {
                if taken { list.targets.push(to) } else { empty.push(to) }
            },
        );
    }
    list.occupied = list.targets.len() as u8;
    empty.sort_by_key(|to| to.file().index().abs_diff(4) + to.rank().index().min(9 - to.rank().index()).abs_diff(4));
    list.targets.extend(empty);
    list
}

/// Walks from a square in one direction and visits each target of a rook or a cannon; the flag is `true` if
/// the target is occupied.
fn walk(
    kind: Kind,
    from: Square,
    way: (i32, i32),
    occupied: impl Fn(Square) -> bool,
    mut visit: impl FnMut(Square, bool),
) {
    let mut screens = usize::from(kind == Kind::Cannon);
    let (mut at, mut free) = (from, true);
    while let Some(to) = at.offset(way.0, way.1) {
        at = to;
        match (occupied(to), screens) {
            (false, _) if free => visit(to, false),
            (false, _) => {}
            (true, 0) => return visit(to, true),
            (true, _) => (screens, free) = (screens - 1, false),
        }
    }
}

/// Returns the two lists for a rook or a cannon on a square of a position.
pub(crate) fn lists_of(position: &Position, kind: Kind, from: Square) -> [&'static List; 2] {
    let (rank, file) = position.occupancy().words(from);
    let lists = if kind == Kind::Rook { &ROOK } else { &CANNON };
    [&lists.along_rank[from.index() << 9 | rank], &lists.along_file[from.index() << 10 | file]]
}

named! {
    /// Methods of finding the targets of rooks and cannons, for comparison.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Finder {
        /// Square by square in the four directions.
        Walking = "walking the lines",
        /// The slides' lists.
        Lists = "the slides' lists",
        /// The board's tables, which return sets of squares.
        Sets = "the board's sets",
    }

    /// Returns the name in tables of results.
    pub fn name -> &'static str
}

impl Finder {
    /// Visits every target of the side to move's rooks and cannons, except friendly pieces. Ignores pins.
    pub fn visit(self, position: &Position, mut visit: impl FnMut(Square)) {
        let own = position.of_side(position.side());
        for kind in [Kind::Rook, Kind::Cannon] {
            for from in position.pieces(position.side(), kind) {
                match self {
                    Finder::Walking => {
                        for way in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                            let occupied = |at| position.piece_on(at).is_some();
                            walk(kind, from, way, occupied, |to, _| {
                                if !own.has(to) {
                                    visit(to)
                                }
                            });
                        }
                    }
                    Finder::Lists => {
                        let targets = lists_of(position, kind, from).into_iter().flat_map(|list| &list.targets);
                        targets.filter(|&&to| !own.has(to)).for_each(|&to| visit(to));
                    }
                    Finder::Sets => {
                        let occupancy = position.occupancy();
                        let targets = if kind == Kind::Rook { occupancy.rook(from) } else { occupancy.cannon(from) };
                        (targets & !own).into_iter().for_each(&mut visit);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::Bitboard;
    use chuhe_board::random::SplitMix64;

    #[test]
    fn all_finders_find_the_same_targets() {
        let mut random = SplitMix64::new(10);
        for _ in 0..50 {
            let mut position = Position::start();
            for _ in 0..random.below(80) {
                let Some(&mv) = random.pick(&position.legal_moves()) else { break };
                position.make(mv);
                let [walked, listed, sets] = Finder::ALL.map(|finder| {
                    let (mut all, mut count) = (Bitboard::EMPTY, 0);
                    finder.visit(&position, |to| (all, count) = (all.with(to), count + 1));
                    (all, count)
                });
                assert_eq!(walked, listed, "{position}");
                assert_eq!(walked, sets, "{position}");
            }
        }
    }

    #[test]
    fn captures_come_first_then_the_middle() {
        let position: Position = "4k4/9/9/9/9/2p3R1p/9/9/9/3K5 w".parse().expect("a legal FEN");
        let [rank, _] = lists_of(&position, Kind::Rook, Square::G4);
        assert_eq!(rank.captures(), [Square::I4, Square::C4]);
        assert_eq!(rank.quiets(), [Square::E4, Square::F4, Square::D4, Square::H4]);
    }
}
