//! Hints and analyses: the engine at full strength, whatever the level of the players.

use chuhe_board::rules::Game;
use chuhe_board::words::Language;
use chuhe_engine::search::{Limits, Report};
use chuhe_engine::{Engine, Error, Options};

/// An engine that is made when it is first asked.
pub(super) struct Adviser {
    options: Options,
    engine: Option<Engine>,
}

impl Adviser {
    pub(super) fn new(options: Options) -> Adviser {
        Adviser { options, engine: None }
    }

    /// The best lines of the position, so many at the most, found with so many nodes.
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

    /// What the tablebases know of the position, once lines were asked for.
    pub(super) fn known(&self, game: &Game, language: Language) -> Option<String> {
        self.engine.as_ref()?.tables().say(game.position(), language)
    }
}
