//! Starting positions of games: a few random moves from a given position, or a random ending.

use chuhe_board::random::SplitMix64;
use chuhe_board::{Kind, Move, Piece, Position, Setup, Side, Square, domain};

/// Maximum loss of a random move by static exchange evaluation, in centipawns: losing a horse for two pawns
/// is still acceptable.
const MAX_LOST: i32 = 250;

/// Returns the position after random moves, or `None` if the game ended. Avoids moves that lose a piece if
/// there are others. The move number restarts at 1.
pub(crate) fn random_moves(start: &Position, plies: u64, random: &mut SplitMix64) -> Option<Position> {
    let mut position = start.clone();
    for _ in 0..plies {
        let all = position.legal_moves();
        let sound: Vec<Move> = all.iter().copied().filter(|&mv| position.exchange_wins(mv, -MAX_LOST)).collect();
        let choice = if sound.is_empty() { &all[..] } else { &sound[..] };
        if choice.is_empty() {
            return None;
        }
        position.make(choice[random.below(choice.len() as u64) as usize]);
    }
    let setup = Setup { move_number: 1, ..position.setup() };
    Position::new(&setup).ok().filter(Position::has_moves)
}

/// Returns a random ending: each side has its king, some guards and one to three attackers on random
/// reachable squares. Returns `None` if the position is illegal.
pub(crate) fn random_ending(random: &mut SplitMix64) -> Option<Position> {
    let mut setup = Setup::empty();
    if random.below(2) == 1 {
        setup.side = Side::Black;
    }
    let attackers = 1 + random.below(3);
    for side in Side::ALL {
        let mut pieces = vec![Kind::King];
        for guard in [Kind::Advisor, Kind::Elephant] {
            pieces.extend(std::iter::repeat_n(guard, random.below(3) as usize));
        }
        for _ in 0..attackers {
            const CHOICE: [Kind; 5] = [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Pawn, Kind::Pawn];
            pieces.push(CHOICE[random.below(5) as usize]);
        }
        for kind in pieces {
            let free: Vec<Square> =
                domain(side, kind).into_iter().filter(|at| setup.board[at.index()].is_none()).collect();
            let square = *free.get(random.below(free.len().max(1) as u64) as usize)?;
            setup.board[square.index()] = Some(Piece::new(side, kind));
        }
    }
    Position::new(&setup).ok().filter(Position::has_moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides_the_opening() {
        let opening = |seed| random_moves(&Position::start(), 8, &mut SplitMix64::new(seed));
        assert_eq!(opening(5), opening(5));
        let mut all: Vec<String> = (0..200).filter_map(opening).map(|position| position.to_string()).collect();
        all.sort();
        all.dedup();
        assert!(all.len() > 190, "{}", all.len());
    }

    #[test]
    fn no_random_move_gives_a_rook_away() {
        for seed in 0..100 {
            let position = random_moves(&Position::start(), 1, &mut SplitMix64::new(seed)).expect("an opening");
            let lost = position.legal_moves().into_iter().map(|mv| position.exchange(mv)).max();
            assert!(lost < Some(1000), "{position}");
        }
    }

    #[test]
    fn half_the_endings_can_be_played() {
        let mut random = SplitMix64::new(1);
        let endings: Vec<Position> = (0..400).filter_map(|_| random_ending(&mut random)).collect();
        assert!(endings.len() > 150, "{}", endings.len());
        assert!(endings.iter().all(|ending| (4..=16).contains(&ending.occupancy().all().count())));
        assert!(Side::ALL.iter().all(|&side| endings.iter().any(|ending| ending.side() == side)));
    }
}
