//! The table of sentences: each key with its English and Chinese text. Arguments are names in braces.

mod games;
mod key;
mod play;
mod rules;

pub use key::Key;

#[cfg(test)]
impl Key {
    /// Returns all keys.
    pub(super) fn all() -> impl Iterator<Item = Key> {
        [rules::KEYS, games::KEYS, play::KEYS].into_iter().flatten().copied()
    }
}
