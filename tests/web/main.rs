//! The server over raw sockets: responses, access control and refusals.
#![cfg(feature = "serve")]

mod client;
mod engines;
#[cfg(feature = "sqlite-books")]
mod mine;
#[path = "../program/players.rs"]
mod players;
mod roster;
#[path = "../program/run.rs"]
mod run;
#[cfg(unix)]
#[path = "../program/signal.rs"]
mod signal;

use chuhe::random::SplitMix64;
use client::Server;
use run::{Folder, chuhe, text_of};
use serde_json::{Value, json};
#[cfg(unix)]
use signal::signal;
use std::io::{Read, Write};
use std::path::Path;

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("none")
}

/// Returns a `think` request without an end.
fn think(id: u64) -> Value {
    json!({"id": id, "do": "think", "limit": {"time_ms": 300_000}})
}

#[test]
fn the_page_is_given_to_those_who_ask_for_this_machine() {
    let server = Server::start();
    for host in ["127.0.0.1", "localhost", "[::1]"] {
        let answer = server.get("/", &format!("{host}:{}", server.port), "");
        assert_eq!(status(&answer), "200", "{answer}");
        let head = answer.split("\r\n\r\n").next().unwrap_or_default().to_lowercase();
        for header in [
            "content-type: text/html; charset=utf-8",
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self';",
            "frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-resource-policy: same-origin",
            "cross-origin-opener-policy: same-origin",
        ] {
            assert!(head.contains(header), "{header}: {head}");
        }
        assert!(!head.contains("access-control") && !answer.contains(&server.token), "{head}");
    }
    let port = server.port;
    for host in
        ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example", &format!("evil.example:{port}"), ""]
    {
        for path in ["/", "/ws", "/none"] {
            assert_eq!(status(&server.get(path, host, "")), "421", "{host}");
        }
    }
    let two = format!("Host: 127.0.0.1:{port}\r\n");
    assert_eq!(status(&server.get("/", &server.host(), &two)), "421");
    assert_eq!(status(&server.ask("GET / HTTP/1.0\r\n\r\n")), "421");
}

#[test]
fn no_path_leads_out_of_the_page() {
    let server = Server::start();
    for path in [
        "/none",
        "/../Cargo.toml",
        "/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/..\\..\\etc\\passwd",
        "//etc/passwd",
        "/./index.html",
        "/index.html/..",
        "/file:///etc/passwd",
    ] {
        let answer = server.get(path, &server.host(), "");
        assert!(["400", "404"].contains(&status(&answer)), "{path}: {answer}");
    }
    let host = server.host();
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let answer = server
            .ask(&format!("{method} / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"));
        assert_eq!(status(&answer), "405", "{method}");
    }
    for noise in ["\r\n\r\n", "GET\r\n\r\n", "\u{16}\u{3}\u{1}", "GET / HTTP/1.1\r\nHost\r\n\r\n"] {
        let mut stream = server.connect();
        stream.write_all(noise.as_bytes()).expect("noise");
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(!answer.starts_with(b"HTTP/1.1 200"), "{noise:?}");
    }
    assert_eq!(status(&server.get("/", &host, "")), "200");
}

#[test]
fn only_a_page_of_ours_opens_a_socket() {
    let server = Server::start();
    let (host, port) = (server.host(), server.port);
    let ours = format!("Origin: http://{host}\r\n");
    assert!(server.try_socket(&ours).is_ok());
    assert!(server.try_socket(&format!("{ours}Sec-Fetch-Site: same-origin\r\n")).is_ok());
    for headers in [
        String::new(),
        "Origin: null\r\n".to_owned(),
        "Origin: http://evil.example\r\n".to_owned(),
        format!("Origin: https://{host}\r\n"),
        format!("Origin: http://localhost:{port}\r\n"),
        format!("Origin: http://127.0.0.1:{}\r\n", port.wrapping_add(1)),
        format!("Origin: http://{host}.evil.example\r\n"),
        format!("{ours}Origin: http://evil.example\r\n"),
        format!("{ours}Sec-Fetch-Site: cross-site\r\n"),
        format!("{ours}Sec-Fetch-Site: same-site\r\n"),
    ] {
        let refused = server.try_socket(&headers).err().unwrap_or_else(|| panic!("{headers}"));
        assert_eq!(status(&refused), "403", "{headers}");
    }
    assert_eq!(status(&server.get("/ws", &host, &ours)), "426");
}

#[test]
fn nothing_is_answered_before_the_token() {
    let server = Server::start();
    let other = "0".repeat(32);
    for first in [
        json!({"id": 1, "do": "hello"}),
        json!({"id": 1, "do": "hello", "token": ""}),
        json!({"id": 1, "do": "hello", "token": other}),
        json!({"id": 1, "do": "hello", "token": &server.token[1..]}),
        json!({"id": 1, "do": "look"}),
        json!({"id": 1, "do": "look", "token": server.token}),
        json!("hello"),
        // Long messages are rejected without being parsed.
        json!({"id": 1, "do": "hello", "token": server.token, "more": "x".repeat(5000)}),
    ] {
        let mut socket = server.socket();
        socket.say(&first);
        assert_eq!(socket.hear().expect("an error")["code"], "token", "{first}");
        assert_eq!(socket.hear(), None, "{first}");
        assert!(socket.is_over(), "{first}");
    }
    let mut socket = server.greeted();
    socket.say(&json!({"id": 2, "do": "look", "moves": ["h2e2"]}));
    assert_eq!(socket.answer(2)["last"]["names"]["wxf"], "C2=5");
}

#[cfg(feature = "sqlite-books")]
#[test]
fn nothing_of_the_library_is_told_before_the_token() {
    let folder = Folder::new("library");
    let (game, file) = (folder.file("game.pgn"), folder.file("a.games.db"));
    std::fs::write(&game, "[Red \"Hu\"]\n\n1. h2e2 h9g7 1-0\n").expect("a file");
    text_of(chuhe(&["games", "add", &game, "--to", &file]));
    let server = Server::start_with(&["--port", "0", "--games", &file]);
    for question in [
        json!({"id": 1, "do": "find"}),
        json!({"id": 1, "do": "find", "token": server.token}),
        json!({"id": 1, "do": "show", "game": 1}),
        json!({"id": 1, "do": "played"}),
        json!({"id": 1, "do": "add", "base64": ""}),
    ] {
        let mut socket = server.socket();
        socket.say(&question);
        assert_eq!(socket.hear().expect("an error")["code"], "token", "{question}");
        assert!(socket.hear().is_none() && socket.is_over(), "{question}");
    }
    for path in ["/a.games.db", "/games", "/library"] {
        assert_eq!(status(&server.get(path, &server.host(), "")), "404", "{path}");
    }
    let mut socket = server.greeted();
    socket.say(&json!({"id": 2, "do": "find", "player": "hu"}));
    assert_eq!(socket.answer(2)["games"][0]["players"][0], "Hu");
    socket.say(&json!({"id": 3, "do": "add", "base64": "MS4gYzNjNCAqCg=="}));
    assert_eq!(socket.answer(3)["code"], "read_only");
}

#[test]
fn what_is_too_long_ends_the_connection_and_nothing_else() {
    const PART: usize = 11 << 20;
    let server = Server::start();
    let mut witness = server.greeted();
    let body = vec![b' '; PART];
    // The message is sent in one frame, whose length is too large, and in three frames.
    let mut one = server.greeted();
    let _ = one.frame(0x81, 3 * PART, &body);
    assert!(one.is_over());
    let mut three = server.greeted();
    for first in [0x01, 0x00, 0x80] {
        let _ = three.frame(first, PART, &body);
    }
    assert!(three.is_over());
    let mut huge = server.greeted();
    let _ = huge.frame(0x81, usize::MAX >> 1, &body[..100]);
    assert!(huge.is_over());
    // A file of 20 MB is below the limit.
    let text = "1. h2e2 h9g7 *\n".repeat(20 << 16);
    witness.say(&json!({"id": 3, "do": "open", "text": text}));
    assert_eq!(witness.answer(3)["is"], "games");
}

#[test]
fn those_without_the_token_are_cut_off_after_a_few_thousand_bytes() {
    let server = Server::start();
    let part = vec![b' '; 64 << 10];
    // The data is sent in one frame with a large announced length, and in many short frames.
    for (first, length) in [(0x81, 30 << 20), (0x01, 64 << 10)] {
        let mut guest = server.socket();
        let _ = guest.frame(first, length, &part);
        // 32 MB exceed the maximum length of a message.
        let took = (0..400)
            .find(|_| if length > part.len() { guest.body(&part) } else { guest.frame(0, length, &part) }.is_err());
        assert!(took.is_some(), "25 MB were accepted without the token");
    }
    // Data sent together with the hello is accepted.
    let mut page = server.socket();
    let moves = ["h2e2", "h9g7", "e2h2", "g7h9"].repeat(200);
    let hello = json!({"id": 1, "do": "hello", "token": server.token}).to_string();
    let look = json!({"id": 2, "do": "look", "moves": moves, "more": "x".repeat(100_000)}).to_string();
    page.texts(&[&hello, &look]);
    assert_eq!(page.answer(2)["is"], "position");
}

#[test]
fn a_long_question_is_refused_and_long_files_leave_no_room_for_more() {
    let server = Server::start();
    let mut page = server.greeted();
    let more = "{\"a\":0},".repeat(2 << 20);
    for (id, name) in [(1, "look"), (2, "think"), (3, "hello"), (4, "setup")] {
        page.text(&format!("{{\"id\":{id},\"do\":\"{name}\",\"more\":[{more}0]}}"));
        assert_eq!(page.answer(id)["code"], "bad_request", "{name}");
    }
    page.text(&format!("{{\"id\":5,\"do\":\"open\",\"text\":\"1. h2e2 *\",\"more\":[{more}0]}}"));
    assert_eq!(page.answer(5)["is"], "games");
    if let Some(peak) = server.peak_kb() {
        assert!(peak < 400_000, "{peak} kB of memory for messages of 16 MB");
    }
}

#[test]
fn noise_on_a_socket_ends_it_and_nothing_else() {
    let server = Server::start();
    let ours = format!("Origin: http://{}\r\n", server.host());
    let mut random = SplitMix64::new(8);
    for number in 0..400 {
        // Both pages before their hello and pages after it use slots.
        let Ok(mut socket) = server.try_socket(&ours) else {
            // Slots are released a moment later.
            std::thread::yield_now();
            continue;
        };
        if number % 2 == 0 {
            socket.say(&json!({"id": 0, "do": "hello", "token": server.token}));
        }
        let length = 1 + random.below(200) as usize;
        let bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
        socket.raw(&bytes);
        socket.drop_dead();
    }
    while server.try_socket(&ours).is_err() {
        std::thread::yield_now();
    }
    assert_eq!(status(&server.get("/", &server.host(), "")), "200");
}

#[test]
fn those_who_say_nothing_are_sent_away() {
    let server = Server::start();
    let mut silent = server.connect();
    let mut slow = server.connect();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: ").expect("half a head");
    let mut ungreeted = server.socket();
    let mut pinging = server.socket();
    let pings = std::thread::spawn(move || {
        // The wait is longer than any timeout, so that the test ends even if the connection remains open.
        (0..100).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(500));
            pinging.frame(0x89, 0, &[]).is_err()
        })
    });
    for stream in [&mut silent, &mut slow] {
        let mut rest = Vec::new();
        let ended = stream.read_to_end(&mut rest);
        let timed_out = ended.as_ref().err().is_some_and(|error| error.kind() == std::io::ErrorKind::WouldBlock);
        assert!(!timed_out && !rest.starts_with(b"HTTP/1.1 200"), "{ended:?}");
    }
    assert!(ungreeted.is_over());
    assert!(pings.join().expect("no panic"), "a client that pings is not disconnected");
    let mut socket = server.greeted();
    socket.say(&json!({"id": 1, "do": "look"}));
    assert_eq!(socket.answer(1)["is"], "position");
}

#[test]
fn those_who_only_hold_connections_keep_no_page_out() {
    let server = Server::start();
    let host = server.host();
    let mut crowd = Vec::new();
    // Some clients send requests and never read the responses, others are silent, and others open sockets but
    // send no hello.
    let requests = format!("GET /strokes.json HTTP/1.1\r\nHost: {host}\r\n\r\n").repeat(300);
    for _ in 0..100 {
        let mut stream = server.connect();
        let _ = stream.write_all(requests.as_bytes());
        crowd.push(stream);
    }
    crowd.extend((0..300).map(|_| server.connect()));
    let ours = format!("Origin: http://{host}\r\n");
    let sockets: Vec<_> =
        (0..20).map(|_| server.try_socket(&ours).unwrap_or_else(|status| panic!("{status}"))).collect();
    let mut page = server.greeted();
    crowd.extend((0..300).map(|_| server.connect()));
    page.say(&json!({"id": 1, "do": "look"}));
    assert_eq!(page.answer(1)["is"], "position");
    assert_eq!(status(&server.get("/", &host, "")), "200");
    drop((crowd, sockets));
}

#[test]
fn a_flood_of_pings_ends_the_connection() {
    let server = Server::start();
    let mut stranger = server.socket();
    let _ = stranger.frame(0x89, 0, &[]);
    assert!(stranger.is_over());
    let mut page = server.greeted();
    // A client that keeps its connection alive is served.
    for id in 1..5 {
        for _ in 0..100 {
            page.frame(0x89, 4, b"ping").expect("a frame");
        }
        page.say(&json!({"id": id, "do": "look"}));
        assert_eq!(page.answer(id)["is"], "position");
    }
    let flood = (0..1_000_000).find(|_| page.frame(0x89, 4, b"ping").is_err());
    assert!(flood.is_some(), "the connection is still open after a million pings");
}

#[test]
fn a_file_that_is_read_keeps_no_other_question_waiting_and_can_be_stopped() {
    let server = Server::start();
    let mut page = server.greeted();
    // Nine thousand long games: parsing takes longer than sending the subsequent requests.
    let text = format!("{}*\n", "a0a1 a9a8 a1a0 a8a9 ".repeat(100)).repeat(9_000);
    page.say(&json!({"id": 1, "do": "open", "text": text}));
    page.say(&json!({"id": 2, "do": "look"}));
    assert_eq!(page.hear().expect("an answer")["id"], 2);
    page.say(&json!({"id": 3, "do": "stop"}));
    page.say(&json!({"id": 4, "do": "open", "text": "1. h2e2 *"}));
    assert_eq!(page.answer(1)["code"], "stopped");
    assert_eq!(page.answer(4)["is"], "games");
    // The next file request stops the previous one.
    page.say(&json!({"id": 5, "do": "open", "text": text}));
    page.say(&json!({"id": 6, "do": "open", "text": "1. h2e2 *"}));
    assert_eq!(page.answer(5)["code"], "stopped");
    assert_eq!(page.answer(6)["is"], "games");
}

#[test]
fn a_ninth_page_is_refused_until_another_leaves() {
    let server = Server::start();
    let mut pages: Vec<_> = (0..8).map(|_| server.greeted()).collect();
    let greeting = || {
        let mut page = server.socket();
        page.say(&json!({"id": 0, "do": "hello", "token": server.token}));
        page.hear().expect("an answer")
    };
    assert_eq!(greeting()["code"], "busy");
    pages.pop().expect("a page").drop_dead();
    // The server releases the slots with a delay.
    while greeting()["is"] != "hello" {
        std::thread::yield_now();
    }
    pages[0].say(&json!({"id": 1, "do": "look"}));
    assert_eq!(pages[0].answer(1)["is"], "position");
}

#[test]
fn a_closed_page_gives_its_engine_back() {
    let server = Server::start();
    let mut pages: Vec<_> = (0..5).map(|_| server.greeted()).collect();
    for page in &mut pages[..4] {
        page.say(&think(1));
        assert_eq!(page.hear().expect("a line")["is"], "line");
    }
    pages[4].say(&think(1));
    assert_eq!(pages[4].answer(1)["code"], "busy");
    pages.remove(0).drop_dead();
    // The page's search would last five minutes, and its slot is released only when the search ends.
    let fifth = &mut pages[3];
    for id in 2.. {
        fifth.say(&think(id));
        let event = fifth.hear().expect("an answer");
        if event["is"] == "line" {
            break;
        }
        assert_eq!(event["code"], "busy");
        std::thread::yield_now();
    }
}

#[test]
fn a_search_gives_way_to_the_next_and_to_a_stop_and_does_not_hold_up_questions() {
    let server = Server::start();
    let mut page = server.greeted();
    page.say(&think(1));
    assert_eq!(page.hear().expect("a line")["is"], "line");
    page.say(&json!({"id": 2, "do": "look", "language": "zh"}));
    assert_eq!(page.answer(2)["verdict"]["text"], "对局继续。");
    page.say(&think(3));
    let first = page.answer(1);
    assert_eq!((&first["is"], &first["stopped"]), (&json!("done"), &json!(true)));
    page.say(&json!({"id": 4, "do": "stop"}));
    let (mut done, mut stopped) = (false, false);
    while !(done && stopped) {
        let event = page.hear().expect("an event");
        done |= event["id"] == 3 && event["is"] == "done";
        stopped |= event["id"] == 4 && event["is"] == "stopped";
    }
    page.say(&json!({"id": 5, "do": "hint", "limit": {"nodes": 100}}));
    assert_eq!(page.answer(5)["is"], "hint");
}

#[test]
fn one_review_at_a_time() {
    let server = Server::start();
    let (mut one, mut other) = (server.greeted(), server.greeted());
    let nodes = if cfg!(debug_assertions) { 20_000 } else { 500_000 };
    one.say(&json!({"id": 1, "do": "review", "moves": ["h2e2", "h9g7", "h0g2", "i9h9"], "nodes": nodes}));
    assert_eq!(one.hear().expect("an event")["is"], "progress");
    other.say(&json!({"id": 1, "do": "review", "nodes": 1000}));
    assert_eq!(other.answer(1)["code"], "busy");
    one.say(&json!({"id": 2, "do": "stop"}));
    assert_eq!(one.answer(1)["code"], "stopped");
    // The slot is released a moment after the last response.
    for id in 2.. {
        other.say(&json!({"id": id, "do": "review", "nodes": 1000}));
        let answer = other.answer(id);
        if answer["is"] == "review" {
            break;
        }
        assert_eq!(answer["code"], "busy");
    }
}

#[test]
fn messages_that_are_none_are_answered_over_the_socket_too() {
    let server = Server::start();
    let mut page = server.greeted();
    for (text, code) in [
        ("", "not_json"),
        ("{}", "no_id"),
        (r#"{"id":1}"#, "unknown_request"),
        (r#"{"id":1,"do":"read"}"#, "bad_request"),
    ] {
        page.text(text);
        assert_eq!(page.hear().expect("an error")["code"], code, "{text}");
    }
    // More requests are sent than the queue can hold. Each receives a response, at least "busy".
    for id in 0..1000 {
        page.say(&json!({"id": id, "do": "look"}));
    }
    let mut answered: Vec<u64> =
        (0..1000).map(|_| page.hear().expect("an answer")["id"].as_u64().expect("a number")).collect();
    answered.sort_unstable();
    assert_eq!(answered, (0..1000).collect::<Vec<_>>());
}

#[test]
fn a_taken_port_is_not_waited_for() {
    let first = Server::start();
    let port = first.port.to_string();
    let mut second = Server::start_with(&["--port", &port]);
    assert_ne!(second.port, first.port);
    assert_ne!(second.token, first.token);
    let mut said = String::new();
    second.process.kill().expect("it runs");
    second.process.stderr.take().expect("its errors").read_to_string(&mut said).expect("text");
    assert!(said.contains(&format!("Port {port} is in use")), "{said}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_while_it_searches() {
    let mut server = Server::start();
    let mut page = server.greeted();
    page.say(&think(1));
    assert_eq!(page.hear().expect("a line")["is"], "line");
    signal(&server.process, "INT");
    assert!(server.process.wait().expect("its end").success());
    while page.hear().is_some() {}
}

#[test]
fn the_page_is_exported_as_files() {
    let folder = Folder::named("export");
    text_of(chuhe(&["serve", "--export", folder.to_str().expect("UTF-8")]));
    for file in chuhe::web::files() {
        let written = std::fs::read(folder.join(file.name)).expect("a file");
        assert_eq!(written, file.bytes, "{}", file.name);
    }
}

#[cfg(unix)]
#[test]
fn the_browser_is_handed_a_file_that_only_its_user_can_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("browser");
    // The script replaces the desktop's opener and records its arguments.
    let opener = folder.join("xdg-open");
    let noted = folder.join("noted");
    let script = format!("#!/bin/sh\nprintf '%s' \"$*\" > {0}.new && mv {0}.new {0}\n", noted.display());
    std::fs::write(&opener, script).expect("a script");
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).expect("a script");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let mut server =
        Server::start_in(&["--port", "0", "--open"], &[("PATH", &path), ("TMPDIR", &folder.to_string_lossy())]);
    while !noted.exists() {
        std::thread::yield_now();
    }
    let door = std::fs::read_to_string(&noted).expect("a note");
    assert!(!door.contains(&server.token), "{door}");
    let mode = std::fs::metadata(&door).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let page = std::fs::read_to_string(&door).expect("a page");
    assert!(page.contains(&format!("http://127.0.0.1:{}/#token={}", server.port, server.token)), "{page}");
    signal(&server.process, "TERM");
    assert!(server.process.wait().expect("its end").success());
    assert!(!Path::new(&door).exists());
}
