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

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_was_stopped_ends_with_the_status_of_failed_runs() {
    use crate::calls::{command, errors, signal, wait_until};
    use std::process::Stdio;
    let folder = Folder::new("stopped");
    let mut make = command(&["endings", "make", "R-AAEE", "--threads", "1", "--out"]);
    let child = make.arg(&*folder).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("chuhe runs");
    wait_until("it begins", || crate::cli::catches_signals(child.id()));
    signal(&child, "INT");
    let done = child.wait_with_output().expect("its end");
    assert_eq!(done.status.code(), Some(1), "{}", errors(&done));
    assert!(errors(&done).contains("stopped; the same command continues"), "{}", errors(&done));
}

#[test]
fn the_verifier_of_a_table_is_the_program() {
    use chuhe::endings::{Content, Folder as Tables};
    let folder = Folder::new("verified");
    let path = folder.to_str().expect("UTF-8");
    let endings = |arguments: &[&str]| text_of(chuhe(&[&["endings"], arguments].concat()));
    endings(&["make", "H-", "--out", path]);
    let shown = || endings(&["show", "H-", "--dir", path, "--language", "zh"]);
    let table = Tables::new(&*folder).open("H-".parse().expect("an ending"), Content::Wins).expect("a table");
    table.certify("chuhe 0.1.0 forwards").expect("it is written");
    assert!(shown().contains("已由 chuhe 0.1.0 验证"), "{}", shown());
    endings(&["verify", "--dir", path]);
    assert!(shown().contains(&format!("已由 chuhe {} 验证", env!("CARGO_PKG_VERSION"))), "{}", shown());
}
