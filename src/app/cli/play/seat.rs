//! Players: a user who types moves, or the engine at a level.

use chuhe_board::rules::Game;
use chuhe_board::{Move, Side};
use chuhe_engine::book::{Book, choose, sound_moves};
use chuhe_engine::search::{Limits, Time};
use chuhe_engine::{DRAW_NODES, Engine, Error, Level, Options, takes_draw};
use std::time::Duration;

/// A player.
pub(super) enum Seat {
    Human,
    Computer(Box<Computer>),
}

/// The engine at a level. At full strength it uses the built-in book for variety; lower levels already vary
/// their moves. A book chosen by the user is used at every level.
pub(super) struct Computer {
    engine: Engine,
    book: Book,
    is_own_book: bool,
}

/// Thinking time of the strongest level without a clock.
const THINKING_TIME: Duration = Duration::from_secs(2);

impl Computer {
    pub(super) fn new(level: Level, options: &Options, book: Option<Book>) -> Result<Computer, Error> {
        let engine = Engine::new(Options { level, ..options.clone() })?;
        let is_own_book = book.is_some();
        Ok(Computer { engine, book: book.unwrap_or_else(Book::built_in), is_own_book })
    }

    pub(super) fn set_level(&mut self, level: Level) -> Result<(), Error> {
        let options = Options { level, ..self.engine.options().clone() };
        self.engine.set_options(options)
    }

    pub(super) fn level(&self) -> Level {
        self.engine.options().level
    }

    /// Returns the engine's move in a game that is not over; `clock` is its remaining time and increment.
    pub(super) fn choose(&mut self, game: &Game, clock: Option<(Duration, Duration)>) -> Result<Option<Move>, Error> {
        if let Some(mv) = self.book_move(game) {
            return Ok(Some(mv));
        }
        let limits = match clock {
            Some((left, increment)) => {
                Limits { time: Time::Clock { left, increment, moves_to_go: None }, ..Limits::default() }
            }
            None => Limits::fixed(THINKING_TIME),
        };
        self.engine.set_game(game.clone());
        Ok(self.engine.think(limits, |_| {})?.best)
    }

    /// Returns a book move. The built-in book is used only at full strength.
    fn book_move(&self, game: &Game) -> Option<Move> {
        if !self.is_own_book && self.level() != Level::FULL {
            return None;
        }
        let Options { seed, rules, .. } = *self.engine.options();
        let moves = self.book.moves(game.position()).ok()?;
        choose(&sound_moves(game, &moves, rules), seed ^ game.position().key()).map(|entry| entry.mv)
    }

    /// Returns `true` if the engine accepts a draw offered by the side to move.
    pub(super) fn takes_draw(&mut self, game: &Game) -> Result<bool, Error> {
        self.engine.set_game(game.clone());
        let conclusion = self.engine.think(Limits::nodes(DRAW_NODES), |_| {})?;
        // The score comes from the search, even if the level would choose a different move.
        Ok(conclusion.lines.first().is_some_and(|line| takes_draw(game, -line.score)))
    }
}

/// Both players by `Side::index`.
pub(super) type Seats = [Seat; 2];

pub(super) fn is_human(seats: &Seats, side: Side) -> bool {
    matches!(seats[side.index()], Seat::Human)
}
