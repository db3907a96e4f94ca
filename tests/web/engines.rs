//! External engines of the page, including misbehaving ones.

use crate::client::{Server, Socket};
use crate::players::player;
use serde_json::{Value, json};

fn with(engines: &[String]) -> Server {
    let folder = std::env::temp_dir().join("chuhe-no-engines");
    let mut arguments = vec!["--port", "0", "--threads", "1"];
    for engine in engines {
        arguments.extend(["--engine", engine]);
    }
    // The user's own list is not used.
    Server::start_in(
        &arguments,
        &[("XDG_CONFIG_HOME", &folder.to_string_lossy()), ("APPDATA", &folder.to_string_lossy())],
    )
}

fn ours(name: &str, protocol: &str) -> String {
    format!("cmd='{}' --protocol {protocol},name={name},protocol={protocol}", env!("CARGO_BIN_EXE_chuhe"))
}

fn play(page: &mut Socket, id: u64, engine: &str) -> Value {
    page.say(&json!({"id": id, "do": "play", "engine": engine, "moves": ["h2e2"]}));
    page.answer(id)
}

#[test]
fn engines_of_all_dialects_analyse_and_play() {
    let dialects = ["ucci", "uci", "uci-variant"];
    let server = with(&dialects.map(|dialect| ours(dialect, dialect) + ",nodes=500"));
    let clock = json!({"red_ms": 60_000, "black_ms": 1_000, "moves": 1});
    let mut page = server.greeted();
    for (number, dialect) in dialects.into_iter().enumerate() {
        let id = 10 * number as u64 + 10;
        assert_eq!(play(&mut page, id, dialect)["is"], "move", "{dialect}");
        page.say(&json!({"id": id + 3, "do": "play", "engine": dialect, "moves": ["h2e2"], "clock": clock}));
        assert_eq!(page.answer(id + 3)["is"], "move", "{dialect}");
        let limit = json!({"time_ms": 200});
        page.say(
            &json!({"id": id + 1, "do": "think", "engine": dialect, "moves": ["h2e2"], "lines": 3, "limit": limit}),
        );
        let line = page.hear().expect("a line");
        assert_eq!((&line["is"], &line["multipv"], &line["of"]), (&json!("line"), &json!(1), &json!(3)), "{dialect}");
        assert!(line["names"]["wxf"][0].is_string() && line["score"].is_object(), "{line}");
        assert_eq!(page.answer(id + 1)["is"], "done");
        page.say(&json!({"id": id + 2, "do": "talk", "engine": dialect}));
        let talk = page.answer(id + 2);
        assert!(
            talk["text"].as_str().is_some_and(|text| text.contains("> position fen") && text.contains("< bestmove")),
            "{talk}"
        );
    }
    page.say(&json!({"id": 1, "do": "play", "engine": "another"}));
    assert_eq!(page.answer(1)["code"], "no_engine");
}

#[test]
fn two_engines_think_at_once_and_one_stop_ends_both() {
    let server = with(&[ours("one", "ucci"), ours("other", "uci")]);
    let mut page = server.greeted();
    for (id, engine) in [(1, "one"), (2, "other")] {
        page.say(&json!({"id": id, "do": "think", "engine": engine}));
    }
    let mut heard = [false; 2];
    while heard != [true; 2] {
        let event = page.hear().expect("a line");
        assert_eq!(event["is"], "line");
        heard[event["id"].as_u64().expect("a number") as usize - 1] = true;
    }
    page.say(&json!({"id": 3, "do": "stop"}));
    let mut ended = 0;
    while ended < 2 {
        let event = page.hear().expect("an end");
        if event["is"] == "done" {
            assert_eq!(event["stopped"], true);
            ended += 1;
        }
    }
}

#[test]
fn nothing_is_kept_of_engines_that_there_are_not() {
    let server = with(&[]);
    let mut page = server.greeted();
    for id in 1..=600 {
        page.say(&json!({"id": id, "do": "play", "engine": format!("{id}{}", "x".repeat(200_000))}));
        assert_eq!(page.answer(id)["code"], "no_engine");
    }
    if let Some(peak) = server.peak_kb() {
        assert!(peak < 100_000, "{peak} kB of memory for names");
    }
}

#[test]
fn the_moves_of_an_engines_own_book_are_no_lines() {
    let server = with(&[player("reader", "")]);
    let mut page = server.greeted();
    page.say(&json!({"id": 1, "do": "think", "engine": "reader"}));
    let line = page.hear().expect("a line");
    let done = page.hear().expect("an end");
    assert_eq!((&line["is"], &done["is"], &line["pv"][0]), (&json!("line"), &json!("done"), &done["best"]));
}

#[test]
fn options_are_set_by_the_page_but_no_files_are_named() {
    let server = with(&[ours("one", "uci")]);
    let mut page = server.greeted();
    page.say(&json!({"id": 1, "do": "options", "engine": "one"}));
    let answer = page.answer(1);
    assert_eq!((&answer["is"], &answer["protocol"]), (&json!("options"), &json!("UCI")));
    let options = answer["options"].as_array().expect("options");
    let named = |name: &str| options.iter().any(|option| option["name"] == name);
    assert!(named("Skill Level") && !named("Threads") && !named("MultiPV"), "{options:?}");
    assert!(options.iter().all(|option| option["kind"] != "text"));
    let wished = json!({"Skill Level": "3", "Book Files": "/etc/passwd", "Hash": "99999999", "x\nquit": "1"});
    page.say(&json!({"id": 2, "do": "think", "engine": "one", "options": wished, "limit": {"time_ms": 1}}));
    page.answer(2);
    let talk = talk(&mut page, 3, "one");
    assert!(talk.contains("> setoption name Skill Level value 3"), "{talk}");
    assert!(!talk.contains("passwd") && !talk.contains("99999999") && !talk.contains("quit"), "{talk}");
}

/// Returns the communication with an engine.
fn talk(page: &mut Socket, id: u64, engine: &str) -> String {
    page.say(&json!({"id": id, "do": "talk", "engine": engine}));
    page.answer(id)["text"].as_str().expect("a text").to_owned()
}

#[test]
fn a_request_is_not_affected_by_the_options_of_earlier_ones() {
    let server = with(&[ours("one", "uci") + ",option.Skill Level=9,nodes=500"]);
    let mut page = server.greeted();
    let wished = json!({"Skill Level": "3", "UCI_LimitStrength": "true"});
    let limit = json!({"nodes": 500});
    page.say(&json!({"id": 1, "do": "think", "engine": "one", "options": wished, "lines": 3, "limit": limit}));
    page.answer(1);
    assert_eq!(play(&mut page, 2, "one")["is"], "move");
    let talk = talk(&mut page, 3, "one");
    let last = |name: &str| {
        let lines = talk.lines().filter_map(|line| line.split_once(&format!("> setoption name {name} value ")));
        lines.map(|(_, value)| value).next_back().map(str::to_owned)
    };
    assert_eq!(last("MultiPV").as_deref(), Some("1"), "{talk}");
    assert_eq!(last("Skill Level").as_deref(), Some("9"), "{talk}");
    assert_eq!(last("UCI_LimitStrength").as_deref(), Some("false"), "{talk}");
}

#[test]
fn engines_obey_all_limits_of_an_analysis_and_of_a_move() {
    let server = with(&[ours("one", "uci")]);
    let mut page = server.greeted();
    for (id, limit) in [(1, json!({"nodes": 2_000})), (2, json!({"depth": 3})), (3, json!({"time_ms": 50}))] {
        page.say(&json!({"id": id, "do": "think", "engine": "one", "lines": 2, "limit": limit}));
        let done = page.answer(id);
        assert_eq!((&done["is"], &done["stopped"]), (&json!("done"), &json!(false)), "{limit}");
        page.say(&json!({"id": id + 10, "do": "play", "engine": "one", "limit": limit}));
        assert_eq!(page.answer(id + 10)["is"], "move", "{limit}");
    }
    let talk = talk(&mut page, 4, "one");
    for go in ["> go nodes 2000", "> go depth 3", "> go movetime 50"] {
        assert!(talk.contains(go), "{go}: {talk}");
    }
}

#[test]
fn an_engine_shows_the_threat_after_a_pass() {
    let server = with(&[ours("one", "ucci")]);
    let mut page = server.greeted();
    let limit = json!({"nodes": 1_000});
    page.say(&json!({"id": 1, "do": "think", "engine": "one", "moves": ["h2e2"], "pass": true, "limit": limit}));
    let best = page.answer(1)["best"].as_str().expect("a move").to_owned();
    assert!(best[1..].starts_with(['0', '1', '2', '3', '4']), "Red moves again: {best}");
    let check = "3k5/9/9/9/9/9/9/3R5/9/4K4 b";
    page.say(&json!({"id": 2, "do": "think", "engine": "one", "start": check, "pass": true, "limit": limit}));
    assert_eq!(page.answer(2)["code"], "in_check");
}

#[test]
fn bad_engines_are_told_of_and_begun_anew_and_hurt_nobody() {
    let told = [
        ("crash", "has crashed"),
        ("hang", "does not respond"),
        ("illegal", "plays e0e9, which is not legal"),
        ("garbage", "which is not a move"),
        ("flood", "sends too much output"),
        ("endless", "sends too much output"),
        ("mute", "does not start"),
    ];
    let server = with(&told.map(|(name, _)| player(name, ",patience=1,movetime=0.1")));
    let mut page = server.greeted();
    for (number, (name, said)) in told.into_iter().enumerate() {
        let id = 10 * number as u64;
        if name != "mute" {
            for ask in [1, 2] {
                assert_eq!(play(&mut page, id + ask, name)["is"], "move", "{name}");
            }
        }
        let answer = play(&mut page, id + 3, name);
        assert_eq!(answer["code"], "engine", "{name}: {answer}");
        assert!(
            answer["text"].as_str().is_some_and(|text| text.to_lowercase().starts_with(name) && text.contains(said)),
            "{answer}"
        );
        page.say(&json!({"id": id + 4, "do": "look", "language": "zh"}));
        assert_eq!(page.answer(id + 4)["is"], "position");
        // After a restart, the engine behaves well at first.
        let again = if name == "mute" { "error" } else { "move" };
        assert_eq!(play(&mut page, id + 5, name)["is"], again, "{name}");
    }
    for (name, is) in [("speechless", "resigns"), ("noise", "move")] {
        let server = with(&[player(name, "")]);
        let mut page = server.greeted();
        let answers: Vec<Value> = (1..4).map(|id| play(&mut page, id, name)).collect();
        assert_eq!(answers[2]["is"], is, "{name}: {answers:?}");
    }
}

#[test]
fn engines_that_fail_are_told_of_in_chinese() {
    // Only engines that never reply require a short timeout.
    let fails = [("crash", 20), ("hang", 1), ("garbage", 20), ("flood", 20), ("mute", 1)]
        .map(|(name, patience)| player(name, &format!(",patience={patience},movetime=0.1")));
    let others = ["cmd=/nowhere/engine,name=missing".to_owned(), ours("option", "uci") + ",option.Threads=123456789"];
    let server = with(&[&fails[..], &others].concat());
    let mut page = server.greeted();
    let told = [
        ("crash", "已崩溃（退出码"),
        ("hang", "没有响应"),
        ("garbage", "不是着法"),
        ("flood", "输出过多"),
        ("mute", "无法启动：引擎没有响应"),
        ("missing", "无法启动：找不到程序 /nowhere/engine"),
        ("option", "无法启动：选项 Threads 不能设为 123456789"),
    ];
    for (number, (name, said)) in told.into_iter().enumerate() {
        let text = (0..3)
            .map(|ask| 10 * number as u64 + ask + 1)
            .map(|id| {
                page.say(&json!({"id": id, "do": "play", "engine": name, "moves": ["h2e2"], "language": "zh"}));
                page.answer(id)
            })
            .find_map(|answer| answer["text"].as_str().map(str::to_owned));
        assert!(text.as_ref().is_some_and(|text| text.contains(said)), "{name}: {text:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_process_outlives_its_page() {
    let server = with(&[ours("one", "ucci"), ours("other", "uci")]);
    let children = || {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", server.process.id())).expect("threads").flatten();
        let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
        lists.map(|list| list.split_whitespace().count()).sum::<usize>()
    };
    let mut page = server.greeted();
    for (id, engine) in [(1, "one"), (2, "other")] {
        page.say(&json!({"id": id, "do": "think", "engine": engine}));
        while page.hear().expect("a line")["id"] != id {}
    }
    assert_eq!(children(), 2);
    page.drop_dead();
    while children() > 0 {
        std::thread::yield_now();
    }
}
