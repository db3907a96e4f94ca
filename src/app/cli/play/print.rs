//! Output of a game in the terminal: the board, the referee's notes, the moves, and all messages.

use super::clock::minutes;
use super::game::{End, SessionGame};
use chuhe_board::notation::{self, Form};
use chuhe_board::rules::{Game, Verdict, rule, warnings};
use chuhe_board::words::{Key, Language};
use chuhe_board::{Move, Position, Side};
use chuhe_engine::picture::{Picture, Style};
use chuhe_engine::search::Report;
use chuhe_games::review::{names, score_words};
use std::fmt::Display;

/// Appearance of a game: boards, notation of moves, language.
pub(super) struct Printer {
    pub(super) style: Style,
    pub(super) form: Form,
    pub(super) language: Language,
    /// `true` if Black is at the bottom.
    pub(super) flipped: bool,
}

impl Printer {
    pub(super) fn word(&self, key: Key) -> &'static str {
        self.language.word(key)
    }

    pub(super) fn sentence(&self, key: Key, arguments: &[(&str, &dyn Display)]) -> String {
        self.language.sentence(&self.language.say(key, arguments))
    }

    fn side(&self, side: Side) -> &'static str {
        self.word(if side == Side::Red { Key::Red } else { Key::Black })
    }

    /// Returns the prompt: `12 Red 9:05> `.
    pub(super) fn prompt(&self, game: &SessionGame) -> String {
        let clock = game.clock().map_or(String::new(), |(left, _)| format!(" {}", minutes(left)));
        format!("{} {}{clock}> ", game.position().move_number(), self.side(game.side()))
    }

    pub(super) fn picture<'g>(&self, game: &'g Game) -> Picture<'g> {
        let last = game.plies().last().and_then(|ply| ply.mv);
        Picture::new(game.position()).with_last_move(last).flipped(self.flipped)
    }

    /// Returns the referee's warnings about moves that repeat a position.
    pub(super) fn notes(&self, game: &SessionGame) -> Vec<String> {
        let ruling = rule(game.history(), game.terms());
        if ruling.verdict != Verdict::Open {
            return Vec::new();
        }
        let mut notes = Vec::new();
        if game.history().occurrences().next().is_some() {
            notes.push(self.language.sentence(&ruling.say(self.language)));
        }
        for warning in warnings(game.history(), game.terms()) {
            if warning.loses() && warning.returns_left < 2 {
                let name = notation::write(game.position(), warning.mv, self.form);
                let key = if warning.returns_left == 0 { Key::WarningLosesNow } else { Key::WarningOnceMore };
                notes.push(self.sentence(key, &[("move", &name), ("ruling", &warning.ruling.say(self.language))]));
            }
        }
        notes
    }

    /// Describes a move made in `before`: `Red plays C2=5. Check.`
    pub(super) fn played(&self, before: &Position, mv: Move, after: &Position) -> String {
        let name = notation::write(before, mv, self.form);
        let said = self.sentence(Key::SidePlays, &[("side", &self.side(before.side())), ("move", &name)]);
        if after.in_check() && after.has_moves() { format!("{said} {}", self.sentence(Key::Check, &[])) } else { said }
    }

    /// Describes the end of the game with its result.
    pub(super) fn end(&self, end: &End) -> String {
        let said = match end {
            End::Ruled(ruling) => &*ruling.say(self.language),
            End::Resigned(Side::Red) => self.word(Key::RedResigns),
            End::Resigned(Side::Black) => self.word(Key::BlackResigns),
            End::OutOfTime(Side::Red) => self.word(Key::RedLosesOnTime),
            End::OutOfTime(Side::Black) => self.word(Key::BlackLosesOnTime),
            End::Agreed => self.word(Key::DrawAgreed),
        };
        format!("{} {}", self.language.sentence(said), end.result().text())
    }

    /// Formats a line of a search: its score and at most `moves` moves.
    pub(super) fn advice(&self, game: &Game, line: &Report, moves: usize) -> String {
        let names = names(game, &line.pv[..line.pv.len().min(moves)], self.form);
        format!("  {:>8}  {}", score_words(self.language, game.position().side(), line.score), names.join(" "))
    }

    /// Returns the list of moves: `1. 炮二平五 马8进7  2. …`.
    pub(super) fn move_list(&self, played: &SessionGame) -> String {
        let mut game = played.start().clone();
        let mut list = Vec::new();
        for mv in played.moves() {
            let position = game.position();
            let number = match position.side() {
                Side::Red => format!("{}. ", position.move_number()),
                Side::Black if list.is_empty() => format!("{}... ", position.move_number()),
                Side::Black => String::new(),
            };
            list.push(number + &notation::write(position, mv, self.form));
            game.make(mv);
        }
        list.join(" ")
    }
}
