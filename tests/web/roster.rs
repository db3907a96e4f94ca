//! Engines added and removed by a page: the paths that it may name, and the programs that are started.
#![cfg(unix)]

use crate::client::{Server, Socket};
use crate::run::Folder;
use serde_json::{Value, json};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::Command;

/// A user's home folder with an engine that records each of its starts.
struct Home(Folder);

impl Home {
    fn new(name: &str) -> Home {
        let home = Home(Folder::new(name));
        std::fs::create_dir_all(home.path("programs")).expect("a folder");
        home.program("engine");
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        std::fs::canonicalize(&*self.0).expect("the folder").join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().expect("UTF-8").to_owned()
    }

    fn program(&self, name: &str) {
        let (path, own) = (self.path("programs").join(name), env!("CARGO_BIN_EXE_chuhe"));
        let script = format!("#!/bin/sh\necho >> '{}'\nexec '{own}' --protocol uci\n", self.text("started"));
        std::fs::write(&path, script).expect("a program");
        self.set_mode(&path, 0o755);
    }

    fn set_mode(&self, path: &std::path::Path, mode: u32) {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("permissions");
    }

    fn starts(&self) -> usize {
        std::fs::read_to_string(self.path("started")).map_or(0, |text| text.lines().count())
    }

    fn serve(&self, more: &[&str]) -> Server {
        let home = self.text("");
        let variables = [("XDG_CONFIG_HOME", home.as_str()), ("HOME", home.as_str())];
        Server::start_in(&[&["--port", "0", "--threads", "1"], more].concat(), &variables)
    }
}

fn ask(page: &mut Socket, request: Value) -> Value {
    let mut request = request;
    request["id"] = json!(7);
    page.say(&request);
    page.answer(7)
}

fn engines(server: &Server) -> Value {
    let mut socket = server.socket();
    socket.say(&json!({"id": 1, "do": "hello", "token": server.token}));
    socket.answer(1)["engines"].clone()
}

#[test]
fn an_engine_is_added_used_and_removed() {
    let home = Home::new("roster");
    let server = home.serve(&["--engine", "cmd=/nowhere/given,name=Given"]);
    let mut page = server.greeted();
    let program = home.text("programs/engine");
    let found = ask(&mut page, json!({"do": "program", "path": "~/programs/engine"}));
    assert_eq!((&found["path"], &found["name"]), (&json!(program), &json!("engine")));
    assert_eq!(home.starts(), 0, "a question starts nothing");
    let added = ask(&mut page, json!({"do": "add_engine", "path": program, "name": "x,cmd=/bin/false"}));
    assert_eq!(added["engines"], json!(["Given", "x,cmd=/bin/false"]), "{added}");
    assert!(added["text"].as_str().is_some_and(|text| text.contains("Uci")), "{added}");
    assert_eq!(home.starts(), 1);
    let again = ask(&mut page, json!({"do": "add_engine", "path": program, "name": "x,cmd=/bin/false"}));
    assert_eq!((&again["code"], home.starts()), (&json!("taken"), 1));
    let play = json!({"do": "play", "engine": "x,cmd=/bin/false", "limit": {"nodes": 100}});
    assert_eq!(ask(&mut page, play.clone())["is"], "move");
    // Another page and another run list the engine with the same command.
    assert_eq!(engines(&server), json!(["Given", "x,cmd=/bin/false"]));
    drop(server);
    let server = home.serve(&["--engine", "cmd=/nowhere/given,name=Given"]);
    let mut page = server.greeted();
    assert_eq!(engines(&server), json!(["Given", "x,cmd=/bin/false"]));
    assert_eq!(ask(&mut page, play.clone())["is"], "move");
    // An engine given on the command line is not in the list.
    assert_eq!(ask(&mut page, json!({"do": "remove_engine", "name": "Given"}))["code"], "engines_fixed");
    let removed = ask(&mut page, json!({"do": "remove_engine", "name": "x,cmd=/bin/false"}));
    assert_eq!(removed["engines"], json!(["Given"]));
    assert_eq!(ask(&mut page, play)["code"], "no_engine");
    assert_eq!(engines(&server), json!(["Given"]));
}

#[test]
fn only_programs_that_nobody_else_can_change_are_accepted() {
    let home = Home::new("roster-paths");
    let server = home.serve(&[]);
    let mut page = server.greeted();
    let make = |command: &str, arguments: &[&str]| {
        assert!(Command::new(command).args(arguments).status().expect("it runs").success(), "{command}");
    };
    std::fs::write(home.path("text"), "text").expect("a file");
    make("mkfifo", &["-m", "777", &home.text("pipe")]);
    symlink("/dev/zero", home.path("device")).expect("a link");
    symlink("nowhere", home.path("broken")).expect("a link");
    symlink("circle", home.path("circle")).expect("a link");
    home.program("open");
    home.set_mode(&home.path("programs/open"), 0o757);
    std::fs::create_dir(home.path("public")).expect("a folder");
    std::fs::copy(home.path("programs/engine"), home.path("public/engine")).expect("a copy");
    home.set_mode(&home.path("public"), 0o777);
    symlink(home.path("public/engine"), home.path("hidden-public")).expect("a link");
    let arguments = format!("{} --protocol uci", home.text("programs/engine"));
    let before = home.text("programs/../programs/engine");
    let cases: [(&str, &str); 17] = [
        ("", "no program"),
        ("programs/engine", "no program"),
        ("./engine", "no program"),
        ("/nowhere/engine", "no program"),
        ("~root-of-nobody/engine", "no program"),
        (&arguments, "no program"),
        (&home.text("broken"), "no program"),
        (&home.text("circle"), "no program"),
        (&format!("{}\u{202e}", home.text("programs/engine")), "no program"),
        (&format!("{}\0", home.text("programs/engine")), "no program"),
        (&home.text("programs"), "may not be run"),
        (&home.text("text"), "may not be run"),
        (&home.text("pipe"), "may not be run"),
        (&home.text("device"), "may not be run"),
        (&home.text("programs/open"), "can change or replace"),
        (&home.text("public/engine"), "can change or replace"),
        (&home.text("hidden-public"), "can change or replace"),
    ];
    for (path, said) in cases {
        for request in [json!({"do": "program", "path": path}), json!({"do": "add_engine", "path": path, "name": "A"})]
        {
            let answer = ask(&mut page, request.clone());
            assert_eq!(answer["code"], "program", "{request}: {answer}");
            assert!(answer["text"].as_str().is_some_and(|text| text.contains(said)), "{request}: {answer}");
        }
    }
    // The question and the list refer to the program itself, not to a link that can be changed.
    symlink(home.path("programs/engine"), home.path("link")).expect("a link");
    let program = home.text("programs/engine");
    for path in [home.text("link"), before] {
        assert_eq!(ask(&mut page, json!({"do": "program", "path": path}))["path"], json!(program), "{path}");
    }
    for name in ["\u{1b}[2J", "a\nb", "\u{202e}"] {
        let answer = ask(&mut page, json!({"do": "add_engine", "path": program, "name": name}));
        assert_eq!(answer["code"], "bad_request", "{name:?}: {answer}");
    }
    // A program that is not an engine is started once and not added.
    std::fs::write(home.path("programs/silent"), "#!/bin/sh\nexit 3\n").expect("a program");
    home.set_mode(&home.path("programs/silent"), 0o755);
    let answer = ask(&mut page, json!({"do": "add_engine", "path": home.text("programs/silent"), "name": ""}));
    assert!(
        answer["code"] == "engine" && answer["text"].as_str().is_some_and(|text| text.starts_with("Silent")),
        "{answer}"
    );
    assert_eq!((engines(&server), home.starts()), (json!([]), 0));
    assert!(!home.path("chuhe/engines.toml").exists());
}

#[test]
fn a_folder_is_listed_without_opening_its_files() {
    let home = Home::new("roster-folder");
    let server = home.serve(&[]);
    let mut page = server.greeted();
    let folder = home.path("programs");
    for name in ["plain.txt", ".hidden", "line\nbreak", "turn\u{202e}ed", "<b>bold"] {
        std::fs::write(folder.join(name), "#!/bin/sh\n").expect("a file");
        home.set_mode(&folder.join(name), if name == "plain.txt" { 0o644 } else { 0o755 });
    }
    std::fs::create_dir(folder.join("inner")).expect("a folder");
    symlink("engine", folder.join("link")).expect("a link");
    symlink("nowhere", folder.join("broken")).expect("a link");
    assert!(Command::new("mkfifo").args(["-m", "777"]).arg(folder.join("pipe")).status().expect("it runs").success());
    let listed = ask(&mut page, json!({"do": "folder", "path": folder}));
    assert_eq!((&listed["folders"], &listed["programs"]), (&json!(["inner"]), &json!(["<b>bold", "engine", "link"])));
    assert_eq!((&listed["path"], &listed["parent"]), (&json!(folder), &json!(folder.parent())));
    assert_eq!(ask(&mut page, json!({"do": "folder"}))["folders"], json!(["programs"]));
    assert_eq!(ask(&mut page, json!({"do": "folder", "path": "/"}))["parent"], Value::Null);
    for path in ["programs", "..", "", "/nowhere", &home.text("programs/engine"), &home.text("programs/pipe")] {
        assert_eq!(ask(&mut page, json!({"do": "folder", "path": path}))["code"], "program", "{path}");
    }
    assert_eq!(home.starts(), 0);
}

#[test]
fn engines_are_changed_only_with_the_token_and_if_the_user_allows_it() {
    let home = Home::new("roster-rights");
    let requests = [
        json!({"do": "folder"}),
        json!({"do": "program", "path": home.text("programs/engine")}),
        json!({"do": "add_engine", "path": home.text("programs/engine"), "name": "A"}),
        json!({"do": "remove_engine", "name": "A"}),
    ];
    let server = home.serve(&[]);
    for request in &requests {
        let mut first = request.clone();
        (first["id"], first["token"]) = (json!(1), json!(server.token));
        let mut socket = server.socket();
        socket.say(&first);
        assert_eq!(socket.hear().expect("an error")["code"], "token", "{first}");
        assert!(socket.hear().is_none() && socket.is_over(), "{first}");
    }
    let fixed = home.serve(&["--no-engines-from-page"]);
    let mut page = fixed.greeted();
    for request in requests {
        assert_eq!(ask(&mut page, request.clone())["code"], "engines_fixed", "{request}");
    }
    let mut socket = fixed.socket();
    socket.say(&json!({"id": 1, "do": "hello", "token": fixed.token}));
    assert_eq!(socket.answer(1)["may_add_engines"], false);
    assert_eq!(home.starts(), 0);
}
