//! A game: a position with the moves that led to it, as the rules of repetition need them.

use crate::{FenError, Illegal, Move, NotAMove, Piece, Position, Undo};
use alloc::{boxed::Box, string::String, vec::Vec};
use thiserror::Error;

/// A position with its history. The search plays on it directly, so that its lines are judged as games are.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    plies: Vec<Ply>,
    /// How many of the earlier positions have a key that ends like this: most positions are seen to be new by one load.
    seen: Box<[u16; SLOTS]>,
}

/// A longer table would answer "never seen" a little more often, and push more of the search's own data out of the nearest cache.
const SLOTS: usize = 4096;

fn slot(key: u64) -> usize {
    key as usize % SLOTS
}

/// One ply of a game: the move and the state before it.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The move; `None` is a null move of the search.
    pub mv: Option<Move>,
    /// The key of the position before the move.
    pub key: u64,
    /// Whether the mover was in check before the move.
    pub was_in_check: bool,
    pub(super) undo: Undo,
}

impl Ply {
    /// The piece that was taken.
    pub fn captured(&self) -> Option<Piece> {
        self.undo.captured
    }
}

/// A move list that can't be played: which move, counted from 1, and its text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("move {number} ({text:?}) is not legal there")]
pub struct IllegalMove {
    /// Which of the moves, from 1.
    pub number: usize,
    /// As it was given.
    pub text: String,
}

/// Why a text is not a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BadGame {
    /// The start is not a position.
    #[error(transparent)]
    Start(FenError),
    /// A move is not legal.
    #[error(transparent)]
    Move(IllegalMove),
}

impl Game {
    /// A game that begins with a position.
    pub fn new(position: Position) -> Game {
        Game { position, plies: Vec::with_capacity(256), seen: Box::new([0; SLOTS]) }
    }

    /// A game from `startpos` or a FEN.
    pub fn from_fen(fen: &str) -> Result<Game, FenError> {
        let text = fen.trim();
        let start = text.strip_prefix("position").unwrap_or(text).trim_start();
        if start == "startpos" { Ok(Game::new(Position::start())) } else { text.parse().map(Game::new) }
    }

    /// A game as text: `startpos` or a FEN, then, if there are moves, the word `moves` and the moves.
    ///
    /// # Errors
    /// The start is not a position, or a move is not legal.
    pub fn read(text: &str) -> Result<Game, BadGame> {
        Game::read_from(text, Game::from_fen)
    }

    /// As [`Self::read`], but `start` reads what comes before the moves.
    ///
    /// # Errors
    /// The start is not a position, or a move is not legal.
    pub fn read_from(text: &str, start: impl FnOnce(&str) -> Result<Game, FenError>) -> Result<Game, BadGame> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let mut game = start(&words[..end].join(" ")).map_err(BadGame::Start)?;
        game.play_text(words.into_iter().skip(end + 1)).map_err(BadGame::Move)?;
        Ok(game)
    }

    /// Plays moves given as text; at the first illegal one the game is restored to the state before all of them.
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

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The plies played so far, the first first.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Plays a move if it is legal.
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
    /// The move is not legal; the game stays as it was.
    pub fn try_make(&mut self, mv: Move) -> Result<(), Illegal> {
        if !self.position.is_legal(mv) {
            return Err(Illegal(mv));
        }
        self.make(mv);
        Ok(())
    }

    /// Plays a move without asking whether it is legal, for those who know; others use [`Self::try_make`]. After an illegal move, one that
    /// takes a king above all, nothing that is done with the game has a meaning.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        let (key, was_in_check) = (self.position.key(), self.position.in_check());
        let undo = self.position.make(mv);
        self.record(Ply { mv: Some(mv), key, was_in_check, undo });
    }

    /// Passes; not while in check. No repetition reaches behind a pass.
    #[inline]
    pub fn make_null(&mut self) {
        let key = self.position.key();
        let undo = self.position.make_null();
        self.record(Ply { mv: None, key, was_in_check: false, undo });
    }

    fn record(&mut self, ply: Ply) {
        let count = &mut self.seen[slot(ply.key)];
        *count = count.wrapping_add(1);
        self.plies.push(ply);
    }

    /// Takes back moves until so many plies are left; 0 is the game's start.
    pub fn take_back_to(&mut self, plies: usize) {
        while self.plies.len() > plies {
            self.unmake();
        }
    }

    /// Takes back the last move or pass, if there is one.
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

    /// Whether the position now certainly stands for the first time; says no a little too often.
    #[inline]
    pub fn is_surely_new(&self) -> bool {
        self.seen[slot(self.position.key())] == 0
    }

    /// The distance in plies to each earlier occurrence of the position now, nearest first: no capture and no pass lies between.
    #[inline]
    pub fn occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        let key = self.position.key();
        let reversible =
            if self.is_surely_new() { 0 } else { usize::from(self.position.quiet_plies()).min(self.plies.len()) };
        let back = self.plies.iter().rev().take(reversible).take_while(|ply| ply.mv.is_some());
        back.enumerate().skip(3).step_by(2).filter(move |(_, ply)| ply.key == key).map(|(index, _)| index + 1)
    }
}
