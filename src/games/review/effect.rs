//! Effects of moves: captures, forks, threats, pins, blocked horses and open lines, found by comparing the
//! position before a move with the position after it.

use super::material::{PIECE, winning_captures};
use chuhe_board::{Bitboard, Kind, Move, Occupancy, Piece, Position, Side, Square, attackers_of_king, exchange_value};

/// Maximum number of targets of a horse that counts as blocked.
const BLOCKED: u32 = 2;
/// Maximum number of squares that a rook reaches before it is freed, or after it is shut in, and minimum
/// number of squares that it gains or loses.
const SHUT_IN: i32 = 6;
const FREED: i32 = 5;

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
    /// Blocks the eye of an elephant, so that two elephants no longer protect each other.
    Cuts,
    /// Blocks a line of a rook, which then reaches much fewer squares.
    ShutsIn,
    /// Protects a piece that could have been won.
    Protects,
    /// Gives check.
    Checks,
    /// Leaves a line, so that another piece gives check.
    UncoversCheck,
    /// Crosses the river with a pawn.
    Crosses,
    /// Aims at pieces that are protected or behind another piece.
    Aims,
    /// Frees a rook, which then reaches many more squares.
    Frees,
}

impl Effect {
    /// Returns `true` for captures and exchanges.
    pub(super) fn is_capture(self) -> bool {
        matches!(self, Effect::Takes | Effect::Trades)
    }
}

/// A move with the positions before and after it.
pub(super) struct Step<'p> {
    pub(super) before: &'p Position,
    pub(super) after: Position,
    pub(super) mv: Move,
    pub(super) piece: Piece,
    /// Captured piece.
    pub(super) victim: Option<Kind>,
    /// Next move of the enemy.
    pub(super) answer: Option<Move>,
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

    /// Returns the main effect with the squares of the pieces that it concerns; `None` if there is none.
    pub(super) fn effect(&self) -> Option<(Effect, Vec<Square>)> {
        self.active_effect().or_else(|| self.quiet_effect())
    }

    /// Returns the effect of a move that threatens or captures something.
    fn active_effect(&self) -> Option<(Effect, Vec<Square>)> {
        let mut threats = self.threats();
        // Threats that win no more than the answer captures do not count.
        let given = self.given.map_or(0, |piece| exchange_value(piece.kind()));
        threats.retain(|threat| self.value(threat.to) > given);
        let (mut own, mut others): (Vec<Move>, Vec<Move>) =
            threats.into_iter().partition(|threat| threat.from == self.mv.to);
        own.retain(|threat| !self.is_evaded(threat));
        others.retain(|threat| self.opens(threat));
        let is_large = |threat: &&Move| self.value(threat.to) >= PIECE;
        let is_safe = !self.after.legal_moves().iter().any(|reply| reply.to == self.mv.to);
        if self.gives_check() && is_safe && own.iter().any(|threat| self.value(threat.to) >= PIECE) {
            return Some((
                Effect::Forks,
                std::iter::once(self.after.king(self.enemy())).chain(self.squares(&own)).collect(),
            ));
        }
        if own.iter().filter(is_large).count() > 1 && is_safe {
            return Some((Effect::Forks, self.squares(&own)));
        }
        if self.victim.is_some_and(|kind| exchange_value(kind) >= PIECE) {
            return Some((Effect::Takes, vec![self.mv.to]));
        }
        let flees = |threat: &&Move| self.answer.is_some_and(|answer| answer.from == threat.to);
        if let Some(driven) = own.iter().filter(is_large).find(flees) {
            return Some((Effect::DrivesAway, vec![driven.to]));
        }
        if own.iter().any(|threat| is_large(&threat)) {
            return Some((Effect::Threatens, self.squares(&own)));
        }
        if self.victim.is_some() {
            return Some((Effect::Takes, vec![self.mv.to]));
        }
        if others.iter().any(|threat| is_large(&threat)) {
            return Some((Effect::Uncovers, self.squares(&others)));
        }
        if !own.is_empty() {
            return Some((Effect::Threatens, self.squares(&own)));
        }
        None
    }

    /// Returns the kind of a target: a captured piece, or one on the board after the move.
    pub(super) fn target(&self, square: Square) -> Option<Kind> {
        let on_board = || self.after.piece_on(square).map(Piece::kind);
        self.victim.filter(|_| square == self.mv.to).or_else(on_board)
    }

    /// Returns `true` if the threatened piece captures something with the answer, or if it is of the same
    /// kind and can capture the moved piece: an offer to exchange.
    fn is_evaded(&self, threat: &Move) -> bool {
        let kind = |square| self.after.piece_on(square).map(Piece::kind);
        let captures = self.given.is_some() && self.answer.is_some_and(|answer| answer.from == threat.to);
        let back = Move::new(threat.to, threat.from);
        captures || kind(threat.to) == kind(threat.from) && self.after.legal_moves().contains(&back)
    }

    /// Returns `true` if the enemy's piece on a square could win a piece other than the moving one with the
    /// next move, or if the moving side is in check.
    pub(super) fn is_attacker(&self, square: Square) -> bool {
        if self.before.in_check() {
            return true;
        }
        let mut passed = self.before.clone();
        passed.make_null();
        winning_captures(&passed).iter().any(|mv| mv.from == square && mv.to != self.mv.from)
    }

    /// Returns `true` if the moved piece itself attacks the king.
    fn gives_check(&self) -> bool {
        let reached = self.after.occupancy().targets(self.piece.side(), self.piece.kind(), self.mv.to);
        reached.has(self.after.king(self.enemy()))
    }

    /// Returns the effect of a move that neither threatens nor captures anything.
    fn quiet_effect(&self) -> Option<(Effect, Vec<Square>)> {
        let pinned = self.bound(&self.after) & !self.bound(self.before);
        if pinned.has_any() {
            return Some((Effect::Pins, self.sorted(pinned)));
        }
        let blocked = self.blocked_horses();
        if blocked.has_any() {
            return Some((Effect::Blocks, self.sorted(blocked)));
        }
        let is_free = |from: i32, to: i32| from <= SHUT_IN && to - from >= FREED;
        let room = |position: &Position, rook| reached(position, self.enemy(), Kind::Rook, rook);
        let rooks = self.after.pieces(self.enemy(), Kind::Rook).into_iter();
        let is_shut_in = |&rook: &Square| is_free(room(&self.after, rook), room(self.before, rook));
        let shut: Bitboard = rooks.filter(is_shut_in).collect();
        if shut.has_any() && !self.is_lost() {
            return Some((Effect::ShutsIn, self.sorted(shut)));
        }
        let elephants = self.after.pieces(self.enemy(), Kind::Elephant);
        let is_linked = |position: &Position, one| (position.occupancy().elephant(one) & elephants).has_any();
        let is_cut = |&one: &Square| is_linked(self.before, one) && !is_linked(&self.after, one);
        let cut: Bitboard = elephants.into_iter().filter(is_cut).collect();
        if cut.has_any() {
            return Some((Effect::Cuts, self.sorted(cut)));
        }
        let protected = self.protected();
        if !protected.is_empty() {
            return Some((Effect::Protects, protected));
        }
        if self.after.in_check() {
            return Some((if self.gives_check() { Effect::Checks } else { Effect::UncoversCheck }, Vec::new()));
        }
        if self.before.in_check() {
            return None;
        }
        let side = self.piece.side();
        if self.piece.kind() == Kind::Pawn && !side.has_crossed(self.mv.from) && side.has_crossed(self.mv.to) {
            return Some((Effect::Crosses, Vec::new()));
        }
        let room = |position: &Position, square| reached(position, side, Kind::Rook, square);
        if self.piece.kind() == Kind::Rook && is_free(room(self.before, self.mv.from), room(&self.after, self.mv.to)) {
            return Some((Effect::Frees, Vec::new()));
        }
        let mut aims = aims(&self.after, self.mv.to) & !aims(self.before, self.mv.from);
        if let Some(answer) = self.answer {
            aims &= !Bitboard::of(answer.from);
        }
        (aims.has_any() && !self.is_lost()).then(|| (Effect::Aims, self.sorted(aims)))
    }

    /// Returns the other pieces of the moving side that the enemy could have won and cannot win any more.
    fn protected(&self) -> Vec<Square> {
        if self.before.in_check() || self.after.in_check() {
            return Vec::new();
        }
        let mut passed = self.before.clone();
        passed.make_null();
        let targets = |position: &Position| -> Bitboard { winning_captures(position).iter().map(|mv| mv.to).collect() };
        let reached = self.after.occupancy().targets(self.piece.side(), self.piece.kind(), self.mv.to);
        let is_protected =
            |square| square != self.mv.from && (PIECE..exchange_value(Kind::Rook)).contains(&self.value(square));
        let saved = targets(&passed) & !targets(&self.after) & reached & self.after.of_side(self.piece.side());
        self.sorted(saved.into_iter().filter(|&square| is_protected(square)).collect())
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
        let is_lost = self.is_lost();
        threats.retain(|threat| known.iter().all(|one| one.to != threat.to) && !(is_lost && threat.from == self.mv.to));
        threats
    }

    /// Returns `true` if the moved piece can be won, so that it threatens nothing.
    fn is_lost(&self) -> bool {
        winning_captures(&self.after).iter().any(|capture| capture.to == self.mv.to)
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

    /// Returns the squares of the captures' targets, each once, the most valuable first.
    fn squares(&self, captures: &[Move]) -> Vec<Square> {
        self.sorted(captures.iter().map(|mv| mv.to).collect())
    }

    fn sorted(&self, squares: Bitboard) -> Vec<Square> {
        let mut squares: Vec<Square> = squares.into_iter().collect();
        squares.sort_by_key(|&square| -self.value(square));
        squares
    }

    /// Returns the enemy's horses that the moved piece blocks so that they have few targets.
    fn blocked_horses(&self) -> Bitboard {
        let enemy = self.enemy();
        let is_blocked = |&horse: &Square| {
            let is_leg = [(0, 1), (0, -1), (1, 0), (-1, 0)]
                .into_iter()
                .any(|(files, ranks)| horse.offset(files, ranks) == Some(self.mv.to));
            let mut without = *self.after.occupancy();
            without.toggle(self.mv.to);
            let free = |occupancy: &Occupancy| {
                (occupancy.targets(enemy, Kind::Horse, horse) & !self.after.of_side(enemy)).count()
            };
            let now = free(self.after.occupancy());
            is_leg && now <= BLOCKED && now < free(&without)
        };
        self.after.pieces(enemy, Kind::Horse).into_iter().filter(is_blocked).collect()
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
}

/// Returns the number of squares to which a piece can move.
pub(super) fn reached(position: &Position, side: Side, kind: Kind, square: Square) -> i32 {
    (position.occupancy().targets(side, kind, square) & !position.of_side(side)).count() as i32
}

/// Returns the enemy's pieces that the piece on a square attacks, or would attack if one of the enemy's pieces
/// between them, or one more screen, were removed, except pieces of the same kind. A cannon also aims at a
/// king without a screen.
pub(super) fn aims(position: &Position, square: Square) -> Bitboard {
    let Some(piece) = position.piece_on(square) else { return Bitboard::EMPTY };
    let (occupancy, enemy) = (position.occupancy(), !piece.side());
    let sight = occupancy.sight(square);
    let is_behind_enemy =
        |&target: &Square| (Occupancy::between(square, target) & position.of_side(piece.side())).is_empty();
    let seen = match piece.kind() {
        Kind::Rook => sight.first | sight.second.into_iter().filter(is_behind_enemy).collect(),
        Kind::Cannon => sight.second | sight.third | sight.first & Bitboard::of(position.king(enemy)),
        Kind::Horse | Kind::Pawn => occupancy.targets(piece.side(), piece.kind(), square),
        Kind::King | Kind::Advisor | Kind::Elephant => Bitboard::EMPTY,
    };
    // A rook or a cannon that can be captured by its target offers an exchange.
    seen & position.of_side(enemy) & !position.pieces(enemy, piece.kind())
}
