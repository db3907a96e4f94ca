//! Book moves, played only if an option enables them.

use crate::gui::Gui;
use crate::run::{Folder, chuhe, text_of};
use chuhe::board::Position;
use chuhe::book::Book;
use std::collections::BTreeSet;

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
/// With the next check by Red's rook, the position occurs for the third time, which loses.
const CHECKS: &str = "4k4/9/9/9/9/9/9/9/3R5/3K5 w moves d1e1 e9f9 e1f1 f9e9 f1e1 e9f9 e1f1 f9e9";

/// Returns the number of search lines; lines from a book have depth 0.
fn searched(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("info depth") && !line.starts_with("info depth 0 ")).count()
}

#[test]
fn a_book_answers_in_ucci_as_elephanteye_does() {
    let mut gui = Gui::ucci();
    gui.send("setoption usebook true\nposition startpos\ngo time 60000 increment 0");
    let lines = gui.until("bestmove");
    let best = lines[1].strip_prefix("bestmove ").expect("the second line is the answer");
    assert!(lines.len() == 2 && lines[0].starts_with("info depth 0 ") && lines[0].ends_with(&format!(" pv {best}")));
    let known = Book::built_in().moves(&Position::start()).expect("a book");
    let banned: String = known.iter().map(|entry| format!(" {}", entry.mv)).collect();
    // No book move is played in analyses, in positions that are not in the book, or if moves are banned.
    for command in [
        "go infinite\nstop",
        "go ponder time 90\nstop",
        "go mate 1\nstop",
        "position fen 3k5/9/9/9/9/9/9/9/R8/4K4 w\ngo nodes 900",
        &format!("banmoves{banned}\ngo nodes 900"),
        "setoption usebook false\nposition startpos\ngo nodes 900",
    ] {
        gui.send(&format!("position startpos\n{command}"));
        let lines = gui.until("bestmove");
        assert!(searched(&lines) > 0, "{command}: {lines:?}");
    }
}

#[test]
fn a_seed_repeats_the_choice_and_games_differ_without_one() {
    let mut gui = Gui::uci();
    gui.send("setoption name OwnBook value true");
    let mut opening = |seed: u32| {
        gui.send(&format!("setoption name Seed value {seed}\nucinewgame"));
        let mut moves = String::new();
        for _ in 0..4 {
            gui.send(&format!("position startpos moves{moves}\ngo nodes 100"));
            let line = gui.until("bestmove").pop().expect("a line");
            moves += &format!(" {}", line.split(' ').nth(1).expect("a move"));
        }
        moves
    };
    assert_eq!(opening(7), opening(7));
    let games: BTreeSet<String> = (0..60).map(|_| opening(0)).collect();
    assert!(games.len() > 3, "{games:?}");
}

/// Creates a folder with a book that contains one game.
fn book_of(name: &str, game: &str) -> (Folder, String) {
    let folder = Folder::new(name);
    let (games, book) = (folder.file("games.pgn"), folder.file("own.book"));
    std::fs::write(&games, game).expect("a file");
    text_of(chuhe(&["book", "build", "--min-games", "1", &games, "--out", &book]));
    (folder, book)
}

#[test]
fn files_are_tried_in_order_and_what_is_no_book_is_told_once() {
    let (_folder, book) = book_of("a b", &format!("[FEN \"{START}\"]\n\n1. A0-A1 A9-A8 1-0\n"));
    let mut gui = Gui::ucci();
    gui.send("setoption usebook true");
    gui.send(&format!("setoption bookfiles /nowhere.dat;{}", book));
    let said = gui.said();
    assert!(said.len() == 1 && said[0].contains("/nowhere.dat"), "{said:?}");
    gui.send("setoption hashsize 2\nposition startpos\ngo nodes 900");
    assert_eq!(gui.until("bestmove").last().map(String::as_str), Some("bestmove i0i1"));
    gui.send("position startpos moves h2e2\ngo nodes 900");
    assert!(searched(&gui.until("bestmove")) > 0, "the built-in book is not used");
}

#[test]
fn a_book_never_repeats_into_a_loss() {
    let start = "4k4/9/9/9/9/9/9/9/4R4/3K5 b";
    let (_folder, book) = book_of("checks", &format!("[FEN \"{start}\"]\n\n1... E9-F9 2. E1-F1 F9-E9 3. F1-E1 1-0\n"));
    let mut gui = Gui::ucci();
    gui.send(&format!("setoption usebook true\nsetoption bookfiles {}", book));
    gui.send("position fen 4k4/9/9/9/9/9/9/9/5R3/3K5 w\ngo nodes 900");
    let _ = gui.until("bestmove");
    gui.send("position fen 4k4/9/9/9/9/9/9/9/3R5/3K5 w moves d1e1 e9f9 e1f1 f9e9\ngo nodes 900");
    let lines = gui.until("bestmove");
    assert_eq!((searched(&lines), lines.last().map(String::as_str)), (0, Some("bestmove f1e1")));
    gui.send(&format!("position fen {CHECKS}\ngo nodes 900"));
    let lines = gui.until("bestmove");
    assert!(searched(&lines) > 0 && lines.last().is_some_and(|line| !line.starts_with("bestmove f1e1")), "{lines:?}");
}
