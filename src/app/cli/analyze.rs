//! `chuhe analyze`: analyses positions.

mod epd_task;
mod json;
pub(super) mod report;

use super::drawing::DrawingArgs;
use super::evaluation::EvaluationArgs;
use super::game::{GAME_OPTIONS, GameArgs};
use super::input::{InputPosition, InputPositions, Placed};
use super::output::{OutputArgs, print_unread};
use super::rules::RulesArgs;
use super::{Done, Failure, duration, interrupt, threads};
use crate::output::{self, Progress, json::write_line};
use crate::translation::language;
use chuhe_board::Position;
use chuhe_board::notation::Form;
use chuhe_board::rules::{Game, Ruling, Verdict, rule};
use chuhe_board::words::{Key, Language};
use chuhe_engine::picture::Picture;
use chuhe_engine::search::{Conclusion, Event, Limits};
use chuhe_engine::{Engine, Options};
use chuhe_lab::arena::schedule::Part;
use clap::Args;
use json::Analysis;
use report::Reporter;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Searches positions: best lines, best move, and the meaning of the score
#[derive(Args)]
#[command(
    visible_alias = "analyse",
    after_help = "Examples:
  chuhe analyze
  chuhe analyze 4k4/9/4b4/9/9/9/9/4R4/9/4K4 w --depth 12 --multipv 3
  chuhe analyze --moves \"炮二平五\" --notation chinese --language zh
  chuhe analyze game.xqf --ply 24
  chuhe analyze --file positions/mates.epd --time 1s --json"
)]
pub(super) struct Analyze {
    #[command(flatten)]
    game: GameArgs,

    /// Analyse many positions: an EPD file, or all positions in game records; `-` is standard input, answered
    /// line by line. The operations `bm` (best moves) and `dm` (mate in this many moves) are checked: a
    /// position counts as solved if the result is a mate no longer than `dm` or, without `dm`, a move of `bm`
    #[arg(long, value_name = "FILE", conflicts_with_all = GAME_OPTIONS, conflicts_with_all = ["svg", "verbose"])]
    file: Option<PathBuf>,

    /// Process only the K-th of N parts of the positions, so that N machines share the work; concatenate
    /// their outputs
    #[arg(long, value_name = "K/N", requires = "file")]
    part: Option<Part>,

    /// Search to this depth, in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..128), conflicts_with_all = ["nodes", "time"])]
    depth: Option<u32>,

    /// Search this many nodes
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "time")]
    nodes: Option<u64>,

    /// Search for this time: 3s, 500ms [default: 3s, or 1s each for many positions]
    #[arg(long, value_parser = duration::read)]
    time: Option<Duration>,

    /// Number of best lines to show
    #[arg(long, value_name = "LINES", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=128))]
    multipv: u16,

    /// Search threads; 0 = all cores
    #[arg(long, default_value = "1", value_parser = threads::read)]
    threads: usize,

    /// Hash table, in MB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,

    #[command(flatten)]
    rules: RulesArgs,

    /// Move notation in text: iccs, wxf or chinese [default: coordinates such as h2e2, or chinese if the
    /// language is zh]
    #[arg(long, value_name = "FORM")]
    notation: Option<Form>,

    /// Also list the moves of this opening book
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "json"])]
    book: Option<PathBuf>,

    /// Print every line as it is found, not only the final ones
    #[arg(long, conflicts_with = "json")]
    verbose: bool,

    /// Print one line of JSON per position, moves as coordinates; an unreadable line gives `{"error":…}`
    #[arg(long)]
    json: bool,

    /// Also draw the board, with an arrow for the best move, to a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    evaluation: EvaluationArgs,

    #[command(flatten)]
    drawing: DrawingArgs,
}

impl Analyze {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        self.output.check(&self.svg, &self.game.files(&self.file))?;
        self.book.as_deref().map(super::book::open).transpose()?;
        let mut engine = Engine::new(Options {
            hash_mb: self.hash as usize,
            threads: self.threads,
            multipv: usize::from(self.multipv),
            move_overhead: 0,
            ..self.rules.with(self.evaluation.options())
        })?;
        match &self.file {
            Some(path) => self.many(&mut engine, path, out),
            None => self.one(&mut engine, self.game.read()?, out),
        }
    }

    /// Returns the notation of moves in text; `None` for coordinates.
    fn form(&self) -> Option<Form> {
        self.notation.or_else(|| (language() == Language::Chinese).then_some(Form::Chinese))
    }

    fn limits(&self, default: Duration) -> Limits {
        match (self.depth, self.nodes) {
            (Some(depth), _) => Limits::depth(depth),
            (_, Some(nodes)) => Limits::nodes(nodes),
            _ => Limits::fixed(self.time.unwrap_or(default)),
        }
    }

    /// Returns the game to search. A game that is over by the rules is replaced by a game that starts at its
    /// last position.
    fn searched(&self, game: Game) -> (Game, Option<Ruling>) {
        let ruling = rule(&game, self.rules.terms());
        if ruling.verdict == Verdict::Open { (game, None) } else { (Game::new(game.position().clone()), Some(ruling)) }
    }

    fn one(&self, engine: &mut Engine, game: Game, out: &mut dyn Write) -> Done {
        let language = language();
        let position = game.position().clone();
        let last = game.plies().last().and_then(|ply| ply.mv);
        let (game, over) = self.searched(game);
        let reporter = Reporter { position: &position, notation: self.form(), language };
        let picture = Picture::new(&position).with_last_move(last);
        let mut told = if self.json { Ok(()) } else { self.introduce(&picture, &position, over.as_ref(), out) };
        if self.svg.is_none() && told.is_err() {
            return Ok(told?);
        }
        engine.set_game(game);
        let live = (!self.json && !self.verbose).then(Progress::text);
        let shown = usize::from(self.multipv).min(position.legal_moves().len());
        let mut lines = Vec::new();
        let conclusion = engine.think_until(interrupt::flag(), self.limits(Duration::from_secs(3)), |event| {
            let Event::Line(line) = event else { return };
            if self.verbose && told.is_ok() {
                told = writeln!(out, "{}", reporter.line(line)).and_then(|()| out.flush());
            }
            if let Some(live) = &live {
                // Lines are shown once an iteration is complete: lines of different iterations may begin with
                // the same move.
                lines.truncate(line.multipv - 1);
                lines.push(line.clone());
                if lines.len() == shown {
                    live.note(reporter.table(&lines, output::width()));
                }
            }
        });
        drop(live);
        let conclusion = conclusion?;
        // The file is also written if a closed pipe prevents printing.
        if let Some(path) = &self.svg {
            let picture = picture.with_arrow(conclusion.best);
            self.output.write(path, picture.svg(self.drawing.pieces(), language).as_bytes())?;
        }
        told?;
        if self.json {
            let analysis = Analysis::of(&position, &conclusion, None, reason(over.as_ref()));
            return Ok(write_line(out, &analysis)?);
        }
        self.conclude(&reporter, &conclusion, engine, out)
    }

    /// Prints the board, and the ruling if the game is over.
    fn introduce(
        &self,
        picture: &Picture,
        position: &Position,
        over: Option<&Ruling>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let language = language();
        writeln!(out, "{}", picture.text(self.drawing.style(language)))?;
        // Mate and stalemate are reported only in the conclusion.
        if let Some(ruling) = over.filter(|_| position.has_moves()) {
            let is_over = language.say(Key::IsOver, &[("ruling", &ruling.say(language))]);
            writeln!(out, "{}", output::fitted(&language.sentence(&is_over)))?;
            writeln!(out, "{}\n", output::fitted(&language.sentence(language.word(Key::SearchedOn))))?;
        }
        Ok(())
    }

    /// Prints the best line and the entries of tablebases and the opening book.
    fn conclude(&self, reporter: &Reporter, conclusion: &Conclusion, engine: &Engine, out: &mut dyn Write) -> Done {
        let Reporter { position, language, .. } = *reporter;
        write!(out, "{}", reporter.conclusion(conclusion, output::width()))?;
        if let Some(known) = engine.tables().say(position, language) {
            writeln!(out, "{}", output::fitted(&known))?;
        }
        if let Some(path) = &self.book {
            super::book::list(&super::book::open(path)?, position, self.notation.unwrap_or(Form::Iccs), out)?;
        }
        Ok(())
    }

    fn many(&self, engine: &mut Engine, path: &Path, out: &mut dyn Write) -> Done {
        let language = language();
        let mut questions = InputPositions::open(path)?;
        if let Some(part) = self.part {
            questions.keep_part(part)?;
        }
        let unit = "positions";
        let bar = questions.count.map_or_else(|| Progress::endless(unit), |count| Progress::new(count as u64, unit));
        let stop = interrupt::flag();
        let (mut tasks, mut solved, mut faults) = (0, 0, 0);
        for question in questions {
            match question.and_then(|question| self.answer(engine, &question)) {
                Ok(result) => {
                    tasks += u32::from(result.is_solved.is_some());
                    solved += u32::from(result.is_solved == Some(true));
                    bar.aside(|| self.print_line(&result, language, out))?;
                }
                // An unreadable line does not affect the other lines.
                Err(Failure::Input(error)) => {
                    faults += 1;
                    bar.aside(|| print_unread(error, self.json, out))?;
                }
                Err(other) => return Err(other),
            }
            out.flush()?;
            bar.advance(1);
            if stop.load(Relaxed) {
                break;
            }
        }
        drop(bar);
        if tasks > 0 && !self.json {
            writeln!(out, "{}", language.say(Key::SolvedOf, &[("solved", &solved), ("tasks", &tasks)]))?;
        }
        if faults > 0 { Err(Failure::Check) } else { Ok(()) }
    }

    /// Prints the result for one of many positions as a line.
    fn print_line(&self, result: &PositionResult, language: Language, out: &mut dyn Write) -> io::Result<()> {
        let PositionResult { position, conclusion, is_solved, over } = result;
        if self.json {
            return write_line(out, &Analysis::of(position, conclusion, *is_solved, reason(over.as_ref())));
        }
        let reporter = Reporter { position, notation: self.form(), language };
        let best = conclusion.best.map_or("none".to_owned(), |mv| reporter.moves(&[mv]));
        let line = conclusion.lines.first().map(|line| reporter.line(line)).unwrap_or_default();
        let verdict = match is_solved {
            None => String::new(),
            Some(true) => format!("  {}", language.word(Key::Solved)),
            Some(false) => format!("  {}", language.word(Key::NotSolved)),
        };
        writeln!(out, "{position}  bestmove {best}{verdict}  {line}")
    }

    fn answer(&self, engine: &mut Engine, question: &InputPosition) -> Result<PositionResult, Failure> {
        let game = question.game();
        let position = game.position().clone();
        let task = match &question.source {
            Some(Placed { place, line }) => {
                epd_task::read(line, &position).map_err(|reason| Failure::at(place, reason))?
            }
            None => None,
        };
        let (game, over) = self.searched(game);
        engine.new_game();
        engine.set_game(game);
        let conclusion = engine.think_until(interrupt::flag(), self.limits(Duration::from_secs(1)), |_| {})?;
        let is_solved = task.as_ref().map(|task| task.is_solved_by(&conclusion));
        Ok(PositionResult { position, conclusion, is_solved, over })
    }
}

/// Result for one of many positions.
struct PositionResult {
    position: Position,
    conclusion: Conclusion,
    /// `true` if the search solved the position's task; `None` if there is no task.
    is_solved: Option<bool>,
    over: Option<Ruling>,
}

/// Returns the code of the reason why a game is over, if it is.
fn reason(ruling: Option<&Ruling>) -> Option<&'static str> {
    match ruling?.verdict {
        Verdict::Open => None,
        Verdict::Over(_, reason) => Some(reason.name()),
    }
}
