//! Effects of moves without captures: forks, threats, pins, blocked horses and open lines, found by comparing
//! the position before a move with the position after it.

use chuhe_board::{Bitboard, Kind, Move, Occupancy, Piece, Position, Side, Square, attackers_of_king, exchange_value};

/// Effect of a move, the most important first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Effect {
    /// Attacks two pieces, or the king and a piece.
    Forks,
    /// Threatens to win a piece, which then moves away.
    DrivesAway,
    /// Threatens to win a piece.
    Threatens,
    /// Captures without losing material.
    Takes,
    /// Leaves a line, so that another piece threatens to win a piece.
    Uncovers,
    /// Pins a piece to its king.
    Pins,
    /// Blocks the leg of a horse.
    Blocks,
    /// Gives check.
    Checks,
    /// Becomes more mobile.
    Activates,
    /// Crosses the river.
    Crosses,
    /// Attacks a defended piece.
    AimsAt,
    /// Strengthens the palace with a king, an advisor or an elephant.
    Defends,
    /// None of these.
    Regroups,
}

/// A move's main effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deed {
    /// Effect.
    pub effect: Effect,
    /// Piece that moves.
    pub piece: Piece,
    /// Enemy pieces that the effect concerns, the most valuable first; may be empty.
    pub targets: Vec<Kind>,
}

/// Minimum gain of a threat, in centipawns (rook = 1000).
const GAIN: i32 = 100;
/// Minimum exchange value of a piece that is forked or pinned.
const PIECE: i32 = 300;
/// Minimum number of additional target squares of a piece that has become more mobile.
const FREEDOM: u32 = 3;

impl Deed {
    /// Returns the main effect of a legal move; `answer` is the opponent's next move, if known.
    pub(crate) fn of(before: &Position, mv: Move, answer: Option<Move>) -> Option<Deed> {
        let piece = before.piece_on(mv.from)?;
        let mut after = before.clone();
        after.make(mv);
        let step = Step { before, after, mv, piece };
        let (effect, targets) = step.effect(answer);
        Some(Deed { effect, piece, targets })
    }

    /// Returns the deeds of up to two moves of the side that makes the moves `first`, `first + 2`, … of a
    /// line. Moves that the same side also makes in the line `other` are left out.
    pub(crate) fn of_line(position: &Position, line: &[Move], first: usize, other: &[Move]) -> Vec<Deed> {
        let shared: Vec<&Move> = other.iter().skip(first).step_by(2).take(4).collect();
        let (mut position, mut deeds) = (position.clone(), Vec::new());
        for (ply, &mv) in line.iter().enumerate().take(first + 3) {
            if ply >= first && (ply - first).is_multiple_of(2) && !shared.contains(&&mv) {
                deeds.extend(Deed::of(&position, mv, line.get(ply + 1).copied()));
            }
            position.make(mv);
        }
        deeds.dedup();
        // The least important effects are omitted if there is a more important one.
        if deeds.iter().any(|deed| deed.effect < Effect::Defends) {
            deeds.retain(|deed| deed.effect < Effect::Defends);
        }
        deeds
    }
}

/// A move with the positions before and after it.
struct Step<'p> {
    before: &'p Position,
    after: Position,
    mv: Move,
    piece: Piece,
}

impl Step<'_> {
    fn enemy(&self) -> Side {
        self.after.side()
    }

    fn effect(&self, answer: Option<Move>) -> (Effect, Vec<Kind>) {
        let threats = self.threats();
        let (own, others): (Vec<Move>, Vec<Move>) = threats.into_iter().partition(|threat| threat.from == self.mv.to);
        let is_large = |threat: &&Move| self.value(threat.to) >= PIECE;
        let is_safe = !self.after.legal_moves().iter().any(|reply| reply.to == self.mv.to);
        if self.after.in_check() && is_safe && own.iter().any(|threat| self.value(threat.to) >= PIECE) {
            return (Effect::Forks, std::iter::once(Kind::King).chain(self.kinds(&own)).collect());
        }
        if own.iter().filter(is_large).count() > 1 && is_safe {
            return (Effect::Forks, self.kinds(&own));
        }
        if let Some(driven) = own.iter().find(|threat| answer.is_some_and(|answer| answer.from == threat.to)) {
            return (Effect::DrivesAway, self.kinds(&[*driven]));
        }
        if own.iter().any(|threat| is_large(&threat)) {
            return (Effect::Threatens, self.kinds(&own));
        }
        if let Some(victim) = self.before.piece_on(self.mv.to).filter(|_| self.before.exchange(self.mv) >= 0) {
            return (Effect::Takes, vec![victim.kind()]);
        }
        if others.iter().any(|threat| is_large(&threat)) {
            return (Effect::Uncovers, self.kinds(&others));
        }
        if !own.is_empty() {
            return (Effect::Threatens, self.kinds(&own));
        }
        self.quiet_effect()
    }

    /// Returns the effect of a move that neither threatens nor captures anything.
    fn quiet_effect(&self) -> (Effect, Vec<Kind>) {
        let pinned = self.bound(&self.after) & !self.bound(self.before);
        if pinned.has_any() {
            return (Effect::Pins, self.sorted(pinned));
        }
        if self.blocks_horse() {
            return (Effect::Blocks, vec![Kind::Horse]);
        }
        if self.after.in_check() {
            return (Effect::Checks, Vec::new());
        }
        let [was, is] = [self.before, &self.after].map(|position| {
            let square = if position.side() == self.piece.side() { self.mv.from } else { self.mv.to };
            position.occupancy().targets(self.piece.side(), self.piece.kind(), square)
                & !position.of_side(self.piece.side())
        });
        let is_major = exchange_value(self.piece.kind()) >= PIECE;
        if is_major && is.count() >= was.count() + FREEDOM {
            return (Effect::Activates, Vec::new());
        }
        let side = self.piece.side();
        if !side.has_crossed(self.mv.from) && side.has_crossed(self.mv.to) {
            return (Effect::Crosses, Vec::new());
        }
        let aims = self.sorted(is & self.after.of_side(self.enemy()) & !self.after.pieces(self.enemy(), Kind::King));
        match self.piece.kind() {
            Kind::King | Kind::Advisor | Kind::Elephant => (Effect::Defends, Vec::new()),
            _ if !aims.is_empty() => (Effect::AimsAt, aims),
            _ => (Effect::Regroups, Vec::new()),
        }
    }

    /// Returns the captures that win material with the next move and did not do so before this one. For a
    /// move that gives check, returns only captures by the moved piece.
    fn threats(&self) -> Vec<Move> {
        if self.after.in_check() {
            let reached = self.after.occupancy().targets(self.piece.side(), self.piece.kind(), self.mv.to);
            let worth = |&square: &Square| {
                let outweighs = self.value(square) > exchange_value(self.piece.kind());
                square != self.after.king(self.enemy())
                    && (outweighs || self.after.attackers(self.enemy(), square).is_empty())
            };
            let squares = (reached & self.after.of_side(self.enemy())).into_iter().filter(worth);
            return squares.map(|to| Move::new(self.mv.to, to)).collect();
        }
        let winning = |position: &Position| -> Vec<Move> {
            let moves = position.legal_moves();
            let captures = moves.iter().filter(|mv| position.piece_on(mv.to).is_some());
            captures.filter(|mv| position.exchange_wins(**mv, GAIN)).copied().collect()
        };
        let known = winning(self.before);
        let mut passed = self.after.clone();
        passed.make_null();
        let mut threats = winning(&passed);
        threats.retain(|threat| known.iter().all(|one| one.to != threat.to));
        threats
    }

    /// Returns the exchange value of the piece on a square after the move.
    fn value(&self, square: Square) -> i32 {
        self.after.piece_on(square).map_or(0, |piece| exchange_value(piece.kind()))
    }

    /// Returns the kinds of the captured pieces, each piece once, the most valuable first.
    fn kinds(&self, captures: &[Move]) -> Vec<Kind> {
        self.sorted(captures.iter().map(|mv| mv.to).collect())
    }

    fn sorted(&self, squares: Bitboard) -> Vec<Kind> {
        let kinds = squares.into_iter().filter_map(|square| self.after.piece_on(square)).map(Piece::kind);
        let mut kinds: Vec<Kind> = kinds.collect();
        kinds.sort_by_key(|kind| -exchange_value(*kind));
        kinds
    }

    /// Returns the enemy's major pieces that shield their king: if one is removed, another piece attacks
    /// the king.
    fn bound(&self, position: &Position) -> Bitboard {
        let (enemy, side) = (self.enemy(), !self.enemy());
        let attackers = |occupancy: &Occupancy| {
            attackers_of_king(position.king(enemy), occupancy, side, |kind| position.pieces(side, kind))
        };
        let present = attackers(position.occupancy());
        let majors = position.major_pieces(enemy).into_iter().filter(|&square| {
            let mut without = *position.occupancy();
            without.toggle(square);
            let kind = position.piece_on(square).map(Piece::kind);
            kind.is_some_and(|kind| exchange_value(kind) >= PIECE) && (attackers(&without) & !present).has_any()
        });
        majors.collect()
    }

    /// Returns `true` if the moved piece blocks an enemy horse and thereby reduces its number of targets.
    fn blocks_horse(&self) -> bool {
        let enemy = self.enemy();
        self.after.pieces(enemy, Kind::Horse).into_iter().any(|horse| {
            let is_leg = [(0, 1), (0, -1), (1, 0), (-1, 0)]
                .into_iter()
                .any(|(files, ranks)| horse.offset(files, ranks) == Some(self.mv.to));
            let mut without = *self.after.occupancy();
            without.toggle(self.mv.to);
            let free = |occupancy: &Occupancy| {
                (occupancy.targets(enemy, Kind::Horse, horse) & !self.after.of_side(enemy)).count()
            };
            is_leg && free(self.after.occupancy()) < free(&without)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deed(fen: &str, mv: &str, answer: Option<&str>) -> (Effect, Vec<Kind>) {
        let position: Position = fen.parse().expect("a position");
        let answer = answer.map(|mv| mv.parse().expect("a move"));
        let deed = Deed::of(&position, mv.parse().expect("a move"), answer).expect("a piece");
        (deed.effect, deed.targets)
    }

    #[test]
    fn a_horse_forks_king_and_rook() {
        assert_eq!(deed("r3k4/9/9/1N7/9/9/9/9/9/3K5 w", "b6c8", None), (Effect::Forks, vec![Kind::King, Kind::Rook]));
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
    fn moves_of_both_lines_are_left_out() {
        let position: Position = "3k5/9/9/6n2/9/9/9/9/9/R3K4 w".parse().expect("a position");
        let line: Vec<Move> = ["a0a6", "g6f4"].map(|mv| mv.parse().expect("a move")).into();
        assert_eq!(Deed::of_line(&position, &line, 0, &line), []);
        assert_eq!(Deed::of_line(&position, &line, 0, &[]).len(), 1);
    }
}
