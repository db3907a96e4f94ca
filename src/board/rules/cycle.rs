//! Explanations of rulings on repetitions: the effect of every ply.

use super::attack::{self, CaptureValue};
use super::kill::threatens_mate;
use super::repetition::{ChasedPieces, chased_pieces, chasing_kinds};
use super::terms::{ChaseRule, OffenceRule};
use super::{Game, Ply, Reason, RuleSet, Terms, Verdict, judge, judge_repetition};
use crate::{Bitboard, Kind, Move, Occupancy, Piece, Position, Side, Square};
use alloc::vec::Vec;

/// A verdict with its explanation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ruling {
    /// State of the game after its last move.
    pub verdict: Verdict,
    /// Number of plies after which the game was first over; `None` if it never was.
    pub ended_at: Option<usize>,
    /// Side to move, from whose point of view the outcome is given.
    pub side: Side,
    /// The judged repetition, if the game ended by repetition.
    pub cycle: Option<Cycle>,
    /// Number of occurrences of the last position, including the current one.
    pub occurrences: usize,
    /// Rules applied.
    pub terms: Terms,
}

/// The plies between two occurrences of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// All plies in order.
    pub plies: Vec<CyclePly>,
    /// Piece chased with every move of the offender, and its initial square.
    pub victim: Option<(Piece, Square)>,
    /// Kind of the piece that makes all chases or checks, if it is always the same kind.
    pub culprit: Option<Kind>,
    /// `true` if the victim is a rook that blocks the leg of a horse, which would otherwise give check.
    pub is_tied: bool,
}

/// A ply of a repetition with its effects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CyclePly {
    /// Number of the ply in the game, from 1.
    pub number: usize,
    /// Side that moved.
    pub side: Side,
    /// Moved piece.
    pub piece: Piece,
    /// Move.
    pub mv: Move,
    /// Effects of the move, the most serious first; never empty.
    pub deeds: Vec<Deed>,
    /// All enemy pieces that the mover could capture if it moved again, including captures by pinned pieces,
    /// by the king and by pawns. The enemy king, and pawns that have not crossed the river, are excluded.
    pub aims: Bitboard,
    /// Subset of `aims` whose capture would count as a chase if the attack were new.
    pub attacks: Bitboard,
}

/// An attack of one piece on another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attack {
    /// Attacking piece.
    pub chaser: Piece,
    /// Square of the attacking piece.
    pub from: Square,
    /// Attacked piece.
    pub victim: Piece,
    /// Square of the attacked piece.
    pub at: Square,
    /// Value of the capture.
    pub value: CaptureValue,
    /// `true` if the victim's side could legally recapture.
    pub is_protected: bool,
    /// `true` if the attacker is not the moved piece.
    pub is_discovered: bool,
    /// `true` if the attacker already aimed at the victim but could not capture it profitably, and the move
    /// removed a protection or unpinned the attacker.
    pub is_undermining: bool,
}

/// Effect of a move under the repetition rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    /// Attacks the king.
    Check,
    /// Threatens mate by one or more checks.
    Kill,
    /// Makes a new attack whose capture would be profitable.
    Chase(Attack),
    /// Attacks a piece of the same kind that can capture the attacker in return.
    Exchange(Attack),
    /// Attacks a protected piece, which is not a chase.
    Follow(Attack),
    /// Attacks a piece that the same side already attacked profitably, which is not a new chase.
    Standing(Attack),
    /// Aims at a piece that the moved piece could not legally capture.
    Bound(Attack),
    /// Interposes against a check or an attack on this piece.
    Block(Piece, Square),
    /// No other variant applies.
    Idle,
}

impl Deed {
    /// Returns the name used in machine-readable results.
    pub const fn name(self) -> &'static str {
        match self {
            Deed::Check => "check",
            Deed::Kill => "kill",
            Deed::Chase(_) => "chase",
            Deed::Exchange(_) => "exchange",
            Deed::Follow(_) => "follow",
            Deed::Standing(_) => "standing",
            Deed::Bound(_) => "bound",
            Deed::Block(..) => "block",
            Deed::Idle => "idle",
        }
    }
}

/// Returns the full ruling on a game: the verdict on its last position, the ply at which the game was first
/// over, and the cycle with the effect of every ply.
pub fn rule(game: &Game, terms: impl Into<Terms>) -> Ruling {
    let terms = terms.into();
    let verdict = judge(game, terms);
    let moves: Vec<Move> = game.plies().iter().filter_map(|ply| ply.mv).collect();
    let mut replay = game.clone();
    while !replay.plies().is_empty() {
        replay.unmake();
    }
    let mut ended_at = None;
    for played in 0..=moves.len() {
        if judge(&replay, terms) != Verdict::Open {
            ended_at = Some(played);
            break;
        }
        if let Some(&mv) = moves.get(played) {
            replay.make(mv);
        }
    }
    let is_repetition = matches!(verdict, Verdict::Over(_, reason) if reason.is_repetition());
    let span = game.occurrences().nth(terms.folds() - 2).filter(|_| is_repetition);
    let cycle = span.map(|span| Cycle::of(game, terms.rules, span));
    let occurrences = 1 + game.occurrences().count();
    Ruling { verdict, ended_at, side: game.position().side(), cycle, occurrences, terms }
}

impl Cycle {
    /// Returns the last `span` plies of a game, which lead back to the current position.
    pub fn of(game: &Game, rules: RuleSet, span: usize) -> Cycle {
        let first = game.plies().len() - span;
        let plies = &game.plies()[first..];
        let (_, reason) = judge_repetition(game, rules, span);
        let offender = reason.offender();
        let chasing_kinds = chasing_kinds(game.position(), plies, rules.parameters());
        let (mut chased, is_tied) = chased_by(reason, game.position(), plies, rules);
        let mut replay = game.clone();
        for _ in 0..span {
            replay.unmake();
        }
        let victim = chased.first().and_then(|at| Some((replay.position().piece_on(at)?, at)));
        chased = victim.map_or(Bitboard::EMPTY, |(_, at)| Bitboard::of(at));
        let mut culprits: Vec<Kind> = Vec::new();
        let mut described = Vec::with_capacity(span);
        for (index, mv) in plies.iter().filter_map(|ply| ply.mv).enumerate() {
            let before = replay.position().clone();
            replay.make(mv);
            let after = replay.position();
            if chased.has(mv.from) {
                chased = Bitboard::of(mv.to);
            }
            let Some(piece) = after.piece_on(mv.to) else { continue };
            let chasing_kinds = chasing_kinds[piece.side().index()];
            let deeds = deeds(&before, after, mv, rules, chasing_kinds, chased);
            if Some(piece.side()) == offender {
                culprits.push(culprit(piece, &deeds, chased));
            }
            let enemies = attack::possible_victims(after, !piece.side()).into_iter();
            let aims: Bitboard = enemies.filter(|&at| after.attackers(piece.side(), at).has_any()).collect();
            let attacks =
                aims.into_iter().filter(|&at| attack::attacks(after, piece.side(), at, chasing_kinds)).collect();
            let number = first + index + 1;
            described.push(CyclePly { number, side: piece.side(), piece, mv, deeds, aims, attacks });
        }
        let culprit = culprits.first().copied().filter(|first| culprits.iter().all(|kind| kind == first));
        Cycle { plies: described, victim, culprit, is_tied }
    }
}

/// Returns the pieces whose chase led to the verdict, and `true` if they are rooks that must block the leg of
/// a horse.
fn chased_by(reason: Reason, last: &Position, plies: &[Ply], rules: RuleSet) -> (Bitboard, bool) {
    let Reason::PerpetualChase(side) = reason else { return (Bitboard::EMPTY, false) };
    let ChasedPieces { victims, directly, tied } = chased_pieces(last, plies, rules.parameters())[side.index()];
    let gravest = [tied, directly, victims].into_iter().find(|set| set.has_any());
    (gravest.unwrap_or_default(), tied.has_any())
}

/// Returns the kind of the piece that commits the offence with a move of `piece`: the chaser, or `piece`
/// itself.
fn culprit(piece: Piece, deeds: &[Deed], chased: Bitboard) -> Kind {
    let of_the_hunted = |deed: &Deed| match deed {
        Deed::Chase(attack) if chased.has(attack.at) => Some(attack.chaser.kind()),
        _ => None,
    };
    match deeds[0] {
        Deed::Chase(attack) if chased.is_empty() => attack.chaser.kind(),
        _ => deeds.iter().find_map(of_the_hunted).unwrap_or(piece.kind()),
    }
}

/// Returns the effects of a move; among effects of the same kind, attacks on `chased` come first.
fn deeds(
    before: &Position,
    after: &Position,
    mv: Move,
    rules: RuleSet,
    chasing_kinds: &[Kind],
    chased: Bitboard,
) -> Vec<Deed> {
    let mut deeds = Vec::new();
    if after.in_check() {
        deeds.push(Deed::Check);
    }
    if rules.parameters().offence == OffenceRule::AnyAttack && threatens_mate(before, after) {
        deeds.push(Deed::Kill);
    }
    let mut attacks = match rules.parameters().chases {
        ChaseRule::OfTheMovedPiece => league_attacks(after, mv),
        ChaseRule::None | ChaseRule::Exact => attacks_of(before, after, mv, chasing_kinds),
    };
    // Only the most serious attack on each victim is listed.
    attacks.sort_by_key(|(attack, is_new)| match attack.value {
        value if value.is_chase() => u8::from(!is_new),
        CaptureValue::Exchange => 2,
        CaptureValue::Protected => 3,
        _ => 4,
    });
    // Sorting is stable, so the attacks on other victims keep their order.
    attacks.sort_by_key(|(attack, _)| !chased.has(attack.at));
    let mut seen = Bitboard::EMPTY;
    for (attack, is_new) in attacks {
        if !seen.has(attack.at) {
            seen = seen.with(attack.at);
            deeds.push(match attack.value {
                CaptureValue::Exchange => Deed::Exchange(attack),
                CaptureValue::Protected => Deed::Follow(attack),
                CaptureValue::Bound => Deed::Bound(attack),
                _ if is_new => Deed::Chase(attack),
                _ => Deed::Standing(attack),
            });
        }
    }
    // Offences precede effects that the rules allow.
    deeds.sort_by_key(|deed| !matches!(deed, Deed::Check | Deed::Kill | Deed::Chase(_)));
    if let Some((piece, at)) = blocked(before, after, mv) {
        deeds.push(Deed::Block(piece, at));
    }
    if deeds.is_empty() {
        deeds.push(Deed::Idle);
    }
    deeds
}

/// Returns the attacks made by a move, and earlier attacks that the moved piece continues, each with `true`
/// if it is new. A profitable attack is new if no piece profitably attacked the same victim before.
fn attacks_of(before: &Position, after: &Position, mv: Move, chasing_kinds: &[Kind]) -> Vec<(Attack, bool)> {
    let side = before.side();
    let mut found = Vec::new();
    for at in attack::possible_victims(after, !side) {
        let paid_before = attack::attacks(before, side, at, chasing_kinds);
        for from in attack::captures(after, side, at, chasing_kinds) {
            let origin = if from == mv.to { mv.from } else { from };
            let value = attack::capture_value(after, Move::new(from, at));
            let aimed_before = attack::captures(before, side, at, chasing_kinds).any(|square| square == origin);
            let is_new = if value.is_chase() { !paid_before } else { !aimed_before };
            let tells = is_new || from == mv.to && value.is_chase();
            let (Some(chaser), Some(victim)) = (after.piece_on(from), after.piece_on(at)) else { continue };
            if tells && (value != CaptureValue::Bound || from == mv.to) {
                let is_protected = attack::is_protected(after, Move::new(from, at));
                let is_undermining = is_new && value.is_chase() && aimed_before;
                let is_discovered = from != mv.to;
                found.push((
                    Attack { chaser, from, victim, at, value, is_protected, is_discovered, is_undermining },
                    is_new,
                ));
            }
        }
    }
    found
}

/// Returns the single attack recognised by the league's rules.
fn league_attacks(after: &Position, mv: Move) -> Vec<(Attack, bool)> {
    let attack = attack::league_victim(after, mv).and_then(|at| {
        let (chaser, victim) = (after.piece_on(mv.to)?, after.piece_on(at)?);
        let value = if victim.kind() == Kind::Rook { CaptureValue::Stronger } else { CaptureValue::Unprotected };
        let is_protected = value == CaptureValue::Stronger && attack::is_covered(after, at);
        Some((
            Attack {
                chaser,
                from: mv.to,
                victim,
                at,
                value,
                is_protected,
                is_discovered: false,
                is_undermining: false,
            },
            true,
        ))
    });
    attack.into_iter().collect()
}

/// Returns the friendly piece, possibly the king, that a move shields by entering the line along which an
/// enemy attacked it.
fn blocked(before: &Position, after: &Position, mv: Move) -> Option<(Piece, Square)> {
    let side = before.side();
    let shielded = attack::possible_victims(before, side) | before.pieces(side, Kind::King);
    let threats = |position: &Position, at: Square| {
        let attackers = position.attackers(!side, at) & !position.pieces(!side, Kind::King);
        attackers.into_iter().filter(move |&from| Occupancy::between(from, at).has(mv.to)).collect::<Bitboard>()
    };
    let mut shielded = shielded & !Bitboard::of(mv.from);
    if before.in_check() {
        shielded = before.pieces(side, Kind::King);
    }
    let at = shielded.into_iter().find(|&at| (threats(before, at) & !threats(after, at)).has_any())?;
    Some((before.piece_on(at)?, at))
}

#[cfg(test)]
mod tests {
    use super::super::Offence;
    use super::*;

    #[test]
    fn attacks_by_pawns_are_explained_where_they_count() {
        // Red's rook chases two cannons in turn; Black's pawn attacks two horses in turn.
        let mut game = Game::from_fen("3k5/9/9/c8/c7R/9/9/4p4/3NN4/5K3 w").expect("a legal FEN");
        game.play_text("i5i6 e2d2 i6i5 d2e2".split(' ')).expect("legal moves");
        for (rules, reason, pawns) in [
            (RuleSet::Chinese, Reason::MutualOffence(Offence::Attack), "chase"),
            (RuleSet::Asian, Reason::Repetition, "idle"),
        ] {
            assert_eq!(judge_repetition(&game, rules, 4).1, reason, "{rules}");
            let names = Cycle::of(&game, rules, 4).plies.into_iter().map(|ply| ply.deeds[0].name());
            assert_eq!(names.collect::<Vec<_>>(), ["chase", pawns, "chase", pawns], "{rules}");
        }
    }
}
