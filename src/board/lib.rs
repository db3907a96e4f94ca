//! Xiangqi (Chinese chess): squares, pieces, legal moves, FEN, the rules of repetition and move notation.
//!
//! A [`Position`] is validated when it is created; an impossible FEN is rejected with every reason. A
//! [`rules::Game`] is a position with its history, because repetitions depend on it; [`rules::judge`] is the
//! referee. [`notation`] parses and writes ICCS, WXF, Chinese and short algebraic notation.
//!
//! ```
//! use chuhe_board::Position;
//! use chuhe_board::notation::{Form, read, write};
//!
//! let mut position = Position::start();
//! assert_eq!(position.legal_moves().len(), 44);
//!
//! let cannon = read(&position, "炮二平五")?; // or "h2e2", "H2-E2", "C2=5"
//! assert_eq!(write(&position, cannon, Form::Wxf), "C2=5");
//! position.try_make(cannon)?;
//! assert_eq!(position.to_string(), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(any(feature = "std", test)), no_std)]

extern crate alloc;

#[cfg(feature = "arbitrary")]
mod arbitrary;
mod bitboard;
mod checks;
pub mod copied;
mod exchange;
mod fen;
mod generate;
mod keys;
mod lines;
mod moves;
mod named;
pub mod notation;
mod occupancy;
#[cfg(feature = "std")]
mod parallel;
pub mod perft;
mod piece;
mod position;
pub mod random;
pub mod rules;
pub mod score;
#[cfg(feature = "serde")]
mod serde;
mod setup;
mod square;
mod steps;
pub mod walk;
mod wording;
pub mod words;

pub use bitboard::Bitboard;
pub use checks::Checks;
pub use exchange::exchange_value;
pub use fen::{BadFen, FenError, STARTPOS};
pub use generate::MoveClass;
pub use lines::Line;
pub use moves::{Illegal, MAX_MOVES, Move, MoveList, NotAMove};
pub use occupancy::{Occupancy, Sight};
#[cfg(feature = "std")]
pub use parallel::share_out;
pub use piece::{Kind, Piece, Side};
pub use position::{Position, Undo, attackers_of_king};
pub use setup::{Impossible, Setup};
pub use square::{File, NotASquare, Rank, Square};
pub use steps::{HORSE_ZONE, LINES, attacked_by_pawns, domain};
