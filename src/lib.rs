//! Chuhe (楚河): a Xiangqi (Chinese chess) engine, as a library.
//!
//! The crate is the whole engine: board, rules, notation, evaluation, search, and the UCCI and UCI protocols. The binary `chuhe` is a
//! command line over it. Programs that need only rules, or a search without a process beside them, can use the parts directly.
//!
//! # Positions and moves
//!
//! A [`Position`](board::Position) is always one that a game can reach: a FEN that breaks the rules is refused with all its faults.
//! Squares are `a0` to `i9`, seen from Red.
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
//! assert_eq!(error.to_string(), "black has no king");
//! ```
//!
//! # Rules
//!
//! A [`Game`](rules::Game) is a position with its history, because repetitions can only be judged by it. [`judge`](rules::judge) is the
//! referee, [`rule`](rules::rule) gives its reasons. Six rule sets are known; they differ in what a repetition may contain.
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
//! An [`Engine`](engine::Engine) has options, a network and a hash table, and searches on a thread of its own; a
//! [`Searcher`](engine::Searcher) searches on its caller's thread, which needs a large stack. Scores are centipawns from the view of the side to move; a rook
//! is about 1000. [`score`] tells mates from evaluations.
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
//! A side that is mated or stalemated has no move, no score and an empty [`main_line`](search::Conclusion::main_line). A listener hears every
//! line of a search while it runs, and may end it: [`think_while`](engine::Engine::think_while).
//!
//! The folder `examples` of the repository has small programs: legal moves of a FEN, the referee, an analysis, a match.
//!
//! # Modules
//!
//! Modules are in storeys, lowest first; each uses only those above it in this list (`tests/layers.rs` checks it).
//!
//! | modules | |
//! |---|---|
//! | [`machine`] | what the machine below gives: clock, memory, threads; natively and in a browser |
//! | [`score`], [`random`], [`bytes`], [`words`], [`output`] | scores, a seeded generator, binary fields, the sentences people read in English and Chinese, tables and plots |
//! | [`board`] | squares, pieces, moves, FEN, legal moves, exchanges, perft |
//! | [`rules`], [`notation`], [`picture`], [`eval`] | how games end; ICCS, WXF and Chinese notation; the board as text and SVG; evaluation |
//! | [`records`], [`endings`], [`mates`] | games as files; tables of exact endings: made, verified, asked; mates, proved, and the names of their patterns |
//! | [`textbook`], [`search`], [`book`] | the algorithms of the literature, to read and compare; the playing search; opening moves |
//! | [`engine`], `games` | the search with its memory, options and thread; a library of games |
//! | [`protocol`], [`puzzles`], `review` | UCCI and UCI; positions with one good move; what every move of a game was worth |
//! | `arena`, `desk` | matches between engines; what a board on a screen asks, as messages |
//! | [`data`], `web` | training data; the board in the browser |
//! | [`train`], `tune` | networks; the numbers of the search |
//! | `cli`, `wasm` | the command line; the module for browsers and Node |
//!
//! # Features
//!
//! - `cli` (default): the binary, with `arena` and `tune`. A library user switches it off: `chuhe = { version = "…",
//!   default-features = false }` needs a handful of small dependencies.
//! - `serve` (default): `web`, the page and its server; needs `cli`.
//! - `sqlite-books` (default): opening books that are databases of SQLite, which is compiled in (C); with `desk`, `games` too.
//! - `review`, and `desk` with it: reviews of games; the messages of a board on a screen, without sockets or threads (`docs/10-board.md`).
//!   Both are part of `cli`.
//! - `wasm`: the module for browsers and Node (`docs/12-wasm.md`); nothing on other machines.
//! - `walked-lines`: slow move generation, to measure what the tables gain.
//! - `windows-resource`: an icon and the version inside the program for Windows.

mod named;

pub mod machine;

pub mod bytes;
pub mod output;
pub mod random;
pub mod score;
pub mod words;

pub mod board;

pub mod eval;
pub mod notation;
pub mod picture;
pub mod rules;

pub mod endings;
pub mod mates;
pub mod records;

pub mod book;
pub mod search;
pub mod textbook;

pub mod engine;
#[cfg(all(feature = "desk", feature = "sqlite-books"))]
pub mod games;

pub mod protocol;
pub mod puzzles;
#[cfg(feature = "review")]
pub mod review;

#[cfg(feature = "cli")]
pub mod arena;
#[cfg(feature = "desk")]
pub mod desk;

pub mod data;
#[cfg(feature = "serve")]
pub mod web;

pub mod train;
#[cfg(feature = "cli")]
pub mod tune;

#[cfg(all(feature = "wasm", target_family = "wasm"))]
mod wasm;

#[cfg(feature = "cli")]
pub mod cli;

/// The examples of the README, compiled and run with the tests of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
