//! The loop: all messages, from the GUI and from the engine, reach the session through one channel.

use super::Dialect;
use super::lines::{self, Heard};
use super::session::{Input, Session};
use crate::machine;
use crate::output::is_closed;
use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::Duration;
use tracing::debug;

/// How much that was heard may wait for the loop: few enough that an answer of the engine is not late behind them.
const MOST_UNHEARD: usize = 256;

/// A talk with a GUI, for a program that brings its lines itself. What the engine says is written when the talk is called: answers that take
/// time, by a later [`Self::catch_up`] or by [`Self::finish`].
///
/// ```
/// use chuhe_engine::protocol::Talk;
///
/// let mut said = Vec::new();
/// let mut talk = Talk::new(&mut said, None)?;
/// talk.hear("ucci")?;
/// talk.hear("go depth 3")?;
/// talk.finish()?;
/// drop(talk);
/// let said = String::from_utf8_lossy(&said);
/// assert!(said.contains("ucciok\n") && said.contains("bestmove ") && said.ends_with("bye\n"), "{said}");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Talk<W: Write> {
    session: Session<W>,
    receiver: Receiver<Input>,
    /// The last word was said.
    parted: bool,
}

impl<W: Write> Talk<W> {
    /// A talk. Without a dialect the first handshake decides; commands before it are answered as in UCI.
    ///
    /// # Errors
    /// Of the kind [`Other`](io::ErrorKind::Other): the system has no thread or memory left for the engine.
    pub fn new(output: W, dialect: Option<Dialect>) -> io::Result<Talk<W>> {
        let (sender, receiver) = mpsc::sync_channel(MOST_UNHEARD);
        Ok(Talk { session: Session::new(output, sender, dialect)?, receiver, parted: false })
    }

    /// The GUI says a line.
    ///
    /// # Errors
    /// The output fails.
    pub fn hear(&mut self, line: &str) -> io::Result<()> {
        self.catch_up()?;
        if !self.session.is_over() {
            self.session.hear(Input::Gui(Heard::Line(line.to_owned())))?;
        }
        self.part()
    }

    /// Says what the engine has to say by now.
    ///
    /// # Errors
    /// The output fails.
    pub fn catch_up(&mut self) -> io::Result<()> {
        while !self.session.is_over()
            && let Ok(input) = self.receiver.try_recv()
        {
            self.session.hear(input)?;
        }
        self.part()
    }

    /// The GUI says no more: waits for what it has asked, but for a search without an end, and says it.
    ///
    /// # Errors
    /// The output fails.
    pub fn finish(&mut self) -> io::Result<()> {
        if !self.session.is_over() {
            self.session.hear(Input::Gui(Heard::End))?;
        }
        while !self.session.is_over() {
            if let Ok(input) = machine::receive(&self.receiver, Duration::from_secs(1)) {
                self.session.hear(input)?;
            }
        }
        self.part()
    }

    /// Whether the GUI said `quit` and has heard every answer: then nothing is said any more.
    pub fn is_over(&self) -> bool {
        self.session.is_over()
    }

    /// Ends whatever is being done when the talk is over, and says the last word.
    fn part(&mut self) -> io::Result<()> {
        if !self.session.is_over() || std::mem::replace(&mut self.parted, true) {
            return Ok(());
        }
        self.session.end()
    }
}

/// Talks with a GUI until it says `quit` or its input ends, and what it asked is answered; or no one is listening any more. Without a dialect the first handshake decides; commands
/// before it are answered as in UCI. `give_quit` gets a function that ends the talk at once, from any thread and whatever is waiting.
///
/// # Errors
/// The output fails; or, of the kind [`Other`](io::ErrorKind::Other), the system has no thread or memory left for the engine.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write,
    dialect: Option<Dialect>,
    give_quit: impl FnOnce(Box<dyn Fn() + Send>),
) -> io::Result<()> {
    let (sender, receiver) = mpsc::sync_channel(MOST_UNHEARD);
    let quits = sender.clone();
    // No one listens after the end.
    give_quit(Box::new(move || _ = quits.send(Input::Quit)));
    let to_session = sender.clone();
    // A thread of its own reads, so that nothing blocks it.
    let listener = thread::Builder::new().name("input".into()).spawn(move || listen(input, &to_session));
    listener.map_err(|error| io::Error::other(format!("no thread for the input: {error}")))?;
    match talk(Session::new(output, sender, dialect)?, receiver) {
        // A caller that stopped listening has ended the session.
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
            Heard::End
        });
        let at_end = heard == Heard::End;
        if to_session.send(Input::Gui(heard)).is_err() || at_end {
            return;
        }
    }
}

/// Drops the channel too: senders that still have something to say at the end must not wait.
fn talk<W: Write>(mut session: Session<W>, receiver: Receiver<Input>) -> io::Result<()> {
    while !session.is_over() {
        // The session holds a sender itself, so the channel never closes.
        let Ok(input) = receiver.recv() else { break };
        session.hear(input)?;
    }
    session.end()
}
