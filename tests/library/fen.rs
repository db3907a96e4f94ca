//! FENs: accepted spellings, reasons for rejection, and a hundred thousand corrupted strings.

use chuhe::board::{FenError, Position};
use chuhe::random::SplitMix64;

fn cases(name: &str) -> Vec<(String, String)> {
    let path = format!("{}/positions/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a file of positions/");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let case = |line: &str| line.split_once(" => ").map(|(fen, result)| (fen.to_owned(), result.to_owned()));
    lines.map(|line| case(line).unwrap_or_else(|| panic!("no => in {line}"))).collect()
}

#[test]
fn valid_fens_are_read_in_every_spelling() {
    for (fen, expected) in cases("fen_valid.txt") {
        for ending in ["", "\r", " \r\n"] {
            let position: Result<Position, FenError> = format!("{fen}{ending}").parse();
            let position = position.unwrap_or_else(|error| panic!("{fen:?}: {error}"));
            assert_eq!(position.to_string(), expected, "{fen:?}");
        }
    }
}

#[test]
fn invalid_fens_are_refused_with_their_reasons() {
    for (fen, expected) in cases("fen_invalid.txt") {
        let position: Result<Position, FenError> = fen.parse();
        assert_eq!(position.expect_err(&fen).to_string(), expected, "{fen:?}");
    }
}

/// Strings that a careless user or a faulty program might write.
const ODDITIES: [&str; 18] = [
    "/",
    "//",
    "0",
    "9",
    "1",
    " ",
    "k",
    "K",
    "w",
    "b",
    "-",
    "\0",
    "\r\n",
    "炮",
    "\u{feff}",
    "99999999999999999999",
    "x",
    "P",
];

fn tamper(random: &mut SplitMix64, fen: &str) -> String {
    let mut characters: Vec<char> = fen.chars().collect();
    for _ in 0..=random.below(2) {
        let length = characters.len().max(1) as u64;
        let at = random.below(length) as usize;
        let other = random.below(length) as usize;
        match random.below(6) {
            _ if characters.is_empty() => return String::new(),
            0 => drop(characters.remove(at)),
            1 => characters.swap(at, other),
            2 => characters.truncate(at),
            3 => characters[at] = characters[other],
            4 => characters[at] = char::from(random.below(128) as u8),
            _ => {
                let oddity = ODDITIES[random.below(ODDITIES.len() as u64) as usize];
                characters.splice(at..at, oddity.chars());
            }
        }
    }
    characters.into_iter().collect()
}

#[test]
fn tampered_fens_are_read_back_or_refused_with_a_reason() {
    let mut random = SplitMix64::new(31);
    let (mut accepted, mut refused) = (0, 0);
    crate::random_positions::mixed(32, 20_000, |position| {
        for _ in 0..5 {
            let fen = tamper(&mut random, &position.to_string());
            match fen.parse::<Position>() {
                Ok(read) => {
                    let again: Position = read.to_string().parse().expect("what was written can be read");
                    assert_eq!(again, read, "{fen:?}");
                    assert_eq!(again.to_string(), read.to_string(), "{fen:?}");
                    assert!(read.count_moves() < 128, "{fen:?}");
                    accepted += 1;
                }
                Err(error) => {
                    assert!(!error.to_string().is_empty(), "{fen:?}");
                    refused += 1;
                }
            }
        }
    });
    assert_eq!(accepted + refused, 100_000);
    assert!(accepted > 10_000 && refused > 10_000, "{accepted} accepted, {refused} refused");
}
