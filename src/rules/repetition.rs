//! Whose fault a repetition is.

use super::attack::{self, CHASERS, CHASERS_WITH_PAWNS};
use super::kill::{gets_mated, threatens_mate};
use super::terms::{Answers, Chases, Row};
use super::{Game, Offence, Outcome, Ply, Reason, RuleSet};
use crate::board::{Bitboard, Kind, Move, Position, Side};

/// What a repetition is worth to the side to move: the position now also stood `span` plies ago. Every move since then is judged, both
/// sides by the same questions; nothing is allocated.
///
/// ```
/// use chuhe::rules::{Game, Outcome, Reason, RuleSet, judge_repetition};
/// use chuhe::board::Side;
///
/// // A rook follows a horse that nobody protects.
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
        _ if rules.answers().row == Row::AnyAttack => Reason::PerpetualAttack(offender),
        _ => Reason::PerpetualChase(offender),
    };
    match ours.cmp(&theirs) {
        std::cmp::Ordering::Greater => (Outcome::Loss, reason(side, ours)),
        std::cmp::Ordering::Less => (Outcome::Win, reason(!side, theirs)),
        std::cmp::Ordering::Equal if ours == Offence::None => (Outcome::Draw, Reason::Repetition),
        std::cmp::Ordering::Equal => (Outcome::Draw, Reason::MutualOffence(ours)),
    }
}

/// What each side offends by in the last `span` plies, which lead back to the position now.
pub(super) fn offences(game: &Game, rules: RuleSet, span: usize) -> [Offence; 2] {
    let answers = rules.answers();
    let mut offences = [Offence::None; 2];
    if !answers.perpetual_check_loses {
        return offences;
    }
    let plies = &game.plies()[game.plies().len() - span..];
    // To have been in check before a move means that the enemy had given check; the first position of the span is also its last.
    for side in Side::ALL {
        let first_reply = usize::from(side == game.position().side());
        if plies[first_reply..].iter().step_by(2).all(|ply| ply.was_in_check) {
            offences[side.index()] = Offence::Check;
        }
    }
    if answers.chases == Chases::None || offences.contains(&Offence::Check) {
        return offences;
    }
    let attacks = match answers.row {
        Row::OneVictimUnchecked if plies.iter().any(|ply| ply.was_in_check) => [false; 2],
        Row::OneVictim | Row::OneVictimUnchecked => {
            chased_throughout(game.position(), plies, answers).map(Bitboard::has_any)
        }
        Row::AnyAttack => attacks_throughout(game.position(), plies),
    };
    attacks.map(|attacks| if attacks { Offence::Attack } else { Offence::None })
}

/// The victims that each side chases with every move of the plies, as squares before the first of them.
pub(super) fn chased_throughout(last: &Position, plies: &[Ply], answers: &Answers) -> [Bitboard; 2] {
    let mut board = last.clone();
    let mut victims = Side::ALL.map(|side| attack::possible_victims(last, !side));
    for ply in plies.iter().rev() {
        let Some(mv) = ply.mv else { return [Bitboard::EMPTY; 2] };
        let mover = !board.side();
        let chased = &mut victims[mover.index()];
        if board.in_check() {
            *chased = Bitboard::EMPTY;
        }
        let exact = answers.chases == Chases::Exact;
        if exact {
            *chased = chased.into_iter().filter(|&victim| attack::attacks(&board, mover, victim, CHASERS)).collect();
        } else if chased.has_any() {
            *chased &= attack::league_victim(&board, mv).map_or(Bitboard::EMPTY, Bitboard::of);
        }
        board.unmake(mv, ply.undo);
        if exact {
            *chased = chased.into_iter().filter(|&victim| !attack::attacks(&board, mover, victim, CHASERS)).collect();
        }
        // The moved piece may be a victim: it is followed back to where it came from.
        let hunted = &mut victims[(!mover).index()];
        if hunted.has(mv.to) {
            *hunted = (*hunted & !Bitboard::of(mv.to)).with(mv.from);
        }
        if victims.iter().all(|set| set.is_empty()) {
            break;
        }
    }
    victims
}

/// Whether each side attacks something with every move of the plies: checks, threatens mate, or chases any piece.
fn attacks_throughout(last: &Position, plies: &[Ply]) -> [bool; 2] {
    let row = |side: Side, chasers: &[Kind], sound: bool| {
        let mut board = last.clone();
        plies.iter().rev().all(|ply| {
            let Some(mv) = ply.mv else { return false };
            if board.side() == side {
                board.unmake(mv, ply.undo);
                return true;
            }
            let after = board.clone();
            board.unmake(mv, ply.undo);
            after.in_check() || chases_anything(&board, &after, chasers, sound) || threatens_mate(&board, &after)
        })
    };
    match Side::ALL.map(|side| row(side, CHASERS, false)) {
        // Once one side attacks throughout, the other's pawns count as attackers too (rule 11).
        [true, false] => [true, row(Side::Black, CHASERS_WITH_PAWNS, false)],
        [false, true] => [row(Side::Red, CHASERS_WITH_PAWNS, false), true],
        // An attack that can't be carried out without being mated is no excuse for attacking (rule 7).
        [true, true] => Side::ALL.map(|side| row(side, CHASERS, true)),
        neither => neither,
    }
}

/// Whether a move has made a chase; `sound` asks that the capture does not get the chaser mated.
fn chases_anything(before: &Position, after: &Position, chasers: &[Kind], sound: bool) -> bool {
    let side = before.side();
    attack::possible_victims(after, !side).into_iter().any(|victim| {
        !attack::attacks(before, side, victim, chasers)
            && attack::captures(after, side, victim, chasers).any(|from| {
                let capture = Move::new(from, victim);
                attack::worth(after, capture).is_chase() && !(sound && gets_mated(after, capture))
            })
    })
}
