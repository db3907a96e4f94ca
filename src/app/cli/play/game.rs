//! State of the game: its moves, its clocks, and its end. Prints nothing.

use super::clock::{Clocks, Control};
use chuhe_board::rules::{Game, Ruling, Terms, Verdict, rule};
use chuhe_board::{Move, Position, Side};
use chuhe_games::records::GameResult;
use std::time::Duration;

/// A game in the terminal, from a position or as the continuation of a game.
pub(super) struct SessionGame {
    /// Game before the first move of this session.
    start: Game,
    game: Game,
    terms: Terms,
    clocks: Option<Clocks>,
    /// Clocks before each move, for takebacks.
    clocks_before: Vec<Option<Clocks>>,
    /// `true` if a move was played in this session, even if it was taken back.
    has_begun: bool,
    end: Option<End>,
}

/// End of a game.
pub(super) enum End {
    /// The rules ended the game.
    Ruled(Box<Ruling>),
    /// This side resigned.
    Resigned(Side),
    /// This side ran out of time.
    OutOfTime(Side),
    /// The players agreed to a draw.
    Agreed,
}

impl End {
    pub(super) fn result(&self) -> GameResult {
        match self {
            End::Ruled(ruling) => match ruling.verdict {
                Verdict::Over(outcome, _) => GameResult::of(outcome, ruling.side),
                Verdict::Open => GameResult::Unknown,
            },
            End::Resigned(loser) | End::OutOfTime(loser) => GameResult::win_of(!*loser),
            End::Agreed => GameResult::Draw,
        }
    }
}

impl SessionGame {
    pub(super) fn new(start: Game, terms: Terms, control: Option<Control>) -> SessionGame {
        let clocks = control.map(Clocks::new);
        let game = start.clone();
        SessionGame {
            end: ruled(&game, terms),
            game,
            start,
            terms,
            clocks,
            clocks_before: Vec::new(),
            has_begun: false,
        }
    }

    /// Returns the game including the moves before this session.
    pub(super) fn history(&self) -> &Game {
        &self.game
    }

    pub(super) fn position(&self) -> &Position {
        self.game.position()
    }

    pub(super) fn side(&self) -> Side {
        self.position().side()
    }

    pub(super) fn terms(&self) -> Terms {
        self.terms
    }

    /// Returns the game before the first move of this session.
    pub(super) fn start(&self) -> &Game {
        &self.start
    }

    /// Returns the moves played in this session.
    pub(super) fn moves(&self) -> Vec<Move> {
        self.game.plies()[self.start.plies().len()..].iter().filter_map(|ply| ply.mv).collect()
    }

    /// Returns the remaining time and the increment of the side to move.
    pub(super) fn clock(&self) -> Option<(Duration, Duration)> {
        self.clocks.as_ref().map(|clocks| (clocks.left(self.side()), clocks.increment()))
    }

    /// Makes a legal move that took `spent`. If the time has run out, ends the game instead and returns
    /// `false`.
    pub(super) fn make(&mut self, mv: Move, spent: Duration) -> bool {
        let (side, before) = (self.side(), self.clocks.clone());
        self.has_begun = true;
        if self.clocks.as_mut().is_some_and(|clocks| !clocks.spend(side, spent)) {
            self.end = Some(End::OutOfTime(side));
            return false;
        }
        self.clocks_before.push(before);
        self.game.make(mv);
        self.end = ruled(&self.game, self.terms);
        true
    }

    /// Takes back plies and restores the clocks; returns `false` if fewer were played in this session.
    pub(super) fn take_back(&mut self, plies: usize) -> bool {
        if self.clocks_before.len() < plies {
            return false;
        }
        self.game.take_back_to(self.game.plies().len() - plies);
        let left = self.clocks_before.len() - plies;
        self.clocks = self.clocks_before.drain(left..).next().flatten();
        true
    }

    /// Ends the game by resignation of the side to move.
    pub(super) fn resign(&mut self) {
        self.has_begun = true;
        self.end = Some(End::Resigned(self.side()));
    }

    /// Ends the game in an agreed draw.
    pub(super) fn agree_to_a_draw(&mut self) {
        self.has_begun = true;
        self.end = Some(End::Agreed);
    }

    /// Returns the end of the game, if it is over.
    pub(super) fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Returns `true` if the game should be saved, since it contains a move, a resignation or an agreed draw.
    pub(super) fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Returns the result so far.
    pub(super) fn result(&self) -> GameResult {
        self.end.as_ref().map_or(GameResult::Unknown, End::result)
    }
}

/// Returns the end of a game by the rules, if it is over.
fn ruled(game: &Game, terms: Terms) -> Option<End> {
    let ruling = rule(game, terms);
    (ruling.verdict != Verdict::Open).then(|| End::Ruled(Box::new(ruling)))
}
