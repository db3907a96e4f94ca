//! `chuhe moves`: converts a list of moves to every notation, with the positions.

use super::{Done, Failure, encoding};
use crate::output::{Align, Table, json, width};
use crate::translation::translate;
use chuhe_board::notation::{self, Form};
use chuhe_board::{Move, Position, STARTPOS};
use chuhe_games::records::{Record, RecordReader};
use clap::Args;
use serde::Serialize;
use std::io::{BufReader, Cursor, Write};
use std::path::Path;

/// Writes a list of moves in other notations, with the positions
#[derive(Args)]
#[command(after_help = "\
Examples:
  chuhe moves \"炮二平五 马8进7 马二进三\"
  chuhe moves h2e2 h9g7 --notation wxf
  chuhe moves --fen \"3k5/4P1P2/4P1P2/9/9/9/9/9/9/5K3 w\" 一兵平四
  chuhe moves game.xqf --fen-each | chuhe analyze --file -

Moves may be in any notation. A single argument that names a file is read as a game record: the main line of its first game.")]
pub(super) struct Moves {
    /// Moves, or a file with a record; `-` is standard input
    #[arg(required = true, value_name = "MOVES")]
    moves: Vec<String>,

    /// Starting position of typed moves: a FEN or `startpos` [default: startpos]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// Print only the moves, on one line, in a notation: iccs, wxf, chinese
    #[arg(long, value_name = "FORM")]
    notation: Option<Form>,

    /// Print the position before the first move and after each move, one FEN per line
    #[arg(long, conflicts_with = "notation")]
    fen_each: bool,

    /// Print one line of JSON per move
    #[arg(long, conflicts_with_all = ["notation", "fen_each"])]
    json: bool,
}

/// Name used in messages for a list that is not a file.
const TYPED: &str = "moves";

/// A move as JSON.
#[derive(Serialize)]
struct JsonMove {
    ply: usize,
    r#move: String,
    iccs: String,
    wxf: String,
    chinese: String,
    /// Position after the move.
    fen: String,
}

impl Moves {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let game = self.read()?;
        let mut position = game.start.clone();
        if self.fen_each {
            writeln!(out, "{position}")?;
        }
        let mut table = Table::new(
            ["ply", "move", "ICCS", "WXF", "Chinese"]
                .map(|name| (name, if name == "ply" { Align::Right } else { Align::Left })),
        );
        let mut words = Vec::new();
        for (index, mv) in game.moves().into_iter().enumerate() {
            let names = Form::ALL.map(|form| notation::write(&position, mv, form));
            if let Some(form) = self.notation {
                words.push(notation::write(&position, mv, form));
            }
            position.make(mv);
            if self.fen_each {
                writeln!(out, "{position}")?;
            } else if self.json {
                json::write_line(out, &json_move(index + 1, mv, names, &position))?;
            } else {
                let [iccs, wxf, chinese] = names;
                table.row([(index + 1).to_string(), mv.to_string(), iccs, wxf, chinese]);
            }
        }
        if self.notation.is_some() {
            writeln!(out, "{}", words.join(" "))?;
        } else if !self.json && !self.fen_each {
            write!(out, "{}", table.titled(translate).fitted(width()))?;
        }
        Ok(())
    }

    fn read(&self) -> Result<Record, Failure> {
        let (name, games) = match &self.moves[..] {
            [one] if self.fen.is_some() && (one == "-" || Path::new(one).exists()) => {
                return Err(Failure::at(
                    "--fen",
                    format!("{one} is read as a record, which has its own starting position"),
                ));
            }
            [one] if one == "-" => {
                ("standard input", RecordReader::new_in(BufReader::new(std::io::stdin()), encoding::named()))
            }
            [one] if Path::new(one).exists() => {
                (one.as_str(), RecordReader::open_in(Path::new(one), encoding::named()))
            }
            moves => {
                let start = self.fen.as_deref().filter(|fen| *fen != "startpos").unwrap_or(STARTPOS);
                // The position is parsed before it becomes part of a record, so that all of its errors are
                // reported.
                let start: Position = start.parse().map_err(|error| Failure::at("--fen", error))?;
                let text = format!("[FEN \"{start}\"]\n{}\n", moves.join(" "));
                (TYPED, RecordReader::new(Cursor::new(text.into_bytes())))
            }
        };
        let mut games = games.map_err(|error| Failure::at(name, error))?;
        match games.next() {
            Some(Ok(game)) => Ok(game),
            // A typed list has no line numbers.
            Some(Err(fault)) if name == TYPED => Err(Failure::at(name, fault.problem)),
            Some(Err(fault)) => Err(Failure::at(name, fault)),
            None => Err(Failure::at(name, "no games found")),
        }
    }
}

fn json_move(ply: usize, mv: Move, names: [String; 3], after: &Position) -> JsonMove {
    let [iccs, wxf, chinese] = names;
    JsonMove { ply, r#move: mv.to_string(), iccs, wxf, chinese, fen: after.to_string() }
}
