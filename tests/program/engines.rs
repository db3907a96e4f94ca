//! The list of external engines for the board.

use crate::calls::{Folder, command, done, errors, text_of};
use std::fs;
use std::path::Path;
use std::process::Output;

/// Runs a command on the engine list in a folder, from a different folder.
fn engines(list: &Path, folder: &Path, arguments: &[&str]) -> Output {
    let folders = ["XDG_CONFIG_HOME", "HOME", "APPDATA"].map(|name| (name, list));
    done(command(&[&["engines"], arguments].concat()).current_dir(folder).envs(folders))
}

#[test]
#[cfg(unix)]
fn an_engine_with_odd_names_is_added_and_found_from_everywhere() {
    let folder = Folder::new("engines of odd names");
    let names = ["it's", "say \"x\"", "its 'own' \"name\", twice"];
    for name in names {
        let place = folder.join(name);
        fs::create_dir(&place).expect("a folder");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_chuhe"), place.join("engine")).expect("a link");
        let program = format!("{name}/engine").replace('\'', r#"'"'"'"#);
        let added = format!("cmd='{program}' --protocol uci,dir={name},name={name}").replace(", ", "\\, ");
        text_of(engines(&folder, &folder, &["add", &added]));
        let tested = text_of(engines(&folder, Path::new("/"), &["test", name]));
        assert!(tested.starts_with(&format!("{name}: Chuhe ")), "{tested}");
    }
    for (at, name) in names.iter().enumerate() {
        text_of(engines(&folder, &folder, &["remove", name]));
        let listed = engines(&folder, &folder, &["list"]);
        assert!(errors(&listed).ends_with(&format!(": {}\n", names.len() - 1 - at)), "{listed:?}");
    }
}

#[test]
fn a_list_that_is_wrong_is_named() {
    let folder = Folder::new("a wrong list of engines");
    // The message contains the default location of the list.
    let listed = engines(&folder, &folder, &["list"]);
    let said = errors(&listed);
    let path =
        said.strip_prefix("engines in ").and_then(|rest| rest.strip_suffix(": 0\n")).expect("the file").to_owned();
    fs::create_dir_all(Path::new(&path).parent().expect("a folder")).expect("a folder");
    fs::write(&path, "engine = [\"name=A\"]\n").expect("a file");
    let listed = engines(&folder, &folder, &["list"]);
    assert_eq!(listed.status.code(), Some(2));
    assert_eq!(errors(&listed), format!("chuhe: {path}: cmd=PROGRAM is missing\n"));
}

#[test]
fn a_command_without_its_task_names_the_tasks() {
    let folder = Folder::new("engines of no task");
    let said = engines(&folder, &folder, &[]);
    assert_eq!(said.status.code(), Some(2));
    assert!(errors(&said).contains("[subcommands: add, list, remove, test"), "{said:?}");
}

#[test]
#[cfg(unix)]
fn engines_that_are_added_at_once_are_all_kept() {
    let folder = Folder::new("engines at once");
    let names = ["one", "two", "three", "four"];
    let add = |name: &str| {
        let folder: &Path = &folder;
        let engine = format!("{},name={name}", env!("CARGO_BIN_EXE_chuhe"));
        move || text_of(engines(folder, folder, &["add", &engine]))
    };
    std::thread::scope(|scope| names.map(|name| scope.spawn(add(name))).map(|adding| adding.join().expect("it ends")));
    let listed = text_of(engines(&folder, &folder, &["list"]));
    assert!(names.iter().all(|name| listed.contains(name)), "{listed}");
}

/// The path of the settings folder is a file, so nothing can be written there.
#[test]
fn a_list_that_cannot_be_written_is_told_instead_of_success() {
    let folder = Folder::new("engines of no folder");
    for name in [".config/chuhe", "chuhe", "Library/Application Support/chuhe"] {
        fs::create_dir_all(folder.join(name).parent().expect("a folder")).expect("a folder");
        fs::write(folder.join(name), "").expect("a file");
    }
    let added = engines(&folder, &folder, &["add", env!("CARGO_BIN_EXE_chuhe")]);
    assert_eq!((added.status.code(), added.stdout.len()), (Some(2), 0), "{added:?}");
    assert!(errors(&added).contains("chuhe"), "{added:?}");
}
