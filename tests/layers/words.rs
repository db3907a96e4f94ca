//! Checks that certain unsuitable words do not occur in docs, help, messages and comments; `docs/words.md`
//! lists better ones.

use std::fs;
use std::path::{Path, PathBuf};

/// Unsuitable words, with better alternatives.
const ODD: [(&str, &str); 10] = [
    ("men", "pieces"),
    ("shall", "must, should"),
    ("whoever", "the side that, a player who"),
    ("whosoever", "the side that, a player who"),
    ("anew", "again"),
    ("for ever", "forever"),
    ("learnt", "learned"),
    ("by lot", "at random"),
    ("in the midst of", "during"),
    ("stands in a place", "is in, has its own"),
];

#[test]
fn docs_and_code_use_no_odd_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "python/README.md"].map(|name| root.join(name)).into();
    for folder in ["docs", "src", "examples", "python/src"] {
        collect(&root.join(folder), &mut files);
    }
    assert!(files.len() > 100);
    let mut found = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).expect("a text");
        let is_code = file.extension().is_none_or(|kind| kind != "md");
        for (number, line) in text.lines().enumerate() {
            let said = words(&if is_code { said_in_code(line) } else { parts(line, '`', 0) });
            for (odd, better) in ODD.iter().filter(|(odd, _)| said.contains(&format!(" {odd} "))) {
                found.push(format!("{}:{}: {odd:?}: better {better}", file.display(), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn odd_words_are_found_as_whole_words_of_comments_and_texts() {
    let said = |line| words(&said_in_code(line));
    assert!(said("// Men, and whoever: ").contains(" men "));
    assert!(said("say(\"two men\");").contains(" men "));
    assert!(!said("let men = moment(); // `menOf`").contains(" men "));
}

/// Returns the comment and the string literals of a line of code.
fn said_in_code(line: &str) -> String {
    let (code, comment) = line.split_once("//").unwrap_or((line, ""));
    format!("{} {comment}", parts(code, '"', 1))
}

/// Splits a line at a delimiter and returns every second part, starting with the first (0) or the second (1).
fn parts(line: &str, mark: char, first: usize) -> String {
    line.split(mark).skip(first).step_by(2).collect::<Vec<_>>().join(" ")
}

/// Returns the words of a string in lower case, each surrounded by spaces.
fn words(text: &str) -> String {
    let spaced = text.replace(|letter: char| !letter.is_alphanumeric() && letter != '_', " ");
    format!(" {} ", spaced.split_whitespace().collect::<Vec<_>>().join(" ")).to_lowercase()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
        if path.is_dir() {
            collect(&path, files);
        } else if ["md", "rs", "js", "html", "css"].contains(&kind) {
            files.push(path);
        }
    }
}
