//! Static exchange evaluation: the value of a sequence of captures on one square. Takes screens, legs and
//! eyes into account.

use super::steps::LINES;
use super::{Bitboard, Kind, Move, Occupancy, Piece, Position, Side, Square};
use alloc::borrow::ToOwned;

/// Value of a kind in an exchange, in centipawns (rook = 1000). The king's value exceeds the value of all
/// other pieces together.
pub const fn exchange_value(kind: Kind) -> i32 {
    match kind {
        Kind::King => 10_000,
        Kind::Advisor | Kind::Elephant => 150,
        Kind::Horse => 450,
        Kind::Rook => 1000,
        Kind::Cannon => 480,
        Kind::Pawn => 120,
    }
}

/// Kinds in ascending order of value. Capturing with the least valuable piece first only saves time; the
/// result does not depend on the order.
const BY_VALUE: [Kind; 7] =
    [Kind::Pawn, Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Cannon, Kind::Rook, Kind::King];

impl Position {
    /// Returns the gain of a move in centipawns if both sides then capture on its target as long as capturing
    /// is profitable. Attackers are recomputed after every capture, because a capture may remove a screen,
    /// free a leg or open a line. Captures that open a line to the side's own king, or leave a check along a
    /// line unanswered, are excluded.
    pub fn exchange(&self, mv: Move) -> i32 {
        self.exchange_within(mv, -30_000, 30_000)
    }

    /// Returns `true` if [`Self::exchange`] is at least `threshold`; faster than computing the value.
    // A call costs more in WebAssembly, where no registers survive it.
    #[cfg_attr(target_family = "wasm", inline(always))]
    #[cfg_attr(not(target_family = "wasm"), inline)]
    pub fn exchange_wins(&self, mv: Move, threshold: i32) -> bool {
        let gain = self.piece_on(mv.to).map_or(0, |piece| exchange_value(piece.kind()));
        let risk = self.piece_on(mv.from).map_or(0, |piece| exchange_value(piece.kind()));
        // The gain is insufficient even without a recapture, or sufficient even if the moving piece is lost.
        gain >= threshold
            && (gain - risk >= threshold || self.exchange_within(mv, threshold - 1, threshold) >= threshold)
    }

    fn exchange_within(&self, mv: Move, alpha: i32, beta: i32) -> i32 {
        let value = |square| self.piece_on(square).map_or(0, |piece: Piece| exchange_value(piece.kind()));
        let touched = Bitboard::of(mv.from).with(mv.to);
        let mut exchange = Exchange { position: self, square: mv.to, occupancy: self.occupancy().to_owned(), touched };
        exchange.occupancy.toggle(mv.from);
        if self.piece_on(mv.to).is_none() {
            exchange.occupancy.toggle(mv.to);
        }
        let gain = value(mv.to);
        gain - exchange.best_reply(!self.side(), value(mv.from), gain - beta, gain - alpha)
    }
}

/// State of an exchange on one square. In `occupancy`, that square remains occupied, and the pieces that have
/// captured are removed.
struct Exchange<'p> {
    position: &'p Position,
    square: Square,
    occupancy: Occupancy,
    /// Squares whose occupancy has changed.
    touched: Bitboard,
}

impl Exchange<'_> {
    /// Returns the best result for `side`, which may capture a piece worth `victim` on the square, or
    /// decline. Searches the captures with alpha-beta.
    fn best_reply(&mut self, side: Side, victim: i32, mut alpha: i32, beta: i32) -> i32 {
        let mut best = 0;
        alpha = alpha.max(best);
        if alpha >= beta {
            return best;
        }
        let takes_king = victim == exchange_value(Kind::King);
        let takers = self.takers(side, takes_king);
        if takers.is_empty() {
            return best;
        }
        if takes_king {
            return victim;
        }
        for kind in BY_VALUE {
            for taker in takers & self.position.pieces(side, kind) {
                self.occupancy.toggle(taker);
                self.touched |= Bitboard::of(taker);
                let gain = if kind != Kind::King && self.is_exposed(side) {
                    0
                } else {
                    victim - self.best_reply(!side, exchange_value(kind), victim - beta, victim - alpha)
                };
                self.occupancy.toggle(taker);
                best = best.max(gain);
                alpha = alpha.max(gain);
                if alpha >= beta {
                    return best;
                }
            }
        }
        best
    }

    /// Returns the pieces of `side` that attack the square. A king attacks the enemy king along the file like
    /// a rook, so it protects the squares in front of it against that king.
    fn takers(&self, side: Side, takes_king: bool) -> Bitboard {
        let (occupancy, square) = (&self.occupancy, self.square);
        let pieces = |kind| self.position.pieces(side, kind);
        let sight = occupancy.sight(square);
        let mut takers = sight.first & pieces(Kind::Rook)
            | sight.second & pieces(Kind::Cannon)
            | occupancy.horse_attackers(square) & pieces(Kind::Horse)
            | occupancy.attackers(side, Kind::Pawn, square) & pieces(Kind::Pawn);
        if takes_king {
            takers |= sight.first & pieces(Kind::King);
        } else if !side.has_crossed(square) {
            for kind in [Kind::Advisor, Kind::Elephant, Kind::King] {
                takers |= occupancy.attackers(side, kind, square) & pieces(kind);
            }
        }
        takers & self.present()
    }

    /// Returns `true` if an enemy rook, cannon or king attacks the king of `side` along a line; `false` once
    /// that king has joined the exchange.
    fn is_exposed(&self, side: Side) -> bool {
        let king = self.position.king(side);
        // The king cannot be exposed if its side was not in check and no square on its rank or file has changed.
        let in_check = side == self.position.side() && self.position.in_check();
        if !in_check && (self.touched & LINES[king.index()]).is_empty() {
            return false;
        }
        let present = self.present();
        let enemy = |kind| self.position.pieces(!side, kind) & present;
        let sight = self.occupancy.sight(king);
        let attackers = sight.first & (enemy(Kind::Rook) | enemy(Kind::King)) | sight.second & enemy(Kind::Cannon);
        !attackers.is_empty() && present.has(king)
    }

    /// Returns the pieces that have not joined the exchange; the first moving piece leaves its square at the
    /// start.
    fn present(&self) -> Bitboard {
        self.occupancy.all() & !Bitboard::of(self.square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(fen: &str, mv: &str) -> i32 {
        let position: Position = fen.parse().expect("a legal FEN");
        let mv = mv.parse().expect("a move");
        let value = position.exchange(mv);
        for threshold in [value - 1, value, value + 1] {
            assert_eq!(position.exchange_wins(mv, threshold), threshold <= value, "{fen} {mv} {threshold}");
        }
        value
    }

    #[test]
    fn a_free_piece_is_won() {
        assert_eq!(exchange("4k4/9/9/4n4/9/9/9/9/4R4/3K5 w", "e1e6"), 450);
    }

    #[test]
    fn a_protected_horse_costs_the_rook() {
        assert_eq!(exchange("3k5/9/4b4/9/2n6/9/9/9/2R6/4K4 w", "c1c5"), 450 - 1000);
    }

    #[test]
    fn a_cannon_loses_its_screen_in_the_exchange() {
        // A rook on a5 can recapture on e5. A cannon on a5 cannot, because the rook that was its screen has
        // moved away from c5.
        let screened = exchange("3k5/9/9/9/r1R1n4/9/9/9/9/4K4 w", "c5e5");
        assert_eq!(screened, 450 - 1000);
        let cannon = exchange("3k5/9/9/9/c1R1n4/9/9/9/9/4K4 w", "c5e5");
        assert_eq!(cannon, 450, "the rook itself was the cannon's screen");
        let taker_is_screen = exchange("3k5/4a4/9/9/2R1n3c/9/9/9/9/4K4 w", "c5e5");
        assert_eq!(taker_is_screen, 450, "no screen between e5 and i5");
        let screen_stays = exchange("3k5/4a4/9/9/2R1n1p1c/9/9/9/9/4K4 w", "c5e5");
        assert_eq!(screen_stays, 450 - 1000, "the pawn on g5 screens for the cannon");
    }

    #[test]
    fn a_pinned_piece_does_not_take() {
        assert_eq!(
            exchange("4ka3/1N2a4/4b4/9/9/3RC4/9/9/9/4K4 w", "d4d9"),
            0,
            "the advisor on e8 must not leave the cannon's file"
        );
        let both = "1R1ckab2/4a4/4b4/p7p/6p2/2P1C4/P1r1P1P1P/9/3K5/9 w";
        assert_eq!(exchange(both, "b9d9"), 480, "the cannon pins the advisor, and the king protects its neighbour");
        assert_eq!(exchange("3ak4/9/9/9/9/3R5/9/9/9/5K3 w", "d4d9"), 150 - 1000, "the king is not restricted");
        assert_eq!(exchange("4k4/4n4/9/9/3R5/9/4R4/9/9/3K5 w", "d5d6"), 0, "the rook on e3 pins the horse");
        assert_eq!(exchange("4k4/4n4/9/9/3R5/9/9/9/9/3K5 w", "d5d6"), -1000, "the horse is not pinned");
    }

    #[test]
    fn a_check_that_stays_forbids_taking() {
        assert_eq!(exchange("4k4/9/9/4N3r/9/9/4R4/9/9/3K5 w", "e6g5"), 0, "the rook on e3 gives check");
    }

    #[test]
    fn a_king_protects_along_the_open_file() {
        assert_eq!(exchange("4k4/4a4/9/9/9/9/9/4R4/9/4K4 w", "e2e8"), 150);
        assert_eq!(exchange("4k4/4a4/9/9/9/9/9/4R4/9/3K5 w", "e2e8"), 150 - 1000);
    }

    #[test]
    fn a_king_takes_back_only_what_is_not_protected() {
        assert_eq!(exchange("9/4k4/4n4/9/9/9/9/9/4R4/3K5 w", "e1e7"), 450 - 1000);
        assert_eq!(exchange("9/4k4/4n4/9/9/9/9/4R4/4R4/3K5 w", "e2e7"), 450);
    }
}
