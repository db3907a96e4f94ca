//! Bounded reading of regular files, and atomic replacement of files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Maximum file length: 1 GiB, more than any file of games, positions, settings or networks requires. Only
/// training records, which are read in parts, may be longer.
pub const MAX_FILE: u64 = 1 << 30;

/// Opens a file for reading.
///
/// # Errors
/// Returns an error if the file cannot be opened or is not a regular file. Devices and pipes may be endless,
/// and opening a pipe may block.
pub fn open_file(path: &Path) -> io::Result<File> {
    check_regular(path)?;
    File::open(path)
}

/// Checks that a regular file exists.
///
/// # Errors
/// Returns an error if the file does not exist, or is a folder, a pipe or a device.
pub(crate) fn check_regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path)?.is_file() {
        true => Ok(()),
        false => Err(io::Error::other("not a regular file")),
    }
}

/// Reads a whole regular file of at most `at_most` bytes.
///
/// # Errors
/// Returns an error if the file cannot be read, is not a regular file or is longer.
pub fn read_file(path: &Path, at_most: u64) -> io::Result<Vec<u8>> {
    read_open(&open_file(path)?, at_most)
}

/// Reads the rest of an open file, at most `at_most` bytes. On Windows, a locked file can be read only
/// through the handle that holds the lock.
///
/// # Errors
/// Returns an error if the file cannot be read or is longer.
pub fn read_open(file: &File, at_most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One extra byte detects a file that is too long, even one that is still growing.
    file.take(at_most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > at_most {
        return Err(io::Error::other(format!("too long: more than {at_most} bytes")));
    }
    Ok(bytes)
}

/// A new file that replaces an existing one atomically: other programs read either the old or the new
/// content, and a full disk leaves the old file intact. Until [`NewFile::keep`] is called, the file has a
/// unique temporary name in the same folder; without that call it is deleted.
///
/// If the path is not a regular file, such as `/dev/null`, it is written directly. Links are followed, even
/// to files that do not exist.
#[derive(Debug)]
pub struct NewFile {
    file: File,
    /// Temporary path; `None` if the target is not a regular file.
    temporary: Option<PathBuf>,
    path: PathBuf,
    existing: Existing,
}

/// Treatment of an existing regular file with the same name. Devices and pipes are always written to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// Replaces the existing file.
    Replace,
    /// Fails, leaving the existing file unchanged.
    Refuse,
}

impl NewFile {
    /// Creates a temporary file that will replace `path`.
    ///
    /// # Errors
    /// Returns an error if no file can be created in the folder of `path`, or if the file exists and
    /// `existing` is [`Existing::Refuse`].
    pub fn create(path: &Path, existing: Existing) -> io::Result<NewFile> {
        let path = behind_links(path);
        let old = match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            old => Some(old?),
        };
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            let file = OpenOptions::new().write(true).open(&path)?;
            return Ok(NewFile { file, temporary: None, path, existing });
        }
        if old.is_some() && existing == Existing::Refuse {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let mut new = NewFile::with_temporary_name(path)?;
        new.existing = existing;
        if let Some(old) = old {
            // The permissions of the old file are preserved, if the file system supports this.
            let _ = new.file.set_permissions(old.permissions());
        }
        Ok(new)
    }

    /// Creates a temporary file next to `path`.
    fn with_temporary_name(path: PathBuf) -> io::Result<NewFile> {
        // While this lock is held, the handler of a signal waits, so it also deletes the new file.
        let mut unfinished = unfinished();
        let (file, temporary) = fresh_file(&path)?;
        unfinished.push(temporary.clone());
        Ok(NewFile { file, temporary: Some(temporary), path, existing: Existing::Replace })
    }

    /// Replaces the target with the new file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be renamed, or if a file that must not be replaced has appeared.
    pub fn keep(mut self) -> io::Result<()> {
        let Some(temporary) = &self.temporary else { return Ok(()) };
        if self.existing == Existing::Refuse {
            match fs::hard_link(temporary, &self.path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
                // The file system may not support hard links.
                Err(_) if fs::symlink_metadata(&self.path).is_ok() => return Err(io::ErrorKind::AlreadyExists.into()),
                Err(_) => fs::rename(temporary, &self.path)?,
                // The temporary name is removed when the value is dropped.
                Ok(()) => return Ok(()),
            }
        } else {
            fs::rename(temporary, &self.path)?;
        }
        self.forget();
        Ok(())
    }

    /// Removes the temporary name from the list of unfinished files.
    fn forget(&mut self) {
        let temporary = self.temporary.take();
        unfinished().retain(|path| Some(path) != temporary.as_ref());
    }
}

/// Returns the list of unfinished files by temporary name.
fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Deletes all unfinished files before the program is terminated by a signal. No other [`NewFile`] can be
/// created until the returned guard is dropped.
#[must_use]
pub fn remove_unfinished() -> impl Sized {
    let mut unfinished = unfinished();
    for path in unfinished.drain(..) {
        let _ = fs::remove_file(path);
    }
    unfinished
}

/// Resolves symbolic links, at most 40 of them; for circular links, the result is one of the links.
fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..40 {
        let Ok(target) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    path
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
        self.forget();
    }
}

/// Creates a file with an unused name in the folder of `path`. Existing files and links are neither opened
/// nor changed.
fn fresh_file(path: &Path) -> io::Result<(File, PathBuf)> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    for _ in 0..1000 {
        // The name is short, because the target's name may already have the maximum length.
        let name = format!(".chuhe-{}-{}.new", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let temporary = path.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return Ok((opened?, temporary)),
        }
    }
    Err(io::Error::from(io::ErrorKind::AlreadyExists))
}

/// Writes a file atomically; see [`NewFile`].
///
/// # Errors
/// Returns an error if the file cannot be written; the old file is then unchanged.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_file_by(path, |file| file.write_all(bytes))
}

/// Changes a settings file under a lock, so that changes by other programs are not lost. `change` receives
/// the current content, which is empty if there is no file, and returns the new content. The folder is
/// created if necessary. The lock is an empty file in the same folder.
///
/// # Errors
/// Returns an error if the file cannot be read, locked or written, or if `change` fails; the old file is then
/// unchanged.
pub fn update_file<E: From<io::Error>>(
    path: &Path,
    at_most: u64,
    change: impl FnOnce(Vec<u8>) -> Result<Vec<u8>, E>,
) -> Result<(), E> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let path = behind_links(path);
    let mut lock_path = path.clone().into_os_string();
    lock_path.push(".lock");
    let lock_path = PathBuf::from(lock_path);
    if fs::metadata(&lock_path).is_ok() {
        check_regular(&lock_path)?;
    }
    let lock = OpenOptions::new().write(true).create(true).truncate(false).open(lock_path)?;
    match lock.lock() {
        // Some file systems do not support locks.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
        locked => locked?,
    }
    let old = match read_file(&path, at_most) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        old => old?,
    };
    replace_file(&path, &change(old)?)?;
    Ok(())
}

/// Writes a file atomically to a folder under the first unused name in `names`, and returns its path.
/// Existing files are not replaced.
///
/// # Errors
/// Returns an error if the file cannot be written or no name is free; no partial file remains.
pub fn write_new_file(folder: &Path, names: impl Iterator<Item = String>, bytes: &[u8]) -> io::Result<PathBuf> {
    for path in names.map(|name| folder.join(name)) {
        // The name of a link counts as used, even if the link's target does not exist.
        if fs::symlink_metadata(&path).is_ok() {
            continue;
        }
        let written = NewFile::with_temporary_name(path.clone()).and_then(|mut new| {
            new.existing = Existing::Refuse;
            new.write_all(bytes)?;
            new.keep()
        });
        match written {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            written => return written.map(|()| path),
        }
    }
    Err(io::Error::from(io::ErrorKind::AlreadyExists))
}

/// Like [`replace_file`], but writes incrementally, for files larger than memory; `write` may seek.
///
/// # Errors
/// Returns an error if the file cannot be written; no partial file remains.
pub(crate) fn replace_file_by<T>(path: &Path, write: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
    let mut new = NewFile::create(path, Existing::Replace)?;
    let result = write(&mut new.file)?;
    new.keep()?;
    Ok(result)
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

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_only_when_it_is_whole_and_nothing_else_is_touched() {
        let folder = folder("replace");
        let (path, neighbour) = (folder.join("state"), folder.join("state.new"));
        fs::write(&neighbour, b"mine").expect("a file of somebody else");
        replace_file(&path, b"old").expect("written");
        let mut file = NewFile::create(&path, Existing::Replace).expect("a new file");
        file.write_all(b"half").expect("written");
        assert_eq!(fs::read(&path).expect("the old one"), b"old");
        drop(file);
        assert_eq!(fs::read(&path).expect("the old one"), b"old");
        replace_file(&path, b"new").expect("written");
        assert_eq!(fs::read(&path).expect("the new one"), b"new");
        assert_eq!(fs::read(&neighbour).expect("the neighbour"), b"mine");
        assert_eq!(names(&folder), ["state", "state.new"]);
        fs::remove_dir_all(folder).expect("the folder");
    }

    #[test]
    fn a_file_that_must_stay_does_even_if_it_appears_meanwhile() {
        let folder = folder("refuse");
        let path = folder.join("file");
        let mut new = NewFile::create(&path, Existing::Refuse).expect("a new file");
        new.write_all(b"new").expect("written");
        fs::write(&path, b"mine").expect("a file of somebody else");
        let kinds = [new.keep(), NewFile::create(&path, Existing::Refuse).map(drop)];
        assert_eq!(kinds.map(|done| done.expect_err("it stays").kind()), [io::ErrorKind::AlreadyExists; 2]);
        assert_eq!((fs::read(&path).expect("the file"), names(&folder)), (b"mine".to_vec(), vec!["file".to_owned()]));
        fs::remove_file(&path).expect("the file");
        let mut new = NewFile::create(&path, Existing::Refuse).expect("a new file");
        new.write_all(b"new").expect("written");
        new.keep().expect("the name is unused");
        assert_eq!((fs::read(&path).expect("the file"), names(&folder)), (b"new".to_vec(), vec!["file".to_owned()]));
        fs::remove_dir_all(folder).expect("the folder");
    }

    #[test]
    fn a_file_with_the_longest_name_is_replaced() {
        let folder = folder("long");
        let path = folder.join("x".repeat(255));
        replace_file(&path, b"new").expect("written");
        assert_eq!(fs::read(&path).expect("the file"), b"new");
        fs::remove_dir_all(folder).expect("the folder");
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_taken_are_passed_over_and_links_there_are_not_followed() {
        let folder = folder("taken");
        let (path, target) = (folder.join("state"), folder.join("target"));
        fs::write(&target, b"precious").expect("a file");
        let (_, first) = fresh_file(&path).expect("a new file");
        let digits = |name: &Path| -> u32 {
            let name = name.file_stem().expect("a name").to_string_lossy().into_owned();
            name.rsplit('-').next().expect("a number").parse().expect("a number")
        };
        // Other tests also increment the counter, so several names are occupied here.
        for number in digits(&first) + 1..digits(&first) + 50 {
            let name = format!(".chuhe-{}-{number}.new", std::process::id());
            std::os::unix::fs::symlink(&target, folder.join(name)).expect("a link");
        }
        replace_file(&path, b"new").expect("written");
        assert_eq!(fs::read(&target).expect("the target"), b"precious");
        assert_eq!(fs::read(&path).expect("the file"), b"new");
        fs::remove_dir_all(folder).expect("the folder");
    }

    #[cfg(unix)]
    #[test]
    fn the_new_file_is_readable_by_those_who_read_the_old_one() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder("mode");
        let path = folder.join("secret");
        replace_file(&path, b"old").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("permissions");
        replace_file(&path, b"new").expect("written");
        assert_eq!(fs::metadata(&path).expect("the file").permissions().mode() & 0o777, 0o600);
        fs::remove_dir_all(folder).expect("the folder");
    }

    #[test]
    fn a_new_file_takes_the_first_name_that_is_free() {
        let folder = folder("new");
        fs::write(folder.join("a"), b"mine").expect("a file");
        let names_wanted = || ["a", "b", "c"].map(String::from).into_iter();
        assert_eq!(write_new_file(&folder, names_wanted(), b"one").expect("written"), folder.join("b"));
        assert_eq!(write_new_file(&folder, names_wanted(), b"two").expect("written"), folder.join("c"));
        assert!(write_new_file(&folder, names_wanted(), b"three").is_err());
        assert_eq!(
            ["a", "b", "c"].map(|name| fs::read(folder.join(name)).expect("it")),
            [&b"mine"[..], b"one", b"two"]
        );
        assert_eq!(names(&folder), ["a", "b", "c"]);
        fs::remove_dir_all(folder).expect("the folder");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_file_that_is_not_there_yet_is_followed() {
        let folder = folder("dangling");
        let (link, second) = (folder.join("link"), folder.join("second"));
        std::os::unix::fs::symlink("target", &link).expect("a link");
        std::os::unix::fs::symlink(&link, &second).expect("a link");
        replace_file(&second, b"new").expect("written");
        assert!([&link, &second].iter().all(|link| fs::symlink_metadata(link).expect("the link").is_symlink()));
        assert_eq!(fs::read(folder.join("target")).expect("the target"), b"new");
        std::os::unix::fs::symlink("circle", folder.join("circle")).expect("a link");
        assert!(replace_file(&folder.join("circle"), b"new").is_err());
        assert_eq!(names(&folder), ["circle", "link", "second", "target"]);
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
