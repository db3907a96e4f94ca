//! The index of positions: which games had a position, or its mirror image.
//!
//! A position's key is split: twelve bits choose a bucket, thirty-two more stand in the bucket beside the game's number. Each batch of games
//! adds one blob to each bucket, sorted, eight bytes an entry: so a batch is written in one pass, and a position is found by reading one bucket.
//! Other positions may share these bits, so the games that are found are played through.

use crate::board::{Move, Position};
use std::collections::BTreeMap;

/// How many bits choose the bucket.
const BUCKET: u32 = 12;

/// An entry: the part of the key, then the game, both with the highest byte first.
const ENTRY: usize = 8;

/// The key that a position shares with its mirror image.
pub(super) fn key(position: &Position) -> u64 {
    position.key().min(position.mirrored().key())
}

/// The keys of all positions of a game, each once.
pub(super) fn keys(start: &Position, moves: &[Move]) -> Vec<u64> {
    let (mut position, mut mirror) = (start.clone(), start.mirrored());
    let mut keys = Vec::with_capacity(moves.len() + 1);
    keys.push(position.key().min(mirror.key()));
    for mv in moves {
        position.make(*mv);
        mirror.make(mv.mirrored());
        keys.push(position.key().min(mirror.key()));
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The bucket of a key, and what stands in it.
pub(super) fn split(key: u64) -> (i64, u32) {
    ((key >> (64 - BUCKET)) as i64, (key >> (32 - BUCKET)) as u32)
}

/// The entries of a batch, by bucket.
#[derive(Debug, Default)]
pub(super) struct Batch(Vec<(u64, u32)>);

impl Batch {
    /// Adds the positions of a game.
    pub fn add(&mut self, keys: &[u64], game: u32) {
        self.0.extend(keys.iter().map(|key| (*key, game)));
    }

    /// The blob of each bucket.
    pub fn blobs(mut self) -> BTreeMap<i64, Vec<u8>> {
        self.0.sort_unstable();
        let mut blobs: BTreeMap<i64, Vec<u8>> = BTreeMap::new();
        for (key, game) in self.0 {
            let (bucket, part) = split(key);
            let blob = blobs.entry(bucket).or_default();
            blob.extend(part.to_be_bytes());
            blob.extend(game.to_be_bytes());
        }
        blobs
    }
}

/// The games that a blob has for a part of a key, in their order.
pub(super) fn games(blob: &[u8], part: u32) -> impl Iterator<Item = i64> + '_ {
    let (entries, _) = blob.as_chunks::<ENTRY>();
    let number = |bytes: &[u8]| bytes.iter().fold(0u32, |number, byte| number << 8 | u32::from(*byte));
    let first = entries.partition_point(|entry| number(&entry[..4]) < part);
    let found = entries[first..].iter().take_while(move |entry| number(&entry[..4]) == part);
    found.map(move |entry| i64::from(number(&entry[4..])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_found_by_its_keys_again() {
        let mut batch = Batch::default();
        let keys = [0xFFF0_0000_0000_0001, 0x1234_5678_9ABC_DEF0, 0x1234_5678_9ABC_DEF1];
        batch.add(&keys, 7);
        batch.add(&keys[1..2], 3);
        let blobs = batch.blobs();
        assert_eq!(blobs.keys().copied().collect::<Vec<_>>(), [0x123, 0xFFF]);
        let (bucket, part) = split(keys[1]);
        // The last twenty bits of a key are in no entry.
        assert_eq!(games(&blobs[&bucket], part).collect::<Vec<_>>(), [3, 7, 7]);
        assert_eq!(games(&blobs[&bucket], part + 1).count(), 0);
    }

    #[test]
    fn a_game_and_its_mirror_image_have_the_same_keys() {
        let moves: Vec<Move> = ["h2e2", "h9g7", "h0g2"].map(|mv| mv.parse().expect("a move")).to_vec();
        let mirrored: Vec<Move> = moves.iter().map(|mv| mv.mirrored()).collect();
        let start = Position::start();
        let found = keys(&start, &moves);
        assert_eq!((found.len(), &found), (4, &keys(&start, &mirrored)));
        assert!(found.contains(&key(&start)));
    }

    /// The numbers stand in files: if they change, so must the version of the tables.
    #[test]
    fn the_key_of_the_start_is_what_libraries_have() {
        assert_eq!(key(&Position::start()), KEY_OF_THE_START);
    }

    const KEY_OF_THE_START: u64 = 0xDF65_5A48_F6B8_0569;
}
