//! Reading a file only if it is a regular one of a sensible length, and replacing a file in one piece.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// 1 GiB: longer than any file of games, positions, settings or networks; only training records, which are read in pieces, grow longer.
pub const LONGEST_FILE: u64 = 1 << 30;

/// Opens a file for reading.
///
/// # Errors
/// It can't be opened, or it is no regular file: a device or a pipe may have no end, and opening a pipe may never return.
pub fn open_file(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    File::open(path)
}

/// Reads a whole regular file of at most `at_most` bytes.
///
/// # Errors
/// It can't be read, is no regular file or is longer.
pub fn read_file(path: &Path, at_most: u64) -> io::Result<Vec<u8>> {
    read_open(&open_file(path)?, at_most)
}

/// Reads the rest of an open file, at most `at_most` bytes. On Windows, a locked file can be read only by the handle that has locked it.
///
/// # Errors
/// It can't be read or is longer.
pub fn read_open(file: &File, at_most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more tells a file that is too long, even one that grows meanwhile.
    file.take(at_most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > at_most {
        return Err(io::Error::other(format!("too long: more than {at_most} bytes")));
    }
    Ok(bytes)
}

/// Writes a file in one piece: a reader sees the old file or the new one, and a full disk leaves the old one.
///
/// What is no regular file, such as `/dev/null`, is written to as it is, and a link is followed.
///
/// # Errors
/// It can't be written.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => fs::write(path, bytes),
        _ => replace_file_by(path, |file| file.write_all(bytes)),
    }
}

/// As [`replace_file`], piece by piece, for files that are larger than the memory; `write` may go back in the file.
///
/// # Errors
/// It can't be written; then nothing of it is left.
pub fn replace_file_by<T>(path: &Path, write: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (beside, mut file) = new_beside(&path)?;
    let written = write(&mut file).and_then(|told| {
        drop(file);
        fs::rename(&beside, path).map(|()| told)
    });
    if written.is_err() {
        let _ = fs::remove_file(beside);
    }
    written
}

/// A file that nobody else has, whose name begins like the one that it is to replace.
fn new_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut number = 0u32;
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}-{number}.new", std::process::id()));
        let beside = PathBuf::from(name);
        match File::options().write(true).create_new(true).open(&beside) {
            Ok(file) => return Ok((beside, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => number += 1,
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("chuhe-file-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    #[test]
    fn only_regular_files_of_the_length_allowed_are_read() {
        let folder = folder("read");
        let path = folder.join("text");
        fs::write(&path, b"12345").expect("a file");
        assert_eq!(read_file(&path, 5).expect("five bytes"), b"12345");
        assert_eq!(read_file(&path, 4).expect_err("too long").to_string(), "too long: more than 4 bytes");
        assert_eq!(read_file(&folder, 5).expect_err("a folder").to_string(), "not a regular file");
        #[cfg(unix)]
        assert_eq!(read_file(Path::new("/dev/zero"), 5).expect_err("a device").to_string(), "not a regular file");
        fs::remove_dir_all(folder).expect("the folder");
    }

    #[test]
    fn a_file_is_replaced_and_a_failure_leaves_it() {
        let folder = folder("replace");
        let path = folder.join("state");
        replace_file(&path, b"old").expect("written");
        fs::create_dir(folder.join(format!("state.{}-0.new", std::process::id()))).expect("a folder in the way");
        replace_file(&path, b"newer").expect("written beside it");
        let half = |file: &mut File| file.write_all(b"half").and_then(|()| Err::<(), _>(io::Error::other("full")));
        assert!(replace_file_by(&path, half).is_err());
        assert_eq!(fs::read(&path).expect("the one before"), b"newer");
        assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 2, "nothing half-written is left");
        fs::remove_dir_all(folder).expect("the folder");
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_links_stay_what_they_are() {
        let folder = folder("link");
        let (path, link) = (folder.join("file"), folder.join("link"));
        fs::write(&path, b"old").expect("a file");
        std::os::unix::fs::symlink(&path, &link).expect("a link");
        replace_file(&link, b"new").expect("written");
        assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
        assert_eq!(fs::read(&path).expect("the file"), b"new");
        replace_file(Path::new("/dev/null"), b"nothing").expect("written");
        assert!(!fs::metadata("/dev/null").expect("it is there").is_file());
        fs::remove_dir_all(folder).expect("the folder");
    }
}
