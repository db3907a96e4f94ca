//! A game in the terminal, turn by turn: who is asked, what a player may answer, and what that does.

use super::adviser::Adviser;
use super::command::Command;
use super::game::TableGame;
use super::print::Printer;
use super::save::save;
use super::seat::{Seat, Seats, is_human};
use crate::cli::input::typed_line;
use crate::cli::output::shown;
use crate::cli::{Done, Failure};
use crate::desk::say_no_move;
use crate::output::{self, beside};
use chuhe_board::Move;
use chuhe_board::notation;
use chuhe_board::words::Key;
use chuhe_engine::Level;
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A game, its players and the terminal where it is shown.
pub(super) struct Table<'t> {
    pub(super) game: TableGame,
    pub(super) seats: Seats,
    pub(super) adviser: Adviser,
    /// The game is written there after every move.
    pub(super) file: Option<PathBuf>,
    pub(super) printer: Printer,
    pub(super) out: &'t mut dyn Write,
    /// The referee's notes to this position were shown beside the board.
    pub(super) notes_shown: bool,
    /// The clock runs during hints and offers too; it is read only when a move is made.
    pub(super) turn_began: Instant,
}

/// What an answer does to the turn.
enum Step {
    /// The turn is over, or the game.
    TurnOver,
    /// The same player is asked again.
    Again,
    /// The player leaves.
    Quit,
}

/// How much advice is given.
struct Advice {
    lines: usize,
    /// The most moves shown of each line.
    moves: usize,
    /// Nodes to search.
    nodes: u64,
}

const HINT: Advice = Advice { lines: 1, moves: 1, nodes: 200_000 };
const ANALYSIS: Advice = Advice { lines: 3, moves: usize::MAX, nodes: 1_000_000 };

impl Table<'_> {
    /// Plays until the game is over, or there is no more input, or a player quits.
    pub(super) fn play(mut self) -> Done {
        let ended = self.take_turns();
        // After a failure, too: what was played is worth keeping.
        let kept = self.keep();
        ended.and(kept)
    }

    fn take_turns(&mut self) -> Done {
        self.say(Key::PlayWelcome)?;
        self.show_board()?;
        loop {
            // A program may be ended at any time. What can't be written now is told at the end.
            let _ = self.keep();
            if let Some(end) = self.game.end() {
                return Ok(writeln!(self.out, "{}", self.printer.end(end))?);
            }
            self.turn_began = Instant::now();
            let step = match &mut self.seats[self.game.side().index()] {
                Seat::Human => self.ask_player()?,
                Seat::Computer(computer) => {
                    let found = computer.choose(self.game.history(), self.game.clock())?;
                    self.make(found.ok_or_else(|| Failure::Input("the engine found no move".to_owned()))?)?
                }
            };
            if matches!(step, Step::Quit) {
                return self.say(Key::GameLeft);
            }
        }
    }

    fn ask_player(&mut self) -> Result<Step, Failure> {
        if !self.notes_shown {
            for note in self.printer.notes(&self.game) {
                writeln!(self.out, "{note}")?;
            }
        }
        loop {
            write!(self.out, "{}", self.printer.prompt(&self.game))?;
            self.out.flush()?;
            let Some(line) = typed_line() else {
                writeln!(self.out)?;
                return Ok(Step::Quit);
            };
            match self.obey(Command::read(&line))? {
                Step::Again => {}
                step => return Ok(step),
            }
        }
    }

    fn obey(&mut self, command: Command) -> Result<Step, Failure> {
        match command {
            Command::Move(text) => match notation::read(self.game.position(), &text) {
                Ok(mv) => return self.make(mv),
                Err(error) => {
                    let language = self.printer.language;
                    writeln!(self.out, "{}", language.sentence(&say_no_move(&text, error, language)))?;
                }
            },
            Command::Nothing => {}
            Command::Undo => return self.take_back(),
            Command::Resign => {
                self.game.resign();
                return Ok(Step::TurnOver);
            }
            Command::Draw => return self.offer_draw(),
            Command::Hint => self.advise(HINT)?,
            Command::Analyze => self.advise(ANALYSIS)?,
            Command::Moves => writeln!(self.out, "{}", self.printer.move_list(&self.game))?,
            // With the caption, for which `show_board` has no room.
            Command::Board => {
                write!(self.out, "{}", self.printer.picture(self.game.history()).text(self.printer.style))?
            }
            Command::Flip => {
                self.printer.flipped = !self.printer.flipped;
                self.show_board()?;
            }
            Command::Level(text) => self.set_level(&text)?,
            Command::Save(None) => self.say(Key::SaveNeedsFile)?,
            Command::Save(Some(path)) => match self.save(&path) {
                Ok(()) => self.say_with(Key::SavedTo, &[("file", &shown(&path))])?,
                Err(Failure::Input(error)) => writeln!(self.out, "{error}")?,
                Err(other) => return Err(other),
            },
            Command::Help => writeln!(self.out, "{}", self.printer.word(Key::PlayHelp))?,
            Command::Quit => return Ok(Step::Quit),
        }
        Ok(Step::Again)
    }

    /// Plays a move, unless the clock has run out.
    fn make(&mut self, mv: Move) -> Result<Step, Failure> {
        let before = self.game.position().clone();
        if self.game.make(mv, self.turn_began.elapsed()) {
            self.show_board()?;
            writeln!(self.out, "{}", self.printer.played(&before, mv, self.game.position()))?;
        }
        Ok(Step::TurnOver)
    }

    /// Takes back to the same player's last move: two plies against the engine, one between people.
    fn take_back(&mut self) -> Result<Step, Failure> {
        let plies = if is_human(&self.seats, !self.game.side()) { 1 } else { 2 };
        if !self.game.take_back(plies) {
            self.say(Key::NothingToTakeBack)?;
            return Ok(Step::Again);
        }
        self.show_board()?;
        Ok(Step::TurnOver)
    }

    fn offer_draw(&mut self) -> Result<Step, Failure> {
        let agreed = match &mut self.seats[(!self.game.side()).index()] {
            Seat::Computer(computer) => computer.takes_draw(self.game.history())?,
            Seat::Human => true,
        };
        if agreed {
            self.game.agree_to_a_draw();
            return Ok(Step::TurnOver);
        }
        self.say(Key::DrawRefused)?;
        Ok(Step::Again)
    }

    fn set_level(&mut self, text: &str) -> Done {
        let Some(level) = text.parse().ok().and_then(Level::new) else { return self.say(Key::LevelsAre) };
        let mut found = false;
        for seat in &mut self.seats {
            if let Seat::Computer(computer) = seat {
                computer.set_level(level)?;
                found = true;
            }
        }
        if !found {
            return self.say(Key::NoEnginePlays);
        }
        self.say_with(Key::LevelIsNow, &[("level", &level)])
    }

    /// Prints the best lines, each with its score.
    fn advise(&mut self, Advice { lines, moves, nodes }: Advice) -> Done {
        let game = self.game.history();
        for line in self.adviser.lines(game, lines, nodes)? {
            writeln!(self.out, "{}", self.printer.advice(game, &line, moves))?;
        }
        if let Some(known) = self.adviser.known(game, self.printer.language) {
            writeln!(self.out, "{known}")?;
        }
        Ok(())
    }

    /// Prints the board alone: with the move and the prompt below it, it fits 24 lines. So the referee's notes go beside it, if there is room.
    fn show_board(&mut self) -> Done {
        let board = self.printer.picture(self.game.history()).board(self.printer.style);
        let is_asked = is_human(&self.seats, self.game.side());
        let notes = if is_asked { self.printer.notes(&self.game) } else { Vec::new() };
        let with_notes = beside(&board, &notes, output::width());
        self.notes_shown = with_notes.is_some();
        Ok(write!(self.out, "{}", with_notes.unwrap_or(board))?)
    }

    fn say(&mut self, key: Key) -> Done {
        self.say_with(key, &[])
    }

    fn say_with(&mut self, key: Key, arguments: &[(&str, &dyn Display)]) -> Done {
        Ok(writeln!(self.out, "{}", self.printer.sentence(key, arguments))?)
    }

    /// Saves the game where the command line says. One without a move would only replace an older game in the file.
    fn keep(&self) -> Done {
        match &self.file {
            Some(file) if self.game.has_begun() => self.save(file),
            _ => Ok(()),
        }
    }

    fn save(&self, path: &Path) -> Done {
        save(path, &self.game, &self.seats, self.printer.form, self.printer.language)
    }
}
