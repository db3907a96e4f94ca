//! `chuhe games aliases`: proposes names that may belong to the same player.

use crate::cli::gather::Gathering;
use crate::cli::input::typed_line;
use crate::cli::output::{change_own, shown};
use crate::cli::{Done, Failure};
use crate::output::plain;
use crate::translation::language;
use chuhe_board::words::Key;
use chuhe_engine::bytes::read_file;
use chuhe_games::names::Aliases;
use chuhe_games::records::tags;
use clap::Args;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Maximum size of an alias file in bytes.
const MAX_FILE_BYTES: u64 = 1 << 24;

#[derive(Args)]
pub(super) struct Propose {
    /// Game files, folders of them, and libraries
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,

    /// Ask about each proposal and add the confirmed ones to this file; without it, only print them
    #[arg(long, value_name = "FILE")]
    alias: Option<PathBuf>,

    /// Add all proposals without asking
    #[arg(long, requires = "alias")]
    all: bool,
}

impl Propose {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let language = language();
        let known = self.alias.as_deref().map_or_else(|| Ok(Aliases::default()), read_aliases)?;
        let mut games = Gathering::of(&self.paths, language)?;
        let mut names = BTreeSet::new();
        for game in games.by_ref() {
            let players = tags::PLAYERS.into_iter().filter_map(|tag| game.record.tag(tag));
            names.extend(players.map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned));
        }
        let readable = games.end();
        let mut confirmed = Vec::new();
        for (name, spellings) in known.suggest(names.iter().map(String::as_str)) {
            let line = format!("{name} = {}", spellings.join("; "));
            writeln!(out, "{}", plain(line.clone()))?;
            if self.alias.is_some() && !self.all {
                write!(out, "{} ", language.word(Key::OnePlayer))?;
                out.flush()?;
                match typed_line().as_deref().map(|answer| answer.trim().to_lowercase()).as_deref() {
                    Some("y" | "yes" | "是") => {}
                    Some(_) => continue,
                    None => break,
                }
            }
            confirmed.push(line);
        }
        if let Some(path) = self.alias.as_deref().filter(|_| !confirmed.is_empty()) {
            add(path, &confirmed)?;
            let told = language.say(Key::AliasesAdded, &[("count", &confirmed.len()), ("file", &shown(path))]);
            writeln!(out, "{told}")?;
        }
        readable
    }
}

/// Returns the aliases of a file, which may not exist yet.
fn read_aliases(path: &Path) -> Result<Aliases, Failure> {
    match read_file(path, MAX_FILE_BYTES) {
        Ok(bytes) => parsed(path, &bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Aliases::default()),
        Err(error) => Err(Failure::file(path, &error)),
    }
}

fn parsed(path: &Path, bytes: &[u8]) -> Result<Aliases, Failure> {
    let text = std::str::from_utf8(bytes).map_err(|error| Failure::at(path.display(), error))?;
    Aliases::read(text).map_err(|error| Failure::at(path.display(), error))
}

/// Appends lines to a file.
fn add(path: &Path, lines: &[String]) -> Done {
    change_own(path, MAX_FILE_BYTES, |mut bytes| {
        if !bytes.is_empty() && !bytes.ends_with(b"\n") {
            bytes.push(b'\n');
        }
        lines.iter().for_each(|line| bytes.extend_from_slice(format!("{line}\n").as_bytes()));
        parsed(path, &bytes).map(|_| bytes)
    })
}
