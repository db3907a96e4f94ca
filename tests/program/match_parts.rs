//! `chuhe match` played in parts and put together, and its folder when two runs want it.

use crate::players::{Folder, player};
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn chuhe(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_chuhe")).arg("match").args(words).stdin(Stdio::null()).output().unwrap()
}

/// Plays eight games, or a part of them.
fn play(folder: &Folder, nodes: &str, more: &[&str]) -> Output {
    let players = [player("good", ",nodes=10,name=one"), player("noise", &format!(",nodes={nodes}"))];
    let out = folder.0.to_str().unwrap();
    let words = ["--engine", &players[0], "--engine", &players[1], "--games", "8", "--longest", "30", "--out", out];
    chuhe(&[&words[..], more].concat())
}

fn ok(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refusal(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The games of a folder by number, without what clocks and calendars say.
fn games(folder: &Folder) -> BTreeMap<u64, String> {
    let text = std::fs::read_to_string(folder.path("games.jsonl")).unwrap();
    let games = text.lines().skip(1).map(|line| {
        let mut game: Value = serde_json::from_str(line).unwrap();
        let number = game["game"].as_u64().unwrap();
        game["date"].take();
        game["thoughts"].take();
        (number, game.to_string())
    });
    games.collect()
}

#[test]
fn the_parts_of_a_match_are_the_match() {
    let [whole, one, two, merged] = ["whole", "one", "two", "merged"].map(Folder::new);
    ok(play(&whole, "20", &[]));
    ok(play(&one, "20", &["--part", "1/2"]));
    let half = ok(play(&two, "20", &["--part", "2/2", "--json"]));
    assert_eq!(serde_json::from_str::<Value>(&half).unwrap()["games"], 4);

    let folders = [&one, &two, &one].map(|folder| folder.0.to_str().unwrap());
    let [first, second, again] = folders;
    let out = merged.0.to_str().unwrap();
    // A folder named twice counts once.
    let summary = ok(chuhe(&["--merge", first, second, again, "--json", "--sprt", "elo0=0,elo1=300", "--out", out]));
    let summary: Value = serde_json::from_str(&summary).unwrap();
    let expected: Value = serde_json::from_str(&std::fs::read_to_string(whole.path("summary.json")).unwrap()).unwrap();
    for key in ["games", "planned", "plies", "reasons"] {
        assert_eq!(summary[key], expected[key], "{key}");
    }
    assert_eq!(summary["encounters"][0]["pairs"], expected["encounters"][0]["pairs"]);
    assert!(summary["encounters"][0]["sprt"]["llr"].is_number());
    assert_eq!(games(&merged), games(&whole));
    let records =
        |folder: &Folder| std::fs::read_to_string(folder.path("games.pgn")).unwrap().matches("[Result ").count();
    assert_eq!(records(&merged), records(&whole));
}

#[test]
fn folders_of_different_matches_are_not_merged() {
    let [one, other, again] = ["one", "other", "again"].map(Folder::new);
    ok(play(&one, "20", &["--part", "1/2"]));
    ok(play(&other, "21", &["--part", "2/2"]));
    ok(play(&again, "20", &["--part", "1/2"]));
    let [one, other, again] = [&one, &other, &again].map(|folder| folder.0.to_str().unwrap());
    assert!(refusal(&chuhe(&["--merge", one, other])).contains("another match"));
    // The same part played twice: its games differ at least in their times.
    assert!(refusal(&chuhe(&["--merge", one, again])).contains("different versions of game 1"));
    assert!(refusal(&chuhe(&["--merge", "/nowhere"])).contains("/nowhere"));
    assert!(refusal(&chuhe(&["--merge", one, "--part", "1/2"])).contains("--part"));
}

#[test]
fn two_runs_do_not_write_to_one_folder() {
    let folder = Folder::new("locked");
    let players = [player("slow", ",nodes=1"), player("good", ",nodes=1")];
    let out = folder.0.to_str().unwrap();
    let words = ["--engine", &players[0], "--engine", &players[1], "--games", "500", "--longest", "20", "--out", out];
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    command.arg("match").args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut first = command.spawn().unwrap();
    let start = Instant::now();
    while games_so_far(&folder) < 2 && start.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(2));
    }
    let second = chuhe(&[&words[..], &["--resume"]].concat());
    let played = games_so_far(&folder);
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(refusal(&second).contains("another run is writing"));
    assert!(played >= 2);
}

fn games_so_far(folder: &Folder) -> usize {
    std::fs::read_to_string(folder.path("games.jsonl")).map_or(0, |text| text.lines().count().saturating_sub(1))
}
