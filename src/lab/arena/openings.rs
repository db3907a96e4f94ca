//! Openings: positions in a file, in the file's order or shuffled with a seed.

use super::error::{Error, OpeningError};
use chuhe_board::random::SplitMix64;
use chuhe_board::rules::{Game, Terms, Verdict, judge};
use chuhe_board::{Move, Position};
use chuhe_engine::bytes::{MAX_FILE, read_file};
use chuhe_games::records::{Encoding, Record, RecordFault, RecordReader, epd};
use std::path::Path;

/// A position, and the moves played from it before the players begin.
#[derive(Clone, PartialEq, Debug)]
pub struct Opening {
    /// First position of the record.
    pub start: Position,
    /// Moves of the opening.
    pub moves: Vec<Move>,
}

impl Opening {
    /// Returns the game when the players begin.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        self.moves.iter().for_each(|mv| game.make(*mv));
        game
    }

    /// Returns the position in which the players begin.
    pub fn position(&self) -> Position {
        self.game().position().clone()
    }

    /// Returns `true` if the game is not over after the opening.
    pub fn is_open(&self, terms: Terms) -> bool {
        judge(&self.game(), terms) == Verdict::Open
    }
}

/// Returns the thousand positions of `src/lab/embedded/openings.epd`, in order. They are balanced according
/// to Chuhe's search.
pub fn built_in() -> Vec<Opening> {
    // All positions are valid; a test checks this.
    read_epd(include_str!("../embedded/openings.epd")).into_iter().flatten().collect()
}

/// Reads a file: records of games in any format, or one FEN or EPD per line, optionally with `moves …`. Text
/// after a `;` and lines that begin with `#` are ignored.
///
/// The first `plies` moves of a record are the opening. If `encoding` is `None`, the encoding of records is
/// detected.
///
/// # Errors
/// Returns the first error in the file. A game that is over before it begins is also an error.
pub fn read(
    path: &Path,
    plies: usize,
    encoding: Option<&'static Encoding>,
    terms: Terms,
) -> Result<Vec<Opening>, Error> {
    let (openings, faults) = read_sound(path, plies, encoding, |opening| opening.is_open(terms))?;
    faults.into_iter().next().map_or(Ok(openings), Err)
}

/// Reads a file like [`read`], but skips openings that are unreadable or rejected, and returns a message
/// about each of them.
///
/// # Errors
/// Returns an error if no opening is left.
pub fn read_sound(
    path: &Path,
    plies: usize,
    encoding: Option<&'static Encoding>,
    is_wanted: impl Fn(&Opening) -> bool,
) -> Result<(Vec<Opening>, Vec<Error>), Error> {
    let named = |error| Error::Opening { path: path.to_owned(), error };
    let bytes = read_file(path, MAX_FILE).map_err(|error| Error::file(path, error))?;
    let records = RecordReader::of_records_in(&bytes, encoding).map_err(|error| Error::file(path, error))?;
    let all = match records {
        Some(games) => read_records(games, plies),
        None => read_epd(&String::from_utf8_lossy(&bytes)),
    };
    let (mut openings, mut faults) = (Vec::new(), Vec::new());
    for (index, opening) in all.into_iter().enumerate() {
        match opening {
            Ok(opening) if is_wanted(&opening) => openings.push(opening),
            Ok(_) => faults.push(named(OpeningError::Over(index + 1))),
            Err(error) => faults.push(named(error)),
        }
    }
    if openings.is_empty() {
        return Err(faults.into_iter().next().unwrap_or_else(|| named(OpeningError::Missing)));
    }
    Ok((openings, faults))
}

fn read_epd(text: &str) -> Vec<Result<Opening, OpeningError>> {
    let openings = epd::read(text).into_iter().map(|line| {
        let mut game = Game::read(&line.fen).map_err(|error| OpeningError::Line(line.number, error))?;
        let moves: Vec<Move> = game.plies().iter().filter_map(|ply| ply.mv).collect();
        game.take_back_to(0);
        Ok(Opening { start: game.position().clone(), moves })
    });
    openings.collect()
}

fn read_records(games: RecordReader, plies: usize) -> Vec<Result<Opening, OpeningError>> {
    let opening = |(index, game): (usize, Result<Record, RecordFault>)| {
        let game = game?;
        // The record contains only tags, so every game would begin at the initial position.
        if game.tree.is_empty() && game.start == Position::start() {
            return Err(OpeningError::Empty(index + 1));
        }
        Ok(Opening { moves: game.moves().into_iter().take(plies).collect(), start: game.start })
    };
    games.enumerate().map(opening).collect()
}

/// Shuffles the openings with a seed; the order is the same on every machine (Fisher–Yates).
pub fn shuffle(openings: &mut [Opening], seed: u64) {
    let mut random = SplitMix64::new(seed);
    for last in (1..openings.len()).rev() {
        openings.swap(last, random.below(last as u64 + 1) as usize);
    }
}

/// Returns a fingerprint of the openings in their order.
pub fn fingerprint(openings: &[Opening]) -> u64 {
    openings.iter().fold(openings.len() as u64, |hash, opening| {
        let key = opening.position().key() ^ opening.start.key().rotate_left(32);
        SplitMix64::new(hash ^ key).next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::STARTPOS;

    #[test]
    fn lines_and_games_are_openings() {
        let epd = format!(
            "# ours\n\n{STARTPOS}\n{STARTPOS} ; id \"x\"; c0 y;\nrnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\n"
        );
        assert_eq!(read_epd(&epd).iter().flatten().count(), 3);
        let only = |mut all: Vec<Result<Opening, OpeningError>>| all.pop().filter(|_| all.is_empty()).expect("one");
        assert!(only(read_epd("9/9 w")).unwrap_err().to_string().starts_with("line 1"));
        let moved = only(read_epd(&format!("{STARTPOS} moves h2e2 h9g7; id \"x\""))).unwrap();
        assert_eq!((&moved.start, moved.moves.len()), (&Position::start(), 2));
        let illegal = only(read_epd("startpos moves h2h9 a9a9")).unwrap_err().to_string();
        assert!(illegal.starts_with("line 1: move 2 (\"a9a9\")"));
        let pgn = b"[Red \"x\"]\n\n1. h2e2 h9g7 2. h0g2 *\n\n[Red \"y\"]\n\n1. b0c2 *\n";
        let read = |pgn: &[u8]| read_records(RecordReader::of_records(pgn).unwrap().unwrap(), 2);
        let games = read(pgn);
        assert_eq!(games.iter().flatten().map(|opening| opening.moves.len()).collect::<Vec<_>>(), [2, 1]);
        assert!(only(read(b"[Red \"x\"]\n\n1. h2h8 *\n")).is_err());
        let nothing = only(read(b"[Red \"x\"]\n\n*\n"));
        assert_eq!(nothing.unwrap_err(), OpeningError::Empty(1));
    }

    #[test]
    fn an_opening_must_not_be_over_by_rule() {
        let is_open = |line: &str| read_epd(line).remove(0).unwrap().is_open(Terms::default());
        assert!(is_open("startpos moves h2e2"));
        let there_and_back = "a0a1 a9a8 a1a0 a8a9 ".repeat(2);
        for over in [
            "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
            "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 120 80",
            "3k5/4R4/4R4/9/9/9/9/9/9/5K3 b - - 0 1",
            &format!("startpos moves {there_and_back}"),
        ] {
            assert!(!is_open(over), "{over}");
        }
    }

    #[test]
    fn the_usual_openings_are_many_and_differ() {
        let openings = built_in();
        assert_eq!(openings.len(), 1000);
        let key = |opening: &Opening| opening.start.key().min(opening.start.mirrored().key());
        assert_eq!(openings.iter().map(key).collect::<std::collections::HashSet<_>>().len(), 1000);
        assert!(openings.iter().all(|opening| opening.start.has_moves() && !opening.start.in_check()));
    }

    #[test]
    fn a_seed_gives_one_order() {
        let all: Vec<Opening> = Position::start()
            .legal_moves()
            .into_iter()
            .map(|mv| Opening { start: Position::start(), moves: vec![mv] })
            .collect();
        let order = |seed| {
            let mut shuffled = all.clone();
            shuffle(&mut shuffled, seed);
            shuffled
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        assert_ne!(fingerprint(&order(1)), fingerprint(&order(2)));
        assert!(order(3).iter().all(|opening| all.contains(opening)));
    }
}
