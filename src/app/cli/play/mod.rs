//! `chuhe play`: a game in the terminal.

mod adviser;
mod clock;
mod command;
mod game;
mod print;
mod save;
mod seat;
mod session;

use super::drawing::DrawingArgs;
use super::game::GameArgs;
use super::language::NotationArgs;
use super::output::OutputArgs;
use super::rules::RulesArgs;
use super::{Done, Failure};
use crate::cli::value::BadValue;
use crate::translation::language;
use adviser::Adviser;
use chuhe_board::Side;
use chuhe_engine::{Level, Options};
use clap::{Args, ValueEnum};
use clock::Control;
use game::SessionGame;
use print::Printer;
use save::format_of;
use seat::{Computer, Seat};
use session::Session;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Plays a game in the terminal: against the engine, between two players, or engine against engine
#[derive(Args)]
#[command(after_help = "Examples:
  chuhe play
  chuhe play --side black --level 3 --save game.pgn
  chuhe play --side none --level 4,6 --notation chinese
  chuhe play game.xqf --ply 30 --level 10
  chuhe play --side both --clock 10m+5s --language zh

Type a move in any notation (h2e2, C2=5, 炮二平五) or one of: hint, undo, draw, resign, analyze, moves, board, flip,
level N, save FILE, help, quit. Moves can also be piped in.")]
pub(super) struct Play {
    #[command(flatten)]
    game: GameArgs,

    /// Side that you play
    #[arg(long, value_enum, default_value_t = Humans::Red)]
    side: Humans,

    /// The engine's level, 1 (beginner) to 10 (full strength); `4,6` sets different levels for Red and Black
    #[arg(long, value_name = "N", default_value = "5", value_parser = levels)]
    level: [Level; 2],

    /// Minutes per game and seconds per move, or times with units: 10+5, 90s+1s [default: no clock]
    #[arg(long, value_name = "TIME")]
    clock: Option<Control>,

    /// Opening book of the engine, at every level [default: the built-in one, at level 10 only]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    #[command(flatten)]
    rules: RulesArgs,

    /// Seed for the engine's choices: below level 10 and without a clock, it repeats its replies to the same
    /// moves
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    #[command(flatten)]
    notation: NotationArgs,

    /// Write the game to this file, after every move
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    drawing: DrawingArgs,
}

/// Sides played by users.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Humans {
    /// You play Red and move first
    Red,
    /// You play Black
    Black,
    /// Two players at one keyboard
    Both,
    /// Neither: two engines play
    None,
}

impl Humans {
    fn has(self, side: Side) -> bool {
        match self {
            Humans::Both => true,
            Humans::None => false,
            Humans::Red => side == Side::Red,
            Humans::Black => side == Side::Black,
        }
    }
}

/// Parses `5` or `4,6`.
fn levels(text: &str) -> Result<[Level; 2], BadValue> {
    let (red, black) = text.split_once(',').unwrap_or((text, text));
    let level = |text: &str| text.trim().parse().ok().and_then(Level::new).ok_or(BadValue::Level);
    Ok([level(red)?, level(black)?])
}

impl Play {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let start = self.game.read()?;
        let language = language();
        if let Some(path) = &self.save {
            format_of(path, language)?;
            self.output.check([path], &self.game.files(&None))?;
        }
        let seed = self.seed.unwrap_or_else(rand::random);
        let options = self.rules.with(Options { seed, ..Options::default() });
        let seat = |side| -> Result<Seat, Failure> {
            if self.side.has(side) {
                return Ok(Seat::Human);
            }
            let book = self.book.as_deref().map(super::book::open).transpose()?;
            Ok(Seat::Computer(Box::new(Computer::new(self.level[side.index()], &options, book)?)))
        };
        let seats = [seat(Side::Red)?, seat(Side::Black)?];
        let printer = Printer {
            style: self.drawing.style(language),
            form: self.notation.form(),
            language,
            flipped: self.side == Humans::Black,
        };
        let game = SessionGame::new(start, self.rules.terms(), self.clock);
        let (adviser, turn_began) = (Adviser::new(options), Instant::now());
        let (file, output, saved) = (self.save, self.output, Vec::new());
        Session { game, seats, adviser, file, output, saved, printer, out, notes_shown: false, turn_began }.play()
    }
}
