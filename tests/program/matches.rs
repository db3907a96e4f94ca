//! `chuhe match` with players that misbehave in all known ways, and with runs that are killed.

use crate::calls::{Folder, begin, done, errors, kill, text_of, wait_until};
use crate::players::{NOTES, player};
use chuhe::board::Move;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

fn command(folder: &Folder, players: &[String], more: &[&str]) -> Command {
    let mut command = crate::calls::command(&["match"]);
    command.args(players.iter().flat_map(|player| ["--engine", player])).arg("--out").arg(&**folder).args(more);
    command
}

/// Runs a match and returns its summary. The exit status must be 1 if and only if every game ended because of
/// a fault.
fn run(folder: &Folder, players: &[String], more: &[&str]) -> Value {
    let output = done(command(folder, players, more).arg("--json"));
    let errors = errors(&output);
    let lines: Vec<Value> = std::fs::read_to_string(folder.join("games.jsonl"))
        .unwrap_or_else(|error| panic!("{error}: {errors}"))
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let all_faulty = lines.iter().all(|game| !game["fault"].is_null());
    assert_eq!(output.status.code(), Some(i32::from(all_faulty)), "{errors}");
    assert_eq!(errors.contains("every game ended because of a fault"), all_faulty, "{errors}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"))
}

/// Returns the games in a journal by number: moves, result and reason.
fn games(path: &Path) -> BTreeMap<u64, (Vec<String>, String, String)> {
    let text = std::fs::read_to_string(path).unwrap();
    let games = text.lines().skip(1).map(|line| {
        let game: Value = serde_json::from_str(line).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_string();
        let moves = game["moves"].as_array().unwrap().iter().map(text).collect();
        (game["game"].as_u64().unwrap(), (moves, text(&game["result"]), text(&game["reason"])))
    });
    games.collect()
}

/// Plays a player with this character against a good player without time pressure; both games must end for
/// `reason`, with `score` (wins, draws, losses) for the former.
fn expect(character: &str, limit: &str, reason: &str, score: [u64; 3]) {
    let folder = Folder::named(character);
    let summary =
        run(&folder, &[player(character, limit), player("good", ",nodes=1")], &["--games", "2", "--longest", "30"]);
    assert_eq!(summary["games"], 2, "{character}");
    let own = &summary["players"][0];
    let found = ["wins", "draws", "losses"].map(|name| own["score"][name].as_u64().unwrap());
    assert_eq!(found, score, "{character}: {summary}");
    let reasons: Vec<&String> = summary["reasons"].as_object().unwrap().keys().collect();
    assert_eq!(reasons, [reason], "{character}: {summary}");
    if score == [0, 0, 2] && reason != "resignation" {
        assert_eq!(own["faults"][reason], 2, "{character}: {summary}");
        assert_eq!(summary["players"][1]["faults"], serde_json::json!({}), "{character}");
        // The whole transcript is kept, within limits.
        let log = std::fs::read_to_string(folder.join("logs/game-00001.log")).unwrap();
        assert!(log.contains(&format!("{character} > ucci")) && log.len() < 3_000_000, "{character}");
    }
    // Statistics and records exist.
    assert!(std::fs::read_to_string(folder.join("elo.svg")).unwrap().starts_with("<svg"));
    let records = chuhe::records::pgn::read(&std::fs::read_to_string(folder.join("games.pgn")).unwrap()).unwrap();
    assert_eq!(records.len(), 2);
    let journal = games(&folder.join("games.jsonl"));
    for (record, (moves, result, _)) in records.iter().zip(journal.values()) {
        let recorded: Vec<String> = record.moves().iter().map(Move::to_string).collect();
        assert_eq!((recorded, record.result.text()), (moves.clone(), result.as_str()));
    }
}

const LOST: [u64; 3] = [0, 0, 2];
const DRAWN: [u64; 3] = [0, 2, 0];

#[test]
fn every_fault_loses_and_what_is_none_does_not() {
    let rows = [
        ("crash", ",nodes=1", "crash", LOST),
        // The timeout must allow for the start of the program on a busy machine.
        ("hang", ",nodes=1,patience=5", "hang", LOST),
        ("illegal", ",nodes=1", "illegal move", LOST),
        ("garbage", ",nodes=1", "garbage", LOST),
        ("flood", ",nodes=1", "flood", LOST),
        // The player writes an endless line.
        ("endless", ",nodes=1", "flood", LOST),
        ("late", ",tc=0.15+0.02,margin=20", "time", LOST),
        ("late", ",movetime=0.1,margin=50", "time", LOST),
        ("noise", ",nodes=1", "length", DRAWN),
        // The opponent never accepts the draw.
        ("offering", ",nodes=1", "length", DRAWN),
        ("resigning", ",depth=1", "resignation", LOST),
        ("speechless", ",depth=1", "resignation", LOST),
    ];
    std::thread::scope(|scope| {
        for some in rows.chunks(4) {
            scope.spawn(move || {
                some.iter().for_each(|&(player, limit, reason, score)| expect(player, limit, reason, score))
            });
        }
    });
}

#[test]
fn an_offer_that_is_accepted_draws() {
    let folder = Folder::named("offer");
    let players = [player("offering", ",nodes=1"), player("accepting", ",nodes=1")];
    let summary = run(&folder, &players, &["--games", "2", "--longest", "30"]);
    assert_eq!(summary["reasons"]["agreement"]["draw"], 2, "{summary}");
}

#[test]
fn scores_that_agree_end_a_game() {
    let folder = Folder::named("scores");
    let players = [player("optimist", ",nodes=1"), player("pessimist", ",nodes=1")];
    let more = ["--games", "2", "--longest", "60", "--adjudicate-win", "moves=3,score=2500"];
    let summary = run(&folder, &players, &more);
    assert_eq!(summary["reasons"].as_object().unwrap().keys().collect::<Vec<_>>(), ["adjudicated win"]);
    assert_eq!(summary["players"][0]["score"]["wins"], 2);
    let folder = Folder::named("drawn-scores");
    let players = [player("good", ",nodes=1"), player("good", ",nodes=1")];
    let summary =
        run(&folder, &players, &["--games", "2", "--longest", "60", "--adjudicate-draw", "moves=3,score=20,after=8"]);
    assert_eq!(summary["reasons"]["adjudicated draw"]["draw"], 2, "{summary}");
}

#[test]
fn a_player_that_never_starts_stops_the_match_before_it_begins() {
    let folder = Folder::named("mute");
    let output = command(&folder, &[player("mute", ",patience=0.3"), player("good", "")], &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("mute does not start"));
    let missing = "cmd=/nowhere/engine".to_string();
    let output = command(&folder, &[missing, player("good", "")], &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("/nowhere/engine"));
    assert!(!folder.exists());
}

/// A process that fails to start is started again; the failed start is not scored.
#[test]
fn a_start_that_fails_is_no_result() {
    let folder = Folder::named("moody");
    let notes = Folder::new("moody-notes");
    let players = [player("moody", ",nodes=1,restart=true"), player("good", ",nodes=1")];
    let mut match_of = command(&folder, &players, &["--games", "4", "--longest", "20", "--json"]);
    let output = match_of.env(NOTES, notes.join("notes")).output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    assert!(errors(&output).contains("moody does not start"), "{}", errors(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["games"], 4, "{summary}");
    assert_eq!(summary["players"][0]["faults"], serde_json::json!({}));
    assert!(summary["reasons"].get("no start").is_none(), "{summary}");
}

#[test]
fn players_ponder() {
    let folder = Folder::named("ponder");
    let own = |name: &str| format!("cmd=self,name={name},movetime=0.2,margin=60000,hash=1,ponder=true");
    let more = ["--games", "2", "--longest", "20", "--transcripts"];
    let summary = run(&folder, &[own("a"), own("b")], &more);
    assert_eq!(summary["encounters"][0]["score"]["draws"], 2, "{summary}");
    assert!([0, 1].iter().all(|&player| summary["players"][player]["faults"] == serde_json::json!({})), "{summary}");
    let log = std::fs::read_to_string(folder.join("logs/game-00001.log")).unwrap();
    for words in ["go ponder ", "> ponderhit", "ponder true"] {
        assert!(log.contains(words), "{words} in {log}");
    }
}

#[test]
fn a_log_gets_the_result_every_ten_games() {
    let folder = Folder::named("every-ten");
    let players = [player("good", ",nodes=1"), player("good", ",nodes=1")];
    let output = command(&folder, &players, &["--games", "20", "--longest", "4"]).output().unwrap();
    for words in ["10 of 20 games: ", "20 of 20 games: "] {
        assert!(errors(&output).contains(words), "{}", errors(&output));
    }
}

#[test]
fn more_games_than_cores_are_not_pinned() {
    let folder = Folder::named("pinned");
    let players = [player("good", ",nodes=1,threads=1000"), player("good", ",nodes=1")];
    let output = command(&folder, &players, &["--games", "2", "--concurrency", "2", "--pin"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("pinned"), "{}", errors(&output));
}

#[test]
fn a_run_among_bad_engines_ends_with_its_statistics() {
    let folder = Folder::named("all");
    let names = ["good", "crash", "illegal", "garbage"];
    let players: Vec<String> = names.iter().map(|name| player(name, ",nodes=1")).collect();
    let summary = run(&folder, &players, &["--games", "2", "--longest", "20", "--concurrency", "2"]);
    assert_eq!((&summary["games"], &summary["planned"]), (&Value::from(12), &Value::from(12)));
    assert_eq!(summary["players"][0]["score"]["wins"], 6);
    assert_eq!(summary["players"][0]["faults"], serde_json::json!({}));
}

/// `chuhe judge --pgn` reads the match's own records and confirms their results.
#[test]
fn the_referee_confirms_the_records_of_a_match() {
    let folder = Folder::named("judged");
    let players = [1, 2].map(|number| format!("cmd=self,name=player{number},nodes=300"));
    run(&folder, &players, &["--games", "8"]);
    let judge =
        |more: &[&str]| text_of(done(crate::calls::command(&["judge", "--pgn", &folder.file("games.pgn")]).args(more)));
    let journal = games(&folder.join("games.jsonl"));
    let (records, sentences) = (judge(&["--json"]), judge(&[]));
    assert_eq!((records.lines().count(), sentences.lines().count()), (8, 8));
    let mut ended_by_rule = 0;
    for ((record, sentence), (number, (moves, result, reason))) in records.lines().zip(sentences.lines()).zip(&journal)
    {
        let record: Value = serde_json::from_str(record).unwrap();
        assert_eq!((record["game"].as_u64(), record["claimed"].as_str()), (Some(*number), Some(result.as_str())));
        assert!(sentence.starts_with(&format!("{number} ({result}): ")), "{sentence}");
        if record["result"] == "open" {
            continue; // the players agreed, or one of them lost on time
        }
        ended_by_rule += 1;
        assert_eq!(record["ended_at"].as_u64(), Some(moves.len() as u64), "{record}");
        let verdict = match (record["result"].as_str(), record["side"].as_str()) {
            (Some("draw"), _) => "1/2-1/2",
            (Some("win"), Some("red")) | (Some("loss"), Some("black")) => "1-0",
            _ => "0-1",
        };
        assert_eq!(verdict, result, "{reason}: {record}");
    }
    assert!(ended_by_rule > 0);
}

#[test]
fn a_killed_match_resumes_and_ends_with_the_same_games() {
    let players = [player("slow", ",nodes=10"), player("good", ",nodes=10")];
    let more = ["--games", "24", "--longest", "20", "--concurrency", "2"];
    let whole = Folder::named("whole");
    run(&whole, &players, &more);

    let killed = Folder::named("killed");
    for at_least in [2, 5] {
        let resume = if at_least > 2 { &["--resume"][..] } else { &[] };
        let child = begin(&mut command(&killed, &players, &[&more, resume].concat()));
        let journal = killed.join("games.jsonl");
        let lines = || std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
        wait_until("games are played", || lines() > at_least);
        kill(child);
        assert!(lines() < 25, "{}", lines());
        // An incomplete line simulates a run that was killed while writing.
        let mut file = std::fs::OpenOptions::new().append(true).open(&journal).unwrap();
        file.write_all(b"{\"game\":7,\"red\":\"slo").unwrap();
    }
    // A different match is rejected, and nothing is overwritten.
    let other = [player("slow", ",nodes=11"), player("good", ",nodes=10")];
    let refused = command(&killed, &other, &[&more[..], &["--resume"]].concat()).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(errors(&refused).contains("nodes"));
    let other = [player("slow", ",nodes=10,margin=9"), player("good", ",nodes=10")];
    let refused = command(&killed, &other, &[&more[..], &["--resume"]].concat()).output().unwrap();
    assert!(refused.status.code() == Some(2) && errors(&refused).contains("margin=9"), "{}", errors(&refused));
    assert_eq!(command(&killed, &players, &more).output().unwrap().status.code(), Some(2));

    let summary = run(&killed, &players, &[&more[..], &["--resume"]].concat());
    assert_eq!(summary["games"], 24);
    assert_eq!(games(&killed.join("games.jsonl")), games(&whole.join("games.jsonl")));
    // The records contain the same games in the same order; only dates and times may differ.
    let moves = |folder: &Folder| -> Vec<Vec<Move>> {
        let text = std::fs::read_to_string(folder.join("games.pgn")).unwrap();
        let games = chuhe::records::pgn::read(&text).unwrap();
        games.iter().map(|game| game.moves()).collect()
    };
    assert_eq!(moves(&killed), moves(&whole));
}

#[test]
fn a_test_stops_by_itself() {
    let folder = Folder::named("sprt");
    let players = [player("good", ",nodes=1"), player("resigning", ",nodes=1")];
    let summary = run(&folder, &players, &["--games", "400", "--sprt", "elo0=0,elo1=300"]);
    assert_eq!(summary["encounters"][0]["sprt"]["verdict"], "H1");
    assert!(summary["games"].as_u64().unwrap() < 60, "{summary}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_cleanly_with_what_is_played() {
    let folder = Folder::named("interrupt");
    let players = [player("slow", ",nodes=1"), player("good", ",nodes=1")];
    let mut child = command(&folder, &players, &["--games", "500", "--longest", "20"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let journal = folder.join("games.jsonl");
    wait_until("games are played", || std::fs::read_to_string(&journal).is_ok_and(|text| text.lines().count() > 2));
    crate::calls::signal(&child, "INT");
    let status = child.wait().unwrap();
    assert!(status.success(), "{status}");
    let mut report = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut report).unwrap();
    assert!(report.contains("of 500 games") && report.contains("Elo"), "{report}");
}

#[test]
fn options_that_are_refused_stop_the_match_before_it_begins() {
    let folder = Folder::named("refused");
    for (option, word) in [
        ("option.evalfile=typo.net", "typo.net"),
        ("hash=4294967295", "4294967295"),
        ("threads=9999", "9999"),
        ("option.repetition=never", "never"),
        ("option.nonsense=1", "nonsense"),
        ("option.singular=perhaps", "perhaps"),
    ] {
        let players = [format!("cmd=self,name=one,nodes=10,{option}"), "cmd=self,name=two,nodes=10".to_string()];
        let output = command(&folder, &players, &["--games", "2"]).output().unwrap();
        let errors = errors(&output);
        assert_eq!(output.status.code(), Some(2), "{option}: {errors}");
        assert!(errors.contains(word) && !folder.exists(), "{option}: {errors}");
    }
}

#[test]
fn a_technique_can_be_switched_off_for_a_match() {
    let folder = Folder::named("technique");
    let players = ["cmd=self,name=off,nodes=10,option.singular=false", "cmd=self,name=on,nodes=10"].map(str::to_string);
    let summary = run(&folder, &players, &["--games", "2", "--longest", "4"]);
    assert_eq!(summary["warnings"], serde_json::json!([]));
}

#[test]
fn what_a_player_says_of_its_options_stands_in_the_summary() {
    let folder = Folder::named("warned");
    let players = [player("good", ",nodes=1,option.Style=mad"), player("noise", ",nodes=1")];
    let summary = run(&folder, &players, &["--games", "2", "--longest", "10"]);
    let warnings = ["good: it offers no option Style", "good: output: no style is called mad"];
    assert_eq!(summary["warnings"], serde_json::json!(warnings));
}

#[cfg(unix)]
#[test]
fn a_signal_to_the_whole_job_is_no_crash() {
    let folder = Folder::named("signalled");
    let players = [player("signalled", ",nodes=1"), player("good", ",nodes=1")];
    text_of(done(&mut command(&folder, &players, &["--games", "4", "--longest", "30"])));
    assert_eq!(games(&folder.join("games.jsonl")), BTreeMap::new());
}

#[cfg(target_os = "linux")]
fn noted(folder: &Folder) -> Vec<u32> {
    let text = std::fs::read_to_string(folder.join("notes")).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

#[cfg(target_os = "linux")]
fn all_end(processes: &[u32]) {
    // A zombie process has already ended.
    let runs = |process: &u32| {
        std::fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
    };
    wait_until("they end", || !processes.iter().any(runs));
}

#[cfg(target_os = "linux")]
#[test]
fn what_an_engine_has_started_ends_with_it() {
    let folder = Folder::new("parent");
    let players = [player("parent", ",nodes=1,restart=true"), player("good", ",nodes=1")];
    let mut match_ = command(&folder, &players, &["--games", "2", "--longest", "6"]);
    assert!(match_.env(NOTES, folder.join("notes")).output().unwrap().status.success());
    // There is one process that tests the start, and one per game.
    let children = noted(&folder);
    assert_eq!(children.len(), 3, "{children:?}");
    all_end(&children);
}

#[cfg(target_os = "linux")]
#[test]
fn engines_end_when_the_match_is_killed() {
    let folder = Folder::new("orphans");
    let players = [player("stubborn", ",nodes=1"), player("good", ",nodes=1")];
    let child = begin(command(&folder, &players, &["--games", "2"]).env(NOTES, folder.join("notes")));
    wait_until("an engine plays", || !noted(&folder).is_empty());
    kill(child);
    let engines = noted(&folder);
    assert_eq!(engines.len(), 1, "{engines:?}");
    all_end(&engines);
}

/// Games in a journal are replayed, so illegal moves must be rejected: they would terminate the program or be
/// written to the records.
#[test]
fn a_journal_with_games_that_cannot_be_is_refused() {
    let players = [player("good", ",nodes=10"), player("other", ",nodes=10")];
    let more = ["--games", "2", "--longest", "20"];
    let folder = Folder::named("impossible");
    run(&folder, &players, &more);
    let path = folder.join("games.jsonl");
    let journal = std::fs::read_to_string(&path).unwrap();
    let first_move = journal.split("\"moves\":[\"").nth(1).and_then(|rest| rest.get(..4)).expect("a move");
    let wrong = [
        (format!("\"moves\":[\"{first_move}"), "\"moves\":[\"a0a0".to_owned(), "move 1 (\"a0a0\")"),
        ("\"fen\":\"".to_owned(), "\"fen\":\"9/".to_owned(), "game 1"),
        (
            "\"red\":\"good\"".to_owned(),
            "\"red\":\"stranger\"".to_owned(),
            "\"stranger\" is not a player of this match",
        ),
    ];
    for (right, wrong, reason) in wrong {
        std::fs::write(&path, journal.replacen(&right, &wrong, 1)).unwrap();
        let merged = done(crate::calls::command(&["match", "--merge"]).arg(&*folder));
        let resumed = command(&folder, &players, &[&more[..], &["--resume"]].concat()).output().unwrap();
        for output in [merged, resumed] {
            let said = errors(&output);
            let last = said.lines().last().unwrap_or_default();
            assert_eq!(output.status.code(), Some(2), "{said}");
            assert!(last.contains(reason) && last.contains("line 2"), "{said}");
        }
    }
}

#[test]
fn levels_play_moves_of_a_given_book() {
    let folder = Folder::new("match-with-a-book");
    let file = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).unwrap();
        folder.file(name)
    };
    let (record, start) = (file("games.pgn", "1. a3a4 a6a5 1-0\n"), file("start.fen", "startpos\n"));
    let book = folder.file("my.book");
    text_of(crate::calls::chuhe(&["book", "build", &record, "--out", &book]));
    let out = Folder::named("played-from-a-book");
    // A player's own options take precedence.
    let players = ["cmd=self,option.level=1", "cmd=self,name=b,option.usebook=false"].map(str::to_owned);
    let more = ["--openings", &start, "--games", "2", "--longest", "3", "--each", "nodes=1000,hash=1", "--book", &book];
    run(&out, &players, &more);
    let first = games(&out.join("games.jsonl")).into_values().map(|(moves, ..)| moves[0].clone()).collect::<Vec<_>>();
    assert_eq!(first.iter().filter(|mv| *mv == "a3a4").count(), 1, "{first:?}");
    for (more, reason) in [(["--book", &record], "games.pgn"), (["--book", &book], "--book: no player has cmd=self")] {
        let output = done(command(&out, &[player("good", ""), player("good", ",name=b")], &[]).args(more));
        assert!(errors(&output).contains(reason) && output.status.code() == Some(2), "{}", errors(&output));
    }
}
