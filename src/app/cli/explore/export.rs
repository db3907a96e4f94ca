//! `explore export` and `explore plan`: files for other programs.

use super::store::{StoreArgs, failed};
use crate::cli::game::GameArgs;
use crate::cli::language::NotationArgs;
use crate::cli::output::{OutputArgs, keep, shown};
use crate::cli::{Done, Failure};
use crate::output::json;
use crate::translation::language;
use chuhe_board::words::Key;
use chuhe_games::explore::{Analysis, Choice, Error, Extent, Selection, Store, Value};
use chuhe_games::records::pgn;
use chuhe_games::review::JsonScore;
use clap::Args;
use serde::Serialize;
use std::fmt::Display;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Export {
    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    game: GameArgs,

    /// Output file; its suffix selects the form: .book, .pgn or .jsonl
    #[arg(long, value_name = "FILE")]
    to: PathBuf,

    /// Plies of a tree
    #[arg(long, value_name = "N", default_value_t = 20)]
    plies: u32,

    /// Maximum loss of a move of a tree, in centipawns
    #[arg(long, value_name = "POINTS", default_value_t = 30)]
    margin: u32,

    /// Maximum number of moves of a tree
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    moves_written: usize,

    #[command(flatten)]
    notation: NotationArgs,

    #[command(flatten)]
    output: OutputArgs,
}

/// A position as JSON: the fields of `chuhe analyze --json`, so that `explore add` can read it, and the
/// backed-up value.
#[derive(Serialize)]
struct JsonPosition {
    fen: String,
    depth: u32,
    nodes: u64,
    engine: String,
    value: i32,
    plies: u8,
    below: u64,
    lines: Vec<JsonLine>,
}

#[derive(Serialize)]
struct JsonLine {
    score: JsonScore,
    pv: [String; 1],
}

impl Export {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let suffix = self.to.extension().map(|suffix| suffix.to_string_lossy().to_ascii_lowercase());
        let store = self.store.open()?;
        match suffix.as_deref() {
            Some("book") => self.book(&store, out),
            Some("pgn") => self.tree(&store, out),
            Some("jsonl") => self.positions(&store, out),
            _ => Err(Failure::at(self.to.display(), "use a name that ends in .book, .pgn or .jsonl")),
        }
    }

    fn book(&self, store: &Store, out: &mut dyn Write) -> Done {
        let book = self.store.or_fail(store.book())?;
        self.output.write(&self.to, &book.write())?;
        self.tell(Key::ExportedMoves, "moves", book.len(), out)
    }

    fn tree(&self, store: &Store, out: &mut dyn Write) -> Done {
        let game = self.game.read()?;
        let extent = Extent { plies: self.plies, margin: self.margin, moves: self.moves_written };
        let record = self.store.or_fail(store.tree(game.position(), extent))?;
        self.output.write(&self.to, pgn::write(&record, self.notation.form()).as_bytes())?;
        self.tell(Key::ExportedMoves, "moves", record.tree.len(), out)
    }

    fn positions(&self, store: &Store, out: &mut dyn Write) -> Done {
        let mut file = self.output.new_file(&self.to)?;
        let mut count = 0;
        {
            let mut writer = BufWriter::new(&mut file);
            store
                .each(|analysis, value, below| -> Result<(), Stop> {
                    count += 1;
                    let entry = JsonPosition::of(&analysis, value, below);
                    json::write_line(&mut writer, &entry).map_err(|error| Stop(Failure::file(&self.to, &error)))
                })
                .map_err(|stop| stop.0)?;
            writer.flush().map_err(|error| Failure::file(&self.to, &error))?;
        }
        keep(file, &self.to)?;
        self.tell(Key::ExportedPositions, "positions", count, out)
    }

    fn tell(&self, key: Key, name: &str, count: usize, out: &mut dyn Write) -> Done {
        let counts: [(&str, &dyn Display); 2] = [("file", &shown(&self.to)), (name, &count)];
        Ok(writeln!(out, "{}", language().say(key, &counts))?)
    }
}

/// A failure that aborts reading the database.
struct Stop(Failure);

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop(Failure::Input(error.to_string()))
    }
}

impl JsonPosition {
    fn of(analysis: &Analysis, value: Value, below: u64) -> JsonPosition {
        let mut scores = analysis.scores.clone();
        scores.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
        let line = |(mv, score): (chuhe_board::Move, i16)| JsonLine {
            score: JsonScore::of(score.into()),
            pv: [mv.to_string()],
        };
        JsonPosition {
            fen: analysis.position.to_string(),
            depth: analysis.depth,
            nodes: analysis.nodes,
            engine: analysis.engine.clone(),
            value: value.score,
            plies: value.plies,
            below,
            lines: scores.into_iter().map(line).collect(),
        }
    }
}

#[derive(Args)]
pub(super) struct Plan {
    #[command(flatten)]
    store: StoreArgs,

    /// Number of positions
    #[arg(long, value_name = "N", default_value_t = 1000)]
    leaves: usize,

    /// Choose the most played positions first
    #[arg(long)]
    played: bool,

    /// Maximum plies from the beginning
    #[arg(long, value_name = "N", default_value_t = 60)]
    plies: u32,

    /// Output file, one position per line
    #[arg(long, value_name = "FILE")]
    to: PathBuf,

    #[command(flatten)]
    output: OutputArgs,
}

impl Plan {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let choice = if self.played { Choice::Played } else { Choice::Critical };
        let selection = Selection { count: self.leaves, plies: self.plies, choice };
        let leaves = self.store.open()?.leaves(selection).map_err(|error| failed(&self.store.database, &error))?;
        let language = language();
        if leaves.is_empty() {
            return Err(Failure::Input(language.word(Key::NothingToExplore).to_owned()));
        }
        let lines: String = leaves.iter().map(|leaf| format!("{}\n", leaf.position)).collect();
        self.output.write(&self.to, lines.as_bytes())?;
        let counts: [(&str, &dyn Display); 2] = [("file", &shown(&self.to)), ("positions", &leaves.len())];
        Ok(writeln!(out, "{}", language.say(Key::ExportedPositions, &counts))?)
    }
}
