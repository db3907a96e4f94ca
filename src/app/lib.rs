//! Chuhe (楚河): a Xiangqi (Chinese chess) engine, as a library.
//!
//! The crate contains the whole engine: board, rules, notation, evaluation, search, and the UCCI and UCI
//! protocols. The binary `chuhe` is a command line for it. Programs that need only rules, or a search in
//! their own process, can use the parts directly.
//!
//! # Positions and moves
//!
//! A [`Position`](board::Position) is always reachable in a game: a FEN that breaks the rules is rejected
//! with every reason. Squares are `a0` to `i9` from Red's point of view.
//!
//! ```
//! use chuhe::board::Position;
//! use chuhe::notation::{Form, read, write};
//!
//! let mut position = Position::start();
//! assert_eq!(position.legal_moves().len(), 44);
//!
//! let cannon = read(&position, "炮二平五").unwrap(); // or "h2e2", "H2-E2", "C2=5"
//! assert_eq!(write(&position, cannon, Form::Wxf), "C2=5");
//! position.try_make(cannon).unwrap();
//! assert_eq!(position.to_string(), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1");
//!
//! let error = "9/9/9/9/9/9/9/9/9/4K4 w".parse::<Position>().unwrap_err();
//! assert_eq!(error.to_string(), "Black has no king");
//! ```
//!
//! # Rules
//!
//! A [`Game`](rules::Game) is a position with its history, because repetitions depend on it.
//! [`judge`](rules::judge) is the referee, [`rule`](rules::rule) also returns its reasons. There are six rule
//! sets, which differ mainly in the repetitions that they allow.
//!
//! ```
//! use chuhe::rules::{Game, RuleSet, Verdict, judge};
//!
//! let game = Game::read("startpos moves h2e2 h9g7").unwrap();
//! assert_eq!(judge(&game, RuleSet::Asian), Verdict::Open);
//! ```
//!
//! # Search
//!
//! An [`Engine`](engine::Engine) has options, a network and a hash table, and searches on its own thread; a
//! [`Searcher`](engine::Searcher) searches on its caller's thread, which needs a large stack. Scores are
//! centipawns from the point of view of the side to move; a rook is about 1000. [`score`] distinguishes mates
//! from evaluations.
//!
//! ```
//! use chuhe::engine::Engine;
//! use chuhe::rules::Game;
//! use chuhe::search::Limits;
//!
//! let mut engine = Engine::default();
//! engine.set_game(Game::from_fen("4k4/9/4b4/9/9/9/9/4R4/9/4K4 w").unwrap());
//! let found = engine.think(Limits::depth(6), |_| {}).expect("the search has not failed");
//! assert!(found.score() > Some(400));
//! println!("{}", found.best.expect("the game is not over"));
//! ```
//!
//! For a side that is mated or stalemated, the result has no move, no score and an empty
//! [`main_line`](search::Conclusion::main_line). With [`think_while`](engine::Engine::think_while), a
//! callback receives every line of a running search and can stop it.
//!
//! The folder `examples` of the repository contains small programs: legal moves of a FEN, the referee, an
//! analysis, a match.
//!
//! # Crates
//!
//! This crate contains the command line and the board in the browser; it re-exports everything else from the
//! crates below it.
//!
//! | crate | modules here |
//! |---|---|
//! | [`chuhe_board`] | [`board`], [`rules`], [`notation`], [`score`], [`random`], [`words`]: depends only on `arrayvec` and `thiserror` |
//! | [`chuhe_engine`] | [`engine`], [`eval`], [`search`], [`mates`], [`endings`], [`book`], [`protocol`], [`picture`], [`machine`], [`bytes`] |
//! | [`chuhe_games`] | [`records`], `games` (the library), `explore`, [`puzzles`], `review`, [`book::Opening`] |
//! | [`chuhe_lab`] | `arena`, [`data`], [`train`], `tune`, [`textbook`], [`output`] |
//!
//! # Features
//!
//! - `cli` (default): the binary, with `arena` and `tune`. Library users can disable it: `chuhe = { version =
//!   "…", default-features = false }` has only a few small dependencies.
//! - `serve` (default): `web`, the page and its server; needs `cli`.
//! - `sqlite-books` (default): opening books that are SQLite databases, with a bundled SQLite (C), and
//!   `games`, the library.
//! - `review` and `desk`: reviews of games, and the messages of a board application, without sockets
//!   (`docs/10-board.md`). Both are part of `cli`.
//! - `walked-lines`: slow move generation, to measure the benefit of the tables.
//! - `windows-resource`: embeds an icon and the version in the program for Windows.

pub use chuhe_board::{self as board, notation, random, rules, score, words};
pub use chuhe_engine::{self as engine, bytes, endings, eval, machine, mates, picture, protocol, search};
#[cfg(feature = "sqlite-books")]
pub use chuhe_games::explore;
#[cfg(feature = "sqlite-books")]
pub use chuhe_games::library as games;
#[cfg(feature = "review")]
pub use chuhe_games::review;
pub use chuhe_games::{puzzles, records};
#[cfg(feature = "cli")]
pub use chuhe_lab::{arena, tune};
pub use chuhe_lab::{data, textbook, train};

/// Opening books and the names of openings.
pub mod book {
    pub use chuhe_engine::book::*;
    pub use chuhe_games::openings::*;
}

#[cfg(feature = "cli")]
pub mod output;
#[cfg(feature = "cli")]
mod players;
#[cfg(feature = "desk")]
pub mod translation;
#[cfg(not(feature = "cli"))]
pub use chuhe_lab::output;

#[cfg(feature = "desk")]
pub mod desk;

#[cfg(feature = "serve")]
mod engine_list;

#[cfg(feature = "serve")]
pub mod web;

#[cfg(feature = "cli")]
pub mod cli;

/// The examples of the README, compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
