//! Tests of `chuhe explore`: killed, resumed, shared by processes, planned for other machines, exported.

use crate::calls::{Folder, begin, chuhe, command, done, errors, kill, text, text_of};
use chuhe::board::{Move, Position, Side};
use chuhe::book::Book;
use chuhe::explore::{MoveView, Store};
use chuhe::records::{NodeId, pgn};
use rusqlite::Connection;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Returns a run with few nodes.
fn explore(database: &Path, more: &[&str]) -> Command {
    let effort = ["--nodes", "60", "--rest", "1", "--lines", "2", "--hash", "1", "--handcrafted"];
    let mut command = command(&["explore", "--to"]);
    command.arg(database).args(effort).args(more);
    command
}

fn check(database: &Path) {
    let said = text_of(done(command(&["explore", "check"]).arg(database)));
    assert!(said.contains("no fault"), "{said}");
}

#[test]
fn a_run_killed_at_random_moments_loses_nothing_and_repeats_nothing() {
    // The nightly checks kill the program more often.
    let kills = std::env::var("CHUHE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(6u32);
    let folder = Folder::new("explore-killed");
    let database = folder.join("a.explore.db");
    let start = Instant::now();
    text_of(done(&mut explore(&database, &["--positions", "20"])));
    let time = start.elapsed();
    let mut before = 20;
    for number in 1..=kills {
        let workers = [(); 2].map(|()| begin(&mut explore(&database, &["--lease", "1h"])));
        std::thread::sleep(time * (3 + number * 7 % 11) / 8);
        workers.into_iter().for_each(kill);
        let store = Store::open(&database).expect("a database");
        let now = store.count().expect("a count");
        assert!(now >= before, "{now} after {before}");
        assert_eq!(store.analyses().expect("a count"), now, "a position was analysed twice");
        before = now;
    }
    text_of(done(&mut explore(&database, &["--positions", "5", "--concurrency", "2"])));
    check(&database);
    // The leases of killed processes have not expired, but end with the processes.
    if cfg!(target_os = "linux") {
        let leases = Connection::open(&database).expect("a database");
        let left: i64 = leases.query_row("SELECT count(*) FROM leases", [], |row| row.get(0)).expect("a count");
        assert_eq!(left, 0, "leases of killed processes");
    }
}

#[test]
fn a_position_is_shown_with_its_line_and_the_holes() {
    let folder = Folder::new("explore-shown");
    let database = folder.join("a.explore.db");
    let said = text_of(done(&mut explore(&database, &["--positions", "40", "--moves", "h2e2"])));
    assert!(said.contains("40 positions analysed, 40 in all") && said.contains("at the root"), "{said}");
    let path = database.to_str().expect("a name");
    let shown = chuhe(&["explore", "show", path, "--moves", "b2e2", "--json"]);
    let view: Value = serde_json::from_str(text(&shown)).expect("JSON");
    let moves = view["moves"].as_array().expect("moves");
    assert!(view["below"] == 40 && moves.len() > 30 && view["opening"].is_string(), "{view}");
    assert!(moves.iter().all(|entry| entry["own"].is_number()), "every move has a score");
    assert_eq!(view["value"], moves[0]["value"], "the best move is the first");
    let table = text_of(chuhe(&["explore", "show", path, "--moves", "h2e2", "--notation", "wxf"]));
    assert!(table.contains("40 positions") && table.contains("Opening: "), "{table}");
    let chinese = text_of(chuhe(&["explore", "show", path, "--moves", "h2e2", "--language", "zh"]));
    assert!(chinese.contains("综合分") && chinese.contains("40 个局面"), "{chinese}");
    let line = chuhe(&["explore", "line", path, "--moves", "h2e2", "--json"]);
    let line: Value = serde_json::from_str(text(&line)).expect("JSON");
    assert!(line["line"].as_array().is_some_and(|line| line.len() > 1) && line["value"] == view["value"], "{line}");
    let holes = text_of(chuhe(&["explore", "holes", path, "--count", "3", "--json"]));
    let costs: Vec<u64> =
        holes.lines().map(|hole| serde_json::from_str::<Value>(hole).unwrap()["cost"].as_u64().unwrap()).collect();
    assert!(costs.len() == 3 && costs.is_sorted(), "{holes}");
    // Without a position, the only start is shown.
    let only = chuhe(&["explore", "show", path, "--json"]);
    assert_eq!(serde_json::from_str::<Value>(text(&only)).expect("JSON")["below"], 40);
    let other = chuhe(&["explore", "show", path, "--moves", "a0a1"]);
    assert_eq!(other.status.code(), Some(1), "the position was not explored");
    let refused = chuhe(&["explore", "holes", path, "--moves", "h2e2", "--played"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    check(&database);
}

#[test]
fn positions_that_people_play_have_a_share() {
    let folder = Folder::new("explore-played");
    let (database, games) = (folder.join("a.explore.db"), folder.join("games.pgn"));
    let game = |moves: &str| format!("[Game \"Chinese Chess\"]\n[Red \"Lu Qin\"]\n[Format \"ICCS\"]\n\n{moves} *\n\n");
    let moves = ["1. a0-a1 a9-a8 2. a1-a0 a8-a9", "1. a0-a1 i9-i8"];
    std::fs::write(&games, moves.map(game).concat()).expect("a file");
    let path = games.to_str().expect("a name");
    text_of(done(&mut explore(&database, &["--games", path, "--people", "50", "--positions", "8"])));
    let database_path = database.to_str().expect("a name");
    // The initial position, then 1. a0a1, which no engine would choose.
    let shown = chuhe(&["explore", "show", database_path, "--moves", "a0a1", "--json"]);
    assert!(text(&shown).contains("\"below\""), "{shown:?}");
    // Each hole has the moves that lead to it, also through positions that are not analysed, and the moves
    // that lead to played positions.
    let unanalysed = folder.join("unanalysed.explore.db");
    text_of(done(&mut explore(&unanalysed, &["--games", path, "--people", "0", "--positions", "1"])));
    let unanalysed = unanalysed.to_str().expect("a name");
    let holes = text_of(chuhe(&["explore", "holes", unanalysed, "--played", "--json"]));
    let holes: Vec<Value> = holes.lines().map(|hole| serde_json::from_str(hole).expect("JSON")).collect();
    assert_eq!(holes.len(), 4, "{holes:?}");
    let found = |moves: &str| {
        let hole = holes.iter().find(|hole| hole["moves"] == serde_json::json!(moves.split(' ').collect::<Vec<_>>()));
        hole.unwrap_or_else(|| panic!("{moves}: {holes:?}"))["played"].clone()
    };
    let played = |mv: &str, games: u64| serde_json::json!([{"move": mv, "games": games}]);
    assert_eq!(found("i0i1 i9i8"), played("i1i0", 1));
    // Both games contain the initial position.
    assert_eq!(found("i0i1 i9i8 i1i0"), played("i8i9", 2));
    assert_eq!(found("i0i1").as_array().map(Vec::len), Some(2));
    let table = text_of(chuhe(&["explore", "holes", unanalysed, "--played", "--notation", "iccs"]));
    assert!(table.contains("played") && table.contains("A9-A8 1, I9-I8 1"), "{table}");
    // The games in the library are shown beside the moves; of one player, if requested.
    let library = folder.join("a.games.db");
    text_of(done(command(&["games", "add", path, "--to"]).arg(&library)));
    let library = library.to_str().expect("a name");
    let played = |player: &str| -> u64 {
        let shown = chuhe(&["explore", "show", database_path, "--games", library, "--player", player, "--json"]);
        let view: Value = serde_json::from_str(text(&shown)).expect("JSON");
        let unfinished = |entry: &Value| entry["games"][3].as_u64().expect("a count");
        view["moves"].as_array().expect("moves").iter().map(unfinished).sum()
    };
    assert_eq!((played("lu qin"), played("Hu Ronghua")), (2, 0));
    let of_black = ["explore", "show", database_path, "--games", library, "--black", "lu qin", "--json"];
    let view: Value = serde_json::from_str(text(&chuhe(&of_black))).expect("JSON");
    assert!(view["moves"].as_array().is_some_and(|moves| moves.iter().all(|entry| entry["games"][3] == 0)), "{view}");
    let refused = chuhe(&["explore", "show", database_path, "--player", "lu qin"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let none = done(&mut explore(&database, &["--games", path, "--player", "Hu Ronghua"]));
    assert_eq!(none.status.code(), Some(2));
    // The games of one side.
    let of_side = |side: &str| {
        let more = ["--games", path, "--player", "lu qin", "--side", side, "--positions", "1"];
        done(&mut explore(&folder.join(format!("{side}.explore.db")), &more))
    };
    text_of(of_side("red"));
    assert!(errors(&of_side("black")).contains("no player of this side has this name"));
    let refused = done(&mut explore(&database, &["--games", path, "--side", "red"]));
    assert!(errors(&refused).contains("--player"), "{refused:?}");
    // An unreadable file is reported; the run uses the others, and fails at its end.
    let damaged = folder.join("damaged.xqf");
    std::fs::write(&damaged, "no game").expect("a file");
    let damaged = damaged.to_str().expect("a name");
    let partly = done(&mut explore(&database, &["--games", path, damaged, "--positions", "1"]));
    assert!(String::from_utf8_lossy(&partly.stderr).contains("damaged.xqf"), "{partly:?}");
    assert!(String::from_utf8_lossy(&partly.stdout).contains("1 position analysed, 9 in all"), "{partly:?}");
    assert_eq!(partly.status.code(), Some(1));
    check(&database);
}

#[test]
fn exercises_and_other_openings_are_left_out_and_holes_have_their_moves() {
    let folder = Folder::new("explore-exercises");
    let games = folder.join("games.pgn");
    let game = |fen: &str, moves: &str| format!("[Game \"Chinese Chess\"]\n[Red \"Lu Qin\"]\n{fen}\n{moves} *\n\n");
    let exercise = "[FEN \"3k5/9/9/9/9/9/9/9/4R4/4K4 w\"]\n";
    let all = [(exercise, "e1e5 d9d8"), ("", "g3g4 c6c5 b2e2"), ("", "h2e2 h9g7")];
    std::fs::write(&games, all.map(|(fen, moves)| game(fen, moves)).concat()).expect("a file");
    let games = games.to_str().expect("a name");
    let played = |database: &Path| -> Vec<i64> {
        let database = Connection::open(database).expect("a database");
        let mut games = database.prepare("SELECT games FROM played ORDER BY games DESC").expect("a table");
        games.query_map([], |row| row.get(0)).expect("rows").collect::<Result<_, _>>().expect("counts")
    };
    let whole = folder.join("a.explore.db");
    text_of(done(&mut explore(&whole, &["--games", games, "--player", "lu qin", "--positions", "3"])));
    assert_eq!(Store::open(&whole).expect("a database").roots().expect("roots"), [Position::start()]);
    assert_eq!(played(&whole), [2, 1, 1, 1, 1, 1], "the exercise is not counted");
    // The first position is the mirror image of a position in a game.
    let below = folder.join("b.explore.db");
    let moves = ["--moves", "兵七进一 卒７进１"];
    text_of(done(&mut explore(&below, &[&moves[..], &["--games", games, "--positions", "3"]].concat())));
    assert_eq!(played(&below), [1, 1]);
    let none = done(&mut explore(&folder.join("c.explore.db"), &["--moves", "a0a2", "--games", games]));
    assert!(String::from_utf8_lossy(&none.stderr).contains("no game reaches the start"), "{none:?}");
    // Each hole lists the moves that lead to it from the first position of the run.
    let path = below.to_str().expect("a name");
    let holes = text_of(chuhe(&[&["explore", "holes", path, "--json", "--count", "5"][..], &moves].concat()));
    let mut count = 0;
    for hole in holes.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")) {
        let mut position: Position = hole["start"].as_str().expect("a start").parse().expect("a FEN");
        let moves = hole["moves"].as_array().expect("moves");
        for mv in moves {
            let mv = mv.as_str().and_then(|mv| mv.parse().ok()).expect("a move");
            assert!(position.is_legal(mv), "{hole}");
            position.make(mv);
        }
        let end: Position = hole["fen"].as_str().expect("a FEN").parse().expect("a FEN");
        assert!(position.key() == end.key() && moves.len() > 2 && moves[..2] == ["c3c4", "g6g5"], "{hole}");
        count += 1;
    }
    assert_eq!(count, 5);
    let table = text_of(chuhe(&[&["explore", "holes", path, "--language", "zh"][..], &moves].concat()));
    assert!(table.lines().skip(2).all(|line| line.contains("兵七进一 卒７进１ ")), "{table}");
    // A further run and its holes are confined to the named position.
    let cannon = ["--moves", "h2e2"];
    text_of(done(&mut explore(&below, &[&cannon[..], &["--positions", "4"]].concat())));
    let mut after = Position::start();
    after.make("h2e2".parse().expect("a move"));
    let view = Store::open(&below).expect("a database").view(&after).expect("a view").expect("analysed");
    assert_eq!(view.below, 4);
    let holes = text_of(chuhe(&[&["explore", "holes", path, "--json", "--count", "5"][..], &cannon].concat()));
    assert_eq!(holes.lines().count(), 5);
    for hole in holes.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")) {
        assert_eq!(hole["moves"][0], "h2e2", "{hole}");
    }
}

#[test]
fn planned_positions_are_analysed_elsewhere_and_added() {
    let folder = Folder::new("explore-planned");
    let (database, jobs) = (folder.join("a.explore.db"), folder.join("jobs.epd"));
    text_of(done(&mut explore(&database, &["--positions", "10"])));
    let (path, jobs) = (database.to_str().expect("a name"), jobs.to_str().expect("a name"));
    text_of(chuhe(&["explore", "plan", path, "--leaves", "12", "--to", jobs]));
    let mut results = Vec::new();
    for part in ["1/2", "2/2"] {
        let effort = ["--multipv", "5", "--nodes", "200", "--hash", "1", "--json", "--handcrafted"];
        let lines = text_of(done(command(&["analyze", "--file", jobs, "--part", part]).args(effort)));
        let name = folder.join(format!("part{}.jsonl", &part[..1]));
        std::fs::write(&name, lines).expect("a file");
        results.push(name);
    }
    let added = text_of(done(command(&["explore", "add", path]).args(&results)));
    assert_eq!(
        added.lines().filter(|line| line.contains(": 6 new, 0 improved, 0 already there")).count(),
        2,
        "{added}"
    );
    let again = text_of(done(command(&["explore", "add", path]).args(&results)));
    assert_eq!(again.lines().filter(|line| line.contains("0 new, 0 improved, 6 already there")).count(), 2, "{again}");
    check(&database);
    // A second database is added as well, and damaged lines are counted.
    let copy = folder.join("b.explore.db");
    let added = text_of(done(command(&["explore", "add"]).arg(&copy).arg(&database)));
    assert!(added.contains("22 new"), "{added}");
    check(&copy);
    let damaged = folder.join("damaged.jsonl");
    std::fs::write(&damaged, "{\"error\":\"x\"}\nnot JSON\n").expect("a file");
    let unread = done(command(&["explore", "add", path]).arg(&damaged));
    assert!(
        unread.status.code() == Some(1) && String::from_utf8_lossy(&unread.stderr).contains("2 lines"),
        "{unread:?}"
    );
}

#[test]
fn the_nodes_of_the_other_moves_do_not_count_when_analyses_are_compared() {
    let folder = Folder::new("explore-rest");
    let (database, start) = (folder.join("a.explore.db"), folder.join("start.epd"));
    let mut run = command(&["explore", "--nodes", "60", "--rest", "200", "--lines", "2", "--positions", "1"]);
    text_of(done(run.args(["--hash", "1", "--handcrafted", "--to"]).arg(&database)));
    std::fs::write(&start, Position::start().to_string()).expect("a file");
    let effort = ["--multipv", "2", "--nodes", "200", "--hash", "1", "--json", "--handcrafted", "--file"];
    let better = folder.join("better.jsonl");
    std::fs::write(&better, text_of(done(command(&["analyze"]).args(effort).arg(&start)))).expect("a file");
    let added = text_of(done(command(&["explore", "add"]).arg(&database).arg(&better)));
    assert!(added.contains("0 new, 1 improved"), "{added}");
    check(&database);
}

#[test]
fn a_database_is_exported_and_used_as_a_book() {
    let folder = Folder::new("explore-exported");
    let database = folder.join("a.explore.db");
    text_of(done(&mut explore(&database, &["--positions", "30"])));
    let path = database.to_str().expect("a name");
    let export = |name: &str| {
        let to = folder.join(name);
        text_of(done(command(&["explore", "export", path, "--to"]).arg(&to)));
        to
    };
    let start = Position::start();
    let best = |book: &Path| Book::open(book).expect("a book").moves(&start).expect("moves")[0];
    let (own, itself) = (export("a.book"), best(&database));
    assert_eq!((best(&own).mv, best(&own).score), (itself.mv, itself.score));
    let view = Store::open(&database).expect("a database").view(&start).expect("a view").expect("the start");
    assert_eq!(Some(i64::from(view.value.score)), itself.score);
    // The other formats contain the same moves and scores, also in positions that only one path reaches.
    let mut after = start.clone();
    after.make(view.moves.iter().find(|entry| entry.below > 0).expect("an explored move").mv);
    let moves = |book: &Path| -> BTreeMap<String, Option<i64>> {
        let moves = Book::open(book).expect("a book").moves(&after).expect("moves").into_iter();
        moves.filter(|entry| entry.weight > 0).map(|entry| (entry.mv.to_string(), entry.score)).collect()
    };
    let expected = moves(&database);
    assert!(expected.len() > 1, "{expected:?}");
    for name in ["a.book", "b.obk", "b.xqb"] {
        let book = if name == "a.book" { own.clone() } else { export(name) };
        assert_eq!(moves(&book), expected, "{name}");
    }
    let near = folder.join("near.book");
    text_of(done(command(&["explore", "export", path, "--plies", "1", "--margin", "60", "--to"]).arg(&near)));
    let positions = |book: &Path| match Book::open(book).expect("a book") {
        Book::Own(book) => book.positions(),
        _ => 0,
    };
    let is_good =
        |entry: &&MoveView| entry.below > 0 && entry.value.is_some_and(|value| value.score >= view.value.score - 60);
    let good = view.moves.iter().filter(is_good).count();
    assert_eq!((positions(&near), positions(&own)), (1 + good, 30), "the start and the positions after its good moves");
    let small = folder.join("small.book");
    let most = ["--plies", "4", "--margin", "1000", "--moves-written", "2", "--to"];
    let limited = done(command(&["explore", "export", path]).args(most).arg(&small));
    assert!(errors(&limited).contains("the export ended at the maximum of 2"), "{limited:?}");
    assert_eq!(positions(&small), 2);
    let tree = folder.join("small.pgn");
    for (limit, is_cut) in [("5", true), ("10000", false)] {
        let options = ["--moves-written", limit, "--force", "--to"];
        let written = done(command(&["explore", "export", path]).args(options).arg(&tree));
        assert_eq!(errors(&written).contains("the maximum of 5"), is_cut, "{written:?}");
    }
    for (name, options, reason) in [
        ("a.jsonl", "--plies 1", "--plies: has no effect"),
        ("a.jsonl", "--margin 1", "--margin: has no effect"),
        ("a.obk", "--side red", "--side: needs --plies"),
        ("a.jsonl", "--fen startpos", "the position: has no effect"),
        ("a.jsonl", "--notation wxf", "--notation: applies only to .pgn"),
        ("a.book", "--moves-written 2", "--moves-written: needs --plies"),
        ("a.obk", "--plies 2 --notation wxf", "--notation: applies only to .pgn"),
    ] {
        let refused = done(command(&["explore", "export", path, "--to", name]).args(options.split(' ')));
        assert!(refused.status.code() == Some(2) && errors(&refused).contains(reason), "{name} {options}: {refused:?}");
    }
    let lines = std::fs::read_to_string(export("a.jsonl")).expect("a file");
    assert_eq!(lines.lines().count(), 30);
    let copy = folder.join("b.explore.db");
    text_of(done(command(&["explore", "add"]).arg(&copy).arg(folder.join("a.jsonl"))));
    let copied = Store::open(&copy).expect("a database").view(&start).expect("a view").expect("the start");
    assert_eq!((copied.value, &copied.engine), (view.value, &view.engine));
    let tree = export("a.pgn");
    let tree = std::fs::read_to_string(tree).expect("a file");
    assert!(tree.contains('(') && tree.contains("[Result"), "a tree has variations: {tree}");
    // With the option BookFile, the protocol plays from the database.
    let spoken = format!("uci\nsetoption name BookFile value {path}\nsetoption name OwnBook value true\n");
    let input = spoken + "position startpos\ngo movetime 5000\nquit\n";
    let played = crate::calls::chuhe_reading(&mut command(&[]), &input);
    let said = text(&played);
    let chosen = said.lines().find_map(|line| line.strip_prefix("bestmove ")).expect("a move");
    let known = Book::open(&database).expect("a book").moves(&start).expect("moves");
    let is_known = known.iter().any(|entry| entry.weight > 0 && chosen.starts_with(&entry.mv.to_string()));
    assert!(is_known && said.contains(" nodes 0 "), "{said}");
}

#[test]
fn a_tree_for_one_side_has_its_good_moves_and_all_explored_replies() {
    let folder = Folder::new("explore-side");
    let (database, tree) = (folder.join("a.explore.db"), folder.join("side.pgn"));
    text_of(done(&mut explore(&database, &["--positions", "60"])));
    let of_red = ["--side", "red", "--margin", "0"];
    text_of(done(command(&["explore", "export"]).arg(&database).args(of_red).arg("--to").arg(&tree)));
    let record = pgn::read(&std::fs::read_to_string(tree).expect("a file")).expect("PGN").remove(0);
    let store = Store::open(&database).expect("a database");
    let (mut open, mut most) = (vec![(NodeId::ROOT, record.start.clone())], 0);
    while let Some((id, position)) = open.pop() {
        let children: Vec<Move> = record.tree.children(id).filter_map(|child| record.tree.mv(child)).collect();
        let view = store.view(&position).expect("a view").map_or(Vec::new(), |view| view.moves);
        if position.side() == Side::Red {
            assert!(children.iter().all(|mv| view.iter().any(|entry| entry.mv == *mv && entry.value == view[0].value)));
        } else if !children.is_empty() {
            let explored = view.iter().filter(|entry| entry.below > 0 && !entry.barred);
            assert_eq!(children.len(), explored.count(), "{position}");
            most = most.max(children.len());
        }
        for child in record.tree.children(id) {
            let mut after = position.clone();
            after.make(record.tree.mv(child).expect("a move"));
            open.push((child, after));
        }
    }
    assert!(most > 1, "no position has several replies");
}

#[test]
fn a_review_says_where_a_game_leaves_the_explored_lines() {
    let folder = Folder::new("explore-reviewed");
    let (database, game) = (folder.join("a.explore.db"), folder.join("game.pgn"));
    text_of(done(&mut explore(&database, &["--positions", "30"])));
    let view =
        Store::open(&database).expect("a database").view(&Position::start()).expect("a view").expect("the start");
    let first = view.moves.iter().find(|entry| entry.below > 0).expect("an explored move").mv;
    let mut after = Position::start();
    after.make(first);
    let replies = Book::open(&database).expect("a book").moves(&after).expect("moves");
    let bad = replies.iter().find(|entry| entry.weight == 0).expect("a bad move").mv;
    std::fs::write(&game, format!("[Format \"ICCS\"]\n\n1. {first} {bad} *\n")).expect("a file");
    let path = game.to_str().expect("a name");
    let review = |more: &[&str]| {
        let mut command = command(&["review", path, "--nodes", "1000", "--hash", "1", "--language", "en"]);
        text_of(done(command.args(more)))
    };
    let annotated = folder.join("annotated.pgn");
    let of_database = ["--book", database.to_str().expect("a name")];
    let found: Value = serde_json::from_str(&review(&[&of_database[..], &["--json"]].concat())).expect("JSON");
    assert_eq!((&found["moves"][0]["book"], &found["moves"][1]["book"]), (&true.into(), &false.into()), "{found}");
    assert_eq!(found["leaves_explored"], 2);
    let said = review(&[&of_database[..], &["--pgn", annotated.to_str().expect("a name")]].concat());
    assert!(said.contains("1... ") && said.contains(" leaves the explored lines here."), "{said}");
    let record = std::fs::read_to_string(&annotated).expect("a file");
    assert_eq!(record.matches("; leaves the explored lines here").count(), 1, "{record}");
    // A database that begins later counts from its first position on.
    let later = folder.join("later.explore.db");
    text_of(done(&mut explore(&later, &["--positions", "1", "--moves", "g0e2"])));
    let game = folder.join("later.txt");
    std::fs::write(&game, "g0e2 a9a8").expect("a file");
    let arguments = ["review", game.to_str().expect("a name"), "--nodes", "1000", "--json", "--book"];
    let found: Value = serde_json::from_str(&text_of(done(command(&arguments).arg(&later)))).expect("JSON");
    assert_eq!(found["leaves_explored"], 2, "{found}");
    // The built-in book is not described as explored.
    assert!(!review(&["--json"]).contains("leaves_explored"));
}
