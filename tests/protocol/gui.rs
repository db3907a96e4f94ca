//! A GUI for tests: starts the real program, sends commands, and reads replies with a timeout.

use chuhe::rules::Game;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Timeout, longer than any reply takes on the busiest machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running engine and its output.
pub(crate) struct Gui {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Standard error of the engine, which should be empty.
    errors: Arc<Mutex<String>>,
}

impl Gui {
    /// Starts the program with arguments.
    pub(crate) fn start(arguments: &[&str]) -> Gui {
        let mut child = Command::new(env!("CARGO_BIN_EXE_chuhe"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let errors = Arc::new(Mutex::new(String::new()));
        let (kept, output) = (Arc::clone(&errors), BufReader::new(child.stderr.take().expect("a pipe")));
        thread::spawn(move || {
            let lines = output.lines().map_while(Result::ok);
            lines.for_each(|line| *kept.lock().expect("no thread panics with it") += &format!("{line}\n"));
        });
        let input = child.stdin.take();
        Gui { child, input, lines, errors }
    }

    /// Starts the program and sends `ucci` or `uci`.
    pub(crate) fn greeted(word: &str) -> Gui {
        let mut gui = Gui::start(&[]);
        gui.send(word);
        gui.until(&format!("{word}ok"));
        gui
    }

    /// Starts the program in UCCI, with a small hash table.
    pub(crate) fn ucci() -> Gui {
        let mut gui = Gui::greeted("ucci");
        gui.send("setoption hashsize 1");
        gui
    }

    /// Starts the program in UCI, with a small hash table.
    pub(crate) fn uci() -> Gui {
        let mut gui = Gui::greeted("uci");
        gui.send("setoption name Hash value 1");
        gui
    }

    /// Sends lines.
    pub(crate) fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    /// Sends raw bytes.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the program listens");
    }

    /// Returns the lines up to the first line that begins with a string.
    pub(crate) fn until(&mut self, start: &str) -> Vec<String> {
        self.listen(start, |line| line.starts_with(start))
    }

    /// Returns the lines up to the first line that contains a string.
    pub(crate) fn until_one_has(&mut self, text: &str) -> Vec<String> {
        self.listen(text, |line| line.contains(text))
    }

    /// Returns the lines up to the first line that satisfies a condition.
    pub(crate) fn listen(&mut self, what: &str, is_last: impl Fn(&str) -> bool) -> Vec<String> {
        let mut heard = Vec::new();
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => heard.push(line),
                Err(error) => panic!("{error}: waited for {what:?} after {heard:#?}; errors: {}", self.errors()),
            }
            if heard.last().is_some_and(|line| is_last(line)) {
                return heard;
            }
        }
    }

    /// Returns the pending output; sends `isready` and discards the reply to it.
    pub(crate) fn said(&mut self) -> Vec<String> {
        self.send("isready");
        let mut heard = self.until("readyok");
        heard.pop();
        heard
    }

    /// Returns the `bestmove` line, which must contain a legal move of the game, with ranks from 0.
    pub(crate) fn best_move(&mut self, fen: &str, moves: &str) -> String {
        let line = self.until("bestmove").pop().expect("a line");
        let best = line.split(' ').nth(1).unwrap_or_default().to_owned();
        let mut game = Game::from_fen(fen).expect("a position");
        game.play_text(moves.split_whitespace()).expect("legal moves");
        game.play_text([best.as_str()]).unwrap_or_else(|error| panic!("{line}: {error} in {fen} after {moves:?}"));
        if let ["bestmove", _, "ponder", ponder, ..] = line.split(' ').collect::<Vec<_>>().as_slice() {
            game.play_text([*ponder]).unwrap_or_else(|error| panic!("{line}: {error} in {fen} after {moves:?}"));
        }
        line
    }

    /// Returns the FEN of the engine's position.
    pub(crate) fn fen(&mut self) -> String {
        self.send("d");
        let lines = self.until("Key: ");
        let fen = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
        fen.unwrap_or_else(|| panic!("no FEN in {lines:#?}")).to_owned()
    }

    /// Sends a signal such as `INT` or `TERM`.
    #[cfg(unix)]
    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status();
        assert!(status.expect("kill runs").success());
    }

    /// Returns the number of page faults of the program.
    #[cfg(target_os = "linux")]
    pub(crate) fn page_faults(&self) -> u64 {
        let about = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("a running program");
        // The name of the program, in brackets, may contain spaces; the numbers of minor and major faults are
        // seven fields later.
        let fields: Vec<&str> = about.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        [fields[7], fields[9]].iter().map(|count| count.parse::<u64>().expect("a count")).sum()
    }

    /// Closes the input.
    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    /// Closes the output; the engine must end when it next writes.
    pub(crate) fn stop_listening(mut self) {
        self.lines = channel().1;
        let deadline = Instant::now() + PATIENCE;
        while self.child.try_wait().expect("a child").is_none() && Instant::now() < deadline {
            // The engine may have ended in the meantime.
            let _ = self.input.as_mut().map(|input| input.write_all(b"isready\n"));
            thread::sleep(Duration::from_millis(20));
        }
        self.wait();
    }

    /// Returns the last lines after the engine has ended by itself. It must have succeeded, and standard
    /// error must be empty.
    pub(crate) fn end(mut self) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => heard.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(error) => panic!("{error}: waited for the end after {heard:#?}"),
            }
        }
        self.wait();
        heard
    }

    /// Returns the text written to standard error so far.
    pub(crate) fn errors(&self) -> String {
        self.errors.lock().expect("no thread panics with it").clone()
    }

    /// Waits for the end of the program and checks its status.
    fn wait(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            match self.child.try_wait().expect("a child") {
                Some(status) => break status,
                None if Instant::now() > deadline => panic!("the program does not end"),
                None => thread::sleep(Duration::from_millis(5)),
            }
        };
        let errors = self.errors();
        assert!(status.success() && errors.is_empty(), "{status}: {errors}");
    }
}

impl Drop for Gui {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the number of lines that begin with a string.
pub(crate) fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}
