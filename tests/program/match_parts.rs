//! `chuhe match` played in parts and merged, and concurrent runs in one folder.

use crate::calls::{Folder, begin, command, errors, kill, text_of, wait_until};
use crate::players::player;
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Output;

fn chuhe(words: &[&str]) -> Output {
    crate::calls::chuhe(&[&["match"], words].concat())
}

/// Plays eight games, or a part of them.
fn play(folder: &Folder, nodes: &str, more: &[&str]) -> Output {
    play_games("8", folder, nodes, more)
}

fn play_games(games: &str, folder: &Folder, nodes: &str, more: &[&str]) -> Output {
    let players = [player("good", ",nodes=10,name=one"), player("noise", &format!(",nodes={nodes}"))];
    let out = folder.to_str().unwrap();
    let words = ["--engine", &players[0], "--engine", &players[1], "--games", games, "--longest", "30", "--out", out];
    chuhe(&[&words[..], more].concat())
}

fn refusal(output: &Output) -> &str {
    assert_eq!(output.status.code(), Some(2));
    errors(output)
}

/// Openings in an encoding that is not detected automatically.
#[test]
fn openings_are_read_in_the_named_encoding() {
    let folder = Folder::new("openings in Shift JIS");
    let moves = "1. 炮二平五 馬８進７ 2. 馬二進三 *\n";
    let shift_jis = chuhe::records::Encoding::for_label(b"shift_jis").unwrap();
    let bytes = shift_jis.encode(moves).0;
    std::fs::write(folder.join("openings.pgn"), [b"[Red \"x\"]\n\n", &bytes[..]].concat()).unwrap();
    let (out, file) = (Folder::named("match of openings"), folder.file("openings.pgn"));
    let players = [player("good", ",nodes=10,name=one"), player("good", ",nodes=10,name=two")];
    let words =
        ["--engine", &players[0], "--engine", &players[1], "--games", "2", "--longest", "30", "--openings", &file];
    let play = |more: &[&str]| chuhe(&[&words[..], &["--out", out.to_str().unwrap()], more].concat());
    assert!(refusal(&play(&[])).contains("openings.pgn"));
    text_of(play(&["--encoding", "shift_jis"]));
    let first = games(&out).into_values().next().unwrap();
    assert!(first.contains("h2e2"), "{first}");
}

/// Returns the games in a folder by number, without times and dates.
fn games(folder: &Folder) -> BTreeMap<u64, String> {
    let text = std::fs::read_to_string(folder.join("games.jsonl")).unwrap();
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
    let [whole, one, two, merged] = ["whole", "one", "two", "merged"].map(Folder::named);
    text_of(play(&whole, "20", &[]));
    text_of(play(&one, "20", &["--part", "1/2"]));
    let half = text_of(play(&two, "20", &["--part", "2/2", "--json"]));
    assert_eq!(serde_json::from_str::<Value>(&half).unwrap()["games"], 4);

    let folders = [&one, &two, &one].map(|folder| folder.to_str().unwrap());
    let [first, second, again] = folders;
    let out = merged.to_str().unwrap();
    // A folder that is given twice is counted only once.
    let summary =
        text_of(chuhe(&["--merge", first, second, again, "--json", "--sprt", "elo0=0,elo1=300", "--out", out]));
    let summary: Value = serde_json::from_str(&summary).unwrap();
    let expected: Value = serde_json::from_str(&std::fs::read_to_string(whole.join("summary.json")).unwrap()).unwrap();
    for key in ["games", "planned", "plies", "reasons"] {
        assert_eq!(summary[key], expected[key], "{key}");
    }
    assert_eq!(summary["encounters"][0]["pairs"], expected["encounters"][0]["pairs"]);
    assert!(summary["encounters"][0]["sprt"]["llr"].is_number());
    assert_eq!(games(&merged), games(&whole));
    let records =
        |folder: &Folder| std::fs::read_to_string(folder.join("games.pgn")).unwrap().matches("[Result ").count();
    assert_eq!(records(&merged), records(&whole));
}

#[test]
fn a_match_that_was_resumed_with_more_games_is_merged_with_all_of_them() {
    let folder = Folder::named("resumed");
    text_of(play_games("2", &folder, "20", &[]));
    text_of(play_games("6", &folder, "20", &["--resume"]));
    let summary = text_of(chuhe(&["--merge", folder.to_str().unwrap(), "--json"]));
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!([&summary["games"], &summary["planned"]], [6, 6]);
}

#[test]
fn folders_of_different_matches_are_not_merged() {
    let [one, other, again] = ["one", "other", "again"].map(Folder::named);
    text_of(play(&one, "20", &["--part", "1/2"]));
    text_of(play(&other, "21", &["--part", "2/2"]));
    text_of(play(&again, "20", &["--part", "1/2"]));
    let [one, other, again] = [&one, &other, &again].map(|folder| folder.to_str().unwrap());
    assert!(refusal(&chuhe(&["--merge", one, other])).contains("a different match"));
    // If a part is played twice, its games differ at least in their times.
    assert!(refusal(&chuhe(&["--merge", one, again])).contains("different versions of game 1"));
    assert!(refusal(&chuhe(&["--merge", "/nowhere"])).contains("/nowhere"));
    assert!(refusal(&chuhe(&["--merge", one, "--part", "1/2"])).contains("--part"));
}

#[test]
fn two_runs_do_not_write_to_one_folder() {
    let folder = Folder::named("locked");
    let players = [player("slow", ",nodes=1"), player("good", ",nodes=1")];
    let out = folder.to_str().unwrap();
    let words = ["--engine", &players[0], "--engine", &players[1], "--games", "500", "--longest", "20", "--out", out];
    let first = begin(command(&["match"]).args(words));
    wait_until("games are played", || games_so_far(&folder) > 1);
    let second = chuhe(&[&words[..], &["--resume"]].concat());
    kill(first);
    assert!(refusal(&second).contains("another run is writing"));
}

fn games_so_far(folder: &Folder) -> usize {
    std::fs::read_to_string(folder.join("games.jsonl")).map_or(0, |text| text.lines().count().saturating_sub(1))
}
