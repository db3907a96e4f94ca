//! External engines of the pages, shared by all connections.

use crate::engine_list::EngineList;
use chuhe_lab::arena::player::Player;
use std::sync::{Arc, PoisonError, RwLock};

/// The engines, shared by all pages.
pub(super) struct Roster {
    players: RwLock<Vec<Player>>,
    /// The user's list, if pages may change it.
    list: Option<EngineList>,
}

impl Roster {
    pub(super) fn new(players: Vec<Player>, list: Option<EngineList>) -> Roster {
        Roster { players: RwLock::new(players), list }
    }

    /// Returns the engine with a name.
    pub(super) fn find(&self, name: &str) -> Option<Player> {
        let players = self.players.read().unwrap_or_else(PoisonError::into_inner);
        players.iter().find(|player| player.name == name).cloned()
    }

    /// Returns the names of all engines.
    pub(super) fn names(&self) -> Arc<[String]> {
        let players = self.players.read().unwrap_or_else(PoisonError::into_inner);
        players.iter().map(|player| player.name.clone()).collect()
    }

    /// Returns the user's list, if pages may change it.
    pub(super) fn list(&self) -> Option<&EngineList> {
        self.list.as_ref()
    }

    /// Adds an engine, which has been added to the user's list.
    pub(super) fn add(&self, player: Player) {
        self.players.write().unwrap_or_else(PoisonError::into_inner).push(player);
    }

    /// Removes an engine, which has been removed from the user's list.
    pub(super) fn remove(&self, name: &str) {
        self.players.write().unwrap_or_else(PoisonError::into_inner).retain(|player| player.name != name);
    }
}
