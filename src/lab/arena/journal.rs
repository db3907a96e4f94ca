//! Files of a match, which are written after every game and read by `--resume`.

use super::end_reason::GameEndReason;
use super::error::{Difference, Error, LineError};
use super::played::Played;
use super::standings::Standings;
use crate::output::json;
use chuhe_board::notation::Form;
use chuhe_board::rules::{BadGame, Game};
use chuhe_board::{Move, Position};
use chuhe_engine::bytes::{MAX_FILE, read_file, read_open, replace_file};
use chuhe_games::records::{Record, pgn, tags};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Folder of a match: `games.jsonl` (the primary data), `games.pgn`, `summary.json`, `elo.svg`, `logs/`.
#[derive(Debug)]
pub(crate) struct Journal {
    folder: PathBuf,
    /// File `games.jsonl`, locked during the match.
    lines: File,
    /// File `games.pgn`; closed after the games have been sorted, because Windows does not allow replacing
    /// open files.
    pgn: Option<File>,
    plan: Plan,
    form: Form,
}

/// First line of `games.jsonl`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JournalHeader {
    /// Version of the file format.
    pub chuhe_match: u32,
    /// Settings that must be the same in all games of a match, one per line.
    pub settings: Vec<String>,
    /// Further settings that must be the same, one line per player. Journals of versions up to 0.2.0 do not
    /// contain them; they are resumed with any values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player_details: Option<Vec<String>>,
    /// Other data for records and tables. Journals of older versions do not contain them.
    #[serde(default)]
    pub plan: Plan,
}

/// Version of `games.jsonl`.
pub const VERSION: u32 = 1;

/// Players, number of games, and tags.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Plan {
    /// Name and limit of each player.
    pub players: Vec<(String, String)>,
    /// The first player plays against each of the others, instead of a round-robin.
    pub gauntlet: bool,
    /// Games per pairing.
    pub games: u32,
    /// Number of openings.
    pub openings: usize,
    /// Value of the tag `Event`.
    pub event: String,
    /// Notation of moves, as in the tag `Format`.
    pub form: String,
}

impl Plan {
    /// Returns the players' names in order.
    pub fn names(&self) -> Vec<String> {
        self.players.iter().map(|(name, _)| name.clone()).collect()
    }
}

/// Name of the file that contains the games.
const GAMES: &str = "games.jsonl";

/// Names of the other files and folders, which a new match must not overwrite.
const WRITTEN: [&str; 4] = ["games.pgn", "summary.json", "elo.svg", "logs"];

impl Journal {
    /// Starts a match in a folder, or continues the match that the folder contains. Returns the existing
    /// games.
    ///
    /// # Errors
    /// Returns an error if the folder contains a match and `resume` is `false`, if it contains a different
    /// match, if another run is writing to it, if the folder of a new match contains other files of the same
    /// names, or if files cannot be written or read.
    pub(crate) fn open(folder: &Path, head: &JournalHeader, resume: bool) -> Result<(Journal, Vec<Played>), Error> {
        let path = folder.join(GAMES);
        let form = Form::ALL.into_iter().find(|form| form.tag() == head.plan.form).ok_or_else(|| {
            let error = format!("unknown notation {:?}", head.plan.form);
            Error::Head { path: path.clone(), error: serde::de::Error::custom(error) }
        })?;
        std::fs::create_dir_all(folder).map_err(|error| Error::file(folder, error))?;
        // The file is not opened for appending, because Windows does not allow truncating such files.
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut lines = options.map_err(|error| Error::file(&path, error))?;
        // Some file systems do not support locks.
        if let Err(TryLockError::WouldBlock) = lines.try_lock() {
            return Err(Error::Locked(folder.to_owned()));
        }
        let mut games = Vec::new();
        if lines.metadata().map_err(|error| Error::file(&path, error))?.len() == 0 {
            // Files of these names do not belong to a match, since there is no journal.
            if let Some(name) = WRITTEN.iter().find(|name| folder.join(name).exists()) {
                let _ = std::fs::remove_file(&path);
                return Err(Error::Taken(folder.join(name)));
            }
            json::write_line(&mut lines, head).map_err(|error| Error::file(&path, error))?;
        } else if resume {
            let text = read_open(&lines, MAX_FILE).map_err(|error| Error::file(&path, error))?;
            let found = read_journal(&path, &text)?;
            let same = found.head.is_of_the_same_match(head);
            same.map_err(|difference| Error::OtherMatch { path: path.clone(), difference })?;
            // A killed run may have left an incomplete line.
            let cut = lines.set_len(found.whole_bytes).and_then(|()| lines.seek(SeekFrom::End(0)));
            cut.map_err(|error| Error::file(&path, error))?;
            games = found.games;
        } else {
            return Err(Error::Exists(folder.to_owned()));
        }
        let pgn_path = folder.join("games.pgn");
        let pgn = File::create(&pgn_path).map_err(|error| Error::file(&pgn_path, error))?;
        let mut journal =
            Journal { folder: folder.to_path_buf(), lines, pgn: Some(pgn), plan: head.plan.clone(), form };
        for game in &games {
            journal.write_pgn(game).map_err(|error| Error::file(&pgn_path, error))?;
        }
        Ok((journal, games))
    }

    /// Reads the header and the games in a folder without changing it.
    ///
    /// # Errors
    /// Returns an error if there is no match, or if it cannot be read.
    pub(crate) fn read(folder: &Path) -> Result<(JournalHeader, Vec<Played>), Error> {
        let path = folder.join(GAMES);
        let text = read_file(&path, MAX_FILE).map_err(|error| Error::file(&path, error))?;
        let found = read_journal(&path, &text)?;
        Ok((found.head, found.games))
    }

    /// Adds a game, and its transcript if there is one.
    ///
    /// # Errors
    /// Returns the system error.
    pub(crate) fn add(&mut self, game: &Played, transcript: Option<&str>) -> std::io::Result<()> {
        if let Some(transcript) = transcript {
            let logs = self.folder.join("logs");
            std::fs::create_dir_all(&logs)?;
            std::fs::write(logs.join(format!("game-{:05}.log", game.game)), transcript)?;
        }
        json::write_line(&mut self.lines, game)?;
        self.write_pgn(game)
    }

    /// Writes the transcript of a failed start; a later transcript of the same player replaces it.
    ///
    /// # Errors
    /// Returns the system error.
    pub(crate) fn keep_start(&self, player: &str, transcript: &str) -> std::io::Result<()> {
        let logs = self.folder.join("logs");
        std::fs::create_dir_all(&logs)?;
        let name: String = player.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect();
        std::fs::write(logs.join(format!("start-{name}.log")), transcript)
    }

    fn write_pgn(&mut self, game: &Played) -> std::io::Result<()> {
        let text = pgn::write(&self.record(game), self.form);
        let pgn = match &mut self.pgn {
            Some(pgn) => pgn,
            None => self.pgn.insert(OpenOptions::new().append(true).open(self.folder.join("games.pgn"))?),
        };
        pgn.write_all(text.as_bytes())
    }

    /// Replaces a file in the folder atomically.
    ///
    /// # Errors
    /// Returns the system error.
    fn replace(&self, name: &str, text: &str) -> std::io::Result<()> {
        replace_file(&self.folder.join(name), text.as_bytes())
    }

    /// Writes `summary.json` and `elo.svg`.
    ///
    /// # Errors
    /// Returns the system error.
    pub(crate) fn write_standings(&self, standings: &Standings) -> std::io::Result<()> {
        let summary = serde_json::to_string_pretty(&standings.summary())?;
        self.replace("summary.json", &(summary + "\n"))?;
        self.replace("elo.svg", &standings.plot())
    }

    /// Rewrites `games.pgn` in the order of the plan, since concurrent games may end in any order.
    ///
    /// # Errors
    /// Returns the system error.
    pub(crate) fn sort_pgn(&mut self, games: &[Played]) -> std::io::Result<()> {
        let mut order: Vec<&Played> = games.iter().collect();
        order.sort_by_key(|game| game.game);
        let text: String = order.into_iter().map(|game| pgn::write(&self.record(game), self.form)).collect();
        self.pgn = None;
        self.replace("games.pgn", &text)
    }

    /// Converts a game to a PGN record.
    fn record(&self, game: &Played) -> Record {
        let limit =
            |name: &str| self.plan.players.iter().find(|(player, _)| player == name).map_or("?", |(_, limit)| limit);
        let (red, black) = (limit(&game.red), limit(&game.black));
        let mut tags = vec![
            (tags::EVENT.to_string(), self.plan.event.clone()),
            (tags::SITE.to_string(), "?".to_string()),
            (tags::DATE.to_string(), game.date.clone()),
            (tags::ROUND.to_string(), game.game.to_string()),
            (tags::RED.to_string(), game.red.clone()),
            (tags::BLACK.to_string(), game.black.clone()),
        ];
        if red == black {
            tags.push((tags::TIME_CONTROL.to_string(), red.to_string()));
        } else {
            tags.push((tags::RED_TIME_CONTROL.to_string(), red.to_string()));
            tags.push((tags::BLACK_TIME_CONTROL.to_string(), black.to_string()));
        }
        tags.push((tags::TERMINATION.to_string(), game.reason.to_string()));
        if !game.detail.is_empty() {
            tags.push((tags::ANNOTATION.to_string(), game.detail.clone()));
        }
        tags.push((tags::PLY_COUNT.to_string(), game.moves.len().to_string()));
        let moves = game.moves_with_thoughts().filter_map(|(text, spoken)| {
            let comment = spoken.map_or("opening".to_string(), |spoken| {
                let score = spoken.score.as_deref().unwrap_or("");
                let depth = spoken.depth.map_or(String::new(), |depth| format!("/{depth}"));
                let nodes = spoken.nodes.map_or(String::new(), |nodes| format!(" {nodes}n"));
                format!("{score}{depth} {:.3}s{nodes}", spoken.microseconds as f64 / 1e6)
            });
            Some((text.parse::<Move>().ok()?, comment))
        });
        let start = game.fen.parse().unwrap_or_else(|_| Position::start());
        Record { tags, result: game.result, ..Record::of_line(start, moves) }
    }
}

impl JournalHeader {
    /// Checks that games with the two headers belong to the same match.
    ///
    /// # Errors
    /// Returns the first difference.
    pub(crate) fn is_of_the_same_match(&self, other: &JournalHeader) -> Result<(), Difference> {
        let is_comparable = self.chuhe_match == other.chuhe_match && self.settings.len() == other.settings.len();
        let details = self.player_details.iter().zip(&other.player_details);
        let details = details.flat_map(|(old, new)| old.iter().zip(new));
        let mut pairs = self.settings.iter().zip(&other.settings).chain(details);
        match pairs.find(|(old, new)| old != new) {
            Some((old, new)) => Err(Difference::Setting(old.clone(), new.clone())),
            None if is_comparable => Ok(()),
            None => Err(Difference::Version),
        }
    }

    /// Checks that a game can belong to this match: its players must be in the match and its moves must be
    /// legal.
    fn is_playable(&self, game: &Played) -> Result<(), LineError> {
        let stranger =
            [&game.red, &game.black].into_iter().find(|name| self.plan.players.iter().all(|(own, _)| own != *name));
        if let Some(name) = stranger {
            return Err(LineError::Stranger { game: game.game, name: name.clone() });
        }
        let illegal = |error| LineError::Illegal { game: game.game, error };
        let mut replayed = Game::from_fen(&game.fen).map_err(BadGame::Start).map_err(illegal)?;
        replayed.play_text(game.moves.iter().map(String::as_str)).map_err(BadGame::Move).map_err(illegal)
    }
}

/// Content of a journal.
struct Contents {
    head: JournalHeader,
    games: Vec<Played>,
    /// Length of the file without an incomplete last line.
    whole_bytes: u64,
}

/// Parses a journal. Drops an incomplete last line, which a killed run may leave.
fn read_journal(path: &Path, text: &[u8]) -> Result<Contents, Error> {
    let mut lines = text.split_inclusive(|byte| *byte == b'\n').enumerate();
    let (_, first) = lines.next().unwrap_or_default();
    let head: JournalHeader =
        serde_json::from_slice(first).map_err(|error| Error::Head { path: path.to_owned(), error })?;
    let (mut games, mut numbers, mut whole_bytes) = (Vec::<Played>::new(), HashSet::new(), first.len());
    for (index, line) in lines {
        let damaged = |error| Error::Line { path: path.to_owned(), line: index + 1, error };
        match serde_json::from_slice::<Played>(line) {
            // A line without a line ending would merge with the next line.
            _ if !line.ends_with(b"\n") => break,
            // Older versions counted a failed start as a loss; such a game is played again.
            Ok(game) if game.reason == GameEndReason::NoStart => {}
            Ok(game) if numbers.insert(game.game) => {
                head.is_playable(&game).map_err(damaged)?;
                games.push(game);
            }
            Ok(game) => return Err(damaged(LineError::Twice(game.game))),
            Err(error) => return Err(damaged(error.into())),
        }
        whole_bytes += line.len();
    }
    Ok(Contents { head, games, whole_bytes: whole_bytes as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_with_an_unknown_notation_is_refused() {
        let plan = Plan { form: "morse".to_owned(), ..Plan::default() };
        let head = JournalHeader { chuhe_match: VERSION, settings: Vec::new(), player_details: None, plan };
        let folder = std::env::temp_dir().join(format!("chuhe-journal-{}", std::process::id()));
        let refused = Journal::open(&folder, &head, false).expect_err("the notation is unknown");
        assert!(refused.to_string().ends_with("unknown notation \"morse\""), "{refused}");
        assert!(!folder.exists());
    }

    #[test]
    fn files_that_are_not_of_a_match_are_not_overwritten() {
        let plan = Plan { form: Form::Iccs.tag().to_owned(), ..Plan::default() };
        let head = JournalHeader { chuhe_match: VERSION, settings: Vec::new(), player_details: None, plan };
        let folder = std::env::temp_dir().join(format!("chuhe-journal-files-{}", std::process::id()));
        for (name, resume) in WRITTEN.into_iter().flat_map(|name| [(name, false), (name, true)]) {
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::write(folder.join(name), "mine").expect("a file");
            let refused = Journal::open(&folder, &head, resume).expect_err("the name is in use");
            assert!(matches!(&refused, Error::Taken(path) if path.ends_with(name)), "{refused}");
            assert_eq!(std::fs::read(folder.join(name)).expect("the file"), b"mine");
            assert!(!folder.join(GAMES).exists());
            std::fs::remove_dir_all(&folder).expect("the folder");
        }
        drop(Journal::open(&folder, &head, false).expect("a new match"));
        drop(Journal::open(&folder, &head, true).expect("the match goes on"));
        std::fs::remove_dir_all(&folder).expect("the folder");
    }

    #[test]
    fn a_match_is_resumed_only_with_the_same_settings_of_its_players() {
        let header = |settings: &str| {
            let player: super::super::player::Player = settings.parse().expect("a player");
            JournalHeader {
                chuhe_match: VERSION,
                settings: vec![player.description()],
                player_details: Some(vec![player.details()]),
                plan: Plan::default(),
            }
        };
        let stored = header("cmd=self,name=a,nodes=100");
        assert_eq!(stored.is_of_the_same_match(&header("cmd=self,name=a,nodes=100,pawn=80")), Ok(()));
        for other in
            ["nodes=101", "nodes=100,dir=/tmp", "nodes=100,patience=9", "nodes=100,margin=9", "nodes=100,unit=s"]
        {
            let other = header(&format!("cmd=self,name=a,{other}"));
            assert!(matches!(stored.is_of_the_same_match(&other), Err(Difference::Setting(..))), "{other:?}");
        }
        // The first versions did not store all settings.
        let text = serde_json::to_string(&stored).expect("text");
        let old = serde_json::to_string(&JournalHeader { player_details: None, ..stored.clone() }).expect("text");
        assert!(text.contains("player_details") && !old.contains("player_details"));
        let old: JournalHeader = serde_json::from_str(&old).expect("a header");
        assert_eq!(old.is_of_the_same_match(&header("cmd=self,name=a,nodes=100,dir=/tmp")), Ok(()));
        let fewer = JournalHeader { settings: Vec::new(), ..stored.clone() };
        assert_eq!(fewer.is_of_the_same_match(&stored), Err(Difference::Version));
    }
}
