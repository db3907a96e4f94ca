//! `chuhe endings probe`: what the tables say of positions.

use crate::board::{Move, Position};
use crate::cli::game::GameArgs;
use crate::cli::input::Questions;
use crate::cli::{Done, Failure};
use crate::endings::{Answer, Folder, Material, Tables};
use crate::notation::{self, Form};
use crate::output::{Align, Table, json};
use crate::rules::{NATURAL_LIMIT, Outcome};
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Say what the tables know of a position: its value, that of every move, and a line to mate
#[derive(Args)]
pub struct Probe {
    #[command(flatten)]
    game: GameArgs,

    /// Ask about every position of a file instead: FEN or EPD lines, or a record; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "fen", "moves", "ply", "number"])]
    file: Option<PathBuf>,

    /// The folder of the tables; several may be named. Without one, the tables in the program say who wins, but not when
    #[arg(long, value_name = "DIR")]
    dir: Vec<PathBuf>,

    /// Print one object of JSON for each position
    #[arg(long)]
    json: bool,
}

/// A position as scripts read it.
#[derive(Serialize)]
struct JsonAnswer {
    fen: String,
    /// For the side to move; null if there is no table.
    value: Option<&'static str>,
    /// Plies to the next capture or mate.
    capture: Option<u16>,
    /// Plies to mate.
    mate: Option<u16>,
    /// Plies until the loser can only check forever, which loses; null if the win is an ordinary one.
    perpetual: Option<u16>,
    /// The ending whose table is missing.
    missing: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<JsonMove>>,
}

/// A move: what it is worth to the mover.
#[derive(Serialize)]
struct JsonMove {
    r#move: String,
    value: Option<&'static str>,
    capture: Option<u16>,
    mate: Option<u16>,
}

impl Probe {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let tables = Tables::new(self.dir.iter().map(Folder::new).collect())?;
        if let Some(path) = &self.file {
            for question in Questions::open(path)? {
                let game = question?.game();
                let position = game.position();
                let answer = tables.answer(position)?;
                if self.json {
                    json::write_line(out, &JsonAnswer::of(position, answer, None))?;
                } else {
                    writeln!(
                        out,
                        "{position}: {}",
                        answer.map_or_else(|| unknown(position), |answer| sentence(position, answer))
                    )?;
                }
            }
            return Ok(());
        }
        let game = self.game.read()?;
        let position = game.position();
        let answer = tables.answer(position)?;
        let moves = moves(position, &tables)?;
        if self.json {
            return Ok(json::write_line(out, &JsonAnswer::of(position, answer, Some(&moves)))?);
        }
        let Some(answer) = answer else { return Err(Failure::Input(unknown(position))) };
        writeln!(out, "{}", sentence(position, answer))?;
        let columns = [
            ("move", Align::Left),
            ("", Align::Left),
            ("value", Align::Left),
            ("capture", Align::Right),
            ("mate", Align::Right),
        ];
        let mut table = Table::new(columns);
        let plies = |plies: Option<u16>| plies.map_or(String::new(), |plies| plies.to_string());
        for (mv, answer) in &moves {
            let written = notation::write(position, *mv, Form::Chinese);
            let value = answer.map_or("unknown", |answer| word(answer.outcome));
            let (capture, mate) = answer.map_or((None, None), |answer| (answer.capture, answer.mate));
            table.row([mv.to_string(), written, value.to_owned(), plies(capture), plies(mate)]);
        }
        write!(out, "{table}")?;
        let line = line(position, &tables)?;
        if !line.is_empty() {
            writeln!(out, "to mate: {}", line.join(" "))?;
        }
        Ok(())
    }
}

impl JsonAnswer {
    fn of(position: &Position, answer: Option<Answer>, moves: Option<&[(Move, Option<Answer>)]>) -> JsonAnswer {
        let json = |(mv, answer): &(Move, Option<Answer>)| JsonMove {
            r#move: mv.to_string(),
            value: answer.map(|answer| word(answer.outcome)),
            capture: answer.and_then(|answer| answer.capture),
            mate: answer.and_then(|answer| answer.mate),
        };
        JsonAnswer {
            fen: position.to_string(),
            value: answer.map(|answer| word(answer.outcome)),
            capture: answer.and_then(|answer| answer.capture),
            mate: answer.and_then(|answer| answer.mate),
            perpetual: answer.and_then(|answer| answer.perpetual),
            missing: answer.is_none().then(|| Material::of(position).normal().0.to_string()),
            moves: moves.map(|moves| moves.iter().map(json).collect()),
        }
    }
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    }
}

fn unknown(position: &Position) -> String {
    format!("there is no table of {}", Material::of(position).normal().0)
}

fn sentence(position: &Position, answer: Answer) -> String {
    let side = position.side();
    let winner = match answer.outcome {
        Outcome::Draw => return "draw".into(),
        Outcome::Win => side,
        Outcome::Loss => !side,
    };
    let mate = answer.mate.map_or(String::new(), |plies| format!(", mate in {plies} plies"));
    if let Some(plies) = answer.perpetual {
        let loser = (!winner).name();
        return format!("{} wins: within {plies} plies {loser} can only check forever, which loses", winner.name());
    }
    // The tables in the program know who wins, but not when.
    let next = answer.capture.map_or(String::new(), |plies| format!(", the next capture or mate within {plies}"));
    let beyond = answer.capture.is_some_and(|plies| plies.saturating_add(position.quiet_plies()) > NATURAL_LIMIT);
    let limit = if beyond { ", beyond the natural limit: a draw by rule" } else { "" };
    format!("{} wins{mate}{next}{limit}", winner.name())
}

/// Every legal move with its worth to the mover, the best first.
fn moves(position: &Position, tables: &Tables) -> Result<Vec<(Move, Option<Answer>)>, Failure> {
    let mut moves = Vec::new();
    for mv in position.legal_moves() {
        let mut after = position.clone();
        let undo = after.make(mv);
        let answer = tables.answer(&after)?;
        let before = |answer: Answer| Answer {
            outcome: !answer.outcome,
            capture: match undo.captured {
                Some(_) => answer.capture.or(answer.perpetual).map(|_| 1),
                None => answer.capture.map(|plies| plies + 1),
            },
            mate: answer.mate.map(|plies| plies + 1),
            perpetual: answer.perpetual.filter(|_| undo.captured.is_none()).map(|plies| plies + 1),
        };
        moves.push((mv, answer.map(before)));
    }
    moves.sort_by_key(|(_, answer)| match answer {
        Some(Answer { outcome: Outcome::Win, mate, .. }) => (0, i32::from(mate.unwrap_or_default())),
        Some(Answer { outcome: Outcome::Draw, .. }) => (1, 0),
        None => (2, 0),
        Some(Answer { outcome: Outcome::Loss, mate, .. }) => (3, -i32::from(mate.unwrap_or_default())),
    });
    Ok(moves)
}

/// The moves to mate, the shortest way against the longest defence; none from a draw.
fn line(position: &Position, tables: &Tables) -> Result<Vec<String>, Failure> {
    let mut position = position.clone();
    let mut line = Vec::new();
    loop {
        match moves(&position, tables)?.first() {
            Some((mv, Some(answer))) if answer.outcome != Outcome::Draw && answer.mate.is_some() => {
                line.push(mv.to_string());
                position.make(*mv);
            }
            _ => return Ok(line),
        }
    }
}
