//! The referee against its cases: every line of `positions/rules/*.epd` under every rule set.

use chuhe::rules::{Game, Outcome, RuleSet, Verdict, judge};
use std::path::PathBuf;

/// One line of a case file: a FEN, then `key value` fields separated by semicolons.
struct Case {
    origin: String,
    fen: String,
    fields: Vec<(String, String)>,
}

impl Case {
    fn field(&self, key: &str) -> &str {
        let found = self.fields.iter().find(|(name, _)| name == key);
        &found.unwrap_or_else(|| panic!("{} has no field {key:?}", self.origin)).1
    }

    fn cycle(&self) -> Vec<&str> {
        self.field("cycle").split(' ').collect()
    }
}

fn cases() -> Vec<Case> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("positions/rules");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "epd")) {
        let text = std::fs::read_to_string(file).expect("readable");
        for (index, line) in text.lines().enumerate() {
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            let mut parts = line.split(';').map(str::trim);
            let fen = parts.next().expect("split yields one").to_string();
            let fields = parts.filter_map(|part| part.split_once(' '));
            let fields = fields.map(|(key, value)| (key.to_string(), value.to_string())).collect();
            let origin = format!("{}:{}", file.file_name().expect("a file").display(), index + 1);
            cases.push(Case { origin, fen, fields });
        }
    }
    cases
}

fn outcome(text: &str) -> Outcome {
    match text {
        "win" => Outcome::Win,
        "loss" => Outcome::Loss,
        "draw" => Outcome::Draw,
        other => panic!("no outcome is called {other:?}"),
    }
}

#[test]
fn every_case_gets_its_verdict_under_every_rule_set() {
    let mut wrong = Vec::new();
    for case in cases() {
        for rules in RuleSet::ALL {
            let mut game = Game::from_fen(&case.fen).unwrap_or_else(|error| panic!("{}: {error}", case.origin));
            for _ in 1..rules.terms().folds {
                assert_eq!(judge(&game, rules), Verdict::Open, "{} ends early under {rules}", case.origin);
                game.play_text(case.cycle()).unwrap_or_else(|error| panic!("{}: {error}", case.origin));
            }
            let expected = outcome(case.field(rules.name()));
            match judge(&game, rules) {
                Verdict::Over(outcome, _) if outcome == expected => {}
                other => {
                    let name = case.field("name");
                    wrong.push(format!("{} ({name}) under {rules}: {other:?}, not {expected:?}", case.origin));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
