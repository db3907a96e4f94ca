//! Games in the terminal with piped moves.

use crate::calls::{Folder, chuhe_reading, command, text_of, wait_until};
use std::fs::File;
use std::io::Write;
use std::process::Stdio;

/// Returns the output of `chuhe` for an input.
fn chuhe(arguments: &[&str], input: &str) -> String {
    chuhe_in(arguments, input, "")
}

/// Returns the output for an input and a terminal width.
fn chuhe_in(arguments: &[&str], input: &str, columns: &str) -> String {
    text_of(chuhe_reading(command(arguments).env("COLUMNS", columns), input))
}

#[test]
fn two_people_play_to_mate_and_the_game_is_saved() {
    let folder = Folder::new("played");
    let path = &*folder.file("game.pgn");
    // Red takes back a move, and mates with the second rook.
    let said = chuhe(
        &["play", "3k5/1R7/9/9/9/9/9/9/R8/5K3", "w", "--side", "both", "--ascii", "--save", path],
        "a1a2\nundo\nundo\na1a9\n",
    );
    assert!(said.contains("There is no move to take back."), "{said}");
    assert!(said.contains("Checkmate. Red wins. 1-0"), "{said}");
    let saved = std::fs::read_to_string(path).expect("the game");
    assert!(saved.contains("[Result \"1-0\"]") && saved.contains("R9+8"), "{saved}");
}

#[test]
fn the_board_the_move_and_the_prompt_fit_a_terminal_of_24_lines() {
    for (language, first, second) in [("en", "1 Red> ", "1 Black> "), ("zh", "1 红方> ", "1 黑方> ")] {
        let said = chuhe(&["play", "--side", "both", "--language", language], "h2e2\n");
        let (_, after) = said.split_once(first).expect("a prompt");
        let (drawn, _) = after.split_once(second).expect("the next prompt");
        assert!(drawn.lines().count() < 24, "{drawn}");
    }
}

#[test]
fn the_referee_warns_before_the_repetition_that_loses() {
    let moves = "e1d1\nd9e9\nd1e1\ne9d9\n".repeat(2);
    let said = chuhe(&["play", "3k5/9/9/p8/9/9/P8/9/4R4/5K3", "w", "--side", "both", "--ascii"], &moves);
    let warning = "Warning: after R5=6, one more repetition of this position ends the game. Red's rook gives check with every move";
    assert!(said.contains(warning), "{said}");
    assert!(said.ends_with("Red's rook gives check with every move, but Black does not. Black wins. 0-1\n"), "{said}");
}

#[test]
fn the_referees_notes_stand_beside_the_board_where_there_is_room() {
    let moves = "e1d1\nd9e9\nd1e1\ne9d9\n".repeat(2);
    for language in ["en", "zh"] {
        let arguments = ["play", "3k5/9/9/p8/9/9/P8/9/4R4/5K3", "w", "--side", "both", "--language", language];
        let said = chuhe_in(&arguments, &moves, "80");
        let prompt = if language == "en" { "Red> " } else { "红方> " };
        let screens: Vec<&str> = said.split(prompt).collect();
        // The board, the move and the next prompt fit on one screen.
        let longest = said.split("> ").map(|screen| screen.lines().count()).max();
        assert!(longest <= Some(24), "{said}");
        let warning = if language == "en" { "Warning: after R5=6" } else { "注意：走车" };
        assert!(screens.iter().any(|screen| screen.contains(warning)), "{said}");
    }
}

#[test]
fn at_full_strength_the_first_moves_come_from_the_book() {
    let said = |seed: u32| {
        let seed = seed.to_string();
        let said = chuhe(&["play", "--side", "black", "--level", "10", "--seed", &seed, "--ascii"], "quit\n");
        said.lines().find(|line| line.starts_with("Red plays")).expect("a move").to_owned()
    };
    let first: std::collections::BTreeSet<String> = (1..=24).map(said).collect();
    assert!(first.len() > 1, "{first:?}");
}

#[test]
fn a_game_is_saved_in_the_format_that_the_files_name_tells() {
    let folder = Folder::new("formats");
    for (suffix, begin) in [("xqf", "XQ"), ("cbl", "CCBridgeLibrary"), ("cbr", "CCBridge Record"), ("txt", "1. C2=5")] {
        let path = &*folder.file(&format!("game.{suffix}"));
        chuhe(&["play", "--side", "both", "--ascii", "--save", path], "h2e2\nquit\n");
        assert!(std::fs::read(path).expect("the game").starts_with(begin.as_bytes()), "{suffix}");
    }
    let refused = crate::calls::chuhe(&["play", "--save", "game.doc"]);
    assert_eq!((refused.status.code(), refused.stdout.len()), (Some(2), 0), "before the game begins");
}

#[test]
fn a_game_without_a_move_leaves_the_file_as_it_is() {
    let folder = Folder::new("kept");
    let path = &*folder.file("game.pgn");
    std::fs::write(path, "an older game").expect("a file");
    chuhe(&["play", "--side", "both", "--ascii", "--save", path, "--force"], "quit\n");
    assert_eq!(std::fs::read_to_string(path).expect("the game"), "an older game");
}

#[test]
fn the_engine_answers_the_same_moves_alike() {
    let game = || chuhe(&["play", "--level", "2", "--seed", "5", "--ascii"], "C2=5\nP3+1\nmoves\nquit\n");
    let said = game();
    assert!(said.contains("Red plays C2=5.") && said.contains("Black plays "), "{said}");
    assert_eq!(said, game());
}

#[test]
fn what_is_no_move_changes_nothing_and_is_named() {
    let said = chuhe(&["play", "--side", "both", "--ascii"], "h2h9x\na0a9\nlevel 11\nlevel 5\nsave\nmoves\nquit\n");
    assert!(said.contains("'h2h9x' is not a move in a known notation."), "{said}");
    assert!(said.contains("The move 'a0a9' is not legal here."), "{said}");
    assert!(said.contains("Levels are 1 to 10.") && said.contains("No engine plays in this game."), "{said}");
    assert!(said.contains("Give a file name"), "{said}");
}

#[test]
fn people_agree_to_draws_and_resign() {
    let said = chuhe(&["play", "--side", "both", "--ascii"], "draw\n");
    assert!(said.contains("Draw by agreement. 1/2-1/2"), "{said}");
    let said = chuhe(&["play", "--side", "both", "--ascii", "--language", "zh"], "炮二平五\n认输\n");
    assert!(said.contains("黑方认输。 1-0"), "{said}");
}

#[test]
fn the_engine_takes_no_draw_at_the_first_move() {
    let said = chuhe(&["play", "--level", "3", "--seed", "1", "--ascii"], "draw\nquit\n");
    assert!(said.contains("Draw declined."), "{said}");
}

#[test]
fn practice_accepts_the_mate_and_refuses_what_gives_it_away() {
    let folder = Folder::new("practise");
    let path = &*folder.file("tasks.epd");
    std::fs::write(path, "3k5/1R7/9/9/6r2/9/9/9/R8/5K3 w - - 0 1\n").expect("a file");
    let ask = |answers: &str| chuhe(&["practise", "--file", path, "--nodes", "2000", "--ascii"], answers);
    let said = ask("a1a9\n");
    assert!(said.contains("1 of 1 solved at the first try."), "{said}");
    let said = ask("a1g1\nshow\n");
    assert!(said.contains("Not good enough") && said.contains("0 of 1 solved"), "{said}");
}

/// The analysis of the second game never ends. The first question must not wait for it, and `quit` must stop
/// it.
#[test]
fn the_first_question_comes_before_all_games_are_analysed() {
    let folder = Folder::new("first question");
    // Red misses a mate in one and is mated instead; the game is judged at once.
    let missed = "[FEN \"3k5/4P4/9/9/R8/7r1/9/9/8r/4K4 w\"]\n\n1. a5a6 h4h0 0-1\n";
    std::fs::write(folder.join("1.pgn"), missed).expect("a file");
    std::fs::write(folder.join("2.pgn"), "1. h2e2 h9g7 *\n").expect("a file");
    let (output, complaints) = (folder.join("asked.txt"), folder.join("said.txt"));
    let mut practise = command(&["practise", ".", "--nodes", "1000000000000000", "--language", "en", "--ascii"]);
    practise.current_dir(&*folder).stdin(Stdio::piped());
    practise.stdout(File::create(&output).expect("a file")).stderr(File::create(&complaints).expect("a file"));
    let mut practise = practise.spawn().expect("chuhe runs");
    let asked = || std::fs::read_to_string(&output).expect("text");
    wait_until("a question", || asked().contains("\n> "));
    practise.stdin.take().expect("its input").write_all(b"quit\n").expect("it listens");
    wait_until("its end", || practise.try_wait().expect("a child").is_some());
    assert!(practise.wait().expect("an end").success(), "{}", std::fs::read_to_string(&complaints).expect("text"));
    let asked = asked();
    assert!(asked.contains("R9+1 was played; find a better move") && !asked.contains("Question 2"), "{asked}");
}

#[test]
fn a_book_of_ones_own_is_used_at_every_level_and_listed() {
    let folder = Folder::new("own book");
    let (games, book, saved) = (&*folder.file("games.pgn"), &*folder.file("my.book"), &*folder.file("played.pgn"));
    std::fs::write(games, "1. a3a4 a6a5 2. a0a3 1-0\n").expect("a file");
    text_of(chuhe_reading(&mut command(&["book", "build", games, "--out", book]), ""));
    chuhe(&["play", "--side", "black", "--level", "1", "--book", book, "--save", saved], "a6a5\n");
    let text = std::fs::read_to_string(saved).expect("the game");
    assert!(text.contains("1. P9+1 P1+1 2. R9+3"), "{text}");
    let said = chuhe(&["analyze", "--nodes", "100", "--book", book], "");
    assert!(said.lines().any(|line| line.starts_with("a3a4") && line.contains("100.0 %")), "{said}");
    for command_line in [["play", "--book", games], ["serve", "--book", games], ["analyze", "--book", "no such file"]] {
        assert_eq!(chuhe_reading(&mut command(&command_line), "").status.code(), Some(2), "{command_line:?}");
    }
}
