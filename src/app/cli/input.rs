//! Input files specified by the user: bytes, text, records, or positions in EPD (a FEN with operations after
//! semicolons).

use super::game::read_game;
use super::output::shown;
use super::{Done, Failure, encoding, wrong_input};
use chuhe_board::rules::Game;
use chuhe_engine::bytes::{MAX_FILE, read_file};
use chuhe_games::records::epd::{self, EpdLine};
use chuhe_games::records::{RecordReader, decode_lines};
use chuhe_lab::arena::schedule::Part;
use encoding_rs::GB18030;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::rc::Rc;

/// Reads a whole file.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    read_file(path, MAX_FILE).map_err(|error| Failure::file(path, &error))
}

/// Reads a whole text file, which must be valid UTF-8; skips a byte order mark.
pub(super) fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = read_bytes(path)?;
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        Failure::at(format!("{}:{line}", path.display()), "not UTF-8 text")
    })?;
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

/// Returns the next line typed by the user, without its end; `None` at the end of the input. Bytes that are
/// not UTF-8 are decoded as GB18030, used by older Chinese terminals. Input after the line is not consumed.
pub(super) fn typed_line() -> Option<String> {
    const MAX_LINE: u64 = 1 << 20;
    read_typed(&mut io::stdin().lock().take(MAX_LINE))
}

fn read_typed(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    if input.read_until(b'\n', &mut bytes).ok()? == 0 {
        return None;
    }
    let line = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    Some(match std::str::from_utf8(line) {
        Ok(text) => text.into(),
        Err(_) => GB18030.decode_without_bom_handling(line).0.into_owned(),
    })
}

/// A position in a file, with its location for messages: `file:line`.
pub(super) struct Placed {
    pub place: String,
    pub line: EpdLine,
}

impl Placed {
    /// Returns the game that leads to the position. A game with its repetition data takes a hundred times the
    /// memory of its line, so only one game should be stored at a time.
    pub(super) fn game(&self) -> Result<Game, Failure> {
        read_game(&self.line.fen).map_err(|error| Failure::at(&self.place, error))
    }
}

/// Returns the positions in a file, or from standard input for `-`; there is at least one. Skips empty lines
/// and lines that begin with `#`. Bytes that are not UTF-8 invalidate only their line.
pub(super) fn read_epd(path: &Path) -> Result<Vec<Placed>, Failure> {
    let (name, bytes) = read_named(path)?;
    lines_of(&name, &bytes)
}

/// Returns the bytes of a file, or of standard input for `-`, and its name for messages.
fn read_named(path: &Path) -> Result<(String, Vec<u8>), Failure> {
    if path != Path::new("-") {
        return Ok((shown(path), read_bytes(path)?));
    }
    let (name, mut bytes) = ("standard input".to_owned(), Vec::new());
    let read = io::stdin().take(MAX_FILE + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::at(&name, error))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(Failure::at(&name, format!("too long: more than {MAX_FILE} bytes")));
    }
    Ok((name, bytes))
}

fn lines_of(name: &str, bytes: &[u8]) -> Result<Vec<Placed>, Failure> {
    if let Some(kind) = wrong_input::file(bytes) {
        return Err(Failure::at(name, format!("no positions; it looks like {kind}")));
    }
    let text = decode_lines(bytes, encoding::named()).map_err(|fault| Failure::at(name, fault))?;
    let lines = epd::read(&text);
    if lines.is_empty() {
        return Err(Failure::at(name, "no positions found"));
    }
    Ok(lines.into_iter().map(|line| Placed { place: format!("{name}:{}", line.number), line }).collect())
}

/// The positions in a file: one per line or, for game records, all positions of their main lines. Each
/// position is stored with the number of plies played before it in its game.
pub(super) struct InputPositions {
    /// Number of positions, if known in advance.
    pub count: Option<usize>,
    positions: Box<dyn Iterator<Item = Result<InputPosition, Failure>>>,
}

impl InputPositions {
    /// Opens a file, or standard input for `-`, whose positions are read one by one on demand.
    pub(super) fn open(path: &Path) -> Result<InputPositions, Failure> {
        if path != Path::new("-") {
            let (name, bytes) = read_named(path)?;
            return InputPositions::of(&name, &bytes);
        }
        let name = "standard input";
        let failed = move |error: io::Error| Failure::at(name, error);
        let (mut before, mut first) = (Vec::new(), Vec::new());
        // Comments and empty lines may precede the line that determines the format.
        while first.trim_ascii().is_empty() || first.starts_with(b"#") {
            before.append(&mut first);
            if io::stdin().lock().take(MAX_FILE).read_until(b'\n', &mut first).map_err(failed)? == 0 {
                break;
            }
        }
        let records = RecordReader::of_records_in(&first, encoding::named());
        let is_record = records.map_err(|error| Failure::at(name, error))?.is_some();
        // Text with two bytes per character cannot be split at line ends.
        let is_wide = encoding::named().is_some_and(|encoding| !encoding.is_ascii_compatible())
            || first.starts_with(b"\xff\xfe")
            || first.starts_with(b"\xfe\xff");
        if first.trim_ascii().is_empty() || is_record || is_wide || wrong_input::file(&first).is_some() {
            let (name, rest) = read_named(path)?;
            return InputPositions::of(&name, &[before, first, rest].concat());
        }
        let skipped = before.iter().filter(|byte| **byte == b'\n').count();
        let lines = std::iter::once(Ok(first)).chain(io::stdin().lock().split(b'\n'));
        let positions = (skipped + 1..).zip(lines).flat_map(move |(number, line)| {
            let text = line.map_err(failed).and_then(|line| {
                decode_lines(&line, encoding::named())
                    .map_err(|fault| Failure::at(format!("{name}:{number}"), fault.problem))
            });
            match text {
                Ok(text) => {
                    let source = epd::read(&text).pop();
                    source.map(|line| InputPosition::read(Placed { place: format!("{name}:{number}"), line }))
                }
                Err(failure) => Some(Err(failure)),
            }
        });
        Ok(InputPositions { count: None, positions: Box::new(positions) })
    }

    /// Skips all positions outside a part.
    ///
    /// # Errors
    /// Returns an error if the positions are read one by one, since their number is then unknown.
    pub(super) fn keep_part(&mut self, part: Part) -> Done {
        let unknown = || Failure::at("--part", "the positions must be in a file, not on standard input");
        let range = part.range(self.count.ok_or_else(unknown)?);
        self.count = Some(range.len());
        let positions = std::mem::replace(&mut self.positions, Box::new(std::iter::empty()));
        self.positions = Box::new(positions.skip(range.start).take(range.len()));
        Ok(())
    }

    fn of(name: &str, bytes: &[u8]) -> Result<InputPositions, Failure> {
        let records = RecordReader::of_records_in(bytes, encoding::named());
        let Some(games) = records.map_err(|error| Failure::at(name, error))? else {
            let lines = lines_of(name, bytes)?;
            return Ok(InputPositions {
                count: Some(lines.len()),
                positions: Box::new(lines.into_iter().map(InputPosition::read)),
            });
        };
        let mut positions = Vec::new();
        for record in games {
            // The moves of a damaged game before its error are also used.
            let (record, fault) = match record {
                Ok(record) => (Some(record), None),
                Err(fault) => {
                    let said = fault.to_string();
                    (fault.game.map(|game| *game).filter(|game| !game.is_blank()), Some(said))
                }
            };
            positions.extend(fault.map(|fault| Err(Failure::at(name, fault))));
            match record.map(|record| record.game()) {
                None => {}
                Some(Err(illegal)) => positions.push(Err(Failure::at(name, illegal))),
                Some(Ok(game)) => {
                    let game = Rc::new(game);
                    let plies = 0..=game.plies().len();
                    positions.extend(plies.map(|plies| Ok(InputPosition { game: game.clone(), plies, source: None })));
                }
            }
        }
        Ok(InputPositions { count: Some(positions.len()), positions: Box::new(positions.into_iter()) })
    }
}

impl Iterator for InputPositions {
    type Item = Result<InputPosition, Failure>;

    fn next(&mut self) -> Option<Result<InputPosition, Failure>> {
        self.positions.next()
    }
}

/// A position in a file.
pub(super) struct InputPosition {
    game: Rc<Game>,
    plies: usize,
    /// Line in the file; `None` if the position comes from a game record.
    pub source: Option<Placed>,
}

impl InputPosition {
    fn read(source: Placed) -> Result<InputPosition, Failure> {
        let game = source.game()?;
        let plies = game.plies().len();
        Ok(InputPosition { game: Rc::new(game), plies, source: Some(source) })
    }

    /// Returns the position with the preceding moves.
    pub(super) fn game(&self) -> Game {
        let mut game = (*self.game).clone();
        game.take_back_to(self.plies);
        game
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_lines_may_be_in_gb18030() {
        let mut input = &b"h2e2\n\xc2\xed\xb6\xfe\xbd\xf8\xc8\xfd\r\n\xff\nquit"[..];
        assert_eq!(read_typed(&mut input).as_deref(), Some("h2e2"));
        assert_eq!(read_typed(&mut input).as_deref(), Some("马二进三"));
        assert!(read_typed(&mut input).is_some(), "invalid bytes are a line as well");
        assert_eq!(read_typed(&mut input).as_deref(), Some("quit"));
        assert_eq!(read_typed(&mut input), None);
    }
}
