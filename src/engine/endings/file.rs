//! Table files: a header, separately compressed blocks, and a list of the blocks.
//!
//! The values of positions with Red to move precede those with Black to move, in index order. A block of
//! identical bytes is stored as one byte; all other blocks are compressed with Deflate. The list contains the
//! end and checksum of each block.

use super::header::{Counts, Header, LENGTH};
use super::{Content, Index, Material};
use crate::bytes::{Fields, crc32, open_file, replace_file_by};
use chuhe_board::Side;
use chuhe_board::rules::Outcome;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use thiserror::Error;

/// Size of an unpacked block in bytes, the window size of Deflate.
const BLOCK: usize = 1 << 15;
/// Compression level, from 0 to 10.
const PACKING: u8 = 7;

/// Reason why a table cannot be used.
#[derive(Debug, Error)]
pub enum TableFault {
    /// The file cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, io::Error),
    /// The file is not a table or is damaged; contains a description.
    #[error("{}: {}", .0.display(), .1)]
    Damaged(PathBuf, &'static str),
    /// The folder does not contain the table of this ending.
    #[error("{folder}: there is no table of {0}; run chuhe endings make {0}", folder = .1.display())]
    Missing(Material, PathBuf),
}

/// An open table.
#[derive(Debug)]
pub struct Table {
    header: Header,
    /// End and checksum of each packed block in the file.
    blocks: Vec<(u64, u32)>,
    file: Mutex<File>,
    path: PathBuf,
}

impl Table {
    /// Opens a table file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not a table or is damaged.
    pub fn open(path: &Path) -> Result<Table, TableFault> {
        let damaged = |what| TableFault::Damaged(path.into(), what);
        let fault = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => damaged("not a tablebase file, or truncated"),
            _ => TableFault::File(path.into(), error),
        };
        let mut file = open_file(path).map_err(fault)?;
        let first: [u8; LENGTH] = read_at(&mut file, 0, LENGTH).map_err(fault)?.try_into().unwrap_or([0; LENGTH]);
        let header = Header::read(&first).ok_or_else(|| damaged("not a tablebase file, or the header is damaged"))?;
        let size = Index::new(header.material).size() as u64;
        let sound_bits = match header.content {
            Content::Wins => matches!(header.bits, 1 | 2),
            _ => matches!(header.bits, 8 | 16),
        };
        let values = header.values_in_a_block();
        let sound_size = header.size == size && sound_bits && header.block as usize == BLOCK;
        if !sound_size || u64::from(header.blocks) != (2 * size).div_ceil(values) {
            return Err(damaged("the header is inconsistent"));
        }
        let list_length = u64::from(header.blocks) * 12;
        if file.metadata().map_err(fault)?.len() != header.length() {
            return Err(damaged("truncated or too long"));
        }
        let list = read_at(&mut file, header.list_at, list_length as usize).map_err(fault)?;
        if crc32(&list) != header.list_sum {
            return Err(damaged("the list of blocks is damaged"));
        }
        let mut fields = Fields::new(&list);
        let entry = |_| Some((fields.u64()?, fields.u32()?));
        let blocks: Vec<(u64, u32)> = (0..header.blocks).map_while(entry).collect();
        let ends = blocks.iter().map(|(end, _)| *end);
        if blocks.len() != header.blocks as usize
            || !ends.is_sorted()
            || blocks.last().map(|last| last.0) != Some(header.list_at)
        {
            return Err(damaged("the list of blocks is damaged"));
        }
        Ok(Table { header, blocks, file: Mutex::new(file), path: path.into() })
    }

    /// Returns the header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.header.length()
    }

    /// Reads and unpacks a block.
    ///
    /// # Errors
    /// Returns an error if the block cannot be read or is damaged.
    pub fn block(&self, number: usize) -> Result<Vec<u8>, TableFault> {
        let damaged = || TableFault::Damaged(self.path.clone(), "a block is damaged");
        let start = if number == 0 { LENGTH as u64 } else { self.blocks[number - 1].0 };
        let (end, sum) = self.blocks[number];
        let length = usize::try_from(end.saturating_sub(start)).map_err(|_| damaged())?;
        // A packed block is never much longer than the unpacked block.
        if length > 2 * BLOCK {
            return Err(damaged());
        }
        let packed = self.read(start, length).map_err(|error| TableFault::File(self.path.clone(), error))?;
        if crc32(&packed) != sum {
            return Err(damaged());
        }
        let unpacked = match packed[..] {
            [byte] => vec![byte; BLOCK],
            _ => decompress_to_vec_with_limit(&packed, BLOCK).map_err(|_| damaged())?,
        };
        if unpacked.len() == BLOCK { Ok(unpacked) } else { Err(damaged()) }
    }

    fn read(&self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        read_at(&mut self.file.lock().unwrap_or_else(|poisoned| poisoned.into_inner()), at, length)
    }

    /// Returns the location of a position's value as a block number and an index within the block.
    pub fn place(&self, side: Side, number: usize) -> (usize, usize) {
        let value = side.index() * self.header.size as usize + number;
        let values = self.header.values_in_a_block() as usize;
        (value / values, value % values)
    }

    /// Returns the value at an index in an unpacked block.
    pub fn value(&self, block: &[u8], place: usize) -> u16 {
        match self.header.bits {
            8 => u16::from(block[place]),
            16 => u16::from_le_bytes([block[2 * place], block[2 * place + 1]]),
            bits => {
                let per_byte = 8 / bits as usize;
                let byte = block[place / per_byte] >> (place % per_byte * bits as usize);
                u16::from(byte) & ((1 << bits) - 1)
            }
        }
    }

    /// Converts a value from a table of outcomes to an outcome for the side to move.
    pub(crate) fn outcome(&self, side: Side, value: u16) -> Outcome {
        match (self.header.bits, value) {
            (_, 0) => Outcome::Draw,
            (1, _) if side == Side::Black => Outcome::Loss,
            (_, 1) => Outcome::Win,
            _ => Outcome::Loss,
        }
    }

    /// Returns the outcomes of all positions with a given side to move, from a table of outcomes.
    ///
    /// # Errors
    /// Returns an error if a block cannot be read or is damaged.
    pub fn outcomes(&self, side: Side) -> Result<Vec<Outcome>, TableFault> {
        self.values(side, |value| self.outcome(side, value))
    }

    /// Returns the distances of all positions with a given side to move, from a table of distances. Distances
    /// of draws are meaningless.
    ///
    /// # Errors
    /// Returns an error if a block cannot be read or is damaged.
    pub fn distances(&self, side: Side) -> Result<Vec<u16>, TableFault> {
        self.values(side, |value| value)
    }

    fn values<V>(&self, side: Side, meaning: impl Fn(u16) -> V) -> Result<Vec<V>, TableFault> {
        let size = self.header.size as usize;
        let mut values = Vec::with_capacity(size);
        let ((mut block, mut place), in_a_block) = (self.place(side, 0), self.header.values_in_a_block() as usize);
        while values.len() < size {
            let bytes = self.block(block)?;
            let end = in_a_block.min(place + size - values.len());
            values.extend((place..end).map(|place| meaning(self.value(&bytes, place))));
            (block, place) = (block + 1, 0);
        }
        Ok(values)
    }

    /// Replaces the name of the verifier in the header.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written.
    pub fn certify(&self, verified: &str) -> Result<(), TableFault> {
        let header = Header { verified: Some(verified.to_owned()), ..self.header.clone() };
        let fault = |error| TableFault::File(self.path.clone(), error);
        let rest = (self.length() as usize).saturating_sub(LENGTH);
        let write = |file: &mut File| {
            file.write_all(&header.to_bytes())?;
            // Copies in parts, since a table may be larger than memory.
            for start in (0..rest).step_by(1 << 24) {
                file.write_all(&self.read((LENGTH + start) as u64, (rest - start).min(1 << 24))?)?;
            }
            Ok(())
        };
        replace_file_by(&self.path, write).map_err(fault)
    }
}

/// Header fields of a new table that are known before its blocks are written.
#[derive(Debug)]
pub struct Facts {
    /// Ending.
    pub material: Material,
    /// Content of the values.
    pub content: Content,
    /// Bits per value.
    pub bits: u32,
    /// Counts of positions.
    pub counts: Counts,
    /// Longest distance and the index of a position with this distance, by side to move.
    pub longest: [(u16, u64); 2],
}

/// Writes a table and returns the length of the file. `value` returns the value for a side to move and an
/// index. If it returns `None`, the previous value is repeated, which compresses well.
///
/// # Errors
/// Returns an error if the file cannot be written; an existing file is then unchanged.
pub fn write(
    path: &Path,
    facts: &Facts,
    threads: usize,
    value: impl Fn(Side, usize) -> Option<u16> + Sync,
) -> Result<u64, TableFault> {
    let size = Index::new(facts.material).size();
    let bits = facts.bits as usize;
    let blocks = (2 * size).div_ceil(values_in_a_block(bits));
    let pack = |number: usize| packed_block(number, bits, size, &value);
    let write = |file: &mut File| {
        let mut file = io::BufWriter::new(file);
        file.write_all(&[0; LENGTH])?;
        let mut list = Vec::with_capacity(12 * blocks);
        let mut end = LENGTH as u64;
        let at_once = 16 * threads.max(1);
        for first in (0..blocks).step_by(at_once) {
            let last = (first + at_once).min(blocks);
            for packed in in_parallel(first..last, threads, pack) {
                file.write_all(&packed)?;
                end += packed.len() as u64;
                list.extend(end.to_le_bytes());
                list.extend(crc32(&packed).to_le_bytes());
            }
        }
        file.write_all(&list)?;
        let header = Header {
            material: facts.material,
            content: facts.content,
            bits: facts.bits,
            size: size as u64,
            counts: facts.counts,
            limit: chuhe_board::rules::NATURAL_LIMIT,
            longest: facts.longest,
            block: BLOCK as u32,
            blocks: blocks as u32,
            list_at: end,
            list_sum: crc32(&list),
            verified: None,
        };
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header.to_bytes())?;
        file.flush()?;
        Ok(end + list.len() as u64)
    };
    replace_file_by(path, write).map_err(|error| TableFault::File(path.into(), error))
}

fn values_in_a_block(bits: usize) -> usize {
    BLOCK * 8 / bits
}

/// Returns a packed block of values; `size` is the number of values for each side to move. A block of
/// identical bytes is packed into a single byte.
fn packed_block(number: usize, bits: usize, size: usize, value: &impl Fn(Side, usize) -> Option<u16>) -> Vec<u8> {
    let first = number * values_in_a_block(bits);
    let mut bytes = vec![0; BLOCK];
    let mut last = 0;
    for place in 0..values_in_a_block(bits).min(2 * size - first) {
        let at = first + place;
        last = value(Side::ALL[at / size], at % size).unwrap_or(last);
        put(&mut bytes, bits, place, last);
    }
    match bytes.iter().all(|byte| *byte == bytes[0]) {
        true => vec![bytes[0]],
        false => compress_to_vec(&bytes, PACKING),
    }
}

fn read_at(file: &mut File, at: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn put(bytes: &mut [u8], bits: usize, place: usize, value: u16) {
    match bits {
        8 => bytes[place] = value as u8,
        16 => bytes[2 * place..2 * place + 2].copy_from_slice(&value.to_le_bytes()),
        _ => {
            let per_byte = 8 / bits;
            bytes[place / per_byte] |= (value as u8) << (place % per_byte * bits);
        }
    }
}

/// Returns the results of `work` in order.
fn in_parallel<R: Send>(numbers: std::ops::Range<usize>, threads: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let work = &work;
    let threads = threads.max(1);
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let share = |thread: usize| {
            let own = numbers.clone().skip(thread).step_by(threads);
            move || own.map(|number| (number, work(number))).collect::<Vec<_>>()
        };
        // The current thread does the work of threads that the system cannot create.
        let others: Vec<_> = (1..threads)
            .map(|thread| (thread, std::thread::Builder::new().spawn_scoped(scope, share(thread)).ok()))
            .collect();
        let mut results = share(0)();
        for (thread, other) in others {
            results.extend(match other {
                Some(other) => other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                None => share(thread)(),
            });
        }
        results
    });
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}
