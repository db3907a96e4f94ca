//! Parsers of binary files. Checksums are corrected first, so that the code after their validation is tested.

use chuhe::board::{Position, STARTPOS};
use chuhe::book::Book;
use chuhe::bytes::{crc32, fnv};
use chuhe::data::records::Reader;
use chuhe::endings::Header;
use chuhe::endings::file::Table;
use chuhe::eval::nnue::Network;
use std::path::PathBuf;
use std::{env, fs, process};

/// Writes the bytes to a file for a parser that requires a file, and returns its path.
fn file_of(data: &[u8]) -> PathBuf {
    let path = env::temp_dir().join(format!("chuhe-fuzz-{}", process::id()));
    fs::write(&path, data).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}

/// Parses a network. Encoding the result must give the same bytes, or the same network in the current version.
pub(crate) fn network(data: &[u8]) {
    let mut bytes = data.to_vec();
    if let Some((body, sum)) = bytes.split_last_chunk_mut::<8>() {
        *sum = fnv(body).to_le_bytes();
    }
    if let Ok(network) = Network::decode(&bytes) {
        let encoded = network.encode();
        let is_current = encoded[8..10] == bytes[8..10];
        assert!(encoded == bytes || !is_current, "the network is encoded differently");
        assert!(Network::decode(&encoded) == Ok(network), "the network is decoded differently");
    }
}

/// Opens a tablebase and unpacks its blocks.
pub(crate) fn table(data: &[u8]) {
    let mut bytes = data.to_vec();
    correct(&mut bytes);
    if let Ok(table) = Table::open(&file_of(&bytes)) {
        for number in 0..table.header().blocks.min(4) {
            let _ = table.block(number as usize);
        }
    }
}

/// Corrects the checksums of a tablebase: of each block, of their list, and of the header. Returns `None` if
/// the file is too short for them.
fn correct(bytes: &mut [u8]) -> Option<()> {
    let head = bytes.first_chunk_mut()?;
    let (content, sum) = head.split_last_chunk_mut::<4>()?;
    *sum = crc32(content).to_le_bytes();
    let mut header = Header::read(head)?;
    let mut start = head.len();
    let list_at = usize::try_from(header.list_at).ok()?;
    let list = list_at..list_at.checked_add(12 * header.blocks as usize)?;
    for at in list.clone().step_by(12) {
        let end = u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?);
        let end = usize::try_from(end).ok()?;
        let sum = crc32(bytes.get(start..end)?);
        bytes.get_mut(at + 8..at + 12)?.copy_from_slice(&sum.to_le_bytes());
        start = end;
    }
    header.list_sum = crc32(bytes.get(list)?);
    bytes.first_chunk_mut().map(|head| *head = header.to_bytes())
}

/// Opens an opening book and looks up the initial position.
pub(crate) fn book(data: &[u8]) {
    let Ok(book) = Book::open(&file_of(data)) else { return };
    let Ok(position) = STARTPOS.parse::<Position>() else { return };
    for entry in book.moves(&position).into_iter().flatten() {
        assert!(position.is_legal(entry.mv), "{} is not legal", entry.mv);
    }
}

/// Reads games of training data. The results are encoded and read again.
pub(crate) fn training(data: &[u8]) {
    let Ok(reader) = Reader::new(data) else { return };
    for game in reader.take(50).flatten() {
        let _ = game.encode();
    }
}
