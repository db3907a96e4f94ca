//! Making moves and undoing them.

use super::{Position, digit};
use crate::steps::AROUND_KING;
use crate::{Bitboard, Illegal, Kind, Move, Piece, Side, keys};

/// State that [`Position::unmake`] cannot derive from the move.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    /// Captured piece.
    pub captured: Option<Piece>,
    key: u64,
    checkers: Bitboard,
    quiet_plies: u16,
}

impl Position {
    /// Makes a move from an external source if it is legal. The returned value undoes the move.
    ///
    /// ```
    /// use chuhe_board::Position;
    ///
    /// let mut position = Position::start();
    /// assert!(position.try_make("h2e2".parse().unwrap()).is_ok());
    /// let error = position.try_make("h9h8".parse().unwrap()).unwrap_err();
    /// assert_eq!(error.to_string(), "h9h8 is not legal in this position");
    /// ```
    ///
    /// # Errors
    /// Returns an error if the move is not legal; the position is unchanged.
    pub fn try_make(&mut self, mv: Move) -> Result<Undo, Illegal> {
        if self.is_legal(mv) { Ok(self.make(mv)) } else { Err(Illegal(mv)) }
    }

    /// Makes a move without checking legality: it must be one of [`Self::legal_moves`] or pass
    /// [`Self::is_legal`]. The returned value undoes the move.
    #[inline]
    pub fn make(&mut self, mv: Move) -> Undo {
        debug_assert!(self.is_legal(mv), "{mv} in {self}");
        let undo = Undo {
            captured: self.mailbox[mv.to.index()],
            key: self.key,
            checkers: self.checkers,
            quiet_plies: self.quiet_plies,
        };
        let Some(piece) = self.mailbox[mv.from.index()] else { return undo };
        self.quiet_plies = self.quiet_plies.saturating_add(1);
        match undo.captured {
            Some(captured) => {
                self.toggle_in_sets(captured, mv.to);
                self.material -= digit(captured);
                self.quiet_plies = 0;
            }
            None => self.occupancy.toggle(mv.to),
        }
        self.occupancy.toggle(mv.from);
        self.mailbox[mv.from.index()] = None;
        self.toggle_in_sets(piece, mv.from);
        self.put_in_mailbox_and_sets(piece, mv.to);
        if piece.kind() == Kind::King {
            self.kings[self.side.index()] = mv.to;
        }
        self.pass_the_turn();
        // The king was not in check before, so only a change on its lines or near it can give check.
        let around = AROUND_KING[self.king(self.side).index()];
        self.checkers = if around.has(mv.from) || around.has(mv.to) { self.find_checkers() } else { Bitboard::EMPTY };
        undo
    }

    /// Undoes the last move.
    #[inline]
    pub fn unmake(&mut self, mv: Move, undo: Undo) {
        self.take_the_turn_back();
        let Some(piece) = self.mailbox[mv.to.index()] else { return };
        self.toggle_in_sets(piece, mv.to);
        self.put_in_mailbox_and_sets(piece, mv.from);
        self.mailbox[mv.to.index()] = undo.captured;
        self.occupancy.toggle(mv.from);
        match undo.captured {
            Some(captured) => {
                self.toggle_in_sets(captured, mv.to);
                self.material += digit(captured);
            }
            None => self.occupancy.toggle(mv.to),
        }
        if piece.kind() == Kind::King {
            self.kings[self.side.index()] = mv.from;
        }
        self.restore(undo);
    }

    /// Returns the position before the last move, without the captured piece; only used to name the move.
    pub(crate) fn without(&self, mv: Move) -> Position {
        let mut before = self.clone();
        before.unmake(mv, Undo { captured: None, key: 0, checkers: Bitboard::EMPTY, quiet_plies: 0 });
        before
    }

    /// Makes a null move. The side to move must not be in check.
    pub fn make_null(&mut self) -> Undo {
        debug_assert!(!self.in_check());
        let undo = Undo { captured: None, key: self.key, checkers: self.checkers, quiet_plies: self.quiet_plies };
        self.quiet_plies = self.quiet_plies.saturating_add(1);
        self.pass_the_turn();
        undo
    }

    /// Undoes a null move.
    pub fn unmake_null(&mut self, undo: Undo) {
        self.take_the_turn_back();
        self.restore(undo);
    }

    fn pass_the_turn(&mut self) {
        // Wraps, since `take_the_turn_back` could not restore a number that stayed at its maximum.
        self.move_number = self.move_number.wrapping_add(self.side.index() as u16);
        self.side = !self.side;
        self.key ^= keys::to_move(Side::Black);
    }

    fn take_the_turn_back(&mut self) {
        self.side = !self.side;
        self.move_number = self.move_number.wrapping_sub(self.side.index() as u16);
    }

    fn restore(&mut self, undo: Undo) {
        self.key = undo.key;
        self.checkers = undo.checkers;
        self.quiet_plies = undo.quiet_plies;
    }

    /// Returns the key of the position after a move that has not been made, to prefetch its hash entry.
    pub fn key_after(&self, mv: Move) -> u64 {
        let mut key = self.key_after_null();
        if let Some(piece) = self.piece_on(mv.from) {
            key ^= keys::placement(piece, mv.from) ^ keys::placement(piece, mv.to);
        }
        if let Some(captured) = self.piece_on(mv.to) {
            key ^= keys::placement(captured, mv.to);
        }
        key
    }

    /// Returns the key of the position after a null move.
    pub fn key_after_null(&self) -> u64 {
        self.key ^ keys::to_move(Side::Black)
    }
}
