//! Reviews of many games: totals per player, and parts for several machines.

use crate::calls::{Folder, chuhe_in, text_of};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Red loses a rook for a cannon with the fifth move.
const HUNG_ROOK: &str = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 h0h6 g6g5 h6h7 h9h7";

/// Creates a folder with five games in one file: Ann and Bob have either colour, and an unknown player has
/// Red in the last.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    let players = [("Ann", "Bob"), ("Bob", "Ann"), ("Ann", "Bob"), ("Bob", "Cid"), ("", "Ann")];
    let game = |(number, (red, black)): (usize, (&str, &str))| {
        let plies = HUNG_ROOK.split(' ').take(10 - number % 2).collect::<Vec<_>>().join(" ");
        format!("[Red \"{red}\"]\n[Black \"{black}\"]\n[Result \"*\"]\n\n{plies} *\n\n")
    };
    let games: String = players.into_iter().enumerate().map(game).collect();
    fs::write(folder.join("games.pgn"), games).expect("a file");
    folder
}

/// Returns the output of a successful command in a folder.
fn said(folder: &Path, arguments: &[&str]) -> String {
    text_of(chuhe_in(folder, arguments))
}

const REVIEW: [&str; 8] = ["review", "games.pgn", "--nodes", "2000", "--hash", "1", "--language", "en"];

#[test]
fn a_report_of_several_games_begins_with_totals_of_each_player() {
    let folder = folder("totals of players");
    let text = said(&folder, &[&REVIEW[..], &["--html", "pages"]].concat());
    let json = said(&folder, &[&REVIEW[..], &["--json"]].concat());
    let games: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let rows: Vec<&str> = text.lines().skip(2).take_while(|line| !line.is_empty()).collect();
    let names: Vec<&str> = rows.iter().filter_map(|row| row.split("  ").next()).collect();
    assert_eq!(names, ["Ann", "Bob", "Cid", "Red"], "{text}");
    for (name, row) in names.iter().zip(&rows) {
        let mut judged = ["inaccuracy", "mistake", "blunder"].map(|kind| (kind, 0));
        let (mut played, mut accuracy) = (0.0, 0.0);
        for (game, side) in games.iter().flat_map(|game| [(game, 0), (game, 1)]) {
            let player = game["players"][side].as_str().expect("a name");
            if player != *name && !(player.is_empty() && *name == "Red") {
                continue;
            }
            played += 1.0;
            accuracy += game["accuracy"][side].as_f64().expect("a number");
            for mv in game["moves"].as_array().expect("moves").iter().filter(|mv| mv["side"] == ["red", "black"][side])
            {
                judged.iter_mut().filter(|(kind, _)| mv["judgement"] == *kind).for_each(|(_, count)| *count += 1);
            }
        }
        let cells: Vec<&str> = row.split_whitespace().collect();
        let expected = [played, (accuracy / played).round()].map(|number| number.to_string());
        assert_eq!(cells[1..3], expected, "{row}");
        assert_eq!(cells[3..6], judged.map(|(_, count): (&str, u32)| count.to_string()), "{row}");
    }
    // The lost rook in the first of Ann's games.
    assert!(rows[0].contains("1: 5. R2+1??"), "{text}");
    let index = fs::read_to_string(folder.join("pages/index.html")).expect("a page");
    assert!(index.contains("1.html#moment9") && index.find("R2+1??") < index.find("href=\"2.html\""), "{index}");
}

#[test]
fn what_the_parts_print_one_after_the_other_is_the_whole() {
    let folder = folder("parts of reviews");
    let whole = said(&folder, &[&REVIEW[..], &["--json", "--pgn", "whole.pgn"]].concat());
    let (mut parts, mut annotated) = (String::new(), String::new());
    // There are more parts than games.
    for part in ["1/7", "2/7", "3/7", "4/7", "5/7", "6/7", "7/7"] {
        let _ = fs::remove_file(folder.join("part.pgn"));
        parts += &said(&folder, &[&REVIEW[..], &["--json", "--pgn", "part.pgn", "--part", part]].concat());
        annotated += &fs::read_to_string(folder.join("part.pgn")).unwrap_or_default();
    }
    assert_eq!((parts, whole.lines().count()), (whole, 5));
    assert_eq!(annotated, fs::read_to_string(folder.join("whole.pgn")).expect("a file"));

    let analyze = ["analyze", "--file", "games.pgn", "--nodes", "200", "--hash", "1", "--json"];
    // Times vary.
    let steady = |text: String| -> Vec<Value> {
        let read = |line: &str| serde_json::from_str::<Value>(line).expect("JSON");
        text.lines().map(read).map(|line| serde_json::json!([line["fen"], line["nodes"], line["lines"]])).collect()
    };
    let parts = ["1/3", "2/3", "3/3"].map(|part| steady(said(&folder, &[&analyze[..], &["--part", part]].concat())));
    assert!(parts.iter().all(|part| part.len() == 17 || part.len() == 18));
    assert_eq!(parts.concat(), steady(said(&folder, &analyze)));
}
