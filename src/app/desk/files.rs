//! Game files: reading and writing of all formats.

use super::refusal::Refusal;
use super::response::{GameEntry, Response};
use super::stop::Stop;
use super::trees::{self, TreeText};
use super::wording::{FileFault, say_fault, say_losses};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use chuhe_board::FenError;
use chuhe_board::notation::Form;
use chuhe_board::words::{Key, Language};
use chuhe_games::records::{Diagram, Encoding, Format, Record, RecordFault, RecordReader, UnknownFormat, cbl};
use chuhe_games::review::game_page;
use std::io::{self, BufRead, Cursor, Read};

/// Maximum total number of moves for which trees are sent.
const MAX_LISTED_MOVES: usize = 20_000;
/// Maximum number of listed games and errors.
const MAX_GAMES: usize = 10_000;

/// A file whose reading ends early when the request is stopped.
struct Stoppable {
    bytes: Cursor<Vec<u8>>,
    stop: Stop,
}

impl Read for Stoppable {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(into)?;
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Stoppable {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.stop.is_asked() {
            return Err(io::Error::other("stopped"));
        }
        let rest = self.bytes.fill_buf()?;
        Ok(&rest[..rest.len().min(1 << 16)])
    }

    fn consume(&mut self, length: usize) {
        self.bytes.consume(length);
    }
}

/// Opens the games in a file; game number `wanted` is returned with its tree, regardless of the size of the
/// other games.
pub(super) fn open(
    (text, base64): (Option<&str>, Option<&str>),
    encoding: Option<&'static Encoding>,
    wanted: Option<usize>,
    language: Language,
    stop: &Stop,
) -> Result<Response, Refusal> {
    // Text in a message is UTF-8.
    let (bytes, encoding) = match (text, base64) {
        (Some(text), None) => (text.as_bytes().to_vec(), None),
        (None, Some(text)) => (decode(text)?, encoding),
        _ => return Err(Refusal::bad("give either text or base64")),
    };
    let bytes = Stoppable { bytes: Cursor::new(bytes), stop: stop.clone() };
    let refusal = |error: io::Error| if stop.is_asked() { Refusal::Stopped } else { Refusal::File(error.to_string()) };
    let read = RecordReader::new_in(bytes, encoding).map_err(refusal)?;
    let format = read.format;
    let mut listing = Listing { wanted, language, games: Vec::new(), faults: Vec::new(), nodes: 0 };
    let mut more = false;
    for game in read {
        if stop.is_asked() || listing.games.len() + listing.faults.len() >= MAX_GAMES {
            more = true;
            break;
        }
        listing.add(game);
    }
    if stop.is_asked() {
        return Err(Refusal::Stopped);
    }
    let Listing { games, faults, .. } = listing;
    if games.is_empty() {
        let none = || language.word(Key::NoGames).to_owned();
        return Err(Refusal::File(faults.into_iter().next().unwrap_or_else(none)));
    }
    let faults = faults.iter().map(|clause| FileFault { text: language.sentence(clause) }).collect();
    Ok(Response::Games { format: format.name(), count: games.len(), games, faults, more })
}

/// Games and errors in a file.
struct Listing {
    /// Number of the only game to send with its tree, if any.
    wanted: Option<usize>,
    language: Language,
    games: Vec<GameEntry>,
    faults: Vec<String>,
    /// Number of moves sent as trees.
    nodes: usize,
}

impl Listing {
    fn add(&mut self, game: Result<Record, RecordFault>) {
        match game {
            Ok(record) => self.add_record(&record, None),
            Err(fault) => {
                let clause = say_fault(&fault, self.language);
                let text = self.language.sentence(&clause);
                self.faults.push(clause);
                if let Some(diagram) = fault.diagram {
                    let (number, has_tree) = self.next(diagram.tree.len());
                    self.games.push(diagram_entry(&diagram, number, has_tree, text));
                } else if let Some(record) = fault.game.filter(|game| !game.is_blank()) {
                    // The moves before the error are returned as a game.
                    self.add_record(&record, Some(text));
                }
            }
        }
    }

    fn add_record(&mut self, record: &Record, fault: Option<String>) {
        let (number, has_tree) = self.next(record.tree.len());
        self.games.push(entry(record, number, has_tree, fault, self.language));
    }

    /// Returns the number of the next game, and whether its moves are sent, too.
    fn next(&mut self, moves: usize) -> (usize, bool) {
        let number = self.games.len() + 1;
        let has_tree = match self.wanted {
            Some(wanted) => wanted == number,
            None => number == 1 || self.nodes + moves <= MAX_LISTED_MOVES,
        };
        self.nodes += if has_tree { moves } else { 0 };
        (number, has_tree)
    }
}

/// Decodes the bytes of a message.
pub(super) fn decode(base64: &str) -> Result<Vec<u8>, Refusal> {
    BASE64_STANDARD.decode(base64.trim()).map_err(|error| Refusal::bad(format!("base64: {error}")))
}

pub(super) fn entry(
    record: &Record,
    number: usize,
    has_tree: bool,
    fault: Option<String>,
    language: Language,
) -> GameEntry {
    let tag = |name: &str| record.tag(name).unwrap_or_default().to_owned();
    let moves = record.tree.len();
    let is_too_large = moves > trees::MAX_NODES;
    let note = || language.sentence(&language.say(Key::MainLineAlone, &[("count", &moves)]));
    let tree = || if is_too_large { TreeText::of(&main_line(record)) } else { TreeText::of(record) };
    GameEntry {
        number,
        players: [tag("Red"), tag("Black")],
        event: tag("Event"),
        date: tag("Date"),
        result: record.result.text(),
        plies: record.tree.main_line().count(),
        moves,
        fault,
        note: is_too_large.then(note),
        tree: has_tree.then(tree),
    }
}

/// Returns the entry for a diagram with its fault: the first unreadable move, or the reasons why no game
/// can be played from it.
fn diagram_entry(diagram: &Diagram, number: usize, has_tree: bool, fault: String) -> GameEntry {
    let tag = |name: &str| diagram.tag(name).unwrap_or_default().to_owned();
    GameEntry {
        number,
        players: [tag("Red"), tag("Black")],
        event: tag("Event"),
        date: tag("Date"),
        result: diagram.result.text(),
        plies: diagram.tree.main_line().count(),
        moves: diagram.tree.len(),
        fault: Some(fault),
        note: None,
        tree: has_tree.then(|| TreeText::of_diagram(diagram)),
    }
}

/// Returns a game without its variations, truncated to the maximum size of a tree.
fn main_line(record: &Record) -> Record {
    let line = record.tree.main_line().take(trees::MAX_NODES);
    let line = line.filter_map(|id| Some((record.tree.mv(id)?, record.tree.comment(id).to_owned())));
    let Record { tags, result, .. } = record.clone();
    Record { tags, result, ..Record::of_line(record.start.clone(), line) }
}

/// Name of the format for a self-contained page, which is write-only.
const PAGE: &str = "html";

/// Returns a game as the content of a file.
pub(super) fn save(
    form: &str,
    notation: Option<&str>,
    tree: &TreeText,
    language: Language,
) -> Result<Response, Refusal> {
    let notation = notation
        .map_or(Ok(Form::Iccs), |text| text.parse().map_err(|_| Refusal::bad("notation: iccs, wxf or chinese")))?;
    if form == PAGE {
        let record = tree.record()?;
        let name = format!("{}.{PAGE}", stem(|name| record.tag(name).unwrap_or_default()));
        return Ok(Response::File {
            name,
            text: Some(game_page(&record, notation, language)),
            base64: None,
            losses: Vec::new(),
        });
    }
    let format: Format = form.parse().map_err(|error: UnknownFormat| Refusal::Bad(error.to_string()))?;
    let (written, title, stem) = match tree.record() {
        Ok(record) => {
            let tag = |name: &str| record.tag(name).unwrap_or_default();
            (format.write(&record, notation), tag("Title").to_owned(), stem(tag))
        }
        Err(Refusal::Fen(FenError::Impossible(reasons))) => {
            let diagram = tree.diagram(reasons)?;
            let tag = |name: &str| diagram.tag(name).unwrap_or_default();
            (format.write_diagram(&diagram, notation), tag("Title").to_owned(), stem(tag))
        }
        Err(refusal) => return Err(refusal),
    };
    let written = written.map_err(|error| Refusal::File(error.to_string()))?;
    let losses = say_losses(format, &written, language);
    let losses = losses.iter().map(|clause| language.sentence(clause)).collect();
    let mut bytes = written.bytes;
    if format == Format::Cbl {
        let mut library = cbl::Library::default();
        let added = library.add(bytes, &title);
        added.map_err(|error| Refusal::File(error.to_string()))?;
        bytes = library.write("Chuhe");
    }
    let (text, base64) = if format.is_text() {
        (Some(String::from_utf8_lossy(&bytes).into_owned()), None)
    } else {
        (None, Some(BASE64_STANDARD.encode(bytes)))
    };
    Ok(Response::File { name: format!("{stem}.{}", format.suffix()), text, base64, losses })
}

/// Maximum length of a name within a file name, in characters.
const MAX_NAME: usize = 24;

/// Returns the name of a game's file without its suffix: the players and the date, as far as they are known,
/// in letters, digits, hyphens and spaces.
fn stem<'t>(tag: impl Fn(&str) -> &'t str) -> String {
    let known = |name: &str| {
        let letters = tag(name).replace('.', "-");
        let letters = letters.chars().filter(|&letter| letter.is_alphanumeric() || " -_".contains(letter));
        letters.take(MAX_NAME).collect::<String>().trim_matches([' ', '-']).to_owned()
    };
    let mut parts = ["Red", "Black", "Date"].map(known).to_vec();
    parts.retain(|part| !part.is_empty());
    // A name of a single part could be reserved on Windows.
    if parts.len() < 2 {
        parts.push("game".to_owned());
    }
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_after_the_players_and_the_date() {
        let stem = |tags: [&'static str; 3]| {
            stem(move |name| tags[["Red", "Black", "Date"].iter().position(|one| *one == name).unwrap_or_default()])
        };
        assert_eq!(stem(["胡荣华", "Lü Qin", "1999.03.??"]), "胡荣华-Lü Qin-1999-03");
        assert_eq!(stem(["../../etc/passwd", "a\\b:c*?\u{202e}", ""]), "etcpasswd-abc");
        assert_eq!(stem(["", "?", "????.??.??"]), "game");
        assert_eq!(stem(["CON", "?", ""]), "CON-game");
        assert_eq!(stem(["x".repeat(500).leak(), "", "2026.11.26"]), format!("{}-2026-11-26", "x".repeat(24)));
    }
}
