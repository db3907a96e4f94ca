//! Files of a self-play run: one per thread, either new or continued.

use super::census::RecordCounts;
use super::error::{Error, FileError};
use super::records::{Encoding, HEADER_SIZE, Header, Reader, TrainingRecord, Writer};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Returns the name of a file in a run: seed and number, so that runs with different seeds can share a
/// folder.
pub fn file_name(seed: u64, file: usize) -> String {
    format!("{seed}-{file:03}.games")
}

/// Checks that a run can continue with this number of threads. All files of a run are created before its
/// first game; with a different number of threads, files would be omitted or added.
pub(super) fn check_threads(folder: &Path, seed: u64, threads: usize, resume: bool) -> Result<(), Error> {
    let paths = (0..).map(|file| folder.join(file_name(seed, file)));
    let begun: Vec<PathBuf> = paths.take_while(|path| path.exists()).collect();
    let has_games = |path: &PathBuf| path.metadata().is_ok_and(|file| file.len() > HEADER_SIZE as u64);
    if resume && (begun.len() > threads || begun.len() < threads && begun.iter().any(has_games)) {
        return Err(Error::Threads { folder: folder.to_owned(), seed, threads: begun.len() });
    }
    Ok(())
}

/// A file of a run, open for adding games.
pub(super) struct Output {
    writer: Writer<File>,
    /// Offset of an incomplete last block, which is rewritten together with the next games.
    reopened: Option<u64>,
}

impl Output {
    /// Adds a game.
    pub(crate) fn add(&mut self, record: TrainingRecord) -> io::Result<()> {
        if let Some(start) = self.reopened.take() {
            let file = self.writer.sink();
            file.set_len(start)?;
            file.seek(SeekFrom::End(0))?;
        }
        self.writer.add(record)
    }

    /// Writes the incomplete block.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        if self.reopened.is_some() { Ok(()) } else { self.writer.finish() }
    }
}

/// Opens a file for adding games. Also returns the count of its existing games, and a message about damage
/// that was removed.
pub(super) fn open(
    path: &Path,
    header: &Header,
    resume: bool,
) -> Result<(Output, RecordCounts, Option<String>), FileError> {
    let mut options = OpenOptions::new();
    // The file is not opened for appending, because Windows does not allow truncating such files.
    options.read(true).write(true).create(resume).create_new(!resume);
    let mut file = options.open(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => FileError::Exists,
        _ => FileError::System(error),
    })?;
    // Some file systems do not support locks.
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Err(FileError::Locked);
    }
    let length = file.metadata()?.len();
    if length < HEADER_SIZE as u64 {
        let writer = file.set_len(0).and_then(|()| Writer::new(file, header))?;
        return Ok((Output { writer, reopened: None }, RecordCounts::default(), None));
    }
    let mut reader = Reader::new(BufReader::new(&file))?;
    if reader.header() != header {
        return Err(difference(reader.header(), header));
    }
    let (mut counts, mut cut, mut last, mut start_of_last) = (RecordCounts::default(), None, Vec::new(), 0);
    while let Some(item) = reader.next() {
        match item {
            Ok(record) => {
                counts.count(&record);
                if reader.encoding() == Encoding::Coded {
                    if reader.last_block().0 != start_of_last {
                        start_of_last = reader.last_block().0;
                        last.clear();
                    }
                    last.push(record);
                }
            }
            Err(damage) if damage.is_tail() => cut = Some(format!("{}: {damage}", path.display())),
            Err(damage) => return Err(FileError::Damage(damage)),
        }
    }
    let (whole, form, (start, games)) = (reader.whole_bytes(), reader.encoding(), reader.last_block());
    drop(reader);
    file.set_len(whole).and_then(|()| file.seek(SeekFrom::End(0)))?;
    let is_open = (1..header.games_per_block()).contains(&games);
    let waiting = if is_open { last } else { Vec::new() };
    let writer = Writer::further(file, header, form, waiting);
    Ok((Output { writer, reopened: is_open.then_some(start) }, counts, cut))
}

/// Returns the most important difference between two headers.
fn difference(old: &Header, new: &Header) -> FileError {
    match old {
        _ if old.network != new.network => FileError::OtherNetwork,
        _ if old.engine != new.engine => FileError::OtherEngine(old.engine, new.engine),
        _ if old.nodes != new.nodes => FileError::OtherNodes(old.nodes),
        _ => FileError::OtherSettings,
    }
}

#[cfg(test)]
mod tests {
    use super::super::records::Ply;
    use super::*;
    use chuhe_board::Position;
    use chuhe_board::rules::Outcome;

    /// Returns games that differ in their scores.
    fn games(count: i16) -> Vec<TrainingRecord> {
        let moves = ["h2e2", "h9g7", "h0g2"].map(|mv| mv.parse().expect("a move"));
        let plies = |score| moves.map(|mv| Ply { mv, score }).to_vec();
        let (start, end) = (Position::start(), crate::data::end::RecordedEnd::Resigned);
        let game = |score| TrainingRecord {
            start: start.clone(),
            random_plies: 4,
            starts_in_endgame: false,
            played_out: false,
            plies: plies(score),
            result: Outcome::Win,
            end,
        };
        (0..count).map(game).collect()
    }

    /// Returns a header for blocks of eight games.
    fn header() -> Header {
        Header::with_defaults(1, 100_000)
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("chuhe-run-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    fn add(path: &Path, games: &[TrainingRecord], finishes: bool) -> u64 {
        let (mut output, counts, _) = open(path, &header(), true).expect("a file");
        games[counts.games as usize..].iter().for_each(|game| output.add(game.clone()).expect("it is written"));
        if finishes {
            output.finish().expect("it is written");
        }
        counts.games
    }

    #[test]
    fn a_run_that_is_killed_loses_less_than_a_block_and_ends_with_the_same_bytes() {
        let folder = folder("killed");
        let (path, whole) = (folder.join("killed"), folder.join("whole"));
        let games = games(29);
        add(&whole, &games, true);
        // The run is killed after 10 games, stopped after 20, killed after 23, and so on.
        for (count, finishes, found) in [(10, false, 0), (20, true, 8), (23, false, 20), (29, true, 16), (29, true, 29)]
        {
            assert_eq!(add(&path, &games[..count], finishes), found);
        }
        assert_eq!(std::fs::read(&path).expect("a file"), std::fs::read(&whole).expect("a file"));
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn a_damaged_length_does_not_remove_the_blocks_after_it() {
        let folder = folder("length");
        let path = folder.join("damaged");
        add(&path, &games(29), true);
        let mut bytes = std::fs::read(&path).expect("a file");
        bytes[HEADER_SIZE + 4..][..4].copy_from_slice(&12_000_000u32.to_le_bytes());
        std::fs::write(&path, &bytes).expect("a file");
        assert!(matches!(open(&path, &header(), true), Err(FileError::Damage(_))));
        assert_eq!(std::fs::read(&path).expect("a file"), bytes);
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn a_file_of_an_older_version_is_continued_in_its_form() {
        let folder = folder("older");
        let (path, games) = (folder.join("older"), games(12));
        let old = |games: &[TrainingRecord]| {
            let head = header().encode(Encoding::Plain).to_vec();
            games.iter().fold(head, |bytes, game| [bytes, game.encode()].concat())
        };
        std::fs::write(&path, old(&games[..5])).expect("a file");
        assert_eq!(add(&path, &games, true), 5);
        assert_eq!(std::fs::read(&path).expect("a file"), old(&games));
        let _ = std::fs::remove_dir_all(folder);
    }
}
