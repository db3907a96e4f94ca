//! Effects of moves: captures, forks, threats, pins, blocked horses and open lines, found by comparing the
//! position before a move with the position after it.

use super::material::{PIECE, winning_captures};
use chuhe_board::{Bitboard, Kind, Move, Occupancy, Piece, Position, Side, Square, attackers_of_king, exchange_value};

/// Minimum number of additional target squares of a piece that has become more mobile.
const FREEDOM: u32 = 3;

/// Effect of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// Attacks two pieces, or the king and a piece.
    Forks,
    /// Threatens to win a piece, which then moves away.
    DrivesAway,
    /// Threatens to win a piece.
    Threatens,
    /// Captures a piece.
    Takes,
    /// Exchanges a piece for another one.
    Trades,
    /// Leaves a line, so that another piece threatens to win a piece.
    Uncovers,
    /// Pins a piece to its king.
    Pins,
    /// Blocks the leg of a horse.
    Blocks,
    /// Protects a piece that could have been won.
    Protects,
    /// Gives check.
    Checks,
    /// Leaves a line, so that another piece gives check.
    UncoversCheck,
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

/// A move with the positions before and after it.
pub(super) struct Step<'p> {
    pub(super) before: &'p Position,
    pub(super) after: Position,
    pub(super) mv: Move,
    pub(super) piece: Piece,
    /// Captured piece.
    pub(super) victim: Option<Kind>,
    /// Piece captured by the answer.
    pub(super) given: Option<Piece>,
}

impl Step<'_> {
    fn enemy(&self) -> Side {
        self.after.side()
    }

    /// Returns the piece that the enemy captures with its second move, unless the move before it, by this
    /// side, is a capture.
    pub(super) fn given_later(&self, follow: &[Move]) -> Option<Kind> {
        let &[answer, next, capture, ..] = follow else { return None };
        let mut position = self.after.clone();
        position.make(answer);
        if position.piece_on(next.to).is_some() {
            return None;
        }
        position.make(next);
        position.piece_on(capture.to).map(Piece::kind)
    }

    /// Returns the main effect with the pieces that it concerns; `answer` is the reply, unless it captures.
    pub(super) fn effect(&self, answer: Option<Move>) -> (Effect, Vec<Kind>) {
        let mut threats = self.threats();
        // Threats that win no more than the answer captures do not count.
        let given = self.given.map_or(0, |piece| exchange_value(piece.kind()));
        threats.retain(|threat| self.value(threat.to) > given);
        let (own, mut others): (Vec<Move>, Vec<Move>) =
            threats.into_iter().partition(|threat| threat.from == self.mv.to);
        others.retain(|threat| self.opens(threat));
        let is_large = |threat: &&Move| self.value(threat.to) >= PIECE;
        let is_safe = !self.after.legal_moves().iter().any(|reply| reply.to == self.mv.to);
        if self.gives_check() && is_safe && own.iter().any(|threat| self.value(threat.to) >= PIECE) {
            return (Effect::Forks, std::iter::once(Kind::King).chain(self.kinds(&own)).collect());
        }
        if own.iter().filter(is_large).count() > 1 && is_safe {
            return (Effect::Forks, self.kinds(&own));
        }
        if let Some(victim) = self.victim.filter(|&kind| exchange_value(kind) >= PIECE) {
            return (Effect::Takes, vec![victim]);
        }
        if let Some(driven) = own.iter().find(|threat| answer.is_some_and(|answer| answer.from == threat.to)) {
            return (Effect::DrivesAway, self.kinds(&[*driven]));
        }
        if own.iter().any(|threat| is_large(&threat)) {
            return (Effect::Threatens, self.kinds(&own));
        }
        if let Some(victim) = self.victim {
            return (Effect::Takes, vec![victim]);
        }
        if others.iter().any(|threat| is_large(&threat)) {
            return (Effect::Uncovers, self.kinds(&others));
        }
        if !own.is_empty() {
            return (Effect::Threatens, self.kinds(&own));
        }
        self.quiet_effect()
    }

    /// Returns `true` if the moved piece itself attacks the king.
    fn gives_check(&self) -> bool {
        let reached = self.after.occupancy().targets(self.piece.side(), self.piece.kind(), self.mv.to);
        reached.has(self.after.king(self.enemy()))
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
        let protected = self.protected();
        if !protected.is_empty() {
            return (Effect::Protects, protected);
        }
        if self.after.in_check() {
            return (if self.gives_check() { Effect::Checks } else { Effect::UncoversCheck }, Vec::new());
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

    /// Returns the other pieces of the moving side that the enemy could have won and cannot win any more.
    fn protected(&self) -> Vec<Kind> {
        if self.before.in_check() || self.after.in_check() {
            return Vec::new();
        }
        let mut passed = self.before.clone();
        passed.make_null();
        let targets = |position: &Position| -> Bitboard { winning_captures(position).iter().map(|mv| mv.to).collect() };
        let reached = self.after.occupancy().targets(self.piece.side(), self.piece.kind(), self.mv.to);
        let saved = targets(&passed) & !targets(&self.after) & reached & self.after.of_side(self.piece.side());
        self.sorted(saved.into_iter().filter(|&square| square != self.mv.from && self.value(square) >= PIECE).collect())
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
        let known = winning_captures(self.before);
        let mut passed = self.after.clone();
        passed.make_null();
        let mut threats = winning_captures(&passed);
        threats.retain(|threat| known.iter().all(|one| one.to != threat.to));
        threats
    }

    /// Returns `true` if a capture by another piece is possible because the moved piece has left its square.
    fn opens(&self, threat: &Move) -> bool {
        let mut closed = *self.after.occupancy();
        closed.toggle(self.mv.from);
        let attacker = self.after.piece_on(threat.from);
        attacker.is_some_and(|piece| !closed.targets(piece.side(), piece.kind(), threat.from).has(threat.to))
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
