//! Keys of positions in the hash table.

use chuhe_board::rules::Game;

/// Returns the key of a game's position in the hash table. The key also depends on whether the position has
/// occurred before, because this affects the score.
pub(crate) fn table_key(game: &Game) -> u64 {
    let key = game.position().key();
    if has_occurred(game) { key ^ 0xD1B5_4A32_D192_ED03 } else { key }
}

/// Returns `true` if the position has occurred before.
pub(super) fn has_occurred(game: &Game) -> bool {
    !game.is_surely_new() && game.occurrences().next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_key_depends_on_repetitions() {
        let game = |text: &str| Game::read(text).expect("a game");
        let first = game("4k4/9/9/9/9/9/9/p8/R8/3K5 w - - 4 80");
        let repeated = game("4k4/9/9/9/9/9/9/p8/R8/3K5 w - - 0 80 moves a1b1 e9e8 b1a1 e8e9");
        assert_eq!(repeated.position().key(), first.position().key());
        assert_ne!(table_key(&repeated), table_key(&first));
    }
}
