//! Games: positions with the moves that led to them, as required by the repetition rules.

use crate::{FenError, Illegal, Move, NotAMove, Piece, Position, Undo};
use alloc::{boxed::Box, string::String, vec::Vec};
use thiserror::Error;

/// A position with its history. The search also makes its moves on a `Game`, so that lines are judged like
/// games.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    plies: Vec<Ply>,
    /// Number of earlier positions, by the low bits of their keys. A single load suffices to recognise most
    /// new positions.
    seen: Box<[u16; SLOTS]>,
}

/// Number of slots. More slots would give slightly fewer false positives, but displace search data from the
/// L1 cache.
const SLOTS: usize = 4096;

fn slot(key: u64) -> usize {
    key as usize % SLOTS
}

/// A ply of a game: the move and the state before it.
#[derive(Clone, Debug)]
pub struct Ply {
    /// Move; `None` for a null move of the search.
    pub mv: Option<Move>,
    /// Key of the position before the move.
    pub key: u64,
    /// `true` if the mover was in check before the move.
    pub was_in_check: bool,
    pub(super) undo: Undo,
}

impl Ply {
    /// Returns the captured piece.
    pub fn captured(&self) -> Option<Piece> {
        self.undo.captured
    }
}

/// An illegal move in a list: its number, from 1, and its text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("move {number} ({text:?}) is not legal there")]
pub struct IllegalMove {
    /// Number of the move, from 1.
    pub number: usize,
    /// First 20 characters of its text.
    pub text: String,
}

/// Reason why a string is not a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BadGame {
    /// The starting position is not a valid FEN.
    #[error(transparent)]
    Start(FenError),
    /// A move is illegal.
    #[error(transparent)]
    Move(IllegalMove),
}

impl Game {
    /// Creates a game that begins with a position.
    pub fn new(position: Position) -> Game {
        Game { position, plies: Vec::with_capacity(256), seen: Box::new([0; SLOTS]) }
    }

    /// Creates a game from `startpos` or a FEN.
    pub fn from_fen(fen: &str) -> Result<Game, FenError> {
        let text = fen.trim();
        let start = text.strip_prefix("position").unwrap_or(text).trim_start();
        if start == "startpos" { Ok(Game::new(Position::start())) } else { text.parse().map(Game::new) }
    }

    /// Parses a game: `startpos` or a FEN, optionally followed by the word `moves` and the moves.
    ///
    /// # Errors
    /// Returns an error if the starting position or a move is illegal.
    pub fn read(text: &str) -> Result<Game, BadGame> {
        Game::read_from(text, Game::from_fen)
    }

    /// Parses a game like [`Self::read`], but uses `start` to parse the part before the moves.
    ///
    /// # Errors
    /// Returns an error if the starting position or a move is illegal.
    pub(crate) fn read_from(text: &str, start: impl FnOnce(&str) -> Result<Game, FenError>) -> Result<Game, BadGame> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let mut game = start(&words[..end].join(" ")).map_err(BadGame::Start)?;
        game.play_text(words.into_iter().skip(end + 1)).map_err(BadGame::Move)?;
        Ok(game)
    }

    /// Makes moves given as text. If one of them is illegal, the game is restored to its state before the
    /// first.
    pub fn play_text<'t>(&mut self, moves: impl IntoIterator<Item = &'t str>) -> Result<(), IllegalMove> {
        let before = self.plies.len();
        for (index, text) in moves.into_iter().enumerate() {
            let parsed: Result<Move, NotAMove> = text.parse();
            match parsed {
                Ok(mv) if self.position.is_legal(mv) => self.make(mv),
                _ => {
                    self.take_back_to(before);
                    return Err(IllegalMove { number: index + 1, text: text.chars().take(20).collect() });
                }
            }
        }
        Ok(())
    }

    /// Returns the current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the plies played so far, in order.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Makes a move if it is legal.
    ///
    /// ```
    /// use chuhe_board::rules::Game;
    ///
    /// let mut game = Game::read("startpos moves h2e2").unwrap();
    /// assert!(game.try_make("h9g7".parse().unwrap()).is_ok());
    /// let error = game.try_make("e2e9".parse().unwrap()).unwrap_err();
    /// assert_eq!((error.to_string().as_str(), game.plies().len()), ("e2e9 is not legal in this position", 2));
    /// ```
    ///
    /// # Errors
    /// Returns an error if the move is illegal; the game is unchanged.
    pub fn try_make(&mut self, mv: Move) -> Result<(), Illegal> {
        if !self.position.is_legal(mv) {
            return Err(Illegal(mv));
        }
        self.make(mv);
        Ok(())
    }

    /// Makes a move without checking legality. The caller must ensure it or use [`Self::try_make`]; after an
    /// illegal move, in particular the capture of a king, results are unspecified.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        let (key, was_in_check) = (self.position.key(), self.position.in_check());
        let undo = self.position.make(mv);
        self.record(Ply { mv: Some(mv), key, was_in_check, undo });
    }

    /// Makes a null move; not allowed in check. Repetitions never extend across a null move.
    #[inline]
    pub fn make_null(&mut self) {
        let key = self.position.key();
        let undo = self.position.make_null();
        self.record(Ply { mv: None, key, was_in_check: false, undo });
    }

    #[inline]
    fn record(&mut self, ply: Ply) {
        let count = &mut self.seen[slot(ply.key)];
        *count = count.wrapping_add(1);
        self.plies.push(ply);
    }

    /// Undoes moves until `plies` are left; 0 restores the first position.
    pub fn take_back_to(&mut self, plies: usize) {
        while self.plies.len() > plies {
            self.unmake();
        }
    }

    /// Undoes the last move or null move, if there is one.
    #[inline]
    pub fn unmake(&mut self) {
        if let Some(ply) = self.plies.pop() {
            let count = &mut self.seen[slot(ply.key)];
            *count = count.wrapping_sub(1);
            match ply.mv {
                Some(mv) => self.position.unmake(mv, ply.undo),
                None => self.position.unmake_null(ply.undo),
            }
        }
    }

    /// Returns `true` if the current position is certainly new. May return `false` for a new position.
    #[inline]
    pub fn is_surely_new(&self) -> bool {
        self.seen[slot(self.position.key())] == 0
    }

    /// Returns the distance in plies to each earlier occurrence of the current position, nearest first, back
    /// to the last capture or null move.
    #[inline]
    pub fn occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        let key = self.position.key();
        let reversible =
            if self.is_surely_new() { 0 } else { usize::from(self.position.quiet_plies()).min(self.plies.len()) };
        let back = self.plies.iter().rev().take(reversible).take_while(|ply| ply.mv.is_some());
        back.enumerate().skip(3).step_by(2).filter(move |(_, ply)| ply.key == key).map(|(index, _)| index + 1)
    }
}
