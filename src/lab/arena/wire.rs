//! Connection to another program: sends and receives lines with deadlines, using at most a few megabytes of
//! memory, regardless of the program's output.
//!
//! The program runs in its own process group (on Windows, a job object). Therefore Ctrl-C at the terminal
//! affects only the match, and all processes started by the program end together with it. On Linux, they also
//! end if the match is killed by a signal that cannot be caught.

use super::fault::Exit;
use process_wrap::std::{ChildWrapper, CommandWrap};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::time::{Duration, Instant};

/// Maximum length of a line; longer lines are truncated. UCCI referees read lines of up to 8192 bytes.
const MAX_LINE: usize = 8192;
/// Maximum number of unread lines; beyond it, the program blocks on its pipe.
const WAITING_LINES: usize = 512;
/// Maximum number of commands that wait until the program reads them.
const WAITING_COMMANDS: usize = 256;

/// A line written by the program, with its arrival time.
#[derive(Debug)]
pub struct Line {
    /// Text without its line end, truncated to 8192 bytes.
    pub text: String,
    /// Time at which the end of the line arrived.
    pub at: Instant,
    /// `true` for lines of standard error.
    pub is_error: bool,
}

/// Result of reading a line.
#[derive(Debug)]
pub(crate) enum Reading {
    /// A line.
    Line(Line),
    /// No line arrived before the deadline.
    Silence,
    /// Standard output is closed: the program has ended or is about to.
    Closed,
}

/// A running program with its pipes.
#[derive(Debug)]
pub(crate) struct Wire {
    child: Box<dyn ChildWrapper>,
    commands: Option<SyncSender<String>>,
    lines: Receiver<Option<Line>>,
    written: Arc<AtomicU64>,
    closed: bool,
}

impl Wire {
    /// Starts a program. On Linux, it is restricted to `cores` unless the list is empty; other systems use
    /// all cores.
    ///
    /// # Errors
    /// Returns the system error.
    pub(crate) fn start(command: &[String], directory: Option<&Path>, cores: &[usize]) -> std::io::Result<Wire> {
        let (program, arguments) = command.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
        let own = std::env::current_exe();
        let mut process = if program == "self" { Command::new(own?) } else { Command::new(program) };
        process.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = directory {
            process.current_dir(directory);
        }
        #[cfg(target_os = "linux")]
        prepare(&mut process, cores);
        #[cfg(not(target_os = "linux"))]
        let _ = cores;
        let mut process = CommandWrap::from(process);
        #[cfg(unix)]
        process.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        process.wrap(process_wrap::std::JobObject);
        let mut child = process.spawn()?;
        let (line_in, lines) = sync_channel(WAITING_LINES);
        let written = Arc::new(AtomicU64::new(0));
        let (commands, waiting) = sync_channel::<String>(WAITING_COMMANDS);
        let (output, errors, input) = (child.stdout().take(), child.stderr().take(), child.stdin().take());
        // After this line, an error ends the program, because the connection is dropped.
        let wire = Wire { child, commands: Some(commands), lines, written: written.clone(), closed: false };
        if let Some(output) = output {
            let (lines, written) = (line_in.clone(), written.clone());
            thread("output").spawn(move || {
                read_lines(output, false, &lines, &written);
                let _ = lines.send(None);
            })?;
        }
        if let Some(errors) = errors {
            thread("errors").spawn(move || read_lines(errors, true, &line_in, &written))?;
        }
        // A program that never reads its input must not block the match, so a thread writes the queued
        // commands.
        if let Some(mut input) = input {
            thread("input").spawn(move || {
                for command in waiting {
                    if input.write_all(command.as_bytes()).and_then(|()| input.flush()).is_err() {
                        break;
                    }
                }
            })?;
        }
        Ok(wire)
    }

    /// Sends a line. The program may not have read it when this function returns. If too many lines are
    /// waiting, the connection is closed, because an engine that misses a line such as `stop` cannot be used.
    pub(crate) fn send(&mut self, line: &str) {
        let Some(commands) = &self.commands else { return };
        // An engine that has closed its input is detected when its output is read.
        if let Err(TrySendError::Full(_)) = commands.try_send(format!("{line}\n")) {
            (self.commands, self.closed) = (None, true);
        }
    }

    /// Waits for the next line until `deadline`.
    pub(crate) fn read(&mut self, deadline: Instant) -> Reading {
        if self.closed {
            return Reading::Closed;
        }
        let line = match self.lines.try_recv() {
            Ok(line) => Ok(line),
            Err(TryRecvError::Disconnected) => Ok(None),
            Err(TryRecvError::Empty) => self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())),
        };
        match line {
            Ok(Some(line)) => Reading::Line(line),
            Err(RecvTimeoutError::Timeout) => Reading::Silence,
            Ok(None) | Err(RecvTimeoutError::Disconnected) => {
                self.closed = true;
                Reading::Closed
            }
        }
    }

    /// Returns the number of bytes written by the program to both outputs.
    pub(crate) fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// Waits briefly for the program to exit and returns its exit status.
    pub(crate) fn wait_for_exit(&mut self) -> Exit {
        if self.commands.is_none() {
            return Exit::Unknown("it does not read its input".to_string());
        }
        for _ in 0..50 {
            match self.child.try_wait() {
                Ok(Some(status)) => return Exit::Status(status),
                Ok(None) => std::thread::sleep(Duration::from_millis(10)),
                Err(error) => return Exit::Unknown(error.to_string()),
            }
        }
        Exit::Unknown("its output is closed, but it keeps running".to_string())
    }

    /// Sends `quit`, closes the input, and kills the program after `patience`.
    pub(crate) fn end(mut self, patience: Duration) {
        self.send("quit");
        self.commands = None;
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline {
            // A program that is still writing must not block on a full pipe.
            while matches!(self.lines.try_recv(), Ok(Some(_))) {}
            match self.child.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(2)),
                _ => return,
            }
        }
    }
}

/// Kills the rest of the program's process group, even if the program itself has ended.
impl Drop for Wire {
    fn drop(&mut self) {
        let _ = self.child.start_kill();
        let _ = self.child.wait();
    }
}

/// Returns the cores that this process may use, or `None` if the system does not report them.
pub(crate) fn usable_cores() -> Option<Vec<usize>> {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CpuSet, sched_getaffinity};
        let set = sched_getaffinity(None).ok()?;
        Some((0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect())
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Returns a thread builder with a small stack, for threads that wait for a program.
fn thread(name: &str) -> std::thread::Builder {
    std::thread::Builder::new().name(name.to_string()).stack_size(256 << 10)
}

/// Makes the system kill the program when the thread that started it ends, and pins the program to its cores.
#[cfg(target_os = "linux")]
fn prepare(process: &mut Command, cores: &[usize]) {
    use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};
    use rustix::thread::{CpuSet, sched_setaffinity};
    use std::os::unix::process::CommandExt;
    let parent = Pid::from_raw(std::process::id() as i32);
    let mut set = CpuSet::new();
    cores.iter().filter(|core| **core < CpuSet::MAX_CPU).for_each(|core| set.set(*core));
    let before_exec = move || {
        if set.count() > 0 {
            sched_setaffinity(None, &set)?;
        }
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The match may have ended before the signal was requested.
        if getppid() == parent { Ok(()) } else { Err(std::io::ErrorKind::BrokenPipe.into()) }
    };
    // SAFETY: between fork and exec, `before_exec` makes three system calls, allocates nothing and takes no
    // lock.
    unsafe { process.pre_exec(before_exec) };
}

/// Reads until the output ends or the receiver is dropped.
fn read_lines(source: impl Read, is_error: bool, lines: &SyncSender<Option<Line>>, written: &AtomicU64) {
    let mut source = BufReader::with_capacity(1 << 16, source);
    let mut line = Vec::new();
    loop {
        let bytes = match source.fill_buf() {
            Ok([]) | Err(_) => break,
            Ok(bytes) => bytes,
        };
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let part = end.unwrap_or(bytes.len());
        line.extend_from_slice(&bytes[..part.min(MAX_LINE - line.len())]);
        let used = part + usize::from(end.is_some());
        source.consume(used);
        written.fetch_add(used as u64, Ordering::Relaxed);
        if end.is_some() && !pass_on(&mut line, is_error, lines) {
            return;
        }
    }
    if !line.is_empty() {
        pass_on(&mut line, is_error, lines);
    }
}

fn pass_on(line: &mut Vec<u8>, is_error: bool, lines: &SyncSender<Option<Line>>) -> bool {
    let text = String::from_utf8_lossy(line).trim_end_matches('\r').to_string();
    line.clear();
    lines.send(Some(Line { text, at: Instant::now(), is_error })).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Wire {
        Wire::start(&["sh".into(), "-c".into(), script.into()], None, &[]).unwrap()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_program_stays_on_its_cores() {
        let core = usable_cores().expect("Linux")[0];
        let script = ["sh", "-c", "grep Cpus_allowed_list /proc/self/status"].map(str::to_owned);
        let mut wire = Wire::start(&script, None, &[core]).unwrap();
        let Reading::Line(line) = wire.read(soon()) else { panic!("no line") };
        assert_eq!(line.text.split_whitespace().last(), Some(core.to_string().as_str()));
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[test]
    fn lines_come_back_and_the_end_is_seen() {
        let mut wire = shell("read x; echo \"got $x\"; printf last; exit 3");
        wire.send("hello");
        assert!(matches!(wire.read(soon()), Reading::Line(line) if line.text == "got hello"));
        assert!(matches!(wire.read(soon()), Reading::Line(line) if line.text == "last"));
        assert!(matches!(wire.read(soon()), Reading::Closed));
        assert!(matches!(wire.wait_for_exit(), Exit::Status(status) if status.code() == Some(3)));
    }

    #[test]
    fn a_silent_program_is_waited_for_until_the_deadline() {
        let mut wire = shell("exec sleep 30");
        let start = Instant::now();
        assert!(matches!(wire.read(start + Duration::from_millis(30)), Reading::Silence));
        // The program was killed before the end of its sleep.
        assert!(start.elapsed() < Duration::from_secs(25));
    }

    #[test]
    fn a_program_that_does_not_read_loses_its_connection_and_no_command() {
        let mut wire = shell("exec sleep 30");
        // The line is longer than the pipe's buffer.
        let line = "x".repeat(1 << 17);
        (0..WAITING_COMMANDS + 3).for_each(|_| wire.send(&line));
        assert!(matches!(wire.read(soon()), Reading::Closed));
        assert_eq!(wire.wait_for_exit(), Exit::Unknown("it does not read its input".to_owned()));
    }

    #[test]
    fn an_endless_line_takes_no_memory() {
        let mut wire = shell("head -c 3000000 /dev/zero; echo; echo end");
        assert!(matches!(wire.read(soon()), Reading::Line(line) if line.text.len() == MAX_LINE));
        assert!(matches!(wire.read(soon()), Reading::Line(line) if line.text == "end"));
        assert!(wire.written() > 3_000_000);
    }
}
