//! `chuhe endings make`: an interrupted run, and the script of `--jobs`, run in a shell with stand-ins for Slurm
//! and for the program.

use crate::run::{Folder, chuhe, text_of};
use std::fs;
use std::process::Command;

/// Stand-ins: `sbatch` writes the job's command to a file, and `chuhe` prints its arguments.
const STAND_INS: &str = r#"
sbatch() {
    for argument do
        case $argument in --wrap=*) printf '%s\n' "${argument#--wrap=}" >> jobs ;; esac
    done
    echo 7
}
chuhe() { printf '<%s>' "$@"; echo; }
"#;

#[test]
fn a_script_for_slurm_contains_any_path_as_it_is() {
    let folder = Folder::new("slurm");
    let path = "it's \"here\" `touch a` $(touch b) \\ \u{6b8b}\u{5c40}";
    let script = text_of(chuhe(&["endings", "make", "H-A", "--out", path, "--threads", "2", "--jobs"]));
    let run = |script: &str| {
        let script = format!("{STAND_INS}\n{script}");
        text_of(Command::new("sh").args(["-c", &script]).current_dir(&*folder).output().expect("a shell"))
    };
    run(&script);
    assert!(folder.join(path).is_dir(), "{script}");
    let jobs = fs::read_to_string(folder.join("jobs")).expect("jobs");
    assert!(!jobs.is_empty());
    for line in run(&jobs).lines() {
        assert!(line.contains(&format!("<--out><{path}><--threads><2>")), "{line}");
    }
    let mut names: Vec<_> =
        fs::read_dir(&*folder).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
    names.sort();
    assert_eq!(names, [path, "jobs"]);
}

#[test]
fn a_path_that_a_script_cannot_contain_is_refused() {
    let refused = chuhe(&["endings", "make", "H-A", "--out", "a\nb", "--jobs"]);
    assert_eq!((refused.status.code(), refused.stdout.len()), (Some(2), 0));
}
