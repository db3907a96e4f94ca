//! EPD: one position per line, a FEN with operations after semicolons.

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

/// Parses the lines of an EPD file. Skips empty lines, lines that begin with `#`, and a byte order mark.
///
/// ```
/// let lines = chuhe_games::records::epd::read("# two ways to write it\nstartpos ; bm h2e2 b2e2 ; ce 20;\n\n4k4 w");
/// assert_eq!((lines.len(), lines[0].number, lines[0].fen.as_str()), (2, 2, "startpos"));
/// assert_eq!((lines[0].operation("bm"), lines[0].operation("dm")), (Some("h2e2 b2e2"), None));
/// ```
pub fn read(text: &str) -> Vec<EpdLine> {
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let positions = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).map(|(number, line)| {
        let mut fields = line.split(';').map(|field| field.trim().to_owned());
        let fen = fields.next().unwrap_or_default();
        EpdLine { number, fen, operations: fields.filter(|field| !field.is_empty()).collect() }
    });
    positions.collect()
}
