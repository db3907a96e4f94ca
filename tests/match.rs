//! `chuhe match` with players that misbehave in every way known, and with runs that are killed.
//!
//! The players are this very test program: [`an_engine_for_the_other_tests`] plays when an environment variable names its character.

use chuhe::board::{Move, STARTPOS};
use chuhe::random::SplitMix64;
use chuhe::rules::Game;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

const CHARACTER: &str = "CHUHE_TEST_ENGINE";

#[test]
fn an_engine_for_the_other_tests() {
    let Ok(character) = std::env::var(CHARACTER) else { return };
    let mut out = std::io::stdout().lock();
    // The test harness may have begun a line.
    writeln!(out).unwrap();
    let mut game = Game::from_fen(STARTPOS).unwrap();
    let mut moves = 0;
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["ucci"] if character == "mute" => {}
            ["ucci"] => {
                writeln!(out, "id name {character}\noption usemillisec type check default true\nucciok").unwrap()
            }
            ["isready"] => writeln!(out, "readyok").unwrap(),
            ["setoption", "newgame"] => moves = 0,
            ["position", "fen", ..] => {
                let (fen, played) = line["position fen ".len()..].split_once(" moves").unwrap_or((&line[13..], ""));
                game = Game::from_fen(fen).unwrap();
                game.play_text(played.split_whitespace()).unwrap();
            }
            ["go", ..] => {
                moves += 1;
                // Everybody behaves at first.
                let character = if moves > 2 { character.as_str() } else { "good" };
                answer(character, moves, &game, words.get(1) == Some(&"draw"), &mut out);
            }
            ["stop"] if character == "late" || character == "slow" => {}
            ["quit"] if character != "hang" => std::process::exit(0),
            _ => {}
        }
        out.flush().unwrap();
    }
    std::process::exit(0);
}

fn answer(character: &str, moves: u32, game: &Game, offered: bool, out: &mut impl Write) {
    let legal = game.position().legal_moves();
    let mut random = SplitMix64::new(game.position().key() ^ u64::from(moves));
    let mv = legal[random.below(legal.len() as u64) as usize];
    let score = match character {
        "optimist" => 3000,
        "pessimist" => -3000,
        _ => 10,
    };
    writeln!(out, "info depth 3 score {score} nodes 1234 pv {mv}").unwrap();
    match character {
        "crash" => std::process::exit(3),
        "hang" => std::thread::sleep(Duration::from_secs(30)),
        "illegal" => writeln!(out, "bestmove e0e9").unwrap(),
        "garbage" => writeln!(out, "\u{0}\u{1}garbage\nbestmove ♞♞\u{0} what").unwrap(),
        "flood" => loop {
            if writeln!(out, "info string {}", "x".repeat(4000)).is_err() {
                std::process::exit(1);
            }
        },
        "endless" => loop {
            if out.write_all(&[b'x'; 4096]).is_err() {
                std::process::exit(1);
            }
        },
        "late" => {
            std::thread::sleep(Duration::from_millis(250));
            writeln!(out, "bestmove {mv}").unwrap();
        }
        "slow" => {
            std::thread::sleep(Duration::from_millis(6));
            writeln!(out, "bestmove {mv}").unwrap();
        }
        // Says much, but plays.
        "noise" => {
            (0..200).for_each(|n| writeln!(out, "\u{7f}info depth x score y {n} bestmove h2e2").unwrap());
            eprintln!("noise on standard error");
            writeln!(out, "bestmove {mv} ponder {mv}\nbestmove {mv}").unwrap();
        }
        "resigning" => writeln!(out, "bestmove {mv} resign").unwrap(),
        "speechless" => writeln!(out, "nobestmove").unwrap(),
        "offering" => writeln!(out, "bestmove {mv} draw").unwrap(),
        "accepting" => writeln!(out, "bestmove {mv}{}", if offered { " draw" } else { "" }).unwrap(),
        _ => writeln!(out, "bestmove {mv}").unwrap(),
    }
}

/// The setting of a player of that character.
fn player(character: &str, more: &str) -> String {
    let exe = std::env::current_exe().unwrap();
    format!(
        "cmd=env {CHARACTER}={character} '{}' an_engine_for_the_other_tests --exact --nocapture,name={character},protocol=ucci{more}",
        exe.display()
    )
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("chuhe-match-{}-{number}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Folder(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn command(folder: &Folder, players: &[String], more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    command.arg("match").args(players.iter().flat_map(|player| ["--engine", player]));
    command.arg("--out").arg(&folder.0).args(more).stdin(Stdio::null());
    command
}

/// The summary of a match; it must say by its exit status whether every game ended by a fault.
fn run(folder: &Folder, players: &[String], more: &[&str]) -> Value {
    let output = command(folder, players, more).arg("--json").output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<Value> = std::fs::read_to_string(folder.path("games.jsonl"))
        .unwrap_or_else(|error| panic!("{error}: {errors}"))
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let all_faulty = lines.iter().all(|game| !game["fault"].is_null());
    assert_eq!(output.status.code(), Some(i32::from(all_faulty)), "{errors}");
    assert_eq!(errors.contains("every game ended by a fault"), all_faulty, "{errors}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"))
}

/// The games of a journal by number: moves, result and reason.
fn games(path: &Path) -> BTreeMap<u64, (Vec<String>, String, String)> {
    let text = std::fs::read_to_string(path).unwrap();
    let games = text.lines().skip(1).map(|line| {
        let game: Value = serde_json::from_str(line).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_string();
        let moves = game["moves"].as_array().unwrap().iter().map(text).collect();
        (game["game"].as_u64().unwrap(), (moves, text(&game["result"]), text(&game["reason"])))
    });
    games.collect()
}

/// Plays a character against a good player; both games must end for `reason`, as `score` (wins, draws, losses) of the character.
fn expect(character: &str, limit: &str, reason: &str, score: [u64; 3]) {
    let folder = Folder::new(character);
    let summary =
        run(&folder, &[player(character, limit), player("good", limit)], &["--games", "2", "--longest", "30"]);
    assert_eq!(summary["games"], 2, "{character}");
    let own = &summary["players"][0];
    let found = ["wins", "draws", "losses"].map(|name| own["score"][name].as_u64().unwrap());
    assert_eq!(found, score, "{character}: {summary}");
    let reasons: Vec<&String> = summary["reasons"].as_object().unwrap().keys().collect();
    assert_eq!(reasons, [reason], "{character}: {summary}");
    if score == [0, 0, 2] && reason != "resignation" {
        assert_eq!(own["faults"][reason], 2, "{character}: {summary}");
        assert_eq!(summary["players"][1]["faults"], serde_json::json!({}), "{character}");
        // The whole talk is kept, and it is not endless.
        let log = std::fs::read_to_string(folder.path("logs/game-00001.log")).unwrap();
        assert!(log.contains(&format!("{character} > ucci")) && log.len() < 3_000_000, "{character}");
    }
    // Statistics and records are there.
    assert!(std::fs::read_to_string(folder.path("elo.svg")).unwrap().starts_with("<svg"));
    let records = chuhe::records::pgn::read(&std::fs::read_to_string(folder.path("games.pgn")).unwrap()).unwrap();
    assert_eq!(records.len(), 2);
    let journal = games(&folder.path("games.jsonl"));
    for (record, (moves, result, _)) in records.iter().zip(journal.values()) {
        let recorded: Vec<String> = record.moves().iter().map(Move::to_string).collect();
        assert_eq!((recorded, record.result.text()), (moves.clone(), result.as_str()));
    }
}

const LOST: [u64; 3] = [0, 0, 2];
const DRAWN: [u64; 3] = [0, 2, 0];

#[test]
fn a_crash_loses_and_the_engine_is_started_again() {
    expect("crash", ",nodes=1", "crash", LOST);
}

#[test]
fn a_hang_loses_and_the_engine_is_killed() {
    expect("hang", ",nodes=1,patience=0.4", "hang", LOST);
}

#[test]
fn an_illegal_move_loses() {
    expect("illegal", ",nodes=1", "illegal move", LOST);
}

#[test]
fn an_answer_that_is_no_move_loses() {
    expect("garbage", ",nodes=1", "garbage", LOST);
}

#[test]
fn a_flood_of_lines_loses_and_takes_no_memory() {
    expect("flood", ",nodes=1", "flood", LOST);
}

#[test]
fn an_endless_line_loses_and_takes_no_memory() {
    expect("endless", ",nodes=1", "flood", LOST);
}

#[test]
fn a_late_answer_loses_on_time() {
    expect("late", ",tc=0.15+0.02,margin=20", "time", LOST);
}

#[test]
fn a_late_answer_loses_on_fixed_time_too() {
    expect("late", ",movetime=0.1,margin=50", "time", LOST);
}

#[test]
fn noise_is_no_fault() {
    expect("noise", ",nodes=1", "length", DRAWN);
}

#[test]
fn whoever_resigns_or_has_no_move_to_say_loses() {
    expect("resigning", ",depth=1", "resignation", LOST);
    expect("speechless", ",depth=1", "resignation", LOST);
}

#[test]
fn an_offer_that_is_accepted_draws() {
    let folder = Folder::new("offer");
    let players = [player("offering", ",nodes=1"), player("accepting", ",nodes=1")];
    let summary = run(&folder, &players, &["--games", "2", "--longest", "30"]);
    assert_eq!(summary["reasons"]["agreement"]["draw"], 2, "{summary}");
    // Nobody accepts here.
    expect("offering", ",nodes=1", "length", DRAWN);
}

#[test]
fn scores_that_agree_end_a_game() {
    let folder = Folder::new("scores");
    let players = [player("optimist", ",nodes=1"), player("pessimist", ",nodes=1")];
    let more = ["--games", "2", "--longest", "60", "--adjudicate-win", "moves=3,score=2500"];
    let summary = run(&folder, &players, &more);
    assert_eq!(summary["reasons"].as_object().unwrap().keys().collect::<Vec<_>>(), ["adjudicated win"]);
    assert_eq!(summary["players"][0]["score"]["wins"], 2);
    let folder = Folder::new("drawn-scores");
    let players = [player("good", ",nodes=1"), player("good", ",nodes=1")];
    let summary =
        run(&folder, &players, &["--games", "2", "--longest", "60", "--adjudicate-draw", "moves=3,score=20,after=8"]);
    assert_eq!(summary["reasons"]["adjudicated draw"]["draw"], 2, "{summary}");
}

#[test]
fn a_player_that_never_starts_stops_the_match_before_it_begins() {
    let folder = Folder::new("mute");
    let output = command(&folder, &[player("mute", ",patience=0.3"), player("good", "")], &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("mute does not start"));
    let missing = "cmd=/nowhere/engine".to_string();
    let output = command(&folder, &[missing, player("good", "")], &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/nowhere/engine"));
    assert!(!folder.0.exists());
}

#[test]
fn a_run_among_bad_engines_ends_with_its_statistics() {
    let folder = Folder::new("all");
    let names = ["good", "crash", "illegal", "garbage"];
    let players: Vec<String> = names.iter().map(|name| player(name, ",nodes=1")).collect();
    let summary = run(&folder, &players, &["--games", "2", "--longest", "20", "--concurrency", "2"]);
    assert_eq!((&summary["games"], &summary["planned"]), (&Value::from(12), &Value::from(12)));
    assert_eq!(summary["players"][0]["score"]["wins"], 6);
    assert_eq!(summary["players"][0]["faults"], serde_json::json!({}));
}

/// `chuhe judge --pgn` reads the match's own records and comes to the results that they claim.
#[test]
fn the_referee_confirms_the_records_of_a_match() {
    let folder = Folder::new("judged");
    let players = [1, 2].map(|number| format!("cmd=self,name=player{number},nodes=300"));
    run(&folder, &players, &["--games", "8"]);
    let judge = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
        let output = command.arg("judge").arg("--pgn").arg(folder.path("games.pgn")).args(more).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let journal = games(&folder.path("games.jsonl"));
    let (records, sentences) = (judge(&["--json"]), judge(&[]));
    assert_eq!((records.lines().count(), sentences.lines().count()), (8, 8));
    let mut ended_by_rule = 0;
    for ((record, sentence), (number, (moves, result, reason))) in records.lines().zip(sentences.lines()).zip(&journal)
    {
        let record: Value = serde_json::from_str(record).unwrap();
        assert_eq!((record["game"].as_u64(), record["claimed"].as_str()), (Some(*number), Some(result.as_str())));
        assert!(sentence.starts_with(&format!("{number} ({result}): ")), "{sentence}");
        if record["result"] == "open" {
            continue; // the players agreed, or one of them lost on time
        }
        ended_by_rule += 1;
        assert_eq!(record["ended_at"].as_u64(), Some(moves.len() as u64), "{record}");
        let verdict = match (record["result"].as_str(), record["side"].as_str()) {
            (Some("draw"), _) => "1/2-1/2",
            (Some("win"), Some("red")) | (Some("loss"), Some("black")) => "1-0",
            _ => "0-1",
        };
        assert_eq!(verdict, result, "{reason}: {record}");
    }
    assert!(ended_by_rule > 0);
}

#[test]
fn a_killed_match_resumes_and_ends_with_the_same_games() {
    let players = [player("slow", ",nodes=10"), player("good", ",nodes=10")];
    let more = ["--games", "8", "--longest", "40", "--concurrency", "2"];
    let whole = Folder::new("whole");
    run(&whole, &players, &more);

    let killed = Folder::new("killed");
    for at_least in [2, 5] {
        let resume = if at_least > 2 { &["--resume"][..] } else { &[] };
        let mut child = command(&killed, &players, &[&more, resume].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let start = Instant::now();
        let journal = killed.path("games.jsonl");
        let lines = || std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
        while lines() <= at_least && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let lines = lines();
        assert!(at_least < lines && lines < 9, "{lines}");
        // As if the kill had struck in the middle of a line.
        let mut file = std::fs::OpenOptions::new().append(true).open(&journal).unwrap();
        file.write_all(b"{\"game\":7,\"red\":\"slo").unwrap();
    }
    // Another match is not mixed in, and nothing is overwritten.
    let other = [player("slow", ",nodes=11"), player("good", ",nodes=10")];
    let refused = command(&killed, &other, &[&more[..], &["--resume"]].concat()).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("nodes"));
    assert_eq!(command(&killed, &players, &more).output().unwrap().status.code(), Some(2));

    let summary = run(&killed, &players, &[&more[..], &["--resume"]].concat());
    assert_eq!(summary["games"], 8);
    assert_eq!(games(&killed.path("games.jsonl")), games(&whole.path("games.jsonl")));
    // The records hold the same games in the same order; only dates and times may differ.
    let moves = |folder: &Folder| -> Vec<Vec<Move>> {
        let text = std::fs::read_to_string(folder.path("games.pgn")).unwrap();
        let games = chuhe::records::pgn::read(&text).unwrap();
        games.iter().map(|game| game.moves()).collect()
    };
    assert_eq!(moves(&killed), moves(&whole));
}

#[test]
fn a_test_stops_by_itself() {
    let folder = Folder::new("sprt");
    let players = [player("good", ",nodes=1"), player("resigning", ",nodes=1")];
    let summary = run(&folder, &players, &["--games", "400", "--sprt", "elo0=0,elo1=300"]);
    assert_eq!(summary["encounters"][0]["sprt"]["verdict"], "H1");
    assert!(summary["games"].as_u64().unwrap() < 60, "{summary}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_cleanly_with_what_is_played() {
    let folder = Folder::new("interrupt");
    let players = [player("slow", ",nodes=1"), player("good", ",nodes=1")];
    let mut child = command(&folder, &players, &["--games", "500", "--longest", "20"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let journal = folder.path("games.jsonl");
    let start = Instant::now();
    while std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count()) < 3
        && start.elapsed() < Duration::from_secs(20)
    {
        std::thread::sleep(Duration::from_millis(2));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let asked = Instant::now();
    let status = child.wait().unwrap();
    assert!(status.success() && asked.elapsed() < Duration::from_secs(5), "{status}");
    let mut report = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut report).unwrap();
    assert!(report.contains("of 500 games") && report.contains("Elo"), "{report}");
}
