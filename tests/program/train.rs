//! The whole training pipeline at a small scale: self-play games, a network and weights fitted to them, and a
//! search that uses the result.

use crate::calls::{Folder, chuhe, errors, text_of};
use chuhe::board::{Kind, Side};
use chuhe::data::records::Header;
use chuhe::data::selfplay::{Goal, Plan, generate};
use chuhe::engine::{Engine, Options};
use chuhe::eval::handcrafted::weights::MATERIAL;
use chuhe::eval::nnue::features::{Mirroring, Outputs, Shape};
use chuhe::search::Limits;
use chuhe::train::crew::Crew;
use chuhe::train::labels::LabelSettings;
use chuhe::train::linear;
use chuhe::train::load::load;
use chuhe::train::model::Model;
use chuhe::train::samples::{Sample, agreement, scale_of_scores};
use chuhe::train::trainer::{Schedule, Trainer};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

fn played(folder: &Path) -> Vec<PathBuf> {
    let plan = Plan {
        header: Header::with_defaults(7, 60),
        threads: 2,
        book: Vec::new(),
        goal: Goal::Games(180),
        hash_mb: 1,
        folder: folder.to_owned(),
        resume: false,
    };
    generate(&plan, None, &AtomicBool::new(false), &mut |_| {}).expect("games");
    let files = std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("a file").path());
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    files
}

#[test]
fn what_is_played_is_learnt_and_played_again() {
    let folder = Folder::new("train");
    let files = played(&folder);
    let [alone, crew] = [1, 2].map(|threads| Crew::new(threads).expect("2 threads can be had"));
    let loaded = load(&files, &LabelSettings::default(), 8, &crew, |_| {}).expect("records");
    let samples = &loaded.samples;
    assert!(loaded.games == 180 && loaded.damage.is_empty(), "{loaded:?}");
    assert!(samples.training.len() > 1000 && samples.held_out.len() > 50);

    // The order of the threads has no effect.
    let again = load(&files, &LabelSettings::default(), 8, &alone, |_| {}).expect("records");
    assert_eq!((&again.samples.training, &again.samples.held_out), (&samples.training, &samples.held_out));

    // The label is from the mover's point of view. Even in games with few nodes, an advantage of half a rook
    // predicts the winner, as does the material.
    let agreeing = agreement(&samples.training, 500);
    assert!(agreeing > Some(0.8), "{agreeing:?}");
    let rooks = |sample: &Sample| {
        let count =
            |side| sample.pieces().filter(|(piece, _)| piece.kind() == Kind::Rook && piece.side() == side).count();
        count(Side::Red) as f32 - count(Side::Black) as f32
    };
    let (more, less): (f32, f32) = samples.training.iter().fold((0.0, 0.0), |(more, less), sample| {
        let points = rooks(sample) * (sample.result() - 0.5);
        if points > 0.0 { (more + points, less) } else { (more, less - points) }
    });
    assert!(more > 2.0 * less, "{more} {less}");

    // With so few games, a network can only memorise them; docs/networks.md has results on held-out games.
    let scale = scale_of_scores(&samples.training) as f32;
    let schedule = Schedule { epochs: 8, batch: 256, rate: 3e-3, ..Schedule::default() };
    let mut trainer = Trainer::new(Model::new(Shape::new(32, Mirroring::Wings, Outputs::Rooks), scale, 1));
    let losses: Vec<_> = (0..8).filter_map(|_| trainer.epoch(samples, &schedule, &crew, |_, _| true)).collect();
    assert!(losses[7].training < 0.5 * losses[0].training, "{losses:?}");

    // A run resumed from its file produces the same network.
    let mut gone_on = Trainer::new(Model::new(Shape::new(32, Mirroring::Wings, Outputs::Rooks), scale, 1));
    (0..5).for_each(|_| assert!(gone_on.epoch(samples, &schedule, &crew, |_, _| true).is_some()));
    let mut gone_on = Trainer::decode(&gone_on.encode(true)).expect("what was written");
    (0..3).for_each(|_| assert!(gone_on.epoch(samples, &schedule, &crew, |_, _| true).is_some()));
    assert_eq!(gone_on, trainer);

    let file = folder.join("small.net");
    std::fs::write(&file, trainer.model.quantised().expect("small numbers").encode()).expect("a file");
    let options = Options { hash_mb: 1, eval_file: Some(file), ..Options::default() };
    let mut engine = Engine::new(options).expect("a network");
    assert!(engine.think(Limits::depth(5), |_| {}).expect("no failure").best.is_some());

    let options = linear::Options { epochs: 4, batch: 512, ..linear::Options::default() };
    let fit = linear::fit(&samples.training, &samples.training, &options, &crew, |_, _| {});
    assert_eq!(fit.after.weights[MATERIAL + Kind::Rook.index()].full, 1000);
    assert!(fit.after.loss < fit.before.loss, "{fit:?}");
}

/// Losses on the training games must not be presented as losses on held-out games.
#[cfg(feature = "cli")]
#[test]
fn a_table_without_held_out_games_says_so() {
    let folder = Folder::new("table");
    let run = |words: &[&str]| text_of(chuhe(words));
    let data = folder.to_str().expect("UTF-8");
    run(&["datagen", "--games", "3", "--nodes", "60", "--hash", "1", "--threads", "1", "--out", data]);
    let file = std::fs::read_dir(&*folder).expect("the folder").find_map(|entry| {
        let path = entry.expect("a file").path();
        path.extension().is_some_and(|extension| extension == "games").then_some(path)
    });
    let file = file.expect("a file of records");
    let file = file.to_str().expect("UTF-8");
    // The same games in PGN give the same positions.
    let pgn = &*folder.file("same.pgn");
    run(&["convert", file, "--to", "pgn", "--out", pgn]);
    let census = |file: &str| {
        let lines = run(&["datagen", "--inspect", file]);
        let counts = ["games  ", "plies per game", "positions  ", "usable positions"];
        let lines = lines.lines().filter(|line| counts.iter().any(|count| line.starts_with(count)));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!((census(pgn), census(pgn).len()), (census(file), 4));
    let said = run(&["train", "--linear", "--epochs", "1", "--held-out", "1000000", file]);
    assert!(said.contains("too few games to hold one out"), "{said}");
    assert!(said.contains("against the results of the training games:"), "{said}");
}

/// Common user errors neither overwrite a finished run nor produce a network of NaNs.
#[cfg(feature = "cli")]
#[test]
fn a_run_is_neither_overwritten_nor_ruined() {
    let folder = Folder::new("train-slips");
    let data = folder.to_str().expect("UTF-8");
    text_of(chuhe(&["datagen", "--games", "3", "--nodes", "60", "--hash", "1", "--out", data]));
    let (games, out) = (&*folder.file("1-000.games"), &*folder.file("net"));
    let train = |words: &[&str]| {
        let fixed = ["train", games, "--hidden", "32", "--threads", "1", "--batch", "64", "--out", out];
        let output = chuhe(&[&fixed[..], words].concat());
        (output.status.code(), errors(&output).to_owned())
    };
    for slip in
        ["--rate=NaN", "--rate=inf", "--rate=-1", "--rate=0", "--decay=NaN", "--warm-up=NaN", "--scale=0", "--epochs=0"]
    {
        let (code, message) = train(&[slip]);
        let option = slip.split('=').next().expect("its name");
        assert!(code == Some(2) && message.contains(option), "{slip}: {message}");
    }
    assert!(!folder.join("net.net").exists());

    assert_eq!(train(&["--epochs", "1"]).0, Some(0));
    let before = std::fs::read(folder.join("net.checkpoint")).expect("a checkpoint");
    let (code, message) = train(&["--epochs", "1"]);
    assert!(code == Some(2) && message.contains("--resume"), "{message}");
    let (code, message) = train(&["--epochs", "2", "--resume", "--outputs", "rooks"]);
    assert!(code == Some(2) && message.contains("1 outputs"), "{message}");
    assert_eq!(std::fs::read(folder.join("net.checkpoint")).expect("a checkpoint"), before);
    // Options whose values are stored in the file are refused if they differ; with --linear, ignored options
    // are refused.
    let (float, other) = (&*folder.file("net.float"), &*folder.file("other"));
    for (option, value) in [("--mirroring", "wings"), ("--scale", "999")] {
        let (code, message) = train(&["--epochs", "2", "--resume", option, value]);
        assert!(code == Some(2) && message.contains(option), "{message}");
        let output = chuhe(&["train", games, "--epochs", "1", "--from", float, option, value, "--out", other]);
        assert!(output.status.code() == Some(2) && errors(&output).contains(option), "{output:?}");
        let output = chuhe(&["train", games, "--epochs", "1", "--linear", option, value]);
        assert!(output.status.code() == Some(2) && errors(&output).contains(option), "{output:?}");
    }
    assert!(!folder.join("other.checkpoint").exists());
    assert_eq!(train(&["--epochs", "2", "--resume", "--mirroring", "king"]).0, Some(0));

    // A network is not a file of games.
    let (code, message) = train(&["--epochs", "3", "--resume", &folder.file("net.float")]);
    assert!(code == Some(2) && message.contains("neither training records nor text"), "{message}");
}
