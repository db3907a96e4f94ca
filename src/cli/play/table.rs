//! A game in the terminal: whose turn it is, and what the players type.

use super::command::Command;
use super::game::TableGame;
use super::print::Printer;
use super::save::save;
use super::seat::{Seat, Seats, is_human};
use crate::board::Move;
use crate::cli::output::shown;
use crate::cli::{Done, Failure};
use crate::desk::say_no_move;
use crate::engine::{Engine, Error, Level, Options};
use crate::notation;
use crate::output::{self, beside};
use crate::search::Limits;
use crate::words::Key;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A game and its players.
pub(super) struct Table {
    pub(super) game: TableGame,
    pub(super) seats: Seats,
    pub(super) printer: Printer,
    /// What all engines have in common.
    pub(super) options: Options,
    /// Hints and analysis come from full strength; made when first asked for.
    pub(super) adviser: Option<Engine>,
    /// The referee's notes to this position were shown beside the board.
    pub(super) noted: bool,
    /// The game is written there.
    pub(super) file: Option<PathBuf>,
}

/// What a line of input does to the game.
enum Step {
    /// The turn is over, or the game.
    GoOn,
    /// The same player is asked again.
    Again,
    Quit,
}

const HINT_NODES: u64 = 200_000;
const ANALYSIS_NODES: u64 = 1_000_000;

impl Table {
    /// Plays until the game is over, or there is no more input, or a person quits.
    pub(super) fn play(&mut self, out: &mut dyn Write, ask: &mut dyn FnMut() -> Option<String>) -> Done {
        writeln!(out, "{}", self.printer.say(Key::PlayWelcome))?;
        self.draw(out)?;
        loop {
            // A program may be ended at any time. What can't be written now is told at the end.
            if let Some(file) = self.file.as_ref().filter(|_| !self.game.moves().is_empty()) {
                let _ = self.save(file);
            }
            if let Some(end) = self.game.end() {
                return Ok(writeln!(out, "{}", self.printer.end(end))?);
            }
            let began = Instant::now();
            let step = if is_human(&self.seats, self.game.side()) {
                if !self.noted {
                    self.printer.notes(&self.game).iter().try_for_each(|note| writeln!(out, "{note}"))?;
                }
                self.ask_person(out, ask, began)?
            } else {
                self.ask_engine(out, began)?
            };
            if matches!(step, Step::Quit) {
                return Ok(writeln!(out, "{}", self.printer.say(Key::GameLeft))?);
            }
        }
    }

    fn ask_person(
        &mut self,
        out: &mut dyn Write,
        ask: &mut dyn FnMut() -> Option<String>,
        began: Instant,
    ) -> Result<Step, Failure> {
        loop {
            write!(out, "{}", self.printer.prompt(&self.game))?;
            out.flush()?;
            let Some(line) = ask() else {
                writeln!(out)?;
                return Ok(Step::Quit);
            };
            match self.obey(Command::read(&line), out, began)? {
                Step::Again => {}
                step => return Ok(step),
            }
        }
    }

    fn ask_engine(&mut self, out: &mut dyn Write, began: Instant) -> Result<Step, Failure> {
        let (side, clock) = (self.game.side(), self.game.clock());
        let Seat::Computer(computer) = &mut self.seats[side.index()] else { return Ok(Step::GoOn) };
        let Some(mv) = computer.choose(self.game.game(), clock).map_err(search_failed)? else {
            return Err(Failure::Input("the engine found no move".to_owned()));
        };
        self.make(mv, out, began)?;
        Ok(Step::GoOn)
    }

    fn obey(&mut self, command: Command, out: &mut dyn Write, began: Instant) -> Result<Step, Failure> {
        match command {
            Command::Move(text) => match notation::read(self.game.position(), &text) {
                Ok(mv) => {
                    self.make(mv, out, began)?;
                    return Ok(Step::GoOn);
                }
                Err(error) => {
                    let language = self.printer.language;
                    writeln!(out, "{}", language.sentence(&say_no_move(&text, error, language)))?;
                }
            },
            Command::Nothing => {}
            Command::Undo => return self.take_back(out),
            Command::Resign => {
                self.game.resign();
                return Ok(Step::GoOn);
            }
            Command::Draw => return self.offer_draw(out),
            Command::Hint => self.advise(HINT_NODES, 1, out)?,
            Command::Analyze => self.advise(ANALYSIS_NODES, 3, out)?,
            Command::Moves => writeln!(out, "{}", self.printer.move_list(&self.game))?,
            Command::Board => write!(out, "{}", self.printer.picture(self.game.game()).text(self.printer.style))?,
            Command::Flip => {
                self.printer.flipped = !self.printer.flipped;
                self.draw(out)?;
            }
            Command::Level(text) => self.set_level(&text, out)?,
            Command::Save(path) if path.as_os_str().is_empty() => {
                writeln!(out, "{}", self.printer.say(Key::SaveNeedsFile))?
            }
            Command::Save(path) => match self.save(&path) {
                Ok(()) => {
                    let file = shown(&path);
                    writeln!(out, "{}", self.printer.sentence(Key::SavedTo, &[("file", &file)]))?
                }
                Err(Failure::Input(error)) => writeln!(out, "{error}")?,
                Err(other) => return Err(other),
            },
            Command::Help => writeln!(out, "{}", self.printer.word(Key::PlayHelp))?,
            Command::Quit => return Ok(Step::Quit),
        }
        Ok(Step::Again)
    }

    fn make(&mut self, mv: Move, out: &mut dyn Write, began: Instant) -> io::Result<()> {
        let before = self.game.position().clone();
        if self.game.make(mv, began.elapsed()) {
            self.draw(out)?;
            writeln!(out, "{}", self.printer.played(&before, mv, self.game.position()))?;
        }
        Ok(())
    }

    /// The board alone: with the move and the prompt below it, it fits 24 lines. So the referee's notes go beside it, if there is room.
    fn draw(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let board = self.printer.picture(self.game.game()).board(self.printer.style);
        let is_asked = is_human(&self.seats, self.game.side());
        let notes = if is_asked { self.printer.notes(&self.game) } else { Vec::new() };
        let beside = beside(&board, &notes, output::width());
        self.noted = beside.is_some();
        write!(out, "{}", beside.unwrap_or(board))
    }

    /// Takes back to the same player's last move: two plies against the engine, one between people.
    fn take_back(&mut self, out: &mut dyn Write) -> Result<Step, Failure> {
        let plies = if is_human(&self.seats, !self.game.side()) { 1 } else { 2 };
        if !self.game.take_back(plies) {
            writeln!(out, "{}", self.printer.say(Key::NothingToTakeBack))?;
            return Ok(Step::Again);
        }
        self.draw(out)?;
        Ok(Step::GoOn)
    }

    fn offer_draw(&mut self, out: &mut dyn Write) -> Result<Step, Failure> {
        let agreed = match &mut self.seats[(!self.game.side()).index()] {
            Seat::Computer(computer) => computer.takes_draw(self.game.game()).map_err(search_failed)?,
            Seat::Human => true,
        };
        if agreed {
            self.game.agree_to_a_draw();
            return Ok(Step::GoOn);
        }
        writeln!(out, "{}", self.printer.say(Key::DrawRefused))?;
        Ok(Step::Again)
    }

    fn set_level(&mut self, text: &str, out: &mut dyn Write) -> Done {
        let Some(level) = text.parse().ok().and_then(Level::new) else {
            return Ok(writeln!(out, "{}", self.printer.say(Key::LevelsAre))?);
        };
        for seat in &mut self.seats {
            if let Seat::Computer(computer) = seat {
                computer.set_level(level).map_err(search_failed)?;
            }
        }
        Ok(writeln!(out, "{}", self.printer.sentence(Key::LevelIsNow, &[("level", &level.to_string())]))?)
    }

    /// Prints the best lines of the position, each with its score.
    fn advise(&mut self, nodes: u64, lines: usize, out: &mut dyn Write) -> Done {
        let options = Options { multipv: lines, ..self.options.clone() };
        let adviser = match &mut self.adviser {
            Some(adviser) => {
                adviser.set_options(options).map_err(search_failed)?;
                adviser
            }
            none => none.insert(Engine::new(options).map_err(search_failed)?),
        };
        adviser.set_game(self.game.game().clone());
        let conclusion = adviser.think(Limits::nodes(nodes), |_| {}).map_err(search_failed)?;
        let moves = if lines == 1 { 1 } else { usize::MAX };
        for line in &conclusion.lines {
            writeln!(out, "{}", self.printer.advice(self.game.game(), line, moves))?;
        }
        if let Some(known) = adviser.tables().say(self.game.position(), self.printer.language) {
            writeln!(out, "{known}")?;
        }
        Ok(())
    }

    /// Writes the game to a file; the ending of its name tells the format.
    pub(super) fn save(&self, path: &Path) -> Done {
        save(path, &self.game, &self.seats, self.printer.form, self.printer.language)
    }
}

fn search_failed(error: Error) -> Failure {
    Failure::at("the engine", error)
}
