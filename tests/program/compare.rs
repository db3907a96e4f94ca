//! Output of `chuhe compare` for scripts.

use crate::calls::{Folder, chuhe, errors, text};
use std::process::Output;

fn compare(arguments: &[&str]) -> Output {
    chuhe(&[&["compare"], arguments].concat())
}

#[test]
fn every_exact_algorithm_is_a_line_with_the_promised_fields() {
    let output = compare(&["--depth", "2", "--json"]);
    assert!(output.status.success());
    let lines: Vec<serde_json::Value> =
        text(&output).lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!(lines.len(), 14);
    assert_eq!((&lines[0]["algorithm"], &lines[0]["nodes"]), (&"minimax".into(), &(1 + 44 + 1920).into()));
    for line in &lines {
        for field in ["fen", "algorithm", "exact", "depth", "value", "nodes", "leaves", "time_ms", "bestmove"] {
            assert!(line.get(field).is_some(), "{field} in {line}");
        }
        assert_eq!((&line["value"], &line["exact"]), (&lines[0]["value"], &true.into()), "{line}");
    }
}

#[test]
fn depths_rows_and_files_go_together() {
    let folder = Folder::new("compare");
    let [csv, plot] = ["lines.csv", "plot.svg"].map(|name| folder.file(name));
    let rows = ["--only", "minimax,pvs+order=staged+killers=2,search+without=all", "--with", "hash+history=square"];
    let output = compare(&[&["--depth", "1-3", "--csv", &csv, "--plot", &plot], &rows[..]].concat());
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!(text(&output).lines().count(), 2 + 3 * 3);
    let csv = std::fs::read_to_string(&csv).expect("the lines");
    assert_eq!(csv.lines().count(), 1 + 3 * 3);
    let plot = std::fs::read_to_string(&plot).expect("the plot");
    assert!(plot.starts_with("<svg") && plot.contains("minimal tree") && plot.contains("full tree"));
}

#[test]
fn mistakes_end_with_2_and_one_line() {
    for (arguments, part) in [
        (&["--only", "minmax"] as &[&str], "unknown algorithm \"minmax\""),
        (&["--depth", "4-1"], "a depth from 1 to 60"),
        (&["--only", "pvs+killers=x"], "killers must be a number"),
        (&["--with", "without=magic"], "chuhe: --with: without must be all or one of "),
        (&["--with", "hash+killers=101"], "chuhe: --with: killers must be a number from 0 to 100, "),
        (&["--file", "/no/such/file"], "/no/such/file"),
        (&["--plot", "/no/such/folder/plot.svg"], "/no/such/folder/plot.svg"),
    ] {
        let output = compare(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = errors(&output);
        assert!(error.contains(part) && error.trim_end().lines().count() == 1, "{error}");
        assert!(output.stdout.is_empty());
    }
}
