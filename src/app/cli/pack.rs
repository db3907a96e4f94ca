//! `chuhe datagen --pack`: rewrites training records in blocks.

use super::output::shown;
use super::{Done, Failure, interrupt};
use crate::output::{Progress, print_message};
use crate::translation::translate;
use chuhe_engine::bytes::{Existing, NewFile, open_file};
use chuhe_lab::data::records::{Reader, Writer};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

/// Writes packed files under the same names to a folder; fails if the folder already contains one of them.
pub(super) fn pack(files: &[PathBuf], folder: &Path, out: &mut dyn Write) -> Done {
    std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    let bar = Progress::new(files.len() as u64, "files");
    for path in files {
        let name = path.file_name().ok_or_else(|| Failure::at(path.display(), "not a file"))?;
        let line = pack_file(path, &folder.join(name))?;
        bar.aside(|| writeln!(out, "{}", translate(&line)))?;
        bar.advance(1);
    }
    Ok(())
}

/// Packs one file and returns a line of statistics.
fn pack_file(from: &Path, to: &Path) -> Result<String, Failure> {
    let file = open_file(from).map_err(|error| Failure::file(from, &error))?;
    let before = file.metadata().map_err(|error| Failure::file(from, &error))?.len();
    let reader =
        Reader::new(BufReader::with_capacity(1 << 20, file)).map_err(|error| Failure::at(from.display(), error))?;
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::at(to.display(), "the file already exists"),
        _ => Failure::file(to, &error),
    };
    interrupt::install_handler();
    let file = NewFile::create(to, Existing::Refuse).map_err(failed)?;
    let mut writer = Writer::new(file, reader.header()).map_err(failed)?;
    let (mut games, mut plies) = (0_u64, 0_u64);
    for record in reader {
        match record {
            Ok(record) => {
                (games, plies) = (games + 1, plies + record.plies.len() as u64);
                writer.add(record).map_err(failed)?;
            }
            // The incomplete tail of a stopped run is omitted.
            Err(damage) if damage.is_tail() && damage.is_unfinished() => {
                print_message(format!("{}: {damage}", shown(from)))
            }
            Err(damage) => return Err(Failure::at(from.display(), damage)),
        }
    }
    writer.close().and_then(|file| file.keep()).map_err(failed)?;
    let after = to.metadata().map_err(|error| Failure::file(to, &error))?.len();
    let share = after as f64 / plies.max(1) as f64;
    Ok(format!("{}: {games} games, {plies} plies, {before} to {after} bytes, {share:.2} bytes per ply", shown(to)))
}
