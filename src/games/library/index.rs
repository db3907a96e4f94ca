//! The position index: games in which a position or its mirror image occurred, with the ply and the move
//! played.
//!
//! The first twelve bits of a position's key select a bucket. Each batch of games adds to each bucket one
//! blob of sorted twelve-byte entries. A batch is therefore written in one pass, and a position is found by
//! reading one bucket, without reading the games. All 64 bits of a key are compared: among ten million
//! positions, a query collides with another position with a probability of 10⁻¹².

use chuhe_board::{Move, Position, Square};
use rusqlite::Connection;
use std::collections::BTreeMap;

/// Maximum number of games per batch. Larger batches make the index slightly smaller; smaller batches lose
/// fewer games when the program is terminated.
pub const BATCH: usize = 1 << GAME;

/// Number of bits that select the bucket.
const BUCKET: u32 = 12;

// Widths in bits of an entry's fields, from the lowest; the rest of the key is above them.
const MOVE: u32 = 14;
const PLY: u32 = 17;
const MIRRORED: u32 = 1;
const GAME: u32 = 12;

/// Size of an entry in bytes; entries are big-endian.
const ENTRY: usize = 12;

/// Returns the key shared by a position and its mirror image, and `true` if the key was computed from the
/// mirror image.
pub(super) fn key(position: &Position) -> (u64, bool) {
    smaller_key(position.key(), position.mirrored().key())
}

fn smaller_key(own: u64, mirrored: u64) -> (u64, bool) {
    (own.min(mirrored), mirrored < own)
}

/// Splits a key into its bucket and the remaining bits.
fn split(key: u64) -> (i64, u64) {
    ((key >> (64 - BUCKET)) as i64, key & (u64::MAX >> BUCKET))
}

/// Returns the key of each position in a game, `true` if the key was computed from the mirror image, and the
/// ply of the first occurrence. Omits positions whose ply does not fit into its field.
fn occurrences(start: &Position, moves: &[Move]) -> Vec<(u64, bool, usize)> {
    let (mut position, mut mirror) = (start.clone(), start.mirrored());
    let mut found = Vec::with_capacity(moves.len() + 1);
    for ply in 0..=moves.len().min((1 << PLY) - 1) {
        let (key, is_mirrored) = smaller_key(position.key(), mirror.key());
        found.push((key, is_mirrored, ply));
        if let Some(mv) = moves.get(ply) {
            position.make(*mv);
            mirror.make(mv.mirrored());
        }
    }
    found.sort_unstable();
    found.dedup_by_key(|(key, is_mirrored, _)| (*key, *is_mirrored));
    found
}

/// Entries of a batch by bucket.
#[derive(Debug, Default)]
pub(super) struct Batch(BTreeMap<i64, Vec<u128>>);

impl Batch {
    /// Adds the positions of a game; `place` is its index in the batch, from 0.
    pub(crate) fn add(&mut self, place: usize, start: &Position, moves: &[Move]) {
        for (key, is_mirrored, ply) in occurrences(start, moves) {
            let (bucket, rest) = split(key);
            // The move a0a0 represents the absence of a move.
            let mv = moves.get(ply).map_or(0, |mv| mv.from.index() << (MOVE / 2) | mv.to.index());
            let place = (place << MIRRORED | usize::from(is_mirrored)) << (PLY + MOVE);
            let low = (place | ply << MOVE | mv) as u128;
            self.0.entry(bucket).or_default().push(u128::from(rest) << (GAME + MIRRORED + PLY + MOVE) | low);
        }
    }

    /// Returns the blob of each bucket.
    pub(crate) fn blobs(self) -> impl Iterator<Item = (i64, Vec<u8>)> {
        self.0.into_iter().map(|(bucket, mut entries)| {
            entries.sort_unstable();
            let bytes = |entry: &u128| entry.to_be_bytes().into_iter().skip(16 - ENTRY);
            (bucket, entries.iter().flat_map(bytes).collect())
        })
    }

    /// Stores the blob of each bucket; `first` is the number of the batch's first game.
    pub(crate) fn write(self, database: &Connection, first: i64) -> rusqlite::Result<()> {
        let mut insert = database.prepare_cached("INSERT INTO positions VALUES (?1, ?2, ?3)")?;
        self.blobs().try_for_each(|(bucket, entries)| insert.execute((bucket, first, entries)).map(drop))
    }
}

/// Returns the bucket of a position.
pub(super) fn bucket(position: &Position) -> i64 {
    split(key(position).0).0
}

/// Returns a blob without the entries of the game with this index in the batch.
pub(super) fn without(blob: &[u8], game: i64) -> Vec<u8> {
    let (entries, _) = blob.as_chunks::<ENTRY>();
    let is_of_game = |entry: &&[u8; ENTRY]| game_of(number(entry)) == game;
    entries.iter().filter(|entry| !is_of_game(entry)).flatten().copied().collect()
}

fn number(entry: &[u8; ENTRY]) -> u128 {
    entry.iter().fold(0, |number, byte| number << 8 | u128::from(*byte))
}

/// Returns the batch index of an entry's game.
fn game_of(entry: u128) -> i64 {
    (entry >> (MOVE + PLY + MIRRORED)) as i64 & ((1 << GAME) - 1)
}

/// Occurrence of a position in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// Ply.
    pub ply: usize,
    /// `true` if the mirror image of the requested position occurred.
    pub mirrored: bool,
    /// Move played in the position; `None` at the end of the game.
    pub mv: Option<Move>,
}

/// A position to find.
pub(super) struct Target {
    /// Bucket that contains its entries.
    pub bucket: i64,
    rest: u64,
    is_mirrored: bool,
}

impl Target {
    pub(crate) fn new(position: &Position) -> Target {
        let (key, is_mirrored) = key(position);
        let (bucket, rest) = split(key);
        Target { bucket, rest, is_mirrored }
    }

    /// Returns the matches in a blob, in order: the index of each game in the batch, and the occurrence. Both
    /// the position and its mirror image may occur in a game.
    pub(crate) fn read<'b>(&self, blob: &'b [u8]) -> impl Iterator<Item = (i64, Occurrence)> + use<'b> {
        let Target { rest, is_mirrored, .. } = *self;
        let (entries, _) = blob.as_chunks::<ENTRY>();
        let key = move |entry: u128| (entry >> (GAME + MIRRORED + PLY + MOVE)) as u64;
        let first = entries.partition_point(|entry| key(number(entry)) < rest);
        let found = entries[first..].iter().map(number).take_while(move |entry| key(*entry) == rest);
        found.map(move |entry| {
            let bits = |from: u32, count: u32| (entry >> from) as usize & ((1 << count) - 1);
            let square = |from: u32| Square::ALL.get(bits(from, MOVE / 2)).copied();
            let mv = square(MOVE / 2).zip(square(0)).filter(|(from, to)| from != to);
            let place = Occurrence {
                ply: bits(MOVE, PLY),
                mirrored: (bits(MOVE + PLY, MIRRORED) == 1) != is_mirrored,
                mv: mv.map(|(from, to)| Move::new(from, to)),
            };
            (game_of(entry), place)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Vec<Move> {
        text.split(' ').map(|mv| mv.parse().expect("a move")).collect()
    }

    fn found(batch: Batch, position: &Position) -> Vec<(i64, usize, bool, String)> {
        let wanted = Target::new(position);
        let blobs: BTreeMap<i64, Vec<u8>> = batch.blobs().collect();
        let said = |mv: Option<Move>| mv.map_or("end".to_owned(), |mv| mv.to_string());
        let read = blobs.get(&wanted.bucket).into_iter().flat_map(|blob| wanted.read(blob));
        read.map(|(game, place)| (game, place.ply, place.mirrored, said(place.mv))).collect()
    }

    #[test]
    fn a_position_is_found_with_its_games_plies_and_moves() {
        let batch = || {
            let mut batch = Batch::default();
            batch.add(7, &Position::start(), &line("h2e2 h9g7"));
            batch.add(4095, &Position::start(), &line("b2e2"));
            // The initial position occurs twice but is counted once.
            batch.add(9, &Position::start(), &line("h2h3 h7h6 h3h2 h6h7 i0i1"));
            batch
        };
        let start = Position::start();
        let expected = [(7, 0, false, "h2e2"), (9, 0, false, "h2h3"), (4095, 0, false, "b2e2")];
        assert_eq!(found(batch(), &start), expected.map(|(game, ply, turned, mv)| (game, ply, turned, mv.to_owned())));
        let mut after = start.clone();
        after.make("h2e2".parse().expect("a move"));
        let expected = [(7, 1, false, "h9g7".to_owned()), (4095, 1, true, "end".to_owned())];
        assert_eq!(found(batch(), &after), expected);
        let expected = [(7, 1, true, "h9g7".to_owned()), (4095, 1, false, "end".to_owned())];
        assert_eq!(found(batch(), &after.mirrored()), expected);
        after.make("h9g7".parse().expect("a move"));
        after.make("h0g2".parse().expect("a move"));
        assert_eq!(found(batch(), &after), []);
    }

    /// The keys are stored in files. If they change, the schema version must change too.
    #[test]
    fn the_key_of_the_start_is_what_libraries_have() {
        assert_eq!(key(&Position::start()), (KEY_OF_THE_START, false));
    }

    const KEY_OF_THE_START: u64 = 0xDF65_5A48_F6B8_0569;
}
