//! `chuhe endings probe`: looks up positions in tablebases.

use crate::cli::game::{GAME_OPTIONS, GameArgs};
use crate::cli::input::InputPositions;
use crate::cli::output::print_unread;
use crate::cli::{Done, Failure};
use crate::output::{Align, Table, fitted, json, width};
use crate::translation::language;
use chuhe_board::notation::{self, Form};
use chuhe_board::rules::Outcome;
use chuhe_board::words::{Key, Language};
use chuhe_board::{Move, Position};
use chuhe_engine::endings::file::TableFault;
use chuhe_engine::endings::{Folder, Material, ProbeResult, Tables};
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Looks up a position: its value, the value of every move, and a line to mate
#[derive(Args)]
pub(super) struct Probe {
    #[command(flatten)]
    game: GameArgs,

    /// Look up every position in a file instead: FEN or EPD lines, or a record; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = GAME_OPTIONS)]
    file: Option<PathBuf>,

    /// Folder of the tables; may be given several times. Without one, the built-in tables give the outcome
    /// without distances
    #[arg(long, value_name = "DIR")]
    dir: Vec<PathBuf>,

    /// Print one line of JSON per position
    #[arg(long)]
    json: bool,
}

/// A position as JSON.
#[derive(Serialize)]
struct JsonAnswer {
    fen: String,
    /// Value for the side to move; null if there is no table.
    value: Option<&'static str>,
    /// `true` if no repetition rule can change the value; a perpetual chase may decide a draw if both sides
    /// have attackers.
    certain: bool,
    /// Plies to the next capture or mate.
    capture: Option<u16>,
    /// Plies to mate.
    mate: Option<u16>,
    /// Plies until the losing side's only moves give perpetual check, which loses; null for other wins.
    perpetual: Option<u16>,
    /// Ending whose table is missing.
    missing: Option<String>,
    moves: Vec<JsonMove>,
}

/// A move with its value for the mover.
#[derive(Serialize)]
struct JsonMove {
    r#move: String,
    value: Option<&'static str>,
    capture: Option<u16>,
    mate: Option<u16>,
    perpetual: Option<u16>,
}

impl Probe {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let tables = Tables::new(self.dir.iter().map(Folder::new).collect())?;
        let language = language();
        if let Some(path) = &self.file {
            return self.probe_file(path, &tables, out);
        }
        let game = self.game.read()?;
        let position = game.position();
        let answer = tables.answer(position)?;
        let moves = tables.moves(position)?;
        if self.json {
            return Ok(json::write_line(out, &JsonAnswer::of(position, answer, &moves))?);
        }
        let Some(answer) = answer else { return Err(Failure::Input(unknown(position, language))) };
        writeln!(out, "{}", fitted(&language.sentence(&answer.say(position, language))))?;
        write!(out, "{}", table_of(position, &moves, language).fitted(width()))?;
        let line = line(position, |position| tables.moves(position))?;
        if !line.is_empty() {
            writeln!(out, "{}", fitted(&language.say(Key::EndingLine, &[("moves", &line.join(" "))])))?;
        }
        Ok(())
    }

    /// Prints a line for each position in a file.
    fn probe_file(&self, path: &Path, tables: &Tables, out: &mut dyn Write) -> Done {
        let (language, mut faults) = (language(), 0);
        for question in InputPositions::open(path)? {
            let game = match question {
                Ok(question) => question.game(),
                // An unreadable line does not affect the other lines.
                Err(Failure::Input(error)) => {
                    faults += 1;
                    print_unread(error, self.json, out)?;
                    continue;
                }
                Err(other) => return Err(other),
            };
            let position = game.position();
            let answer = tables.answer(position)?;
            if self.json {
                json::write_line(out, &JsonAnswer::of(position, answer, &tables.moves(position)?))?;
            } else {
                let said = answer.map_or_else(|| unknown(position, language), |answer| answer.say(position, language));
                writeln!(out, "{position}: {said}")?;
            }
        }
        if faults > 0 { Err(Failure::Check) } else { Ok(()) }
    }
}

/// Formats the moves of a position with their values as a table.
fn table_of(position: &Position, moves: &[(Move, Option<ProbeResult>)], language: Language) -> Table {
    let columns = [
        (language.word(Key::ColumnMove), Align::Left),
        ("", Align::Left),
        (language.word(Key::ColumnValue), Align::Left),
        (language.word(Key::ColumnToCapture), Align::Right),
        (language.word(Key::ColumnToMate), Align::Right),
    ];
    let mut table = Table::new(columns);
    let plies = |plies: Option<u16>| plies.map_or(String::new(), |plies| plies.to_string());
    for (mv, answer) in moves {
        let written = notation::write(position, *mv, Form::Chinese);
        let value = match answer.map(|answer| answer.outcome) {
            Some(Outcome::Win) => Key::ColumnWon,
            Some(Outcome::Draw) => Key::ColumnDrawn,
            Some(Outcome::Loss) => Key::ColumnLost,
            None => Key::ColumnUnknown,
        };
        let (capture, mate) = answer.map_or((None, None), |answer| (answer.capture, answer.mate));
        table.row([mv.to_string(), written, language.word(value).to_owned(), plies(capture), plies(mate)]);
    }
    table
}

impl JsonAnswer {
    fn of(position: &Position, answer: Option<ProbeResult>, moves: &[(Move, Option<ProbeResult>)]) -> JsonAnswer {
        let json = |(mv, answer): &(Move, Option<ProbeResult>)| JsonMove {
            r#move: mv.to_string(),
            value: answer.map(|answer| word(answer.outcome)),
            capture: answer.and_then(|answer| answer.capture),
            mate: answer.and_then(|answer| answer.mate),
            perpetual: answer.and_then(|answer| answer.perpetual),
        };
        JsonAnswer {
            fen: position.to_string(),
            value: answer.map(|answer| word(answer.outcome)),
            certain: answer.is_some_and(|answer| answer.is_certain),
            capture: answer.and_then(|answer| answer.capture),
            mate: answer.and_then(|answer| answer.mate),
            perpetual: answer.and_then(|answer| answer.perpetual),
            missing: answer.is_none().then(|| Material::of(position).normal().0.to_string()),
            moves: moves.iter().map(json).collect(),
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

fn unknown(position: &Position, language: Language) -> String {
    language.say(Key::EndingUnknown, &[("ending", &Material::of(position).normal().0)])
}

/// Returns the moves to mate: the fastest win against the longest defence; empty for a draw.
fn line(
    position: &Position,
    moves: impl Fn(&Position) -> Result<Vec<(Move, Option<ProbeResult>)>, TableFault>,
) -> Result<Vec<String>, Failure> {
    let mut position = position.clone();
    let (mut line, mut before) = (Vec::new(), u16::MAX);
    while let Some((mv, Some(answer))) = moves(&position)?.first()
        && answer.outcome != Outcome::Draw
        && let Some(mate) = answer.mate
    {
        if mate >= before {
            return Err(Failure::Input(format!(
                "the tables contradict each other: {mate} plies to mate in {position}"
            )));
        }
        before = mate;
        line.push(match language() {
            Language::English => mv.to_string(),
            Language::Chinese => notation::write(&position, *mv, Form::Chinese),
        });
        position.make(*mv);
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_contradict_each_other_end_the_line() {
        let position: Position = "3k5/9/9/9/9/9/9/9/9/R3K4 w".parse().expect("a position");
        let always = |position: &Position| {
            let answer =
                ProbeResult { outcome: Outcome::Win, capture: None, mate: Some(5), perpetual: None, is_certain: true };
            Ok(position.legal_moves().into_iter().map(|mv| (mv, Some(answer))).collect())
        };
        let Err(Failure::Input(said)) = line(&position, always) else { panic!("the line has no end") };
        assert!(said.contains("contradict each other: 5 plies"), "{said}");
    }
}
