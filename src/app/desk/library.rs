//! Searches the host's game library, reads games from it, and adds games if the host allows it.

use super::fields::{GameText, GamesText};
use super::files::{decode, entry};
use super::library_entry::LibraryEntry;
use super::library_response::{FoundEntry, LibraryResponse, PlayedEntry};
use super::names::MoveNames;
use super::refusal::Refusal;
use super::response::Response;
use super::settings::DatabaseAccess;
use super::stop::Stop;
use super::wording::{FileFault, say_fault};
use crate::translation::translate_to;
use chuhe_board::words::Language;
use chuhe_board::{Position, Side};
use chuhe_engine::bytes::read_file;
use chuhe_games::library::{BATCH, Continuation, Error, Hit, Library, Match, Pattern, PatternError, Query, Results};
use chuhe_games::names::Aliases;
use chuhe_games::openings::Opening;
use chuhe_games::records::{Encoding, GameResult, Record, RecordReader};
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of games per response.
const MAX_GAMES: usize = 500;
/// Maximum size of a file of aliases in bytes.
pub(super) const MAX_ALIASES: u64 = 1 << 20;
/// Maximum number of reported errors in added games.
const MAX_FAULTS: usize = 20;

/// An open library and its permissions.
#[derive(Default)]
pub(super) struct LibraryHandle {
    pub(super) access: Option<DatabaseAccess>,
    /// Contains the games played on the page, the latest of which are listed first.
    pub(super) is_own: bool,
    /// The library, opened on first use, and the content of its alias file.
    library: Option<(Library, String)>,
    /// Cancels the current request.
    stop: Arc<Mutex<Stop>>,
    /// Last query and all its results, so that the next part of the list does not require a new search.
    last: Option<(LibraryQuery, Vec<Match>)>,
}

/// Filter for games, and a game whose final position they must contain.
type LibraryQuery = (GamesText, Option<GameText>);

impl LibraryHandle {
    pub(super) fn new(access: Option<DatabaseAccess>, is_own: bool) -> LibraryHandle {
        LibraryHandle { access, is_own, ..LibraryHandle::default() }
    }

    /// Makes `stop` cancel subsequent requests.
    pub(super) fn cancel_by(&mut self, stop: &Stop) {
        *self.stop.lock().unwrap_or_else(PoisonError::into_inner) = stop.clone();
    }

    /// Returns the description of the library in the hello response.
    pub(super) fn entry(&mut self) -> Option<LibraryEntry> {
        let DatabaseAccess { may_add, may_edit, .. } = *self.access.as_ref()?;
        let games = self.open().ok()?.count().ok()?;
        Some(LibraryEntry { games, may_add, may_edit })
    }

    /// Returns `count` games that match the filter, starting at index `from`; if a position is given, only
    /// games that contain it.
    pub(super) fn find(
        &mut self,
        asked: &GamesText,
        position: Option<&GameText>,
        (from, count): (usize, usize),
        language: Language,
    ) -> Result<Response, Refusal> {
        let asked = (asked.clone(), position.cloned());
        // The first part of a list is always searched again, since games may have been added.
        let known = self.last.take().filter(|(last, _)| from > 0 && *last == asked);
        let is_newest_first = self.is_own;
        let library = self.open()?;
        let found = match known {
            Some((_, found)) => found,
            None => library.search(&query(&asked.0, position)?)?,
        };
        let (total, from) = (found.len(), from.min(found.len()));
        let until = total.min(from.saturating_add(count.min(MAX_GAMES)));
        let shown = if is_newest_first { &found[total - until..total - from] } else { &found[from..until] };
        let mut hits = library.hits(shown)?;
        if is_newest_first {
            hits.reverse();
        }
        let games = hits.iter().map(|hit| FoundEntry::of(hit, library.aliases(), language)).collect();
        let all = library.count()?;
        self.last = Some((asked, found));
        Ok(Response::Library(LibraryResponse::Found { total, all, from, games }))
    }

    /// Returns a game with its tree.
    pub(super) fn show(&mut self, id: i64, language: Language) -> Result<Response, Refusal> {
        let game = self.open()?.game(id)?;
        let game = game.ok_or_else(|| Refusal::bad(format!("id: there is no game {id}")))?;
        let games = vec![entry(&game, 1, true, None, language)];
        Ok(Response::Games { format: "library", count: 1, games, faults: Vec::new(), more: false })
    }

    /// Returns the moves played in the final position of a game.
    pub(super) fn played(&mut self, game: &GameText) -> Result<Response, Refusal> {
        let game = game.read()?.game;
        let moves = self.open()?.moves(game.position(), &Query::default())?;
        Ok(Response::Library(LibraryResponse::Played {
            moves: moves.iter().map(|found| PlayedEntry::of(game.position(), found)).collect(),
        }))
    }

    /// Adds the games in a file.
    pub(super) fn add(
        &mut self,
        base64: &str,
        encoding: Option<&'static Encoding>,
        language: Language,
    ) -> Result<Response, Refusal> {
        let access = self.access.as_ref().ok_or(Refusal::NoLibrary)?;
        if !access.may_add {
            return Err(Refusal::ReadOnly);
        }
        let bytes = Cursor::new(decode(base64)?);
        let games = RecordReader::new_in(bytes, encoding).map_err(|error| Refusal::File(error.to_string()))?;
        let mut library = Library::open_to_add(&access.path)?;
        let stop = Arc::clone(&self.stop);
        library.stop_when(move || is_asked(&stop))?;
        let (mut added, mut duplicates, mut faults) = (0, 0, Vec::new());
        let (mut annotated, mut different, mut refused) = (0, 0, Vec::new());
        let mut batch: Vec<Record> = Vec::new();
        let mut write = |batch: &mut Vec<Record>| -> Result<(), Refusal> {
            let done = library.add(batch)?;
            (added, duplicates) = (added + done.games, duplicates + done.duplicates.len());
            (annotated, different) = (annotated + done.annotated, different + done.different);
            refused.extend(done.refused.into_iter().map(|(_, reason)| reason));
            batch.clear();
            Ok(())
        };
        for game in games {
            match game {
                Ok(game) => batch.push(game),
                Err(fault) => faults.push(FileFault { text: language.sentence(&say_fault(&fault, language)) }),
            }
            if batch.len() == BATCH {
                write(&mut batch)?;
            }
        }
        write(&mut batch)?;
        let reasons = refused.iter().map(|reason| translate_to(language, &reason.to_string()));
        faults.extend(reasons.map(|reason| FileFault { text: language.sentence(&reason) }));
        let refused = faults.len();
        faults.truncate(MAX_FAULTS);
        let total = library.count()?;
        Ok(Response::Library(LibraryResponse::Added {
            added,
            duplicates,
            annotated,
            different,
            refused,
            faults,
            total,
        }))
    }

    /// Returns the library with the current aliases.
    pub(super) fn open(&mut self) -> Result<&Library, Refusal> {
        let access = self.access.as_ref().ok_or(Refusal::NoLibrary)?;
        let text = aliases_text(&access.path)?;
        let (mut library, known) = match self.library.take() {
            Some((library, known)) => (library, Some(known)),
            None => {
                let mut library = Library::open(&access.path)?;
                let stop = Arc::clone(&self.stop);
                library.stop_when(move || is_asked(&stop))?;
                (library, None)
            }
        };
        if known.as_ref() != Some(&text) {
            library.set_aliases(Aliases::read(&text).map_err(|error| Refusal::File(error.to_string()))?)?;
        }
        Ok(&self.library.insert((library, text)).0)
    }

    /// Opens the library for changes.
    pub(super) fn open_to_change(&self) -> Result<Library, Refusal> {
        let access = self.access.as_ref().ok_or(Refusal::NoLibrary)?;
        if !access.may_edit {
            return Err(Refusal::ReadOnly);
        }
        Ok(Library::open_to_add(&access.path)?)
    }
}

/// Returns the path of a library's alias file: `a.games.db` has `a.games.db.names`.
pub(super) fn aliases_path(library: &Path) -> PathBuf {
    let mut name = library.as_os_str().to_owned();
    name.push(".names");
    name.into()
}

/// Returns the content of a library's alias file, or an empty string if the file does not exist.
fn aliases_text(library: &Path) -> Result<String, Refusal> {
    match read_file(&aliases_path(library), MAX_ALIASES) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|error| Refusal::File(error.to_string())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(Refusal::File(error.to_string())),
    }
}

fn is_asked(stop: &Mutex<Stop>) -> bool {
    stop.lock().unwrap_or_else(PoisonError::into_inner).is_asked()
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        match error {
            Error::Stopped => Refusal::Stopped,
            error => Refusal::File(error.to_string()),
        }
    }
}

/// Converts a filter to a query.
pub(super) fn query(asked: &GamesText, position: Option<&GameText>) -> Result<Query, Refusal> {
    let text = |text: &String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let result =
        |mark: &String| GameResult::from_mark(mark).ok_or_else(|| Refusal::bad("result: 1-0, 0-1, 1/2-1/2 or *"));
    let pieces = text(&asked.pieces)
        .map(|pieces| {
            pieces.parse().map(Pattern::Pieces).map_err(|error: PatternError| Refusal::Bad(error.to_string()))
        })
        .transpose()?;
    let position = match position {
        Some(game) => Some(Pattern::position(game.read()?.game.position(), true)),
        None => None,
    };
    Ok(Query {
        player: text(&asked.player),
        red: text(&asked.red),
        black: text(&asked.black),
        person: asked.person.map(Side::from),
        event: text(&asked.event),
        since: asked.since,
        until: asked.until,
        result: text(&asked.result).as_ref().map(result).transpose()?,
        plies_from: None,
        plies_to: None,
        opening: text(&asked.opening),
        pattern: position.or(pieces),
    })
}

impl FoundEntry {
    fn of(hit: &Hit, aliases: &Aliases, language: Language) -> FoundEntry {
        let opening = hit.opening.as_deref().and_then(Opening::with_code);
        FoundEntry {
            id: hit.id,
            players: [&hit.red, &hit.black].map(|name| aliases.name(name).to_owned()),
            event: hit.event.clone(),
            date: hit.date.clone(),
            result: hit.result.text(),
            plies: hit.plies,
            opening: hit.opening.clone(),
            opening_name: opening.map(|opening| opening.name(language)),
            ply: hit.place.map(|place| place.ply),
        }
    }
}

impl PlayedEntry {
    fn of(position: &Position, found: &Continuation) -> PlayedEntry {
        let Results { won, drawn, lost, unknown } = found.results;
        PlayedEntry {
            mv: found.mv.to_string(),
            names: MoveNames::of(position, found.mv),
            games: found.results.games(),
            won,
            drawn,
            lost,
            unknown,
            players: found.players.clone(),
            last: found.last,
        }
    }
}
