//! Grammar of commands, shared by all dialects.

use super::go::Go;
use super::lines::excerpt;
use super::options::{Refused, SetOption};
use super::position::{BadPosition, PositionCommand};

/// A parsed command, or the reason why a line is invalid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// `ucci`: switches to UCCI.
    Ucci,
    /// `uci`: switches to UCI.
    Uci,
    /// `isready`.
    IsReady,
    /// `ucinewgame`, `uccinewgame`.
    NewGame,
    /// `debug on`, `debug off`.
    Debug(bool),
    /// `setoption` with a known option and a valid value.
    SetOption(SetOption),
    /// `position`, or only its arguments; an error if the arguments are not a position.
    Position(Result<PositionCommand, BadPosition>),
    /// `banmoves` with moves as text.
    BanMoves(Vec<String>),
    /// `go`.
    Go(Box<Go>),
    /// `ponderhit`.
    PonderHit {
        /// `true` if the opponent offers a draw together with the move.
        draw: bool,
    },
    /// `stop`.
    Stop,
    /// `probe`, or the error in its position; both receive a reply.
    Probe(Result<PositionCommand, BadPosition>),
    /// `quit`.
    Quit,
    /// End of the input.
    End,
    /// `d`: shows the board.
    Show,
    /// `help`: lists commands.
    Help,
    /// `eval`: explains the static evaluation.
    Explain,
    /// `bench`, optionally with a depth.
    Bench(Option<u32>),
    /// A known command with invalid arguments; contains a message.
    Fault(String),
    /// An unknown command.
    Unknown(String),
}

/// Parses a line; `None` if it is blank. A byte order mark, which piped files may contain, is skipped.
pub(crate) fn read(line: &str) -> Option<Command> {
    let line = line.trim_start_matches('\u{feff}');
    let words: Vec<&str> = line.split_whitespace().collect();
    // Commands are case-insensitive, but FENs and paths are not.
    let first_word = words.first().map_or(String::new(), |word| word.to_ascii_lowercase());
    let lower = line.to_ascii_lowercase();
    let lower: Vec<&str> = match first_word.as_str() {
        "position" | "fen" | "startpos" | "probe" | "setoption" => {
            std::iter::once(first_word.as_str()).chain(words.iter().copied().skip(1)).collect()
        }
        _ => lower.split_whitespace().collect(),
    };
    Some(match lower.as_slice() {
        [] => return None,
        ["ucci", ..] => Command::Ucci,
        ["uci", ..] => Command::Uci,
        ["isready", ..] => Command::IsReady,
        ["ucinewgame" | "uccinewgame", ..] => Command::NewGame,
        ["debug", "on" | "true" | "1", ..] => Command::Debug(true),
        ["debug", "off" | "false" | "0", ..] => Command::Debug(false),
        ["debug", rest @ ..] => {
            Command::Fault(format!("debug: must be on or off, not {:?}", excerpt(rest.first().unwrap_or(&"nothing"))))
        }
        ["setoption", rest @ ..] => match SetOption::read(rest) {
            Ok(change) => Command::SetOption(change),
            Err(Refused::Value(fault)) => Command::Fault(fault),
            Err(Refused::Option) => Command::Unknown(format!("option {:?}", excerpt(&rest.join(" ")))),
        },
        ["position", rest @ ..] | rest @ ["fen" | "startpos", ..] => Command::Position(PositionCommand::read(rest)),
        ["probe", rest @ ..] => Command::Probe(PositionCommand::read(rest)),
        ["banmoves", moves @ ..] => Command::BanMoves(moves.iter().map(|&text| text.to_owned()).collect()),
        ["go", rest @ ..] => Command::Go(Box::new(Go::read(rest))),
        ["ponderhit", rest @ ..] => Command::PonderHit { draw: rest.contains(&"draw") },
        ["stop", ..] => Command::Stop,
        ["quit" | "exit", ..] => Command::Quit,
        ["d", ..] => Command::Show,
        ["help", ..] => Command::Help,
        ["eval", ..] => Command::Explain,
        ["bench"] => Command::Bench(None),
        ["bench", depth, ..] => match depth.parse() {
            Ok(depth @ 1..) => Command::Bench(Some(depth)),
            _ => Command::Fault(format!("bench: the depth must be a number from 1, not {:?}", excerpt(depth))),
        },
        _ => Command::Unknown(format!("command {:?}", excerpt(line.trim()))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(start: &str, moves: &str) -> PositionCommand {
        PositionCommand { start: start.into(), moves: moves.into() }
    }

    #[test]
    fn positions_come_in_many_shapes() {
        let fen = "4k4/9/9/9/9/9/9/9/9/4K4 r";
        for (text, start, moves) in [
            ("position startpos", "startpos", ""),
            ("position startpos moves", "startpos", ""),
            ("position startpos moves h2e2  h9g7 ", "startpos", "h2e2 h9g7"),
            ("startpos moves h2e2", "startpos", "h2e2"),
            ("position fen 4k4/9/9/9/9/9/9/9/9/4K4 r moves a0a1", fen, "a0a1"),
            ("fen 4k4/9/9/9/9/9/9/9/9/4K4 r moves", fen, ""),
            ("position fen 4k4/9/9/9/9/9/9/9/9/4K4 r", fen, ""),
            ("position startpos moves fen x", "startpos", "fen x"),
        ] {
            assert_eq!(read(text), Some(Command::Position(Ok(line(start, moves)))), "{text}");
        }
        assert_eq!(read("probe startpos moves h2e2"), Some(Command::Probe(Ok(line("startpos", "h2e2")))));
    }

    #[test]
    fn words_in_capitals_count_and_a_fen_keeps_its_own() {
        for (capitals, plain) in [
            ("UCCI", "ucci"),
            ("IsReady", "isready"),
            ("GO DEPTH 5 SEARCHMOVES H2E2", "go depth 5 searchmoves h2e2"),
            ("POSITION STARTPOS MOVES H2E2", "position startpos moves h2e2"),
            ("Position FEN 4k4/9/9/9/9/9/9/9/9/4K4 w", "position fen 4k4/9/9/9/9/9/9/9/9/4K4 w"),
            ("SETOPTION NAME EvalFile VALUE A.net", "setoption name evalfile value A.net"),
            ("BANMOVES A0A1", "banmoves a0a1"),
            ("PonderHit DRAW", "ponderhit draw"),
            ("Quit", "quit"),
        ] {
            assert_eq!(read(capitals), read(plain), "{capitals}");
            assert!(!matches!(read(plain), Some(Command::Unknown(_))), "{plain}");
        }
    }

    #[test]
    fn a_position_without_a_position_is_a_fault() {
        for text in ["position", "position moves h2e2", "position 9/9"] {
            assert!(matches!(read(text), Some(Command::Position(Err(_)))), "{text}");
        }
        assert!(matches!(read("probe"), Some(Command::Probe(Err(_)))));
    }

    #[test]
    fn blank_lines_are_nothing() {
        for text in ["", "  ", "\t", "\r"] {
            assert_eq!(read(text), None);
        }
    }

    #[test]
    fn what_is_unknown_is_named() {
        assert_eq!(read("xyzzy 1\u{0} 2"), Some(Command::Unknown("command \"xyzzy 1\\0 2\"".into())));
        assert!(matches!(read("setoption style normal"), Some(Command::Unknown(_))));
        assert!(matches!(read("setoption"), Some(Command::Unknown(_))));
    }

    #[test]
    fn the_draw_offer_may_come_with_ponderhit() {
        assert_eq!(read("ponderhit draw"), Some(Command::PonderHit { draw: true }));
        assert_eq!(read("ponderhit"), Some(Command::PonderHit { draw: false }));
    }

    #[test]
    fn bench_takes_a_depth() {
        assert_eq!(read("bench"), Some(Command::Bench(None)));
        assert_eq!(read("bench 7"), Some(Command::Bench(Some(7))));
        assert!(matches!(read("bench 0"), Some(Command::Fault(_))));
    }
}
