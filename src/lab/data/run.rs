//! Files of a self-play run: one per thread, either new or continued.

use super::census::Tally;
use super::records::{HEADER_SIZE, Header, Reader};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Returns the name of a run's file: seed and number, so that runs with different seeds can share a folder.
pub fn file_name(seed: u64, file: usize) -> String {
    format!("{seed}-{file:03}.games")
}

/// Checks that a run can continue with this number of threads. All files of a run are created before its
/// first game, so another number of threads would skip or add files.
pub(super) fn check_threads(folder: &Path, seed: u64, threads: usize, resume: bool) -> Result<(), String> {
    let paths = (0..).map(|file| folder.join(file_name(seed, file)));
    let begun: Vec<PathBuf> = paths.take_while(|path| path.exists()).collect();
    let has_games = |path: &PathBuf| path.metadata().is_ok_and(|file| file.len() > HEADER_SIZE as u64);
    if resume && (begun.len() > threads || begun.len() < threads && begun.iter().any(has_games)) {
        return Err(format!("{}: seed {seed} was started with --threads {}", folder.display(), begun.len()));
    }
    Ok(())
}

/// Opens a file for more games; returns its existing contents and a message about what was truncated.
pub(super) fn open(path: &Path, header: &Header, resume: bool) -> Result<(File, Tally, Option<String>), String> {
    let mut options = OpenOptions::new();
    // Not opened for appending, because Windows does not allow truncating such files.
    options.read(true).write(true).create(resume).create_new(!resume);
    let mut file = options.open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            "exists already; --resume continues it, another --seed starts a new run".into()
        }
        _ => error.to_string(),
    })?;
    // Some file systems do not support locks.
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Err("is being written by another run".to_owned());
    }
    let length = file.metadata().map_err(|error| error.to_string())?.len();
    if length < HEADER_SIZE as u64 {
        file.set_len(0).and_then(|()| file.write_all(&header.encode())).map_err(|error| error.to_string())?;
        return Ok((file, Tally::default(), None));
    }
    let mut reader = Reader::new(BufReader::new(&file))?;
    if reader.header() != header {
        return Err(describe_difference(reader.header(), header));
    }
    let (mut tally, mut cut) = (Tally::default(), None);
    for item in reader.by_ref() {
        match item {
            Ok(record) => tally.count(&record),
            Err(damage) if damage.is_tail() => cut = Some(format!("{}: {damage}", path.display())),
            Err(damage) => return Err(format!("{damage}: more than a stopped run leaves, so nothing was changed")),
        }
    }
    let whole = reader.whole_bytes();
    drop(reader);
    file.set_len(whole).and_then(|()| file.seek(SeekFrom::End(0))).map_err(|error| error.to_string())?;
    Ok((file, tally, cut))
}

fn describe_difference(old: &Header, new: &Header) -> String {
    if old.network != new.network {
        return "was started with another network; take another --seed".to_owned();
    }
    if old.engine != new.engine {
        return format!(
            "was started by an engine that plays differently (signature {}, now {}); take another --seed",
            old.engine, new.engine
        );
    }
    if old.nodes != new.nodes {
        return format!("was started with --nodes {}", old.nodes);
    }
    "was started with other settings; take another --seed".to_owned()
}
