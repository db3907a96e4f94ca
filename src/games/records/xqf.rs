//! XQF, the files of 象棋演播室 (XQStudio): version 1.0 in the clear, later ones scrambled.
//!
//! After a published description of version 1.0 and what other readers know of the later ones. A square is file × 10 + rank, from Red's
//! left. The header has 1,024 bytes; then the nodes follow, the root first.

use super::fault::{Fault, Problem};
use super::nodes::{self, Bytes, Node, read_tree, write_tree};
use super::record::{GameResult, Record};
use super::tree::NodeId;
use chuhe_board::{Kind, Piece, Position, STARTPOS, Setup, Side, Square};
use encoding_rs::GB18030;

/// The first bytes of a file.
pub const MAGIC: &[u8] = b"XQ";

const HEADER: usize = 0x400;
/// The version that all programs read, and that is written here.
const PLAIN: u8 = 0x0A;
/// From this version on the pieces of the start are in another order.
const SHUFFLED: u8 = 0x0C;

const RESULT: usize = 0x33;
const SIDE: usize = 0x32;
const PIECES: usize = 0x10;
const KIND: usize = 0x40;
/// Where the texts of the header are, how long they may be, and which tags they are.
const TEXTS: [(usize, usize, &str); 11] = [
    (0x50, 63, "Title"),
    (0xD0, 63, "Event"),
    (0x110, 15, "Date"),
    (0x120, 15, "Site"),
    (0x130, 15, "Red"),
    (0x140, 15, "Black"),
    (0x150, 63, "TimeControl"),
    (0x190, 15, "RedTime"),
    (0x1A0, 15, "BlackTime"),
    (0x1D0, 15, "Annotator"),
    (0x1E0, 15, "Author"),
];

/// Each side's pieces in the header's order.
const SET: [Kind; 16] = {
    use Kind::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
    [Rook, Horse, Elephant, Advisor, King, Advisor, Elephant, Horse, Rook, Cannon, Cannon, Pawn, Pawn, Pawn, Pawn, Pawn]
};

/// What is added to the bytes of a scrambled file.
struct Keys {
    version: u8,
    pieces: u8,
    from: u8,
    to: u8,
    comment: u32,
    stream: [u8; 32],
}

impl Keys {
    /// The keys follow from 13 bytes of the header.
    fn of(header: &[u8]) -> Keys {
        let version = header[2];
        if version <= PLAIN {
            return Keys { version, pieces: 0, from: 0, to: 0, comment: 0, stream: [0; 32] };
        }
        let [mask, sum, x, from, to] = [3, 12, 13, 14, 15].map(|at| header[at]);
        let square = |byte: u8| byte.wrapping_mul(byte).wrapping_mul(54).wrapping_add(221);
        let pieces = square(x).wrapping_mul(x);
        let from_key = square(from).wrapping_mul(pieces);
        let to_key = square(to).wrapping_mul(from_key);
        let mut stream = *b"[(C) Copyright Mr. Dong Shiwei.]";
        let tail = [sum, x, from, to];
        for (at, byte) in stream.iter_mut().enumerate() {
            *byte &= header[8 + at % 4] | (tail[at % 4] & mask);
        }
        let comment = (u32::from(sum) * 256 + u32::from(x)) % 32000 + 767;
        Keys { version, pieces, from: from_key, to: to_key, comment, stream }
    }

    fn is_plain(&self) -> bool {
        self.version <= PLAIN
    }

    /// Where in the header the piece of a number is.
    fn place(&self, piece: usize) -> usize {
        let shift = if self.version >= SHUFFLED { usize::from(self.pieces) + 1 } else { 0 };
        PIECES + (piece + 64 * 32 - shift) % 32
    }
}

/// Reads the game of a file.
///
/// # Errors
/// What is wrong, with the game as far as it can be read.
pub fn read(bytes: &[u8]) -> Result<Record, Fault> {
    let header = bytes.get(..HEADER).ok_or(Fault::at_byte(bytes.len(), Problem::Cut("the header")))?;
    if !header.starts_with(MAGIC) {
        return Err(Fault::at_byte(0, Problem::Form("this is not an XQF file".into())));
    }
    let keys = Keys::of(header);
    let mut record = Record::new(start(header, &keys)?);
    record.result = GameResult::from_byte(header[RESULT]);
    for (at, longest, tag) in TEXTS {
        let length = usize::from(header[at]).min(longest);
        record.set_tag(tag, decode(&header[at + 1..at + 1 + length]).trim());
    }
    let plain: Vec<u8> =
        bytes[HEADER..].iter().zip(keys.stream.iter().cycle()).map(|(byte, key)| byte.wrapping_sub(*key)).collect();
    let mut nodes = Bytes { bytes: &plain, at: 0 };
    let outcome = (|| {
        let root = read_node(&mut nodes, &keys)?;
        record.tree.set_comment(NodeId::ROOT, &root.comment);
        if root.has_next { read_tree(&mut record, || read_node(&mut nodes, &keys)) } else { Ok(()) }
    })();
    match outcome {
        Ok(()) => Ok(record),
        Err(fault) => Err(fault.with_game(record)),
    }
}

fn start(header: &[u8], keys: &Keys) -> Result<Position, Fault> {
    let mut setup = Setup::empty();
    for piece in 0..32 {
        let place = header[keys.place(piece)].wrapping_sub(keys.pieces);
        if let Some(square) = square(place) {
            let side = if piece < 16 { Side::Red } else { Side::Black };
            setup.board[square.index()] = Some(Piece::new(side, SET[piece % 16]));
        }
    }
    setup.side = if header[SIDE] == 1 { Side::Black } else { Side::Red };
    match nodes::start(&setup) {
        Ok(start) => Ok(start),
        // Whole games and openings begin at the start position, even if the list of pieces says otherwise.
        Err(_) if header[KIND] < 2 => Ok(Position::start()),
        Err(reasons) => Err(Fault::at_byte(PIECES, Problem::Fen(chuhe_board::FenError::Impossible(reasons)))),
    }
}

fn read_node(nodes: &mut Bytes, keys: &Keys) -> Result<Node, Fault> {
    let at = HEADER + nodes.at;
    let fault = |fault: Fault| match fault.place {
        super::Place::Byte(byte) => Fault::at_byte(byte + HEADER, fault.problem),
        super::Place::Line(_) => fault,
    };
    let &[from, to, flags, _] = nodes.take(4, "a move").map_err(fault)? else {
        return Err(Fault::at_byte(at, Problem::Cut("a move")));
    };
    let (has_next, has_variation, has_comment) = if keys.is_plain() {
        (flags & 0xF0 != 0, flags & 0x0F != 0, true)
    } else {
        (flags & 0x80 != 0, flags & 0x40 != 0, flags & 0x20 != 0)
    };
    let mut comment = String::new();
    if has_comment {
        let length = nodes.number("the length of a comment").map_err(fault)?.wrapping_sub(keys.comment);
        comment = decode(nodes.take(length as usize, "a comment").map_err(fault)?).replace('\r', "").trim().to_string();
    }
    let from = square(from.wrapping_sub(24).wrapping_sub(keys.from));
    let to = square(to.wrapping_sub(32).wrapping_sub(keys.to));
    Ok(Node { at, squares: from.zip(to), comment, has_next, has_variation })
}

fn square(byte: u8) -> Option<Square> {
    Square::at(i32::from(byte / 10), i32::from(byte % 10))
}

fn byte(square: Square) -> u8 {
    (square.file().index() * 10 + square.rank().index()) as u8
}

fn decode(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    GB18030.decode_without_bom_handling(&bytes[..end]).0.into_owned()
}

/// The game as a file of version 1.0, which every program reads. It has no place for glyphs and for other tags than those of its header.
pub fn write(record: &Record) -> Vec<u8> {
    let mut header = [0; 16];
    header[2] = PLAIN;
    write_with(record, &header)
}

/// The same with the first 16 bytes of a header, which tell the version and the keys.
fn write_with(record: &Record, head: &[u8; 16]) -> Vec<u8> {
    let mut bytes = vec![0; HEADER];
    bytes[..16].copy_from_slice(head);
    bytes[..2].copy_from_slice(MAGIC);
    let keys = Keys::of(&bytes);
    let mut left: Vec<(Piece, Square)> =
        Square::ALL.into_iter().filter_map(|at| Some((record.start.piece_on(at)?, at))).collect();
    for piece in 0..32 {
        let wanted = Piece::new(if piece < 16 { Side::Red } else { Side::Black }, SET[piece % 16]);
        let found = left.iter().position(|(other, _)| *other == wanted).map(|index| left.remove(index).1);
        bytes[keys.place(piece)] = found.map_or(0xFF, byte).wrapping_add(keys.pieces);
    }
    bytes[SIDE] = record.start.side().index() as u8;
    bytes[RESULT] = record.result.byte();
    bytes[KIND] = if record.start.to_string() == STARTPOS { 0 } else { 3 };
    for (at, longest, tag) in TEXTS {
        let text = encode(record.tag(tag).unwrap_or_default(), longest);
        bytes[at] = text.len() as u8;
        bytes[at + 1..at + 1 + text.len()].copy_from_slice(&text);
    }
    write_tree(&record.tree, |id, has_next, has_variation| {
        let (from, to) = record.tree.mv(id).map_or((0, 0), |mv| (byte(mv.from), byte(mv.to)));
        let comment = encode(&record.tree.comment(id).replace('\n', "\r\n"), usize::MAX);
        let flag = |has: bool, bits: u8| if has { bits } else { 0 };
        let flags = if keys.is_plain() {
            flag(has_next, 0xF0) | flag(has_variation, 0x0F)
        } else {
            flag(has_next, 0x80) | flag(has_variation, 0x40) | flag(!comment.is_empty(), 0x20)
        };
        let from = from.wrapping_add(24).wrapping_add(keys.from);
        let to = to.wrapping_add(32).wrapping_add(keys.to);
        bytes.extend([from, to, flags, 0]);
        if keys.is_plain() || !comment.is_empty() {
            bytes.extend((comment.len() as u32).wrapping_add(keys.comment).to_le_bytes());
            bytes.extend(comment);
        }
    });
    for (byte, key) in bytes[HEADER..].iter_mut().zip(keys.stream.iter().cycle()) {
        *byte = byte.wrapping_add(*key);
    }
    bytes
}

/// A text in GB18030, cut before the character that doesn't fit.
fn encode(text: &str, longest: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4];
    for character in text.chars() {
        let encoded = GB18030.encode(character.encode_utf8(&mut buffer)).0;
        if bytes.len() + encoded.len() > longest {
            break;
        }
        bytes.extend_from_slice(&encoded);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::nodes::sample;

    /// Byte by byte after the published description: the start, 炮二平五 without a comment, and 马8进7 with one.
    #[test]
    fn a_file_of_the_description_is_read() {
        let mut bytes = vec![0; HEADER];
        bytes[..3].copy_from_slice(b"XQ\x0a");
        let pieces = [
            80, 70, 60, 50, 40, 30, 20, 10, 0, 72, 12, 83, 63, 43, 23, 3, 9, 19, 29, 39, 49, 59, 69, 79, 89, 17, 77, 6,
            26, 46, 66, 86,
        ];
        bytes[0x10..0x30].copy_from_slice(&pieces);
        bytes[0x33] = 1;
        bytes[0x50..0x55].copy_from_slice(&[4, 0xb3, 0xfe, 0xba, 0xd3]);
        bytes.extend([24, 32, 0xF0, 0, 0, 0, 0, 0]);
        bytes.extend([72 + 24, 42 + 32, 0xF0, 0, 0, 0, 0, 0]);
        bytes.extend([79 + 24, 67 + 32, 0, 0, 2, 0, 0, 0, b'o', b'k']);
        let record = read(&bytes).unwrap();
        assert_eq!(record.start, Position::start());
        assert_eq!(record.moves(), ["h2e2", "h9g7"].map(|mv| mv.parse().unwrap()));
        assert_eq!((record.tag("Title"), record.result), (Some("楚河"), GameResult::RedWins));
        assert_eq!(record.tree.comment(record.tree.main_line().last().unwrap()), "ok");
    }

    #[test]
    fn plain_and_scrambled_files_are_read_as_they_were_written() {
        let record = sample();
        assert_eq!(read(&write(&record)).unwrap(), record);
        for version in PLAIN..=0x12 {
            for seed in 0..20u8 {
                let mut head: [u8; 16] = std::array::from_fn(|at| (at as u8).wrapping_mul(37).wrapping_add(seed * 11));
                head[2] = version;
                assert_eq!(read(&write_with(&record, &head)).unwrap(), record, "{head:?}");
            }
        }
    }

    #[test]
    fn faults_come_with_the_game_before_them() {
        let mut record = sample();
        let whole = write(&record);
        for end in [0, 2, 100, HEADER, HEADER + 3, HEADER + 20, whole.len() - 1] {
            let fault = read(&whole[..end]).unwrap_err();
            assert!(fault.to_string().contains("ends inside"), "{fault}");
        }
        record.tree = Default::default();
        let empty = write(&record);
        assert_eq!(read(&empty).unwrap(), record);
        // A move that is not legal, and after it one that would be.
        let mut bytes = write(&sample());
        let at = HEADER + 8 + "before".len() + 1;
        bytes[at] = 10 + 32;
        let fault = read(&bytes).unwrap_err();
        assert!(fault.to_string().contains("legal"), "{fault}");
        assert_eq!(fault.game.unwrap().moves().len(), 1);
    }
}
