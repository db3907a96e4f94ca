//! Tests of the library: board, rules, search, records and their applications, through the public interface.

mod board;
#[cfg(feature = "cli")]
mod chinese;
mod desk;
mod endings;
mod exchange;
mod fen;
mod levels;
mod perft;
mod puzzles;
mod random_positions;
mod records;
mod review;
mod rules;
mod rules_properties;
mod rules_search;
mod search;
mod textbook;
