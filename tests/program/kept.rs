//! Results that a failure must not discard, and options that must not be ignored.

use crate::calls::{Folder, chuhe, chuhe_in, chuhe_reading, command, errors, text, text_of};
use crate::players::player;
use std::fs;
use std::path::PathBuf;
#[cfg(unix)]
use std::process::Stdio;

const GAME: &str = "[Red \"A\"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 1-0\n\n";
/// A diagram in which the side to move gives check.
const DIAGRAM: &str = "[FEN \"4k4/9/9/9/9/9/9/9/4R4/3K5 w - - 0 1\"]\n\n*\n";

/// A reader such as `head` that closes the pipe must not prevent the requested files from being written.
#[cfg(unix)]
#[test]
fn a_closed_pipe_loses_no_file() {
    let folder = Folder::new("closed-pipe");
    fs::write(folder.join("game.pgn"), GAME).expect("a file");
    let review = ["review", "game.pgn", "--nodes", "1000", "--hash", "1", "--pgn", "out.pgn", "--html", "out.html"];
    for (arguments, files) in [
        (&review[..], &["out.pgn", "out.html"][..]),
        (&["analyze", "--depth", "1", "--svg", "out.svg"], &["out.svg"]),
        (&["compare", "--depth", "1", "--only", "pvs", "--json", "--csv", "out.csv"], &["out.csv"]),
    ] {
        let mut command = command(arguments);
        command.current_dir(&*folder).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("chuhe runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), errors(&output)), (Some(0), ""), "{arguments:?}");
        for file in files {
            assert!(fs::metadata(folder.join(file)).expect("the file").len() > 100, "{file}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_a_folder_is_not_followed_whatever_its_name() {
    let folder = Folder::new("folder-links");
    fs::create_dir(folder.join("games")).expect("a folder");
    fs::write(folder.join("games/game.pgn"), GAME).expect("a file");
    for name in ["x.pgn", "y.xqf"] {
        std::os::unix::fs::symlink(".", folder.join("games").join(name)).expect("a link");
    }
    let done = chuhe_in(&folder, &["convert", "games", "--to", "position"]);
    assert_eq!((done.status.code(), text(&done).lines().count()), (Some(0), 1), "{}", errors(&done));
}

#[test]
fn lines_of_standard_input_are_counted_from_its_beginning() {
    let arguments = ["analyze", "--file", "-", "--depth", "1", "--json"];
    for input in ["# a\n\n# b\nxx\n", "\n# a\n\nxx\n"] {
        let done = chuhe_reading(&mut command(&arguments), input);
        assert!(text(&done).starts_with("{\"error\":\"standard input:4: "), "{input:?}: {done:?}");
    }
}

#[test]
fn options_that_would_be_ignored_are_refused() {
    let folder = Folder::new("ignored");
    fs::write(folder.join("game.pgn"), GAME).expect("a file");
    fs::write(folder.join("diagram.pgn"), DIAGRAM).expect("a file");
    assert!(chuhe_in(&folder, &["show", "diagram.pgn"]).status.success());
    let mut all = vec![
        (vec!["judge", "--pgn", "game.pgn"], vec!["--ply", "--game"]),
        (vec!["judge", "--file", "game.pgn"], vec!["--ply", "--game"]),
        (vec!["judge", "--sample", "1"], vec!["--ply", "--game"]),
        (vec!["perft", "--file", "game.pgn"], vec!["--ply", "--game"]),
        (vec!["mate", "--file", "game.pgn"], vec!["--ply", "--game"]),
        (vec!["compare", "--file", "game.pgn"], vec!["--ply", "--game"]),
        (vec!["analyze", "--file", "game.pgn"], vec!["--ply", "--game"]),
        (vec!["endings", "probe", "--file", "game.pgn"], vec!["--ply", "--game"]),
        (vec!["show"], vec!["--game"]),
        (vec!["show", "diagram.pgn"], vec!["--ply", "--moves"]),
        (vec!["tune", "--inspect", "run.toml"], vec!["--nodes", "--seed"]),
        (vec!["match", "--merge", "part"], vec!["--games", "--openings", "--longest"]),
        (vec!["datagen", "--inspect", "a.games"], vec!["--threads", "--nodes", "--seed", "--hash", "--out"]),
        (vec!["datagen", "--pack", "a.games", "--out", "packed"], vec!["--threads", "--nodes", "--seed", "--hash"]),
    ];
    if cfg!(feature = "serve") {
        all.push((vec!["serve", "--export", "page"], vec!["--book", "--puzzles", "--public-url"]));
    }
    for (arguments, options) in all {
        for option in options {
            let value = if option == "--public-url" { "https://example.org/" } else { "1" };
            let refused = chuhe_in(&folder, &[&arguments[..], &[option, value]].concat());
            assert_eq!(refused.status.code(), Some(2), "{arguments:?} {option}: {refused:?}");
            assert!(errors(&refused).contains(option), "{arguments:?} {option}: {refused:?}");
        }
    }
}

#[test]
fn files_of_a_folder_are_overwritten_only_by_force_and_only_those_of_earlier_runs() {
    let folder = Folder::new("forced");
    for (name, moves) in [("a/e.pgn", "1. h2e2 *"), ("b/e.pgn", "1. c3c4 *"), ("c/e~2.pgn", "1. b2e2 *")] {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, moves).expect("a file");
    }
    let convert = |more: &[&str]| {
        let words = ["convert", "a", "b", "c", "--to", "xqf", "--out", "out"];
        text_of(chuhe_in(&folder, &[&words[..], more].concat()));
        let entries =
            fs::read_dir(folder.join("out")).expect("the folder").map(|entry| entry.expect("an entry").path());
        let mut files: Vec<_> =
            entries.map(|path| fs::read(&path).map(|bytes| (path, bytes)).expect("a file")).collect();
        files.sort();
        files
    };
    let first = convert(&[]);
    assert_eq!(first.len(), 3);
    for (path, _) in &first {
        fs::write(path, "old").expect("a file");
    }
    let forced = convert(&["--force"]);
    assert_eq!(forced.len(), 3);
    let contents = |files: &[(PathBuf, Vec<u8>)]| {
        let mut contents: Vec<Vec<u8>> = files.iter().map(|(_, bytes)| bytes.clone()).collect();
        contents.sort();
        contents
    };
    assert_eq!(contents(&forced), contents(&first));
    assert_eq!(convert(&[]).len(), 6);
}

#[test]
fn inputs_are_not_overwritten_before_they_are_read() {
    let folder = Folder::new("unread");
    for (name, moves) in [("b.pgn", "1. h2e2 *\n\n1. c3c4 *\n"), ("b-2.pgn", "1. b2e2 *\n")] {
        fs::write(folder.join(name), moves).expect("a file");
    }
    text_of(chuhe_in(&folder, &["convert", "b.pgn", "b-2.pgn", "--to", "pgn", "--out", ".", "--force"]));
    let all = text_of(chuhe_in(&folder, &["convert", ".", "--to", "moves", "--notation", "iccs"]));
    for mv in ["H2-E2", "C3-C4", "B2-E2"] {
        assert!(all.contains(mv), "{mv} is missing: {all}");
    }
}

#[test]
fn openings_found_before_an_engine_fails_are_kept() {
    let folder = Folder::new("mortal");
    let out = &*folder.file("openings.epd");
    let engine = player("mortal", ",nodes=1");
    let failed = chuhe(&["openings", "--count", "100", "--engine", &engine, "--out", out]);
    assert!(failed.status.code() == Some(2) && errors(&failed).contains("openings were written"), "{failed:?}");
    let kept = fs::read_to_string(out).expect("a file");
    assert!((2..100).contains(&kept.lines().count()), "{kept}");
}

/// An output that is an input, or two outputs with one name, would lose data even with `--force`.
#[test]
fn an_output_replaces_no_input_and_no_other_output() {
    const INPUT: &str = "the output file is an input file";
    let folder = Folder::new("inputs");
    fs::create_dir(folder.join("games")).expect("a folder");
    fs::write(folder.join("games/a.pgn"), GAME).expect("a file");
    fs::write(folder.join("games/a.epd"), "startpos\n").expect("a file");
    let mut all = vec![
        ("convert games --to cbl --out games/a.pgn", INPUT),
        ("convert games/a.pgn --to pgn --out games/a.pgn", INPUT),
        ("book build games --out games/a.pgn", INPUT),
        ("puzzles make games --out games/a.pgn", INPUT),
        ("review games/a.pgn --html games/a.pgn", INPUT),
        ("review games --pgn ./games/a.pgn", INPUT),
        ("show games/a.pgn --svg games/a.pgn", INPUT),
        ("analyze games/a.pgn --svg games/a.pgn", INPUT),
        ("compare --file games/a.epd --csv games/a.epd", INPUT),
        ("openings --from games/a.pgn --out games/a.pgn", INPUT),
        ("review games/a.pgn --html out --pgn ./out", "two outputs have the same name"),
        ("compare --csv out --plot out", "two outputs have the same name"),
    ];
    if cfg!(feature = "sqlite-books") {
        assert!(chuhe_in(&folder, &["games", "add", "games", "--to", "games/a.db"]).status.success());
        all.push(("games find games/a.db --to pgn --out games/a.db", INPUT));
    }
    let files = || ["a.pgn", "a.epd", "a.db"].map(|name| fs::read(folder.join("games").join(name)).ok());
    let before = files();
    for (words, reason) in all {
        let done = chuhe_in(&folder, &words.split(' ').chain(["--force"]).collect::<Vec<_>>());
        assert!(done.status.code() == Some(2) && errors(&done).contains(reason), "{words}: {done:?}");
        assert!(files() == before && !folder.join("out").exists(), "{words}");
    }
    // An unread file in the folder is no input.
    let book = ["book", "build", "games", "--out", "games/my.book", "--force"];
    assert!([chuhe_in(&folder, &book), chuhe_in(&folder, &book)].iter().all(|done| done.status.success()));
}
