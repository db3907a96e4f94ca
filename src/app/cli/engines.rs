//! `chuhe engines`: the list of external engines for the board.

use super::{Done, Failure, interrupt};
use crate::engine_list::{self, EngineList, ListError, Trial, described};
use crate::output::{self, Align, Table, print_message};
use crate::translation::translate;
use chuhe_lab::arena::fault::{EngineFault, NoAnswer};
use chuhe_lab::arena::player::{Player, PlayerSettings, quoted};
use clap::{Args, Subcommand};
use std::io::Write;
use std::path::{Path, absolute};
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
    /// Starts engines in the list and has each play a move
    Test {
        /// Names of the engines [default: all]
        names: Vec<String>,
    },
}

impl Engines {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let list = EngineList::of_user()?;
        let players = list.read()?;
        interrupt::install_handler();
        match self.command {
            EnginesCommand::Add { engine } => {
                let engine = with_whole_paths(engine)?;
                let player = read(&engine)?;
                // The list is checked before the engine is started, and again when the list is changed.
                if players.iter().any(|other| other.name == player.name) {
                    return Err(ListError::Taken(player.name).into());
                }
                let said = try_out(&player).map_err(|why| Failure::Input(why.to_string()))?;
                list.add(engine)?;
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
                print_message(format!("engines in {}: {}", list.path().display(), players.len()));
            }
            EnginesCommand::Remove { name } => list.remove(&name)?,
            EnginesCommand::Test { names } => {
                if let Some(name) = names.iter().find(|name| players.iter().all(|player| player.name != **name)) {
                    return Err(ListError::Unknown(name.clone()).into());
                }
                let chosen = players.iter().filter(|player| names.is_empty() || names.contains(&player.name));
                let mut done = Ok(());
                for player in chosen {
                    match try_out(player) {
                        Ok(said) => writeln!(out, "{}", translate(&said))?,
                        Err(why) => {
                            print_message(why);
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

/// Returns the engines given on the command line and those in the list; the former replace engines of the
/// same name in the list.
pub(super) fn known_players(own: &[PlayerSettings]) -> Result<Vec<Player>, Failure> {
    let mut known: Vec<Player> = Vec::new();
    for engine in own {
        let player = read(engine)?;
        if known.iter().any(|other| other.name == player.name) {
            return Err(Failure::Input(format!("two engines have the name {}", player.name)));
        }
        known.push(player);
    }
    let mut listed = EngineList::of_user()?.read()?;
    listed.retain(|player| known.iter().all(|other| other.name != player.name));
    known.extend(listed);
    Ok(known)
}

fn read(engine: &PlayerSettings) -> Result<Player, Failure> {
    described(engine).map_err(|reason| Failure::at("engine", reason))
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
    Fault(String, EngineFault),
}

/// Tries an engine, and returns a description of the result.
fn try_out(player: &Player) -> Result<String, Unusable> {
    let name = &player.name;
    match engine_list::try_out(player, interrupt::flag()) {
        Ok(Trial { identity, dialect, warnings, mv, depth, score }) => {
            let mv = mv.map_or("no move".to_owned(), |mv| mv.to_string());
            let depth = depth.map_or(String::new(), |depth| format!(", depth {depth}"));
            let score = score.map_or(String::new(), |score| format!(", score {score}"));
            warnings.iter().for_each(|warning| print_message(format!("{name}: {warning}")));
            Ok(format!("{name}: {identity} ({dialect:?}) plays {mv}{depth}{score}"))
        }
        Err(NoAnswer::Stopped) => Err(Unusable::Stopped(name.clone())),
        Err(NoAnswer::Exhausted(reason)) => Err(Unusable::Exhausted(name.clone(), reason.to_string())),
        Err(NoAnswer::Fault(fault)) => Err(Unusable::Fault(name.clone(), fault)),
    }
}
