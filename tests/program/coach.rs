//! Reviews of many games: totals per player, and division into parts for several machines.

use crate::calls::{Folder, chuhe_in, errors, text_of};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A game in which Red loses a rook for a cannon with the fifth move.
const HUNG_ROOK: &str = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 h0h6 g6g5 h6h7 h9h7";

/// Creates a folder with five games in one file. Ann and Bob play either colour; in the last game, an unknown
/// player is Red.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    let players = [("Ann", "Bob"), ("Bob", "Ann"), ("Ann", "Bob"), ("Bob", "Cid"), ("", "Ann")];
    let game = |(number, (red, black)): (usize, (&str, &str))| {
        // The first moves differ, so that no game is a duplicate of another.
        let first = [
            "h2e2",
            "h2e2 h9g7 e2d2 g7h9 d2e2",
            "h2e2 h9g7 e2f2 g7h9 f2e2",
            "h2e2 g9e7 e2d2 e7g9 d2e2",
            "h2e2 g9e7 e2f2 e7g9 f2e2",
        ];
        let plies = HUNG_ROOK.replacen("h2e2", first[number], 1);
        let plies = plies.split(' ').take(10 + 4 * usize::from(number > 0) - number % 2).collect::<Vec<_>>().join(" ");
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
    assert_eq!(names, ["Ann", "Bob", "Cid", "Red (5)"], "{text}");
    for (name, row) in names.iter().zip(&rows) {
        let mut judged = ["inaccuracy", "mistake", "blunder"].map(|kind| (kind, 0));
        let (mut played, mut accuracy, mut colours) = (0.0, 0.0, [vec![], vec![]]);
        for (game, side) in games.iter().flat_map(|game| [(game, 0), (game, 1)]) {
            let player = game["players"][side].as_str().expect("a name");
            if player != *name && !(player.is_empty() && *name == "Red (5)") {
                continue;
            }
            played += 1.0;
            accuracy += game["accuracy"][side].as_f64().expect("a number");
            colours[side].push(game["accuracy"][side].as_f64().expect("a number"));
            for mv in game["moves"].as_array().expect("moves").iter().filter(|mv| mv["side"] == ["red", "black"][side])
            {
                judged.iter_mut().filter(|(kind, _)| mv["judgement"] == *kind).for_each(|(_, count)| *count += 1);
            }
        }
        let cells: Vec<&str> = row.strip_prefix(name).expect("its name").split_whitespace().collect();
        let mean = |all: &Vec<f64>| (all.iter().sum::<f64>() / all.len() as f64).round();
        let means = colours.iter().filter(|all| !all.is_empty()).map(mean);
        let expected = [played, (accuracy / played).round()].into_iter().chain(means);
        let expected: Vec<String> = expected.map(|number| number.to_string()).collect();
        let counts = expected.len();
        assert_eq!(cells[..counts], expected, "{row}");
        assert_eq!(cells[counts..counts + 3], judged.map(|(_, count): (&str, u32)| count.to_string()), "{row}");
    }
    // The worst move loses the rook in the first of Ann's games.
    assert!(rows[0].contains("1: 5. R2+1??"), "{text}");
    let index = fs::read_to_string(folder.join("pages/index.html")).expect("a page");
    assert!(index.contains("1.html#moment9") && index.find("R2+1??") < index.find("href=\"2.html\""), "{index}");
}

#[test]
fn what_the_parts_print_one_after_the_other_is_the_whole() {
    let folder = folder("parts of reviews");
    let whole = said(&folder, &[&REVIEW[..], &["--json", "--pgn", "whole.pgn"]].concat());
    let (mut parts, mut annotated) = (String::new(), String::new());
    // The number of parts exceeds the number of games.
    for part in ["1/7", "2/7", "3/7", "4/7", "5/7", "6/7", "7/7"] {
        let _ = fs::remove_file(folder.join("part.pgn"));
        parts += &said(&folder, &[&REVIEW[..], &["--json", "--pgn", "part.pgn", "--part", part]].concat());
        annotated += &fs::read_to_string(folder.join("part.pgn")).unwrap_or_default();
    }
    assert_eq!((parts, whole.lines().count()), (whole, 5));
    assert_eq!(annotated, fs::read_to_string(folder.join("whole.pgn")).expect("a file"));

    let analyze = ["analyze", "--file", "games.pgn", "--nodes", "200", "--hash", "1", "--json"];
    // Times vary between runs, so they are removed.
    let steady = |text: String| -> Vec<Value> {
        let read = |line: &str| serde_json::from_str::<Value>(line).expect("JSON");
        text.lines().map(read).map(|line| serde_json::json!([line["fen"], line["nodes"], line["lines"]])).collect()
    };
    let parts = ["1/3", "2/3", "3/3"].map(|part| steady(said(&folder, &[&analyze[..], &["--part", part]].concat())));
    assert!(parts.iter().all(|part| part.len() == 23));
    assert_eq!(parts.concat(), steady(said(&folder, &analyze)));
}

#[test]
fn duplicates_are_reviewed_once_and_named() {
    let folder = Folder::new("duplicates of games");
    let game = |red: &str| format!("[Red \"{red}\"]\n[Black \"Bob\"]\n\n{HUNG_ROOK} *\n\n");
    fs::write(folder.join("games.pgn"), game("Ann") + &game("Ann (again)")).expect("a file");
    fs::create_dir(folder.join("club")).expect("a folder");
    fs::write(folder.join("club/copy.pgn"), game("Cid")).expect("a file");
    let review = |more: &[&str]| chuhe_in(&folder, &[&REVIEW[..], &["club"], more].concat());
    let done = review(&["--json"]);
    let said = errors(&done).to_owned();
    assert_eq!(text_of(done).lines().count(), 1);
    for part in [
        "2 duplicates were left out",
        "games.pgn:2: the same moves as games.pgn:1",
        "copy.pgn:1: the same moves as games.pgn:1",
    ] {
        assert!(said.contains(part), "{part} is missing in: {said}");
    }
    // A duplicate is reviewed if its number is given explicitly.
    assert_eq!(text_of(review(&["--json", "--game", "2"])).lines().count(), 1);
    let book = |name: &str, files: &[&str]| {
        text_of(chuhe_in(&folder, &[&["book", "build", "--out", name], files].concat()));
        text_of(chuhe_in(&folder, &["book", "probe", name, "--json"]))
    };
    assert_eq!(book("all.book", &["games.pgn", "club"]), book("one.book", &["club"]));
}

#[test]
fn a_player_is_reviewed_under_all_spellings_and_without_the_opponents() {
    let folder = Folder::new("spellings of a player");
    let game = |red: &str, black: &str, end: usize| {
        let plies = HUNG_ROOK.split(' ').take(end).collect::<Vec<_>>().join(" ");
        format!("[Red \"{red}\"]\n[Black \"{black}\"]\n\n{plies} *\n\n")
    };
    let games = [
        game("胡　榮華", "吕钦", 10),
        game("上海胡荣华", "吕钦", 9),
        game("赵国荣", "吕钦", 8),
        game("吕钦", "胡荣华", 7),
    ];
    fs::write(folder.join("games.pgn"), games.concat()).expect("a file");
    fs::write(folder.join("players.txt"), "胡荣华 = 上海胡荣华\n").expect("a file");
    let wanted = ["--player", "胡荣华", "--alias", "players.txt"];
    let json = said(&folder, &[&REVIEW[..], &wanted, &["--json"]].concat());
    assert_eq!(json.lines().count(), 3, "{json}");
    let text = said(&folder, &[&REVIEW[..], &wanted].concat());
    let rows: Vec<&str> = text.lines().skip(2).take_while(|line| !line.is_empty()).collect();
    assert!(rows.len() == 1 && rows[0].split_whitespace().nth(1) == Some("3"), "{text}");
    assert!(text.contains("胡荣华: ") && !text.contains("吕钦: "), "{text}");
}

#[test]
fn moves_in_json_are_those_of_the_selected_side_and_player() {
    let folder = folder("sides in JSON");
    let sides = |more: &[&str]| -> Vec<Vec<String>> {
        let json = said(&folder, &[&REVIEW[..], &["--json"], more].concat());
        let game = |line: &str| {
            let game: Value = serde_json::from_str(line).expect("JSON");
            let mut sides: Vec<String> =
                game["moves"].as_array().expect("moves").iter().map(|mv| mv["side"].to_string()).collect();
            sides.dedup();
            sides
        };
        json.lines().map(game).collect()
    };
    let [red, black] = ["\"red\"", "\"black\""].map(|side| vec![side.to_owned()]);
    assert_eq!(sides(&["--side", "red"]), vec![red.clone(); 5]);
    assert_eq!(sides(&["--player", "Ann"]), [&red, &black, &red, &black].map(Clone::clone));
    assert_eq!(sides(&["--player", "Ann", "--side", "black"]), [&black, &black].map(Clone::clone));
    // Ann has Red in the first game.
    let none = chuhe_in(&folder, &[&REVIEW[..], &["--game", "1", "--player", "Ann", "--side", "black"]].concat());
    assert_eq!(none.status.code(), Some(2));
    assert!(errors(&none).contains("no games to review"), "{}", errors(&none));
}
