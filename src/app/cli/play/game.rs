//! The game on the table: its moves, its clocks, and how it ends. It prints nothing.

use super::clock::{Clocks, Control};
use chuhe_board::rules::{Game, Ruling, Terms, Verdict, rule};
use chuhe_board::{Move, Position, Side};
use chuhe_games::records::GameResult;
use std::time::Duration;

/// A game that begins with a position or goes on from one.
pub(super) struct TableGame {
    /// The game before its first move here.
    start: Game,
    game: Game,
    terms: Terms,
    clocks: Option<Clocks>,
    /// What the clocks showed before each move, for takebacks.
    clocks_before: Vec<Option<Clocks>>,
    /// Something was played here, though it may have been taken back since.
    has_begun: bool,
    end: Option<End>,
}

/// How a game ended.
pub(super) enum End {
    /// By the rules.
    Ruled(Box<Ruling>),
    /// This side resigned.
    Resigned(Side),
    /// This side had no time left.
    OutOfTime(Side),
    /// Both sides agreed to a draw.
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

impl TableGame {
    pub(super) fn new(start: Game, terms: Terms, control: Option<Control>) -> TableGame {
        let clocks = control.map(Clocks::new);
        let game = start.clone();
        TableGame { end: ruled(&game, terms), game, start, terms, clocks, clocks_before: Vec::new(), has_begun: false }
    }

    /// With the moves before this table.
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

    /// The game before its first move here.
    pub(super) fn start(&self) -> &Game {
        &self.start
    }

    /// The moves played here.
    pub(super) fn moves(&self) -> Vec<Move> {
        self.game.plies()[self.start.plies().len()..].iter().filter_map(|ply| ply.mv).collect()
    }

    /// What the side to move has left on its clock, and the increment.
    pub(super) fn clock(&self) -> Option<(Duration, Duration)> {
        self.clocks.as_ref().map(|clocks| (clocks.left(self.side()), clocks.increment()))
    }

    /// Plays a legal move that took so long; `false` if there was no time for it, which ends the game.
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

    /// Takes back so many plies, clocks and all; `false` if fewer were played here.
    pub(super) fn take_back(&mut self, plies: usize) -> bool {
        if self.clocks_before.len() < plies {
            return false;
        }
        self.game.take_back_to(self.game.plies().len() - plies);
        let left = self.clocks_before.len() - plies;
        self.clocks = self.clocks_before.drain(left..).next().flatten();
        true
    }

    /// The side to move resigns.
    pub(super) fn resign(&mut self) {
        self.has_begun = true;
        self.end = Some(End::Resigned(self.side()));
    }

    /// Both sides agree to a draw.
    pub(super) fn agree_to_a_draw(&mut self) {
        self.has_begun = true;
        self.end = Some(End::Agreed);
    }

    /// How the game has ended, if it has.
    pub(super) fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Whether a move, a resignation or a draw has made something of it that is worth keeping.
    pub(super) fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// The result so far.
    pub(super) fn result(&self) -> GameResult {
        self.end.as_ref().map_or(GameResult::Unknown, End::result)
    }
}

/// How a game ends by the rules, if it does.
fn ruled(game: &Game, terms: Terms) -> Option<End> {
    let ruling = rule(game, terms);
    (ruling.verdict != Verdict::Open).then(|| End::Ruled(Box::new(ruling)))
}
