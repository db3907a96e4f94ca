//! The main loop: all messages from the GUI and from the engine reach the session through one channel.

use super::Dialect;
use super::lines::{self, ReadLine};
use super::session::{Input, Session};
use crate::machine;
use crate::output::is_closed;
use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::Duration;
use tracing::debug;

/// Capacity of the channel, small enough that queued commands do not delay the engine's events.
const MAX_UNHEARD: usize = 256;

/// A session for programs that supply the input lines themselves. Output is written only during calls.
/// [`Self::catch_up`] and [`Self::finish`] write replies that become available later.
///
/// ```
/// use chuhe_engine::protocol::Talk;
///
/// let mut said = Vec::new();
/// let mut talk = Talk::new(&mut said, None)?;
/// talk.receive_line("ucci")?;
/// talk.receive_line("go depth 3")?;
/// talk.finish()?;
/// drop(talk);
/// let said = String::from_utf8_lossy(&said);
/// assert!(said.contains("ucciok\n") && said.contains("bestmove ") && said.ends_with("bye\n"), "{said}");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Talk<W: Write> {
    /// Dropped before the session, which waits for its threads: without a receiver, none of them can be blocked.
    receiver: Receiver<Input>,
    session: Session<W>,
    /// `true` once the session has ended.
    parted: bool,
}

impl<W: Write> Talk<W> {
    /// Creates a session. If `dialect` is `None`, the handshake selects the dialect; earlier commands are
    /// answered as in UCI.
    ///
    /// # Errors
    /// Returns an error of kind [`Other`](io::ErrorKind::Other) if the system does not have enough threads or
    /// memory.
    pub fn new(output: W, dialect: Option<Dialect>) -> io::Result<Talk<W>> {
        let (sender, receiver) = mpsc::sync_channel(MAX_UNHEARD);
        Ok(Talk { receiver, session: Session::new(output, sender, dialect)?, parted: false })
    }

    /// Handles a line of input.
    ///
    /// # Errors
    /// Returns an error if the output fails.
    pub fn receive_line(&mut self, line: &str) -> io::Result<()> {
        self.catch_up()?;
        if !self.session.is_over() {
            self.session.handle(Input::Gui(ReadLine::Line(line.to_owned())))?;
        }
        self.part()
    }

    /// Writes the pending output of the engine.
    ///
    /// # Errors
    /// Returns an error if the output fails.
    pub fn catch_up(&mut self) -> io::Result<()> {
        while !self.session.is_over()
            && let Ok(input) = self.receiver.try_recv()
        {
            self.session.handle(input)?;
        }
        self.part()
    }

    /// Handles the end of the input: stops infinite searches, waits for all other results, and writes the
    /// replies.
    ///
    /// # Errors
    /// Returns an error if the output fails.
    pub fn finish(&mut self) -> io::Result<()> {
        if !self.session.is_over() {
            self.session.handle(Input::Gui(ReadLine::End))?;
        }
        while !self.session.is_over() {
            if let Ok(input) = machine::receive(&self.receiver, Duration::from_secs(1)) {
                self.session.handle(input)?;
            }
        }
        self.part()
    }

    /// Returns `true` if the GUI has sent `quit` and all replies have been written. Nothing is written
    /// afterwards.
    pub fn is_over(&self) -> bool {
        self.session.is_over()
    }

    /// Once the session is over, stops all work and checks the output; does so only once.
    fn part(&mut self) -> io::Result<()> {
        if !self.session.is_over() || std::mem::replace(&mut self.parted, true) {
            return Ok(());
        }
        self.session.end()
    }
}

/// Runs a session until the GUI sends `quit`, its input ends and all commands have been answered, or the
/// output is closed. If `dialect` is `None`, the handshake selects the dialect; earlier commands are answered
/// as in UCI. `give_quit` receives a function that ends the session at once, from any thread.
///
/// # Errors
/// Returns an error if the output fails, or an error of kind [`Other`](io::ErrorKind::Other) if the system
/// does not have enough threads or memory for the engine.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write,
    dialect: Option<Dialect>,
    give_quit: impl FnOnce(Box<dyn Fn() + Send>),
) -> io::Result<()> {
    let (sender, receiver) = mpsc::sync_channel(MAX_UNHEARD);
    let quits = sender.clone();
    // The receiver no longer exists after the end of the session.
    give_quit(Box::new(move || _ = quits.send(Input::Quit)));
    let to_session = sender.clone();
    // A separate thread reads, so that the loop never blocks on input.
    let listener = thread::Builder::new().name("input".into()).spawn(move || listen(input, &to_session));
    listener.map_err(|error| io::Error::other(format!("cannot create a thread for the input: {error}")))?;
    match talk(Session::new(output, sender, dialect)?, receiver) {
        // A closed output ends the session.
        Err(error) if is_closed(&error) => Ok(()),
        other => other,
    }
}

/// Reads lines until the input ends or the session is over.
fn listen(input: impl Read, to_session: &SyncSender<Input>) {
    let mut input = BufReader::with_capacity(1 << 16, input);
    loop {
        let heard = lines::read(&mut input).unwrap_or_else(|error| {
            debug!("the input can't be read: {error}");
            ReadLine::End
        });
        let at_end = heard == ReadLine::End;
        if to_session.send(Input::Gui(heard)).is_err() || at_end {
            return;
        }
    }
}

/// Runs the loop. Takes the receiver by value, so that blocked senders fail when the loop ends.
fn talk<W: Write>(mut session: Session<W>, receiver: Receiver<Input>) -> io::Result<()> {
    while !session.is_over() {
        // The session holds a sender, so the channel never closes.
        let Ok(input) = receiver.recv() else { break };
        session.handle(input)?;
    }
    session.end()
}
