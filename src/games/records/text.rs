//! Lines of a text in UTF-8, GB18030 or Big5, one at a time.

use super::fault::{Fault, Problem};
use encoding_rs::{BIG5, Encoding, GB18030};
use std::io::{BufRead, Read};

/// A longer line, and a game of more text, is refused; bytes.
pub const MAX_GAME: usize = 16 << 20;

/// Reads a text by lines in constant memory. Old files are in GB18030 (which contains GBK and GB2312), those of Hong Kong and Taiwan in Big5,
/// new ones in UTF-8; files that were put together may hold UTF-8 and another, so each line is looked at.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    bytes: Vec<u8>,
    text: String,
    number: usize,
    is_old: Option<bool>,
    /// How lines that are not UTF-8 are read.
    old: &'static Encoding,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `input`; a mark of byte order at the beginning is left out.
    pub fn new(input: R) -> Lines<R> {
        Lines { input, bytes: Vec::new(), text: String::new(), number: 0, is_old: None, old: GB18030 }
    }

    /// The number of the last line, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The next line without its end, or `None` behind the last.
    ///
    /// # Errors
    /// The system can't read, or the line is longer than a game may be.
    pub fn read_line(&mut self) -> Result<Option<&str>, Fault> {
        self.bytes.clear();
        self.number += 1;
        let limit = MAX_GAME as u64 + 1;
        let read = self.input.by_ref().take(limit).read_until(b'\n', &mut self.bytes);
        let read = read.map_err(|error| Fault::at_line(self.number, Problem::Read(error.to_string())))?;
        if read == 0 {
            return Ok(None);
        }
        if read > MAX_GAME {
            return Err(Fault::at_line(self.number, Problem::TooMuch("the length of a line")));
        }
        while matches!(self.bytes.last(), Some(b'\n' | b'\r')) {
            self.bytes.pop();
        }
        if self.number == 1 && self.bytes.starts_with("\u{feff}".as_bytes()) {
            self.bytes.drain(..3);
        }
        if self.is_old.is_none() && !self.bytes.is_ascii() {
            let rest = self.input.fill_buf().unwrap_or_default();
            self.is_old = Some(!begins_as_utf8(&self.bytes) || !begins_as_utf8(rest));
            let known = |encoding| common(&self.bytes, encoding) + common(rest, encoding);
            self.old = if known(BIG5) > 2 * known(GB18030) { BIG5 } else { GB18030 };
        }
        self.text.clear();
        match std::str::from_utf8(&self.bytes) {
            // Three bytes a character are Chinese in UTF-8, and next to never happen in GB18030; two may be either.
            Ok(text) if self.is_old != Some(true) || text.is_ascii() || text.chars().any(|c| c >= '\u{800}') => {
                self.text.push_str(text);
            }
            _ => {
                self.is_old = Some(true);
                self.text.push_str(&self.old.decode_without_bom_handling(&self.bytes).0);
            }
        }
        Ok(Some(&self.text))
    }
}

/// How often characters occur, in a text of this encoding, that most games have: in their moves, their event or its date.
fn common(bytes: &[u8], encoding: &'static Encoding) -> usize {
    let text = encoding.decode_without_bom_handling(bytes).0;
    text.chars().filter(|character| "平进退進年月日赛賽先胜勝负負和象棋中国國".contains(*character)).count()
}

/// Whether bytes are UTF-8, but for a character that may be cut at their end.
fn begins_as_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true)
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
        // 联通 alone would be taken for UTF-8; what follows it decides.
        assert_eq!(lines(&gb18030), expected);
        let both = [gb18030, b"\n".to_vec(), text.as_bytes().to_vec()].concat();
        assert_eq!(lines(&both), [expected.clone(), expected].concat());
        assert_eq!(lines(b"\xef\xbb\xbfone\r\n\r\ntwo"), ["one", "", "two"]);
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
    fn a_line_without_an_end_is_refused() {
        let mut lines = Lines::new(std::io::BufReader::new(std::io::repeat(b'x')));
        assert!(lines.read_line().is_err());
    }
}
