//! Judgement of repetitions.

use super::attack::{self, CHASING_KINDS, CHASING_KINDS_WITH_PAWNS};
use super::kill::{capture_allows_mate, threatens_mate};
use super::terms::{ChaseRule, OffenceRule, RuleParameters};
use super::{Game, Offence, Outcome, Ply, Reason, RuleSet};
use crate::{Bitboard, Kind, Move, Position, Side, Square};

/// Returns the result, for the side to move, of repeating the position that occurred `span` plies ago. Every
/// move since then is examined, with the same criteria for both sides. Does not allocate.
///
/// ```
/// use chuhe_board::rules::{Game, Outcome, Reason, RuleSet, judge_repetition};
/// use chuhe_board::Side;
///
/// // A rook chases an unprotected horse.
/// let mut game = Game::from_fen("5k3/9/9/8p/2n6/9/8P/9/3R5/4K4 w").unwrap();
/// game.play_text("d1c1 c5d7 c1d1 d7c5".split(' ')).unwrap();
/// assert_eq!(judge_repetition(&game, RuleSet::Asian, 4), (Outcome::Loss, Reason::PerpetualChase(Side::Red)));
/// assert_eq!(judge_repetition(&game, RuleSet::Simple, 4), (Outcome::Draw, Reason::Repetition));
/// ```
pub fn judge_repetition(game: &Game, rules: RuleSet, span: usize) -> (Outcome, Reason) {
    let side = game.position().side();
    let offences = offences(game, rules, span);
    let (ours, theirs) = (offences[side.index()], offences[(!side).index()]);
    let reason = |offender, offence| match offence {
        Offence::Check => Reason::PerpetualCheck(offender),
        _ if rules.parameters().offence == OffenceRule::AnyAttack => Reason::PerpetualAttack(offender),
        _ => Reason::PerpetualChase(offender),
    };
    match ours.cmp(&theirs) {
        core::cmp::Ordering::Greater => (Outcome::Loss, reason(side, ours)),
        core::cmp::Ordering::Less => (Outcome::Win, reason(!side, theirs)),
        core::cmp::Ordering::Equal if ours == Offence::None => (Outcome::Draw, Reason::Repetition),
        core::cmp::Ordering::Equal if ours == Offence::Check => (Outcome::Draw, Reason::MutualOffence(Offence::Check)),
        core::cmp::Ordering::Equal => (Outcome::Draw, Reason::MutualOffence(Offence::Attack)),
    }
}

/// Returns the offence of each side in the last `span` plies, which lead back to the current position.
pub(super) fn offences(game: &Game, rules: RuleSet, span: usize) -> [Offence; 2] {
    let parameters = rules.parameters();
    let mut offences = [Offence::None; 2];
    if !parameters.perpetual_check_loses {
        return offences;
    }
    let plies = &game.plies()[game.plies().len() - span..];
    // If a side is in check before its move, the enemy gave check. The first position of the span is also its
    // last.
    for side in Side::ALL {
        let first_reply = usize::from(side == game.position().side());
        if plies[first_reply..].iter().step_by(2).all(|ply| ply.was_in_check) {
            offences[side.index()] = Offence::Check;
        }
    }
    if parameters.chases == ChaseRule::None || offences.contains(&Offence::Check) {
        return offences;
    }
    match parameters.offence {
        OffenceRule::OneVictimUnchecked if plies.iter().any(|ply| ply.was_in_check) => [Offence::None; 2],
        OffenceRule::OneVictim | OffenceRule::OneVictimUnchecked | OffenceRule::OneVictimByTheManual => {
            let chased = chased_pieces(game.position(), plies, parameters);
            Side::ALL.map(|side| match chased[side.index()] {
                own if own.tied.has_any() => Offence::TiedRook,
                own if own.directly.has_any() => Offence::Attack,
                // A chase made partly by removing protections is an offence only if the other side does not
                // attack with every move.
                own if own.victims.has_any() && !attacks_anything(game.position(), plies, !side) => Offence::Attack,
                _ => Offence::None,
            })
        }
        OffenceRule::AnyAttack => attacks_throughout(game.position(), plies)
            .map(|attacks| if attacks { Offence::Attack } else { Offence::None }),
    }
}

/// Pieces that a side chases with every move of a repetition, by their squares before the first move.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChasedPieces {
    /// All victims.
    pub(super) victims: Bitboard,
    /// Victims that no move chases solely by removing a protection.
    pub(super) directly: Bitboard,
    /// Rooks among the victims that must block the leg of a horse.
    pub(super) tied: Bitboard,
}

impl ChasedPieces {
    /// Keeps the victims that satisfy a condition.
    fn keep(&mut self, condition: impl Fn(Square) -> bool) {
        self.victims = self.victims.into_iter().filter(|&victim| condition(victim)).collect();
        self.directly &= self.victims;
        self.tied &= self.victims;
    }

    /// Replaces the target square of a victim's move with its origin.
    fn follow_back(&mut self, mv: Move) {
        for set in [&mut self.victims, &mut self.directly, &mut self.tied] {
            if set.has(mv.to) {
                *set = (*set & !Bitboard::of(mv.to)).with(mv.from);
            }
        }
    }
}

/// Returns the pieces that each side chases with every one of its moves in `plies`.
pub(super) fn chased_pieces(last: &Position, plies: &[Ply], parameters: &RuleParameters) -> [ChasedPieces; 2] {
    let by_the_manual = parameters.offence == OffenceRule::OneVictimByTheManual;
    let mut board = last.clone();
    let mut chased = Side::ALL.map(|side| {
        let victims = attack::possible_victims(last, !side);
        ChasedPieces { victims, directly: victims, tied: if by_the_manual { victims } else { Bitboard::EMPTY } }
    });
    for ply in plies.iter().rev() {
        let Some(mv) = ply.mv else {
            return [ChasedPieces { victims: Bitboard::EMPTY, directly: Bitboard::EMPTY, tied: Bitboard::EMPTY }; 2];
        };
        let mover = !board.side();
        let own = &mut chased[mover.index()];
        if board.in_check() && !by_the_manual {
            own.keep(|_| false);
        }
        let exact = parameters.chases == ChaseRule::Exact;
        if exact {
            own.keep(|victim| attack::attacks(&board, mover, victim, CHASING_KINDS));
        } else if own.victims.has_any() {
            let found = attack::league_victim(&board, mv);
            own.keep(|victim| found == Some(victim));
        }
        own.tied = own.tied.into_iter().filter(|&victim| attack::is_tied_rook(&board, victim)).collect();
        let after = (by_the_manual && own.directly.has_any()).then(|| board.clone());
        board.unmake(mv, ply.undo);
        if exact {
            own.keep(|victim| !attack::attacks(&board, mover, victim, CHASING_KINDS));
        }
        if let Some(after) = after {
            let directly = own.directly.into_iter();
            own.directly = directly.filter(|&victim| attack::attacks_directly(&board, &after, mv, victim)).collect();
        }
        chased[(!mover).index()].follow_back(mv);
        if chased.iter().all(|own| own.victims.is_empty()) {
            break;
        }
    }
    chased
}

/// Returns `true` if a side makes a new attack with every one of its moves.
fn attacks_anything(last: &Position, plies: &[Ply], side: Side) -> bool {
    every_move(last, plies, side, |before, after| chases_anything(before, after, CHASING_KINDS, false))
}

/// Returns `true` if a condition holds for the positions before and after each move of a side.
fn every_move(last: &Position, plies: &[Ply], side: Side, condition: impl Fn(&Position, &Position) -> bool) -> bool {
    let mut board = last.clone();
    plies.iter().rev().all(|ply| {
        let Some(mv) = ply.mv else { return false };
        if board.side() == side {
            board.unmake(mv, ply.undo);
            return true;
        }
        let after = board.clone();
        board.unmake(mv, ply.undo);
        condition(&board, &after)
    })
}

/// Returns, for each side, `true` if every one of its moves attacks.
fn attacks_throughout(last: &Position, plies: &[Ply]) -> [bool; 2] {
    let attacks = |side, chasing_kinds, sound| attacks_with_every_move(last, plies, side, chasing_kinds, sound);
    match Side::ALL.map(|side| attacks(side, CHASING_KINDS, false)) {
        // If both sides attack throughout, a chase counts only if its capture would not allow a mate (rule
        // 7).
        [true, true] => Side::ALL.map(|side| attacks(side, CHASING_KINDS, true)),
        [false, false] => [false, false],
        one => {
            let chasing_kinds = chasing_kinds_beside(one);
            Side::ALL.map(|side| one[side.index()] || attacks(side, chasing_kinds[side.index()], false))
        }
    }
}

/// Returns the kinds of each side whose attacks count, depending on which sides attack throughout. If only
/// one side does, the other side's pawns count as attackers as well (rule 11).
fn chasing_kinds_beside(throughout: [bool; 2]) -> [&'static [Kind]; 2] {
    match throughout {
        [true, false] => [CHASING_KINDS, CHASING_KINDS_WITH_PAWNS],
        [false, true] => [CHASING_KINDS_WITH_PAWNS, CHASING_KINDS],
        _ => [CHASING_KINDS; 2],
    }
}

/// Returns, for each side, the kinds whose attacks count, as in [`attacks_throughout`].
pub(super) fn chasing_kinds(last: &Position, plies: &[Ply], parameters: &RuleParameters) -> [&'static [Kind]; 2] {
    if parameters.offence != OffenceRule::AnyAttack {
        return [CHASING_KINDS; 2];
    }
    chasing_kinds_beside(Side::ALL.map(|side| attacks_with_every_move(last, plies, side, CHASING_KINDS, false)))
}

/// Returns `true` if every move of a side gives check, threatens mate, or chases any piece.
fn attacks_with_every_move(last: &Position, plies: &[Ply], side: Side, chasing_kinds: &[Kind], sound: bool) -> bool {
    every_move(last, plies, side, |before, after| {
        after.in_check() || chases_anything(before, after, chasing_kinds, sound) || threatens_mate(before, after)
    })
}

/// Returns `true` if a move chases any piece; `sound` requires that the capture does not allow a mate.
fn chases_anything(before: &Position, after: &Position, chasing_kinds: &[Kind], sound: bool) -> bool {
    let side = before.side();
    attack::possible_victims(after, !side).into_iter().any(|victim| {
        !attack::attacks(before, side, victim, chasing_kinds)
            && attack::captures(after, side, victim, chasing_kinds).any(|from| {
                let capture = Move::new(from, victim);
                attack::capture_value(after, capture).is_chase() && !(sound && capture_allows_mate(after, capture))
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the offences of Red and Black in a cycle played once.
    fn offences_in(fen: &str, cycle: &str, rules: RuleSet) -> [Offence; 2] {
        let mut game = Game::from_fen(fen).expect("a legal FEN");
        game.play_text(cycle.split(' ')).expect("legal moves");
        offences(&game, rules, cycle.split(' ').count())
    }

    #[test]
    fn chasing_a_rook_that_a_horse_ties_to_its_place_is_worse_than_any_other_chase() {
        let (fen, cycle) = ("2baka3/C4rN2/4b1n2/1R7/9/9/9/9/4A4/4K4 w", "b6b8 f9e8 b8b6 e8f9");
        assert_eq!(offences_in(fen, cycle, RuleSet::Asian), [Offence::TiedRook, Offence::None]);
        assert_eq!(offences_in(fen, cycle, RuleSet::Computer), [Offence::Attack; 2]);
        assert!(Offence::Check > Offence::TiedRook && Offence::TiedRook > Offence::Attack);
    }

    #[test]
    fn taking_away_a_protection_is_a_chase_only_of_a_side_that_does_not_attack() {
        // A pawn blocks the cannon's protection of the horse that the rook attacks.
        let (fen, cycle) = ("2ca1k3/4a4/b3b4/2P6/9/1c7/9/9/2nR5/3AK4 w", "c6b6 e7c5 b6c6 c5e7");
        assert_eq!(offences_in(fen, cycle, RuleSet::Asian), [Offence::Attack, Offence::None]);
        // Two rooks and two cannons attack each other with every move; Red sometimes attacks by removing a
        // protection.
        let (fen, cycle) = ("4kab2/c3aR2c/4b4/3R5/9/9/9/4B4/4K4/2B6 w", "d6d8 e8d9 f8f6 f9e8 f6f8 e8f9 d8d6 d9e8");
        assert_eq!(offences_in(fen, cycle, RuleSet::Asian), [Offence::None; 2]);
        assert_eq!(offences_in(fen, cycle, RuleSet::Computer), [Offence::Attack, Offence::None]);
    }

    #[test]
    fn a_check_that_attacks_the_victim_as_well_goes_on_chasing_it() {
        let (fen, cycle) = ("4k4/9/3R5/4c4/9/4N4/9/4C4/9/5K3 w", "e4g5 e6f6 d7f7 f6d6 f7d7 d6f6 g5e4 f6e6");
        assert_eq!(offences_in(fen, cycle, RuleSet::Asian), [Offence::Attack, Offence::None]);
        for rules in [RuleSet::Computer, RuleSet::League] {
            assert_eq!(offences_in(fen, cycle, rules), [Offence::None; 2], "{rules}");
        }
    }
}
