//! Tests that every English sentence in errors and on the command line has a Chinese translation.

use chuhe::board::Position;
use chuhe::translation::catalogue::Catalogue;
use chuhe::words::Language;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Literals of the command line that need no translation: data for other programs, and plot titles.
const NO_MESSAGES: [&str; 19] = [
    "full tree",
    "minimal tree",
    "Nodes against depth",
    "depth, plies",
    "Loss while training",
    "mean squared error",
    "nodes per position",
    "Tuning: {} nodes per move, {} games",
    "change, steps",
    "random plies",
    "plies of games",
    "info string genfens {}",
    "setoption name {} value {}",
    "SQLite format 3\\0",
    "Chuhe match",
    "For more",
    "invalid digit found in string",
    "cannot parse integer from empty string",
    "is not in",
];

/// Prefixes of literals that need no translation: scripts and pages.
const NO_BEGINNINGS: [&str; 4] = ["chuhe endings make {}", "<!doctype", "<meta", "{}=$(sbatch"];

/// Text before a literal that is not printed.
const UNPRINTED: [&str; 6] = ["after_help = ", "expect(", "tracing::", "panic!(", "#[error(", "HELP: &str = "];

/// Replaces placeholders by `{}` and runs of white space by a space.
fn form(text: &str) -> String {
    let mut form = String::new();
    let mut rest = text;
    while let Some((before, after)) =
        rest.split_once('{').and_then(|(before, rest)| rest.split_once('}').map(|(_, after)| (before, after)))
    {
        form += before;
        form += "{}";
        rest = after;
    }
    (form + rest).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn forms() -> BTreeSet<String> {
    Catalogue::texts().iter().map(|(english, _)| form(english)).collect()
}

/// Returns `true` if a string contains two consecutive English words.
fn is_sentence(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').map(|word| word.trim_end_matches([',', ';', ':', '.'])).collect();
    let is_word = |word: &str| word.len() > 1 && word.bytes().all(|letter| letter.is_ascii_lowercase());
    words.windows(2).any(|pair| pair.iter().all(|word| is_word(word)))
}

/// Returns the string literals in the code before its tests, each with the 40 bytes before it.
fn literals(code: &str) -> Vec<(String, String)> {
    let code = code.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let (mut literals, mut at) = (Vec::new(), 0);
    while let Some(next) = code[at..].find(['"', '/', '\'']).map(|next| at + next) {
        let rest = &code[next..];
        at = next + 1;
        if rest.starts_with("//") {
            at = next + rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") || rest.starts_with("'\\''") {
            at = next + rest[2..].find('\'').map_or(1, |end| 3 + end);
        } else if rest.starts_with('"') {
            let bytes = rest.as_bytes();
            let mut end = 1;
            while end < bytes.len() && bytes[end] != b'"' {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            if end >= bytes.len() {
                break;
            }
            let mut start = next.saturating_sub(40);
            while !code.is_char_boundary(start) {
                start += 1;
            }
            literals.push((rest[1..end].replace("\\\"", "\""), code[start..next].to_owned()));
            at = next + end + 1;
        }
    }
    literals
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn errors_and_messages_have_translations() {
    let forms = forms();
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let (mut missing, mut errors, mut messages) = (Vec::new(), 0, 0);
    for path in files {
        let code = fs::read_to_string(&path).expect("a text");
        let is_command = path.to_string_lossy().replace('\\', "/").contains("src/app/cli/");
        for (literal, before) in literals(&code) {
            let text = form(&literal.replace("\\\n", " "));
            let is_error = before.trim_end().ends_with("#[error(");
            let known = |text: &str| forms.contains(text.strip_prefix("chuhe: ").unwrap_or(text));
            if is_error && is_sentence(&text.replace("{}", "")) {
                errors += 1;
                if !known(&text) {
                    missing.push(format!("{}: {text}", path.display()));
                }
            }
            if !is_command || UNPRINTED.iter().any(|mark| before.contains(mark)) || known(&text) {
                continue;
            }
            for line in literal.split("\\n").map(form).filter(|line| is_sentence(&line.replace("{}", ""))) {
                messages += 1;
                let is_data =
                    NO_MESSAGES.contains(&line.as_str()) || NO_BEGINNINGS.iter().any(|begin| line.starts_with(begin));
                if !is_data && !known(&line) {
                    missing.push(format!("{}: {line}", path.display()));
                }
            }
        }
    }
    assert!(missing.is_empty(), "no Chinese in src/app/translation/chinese: {missing:#?}");
    assert!(errors > 60 && messages > 5, "{errors} errors, {messages} messages");
}

#[test]
fn translations_contain_no_english_sentence() {
    for (english, chinese) in Catalogue::texts() {
        for line in chinese.lines() {
            // Commands, formats and program names may consist of several words.
            let plain: String = line.split('`').step_by(2).collect();
            let is_named = ["genfens", "cbr, cbl", "cmd=self", "setoption", "h2e2", "screen horses", "Chuhe match"];
            let is_allowed = is_named.iter().any(|name| plain.contains(name)) || plain.contains("chuhe ");
            assert!(
                is_allowed || !is_sentence(&plain.replace(['（', '）', '：', '，', '、', '。'], " | ")),
                "{english}: {line}"
            );
        }
    }
}

#[test]
fn errors_in_a_position_are_translated_as_the_board_does() {
    let catalogue = Catalogue::chinese();
    let fens = [
        "",
        "9/9 w",
        "8/9/9/9/9/9/9/9/9/9 w",
        "x8/9/9/9/9/9/9/9/9/9 w",
        "9/9/9/9/9/9/9/9/9/9 x",
        "9/9/9/9/9/9/9/9/9/4K4 w",
        "3k5/9/9/9/9/9/9/9/RRR6/4K4 w",
        "3k5/9/9/9/9/9/9/9/9/P3K4 b",
        "4k4/9/9/9/9/9/9/9/9/4K4 w",
        "3k5/9/9/9/9/9/9/9/3R5/4K4 w",
    ];
    for fen in fens {
        let error = fen.parse::<Position>().expect_err(fen);
        assert_eq!(catalogue.translate(&error.to_string()), Some(error.say(Language::Chinese)), "{fen}: {error}");
    }
}
