//! Puzzles from a file of games.

use crate::calls::{Folder, chuhe_in, errors, text_of};
use std::fs;

#[test]
fn puzzles_are_found_in_games_and_counted() {
    let folder = Folder::new("puzzles of games");
    let game = "[FEN \"4k4/r8/9/1N7/9/9/9/9/9/3K5 b\"]\n\n1. ... a8a9 2. b6c8 *\n\n";
    // A game that occurs twice yields only one puzzle.
    fs::write(folder.join("games.pgn"), game.repeat(2)).expect("a file");
    let run = |arguments: &[&str]| chuhe_in(&folder, arguments);
    text_of(run(&["puzzles", "make", "games.pgn", "--out", "found.epd", "--nodes", "2000", "--threads", "2"]));
    let found = fs::read_to_string(folder.join("found.epd")).expect("a file");
    assert!(found.starts_with("r3k4/9/9/1N7/9/9/9/9/9/3K5 w ; pv b6c8 "), "{found}");
    assert_eq!(found.lines().count(), 1, "{found}");
    let text = text_of(run(&["puzzles", "list", "found.epd", "--language", "en"]));
    let fork = text.lines().find(|line| line.starts_with("fork")).expect("a row");
    assert_eq!(fork.split_whitespace().nth(1), Some("1"), "{text}");
    fs::write(folder.join("found.epd"), "# none\nstartpos ; pv h2e2\n").expect("a file");
    let bad = run(&["puzzles", "list", "found.epd"]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(errors(&bad).contains("found.epd: line 2: "), "{bad:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_stopped_search_for_puzzles_ends_with_the_status_of_failed_runs() {
    use crate::calls::{command, signal, wait_until};
    use std::process::Stdio;
    let folder = Folder::new("puzzles stopped");
    let mut make = command(&["puzzles", "make", "-", "--out", "found.epd"]);
    make.current_dir(&*folder).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = make.spawn().expect("chuhe runs");
    wait_until("it begins", || crate::cli::catches_signals(child.id()));
    signal(&child, "INT");
    // The games arrive after the signal, so none of them is searched.
    let mut input = child.stdin.take().expect("its input");
    std::io::Write::write_all(&mut input, b"1. h2e2 h9g7 *\n\n1. h2e2 b9c7 *\n").expect("written");
    drop(input);
    let done = child.wait_with_output().expect("its end");
    assert_eq!(done.status.code(), Some(1), "{}", errors(&done));
    assert!(errors(&done).contains("stopped: 0 of 2 games were searched"), "{}", errors(&done));
    assert!(!folder.join("found.epd").exists());
}
