//! Helpers that run the program, and temporary folders for its output.

use std::io::Write;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

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

/// Runs the program in a different folder.
pub(crate) fn chuhe_in(folder: &Path, arguments: &[&str]) -> Output {
    done(command(arguments).current_dir(folder))
}

/// Runs a command with input, which the command may ignore.
pub(crate) fn chuhe_reading(command: &mut Command, input: &str) -> Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("chuhe runs");
    let _ = child.stdin.take().expect("its input").write_all(input.as_bytes());
    child.wait_with_output().expect("its end")
}

/// Runs the program in a shell after the shell commands `limits`, such as `ulimit -f 8`. The signal for files
/// that are too large is ignored, so that the limit has the effect of a full disk.
#[cfg(unix)]
pub(crate) fn chuhe_under(limits: &str, folder: &Path, words: &str) -> Output {
    let script = format!("{limits}; exec \"$0\" {words}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_chuhe")]).current_dir(folder).env("LC_ALL", "C");
    done(shell.stdin(Stdio::null()))
}

/// Runs a command to its end.
pub(crate) fn done(command: &mut Command) -> Output {
    command.output().expect("chuhe runs")
}

/// Starts a command without output.
pub(crate) fn begin(command: &mut Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("chuhe runs")
}

/// Kills a program with SIGKILL.
pub(crate) fn kill(mut child: Child) {
    child.kill().expect("a kill");
    child.wait().expect("an end");
}

/// Sends a signal to a program.
#[cfg(unix)]
pub(crate) fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
    assert!(status.expect("kill runs").success());
}

/// Waits until a condition holds, with a timeout.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(120), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Returns standard output.
pub(crate) fn text(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
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
