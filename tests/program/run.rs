//! Helpers of several test programs: run Chuhe, and create temporary folders.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Returns a command that runs in the source folder, in English regardless of the terminal's settings.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).env("LC_ALL", "C").stdin(Stdio::null());
    command.env_remove("CHUHE_LOG").env_remove("COLUMNS");
    command
}

/// Runs the program and returns its output.
pub(crate) fn chuhe(arguments: &[&str]) -> Output {
    done(&mut command(arguments))
}

/// Runs a command to its end.
pub(crate) fn done(command: &mut Command) -> Output {
    command.output().expect("chuhe runs")
}

/// Returns standard error.
pub(crate) fn errors(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

/// Returns standard output of a successful call.
pub(crate) fn text_of(output: Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A temporary folder of a test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Creates an empty folder.
    pub(crate) fn new(name: &str) -> Folder {
        let folder = Folder::named(name);
        std::fs::create_dir_all(&*folder).expect("a folder");
        folder
    }

    /// Returns a folder that has not been created.
    pub(crate) fn named(name: &str) -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("{}-{name}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        Folder(path)
    }

    /// Returns the path of a file in the folder as an argument.
    pub(crate) fn file(&self, name: &str) -> String {
        self.join(name).to_str().expect("UTF-8").to_owned()
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
