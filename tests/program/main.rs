//! Tests of the program: its commands as run by users and scripts.

mod calls;
mod cli;
#[cfg(feature = "sqlite-books")]
mod club;
mod coach;
mod compare;
mod datagen;
#[cfg(unix)]
mod endings;
#[cfg(feature = "serve")]
mod engines;
#[cfg(feature = "sqlite-books")]
mod explore;
mod fastchess;
mod files;
#[cfg(feature = "sqlite-books")]
mod games;
mod kept;
mod match_parts;
mod matches;
#[cfg(feature = "sqlite-books")]
mod mine;
mod play;
mod players;
mod puzzles;
mod referee;
mod run;
#[cfg(unix)]
mod signal;
mod train;
mod tune;
