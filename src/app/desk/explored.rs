//! The host's position database: returns the values of moves, and stores analyses made on the page.

use super::fields::{AnalysedMove, GameText};
use super::library_entry::ExploredEntry;
use super::library_response::{LibraryResponse, ValuedEntry};
use super::names::MoveNames;
use super::refusal::Refusal;
use super::response::Response;
use super::settings::DatabaseAccess;
use chuhe_board::notation;
use chuhe_board::{Move, Position};
use chuhe_games::explore::{Analysis, Error, MoveView, Store, stored};
use chuhe_games::review::JsonScore;

/// Name of this engine in the database.
const THIS_ENGINE: &str = concat!("Chuhe ", env!("CARGO_PKG_VERSION"));

/// Access to the position database.
#[derive(Default)]
pub(super) struct Explorer {
    access: Option<DatabaseAccess>,
    /// The database, opened on first use.
    store: Option<Store>,
}

/// An analysis made on the page.
pub(super) struct PageAnalysis<'p> {
    pub engine: Option<&'p str>,
    pub nodes: u64,
    pub depth: u32,
    pub lines: &'p [AnalysedMove],
}

impl Explorer {
    pub(super) fn new(access: Option<DatabaseAccess>) -> Explorer {
        Explorer { access, store: None }
    }

    /// Returns the description of the database in the hello response.
    pub(super) fn entry(&mut self) -> Option<ExploredEntry> {
        let may_add = self.access.as_ref()?.may_add;
        Some(ExploredEntry { positions: self.open().ok()?.count().ok()?, may_add })
    }

    /// Returns the moves of the final position of a game, best first; none if the position was not analysed.
    pub(super) fn show(&mut self, game: &GameText) -> Result<Response, Refusal> {
        let game = game.read()?.game;
        let view = self.open()?.view(game.position())?;
        let below = view.as_ref().map_or(0, |view| view.below);
        let moves = view.iter().flat_map(|view| &view.moves);
        Ok(Response::Library(LibraryResponse::Explored {
            below,
            moves: moves.map(|entry| ValuedEntry::of(game.position(), entry)).collect(),
        }))
    }

    /// Stores an analysis of the final position of a game.
    pub(super) fn remember(&mut self, game: &GameText, analysis: &PageAnalysis) -> Result<Response, Refusal> {
        if !self.access.as_ref().ok_or(Refusal::NoLibrary)?.may_add {
            return Err(Refusal::ReadOnly);
        }
        let position = game.read()?.game.position().clone();
        let read = |line: &AnalysedMove| -> Result<(Move, i16), Refusal> {
            let mv = notation::read(&position, &line.mv);
            let mv = mv.map_err(|why| Refusal::NoSuchMove(line.mv.chars().take(20).collect(), why))?;
            Ok((mv, stored(line.score.score())))
        };
        let scores = analysis.lines.iter().map(read).collect::<Result<_, _>>()?;
        let engine = analysis.engine.unwrap_or(THIS_ENGINE).to_owned();
        let PageAnalysis { nodes, depth, .. } = *analysis;
        let store = self.open()?;
        let added = store.add(&[Analysis { position, scores, engine, nodes, depth }])?;
        Ok(Response::Library(LibraryResponse::Remembered { changed: added.known == 0, positions: store.count()? }))
    }

    fn open(&mut self) -> Result<&mut Store, Refusal> {
        let access = self.access.as_ref().ok_or(Refusal::NoLibrary)?;
        let store = match self.store.take() {
            Some(store) => store,
            None if access.may_add => Store::open_to_add(&access.path, None, None)?,
            None => Store::open(&access.path)?,
        };
        Ok(self.store.insert(store))
    }
}

impl ValuedEntry {
    fn of(position: &Position, entry: &MoveView) -> ValuedEntry {
        ValuedEntry {
            mv: entry.mv.to_string(),
            names: MoveNames::of(position, entry.mv),
            value: entry.value.map(|value| JsonScore::of(value.score)),
            plies: entry.value.map(|value| value.plies),
            own: entry.own.map(|own| JsonScore::of(own.into())),
            below: entry.below,
            barred: entry.barred,
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::File(error.to_string())
    }
}
