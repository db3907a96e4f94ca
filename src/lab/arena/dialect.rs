//! Commands to an engine and its replies, in UCCI and both dialects of UCI.

use super::fault::EngineFault;
use super::player::{Limit, Player};
use chuhe_board::rules::Game;
use chuhe_board::{Move, Side};
use chuhe_engine::protocol::Dialect;
use std::time::Duration;

/// Reply of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A legal move, optionally with a draw offer, which also accepts the opponent's offer.
    Move {
        /// Move.
        mv: Move,
        /// `true` if `draw` followed the move.
        draw: bool,
        /// Expected reply.
        expected: Option<Move>,
    },
    /// Resignation.
    Resigns,
}

/// Clocks before a move, by side; `None` for a side without a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clocks(pub [Option<Clock>; 2]);

/// Clock of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Remaining time.
    pub left: Duration,
    /// Increment per move.
    pub increment: Duration,
    /// Number of moves to the next time control, if any.
    pub moves: Option<u32>,
}

/// Commands of a match in the engine's protocol.
pub trait Requests: Sized {
    /// Returns `setoption`; an option without a value is a button.
    fn set_option(self, name: &str, value: Option<&str>) -> String;

    /// Returns the command that begins a new game.
    fn new_game(self) -> &'static str;

    /// Returns `position`. For UCCI it contains the position after the last capture and the subsequent moves,
    /// for UCI the whole game.
    fn position(self, game: &Game) -> String;

    /// Returns `go` with the player's limit; `offered` is `true` if the opponent offers a draw.
    fn go(self, player: &Player, side: Side, clocks: &Clocks, offered: bool) -> String;

    /// Returns `go ponder` with the player's limit.
    fn go_ponder(self, player: &Player, side: Side, clocks: &Clocks) -> String {
        self.go(player, side, clocks, false).replacen("go", "go ponder", 1)
    }

    /// Parses `bestmove h2e2 [ponder h9g7] [draw | resign]`, `nobestmove` and similar replies.
    ///
    /// # Errors
    /// Returns an error if the reply is not a legal move.
    fn read_answer(self, text: &str, game: &Game) -> Result<Answer, EngineFault>;
}

impl Requests for Dialect {
    fn set_option(self, name: &str, value: Option<&str>) -> String {
        match (self, value) {
            (Dialect::Ucci, Some(value)) => format!("setoption {name} {value}"),
            (Dialect::Ucci, None) => format!("setoption {name}"),
            (_, Some(value)) => format!("setoption name {name} value {value}"),
            (_, None) => format!("setoption name {name}"),
        }
    }

    fn new_game(self) -> &'static str {
        if self == Dialect::Ucci { "setoption newgame" } else { "ucinewgame" }
    }

    fn position(self, game: &Game) -> String {
        let plies = game.plies();
        let from = match self {
            Dialect::Ucci => plies.iter().rposition(|ply| ply.captured().is_some()).map_or(0, |last| last + 1),
            _ => 0,
        };
        let mut start = game.clone();
        start.take_back_to(from);
        let mut command = format!("position fen {}", start.position());
        if plies.len() > from {
            command += " moves";
        }
        for mv in plies[from..].iter().filter_map(|ply| ply.mv) {
            command += " ";
            command += &self.ranks().write(mv);
        }
        command
    }

    fn go(self, player: &Player, side: Side, clocks: &Clocks, offered: bool) -> String {
        if self == Dialect::Ucci { go_ucci(player, side, clocks, offered) } else { go_uci(player, side, clocks) }
    }

    fn read_answer(self, text: &str, game: &Game) -> Result<Answer, EngineFault> {
        let short = |text: &str| text.chars().take(40).collect::<String>();
        let mut words = text.split_whitespace();
        if words.next() == Some("nobestmove") {
            return Ok(Answer::Resigns);
        }
        let word = words.next().unwrap_or("");
        let rest: Vec<&str> = words.collect();
        if ["(none)", "null", "0000", "resign"].contains(&word) || rest.contains(&"resign") {
            return Ok(Answer::Resigns);
        }
        let mv = self.ranks().read(word).map_err(|_| EngineFault::Garbage(short(text)))?;
        if !game.position().is_legal(mv) {
            return Err(EngineFault::Illegal(short(word)));
        }
        let expected = rest.iter().skip_while(|word| **word != "ponder").nth(1);
        let expected = expected.and_then(|word| self.ranks().read(word).ok());
        Ok(Answer::Move { mv, draw: rest.contains(&"draw"), expected })
    }
}

/// Returns `true` if a line is the reply that ends a search.
pub(crate) fn is_answer(text: &str) -> bool {
    matches!(text.split_whitespace().next(), Some("bestmove" | "nobestmove"))
}

/// Returns `true` if a line reports that the handshake command `word` is unknown, and does not name the other
/// command, which a slow program may still reject.
pub(crate) fn refuses(line: &str, word: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let other = if word == "uci" { "ucci" } else { "uci" };
    line.starts_with("unknown command")
        && !line.split(|letter: char| !letter.is_alphanumeric()).any(|named| named == other)
}

fn go_uci(player: &Player, side: Side, clocks: &Clocks) -> String {
    let mut command = "go".to_string();
    match player.limit {
        Limit::Clock { .. } => {
            for (letter, clock) in ["w", "b"].into_iter().zip(clocks.0) {
                if let Some(clock) = clock {
                    let (left, increment) = (clock.left.as_millis(), clock.increment.as_millis());
                    command += &format!(" {letter}time {left} {letter}inc {increment}");
                }
            }
            if let Some(moves) = clocks.0[side.index()].and_then(|clock| clock.moves) {
                command += &format!(" movestogo {moves}");
            }
        }
        Limit::MoveTime(time) => command += &format!(" movetime {}", time.as_millis()),
        Limit::Nodes(nodes) => command += &format!(" nodes {nodes}"),
        Limit::Depth(depth) => command += &format!(" depth {depth}"),
    }
    command
}

fn go_ucci(player: &Player, side: Side, clocks: &Clocks, offered: bool) -> String {
    let unit = |time: Duration| if player.seconds { u128::from(time.as_secs()) } else { time.as_millis() };
    let clock = |prefix: &str, clock: Clock| {
        let what = match clock.moves {
            Some(moves) => format!("{prefix}movestogo {moves}"),
            None => format!("{prefix}increment {}", unit(clock.increment)),
        };
        format!(" {prefix}time {} {what}", unit(clock.left))
    };
    let mut command = if offered { "go draw" } else { "go" }.to_string();
    match player.limit {
        Limit::Clock { .. } => {
            command += &clocks.0[side.index()].map(|own| clock("", own)).unwrap_or_default();
            command += &clocks.0[(!side).index()].map(|enemy| clock("opp", enemy)).unwrap_or_default();
        }
        // UCCI has no fixed time per move, so a clock for a single move is used.
        Limit::MoveTime(time) => command += &format!(" time {} movestogo 1", unit(time)),
        Limit::Nodes(nodes) => command += &format!(" nodes {nodes}"),
        Limit::Depth(depth) => command += &format!(" depth {depth}"),
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::STARTPOS;

    #[test]
    fn positions_and_moves_have_the_ranks_of_their_dialect() {
        let mut game = Game::from_fen(STARTPOS).unwrap();
        game.play_text(["h2e2", "h9g7"]).unwrap();
        assert!(Dialect::Uci.position(&game).ends_with(" moves h2e2 h9g7"));
        assert!(Dialect::UciVariant.position(&game).ends_with(" moves h3e3 h10g8"));
        game.play_text(["e2e6"]).unwrap();
        // In UCCI, the position starts after the capture.
        assert!(!Dialect::Ucci.position(&game).contains("moves"));
    }

    #[test]
    fn answers_are_moves_resignations_or_faults() {
        let game = Game::from_fen(STARTPOS).unwrap();
        let read = |text: &str| Dialect::Ucci.read_answer(text, &game);
        let expected = "h9g7".parse().ok();
        assert!(
            matches!(read("bestmove h2e2 ponder h9g7 draw"), Ok(Answer::Move { draw: true, expected: e, .. }) if e == expected)
        );
        assert!(matches!(read("bestmove h2e2"), Ok(Answer::Move { draw: false, .. })));
        for text in ["nobestmove", "bestmove (none)", "bestmove h2e2 resign", "bestmove 0000"] {
            assert_eq!(read(text), Ok(Answer::Resigns), "{text}");
        }
        assert_eq!(read("bestmove e0e9"), Err(EngineFault::Illegal("e0e9".to_string())));
        assert!(matches!(read("bestmove what"), Err(EngineFault::Garbage(_))));
    }

    #[test]
    fn limits_are_said_in_both_dialects() {
        let clock =
            |moves| Some(Clock { left: Duration::from_millis(1500), increment: Duration::from_millis(20), moves });
        let clocks = Clocks([clock(None), clock(Some(4))]);
        let go = |dialect: Dialect, side, settings: &str| {
            dialect.go(&format!("cmd=x,{settings}").parse().unwrap(), side, &clocks, false)
        };
        assert_eq!(go(Dialect::Uci, Side::Red, "tc=1"), "go wtime 1500 winc 20 btime 1500 binc 20");
        assert_eq!(go(Dialect::Uci, Side::Black, "tc=1"), "go wtime 1500 winc 20 btime 1500 binc 20 movestogo 4");
        assert_eq!(go(Dialect::Ucci, Side::Red, "tc=1"), "go time 1500 increment 20 opptime 1500 oppmovestogo 4");
        assert_eq!(go(Dialect::Ucci, Side::Red, "movetime=1.5"), "go time 1500 movestogo 1");
        assert_eq!(go(Dialect::Ucci, Side::Red, "movetime=2,unit=s"), "go time 2 movestogo 1");
        assert_eq!(go(Dialect::UciVariant, Side::Red, "nodes=7"), "go nodes 7");
        let player = "cmd=x,tc=1".parse().unwrap();
        let ponder = |dialect: Dialect| dialect.go_ponder(&player, Side::Red, &Clocks([clock(None), clock(None)]));
        assert_eq!(ponder(Dialect::Uci), "go ponder wtime 1500 winc 20 btime 1500 binc 20");
        assert_eq!(ponder(Dialect::Ucci), "go ponder time 1500 increment 20 opptime 1500 oppincrement 20");
    }

    #[test]
    fn a_late_refusal_of_the_word_before_is_not_one_of_this_word() {
        assert!(refuses("Unknown command: 'ucci'. Type help", "ucci") && !refuses("Unknown command: 'ucci'.", "uci"));
        assert!(refuses("unknown command", "uci") && refuses("Unknown command: uci", "uci"));
    }
}
