//! Keys of positions in the hash table.

use chuhe_board::random::GOLDEN_RATIO;
use chuhe_board::rules::Game;
use chuhe_board::{Move, Position};

/// Minimum number of plies without a capture at which the number is part of a hash key; smaller numbers
/// hardly affect the score.
const COUNTED_FROM: u16 = 14;
/// Number of consecutive values of this number that share a hash key.
const PLIES_PER_KEY: u16 = 8;

/// Key of a position that has occurred before: a constant without a pattern.
const OCCURRED: u64 = 0xD1B5_4A32_D192_ED03;

/// Returns the key of a game's position in the hash table. The key also depends on whether the position has
/// occurred before and, approximately, on the number of plies since the last capture, because both affect the
/// score.
pub(crate) fn hash_key(game: &Game) -> u64 {
    let position = game.position();
    let key = position.key() ^ counter_key(position.quiet_plies());
    if has_occurred(game) { key ^ OCCURRED } else { key }
}

/// Returns the position's key and the [`hash_key`] after a move, or a null move, that does not repeat a
/// position.
pub(super) fn keys_after(position: &Position, mv: Option<Move>) -> (u64, u64) {
    let is_capture = mv.is_some_and(|mv| position.piece_on(mv.to).is_some());
    let key = mv.map_or_else(|| position.key_after_null(), |mv| position.key_after(mv));
    (key, key ^ counter_key(if is_capture { 0 } else { position.quiet_plies().saturating_add(1) }))
}

fn counter_key(quiet_plies: u16) -> u64 {
    quiet_plies
        .checked_sub(COUNTED_FROM)
        .map_or(0, |plies| (u64::from(plies / PLIES_PER_KEY) + 1).wrapping_mul(GOLDEN_RATIO))
}

/// Returns `true` if the position has occurred before.
pub(super) fn has_occurred(game: &Game) -> bool {
    !game.is_surely_new() && game.occurrences().next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_key_depends_on_repetitions_and_on_plies_without_a_capture() {
        let game = |text: &str| Game::read(text).expect("a game");
        let at = |plies| game(&format!("4k4/9/9/9/9/9/9/p8/R8/3K5 w - - {plies} 80"));
        let key = |plies| hash_key(&at(plies));
        assert_eq!([key(0), key(14), key(22)], [key(13), key(21), key(29)]);
        assert!(key(13) != key(14) && key(21) != key(22) && key(13) != key(22));
        let repeated = game("4k4/9/9/9/9/9/9/p8/R8/3K5 w - - 0 80 moves a1b1 e9e8 b1a1 e8e9");
        assert_eq!(repeated.position().key(), at(4).position().key());
        assert_ne!(hash_key(&repeated), key(4));
        // A quiet move, a capture and a null move.
        for mv in ["a1b1", "a1a2"].map(|mv| mv.parse().ok()).into_iter().chain([None]) {
            let mut game = at(13);
            let (_, expected) = keys_after(game.position(), mv);
            match mv {
                Some(mv) => game.make(mv),
                None => game.make_null(),
            }
            assert_eq!(hash_key(&game), expected, "{mv:?}");
        }
    }
}
