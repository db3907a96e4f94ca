//! Helpers for single calls of the program with input or limits, and for processes that run beside a test.

pub(crate) use crate::run::{Folder, chuhe, command, done, errors, text_of};
#[cfg(unix)]
pub(crate) use crate::signal::signal;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

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

/// Starts a command without output.
pub(crate) fn begin(command: &mut Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("chuhe runs")
}

/// Kills a program with SIGKILL.
pub(crate) fn kill(mut child: Child) {
    child.kill().expect("a kill");
    child.wait().expect("an end");
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
