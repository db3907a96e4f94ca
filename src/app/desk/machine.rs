//! The searcher of a request handler and its resource limits.

use super::fields::Effort;
use super::refusal::Refusal;
use super::settings::DeskSettings;
use super::stop::Stop;
use chuhe_board::rules::Game;
use chuhe_engine::endings::Tables;
use chuhe_engine::search::{Conclusion, Event, Limits};
use chuhe_engine::{Error, Options, Searcher};
use std::sync::Arc;

/// A searcher that is created on first use.
#[derive(Default)]
pub(super) struct Machine {
    settings: DeskSettings,
    tables: Option<Arc<Tables>>,
    searcher: Option<Searcher>,
}

impl Machine {
    /// Creates a machine without a searcher.
    pub(super) fn new(settings: DeskSettings) -> Machine {
        Machine { settings, ..Machine::default() }
    }

    /// Returns the resource limits.
    pub(super) fn settings(&self) -> &DeskSettings {
        &self.settings
    }

    /// Prepares the searcher for searches with these options.
    pub(super) fn prepare(&mut self, effort: &Effort, change: impl FnOnce(Options) -> Options) -> Result<(), Refusal> {
        let threads = effort.threads.unwrap_or(1).clamp(1, self.settings.threads.max(1));
        let hash_mb = effort.hash_mb.unwrap_or(64).clamp(1, self.settings.hash_mb.max(1));
        let table_path = self.settings.endings.clone();
        let options = change(Options { threads, hash_mb, table_path, ..Options::default() });
        let failed = |error: Error| Refusal::Failed(error.to_string());
        match &mut self.searcher {
            Some(searcher) if *searcher.options() == options => {}
            Some(searcher) => searcher.set_options(options).map_err(failed)?,
            None => self.searcher = Some(Searcher::new(options).map_err(failed)?),
        }
        Ok(())
    }

    /// Forgets all earlier searches.
    pub(super) fn forget(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.forget();
        }
    }

    /// Returns the tablebases.
    pub(super) fn tables(&mut self) -> Result<&Tables, Refusal> {
        if self.tables.is_none() {
            let options = Options { table_path: self.settings.endings.clone(), ..Options::default() };
            self.tables = Some(options.tables().map_err(|error| Refusal::Failed(error.to_string()))?);
        }
        self.tables.as_deref().ok_or(Refusal::Stopped)
    }

    /// Searches until a limit is reached or `stop` is set.
    pub(super) fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        listener: &mut (dyn FnMut(Event) + Send),
    ) -> Result<Conclusion, Refusal> {
        let searcher = self.searcher.as_mut().ok_or_else(|| Refusal::Failed("not prepared".to_owned()))?;
        stop.begin(searcher.control());
        let conclusion = searcher.search(game, limits, listener);
        stop.end();
        Ok(conclusion)
    }
}
