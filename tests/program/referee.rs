//! `judge` confirms the wins that `analyze` and `mate` announce, for the printed line.

use crate::calls::{chuhe, text_of};
use serde_json::Value;

/// Positions whose best play depends on the repetition rules.
const CASES: &str = include_str!("../../positions/rules-search/asian.epd");
/// Position in which a perpetual check and a perpetual chase each lose, but alternating between them draws.
const MIXED: &str = "3aka3/4n4/9/9/9/9/9/2C6/6r2/3AK4 b ; name mixed";

fn record(arguments: &[&str]) -> Value {
    serde_json::from_str(&text_of(chuhe(arguments))).expect("JSON")
}

/// Returns the FEN and the moves played from it.
fn games() -> Vec<(String, String)> {
    let lines = CASES.lines().chain([MIXED]).filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let mut fields = line.split(';').map(str::trim);
            let fen = fields.next().expect("a FEN").to_owned();
            (fen, fields.find_map(|field| field.strip_prefix("moves ")).unwrap_or_default().to_owned())
        })
        .collect()
}

/// Returns the result that `judge` gives after more moves, from the point of view of the side to move there,
/// and that side.
fn judged(fen: &str, moves: &str, line: &Value) -> (String, String) {
    let line: Vec<&str> = line.as_array().expect("a line").iter().map(|mv| mv.as_str().expect("a move")).collect();
    let moves = format!("{moves} {}", line.join(" "));
    let ruling = record(&["judge", fen, "--moves", moves.trim(), "--json"]);
    let field = |name: &str| ruling[name].as_str().expect("a text").to_owned();
    (field("result"), field("side"))
}

/// Moves after the end of the game do not change the ruling.
#[test]
fn judge_rules_at_the_first_end_in_json_too() {
    let repeated = "a0a1 a9a8 a1a0 a8a9 ".repeat(2);
    let [at_end, later] =
        ["", "h2e2 h9g7"].map(|more| record(&["judge", "startpos", "--moves", &format!("{repeated}{more}"), "--json"]));
    assert_eq!(at_end["result"], "draw");
    assert_eq!(at_end, later);
}

#[test]
fn judge_confirms_the_wins_that_analyze_announces() {
    let mut by_rule = 0;
    for (fen, moves) in games() {
        let found = record(&["analyze", &fen, "--moves", &moves, "--nodes", "20000", "--json"]);
        let line = &found["lines"][0];
        if let Some(sign) = line["score"]["rule"].as_i64() {
            by_rule += 1;
            let mover = if found["fen"].as_str().is_some_and(|fen| fen.contains(" w ")) { "red" } else { "black" };
            let (result, side) = judged(&fen, &moves, &line["pv"]);
            let winner = if (result == "win") == (side == "red") { "red" } else { "black" };
            assert!(["win", "loss"].contains(&result.as_str()), "{fen} moves {moves}: {result}, {line}");
            assert_eq!(winner == mover, sign > 0, "{fen} moves {moves}: {line}");
        }
    }
    assert!(by_rule >= 3, "{by_rule} wins by rule");
    // The search judges a perpetual check at its second occurrence; the printed line continues to the third
    // occurrence.
    let fen = "9/1N1k5/4R4/9/9/9/P8/9/3rK4/5A3 w";
    let found = record(&["analyze", fen, "--nodes", "100000", "--json"]);
    assert_eq!(found["lines"][0]["score"]["rule"], 1, "{found}");
    // After four moves of each side, the winner is to move.
    assert_eq!(found["lines"][0]["pv"].as_array().map(Vec::len), Some(8), "{found}");
    assert_eq!(judged(fen, "", &found["lines"][0]["pv"]).0, "win", "{found}");
}

#[test]
fn judge_confirms_the_mates_that_mate_announces() {
    let mut mates = 0;
    // Checks can only repeat the position; a quiet move leads to mate, also after one cycle.
    let quiet = "3k5/9/9/p8/9/9/P8/9/4R4/5K3 w";
    let quiet = ["", "e1d1 d9e9 d1e1 e9d9"].map(|moves| (quiet.to_owned(), moves.to_owned()));
    for (fen, moves) in games().into_iter().chain(quiet) {
        let found = record(&["mate", &fen, "--moves", &moves, "--nodes", "20000", "--json"]);
        if found["answer"] == "mate" {
            mates += 1;
            assert_eq!(judged(&fen, &moves, &found["line"]).0, "loss", "{fen} moves {moves}: {found}");
        }
    }
    assert!(mates >= 2, "{mates} mates");
}
