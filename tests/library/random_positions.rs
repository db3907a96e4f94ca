//! Test positions, which are the same on every machine: from random games, and from boards with a few random
//! pieces.

use chuhe::board::{Kind, Piece, Position, Setup, Side, Square, domain};
use chuhe::random::SplitMix64;

/// Plays random legal moves from the initial position and visits every position, until the game ends or
/// `plies` have been played.
pub(crate) fn random_game(random: &mut SplitMix64, plies: usize, mut visit: impl FnMut(&mut Position)) {
    let mut position = Position::start();
    for _ in 0..plies {
        visit(&mut position);
        let Some(&mv) = random.pick(&position.legal_moves()) else { return };
        position.make(mv);
    }
}

/// Returns a legal position with the kings and up to `most` other pieces. About half of them are placed near
/// a king or on its file or rank, where checks and pins occur.
pub(crate) fn strewn(random: &mut SplitMix64, most: u64) -> Position {
    loop {
        if let Ok(position) = Position::new(&strew(random, most)) {
            return position;
        }
    }
}

fn strew(random: &mut SplitMix64, most: u64) -> Setup {
    let mut setup = Setup::empty();
    setup.side = Side::ALL[random.below(2) as usize];
    setup.quiet_plies = random.below(100) as u16;
    setup.move_number = 1 + random.below(200) as u16;
    let kings = Side::ALL.map(|side| {
        let squares: Vec<Square> = domain(side, Kind::King).into_iter().collect();
        let king = squares[random.below(9) as usize];
        setup.board[king.index()] = Some(Piece::new(side, Kind::King));
        king
    });
    for _ in 0..random.below(most) + 1 {
        let piece = Piece::ALL[random.below(14) as usize];
        let used = setup.board.iter().filter(|there| **there == Some(piece)).count() as u32;
        let king = kings[random.below(2) as usize];
        let anywhere = random.below(2) == 0;
        let near = |square: &Square| {
            let files = square.file().index().abs_diff(king.file().index());
            let ranks = square.rank().index().abs_diff(king.rank().index());
            anywhere || files == 0 || ranks == 0 || files + ranks <= 3
        };
        let squares = domain(piece.side(), piece.kind()).into_iter();
        let free: Vec<Square> = squares.filter(|at| setup.board[at.index()].is_none()).filter(near).collect();
        if used < piece.kind().in_a_set() && !free.is_empty() {
            setup.board[free[random.below(free.len() as u64) as usize].index()] = Some(piece);
        }
    }
    setup
}

/// Visits positions of all kinds: half from games, half with random pieces.
pub(crate) fn mixed(seed: u64, count: usize, mut visit: impl FnMut(&mut Position)) {
    let mut random = SplitMix64::new(seed);
    let mut seen = 0;
    while seen < count {
        let length = random.below(250) as usize + 10;
        let mut games = random.clone();
        random.next();
        random_game(&mut games, length, |position| {
            if seen < count {
                visit(position);
                seen += 1;
            }
        });
        for _ in 0..length.min(count.saturating_sub(seen)) {
            visit(&mut strewn(&mut random, 16));
            seen += 1;
        }
    }
}
