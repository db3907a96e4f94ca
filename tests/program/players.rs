//! Players that misbehave in all known ways.
//!
//! The players are the test program itself: [`an_engine_for_the_other_tests`] plays if an environment
//! variable selects a character.

// Some processes are abandoned on purpose, to test that they are terminated.
#![allow(clippy::zombie_processes)]

use chuhe::board::STARTPOS;
use chuhe::random::SplitMix64;
use chuhe::rules::Game;
use std::io::{BufRead, Write};
use std::process::Command;
use std::time::Duration;

/// Environment variable that contains the path of the file in which a player records its processes.
pub(crate) const NOTES: &str = "CHUHE_TEST_NOTES";
/// Environment variable with the character of the player.
const CHARACTER: &str = "CHUHE_TEST_ENGINE";

#[test]
fn an_engine_for_the_other_tests() {
    let Ok(character) = std::env::var(CHARACTER) else { return };
    let mut out = std::io::stdout().lock();
    // The test harness may have written an incomplete line.
    writeln!(out).unwrap();
    let mut game = Game::from_fen(STARTPOS).unwrap();
    let (mut moves, mut all_moves) = (0, 0);
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["ucci"] if character == "mute" => {}
            // Every second process fails to start.
            ["ucci"] if character == "moody" && moods() => std::process::exit(1),
            ["ucci"] if character == "parent" => {
                let child = Command::new("sleep").arg("60").spawn().unwrap();
                note(child.id());
                writeln!(out, "ucciok").unwrap();
            }
            ["ucci"] => {
                writeln!(out, "id name {character}\noption usemillisec type check default true\nucciok").unwrap()
            }
            ["setoption", "Style", ..] => writeln!(out, "info message no style is called {}", words[2]).unwrap(),
            // Simulates ElephantEye, which exits if the first command is unknown.
            ["uci"] if character == "ucci-only" => std::process::exit(0),
            ["uci"] => writeln!(out, "Unknown command: uci").unwrap(),
            ["isready"] => writeln!(out, "readyok").unwrap(),
            ["setoption", "newgame"] => moves = 0,
            ["position", "fen", ..] => {
                let (fen, played) = line["position fen ".len()..].split_once(" moves").unwrap_or((&line[13..], ""));
                game = Game::from_fen(fen).unwrap();
                game.play_text(played.split_whitespace()).unwrap();
            }
            ["go", ..] => {
                (moves, all_moves) = (moves + 1, all_moves + 1);
                if character == "mortal" && all_moves > 30 {
                    std::process::exit(3);
                }
                // All characters behave well at first.
                let character = if moves > 2 { character.as_str() } else { "good" };
                answer(character, moves, &game, words.get(1) == Some(&"draw"), &mut out);
            }
            ["stop"] if character == "late" || character == "slow" => {}
            ["quit"] if character != "hang" => std::process::exit(0),
            _ => {}
        }
        out.flush().unwrap();
    }
    // Most characters end when their input is closed; one must be killed.
    if character == "stubborn" {
        std::thread::sleep(Duration::from_secs(60));
    }
    std::process::exit(0);
}

/// Returns `true` at every second call, according to the notes file.
fn moods() -> bool {
    note(std::process::id());
    let path = std::env::var(NOTES).unwrap();
    std::fs::read_to_string(path).unwrap().lines().count().is_multiple_of(2)
}

/// Adds a process to the file that the test reads.
fn note(process: u32) {
    let path = std::env::var(NOTES).unwrap();
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path).unwrap();
    file.write_all(format!("{process}\n").as_bytes()).unwrap();
}

fn answer(character: &str, moves: u32, game: &Game, offered: bool, out: &mut impl Write) {
    let legal = game.position().legal_moves();
    let mut random = SplitMix64::new(game.position().key() ^ u64::from(moves));
    let mv = legal[random.below(legal.len() as u64) as usize];
    let score = match character {
        "optimist" => 3000,
        "pessimist" => -3000,
        _ => 10,
    };
    writeln!(out, "info depth 3 score {score} nodes 1234 pv {mv}").unwrap();
    match character {
        "crash" => std::process::exit(3),
        // Simulates the end of a job in Slurm: the engine ends first, and the match receives the signal a
        // moment later.
        #[cfg(unix)]
        "signalled" => {
            let script = format!("sleep 0.1; kill -TERM {}", std::os::unix::process::parent_id());
            Command::new("sh").args(["-c", &script]).spawn().unwrap();
            std::process::exit(0);
        }
        "stubborn" => {
            note(std::process::id());
            std::thread::sleep(Duration::from_secs(60));
        }
        "hang" => std::thread::sleep(Duration::from_secs(30)),
        "illegal" => writeln!(out, "bestmove e0e9").unwrap(),
        "garbage" => writeln!(out, "\u{0}\u{1}garbage\nbestmove ♞♞\u{0} what").unwrap(),
        "flood" => loop {
            if writeln!(out, "info string {}", "x".repeat(4000)).is_err() {
                std::process::exit(1);
            }
        },
        "endless" => loop {
            if out.write_all(&[b'x'; 4096]).is_err() {
                std::process::exit(1);
            }
        },
        "late" => {
            std::thread::sleep(Duration::from_millis(250));
            writeln!(out, "bestmove {mv}").unwrap();
        }
        "slow" => {
            std::thread::sleep(Duration::from_millis(6));
            writeln!(out, "bestmove {mv}").unwrap();
        }
        // Sends much output, but plays moves.
        "noise" => {
            (0..200).for_each(|n| writeln!(out, "\u{7f}info depth x score y {n} bestmove h2e2").unwrap());
            eprintln!("noise on standard error");
            writeln!(out, "bestmove {mv} ponder {mv}\nbestmove {mv}").unwrap();
        }
        // Also reports moves from a book as other lines.
        "reader" => {
            let others = legal.iter().filter(|other| **other != mv).take(2);
            others.for_each(|other| writeln!(out, "info depth 0 score 5 pv {other}").unwrap());
            writeln!(out, "bestmove {mv}").unwrap();
        }
        "resigning" => writeln!(out, "bestmove {mv} resign").unwrap(),
        "speechless" => writeln!(out, "nobestmove").unwrap(),
        "offering" => writeln!(out, "bestmove {mv} draw").unwrap(),
        "accepting" => writeln!(out, "bestmove {mv}{}", if offered { " draw" } else { "" }).unwrap(),
        _ => writeln!(out, "bestmove {mv}").unwrap(),
    }
}

/// Returns the setting of a player with this character.
pub(crate) fn player(character: &str, more: &str) -> String {
    let exe = std::env::current_exe().unwrap();
    format!(
        "cmd=env {CHARACTER}={character} '{}' players::an_engine_for_the_other_tests --exact --nocapture,name={character},protocol=ucci{more}",
        exe.display()
    )
}
