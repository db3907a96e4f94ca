//! What commands do with the files and folders of their users.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    command.env_remove("CHUHE_LOG").env("LC_ALL", "C").stdin(Stdio::null());
    command
}

/// An empty folder of its own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Runs `chuhe` in a folder.
fn chuhe(folder: &Path, arguments: &[&str]) -> Output {
    command().current_dir(folder).args(arguments).output().expect("chuhe runs")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

const GAME: &str = "[Red \"A\"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 1-0\n\n";

#[test]
fn a_neighbour_of_the_output_is_neither_destroyed_nor_followed() {
    let folder = folder("neighbours");
    fs::write(folder.join("game.pgn"), GAME).expect("a file");
    for neighbour in ["out.pgn.new", "out.cbl.new", "own.book.new"] {
        fs::write(folder.join(neighbour), "mine").expect("a file");
    }
    for arguments in [
        &["convert", "game.pgn", "--to", "pgn", "--out", "out.pgn"][..],
        &["convert", "game.pgn", "--to", "cbl", "--out", "out.cbl"],
        &["book", "build", "game.pgn", "--out", "own.book"],
    ] {
        assert_eq!(chuhe(&folder, arguments).status.code(), Some(0), "{arguments:?}");
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
    let folder = folder("links");
    fs::write(folder.join("game.pgn"), GAME).expect("a file");
    fs::create_dir(folder.join("out")).expect("a folder");
    std::os::unix::fs::symlink("../elsewhere", folder.join("out/game.xqf")).expect("a link");
    let done = chuhe(&folder, &["convert", "game.pgn", "--to", "xqf", "--out", "out"]);
    assert_eq!(done.status.code(), Some(0));
    assert_eq!(names(&folder), ["game.pgn", "out"]);
    assert_eq!(names(&folder.join("out")), ["game.xqf", "game~2.xqf"]);
}

/// Files end at 512 bytes, as on a disk that is full.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_old_file_and_nothing_beside_it() {
    let folder = folder("full");
    fs::write(folder.join("games.pgn"), GAME.repeat(100)).expect("a file");
    for (name, words) in [
        ("out.pgn", "convert games.pgn --to pgn --out out.pgn"),
        ("out.cbl", "convert games.pgn --to cbl --out out.cbl"),
        ("one.html", "review games.pgn --game 1 --nodes 1000 --hash 1 --html one.html"),
    ] {
        fs::write(folder.join(name), "old").expect("a file");
        let script = format!("trap '' XFSZ; ulimit -f 1; exec \"$0\" {words}");
        let mut shell = Command::new("sh");
        let shell = shell.current_dir(&folder).args(["-c", &script, env!("CARGO_BIN_EXE_chuhe")]).env("LC_ALL", "C");
        let done = shell.stdin(Stdio::null()).output().expect("a shell");
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.code() == Some(2) && said.contains(name), "{said}");
        assert_eq!(fs::read_to_string(folder.join(name)).expect("the old one"), "old", "{words}");
    }
    assert_eq!(names(&folder), ["games.pgn", "one.html", "out.cbl", "out.pgn"]);
}

/// What a call that ends with status 1 has said on standard error.
fn reservations(folder: &Path, arguments: &[&str]) -> String {
    let done = chuhe(folder, arguments);
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(1), "{arguments:?}: {said}");
    said
}

#[test]
fn folders_are_read_and_stray_files_are_named_and_skipped() {
    let folder = folder("strays");
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
        // What of a game is kept, and from where on it is not.
        assert!(said.contains("two.pgn: line 1: the move 'e4e5' is not legal here (moves kept: 3)"), "{said}");
    }
    let kept = fs::read_to_string(folder.join("all.txt")).expect("games");
    assert_eq!(kept, "position startpos moves c3c4 g6g5 h2e2\nposition startpos moves h2e2 h9g7 h0g2 i9h9\n");
    let dropped = ["convert", "club", "--to", "position", "--drop-broken", "--out", "all.txt"];
    assert!(reservations(&folder, &dropped).contains("(left out)"));
    assert_eq!(fs::read_to_string(folder.join("all.txt")).expect("games").lines().count(), 1);
    // A name that is no file is an error of the command line.
    for arguments in [&["convert", "none", "--to", "pgn"][..], &["review", "club", "none"], &["practise", "none"]] {
        assert_eq!(chuhe(&folder, arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn an_inspection_of_what_holds_no_games_fails() {
    let folder = folder("inspected");
    for (name, bytes) in
        [("short.games", "hi"), ("blank.games", &" \n".repeat(100)), ("text.games", &"words ".repeat(50))]
    {
        fs::write(folder.join(name), bytes).expect("a file");
        let done = chuhe(&folder, &["datagen", "--inspect", name]);
        assert!(matches!(done.status.code(), Some(1 | 2)), "{name}: {done:?}");
    }
    // A run that was killed at once leaves these behind.
    for (name, bytes) in [("empty.games", ""), ("begun.games", "XQDG")] {
        fs::write(folder.join(name), bytes).expect("a file");
        assert_eq!(chuhe(&folder, &["datagen", "--inspect", name]).status.code(), Some(0), "{name}");
    }
}

/// A title for the window, a clear screen, in eight bits too, and a line turned round.
const ORDERS: &str = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}2J\u{202e}";

#[test]
fn nothing_in_files_names_and_moves_steers_the_terminal() {
    let folder = folder("orders");
    let name = format!("{ORDERS}.pgn");
    let name = name.as_str();
    // Comments are kept as they are in XQF.
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
        let mut command = command();
        command
            .current_dir(&folder)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("chuhe runs");
        // It may have ended without a look at it.
        let _ = child.stdin.take().expect("its input").write_all(input.as_bytes());
        let done = child.wait_with_output().expect("its end");
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
    let folder = folder("log");
    let mut command = command();
    command.current_dir(&folder).args(["--log", "/dev/full", "--protocol", "uci"]).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("chuhe runs");
    let input = "uci\nisready\nposition startpos\ngo depth 3\n".repeat(5) + "quit\n";
    child.stdin.take().expect("its input").write_all(input.as_bytes()).expect("written");
    let done = child.wait_with_output().expect("its end");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.lines().count() == 1 && said.contains("/dev/full"), "{said}");
}
