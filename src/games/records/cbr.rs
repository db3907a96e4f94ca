//! CBR and CBL, the record and library formats of 象棋桥 (CCBridge).
//!
//! A record has a header with UTF-16 strings at fixed offsets, the board by ranks from Black's side, and the
//! nodes, starting with the root. A library has records in blocks of 4,096 bytes after an index. Both
//! identify a record by a 16-byte identifier, which Chuhe derives from its content.

use super::fault::{Location, Problem, RecordFault};
use super::lookahead::count_lookahead;
use super::nodes::{Bytes, Node, read_tree, write_tree};
use super::record::{GameResult, Record};
use super::sheet::Sheet;
use super::start::Start;
use super::tags;
use super::text::Shortened;
use super::tree::NodeId;
use chuhe_board::random::SplitMix64;
use chuhe_board::{Kind, Piece, Setup, Side, Square};

/// Signature of a record.
pub(crate) const MAGIC: &[u8] = b"CCBridge Record\0";
/// Signature of a library.
pub(crate) const LIBRARY: &[u8] = b"CCBridgeLibrary\0";

/// Strings in the header: offset, length in bytes, and tag.
const TEXTS: [(usize, usize, &str); 11] = [
    (180, 128, tags::TITLE),
    (692, 64, tags::EVENT),
    (884, 64, tags::DATE),
    (948, 64, tags::SITE),
    (1012, 64, tags::TIME_CONTROL),
    (1076, 64, tags::RED),
    (1140, 64, tags::RED_TEAM),
    (1300, 64, tags::BLACK),
    (1364, 64, tags::BLACK_TEAM),
    (1652, 64, tags::ANNOTATOR),
    (1780, 64, tags::AUTHOR),
];
/// Offset of the code of the opening.
const ECCO: usize = 2036;
/// Offset of the result.
const RESULT: usize = 2076;
/// Offset of the side to move: 1 for Red, 2 for Black.
const SIDE: usize = 2112;
/// Offset of the two-byte number of the first move.
const FIRST_MOVE_NUMBER: usize = 2116;
/// Offset of the board, 90 bytes.
const BOARD: usize = 2120;
/// Offset of the nodes.
const NODES: usize = 2214;

/// Offset of the version in records and libraries.
pub(super) const VERSION: usize = 16;
/// Offset of the 16-byte identifier in records and libraries.
pub(super) const IDENTIFIER: usize = 20;

/// Offset and length of the name of a library, in bytes.
pub(super) const LIBRARY_NAME: (usize, usize) = (64, 512);
/// Offset of the capacity of a library's index in entries; the capacity is at least 128.
pub(super) const CAPACITY: usize = 60;
/// Offset of a library's index.
pub(super) const INDEX: usize = 66_624;
/// Length of an entry of the index in bytes.
pub(super) const ENTRY_BYTES: usize = 276;
/// Length of the blocks that contain a library's records, in bytes.
pub(super) const BLOCK_BYTES: usize = 4096;

/// Kinds in the order of their numbers, from 1.
const KINDS: [Kind; 7] = [Kind::Rook, Kind::Horse, Kind::Elephant, Kind::Advisor, Kind::King, Kind::Cannon, Kind::Pawn];

/// Iterator over the records in a library, or the single record in a file.
#[derive(Debug)]
pub struct CbrGames {
    bytes: Vec<u8>,
    next: Option<usize>,
    /// Number of records read from a library, including headings.
    found_count: usize,
    has_ended: bool,
}

impl CbrGames {
    /// Creates an iterator over the games in a file in either format.
    pub fn new(bytes: Vec<u8>) -> CbrGames {
        let next = if bytes.starts_with(LIBRARY) { find(&bytes, LIBRARY.len()) } else { Some(0) };
        CbrGames { bytes, next, found_count: 0, has_ended: false }
    }

    /// Returns an error if a library's index is truncated or lists more records than were found.
    fn missing_part(&self) -> Option<RecordFault> {
        if !self.bytes.starts_with(LIBRARY) {
            return None;
        }
        let read_u32 = |at: usize| Some(u32::from_le_bytes(self.bytes.get(at..at + 4)?.try_into().ok()?) as usize);
        let cut = |what: String| Some(RecordFault::at_byte(self.bytes.len(), Problem::Form(what)));
        let most = self.bytes.len().checked_sub(INDEX).map(|index| index / ENTRY_BYTES);
        let Some(capacity) = read_u32(CAPACITY).filter(|capacity| most.is_some_and(|most| *capacity <= most)) else {
            return cut("the file ends inside the index of a library".into());
        };
        let entries = (0..capacity).map(|index| INDEX + index * ENTRY_BYTES);
        let is_used = |at: usize| self.bytes[at] != 0 && read_u32(at + 12).is_some_and(|length| length >= NODES);
        let named = entries.filter(|at| is_used(*at)).count();
        if named <= self.found_count {
            return None;
        }
        cut(format!("the library lists {named} records, but only {} are in the file", self.found_count))
    }

    fn board(&self, at: usize) -> Option<&[u8]> {
        self.bytes.get(at + BOARD..at + BOARD + 90)
    }
}

/// Returns the offset of the next record.
fn find(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let found = rest.windows(MAGIC.len()).position(|window| window == MAGIC);
    count_lookahead(found.unwrap_or(rest.len()));
    found.map(|at| from + at)
}

impl Iterator for CbrGames {
    type Item = Result<Record, RecordFault>;

    fn next(&mut self) -> Option<Result<Record, RecordFault>> {
        while let Some(at) = self.next {
            self.found_count += 1;
            self.next = find(&self.bytes, at + MAGIC.len());
            // A heading in a library is a record without a board.
            let is_heading = self.board(at).is_some_and(|board| board.iter().all(|byte| *byte == 0));
            if !(is_heading && self.bytes.starts_with(LIBRARY)) {
                let end = self.next.unwrap_or(self.bytes.len());
                return Some(read(&self.bytes[..end], at));
            }
        }
        if std::mem::replace(&mut self.has_ended, true) { None } else { self.missing_part().map(Err) }
    }
}

/// Parses the record at an offset.
fn read(bytes: &[u8], begin: usize) -> Result<Record, RecordFault> {
    let cut = || RecordFault::at_byte(bytes.len(), Problem::Cut("the header of a record"));
    let header = bytes.get(begin..begin + NODES).ok_or_else(cut)?;
    if !header.starts_with(MAGIC) {
        return Err(RecordFault::at_byte(begin, Problem::Form("this is not a CBR record".into())));
    }
    let mut start = start(header, begin);
    let mut record = Record::new(start.position.clone());
    for (at, longest, tag) in TEXTS {
        record.set_tag(tag, decode(&header[at..at + longest]).trim());
    }
    let ecco = &header[ECCO..ECCO + 3];
    if ecco[0].is_ascii_uppercase() && ecco[1..].iter().all(u8::is_ascii_digit) {
        record.set_tag(tags::ECCO, &String::from_utf8_lossy(ecco));
    }
    record.result = GameResult::from_byte(header[RESULT]);
    let mut nodes = Bytes { bytes, at: begin + NODES };
    // Some files have no nodes.
    if nodes.at == bytes.len() {
        return start.finish(record, None);
    }
    let outcome = (|| {
        let root = read_node(&mut nodes)?;
        record.tree.set_comment(NodeId::ROOT, &root.comment);
        let rest = &bytes[nodes.at..];
        if !root.has_next || rest.iter().all(|byte| *byte == 0) {
            return Ok(());
        }
        read_tree(&mut record, &mut start, || read_node(&mut nodes))
    })();
    start.finish(record, outcome.err())
}

fn start(header: &[u8], begin: usize) -> Start {
    let mut setup = Setup::empty();
    for (index, byte) in header[BOARD..BOARD + 90].iter().enumerate() {
        let side = match byte >> 4 {
            1 => Side::Red,
            2 => Side::Black,
            _ => continue,
        };
        if let Some(kind) = usize::from(byte & 15).checked_sub(1).and_then(|index| KINDS.get(index))
            && let Some(square) = square(index as u8)
        {
            setup.board[square.index()] = Some(Piece::new(side, *kind));
        }
    }
    // Earlier versions of Chuhe wrote 0 at this offset, and the side to move at the offset of the first
    // move's number.
    let (side, low) = (header[SIDE], header[FIRST_MOVE_NUMBER]);
    setup.side = if side == 2 || side == 0 && low == 2 { Side::Black } else { Side::Red };
    let first_move_number = u16::from_le_bytes([low, header[FIRST_MOVE_NUMBER + 1]]);
    setup.move_number = if side == 0 { 1 } else { first_move_number.clamp(1, u16::MAX / 2) };
    Start::of_board(&setup, Location::Byte(begin + BOARD))
}

fn read_node(nodes: &mut Bytes) -> Result<Node, RecordFault> {
    let at = nodes.at;
    let head = nodes.take(4, "a move")?;
    let (flags, from, to) = (head[0], head[2], head[3]);
    let mut comment = String::new();
    if flags & 4 != 0 {
        let length = nodes.number("the length of a comment")?;
        comment = decode(nodes.take(length as usize, "a comment")?).replace('\r', "").trim().to_string();
    }
    Ok(Node {
        at,
        squares: square(from).zip(square(to)),
        comment,
        has_next: flags & 1 == 0,
        has_variation: flags & 2 != 0,
    })
}

/// Returns the square with an index; squares are indexed by ranks from Black's side.
fn square(byte: u8) -> Option<Square> {
    Square::at(i32::from(byte % 9), 9 - i32::from(byte / 9))
}

fn square_index(square: Square) -> u8 {
    ((9 - square.rank().index()) * 9 + square.file().index()) as u8
}

/// Decodes a UTF-16 string up to its terminating zero; the rest of the field is undefined.
fn decode(bytes: &[u8]) -> String {
    let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).take_while(|unit| *unit != 0);
    char::decode_utf16(units).map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Encodes a string as UTF-16 in at most `longest` bytes, two of which are reserved for a terminating zero;
/// also returns the number of encoded characters.
fn encode(text: &str, longest: usize) -> (Vec<u8>, usize) {
    let (mut bytes, mut count) = (Vec::new(), 0);
    for character in text.chars() {
        // A zero would end the string.
        let character = if character == '\0' { ' ' } else { character };
        if bytes.len() + 2 * character.len_utf16() + 2 > longest {
            break;
        }
        bytes.extend(character.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_le_bytes()));
        count += 1;
    }
    (bytes, count)
}

/// Writes a string, truncated if it is too long for its field.
pub(super) fn put(bytes: &mut [u8], (at, longest): (usize, usize), text: &str) -> Option<Shortened> {
    let (encoded, kept) = encode(text, longest);
    bytes[at..at + encoded.len()].copy_from_slice(&encoded);
    let of = text.chars().count();
    (kept < of).then_some(Shortened { tag: "", kept, of })
}

/// Encodes the game as a CBR record. The format does not support glyphs, or tags that are not in its header.
pub fn write(record: &Record) -> Vec<u8> {
    write_sheet(&record.into()).0
}

/// Writes a record or a diagram. Returns the bytes, and the strings that were too long for the header.
pub(super) fn write_sheet(sheet: &Sheet) -> (Vec<u8>, Vec<Shortened>) {
    let (mut bytes, mut shortened) = (vec![0; NODES], Vec::new());
    bytes[..MAGIC.len()].copy_from_slice(MAGIC);
    bytes[VERSION + 3] = 2;
    for (at, longest, tag) in TEXTS {
        shortened.extend(put(&mut bytes, (at, longest), sheet.tag(tag)).map(|short| Shortened { tag, ..short }));
    }
    let ecco = sheet.tag(tags::ECCO);
    if ecco.len() == 3 && ecco.is_ascii() {
        bytes[ECCO..ECCO + 3].copy_from_slice(ecco.as_bytes());
    }
    bytes[RESULT] = sheet.result.byte();
    bytes[SIDE] = sheet.setup.side.index() as u8 + 1;
    bytes[FIRST_MOVE_NUMBER..FIRST_MOVE_NUMBER + 2].copy_from_slice(&sheet.setup.move_number.to_le_bytes());
    for (piece, square) in sheet.pieces() {
        let kind = KINDS.iter().position(|kind| *kind == piece.kind()).unwrap_or_default() as u8 + 1;
        bytes[BOARD + usize::from(square_index(square))] = (piece.side().index() as u8 + 1) << 4 | kind;
    }
    bytes[BOARD + 90..NODES].fill(0xFF);
    write_tree(sheet.tree, |id, has_next, has_variation| {
        let (from, to) = sheet.tree.mv(id).map_or((0, 0), |mv| (square_index(mv.from), square_index(mv.to)));
        let (comment, _) = encode(&sheet.tree.comment(id).replace('\n', "\r\n"), usize::MAX);
        let flags = u8::from(!has_next) | u8::from(has_variation) << 1 | u8::from(!comment.is_empty()) << 2;
        bytes.extend([flags, 0, from, to]);
        if !comment.is_empty() {
            bytes.extend((comment.len() as u32).to_le_bytes());
            bytes.extend(comment);
        }
    });
    let identifier = identifier_of(&bytes);
    bytes[IDENTIFIER..IDENTIFIER + 16].copy_from_slice(&identifier);
    (bytes, shortened)
}

/// Returns an identifier derived from the bytes, with the version and variant bits of a random UUID.
pub(super) fn identifier_of(bytes: &[u8]) -> [u8; 16] {
    let hash = |seed: u64| bytes.iter().fold(seed, |hash, byte| SplitMix64::new(hash ^ u64::from(*byte)).next());
    let mut identifier: [u8; 16] = (u128::from(hash(1)) << 64 | u128::from(hash(2))).to_le_bytes();
    (identifier[7], identifier[8]) = (identifier[7] & 15 | 0x40, identifier[8] & 63 | 0x80);
    identifier
}

/// Formats an identifier: `{8D738BD4-92AF-4880-95DC-9967166A5637}`.
pub(super) fn in_braces(identifier: [u8; 16]) -> String {
    let hex = |order: &[usize]| order.iter().map(|at| format!("{:02X}", identifier[*at])).collect::<String>();
    let parts = [&[3, 2, 1, 0][..], &[5, 4], &[7, 6], &[8, 9], &[10, 11, 12, 13, 14, 15]].map(hex);
    format!("{{{}}}", parts.join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::cbl::write_library;

    fn sample() -> Record {
        let mut record = crate::records::nodes::sample();
        record.set_tag("ECCO", "C32");
        record
    }

    #[test]
    fn records_and_libraries_are_read_as_they_were_written() {
        let record = sample();
        let read: Vec<_> = CbrGames::new(write(&record)).map(Result::unwrap).collect();
        assert_eq!(read, std::slice::from_ref(&record));
        let empty = Record::default();
        let games = [record, empty.clone(), empty];
        let read: Vec<_> = CbrGames::new(write_library("all", &games).unwrap()).map(Result::unwrap).collect();
        assert_eq!(read, games);
    }

    /// The bytes follow the format description: a root with a comment, and one move with a variation.
    #[test]
    fn a_record_of_the_description_is_read() {
        let mut bytes = vec![0; NODES];
        bytes[..16].copy_from_slice(MAGIC);
        bytes[SIDE] = 1;
        let row =
            |text: &str| -> Vec<u8> { text.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect() };
        bytes[BOARD..BOARD + 9].copy_from_slice(&row("21 22 23 24 25 24 23 22 21"));
        bytes[BOARD + 27 + 4] = 0x27;
        bytes[BOARD + 81..BOARD + 90].copy_from_slice(&row("11 12 13 14 15 14 13 12 11"));
        bytes.extend([4, 0, 0, 0, 4, 0, 0, 0]);
        bytes.extend("楚河".encode_utf16().flat_map(u16::to_le_bytes));
        // The rook on file a moves up one rank; in the variation, the rook on file i does.
        bytes.extend([3, 0, 81, 72, 1, 0, 89, 80]);
        let record = CbrGames::new(bytes).next().unwrap().unwrap();
        assert_eq!(record.tree.comment(NodeId::ROOT), "楚河");
        let moves: Vec<String> =
            record.tree.children(NodeId::ROOT).map(|id| record.tree.mv(id).unwrap().to_string()).collect();
        assert_eq!(moves, ["a0a1", "i0i1"]);
    }

    #[test]
    fn a_cut_library_gives_the_games_before_the_cut() {
        let games = [sample(), sample(), sample()];
        let mut bytes = write_library("all", &games).unwrap();
        let last = find(&bytes, bytes.len() - BLOCK_BYTES).unwrap();
        bytes.truncate(last + NODES + 6);
        let read: Vec<_> = CbrGames::new(bytes).collect();
        assert_eq!(read.len(), 3);
        assert!(read[1].is_ok());
        let fault = read[2].as_ref().unwrap_err();
        assert!(fault.to_string().contains("ends inside"), "{fault}");
    }

    #[test]
    fn a_library_that_lacks_whole_records_says_so() {
        let games = [sample(), sample(), sample()];
        let bytes = write_library("all", &games).unwrap();
        for (length, read, what) in [
            (bytes.len() - BLOCK_BYTES, 2, "lists 3 records, but only 2 are"),
            (bytes.len() - 2 * BLOCK_BYTES + 8, 1, "lists 3 records, but only 1 are"),
            (INDEX + 128 * ENTRY_BYTES, 0, "lists 3 records, but only 0 are"),
            (INDEX + 5, 0, "inside the index"),
            (LIBRARY.len(), 0, "inside the index"),
        ] {
            let games: Vec<_> = CbrGames::new(bytes[..length].to_vec()).collect();
            let fault = games.last().unwrap().as_ref().unwrap_err();
            assert_eq!((games.len(), fault.location), (read + 1, Location::Byte(length)), "{length}");
            assert!(fault.to_string().contains(what), "{fault}");
        }
        assert!(CbrGames::new(bytes).all(|game| game.is_ok()));
    }

    #[test]
    fn an_identifier_in_braces_is_as_windows_writes_it() {
        let identifier: Vec<u8> = "D4 8B 73 8D AF 92 80 48 95 DC 99 67 16 6A 56 37"
            .split(' ')
            .map(|byte| u8::from_str_radix(byte, 16).unwrap())
            .collect();
        assert_eq!(in_braces(identifier.try_into().unwrap()), "{8D738BD4-92AF-4880-95DC-9967166A5637}");
    }
}
