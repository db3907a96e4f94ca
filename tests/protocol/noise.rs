//! Twenty thousand lines of sense and nonsense: afterwards the engine is ready.

use crate::gui::{Gui, count};
use chuhe::random::SplitMix64;

const LINES: usize = 20_000;
/// They are sent in so many parts, each followed by a question.
const PARTS: usize = 20;

/// The words of all grammars.
const WORDS: [&str; 71] = [
    "ucci",
    "uci",
    "isready",
    "ucinewgame",
    "uccinewgame",
    "setoption",
    "name",
    "value",
    "position",
    "fen",
    "startpos",
    "moves",
    "banmoves",
    "go",
    "ponder",
    "draw",
    "depth",
    "infinite",
    "nodes",
    "mate",
    "movetime",
    "time",
    "increment",
    "movestogo",
    "opptime",
    "oppincrement",
    "wtime",
    "btime",
    "winc",
    "binc",
    "searchmoves",
    "ponderhit",
    "stop",
    "probe",
    "d",
    "eval",
    "debug",
    "on",
    "off",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "2",
    "7",
    "99999999999999999999",
    "x",
    "h2e2",
    "h9g7",
    "b0c2",
    "a0a9",
    "i10i9",
    "0000",
    "(none)",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
    "4k4/9/9/9/9/9/9/9/9/3K5",
    "3k5/9/9/9/9/9/9/9/4R4/R3K4",
    "9/9/9/9/9/9/9/9/9/9",
    "w",
    "b",
    "r",
    "- -",
    "120",
    "batch",
    "multipv",
    "randomness",
    "huge",
    "perft",
    "象棋",
    ";",
];

/// Lines that make sense; numbers are small, so that a line costs little.
const TEMPLATES: [&str; 43] = [
    "position startpos",
    "position startpos moves h2e2 h9g7",
    "position startpos moves h2e2 h9g7 h0g2 b9c7",
    "position fen 3k5/9/9/9/9/9/9/9/4R4/R3K4 w",
    "position fen 3k5/4P4/4P4/9/9/9/9/9/9/3RK4 b - - 119 7",
    "position fen 2bak4/4a4/4b4/9/9/9/9/4B4/4A4/3AK1B2 w - - 130 90",
    "startpos",
    "fen 4k4/9/9/9/9/9/9/9/9/3K5 r moves",
    "banmoves h2e2 b2e2",
    "banmoves",
    "go depth 1",
    "go depth 2",
    "go depth 0",
    "go nodes 30",
    "go movetime 0",
    "go mate 1",
    "go time 0 increment 0",
    "go draw time 1 increment 0 opptime 1 oppincrement 0",
    "go ponder depth 1",
    "go infinite",
    "go",
    "go depth 2 searchmoves h2e2 a0a1",
    "go wtime 1 btime 1 winc 0 binc 0",
    "go perft 1",
    "ponderhit",
    "ponderhit draw",
    "stop",
    "stop",
    "stop",
    "isready",
    "probe startpos",
    "probe fen 3k5/9/9/9/9/9/9/9/4R4/R3K4 w",
    "setoption batch on",
    "setoption batch off",
    "setoption threads 2",
    "setoption threads 1",
    "setoption newgame",
    "setoption hashsize 1",
    "setoption name MultiPV value 3",
    "setoption multipv 1",
    "setoption repetition chineserule",
    "setoption usemillisec on",
    "d",
];

fn pick(random: &mut SplitMix64, words: &[&'static str]) -> &'static str {
    words[random.below(words.len() as u64) as usize]
}

/// A line that is not `quit`, nor long work.
fn line(random: &mut SplitMix64) -> Vec<u8> {
    let mut text = match random.below(10) {
        0..6 => pick(random, &TEMPLATES).to_owned(),
        6..8 => (0..random.below(9)).map(|_| pick(random, &WORDS)).collect::<Vec<_>>().join(" "),
        8 => {
            // Sense with a word too many, or with one changed.
            let mut words: Vec<&str> = pick(random, &TEMPLATES).split(' ').collect();
            let at = random.below(words.len() as u64) as usize;
            if random.below(2) == 0 {
                words[at] = pick(random, &WORDS)
            } else {
                words.insert(at, pick(random, &WORDS))
            }
            words.join(" ")
        }
        _ => return (0..random.below(60)).map(|_| random.below(256) as u8).filter(|byte| *byte != b'\n').collect(),
    };
    // What would last too long or grow too big for a test, above all where batch mode hears no stop.
    if text.starts_with("go") {
        text += " nodes 20";
    }
    if text.starts_with("go") && text.contains("perft") {
        text = "go perft 1".to_owned();
    }
    if text.contains("hashsize 120") || text.contains("hashsize 7") {
        text.clear();
    }
    text.into_bytes()
}

#[test]
fn twenty_thousand_random_lines_leave_it_ready() {
    let mut gui = Gui::ucci();
    let mut random = SplitMix64::new(2026);
    let (mut asked, mut answered) = (0, 0);
    for part in 0..PARTS {
        let mut bytes = Vec::new();
        for _ in 0..LINES / PARTS {
            let line = line(&mut random);
            asked += usize::from(String::from_utf8_lossy(&line).split_whitespace().next() == Some("isready"));
            bytes.extend(line);
            bytes.push(b'\n');
        }
        gui.send_bytes(&bytes);
        // Whatever it was doing, this brings it back; the complaint comes after everything that waited.
        gui.send(&format!("stop\nsetoption batch off\nposition startpos\nbanmoves zzzz{part}z"));
        let mut lines = gui.until_one_has(&format!("zzzz{part}z"));
        gui.send("ucci\nsetoption debug off\nisready");
        asked += 1;
        lines.extend(gui.until("ucciok"));
        lines.extend(gui.until("readyok"));
        answered += count(&lines, "readyok");
        assert!(lines.iter().all(|line| line.len() < 2048), "{lines:#?}");
        assert!(count(&lines, "bestmove") > 10, "part {part}");
        assert_eq!(gui.errors(), "", "part {part}");
        gui.send("go depth 1");
        gui.best_move("startpos", "");
    }
    assert_eq!(asked, answered);
    gui.send("quit");
    assert_eq!(gui.end().last().map(String::as_str), Some("bye"));
}
