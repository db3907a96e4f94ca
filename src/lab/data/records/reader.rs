//! Reader of record files, which checks and replays every game and reports damage.

use super::block::{self, BLOCK_HEAD, MAX_BLOCK};
use super::game::{GAME_HEAD, GameFault, MAX_GAME_BYTES, MAX_PLIES, TrainingRecord};
use super::header::{CHECKSUM, Encoding, HEADER_SIZE, Header, HeaderError};
use chuhe_engine::bytes::{Fields, crc32};
use std::io::{self, Read};
use thiserror::Error;

/// Damage in a file: its location and its cause.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("game {game} at byte {at} is {fault}; {skipped} bytes skipped")]
pub struct Damage {
    /// Number of the game, from 1.
    pub game: u64,
    /// Offset of the game in the file.
    pub at: u64,
    /// Number of skipped bytes, from this offset to the end of the file.
    pub skipped: u64,
    /// Reason.
    pub fault: GameFault,
    /// `true` if at most the last game or block is affected.
    is_last: bool,
}

impl Damage {
    /// Returns `true` if the damage may be due to a stopped writer: it affects at most the last game or
    /// block, and no complete one follows.
    pub fn is_tail(&self) -> bool {
        self.is_last
    }

    /// Returns `true` if the file ends in the middle of a game or block.
    pub fn is_unfinished(&self) -> bool {
        matches!(self.fault, GameFault::Unfinished | GameFault::UnfinishedBlock)
    }
}

/// Iterator over the games in a file, in order, followed by the damage that prevents further reading, if any.
pub struct Reader<R> {
    source: R,
    header: Header,
    encoding: Encoding,
    /// Length of the header and the complete games or blocks, in bytes.
    whole: u64,
    games: u64,
    /// Games in the last block that have not been returned.
    block: std::vec::IntoIter<TrainingRecord>,
    /// Offset of the last block, and its number of games.
    last_block: (u64, usize),
    ended: bool,
}

impl<R: Read> Reader<R> {
    /// Reads the header; the source should be buffered. Returns an error if the header is truncated or
    /// invalid.
    pub fn new(mut source: R) -> Result<Reader<R>, HeaderError> {
        let mut bytes = [0; HEADER_SIZE];
        let read = fill(&mut source, &mut bytes).map_err(|error| HeaderError::System(error.to_string()))?;
        if read < HEADER_SIZE {
            return Err(HeaderError::Short(read));
        }
        let (header, encoding) = Header::decode(&bytes)?;
        let (whole, block) = (HEADER_SIZE as u64, Vec::new().into_iter());
        Ok(Reader { source, header, encoding, whole, games: 0, block, last_block: (whole, 0), ended: false })
    }

    /// Returns the conditions of the games.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the encoding of the games.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the offset of the last block that was read, and its number of games.
    pub(crate) fn last_block(&self) -> (u64, usize) {
        self.last_block
    }

    /// Returns the length of the file up to the last complete game or block that was read.
    pub(crate) fn whole_bytes(&self) -> u64 {
        self.whole
    }

    /// Reads the next game.
    fn read_next(&mut self) -> ReadResult {
        if self.encoding == Encoding::Plain {
            return self.read_game();
        }
        if let Some(record) = self.block.next() {
            return Ok(Some((record, 0)));
        }
        let system = |error: io::Error| (GameFault::System(error.to_string()), Vec::new());
        let mut head = [0; BLOCK_HEAD];
        let read = fill(&mut self.source, &mut head).map_err(system)?;
        if read == 0 {
            return Ok(None);
        }
        let mut bytes = head[..read].to_vec();
        if read < BLOCK_HEAD {
            return Err((GameFault::UnfinishedBlock, bytes));
        }
        let rest = block::length(head).map_err(|fault| (fault, bytes.clone()))?;
        (&mut self.source).take(rest as u64).read_to_end(&mut bytes).map_err(system)?;
        if bytes.len() < BLOCK_HEAD + rest {
            return Err((GameFault::UnfinishedBlock, bytes));
        }
        let size = bytes.len() as u64;
        let games = block::decode(&bytes).map_err(|fault| (fault, bytes))?;
        self.last_block = (self.whole, games.len());
        self.block = games.into_iter();
        Ok(self.block.next().map(|record| (record, size)))
    }

    /// Reads the next single game.
    fn read_game(&mut self) -> ReadResult {
        let mut bytes = vec![0; GAME_HEAD];
        let system = |error: io::Error| (GameFault::System(error.to_string()), Vec::new());
        let read = fill(&mut self.source, &mut bytes).map_err(system)?;
        if read == 0 {
            return Ok(None);
        }
        bytes.truncate(read);
        let Some(length) = game_length(&bytes) else {
            let fault = if read < GAME_HEAD { GameFault::Unfinished } else { GameFault::Checksum };
            return Err((fault, bytes));
        };
        bytes.resize(length, 0);
        let rest = fill(&mut self.source, &mut bytes[GAME_HEAD..]).map_err(system)?;
        bytes.truncate(GAME_HEAD + rest);
        if bytes.len() < length {
            return Err((GameFault::Unfinished, bytes));
        }
        match checked_game(&bytes).map(TrainingRecord::decode) {
            None => Err((GameFault::Checksum, bytes)),
            Some(Err(fault)) => Err((fault, bytes)),
            Some(Ok(record)) => Ok(Some((record, length as u64))),
        }
    }

    /// Reads the rest of the file after a fault, of which `bytes` were already read.
    fn damage(&mut self, fault: GameFault, mut bytes: Vec<u8>) -> Damage {
        let (game, at) = (self.games + 1, self.whole);
        let damage = |skipped, fault, is_last| Damage { game, at, skipped, fault, is_last };
        if let GameFault::System(_) = fault {
            return damage(bytes.len() as u64, fault, false);
        }
        let rest = (&mut self.source).take(MAX_BLOCK as u64).read_to_end(&mut bytes);
        let read = bytes.len() as u64;
        let further = rest.and_then(|_| io::copy(&mut self.source, &mut io::sink()));
        let further = match further {
            Ok(further) => further,
            Err(error) => return damage(read, GameFault::System(error.to_string()), false),
        };
        let may_be_last = further == 0 && (fault == GameFault::UnfinishedBlock || read <= MAX_GAME_BYTES);
        // A wrong length makes a damaged block resemble one that its writer did not finish.
        let is_whole = |bytes: &[u8]| match self.encoding {
            Encoding::Plain => checked_game(bytes).is_some(),
            Encoding::Coded => block::is_whole(bytes),
        };
        let is_last = may_be_last && !(1..bytes.len()).any(|at| is_whole(&bytes[at..]));
        let fault = match fault {
            GameFault::Unfinished if !is_last => GameFault::Checksum,
            GameFault::UnfinishedBlock if !is_last => GameFault::BlockChecksum,
            fault => fault,
        };
        damage(read + further, fault, is_last)
    }
}

/// Returns the length of a game in bytes, including its checksum; `None` if its header is truncated or
/// invalid.
fn game_length(bytes: &[u8]) -> Option<usize> {
    let count = usize::from(Fields::new(bytes.get(GAME_HEAD - 4..GAME_HEAD)?).u16()?);
    (1..=MAX_PLIES).contains(&count).then_some(GAME_HEAD + 4 * count + CHECKSUM)
}

/// Returns the game at the beginning of `bytes` without its checksum; `None` if it is incomplete or the
/// checksum is wrong.
fn checked_game(bytes: &[u8]) -> Option<&[u8]> {
    let (game, sum) = bytes.get(..game_length(bytes)?)?.split_last_chunk::<CHECKSUM>()?;
    (u32::from_le_bytes(*sum) == crc32(game)).then_some(game)
}

/// Next game with the number of bytes read, `None` at the end of the file, or an error with the bytes read.
type ReadResult = Result<Option<(TrainingRecord, u64)>, (GameFault, Vec<u8>)>;

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<TrainingRecord, Damage>;

    fn next(&mut self) -> Option<Result<TrainingRecord, Damage>> {
        if self.ended {
            return None;
        }
        match self.read_next() {
            Ok(Some((record, size))) => {
                self.whole += size;
                self.games += 1;
                Some(Ok(record))
            }
            Ok(None) => {
                self.ended = true;
                None
            }
            Err((fault, bytes)) => {
                self.ended = true;
                Some(Err(self.damage(fault, bytes)))
            }
        }
    }
}

/// Reads until the buffer is full or the source ends; returns the number of bytes read.
fn fill(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::super::game::tests::records;
    use super::super::header::tests::header;
    use super::super::writer::Writer;
    use super::*;
    use chuhe_board::random::SplitMix64;

    fn file(records: &[TrainingRecord]) -> Vec<u8> {
        let games = records.iter().flat_map(TrainingRecord::encode);
        header().encode(Encoding::Plain).into_iter().chain(games).collect()
    }

    fn coded(records: &[TrainingRecord]) -> Vec<u8> {
        let mut writer = Writer::new(Vec::new(), &small_blocks()).expect("memory");
        records.iter().for_each(|record| writer.add(record.clone()).expect("legal games"));
        writer.close().expect("legal games")
    }

    /// Returns a header for blocks of eight games.
    fn small_blocks() -> Header {
        Header { nodes: 100_000, ..header() }
    }

    fn read(bytes: &[u8]) -> (Vec<TrainingRecord>, Option<Damage>) {
        let mut records = Vec::new();
        for item in Reader::new(bytes).expect("the header is complete") {
            match item {
                Ok(record) => records.push(record),
                Err(damage) => return (records, Some(damage)),
            }
        }
        (records, None)
    }

    #[test]
    fn games_come_out_as_they_went_in() {
        let records = records(1, 50);
        let bytes = file(&records);
        assert_eq!(read(&bytes), (records.clone(), None));
        assert_eq!(Reader::new(&bytes[..]).expect("a head").header(), &header());
        let plies: usize = records.iter().map(|record| record.plies.len()).sum();
        assert_eq!(bytes.len(), HEADER_SIZE + 40 * records.len() + 4 * plies);
        assert!(records.iter().all(|record| record.check(header().terms) == Ok(())));
    }

    #[test]
    fn wherever_a_file_is_cut_the_games_before_are_read() {
        let records = records(4, 3);
        let bytes = file(&records);
        let mut ends = vec![HEADER_SIZE];
        for record in &records {
            ends.push(ends[ends.len() - 1] + record.encode().len());
        }
        for cut in HEADER_SIZE..bytes.len() {
            let whole = ends.iter().filter(|end| **end <= cut).count() - 1;
            let (read, damage) = read(&bytes[..cut]);
            assert_eq!(read, records[..whole]);
            match damage {
                None => assert!(ends.contains(&cut)),
                Some(damage) => {
                    let expected = (ends[whole] as u64, (cut - ends[whole]) as u64, GameFault::Unfinished);
                    assert_eq!((damage.at, damage.skipped, damage.fault.clone()), expected);
                    assert!(damage.is_tail());
                }
            }
        }
        assert!((0..HEADER_SIZE).all(|cut| Reader::new(&bytes[..cut]).is_err()));
    }

    #[test]
    fn coded_games_come_out_as_they_went_in() {
        let records = records(12, 20);
        let bytes = coded(&records);
        assert_eq!(read(&bytes), (records, None));
        let mut reader = Reader::new(&bytes[..]).expect("a head");
        assert_eq!((reader.encoding(), reader.by_ref().count()), (Encoding::Coded, 20));
        assert_eq!((reader.last_block().1, reader.whole_bytes()), (4, bytes.len() as u64));
    }

    #[test]
    fn wherever_a_coded_file_is_cut_the_blocks_before_are_read() {
        let records = records(13, 20);
        let bytes = coded(&records);
        let mut ends = vec![HEADER_SIZE];
        for games in records.chunks(8) {
            ends.push(ends[ends.len() - 1] + block::encode(games).expect("legal games").len());
        }
        for cut in (HEADER_SIZE..bytes.len()).step_by(97).chain(ends.clone()) {
            let whole = ends.iter().filter(|end| **end <= cut).count() - 1;
            let (read, damage) = read(&bytes[..cut]);
            assert_eq!(read, records[..(8 * whole).min(20)]);
            match damage {
                None => assert!(ends.contains(&cut)),
                Some(damage) => {
                    let found = (damage.at, damage.skipped, damage.game);
                    assert_eq!(found, (ends[whole] as u64, (cut - ends[whole]) as u64, 8 * whole as u64 + 1));
                    assert!(damage.is_tail() && damage.is_unfinished());
                }
            }
        }
    }

    /// A wrong length must not make the following blocks resemble an unfinished block, which `--resume`
    /// removes.
    #[test]
    fn damage_before_a_complete_game_or_block_is_not_a_tail() {
        let blocks = coded(&records(13, 20));
        for length in [12_000_000u32, 100_000, 4_000, 0] {
            let mut bytes = blocks.clone();
            bytes[HEADER_SIZE + 4..][..4].copy_from_slice(&length.to_le_bytes());
            let (read, damage) = read(&bytes);
            let damage = damage.expect("damage");
            assert!(read.is_empty() && !damage.is_tail() && !damage.is_unfinished(), "{length}: {damage}");
            assert_eq!(damage.skipped, (bytes.len() - HEADER_SIZE) as u64);
        }
        // Short games are together shorter than the longest possible game.
        let mut games = records(4, 3);
        games.iter_mut().for_each(|game| game.plies.truncate(5));
        let mut bytes = file(&games);
        bytes[HEADER_SIZE + GAME_HEAD - 4] = 200;
        let damage = read(&bytes).1.expect("damage");
        assert!(damage.skipped < MAX_GAME_BYTES && !damage.is_tail() && !damage.is_unfinished(), "{damage}");
    }

    #[test]
    fn a_failing_device_is_not_a_tail() {
        struct Failing<'b>(&'b [u8]);
        impl Read for Failing<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                if self.0.is_empty() { Err(io::Error::other("broken disk")) } else { self.0.read(buffer) }
            }
        }
        let bytes = coded(&records(13, 20));
        let mut damaged = bytes.clone();
        damaged[HEADER_SIZE] = 0;
        for bytes in [&bytes[..HEADER_SIZE + 3], &bytes[..bytes.len() - 1], &damaged[..HEADER_SIZE + 500]] {
            let damage = Reader::new(Failing(bytes)).expect("a header").find_map(Result::err).expect("damage");
            assert_eq!(damage.fault, GameFault::System("broken disk".to_owned()));
            assert!(!damage.is_tail());
        }
    }

    #[test]
    fn a_changed_bit_is_always_found() {
        changed_bits(records(5, 4), file, 2_000);
        changed_bits(records(5, 9), coded, 200);
    }

    fn changed_bits(records: Vec<TrainingRecord>, write: fn(&[TrainingRecord]) -> Vec<u8>, count: u32) {
        let bytes = write(&records);
        let mut random = SplitMix64::new(6);
        for _ in 0..count {
            let bit = random.below(8 * bytes.len() as u64);
            let mut changed = bytes.clone();
            changed[bit as usize / 8] ^= 1 << (bit % 8);
            if (bit as usize) < 8 * HEADER_SIZE {
                assert!(Reader::new(&changed[..]).is_err());
                continue;
            }
            let (read, damage) = read(&changed);
            assert!(read.len() < records.len() && read == records[..read.len()]);
            assert!(damage.is_some_and(|damage| damage.skipped > 0));
        }
    }

    #[test]
    fn a_code_of_garbage_with_a_true_checksum_is_refused_or_read_as_games() {
        let mut random = SplitMix64::new(14);
        let good = coded(&records(15, 3));
        for _ in 0..200 {
            let mut bytes = good[..good.len() - CHECKSUM].to_vec();
            let at = HEADER_SIZE + BLOCK_HEAD + random.below((bytes.len() - HEADER_SIZE - BLOCK_HEAD) as u64) as usize;
            bytes[at] ^= 1 + random.below(255) as u8;
            bytes.extend(crc32(&bytes[HEADER_SIZE..]).to_le_bytes());
            let (records, damage) = read(&bytes);
            assert!(damage.is_some() || records.len() == 3);
            assert!(records.iter().all(|record| read(&coded(std::slice::from_ref(record))).0[0] == *record));
        }
    }

    #[test]
    fn garbage_is_refused_whatever_its_checksum() {
        let mut random = SplitMix64::new(7);
        let good = records(8, 1).remove(0).encode();
        for _ in 0..2_000 {
            let mut game = good[..good.len() - CHECKSUM].to_vec();
            let at = random.below(game.len() as u64) as usize;
            game[at] ^= 1 + random.below(255) as u8;
            let sum = crc32(&game).to_le_bytes();
            let bytes: Vec<u8> = header().encode(Encoding::Plain).into_iter().chain(game).chain(sum).collect();
            // Most changes make the game illegal; any other result must be a game that can be written again.
            let (records, _) = read(&bytes);
            assert!(records.iter().all(|record| read(&file(std::slice::from_ref(record))).0[0] == *record));
        }
        let mut tail = file(&[]);
        tail.extend([0; 500]);
        let damage = read(&tail).1.expect("zeros are not a game");
        assert!(damage.is_tail() && damage.fault == GameFault::Checksum && damage.skipped == 500);
    }
}
