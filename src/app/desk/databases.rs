//! The host's game library, the library of the games played on the page, and the position database; handles
//! requests that search, store and change games and analyses.

use super::explored::{Explorer, PageAnalysis};
use super::fields::GamesText;
use super::library::{LibraryHandle, MAX_ALIASES, aliases_path, query};
use super::library_entry::Libraries;
use super::library_response::{Conflict, LibraryResponse, ResultsEntry};
use super::refusal::Refusal;
use super::request::LibraryRequest;
use super::response::Response;
use super::settings::{DatabaseAccess, DeskSettings};
use super::stop::Stop;
use super::trees::TreeText;
use chuhe_board::Move;
use chuhe_board::notation::Form;
use chuhe_board::words::Language;
use chuhe_engine::bytes::update_file;
use chuhe_games::library::{Error, Group, ResultRow, Results};
use chuhe_games::names::{AliasError, Aliases, Suggestion, comparable_name};
use chuhe_games::openings::Opening;
use chuhe_games::records::{Encoding, Format, GameResult, Record, tags};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// Maximum number of exported games.
const MAX_EXPORTED: usize = 10_000;
/// Maximum size of exported games in bytes, below the maximum size of a response.
const MAX_BYTES: usize = 24 << 20;
/// Maximum number of names in a response.
const MAX_NAMES: usize = 5_000;
/// Maximum number of rows in a table of results.
const MAX_ROWS: usize = 500;
/// Tags that can be changed.
const EDITABLE: [&str; 4] = [tags::RED, tags::BLACK, tags::EVENT, tags::DATE];

/// The libraries and the position database.
#[derive(Default)]
pub(super) struct Databases {
    library: LibraryHandle,
    mine: LibraryHandle,
    explored: Explorer,
}

impl Databases {
    pub(super) fn new(settings: &DeskSettings) -> Databases {
        let own = |path: &std::sync::Arc<std::path::Path>| DatabaseAccess {
            path: path.clone(),
            may_add: true,
            may_edit: true,
        };
        Databases {
            library: LibraryHandle::new(settings.library.clone(), false),
            mine: LibraryHandle::new(settings.own_games.as_ref().map(own), true),
            explored: Explorer::new(settings.explored.clone()),
        }
    }

    /// Returns the descriptions of the libraries in the hello response.
    pub(super) fn entries(&mut self) -> Libraries {
        Libraries { library: self.library.entry(), mine: self.mine.entry(), explored: self.explored.entry() }
    }

    /// Answers a request; `stop` cancels it.
    pub(super) fn answer(
        &mut self,
        request: &LibraryRequest,
        encoding: Option<&'static Encoding>,
        language: Language,
        stop: &Stop,
    ) -> Result<Response, Refusal> {
        [&mut self.library, &mut self.mine].into_iter().for_each(|library| library.cancel_by(stop));
        match request {
            LibraryRequest::Find { mine, game, position, what, from, count } => {
                self.of(*mine).find(what, position.then_some(game), (*from, *count), language)
            }
            LibraryRequest::Show { mine, game } => self.of(*mine).show(*game, language),
            LibraryRequest::Played { game } => self.library.played(game),
            LibraryRequest::Explored { game } => self.explored.show(game),
            LibraryRequest::Remember { game, by, nodes, depth, lines } => {
                let analysis = PageAnalysis { engine: by.as_deref(), nodes: *nodes, depth: *depth, lines };
                self.explored.remember(game, &analysis)
            }
            LibraryRequest::Add { base64 } => self.library.add(base64, encoding, language),
            LibraryRequest::Keep { tree, game, known } => self.mine.keep(tree, *game, known.as_deref()),
            LibraryRequest::Remove { mine, game } => self.of(*mine).remove(*game),
            LibraryRequest::Edit { mine, game, tree: Some(tree), .. } => self.of(*mine).replace(*game, tree),
            LibraryRequest::Edit { mine, game, tags, result, .. } => {
                self.of(*mine).edit(*game, tags, result.as_deref())
            }
            LibraryRequest::Results { mine, what } => self.of(*mine).results(what, language),
            LibraryRequest::Names { mine } => self.of(*mine).names(),
            LibraryRequest::Merge { mine, name, spelling: Some(spelling) } => self.of(*mine).merge(name, spelling),
            LibraryRequest::Merge { mine, name, spelling: None } => self.of(*mine).separate(name),
            LibraryRequest::Export { mine, what, notation } => self.of(*mine).export(what, notation.as_deref()),
        }
    }

    fn of(&mut self, is_mine: bool) -> &mut LibraryHandle {
        if is_mine { &mut self.mine } else { &mut self.library }
    }
}

impl LibraryHandle {
    /// Stores a game, unless its earlier version was removed. Replaces the earlier version of the same game,
    /// unless that version conflicts with the `known` one.
    fn keep(&mut self, tree: &TreeText, earlier: Option<i64>, known: Option<&[String]>) -> Result<Response, Refusal> {
        let (mut game, mut library) = (tree.record()?, self.open_to_change()?);
        let library = library.change()?;
        let number = library.with_tag(tags::GAME_ID, game.tag(tags::GAME_ID).unwrap_or_default())?;
        // The number may now belong to a different game.
        if earlier.is_some() && earlier != number {
            return Ok(Response::Library(LibraryResponse::Kept { game: None, conflict: None }));
        }
        if let Some(id) = number {
            let stored = library.game(id)?.ok_or(Error::Damaged(id))?;
            if let Some(conflict) = known.and_then(|known| conflict(&stored, &game, known)) {
                return Ok(Response::Library(LibraryResponse::Kept { game: Some(id), conflict: Some(conflict) }));
            }
            for name in words(stored.tag(tags::EDITED_TAGS)).chain([tags::EDITED_TAGS.to_owned()]) {
                game.set_tag(&name, stored.tag(&name).unwrap_or_default());
            }
        }
        let id = library.put(&game, tags::GAME_ID)?;
        library.commit()?;
        Ok(Response::Library(LibraryResponse::Kept { game: Some(id), conflict: None }))
    }

    fn remove(&mut self, id: i64) -> Result<Response, Refusal> {
        let mut library = self.open_to_change()?;
        let change = library.change()?;
        if !change.remove(id)? {
            return Err(no_game(id));
        }
        change.commit()?;
        Ok(Response::Library(LibraryResponse::Changed { total: library.count()? }))
    }

    fn edit(&mut self, id: i64, tags: &BTreeMap<String, String>, result: Option<&str>) -> Result<Response, Refusal> {
        let mut library = self.open_to_change()?;
        let change = library.change()?;
        let mut game = change.game(id)?.ok_or_else(|| no_game(id))?;
        let mut edited: BTreeSet<String> = words(game.tag(tags::EDITED_TAGS)).collect();
        for (name, value) in tags.iter().map(|(name, value)| (name, value.trim())) {
            if !EDITABLE.contains(&name.as_str()) {
                return Err(Refusal::bad("tags: Red, Black, Event and Date can be changed"));
            }
            if game.tag(tags::GAME_ID).is_some() && game.tag(name).unwrap_or_default() != value {
                edited.insert(name.clone());
            }
            game.set_tag(name, value);
        }
        game.set_tag(tags::EDITED_TAGS, &edited.into_iter().collect::<Vec<_>>().join(" "));
        if let Some(mark) = result {
            let result = GameResult::from_mark(mark);
            game.result = result.ok_or_else(|| Refusal::bad("result: 1-0, 0-1, 1/2-1/2 or *"))?;
        }
        change.set_tags(id, &game)?;
        change.commit()?;
        Ok(Response::Library(LibraryResponse::Changed { total: library.count()? }))
    }

    /// Replaces the moves, comments and variations of a game. Tags missing from the tree are kept.
    fn replace(&mut self, id: i64, tree: &TreeText) -> Result<Response, Refusal> {
        let mut library = self.open_to_change()?;
        let change = library.change()?;
        let old = change.game(id)?.ok_or_else(|| no_game(id))?;
        change.replace(id, &tree.record()?.with_missing_tags(&old))?;
        change.commit()?;
        Ok(Response::Library(LibraryResponse::Changed { total: library.count()? }))
    }

    fn results(&mut self, what: &GamesText, language: Language) -> Result<Response, Refusal> {
        let query = query(what, None)?;
        let is_own = self.is_own && [&query.player, &query.red, &query.black].iter().all(|name| name.is_none());
        let library = self.open()?;
        let (opponents, openings) = if is_own {
            let own = library.own_results(&query)?;
            (own.opponents, own.openings)
        } else {
            (Vec::new(), library.table(&query, Group::Opening)?)
        };
        let entries = |rows: Vec<ResultRow>| rows.into_iter().take(MAX_ROWS).map(|row| entry(row, language)).collect();
        Ok(Response::Library(LibraryResponse::Results { opponents: entries(opponents), openings: entries(openings) }))
    }

    fn names(&mut self) -> Result<Response, Refusal> {
        let library = self.open()?;
        let names = library.names()?;
        let group = |name: &str, spellings: &[String]| [&[name.to_owned()], spellings].concat();
        let merged = library.aliases().iter().map(|(name, spellings)| group(name, spellings)).collect();
        let mut proposed = library.aliases().suggest(names.iter().map(|(name, games)| (name.as_str(), *games)));
        // The page asks about each spelling separately, beginning with the players with the most games.
        proposed.sort_by_key(|found| Reverse(found.games));
        let pairs = |found: Suggestion| found.spellings.into_iter().map(move |other| vec![found.name.clone(), other]);
        let proposed = proposed.into_iter().flat_map(pairs).take(MAX_ROWS).collect();
        let names = names.into_iter().map(|(name, _)| name).take(MAX_NAMES).collect();
        Ok(Response::Library(LibraryResponse::Names { names, merged, proposed }))
    }

    /// Adds a spelling of a name to the alias file.
    fn merge(&mut self, name: &str, spelling: &str) -> Result<Response, Refusal> {
        let [name, spelling] = [alias_name(name)?, alias_name(spelling)?];
        self.update_aliases(|text| {
            let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            format!("{text}{end}{name} = {spelling}\n")
        })
    }

    /// Removes all spellings of a name from the alias file.
    fn separate(&mut self, name: &str) -> Result<Response, Refusal> {
        let name = comparable_name(alias_name(name)?);
        let is_of = |line: &str| line.split_once('=').is_some_and(|(other, _)| comparable_name(other) == name);
        self.update_aliases(|text| text.lines().filter(|line| !is_of(line)).map(|line| format!("{line}\n")).collect())
    }

    fn update_aliases(&mut self, change: impl Fn(&str) -> String) -> Result<Response, Refusal> {
        let access = self.access.as_ref().ok_or(Refusal::NoLibrary)?;
        if !access.may_edit {
            return Err(Refusal::ReadOnly);
        }
        update_file(&aliases_path(&access.path), MAX_ALIASES, |bytes| {
            let text = String::from_utf8(bytes).map_err(|error| Refusal::File(error.to_string()))?;
            let text = change(&text);
            Aliases::read(&text).map_err(|error| match error {
                AliasError::Taken(_, spelling, name) => Refusal::Taken(spelling, name),
                line => Refusal::File(line.to_string()),
            })?;
            Ok::<_, Refusal>(text.into_bytes())
        })?;
        self.names()
    }

    fn export(&mut self, what: &GamesText, notation: Option<&str>) -> Result<Response, Refusal> {
        let form =
            notation.map_or(Ok(Form::Iccs), str::parse).map_err(|_| Refusal::bad("notation: iccs, wxf or chinese"))?;
        let library = self.open()?;
        let found = library.search(&query(what, None)?)?;
        if found.len() > MAX_EXPORTED {
            return Err(Refusal::TooMany(MAX_EXPORTED));
        }
        let mut text = Vec::new();
        for id in found.iter().map(|found| found.id) {
            let game: Record = library.game(id)?.ok_or(Error::Damaged(id))?;
            let written = Format::Pgn.write(&game, form).map_err(|error| Refusal::File(error.to_string()))?;
            text.extend(written.bytes);
            text.push(b'\n');
            if text.len() > MAX_BYTES {
                return Err(Refusal::TooLarge(MAX_BYTES >> 20));
            }
        }
        Ok(Response::File {
            losses: Vec::new(),
            name: "games.pgn".into(),
            text: Some(String::from_utf8_lossy(&text).into_owned()),
            base64: None,
        })
    }
}

/// Returns the trimmed name, or an error if it cannot be stored in the alias file.
fn alias_name(text: &str) -> Result<&str, Refusal> {
    let name = text.trim();
    match name.is_empty() || name.starts_with('#') || name.contains(['=', ';', '\n', '\r']) {
        true => Err(Refusal::bad("name: must not be empty or contain = or ;")),
        false => Ok(name),
    }
}

/// Returns the conflict between a game and its stored version, unless the latter is `known` or the game
/// continues it.
fn conflict(stored: &Record, game: &Record, known: &[String]) -> Option<Conflict> {
    let continues = |longer: &Record, shorter: &Record| {
        let is_open = shorter.result == GameResult::Unknown;
        longer.moves().starts_with(&shorter.moves()) && (is_open || shorter.result == longer.result)
    };
    let moves = stored.moves();
    let version = moves.iter().map(Move::to_string).chain([stored.result.text().to_owned()]);
    if version.eq(known.iter().cloned()) || continues(game, stored) {
        None
    } else if continues(stored, game) {
        Some(Conflict::Longer)
    } else {
        Some(Conflict::Other)
    }
}

/// Returns the words of a tag.
fn words(tag: Option<&str>) -> impl Iterator<Item = String> {
    tag.unwrap_or_default().split_whitespace().map(str::to_owned)
}

fn no_game(id: i64) -> Refusal {
    Refusal::bad(format!("game: there is no game {id}"))
}

fn entry(row: ResultRow, language: Language) -> ResultsEntry {
    let counts = |Results { won, drawn, lost, unknown }| [won, drawn, lost, unknown];
    let opening_name = Opening::with_code(&row.name).map(|opening| opening.name(language));
    ResultsEntry { name: row.name, opening_name, red: counts(row.red), black: counts(row.black) }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        Refusal::File(error.to_string())
    }
}
