//! Handling of users' files and folders by commands.

use crate::calls::{Folder, begin, chuhe_in, chuhe_reading, command, done, errors, kill, text, wait_until};
#[cfg(unix)]
use crate::calls::{chuhe_under, signal};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

const GAME: &str = "[Red \"A\"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 1-0\n\n";

#[test]
fn a_neighbour_of_the_output_is_neither_destroyed_nor_followed() {
    let folder = Folder::new("neighbours");
    fs::write(folder.join("game.pgn"), GAME).expect("a file");
    for neighbour in ["out.pgn.new", "out.cbl.new", "own.book.new"] {
        fs::write(folder.join(neighbour), "mine").expect("a file");
    }
    for arguments in [
        &["convert", "game.pgn", "--to", "pgn", "--out", "out.pgn"][..],
        &["convert", "game.pgn", "--to", "cbl", "--out", "out.cbl"],
        &["book", "build", "game.pgn", "--out", "own.book"],
    ] {
        assert_eq!(chuhe_in(&folder, arguments).status.code(), Some(0), "{arguments:?}");
    }
    for neighbour in ["out.pgn.new", "out.cbl.new", "own.book.new"] {
        assert_eq!(fs::read_to_string(folder.join(neighbour)).expect("it is there"), "mine");
    }
    let expected = ["game.pgn", "out.cbl", "out.cbl.new", "out.pgn", "out.pgn.new", "own.book", "own.book.new"];
    assert_eq!(names(&folder), expected);
}

#[cfg(unix)]
#[test]
fn a_link_in_the_folder_of_outputs_is_not_followed() {
    let folder = Folder::new("links");
    fs::write(folder.join("game.pgn"), GAME).expect("a file");
    fs::create_dir(folder.join("out")).expect("a folder");
    std::os::unix::fs::symlink("../elsewhere", folder.join("out/game.xqf")).expect("a link");
    let done = chuhe_in(&folder, &["convert", "game.pgn", "--to", "xqf", "--out", "out"]);
    assert_eq!(done.status.code(), Some(0));
    assert_eq!(names(&folder), ["game.pgn", "out"]);
    assert_eq!(names(&folder.join("out")), ["game.xqf", "game~2.xqf"]);
}

/// A limit of 512 bytes per file simulates a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_old_file_and_nothing_beside_it() {
    let folder = Folder::new("full");
    fs::write(folder.join("games.pgn"), GAME.repeat(100)).expect("a file");
    for (name, words) in [
        ("out.pgn", "convert games.pgn --to pgn --force --out out.pgn"),
        ("out.cbl", "convert games.pgn --to cbl --force --out out.cbl"),
        ("one.html", "review games.pgn --game 1 --nodes 1000 --hash 1 --force --html one.html"),
    ] {
        fs::write(folder.join(name), "old").expect("a file");
        let done = chuhe_under("ulimit -f 1", &folder, words);
        let said = errors(&done);
        assert!(done.status.code() == Some(2) && said.contains(name), "{said}");
        assert_eq!(fs::read_to_string(folder.join(name)).expect("the old one"), "old", "{words}");
    }
    assert_eq!(names(&folder), ["games.pgn", "one.html", "out.cbl", "out.pgn"]);
}

#[test]
fn no_writer_overwrites_an_existing_file_unless_it_is_told_to() {
    let folder = Folder::new("overwritten");
    fs::write(folder.join("game.pgn"), GAME).expect("a file");
    fs::write(
        folder.join("float"),
        fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/nets/chuhe.float")).expect("a network"),
    )
    .expect("a file");
    assert!(chuhe_in(&folder, &["book", "build", "game.pgn", "--out", "one.book"]).status.success());
    fs::create_dir(folder.join("pages")).expect("a folder");
    let review = ["review", "game.pgn", "--nodes", "1000", "--hash", "1"];
    let mut all: Vec<(&str, Vec<&str>)> = vec![
        ("out", vec!["convert", "game.pgn", "--to", "pgn", "--out", "out"]),
        ("out.cbl", vec!["convert", "game.pgn", "--to", "cbl", "--out", "out.cbl"]),
        ("out.xqf", vec!["convert", "game.pgn", "--to", "xqf", "--out", "out.xqf"]),
        ("out", [&review[..], &["--pgn", "out"]].concat()),
        ("out", [&review[..], &["--html", "out"]].concat()),
        ("out", vec!["book", "build", "game.pgn", "--out", "out"]),
        ("out", vec!["book", "merge", "one.book", "--out", "out"]),
        ("out", vec!["puzzles", "make", "game.pgn", "--nodes", "1000", "--out", "out"]),
        ("out", vec!["show", "--svg", "out"]),
        ("out", vec!["analyze", "--depth", "1", "--svg", "out"]),
        ("out", vec!["compare", "--depth", "1", "--only", "pvs", "--csv", "out"]),
        ("out", vec!["compare", "--depth", "1", "--only", "pvs", "--plot", "out"]),
        ("out", vec!["openings", "--engine", "cmd=self,nodes=100", "--count", "1", "--out", "out"]),
        ("out", vec!["net", "quantise", "float", "out"]),
        ("out.pgn", vec!["play", "--side", "both", "--save", "out.pgn"]),
    ];
    if cfg!(feature = "sqlite-books") {
        assert!(chuhe_in(&folder, &["games", "add", "game.pgn", "--to", "games.db"]).status.success());
        all.push(("out", vec!["games", "find", "games.db", "--to", "pgn", "--out", "out"]));
    }
    if cfg!(feature = "serve") {
        all.push(("pages/index.html", vec!["serve", "--export", "pages"]));
    }
    for (name, arguments) in all {
        fs::write(folder.join(name), "mine").expect("a file");
        let call = |more: &[&str]| {
            let arguments = [&arguments[..], more].concat();
            chuhe_reading(command(&arguments).current_dir(&*folder), "h2e2\nquit\n")
        };
        let refused = call(&[]);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}: {refused:?}");
        let said = errors(&refused).trim_end();
        assert!(
            said.ends_with(&format!("{}: the file exists; --force overwrites it", Path::new(name).display())),
            "{said}"
        );
        assert_eq!(fs::read_to_string(folder.join(name)).expect("the file"), "mine", "{arguments:?}");
        let forced = call(&["--force"]);
        assert!(forced.status.success(), "{arguments:?}: {forced:?}");
        assert_ne!(fs::read(folder.join(name)).expect("the file"), b"mine", "{arguments:?}");
        fs::remove_file(folder.join(name)).expect("the file");
    }
}

/// Returns standard error of a call that ends with status 1.
fn reservations(folder: &Path, arguments: &[&str]) -> String {
    let done = chuhe_in(folder, arguments);
    assert_eq!(done.status.code(), Some(1), "{arguments:?}: {}", errors(&done));
    errors(&done).to_owned()
}

#[test]
fn folders_are_read_and_stray_files_are_named_and_skipped() {
    let folder = Folder::new("strays");
    fs::create_dir_all(folder.join("club/2025")).expect("a folder");
    fs::write(folder.join("club/one.pgn"), GAME).expect("a file");
    fs::write(folder.join("club/2025/two.pgn"), "1. c3c4 g6g5 2. h2e2 e4e5 3. h0g2 *\n").expect("a file");
    fs::write(folder.join("club/notes.txt"), "Dear diary, no games today.\n").expect("a file");
    fs::write(folder.join("club/empty.pgn"), "").expect("a file");
    fs::write(folder.join("club/picture.png"), "not looked at").expect("a file");
    let all: [&[&str]; 4] = [
        &["convert", "club", "--to", "position", "--out", "all.txt"],
        &["review", "club", "--nodes", "1000", "--hash", "1", "--json"],
        &["practise", "club", "--nodes", "1000"],
        &["book", "build", "club", "--out", "own.book"],
    ];
    for arguments in all {
        let said = reservations(&folder, arguments);
        assert!(said.contains("notes.txt") && said.contains("empty.pgn") && !said.contains("picture"), "{said}");
        // The readable part of a game is kept, and the location of the error is reported.
        assert!(said.contains("two.pgn: line 1: the move 'e4e5' is not legal here (moves kept: 3)"), "{said}");
    }
    let kept = fs::read_to_string(folder.join("all.txt")).expect("games");
    assert_eq!(kept, "position startpos moves c3c4 g6g5 h2e2\nposition startpos moves h2e2 h9g7 h0g2 i9h9\n");
    let dropped = ["convert", "club", "--to", "position", "--drop-broken", "--force", "--out", "all.txt"];
    assert!(reservations(&folder, &dropped).contains("(left out)"));
    assert_eq!(fs::read_to_string(folder.join("all.txt")).expect("games").lines().count(), 1);
    // The name of a missing file is an error of the command line.
    for arguments in [&["convert", "none", "--to", "pgn"][..], &["review", "club", "none"], &["practise", "none"]] {
        assert_eq!(chuhe_in(&folder, arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn folders_without_games_and_outputs_that_are_no_folders_are_named() {
    let folder = Folder::new("nothing");
    fs::create_dir(folder.join("empty")).expect("a folder");
    fs::write(folder.join("game.pgn"), GAME).expect("a file");
    for (arguments, reason) in [
        (&["practise", "empty"][..], "no game was found"),
        (&["book", "build", "empty", "--out", "own.book"], "no game was found"),
        (&["moves", "empty"], "empty: not a regular file"),
        (&["moves", "game.pgn", "--fen", "startpos"], "--fen: game.pgn is read as a record"),
        (&["analyze", "empty"], "it looks like the name of a folder"),
        #[cfg(target_os = "linux")]
        (
            &["convert", "game.pgn", "--to", "xqf", "--out", "/dev/full"],
            "/dev/full: this is a file; xqf holds one game",
        ),
    ] {
        let done = chuhe_in(&folder, arguments);
        let said = errors(&done);
        assert!(done.status.code() == Some(2) && said.lines().count() == 1, "{arguments:?}: {done:?}");
        assert!(text(&done).is_empty() && said.contains(reason), "{arguments:?}: {said}");
    }
    assert_eq!(names(&folder), ["empty", "game.pgn"]);
}

#[test]
fn an_inspection_of_what_holds_no_games_fails() {
    let folder = Folder::new("inspected");
    for (name, bytes) in
        [("short.games", "hi"), ("blank.games", &" \n".repeat(100)), ("text.games", &"words ".repeat(50))]
    {
        fs::write(folder.join(name), bytes).expect("a file");
        let done = chuhe_in(&folder, &["datagen", "--inspect", name]);
        assert!(matches!(done.status.code(), Some(1 | 2)), "{name}: {done:?}");
    }
    // A run that was killed at once leaves such files.
    for (name, bytes) in [("empty.games", ""), ("begun.games", "XQDG")] {
        fs::write(folder.join(name), bytes).expect("a file");
        assert_eq!(chuhe_in(&folder, &["datagen", "--inspect", name]).status.code(), Some(0), "{name}");
    }
}

#[test]
fn one_game_that_is_broken_spoils_no_other() {
    let folder = Folder::new("broken");
    let broken = "[Event \"2\"]\n\n1. h2e2 h2e2 *\n\n";
    fs::write(folder.join("games.pgn"), format!("{GAME}{broken}{GAME}")).expect("a file");
    fs::write(folder.join("lines.epd"), "startpos\nnonsense\nstartpos moves h2e2\n").expect("a file");
    let all: [(&[&str], usize); 6] = [
        (&["judge", "--pgn", "games.pgn"], 2),
        (&["judge", "--pgn", "games.pgn", "--json"], 3),
        (&["judge", "--file", "lines.epd"], 2),
        (&["judge", "--file", "lines.epd", "--json"], 3),
        // The count includes the part of the damaged game before its error.
        (&["analyze", "--file", "games.pgn", "--depth", "1"], 5 + 2 + 5),
        (
            &[
                "openings",
                "--from",
                "games.pgn",
                "--plies",
                "2-4",
                "--count",
                "1",
                "--engine",
                "cmd=self,depth=1,hash=1",
            ],
            2,
        ),
    ];
    for (arguments, lines) in all {
        let done = chuhe_in(&folder, arguments);
        let (told, said) = (text(&done), errors(&done));
        assert_eq!((done.status.code(), told.lines().count()), (Some(1), lines), "{arguments:?}: {told}{said}");
        let named = if arguments.contains(&"--json") { told } else { said };
        assert!(named.contains("h2e2") || named.contains("lines.epd:2"), "{arguments:?}: {named}");
    }
    let engines = ["--engine", "cmd=self,name=a,nodes=10,hash=1", "--engine", "cmd=self,name=b,nodes=10,hash=1"];
    let rest = ["--games", "2", "--openings", "games.pgn", "--opening-plies", "2", "--out", "played"];
    let said = reservations(&folder, &[&["match"][..], &engines, &rest].concat());
    assert!(said.contains("warning: games.pgn: line 7"), "{said}");
    let summary = fs::read_to_string(folder.join("played/summary.json")).expect("a summary");
    assert!(summary.contains("games.pgn: line 7"), "{summary}");
    // A file without a starting position is an error.
    fs::write(folder.join("empty.epd"), "").expect("a file");
    for arguments in [&["openings", "--from", "empty.epd", "--count", "1"][..], &["judge", "--file", "empty.epd"]] {
        assert_eq!(chuhe_in(&folder, arguments).status.code(), Some(2), "{arguments:?}");
    }
}

/// A hundred thousand positions. A game in memory takes 9 kB, so all of them together would exceed the limit.
#[cfg(target_os = "linux")]
#[test]
fn a_long_file_takes_little_memory() {
    let folder = Folder::new("long");
    fs::write(folder.join("lines.epd"), "startpos moves h2e2\n".repeat(100_000)).expect("a file");
    for words in [
        "judge --file lines.epd",
        "analyze --file lines.epd --part 7/100000 --depth 1 --hash 1",
        "compare --file lines.epd --finders",
        "genfens 1 seed 1 book lines.epd",
    ] {
        let done = chuhe_under("ulimit -v 700000", &folder, words);
        assert_eq!(done.status.code(), Some(0), "{words}: {}", errors(&done));
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_left_of_a_file_whose_writer_is_ended() {
    for name in ["INT", "TERM", "HUP"] {
        let folder = Folder::new("ended");
        fs::write(folder.join("out.pgn"), "old").expect("a file");
        let mut command = command(&["convert", "-", "--to", "pgn", "--out", "out.pgn", "--force"]);
        let mut child = begin(command.current_dir(&*folder).stdin(Stdio::piped()));
        wait_until("a file is begun", || names(&folder).len() == 2);
        signal(&child, name);
        assert!(!child.wait().expect("its end").success());
        assert_eq!(names(&folder), ["out.pgn"], "{name}");
        assert_eq!(fs::read_to_string(folder.join("out.pgn")).expect("the old one"), "old");
    }
}

#[cfg(unix)]
#[test]
fn a_writer_that_is_killed_leaves_no_half_file_under_a_final_name() {
    let folder = Folder::new("killed");
    fs::write(folder.join("games.pgn"), GAME.repeat(5000)).expect("a file");
    for round in 0..5 {
        let out = format!("out-{round}");
        let child = begin(command(&["convert", "games.pgn", "--to", "xqf", "--out", &out]).current_dir(&*folder));
        let count = || fs::read_dir(folder.join(&out)).map_or(0, Iterator::count);
        wait_until("files are written", || count() > 20);
        kill(child);
        for name in names(&folder.join(&out)).iter().filter(|name| name.ends_with(".xqf")) {
            let length = fs::metadata(folder.join(&out).join(name)).expect("a file").len();
            assert!(length > 1024, "{name}: {length} bytes");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_game_that_is_killed_is_saved_up_to_its_last_move() {
    let folder = Folder::new("saved");
    let mut command = command(&["play", "--side", "both", "--save", "game.pgn"]);
    let mut child = begin(command.current_dir(&*folder).stdin(Stdio::piped()));
    let mut input = child.stdin.take().expect("its input");
    input.write_all(b"h2e2\nh9g7\nh0g2\n").expect("written");
    let saved = || fs::read_to_string(folder.join("game.pgn")).unwrap_or_default();
    wait_until("the game is saved", || saved().contains("H2+3"));
    kill(child);
    assert_eq!(names(&folder), ["game.pgn"]);
}

#[test]
fn a_comparison_that_is_killed_leaves_the_old_file() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::new("compared");
    fs::write(folder.join("lines.csv"), "old").expect("a file");
    let mut command =
        command(&["compare", "--depth", "1-60", "--only", "pvs", "--json", "--force", "--csv", "lines.csv"]);
    let mut child = command.current_dir(&*folder).stdout(Stdio::piped()).spawn().expect("it runs");
    let mut first = String::new();
    BufReader::new(child.stdout.as_mut().expect("its output")).read_line(&mut first).expect("a line");
    kill(child);
    assert!(first.starts_with('{'), "{first}");
    assert_eq!(fs::read_to_string(folder.join("lines.csv")).expect("the old one"), "old");
}

#[test]
fn books_speak_the_language_of_the_locale() {
    let folder = Folder::new("book");
    fs::write(folder.join("game.pgn"), GAME).expect("a file");
    fs::write(folder.join("none.pgn"), "[FEN \"3k5/9/9/9/9/9/9/9/9/4K4 w\"]\n\n*\n").expect("a file");
    let all: [(&[&str], &str, &str); 5] = [
        (&["book", "build", "game.pgn", "--out", "own.book"], "own.book：2 个局面，2 着", "own.book"),
        (&["book", "build", "none.pgn", "--out", "no.book"], "没有可收入库的着法", "chuhe"),
        (&["book", "show", "own.book"], "楚河格式，2 个局面，2 着", "h2e2"),
        (&["book", "probe", "own.book"], "着法", "h2e2"),
        (&["book", "probe", "own.book", "--moves", "a0a1"], "开局库中没有此局面", ""),
    ];
    for (arguments, expected, english) in all {
        let done = done(command(arguments).current_dir(&*folder).env("LC_ALL", "zh_CN.UTF-8"));
        let mut said = text(&done).to_owned() + errors(&done);
        assert!(said.contains(expected), "{arguments:?}: {said}");
        for word in [english, "WXF", "games"] {
            said = said.replace(word, "");
        }
        let is_english = |word: &str| word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let left: Vec<&str> =
            said.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| is_english(word)).collect();
        assert!(left.is_empty(), "{arguments:?}: {left:?}");
    }
}

/// Control characters that set the window title, clear the screen (also in 8-bit form) and reverse the text.
const ORDERS: &str = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}2J\u{202e}";

#[test]
fn nothing_in_files_names_and_moves_steers_the_terminal() {
    let folder = Folder::new("orders");
    let name = format!("{ORDERS}.pgn");
    let name = name.as_str();
    // XQF keeps comments unchanged.
    let game = format!("[Red \"{ORDERS}A\"]\n[Event \"{ORDERS}\"]\n\n1. h2e2 {{{ORDERS}}} h9g7 2. {ORDERS} *\n");
    fs::write(folder.join("game.pgn"), &game).expect("a file");
    #[cfg(unix)]
    fs::write(folder.join(name), &game).expect("a file");
    fs::write(folder.join("game.epd"), format!("startpos ; id \"{ORDERS}\";\n{ORDERS}\n")).expect("a file");
    let option = format!("option.{ORDERS}=1");
    let player = format!("cmd=self,name=a,{option}");
    let typed = format!(
        "uci\nposition startpos moves {ORDERS}\nsetoption name BookFile value {ORDERS}\nsetoption name {ORDERS} value x\nisready\n{ORDERS}\nquit\n"
    );
    let ucci = format!(
        "ucci\nposition startpos moves {ORDERS}\nsetoption bookfiles {ORDERS}\nsetoption usebook on\nbanmoves {ORDERS}\nquit\n"
    );
    let commands: [(&[&str], &str); 25] = [
        (&["show", "game.pgn"], ""),
        (&["show", name], ""),
        (&["show", "--moves", ORDERS], ""),
        (&["show", ORDERS], ""),
        (&["eval", "--fen", ORDERS], ""),
        (&["judge", "--pgn", "game.pgn"], ""),
        (&["judge", "--file", "game.epd"], ""),
        (&["judge", ORDERS], ""),
        (&["analyze", "--file", "game.epd", "--depth", "1"], ""),
        (&["analyze", "--moves", ORDERS, "--depth", "1"], ""),
        (&["convert", "game.pgn", name, "--to", "xqf", "--out", "out"], ""),
        (&["convert", "game.pgn", "--to", ORDERS], ""),
        (&["moves", ORDERS], ""),
        (&["review", "game.pgn", "--nodes", "1000", "--hash", "1"], ""),
        (&["review", name, "--nodes", "1000", "--hash", "1", "--json"], ""),
        (&["practise", "game.pgn", "--nodes", "1000"], "h2e2\n\u{1b}]0;title\u{7}\n"),
        (&["practise", "--file", "game.epd", "--nodes", "1000"], ""),
        (
            &["play", "--level", "1", "--seed", "1"],
            "\u{1b}]0;title\u{7}\u{9b}2J\u{202e}\nsave \u{1b}]0;title\u{7}\nquit\n",
        ),
        (&["book", "build", name, "--out", "own.book"], ""),
        (&["book", "show", ORDERS], ""),
        (
            &[
                "match",
                "--engine",
                &player,
                "--engine",
                "cmd=self,name=b",
                "--games",
                "2",
                "--each",
                "depth=1,hash=1",
                "--out",
                ORDERS,
            ],
            "",
        ),
        (&["datagen", "--inspect", name, "game.pgn"], ""),
        (&[ORDERS], ""),
        (&["--protocol", "uci"], &typed),
        (&["--protocol", "ucci"], &ucci),
    ];
    for (arguments, input) in commands {
        let done = chuhe_reading(command(arguments).current_dir(&*folder), input);
        for said in [&done.stdout, &done.stderr] {
            let said = String::from_utf8_lossy(said);
            let steers = said.contains(|c: char| chuhe::output::steers(c) && !['\n', '\t', '\r'].contains(&c));
            assert!(!steers, "{arguments:?}: {said:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_on_a_full_disk_says_so_once() {
    let input = "uci\nisready\nposition startpos\ngo depth 3\n".repeat(5) + "quit\n";
    let done = chuhe_reading(&mut command(&["--log", "/dev/full", "--protocol", "uci"]), &input);
    let said = errors(&done);
    assert!(said.lines().count() == 1 && said.contains("/dev/full"), "{said}");
}
