//! The grammar of what a GUI says, one for all dialects.

use super::go::Go;
use super::lines::excerpt;
use super::options::{Change, Refused};
use super::position::Line;

/// A line that was understood, or why not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `ucci`: speak UCCI from now on.
    Ucci,
    /// `uci`: speak UCI from now on.
    Uci,
    /// `isready`.
    IsReady,
    /// `ucinewgame`, `uccinewgame`.
    NewGame,
    /// `debug on`, `debug off`.
    Debug(bool),
    /// `setoption`, an option that exists and a value that fits.
    SetOption(Change),
    /// `position`, or only what follows it.
    Position(Line),
    /// `banmoves`: the moves as text.
    BanMoves(Vec<String>),
    /// `go`.
    Go(Box<Go>),
    /// `ponderhit`.
    PonderHit {
        /// The enemy offers a draw with the move that was played.
        draw: bool,
    },
    /// `stop`.
    Stop,
    /// `probe`, or what is wrong with its position: it is answered all the same.
    Probe(Result<Line, String>),
    /// `quit`.
    Quit,
    /// The input has ended: no line says it.
    End,
    /// `d`: show the board.
    Show,
    /// `help`: what can be typed.
    Help,
    /// `eval`: explain the static score.
    Explain,
    /// `bench`, perhaps with a depth.
    Bench(Option<u32>),
    /// A known command that makes no sense: what is wrong with it.
    Fault(String),
    /// Not for us: what it was.
    Unknown(String),
}

/// Reads a line; nothing if it is blank. A file that is sent may begin with the mark of UTF-8.
pub fn read(line: &str) -> Option<Command> {
    let line = line.trim_start_matches('\u{feff}');
    let words: Vec<&str> = line.split_whitespace().collect();
    // Everything may come in capitals, but in a FEN and in a path they mean something.
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
            Command::Fault(format!("debug: is on or off, not {:?}", excerpt(rest.first().unwrap_or(&"nothing"))))
        }
        ["setoption", rest @ ..] => match Change::read(rest) {
            Ok(change) => Command::SetOption(change),
            Err(Refused::Value(fault)) => Command::Fault(fault),
            Err(Refused::Option) => Command::Unknown(format!("option {:?}", excerpt(&rest.join(" ")))),
        },
        ["position", rest @ ..] | rest @ ["fen" | "startpos", ..] => match Line::read(rest) {
            Ok(line) => Command::Position(line),
            Err(fault) => Command::Fault(format!("position: {fault}")),
        },
        ["probe", rest @ ..] => Command::Probe(Line::read(rest)),
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
            _ => Command::Fault(format!("bench: the depth is a number from 1, not {:?}", excerpt(depth))),
        },
        _ => Command::Unknown(format!("command {:?}", excerpt(line.trim()))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(start: &str, moves: &str) -> Line {
        Line { start: start.into(), moves: moves.into() }
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
            assert_eq!(read(text), Some(Command::Position(line(start, moves))), "{text}");
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
            assert!(matches!(read(text), Some(Command::Fault(_))), "{text}");
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
