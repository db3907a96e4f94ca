//! The tuner as a program: its file, resuming after a kill, and the use of its result.

use crate::calls::{Folder, begin, command, done, errors, kill, text_of, wait_until};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Returns a command for a run of 40 small iterations, unless `more` overrides it.
fn tune(path: &Path, more: &[&str]) -> Command {
    let usual = [
        ("--nodes", "100"),
        ("--pairs", "1"),
        ("--iterations", "40"),
        ("--r-end", "0.1"),
        ("--hash", "1"),
        ("--params", "quiescence_margin,futility_base"),
    ];
    let mut command = command(&["tune", "--out"]);
    command.arg(path).args(more);
    for (flag, value) in usual.iter().filter(|(flag, _)| !more.contains(flag)) {
        command.args([flag, value]);
    }
    command
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_numbers_of_one_that_was_not() {
    let folder = Folder::new("tune-kill");
    let (whole, broken) = (folder.join("whole.toml"), folder.join("broken.toml"));
    let start = Instant::now();
    let uninterrupted = text_of(done(&mut tune(&whole, &["--threads", "2"])));
    let time = start.elapsed();
    let resume = || if broken.exists() { &["--resume"][..] } else { &[] };
    for time_of in 1..=5u32 {
        let threads = (time_of % 3 + 1).to_string();
        let child = begin(&mut tune(&broken, &[resume(), &["--threads", &threads]].concat()));
        std::thread::sleep(time * (time_of * 2 % 5) / 5);
        kill(child);
    }
    let resumed = text_of(done(&mut tune(&broken, &[resume(), &["--threads", "1"]].concat())));
    assert_eq!(resumed, uninterrupted);
    assert_eq!(fs::read(&broken).expect("a state"), fs::read(&whole).expect("a state"));
    // The lock files are removed, also those of the killed runs.
    assert!(!cfg!(unix) || ["whole", "broken"].iter().all(|run| !folder.join(format!("{run}.toml.lock")).exists()));
    assert!(resumed.contains("40 of 40 iterations, 80 games"), "{resumed}");
}

#[test]
fn two_runs_do_not_write_to_one_file() {
    let folder = Folder::new("tune-locked");
    let state = folder.join("tune.toml");
    let child = begin(&mut tune(&state, &["--iterations", "100000"]));
    wait_until("its file is there", || state.exists());
    let second = done(&mut tune(&state, &["--iterations", "100000", "--resume"]));
    kill(child);
    assert_eq!(second.status.code(), Some(2));
    assert!(errors(&second).contains("another run"), "{second:?}");
    // A file with content is not a lock file, and remains.
    let mine = folder.join("mine.toml.lock");
    fs::write(&mine, "mine").expect("a file");
    text_of(done(&mut tune(&folder.join("mine.toml"), &["--iterations", "2"])));
    assert_eq!(fs::read_to_string(&mine).expect("the file"), "mine");
}

#[test]
fn the_result_is_shown_drawn_and_played() {
    let folder = Folder::new("tune-result");
    let (state, plot) = (folder.join("tune.toml"), folder.join("tune.svg"));
    // Every trial that is won changes both parameters by whole steps.
    let run = text_of(done(&mut tune(&state, &["--r-end", "2", "--openings", "src/lab/embedded/openings.epd"])));
    let inspect = |more: &[&str]| text_of(done(command(&["tune", "--inspect"]).arg(&state).args(more)));
    let table = inspect(&["--plot", plot.to_str().expect("a name")]);
    assert_eq!(table, run);
    assert!(fs::read_to_string(&plot).expect("a plot").contains("futility_base"));

    let row = |name: &str| -> Vec<String> {
        let line = table.lines().find(|line| line.starts_with(name)).expect("a row").to_owned();
        line.split_whitespace().map(str::to_owned).collect()
    };
    let (base, margin) = (row("futility_base"), row("quiescence_margin"));
    assert!(base[1] != base[2] && margin[1] != margin[2], "{table}");
    let (base, margin) = (&base[2], &margin[2]);
    let options = format!("option.futility_base={base},option.quiescence_margin={margin}");
    assert_eq!(inspect(&["--form", "match"]).trim_end(), options);
    let uci = format!("setoption name futility_base value {base}\nsetoption name quiescence_margin value {margin}\n");
    assert_eq!(inspect(&["--form", "uci"]), uci);
    assert_eq!(inspect(&["--form", "ucci"]), uci.replace("name ", "").replace("value ", ""));
    let source = format!("    futility_base = {base}, 20, 300, 12;\n    quiescence_margin = {margin}, 40, 400, 15;\n");
    assert_eq!(inspect(&["--form", "source"]), source);

    let mut played =
        command(&["match", "--engine", "cmd=self,name=before", "--each", "nodes=200,hash=1", "--games", "2"]);
    played.args(["--engine", &format!("cmd=self,name=tuned,{options}"), "--out"]).arg(folder.join("match"));
    text_of(done(&mut played));
    let games = fs::read_to_string(folder.join("match/games.jsonl")).expect("games");
    assert!(games.contains(&format!("futility_base = {base}")), "{games}");
}

#[test]
fn files_of_other_runs_are_not_touched() {
    let folder = Folder::new("tune-other");
    let path = folder.join("tune.toml");
    let run = |path: &Path, more: &[&str]| {
        let output = done(&mut tune(path, &[&["--iterations", "2"], more].concat()));
        (output.status.code(), errors(&output).to_owned())
    };
    assert_eq!(run(&path, &[]).0, Some(0));
    let state = fs::read(&path).expect("a state");
    for (arguments, reason) in [
        (&[][..], "--resume"),
        (&["--resume", "--nodes", "61"], "nodes 100"),
        (&["--resume", "--seed", "2"], "seed 1"),
        (&["--resume", "--r-end", "0.2"], "r-end 0.1"),
        (&["--resume", "--params", "futility_base"], "different parameters"),
        (&["--params", "no_such_number"], "no_such_number"),
    ] {
        let (code, message) = run(&path, arguments);
        assert!(
            code == Some(2) && message.contains(reason) && message.lines().count() == 1,
            "{arguments:?}: {message}"
        );
    }
    assert_eq!(fs::read(&path).expect("a state"), state);
    assert_eq!(run(&path, &["--resume"]).0, Some(0));

    // State files of an engine with a different signature, and invalid files, are rejected.
    let signature =
        String::from_utf8_lossy(&state).lines().find(|line| line.starts_with("engine")).expect("a line").to_owned();
    let other = String::from_utf8_lossy(&state).replace(&signature, "engine = 1");
    for (foreign, reason) in [(other.as_str(), "signature 1,"), ("games = 6\n", "not the state of a tuning run")] {
        fs::write(&path, foreign).expect("a file");
        let (code, message) = run(&path, &["--resume"]);
        assert!(code == Some(2) && message.contains(reason) && message.contains("tune.toml"), "{message}");
        assert_eq!(fs::read_to_string(&path).expect("a file"), foreign);
    }
    assert_eq!(run(&folder.join("no/such/folder.toml"), &[]).0, Some(2));

    // A mistyped name starts no run.
    let missing = folder.join("tun.toml");
    let (code, message) = run(&missing, &["--resume"]);
    assert!(code == Some(2) && message.contains("tun.toml"), "{message}");
    assert!(!missing.exists() && !folder.join("tun.toml.lock").exists());
}
