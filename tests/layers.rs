//! The architecture in one list: each folder of `src` uses only folders of a lower storey.

#[path = "layers/uses.rs"]
mod uses;
#[path = "layers/words.rs"]
mod words;

use std::fs;
use std::path::Path;

/// Lowest first; the same order as in `src/lib.rs`. A folder that isn't built yet may stand here already.
const STOREYS: [&[&str]; 12] = [
    &["machine"],
    &["named", "score", "random", "bytes", "output", "words"],
    &["board"],
    &["rules", "notation", "picture", "eval"],
    &["records", "endings", "mates"],
    &["textbook", "search", "book"],
    &["engine", "games"],
    &["protocol", "puzzles", "review"],
    &["arena", "desk"],
    &["data", "web"],
    &["train", "tune"],
    &["cli", "wasm"],
];

/// Places and what must never be written there, although the storeys would allow it.
const NEVER: [(&str, &[&str]); 10] = [
    // `output::say` keeps orders in names from the terminal.
    ("cli/", &["!(std::io::stderr()", "!(io::stderr()", "eprintln!", "eprint!", "display().to_string()"]),
    ("endings/make/", &["endings::verify", "legal_moves", "visit_moves(Targets"]),
    ("endings/verify", &["endings::make", "super::make"]),
    ("mates/", &["crate::eval", "crate::notation"]),
    ("search/", &["crate::notation", "println!", "stdin()", "stdout()"]),
    ("desk/", &["std::net", "std::fs", "std::thread", "stdin()", "stdout()", "Instant", "println!"]),
    ("train/", &["crate::search", "crate::engine"]),
    ("data/records", &["crate::search", "crate::engine"]),
    ("protocol/ucci", &["super::uci::", "protocol::uci::"]),
    ("protocol/uci.rs", &["super::ucci::", "protocol::ucci::"]),
];

/// The most lines of a source file.
const LONGEST: usize = 450;

#[test]
fn every_folder_uses_only_lower_storeys() {
    for (path, code) in sources() {
        let own = folder(&path);
        for used in used_folders(&code).into_iter().filter(|used| *used != own) {
            assert!(storey(used) < storey(own), "{path}: {own} uses {used}, which is not below it");
        }
    }
}

#[test]
fn what_must_never_be_used_is_not() {
    for (path, code) in sources() {
        for (place, words) in NEVER.iter().filter(|(place, _)| path.starts_with(place)) {
            let found = words.iter().find(|word| code.contains(**word));
            assert!(found.is_none(), "{path}: {place} must not use {found:?}");
        }
        assert!(folder(&path) == "cli" || !code.contains("clap::"), "{path}: clap lives in cli alone");
    }
}

/// On a terminal, boards may have colours; the names of files may not.
#[test]
fn names_of_files_are_printed_plainly() {
    for (path, code) in sources().into_iter().filter(|(path, _)| path.starts_with("cli/")) {
        for statement in
            code.split(';').filter(|statement| statement.contains("write!(out") || statement.contains("writeln!(out"))
        {
            assert!(!statement.contains(".display()"), "{path}: output::shown instead of display:{statement}");
        }
    }
}

#[test]
fn the_library_presents_its_folders_lowest_first() {
    let library = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).expect("src/lib.rs");
    let modules = library.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let order: Vec<usize> = modules.map(storey).collect();
    assert!(order.len() > 3 && order.is_sorted(), "{order:?}");
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let uses = uses::uses(&sources());
    let circles = uses::circles(&uses);
    assert!(circles.is_empty(), "{circles:#?}");
}

#[test]
fn no_file_is_too_long_to_read() {
    let long =
        sources().into_iter().map(|(path, code)| (code.lines().count(), path)).filter(|(lines, _)| *lines > LONGEST);
    let long: Vec<_> = long.collect();
    assert!(long.is_empty(), "more than {LONGEST} lines: {long:?}");
}

fn storey(folder: &str) -> usize {
    let found = STOREYS.iter().position(|storey| storey.contains(&folder));
    found.unwrap_or_else(|| panic!("no storey holds {folder:?}"))
}

/// All source files but the two doors: the path below `src`, with slashes, and the text without comments.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut files, mut folders) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of src") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(&root).expect("below src").to_string_lossy().replace('\\', "/");
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") && name != "lib.rs" && name != "main.rs" {
                let text = fs::read_to_string(path).expect("a source file");
                let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
                files.push((name, lines.collect::<Vec<_>>().join("\n")));
            }
        }
    }
    assert!(files.len() > 20);
    files
}

/// `board` for `board/fen.rs`, `random` for `random.rs`.
fn folder(path: &str) -> &str {
    path.split('/').next().unwrap_or_default().trim_end_matches(".rs")
}

/// The name after each `crate::`.
fn used_folders(code: &str) -> Vec<&str> {
    let paths = code.split("crate::").skip(1);
    paths.map(|path| path.split(|end: char| !end.is_alphanumeric() && end != '_').next().unwrap_or_default()).collect()
}
