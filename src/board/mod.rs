//! The board: squares, pieces, moves, sets of squares, preset tables, FEN, positions, legal moves, exchanges and perft.

mod bitboard;
mod checks;
mod exchange;
mod fen;
mod generate;
mod keys;
mod lines;
mod moves;
mod occupancy;
pub mod perft;
mod piece;
mod position;
mod setup;
mod square;
mod steps;
pub mod walk;

pub use bitboard::Bitboard;
pub use checks::Checks;
pub use exchange::exchange_value;
pub use fen::{BadFen, FenError, STARTPOS};
pub use generate::Targets;
pub use lines::Line;
pub use moves::{Illegal, MAX_MOVES, Move, MoveList, NotAMove};
pub use occupancy::{Occupancy, Sight};
pub use piece::{Kind, Piece, Side};
pub use position::{Position, Undo, attackers_of_king};
pub use setup::{Impossible, Setup};
pub use square::{File, NotASquare, Rank, Square};
pub use steps::domain;
