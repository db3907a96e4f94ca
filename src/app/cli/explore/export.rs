//! `explore export` and `explore plan`: files for other programs.

use super::store::{StoreArgs, failed};
use crate::cli::game::GameArgs;
use crate::cli::language::NotationArgs;
use crate::cli::output::{OutputArgs, keep, shown};
use crate::cli::review::side;
use crate::cli::{Done, Failure};
use crate::output::{json, print_message};
use crate::translation::language;
use chuhe_board::words::Key;
use chuhe_board::{Position, Side};
use chuhe_engine::book::{BookMove, OwnBook, SqliteFormat};
use chuhe_games::explore::{Analysis, Choice, Extent, Selection, Store, Value};
use chuhe_games::records::{MAX_NODES, pgn};
use chuhe_games::review::JsonScore;
use clap::Args;
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Export {
    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    game: GameArgs,

    /// Output file; its suffix selects the form: .book, .obk, .xqb, .pgn or .jsonl
    #[arg(long, value_name = "FILE")]
    to: PathBuf,

    /// Maximum plies from the beginning [default: 20 for a tree, all positions for a book]
    #[arg(long, value_name = "N")]
    plies: Option<u32>,

    /// Maximum loss of a move in a tree, or on the way to a position in a book with --plies, in centipawns
    /// [default: 30]
    #[arg(long, value_name = "POINTS")]
    margin: Option<u32>,

    /// Apply --margin only to this side's moves, and include all explored moves of the other side
    #[arg(long, value_name = "SIDE", value_parser = side)]
    side: Option<Side>,

    /// Maximum number of moves in a tree, or of positions in a book with --plies [default: 10000]
    #[arg(long, value_name = "N")]
    moves_written: Option<usize>,

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
    lines: Vec<JsonExportedLine>,
}

#[derive(Serialize)]
struct JsonExportedLine {
    score: JsonScore,
    pv: [String; 1],
}

/// A position with its book moves.
type BookPosition = (Position, Vec<BookMove>);

impl Export {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let suffix = self.to.extension().map(|suffix| suffix.to_string_lossy().to_ascii_lowercase());
        let store = self.store.open()?;
        match suffix.as_deref() {
            Some("book") => self.book(&store, |book| Ok(OwnBook::of_positions(book).to_bytes()), out),
            Some("obk") => self.book(&store, |book| SqliteFormat::Obk.to_bytes(book), out),
            Some("xqb") => self.book(&store, |book| SqliteFormat::Xqb.to_bytes(book), out),
            Some("pgn") => self.tree(&store, out),
            Some("jsonl") => self.positions(&store, out),
            _ => Err(Failure::at(self.to.display(), "use a name that ends in .book, .obk, .xqb, .pgn or .jsonl")),
        }
    }

    fn extent(&self, plies: u32) -> Extent {
        Extent {
            plies,
            margin: self.margin.unwrap_or(30),
            side: self.side,
            moves: self.moves_written.unwrap_or(10_000),
        }
    }

    /// Refuses the options that only a tree or a book with `--plies` uses.
    fn refuse_extent(&self, reason: &str) -> Done {
        let options = [
            ("--margin", self.margin.is_some()),
            ("--side", self.side.is_some()),
            ("--moves-written", self.moves_written.is_some()),
            ("the position", self.game.is_given()),
        ];
        refuse(options, reason)
    }

    fn refuse_notation(&self) -> Done {
        refuse([("--notation", self.notation.is_given())], "applies only to .pgn")
    }

    fn book(&self, store: &Store, write: impl Fn(&[BookPosition]) -> io::Result<Vec<u8>>, out: &mut dyn Write) -> Done {
        self.refuse_notation()?;
        if self.plies.is_none() {
            self.refuse_extent("needs --plies; without it, a book contains all positions")?;
        }
        let game = self.store.game(store, &self.game)?;
        let within = self.plies.map(|plies| (game.position(), self.extent(plies)));
        let book = self.store.or_fail(store.book(within))?;
        let bytes = write(&book).map_err(|error| Failure::file(&self.to, &error))?;
        self.output.write(&self.to, &bytes)?;
        if self.plies.is_some() {
            self.report_limit(book.len(), usize::MAX);
        }
        let count = book.iter().flat_map(|(_, moves)| moves).filter(|entry| entry.weight > 0).count();
        self.tell(Key::ExportedMoves, "moves", count, out)
    }

    fn tree(&self, store: &Store, out: &mut dyn Write) -> Done {
        let game = self.store.game(store, &self.game)?;
        let record = self.store.or_fail(store.tree(game.position(), self.extent(self.plies.unwrap_or(20))))?;
        self.output.write(&self.to, pgn::write(&record, self.notation.form()).as_bytes())?;
        self.report_limit(record.tree.len(), MAX_NODES);
        self.tell(Key::ExportedMoves, "moves", record.tree.len(), out)
    }

    fn positions(&self, store: &Store, out: &mut dyn Write) -> Done {
        const ALL: &str = "has no effect, since a .jsonl file contains all positions";
        self.refuse_notation()?;
        refuse([("--plies", self.plies.is_some())], ALL)?;
        self.refuse_extent(ALL)?;
        let mut file = self.output.new_file(&self.to)?;
        let mut count = 0;
        {
            let mut writer = BufWriter::new(&mut file);
            self.store.or_fail(store.each(|analysis, value, below| {
                count += 1;
                let entry = JsonPosition::of(&analysis, value, below);
                json::write_line(&mut writer, &entry).map_err(|error| Failure::file(&self.to, &error))
            }))??;
            writer.flush().map_err(|error| Failure::file(&self.to, &error))?;
        }
        keep(file, &self.to)?;
        self.tell(Key::ExportedPositions, "positions", count, out)
    }

    /// Prints a message if an export ended at the maximum of `--moves-written`, or of its format.
    fn report_limit(&self, count: usize, most: usize) {
        let limit = self.extent(0).moves.min(most);
        if count >= limit {
            let file = shown(&self.to);
            print_message(format!("chuhe: {file}: the export ended at the maximum of {limit}; see --moves-written"));
        }
    }

    fn tell(&self, key: Key, name: &str, count: usize, out: &mut dyn Write) -> Done {
        let counts: [(&str, &dyn Display); 2] = [("file", &shown(&self.to)), (name, &count)];
        Ok(writeln!(out, "{}", language().say(key, &counts))?)
    }
}

/// Returns an error with this reason for the first option that was given.
fn refuse<const N: usize>(options: [(&str, bool); N], reason: &str) -> Done {
    match options.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(Failure::at(option, reason)),
        None => Ok(()),
    }
}

impl JsonPosition {
    fn of(analysis: &Analysis, value: Value, below: u64) -> JsonPosition {
        let mut scores = analysis.scores.clone();
        scores.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
        let line = |(mv, score): (chuhe_board::Move, i16)| JsonExportedLine {
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
        OutputArgs::refuse_inputs(&self.to, &[&self.store.database])?;
        let choice = if self.played { Choice::Played } else { Choice::Critical };
        let selection = Selection { roots: &[], count: self.leaves, plies: self.plies, choice };
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
