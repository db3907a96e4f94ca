//! The board against another program's: legal moves, checks and resulting FENs.

use chuhe::random::SplitMix64;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

const POSITIONS: usize = 20_000;

/// `PYTHON=… cargo test --release --locked --test library differential -- --ignored`; `.ci/run` does it.
#[test]
#[ignore = "needs a Python with pyffish 0.0.90, named by the variable PYTHON; .ci/run installs one"]
fn twenty_thousand_positions_agree_with_pyffish() {
    let (mut seen, mut lines) = (HashSet::new(), String::new());
    let mut random = SplitMix64::new(41);
    crate::random_positions::mixed(42, 2 * POSITIONS, |position| {
        if seen.len() == POSITIONS || !seen.insert(position.key()) {
            return;
        }
        let moves = position.legal_moves();
        let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
        write!(lines, "{position}\t{}\t{}\t", u8::from(position.in_check()), texts.join(" ")).expect("a string");
        // Every other time a capture, if there is one.
        let mut choice = moves.clone();
        if random.below(2) == 0 && moves.iter().any(|mv| position.piece_on(mv.to).is_some()) {
            choice.retain(|mv| position.piece_on(mv.to).is_some());
        }
        match (!choice.is_empty()).then(|| choice[random.below(choice.len() as u64) as usize]) {
            None => writeln!(lines, "\t").expect("a string"),
            Some(mv) => {
                let undo = position.make(mv);
                writeln!(lines, "{mv}\t{position}").expect("a string");
                position.unmake(mv, undo);
            }
        }
    });
    assert_eq!(seen.len(), POSITIONS);
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/differential.py");
    let mut child = Command::new(python).arg(script).stdin(Stdio::piped()).spawn().expect("Python runs");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("the script reads");
    assert!(child.wait().expect("the script ends").success());
}
