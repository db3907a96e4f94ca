//! Requests that list programs, and add and remove external engines. A page names a program by its path; the
//! program is started only by the request to add it, which the user confirms.

use super::engine::{NEVER, refusal};
use super::roster::Roster;
use super::worker::Handler;
use crate::desk::{EngineListRequest, EngineListResponse, Event, Message, Refusal, Request, Response, Stop};
use crate::engine_list::{ListError, described, try_out};
use chuhe_board::words::{Key, Language};
use chuhe_engine::output::steers;
use chuhe_lab::arena::player::{PlayerSettings, quoted};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Maximum number of entries that are read from a folder.
const MAX_ENTRIES: usize = 5_000;

/// Handler for requests about the roster.
pub(super) struct EngineListHandler(pub Arc<Roster>);

impl Handler for EngineListHandler {
    fn handle(&mut self, message: &Message, _: &Stop, emit: &mut (dyn FnMut(Event) + Send)) {
        let language = message.language.unwrap_or_default();
        let answer = match &message.request {
            _ if self.0.list().is_none() => Err(Refusal::EnginesFixed),
            Request::EngineList(request) => self.answer(request, language),
            _ => Err(Refusal::EnginesFixed),
        };
        let response = answer.unwrap_or_else(|refusal| Response::refused(&refusal, language));
        emit(Event { id: Some(message.id), response });
    }
}

impl EngineListHandler {
    fn answer(&self, request: &EngineListRequest, language: Language) -> Result<Response, Refusal> {
        match request {
            EngineListRequest::Folder { path } => folder(path.as_deref()),
            EngineListRequest::Program { path } => resolve_program(path).map(|path| {
                let name = Path::new(&path).file_stem().map_or_else(String::new, |name| name.to_string_lossy().into());
                Response::EngineList(EngineListResponse::Program { path, name })
            }),
            EngineListRequest::AddEngine { path, name } => self.add(path, name, language),
            EngineListRequest::RemoveEngine { name } => self.remove(name),
        }
    }

    fn add(&self, program: &str, name: &str, language: Language) -> Result<Response, Refusal> {
        let list = self.0.list().ok_or(Refusal::EnginesFixed)?;
        let program = resolve_program(program)?;
        let mut settings = vec![("cmd".to_owned(), quoted(&program)), ("name".to_owned(), name.trim().to_owned())];
        if name.trim().is_empty() {
            settings.truncate(1);
        }
        // Many engines read their network from their working directory.
        if let Some(folder) = Path::new(&program).parent().and_then(Path::to_str) {
            settings.push(("dir".to_owned(), folder.to_owned()));
        }
        let settings = PlayerSettings(settings);
        let player = described(&settings).map_err(|error| Refusal::Bad(error.to_string()))?;
        if self.0.find(&player.name).is_some() {
            return Err(Refusal::EngineTaken(player.name));
        }
        let trial = try_out(&player, &NEVER).map_err(|failed| refusal(&player.name, failed, language))?;
        let Some(mv) = trial.mv else {
            return Err(Refusal::Engine(Key::EngineNoStart, player.name, language.word(Key::NoHandshake).to_owned()));
        };
        list.add(settings).map_err(|error| match error {
            ListError::Taken(name) => Refusal::EngineTaken(name),
            error => Refusal::File(error.to_string()),
        })?;
        let text = format!("{} ({:?}): {mv}", trial.identity, trial.dialect);
        self.0.add(player);
        Ok(Response::EngineList(EngineListResponse::Engines { engines: self.0.names().to_vec(), text }))
    }

    fn remove(&self, name: &str) -> Result<Response, Refusal> {
        let list = self.0.list().ok_or(Refusal::EnginesFixed)?;
        list.remove(name).map_err(|error| match error {
            // The engine was given on the command line.
            ListError::Unknown(_) => Refusal::EnginesFixed,
            error => Refusal::File(error.to_string()),
        })?;
        self.0.remove(name);
        Ok(Response::EngineList(EngineListResponse::Engines { engines: self.0.names().to_vec(), text: String::new() }))
    }
}

/// Returns the user's home folder.
fn home() -> Option<PathBuf> {
    etcetera::home_dir().ok()
}

/// Resolves a path that the user has typed.
fn resolve(path: &str) -> Result<PathBuf, Refusal> {
    let path = path.trim();
    let known = match path.strip_prefix("~/").and_then(|rest| Some(home()?.join(rest))) {
        Some(below) => below,
        None => PathBuf::from(path),
    };
    let missing = || Refusal::Program(Key::ProgramMissing, path.to_owned());
    // Relative paths are rejected, since the user of the page does not know the server's working directory.
    if !known.is_absolute() || path.contains(steers) {
        return Err(missing());
    }
    known.canonicalize().map_err(|_| missing())
}

/// Resolves all links in the path of a program, so that the confirmed program is the one that is started.
fn resolve_program(path: &str) -> Result<String, Refusal> {
    let whole = resolve(path)?;
    let text = whole.to_str().filter(|text| !text.contains(steers)).map(str::to_owned);
    let text = text.ok_or_else(|| Refusal::Program(Key::ProgramMissing, path.trim().to_owned()))?;
    let refused = |key| Refusal::Program(key, text.clone());
    let metadata = fs::metadata(&whole).map_err(|_| refused(Key::ProgramMissing))?;
    if !metadata.is_file() || !is_program(&whole, &metadata) {
        return Err(refused(Key::ProgramForbidden));
    }
    if !is_only_ours(&whole, &metadata) {
        return Err(refused(Key::ProgramUnsafe));
    }
    Ok(text)
}

#[cfg(unix)]
fn is_program(_: &Path, metadata: &Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn is_program(path: &Path, _: &Metadata) -> bool {
    let suffix = path.extension().and_then(|suffix| suffix.to_str()).unwrap_or_default();
    ["exe", "bat", "cmd", "com"].iter().any(|known| suffix.eq_ignore_ascii_case(known))
}

/// Returns `true` if a program and its folders belong to the user or the administrator and cannot be changed
/// or replaced by every user.
#[cfg(unix)]
fn is_only_ours(path: &Path, program: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    const STICKY: u32 = 0o1000;
    let own = rustix::process::geteuid().as_raw();
    let is_ours = |metadata: &Metadata| [0, own].contains(&metadata.uid());
    let is_closed = |metadata: &Metadata| metadata.mode() & 0o002 == 0;
    let folders_are_safe = path.ancestors().skip(1).all(|folder| {
        // In a sticky folder, others cannot replace files that they do not own.
        fs::metadata(folder).is_ok_and(|found| is_ours(&found) && (is_closed(&found) || found.mode() & STICKY != 0))
    });
    is_ours(program) && is_closed(program) && folders_are_safe
}

#[cfg(not(unix))]
fn is_only_ours(_: &Path, _: &Metadata) -> bool {
    true
}

/// Returns the folders and programs in a folder, which defaults to the user's home folder. Files are not
/// opened; hidden files and names with control characters are not listed.
fn folder(path: Option<&str>) -> Result<Response, Refusal> {
    let start = home().ok_or(Refusal::EnginesFixed)?;
    let whole = path.map_or(Ok(start), resolve)?;
    let text = |path: &Path| path.to_str().filter(|text| !text.contains(steers)).map(str::to_owned);
    let missing = || Refusal::Program(Key::ProgramMissing, path.unwrap_or_default().to_owned());
    let (mut folders, mut programs) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(&whole).map_err(|_| missing())?.flatten().take(MAX_ENTRIES) {
        let Some(name) = text(Path::new(&entry.file_name())).filter(|name| !name.starts_with('.')) else { continue };
        // Links are followed, and broken ones are omitted.
        let Ok(metadata) = fs::metadata(entry.path()) else { continue };
        if metadata.is_dir() {
            folders.push(name);
        } else if metadata.is_file() && is_program(&entry.path(), &metadata) {
            programs.push(name);
        }
    }
    folders.sort();
    programs.sort();
    let parent = whole.parent().and_then(text);
    Ok(Response::EngineList(EngineListResponse::Folder {
        path: text(&whole).ok_or_else(missing)?,
        parent,
        folders,
        programs,
    }))
}
