//! `explore add`: results of `chuhe analyze --json`, and other position databases.

use super::store::{StoreArgs, failed};
use crate::cli::input::read_text;
use crate::cli::output::shown;
use crate::cli::rules::RuleSetParser;
use crate::cli::{Done, Failure, interrupt};
use crate::output::{Progress, print_message};
use crate::translation::language;
use chuhe_board::rules::RuleSet;
use chuhe_board::words::Key;
use chuhe_board::{Move, Position};
use chuhe_games::explore::{Added, Analysis, Store, is_explored, stored};
use chuhe_games::review::JsonScore;
use clap::Args;
use serde::Deserialize;
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

/// Number of positions per transaction.
const BATCH: usize = 500;

#[derive(Args)]
pub(super) struct Add {
    #[command(flatten)]
    store: StoreArgs,

    /// Files of JSON lines, as written by `chuhe analyze --json`, and position databases
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Name of the engine that produced the JSON lines
    #[arg(long, value_name = "NAME", default_value = concat!("Chuhe ", env!("CARGO_PKG_VERSION")))]
    engine: String,

    /// Repetition rules of a new database [default: asian]
    #[arg(long, value_parser = RuleSetParser)]
    rules: Option<RuleSet>,
}

/// A line of `chuhe analyze --json`; other fields are ignored.
#[derive(Deserialize)]
struct JsonAnalysis {
    fen: String,
    #[serde(default)]
    depth: u32,
    #[serde(default)]
    nodes: u64,
    #[serde(default)]
    lines: Vec<JsonAnalysedLine>,
    /// Name of the engine; only in lines of `chuhe explore export`.
    engine: Option<String>,
}

#[derive(Deserialize)]
struct JsonAnalysedLine {
    score: JsonScore,
    pv: Vec<String>,
}

impl Add {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let path = &self.store.database;
        let mut store = self.store.or_fail(Store::open_to_add(path, self.rules, None))?;
        let bar = Progress::endless("positions");
        let mut damaged = Ok(());
        for file in &self.files {
            let mut batch = Batch { store: &mut store, path, bar: &bar, waiting: Vec::new(), added: Added::default() };
            if is_explored(file) {
                let other = Store::open(file).map_err(|error| failed(file, &error))?;
                other.each(|analysis, _, _| batch.add(analysis)).map_err(|error| failed(file, &error))??;
            } else if self.read(file, &mut batch)? > 0 {
                damaged = Err(Failure::Check);
            }
            batch.write()?;
            let Added { new, better, known } = batch.added;
            let name = shown(file);
            let counts: [(&str, &dyn Display); 4] =
                [("file", &name), ("new", &new), ("better", &better), ("known", &known)];
            let text = language().say(Key::ExploredAdded, &counts);
            bar.aside(|| writeln!(out, "{text}"))?;
            if interrupt::flag().load(Relaxed) {
                break;
            }
        }
        drop(bar);
        damaged
    }

    /// Adds the lines in a file. Returns the number of lines that are not analyses, such as positions without
    /// legal moves and error lines of `chuhe analyze`.
    fn read(&self, file: &Path, batch: &mut Batch) -> Result<usize, Failure> {
        let (text, mut unread) = (read_text(file)?, 0);
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match self.analysis(line) {
                Some(analysis) => batch.add(analysis)?,
                None => unread += 1,
            }
        }
        if unread > 0 {
            let counts: [(&str, &dyn Display); 2] = [("file", &shown(file)), ("count", &unread)];
            print_message(language().say(Key::LinesUnread, &counts));
        }
        Ok(unread)
    }

    fn analysis(&self, line: &str) -> Option<Analysis> {
        let read: JsonAnalysis = serde_json::from_str(line).ok()?;
        let position: Position = read.fen.parse().ok()?;
        let scored = |line: &JsonAnalysedLine| {
            let mv: Move = line.pv.first()?.parse().ok()?;
            position.is_legal(mv).then(|| (mv, stored(line.score.score())))
        };
        let scores: Vec<(Move, i16)> = read.lines.iter().map(scored).collect::<Option<_>>()?;
        let engine = read.engine.unwrap_or_else(|| self.engine.clone());
        (!scores.is_empty()).then_some(Analysis { position, scores, engine, nodes: read.nodes, depth: read.depth })
    }
}

/// Analyses to be added in one transaction.
struct Batch<'b> {
    store: &'b mut Store,
    path: &'b Path,
    bar: &'b Progress,
    waiting: Vec<Analysis>,
    added: Added,
}

impl Batch<'_> {
    fn add(&mut self, analysis: Analysis) -> Done {
        self.waiting.push(analysis);
        if self.waiting.len() < BATCH { Ok(()) } else { self.write() }
    }

    fn write(&mut self) -> Done {
        let Added { new, better, known } = self.store.add(&self.waiting).map_err(|error| failed(self.path, &error))?;
        self.added.new += new;
        self.added.better += better;
        self.added.known += known;
        self.bar.advance(self.waiting.len() as u64);
        self.waiting.clear();
        Ok(())
    }
}
