//! Reading a file only if it is a regular one of a sensible length, and replacing a file in one piece.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// A file that is being written, to take the place of another in one piece: a reader sees the old file or the new one, and a full disk leaves
/// the old one. Until then it has a name that nobody else uses, in the same folder; without [`NewFile::keep`] it is taken away again.
///
/// What is no regular file, such as `/dev/null`, is written to as it is, and a link is followed, even to a file that is not there yet.
#[derive(Debug)]
pub struct NewFile {
    file: File,
    /// Its name for now; `None` if it is no regular file.
    beside: Option<PathBuf>,
    path: PathBuf,
}

impl NewFile {
    /// Begins a file that will be called `path`.
    ///
    /// # Errors
    /// There can be no new file in its folder.
    pub fn create(path: &Path) -> io::Result<NewFile> {
        let path = behind_links(path);
        let old = match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            old => Some(old?),
        };
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            let file = OpenOptions::new().write(true).open(&path)?;
            return Ok(NewFile { file, beside: None, path });
        }
        let new = NewFile::beside(path)?;
        if let Some(old) = old {
            // Who may read the old one may read the new one. Some file systems know nothing of that.
            let _ = new.file.set_permissions(old.permissions());
        }
        Ok(new)
    }

    /// A regular file, under a name for now.
    fn beside(path: PathBuf) -> io::Result<NewFile> {
        let (file, beside) = fresh_file(&path)?;
        unfinished().push(beside.clone());
        Ok(NewFile { file, beside: Some(beside), path })
    }

    /// Puts it in its place.
    ///
    /// # Errors
    /// It can't be renamed.
    pub fn keep(mut self) -> io::Result<()> {
        if let Some(beside) = &self.beside {
            fs::rename(beside, &self.path)?;
        }
        self.forget();
        Ok(())
    }

    /// Its name for now belongs to nobody any more.
    fn forget(&mut self) {
        let beside = self.beside.take();
        unfinished().retain(|path| Some(path) != beside.as_ref());
    }
}

/// All files that are being written, under their names for now.
fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes away all files that are not whole, before the program is ended from outside.
pub fn remove_unfinished() {
    for path in unfinished().drain(..) {
        let _ = fs::remove_file(path);
    }
}

/// Where a name leads; no link of a circle leads anywhere.
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
        if let Some(beside) = &self.beside {
            let _ = fs::remove_file(beside);
        }
        self.forget();
    }
}

/// A new file in the folder of `path`, under a name that was free: what stands in the way, a link too, is neither opened nor changed.
fn fresh_file(path: &Path) -> io::Result<(File, PathBuf)> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    for _ in 0..1000 {
        // Short, because the name of the file itself may be as long as the system allows.
        let name = format!(".chuhe-{}-{}.new", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let beside = path.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return Ok((opened?, beside)),
        }
    }
    Err(io::Error::from(io::ErrorKind::AlreadyExists))
}

/// Writes a file in one piece, as [`NewFile`] tells.
///
/// # Errors
/// It can't be written; the old file is still there.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_file_by(path, |file| file.write_all(bytes))
}

/// Writes a file in one piece under the first of some names in a folder that is free, and tells which; nothing is replaced.
///
/// # Errors
/// It can't be written, or no name is free; then nothing of it is left.
pub fn write_new_file(folder: &Path, names: impl Iterator<Item = String>, bytes: &[u8]) -> io::Result<PathBuf> {
    let mut new = NewFile::beside(folder.join("new"))?;
    new.write_all(bytes)?;
    let beside = new.beside.clone().unwrap_or_default();
    for path in names.map(|name| folder.join(name)) {
        match fs::hard_link(&beside, &path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // The file system may know no second names.
            Err(_) if fs::symlink_metadata(&path).is_ok() => {}
            Err(_) => {
                new.path.clone_from(&path);
                return new.keep().map(|()| path);
            }
            Ok(()) => return Ok(path),
        }
    }
    Err(io::Error::from(io::ErrorKind::AlreadyExists))
}

/// As [`replace_file`], piece by piece, for files that are larger than the memory; `write` may go back in the file.
///
/// # Errors
/// It can't be written; then nothing of it is left.
pub fn replace_file_by<T>(path: &Path, write: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
    let mut new = NewFile::create(path)?;
    let told = write(&mut new.file)?;
    new.keep()?;
    Ok(told)
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
        let mut file = NewFile::create(&path).expect("a new file");
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
        // Other tests draw numbers too.
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
