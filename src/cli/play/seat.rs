//! Who sits at a side of the board: a person who types, or the engine at a level.

use crate::board::{Move, Side};
use crate::engine::{Engine, Error, Level, Options};
use crate::review::expected_points;
use crate::rules::{Game, RuleSet};
use crate::search::{Limits, Time};
use std::time::Duration;

/// A player.
pub(super) enum Seat {
    Human,
    Computer(Box<Computer>),
}

/// An engine at a level.
pub(super) struct Computer {
    engine: Engine,
}

/// How long the strongest level thinks about a move where no clock runs.
const THINKING_TIME: Duration = Duration::from_secs(2);
/// Expected points at or below which the engine takes a draw, while the game is open.
const TAKES_A_DRAW: f64 = 0.5;
/// Nodes for the decision whether a draw is taken.
const DRAW_NODES: u64 = 100_000;

impl Computer {
    pub(super) fn new(level: Level, rules: RuleSet, seed: u64) -> Result<Computer, Error> {
        let options = Options { rules: rules.terms(), level, seed, ..Options::default() };
        Ok(Computer { engine: Engine::new(options)? })
    }

    pub(super) fn set_level(&mut self, level: Level) -> Result<(), Error> {
        let options = Options { level, ..self.engine.options().clone() };
        self.engine.set_options(options)
    }

    pub(super) fn level(&self) -> Level {
        self.engine.options().level
    }

    /// The engine's move in a game that is not over; `clock` is what it has left, and its increment.
    pub(super) fn choose(&mut self, game: &Game, clock: Option<(Duration, Duration)>) -> Result<Option<Move>, Error> {
        let limits = match clock {
            Some((left, increment)) => {
                Limits { time: Time::Clock { left, increment, moves_to_go: None }, ..Limits::default() }
            }
            None => Limits::fixed(THINKING_TIME),
        };
        self.engine.set_game(game.clone());
        Ok(self.engine.think(limits, |_| {})?.best)
    }

    /// Whether the engine, to whom a draw is offered, agrees. The game's position is the offering side's.
    pub(super) fn takes_draw(&mut self, game: &Game) -> Result<bool, Error> {
        self.engine.set_game(game.clone());
        let conclusion = self.engine.think(Limits::nodes(DRAW_NODES), |_| {})?;
        // The lines are the search's at every level.
        Ok(conclusion.lines.first().is_some_and(|line| expected_points(-line.score) <= TAKES_A_DRAW))
    }
}

/// Both seats by `Side::index`.
pub(super) type Seats = [Seat; 2];

pub(super) fn is_human(seats: &Seats, side: Side) -> bool {
    matches!(seats[side.index()], Seat::Human)
}
