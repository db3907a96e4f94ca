//! The one door: what a game's last position is worth by rule.

use super::Game;
use crate::board::{Kind, Side};
use std::str::FromStr;

/// The rules by which repetitions and long games are judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RuleSet {
    /// Perpetual check loses, every other repetition draws.
    #[default]
    Simple,
    /// Every repetition draws.
    Draw,
}

/// Reads a rule set's name, any case, with or without `rule` at the end.
impl FromStr for RuleSet {
    type Err = String;

    fn from_str(text: &str) -> Result<RuleSet, String> {
        let name = text.to_ascii_lowercase();
        match name.strip_suffix("rule").unwrap_or(&name) {
            "simple" => Ok(RuleSet::Simple),
            "draw" | "alwaysdraw" => Ok(RuleSet::Draw),
            _ => Err(format!("no rule set is called {text:?}")),
        }
    }
}

/// The result for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Outcome {
    Win,
    Loss,
    Draw,
}

/// Why a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// In check without a legal move.
    Mate,
    /// Not in check without a legal move: a loss in Xiangqi.
    Stalemate,
    /// Too many plies without a capture.
    NaturalLimit,
    /// Neither side has a piece that can cross the river.
    NoAttackers,
    /// This side checked with every move of a repetition, the other did not.
    PerpetualCheck(Side),
    /// A repetition that is nobody's fault, or both sides'.
    Repetition,
}

/// How a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The game goes on.
    Open,
    /// The game is over.
    Over(Outcome, Reason),
}

/// Plies without a capture after which a game is drawn.
pub const NATURAL_LIMIT: u16 = 120;

/// The referee: how the game stands after its last move.
pub fn judge(game: &Game, rules: RuleSet) -> Verdict {
    let position = game.position();
    if !position.has_moves() {
        let reason = if position.in_check() { Reason::Mate } else { Reason::Stalemate };
        return Verdict::Over(Outcome::Loss, reason);
    }
    if let Some((outcome, reason)) = game.occurrences().nth(1).map(|span| judge_repetition(game, rules, span)) {
        return Verdict::Over(outcome, reason);
    }
    if position.quiet_plies() >= NATURAL_LIMIT {
        return Verdict::Over(Outcome::Draw, Reason::NaturalLimit);
    }
    let attackers = [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Pawn];
    if Side::ALL.into_iter().all(|side| attackers.into_iter().all(|kind| position.pieces(side, kind).is_empty())) {
        return Verdict::Over(Outcome::Draw, Reason::NoAttackers);
    }
    Verdict::Open
}

/// What a repetition is worth to the side to move: the position now also stood `span` plies ago.
pub fn judge_repetition(game: &Game, rules: RuleSet, span: usize) -> (Outcome, Reason) {
    if rules == RuleSet::Draw {
        return (Outcome::Draw, Reason::Repetition);
    }
    let position = game.position();
    // The ply `back` plies ago was ours if `back` is even; being in check before our move means that the enemy had given check.
    let plies = &game.plies()[game.plies().len() - span..];
    let we_were_always_checked = plies.iter().step_by(2).all(|ply| ply.was_in_check);
    let they_were_always_checked = plies.iter().skip(1).step_by(2).all(|ply| ply.was_in_check);
    match (we_were_always_checked, they_were_always_checked) {
        (true, false) => (Outcome::Win, Reason::PerpetualCheck(!position.side())),
        (false, true) => (Outcome::Loss, Reason::PerpetualCheck(position.side())),
        _ => (Outcome::Draw, Reason::Repetition),
    }
}
