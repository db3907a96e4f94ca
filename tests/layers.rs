//! Tests of the structure within each crate. The compiler checks the dependencies between crates.

#[path = "layers/uses.rs"]
mod uses;
#[path = "layers/words.rs"]
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Crates as folders of `src`.
const CRATES: [&str; 6] = ["board", "engine", "games", "lab", "app", "wasm"];

/// Parts of `src`, each with strings that must not occur there.
const NEVER: [(&str, &[&str]); 12] = [
    // `output::print_message` removes escape sequences from file names.
    ("app/cli/", &["!(std::io::stderr()", "!(io::stderr()", "eprintln!", "eprint!", "display().to_string()"]),
    ("engine/endings/make/", &["endings::verify", "legal_moves", "visit_moves(MoveClass"]),
    ("engine/endings/verify", &["endings::make", "super::make"]),
    ("engine/mates/", &["crate::eval", "notation"]),
    ("engine/search/", &["notation", "println!", "stdin()", "stdout()"]),
    ("app/desk/", &["std::net", "std::fs", "std::thread", "stdin()", "stdout()", "Instant", "println!"]),
    ("lab/train/", &["chuhe_engine::search", "chuhe_engine::Engine"]),
    ("lab/data/records", &["chuhe_engine::search", "chuhe_engine::Engine"]),
    ("engine/protocol/ucci", &["super::uci::", "protocol::uci::"]),
    ("engine/protocol/uci.rs", &["super::ucci::", "protocol::ucci::"]),
    ("app/desk/", &["clap::"]),
    ("app/web/", &["clap::"]),
];

/// Maximum number of lines of a source file.
const MAX_LINES: usize = 450;

#[test]
fn what_must_never_be_used_is_not() {
    for (path, code) in all_sources() {
        for (place, words) in NEVER.iter().filter(|(place, _)| path.starts_with(place)) {
            let found = words.iter().find(|word| code.contains(**word));
            assert!(found.is_none(), "{path}: {place} must not use {found:?}");
        }
    }
    for (place, _) in NEVER {
        assert!(all_sources().iter().any(|(path, _)| path.starts_with(place)), "{place} does not exist");
    }
}

/// Functions that read files, and the places where each may be used in addition to `engine/bytes/file.rs`,
/// which checks kind and length.
const READERS: [(&str, &[&str]); 6] = [
    ("File::open(", &[]),
    ("fs::read(", &[]),
    ("read_to_string(", &[]),
    ("File::options(", &[]),
    // Databases; their schemas are compared with the schema of an in-memory database, and books are created
    // in one.
    ("Connection::open", &["engine/book/writing.rs", "engine/database.rs", "games/sqlite.rs"]),
    // Logs, locks and files opened for appending.
    (
        "OpenOptions::new(",
        &[
            "app/cli/logging.rs",
            "app/cli/serve.rs",
            "app/cli/tune.rs",
            "lab/arena/fastchess/mod.rs",
            "lab/arena/journal.rs",
            "lab/data/run.rs",
        ],
    ),
];

/// Functions that write files, and the places where each may be used in addition to `engine/bytes/file.rs`,
/// which replaces files atomically.
const WRITERS: [(&str, &[&str]); 5] = [
    ("File::create(", &["lab/arena/journal.rs"]),
    ("fs::write(", &["lab/arena/journal.rs"]),
    ("NewFile::create(", &["app/cli/output.rs", "app/cli/pack.rs"]),
    ("replace_file", &["app/cli/output.rs", "engine/bytes/mod.rs", "engine/endings/file.rs", "lab/arena/journal.rs"]),
    ("write_new_file(", &["app/cli/convert.rs"]),
];

/// Returns `true` if a function with this name is called. `NewFile::create` does not count as a call to
/// `File::create`.
fn calls(code: &str, call: &str) -> bool {
    code.match_indices(call).any(|(at, _)| !code[..at].ends_with(char::is_alphanumeric))
}

#[test]
fn files_of_users_are_read_and_written_through_one_module() {
    for (path, code) in all_sources() {
        let code = code.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        for (call, places) in READERS.iter().chain(&WRITERS) {
            let is_allowed = path == "engine/bytes/file.rs" || places.contains(&path.as_str());
            assert!(is_allowed || !calls(code, call), "{path}: {call}…) is outside engine/bytes/file.rs");
        }
    }
    for (call, places) in READERS.iter().chain(&WRITERS) {
        for place in *places {
            let used = all_sources().iter().any(|(path, code)| path == place && code.contains(call));
            assert!(used, "{place} no longer uses {call}…)");
        }
    }
}

/// Boards may contain colour codes, but file names must not.
#[test]
fn names_of_files_are_printed_plainly() {
    for (path, code) in all_sources().into_iter().filter(|(path, _)| path.starts_with("app/cli/")) {
        for statement in
            code.split(';').filter(|statement| statement.contains("write!(out") || statement.contains("writeln!(out"))
        {
            assert!(!statement.contains(".display()"), "{path}: output::shown instead of display:{statement}");
        }
    }
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    for name in CRATES {
        let uses = uses::uses(&sources(name));
        let circles = uses::circles(&uses);
        assert!(circles.is_empty(), "{name}: {circles:#?}");
    }
}

#[test]
fn no_folders_use_each_other_in_a_circle() {
    for name in CRATES {
        let mut folders: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (file, used) in uses::uses(&sources(name)) {
            let own = folder(&file);
            let used = used.iter().map(|file| folder(file)).filter(|used| *used != own);
            folders.entry(own.clone()).or_default().extend(used);
        }
        let circles = uses::circles(&folders);
        assert!(circles.is_empty(), "{name}: {circles:#?}");
    }
}

#[test]
fn no_file_is_too_long_to_read() {
    let long = all_sources().into_iter().map(|(path, code)| (code.lines().count(), path));
    let long: Vec<_> = long.filter(|(lines, _)| *lines > MAX_LINES).collect();
    assert!(long.is_empty(), "more than {MAX_LINES} lines: {long:?}");
}

/// Maximum number of characters of a line of the scripts of the page and of WebAssembly.
const MAX_COLUMNS: usize = 120;

#[test]
fn scripts_are_neither_too_long_nor_too_wide_to_read() {
    for folder in ["src/app/web/page", "src/wasm/package", "src/wasm/site"] {
        let mut scripts = 0;
        for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("a folder of scripts") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|extension| extension != "js") {
                continue;
            }
            scripts += 1;
            let text = fs::read_to_string(&path).expect("a script");
            assert!(text.lines().count() <= MAX_LINES, "{path:?} has more than {MAX_LINES} lines");
            let wide = text.lines().position(|line| line.chars().count() > MAX_COLUMNS);
            assert_eq!(wide.map(|index| index + 1), None, "{path:?} has a line of more than {MAX_COLUMNS} columns");
        }
        assert!(scripts > 1, "{folder}");
    }
}

/// Returns the source files of a crate: the path below its folder, with slashes, and the text without
/// comments.
fn sources(name: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name);
    let (mut files, mut folders) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of src") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(&root).expect("below src").to_string_lossy().replace('\\', "/");
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") && name != "main.rs" {
                let text = fs::read_to_string(path).expect("a source file");
                let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
                files.push((name, lines.collect::<Vec<_>>().join("\n")));
            }
        }
    }
    assert!(files.len() > 3, "{name}");
    files
}

/// Returns the source files of all crates, with their paths below `src`.
fn all_sources() -> Vec<(String, String)> {
    let of_crate = |name: &&str| {
        let files = sources(name).into_iter();
        files.map(|(path, code)| (format!("{name}/{path}"), code)).collect::<Vec<_>>()
    };
    CRATES.iter().flat_map(of_crate).collect()
}

/// Returns `rules` for `rules/game.rs`; for a file at the top of a crate, returns the name of the file.
fn folder(path: &str) -> String {
    path.split('/').next().unwrap_or_default().to_owned()
}
