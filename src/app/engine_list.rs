//! The user's list of external engines for the board, and the trial of an engine.

use crate::players;
use chuhe_board::rules::Game;
use chuhe_board::{Move, Position};
use chuhe_engine::bytes::{read_file, update_file};
use chuhe_engine::protocol::Dialect;
use chuhe_lab::arena::claim::Claim;
use chuhe_lab::arena::client::{Client, Session};
use chuhe_lab::arena::dialect::{Answer, Clocks};
use chuhe_lab::arena::error::SettingError;
use chuhe_lab::arena::fault::NoAnswer;
use chuhe_lab::arena::offer::Warning;
use chuhe_lab::arena::player::{Limit, Player, PlayerSettings};
use chuhe_lab::arena::transcript::Transcript;
use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use thiserror::Error;

/// Maximum size of the list in bytes.
const MAX_LIST: u64 = 1 << 20;

/// The list, a file in the user's configuration folder.
#[derive(Clone, Debug)]
pub(crate) struct EngineList(PathBuf);

/// Reason why the list cannot be read or changed.
#[derive(Debug, Error)]
pub(crate) enum ListError {
    /// The system does not specify a home folder for the user.
    #[error("the user's folder: {0}")]
    Home(#[from] etcetera::HomeDirError),
    /// The file cannot be read or written.
    #[error("{path}: {1}", path = .0.display())]
    File(PathBuf, io::Error),
    /// The file is not a list of engines, with the reason.
    #[error("{path}: {1}", path = .0.display())]
    Text(PathBuf, String),
    /// Another engine already has this name.
    #[error("an engine named {0} already exists")]
    Taken(String),
    /// No engine has this name.
    #[error("no engine is named {0}; chuhe engines list shows all")]
    Unknown(String),
}

impl From<io::Error> for ListError {
    fn from(error: io::Error) -> ListError {
        ListError::File(PathBuf::new(), error)
    }
}

/// Content of the file, in the format of a match file.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Content {
    #[serde(deserialize_with = "players::players", serialize_with = "as_texts")]
    engine: Vec<PlayerSettings>,
}

fn as_texts<S: serde::Serializer>(engines: &[PlayerSettings], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(engines.iter().map(ToString::to_string))
}

impl EngineList {
    /// Returns the list of the user; the file may not exist yet.
    ///
    /// # Errors
    /// Returns an error if the system does not specify a home folder for the user.
    pub(crate) fn of_user() -> Result<EngineList, ListError> {
        Ok(EngineList(etcetera::choose_base_strategy()?.config_dir().join("chuhe").join("engines.toml")))
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Reads the engines; none if the file does not exist.
    ///
    /// # Errors
    /// Returns an error if an existing file cannot be read or is not a list of engines.
    pub(crate) fn read(&self) -> Result<Vec<Player>, ListError> {
        match read_file(&self.0, MAX_LIST) {
            Ok(bytes) => self.parse(&bytes).map(|(_, players)| players),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(ListError::File(self.0.clone(), error)),
        }
    }

    /// Adds an engine.
    ///
    /// # Errors
    /// Returns an error if a setting is invalid, if the name is taken, or if the file cannot be changed.
    pub(crate) fn add(&self, engine: PlayerSettings) -> Result<(), ListError> {
        let name = self.described(&engine)?.name;
        self.change(|content, players| {
            if players.iter().any(|other| other.name == name) {
                return Err(ListError::Taken(name));
            }
            content.engine.push(engine);
            Ok(())
        })
    }

    /// Removes an engine.
    ///
    /// # Errors
    /// Returns an error if there is no engine with this name, or if the file cannot be changed.
    pub(crate) fn remove(&self, name: &str) -> Result<(), ListError> {
        self.change(|content, players| {
            let at = players.iter().position(|player| player.name == name);
            content.engine.remove(at.ok_or_else(|| ListError::Unknown(name.to_owned()))?);
            Ok(())
        })
    }

    fn parse(&self, bytes: &[u8]) -> Result<(Content, Vec<Player>), ListError> {
        let wrong = |reason: String| ListError::Text(self.0.clone(), reason);
        let text = std::str::from_utf8(bytes).map_err(|error| wrong(error.to_string()))?;
        let content: Content = toml::from_str(text).map_err(|error| wrong(error.message().to_owned()))?;
        let players = content.engine.iter().map(|engine| self.described(engine)).collect::<Result<_, _>>();
        Ok((content, players?))
    }

    fn described(&self, engine: &PlayerSettings) -> Result<Player, ListError> {
        described(engine).map_err(|error| ListError::Text(self.0.clone(), error.to_string()))
    }

    /// Applies a change to the current list, which may include changes by other programs since it was last
    /// read.
    fn change(&self, change: impl FnOnce(&mut Content, &[Player]) -> Result<(), ListError>) -> Result<(), ListError> {
        let changed = update_file(&self.0, MAX_LIST, |bytes| {
            let (mut content, players) = self.parse(&bytes)?;
            change(&mut content, &players)?;
            let text = toml::to_string(&content).map_err(|error| ListError::Text(self.0.clone(), error.to_string()))?;
            Ok(text.into_bytes())
        });
        changed.map_err(|error| match error {
            ListError::File(_, error) => ListError::File(self.0.clone(), error),
            error => error,
        })
    }
}

/// Creates a player with the shorter timeouts of the board.
///
/// # Errors
/// Returns an error for the first invalid setting.
pub(crate) fn described(engine: &PlayerSettings) -> Result<Player, SettingError> {
    let each = PlayerSettings(vec![("patience".to_owned(), "30".to_owned())]);
    Player::read(&[each], engine)
}

/// Result of the trial of an engine.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    /// Name that the engine reports.
    pub identity: String,
    /// Protocol.
    pub dialect: Dialect,
    /// Warnings about the engine's options.
    pub warnings: Vec<Warning>,
    /// Move played in the initial position; `None` if the engine returns no move.
    pub mv: Option<Move>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Score.
    pub score: Option<Claim>,
}

/// Makes an engine search the initial position for a second.
///
/// # Errors
/// Returns an error if the engine does not start or does not return a legal move, or if `stop` is set.
pub(crate) fn try_out(player: &Player, stop: &AtomicBool) -> Result<Trial, NoAnswer> {
    let mut log = Transcript::default();
    let player =
        Player { limit: Limit::MoveTime(Duration::from_secs(1)), margin: Duration::from_secs(2), ..player.clone() };
    let mut session = Session { player: &player, log: &mut log, stop };
    let mut client = Client::start(&mut session)?;
    client.new_game(&mut session)?;
    let game = Game::new(Position::start());
    let (answer, thought) = client.request_move(&game, &Clocks::default(), false, &mut session)?;
    let (identity, dialect, warnings) = (client.identity.clone(), client.dialect(), client.warnings.clone());
    client.end();
    let mv = if let Answer::Move { mv, .. } = answer { Some(mv) } else { None };
    Ok(Trial { identity, dialect, warnings, mv, depth: thought.depth, score: thought.score })
}
