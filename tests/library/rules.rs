//! Tests of the referee: every line in `positions/rules/*.epd` under every rule set.

use chuhe::board::{Move, Position, Square};
use chuhe::rules::{Game, Outcome, RuleSet, Verdict, judge};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A line in a case file: a FEN, then `key value` fields separated by semicolons.
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
    let entries = std::fs::read_dir(folder).expect("the folder exists");
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
        other => panic!("unknown outcome {other:?}"),
    }
}

#[test]
fn every_case_gets_its_verdict_under_every_rule_set() {
    let mut wrong = Vec::new();
    for case in cases() {
        for rules in RuleSet::ALL {
            let mut game = Game::from_fen(&case.fen).unwrap_or_else(|error| panic!("{}: {error}", case.origin));
            for _ in 1..rules.terms().folds() {
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

#[test]
fn no_two_cases_are_alike_under_mirror_colour_or_shift() {
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    let cases = cases();
    for case in &cases {
        if let Some(earlier) = seen.insert(shape(case), case.origin.clone()) {
            panic!("{} is {earlier} again", case.origin);
        }
    }
    assert!(cases.len() >= 120, "{}", cases.len());
}

/// Returns a canonical form of a case under symmetry: pieces and moves relative to the corner of the smallest
/// box around the pieces; the smallest of the four forms.
fn shape(case: &Case) -> String {
    let position: Position = case.fen.parse().expect("a legal FEN");
    let moves: Vec<Move> = case.cycle().iter().map(|mv| mv.parse().expect("a move")).collect();
    let forms = [(false, false), (false, true), (true, false), (true, true)].map(|(mirrored, flipped)| {
        let mut position = position.clone();
        let mut moves = moves.clone();
        if mirrored {
            position = position.mirrored();
            moves.iter_mut().for_each(|mv| *mv = mv.mirrored());
        }
        if flipped {
            position = position.flipped();
            moves.iter_mut().for_each(|mv| *mv = mv.flipped());
        }
        let place = |at: Square| (at.file().index(), at.rank().index());
        let pieces = position.occupancy().all().into_iter();
        let corner = pieces.clone().map(place).reduce(|one, other| (one.0.min(other.0), one.1.min(other.1)));
        let corner = corner.expect("there are kings");
        let relative = |at: Square| (place(at).0 as i32 - corner.0 as i32, place(at).1 as i32 - corner.1 as i32);
        let pieces: Vec<_> = pieces.map(|at| (relative(at), position.piece_on(at))).collect();
        let moves: Vec<_> = moves.iter().map(|mv| (relative(mv.from), relative(mv.to))).collect();
        format!("{pieces:?} {moves:?}")
    });
    forms.into_iter().min().expect("four forms")
}

#[test]
fn every_row_of_the_table_of_verdicts_has_a_case() {
    let cases = cases();
    let fields = cases.iter().flat_map(|case| case.fields.iter()).filter(|(key, _)| key == "rows");
    let rows: BTreeSet<u32> =
        fields.flat_map(|(_, rows)| rows.split(' ').map(|row| row.parse().expect("a number"))).collect();
    assert_eq!(rows, (1..=29).collect());
}

#[test]
fn every_disagreement_with_pyffish_is_explained() {
    for case in cases() {
        let differs = case.fields.iter().any(|(key, _)| key == "differs");
        assert_eq!(case.field("asian") != case.field("pyffish"), differs, "{}", case.origin);
        assert!(case.field("why").len() > 10, "{}", case.origin);
    }
}
