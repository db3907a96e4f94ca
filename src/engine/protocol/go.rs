//! The command `go` with all limits used by GUIs.

use crate::search::{Limits, Time};
use chuhe_board::Side;
use std::time::Duration;

/// Search time if `go` mentions a clock but not the mover's remaining time.
const UNKNOWN_CLOCK: Duration = Duration::from_millis(500);

/// Arguments of `go`. Clocks are plain numbers, because their unit depends on the session's settings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Go {
    /// `true` if the opponent offers a draw.
    pub draw: bool,
    /// `true` to ponder; the clock is not yet running.
    pub ponder: bool,
    /// `true` to search until `stop`.
    pub infinite: bool,
    /// Depth in plies; 0 requests the static evaluation.
    pub depth: Option<u32>,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
    /// Number of moves within which to find a mate.
    pub mate: Option<u32>,
    /// Depth in plies of a perft, which counts the leaves of the game tree.
    pub perft: Option<u32>,
    /// `true` if the command contains the word `perft`, even without a valid number.
    pub counts: bool,
    /// Search time in milliseconds.
    pub movetime: Option<u64>,
    /// UCCI: remaining time of the mover.
    pub time: Option<u64>,
    /// UCCI: increment per move of the mover.
    pub increment: Option<u64>,
    /// UCCI: `true` if the opponent's clock is given, which implies a game.
    pub enemy_clock: bool,
    /// Number of moves until the next time control.
    pub movestogo: Option<u32>,
    /// UCI: remaining milliseconds, by side.
    pub clocks: [Option<u64>; 2],
    /// UCI: increment in milliseconds, by side.
    pub increments: [Option<u64>; 2],
    /// Restriction to these root moves, as text.
    pub searchmoves: Vec<String>,
    /// Errors in parts of the command; the other parts are valid.
    pub faults: Vec<String>,
}

/// Function that applies a keyword, given the words after it.
type Apply = fn(&mut Go, &str, &[&str]);

/// Keywords. They end the list after `searchmoves`, so they include words that are otherwise ignored.
const KEYWORDS: [(&str, Apply); 26] = [
    ("draw", |go, _, _| go.draw = true),
    ("ponder", |go, _, _| go.ponder = true),
    ("infinite", |go, _, _| go.infinite = true),
    ("depth", |go, word, rest| {
        if rest.first() != Some(&"infinite") {
            go.depth = go.small_number(word, rest);
        }
    }),
    ("nodes", |go, word, rest| go.nodes = go.number(word, rest, false)),
    ("mate", |go, word, rest| go.mate = go.small_number(word, rest)),
    ("perft", |go, word, rest| (go.counts, go.perft) = (true, go.small_number(word, rest))),
    // Times may be negative after a time forfeit.
    ("movetime", |go, word, rest| go.movetime = go.number(word, rest, true)),
    ("time", |go, word, rest| go.time = go.number(word, rest, true)),
    ("increment", |go, word, rest| go.increment = go.number(word, rest, true)),
    ("movestogo", |go, word, rest| go.movestogo = go.small_number(word, rest)),
    ("opptime", |go, _, _| go.enemy_clock = true),
    ("oppotime", |go, _, _| go.enemy_clock = true),
    ("oppincrement", |go, _, _| go.enemy_clock = true),
    ("oppoincrement", |go, _, _| go.enemy_clock = true),
    ("oppmovestogo", |go, _, _| go.enemy_clock = true),
    ("wtime", |go, word, rest| go.clocks[Side::Red.index()] = go.number(word, rest, true)),
    ("rtime", |go, word, rest| go.clocks[Side::Red.index()] = go.number(word, rest, true)),
    ("btime", |go, word, rest| go.clocks[Side::Black.index()] = go.number(word, rest, true)),
    ("winc", |go, word, rest| go.increments[Side::Red.index()] = go.number(word, rest, true)),
    ("rinc", |go, word, rest| go.increments[Side::Red.index()] = go.number(word, rest, true)),
    ("binc", |go, word, rest| go.increments[Side::Black.index()] = go.number(word, rest, true)),
    ("searchmoves", |go, _, rest| {
        let moves = rest.iter().take_while(|word| keyword(word).is_none());
        go.searchmoves.extend(moves.map(|&text| text.to_owned()));
    }),
    ("moves", |_, _, _| {}),
    ("bookmove", |_, _, _| {}),
    ("egtbmove", |_, _, _| {}),
];

fn keyword(word: &str) -> Option<Apply> {
    KEYWORDS.iter().find(|(known, _)| *known == word).map(|(_, apply)| *apply)
}

impl Go {
    /// Parses the words after `go`. Ignores unknown words. An invalid number is reported and does not set a
    /// limit.
    pub(crate) fn read(mut words: &[&str]) -> Go {
        let mut go = Go::default();
        while let [word, rest @ ..] = words {
            if let Some(apply) = keyword(word) {
                apply(&mut go, word, rest);
            }
            words = rest;
        }
        go
    }

    /// Parses the number after a keyword; saturates if it is too large.
    fn number(&mut self, word: &str, rest: &[&str], may_be_negative: bool) -> Option<u64> {
        let text = rest.first().copied().unwrap_or("nothing");
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) || (negative && !may_be_negative) {
            self.faults.push(format!("go: {word} needs a number, not {:?}", super::lines::excerpt(text)));
            return None;
        }
        Some(if negative { 0 } else { digits.parse().unwrap_or(u64::MAX) })
    }

    fn small_number(&mut self, word: &str, rest: &[&str]) -> Option<u32> {
        self.number(word, rest, false).map(|number| u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// Returns `true` if the command explicitly requests a search, so that a book move is not a valid reply.
    pub(crate) fn asks_for_a_search(&self) -> bool {
        self.ponder || self.infinite || self.mate.is_some() || self.depth == Some(0)
    }

    /// Returns the limits of a search for a side, without root moves, which require the position.
    pub(super) fn limits(&self, side: Side, milliseconds: bool) -> Limits {
        let mut limits = Limits {
            depth: self.depth.filter(|&depth| depth > 0),
            nodes: self.nodes.map(|nodes| nodes.max(1)),
            mate: self.mate.filter(|&mate| mate > 0),
            time: if self.infinite { Time::Unlimited } else { self.time_of(side, milliseconds) },
            ponder: self.ponder,
            analysis: self.infinite,
            ..Limits::default()
        };
        // A clock is running, so an infinite search would lose on time.
        if limits.is_infinite() && !self.infinite && self.speaks_of_a_clock() {
            let increment = self.increment_of(side, milliseconds).filter(|increment| !increment.is_zero());
            limits.time = Time::Fixed(increment.map_or(UNKNOWN_CLOCK, |increment| increment.min(UNKNOWN_CLOCK)));
        }
        limits
    }

    /// Returns `true` if the command contains a clock, an increment or a time control for either side.
    fn speaks_of_a_clock(&self) -> bool {
        let named = self.clocks.iter().chain(&self.increments).chain([&self.increment]);
        self.enemy_clock || self.movestogo.is_some() || named.into_iter().any(Option::is_some)
    }

    fn increment_of(&self, side: Side, milliseconds: bool) -> Option<Duration> {
        let unit = if milliseconds { 1 } else { 1000 };
        let ucci = self.increment.map(|increment| Duration::from_millis(increment.saturating_mul(unit)));
        ucci.or(self.increments[side.index()].map(Duration::from_millis))
    }

    fn time_of(&self, side: Side, milliseconds: bool) -> Time {
        let duration = Duration::from_millis;
        let unit = if milliseconds { 1 } else { 1000 };
        let ucci = |number: Option<u64>| number.map(|number| duration(number.saturating_mul(unit)));
        let left = ucci(self.time).or(self.clocks[side.index()].map(duration));
        let increment = self.increment_of(side, milliseconds);
        let moves_to_go = self.movestogo.filter(|&moves| moves > 0);
        match (self.movetime.map(duration), left) {
            (Some(fixed), left) => Time::Fixed(left.map_or(fixed, |left| fixed.min(left))),
            (None, None) => Time::Unlimited,
            (None, Some(left)) => {
                // `go time T` without other clock data specifies the time for this move.
                let one_move = self.time.is_some() && increment.is_none() && !self.enemy_clock;
                let moves_to_go = moves_to_go.or(one_move.then_some(1));
                Time::Clock { left, increment: increment.unwrap_or_default(), moves_to_go }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Go {
        Go::read(&line.split_whitespace().collect::<Vec<_>>())
    }

    fn time(line: &str) -> Time {
        read(line).limits(Side::Red, true).time
    }

    fn clock(left: u64, increment: u64, moves_to_go: Option<u32>) -> Time {
        let [left, increment] = [left, increment].map(Duration::from_millis);
        Time::Clock { left, increment, moves_to_go }
    }

    #[test]
    fn ucci_clocks_are_read() {
        assert_eq!(time("time 60000 increment 500 opptime 58000 oppincrement 500"), clock(60_000, 500, None));
        assert_eq!(time("draw time 60000 movestogo 20 opptime 1 oppmovestogo 2"), clock(60_000, 0, Some(20)));
        assert_eq!(time("time 300000 opptime 300000 oppincrement 2000 increment 2000"), clock(300_000, 2000, None));
        assert_eq!(time("time 5000 increment 0 oppotime 6000 oppoincrement 0"), clock(5000, 0, None));
        assert_eq!(time("time 0 increment 0"), clock(0, 0, None));
    }

    #[test]
    fn a_lone_time_is_for_one_move() {
        assert_eq!(time("time 3000"), clock(3000, 0, Some(1)));
        assert_eq!(time("time 300000 opptime 300000"), clock(300_000, 0, None));
        assert_eq!(time("wtime 3000"), clock(3000, 0, None));
    }

    #[test]
    fn a_clock_without_the_time_that_is_left_means_a_short_search() {
        let short = Time::Fixed(UNKNOWN_CLOCK);
        for line in
            ["btime 60000", "opptime 60000", "oppincrement 5", "movestogo 20", "winc 0", "binc 100", "increment 3000"]
        {
            assert_eq!(time(line), short, "{line}");
        }
        assert_eq!(time("winc 100 binc 900"), Time::Fixed(Duration::from_millis(100)));
        // Other limits are not combined with the clock, and some searches end only on `stop`.
        for line in ["", "depth 4", "nodes 100 btime 60000", "infinite btime 60000", "ponder"] {
            assert_eq!(time(line), Time::Unlimited, "{line}");
        }
    }

    #[test]
    fn seconds_count_for_the_clocks_of_ucci_only() {
        let seconds = |line: &str| read(line).limits(Side::Red, false).time;
        assert_eq!(seconds("time 60 increment 1"), clock(60_000, 1000, None));
        assert_eq!(seconds("wtime 6000"), clock(6000, 0, None));
        assert_eq!(seconds("movetime 3000"), Time::Fixed(Duration::from_secs(3)));
    }

    #[test]
    fn uci_clocks_are_read_by_side() {
        let limits = |side| read("btime 100 wtime -200 winc 3 binc 4 movestogo 40").limits(side, true).time;
        assert_eq!(limits(Side::Red), clock(0, 3, Some(40)));
        assert_eq!(limits(Side::Black), clock(100, 4, Some(40)));
    }

    #[test]
    fn limits_mix() {
        let go = read("time 289995 opptime 280000 movetime 4970 depth 8 nodes 1000 mate 3 nonsense 7");
        let limits = go.limits(Side::Red, true);
        assert_eq!(limits.time, Time::Fixed(Duration::from_millis(4970)));
        assert_eq!((limits.depth, limits.nodes, limits.mate), (Some(8), Some(1000), Some(3)));
        assert_eq!(go.faults, [""; 0]);
        assert_eq!(time("time 100 movetime 4970"), Time::Fixed(Duration::from_millis(100)));
    }

    #[test]
    fn infinite_has_two_spellings() {
        for line in ["infinite", "depth infinite", "ponder infinite time 300 increment 0"] {
            assert!(read(line).infinite && time(line) == Time::Unlimited, "{line}");
        }
    }

    #[test]
    fn searchmoves_end_at_the_next_word() {
        let go = read("searchmoves h2e2 b0c2 depth 5");
        assert_eq!((go.searchmoves.len(), go.depth), (2, Some(5)));
    }

    #[test]
    fn a_bad_number_is_a_fault_and_no_limit() {
        let go = read("depth x nodes 5");
        assert_eq!((go.depth, go.nodes, go.faults.len()), (None, Some(5), 1));
        assert!(go.faults[0].contains("depth") && go.faults[0].contains("\"x\""), "{:?}", go.faults);
        assert_eq!(read("depth -1").faults.len(), 1);
        assert_eq!(read("movetime").faults.len(), 1);
        assert_eq!(read("nodes 99999999999999999999999").nodes, Some(u64::MAX));
        assert_eq!(time("time 99999999999999999999999 increment 0"), clock(u64::MAX, 0, None));
    }
}
