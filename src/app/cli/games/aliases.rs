//! `chuhe games aliases`: proposes names that may belong to the same player.

use crate::cli::gather::Gathering;
use crate::cli::input::typed_line;
use crate::cli::output::{change_own, shown};
use crate::cli::{Done, Failure};
use crate::output::plain;
use crate::translation::language;
use chuhe_board::words::{Key, Language};
use chuhe_engine::bytes::read_file;
use chuhe_games::names::{Aliases, Suggestion};
use chuhe_games::records::tags;
use clap::Args;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Maximum size of an alias file in bytes.
const MAX_FILE_BYTES: u64 = 1 << 24;

#[derive(Args)]
pub(super) struct Propose {
    /// Game files, folders of game files, and libraries
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,

    /// Ask about each spelling and add the confirmed ones to this file; without it, only print them
    #[arg(long, value_name = "FILE")]
    alias: Option<PathBuf>,

    /// Only this player; substring of a spelling, in traditional or simplified characters
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// Only players with at least this many games, counting all spellings
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,

    /// Add all proposals without asking
    #[arg(long, requires = "alias")]
    all: bool,
}

impl Propose {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let language = language();
        let known = self.alias.as_deref().map_or_else(|| Ok(Aliases::default()), read_aliases)?;
        let mut games = Gathering::of(&self.paths, language)?;
        let mut names: BTreeMap<String, u64> = BTreeMap::new();
        for game in games.by_ref() {
            let players = tags::PLAYERS.into_iter().filter_map(|tag| game.record.tag(tag));
            for name in players.map(str::trim).filter(|name| !name.is_empty()) {
                *names.entry(name.to_owned()).or_default() += 1;
            }
        }
        let readable = games.end();
        let proposed = known.suggest(names.iter().map(|(name, games)| (name.as_str(), *games)));
        let proposed = proposed.into_iter().filter(|found| found.games >= self.min_games && self.has(found, &known));
        let confirmed = if self.alias.is_some() && !self.all {
            ask(proposed, language, out)?
        } else {
            let lines: Vec<String> = proposed.map(|found| line(&found.name, &found.spellings)).collect();
            lines.iter().try_for_each(|line| writeln!(out, "{}", plain(line.clone())))?;
            lines
        };
        if let Some(path) = self.alias.as_deref().filter(|_| !confirmed.is_empty()) {
            add(path, &confirmed)?;
            let told = language.say(Key::AliasesAdded, &[("count", &confirmed.len()), ("file", &shown(path))]);
            writeln!(out, "{told}")?;
        }
        readable
    }

    /// Returns `true` if a spelling of the player contains the name of `--player`.
    fn has(&self, found: &Suggestion, known: &Aliases) -> bool {
        let mut spellings = found.spellings.iter().chain([&found.name]);
        self.player.as_ref().is_none_or(|wanted| spellings.any(|spelling| known.is_part(wanted, spelling)))
    }
}

/// Asks about each spelling separately, and returns the lines for the confirmed ones.
fn ask(
    proposed: impl Iterator<Item = Suggestion>,
    language: Language,
    out: &mut dyn Write,
) -> Result<Vec<String>, Failure> {
    let mut confirmed = Vec::new();
    for Suggestion { name, spellings, .. } in proposed {
        let mut same = Vec::new();
        for spelling in spellings {
            writeln!(out, "{}", plain(line(&name, std::slice::from_ref(&spelling))))?;
            write!(out, "{} ", language.word(Key::OnePlayer))?;
            out.flush()?;
            match typed_line().as_deref().map(|answer| answer.trim().to_lowercase()).as_deref() {
                Some("y" | "yes" | "是") => same.push(spelling),
                Some(_) => {}
                None => {
                    confirmed.extend((!same.is_empty()).then(|| line(&name, &same)));
                    return Ok(confirmed);
                }
            }
        }
        confirmed.extend((!same.is_empty()).then(|| line(&name, &same)));
    }
    Ok(confirmed)
}

/// Returns a line of an alias file.
fn line(name: &str, spellings: &[String]) -> String {
    format!("{name} = {}", spellings.join("; "))
}

/// Returns the aliases in a file; none if the file does not exist.
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
