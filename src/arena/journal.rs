//! The files of a match: written after every game, read again by a run that goes on.

use super::play::Played;
use crate::board::{Move, Position};
use crate::bytes::{LONGEST_FILE, read_file};
use crate::notation::Form;
use crate::output::json;
use crate::records::{GameResult, Record, pgn};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A folder with the games of a match: `games.jsonl` (the truth), `games.pgn`, `summary.json`, `elo.svg`, `logs/`.
#[derive(Debug)]
pub struct Journal {
    folder: PathBuf,
    lines: File,
    pgn: File,
    event: String,
    limits: Vec<(String, String)>,
    form: Form,
}

/// The first line of `games.jsonl`: what must be the same for games to be of one match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Head {
    /// The version of the file's form.
    pub chuhe_match: u32,
    /// One setting a line.
    pub settings: Vec<String>,
}

/// The version of `games.jsonl`.
pub const VERSION: u32 = 1;

/// What games are called and how they are written.
#[derive(Clone, PartialEq, Debug)]
pub struct Style {
    /// The tag `Event`.
    pub event: String,
    /// Each player's name and limit, for the tags of time controls.
    pub limits: Vec<(String, String)>,
    /// How moves are written.
    pub form: Form,
}

impl Journal {
    /// Begins a match in a folder that has none, or goes on with the one that it has. Returns the games that it holds.
    ///
    /// # Errors
    /// One line: the folder has a match and `resume` was not asked; it has another match; the files can't be written or read.
    pub fn open(folder: &Path, head: &Head, style: Style, resume: bool) -> Result<(Journal, Vec<Played>), String> {
        let say = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
        std::fs::create_dir_all(folder).map_err(|error| say(folder, error))?;
        let path = folder.join("games.jsonl");
        let mut games = Vec::new();
        if path.exists() && std::fs::metadata(&path).is_ok_and(|file| file.len() > 0) {
            if !resume {
                return Err(format!(
                    "{} holds a match: --resume goes on with it, --out FOLDER begins another",
                    folder.display()
                ));
            }
            games = read_games(&path, head)?;
        }
        // Written anew, so that a torn last line is gone.
        let fresh = folder.join("games.jsonl.new");
        let mut lines = File::create(&fresh).map_err(|error| say(&fresh, error))?;
        json::write_line(&mut lines, head).map_err(|error| say(&fresh, error))?;
        for game in &games {
            json::write_line(&mut lines, game).map_err(|error| say(&fresh, error))?;
        }
        std::fs::rename(&fresh, &path).map_err(|error| say(&path, error))?;
        let lines = OpenOptions::new().append(true).open(&path).map_err(|error| say(&path, error))?;
        let pgn_path = folder.join("games.pgn");
        let Style { event, limits, form } = style;
        let pgn = File::create(&pgn_path).map_err(|error| say(&pgn_path, error))?;
        let mut journal = Journal { folder: folder.to_path_buf(), lines, pgn, event, limits, form };
        for game in &games {
            journal.write_pgn(game).map_err(|error| say(&pgn_path, error))?;
        }
        Ok((journal, games))
    }

    /// Where the files are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds a game, and its transcript if there is one.
    ///
    /// # Errors
    /// What the system says.
    pub fn add(&mut self, game: &Played, transcript: Option<&str>) -> std::io::Result<()> {
        if let Some(transcript) = transcript {
            let logs = self.folder.join("logs");
            std::fs::create_dir_all(&logs)?;
            std::fs::write(logs.join(format!("game-{:05}.log", game.game)), transcript)?;
        }
        json::write_line(&mut self.lines, game)?;
        self.write_pgn(game)
    }

    fn write_pgn(&mut self, game: &Played) -> std::io::Result<()> {
        self.pgn.write_all(pgn::write(&self.record(game), self.form).as_bytes())
    }

    /// Replaces a file of the folder as a whole: whoever reads it sees the old or the new one.
    ///
    /// # Errors
    /// What the system says.
    pub fn replace(&self, name: &str, text: &str) -> std::io::Result<()> {
        let fresh = self.folder.join(format!("{name}.new"));
        std::fs::write(&fresh, text)?;
        std::fs::rename(fresh, self.folder.join(name))
    }

    /// Writes `games.pgn` in the order of the plan: games that ran side by side end in any order.
    ///
    /// # Errors
    /// What the system says.
    pub fn sort_pgn(&self, games: &[Played]) -> std::io::Result<()> {
        let mut order: Vec<&Played> = games.iter().collect();
        order.sort_by_key(|game| game.game);
        let text: String = order.into_iter().map(|game| pgn::write(&self.record(game), self.form)).collect();
        self.replace("games.pgn", &text)
    }

    /// A game as PGN.
    fn record(&self, game: &Played) -> Record {
        let limit = |name: &str| self.limits.iter().find(|(player, _)| player == name).map_or("?", |(_, limit)| limit);
        let (red, black) = (limit(&game.red), limit(&game.black));
        let mut tags = vec![
            ("Event".to_string(), self.event.clone()),
            ("Site".to_string(), "?".to_string()),
            ("Date".to_string(), game.date.clone()),
            ("Round".to_string(), game.game.to_string()),
            ("Red".to_string(), game.red.clone()),
            ("Black".to_string(), game.black.clone()),
        ];
        if red == black {
            tags.push(("TimeControl".to_string(), red.to_string()));
        } else {
            tags.push(("RedTimeControl".to_string(), red.to_string()));
            tags.push(("BlackTimeControl".to_string(), black.to_string()));
        }
        tags.push(("Termination".to_string(), game.reason.clone()));
        if !game.detail.is_empty() {
            tags.push(("Annotation".to_string(), game.detail.clone()));
        }
        tags.push(("PlyCount".to_string(), game.moves.len().to_string()));
        let moves = game.moves.iter().filter_map(|text| text.parse::<Move>().ok()).enumerate().map(|(at, mv)| {
            let Some(spoken) = at.checked_sub(game.opening_plies).and_then(|at| game.thoughts.get(at)) else {
                return (mv, "opening".to_string());
            };
            let score = spoken.score.as_deref().unwrap_or("");
            let depth = spoken.depth.map_or(String::new(), |depth| format!("/{depth}"));
            let nodes = spoken.nodes.map_or(String::new(), |nodes| format!(" {nodes}n"));
            (mv, format!("{score}{depth} {:.3}s{nodes}", spoken.us as f64 / 1e6))
        });
        let start = game.fen.parse().unwrap_or_else(|_| Position::start());
        let result = GameResult::read(game.result.text());
        Record { tags, result, ..Record::of_line(start, moves) }
    }
}

/// The games of a journal. A torn last line, as a killed run may leave it, is dropped.
fn read_games(path: &Path, head: &Head) -> Result<Vec<Played>, String> {
    let bytes = read_file(path, LONGEST_FILE).map_err(|error| format!("{}: {error}", path.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.split_inclusive('\n').enumerate();
    let first = lines.next().map_or("", |(_, line)| line);
    let found: Head = serde_json::from_str(first).map_err(|error| format!("{}: line 1: {error}", path.display()))?;
    if found != *head {
        let difference = found.settings.iter().zip(&head.settings).find(|(old, new)| old != new);
        let difference = difference.map_or("another version or number of settings".to_string(), |(old, new)| {
            format!("{old:?} there, {new:?} now")
        });
        return Err(format!("{}: this is another match: {difference}", path.display()));
    }
    let (mut games, mut numbers) = (Vec::<Played>::new(), HashSet::new());
    for (index, line) in lines {
        match serde_json::from_str::<Played>(line) {
            Ok(game) if numbers.insert(game.game) => games.push(game),
            Ok(game) => {
                return Err(format!("{}: line {}: game {} stands there twice", path.display(), index + 1, game.game));
            }
            Err(_) if !line.ends_with('\n') => {}
            Err(error) => return Err(format!("{}: line {}: {error}", path.display(), index + 1)),
        }
    }
    Ok(games)
}
