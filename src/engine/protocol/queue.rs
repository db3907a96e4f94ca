//! The commands that wait for the engine to finish, and what each waits for.

use super::command::Command;
use std::collections::VecDeque;

/// What the engine does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activity {
    /// Nothing: commands are obeyed as they come.
    Idle,
    /// It changes its options or forgets a game.
    Preparing,
    /// It searches. `endless`: until it is told to stop.
    Thinking {
        /// Nothing but `stop` or `ponderhit` ends it.
        endless: bool,
    },
    /// It counts or measures.
    Working,
}

/// What is to be done about a command that has just come.
#[derive(PartialEq, Eq, Debug)]
pub enum Step {
    /// Obey it at once.
    Obey(Command),
    /// Nothing: it waits.
    Wait,
    /// It waits, and the running search ends as by `stop`.
    EndSearch,
}

/// Commands that wait, first come, first served. Every question is answered in constant time, however long the queue is.
#[derive(Default)]
pub struct Queue {
    waiting: VecDeque<Command>,
    /// How many `go` are among them.
    goes: usize,
    /// How many `stop` and `quit`.
    stops: usize,
}

impl Queue {
    /// Decides about a new command. In batch mode everything waits for its turn.
    pub fn receive(&mut self, command: Command, activity: Activity, batch: bool) -> Step {
        if activity == Activity::Idle || batch {
            self.push(command);
            return Step::Wait;
        }
        match command {
            // `stop` and `ponderhit` are meant for the last `go` that was sent, which may still wait. No one is waiting for the others.
            Command::Stop if self.goes > 0 => {
                self.push(command);
                Step::EndSearch
            }
            Command::PonderHit { .. } if self.goes > 0 => self.wait(command),
            // It ends what is being done, but what was asked before it is answered first.
            Command::Quit => {
                self.push(command);
                Step::EndSearch
            }
            // What shows the position waits for a position that waits.
            Command::Show | Command::Explain if !self.waiting.is_empty() => self.wait(command),
            command if is_for_now(&command, activity) => Step::Obey(command),
            command => self.wait(command),
        }
    }

    /// The next command whose turn has come. `EndSearch`: none, before the running search ends.
    pub fn next(&mut self, activity: Activity, batch: bool) -> Step {
        let Some(first) = self.waiting.front() else { return Step::Wait };
        if activity == Activity::Idle || (is_for_now(first, activity) && !batch) {
            return self.pop().map_or(Step::Wait, Step::Obey);
        }
        // A search without an end of its own would let it wait forever.
        let is_endless = activity == Activity::Thinking { endless: true };
        if is_endless && !batch { Step::EndSearch } else { Step::Wait }
    }

    /// Whether a `stop` or `quit` waits: it was sent for every search before it.
    pub fn has_stop(&self) -> bool {
        self.stops > 0
    }

    /// Lets a command wait for its turn.
    pub fn push(&mut self, command: Command) {
        for (count, is_counted) in self.counts(&command) {
            *count += usize::from(is_counted);
        }
        self.waiting.push_back(command);
    }

    /// What is counted, and whether a command counts.
    fn counts(&mut self, command: &Command) -> [(&mut usize, bool); 2] {
        [
            (&mut self.goes, matches!(command, Command::Go(_))),
            (&mut self.stops, matches!(command, Command::Stop | Command::Quit)),
        ]
    }

    fn wait(&mut self, command: Command) -> Step {
        self.push(command);
        Step::Wait
    }

    fn pop(&mut self) -> Option<Command> {
        let command = self.waiting.pop_front()?;
        for (count, is_counted) in self.counts(&command) {
            *count -= usize::from(is_counted);
        }
        Some(command)
    }
}

/// Whether a command is obeyed while the engine is busy.
fn is_for_now(command: &Command, activity: Activity) -> bool {
    match command {
        Command::Ucci | Command::Uci => true,
        // Ready is who has done what was asked, and everything else comes after it.
        _ if activity == Activity::Preparing => false,
        Command::IsReady | Command::Stop | Command::PonderHit { .. } | Command::Probe(_) | Command::Debug(_) => true,
        Command::Show | Command::Explain | Command::Help | Command::Fault(_) | Command::Unknown(_) => true,
        Command::NewGame | Command::SetOption(_) | Command::Position(_) | Command::BanMoves(_) => false,
        Command::Go(_) | Command::Bench(_) | Command::Quit | Command::End => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::read;
    use super::*;

    const THINKING: Activity = Activity::Thinking { endless: false };
    const ENDLESS: Activity = Activity::Thinking { endless: true };

    fn command(line: &str) -> Command {
        read(line).expect("a command")
    }

    fn queue(lines: &[&str]) -> Queue {
        let mut queue = Queue::default();
        lines.iter().for_each(|line| queue.push(command(line)));
        queue
    }

    #[test]
    fn while_thinking_questions_are_answered_and_orders_wait() {
        for (line, now) in [
            ("isready", true),
            ("stop", true),
            ("ponderhit", true),
            ("probe startpos", true),
            ("d", true),
            ("position startpos", false),
            ("go depth 1", false),
            ("setoption hashsize 1", false),
            ("debug on", true),
            ("ucinewgame", false),
            ("setoption debug on", false),
        ] {
            let expected = if now { Step::Obey(command(line)) } else { Step::Wait };
            assert_eq!(Queue::default().receive(command(line), THINKING, false), expected, "{line}");
        }
    }

    #[test]
    fn while_preparing_only_a_handshake_is_heard() {
        for line in ["isready", "stop", "go depth 1", "probe startpos", "debug on", "xyzzy"] {
            assert_eq!(Queue::default().receive(command(line), Activity::Preparing, false), Step::Wait, "{line}");
        }
        let step = Queue::default().receive(Command::Ucci, Activity::Preparing, false);
        assert_eq!(step, Step::Obey(Command::Ucci));
    }

    #[test]
    fn quit_ends_every_search_and_overtakes_nothing() {
        for activity in [Activity::Preparing, Activity::Working, THINKING, ENDLESS] {
            let mut waiting = queue(&["isready", "go depth 3"]);
            assert_eq!(waiting.receive(Command::Quit, activity, false), Step::EndSearch);
            assert!(waiting.has_stop());
            for line in ["isready", "go depth 3", "quit"] {
                assert_eq!(waiting.next(Activity::Idle, false), Step::Obey(command(line)));
            }
        }
    }

    #[test]
    fn the_end_of_the_input_ends_no_search_that_has_an_end() {
        let mut waiting = Queue::default();
        waiting.push(Command::End);
        assert!(!waiting.has_stop());
        assert_eq!([THINKING, ENDLESS].map(|activity| waiting.next(activity, false)), [Step::Wait, Step::EndSearch]);
        assert_eq!(waiting.next(Activity::Idle, false), Step::Obey(Command::End));
    }

    #[test]
    fn stop_and_ponderhit_are_for_the_last_go() {
        let mut waiting = queue(&["position startpos", "go depth 3"]);
        assert_eq!(waiting.receive(Command::Stop, THINKING, false), Step::EndSearch);
        assert!(waiting.has_stop());
        assert_eq!(queue(&["go depth 3"]).receive(command("ponderhit"), THINKING, false), Step::Wait);
        assert_eq!(queue(&["position startpos"]).receive(Command::Stop, THINKING, false), Step::Obey(Command::Stop));
    }

    #[test]
    fn what_waits_ends_a_search_without_an_end() {
        assert_eq!(queue(&["position startpos"]).next(THINKING, false), Step::Wait);
        assert_eq!(queue(&["position startpos"]).next(ENDLESS, false), Step::EndSearch);
        assert_eq!(queue(&[]).next(ENDLESS, false), Step::Wait);
    }

    #[test]
    fn in_batch_mode_everything_waits_for_its_turn() {
        for line in ["isready", "stop", "quit"] {
            let mut waiting = Queue::default();
            assert_eq!(waiting.receive(command(line), ENDLESS, true), Step::Wait, "{line}");
            assert_eq!(waiting.next(ENDLESS, true), Step::Wait, "{line}");
            assert_eq!(waiting.next(Activity::Idle, true), Step::Obey(command(line)));
        }
    }

    #[test]
    fn the_queue_counts_what_comes_and_goes() {
        let mut waiting = queue(&["go depth 1", "stop", "go depth 2", "stop"]);
        for has_stop in [true, true, true, true] {
            assert_eq!(waiting.has_stop(), has_stop);
            assert!(matches!(waiting.next(Activity::Idle, false), Step::Obey(_)));
        }
        assert!(!waiting.has_stop());
        assert_eq!(waiting.receive(Command::Stop, THINKING, false), Step::Obey(Command::Stop));
    }
}
