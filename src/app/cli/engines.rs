//! `chuhe engines`: the list of external engines for the board.

use super::output::change_own;
use super::players::players;
use super::{Done, Failure, interrupt};
use crate::output::{self, Align, Table, say};
use crate::translation::translate;
use chuhe_board::Position;
use chuhe_board::rules::Game;
use chuhe_engine::bytes::read_file;
use chuhe_lab::arena::client::Client;
use chuhe_lab::arena::dialect::{Answer, Clocks};
use chuhe_lab::arena::fault::{Fault, NoAnswer};
use chuhe_lab::arena::player::{Limit, Player, PlayerSettings, quoted};
use chuhe_lab::arena::transcript::Transcript;
use clap::{Args, Subcommand};
use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf, absolute};
use std::time::Duration;
use thiserror::Error;

/// Manages the external engines that `chuhe serve` offers on its board
#[derive(Args)]
#[command(
    after_help = "An engine is KEY=VALUE,… as for `chuhe match`: cmd, name, dir, protocol, hash, threads, option.NAME, and
pawn=POINTS, the value of a pawn in its scores (100). A single path is the program.

Examples:
  chuhe engines add ./pikafish,name=Pikafish
  chuhe engines add cmd=fairy-stockfish,protocol=uci-variant,name=Fairy,pawn=200
  chuhe engines list
  chuhe engines test Pikafish
  chuhe engines remove Pikafish"
)]
pub(super) struct Engines {
    #[command(subcommand)]
    command: EnginesCommand,
}

#[derive(Subcommand)]
enum EnginesCommand {
    /// Starts an engine, and adds it to the list if it plays a move
    Add {
        /// The engine
        #[arg(value_name = "KEY=VALUE,…")]
        engine: PlayerSettings,
    },
    /// Shows the list and its file
    List,
    /// Removes an engine from the list
    Remove {
        /// Name of the engine
        name: String,
    },
    /// Starts engines of the list and lets each play a move
    Test {
        /// Names of the engines [default: all]
        names: Vec<String>,
    },
}

/// File of the list, in the format of a match file.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct List {
    #[serde(deserialize_with = "players", serialize_with = "as_texts")]
    engine: Vec<PlayerSettings>,
}

/// Maximum size of the list in bytes.
const MAX_LIST: u64 = 1 << 20;

fn as_texts<S: serde::Serializer>(engines: &[PlayerSettings], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(engines.iter().map(ToString::to_string))
}

impl Engines {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let path = path()?;
        let (_, players) = List::read(&path)?;
        match self.command {
            EnginesCommand::Add { engine } => {
                let engine = with_whole_paths(engine)?;
                let player = read(&engine)?;
                let check = |players: &[Player]| match players.iter().any(|other| other.name == player.name) {
                    true => Err(Failure::Input(format!("there is an engine {} already", player.name))),
                    false => Ok(()),
                };
                check(&players)?;
                let said = try_out(&player).map_err(|why| Failure::Input(why.to_string()))?;
                List::change(&path, |list, players| {
                    check(players)?;
                    list.engine.push(engine);
                    Ok(())
                })?;
                writeln!(out, "{}", translate(&said))?;
            }
            EnginesCommand::List => {
                let mut table = Table::new(["engine", "command", "protocol"].map(|name| (name, Align::Left)));
                for player in &players {
                    table.row([player.name.clone(), player.command.join(" "), player.protocol.name().to_owned()]);
                }
                if !players.is_empty() {
                    write!(out, "{}", table.titled(translate).fitted(output::width()))?;
                }
                say(format!("engines in {}: {}", path.display(), players.len()));
            }
            EnginesCommand::Remove { name } => List::change(&path, |list, players| {
                let at = players.iter().position(|player| player.name == name);
                list.engine.remove(at.ok_or_else(|| unknown(&name))?);
                Ok(())
            })?,
            EnginesCommand::Test { names } => {
                if let Some(name) = names.iter().find(|name| players.iter().all(|player| player.name != **name)) {
                    return Err(unknown(name));
                }
                let chosen = players.iter().filter(|player| names.is_empty() || names.contains(&player.name));
                let mut done = Ok(());
                for player in chosen {
                    match try_out(player) {
                        Ok(said) => writeln!(out, "{}", translate(&said))?,
                        Err(why) => {
                            say(why);
                            done = Err(Failure::Check);
                        }
                    }
                }
                return done;
            }
        }
        Ok(())
    }
}

/// Returns the engines of the command line and of the list; engines of the command line come first and
/// replace those with the same name in the list.
pub(super) fn known(own: &[PlayerSettings]) -> Result<Vec<Player>, Failure> {
    let mut known: Vec<Player> = Vec::new();
    for engine in own {
        let player = read(engine)?;
        if known.iter().any(|other| other.name == player.name) {
            return Err(Failure::Input(format!("two engines have the name {}", player.name)));
        }
        known.push(player);
    }
    let (_, mut listed) = List::read(&path()?)?;
    listed.retain(|player| known.iter().all(|other| other.name != player.name));
    known.extend(listed);
    Ok(known)
}

/// Creates a player with the shorter timeouts of the board; `place` is the source of its description.
fn described(place: impl Display, engine: &PlayerSettings) -> Result<Player, Failure> {
    let each = PlayerSettings(vec![("patience".to_owned(), "30".to_owned())]);
    Player::read(&[each], engine).map_err(|reason| Failure::at(place, reason))
}

fn read(engine: &PlayerSettings) -> Result<Player, Failure> {
    described("engine", engine)
}

fn unknown(name: &str) -> Failure {
    Failure::Input(format!("there is no engine {name}; chuhe engines list shows them"))
}

fn path() -> Result<PathBuf, Failure> {
    let folders = etcetera::choose_base_strategy().map_err(|error| Failure::at("the user's folder", error))?;
    Ok(folders.config_dir().join("chuhe").join("engines.toml"))
}

impl List {
    /// Reads the list and its players.
    fn read(path: &Path) -> Result<(List, Vec<Player>), Failure> {
        match read_file(path, MAX_LIST) {
            Ok(bytes) => List::of(path, &bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Default::default()),
            Err(error) => Err(Failure::file(path, &error)),
        }
    }

    fn of(path: &Path, bytes: &[u8]) -> Result<(List, Vec<Player>), Failure> {
        let text = std::str::from_utf8(bytes).map_err(|error| Failure::at(path.display(), error))?;
        let list: List = toml::from_str(text).map_err(|error| Failure::at(path.display(), error.message()))?;
        let players = list.engine.iter().map(|engine| described(path.display(), engine)).collect::<Result<_, _>>();
        Ok((list, players?))
    }

    /// Changes the current list, including changes by other programs since it was read.
    fn change(path: &Path, change: impl FnOnce(&mut List, &[Player]) -> Done) -> Done {
        change_own(path, MAX_LIST, |bytes| {
            let (mut list, players) = List::of(path, &bytes)?;
            change(&mut list, &players)?;
            let text = toml::to_string(&list).map_err(|error| Failure::at(path.display(), error))?;
            Ok(text.into_bytes())
        })
    }
}

/// Makes paths absolute, since the list can be used from any folder.
fn with_whole_paths(mut engine: PlayerSettings) -> Result<PlayerSettings, Failure> {
    let whole = |path: &str| match absolute(path) {
        Ok(whole) => Ok(whole.to_string_lossy().into_owned()),
        Err(error) => Err(Failure::at(path, error)),
    };
    let mut command = read(&engine)?.command;
    if Path::new(&command[0]).components().count() > 1 {
        command[0] = whole(&command[0])?;
    }
    for (_, folder) in engine.0.iter_mut().filter(|(key, _)| key == "dir") {
        *folder = whole(folder)?;
    }
    engine.0.retain(|(key, _)| key != "cmd");
    engine.0.insert(0, ("cmd".to_owned(), command.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")));
    Ok(engine)
}

/// Reason why an engine cannot be used.
#[derive(Debug, Error)]
enum Unusable {
    #[error("{0}: stopped")]
    Stopped(String),
    #[error("{0}: {1}")]
    Exhausted(String, String),
    #[error("{0} {1}")]
    Fault(String, Fault),
}

/// Makes an engine search the initial position for a second, and returns a description of the result.
fn try_out(player: &Player) -> Result<String, Unusable> {
    let (mut log, stop) = (Transcript::default(), interrupt::flag());
    let player =
        Player { limit: Limit::MoveTime(Duration::from_secs(1)), margin: Duration::from_secs(2), ..player.clone() };
    let name = &player.name;
    let mut search = || {
        let mut client = Client::start(&player, &mut log, stop)?;
        client.new_game(&player, &mut log, stop)?;
        let found = client.think(&player, &Game::new(Position::start()), &Clocks::default(), false, &mut log, stop)?;
        let about = (client.identity.clone(), client.dialect(), client.warnings.clone());
        client.end();
        Ok((about, found))
    };
    match search() {
        Ok(((identity, dialect, warnings), (answer, thought))) => {
            let mv = if let Answer::Move { mv, .. } = answer { mv.to_string() } else { "no move".to_owned() };
            let depth = thought.depth.map_or(String::new(), |depth| format!(", depth {depth}"));
            let score = thought.score.map_or(String::new(), |score| format!(", score {score}"));
            warnings.iter().for_each(|warning| say(format!("{name}: {warning}")));
            Ok(format!("{name}: {identity} ({dialect:?}) plays {mv}{depth}{score}"))
        }
        Err(NoAnswer::Stopped) => Err(Unusable::Stopped(name.clone())),
        Err(NoAnswer::Exhausted(reason)) => Err(Unusable::Exhausted(name.clone(), reason.to_string())),
        Err(NoAnswer::Fault(fault)) => Err(Unusable::Fault(name.clone(), fault)),
    }
}
