//! Queue of commands that wait for the engine.

use super::command::Command;
use std::collections::VecDeque;

/// Activity of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Activity {
    /// Idle: commands are executed at once.
    Idle,
    /// Changing options or clearing the engine's state.
    Preparing,
    /// Searching.
    Thinking {
        /// `true` if only `stop` or `ponderhit` ends the search.
        endless: bool,
    },
    /// Running perft or bench.
    Working,
}

/// Handling of a command.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Handling {
    /// Execute the command at once.
    Obey(Command),
    /// Wait for the engine.
    Wait,
    /// Wait, and stop the running search.
    EndSearch,
}

/// Waiting commands in order of arrival. All operations take constant time, regardless of the length of the
/// queue, except for the search for an `isready` before the next `go`.
#[derive(Default)]
pub(crate) struct Queue {
    waiting: VecDeque<Command>,
    /// Number of `go` commands in the queue.
    goes: usize,
    /// Number of `stop` and `quit` commands in the queue.
    stops: usize,
    /// Number of `isready` commands in the queue.
    questions: usize,
}

impl Queue {
    /// Schedules a new command. In batch mode, commands run strictly in order.
    pub(crate) fn receive(&mut self, command: Command, activity: Activity, batch: bool) -> Handling {
        if activity == Activity::Idle || batch {
            self.push(command);
            return Handling::Wait;
        }
        match command {
            // `stop` and `ponderhit` refer to the last `go`, which may still be waiting. The results of
            // earlier `go` commands are no longer needed.
            Command::Stop if self.goes > 0 => {
                self.push(command);
                Handling::EndSearch
            }
            Command::PonderHit { .. } if self.goes > 0 => self.wait(command),
            // `quit` ends the current activity, but earlier commands are answered first.
            Command::Quit => {
                self.push(command);
                Handling::EndSearch
            }
            // Commands that show the position wait for preceding `position` commands.
            Command::Show | Command::Explain if !self.waiting.is_empty() => self.wait(command),
            command if is_for_now(&command, activity) => Handling::Obey(command),
            command => self.wait(command),
        }
    }

    /// Returns the next executable command. Returns `EndSearch` if no command can be executed until the
    /// running search ends.
    pub(crate) fn next(&mut self, activity: Activity, batch: bool) -> Handling {
        let Some(first) = self.waiting.front() else { return Handling::Wait };
        if activity == Activity::Idle || (is_for_now(first, activity) && !batch) {
            return self.remove(0).map_or(Handling::Wait, Handling::Obey);
        }
        // An `isready` that arrived before the search began is answered like one that arrives during it, but not
        // before the reply to an earlier `go`.
        if matches!(activity, Activity::Thinking { .. }) && self.questions > 0 && !batch {
            let mut before_go = self.waiting.iter().take_while(|command| !matches!(command, Command::Go(_)));
            let place = before_go.position(|command| *command == Command::IsReady);
            if let Some(question) = place.and_then(|place| self.remove(place)) {
                return Handling::Obey(question);
            }
        }
        // During an infinite search, the command would wait forever.
        let is_endless = activity == Activity::Thinking { endless: true };
        if is_endless && !batch { Handling::EndSearch } else { Handling::Wait }
    }

    /// Returns `true` if a `stop` or `quit` is waiting; it applies to every search before it.
    pub(crate) fn has_stop(&self) -> bool {
        self.stops > 0
    }

    /// Adds a command to the queue.
    pub(crate) fn push(&mut self, command: Command) {
        for (count, is_counted) in self.counts(&command) {
            *count += usize::from(is_counted);
        }
        self.waiting.push_back(command);
    }

    /// Returns the counters of the queue, each with `true` if it counts the command.
    fn counts(&mut self, command: &Command) -> [(&mut usize, bool); 3] {
        [
            (&mut self.goes, matches!(command, Command::Go(_))),
            (&mut self.stops, matches!(command, Command::Stop | Command::Quit)),
            (&mut self.questions, matches!(command, Command::IsReady)),
        ]
    }

    fn wait(&mut self, command: Command) -> Handling {
        self.push(command);
        Handling::Wait
    }

    fn remove(&mut self, place: usize) -> Option<Command> {
        let command = self.waiting.remove(place)?;
        for (count, is_counted) in self.counts(&command) {
            *count -= usize::from(is_counted);
        }
        Some(command)
    }
}

/// Returns `true` if a command is executed while the engine is busy.
fn is_for_now(command: &Command, activity: Activity) -> bool {
    match command {
        Command::Ucci | Command::Uci => true,
        // `readyok` must follow all preceding commands, and all other commands must follow the change.
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
            let expected = if now { Handling::Obey(command(line)) } else { Handling::Wait };
            assert_eq!(Queue::default().receive(command(line), THINKING, false), expected, "{line}");
        }
    }

    #[test]
    fn while_preparing_only_a_handshake_is_heard() {
        for line in ["isready", "stop", "go depth 1", "probe startpos", "debug on", "xyzzy"] {
            assert_eq!(Queue::default().receive(command(line), Activity::Preparing, false), Handling::Wait, "{line}");
        }
        let step = Queue::default().receive(Command::Ucci, Activity::Preparing, false);
        assert_eq!(step, Handling::Obey(Command::Ucci));
    }

    #[test]
    fn quit_ends_every_search_and_overtakes_nothing() {
        for activity in [Activity::Preparing, Activity::Working, THINKING, ENDLESS] {
            let mut waiting = queue(&["isready", "go depth 3"]);
            assert_eq!(waiting.receive(Command::Quit, activity, false), Handling::EndSearch);
            assert!(waiting.has_stop());
            for line in ["isready", "go depth 3", "quit"] {
                assert_eq!(waiting.next(Activity::Idle, false), Handling::Obey(command(line)));
            }
        }
    }

    #[test]
    fn the_end_of_the_input_ends_no_search_that_has_an_end() {
        let mut waiting = Queue::default();
        waiting.push(Command::End);
        assert!(!waiting.has_stop());
        assert_eq!(
            [THINKING, ENDLESS].map(|activity| waiting.next(activity, false)),
            [Handling::Wait, Handling::EndSearch]
        );
        assert_eq!(waiting.next(Activity::Idle, false), Handling::Obey(Command::End));
    }

    #[test]
    fn a_question_before_a_search_does_not_wait_for_its_end() {
        let mut waiting = queue(&["setoption hashsize 1", "isready", "go depth 1"]);
        assert_eq!(waiting.next(THINKING, false), Handling::Obey(Command::IsReady));
        assert_eq!(waiting.next(THINKING, false), Handling::Wait);
        assert_eq!(queue(&["go depth 1", "isready"]).next(THINKING, false), Handling::Wait);
        let mut waiting = queue(&["setoption hashsize 1", "isready"]);
        assert_eq!(waiting.next(ENDLESS, false), Handling::Obey(Command::IsReady));
        assert_eq!(waiting.next(ENDLESS, false), Handling::EndSearch);
    }

    #[test]
    fn stop_and_ponderhit_are_for_the_last_go() {
        let mut waiting = queue(&["position startpos", "go depth 3"]);
        assert_eq!(waiting.receive(Command::Stop, THINKING, false), Handling::EndSearch);
        assert!(waiting.has_stop());
        assert_eq!(queue(&["go depth 3"]).receive(command("ponderhit"), THINKING, false), Handling::Wait);
        assert_eq!(
            queue(&["position startpos"]).receive(Command::Stop, THINKING, false),
            Handling::Obey(Command::Stop)
        );
    }

    #[test]
    fn what_waits_ends_a_search_without_an_end() {
        assert_eq!(queue(&["position startpos"]).next(THINKING, false), Handling::Wait);
        assert_eq!(queue(&["position startpos"]).next(ENDLESS, false), Handling::EndSearch);
        assert_eq!(queue(&[]).next(ENDLESS, false), Handling::Wait);
    }

    #[test]
    fn in_batch_mode_everything_waits_for_its_turn() {
        for line in ["isready", "stop", "quit"] {
            let mut waiting = Queue::default();
            assert_eq!(waiting.receive(command(line), ENDLESS, true), Handling::Wait, "{line}");
            assert_eq!(waiting.next(ENDLESS, true), Handling::Wait, "{line}");
            assert_eq!(waiting.next(Activity::Idle, true), Handling::Obey(command(line)));
        }
    }

    #[test]
    fn the_queue_counts_what_comes_and_goes() {
        let mut waiting = queue(&["go depth 1", "stop", "go depth 2", "stop"]);
        for has_stop in [true, true, true, true] {
            assert_eq!(waiting.has_stop(), has_stop);
            assert!(matches!(waiting.next(Activity::Idle, false), Handling::Obey(_)));
        }
        assert!(!waiting.has_stop());
        assert_eq!(waiting.receive(Command::Stop, THINKING, false), Handling::Obey(Command::Stop));
    }
}
