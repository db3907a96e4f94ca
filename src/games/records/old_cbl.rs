//! Libraries of 象棋桥 (CCBridge) before version 3: a header of 20 bytes, then compressed data.
//!
//! Based on a description by the program's author. Strings are in GBK, each preceded by its length in four
//! bytes; `||` is a line break. A record has a board of 32 squares, its strings, moves of six bytes, and one
//! line of comment per move. The number of a move determines the move that it replaces.

use super::fault::{Location, Problem, RecordFault};
use super::lookahead::count_lookahead;
use super::nodes::Bytes;
use super::record::{GameResult, Record};
use super::start::{Start, is_move};
use super::tags;
use super::text::{self, MAX_WHOLE};
use super::tree::{Full, NodeId};
use super::xqf::SET;
use chuhe_board::notation::NoSuchMove;
use chuhe_board::{Move, Piece, Position, Setup, Side, Square, Undo};
use encoding_rs::Encoding;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

/// Signature of a library: the name of the program and the version, 2.1.
pub(crate) const MAGIC: &[u8] = b"CCBridge\x15\0\0\0";
/// Length of the header: the signature, the kind of compression, and the uncompressed size of the rest.
const HEAD: usize = 20;
/// Offset of the kind of compression; 0 for none.
const COMPRESSION: usize = 12;
/// Length of a date.
const DATE: usize = 19;

/// Iterator over the records in a library.
#[derive(Debug)]
pub struct OldCblGames {
    /// Uncompressed data after the header.
    bytes: Vec<u8>,
    at: usize,
    /// Number of unread records.
    left: usize,
    encoding: Option<&'static Encoding>,
    /// Error in the library itself, which prevents further reading.
    fault: Option<RecordFault>,
}

impl OldCblGames {
    /// Parses the bytes of a file. If `encoding` is `None`, the encoding of the text is detected.
    pub fn new(bytes: &[u8], encoding: Option<&'static Encoding>) -> OldCblGames {
        let mut games = OldCblGames { bytes: Vec::new(), at: 0, left: 0, encoding, fault: None };
        if let Err(fault) = games.open(bytes) {
            games.fault = Some(fault);
        }
        games
    }

    fn open(&mut self, bytes: &[u8]) -> Result<(), RecordFault> {
        let Some((head, rest)) = bytes.split_at_checked(HEAD) else {
            return Err(RecordFault::at_byte(bytes.len(), Problem::Cut("the head of a library")));
        };
        self.bytes = match head[COMPRESSION] {
            0 => rest.to_vec(),
            _ => decompress_to_vec_zlib_with_limit(rest, MAX_WHOLE as usize)
                .map_err(|_| RecordFault::at_byte(HEAD, Problem::Form("the compressed data is damaged".into())))?,
        };
        let mut head = Bytes { bytes: &self.bytes, at: 0 };
        // The skipped strings are the library's name, its source, an unused string, its author and the
        // author's address.
        for _ in 0..5 {
            text(&mut head)?;
        }
        head.take(2 * DATE, "the dates of a library")?;
        let left = head.number("the number of records")?;
        text(&mut head)?;
        (self.left, self.at) = (left as usize, head.at);
        Ok(())
    }
}

/// Reads a string preceded by its length.
fn text<'b>(bytes: &mut Bytes<'b>) -> Result<&'b [u8], RecordFault> {
    let length = bytes.number("the length of a text")?;
    bytes.take(length as usize, "a text")
}

impl Iterator for OldCblGames {
    type Item = Result<Record, RecordFault>;

    fn next(&mut self) -> Option<Result<Record, RecordFault>> {
        if let Some(fault) = self.fault.take() {
            self.left = 0;
            return Some(Err(fault));
        }
        self.left = self.left.checked_sub(1)?;
        let begin = self.at;
        // The size of a record includes the four bytes of the size itself.
        let record = (|| {
            let size = Bytes { bytes: &self.bytes, at: begin }.number("the size of a record")? as usize;
            let mut record = Bytes { bytes: &self.bytes, at: begin };
            record.take(size.max(4), "a record")
        })();
        match record {
            Ok(record) => {
                self.at += record.len();
                Some(read(record, begin, self.encoding))
            }
            Err(fault) => {
                self.left = 0;
                Some(Err(fault))
            }
        }
    }
}

/// Undecoded strings of a record: the values of its tags, and the general comment.
#[derive(Default)]
struct Texts<'b> {
    tags: Vec<(&'static str, &'b [u8])>,
    about: &'b [u8],
}

fn read(bytes: &[u8], begin: usize, named: Option<&'static Encoding>) -> Result<Record, RecordFault> {
    let fault = |fault: RecordFault| match fault.location {
        Location::Byte(byte) => RecordFault { location: Location::Byte(begin + byte), ..fault },
        Location::Line(_) => fault,
    };
    let mut fields = Bytes { bytes, at: 4 };
    let (mut setup, texts, number, result) = head(&mut fields).map_err(fault)?;
    let moves = (|| {
        let count = fields.number("the number of moves")? as usize;
        fields.take(count.saturating_mul(6), "the moves")
    })();
    let moves = moves.map_err(fault)?;
    let comments: Vec<&[u8]> = lines(&bytes[fields.at..]).take(moves.len() / 6).collect();
    let all: Vec<&[u8]> =
        texts.tags.iter().map(|(_, text)| *text).chain([texts.about]).chain(comments.iter().copied()).collect();
    let encoding = named.unwrap_or_else(|| text::guess(&all));
    let plain = |text: &[u8]| text::decode(text, encoding).replace("||", "\n").replace('\r', "").trim().to_owned();
    setup.move_number = u16::try_from(number).unwrap_or(1).clamp(1, u16::MAX / 2);
    let mut start = Start::of_board(&setup, Location::Byte(begin + 4));
    let mut record = Record::new(start.position.clone());
    record.result = result;
    for (tag, text) in &texts.tags {
        record.set_tag(tag, &plain(text));
    }
    record.tree.set_comment(NodeId::ROOT, &plain(texts.about));
    let offset = begin + fields.at - moves.len();
    let outcome = (Replay { path: Vec::new(), position: record.start.clone(), skipped: Vec::new() }).play(
        &mut record,
        &mut start,
        moves,
        offset,
        |index| comments.get(index).map_or(String::new(), |comment| plain(comment)),
    );
    start.finish(record, outcome.err())
}

/// Parses the header of a record: the board, the strings, the number of the first move, and the result.
fn head<'b>(fields: &mut Bytes<'b>) -> Result<(Setup, Texts<'b>, u32, GameResult), RecordFault> {
    let mut setup = Setup::empty();
    for (index, &place) in fields.take(32, "the board")?.iter().enumerate() {
        let side = if index < 16 { Side::Red } else { Side::Black };
        // Files and ranks are numbered from 1, from Black's side; 0 marks a missing piece.
        if let Some(square) = Square::at(i32::from(place >> 4) - 1, 10 - i32::from(place & 15)).filter(|_| place != 0) {
            setup.board[square.index()] = Some(Piece::new(side, SET[index % 16]));
        }
    }
    let mut texts = Texts::default();
    fields.number("the kind of the game")?;
    texts.tags.push((tags::EVENT, text(fields)?));
    let number = fields.number("the number of the first move")?;
    for tag in [tags::TITLE, tags::SOURCE, "", tags::SITE, tags::DATE, tags::RED, tags::BLACK] {
        let text = text(fields)?;
        if !tag.is_empty() {
            texts.tags.push((tag, text));
        }
    }
    let result = match fields.number("the result")? {
        1 => GameResult::RedWins,
        2 => GameResult::BlackWins,
        3 => GameResult::Draw,
        _ => GameResult::Unknown,
    };
    for tag in [tags::ANNOTATOR, "", tags::AUTHOR, ""] {
        let text = text(fields)?;
        if !tag.is_empty() {
            texts.tags.push((tag, text));
        }
    }
    texts.about = text(fields)?;
    setup.side = if fields.take(1, "the side to move")? == [0] { Side::Black } else { Side::Red };
    fields.take(2 * DATE, "the dates of a record")?;
    Ok((setup, texts, number, result))
}

/// Returns the comments, each up to the end of its line.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.windows(2).position(|pair| pair == b"\r\n").unwrap_or(rest.len());
        count_lookahead(end);
        let (line, behind) = rest.split_at(end);
        rest = behind.get(2..).unwrap_or_default();
        Some(line)
    })
}

/// A move of the current line.
struct Made {
    number: u16,
    id: NodeId,
    mv: Move,
    undo: Undo,
}

/// The current line.
struct Replay {
    path: Vec<Made>,
    position: Position,
    /// Numbers of skipped moves; moves with higher numbers are skipped as well.
    skipped: Vec<u16>,
}

impl Replay {
    /// Plays the moves of a record. An illegal move is skipped together with the moves after it, and
    /// reported.
    fn play(
        mut self,
        record: &mut Record,
        start: &mut Start,
        moves: &[u8],
        offset: usize,
        comment: impl Fn(usize) -> String,
    ) -> Result<(), RecordFault> {
        let mut bad = None;
        for (index, bytes) in moves.chunks_exact(6).enumerate() {
            count_lookahead(1);
            let number = u16::from_le_bytes([bytes[0], bytes[1]]);
            self.back_before(number);
            let square = |byte: u8| Square::at(i32::from(byte >> 4), 9 - i32::from(byte & 15));
            let mv = square(bytes[2]).zip(square(bytes[3])).map(|(from, to)| Move::new(from, to));
            if record.tree.is_empty() && self.skipped.is_empty() {
                start.turn_to_the_mover(record, mv);
                self.position.clone_from(&record.start);
            }
            let parent = self.path.last().map_or(NodeId::ROOT, |made| made.id);
            let place = offset + 6 * index;
            match mv.filter(|mv| start.can_move && self.skipped.is_empty() && is_move(&self.position, *mv)) {
                Some(mv) => {
                    let added = record.tree.add(parent, mv);
                    let id =
                        added.map_err(|Full| RecordFault::at_byte(place, Problem::TooMuch("the number of moves")))?;
                    record.tree.set_comment(id, &comment(index));
                    let undo = self.position.make(mv);
                    self.path.push(Made { number, id, mv, undo });
                }
                None => {
                    record.tree.add_comment(parent, &comment(index));
                    self.skipped.push(number);
                    let text = mv.map_or("?".to_owned(), |mv| mv.to_string());
                    bad.get_or_insert(RecordFault::at_byte(place, Problem::Move(text, NoSuchMove::Illegal)));
                }
            }
        }
        bad.map_or(Ok(()), Err)
    }

    /// Undoes the moves of the current line from `number` on; the next move replaces the first of them.
    fn back_before(&mut self, number: u16) {
        self.skipped.retain(|left_out| *left_out < number);
        while self.path.last().is_some_and(|made| made.number >= number)
            && let Some(Made { mv, undo, .. }) = self.path.pop()
        {
            count_lookahead(1);
            self.position.unmake(mv, undo);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::GB18030;
    use miniz_oxide::deflate::compress_to_vec_zlib;

    fn text(text: &str) -> Vec<u8> {
        let bytes = GB18030.encode(text).0.into_owned();
        [&(bytes.len() as u32).to_le_bytes()[..], &bytes].concat()
    }

    /// Returns a record that follows the description: 炮二平五 马8进7, with the variation 马2进3.
    fn record() -> Vec<u8> {
        let mut bytes =
            vec![0x1A, 0x2A, 0x3A, 0x4A, 0x5A, 0x6A, 0x7A, 0x8A, 0x9A, 0x28, 0x88, 0x17, 0x37, 0x57, 0x77, 0x97];
        bytes.extend([0x11, 0x21, 0x31, 0x41, 0x51, 0x61, 0x71, 0x81, 0x91, 0x23, 0x83, 0x14, 0x34, 0x54, 0x74, 0x94]);
        bytes.extend([1, 0, 0, 0]);
        bytes.extend(text("全国象棋赛"));
        bytes.extend([1, 0, 0, 0]);
        ["局一", "", "", "北京", "1956", "杨官璘", "王嘉良"].iter().for_each(|value| bytes.extend(text(value)));
        bytes.extend([1, 0, 0, 0]);
        ["", "", "录入", ""].iter().for_each(|value| bytes.extend(text(value)));
        bytes.extend(text("总评||第二行"));
        bytes.push(1);
        bytes.extend([b'0'; 38]);
        bytes.extend([3, 0, 0, 0]);
        bytes.extend([1, 0, 0x77, 0x47, 0, 0, 2, 0, 0x70, 0x62, 0, 0, 2, 0, 0x10, 0x22, 0, 0]);
        bytes.extend(GB18030.encode("当头炮\r\n\r\n屏风马||也可\r\n").0.as_ref());
        let size = (bytes.len() as u32 + 4).to_le_bytes();
        [&size[..], &bytes].concat()
    }

    fn library(records: &[Vec<u8>], is_compressed: bool) -> Vec<u8> {
        let mut data: Vec<u8> = ["库", "", "", "", ""].iter().flat_map(|value| text(value)).collect();
        data.extend([b'0'; 38]);
        data.extend((records.len() as u32).to_le_bytes());
        data.extend(text("说明"));
        records.iter().for_each(|record| data.extend(record));
        let mut bytes = MAGIC.to_vec();
        bytes.extend([3 * u8::from(is_compressed), 0, 0, 0]);
        bytes.extend((data.len() as u32).to_le_bytes());
        bytes.extend(if is_compressed { compress_to_vec_zlib(&data, 9) } else { data });
        bytes
    }

    #[test]
    fn libraries_of_the_description_are_read() {
        for is_compressed in [false, true] {
            let bytes = library(&[record(), record()], is_compressed);
            let games: Vec<Record> = OldCblGames::new(&bytes, None).map(Result::unwrap).collect();
            assert_eq!(games.len(), 2);
            let game = &games[1];
            assert_eq!(game.start, Position::start());
            assert_eq!(game.moves(), ["h2e2", "h9g7"].map(|mv| mv.parse().unwrap()));
            let tags =
                ["Event", "Title", "Site", "Red", "Black", "Author"].map(|tag| game.tag(tag).unwrap_or_default());
            assert_eq!(tags, ["全国象棋赛", "局一", "北京", "杨官璘", "王嘉良", "录入"]);
            assert_eq!(game.result, GameResult::RedWins);
            let first = game.tree.next(NodeId::ROOT).unwrap();
            let replies: Vec<NodeId> = game.tree.children(first).collect();
            let comments = [NodeId::ROOT, first, replies[0], replies[1]].map(|id| game.tree.comment(id));
            assert_eq!(comments, ["总评\n第二行", "当头炮", "", "屏风马\n也可"]);
        }
    }

    #[test]
    fn damaged_libraries_are_reported_and_other_records_read() {
        let mut bad = record();
        let at = bad.len() - GB18030.encode("当头炮\r\n\r\n屏风马||也可\r\n").0.len() - 12;
        bad[at + 3] = 0x61;
        let read: Vec<_> = OldCblGames::new(&library(&[bad, record()], true), None).collect();
        assert!(read[0].as_ref().is_err_and(|fault| fault.game.as_ref().is_some_and(|game| game.moves().len() == 2)));
        assert!(read[1].is_ok() && read.len() == 2);
        let whole = library(&[record(), record()], false);
        let cut: Vec<_> = OldCblGames::new(&whole[..whole.len() - 9], None).collect();
        assert!(cut[0].is_ok() && cut[1].is_err() && cut.len() == 2);
        let mut garbage = library(&[record()], true);
        garbage[HEAD + 1] ^= 0x55;
        garbage.truncate(HEAD + 10);
        assert!(OldCblGames::new(&garbage, None).next().unwrap().is_err());
        assert!(OldCblGames::new(MAGIC, None).next().unwrap().is_err());
    }
}
