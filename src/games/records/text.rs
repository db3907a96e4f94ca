//! Decoding of records: lines in UTF-8, GB18030, Big5 or the encoding selected by the user, and detection of
//! the encoding of text.

use super::fault::{Problem, RecordFault};
use chardetng::EncodingDetector;
use encoding_rs::{BIG5, Encoding, GB18030, UTF_16BE, UTF_16LE, WINDOWS_1258};
use std::io::{BufRead, Read};
use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

/// Maximum length of a line, and of a game's text, in bytes.
pub(crate) const MAX_GAME: usize = 16 << 20;

/// Maximum size in bytes of a file that must be read as a whole.
pub const MAX_WHOLE: u64 = 256 << 20;

/// A field that was truncated to its maximum length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shortened {
    /// Tag.
    pub tag: &'static str,
    /// Number of characters written.
    pub kept: usize,
    /// Number of characters before truncation.
    pub of: usize,
}

/// Error for an unknown name of an encoding.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "unknown encoding {0:?}; use utf-8, gb18030, gbk, big5, utf-16le, windows-1258 or another name of the WHATWG encoding standard"
)]
pub struct UnknownEncoding(pub String);

/// Returns the encoding with a name such as `gbk`, `big5` or `cp1258`.
pub fn encoding(name: &str) -> Result<&'static Encoding, UnknownEncoding> {
    Encoding::for_label(name.as_bytes()).ok_or_else(|| UnknownEncoding(name.to_owned()))
}

/// Decodes bytes. Composes each Vietnamese vowel to one character, since the code page stores tones as
/// separate characters.
pub(super) fn decode(bytes: &[u8], encoding: &'static Encoding) -> String {
    let text = encoding.decode_without_bom_handling(bytes).0;
    if encoding == WINDOWS_1258 { text.nfc().collect() } else { text.into_owned() }
}

/// Decodes a whole file, either in the given encoding, or line by line in detected encodings.
pub fn decode_lines(bytes: &[u8], encoding: Option<&'static Encoding>) -> Result<String, RecordFault> {
    let mut lines = Lines::in_encoding(bytes, encoding);
    let mut text = String::with_capacity(bytes.len());
    while let Some(line) = lines.read_line()? {
        text += line;
        text.push('\n');
    }
    Ok(text)
}

/// Detects UTF-16 from a byte order mark, or from the zeros of line ends, digits and letters.
pub(super) fn utf_16(head: &[u8]) -> Option<&'static Encoding> {
    let marks = [(&b"\xff\xfe"[..], UTF_16LE), (&b"\xfe\xff"[..], UTF_16BE)];
    if let Some((_, encoding)) = marks.iter().find(|(mark, _)| head.starts_with(mark)) {
        return Some(*encoding);
    }
    // Letters, digits and spaces have a zero byte, but few Chinese characters do.
    let plain = |low: usize| {
        let pairs =
            head.chunks_exact(2).filter(|pair| pair[1 - low] == 0 && pair[low].is_ascii() && pair[low] >= b'\t');
        pairs.count()
    };
    let (little, big) = (plain(0), plain(1));
    let (encoding, most, least) = if little > big { (UTF_16LE, little, big) } else { (UTF_16BE, big, little) };
    let is_text = || {
        let text = encoding.decode_without_bom_handling(&head[..head.len() & !1]).0;
        !text.chars().any(|character| character.is_control() && !character.is_whitespace() || character == '\u{fffd}')
    };
    (most > 2 && least * 4 < most && is_text()).then_some(encoding)
}

/// Detects the encoding of text that is not UTF-8: GB18030 (which contains GBK and GB2312), Big5 if typical
/// words occur, or a code page for Latin letters.
pub(super) fn guess(texts: &[&[u8]]) -> &'static Encoding {
    if is_latin(texts) {
        let mut detector = EncodingDetector::new();
        texts.iter().for_each(|text| _ = detector.feed(text, false));
        // Among languages in Latin letters with their own code page, Vietnamese has the most players.
        return match detector.guess(Some(b"vn"), false) {
            latin if latin.is_single_byte() => latin,
            _ => WINDOWS_1258,
        };
    }
    let evidence = |encoding| texts.iter().map(|text| evidence(text, encoding)).sum::<isize>();
    let (big5, gb18030) = (evidence(BIG5), evidence(GB18030));
    // Text with characters of GB2312 alone is hardly ever Big5, in which many second bytes are below 0xA1.
    let least = if texts.iter().all(|text| is_gb2312(text)) { 2 } else { 0 };
    if big5 > gb18030 + least && big5 >= 2 * gb18030 { BIG5 } else { GB18030 }
}

/// Returns `true` if the second byte of every character is in the range of GB2312.
fn is_gb2312(text: &[u8]) -> bool {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        if !byte.is_ascii() && text.get(at + 1).is_some_and(|trail| *trail < 0xA1) {
            return false;
        }
        at += if byte.is_ascii() { 1 } else { 2 };
    }
    true
}

/// Returns `true` if bytes above 127 occur singly within words of ASCII letters, as accented letters do. In
/// Chinese encodings, such bytes occur in pairs and sequences.
fn is_latin(texts: &[&[u8]]) -> bool {
    let (mut letters, mut pairs, mut inside) = (0, 0, 0);
    for text in texts {
        let mut at = 0;
        let mut follows_a_letter = false;
        while let Some(&byte) = text.get(at) {
            if byte.is_ascii() {
                letters += usize::from(byte.is_ascii_alphabetic());
                follows_a_letter = byte.is_ascii_alphabetic();
                at += 1;
                continue;
            }
            pairs += 1;
            // A character of four bytes in GB18030: two pairs of a high byte and a digit.
            if let [_, second, third, fourth, ..] = text[at..]
                && second.is_ascii_digit()
                && third > 0x80
                && fourth.is_ascii_digit()
            {
                at += 4;
                follows_a_letter = false;
                continue;
            }
            let trail = text.get(at + 1).copied().unwrap_or(b' ');
            inside += usize::from(trail.is_ascii() && (follows_a_letter || !matches!(trail, b'@'..=b'~')));
            // If the next byte cannot be the second half of a character, this byte is a character by itself.
            at += if matches!(trail, b'@'..=b'~' | 0x80..=0xFE) { 2 } else { 1 };
            follows_a_letter = false;
        }
    }
    inside > 0 && inside * 3 >= pairs && letters >= 2 * pairs
}

/// Line reader in constant memory. Old files are in GB18030 or Big5, new files in UTF-8. Since concatenated
/// files may mix encodings, the encoding of each line is detected.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    bytes: Vec<u8>,
    text: String,
    number: usize,
    is_legacy: Option<bool>,
    /// Encoding of lines that are not in UTF-8.
    legacy: &'static Encoding,
    /// Encoding selected by the user.
    named: Option<&'static Encoding>,
    /// Last byte of each line: a line feed, or a carriage return in files of old Macintosh programs.
    line_end: u8,
}

impl<R: BufRead> Lines<R> {
    /// Reads the lines of `input`; skips a byte order mark at the beginning.
    pub fn new(input: R) -> Lines<R> {
        Lines::in_encoding(input, None)
    }

    /// Reads the lines of `input` in the given encoding, if any.
    pub(crate) fn in_encoding(input: R, named: Option<&'static Encoding>) -> Lines<R> {
        Lines {
            input,
            bytes: Vec::new(),
            text: String::new(),
            number: 0,
            is_legacy: None,
            legacy: GB18030,
            named,
            line_end: b'\n',
        }
    }

    /// Returns the number of the last line, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns the next line without its end, or `None` after the last.
    ///
    /// # Errors
    /// Returns an error if the input cannot be read, or if the line exceeds the maximum length.
    pub fn read_line(&mut self) -> Result<Option<&str>, RecordFault> {
        self.bytes.clear();
        self.number += 1;
        if self.number == 1 {
            // An error of the input is returned when the line is read.
            let head = self.input.fill_buf().unwrap_or_default();
            let is_old = head.contains(&b'\r') && !head.contains(&b'\n');
            self.line_end = if is_old { b'\r' } else { b'\n' };
        }
        let limit = MAX_GAME as u64 + 1;
        let read = self.input.by_ref().take(limit).read_until(self.line_end, &mut self.bytes);
        let read = read.map_err(|error| RecordFault::at_line(self.number, Problem::Read(error.to_string())))?;
        if read == 0 {
            return Ok(None);
        }
        if read > MAX_GAME {
            return Err(RecordFault::at_line(self.number, Problem::TooMuch("the length of a line")));
        }
        while matches!(self.bytes.last(), Some(b'\n' | b'\r')) {
            self.bytes.pop();
        }
        if self.number == 1 && self.bytes.starts_with("\u{feff}".as_bytes()) {
            self.bytes.drain(..3);
        }
        self.text.clear();
        if let Some(encoding) = self.named {
            self.text += &decode(&self.bytes, encoding);
            return Ok(Some(&self.text));
        }
        if self.is_legacy.is_none() && !self.bytes.is_ascii() {
            // An error of the input is returned when the next line is read.
            let rest = self.input.fill_buf().unwrap_or_default();
            let is_utf8 = [&self.bytes, rest].into_iter().all(begins_as_utf8);
            self.is_legacy = Some(!is_utf8 || is_accidental(&[&self.bytes, rest].concat()));
            self.legacy = guess(&[&self.bytes, rest]);
        }
        match std::str::from_utf8(&self.bytes) {
            Ok(text) if self.is_legacy != Some(true) || text.is_ascii() || is_plausible(text) => {
                self.text.push_str(text);
            }
            _ => {
                self.is_legacy = Some(true);
                self.text.push_str(&decode(&self.bytes, self.legacy));
            }
        }
        Ok(Some(&self.text))
    }
}

/// Characters that are typical of games: of moves, events, places, dates and family names.
const TYPICAL: &str = "平进退進年月日赛賽先胜勝负負和象棋中国國\
    北京上海天津重庆慶广廣东東西四川江浙安徽湖南河福建山辽遼宁寧吉林黑龙龍云雲贵貴州甘肃肅青台臺湾灣香港澳门門市省区區\
    王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何高罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾肖田董袁潘于於蒋蔣蔡\
    余杜叶葉程苏蘇魏吕呂丁任沈姚卢盧姜崔钟鍾譚谭陆陸汪范金石廖贾賈夏韦韋付方白邹鄒孟熊秦邱尹薛闫閻段雷侯史陶黎贺賀\
    顾顧毛郝龚龔邵万萬钱錢严嚴覃武戴莫孔湯汤柳聂聶卜臧洪傅卞伍庄莊景";

/// Decodes text and counts the characters that are typical of games; every character for private use, and
/// every error, counts against the encoding.
fn evidence(bytes: &[u8], encoding: &'static Encoding) -> isize {
    let text = encoding.decode_without_bom_handling(bytes).0;
    let count = |character: char| match character {
        '\u{fffd}' | '\u{e000}'..='\u{f8ff}' => -3,
        _ => isize::from(!character.is_ascii() && TYPICAL.contains(character)),
    };
    text.chars().map(count).sum()
}

/// Returns `true` if text that may be in another encoding is plausible as UTF-8: it contains characters of
/// three or more bytes, all of them in ranges used by Chinese or Vietnamese text. Characters of two bytes are
/// ambiguous.
fn is_plausible(text: &str) -> bool {
    let mut long = text.chars().filter(|character| *character >= '\u{800}').peekable();
    let is_known = |character: char| matches!(character, '\u{1e00}'..='\u{1eff}' | '\u{2000}'..='\u{9fff}' | '\u{f900}'..='\u{ffef}' | '\u{10000}'..);
    long.peek().is_some() && long.all(is_known)
}

/// Returns `true` if bytes are valid UTF-8, except for a character that may be truncated at the end.
fn begins_as_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true)
}

/// Returns `true` if bytes are valid UTF-8 by accident: all their characters have two bytes, some are in scripts
/// from Armenian to N'Ko, and in GB18030 they are names or words that are typical of games.
fn is_accidental(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.chars().all(|character| character < '\u{800}')
        && text.contains(|character| character >= '\u{530}')
        && evidence(bytes, GB18030) > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut lines = Lines::new(bytes);
        std::iter::from_fn(|| lines.read_line().unwrap().map(str::to_string)).collect()
    }

    #[test]
    fn both_encodings_are_read_even_in_one_file() {
        let text = "[Game \"Chinese Chess\"]\n[Red \"联通\"]\n炮二平五";
        let gb18030 = GB18030.encode(text).0.into_owned();
        let expected: Vec<&str> = text.lines().collect();
        assert_eq!(lines(text.as_bytes()), expected);
        // By itself, 联通 would be recognised as UTF-8; the text after it resolves the ambiguity.
        assert_eq!(lines(&gb18030), expected);
        let both = [gb18030, b"\n".to_vec(), text.as_bytes().to_vec()].concat();
        assert_eq!(lines(&both), [expected.clone(), expected].concat());
        assert_eq!(lines(b"\xef\xbb\xbfone\r\n\r\ntwo"), ["one", "", "two"]);
    }

    #[test]
    fn a_carriage_return_may_end_lines() {
        assert_eq!(lines("红方: 甲\r\r1. 炮二平五\r".as_bytes()), ["红方: 甲", "", "1. 炮二平五"]);
        assert_eq!(lines(b"one\rtwo\nthree"), ["one\rtwo", "three"]);
    }

    #[test]
    fn a_name_that_is_valid_utf_8_by_accident_is_not_utf_8() {
        let text = "[Red \"郑惟桐\"]\n[Black \"Pikafish\"]";
        assert_eq!(lines(&GB18030.encode(text).0), text.lines().collect::<Vec<_>>());
        for text in
            ["[Red \"Nguyễn Thành Bảo\"]", "[Red \"Müller\"]", "[Red \"Иванов\"]", "[Red \"יוסי\"]", "[Red \"محمد\"]"]
        {
            assert_eq!(lines(text.as_bytes()), [text]);
        }
    }

    #[test]
    fn big5_is_told_by_its_moves() {
        let text = "[Red \"楊官璘\"]\n1. 炮二平五 馬８進７\n2. 馬二進三 車９平８";
        let big5 = BIG5.encode(text).0.into_owned();
        assert_eq!(lines(&big5), text.lines().collect::<Vec<_>>());
        let gb18030 = GB18030.encode(text).0.into_owned();
        assert_eq!(lines(&gb18030), text.lines().collect::<Vec<_>>());
    }

    #[test]
    fn big5_is_told_by_its_event_where_moves_have_no_characters() {
        let text = "[Event \"1982年上海杯中國象棋大師邀請賽\"]\n[Red \"胡榮華\"]\n1. H2-E2 H9-G7";
        for encoding in [BIG5, GB18030] {
            let bytes = encoding.encode(text).0;
            assert_eq!(lines(&bytes), text.lines().collect::<Vec<_>>(), "{}", encoding.name());
        }
    }

    #[test]
    fn big5_is_told_by_its_names_alone() {
        for names in [["胡榮華", "李來群"], ["許銀川", "呂欽"], ["王", "李"], ["柳大華", "趙國榮"]] {
            let text = format!("[Red \"{}\"]\n[Black \"{}\"]\n1. H2-E2 H9-G7 1-0", names[0], names[1]);
            for encoding in [BIG5, GB18030] {
                let bytes = encoding.encode(&text).0;
                assert_eq!(lines(&bytes), text.lines().collect::<Vec<_>>(), "{}", encoding.name());
            }
        }
    }

    #[test]
    fn gb18030_that_is_valid_utf_8_is_told_by_the_lines_around_it() {
        let text = "[Event \"全国象棋团体赛\"]\n[Red \"於紅木\"]\n[Black \"胡荣华\"]\n[Site \"Nguyễn Văn 😀\"]";
        let bytes = GB18030.encode(text).0;
        let second = bytes.split(|byte| *byte == b'\n').nth(1).unwrap();
        assert!(std::str::from_utf8(second).is_ok(), "the line alone is ambiguous");
        assert_eq!(lines(&bytes), text.lines().collect::<Vec<_>>());
    }

    #[test]
    fn vietnamese_is_told_by_its_letters() {
        // In text from a Vietnamese version of Windows, tones follow their vowels.
        let text = b"[Red \"Nguy\xea\xden Vu\xde Qu\xe2n\"]\n[Black \"La\xf2i L\xfd Huynh\"]\n1. h2e2 h9g7";
        assert_eq!(lines(text)[..2], ["[Red \"Nguyễn Vũ Quân\"]", "[Black \"Lại Lư Huynh\"]"]);
        // In Big5, characters with many strokes have ASCII letters as second bytes.
        for text in ["許銀川 B組", "A组 胡荣华", "XQStudio 象棋演播室", "朱镕基", "第1局 vs 許銀川"]
        {
            let bytes = GB18030.encode(text).0.into_owned();
            assert_eq!(lines(&bytes), [text]);
        }
    }

    #[test]
    fn the_user_names_an_encoding() {
        let mut lines = Lines::in_encoding(&b"\xf0\xe3"[..], Some(encoding("cp1251").unwrap()));
        assert_eq!(lines.read_line().unwrap(), Some("рг"));
        assert_eq!(encoding("morse").unwrap_err().0, "morse");
    }

    #[test]
    fn utf_16_needs_no_mark() {
        let text = "[Game \"Chinese Chess\"]\n[Red \"胡荣华\"]\n1. 炮二平五 马８进７";
        let bytes = |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
        assert_eq!(utf_16(&bytes(u16::to_le_bytes)), Some(UTF_16LE));
        assert_eq!(utf_16(&bytes(u16::to_be_bytes)), Some(UTF_16BE));
        assert_eq!(utf_16(text.as_bytes()), None);
        assert_eq!(utf_16(b"XQ\x0a\0\0\0\0\0\x01\0\0\0"), None);
    }

    #[test]
    fn a_line_without_an_end_is_refused() {
        let mut lines = Lines::new(std::io::BufReader::new(std::io::repeat(b'x')));
        assert!(lines.read_line().is_err());
    }
}
