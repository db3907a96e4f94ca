//! The library of the user's own games: its location, its permissions, and the behaviour if it cannot be
//! used.

use crate::client::Server;
use crate::run::Folder;
use serde_json::{Value, json};
use std::io::Read;
use std::path::PathBuf;

/// Starts a server that stores games below this folder.
fn serve(folder: &Folder) -> Server {
    Server::start_in(
        &["--port", "0", "--threads", "1"],
        &[("XDG_DATA_HOME", &folder.file("data")), ("APPDATA", &folder.file("data"))],
    )
}

fn library(folder: &Folder) -> PathBuf {
    folder.join("data/chuhe/my.games.db")
}

fn keep(id: u64) -> Value {
    let nodes = json!([{"parent": 0, "move": "h2e2"}, {"parent": 1, "move": "h9g7"}]);
    json!({"id": id, "do": "keep", "tree": {"tags": [["Red", "You"], ["GameId", "x"]], "nodes": nodes}})
}

#[test]
fn own_games_are_stored_where_only_their_user_can_read_them() {
    let folder = Folder::new("own");
    let server = serve(&folder);
    let mut page = server.greeted();
    page.say(&keep(1));
    assert_eq!(page.answer(1)["is"], "kept");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(folder.join("data/chuhe")).expect("the folder").permissions().mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
    }
    // The page may be closed immediately after its last request.
    let mut last = server.greeted();
    let mut other = keep(1);
    other["tree"]["tags"] = json!([["GameId", "y"]]);
    last.say(&other);
    last.drop_dead();
    let count = |page: &mut crate::client::Socket, id: u64| {
        page.say(&json!({"id": id, "do": "find", "mine": true}));
        page.answer(id)["total"].as_u64()
    };
    let mut id = 2;
    while count(&mut page, id) != Some(2) {
        id += 1;
        assert!(id < 10_000, "the game is not stored");
    }
    drop(server);
    // Another run finds the games.
    let again = serve(&folder);
    assert_eq!(count(&mut again.greeted(), 1), Some(2));
}

#[test]
fn nothing_of_ones_own_games_is_told_or_changed_before_the_token() {
    let folder = Folder::new("own-token");
    let server = serve(&folder);
    let mut page = server.greeted();
    page.say(&keep(1));
    page.answer(1);
    let tree = json!({"nodes": [{"parent": 0, "move": "h2e2"}]});
    for question in [
        json!({"id": 1, "do": "find", "mine": true}),
        json!({"id": 1, "do": "show", "mine": true, "game": 1}),
        json!({"id": 1, "do": "export", "mine": true, "token": server.token}),
        json!({"id": 1, "do": "results", "mine": true}),
        json!({"id": 1, "do": "names", "mine": true}),
        json!({"id": 1, "do": "keep", "tree": tree}),
        json!({"id": 1, "do": "edit", "mine": true, "game": 1, "tags": {"Red": "X"}}),
        json!({"id": 1, "do": "merge", "mine": true, "name": "You", "spelling": "X"}),
        json!({"id": 1, "do": "remove", "mine": true, "game": 1}),
    ] {
        let mut socket = server.socket();
        socket.say(&question);
        assert_eq!(socket.hear().expect("an error")["code"], "token", "{question}");
        assert!(socket.hear().is_none() && socket.is_over(), "{question}");
    }
    page.say(&json!({"id": 2, "do": "find", "mine": true}));
    assert_eq!(page.answer(2)["games"][0]["players"][0], "You");
    assert!(!folder.join("data/chuhe/my.games.db.names").exists());
}

#[test]
fn without_a_usable_library_the_page_is_served_without_it() {
    type Make<'a> = Box<dyn Fn() + 'a>;
    let folder = Folder::new("own-bad");
    let path = library(&folder);
    let parent = path.parent().expect("a folder");
    let mut kinds: Vec<(&str, Make)> = vec![
        ("a folder", Box::new(|| std::fs::create_dir(&path).expect("a folder"))),
        ("a damaged file", Box::new(|| std::fs::write(&path, "SQLite format 3\0 and no more").expect("a file"))),
        ("another file", Box::new(|| std::fs::write(&path, "[Red \"Hu\"]\n\n1. h2e2 *\n").expect("a file"))),
    ];
    #[cfg(unix)]
    {
        let make = |command: &str, arguments: &[&str]| {
            let done = std::process::Command::new(command).args(arguments).arg(&path).status();
            assert!(done.expect("it runs").success(), "{command}");
        };
        kinds.push(("a pipe", Box::new(move || make("mkfifo", &[]))));
        kinds.push(("a device", Box::new(move || make("ln", &["-s", "/dev/zero"]))));
        kinds.push(("a circle of links", Box::new(move || make("ln", &["-s", "my.games.db"]))));
    }
    for (kind, make) in &kinds {
        let _ = std::fs::remove_dir_all(parent);
        std::fs::create_dir_all(parent).expect("a folder");
        make();
        let mut server = serve(&folder);
        let mut socket = server.socket();
        socket.say(&json!({"id": 1, "do": "hello", "token": server.token}));
        assert_eq!(socket.answer(1)["mine"], Value::Null, "{kind}");
        socket.say(&keep(2));
        assert_eq!(socket.answer(2)["code"], "no_library", "{kind}");
        socket.say(&json!({"id": 3, "do": "look"}));
        assert_eq!(socket.answer(3)["is"], "position", "{kind}");
        server.process.kill().expect("a kill");
        let mut said = String::new();
        let _ = server.process.stderr.take().expect("its errors").read_to_string(&mut said);
        assert!(said.contains("are not stored") && said.contains("my.games.db"), "{kind}: {said}");
    }
}
