//! Valid and invalid lines, and searches ended at arbitrary moments: each request must be answered once, and
//! the engine must be ready afterwards.

use crate::gui::{Gui, count};
use chuhe::random::SplitMix64;
use chuhe::rules::Game;
use std::thread::sleep;
use std::time::Duration;

/// Number of lines sent at once, followed by `isready`.
const PART: usize = 1_000;

/// Words to combine at random: keywords of both protocols, moves, numbers and FENs, some of them invalid.
const WORDS: &str = "\
    ucci uci isready ucinewgame uccinewgame setoption name value position fen startpos moves banmoves go ponder draw depth infinite nodes mate \
    movetime time increment movestogo opptime oppincrement wtime btime winc binc searchmoves ponderhit stop probe d eval debug on off true false \
    0 1 -1 2 7 99999999999999999999 x h2e2 h9g7 b0c2 a0a9 i10i9 0000 (none) rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR \
    4k4/9/9/9/9/9/9/9/9/3K5 3k5/9/9/9/9/9/9/9/4R4/R3K4 9/9/9/9/9/9/9/9/9/9 w b r - - 120 batch multipv randomness huge perft 象棋 ;";

/// Valid lines with small numbers, so that they are executed quickly.
const TEMPLATES: [&str; 47] = [
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
    "setoption evalfile /no/such/file",
    "GO DEPTH 1",
    "ISREADY",
    "eval",
    "d",
];

/// Returns the number of parts and the seed. The nightly run sets more parts with the variable `CHUHE_NOISE`,
/// such as `400:7`.
fn extent() -> (usize, u64) {
    let text = std::env::var("CHUHE_NOISE").unwrap_or_else(|_| "20:2026".to_owned());
    let (parts, seed) = text.split_once(':').expect("PARTS:SEED");
    (parts.parse().expect("a number"), seed.parse().expect("a number"))
}

fn pick(random: &mut SplitMix64, words: &[&'static str]) -> &'static str {
    words[random.below(words.len() as u64) as usize]
}

fn word(random: &mut SplitMix64) -> &'static str {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    pick(random, &words)
}

/// Returns the first word of a line as parsed by the engine: without leading blanks, in lower case.
fn first_word(line: &[u8]) -> String {
    String::from_utf8_lossy(line).split_whitespace().next().unwrap_or_default().to_lowercase()
}

fn is_ready(line: &[u8]) -> bool {
    first_word(line) == "isready"
}

/// Returns a line that is neither `quit` nor long work.
fn line(random: &mut SplitMix64) -> Vec<u8> {
    let mut text = match random.below(10) {
        0..6 => pick(random, &TEMPLATES).to_owned(),
        6..8 => (0..random.below(9)).map(|_| word(random)).collect::<Vec<_>>().join(" "),
        8 => {
            // A valid line with an additional or changed word.
            let mut words: Vec<&str> = pick(random, &TEMPLATES).split(' ').collect();
            let at = random.below(words.len() as u64) as usize;
            if random.below(2) == 0 {
                words[at] = word(random)
            } else {
                words.insert(at, word(random))
            }
            words.join(" ")
        }
        _ => return (0..random.below(60)).map(|_| random.below(256) as u8).filter(|byte| *byte != b'\n').collect(),
    };
    // Removes commands that would require too much time or memory for a test, especially in batch mode, where
    // `stop` waits.
    let is_go = first_word(text.as_bytes()) == "go";
    if is_go {
        text += " nodes 20";
    }
    if is_go && text.contains("perft") {
        text = "go perft 1".to_owned();
    }
    if text.contains("hashsize 120") || text.contains("hashsize 7") {
        text.clear();
    }
    text.into_bytes()
}

/// Returns a line that neither starts nor stops a search or the session, nor changes the number of replies.
fn quiet_line(random: &mut SplitMix64) -> Vec<u8> {
    loop {
        let line = line(random);
        let counts = ["go", "stop", "ucci", "uci", "bench", "quit", "exit"].contains(&&*first_word(&line));
        if !counts && !String::from_utf8_lossy(&line).to_lowercase().contains("batch") {
            return line;
        }
    }
}

fn send(gui: &mut Gui, lines: &[Vec<u8>]) {
    gui.send_bytes(&lines.iter().flat_map(|line| [line, &b"\n"[..]].concat()).collect::<Vec<u8>>());
}

fn is_answer(line: &str) -> bool {
    line.starts_with("bestmove") || line.starts_with("nobestmove")
}

#[test]
fn thousands_of_random_lines_leave_it_ready() {
    let (parts, seed) = extent();
    let (mut gui, mut random) = (Gui::ucci(), SplitMix64::new(seed));
    let (mut asked, mut answered) = (0, 0);
    for part in 0..parts {
        let noise: Vec<Vec<u8>> = (0..PART).map(|_| line(&mut random)).collect();
        asked += 1 + noise.iter().filter(|line| is_ready(line)).count();
        send(&mut gui, &noise);
        // Restores a known state; the error message follows all queued output.
        gui.send(&format!("stop\nsetoption batch off\nposition startpos\nbanmoves zzzz{part}z"));
        let mut lines = gui.until_one_has(&format!("zzzz{part}z"));
        gui.send("ucci\nsetoption debug off\nisready");
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

#[test]
fn every_go_has_one_answer_whatever_else_is_said() {
    let (parts, seed) = extent();
    for (mut gui, seed) in [(Gui::ucci(), seed), (Gui::uci(), seed + 1)] {
        let mut random = SplitMix64::new(seed);
        for round in 0..10 * parts {
            let quiet: Vec<Vec<u8>> = (0..random.below(30)).map(|_| quiet_line(&mut random)).collect();
            send(&mut gui, &quiet);
            gui.send("isready");
            for _ in 0..=quiet.iter().filter(|line| is_ready(line)).count() {
                let heard = gui.until("readyok");
                assert!(!heard.iter().any(|line| is_answer(line)), "without a go in round {round}: {heard:#?}");
            }
            let go = loop {
                let line = pick(&mut random, &TEMPLATES);
                if line.starts_with("go") && !line.contains("perft") {
                    break line;
                }
            };
            gui.send(go);
            let meanwhile: Vec<Vec<u8>> = (0..random.below(8)).map(|_| quiet_line(&mut random)).collect();
            let meanwhile: Vec<Vec<u8>> = meanwhile.into_iter().filter(|line| !is_ready(line)).collect();
            send(&mut gui, &meanwhile);
            gui.send("stop");
            gui.listen("an answer", is_answer);
            // In UCCI, a late `stop` after other lines receives a separate reply.
            let late: Vec<String> = gui.said().into_iter().filter(|line| is_answer(line)).collect();
            assert!(late.is_empty() || late == ["nobestmove"], "{go} in round {round}: {late:#?}");
        }
        assert_eq!(gui.errors(), "");
    }
}

/// Kinds of searches, and the commands that end them.
const SEARCHES: [(&str, &[&str]); 5] = [
    ("go infinite", &["stop"]),
    ("go ponder", &["stop"]),
    ("go ponder", &["ponderhit"]),
    ("go ponder", &["ponderhit", "stop"]),
    ("go", &["stop"]),
];

#[test]
fn a_search_that_is_ended_at_any_moment_answers_once() {
    let (parts, seed) = extent();
    let openings = include_str!("../../src/lab/embedded/openings.epd").lines().filter(|line| !line.starts_with('#'));
    let openings: Vec<&str> = openings.filter_map(|line| line.split(" ;").next()).collect();
    for (mut gui, seed) in [(Gui::ucci(), seed), (Gui::uci(), seed + 1)] {
        let mut random = SplitMix64::new(seed);
        for round in 0..3 * parts {
            if round % 20 == 0 {
                let (threads, hash) = (1 + random.below(4), 1 + random.below(64));
                gui.send(&format!("setoption name Threads value {threads}\nsetoption name Hash value {hash}"));
            }
            let fen = random.pick(&openings).expect("openings");
            let (mut game, mut moves) = (Game::from_fen(fen).expect("a position"), String::new());
            for _ in 0..[0, 0, 4, 20, 60][random.below(5) as usize] {
                let Some(&mv) = random.pick(&game.position().legal_moves()) else { break };
                game.make(mv);
                moves += &format!(" {mv}");
            }
            if !game.position().has_moves() {
                continue;
            }
            let &(go, ends) = random.pick(&SEARCHES).expect("searches");
            let (left, increment) = ([100, 500, 2000][random.below(3) as usize], 10 * random.below(2));
            gui.send(&format!("position fen {fen} moves{moves}\n{go} time {left} increment {increment}"));
            // The pause is usually short.
            sleep(Duration::from_millis(random.below(100).pow(3) / 2000));
            if go != "go" && random.below(2) == 0 {
                assert_eq!(count(&gui.said(), "bestmove"), 0, "unexpected reply to {go}");
            }
            for end in ends {
                gui.send(end);
                sleep(Duration::from_millis(random.below(50)));
            }
            gui.best_move(fen, &moves);
            if random.below(5) == 0 {
                gui.send("stop");
            }
            assert_eq!(count(&gui.said(), "bestmove"), 0, "{go} was answered twice");
        }
        gui.send("quit");
        gui.end();
    }
}
