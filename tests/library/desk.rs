//! Conversations with a desk, stored as files. Lines that begin with `>` are requests; the lines that begin
//! with `<` are the responses to them.
//!
//! `CHUHE_REWRITE=1 cargo test --test library desk` rewrites the responses; review the changes before
//! committing them.
#![cfg(feature = "desk")]

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
#[cfg(feature = "sqlite-books")]
use chuhe::board::Position;
use chuhe::desk::{DatabaseAccess, DeskSettings, Event, Message, RequestHandler, RequestName, Stop};
#[cfg(feature = "sqlite-books")]
use chuhe::games::Library;
use chuhe::random::SplitMix64;
use chuhe::records::Encoding;
#[cfg(feature = "sqlite-books")]
use chuhe::records::pgn;
use chuhe::search::STACK;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Runs `work` on a thread with a stack for searches.
fn with_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    thread.join().expect("no panic")
}

/// Returns the responses to a message, as a host sends them.
fn ask(desk: &mut RequestHandler, text: &str) -> Vec<Value> {
    answers(desk, text).iter().map(|answer| serde_json::from_str(answer).expect("JSON")).collect()
}

fn answers(desk: &mut RequestHandler, text: &str) -> Vec<String> {
    let mut events = Vec::new();
    match Message::read(text) {
        Ok(message) => desk.handle(&message, &Stop::default(), &mut |event| {
            events.push(serde_json::to_string(&event).expect("JSON"));
        }),
        Err((id, refusal)) => {
            let event = Event::refused(id, &refusal, desk.language());
            events.push(serde_json::to_string(&event).expect("JSON"));
        }
    }
    events
}

/// Replaces values that vary: times and speeds (between runs), the version (between releases), and nodes and
/// depths (whenever play changes).
fn steady(json: String) -> String {
    ["time_ms", "nps", "version", "nodes", "seldepth"].iter().fold(json, |json, name| {
        let field = format!("\"{name}\":");
        let mut parts = json.split(&field);
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |said, part| match part {
            // In a tree, `nodes` is a list, not a number.
            list if list.starts_with('[') => said + &field + list,
            number => said + &field + "0" + &number[number.find([',', '}']).unwrap_or(0)..],
        })
    })
}

fn conversations() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/desk");
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|suffix| suffix == "txt")).collect();
    files.sort();
    files
}

/// Replays a conversation and returns it with the current responses.
fn replay(text: &str) -> String {
    let mut desk = RequestHandler::default();
    let mut said = String::new();
    for line in text.lines().filter(|line| !line.starts_with('<')) {
        said += &format!("{line}\n");
        if let Some(message) = line.strip_prefix("> ") {
            for answer in answers(&mut desk, message) {
                said += &format!("< {}\n", steady(answer));
            }
        }
    }
    said
}

#[test]
fn conversations_go_as_they_are_written_down() {
    let rewrite = std::env::var_os("CHUHE_REWRITE").is_some();
    let files = conversations();
    assert!(!files.is_empty());
    for path in files {
        let text = fs::read_to_string(&path).expect("a conversation");
        let (before, now) = (text.clone(), with_stack(move || replay(&text)));
        if rewrite {
            fs::write(&path, now).expect("the conversation");
        } else {
            for (was, is) in before.lines().zip(now.lines()) {
                assert_eq!(was, is, "{}", path.display());
            }
            assert_eq!(before.lines().count(), now.lines().count(), "{}", path.display());
        }
    }
}

/// Returns the fields of all messages in the conversations, for mixing.
fn vocabulary() -> (Vec<String>, Vec<Value>) {
    let (mut names, mut values) =
        (Vec::new(), vec![json!(null), json!(-1), json!(1e300), json!(""), json!([]), json!({})]);
    for path in conversations() {
        let text = fs::read_to_string(path).expect("a conversation");
        for message in text.lines().filter_map(|line| line.strip_prefix("> ")) {
            let Ok(Value::Object(fields)) = serde_json::from_str(message) else { continue };
            for (name, value) in fields {
                names.push(name);
                values.push(value);
            }
        }
    }
    (names, values)
}

/// Returns a message that is almost valid or entirely invalid.
fn noise(random: &mut SplitMix64, names: &[String], values: &[Value]) -> String {
    let mut pick = |count: usize| random.below(count as u64) as usize;
    let mut fields = Map::new();
    if pick(20) > 0 {
        fields.insert("id".into(), json!(pick(1000)));
    }
    if pick(20) > 0 {
        fields.insert("do".into(), json!(RequestName::ALL[pick(RequestName::ALL.len())]));
    }
    for _ in 0..pick(6) {
        let name = names[pick(names.len())].clone();
        if name != "do" && name != "id" || pick(20) == 0 {
            fields.insert(name, values[pick(values.len())].clone());
        }
    }
    // Searches are allowed, but rare and short.
    if ["play", "offer", "hint", "review", "try"]
        .contains(&fields.get("do").and_then(Value::as_str).unwrap_or_default())
        && pick(20) > 0
    {
        fields.insert("do".into(), json!("look"));
    }
    fields.remove("clock");
    fields.insert("nodes".into(), json!(pick(200)));
    fields.insert("limit".into(), json!({"nodes": pick(200), "depth": 1 + pick(2)}));
    let mut text = Value::Object(fields).to_string();
    if pick(10) == 0 {
        let mut at = pick(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        text.truncate(at);
    }
    text
}

#[test]
fn whatever_is_asked_is_answered() {
    let count = if cfg!(debug_assertions) { 1_000 } else { 5_000 };
    with_stack(move || {
        let (names, values) = vocabulary();
        let mut random = SplitMix64::new(21);
        let mut desk = RequestHandler::default();
        for number in 0..count {
            let text = noise(&mut random, &names, &values);
            let answers = ask(&mut desk, &text);
            let last = answers.last().unwrap_or_else(|| panic!("message {number} has no answer: {text}"));
            assert!(!["line", "progress"].contains(&last["is"].as_str().unwrap_or_default()), "{text}: {last}");
        }
    });
}

/// The board announces only wins by rule that the referee confirms.
#[test]
fn judge_confirms_the_wins_by_rule_that_think_announces() {
    let games = [
        ("5k3/9/9/8p/2n6/9/8P/9/3R5/4K4 w", "d1c1 c5d7 c1d1 d7c5 d1c1 c5d7 c1d1", true),
        ("9/1N1k5/4R4/9/9/9/P8/9/3rK4/5A3 w", "", true),
        // A check and a chase alternate.
        ("3aka3/4n4/9/9/9/9/9/2C6/6r2/3AK4 b", "", false),
    ];
    for (start, moves, wins) in games {
        with_stack(move || {
            let mut desk = RequestHandler::default();
            let mut moves: Vec<Value> = moves.split_whitespace().map(|mv| json!(mv)).collect();
            let think = json!({"id": 1, "do": "think", "start": start, "moves": moves, "limit": {"nodes": 100_000}});
            let told = ask(&mut desk, &think.to_string());
            let line = told.iter().rfind(|told| told["is"] == "line").expect("a line");
            assert_eq!(line["score"] == json!({"rule": 1}), wins, "{start}: {line}");
            moves.extend(line["pv"].as_array().expect("moves").iter().cloned());
            let judge = json!({"id": 2, "do": "judge", "start": start, "moves": moves});
            let result = &ask(&mut desk, &judge.to_string())[0]["result"];
            // The result is that of the side to move at the end of the line.
            let is_even = line["pv"].as_array().expect("moves").len().is_multiple_of(2);
            let won = if is_even { "win" } else { "loss" };
            assert_eq!(result, if wins { won } else { "draw" }, "{start}: {line}");
        });
    }
}

#[test]
fn files_are_opened_in_the_encoding_of_the_host() {
    let moves = "[Red \"x\"]\n\n1. 炮二平五 馬８進７ *\n";
    let shift_jis = Encoding::for_label(b"shift_jis").expect("an encoding");
    let file = BASE64_STANDARD.encode(shift_jis.encode(moves).0);
    let open = json!({"id": 1, "do": "open", "base64": file}).to_string();
    let text = json!({"id": 1, "do": "open", "text": moves}).to_string();
    for (encoding, plies) in [(None, 0), (Some(shift_jis), 2)] {
        let mut desk = RequestHandler::new(DeskSettings { encoding, ..DeskSettings::default() });
        assert_eq!(ask(&mut desk, &open)[0]["games"][0]["plies"], plies, "{encoding:?}");
        assert_eq!(ask(&mut desk, &text)[0]["games"][0]["plies"], 2, "text of a message is UTF-8");
    }
}

#[test]
fn a_search_that_was_stopped_before_it_began_ends_at_once() {
    with_stack(|| {
        let message = Message::read(r#"{"id":1,"do":"think"}"#).expect("a message");
        let stop = Stop::default();
        stop.ask();
        let mut last = None;
        RequestHandler::default()
            .handle(&message, &stop, &mut |event| last = Some(serde_json::to_value(&event).expect("JSON")));
        let last = last.expect("an answer");
        assert_eq!((&last["is"], &last["stopped"]), (&json!("done"), &json!(true)));
    });
}

#[test]
fn a_lesson_on_stalemate_asks_for_a_stalemate() {
    with_stack(|| {
        let mut desk = RequestHandler::default();
        let puzzles = ask(&mut desk, &json!({"id": 1, "do": "puzzles"}).to_string()).remove(0);
        let lessons = puzzles["puzzles"].as_array().expect("puzzles").iter();
        let asked: Vec<&Value> = lessons.filter(|one| one["themes"] == json!(["stalemate"])).collect();
        assert!(matches!(asked[..], [one] if one["lesson"]["title"] == "Stalemate"), "{asked:?}");
    });
}

#[cfg(feature = "sqlite-books")]
#[test]
fn analyses_are_stored_in_the_position_database_only_if_the_host_allows_it() {
    with_stack(|| {
        let path = std::env::temp_dir().join(format!("chuhe-{}-desk.explore.db", std::process::id()));
        let access = |may_add| Some(DatabaseAccess { path: path.as_path().into(), may_add, may_edit: false });
        let remember = |moves: &Value, nodes: u64, lines: Value| {
            json!({"id": 1, "do": "remember", "moves": moves, "nodes": nodes, "depth": 12, "lines": lines}).to_string()
        };
        let none = ask(&mut RequestHandler::default(), &remember(&json!([]), 100, json!([])));
        assert_eq!(none[0]["code"], "no_library");
        let mut desk = RequestHandler::new(DeskSettings { explored: access(true), ..DeskSettings::default() });
        let look = |moves: Value| json!({"id": 1, "do": "explored", "moves": moves}).to_string();
        assert_eq!(ask(&mut desk, &look(json!([])))[0], json!({"id": 1, "is": "explored", "below": 0, "moves": []}));
        let lines = json!([{"move": "h2e2", "score": {"cp": 40}}, {"move": "c3c4", "score": {"cp": 25}}]);
        let added = ask(&mut desk, &remember(&json!([]), 100, lines.clone()));
        assert_eq!(added[0], json!({"id": 1, "is": "remembered", "changed": true, "positions": 1}));
        // A worse analysis does not replace a better one.
        assert_eq!(ask(&mut desk, &remember(&json!([]), 50, lines))[0]["changed"], false);
        let reply = json!([{"move": "h9g7", "score": {"cp": 10}}, {"move": "a9a8", "score": {"mate": -3}}]);
        assert_eq!(ask(&mut desk, &remember(&json!(["h2e2"]), 100, reply))[0]["positions"], 2);
        let found = ask(&mut desk, &look(json!([]))).remove(0);
        let best = |entry: &Value| {
            (entry["move"].clone(), entry["value"]["cp"].clone(), entry["own"]["cp"].clone(), entry["below"].clone())
        };
        assert_eq!(best(&found["moves"][0]), ("c3c4".into(), 25.into(), 25.into(), 0.into()), "{found}");
        assert_eq!(best(&found["moves"][1]), ("h2e2".into(), (-10).into(), 40.into(), 1.into()), "{found}");
        let illegal = ask(&mut desk, &remember(&json!([]), 100, json!([{"move": "a0a5", "score": {"cp": 0}}])));
        assert_eq!(illegal[0]["is"], "error");
        // A review uses the database and reports where the game leaves it.
        let review = json!({"id": 1, "do": "review", "moves": ["h2e2", "a9a8"], "nodes": 1000}).to_string();
        let reviewed = ask(&mut desk, &review).pop().expect("a review");
        assert_eq!(reviewed["leaves_explored"], 2, "the reply loses half a pawn or more: {reviewed}");
        let mut reader = RequestHandler::new(DeskSettings { explored: access(false), ..DeskSettings::default() });
        assert_eq!(ask(&mut reader, &json!({"id": 1, "do": "hello"}).to_string())[0]["explored"]["positions"], 2);
        let refused = ask(&mut reader, &remember(&json!([]), 900, json!([{"move": "h2e2", "score": {"cp": 0}}])));
        assert_eq!(refused[0]["code"], "read_only");
        drop((desk, reader));
        for suffix in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{suffix}", path.display()));
        }
    });
}

#[cfg(feature = "sqlite-books")]
#[test]
fn an_export_of_few_but_large_games_names_the_limit_that_it_exceeds() {
    let path = std::env::temp_dir().join(format!("chuhe-{}-large.games.db", std::process::id()));
    let comment = "x".repeat(1 << 20);
    let moves = Position::start().legal_moves();
    let games: String = moves.iter().take(30).map(|mv| format!("[Red \"x\"]\n\n1. {mv} {{{comment}}} *\n\n")).collect();
    let games = pgn::read(&games).expect("games");
    let added = Library::open_to_add(&path).expect("a library").add(&games).expect("room");
    assert_eq!(added.games, games.len());
    with_stack(move || {
        let access = DatabaseAccess { path: path.as_path().into(), may_add: false, may_edit: false };
        let mut desk = RequestHandler::new(DeskSettings { library: Some(access), ..DeskSettings::default() });
        let refused = ask(&mut desk, r#"{"id":1,"do":"export"}"#).remove(0);
        assert_eq!(
            (&refused["code"], refused["text"].as_str().map(|text| text.contains("24 MB"))),
            (&json!("too_large"), Some(true))
        );
        drop(desk);
        fs::remove_file(path).expect("the library");
    });
}

#[cfg(feature = "sqlite-books")]
#[test]
fn a_book_that_cannot_be_read_is_reported_and_not_taken_for_one_without_moves() {
    let path = std::env::temp_dir().join(format!("chuhe-desk-{}.obk", std::process::id()));
    let database = rusqlite::Connection::open(&path).expect("a database");
    database.execute_batch("CREATE TABLE bhobk (vkey, vmove INTEGER)").expect("a table");
    let room = DeskSettings { book: Some(path.clone().into()), ..DeskSettings::default() };
    with_stack(move || {
        let mut desk = RequestHandler::new(room);
        let mut played =
            |id: u32| ask(&mut desk, &json!({"id": id, "do": "play", "limit": {"nodes": 100}}).to_string()).remove(0);
        assert_eq!(played(1)["is"], "move");
        database.execute_batch("BEGIN EXCLUSIVE").expect("a lock");
        let refused = played(2);
        assert!(refused["text"].as_str().is_some_and(|text| text.contains("locked")), "{refused}");
        database.execute_batch("COMMIT").expect("no lock");
        assert_eq!(played(3)["is"], "move");
    });
    fs::remove_file(path).expect("the book");
}
