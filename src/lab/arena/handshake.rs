//! Handshake: detects the protocol of a program and reads its name and options.

use super::client::{Client, Session, start_program};
use super::dialect::refuses;
use super::fault::{EngineFault, NoAnswer, NoStart};
use super::offer::{Offer, Warning};
use super::player::{Player, Protocol};
use chuhe_engine::protocol::lines::{flatten, shorten};
use chuhe_engine::protocol::{Dialect, knows_option};
use std::time::{Duration, Instant};

/// Time after which the command of the second protocol is also sent, if the first command has not been
/// answered.
const FIRST_WORD: Duration = Duration::from_secs(3);
/// Maximum number of lines about options that are stored as warnings.
const MAX_WARNINGS: usize = 10;
/// Maximum number of options, to bound the memory used by an endless handshake.
const MAX_OPTIONS: usize = 1000;

/// State of the handshake after a line.
enum Greeting {
    /// `ucciok` or `uciok`.
    Speaks(Dialect),
    /// All commands sent so far were rejected.
    Refused,
    /// No answer so far.
    Silence,
}

/// Output of a program during the handshake.
#[derive(Default)]
struct HandshakeOutput {
    /// Commands that have not been answered.
    open: Vec<&'static str>,
    identity: String,
    offered: Vec<Offer>,
}

impl HandshakeOutput {
    fn receive(&mut self, line: &str) -> Option<Greeting> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["ucciok", ..] if self.answers("ucci") => return Some(Greeting::Speaks(Dialect::Ucci)),
            ["uciok", ..] if self.answers("uci") => return Some(Greeting::Speaks(Dialect::Uci)),
            ["id", "name", ..] => self.identity = flatten(&words[2..].join(" ")),
            ["id", "version", ..] => self.identity += &flatten(&format!(" {}", words[2..].join(" "))),
            ["option", ..] if self.offered.len() < MAX_OPTIONS => self.offered.extend(Offer::read(line)),
            _ => {
                // A rejection that does not mention a command applies to the oldest one.
                let refused = self.open.iter().position(|word| refuses(line, word));
                if let Some(refused) = refused {
                    self.open.remove(refused);
                }
                return (refused.is_some() && self.open.is_empty()).then_some(Greeting::Refused);
            }
        }
        None
    }

    /// Returns `true` if a command is pending. Removes it and all earlier commands, since programs answer in
    /// order.
    fn answers(&mut self, word: &str) -> bool {
        let place = self.open.iter().position(|open| *open == word);
        place.is_some_and(|place| self.open.drain(..=place).next().is_some())
    }
}

impl Client {
    /// Completes the handshake and sets the player's options.
    pub(super) fn handshake(&mut self, session: &mut Session) -> Result<(), NoAnswer> {
        let words: &[&'static str] = match (session.player.detected_dialect, session.player.protocol) {
            (Some(Dialect::Ucci), _) | (None, Protocol::Ucci) => &["ucci"],
            (Some(Dialect::Uci | Dialect::UciVariant), _) | (None, Protocol::Uci | Protocol::UciVariant) => &["uci"],
            (None, Protocol::Auto) => &["ucci", "uci"],
            (None, Protocol::AutoUci) => &["uci", "ucci"],
        };
        self.detect_protocol(words, session)?;
        let is_auto = matches!(session.player.protocol, Protocol::Auto | Protocol::AutoUci);
        let has_variant = self.offered.iter().any(Offer::is_variant_with_xiangqi);
        if session.player.protocol == Protocol::UciVariant || (is_auto && has_variant && self.dialect == Dialect::Uci) {
            self.dialect = Dialect::UciVariant;
            self.set_option("UCI_Variant", Some("xiangqi"), session.log);
        }
        if self.dialect == Dialect::Ucci {
            self.set_option("usemillisec", Some(if session.player.seconds { "false" } else { "true" }), session.log);
            // `isready` is not part of the UCCI league's protocol, so it is not sent again to an engine that
            // has ignored it once. It is sent before the other options, since allocating memory for them may
            // take longer than the timeout.
            self.answers_isready = self.is_ready(session.player.patience.min(FIRST_WORD), session)?;
        }
        for (name, value) in session.player.options_to_set(&self.offered, self.dialect) {
            match self.offered.iter().find(|offer| offer.name.eq_ignore_ascii_case(&name)) {
                Some(offer) => {
                    if let Some(why) = offer.refuses(&value) {
                        return Err(EngineFault::NoStart(NoStart::Option(why)).into());
                    }
                }
                // This program also accepts search parameters that it does not offer as options. A misspelt
                // parameter must be an error.
                None if session.player.is_self() && knows_option(&name) => {}
                None if session.player.is_self() => {
                    return Err(EngineFault::NoStart(NoStart::OwnOption(format!("there is no option {name}"))).into());
                }
                None => self.warn(Warning::NotOffered(name.clone())),
            }
            self.set_option(&name, (!value.is_empty()).then_some(&value), session.log);
        }
        if self.answers_isready && !self.is_ready(session.player.patience, session)? {
            return Err(EngineFault::Hang.into());
        }
        Ok(())
    }

    /// Detects the protocol. If the program rejects the first command, or has not answered it after a few
    /// seconds, the command of the other protocol is also sent. The first answer within the player's
    /// `patience` determines the protocol, unless the program then answers the other command too.
    fn detect_protocol(&mut self, words: &[&'static str], session: &mut Session) -> Result<(), NoAnswer> {
        let deadline = Instant::now() + session.player.patience;
        let mut output = HandshakeOutput::default();
        for (place, word) in words.iter().enumerate() {
            let is_last = place + 1 == words.len();
            let until = if is_last { deadline } else { deadline.min(Instant::now() + FIRST_WORD) };
            self.send(word, session.log);
            output.open.push(word);
            match self.read_handshake(&mut output, until, session) {
                Ok(Greeting::Speaks(dialect)) => {
                    self.set_dialect(dialect, &mut output);
                    return self.await_first_answer(output, session);
                }
                Ok(Greeting::Refused | Greeting::Silence) => {}
                // ElephantEye exits if the first command is unknown.
                Err(NoAnswer::Fault(EngineFault::Crash(_))) if !is_last => {
                    self.wire = start_program(session.player)?;
                    output = HandshakeOutput::default();
                }
                Err(other) => return Err(other),
            }
        }
        Err(EngineFault::NoStart(NoStart::Mute).into())
    }

    /// Waits for the answer to a second command that was sent before the first was answered. A program that
    /// supports both protocols has then switched to the second.
    fn await_first_answer(&mut self, mut output: HandshakeOutput, session: &mut Session) -> Result<(), NoAnswer> {
        if output.open.is_empty() {
            return Ok(());
        }
        self.send("isready", session.log);
        let (deadline, before) = (Instant::now() + session.player.patience.min(FIRST_WORD), self.wire.written());
        loop {
            match self.next_line(deadline, before, session) {
                Ok(Some((text, _))) if text.trim() == "readyok" => return Ok(()),
                Ok(Some((text, _))) => {
                    if let Some(Greeting::Speaks(dialect)) = output.receive(&text) {
                        self.set_dialect(dialect, &mut output);
                    }
                }
                Ok(None) => return Ok(()),
                // The program has exited because the command is unknown to it.
                Err(NoAnswer::Fault(EngineFault::Crash(_))) => {
                    self.wire = start_program(session.player)?;
                    let word = if self.dialect == Dialect::Ucci { "ucci" } else { "uci" };
                    return self.detect_protocol(&[word], session);
                }
                Err(other) => return Err(other),
            }
        }
    }

    fn set_dialect(&mut self, dialect: Dialect, output: &mut HandshakeOutput) {
        self.dialect = dialect;
        self.identity = std::mem::take(&mut output.identity);
        self.offered = std::mem::take(&mut output.offered);
    }

    fn read_handshake(
        &mut self,
        output: &mut HandshakeOutput,
        deadline: Instant,
        session: &mut Session,
    ) -> Result<Greeting, NoAnswer> {
        let before = self.wire.written();
        while let Some((line, _)) = self.next_line(deadline, before, session)? {
            if let Some(greeting) = output.receive(&line) {
                return Ok(greeting);
            }
        }
        Ok(Greeting::Silence)
    }

    /// Returns `true` if the program answers `readyok` in time. Stores lines about its options as warnings.
    fn is_ready(&mut self, patience: Duration, session: &mut Session) -> Result<bool, NoAnswer> {
        self.send("isready", session.log);
        let (deadline, before) = (Instant::now() + patience, self.wire.written());
        while let Some((text, _)) = self.next_line(deadline, before, session)? {
            if text.trim() == "readyok" {
                return Ok(true);
            }
            self.reply_to_options(session.player, &text)?;
        }
        Ok(false)
    }

    /// Checks the output that follows the options; most of it is error messages. Chuhe itself must not play
    /// with values other than the requested ones.
    fn reply_to_options(&mut self, player: &Player, text: &str) -> Result<(), NoAnswer> {
        let words = text.trim();
        let said = words.strip_prefix("info message ").or_else(|| words.strip_prefix("info string "));
        if player.is_self()
            && let Some(reason) = said.and_then(|said| said.strip_prefix("setoption: "))
        {
            return Err(EngineFault::NoStart(NoStart::OwnOption(reason.to_string())).into());
        }
        let lower = words.to_ascii_lowercase();
        let is_complaint =
            ["error", "unknown", "no such", "invalid", "fail", "illegal"].iter().any(|word| lower.contains(word));
        if said.is_some() || is_complaint {
            self.warn(Warning::Said(shorten(&flatten(said.unwrap_or(words)), 200).to_owned()));
        }
        Ok(())
    }

    fn warn(&mut self, warning: Warning) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(warning);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::transcript::Transcript;
    use super::*;
    use std::sync::atomic::AtomicBool;

    /// Starts a shell script as a player's program.
    fn start(script: &str, settings: &str) -> Result<Client, NoAnswer> {
        let player: Player = format!("cmd=sh,patience=20,{settings}").parse().expect("a player");
        let player = Player { command: vec!["sh".into(), "-c".into(), script.into()], ..player };
        let (log, stop) = (&mut Transcript::default(), &AtomicBool::new(false));
        Client::start(&mut Session { player: &player, log, stop })
    }

    /// Script that answers both commands, with a different name for each, and `isready`.
    const BOTH: &str = "while read word; do case $word in \
        ucci) echo id name C; echo option style type check; echo ucciok;; \
        uci) echo id name I; echo option name Hash type spin; echo uciok;; isready) echo readyok;; quit) exit;; esac; done";
    const UCCI: &str = "while read word; do case $word in \
        ucci) echo id name C; echo ucciok;; isready) echo readyok;; quit) exit;; esac; done";

    #[test]
    fn a_late_answer_to_the_first_word_counts() {
        let client = start(&format!("sleep 4; {UCCI}"), "protocol=auto").expect("it starts");
        assert_eq!((client.dialect(), client.identity.as_str()), (Dialect::Ucci, "C"));
        let client = start(&format!("sleep 4; {UCCI}"), "protocol=auto-uci").expect("it starts");
        assert_eq!(client.dialect(), Dialect::Ucci);
    }

    #[test]
    fn a_program_that_answers_both_words_speaks_the_last() {
        let client = start(BOTH, "protocol=auto").expect("it starts");
        assert_eq!((client.dialect(), client.identity.as_str()), (Dialect::Ucci, "C"));
        let client = start(&format!("sleep 4; {BOTH}"), "protocol=auto").expect("it starts");
        assert_eq!((client.dialect(), client.identity.as_str()), (Dialect::Uci, "I"));
        assert_eq!(client.offered.iter().map(|offer| offer.name.as_str()).collect::<Vec<_>>(), ["Hash"]);
    }

    #[test]
    fn patience_governs_the_handshake() {
        let before = Instant::now();
        let mute = start("sleep 60", "protocol=auto,patience=1").map(drop);
        assert!(matches!(mute, Err(NoAnswer::Fault(EngineFault::NoStart(_)))), "{mute:?}");
        assert!(before.elapsed() >= Duration::from_secs(1));
    }

    #[test]
    fn a_protocol_that_was_found_is_the_only_one_tried() {
        let player: Player = "cmd=sh,patience=20,protocol=auto".parse().expect("a player");
        // The script exits if the first command is different.
        let command = vec![
            "sh".into(),
            "-c".into(),
            "read word; [ $word = uci ] || exit; echo uciok; read w; echo readyok; read w".into(),
        ];
        let player = Player { command, detected_dialect: Some(Dialect::Uci), ..player };
        let mut log = Transcript::default();
        let mut session = Session { player: &player, log: &mut log, stop: &AtomicBool::new(false) };
        let client = Client::start(&mut session).expect("it starts");
        assert_eq!(client.dialect(), Dialect::Uci);
        assert!(!log.text().contains("ucci"), "{}", log.text());
    }

    #[test]
    fn refusals_belong_to_the_words_that_they_name() {
        let mut output = HandshakeOutput { open: vec!["ucci", "uci"], ..HandshakeOutput::default() };
        assert!(output.receive("Unknown command: 'ucci'").is_none() && output.open == ["uci"]);
        assert!(matches!(output.receive("uciok"), Some(Greeting::Speaks(Dialect::Uci))));
        let mut output = HandshakeOutput { open: vec!["ucci"], ..HandshakeOutput::default() };
        assert!(matches!(output.receive("unknown command"), Some(Greeting::Refused)));
    }
}
