//! Files of positions: EPD lines, a FEN with operations after semicolons.

use super::Failure;
use std::io::Read;
use std::path::Path;

/// One position of a file.
pub struct EpdLine {
    /// `file:line`, for messages.
    pub place: String,
    /// The FEN, unchecked.
    pub fen: String,
    /// The operations, trimmed: `D1 44`.
    pub operations: Vec<String>,
}

/// The positions of a file, or of standard input for `-`. Empty lines and lines that begin with `#` are skipped; bytes that are not
/// UTF-8 are kept as marks, so that only their line is refused.
pub fn read_epd(path: &Path) -> Result<Vec<EpdLine>, Failure> {
    let mut bytes = Vec::new();
    let (name, read) = if path == Path::new("-") {
        ("standard input".to_owned(), std::io::stdin().read_to_end(&mut bytes))
    } else {
        let opened = std::fs::File::open(path);
        (path.display().to_string(), opened.and_then(|mut file| file.read_to_end(&mut bytes)))
    };
    read.map_err(|error| Failure::at(&name, error))?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let positions = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).map(|(number, line)| {
        let mut fields = line.split(';').map(|field| field.trim().to_owned());
        let fen = fields.next().unwrap_or_default();
        EpdLine {
            place: format!("{name}:{number}"),
            fen,
            operations: fields.filter(|field| !field.is_empty()).collect(),
        }
    });
    Ok(positions.collect())
}
