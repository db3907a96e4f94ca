//! XQF, the format of 象棋演播室 (XQStudio): plain in version 1.0, scrambled in later versions.
//!
//! Based on a published description of version 1.0, and on other programs' readers for later versions. A
//! square is file × 10 + rank, from Red's left. The header has 1,024 bytes and is followed by the nodes,
//! starting with the root.

use super::fault::{Location, Problem, RecordFault};
use super::nodes::{Bytes, Node, read_tree, write_tree};
use super::record::{GameResult, Record};
use super::sheet::Sheet;
use super::start::Start;
use super::tags;
use super::text::{self, Shortened};
use super::tree::NodeId;
use chuhe_board::{Kind, Piece, Position, STARTPOS, Setup, Side, Square};
use encoding_rs::{Encoding, GB18030};

/// Signature of a file.
pub(crate) const MAGIC: &[u8] = b"XQ";

const HEADER: usize = 0x400;
/// Version that all programs can read; Chuhe writes files in this version.
const PLAIN: u8 = 0x0A;
/// First version in which the order of the pieces is rotated.
const SHUFFLED: u8 = 0x0C;

const RESULT: usize = 0x33;
const SIDE: usize = 0x32;
const PIECES: usize = 0x10;
const KIND: usize = 0x40;
/// Strings in the header: offset, maximum length, and tag.
const TEXTS: [(usize, usize, &str); 11] = [
    (0x50, 63, tags::TITLE),
    (0xD0, 63, tags::EVENT),
    (0x110, 15, tags::DATE),
    (0x120, 15, tags::SITE),
    (0x130, 15, tags::RED),
    (0x140, 15, tags::BLACK),
    (0x150, 63, tags::TIME_CONTROL),
    (0x190, 15, tags::RED_TIME),
    (0x1A0, 15, tags::BLACK_TIME),
    (0x1D0, 15, tags::ANNOTATOR),
    (0x1E0, 15, tags::AUTHOR),
];

/// Pieces of each side in the order of the header, of DhtmlXQ's `binit` and of boards of old libraries.
pub(super) const SET: [Kind; 16] = {
    use Kind::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
    [Rook, Horse, Elephant, Advisor, King, Advisor, Elephant, Horse, Rook, Cannon, Cannon, Pawn, Pawn, Pawn, Pawn, Pawn]
};

/// Offsets added to the bytes of a scrambled file.
struct Keys {
    version: u8,
    pieces: u8,
    from: u8,
    to: u8,
    comment: u32,
    stream: [u8; 32],
}

impl Keys {
    /// Derives the keys from the header; in plain versions, all keys are zero.
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

    /// Returns the offset of a piece in the header.
    fn place(&self, piece: usize) -> usize {
        let shift = if self.version >= SHUFFLED { usize::from(self.pieces) + 1 } else { 0 };
        PIECES + (piece + 64 * 32 - shift) % 32
    }
}

/// Parses the game in a file. If `encoding` is `None`, the encoding of the text is detected.
///
/// # Errors
/// Returns the error, with the readable part of the game.
pub fn read(bytes: &[u8], encoding: Option<&'static Encoding>) -> Result<Record, RecordFault> {
    let header = bytes.get(..HEADER).ok_or(RecordFault::at_byte(bytes.len(), Problem::Cut("the header")))?;
    if !header.starts_with(MAGIC) {
        return Err(RecordFault::at_byte(0, Problem::Form("this is not an XQF file".into())));
    }
    let keys = Keys::of(header);
    let plain: Vec<u8> =
        bytes[HEADER..].iter().zip(keys.stream.iter().cycle()).map(|(byte, key)| byte.wrapping_sub(*key)).collect();
    let encoding = encoding.unwrap_or_else(|| guess(header, &plain, &keys));
    let mut start = start(header, &keys);
    let mut record = Record::new(start.position.clone());
    record.result = GameResult::from_byte(header[RESULT]);
    for (at, longest, tag) in TEXTS {
        record.set_tag(tag, text::decode(header_text(header, at, longest), encoding).trim());
    }
    let mut nodes = Bytes { bytes: &plain, at: 0 };
    let outcome = (|| {
        let root = read_node(&mut nodes, &keys)?;
        record.tree.set_comment(NodeId::ROOT, &comment(root.comment, encoding));
        // In a diagram, the flag for a following move may be set although the file ends.
        if !root.has_next || nodes.at == plain.len() {
            return Ok(());
        }
        read_tree(&mut record, &mut start, || {
            let raw = read_node(&mut nodes, &keys)?;
            let Raw { at, squares, has_next, has_variation, .. } = raw;
            Ok(Node { at, squares, comment: comment(raw.comment, encoding), has_next, has_variation })
        })
    })();
    start.finish(record, outcome.err())
}

/// Returns the bytes of a string in the header.
fn header_text(header: &[u8], at: usize, longest: usize) -> &[u8] {
    let text = &header[at + 1..at + 1 + usize::from(header[at]).min(longest)];
    &text[..text.iter().position(|byte| *byte == 0).unwrap_or(text.len())]
}

/// Detects the encoding of the text in a file, from its header and its comments.
fn guess(header: &[u8], plain: &[u8], keys: &Keys) -> &'static Encoding {
    let mut texts: Vec<&[u8]> = TEXTS.iter().map(|&(at, longest, _)| header_text(header, at, longest)).collect();
    let mut nodes = Bytes { bytes: plain, at: 0 };
    while let Ok(node) = read_node(&mut nodes, keys) {
        texts.push(node.comment);
    }
    text::guess(&texts)
}

fn comment(bytes: &[u8], encoding: &'static Encoding) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    text::decode(&bytes[..end], encoding).replace('\r', "").trim().to_string()
}

fn start(header: &[u8], keys: &Keys) -> Start {
    let mut setup = Setup::empty();
    for piece in 0..32 {
        let place = header[keys.place(piece)].wrapping_sub(keys.pieces);
        if let Some(square) = square(place) {
            let side = if piece < 16 { Side::Red } else { Side::Black };
            setup.board[square.index()] = Some(Piece::new(side, SET[piece % 16]));
        }
    }
    setup.side = if header[SIDE] == 1 { Side::Black } else { Side::Red };
    let start = Start::of_board(&setup, Location::Byte(PIECES));
    // Complete games and openings start from the initial position even if their list of pieces is not a legal
    // position.
    if start.is_diagram() && header[KIND] < 2 { Position::start().into() } else { start }
}

/// A node with its encoded comment.
struct Raw<'b> {
    /// Offset in the file.
    at: usize,
    squares: Option<(Square, Square)>,
    comment: &'b [u8],
    has_next: bool,
    has_variation: bool,
}

fn read_node<'b>(nodes: &mut Bytes<'b>, keys: &Keys) -> Result<Raw<'b>, RecordFault> {
    let at = HEADER + nodes.at;
    let fault = |fault: RecordFault| match fault.location {
        Location::Byte(byte) => RecordFault::at_byte(byte + HEADER, fault.problem),
        Location::Line(_) => fault,
    };
    let &[from, to, flags, _] = nodes.take(4, "a move").map_err(fault)? else {
        return Err(RecordFault::at_byte(at, Problem::Cut("a move")));
    };
    let (has_next, has_variation, has_comment) = if keys.is_plain() {
        (flags & 0xF0 != 0, flags & 0x0F != 0, true)
    } else {
        (flags & 0x80 != 0, flags & 0x40 != 0, flags & 0x20 != 0)
    };
    let mut comment = &[][..];
    if has_comment {
        let length = nodes.number("the length of a comment").map_err(fault)?.wrapping_sub(keys.comment);
        comment = nodes.take(length as usize, "a comment").map_err(fault)?;
    }
    let from = square(from.wrapping_sub(24).wrapping_sub(keys.from));
    let to = square(to.wrapping_sub(32).wrapping_sub(keys.to));
    Ok(Raw { at, squares: from.zip(to), comment, has_next, has_variation })
}

fn square(byte: u8) -> Option<Square> {
    Square::at(i32::from(byte / 10), i32::from(byte % 10))
}

fn byte(square: Square) -> u8 {
    (square.file().index() * 10 + square.rank().index()) as u8
}

/// Returns the game as the content of a file in version 1.0. The format does not support glyphs, or tags that
/// are not in its header.
pub fn write(record: &Record) -> Vec<u8> {
    write_sheet(&record.into()).0
}

/// Writes a record or a diagram. Returns the bytes, and the strings that were too long for the header.
pub(super) fn write_sheet(sheet: &Sheet) -> (Vec<u8>, Vec<Shortened>) {
    let mut header = [0; 16];
    header[2] = PLAIN;
    write_with(sheet, &header)
}

/// Returns the game as the content of a file with the given first 16 bytes, which contain the version and the
/// keys.
fn write_with(sheet: &Sheet, head: &[u8; 16]) -> (Vec<u8>, Vec<Shortened>) {
    let (mut bytes, mut shortened) = (vec![0; HEADER], Vec::new());
    bytes[..16].copy_from_slice(head);
    bytes[..2].copy_from_slice(MAGIC);
    let keys = Keys::of(&bytes);
    let mut left: Vec<(Piece, Square)> = sheet.pieces().collect();
    for piece in 0..32 {
        let wanted = Piece::new(if piece < 16 { Side::Red } else { Side::Black }, SET[piece % 16]);
        let found = left.iter().position(|(other, _)| *other == wanted).map(|index| left.remove(index).1);
        bytes[keys.place(piece)] = found.map_or(0xFF, byte).wrapping_add(keys.pieces);
    }
    bytes[SIDE] = sheet.setup.side.index() as u8;
    bytes[RESULT] = sheet.result.byte();
    bytes[KIND] = if sheet.setup.to_string() == STARTPOS { 0 } else { 3 };
    for (at, longest, tag) in TEXTS {
        let value = sheet.tag(tag);
        let text = encode(value, longest, &mut shortened, tag);
        bytes[at] = text.len() as u8;
        bytes[at + 1..at + 1 + text.len()].copy_from_slice(&text);
    }
    write_tree(sheet.tree, |id, has_next, has_variation| {
        let (from, to) = sheet.tree.mv(id).map_or((0, 0), |mv| (byte(mv.from), byte(mv.to)));
        let text = sheet.tree.comment(id).replace('\n', "\r\n").replace('\0', " ");
        let comment = GB18030.encode(&text).0.into_owned();
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
    (bytes, shortened)
}

/// Encodes a string as GB18030, truncated before the first character that does not fit.
fn encode(text: &str, longest: usize, shortened: &mut Vec<Shortened>, tag: &'static str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4];
    for (at, character) in text.char_indices() {
        // A zero would end the string.
        let character = if character == '\0' { ' ' } else { character };
        let encoded = GB18030.encode(character.encode_utf8(&mut buffer)).0;
        if bytes.len() + encoded.len() > longest {
            shortened.push(Shortened { tag, kept: text[..at].chars().count(), of: text.chars().count() });
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
    use chuhe_board::notation::NoSuchMove;

    /// The bytes follow the published description: the initial position, 炮二平五 without a comment, and 马8进7
    /// with a comment.
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
        let record = read(&bytes, None).unwrap();
        assert_eq!(record.start, Position::start());
        assert_eq!(record.moves(), ["h2e2", "h9g7"].map(|mv| mv.parse().unwrap()));
        assert_eq!((record.tag("Title"), record.result), (Some("楚河"), GameResult::RedWins));
        assert_eq!(record.tree.comment(record.tree.main_line().last().unwrap()), "ok");
    }

    #[test]
    fn plain_and_scrambled_files_are_read_as_they_were_written() {
        let record = sample();
        assert_eq!(read(&write(&record), None).unwrap(), record);
        for version in PLAIN..=0x12 {
            for seed in 0..20u8 {
                let mut head: [u8; 16] = std::array::from_fn(|at| (at as u8).wrapping_mul(37).wrapping_add(seed * 11));
                head[2] = version;
                assert_eq!(read(&write_with(&(&record).into(), &head).0, None).unwrap(), record, "{head:?}");
            }
        }
    }

    #[test]
    fn faults_come_with_the_game_before_them() {
        let mut record = sample();
        let whole = write(&record);
        for end in [0, 2, 100, HEADER, HEADER + 3, HEADER + 20, whole.len() - 1] {
            let fault = read(&whole[..end], None).unwrap_err();
            assert!(fault.to_string().contains("ends inside"), "{fault}");
        }
        record.tree = Default::default();
        let empty = write(&record);
        assert_eq!(read(&empty, None).unwrap(), record);
        // The flag for a following move is set in the last node of the diagram.
        let mut claims = empty.clone();
        claims[HEADER + 2] = 0xF0;
        assert_eq!(read(&claims, None).unwrap(), record);
        // An illegal move is followed by a legal one.
        let mut bytes = write(&sample());
        let at = HEADER + 8 + "before".len() + 1;
        bytes[at] = 10 + 32;
        let fault = read(&bytes, None).unwrap_err();
        assert!(fault.to_string().contains("legal"), "{fault}");
        assert_eq!(fault.game.unwrap().moves().len(), 1);
    }

    #[test]
    fn positions_that_cannot_be_played_from_are_kept_as_diagrams() {
        let mut record = sample();
        record.start = "3k5/9/9/9/9/9/9/9/4R4/4K4 w".parse().unwrap();
        record.tree = Default::default();
        record.tree.set_comment(NodeId::ROOT, "a text");
        let mut bytes = write(&record);
        // The black king is removed.
        let king = PIECES + 16 + 4;
        bytes[king] = 0xFF;
        let diagram = read(&bytes, None).unwrap_err().diagram.expect("a diagram");
        assert_eq!(diagram.setup.to_string(), "9/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1");
        assert_eq!((diagram.tree.comment(NodeId::ROOT), diagram.tag("Title")), ("a text", Some("楚河")));
        // The side to move gives check, and moves follow.
        record.start = "4k4/9/9/9/9/9/9/9/4R4/3K5 b".parse().unwrap();
        let first = record.tree.add(NodeId::ROOT, "e9f9".parse().unwrap()).unwrap();
        let second = record.tree.add(first, "e1f1".parse().unwrap()).unwrap();
        record.tree.set_comment(second, "again");
        let mut bytes = write(&record);
        bytes[SIDE] = 0;
        bytes[HEADER + 8 + "a text".len()..][..2].copy_from_slice(&[41 + 24, 51 + 32]);
        let fault = read(&bytes, None).unwrap_err();
        assert_eq!(fault.problem, Problem::Move("e1f1".to_owned(), NoSuchMove::Illegal));
        assert!(matches!(fault.location, Location::Byte(at) if at > HEADER));
        let diagram = fault.diagram.expect("a diagram");
        assert!(diagram.position().is_some());
        assert_eq!(diagram.tree.main_line().count(), 1);
        assert!(diagram.tree.comment(diagram.tree.next(NodeId::ROOT).unwrap()).contains("again"));
    }

    #[test]
    fn names_in_other_encodings_are_read() {
        let mut bytes = write(&Record::default());
        let name = b"Nguy\xea\xden Qu\xe2n";
        bytes[0x130] = name.len() as u8;
        bytes[0x131..0x131 + name.len()].copy_from_slice(name);
        assert_eq!(read(&bytes, None).unwrap().tag("Red"), Some("Nguyễn Quân"));
        let cyrillic = super::super::text::encoding("cp1251").unwrap();
        assert_eq!(read(&bytes, Some(cyrillic)).unwrap().tag("Red"), Some("NguyкЮn Quвn"));
    }

    #[test]
    fn texts_that_are_too_long_are_listed() {
        let mut record = Record::default();
        record.set_tag("Red", "一二三四五六七八九");
        let (bytes, shortened) = write_sheet(&(&record).into());
        assert_eq!(shortened, [Shortened { tag: "Red", kept: 7, of: 9 }]);
        assert_eq!(read(&bytes, None).unwrap().tag("Red"), Some("一二三四五六七"));
    }
}
