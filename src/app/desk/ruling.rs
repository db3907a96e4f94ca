//! The referee's ruling as JSON, also printed by `chuhe judge --json`.

use super::names::MoveNames;
use chuhe_board::rules::{Attack, Cycle, CyclePly, Deed, Game, Outcome, Reason, Ruling, Verdict};
use chuhe_board::words::Language;
use chuhe_board::{Bitboard, Piece, Side, Square};
use serde::Serialize;

/// Ruling on a game; the result is from the point of view of the side to move.
#[derive(Debug, Serialize)]
pub(crate) struct RulingEntry {
    result: &'static str,
    ended_at: Option<usize>,
    side: &'static str,
    reason: String,
    cycle: Option<CycleEntry>,
    rules: &'static str,
    fold: usize,
    /// Name of the reason, such as `perpetual_check`.
    code: Option<&'static str>,
    offender: Option<&'static str>,
    /// Number of occurrences of the last position.
    occurrences: usize,
}

#[derive(Debug, Serialize)]
struct CycleEntry {
    first_ply: usize,
    length: usize,
    victim: Option<PieceEntry>,
    plies: Vec<CyclePlyEntry>,
}

#[derive(Debug, Serialize)]
struct CyclePlyEntry {
    ply: usize,
    side: &'static str,
    piece: &'static str,
    r#move: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<MoveNames>,
    deeds: Vec<DeedEntry>,
    aims: Vec<String>,
    attacks: Vec<String>,
}

#[derive(Debug, Serialize)]
struct DeedEntry {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    attacker: Option<PieceEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    victim: Option<PieceEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    worth: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    protected: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    discovered: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undermining: Option<bool>,
    text: String,
}

#[derive(Debug, Serialize)]
struct PieceEntry {
    piece: &'static str,
    square: String,
}

/// Returns the name of an outcome: `win`, `loss` or `draw`; `open` if there is none.
pub(super) const fn result(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        None => "open",
        Some(Outcome::Win) => "win",
        Some(Outcome::Loss) => "loss",
        Some(Outcome::Draw) => "draw",
    }
}

/// Returns the outcome and the reason if the game is over.
pub(super) const fn ended(verdict: Verdict) -> (Option<Outcome>, Option<Reason>) {
    match verdict {
        Verdict::Open => (None, None),
        Verdict::Over(outcome, reason) => (Some(outcome), Some(reason)),
    }
}

pub(super) fn squares(set: Bitboard) -> Vec<String> {
    set.into_iter().map(|at| at.to_string()).collect()
}

impl RulingEntry {
    /// Creates a ruling with its texts in a language.
    pub(crate) fn new(ruling: &Ruling, language: Language) -> RulingEntry {
        let (outcome, reason) = ended(ruling.verdict);
        RulingEntry {
            result: result(outcome),
            ended_at: ruling.ended_at,
            side: ruling.side.name(),
            reason: ruling.say(language),
            cycle: ruling.cycle.as_ref().map(|cycle| CycleEntry::new(cycle, language)),
            rules: ruling.terms.rules.name(),
            fold: ruling.terms.folds(),
            code: reason.map(Reason::name),
            offender: reason.and_then(Reason::offender).map(Side::name),
            occurrences: ruling.occurrences,
        }
    }

    /// Adds the names of the moves in the cycle; `game` is the judged game.
    pub(super) fn named(mut self, game: &Game) -> RulingEntry {
        let Some(cycle) = &mut self.cycle else { return self };
        let mut game = game.clone();
        let Some(first) = cycle.first_ply.checked_sub(1) else { return self };
        let moves: Vec<_> = game.plies()[first..].iter().map(|ply| ply.mv).collect();
        game.take_back_to(first);
        for (ply, mv) in cycle.plies.iter_mut().zip(moves) {
            let Some(mv) = mv else { break };
            ply.names = Some(MoveNames::of(game.position(), mv));
            game.make(mv);
        }
        self
    }
}

impl CycleEntry {
    fn new(cycle: &Cycle, language: Language) -> CycleEntry {
        CycleEntry {
            first_ply: cycle.plies.first().map_or(0, |ply| ply.number),
            length: cycle.plies.len(),
            victim: cycle.victim.map(|(piece, square)| PieceEntry::new(piece, square)),
            plies: cycle.plies.iter().map(|ply| CyclePlyEntry::new(ply, language)).collect(),
        }
    }
}

impl CyclePlyEntry {
    fn new(ply: &CyclePly, language: Language) -> CyclePlyEntry {
        CyclePlyEntry {
            ply: ply.number,
            side: ply.side.name(),
            piece: ply.piece.kind().name(),
            r#move: ply.mv.to_string(),
            names: None,
            deeds: ply.deeds.iter().map(|deed| DeedEntry::new(deed, language)).collect(),
            aims: squares(ply.aims),
            attacks: squares(ply.attacks),
        }
    }
}

impl DeedEntry {
    fn new(deed: &Deed, language: Language) -> DeedEntry {
        let text = deed.say(language);
        let kind = deed.name();
        match *deed {
            Deed::Chase(attack)
            | Deed::Exchange(attack)
            | Deed::Follow(attack)
            | Deed::Standing(attack)
            | Deed::Bound(attack) => {
                let Attack { chaser, from, victim, at, value, is_protected, is_discovered, is_undermining } = attack;
                DeedEntry {
                    kind,
                    attacker: Some(PieceEntry::new(chaser, from)),
                    victim: Some(PieceEntry::new(victim, at)),
                    worth: Some(value.name()),
                    protected: Some(is_protected),
                    discovered: Some(is_discovered),
                    undermining: Some(is_undermining),
                    text,
                }
            }
            Deed::Block(piece, square) => {
                DeedEntry { victim: Some(PieceEntry::new(piece, square)), ..DeedEntry::bare(kind, text) }
            }
            Deed::Check | Deed::Kill | Deed::Idle => DeedEntry::bare(kind, text),
        }
    }

    fn bare(kind: &'static str, text: String) -> DeedEntry {
        DeedEntry {
            kind,
            attacker: None,
            victim: None,
            worth: None,
            protected: None,
            discovered: None,
            undermining: None,
            text,
        }
    }
}

impl PieceEntry {
    fn new(piece: Piece, square: Square) -> PieceEntry {
        PieceEntry { piece: piece.kind().name(), square: square.to_string() }
    }
}
