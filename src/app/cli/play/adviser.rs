//! Hints and analyses by the engine at full strength, regardless of the players' levels.

use chuhe_board::rules::Game;
use chuhe_board::words::Language;
use chuhe_engine::search::{Limits, Report};
use chuhe_engine::{Engine, Error, Options};

/// An engine created on first use.
pub(super) struct Adviser {
    options: Options,
    engine: Option<Engine>,
}

impl Adviser {
    pub(super) fn new(options: Options) -> Adviser {
        Adviser { options, engine: None }
    }

    /// Searches the position with `nodes` nodes and returns at most `count` best lines.
    pub(super) fn lines(&mut self, game: &Game, count: usize, nodes: u64) -> Result<Vec<Report>, Error> {
        let options = Options { multipv: count, ..self.options.clone() };
        let engine = match &mut self.engine {
            Some(engine) => {
                engine.set_options(options)?;
                engine
            }
            none => none.insert(Engine::new(options)?),
        };
        engine.set_game(game.clone());
        Ok(engine.think(Limits::nodes(nodes), |_| {})?.lines)
    }

    /// Returns the tablebase value of the position; requires a previous call of `lines`.
    pub(super) fn tablebase_result(&self, game: &Game, language: Language) -> Option<String> {
        self.engine.as_ref()?.tables().say(game.position(), language)
    }
}
