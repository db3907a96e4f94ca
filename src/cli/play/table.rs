//! The table: the board, both seats, clocks, the referee, and what has been played.

use super::clock::{Clocks, Control, shown};
use super::command::Command;
use super::seat::{Seat, Seats, is_human};
use crate::arena::date;
use crate::board::{Move, Side};
use crate::cli::output::write_file;
use crate::cli::{Done, Failure};
use crate::desk::say_no_move;
use crate::engine::{Engine, Error, Level, Options};
use crate::notation::{self, Form};
use crate::output::{self, beside};
use crate::picture::{Picture, Style};
use crate::records::{Format, GameResult, Record, cbr};
use crate::review::{names, score_words};
use crate::rules::{Game, Outcome, Terms, Verdict, rule, warnings};
use crate::search::Limits;
use crate::words::{Key, Language};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// One game at one board.
pub(super) struct Table {
    /// The game before its first move here.
    start: Game,
    game: Game,
    seats: Seats,
    terms: Terms,
    clocks: Option<Clocks>,
    /// What the clocks showed before each move, for takebacks.
    clocks_before: Vec<Option<Clocks>>,
    style: Style,
    form: Form,
    language: Language,
    flipped: bool,
    /// How the game ended by other means than the rules, and what was said.
    ended: Option<(GameResult, String)>,
    /// Hints and analysis come from full strength; made when first asked for.
    adviser: Option<Engine>,
    /// The referee's notes to this position were shown beside the board.
    noted: bool,
}

/// What a line of input does to the game.
enum Step {
    /// Somebody is to move: himself or the other.
    GoOn,
    /// The same player is asked again.
    Again,
    Quit,
}

const HINT_NODES: u64 = 200_000;
const ANALYSIS_NODES: u64 = 1_000_000;

impl Table {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn new(
        start: Game,
        seats: Seats,
        terms: Terms,
        control: Option<Control>,
        style: Style,
        form: Form,
        language: Language,
        flipped: bool,
    ) -> Table {
        Table {
            game: start.clone(),
            start,
            seats,
            terms,
            clocks: control.map(Clocks::new),
            clocks_before: Vec::new(),
            style,
            form,
            language,
            flipped,
            ended: None,
            adviser: None,
            noted: false,
        }
    }

    fn word(&self, key: Key) -> &'static str {
        self.language.word(key)
    }

    fn side_name(&self, side: Side) -> &'static str {
        self.word(if side == Side::Red { Key::Red } else { Key::Black })
    }

    fn sentence(&self, key: Key, arguments: &[(&str, &str)]) -> String {
        self.language.sentence(&self.language.say(key, arguments))
    }

    /// Plays until the game is over, or there is no more input, or a person quits.
    pub(super) fn play(&mut self, out: &mut dyn Write, ask: &mut dyn FnMut() -> Option<String>) -> Done {
        writeln!(out, "{}", self.language.sentence(self.word(Key::PlayWelcome)))?;
        self.draw(out)?;
        loop {
            if self.announce_end(out)? {
                return Ok(());
            }
            let side = self.game.position().side();
            let began = Instant::now();
            let step = if is_human(&self.seats, side) {
                if !self.noted {
                    self.notes().iter().try_for_each(|note| writeln!(out, "{note}"))?;
                }
                self.ask_person(out, ask, began)?
            } else {
                self.ask_engine(out, began)?
            };
            if matches!(step, Step::Quit) {
                writeln!(out, "{}", self.language.sentence(self.word(Key::GameLeft)))?;
                return Ok(());
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
            write!(out, "{}> ", self.prompt())?;
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

    /// `12 Red 9:05`.
    fn prompt(&self) -> String {
        let position = self.game.position();
        let clock =
            self.clocks.as_ref().map_or(String::new(), |clocks| format!(" {}", shown(clocks.left(position.side()))));
        format!("{} {}{clock}", position.move_number(), self.side_name(position.side()))
    }

    fn obey(&mut self, command: Command, out: &mut dyn Write, began: Instant) -> Result<Step, Failure> {
        match command {
            Command::Move(text) => return self.try_move(&text, out, began),
            Command::Nothing => {}
            Command::Undo => return self.take_back(out),
            Command::Resign => {
                let (result, key) = match self.game.position().side() {
                    Side::Red => (GameResult::BlackWins, Key::RedResigns),
                    Side::Black => (GameResult::RedWins, Key::BlackResigns),
                };
                self.ended = Some((result, self.language.sentence(self.word(key))));
                return Ok(Step::GoOn);
            }
            Command::Draw => return self.offer_draw(out),
            Command::Hint => self.advise(HINT_NODES, 1, out)?,
            Command::Analyze => self.advise(ANALYSIS_NODES, 3, out)?,
            Command::Moves => writeln!(out, "{}", self.move_list())?,
            Command::Board => write!(out, "{}", self.picture().text(self.style))?,
            Command::Flip => {
                self.flipped = !self.flipped;
                self.draw(out)?;
            }
            Command::Level(text) => match text.parse().ok().and_then(Level::new) {
                Some(level) => {
                    for seat in &mut self.seats {
                        if let Seat::Computer(computer) = seat {
                            computer.set_level(level).map_err(search_failed)?;
                        }
                    }
                    writeln!(out, "{}", self.sentence(Key::LevelIsNow, &[("level", &level.to_string())]))?;
                }
                None => writeln!(out, "{}", self.language.sentence(self.word(Key::LevelsAre)))?,
            },
            Command::Save(path) if path.as_os_str().is_empty() => {
                writeln!(out, "{}", self.language.sentence(self.word(Key::SaveNeedsFile)))?
            }
            Command::Save(path) => match self.save(&path) {
                Ok(()) => writeln!(out, "{}", self.sentence(Key::SavedTo, &[("file", &path.display().to_string())]))?,
                Err(Failure::Input(error)) => writeln!(out, "{error}")?,
                Err(other) => return Err(other),
            },
            Command::Help => writeln!(out, "{}", self.word(Key::PlayHelp))?,
            Command::Quit => return Ok(Step::Quit),
        }
        Ok(Step::Again)
    }

    fn try_move(&mut self, text: &str, out: &mut dyn Write, began: Instant) -> Result<Step, Failure> {
        match notation::read(self.game.position(), text) {
            Ok(mv) => {
                self.make(mv, began.elapsed(), out)?;
                Ok(Step::GoOn)
            }
            Err(error) => {
                writeln!(out, "{}", self.language.sentence(&say_no_move(text, error, self.language)))?;
                Ok(Step::Again)
            }
        }
    }

    fn ask_engine(&mut self, out: &mut dyn Write, began: Instant) -> Result<Step, Failure> {
        let side = self.game.position().side();
        let clock = self.clocks.as_ref().map(|clocks| (clocks.left(side), clocks.increment()));
        let Seat::Computer(computer) = &mut self.seats[side.index()] else { return Ok(Step::GoOn) };
        let Some(mv) = computer.choose(&self.game, clock).map_err(search_failed)? else {
            return Err(Failure::Input("the engine found no move".to_owned()));
        };
        self.make(mv, began.elapsed(), out)?;
        Ok(Step::GoOn)
    }

    fn make(&mut self, mv: Move, spent: Duration, out: &mut dyn Write) -> io::Result<()> {
        let side = self.game.position().side();
        self.clocks_before.push(self.clocks.clone());
        let name = notation::write(self.game.position(), mv, self.form);
        let in_time = self.clocks.as_mut().is_none_or(|clocks| clocks.spend(side, spent));
        if !in_time {
            let (result, key) = match side {
                Side::Red => (GameResult::BlackWins, Key::RedLosesOnTime),
                Side::Black => (GameResult::RedWins, Key::BlackLosesOnTime),
            };
            self.ended = Some((result, self.language.sentence(self.word(key))));
            self.clocks_before.pop();
            return Ok(());
        }
        self.game.make(mv);
        self.draw(out)?;
        write!(out, "{}", self.sentence(Key::SidePlays, &[("side", self.side_name(side)), ("move", &name)]))?;
        if self.game.position().in_check() && self.game.position().has_moves() {
            write!(out, " {}", self.language.sentence(self.word(Key::Check)))?;
        }
        writeln!(out)
    }

    fn picture(&self) -> Picture<'_> {
        let last = self.game.plies().last().and_then(|ply| ply.mv);
        Picture::new(self.game.position()).with_last_move(last).flipped(self.flipped)
    }

    /// The board alone: with the move and the prompt below it, it fits 24 lines. So the referee's notes go beside it, if there is room.
    fn draw(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let board = self.picture().board(self.style);
        let is_asked = is_human(&self.seats, self.game.position().side());
        let notes = if is_asked { self.notes() } else { Vec::new() };
        let beside = beside(&board, &notes, output::width());
        self.noted = beside.is_some();
        write!(out, "{}", beside.unwrap_or(board))
    }

    /// What the referee will say if a position comes back once more.
    fn notes(&self) -> Vec<String> {
        let ruling = rule(&self.game, self.terms);
        if ruling.verdict != Verdict::Open {
            return Vec::new();
        }
        let mut notes = Vec::new();
        if self.game.occurrences().next().is_some() {
            notes.push(self.language.sentence(&ruling.say(self.language)));
        }
        for warning in
            warnings(&self.game, self.terms).into_iter().filter(|warning| warning.loses() && warning.returns_left < 2)
        {
            let name = notation::write(self.game.position(), warning.mv, self.form);
            let key = if warning.returns_left == 0 { Key::WarningLosesNow } else { Key::WarningOnceMore };
            notes.push(self.sentence(key, &[("move", &name), ("ruling", &warning.ruling.say(self.language))]));
        }
        notes
    }

    /// Whether the game is over, which is said.
    fn announce_end(&mut self, out: &mut dyn Write) -> Result<bool, Failure> {
        if self.ended.is_none() {
            let ruling = rule(&self.game, self.terms);
            let Verdict::Over(outcome, _) = ruling.verdict else { return Ok(false) };
            let result = match (outcome, ruling.side) {
                (Outcome::Draw, _) => GameResult::Draw,
                (Outcome::Win, Side::Red) | (Outcome::Loss, Side::Black) => GameResult::RedWins,
                _ => GameResult::BlackWins,
            };
            self.ended = Some((result, self.language.sentence(&ruling.say(self.language))));
        }
        let Some((result, said)) = &self.ended else { return Ok(false) };
        writeln!(out, "{said} {}", result.text())?;
        Ok(true)
    }

    /// Takes back to the same player's last move: two plies against the engine, one between people.
    fn take_back(&mut self, out: &mut dyn Write) -> Result<Step, Failure> {
        let other = !self.game.position().side();
        let plies = if is_human(&self.seats, other) { 1 } else { 2 };
        if self.clocks_before.len() < plies {
            writeln!(out, "{}", self.language.sentence(self.word(Key::NothingToTakeBack)))?;
            return Ok(Step::Again);
        }
        for _ in 0..plies {
            self.game.unmake();
            self.clocks = self.clocks_before.pop().flatten();
        }
        self.draw(out)?;
        Ok(Step::GoOn)
    }

    fn offer_draw(&mut self, out: &mut dyn Write) -> Result<Step, Failure> {
        let other = !self.game.position().side();
        let agreed = match &mut self.seats[other.index()] {
            Seat::Computer(computer) => computer.takes_draw(&self.game).map_err(search_failed)?,
            Seat::Human => true,
        };
        if agreed {
            self.ended = Some((GameResult::Draw, self.language.sentence(self.word(Key::DrawAgreed))));
            return Ok(Step::GoOn);
        }
        writeln!(out, "{}", self.language.sentence(self.word(Key::DrawRefused)))?;
        Ok(Step::Again)
    }

    /// Prints the best lines of the position, each with its score.
    fn advise(&mut self, nodes: u64, lines: usize, out: &mut dyn Write) -> Result<(), Failure> {
        let options = Options { rules: self.terms, multipv: lines, ..Options::default() };
        let adviser = match &mut self.adviser {
            Some(adviser) => {
                adviser.set_options(options).map_err(search_failed)?;
                adviser
            }
            none => none.insert(Engine::new(options).map_err(search_failed)?),
        };
        adviser.set_game(self.game.clone());
        let conclusion = adviser.think(Limits::nodes(nodes), |_| {}).map_err(search_failed)?;
        let side = self.game.position().side();
        for line in &conclusion.lines {
            let names = names(&self.game, &line.pv, self.form);
            let shown = if lines == 1 { &names[..1] } else { &names[..] };
            writeln!(out, "  {:>8}  {}", score_words(self.language, side, line.score), shown.join(" "))?;
        }
        Ok(())
    }

    /// `1. 炮二平五 马8进7  2. …`.
    fn move_list(&self) -> String {
        let mut game = self.start.clone();
        let mut list = Vec::new();
        for mv in self.moves() {
            let position = game.position();
            let number = match position.side() {
                Side::Red => format!("{}. ", position.move_number()),
                Side::Black if list.is_empty() => format!("{}... ", position.move_number()),
                Side::Black => String::new(),
            };
            list.push(number + &notation::write(position, mv, self.form));
            game.make(mv);
        }
        list.join(" ")
    }

    /// The moves played at this table.
    fn moves(&self) -> Vec<Move> {
        self.game.plies()[self.start.plies().len()..].iter().filter_map(|ply| ply.mv).collect()
    }

    /// Writes the game to a file; its ending names the format.
    pub(super) fn save(&self, path: &Path) -> Result<(), Failure> {
        let mut first = self.start.clone();
        while !first.plies().is_empty() {
            first.unmake();
        }
        let all = self.game.plies().iter().filter_map(|ply| ply.mv).map(|mv| (mv, String::new()));
        let mut record = Record::of_line(first.position().clone(), all);
        for side in Side::ALL {
            let name = match &self.seats[side.index()] {
                Seat::Human => self.word(Key::Human).to_owned(),
                Seat::Computer(computer) => format!("Chuhe ({} {})", self.word(Key::Level), computer.level()),
            };
            record.set_tag(if side == Side::Red { "Red" } else { "Black" }, &name);
        }
        record.result = self.ended.as_ref().map_or(GameResult::Unknown, |(result, _)| *result);
        record.set_tag("Date", &date::today());
        let bytes = match format_of(path, self.language)? {
            Format::Cbl => cbr::write_library(&path.file_stem().unwrap_or_default().to_string_lossy(), [&record]),
            format => format.write(&record, self.form),
        };
        write_file(path, &bytes)
    }
}

/// The format that a file's name ends in: a text is a list of moves.
pub(super) fn format_of(path: &Path, language: Language) -> Result<Format, Failure> {
    let suffix = path.extension().map(|suffix| suffix.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let formats = [Format::Pgn, Format::Xqf, Format::Cbr, Format::Cbl, Format::Cbf, Format::Moves];
    let known = formats.into_iter().find(|format| format.suffix() == suffix);
    known.ok_or_else(|| {
        let suffixes = formats.map(Format::suffix).join(", ");
        Failure::at(path.display(), language.say(Key::NameTellsFormat, &[("suffixes", &suffixes)]))
    })
}

fn search_failed(error: Error) -> Failure {
    Failure::at("the engine", error)
}
