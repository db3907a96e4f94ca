//! The generator of training records as a program: killed, resumed, inspected; and OpenBench's commands.

use crate::calls::{Folder, begin, chuhe, command, done, errors, kill, text, text_of};
use chuhe::board::Position;
use chuhe::data::records::{Encoding, Reader, TrainingRecord};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

const GAMES: u64 = 24;

fn datagen(folder: &Path, more: &[&str]) -> Command {
    datagen_of(GAMES, folder, more)
}

fn datagen_of(games: u64, folder: &Path, more: &[&str]) -> Command {
    let mut command = command(&["datagen", "--threads", "2", "--nodes", "60", "--seed", "9", "--hash", "1", "--games"]);
    command.arg(games.to_string()).arg("--out").arg(folder).args(more);
    command
}

fn files(folder: &Path) -> [PathBuf; 2] {
    ["9-000.games", "9-001.games"].map(|name| folder.join(name))
}

fn records(path: &Path) -> Vec<TrainingRecord> {
    let bytes = fs::read(path).expect("a file of records");
    Reader::new(&bytes[..]).expect("a head").map_while(Result::ok).collect()
}

fn tells_games(inspected: &Output, games: usize) -> bool {
    let games = games.to_string();
    text(inspected).lines().any(|line| line.split_whitespace().eq(["games", games.as_str()]))
}

fn inspect(folder: &Path) -> Output {
    done(command(&["datagen", "--inspect"]).args(files(folder)))
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_games_of_one_that_was_not() {
    let (whole, broken) = (Folder::new("datagen-whole"), Folder::new("datagen-broken"));
    let start = Instant::now();
    text_of(done(&mut datagen(&whole, &[])));
    let time = start.elapsed();

    // The program is killed at arbitrary fractions of the duration of the whole run; finished games must not
    // be lost.
    let mut finished = [Vec::new(), Vec::new()];
    for time_of in 1..=10u32 {
        let child = begin(&mut datagen(&broken, &["--resume"]));
        std::thread::sleep(time * (time_of * 7 % 11) / 20);
        kill(child);
        for (before, path) in finished.iter_mut().zip(files(&broken)).filter(|(_, path)| path.exists()) {
            if fs::metadata(&path).expect("a file").len() >= 64 {
                let now = records(&path);
                assert!(now.len() >= before.len() && now[..before.len()] == before[..], "kill {time_of}");
                *before = now;
            }
        }
        if files(&broken).iter().all(|path| path.exists()) {
            let inspected = inspect(&broken);
            assert!(inspected.status.success(), "kill {time_of}: {}", text(&inspected));
            assert!(
                tells_games(&inspected, finished.iter().map(Vec::len).sum()),
                "kill {time_of}: {}",
                text(&inspected)
            );
        }
    }
    text_of(done(&mut datagen(&broken, &["--resume"])));
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
    let folder = Folder::new("datagen-damage");
    text_of(done(&mut datagen(&folder, &[])));
    let [path, _] = files(&folder);
    let good = fs::read(&path).expect("a file");

    // An incomplete block at the end is reported; `--resume` removes it, and its games are played again.
    fs::write(&path, &good[..good.len() - 30]).expect("a shorter file");
    let inspected = inspect(&folder);
    assert!(inspected.status.success() && text(&inspected).contains("in an unfinished block"), "{}", text(&inspected));
    let resumed = done(&mut datagen(&folder, &["--resume"]));
    assert!(resumed.status.success() && errors(&resumed).contains("in an unfinished block"));
    assert_eq!(fs::read(&path).expect("a file"), good);

    // If a byte of the first game has changed, the check fails and nothing is discarded.
    let mut changed = good.clone();
    changed[150] ^= 1;
    changed.extend(good[64..].iter().cycle().take(20_000));
    fs::write(&path, &changed).expect("a changed file");
    let inspected = inspect(&folder);
    assert_eq!(inspected.status.code(), Some(1));
    assert!(
        text(&inspected).contains("game 1 at byte 64 is in a block whose checksum is wrong"),
        "{}",
        text(&inspected)
    );
    let resumed = done(&mut datagen(&folder, &["--resume"]));
    assert_eq!(resumed.status.code(), Some(2));
    assert_eq!(fs::read(&path).expect("a file"), changed);
}

#[test]
fn files_of_older_versions_are_packed_without_loss() {
    let folder = Folder::new("datagen-pack");
    // The coder adapts its probabilities to the games, so a file must contain enough of them.
    text_of(done(&mut datagen_of(96, &folder, &[])));
    // The same games in the older encoding.
    let [path, _] = files(&folder);
    let bytes = fs::read(&path).expect("a file");
    let (header, games) = (*Reader::new(&bytes[..]).expect("a head").header(), records(&path));
    let old = folder.join("old.games");
    let plain = games
        .iter()
        .map(TrainingRecord::encode)
        .fold(header.encode(Encoding::Plain).to_vec(), |all, game| [all, game].concat());
    fs::write(&old, &plain).expect("a file");
    assert_eq!(records(&old), games);

    let packed = folder.join("packed");
    let pack = || done(command(&["datagen", "--pack"]).arg(&old).arg("--out").arg(&packed));
    let said = text_of(pack());
    assert!(
        said.contains(&format!("48 games, {} plies", games.iter().map(|game| game.plies.len()).sum::<usize>())),
        "{said}"
    );
    let coded = fs::read(packed.join("old.games")).expect("a file");
    assert_eq!(coded, bytes);
    assert!(coded.len() * 2 < plain.len(), "{} of {}", coded.len(), plain.len());
    let again = pack();
    assert!(again.status.code() == Some(2) && errors(&again).contains("the file already exists"));
    let inspected = done(command(&["datagen", "--inspect"]).arg(&old).arg(packed.join("old.games")));
    assert!(inspected.status.success() && tells_games(&inspected, 96), "{}", text(&inspected));
}

#[test]
fn files_of_other_runs_are_not_mixed() {
    let folder = Folder::new("datagen-other");
    let status = |arguments: &[&str]| {
        let folder = folder.to_str().expect("a name");
        let output = chuhe(&[&["datagen", "--out", folder, "--games", "1", "--hash", "1"], arguments].concat());
        (output.status.code(), errors(&output).to_owned())
    };
    assert_eq!(status(&["--nodes", "40"]).0, Some(0));
    let (code, message) = status(&["--nodes", "40"]);
    assert!(code == Some(2) && message.contains("--resume"), "{message}");
    let (code, message) = status(&["--nodes", "50", "--resume"]);
    assert!(code == Some(2) && message.contains("--nodes 40"), "{message}");
    assert_eq!(status(&["--nodes", "50", "--seed", "2"]).0, Some(0));
    assert_eq!(status(&["--nodes", "40", "--resume"]).0, Some(0));
    let (code, message) = status(&["--nodes", "40", "--resume", "--threads", "2"]);
    assert!(code == Some(2) && message.contains("--threads 1"), "{message}");
    fs::write(folder.join("1-001.games"), "").expect("a file");
    let (code, message) = status(&["--nodes", "40", "--resume"]);
    assert!(code == Some(2) && message.contains("--threads 2"), "{message}");
    fs::write(folder.join("3-000.games"), "something else, and longer than the head of a file of records is")
        .expect("a file");
    let (code, message) = status(&["--seed", "3", "--resume"]);
    assert!(code == Some(2) && message.contains("not a file of training records"), "{message}");
}

#[test]
fn games_begin_at_the_positions_of_a_book() {
    let folder = Folder::new("datagen-book");
    let book = folder.join("book.epd");
    fs::write(&book, "# kings, guards and two pawns\n3ak4/4a4/9/9/9/9/P7p/9/4A4/4KA3 w - - 0 1\n").expect("a book");
    let book = book.to_str().expect("a name");
    text_of(done(&mut datagen(&folder, &["--book", book])));
    let games: Vec<TrainingRecord> = files(&folder).iter().flat_map(|path| records(path)).collect();
    assert_eq!(games.len() as u64, GAMES);
    for game in games.iter().filter(|game| !game.starts_in_endgame) {
        let pieces = game.start.occupancy().all().count();
        assert!(game.random_plies <= 2 && pieces <= 8, "{} after {} plies", game.start, game.random_plies);
    }
    // The run cannot be resumed without its book, since games from the initial position would not belong to
    // it.
    assert_eq!(done(&mut datagen(&folder, &["--resume"])).status.code(), Some(2));
    assert_eq!(done(&mut datagen(&folder, &["--resume", "--book", "no/such/book"])).status.code(), Some(2));
    // Positions in which the game is over are reported.
    let book = folder.file("mated.epd");
    fs::write(&*book, "3R1k3/4R4/9/9/9/9/9/9/9/4K4 b\n").expect("a book");
    let said = chuhe(&["datagen", "--games", "1", "--out", &folder.file("mated"), "--book", &book]);
    assert!(said.status.code() == Some(2) && errors(&said).contains("1 of 1 positions have no legal move"), "{said:?}");
}

/// The output as parsed by OpenBench's worker: lines with this prefix, six fields, and no pause longer than a
/// few seconds.
#[test]
fn openbench_gets_its_starts() {
    let ask = |command: &str| -> Vec<String> {
        let output = chuhe(&[command, "quit"]);
        let fen = |line: &str| line.strip_prefix("info string genfens ").map(str::to_owned);
        text_of(output).lines().filter_map(fen).collect()
    };
    let fens = ask("genfens 3 seed 5 book None ");
    assert_eq!(fens.len(), 3);
    for fen in &fens {
        assert_eq!(fen.split_whitespace().count(), 6, "{fen}");
        assert!(fen.parse::<Position>().is_ok_and(|position| position.has_moves()), "{fen}");
    }
    assert_eq!(ask("genfens 3 seed 5 book None"), fens);
    assert_ne!(ask("genfens 3 seed 6 book None"), fens);

    let folder = Folder::new("genfens");
    let book = folder.join("book.epd");
    fs::write(&book, "3ak4/4a4/9/9/9/9/P7p/9/4A4/4KA3 w - - hmvc 0; fmvn 1;\n").expect("a book");
    let fens = ask(&format!("genfens 2 seed 1 book {} extra", book.display()));
    assert_eq!(fens.len(), 2);
    let pieces =
        |fen: &String| fen.chars().take_while(|letter| *letter != ' ').filter(char::is_ascii_alphabetic).count();
    assert!(fens.iter().all(|fen| pieces(fen) <= 8), "{fens:?}");
    assert_eq!(chuhe(&["genfens 2 seed 1 book no/such/book", "quit"]).status.code(), Some(2));
}

/// The format of OpenBench's SPSA form: `name, int, value, minimum, maximum, step, learning rate`.
#[test]
fn openbench_gets_its_parameters() {
    let lines = text_of(chuhe(&["params"]));
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
