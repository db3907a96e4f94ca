//! Moves of a line with their main effects, weighted by importance.

use super::effect::{Effect, Step, aims};
use super::material::{Balance, GAIN, PIECE};
use chuhe_board::{Kind, Move, Piece, Position, Square, exchange_value};

/// A move's main effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deed {
    /// Effect.
    pub effect: Effect,
    /// Move.
    pub mv: Move,
    /// Piece that moves; in an exchange, the piece that is lost.
    pub piece: Piece,
    /// Pieces that the effect concerns, the most valuable first; may be empty. They belong to the
    /// enemy, unless the effect is to protect them.
    pub targets: Vec<Kind>,
}

/// A deed in a line. Pieces are identified by their squares at the start of the line.
#[derive(Clone)]
struct Seen {
    deed: Deed,
    ply: usize,
    actor: Square,
    targets: Vec<Square>,
    weight: i32,
}

/// Percentages of their weight at which a side's first four moves in a line count.
const NEARNESS: [i32; 4] = [100, 60, 40, 25];
/// Percentage of its weight at which a capture or a threat counts that the same move could have in the other
/// line, which does not contain it.
const POSSIBLE: i32 = 55;
/// Number of a side's moves in the other line that are compared.
const COMPARED: usize = NEARNESS.len() + 2;

impl Deed {
    /// Returns the main effect of a legal move and the squares of its targets; `follow` contains the moves
    /// after it. Returns `None` for a sacrifice and for an exchange that removes no attacker.
    fn of(before: &Position, mv: Move, follow: &[Move]) -> Option<(Deed, Vec<Square>)> {
        let piece = before.piece_on(mv.from)?;
        let mut after = before.clone();
        after.make(mv);
        let answer = follow.first().copied();
        let given = answer.and_then(|answer| after.piece_on(answer.to));
        let exchange = exchange(before, mv, follow);
        let victim = before.piece_on(mv.to).map(Piece::kind);
        let step = Step { before, after, mv, piece, victim, answer, given };
        let trade = |own: Kind, other: Kind| {
            let deed = Deed { effect: Effect::Trades, mv, piece: Piece::new(piece.side(), own), targets: vec![other] };
            let taken = if victim.is_some() { mv.to } else { answer?.from };
            step.is_attacker(taken).then_some((deed, vec![taken]))
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
        let (effect, squares) = step.effect()?;
        let targets = squares.iter().filter_map(|&square| step.target(square)).collect();
        Some((Deed { effect, mv, piece, targets }, squares))
    }

    /// Returns the deeds of `count` moves `first`, `first + 2`, … of a line. If `with_answers` is set, the
    /// moves after each move are considered, and recaptures and captures of offered pieces are omitted.
    fn all(start: &Position, line: &[Move], first: usize, count: usize, with_answers: bool) -> Vec<Seen> {
        let (mut position, mut deeds, mut previous) = (start.clone(), Vec::new(), None);
        for (ply, &mv) in line.iter().enumerate().take(first + 2 * count - 1) {
            let is_capture = position.piece_on(mv.to).is_some();
            let is_offered = |(was_capture, to)| was_capture || ply > 1 && to == mv.to;
            let is_answer = with_answers && is_capture && previous.is_some_and(is_offered);
            if ply >= first && (ply - first).is_multiple_of(2) && !is_answer {
                deeds.extend(Seen::of(&position, line, ply, mv, with_answers));
            }
            previous = Some((is_capture, mv.to));
            position.make(mv);
        }
        deeds
    }

    /// Returns the deeds of the side that makes the moves `first`, `first + 2`, … of a line, with their
    /// weights. Omits effects that the side also has in the line `other`, and quiet ones that the same move
    /// could have there; captures and threats that are possible there weigh less.
    pub(crate) fn of_line(start: &Position, line: &[Move], first: usize, other: &[Move]) -> Vec<(i32, Deed)> {
        let known = Deed::all(start, other, first, COMPARED, false);
        let mut positions = vec![start.clone()];
        for &mv in other {
            let mut next = positions[positions.len() - 1].clone();
            next.make(mv);
            positions.push(next);
        }
        let mut deeds = Deed::all(start, line, first, NEARNESS.len(), true);
        deeds.retain_mut(|seen| {
            let Deed { mv, effect, .. } = seen.deed;
            // A capture may also remain possible later.
            let last = seen.ply + if effect.is_capture() { 2 } else { 0 };
            let plies = (first..=last.min(other.len())).step_by(2).filter(|&ply| ply > 0);
            let is_legal = |ply: &usize| {
                origin(&other[..*ply], mv.from) == seen.actor && positions[*ply].legal_moves().contains(&mv)
            };
            let possible: Vec<Seen> = plies
                .filter(is_legal)
                .filter_map(|ply| Seen::of(&positions[ply], &other[..ply], ply, mv, false))
                .collect();
            // A piece that the side captures in the other line is no target, nor one at which the same piece
            // aims there.
            let actor = seen.actor;
            let is_common = |target| {
                let is_aimed = |ply: usize| {
                    let [actor, target] = [actor, target].map(|square| place(&other[..ply], square));
                    actor.zip(target).is_some_and(|(from, to)| aims(&positions[ply], from).has(to))
                };
                place(other, target).is_none() || effect == Effect::Aims && (0..positions.len()).any(is_aimed)
            };
            let has_targets = effect == Effect::Aims || strength(effect) > 0;
            if has_targets && !seen.keep(|target, _| !is_common(target)) {
                return false;
            }
            let is_quiet = strength(effect) == 0;
            if !is_quiet && !seen.clone().remove_known(&possible) {
                seen.weight = seen.weight * POSSIBLE / 100;
            }
            seen.remove_known(&known) && (!is_quiet || seen.remove_known(&possible))
        });
        deeds.into_iter().map(|seen| (seen.weight * NEARNESS[(seen.ply - first) / 2] / 100, seen.deed)).collect()
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

    /// Returns the importance, roughly in centipawns. `succeeds` is set if the line captures a target.
    fn weight(&self, succeeds: bool) -> i32 {
        let target = self.targets.first().map_or(0, |&kind| exchange_value(kind).min(exchange_value(Kind::Rook)));
        match self.effect {
            Effect::Forks => 500,
            Effect::Takes => target.min(130),
            Effect::Trades => 110,
            Effect::DrivesAway | Effect::Threatens | Effect::Uncovers if target < PIECE && !succeeds => 45,
            Effect::DrivesAway | Effect::Threatens | Effect::Uncovers => 100 + target / 20,
            Effect::Pins => 100 + target / 20,
            Effect::Blocks | Effect::ShutsIn => 70,
            Effect::Cuts => 60,
            Effect::Checks | Effect::UncoversCheck => 45,
            Effect::Protects => 60 + target / 20,
            Effect::Crosses => 70,
            Effect::Frees => 60,
            Effect::Aims if target >= PIECE => 50,
            Effect::Aims => 30,
        }
    }
}

impl Seen {
    /// Returns the deed of the move `mv` after `ply` plies of a line; `position` is the position before it.
    fn of(position: &Position, line: &[Move], ply: usize, mv: Move, with_answers: bool) -> Option<Seen> {
        let follow = if with_answers { &line[ply + 1..] } else { &[] };
        let (deed, squares) = Deed::of(position, mv, follow)?;
        let weight = deed.weight(is_taken(&squares, follow));
        let targets = squares.into_iter().map(|square| origin(&line[..ply], square)).collect();
        Some(Seen { ply, actor: origin(&line[..ply], mv.from), targets, weight, deed })
    }

    /// Removes the targets of known deeds with the same effect, and pieces that those capture. Returns
    /// `false` if nothing remains.
    fn remove_known(&mut self, known: &[Seen]) -> bool {
        let own = strength(self.deed.effect);
        if own == 0 {
            return known.iter().all(|other| {
                let is_same_move = other.actor == self.actor && other.deed.mv.to == self.deed.mv.to;
                let is_same_effect = other.deed.effect == self.deed.effect
                    && if self.targets.is_empty() { other.actor == self.actor } else { other.targets == self.targets };
                !is_same_move && !is_same_effect
            });
        }
        let is_known = |square: Square, kind: Kind| {
            known.iter().any(|other| {
                let others = strength(other.deed.effect);
                let is_same_kind = others == own && other.deed.targets.first() == Some(&kind);
                let is_large = exchange_value(kind) >= PIECE;
                others >= own && other.targets.contains(&square) || is_same_kind && (is_large || own == 2)
            })
        };
        self.keep(|square, kind| !is_known(square, kind))
    }

    /// Removes the targets for which the condition is false; a fork of the others becomes a threat. Returns
    /// `false` if nothing remains.
    fn keep(&mut self, condition: impl Fn(Square, Kind) -> bool) -> bool {
        let is_fork = self.deed.effect == Effect::Forks;
        let targets: Vec<(Square, Kind)> =
            self.targets.iter().copied().zip(self.deed.targets.iter().copied()).collect();
        let is_whole = targets.iter().all(|&(square, kind)| condition(square, kind));
        let is_kept = |&(square, kind): &(Square, Kind)| condition(square, kind) && (is_whole || kind != Kind::King);
        (self.targets, self.deed.targets) = targets.into_iter().filter(is_kept).unzip();
        if is_fork && !is_whole {
            self.deed.effect = Effect::Threatens;
            self.weight = self.deed.weight(false);
        }
        !self.targets.is_empty()
    }
}

/// Returns 2 for captures, 1 for threats, 0 for other effects.
fn strength(effect: Effect) -> u8 {
    match effect {
        Effect::Forks | Effect::DrivesAway | Effect::Threatens | Effect::Uncovers => 1,
        Effect::Takes | Effect::Trades => 2,
        _ => 0,
    }
}

/// Returns the square at the start of a line of the piece that is on `square` after it.
fn origin(line: &[Move], square: Square) -> Square {
    line.iter().rev().fold(square, |square, mv| if mv.to == square { mv.from } else { square })
}

/// Returns the square after a line of the piece that is on `square` at its start; `None` if it is captured.
pub(super) fn place(line: &[Move], square: Square) -> Option<Square> {
    line.iter().try_fold(square, |square, mv| {
        if mv.to == square { None } else { Some(if mv.from == square { mv.to } else { square }) }
    })
}

/// Returns `true` if the side that moves second in `follow` captures a piece that is on one of the squares.
fn is_taken(squares: &[Square], follow: &[Move]) -> bool {
    squares.iter().any(|&square| {
        let mut square = square;
        for (ply, mv) in follow.iter().enumerate() {
            if mv.to == square {
                return ply % 2 == 1;
            }
            if mv.from == square {
                square = mv.to;
            }
        }
        false
    })
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
        effect(fen, mv, answer).expect("a deed")
    }

    fn effect(fen: &str, mv: &str, answer: Option<&str>) -> Option<(Effect, Vec<Kind>)> {
        let position: Position = fen.parse().expect("a position");
        let (deed, _) = Deed::of(&position, moves(mv)[0], &moves(answer.unwrap_or("")))?;
        Some((deed.effect, deed.targets))
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
        // Another piece blocks it, and the cannon can capture the rook.
        assert_eq!(effect("3k5/3c5/3a5/9/9/9/9/9/9/R3K4 w", "a0d0", None), None);
    }

    #[test]
    fn a_piece_on_its_leg_blocks_a_horse() {
        let found = deed("3k5/9/9/4C3n/9/9/9/9/9/4K4 w", "e6h6", None);
        assert_eq!(found, (Effect::Blocks, vec![Kind::Horse]));
        // A horse that still has more than two targets does not count as blocked.
        assert_eq!(effect("3k5/9/9/6n2/4C4/9/9/9/9/4K4 w", "e5g5", None), None);
    }

    #[test]
    fn quiet_moves_free_a_rook_or_cross() {
        assert_eq!(deed("3k5/9/9/9/9/9/9/9/N8/R3K4 w", "a0b0", None).0, Effect::Frees);
        assert_eq!(deed("3k5/9/9/9/9/P8/9/9/9/4K4 w", "a4a5", None).0, Effect::Crosses);
        assert_eq!(effect("3k5/9/9/9/9/9/9/9/9/3AK4 w", "d0e1", None), None);
        assert_eq!(effect("3k5/9/9/9/9/9/P8/9/9/4K4 w", "a3a4", None), None);
    }

    #[test]
    fn a_piece_aims_cuts_or_shuts_in() {
        assert_eq!(deed("1r1k5/9/9/1n7/9/9/9/9/9/R3K4 w", "a0b0", None), (Effect::Aims, vec![Kind::Horse]));
        let cuts = deed("2b1k4/9/4b4/9/9/9/9/9/9/3RK4 w", "d0d8", None);
        assert_eq!(cuts, (Effect::Cuts, vec![Kind::Elephant; 2]));
        assert_eq!(deed("r2k5/9/9/1N7/9/9/9/9/9/R3K4 w", "b6a8", None), (Effect::ShutsIn, vec![Kind::Rook]));
        // A piece that can be captured shuts nothing in.
        assert_eq!(effect("r2k5/9/9/1N7/9/9/9/9/9/4K4 w", "b6a8", None), None);
    }

    #[test]
    fn an_exchange_is_named_if_it_removes_an_attacker() {
        let fen = "3k5/9/3r5/9/3c5/9/9/4C4/9/3RK4 w";
        assert_eq!(deed(fen, "d0d5", Some("e9e8")), (Effect::Takes, vec![Kind::Cannon]));
        // Black's cannon attacks the horse.
        let fen = "3k5/9/9/9/9/9/1c1p1N3/9/2C5r/1R2K4 w";
        assert_eq!(deed(fen, "b0b3", Some("i1c1")), (Effect::Trades, vec![Kind::Cannon]));
        assert_eq!(deed(fen, "b0b3", Some("d9d8 b3b2 i1c1")), (Effect::Trades, vec![Kind::Cannon]));
        let idle: Position = "3k5/9/9/9/9/9/1c7/9/2C5r/1R2K4 w".parse().expect("a position");
        assert_eq!(Deed::of(&idle, moves("b0b3")[0], &moves("i1c1")), None);
        // The cannon is offered against one that gives check and captured, and its captor is captured in turn.
        let position: Position = "3k5/9/9/9/9/9/9/3C5/4A4/1cB1K4 w".parse().expect("a position");
        let (found, _) = Deed::of(&position, moves("d2d0")[0], &moves("b0d0 e1d0")).expect("a deed");
        assert_eq!((found.effect, found.targets), (Effect::Trades, vec![Kind::Cannon]));
        assert_eq!(Deed::of(&position, moves("d2d0")[0], &moves("b0d0 e0f0")), None);
    }

    #[test]
    fn an_offer_to_exchange_or_a_lost_piece_threatens_nothing() {
        // Red's rook is protected by the horse and can be captured by the rook that it attacks.
        assert_eq!(effect("3k5/9/9/8r/9/1N7/9/9/9/R3K4 w", "a0a6", None), None);
        // Black's horse evades the attack with a capture.
        let fen = "3k5/9/9/6n2/4P4/9/9/9/9/R3K4 w";
        assert_eq!(effect(fen, "a0a6", Some("g6e5")), None);
        // Black's pawn can capture the rook.
        assert_eq!(effect("3k5/9/9/p8/6n2/9/9/9/9/R3K4 w", "a0a5", None), None);
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
        assert_eq!(effect(fen, "d2c2", None), None);
    }

    fn effects(fen: &str, line: &str, first: usize, other: &str) -> Vec<(Effect, Vec<Kind>)> {
        let position: Position = fen.parse().expect("a position");
        let found = Deed::of_line(&position, &moves(line), first, &moves(other));
        found.into_iter().map(|(_, deed)| (deed.effect, deed.targets)).collect()
    }

    #[test]
    fn recaptures_and_lesser_deeds_are_left_out() {
        let fen = "3k5/9/9/6n2/9/2p6/P8/9/2R6/4K4 w";
        let position: Position = fen.parse().expect("a position");
        let found = Deed::of_line(&position, &moves("e0e1 c4b4 c1c6 b4a4"), 0, &[]);
        let (weight, kept) = Deed::keep_greatest(found);
        assert_eq!((weight, kept.len(), kept[0].effect), (73, 1, Effect::Threatens));
        // A piece that moves to an attacked square is offered.
        assert_eq!(effects(fen, "c1c4 g6f4 c4f4 d9d8", 0, ""), [(Effect::Takes, vec![Kind::Pawn])]);
        let found = effects("3k5/9/9/9/p8/P8/9/9/9/R3K4 w", "e0e1 a5a4 a0a4", 0, "");
        assert_eq!(found, []);
    }

    #[test]
    fn effects_of_both_lines_are_left_out() {
        let fen = "3k5/9/9/6n2/9/9/9/9/9/R3K4 w";
        assert_eq!(effects(fen, "a0a6 g6f4", 0, "a0a6 g6f4"), []);
        assert_eq!(effects(fen, "a0a6 g6f4", 0, "").len(), 1);
        // In the other line, the rook also attacks the horse, and in the first case captures it.
        assert_eq!(effects(fen, "a0a6 d9d8", 0, "e0e1 d9d8 a0g0 d8d9 g0g6"), []);
        let fen = "1r1k5/9/9/1n7/9/9/9/9/9/R3K4 w";
        assert_eq!(effects(fen, "a0b0 d9d8", 0, "e0e1 d9d8 a0a1 d8d9 a1b1"), []);
    }
}
