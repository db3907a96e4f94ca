//! The position of a subcommand: `--fen` or positional arguments, and `--moves` in any notation.

use super::gather::is_game_file;
use super::{Failure, encoding, wrong_input};
use chuhe_board::notation::{self, NoSuchMove};
use chuhe_board::rules::Game;
use chuhe_board::{FenError, Move, Position, Setup};
use chuhe_games::records::{Diagram, Record, RecordFault, RecordReader};
use clap::Args;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Identifiers of the options of [`GameArgs`], with which an option that replaces the position conflicts.
pub(super) const GAME_OPTIONS: [&str; 5] = ["position", "fen", "moves", "ply", "number"];

/// Options for every subcommand that accepts a position.
#[derive(Args, Default)]
pub(super) struct GameArgs {
    /// The position, quoted or not: a FEN or `startpos`, optionally followed by `moves h2e2 h9g7`; or a game
    /// record file [default: startpos]
    #[arg(value_name = "POSITION", conflicts_with = "fen")]
    pub(super) position: Vec<String>,

    /// Position as one argument: a FEN or `startpos`
    #[arg(long, value_name = "FEN")]
    pub(super) fen: Option<String>,

    /// Moves played from the position, as one quoted list in any notation: "h2e2 h9g7", "C2=5 H8+7", "炮二平五
    /// 马８进７"
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    pub(super) moves: String,

    /// Use the position after this many plies of the game instead of its end
    #[arg(long, value_name = "N")]
    pub(super) ply: Option<usize>,

    /// Number of the game in a file with several [default: 1]
    #[arg(long = "game", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) number: Option<u32>,
}

/// A game, or a diagram whose position is not playable.
pub(super) enum GameOrDiagram {
    Game(Box<Game>),
    Diagram(Box<Diagram>),
}

impl GameArgs {
    /// Returns the game that the arguments describe.
    pub(super) fn read(&self) -> Result<Game, Failure> {
        self.read_by(read_game)
    }

    /// Returns the files that may be read: the position, if it is a file, and `file`.
    pub(super) fn files<'f>(&'f self, file: &'f Option<PathBuf>) -> Vec<&'f Path> {
        self.position.iter().map(Path::new).chain(file.as_deref()).collect()
    }

    /// Returns `true` if any option was given.
    #[cfg(feature = "sqlite-books")]
    pub(super) fn is_given(&self) -> bool {
        !self.position.is_empty()
            || self.fen.is_some()
            || !self.moves.is_empty()
            || self.ply.is_some()
            || self.number.is_some()
    }

    /// Returns the game for counting moves; see [`game_to_count`].
    pub(super) fn read_to_count(&self) -> Result<Game, Failure> {
        self.read_by(game_to_count)
    }

    /// Returns the game that the arguments describe, or the diagram in a file. A diagram has no moves to play
    /// or to take back.
    pub(super) fn read_shown(&self) -> Result<GameOrDiagram, Failure> {
        match &self.position[..] {
            [path] if self.fen.is_none() && is_record(Path::new(path)) => {
                let path = Path::new(path);
                match self.find_record(path)? {
                    Err(RecordFault { diagram: Some(diagram), .. }) => match (self.ply, self.moves.trim()) {
                        (None, "") => Ok(GameOrDiagram::Diagram(diagram)),
                        (ply, _) => {
                            let option = if ply.is_some() { "--ply" } else { "--moves" };
                            Err(Failure::at(option, "the file contains a diagram, which cannot be played from"))
                        }
                    },
                    found => Ok(GameOrDiagram::Game(Box::new(self.with_moves(main_line(found, path)?)?))),
                }
            }
            _ => self.read().map(|game| GameOrDiagram::Game(Box::new(game))),
        }
    }

    fn read_by(&self, read: fn(&str) -> Result<Game, Unplayable>) -> Result<Game, Failure> {
        let (place, text) = match (&self.fen, &self.position[..]) {
            (Some(fen), _) => ("--fen", fen.clone()),
            (None, []) => ("the position", "startpos".to_owned()),
            (None, [path]) if is_record(Path::new(path)) => ("", path.clone()),
            (None, words) if words.iter().any(|word| is_record(Path::new(word))) => {
                let files = words.join(" ");
                return Err(Failure::at(
                    files,
                    "several words, one of them a file: give a single file, in quotation marks if its name contains spaces",
                ));
            }
            (None, words) => ("the position", words.join(" ")),
        };
        if !place.is_empty() && self.number.is_some() {
            return Err(Failure::at("--game", "applies only to files"));
        }
        let path = Path::new(&text);
        self.with_moves(match place {
            "" => main_line(self.find_record(path)?, path)?,
            _ => read(&text).map_err(|error| match error {
                Unplayable::Start(FenError::Text(_)) if is_name(&self.position) => {
                    Failure::at(&text, "neither an existing file nor a FEN")
                }
                _ => Failure::at(place, error),
            })?,
        })
    }

    /// Plays the moves of `--moves`, then takes back the moves after `--ply`.
    fn with_moves(&self, mut game: Game) -> Result<Game, Failure> {
        play(&mut game, &self.moves).map_err(|error| Failure::at("--moves", error))?;
        if let Some(ply) = self.ply {
            let plies = game.plies().iter().filter(|ply| ply.mv.is_some()).count();
            if ply > plies {
                return Err(Failure::at("--ply", format!("the game has only {plies} plies")));
            }
            game.take_back_to(ply);
        }
        Ok(game)
    }

    /// Reads the selected game record from a file.
    fn find_record(&self, path: &Path) -> Result<Result<Record, RecordFault>, Failure> {
        let mut games = RecordReader::open_in(path, encoding::named()).map_err(|error| Failure::file(path, &error))?;
        let number = self.number.unwrap_or(1) as usize;
        let missing = if number == 1 { "no games found" } else { "the file has no game with this number" };
        games.nth(number - 1).ok_or_else(|| Failure::at(path.display(), missing))
    }
}

/// Returns the main line of a game that was read from a file.
fn main_line(found: Result<Record, RecordFault>, path: &Path) -> Result<Game, Failure> {
    let record = found.map_err(|fault| Failure::at(path.display(), fault))?;
    record.game().map_err(|illegal| Failure::at(path.display(), illegal))
}

/// Returns `true` if a position is a single word without ranks, such as the name of a missing file.
fn is_name(position: &[String]) -> bool {
    matches!(position, [word] if !word.is_empty() && !word.contains(['/', ' ']))
}

/// Returns `true` if a word is, or looks like, the name of a file.
fn is_record(path: &Path) -> bool {
    path.is_file() || is_game_file(path)
}

/// Reason why a game described by the user cannot be played.
#[derive(Debug, PartialEq, Eq, Error)]
pub(super) enum Unplayable {
    /// The starting position is invalid.
    #[error("{0}")]
    Start(FenError),
    /// The starting position is not a FEN; contains the error and the apparent kind of the text.
    #[error("{0}; it looks like {1}")]
    Other(FenError, &'static str),
    /// A move follows the starting position without the word `moves`.
    #[error("expected the word moves before {0:?}")]
    NoKeyword(String),
    /// The move with this number is in no known notation.
    #[error("ply {0} ({1:?}) can't be read: it is not a move in a known notation")]
    Unreadable(usize, String),
    /// The move with this number cannot be played.
    #[error("ply {0} ({1:?}) {2}")]
    Move(usize, String, NoSuchMove),
}

/// Parses a game: `startpos` or a FEN, optionally followed by `moves` and moves in any notation.
pub(super) fn read_game(text: &str) -> Result<Game, Unplayable> {
    read_from(text, Game::from_fen)
}

/// Parses a game whose moves are only counted. The kings may face each other in the starting position, as in
/// some collections of perft counts.
pub(super) fn game_to_count(text: &str) -> Result<Game, Unplayable> {
    read_from(text, |fen| match fen {
        "startpos" => Game::from_fen(fen),
        _ => {
            let setup: Setup = fen.parse().map_err(FenError::Text)?;
            Position::new_with_kings_facing(&setup).map(Game::new).map_err(FenError::Impossible)
        }
    })
}

fn read_from(text: &str, start: impl FnOnce(&str) -> Result<Game, FenError>) -> Result<Game, Unplayable> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let mut game = start(&words[..end].join(" ")).map_err(|error| match (&error, wrong_input::text(text)) {
        (FenError::Text(_), Some(kind)) => Unplayable::Other(error, kind),
        _ => Unplayable::Start(error),
    })?;
    // A FEN may be followed by other text, but moves without the keyword would be ignored.
    if let Some(word) = words[..end].iter().skip(1).find(|word| is_move(word)) {
        return Err(Unplayable::NoKeyword(word.chars().take(20).collect()));
    }
    play(&mut game, &words[(end + 1).min(words.len())..].join(" "))?;
    Ok(game)
}

/// Returns `true` if a word is a move: in coordinates, WXF notation, or Chinese.
fn is_move(word: &str) -> bool {
    let is_wxf = |bytes: &[u8]| bytes[0].is_ascii_alphabetic() && b"+-=".contains(&bytes[2]);
    word.parse::<Move>().is_ok()
        || word.len() == 4 && is_wxf(word.as_bytes())
        || word.chars().count() >= 4 && word.contains(['平', '进', '進', '退'])
}

/// Makes moves separated by spaces or commas, in any notation, with or without move numbers.
fn play(game: &mut Game, moves: &str) -> Result<(), Unplayable> {
    let words = moves.split(|between: char| between.is_whitespace() || between == ',');
    let moves = words.map(without_number).filter(|word| !word.is_empty());
    for (index, text) in moves.enumerate() {
        let mv = notation::read(game.position(), text).map_err(|error| {
            let (number, text) = (index + 1, text.chars().take(20).collect());
            match error {
                NoSuchMove::Unreadable => Unplayable::Unreadable(number, text),
                _ => Unplayable::Move(number, text, error),
            }
        })?;
        game.make(mv);
    }
    Ok(())
}

/// Removes the number from `1.h2e2`; returns an empty string for `1.` and `1...`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|digit: char| digit.is_ascii_digit());
    // In `17.8` the digits are part of the move.
    let is_number =
        rest.len() < word.len() && rest.starts_with('.') && !rest[1..].starts_with(|c: char| c.is_ascii_digit());
    if is_number { rest.trim_start_matches('.') } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Result<String, Unplayable> {
        let game = read_game(&format!("startpos moves {text}"))?;
        let moves: Vec<String> = game.plies().iter().filter_map(|ply| Some(ply.mv?.to_string())).collect();
        Ok(moves.join(" "))
    }

    #[test]
    fn moves_are_read_in_any_notation() {
        for text in [
            "h2e2 h9g7",
            "H2-E2,H9-G7",
            "炮二平五 马８进７",
            "砲二平五 馬8進7",
            "C2=5 H8+7",
            "c2.5 n8+7",
            "1. C2=5 H8+7",
            "1.h2e2 1...h9g7",
        ] {
            assert_eq!(moves(text), Ok("h2e2 h9g7".to_owned()), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_and_what_is_not_legal_differ() {
        let said = |text| moves(text).map_err(|error| error.to_string());
        assert_eq!(said("h2e2 h9h8"), Err("ply 2 (\"h9h8\") is not legal there".to_owned()));
        assert_eq!(said("炮二平二"), Err("ply 1 (\"炮二平二\") is not legal there".to_owned()));
        let unreadable = "ply 1 (\"hello\") can't be read: it is not a move in a known notation";
        assert_eq!(said("hello"), Err(unreadable.to_owned()));
    }

    #[test]
    fn a_text_that_is_no_fen_is_told_what_it_looks_like() {
        let error = read_game("h2e2 h9g7").map(|_| ()).expect_err("no FEN").to_string();
        assert!(error.ends_with("it looks like a list of moves: use --moves"), "{error}");
        let error = read_game("4k4/9/9/9/9/9/9/9/9/4K4").map(|_| ()).expect_err("impossible");
        assert_eq!(error.to_string(), "the kings face each other");
    }

    #[test]
    fn moves_without_the_keyword_are_not_ignored() {
        let start = chuhe_board::STARTPOS;
        for moves in ["h2e2 h9g7", "- - 0 1 h2e2", "move h2e2", "炮二平五", "C2=5"] {
            let error = read_game(&format!("{start} {moves}")).map(|_| ()).expect_err(moves).to_string();
            assert!(error.starts_with("expected the word moves before"), "{moves}: {error}");
        }
        assert!(read_game(&format!("{start} - - 0 1")).is_ok());
    }
}
