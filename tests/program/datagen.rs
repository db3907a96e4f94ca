//! The generator of training records from outside: killed, resumed, inspected; and what OpenBench asks of an engine.

use chuhe::board::Position;
use chuhe::data::records::{Reader, Record};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

fn chuhe(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    chuhe(arguments).output().expect("the program runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// An empty folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

const GAMES: u64 = 24;

fn datagen(folder: &Path, more: &[&str]) -> Command {
    let mut command =
        chuhe(&["datagen", "--threads", "2", "--nodes", "60", "--games", "24", "--seed", "9", "--hash", "1"]);
    command.arg("--out").arg(folder).args(more).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn files(folder: &Path) -> [PathBuf; 2] {
    ["9-000.games", "9-001.games"].map(|name| folder.join(name))
}

fn records(path: &Path) -> Vec<Record> {
    let bytes = fs::read(path).expect("a file of records");
    Reader::new(&bytes[..]).expect("a head").map_while(Result::ok).collect()
}

fn tells_games(inspected: &Output, games: usize) -> bool {
    let games = games.to_string();
    text(inspected).lines().any(|line| line.split_whitespace().eq(["games", games.as_str()]))
}

fn inspect(folder: &Path) -> Output {
    chuhe(&["datagen", "--inspect"]).args(files(folder)).output().expect("the program runs")
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_games_of_one_that_was_not() {
    let (whole, broken) = (folder("datagen-whole"), folder("datagen-broken"));
    let start = Instant::now();
    assert!(datagen(&whole, &[]).status().expect("the program runs").success());
    let time = start.elapsed();

    // Kills come at odd fractions of the time that the whole run took; what was finished before is never lost.
    let mut finished = [Vec::new(), Vec::new()];
    for kill in 1..=10u32 {
        let mut child = datagen(&broken, &["--resume"]).spawn().expect("the program runs");
        std::thread::sleep(time * (kill * 7 % 11) / 20);
        child.kill().expect("a kill");
        child.wait().expect("an end");
        for (before, path) in finished.iter_mut().zip(files(&broken)).filter(|(_, path)| path.exists()) {
            if fs::metadata(&path).expect("a file").len() >= 64 {
                let now = records(&path);
                assert!(now.len() >= before.len() && now[..before.len()] == before[..], "kill {kill}");
                *before = now;
            }
        }
        if files(&broken).iter().all(|path| path.exists()) {
            let inspected = inspect(&broken);
            assert!(inspected.status.success(), "kill {kill}: {}", text(&inspected));
            assert!(tells_games(&inspected, finished.iter().map(Vec::len).sum()), "kill {kill}: {}", text(&inspected));
        }
    }
    assert!(datagen(&broken, &["--resume"]).status().expect("the program runs").success());
    for (whole, broken) in files(&whole).iter().zip(files(&broken)) {
        assert_eq!(fs::read(whole).expect("a file"), fs::read(broken).expect("a file"));
        assert_eq!(records(whole).len() as u64, GAMES / 2);
    }
    let inspected = inspect(&broken);
    assert!(inspected.status.success());
    assert!(tells_games(&inspected, GAMES as usize), "{}", text(&inspected));
}

#[test]
fn tails_are_cut_off_and_greater_damage_is_left_alone() {
    let folder = folder("datagen-damage");
    assert!(datagen(&folder, &[]).status().expect("the program runs").success());
    let [path, _] = files(&folder);
    let good = fs::read(&path).expect("a file");

    // Half a game at the end: reported, cut off by --resume, and the game is played again.
    fs::write(&path, &good[..good.len() - 30]).expect("a shorter file");
    let inspected = inspect(&folder);
    assert!(inspected.status.success() && text(&inspected).contains("an unfinished game"), "{}", text(&inspected));
    let resumed = datagen(&folder, &["--resume"]).output().expect("the program runs");
    assert!(resumed.status.success() && String::from_utf8_lossy(&resumed.stderr).contains("an unfinished game"));
    assert_eq!(fs::read(&path).expect("a file"), good);

    // A changed byte in the first game: the check fails, and nothing is thrown away.
    let mut changed = good.clone();
    changed[150] ^= 1;
    changed.extend(good[64..].iter().cycle().take(20_000));
    fs::write(&path, &changed).expect("a changed file");
    let inspected = inspect(&folder);
    assert_eq!(inspected.status.code(), Some(1));
    assert!(text(&inspected).contains("game 1 at byte 64 is a game whose checksum is wrong"), "{}", text(&inspected));
    let resumed = datagen(&folder, &["--resume"]).output().expect("the program runs");
    assert_eq!(resumed.status.code(), Some(2));
    assert_eq!(fs::read(&path).expect("a file"), changed);
}

#[test]
fn files_of_other_runs_are_not_mixed() {
    let folder = folder("datagen-other");
    let status = |arguments: &[&str]| {
        let folder = folder.to_str().expect("a name");
        let output = run(&[&["datagen", "--out", folder, "--games", "1", "--hash", "1"], arguments].concat());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(status(&["--nodes", "40"]).0, Some(0));
    let (code, message) = status(&["--nodes", "40"]);
    assert!(code == Some(2) && message.contains("--resume"), "{message}");
    let (code, message) = status(&["--nodes", "50", "--resume"]);
    assert!(code == Some(2) && message.contains("--nodes 40"), "{message}");
    assert_eq!(status(&["--nodes", "50", "--seed", "2"]).0, Some(0));
    assert_eq!(status(&["--nodes", "40", "--resume"]).0, Some(0));
    fs::write(folder.join("3-000.games"), "something else, and longer than the head of a file of records is")
        .expect("a file");
    let (code, message) = status(&["--seed", "3", "--resume"]);
    assert!(code == Some(2) && message.contains("not a file of training records"), "{message}");
}

/// As OpenBench's worker reads it: lines that begin so, six fields, one every few seconds.
#[test]
fn openbench_gets_its_starts() {
    let ask = |command: &str| -> Vec<String> {
        let output = run(&[command, "quit"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let fen = |line: &str| line.strip_prefix("info string genfens ").map(str::to_owned);
        text(&output).lines().filter_map(fen).collect()
    };
    let fens = ask("genfens 3 seed 5 book None ");
    assert_eq!(fens.len(), 3);
    for fen in &fens {
        assert_eq!(fen.split_whitespace().count(), 6, "{fen}");
        assert!(fen.parse::<Position>().is_ok_and(|position| position.has_moves()), "{fen}");
    }
    assert_eq!(ask("genfens 3 seed 5 book None"), fens);
    assert_ne!(ask("genfens 3 seed 6 book None"), fens);

    let book = folder("genfens").join("book.epd");
    fs::write(&book, "3ak4/4a4/9/9/9/9/P7p/9/4A4/4KA3 w - - hmvc 0; fmvn 1;\n").expect("a book");
    let fens = ask(&format!("genfens 2 seed 1 book {} extra", book.display()));
    assert_eq!(fens.len(), 2);
    let pieces =
        |fen: &String| fen.chars().take_while(|letter| *letter != ' ').filter(char::is_ascii_alphabetic).count();
    assert!(fens.iter().all(|fen| pieces(fen) <= 8), "{fens:?}");
    assert_eq!(run(&["genfens 2 seed 1 book no/such/book", "quit"]).status.code(), Some(2));
}

/// `name, int, value, least, most, step, learning rate`, as its form for SPSA takes them.
#[test]
fn openbench_gets_its_parameters() {
    let output = run(&["params"]);
    assert!(output.status.success());
    let lines = text(&output);
    assert!(lines.lines().count() > 10);
    for line in lines.lines() {
        let fields: Vec<&str> = line.split(", ").collect();
        let &[name, "int", value, least, most, step, "0.002"] = &fields[..] else { panic!("{line}") };
        let number = |text: &str| text.parse::<i32>().unwrap_or_else(|_| panic!("{line}"));
        assert!(
            !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_'),
            "{line}"
        );
        assert!((number(least)..=number(most)).contains(&number(value)) && number(step) > 0, "{line}");
    }
}
