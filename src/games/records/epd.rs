//! EPD: one position per line, a FEN with operations after semicolons.

use super::lines::split_fen;

/// A line of an EPD file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpdLine {
    /// Line number, from 1.
    pub number: usize,
    /// FEN, unchecked, optionally followed by moves.
    pub fen: String,
    /// Operations, trimmed: `D1 44`, `bm h2e2`.
    pub operations: Vec<String>,
}

impl EpdLine {
    /// Returns the operand of an operation: `h2e2` for `bm`.
    pub fn operation(&self, name: &str) -> Option<&str> {
        let mut operations = self.operations.iter().filter_map(|operation| operation.split_once(char::is_whitespace));
        operations.find(|(known, _)| *known == name).map(|(_, words)| words.trim())
    }
}

/// Splits a FEN from the operation that follows it without a semicolon, as in the EPD files of chess:
/// `FEN - - bm h2e2`. Moves, and words that look like moves, are not an operation.
fn split_operation(text: &str) -> Option<(String, String)> {
    let (fen, rest) = split_fen(text)?;
    let name = rest.split_whitespace().next()?;
    let is_move = name.len() >= 4 && name.contains(|c: char| c.is_ascii_digit());
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_move && name != "moves";
    is_name.then(|| (fen, rest.trim().to_owned()))
}

/// Parses the lines of an EPD file. Skips empty lines, lines that begin with `#`, and a byte order mark.
///
/// ```
/// let lines = chuhe_games::records::epd::read("# two ways to write it\nstartpos ; bm h2e2 b2e2 ; ce 20;\n\n4k4 w");
/// assert_eq!((lines.len(), lines[0].number, lines[0].fen.as_str()), (2, 2, "startpos"));
/// assert_eq!((lines[0].operation("bm"), lines[0].operation("dm")), (Some("h2e2 b2e2"), None));
/// let lines = chuhe_games::records::epd::read("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 bm d0d1; id \"1\";");
/// assert_eq!((lines[0].fen.as_str(), lines[0].operation("bm")), ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", Some("d0d1")));
/// let lines = chuhe_games::records::epd::read("position startpos\nstartpos moves h2e2 ; bm h9g7");
/// assert_eq!([&lines[0].fen, &lines[1].fen], ["position startpos", "startpos moves h2e2"]);
/// ```
pub fn read(text: &str) -> Vec<EpdLine> {
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let positions = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).map(|(number, line)| {
        let mut fields = line.split(';').map(|field| field.trim().to_owned());
        let first = fields.next().unwrap_or_default();
        let (fen, operation) = split_operation(&first).unwrap_or((first, String::new()));
        let operations = std::iter::once(operation).chain(fields);
        EpdLine { number, fen, operations: operations.filter(|field| !field.is_empty()).collect() }
    });
    positions.collect()
}
