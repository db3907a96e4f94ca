//! The main loop of a terminal game: requests input from the players and executes it.

use super::adviser::Adviser;
use super::command::Command;
use super::game::SessionGame;
use super::print::Printer;
use super::save;
use super::seat::{Seat, Seats, is_human};
use crate::cli::input::typed_line;
use crate::cli::output::{OutputArgs, shown, write_own};
use crate::cli::{Done, Failure};
use crate::output::{beside, fitted, width};
use crate::translation::translate;
use chuhe_board::Move;
use chuhe_board::notation;
use chuhe_board::words::Key;
use chuhe_engine::Level;
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A game, its players, and the terminal.
pub(super) struct Session<'t> {
    pub(super) game: SessionGame,
    pub(super) seats: Seats,
    pub(super) adviser: Adviser,
    /// File to which the game is written after every move.
    pub(super) file: Option<PathBuf>,
    pub(super) output: OutputArgs,
    /// Files written by this game, which it may overwrite.
    pub(super) saved: Vec<PathBuf>,
    pub(super) printer: Printer,
    pub(super) out: &'t mut dyn Write,
    /// `true` if the referee's notes for this position have been shown beside the board.
    pub(super) notes_shown: bool,
    /// Start of the turn. The clock also runs during hints and draw offers; it is checked only when a move is
    /// made.
    pub(super) turn_began: Instant,
}

/// Effect of an input on the turn.
enum Step {
    /// The turn or the game has ended.
    TurnOver,
    /// The same player enters another line.
    Again,
    /// The player quits.
    Quit,
}

/// Limits of the advice.
struct Advice {
    lines: usize,
    /// Maximum number of moves shown per line.
    moves: usize,
    /// Number of nodes to search.
    nodes: u64,
}

const HINT: Advice = Advice { lines: 1, moves: 1, nodes: 200_000 };
const ANALYSIS: Advice = Advice { lines: 3, moves: usize::MAX, nodes: 1_000_000 };

impl Session<'_> {
    /// Plays until the game is over, the input ends, or a player quits.
    pub(super) fn play(mut self) -> Done {
        let ended = self.take_turns();
        // The game is also saved after a failure.
        let kept = self.keep();
        ended.and(kept)
    }

    fn take_turns(&mut self) -> Done {
        self.print(Key::PlayWelcome)?;
        self.show_board()?;
        loop {
            // The game is saved after every move, since the program may be terminated at any time. Write
            // errors are reported at the end.
            let _ = self.keep();
            if let Some(end) = self.game.end() {
                return Ok(writeln!(self.out, "{}", fitted(&self.printer.end(end)))?);
            }
            self.turn_began = Instant::now();
            let step = match &mut self.seats[self.game.side().index()] {
                Seat::Human => self.ask_player()?,
                Seat::Computer(computer) => {
                    let found = computer.choose(self.game.history(), self.game.clock())?;
                    self.make(found.ok_or_else(|| Failure::Run("the engine found no move".to_owned()))?)?
                }
            };
            if matches!(step, Step::Quit) {
                return self.print(Key::GameLeft);
            }
        }
    }

    fn ask_player(&mut self) -> Result<Step, Failure> {
        if !self.notes_shown {
            for note in self.printer.notes(&self.game) {
                writeln!(self.out, "{}", fitted(&note))?;
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
                    writeln!(self.out, "{}", fitted(&language.sentence(&error.say(&text, language))))?;
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
            Command::Moves => writeln!(self.out, "{}", fitted(&self.printer.move_list(&self.game)))?,
            // Unlike `show_board`, this prints the caption.
            Command::Board => {
                write!(self.out, "{}", self.printer.picture(self.game.history()).text(self.printer.style))?
            }
            Command::Flip => {
                self.printer.flipped = !self.printer.flipped;
                self.show_board()?;
            }
            Command::Level(text) => self.set_level(&text)?,
            Command::Save(None) => self.print(Key::SaveNeedsFile)?,
            Command::Save(Some(path)) => match self.save(&path) {
                Ok(()) => self.print_with(Key::SavedTo, &[("file", &shown(&path))])?,
                Err(Failure::Input(error)) => writeln!(self.out, "{}", fitted(&translate(&error)))?,
                Err(other) => return Err(other),
            },
            Command::Help => writeln!(self.out, "{}", fitted(self.printer.word(Key::PlayHelp)))?,
            Command::Quit => return Ok(Step::Quit),
        }
        Ok(Step::Again)
    }

    /// Makes a move, unless the clock has run out.
    fn make(&mut self, mv: Move) -> Result<Step, Failure> {
        let before = self.game.position().clone();
        if self.game.make(mv, self.turn_began.elapsed()) {
            self.show_board()?;
            writeln!(self.out, "{}", fitted(&self.printer.played(&before, mv, self.game.position())))?;
        }
        Ok(Step::TurnOver)
    }

    /// Takes back moves up to the same player's last move: two plies against the engine, one ply between two
    /// users.
    fn take_back(&mut self) -> Result<Step, Failure> {
        let plies = if is_human(&self.seats, !self.game.side()) { 1 } else { 2 };
        if !self.game.take_back(plies) {
            self.print(Key::NothingToTakeBack)?;
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
        self.print(Key::DrawRefused)?;
        Ok(Step::Again)
    }

    fn set_level(&mut self, text: &str) -> Done {
        let Some(level) = text.parse().ok().and_then(Level::new) else { return self.print(Key::LevelsAre) };
        let mut found = false;
        for seat in &mut self.seats {
            if let Seat::Computer(computer) = seat {
                computer.set_level(level)?;
                found = true;
            }
        }
        if !found {
            return self.print(Key::NoEnginePlays);
        }
        self.print_with(Key::LevelIsNow, &[("level", &level)])
    }

    /// Prints the best lines with their scores.
    fn advise(&mut self, Advice { lines, moves, nodes }: Advice) -> Done {
        let game = self.game.history();
        for line in self.adviser.lines(game, lines, nodes)? {
            writeln!(self.out, "{}", fitted(&self.printer.advice(game, &line, moves)))?;
        }
        if let Some(result) = self.adviser.tablebase_result(game, self.printer.language) {
            writeln!(self.out, "{}", fitted(&result))?;
        }
        Ok(())
    }

    /// Prints the board without a caption, so that the board, the move and the prompt fit into 24 lines. The
    /// referee's notes are printed beside it if there is room.
    fn show_board(&mut self) -> Done {
        let board = self.printer.picture(self.game.history()).board(self.printer.style);
        let is_asked = is_human(&self.seats, self.game.side());
        let notes = if is_asked { self.printer.notes(&self.game) } else { Vec::new() };
        let with_notes = beside(&board, &notes, width());
        self.notes_shown = with_notes.is_some();
        Ok(write!(self.out, "{}", with_notes.unwrap_or(board))?)
    }

    fn print(&mut self, key: Key) -> Done {
        self.print_with(key, &[])
    }

    fn print_with(&mut self, key: Key, arguments: &[(&str, &dyn Display)]) -> Done {
        Ok(writeln!(self.out, "{}", fitted(&self.printer.sentence(key, arguments)))?)
    }

    /// Saves the game to the file given on the command line. A game that has not begun is not saved, since it
    /// would replace an older game.
    fn keep(&mut self) -> Done {
        match self.file.clone() {
            Some(file) if self.game.has_begun() => self.save(&file),
            _ => Ok(()),
        }
    }

    fn save(&mut self, path: &Path) -> Done {
        let bytes = save::bytes(path, &self.game, &self.seats, self.printer.form, self.printer.language)?;
        if self.saved.iter().any(|saved| saved == path) {
            return write_own(path, &bytes);
        }
        self.output.write(path, &bytes)?;
        self.saved.push(path.to_owned());
        Ok(())
    }
}
