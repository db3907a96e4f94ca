//! Moves of a line with their main effects, weighted by importance.

use super::effect::{Effect, Step};
use super::material::{Balance, GAIN, PIECE};
use chuhe_board::{Kind, Move, Piece, Position, exchange_value};

/// A move's main effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deed {
    /// Effect.
    pub effect: Effect,
    /// Move.
    pub mv: Move,
    /// Piece that moves; in an exchange, the piece that is lost.
    pub piece: Piece,
    /// Pieces that the effect concerns, the most valuable first; may be empty. They are the enemy's, except
    /// those that are protected.
    pub targets: Vec<Kind>,
}

/// Percentages of their weight at which a side's first four moves in a line count.
const NEARNESS: [i32; 4] = [100, 70, 50, 40];

impl Deed {
    /// Returns the main effect of a legal move; `follow` contains the moves after it. Returns `None` for a
    /// sacrifice.
    pub(crate) fn of(before: &Position, mv: Move, follow: &[Move]) -> Option<Deed> {
        let piece = before.piece_on(mv.from)?;
        let mut after = before.clone();
        after.make(mv);
        let answer = follow.first().copied();
        let given = answer.and_then(|answer| after.piece_on(answer.to));
        let exchange = exchange(before, mv, follow);
        let victim = before.piece_on(mv.to).map(Piece::kind);
        let step = Step { before, after, mv, piece, victim, given };
        let trade = |own: Kind, other: Kind| {
            let piece = Piece::new(piece.side(), own);
            Some(Deed { effect: Effect::Trades, mv, piece, targets: vec![other] })
        };
        let is_similar = |own: &Kind, other: Kind| {
            let [own, other] = [*own, other].map(exchange_value);
            2 * own > other && 2 * other > own
        };
        if let Some(victim) = victim {
            if exchange.gain() <= -GAIN {
                return None;
            }
            if !exchange.taken.contains(&victim) {
                return trade(given.map(Piece::kind).filter(|own| is_similar(own, victim))?, victim);
            }
            if let Some(&lost) = exchange.lost.first() {
                return trade(lost, victim);
            }
            let is_piece = exchange_value(victim) >= PIECE;
            if let Some(own) = step.given_later(follow).filter(|own| is_piece && is_similar(own, victim)) {
                return trade(own, victim);
            }
        } else if let Some(answer) = answer.filter(|answer| answer.to == mv.to) {
            let taker = step.after.piece_on(answer.from)?.kind();
            let is_exchange = follow.get(1)?.to == mv.to && is_similar(&piece.kind(), taker);
            return if is_exchange { trade(piece.kind(), taker) } else { None };
        }
        // A piece that moves away with a capture is not driven away.
        let (effect, targets) = step.effect(answer.filter(|_| given.is_none()));
        Some(Deed { effect, mv, piece, targets })
    }

    /// Returns the deeds of `count` moves `first`, `first + 2`, … of a line, with their plies. If
    /// `with_answers` is set, the moves after each move are considered, and recaptures and captures of
    /// offered pieces are omitted.
    fn all(start: &Position, line: &[Move], first: usize, count: usize, with_answers: bool) -> Vec<(usize, Deed)> {
        let (mut position, mut deeds, mut previous) = (start.clone(), Vec::new(), None);
        for (ply, &mv) in line.iter().enumerate().take(first + 2 * count - 1) {
            let is_capture = position.piece_on(mv.to).is_some();
            let is_offered = |(was_capture, to)| was_capture || ply > 1 && to == mv.to;
            let is_answer = with_answers && is_capture && previous.is_some_and(is_offered);
            if ply >= first && (ply - first).is_multiple_of(2) && !is_answer {
                let follow = if with_answers { &line[ply + 1..] } else { &[] };
                deeds.extend(Deed::of(&position, mv, follow).map(|deed| (ply, deed)));
            }
            previous = Some((is_capture, mv.to));
            position.make(mv);
        }
        deeds
    }

    /// Returns the deeds of the side that makes the moves `first`, `first + 2`, … of a line, with their
    /// weights. Omits effects that the side also has in the line `other`, and effects that the same move
    /// could have there. Unless `is_strict`, omits only moves to squares to which the side moves in both
    /// lines.
    pub(crate) fn of_line(
        start: &Position,
        line: &[Move],
        first: usize,
        other: &[Move],
        is_strict: bool,
    ) -> Vec<(i32, Deed)> {
        let theirs = Deed::all(start, other, first, NEARNESS.len() + 2, false);
        let mut deeds = Deed::all(start, line, first, NEARNESS.len(), true);
        deeds.retain(|(ply, deed)| {
            if !is_strict {
                return theirs.iter().all(|(_, other)| other.mv.to != deed.mv.to);
            }
            let mut position = start.clone();
            for &mv in other.iter().take(*ply) {
                position.make(mv);
            }
            let is_possible = *ply > 0 && *ply <= other.len() && position.legal_moves().contains(&deed.mv);
            let same = is_possible.then(|| Deed::of(&position, deed.mv, &[])).flatten();
            theirs.iter().map(|(_, other)| other).chain(&same).all(|other| !deed.resembles(other))
        });
        deeds.into_iter().map(|(ply, deed)| (deed.weight() * NEARNESS[(ply - first) / 2] / 100, deed)).collect()
    }

    /// Returns `true` if another move has the same effect, or captures a piece that this one attacks.
    fn resembles(&self, other: &Deed) -> bool {
        let strength = |effect| match effect {
            Effect::Forks | Effect::DrivesAway | Effect::Threatens | Effect::Uncovers => 1,
            Effect::Takes | Effect::Trades => 2,
            _ => 0,
        };
        let (own, others) = (strength(self.effect), strength(other.effect));
        let is_similar = self.effect == other.effect || (own > 0 && others >= own);
        is_similar && self.targets.first() == other.targets.first() && (own > 0 || self.piece == other.piece)
    }

    /// Returns the greatest weight and the deed with this weight. Of the other deeds with at least four
    /// fifths of it, the preceding one is added or, if there is none, the following one.
    pub(crate) fn keep_greatest(mut deeds: Vec<(i32, Deed)>) -> (i32, Vec<Deed>) {
        let greatest = deeds.iter().map(|(weight, _)| *weight).max().unwrap_or(0);
        deeds.retain(|(weight, _)| 5 * weight >= 4 * greatest);
        let place = deeds.iter().position(|(weight, _)| *weight == greatest).unwrap_or(0);
        deeds.drain(..place.saturating_sub(1));
        deeds.truncate(2);
        (greatest, deeds.into_iter().map(|(_, deed)| deed).collect())
    }

    /// Returns the importance, roughly in centipawns.
    pub(crate) fn weight(&self) -> i32 {
        let target = self.targets.first().map_or(0, |&kind| exchange_value(kind).min(exchange_value(Kind::Rook)));
        match self.effect {
            Effect::Forks => 500,
            Effect::Takes => target,
            Effect::Trades if target >= PIECE => 150,
            Effect::Trades => 60,
            Effect::DrivesAway | Effect::Threatens | Effect::Uncovers => 100 + target / 20,
            Effect::Pins => 100 + target / 20,
            Effect::Blocks => 90,
            Effect::Checks | Effect::UncoversCheck => 80,
            Effect::Protects => 60 + target / 20,
            Effect::Activates | Effect::Crosses => 70,
            Effect::AimsAt => 50 + target / 20,
            Effect::Defends => 25,
            Effect::Regroups => 20,
        }
    }
}

/// Returns the balance of consecutive captures that begin with a move, without even exchanges.
fn exchange(before: &Position, mv: Move, follow: &[Move]) -> Balance {
    let mut after = before.clone();
    for &mv in std::iter::once(&mv).chain(follow) {
        if after.piece_on(mv.to).is_none() {
            break;
        }
        after.make(mv);
    }
    Balance::between(before, &after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<Move> {
        text.split_whitespace().map(|mv| mv.parse().expect("a move")).collect()
    }

    fn deed(fen: &str, mv: &str, answer: Option<&str>) -> (Effect, Vec<Kind>) {
        let position: Position = fen.parse().expect("a position");
        let deed = Deed::of(&position, moves(mv)[0], &moves(answer.unwrap_or(""))).expect("a deed");
        (deed.effect, deed.targets)
    }

    #[test]
    fn a_horse_forks_king_and_rook() {
        assert_eq!(deed("r3k4/9/9/1N7/9/9/9/9/9/3K5 w", "b6c8", None), (Effect::Forks, vec![Kind::King, Kind::Rook]));
    }

    #[test]
    fn a_discovered_check_is_no_fork() {
        // The cannon gives check over the advisor; the rook attacks only the other rook.
        let fen = "5k3/9/5a3/9/5R3/9/9/2r6/9/3K1C3 w";
        assert_ne!(deed(fen, "f5c5", None).0, Effect::Forks);
    }

    #[test]
    fn a_rook_threatens_a_horse_or_drives_it_away() {
        let fen = "3k5/9/9/6n2/9/9/9/9/9/R3K4 w";
        assert_eq!(deed(fen, "a0a6", None), (Effect::Threatens, vec![Kind::Horse]));
        assert_eq!(deed(fen, "a0a6", Some("g6f4")), (Effect::DrivesAway, vec![Kind::Horse]));
    }

    #[test]
    fn a_rook_pins_a_rook_to_its_king() {
        assert_eq!(deed("3k5/9/3r5/1n7/9/9/9/9/9/R3K4 w", "a0d0", None), (Effect::Pins, vec![Kind::Rook]));
        // Another piece blocks it.
        assert_eq!(deed("3k5/3c5/3a5/9/9/9/9/9/9/R3K4 w", "a0d0", None), (Effect::Threatens, vec![Kind::Advisor]));
    }

    #[test]
    fn a_piece_on_its_leg_blocks_a_horse() {
        let found = deed("3k5/9/9/6n2/4C4/9/9/9/9/4K4 w", "e5g5", None);
        assert_eq!(found, (Effect::Blocks, vec![Kind::Horse]));
    }

    #[test]
    fn quiet_moves_activate_cross_defend_or_regroup() {
        assert_eq!(deed("3k5/9/9/9/9/9/9/9/N8/R3K4 w", "a0b0", None).0, Effect::Activates);
        assert_eq!(deed("3k5/9/9/9/9/P8/9/9/9/4K4 w", "a4a5", None).0, Effect::Crosses);
        assert_eq!(deed("3k5/9/9/9/9/P8/9/9/9/4K4 w", "e0e1", None).0, Effect::Defends);
        assert_eq!(deed("3k5/9/9/9/9/9/P8/9/9/4K4 w", "a3a4", None).0, Effect::Regroups);
    }

    #[test]
    fn a_capture_that_is_answered_by_a_capture_is_an_exchange() {
        let fen = "3k5/9/3r5/9/3c5/9/9/4C4/9/3RK4 w";
        assert_eq!(deed(fen, "d0d5", Some("e9e8")), (Effect::Takes, vec![Kind::Cannon]));
        let fen = "3k5/9/9/9/9/9/1c7/9/3C4r/1R2K4 w";
        assert_eq!(deed(fen, "b0b3", Some("i1d1")), (Effect::Trades, vec![Kind::Cannon]));
        assert_eq!(deed(fen, "b0b3", Some("d9d8 b3b2 i1d1")), (Effect::Trades, vec![Kind::Cannon]));
        // The cannon is offered and captured, and its captor is captured in turn.
        let position: Position = "3k5/9/9/9/9/9/9/3C5/4A4/1cB1K4 w".parse().expect("a position");
        let found = Deed::of(&position, moves("d2d0")[0], &moves("b0d0 e1d0")).expect("a deed");
        assert_eq!((found.effect, found.targets), (Effect::Trades, vec![Kind::Cannon]));
        assert_eq!(Deed::of(&position, moves("d2d0")[0], &moves("b0d0 e0f0")), None);
    }

    #[test]
    fn a_check_is_given_or_uncovered() {
        assert_eq!(deed("3k5/9/9/9/9/9/9/9/9/R3K4 w", "a0d0", None).0, Effect::Checks);
        assert_eq!(deed("3k5/9/9/9/3N5/9/9/9/9/3RK4 w", "d5e3", None).0, Effect::UncoversCheck);
    }

    #[test]
    fn a_piece_is_protected() {
        let fen = "3k5/9/9/9/1r1N5/9/9/9/9/4KR3 w";
        assert_eq!(deed(fen, "f0f5", None), (Effect::Protects, vec![Kind::Horse]));
        // The rook leaves the file on which it was the screen of a cannon.
        let fen = "3k5/9/3c5/9/9/9/9/3R5/9/3NK4 w";
        assert_ne!(deed(fen, "d2c2", None).0, Effect::Protects);
    }

    fn effects(fen: &str, line: &str, first: usize, other: &str) -> Vec<(Effect, Vec<Kind>)> {
        let position: Position = fen.parse().expect("a position");
        let found = Deed::of_line(&position, &moves(line), first, &moves(other), true);
        found.into_iter().map(|(_, deed)| (deed.effect, deed.targets)).collect()
    }

    #[test]
    fn recaptures_and_lesser_deeds_are_left_out() {
        let fen = "3k5/9/9/6n2/9/2p6/P8/9/2R6/4K4 w";
        let position: Position = fen.parse().expect("a position");
        let found = Deed::of_line(&position, &moves("e0e1 c4b4 c1c6 b4a4"), 0, &[], true);
        let (weight, kept) = Deed::keep_greatest(found);
        assert_eq!((weight, kept.len(), kept[0].effect), (85, 1, Effect::Threatens));
        // A piece that moves to an attacked square is offered.
        assert_eq!(effects(fen, "c1c4 g6f4 c4f4 d9d8", 0, ""), [(Effect::Takes, vec![Kind::Pawn])]);
        let found = effects("3k5/9/9/9/p8/P8/9/9/9/R3K4 w", "e0e1 a5a4 a0a4", 0, "");
        assert_eq!(found, [(Effect::Defends, vec![])]);
    }

    #[test]
    fn effects_of_both_lines_are_left_out() {
        let fen = "3k5/9/9/6n2/9/9/9/9/9/R3K4 w";
        assert_eq!(effects(fen, "a0a6 g6f4", 0, "a0a6 g6f4"), []);
        assert_eq!(effects(fen, "a0a6 g6f4", 0, "").len(), 1);
    }
}
