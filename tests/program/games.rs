//! The game library compared with a linear scan, and tests with damaged or missing files.

use crate::calls::{Folder, begin, command, kill};
#[cfg(unix)]
use crate::calls::{chuhe_under, errors};
use chuhe::board::{Move, Position};
use chuhe::desk::{DatabaseAccess, DeskSettings, Message, RequestHandler, Stop};
use chuhe::games::{Change, Error, Group, Library, Pattern, Query, Results};
use chuhe::notation::Form;
use chuhe::random::SplitMix64;
use chuhe::records::{GameResult, NodeId, Record, xqf};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Duration;

/// Changes a library and commits the change.
pub(crate) fn in_change<T>(library: &mut Library, work: impl FnOnce(&Change) -> Result<T, Error>) -> T {
    let change = library.change().expect("a change");
    let done = work(&change).expect("it is done");
    change.commit().expect("it is written");
    done
}

/// Returns random games whose first plies are restricted to few moves, so that many share positions,
/// including mirrored ones.
fn random_games(count: usize, seed: u64) -> Vec<Record> {
    let mut random = SplitMix64::new(seed);
    let players = ["胡榮華", "胡荣华", "許銀川", "Lu Qin", "趙國榮", ""];
    let results = [GameResult::RedWins, GameResult::Draw, GameResult::BlackWins, GameResult::Unknown];
    let mut games = Vec::new();
    let mut seen = HashSet::new();
    while games.len() < count {
        let (mut position, mut line) = (Position::start(), Vec::new());
        let turned = random.below(2) == 1;
        for ply in 0..random.below(60) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let choice = if ply < 4 { random.below(3) * 7 } else { random.below(moves.len() as u64) };
            let mv = moves[choice as usize % moves.len()];
            position.make(mv);
            line.push(if turned { mv.mirrored() } else { mv });
        }
        if !seen.insert(line.clone()) {
            continue;
        }
        let mut game = Record::of_line(Position::start(), line.into_iter().map(|mv| (mv, String::new())));
        let mut draw = |names: &[&str]| names[random.below(names.len() as u64) as usize].to_string();
        game.set_tag("Red", &draw(&players));
        game.set_tag("Black", &draw(&players));
        game.set_tag("Event", &draw(&["全國賽", "World Championship", "100%_"]));
        game.set_tag("Date", &draw(&["1955.5", "1987.04.02", "2001年3月", ""]));
        game.result = results[random.below(4) as usize];
        games.push(game);
    }
    games
}

fn library(path: &Path, games: &[Record]) -> Library {
    let mut library = Library::open_to_add(path).unwrap();
    for batch in games.chunks(300) {
        assert_eq!(library.add(batch).unwrap().games, batch.len());
    }
    Library::open(path).unwrap()
}

/// Returns the first occurrence of a position in a game, and the move played there.
fn scan(game: &Record, wanted: &Position) -> Option<(usize, Option<Move>)> {
    let board = |position: &Position| (position.side(), position.setup().board);
    let wanted = board(wanted);
    let mut position = game.start.clone();
    let moves = game.moves();
    for ply in 0..=moves.len() {
        if board(&position) == wanted {
            return Some((ply, moves.get(ply).copied()));
        }
        position.make(*moves.get(ply)?);
    }
    None
}

#[test]
fn positions_are_found_as_by_a_plain_scan() {
    let folder = Folder::new("scan");
    let games = random_games(1500, 1);
    let library = library(folder.join("a.games.db").as_path(), &games);
    let mut random = SplitMix64::new(2);
    for question in 0..if cfg!(debug_assertions) { 100 } else { 300 } {
        let game = &games[random.below(games.len() as u64) as usize];
        let mut position = Position::start();
        let moves = game.moves();
        for mv in &moves[..random.below(moves.len() as u64 + 1) as usize] {
            position.make(*mv);
        }
        for mirrored in [false, true] {
            let query = Query { pattern: Some(Pattern::position(&position, mirrored)), ..Query::default() };
            let found: Vec<i64> = library.search(&query).unwrap().iter().map(|found| found.id).collect();
            let has = |game: &Record| {
                scan(game, &position).is_some() || mirrored && scan(game, &position.mirrored()).is_some()
            };
            let expected: Vec<i64> = (1..).zip(&games).filter(|(_, game)| has(game)).map(|(id, _)| id).collect();
            assert_eq!(found, expected, "question {question}: {position}");
        }
    }
}

#[test]
fn conditions_find_what_the_tags_say() {
    let folder = Folder::new("tags");
    let games = random_games(400, 3);
    let library = library(folder.join("a.games.db").as_path(), &games);
    let count = |query: Query| library.search(&query).unwrap().len();
    let tagged = |has: &dyn Fn(&Record) -> bool| games.iter().filter(|game| has(game)).count();
    let is_hu = |name: Option<&str>| name.is_some_and(|name| name == "胡榮華" || name == "胡荣华");
    for spelling in ["胡榮華", "胡荣华", "荣"] {
        let red = Query { red: Some(spelling.to_owned()), ..Query::default() };
        let zhao = if spelling == "荣" { Some("趙國榮") } else { None };
        let expected = tagged(&|game| is_hu(game.tag("Red")) || zhao.is_some() && game.tag("Red") == zhao);
        assert_eq!(count(red), expected, "{spelling}");
    }
    let either = Query { player: Some("lu qin".to_owned()), ..Query::default() };
    assert_eq!(count(either), tagged(&|game| [game.tag("Red"), game.tag("Black")].contains(&Some("Lu Qin"))));
    let event = Query { event: Some("0%_".to_owned()), ..Query::default() };
    assert_eq!(count(event), tagged(&|game| game.tag("Event") == Some("100%_")));
    let years = Query { since: Some(1980), until: Some(1999), result: Some(GameResult::Draw), ..Query::default() };
    let expected = tagged(&|game| game.tag("Date") == Some("1987.04.02") && game.result == GameResult::Draw);
    assert_eq!(count(years), expected);
    let length = Query { plies_from: Some(10), plies_to: Some(20), ..Query::default() };
    assert_eq!(count(length), tagged(&|game| (10..=20).contains(&game.moves().len())));
}

#[test]
fn results_and_moves_are_those_of_a_recount() {
    let folder = Folder::new("recount");
    let games = random_games(800, 5);
    let library = library(folder.join("a.games.db").as_path(), &games);
    let mut expected: HashMap<String, Results> = HashMap::new();
    for game in &games {
        for (tag, is_black) in [("Red", false), ("Black", true)] {
            let name = game.tag(tag).unwrap_or_default().replace("榮華", "荣华");
            if !name.is_empty() {
                expected.entry(name).or_default().add(game.result, is_black);
            }
        }
    }
    let rows = library.table(&Query::default(), Group::Player).unwrap();
    assert_eq!(rows.len(), expected.len());
    for row in rows {
        assert_eq!(Some(&row.results()), expected.get(&row.name.replace("榮華", "荣华")), "{}", row.name);
    }
    let mut after = Position::start();
    after.make(Position::start().legal_moves()[7]);
    let mut played: HashMap<Move, u64> = HashMap::new();
    for game in &games {
        let as_it_is = scan(game, &after).and_then(|(_, mv)| mv);
        let mirrored = || scan(game, &after.mirrored()).and_then(|(_, mv)| mv).map(Move::mirrored);
        if let Some(mv) = as_it_is.or_else(mirrored) {
            *played.entry(mv).or_default() += 1;
        }
    }
    let found = library.moves(&after, &Query::default()).unwrap();
    let found: HashMap<Move, u64> = found.into_iter().map(|found| (found.mv, found.results.games())).collect();
    assert!(!found.is_empty() && found == played, "{found:?}\n{played:?}");
}

#[test]
fn a_game_comes_back_with_its_tags_comments_and_side_lines() {
    let folder = Folder::new("whole");
    let text = "[Event \"a\"]\n[Red \"x\"]\n[Site \"b\"]\n\n{first} 1. h2e2 {good} (1. c3c4 b7c7) h9g7 $1 1-0\n";
    let mut games = chuhe::records::RecordReader::new(std::io::Cursor::new(text.as_bytes().to_vec())).unwrap();
    let game = games.next().unwrap().unwrap();
    let end: Position = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1".parse().unwrap();
    let endgame = Record::of_line(end, [("a0a9".parse().unwrap(), String::new())]);
    let path = folder.join("a.games.db");
    let library = library(&path, &[game.clone(), endgame.clone()]);
    assert_eq!(library.game(1).unwrap(), Some(game.clone()));
    assert_eq!(library.game(2).unwrap(), Some(endgame));
    assert_eq!(library.game(3).unwrap(), None);
    let mut again = game;
    again.set_tag("Red", "another spelling");
    let added = Library::open_to_add(&path).unwrap().add(&[again]).unwrap();
    assert_eq!((added.games, added.duplicates), (0, vec![(0, 1)]));
}

#[test]
fn games_without_moves_are_told_apart_by_their_players_and_dates() {
    let folder = Folder::new("forfeits");
    let forfeit = |red: &str, date: &str| {
        let mut game = Record { result: GameResult::RedWins, ..Record::new(Position::start()) };
        for (name, value) in [("Red", red), ("Black", "Li"), ("Date", date)] {
            game.set_tag(name, value);
        }
        game
    };
    let path = folder.join("a.games.db");
    drop(library(&path, &[forfeit("Hu", "1960")]));
    let mut library = Library::open_to_add(&path).unwrap();
    let added = library.add(&[forfeit("Yang", "1960"), forfeit("Hu", "1961"), forfeit("Hu", "1960")]).unwrap();
    assert_eq!((added.games, added.duplicates), (2, vec![(2, 1)]));
}

#[test]
fn a_known_result_replaces_an_unknown_one() {
    let folder = Folder::new("results");
    let games = random_games(3, 17);
    let with = |index: usize, result| Record { result, ..games[index].clone() };
    let unknown = [0, 1].map(|index| with(index, GameResult::Unknown));
    let path = folder.join("a.games.db");
    drop(library(&path, &unknown));
    let mut library = Library::open_to_add(&path).unwrap();
    let again = [
        with(2, GameResult::Draw),
        with(0, GameResult::BlackWins),
        with(0, GameResult::RedWins),
        with(1, GameResult::Unknown),
    ];
    let added = library.add(&again).unwrap();
    assert_eq!((added.games, added.duplicates.len(), added.results), (1, 3, 1));
    let results: Vec<GameResult> = (1..=3).map(|id| library.game(id).unwrap().unwrap().result).collect();
    assert_eq!(results, [GameResult::BlackWins, GameResult::Unknown, GameResult::Draw]);
    assert_eq!(added.contradictions, [(2, 1)]);
    // The statistics count the result, and each game once.
    let moves = library.moves(&Position::start(), &Query::default()).unwrap();
    assert_eq!(moves.iter().map(|found| found.results.games()).sum::<u64>(), 3);
    drop(library);
    std::fs::write(folder.file("again.pgn"), chuhe::records::pgn::write(&again[2], Form::Iccs)).unwrap();
    let add = ["games", "add", &folder.file("again.pgn"), "--to", &path.to_string_lossy()];
    let (status, said) = chuhe(&add);
    assert!(status == 0 && said.contains("game 1: its result contradicts that of the same game 1"), "{said}");
}

#[test]
fn comments_of_a_duplicate_are_stored_unless_the_library_has_others() {
    let folder = Folder::new("comments");
    let path = folder.join("a.games.db");
    let game = |said: &str| {
        let moves = [("h2e2", said), ("h9g7", "")].map(|(mv, said)| (mv.parse().unwrap(), said.to_owned()));
        Record::of_line(Position::start(), moves)
    };
    drop(library(&path, &[game("")]));
    let mut library = Library::open_to_add(&path).unwrap();
    for (said, annotated, different, stored) in
        [("good", 1, 0, "good"), ("good", 0, 0, "good"), ("bad", 0, 1, "good"), ("", 0, 0, "good")]
    {
        let added = library.add(&[game(said)]).unwrap();
        assert_eq!(
            (added.games, added.duplicates.len(), added.annotated, added.different),
            (0, 1, annotated, different),
            "{said}"
        );
        assert_eq!(library.game(1).unwrap().unwrap().tree, game(stored).tree, "{said}");
    }
    // Storing normalises this comment; both copies have the same normal form, so they do not differ.
    let odd = "a {b}\n\n  c";
    in_change(&mut library, |change| change.put(&game(odd), ""));
    drop(library);
    let again = folder.join("odd.games.db");
    drop(self::library(&again, &[game(odd)]));
    let added = Library::open_to_add(&again).unwrap().add(&[game(odd)]).unwrap();
    assert_eq!((added.duplicates.len(), added.annotated, added.different), (1, 0, 0));
    let file = folder.join("again.pgn");
    std::fs::write(&file, "1. h2e2 {better} h9g7 *\n").unwrap();
    let (status, said) = chuhe(&["games", "add", &file.to_string_lossy(), "--to", &path.to_string_lossy()]);
    assert!(status == 0 && said.contains("1 game differs in comments"), "{said}");
}

#[test]
fn a_game_is_replaced_under_its_number() {
    let folder = Folder::new("replaced");
    let path = folder.join("a.games.db");
    let games = random_games(4, 31);
    drop(library(&path, &games[..3]));
    let mut library = Library::open_to_add(&path).unwrap();
    assert!(in_change(&mut library, |change| change.replace(2, &games[3])));
    assert!(!in_change(&mut library, |change| change.replace(9, &games[3])));
    assert_eq!(library.ids().unwrap(), [1, 2, 3]);
    assert_eq!(library.game(2).unwrap().unwrap(), games[3]);
    let end = |game: &Record| {
        let mut position = game.start.clone();
        for mv in game.moves() {
            position.make(mv);
        }
        Query { pattern: Some(Pattern::position(&position, false)), ..Query::default() }
    };
    let found =
        |library: &Library, game: &Record| library.search(&end(game)).unwrap().iter().any(|found| found.id == 2);
    assert!(found(&library, &games[3]) && !found(&library, &games[1]));
}

fn chuhe(arguments: &[&str]) -> (i32, String) {
    let output = crate::calls::chuhe(arguments);
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn files_that_are_no_libraries_are_refused_in_one_sentence() {
    let folder = Folder::new("refused");
    let database =
        |name: &str, sql: &str| rusqlite::Connection::open(folder.file(name)).unwrap().execute_batch(sql).unwrap();
    std::fs::write(folder.file("game.pgn"), "1. h2e2 h9g7 *\n").unwrap();
    std::fs::write(
        folder.file("text"),
        "This is a text that is longer than the header of a database of SQLite is.".repeat(9),
    )
    .unwrap();
    database("foreign", "CREATE TABLE people (name TEXT)");
    assert_eq!(chuhe(&["games", "add", &folder.file("game.pgn"), "--to", &folder.file("newer")]).0, 0);
    database("newer", "PRAGMA user_version = 99");
    for (name, reason) in [
        ("text", "not a game library"),
        ("foreign", "a database created by another program"),
        ("newer", "version 99"),
        ("nowhere/there", "cannot be opened for writing"),
        // Not even the superuser can create files in `/proc`.
        #[cfg(target_os = "linux")]
        ("/proc/self/a.games.db", "cannot be opened for writing"),
    ] {
        let (status, said) = chuhe(&["games", "add", &folder.file("game.pgn"), "--to", &folder.file(name)]);
        assert!(status == 2 && said.lines().count() == 1 && said.contains(reason), "{name}: {status} {said}");
    }
    let (status, said) = chuhe(&["games", "find", &folder.file("missing")]);
    assert!(status == 2 && said.lines().count() == 1 && said.contains("file not found"), "{said}");
}

/// A limit of 100 kB per file simulates a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_is_one_sentence_and_the_library_goes_on_afterwards() {
    let folder = Folder::new("full");
    let games = random_games(300, 9);
    let text: String = games.iter().map(|game| chuhe::records::lines::write_position(game) + "\n").collect();
    std::fs::write(folder.file("few.txt"), &text[..text.find('\n').unwrap() + 1]).unwrap();
    std::fs::write(folder.file("games.txt"), text).unwrap();
    let to = folder.file("a.games.db");
    assert_eq!(chuhe(&["games", "add", &folder.file("few.txt"), "--to", &to]).0, 0);
    let done = chuhe_under("ulimit -f 200", &folder, "games add games.txt --to a.games.db");
    let said = errors(&done);
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(said.lines().count() == 1 && said.contains("a.games.db: cannot be read or written"), "{said}");
    assert_eq!(Library::open(Path::new(&to)).unwrap().count().unwrap(), 1);
    assert_eq!(chuhe(&["games", "add", &folder.file("games.txt"), "--to", &to]).0, 0);
    assert_eq!(Library::open(Path::new(&to)).unwrap().count().unwrap(), 300);
}

#[test]
fn a_game_that_could_not_be_read_again_is_left_out() {
    let folder = Folder::new("nested");
    let (mut deep, mut position) = (Record::default(), Position::start());
    let first: Move = "h2e2".parse().unwrap();
    let mut last = deep.tree.add(NodeId::ROOT, first).unwrap();
    position.make(first);
    for _ in 0..201 {
        let moves = position.legal_moves();
        deep.tree.add(last, moves[0]).unwrap();
        last = deep.tree.add(last, moves[1]).unwrap();
        position.make(moves[1]);
    }
    let (deep_file, flat_file, to) = (folder.file("deep.xqf"), folder.file("flat.pgn"), folder.file("a.games.db"));
    std::fs::write(&deep_file, xqf::write(&deep)).unwrap();
    std::fs::write(&flat_file, "1. c3c4 *\n").unwrap();
    let (status, said) = chuhe(&["games", "add", &deep_file, &flat_file, "--to", &to, "--language", "en"]);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("deep.xqf: 1: the variations of the game are nested too deeply"), "{said}");
    assert_eq!(Library::open(Path::new(&to)).unwrap().count().unwrap(), 1);
    // Within one batch, the other games are added.
    let mut library = Library::open_to_add(Path::new(&to)).unwrap();
    let other = Record::of_line(Position::start(), [("b2e2".parse().unwrap(), String::new())]);
    let added = library.add(&[deep.clone(), other]).unwrap();
    assert_eq!((added.games, added.refused.len(), added.refused[0].0), (1, 1, 0));
    let error = library.change().unwrap().put(&deep, "").unwrap_err();
    assert!(matches!(error, Error::Unreadable(_)), "{error}");
}

#[test]
fn a_stray_file_is_named_and_the_games_around_it_are_added() {
    let folder = Folder::new("stray");
    std::fs::create_dir(folder.file("in")).unwrap();
    std::fs::write(folder.file("in/a.pgn"), "1. h2e2 h9g7 1-0\n").unwrap();
    std::fs::write(folder.file("in/b.pgn"), "[Red \"x\"]\n\n1. h2e2 h2e2 *\n").unwrap();
    std::fs::write(folder.file("in/c.xqf"), "XQ").unwrap();
    std::fs::write(folder.file("in/d.pgn"), "1. c3c4 b7c7 0-1\n\n1. h2e2 h9g7 1-0\n").unwrap();
    let (folder_in, to) = (folder.file("in"), folder.file("a.db"));
    let (status, said) = chuhe(&["games", "add", &folder_in, "--to", &to, "--language", "en"]);
    assert_eq!(status, 1, "{said}");
    for part in ["b.pgn", "c.xqf", "2 added, 1 already there, 2 in all", "game 1 of the library has the same moves"] {
        assert!(said.contains(part), "{part} is missing in: {said}");
    }
    let (status, said) = chuhe(&["games", "find", &to, "--opening", "E1", "--json"]);
    assert!(status == 0 && said.contains("\"result\":\"0-1\"") && said.lines().count() == 1, "{said}");
}

#[test]
fn a_longer_version_of_a_game_replaces_a_shorter_one() {
    let folder = Folder::new("versions");
    let longest = random_games(50, 5).into_iter().max_by_key(|game| game.moves().len()).unwrap();
    let line: Vec<String> = longest.moves().iter().map(ToString::to_string).collect();
    let game = |tags: &str, plies: usize, end: &str| {
        format!("{tags}\n[Black \"Li\"]\n\n{} {end}\n\n", line[..plies].join(" "))
    };
    let hu = "[Red \"Hu\"]";
    // Games with the same moves but different or unknown players, or with too few moves, are different games.
    let games = [
        game("[Red \"Hu\"]\n[Date \"1960\"]", 26, "*"),
        game("[Red \"Yang\"]", 28, "*"),
        game("[Red \"?\"]", 27, "*"),
        game(hu, 30, "1-0"),
        game(hu, 12, "*"),
        game("[Red \"?\"]", 29, "*"),
        game(hu, 25, "*"),
        game(hu, 24, "0-1"),
        game("[Red \"Yang\"]", 31, "{a comment} *"),
        game("[Red \"Yang\"]", 32, "*"),
    ];
    std::fs::write(folder.file("games.pgn"), games.concat()).unwrap();
    let (file, to) = (folder.file("games.pgn"), folder.file("a.games.db"));
    let (status, said) = chuhe(&["games", "add", &file, "--to", &to, "--language", "en"]);
    for part in [
        "games.pgn, game 4: replaced its shorter version, game 1 of the library",
        "games.pgn, game 7: game 1 of the library has the same moves",
        // The versions have different results; the shorter version has a comment.
        "games.pgn, game 8: a longer or shorter version of game 1 of the library",
        "games.pgn, game 9: replaced its shorter version, game 2 of the library",
        "games.pgn, game 10: a longer or shorter version of game 2 of the library",
        "7 added, 1 already there, 7 in all",
    ] {
        assert!(status == 0 && said.contains(part), "{part} is missing in: {said}");
    }
    // The longer version has the tags of the shorter one, and each of its positions is found once.
    let library = Library::open(to.as_ref()).unwrap();
    let replaced = library.game(1).unwrap().unwrap();
    assert_eq!((replaced.moves().len(), replaced.tag("Date")), (30, Some("1960")));
    for plies in [0, 20, 26, 30] {
        let mut position = Position::start();
        for mv in &longest.moves()[..plies] {
            position.make(*mv);
        }
        let query = Query { pattern: Some(Pattern::position(&position, false)), ..Query::default() };
        let found: Vec<i64> = library.search(&query).unwrap().iter().map(|found| found.id).collect();
        let expected = library.search(&Query { plies_from: Some(plies as i64), ..Query::default() }).unwrap();
        assert_eq!(found, expected.iter().map(|found| found.id).collect::<Vec<i64>>(), "{plies} plies");
    }
}

/// Returns the response of a desk as JSON.
fn ask(desk: &mut RequestHandler, message: &str) -> Value {
    let mut answers = Vec::new();
    let message = Message::read(message).unwrap();
    desk.handle(&message, &Stop::default(), &mut |event| answers.push(serde_json::to_value(&event).unwrap()));
    assert_eq!(answers.len(), 1);
    answers.remove(0)
}

#[test]
fn a_desk_reads_a_list_window_by_window_and_adds_only_what_it_may() {
    let folder = Folder::new("desk");
    let path = folder.join("a.games.db");
    let games = random_games(700, 11);
    drop(library(&path, &games));
    let access = |may_add| Some(DatabaseAccess { path: path.as_path().into(), may_add, may_edit: false });
    let mut desk = RequestHandler::new(DeskSettings { library: access(false), ..DeskSettings::default() });
    assert_eq!(
        ask(&mut desk, r#"{"id":1,"do":"hello"}"#)["library"],
        json!({"games": 700, "may_add": false, "may_edit": false})
    );
    let (mut from, mut seen) = (0, Vec::new());
    while from < 700 {
        let answer = ask(&mut desk, &json!({"id": 2, "do": "find", "from": from, "count": 300}).to_string());
        assert_eq!((&answer["total"], &answer["from"]), (&json!(700), &json!(from)));
        let rows = answer["games"].as_array().unwrap();
        seen.extend(rows.iter().map(|row| row["id"].as_i64().unwrap()));
        from += rows.len();
    }
    assert_eq!(seen, (1..=700).collect::<Vec<i64>>());
    let wanted =
        json!({"id": 3, "do": "find", "position": true, "moves": ["h2e2"], "player": "胡荣华", "result": "1-0"});
    let mut after = Position::start();
    after.make("h2e2".parse().unwrap());
    let hu = Query { player: Some("胡荣华".into()), result: Some(GameResult::RedWins), ..Query::default() };
    let hu = Query { pattern: Some(Pattern::position(&after, true)), ..hu };
    let expected = Library::open(&path).unwrap().search(&hu).unwrap().len();
    assert_eq!(ask(&mut desk, &wanted.to_string())["total"], json!(expected));
    let shown = ask(&mut desk, r#"{"id":4,"do":"show","game":7}"#);
    assert_eq!(shown["games"][0]["tree"]["nodes"].as_array().unwrap().len(), games[6].moves().len());
    assert_eq!(ask(&mut desk, r#"{"id":5,"do":"show","game":701}"#)["code"], "bad_request");
    let played = ask(&mut desk, r#"{"id":6,"do":"played"}"#);
    let counted: u64 = played["moves"].as_array().unwrap().iter().map(|mv| mv["games"].as_u64().unwrap()).sum();
    assert_eq!(counted, games.iter().filter(|game| !game.moves().is_empty()).count() as u64);
    let add = r#"{"id":7,"do":"add","base64":"MS4gaTNpNCBpNmk1IDEtMAo="}"#;
    assert_eq!(ask(&mut desk, add)["code"], "read_only");
    let mut desk = RequestHandler::new(DeskSettings { library: access(true), ..DeskSettings::default() });
    let added = ask(&mut desk, add);
    assert_eq!((&added["added"], &added["total"]), (&json!(1), &json!(701)), "{added}");
    assert_eq!(ask(&mut desk, add)["duplicates"], json!(1));
    assert_eq!(ask(&mut desk, r#"{"id":8,"do":"find"}"#)["total"], json!(701));
    assert_eq!(ask(&mut RequestHandler::default(), r#"{"id":9,"do":"find"}"#)["code"], "no_library");
}

#[test]
fn whatever_moment_the_program_is_killed_every_game_is_whole_and_none_is_there_twice() {
    let folder = Folder::new("killed");
    let games = random_games(9000, 7);
    let text: String = games.iter().map(|game| chuhe::records::lines::write_position(game) + "\n").collect();
    std::fs::write(folder.file("games.txt"), text).unwrap();
    let (file, to) = (folder.file("games.txt"), folder.file("a.games.db"));
    let mut random = SplitMix64::new(8);
    let mut before = 0;
    for _ in 0..20 {
        let child = begin(&mut command(&["games", "add", &file, "--to", &to]));
        std::thread::sleep(Duration::from_millis(random.below(400)));
        kill(child);
        // The next program that opens the file rolls back the unfinished transaction.
        let now = match Library::open(Path::new(&to)) {
            Ok(library) => library.count().unwrap(),
            Err(said) => {
                assert!(["the file is empty", "file not found"].contains(&said.to_string().as_str()), "{said}");
                0
            }
        };
        assert!(now >= before, "{now} games, after {before}");
        before = now;
    }
    assert_eq!(chuhe(&["games", "add", &file, "--to", &to]).0, 0);
    let library = Library::open(Path::new(&to)).unwrap();
    assert_eq!(library.count().unwrap(), games.len() as u64);
    for id in library.ids().unwrap() {
        assert_eq!(library.game(id).unwrap().unwrap().moves(), games[id as usize - 1].moves());
    }
    let start = Query { pattern: Some(Pattern::position(&Position::start(), true)), ..Query::default() };
    assert_eq!(library.search(&start).unwrap().len(), games.len());
}

/// Returns games of two moves, each with its players and its result.
fn pgn(games: &[(&str, &str, &str)]) -> String {
    let starts = ["h2e2 h9g7", "b2e2 h9g7", "c3c4 g6g5", "g3g4 c6c5", "h0g2 g6g5", "b0c2 c6c5"];
    let game = |((red, black, result), moves): (&(&str, &str, &str), &&str)| {
        format!("[Red \"{red}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
    };
    games.iter().zip(&starts).map(game).collect()
}

#[test]
fn the_results_of_a_player_are_that_players_own_with_both_colours() {
    let folder = Folder::new("own results");
    let games = [
        ("胡榮華", "吕钦", "1-0"),
        ("吕钦", "胡荣华", "1-0"),
        ("吕钦", "胡　荣华", "1-0"),
        ("赵国荣", "上海胡荣华", "1/2-1/2"),
        ("吕钦", "赵国荣", "0-1"),
    ];
    std::fs::write(folder.file("games.pgn"), pgn(&games)).unwrap();
    std::fs::write(folder.file("players.txt"), "胡荣华 = 上海胡荣华\n").unwrap();
    let (to, alias) = (folder.file("a.db"), folder.file("players.txt"));
    assert_eq!(chuhe(&["games", "add", &folder.file("games.pgn"), "--to", &to]).0, 0);
    let stats = |more: &[&str]| -> Vec<Value> {
        let (status, said) = chuhe(&[&["games", "stats", &to, "--json"], more].concat());
        assert_eq!(status, 0, "{said}");
        said.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let figures = |row: &Value| ["games", "won", "drawn", "lost"].map(|name| row[name].as_u64().unwrap());
    let row = &stats(&["--by", "year", "--player", "胡荣华", "--alias", &alias])[0];
    assert_eq!(figures(row), [4, 1, 1, 2], "{row}");
    assert_eq!((figures(&row["red"]), figures(&row["black"])), ([1, 1, 0, 0], [3, 0, 1, 2]), "{row}");
    let row = &stats(&["--by", "year", "--black", "胡荣华"])[0];
    assert_eq!((figures(row), &row["red"]), ([3, 0, 1, 2], &Value::Null), "{row}");
    let row = &stats(&["--by", "year"])[0];
    assert_eq!(figures(row), [5, 3, 1, 1], "Red's results");
    let rows = stats(&["--by", "player", "--alias", &alias]);
    let of = |name: &str| rows.iter().find(|row| row["name"] == name).map(figures);
    assert_eq!((rows.len(), of("胡荣华"), of("吕钦")), (3, Some([4, 1, 1, 2]), Some([4, 2, 0, 2])), "{rows:?}");
    // The output contains the player's name and fits a terminal of 80 columns.
    let (_, said) = chuhe(&["games", "stats", &to, "--player", "胡荣华", "--language", "en"]);
    assert!(said.starts_with("Results of 胡荣华"), "{said}");
    assert!(said.lines().all(|line| unicode_width::UnicodeWidthStr::width(line) <= 80), "{said}");
    // Only the player's own moves are counted.
    let (_, said) = chuhe(&["games", "moves", &to, "--player", "胡荣华", "--json"]);
    assert!(said.lines().count() == 1 && said.contains("\"games\":1"), "{said}");
}

#[test]
fn proposed_aliases_are_confirmed_and_then_merge_players() {
    let folder = Folder::new("aliases");
    std::fs::write(folder.file("games.pgn"), pgn(&[("胡荣华", "吕钦", "1-0"), ("上海胡榮華", "广东吕钦", "1-0")]))
        .unwrap();
    let propose = ["games", "aliases", "games.pgn", "--alias", "players.txt", "--language", "en"];
    let done = crate::calls::chuhe_reading(command(&propose).current_dir(&*folder), "no\nyes\n");
    let said = crate::calls::text_of(done);
    assert!(said.contains("1 alias added"), "{said}");
    assert_eq!(std::fs::read_to_string(folder.file("players.txt")).unwrap(), "胡荣华 = 上海胡榮華\n");
    let rest = crate::calls::text_of(crate::calls::chuhe_reading(
        command(&[&propose[..], &["--all"]].concat()).current_dir(&*folder),
        "",
    ));
    assert!(rest.starts_with("吕钦 = 广东吕钦\n"), "{rest}");
    let again = crate::calls::text_of(crate::calls::chuhe_reading(command(&propose).current_dir(&*folder), ""));
    assert_eq!(again, "");
}

#[test]
fn names_of_libraries_are_names_of_files() {
    let folder = Folder::new("names");
    std::fs::write(folder.file("game.pgn"), "1. h2e2 h9g7 1-0\n").unwrap();
    for name in [":memory:", "file:x.db?mode=memory", "file:..%2Fy.db"] {
        let done = crate::calls::chuhe_in(&folder, &["games", "add", "game.pgn", "--to", name]);
        assert!(done.status.success(), "{done:?}");
        assert_eq!(Library::open(&folder.join(name)).unwrap().count().unwrap(), 1, "{name}");
    }
    assert_eq!(std::fs::read_dir(&*folder).unwrap().count(), 4);
}

#[test]
fn libraries_that_several_programs_begin_at_once_are_whole() {
    let folder = Folder::new("begun at once");
    let games = random_games(9, 21);
    for (number, game) in games.iter().enumerate() {
        let text = chuhe::records::lines::write_position(game) + "\n";
        std::fs::write(folder.file(&format!("{number}.txt")), text).unwrap();
    }
    for round in 0..10 {
        let to = folder.file(&format!("{round}.db"));
        std::thread::scope(|scope| {
            let add = |number: usize| {
                let (file, to) = (folder.file(&format!("{number}.txt")), &to);
                scope.spawn(move || assert_eq!(chuhe(&["games", "add", &file, "--to", to]).0, 0))
            };
            [0, 1, 2].map(add).into_iter().for_each(|adding| adding.join().unwrap());
        });
        assert_eq!(Library::open(Path::new(&to)).unwrap().count().unwrap(), 3, "round {round}");
    }
}

#[test]
fn a_library_with_other_tables_views_or_triggers_is_refused() {
    let folder = Folder::new("altered");
    std::fs::write(folder.file("game.pgn"), "1. h2e2 h9g7 1-0\n").unwrap();
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
    for (number, change) in [
        "CREATE TABLE more (name TEXT)".to_owned(),
        "DROP INDEX games_by_red".to_owned(),
        format!("DROP TABLE lines; CREATE VIEW lines AS {endless}"),
        "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM lines; END".to_owned(),
    ]
    .iter()
    .enumerate()
    {
        let to = folder.file(&format!("{number}.db"));
        assert_eq!(chuhe(&["games", "add", &folder.file("game.pgn"), "--to", &to]).0, 0);
        rusqlite::Connection::open(&to).unwrap().execute_batch(change).unwrap();
        for arguments in [&["games", "find", &to][..], &["games", "add", &folder.file("game.pgn"), "--to", &to]] {
            let (status, said) = chuhe(arguments);
            assert!(status == 2 && said.contains("it does not have the tables of a game library"), "{change}: {said}");
        }
    }
}

#[test]
fn games_that_another_program_deleted_are_added_again() {
    let folder = Folder::new("deleted");
    let path = folder.join("a.games.db");
    let games = random_games(3, 27);
    drop(library(&path, &games));
    // If foreign keys were enforced, SQLite would refuse the deletion.
    let delete = |id: i64| {
        let database = rusqlite::Connection::open(&path).unwrap();
        database.execute_batch(&format!("PRAGMA foreign_keys = OFF; DELETE FROM games WHERE id = {id}")).unwrap();
    };
    for id in [3, 1] {
        delete(id);
        let added = Library::open_to_add(&path).unwrap().add(&games).unwrap();
        assert_eq!((added.games, added.duplicates.len()), (1, 2), "game {id}");
    }
    let library = Library::open(&path).unwrap();
    assert_eq!(library.ids().unwrap(), [2, 4, 5]);
    for (id, game) in [(2, &games[1]), (4, &games[2]), (5, &games[0])] {
        assert_eq!(library.game(id).unwrap().unwrap().moves(), game.moves());
    }
}

#[test]
fn a_request_to_a_library_can_be_cancelled() {
    let folder = Folder::new("cancelled");
    let path = folder.join("a.games.db");
    drop(library(&path, &random_games(600, 23)));
    let mut library = Library::open(&path).unwrap();
    library.stop_when(|| true).unwrap();
    let all = library.search(&Query { player: Some("胡".to_owned()), ..Query::default() });
    assert!(matches!(all, Err(chuhe::games::Error::Stopped)), "{all:?}");
    library.stop_when(|| false).unwrap();
    assert!(library.search(&Query::default()).is_ok_and(|all| all.len() == 600));
    // Reading writes no files.
    assert_eq!(std::fs::read_dir(&*folder).unwrap().count(), 1);
}

#[test]
fn games_are_written_unchanged_to_standard_output() {
    let folder = Folder::new("unchanged");
    let (file, to) = (folder.file("games.txt"), folder.file("a.games.db"));
    std::fs::write(&file, "position startpos moves h2e2 h9g7 h0g2 i9h9 i0h0 b9c7\n").unwrap();
    assert_eq!(chuhe(&["games", "add", &file, "--to", &to]).0, 0);
    for format in ["xqf", "cbr", "cbl", "pgn"] {
        let bytes = |arguments: &[&str]| command(arguments).output().unwrap().stdout;
        let shown = bytes(&["games", "show", &to, "1", "--to", format]);
        let found = bytes(&["games", "find", &to, "--to", format]);
        assert!(!shown.is_empty() && shown == found, "{format}");
        let copy = folder.file(&format!("copy.{format}"));
        std::fs::write(&copy, shown).unwrap();
        let moves = bytes(&["convert", &copy, "--to", "position"]);
        assert_eq!(
            String::from_utf8_lossy(&moves),
            "position startpos moves h2e2 h9g7 h0g2 i9h9 i0h0 b9c7\n",
            "{format}"
        );
    }
}

#[test]
fn found_games_are_written_like_converted_ones_and_more_duplicates_are_counted() {
    let folder = Folder::new("written");
    let games = random_games(33, 25);
    let text: String = games.iter().map(|game| chuhe::records::lines::write_position(game) + "\n").collect();
    std::fs::write(folder.file("games.txt"), text).unwrap();
    let (file, to) = (folder.file("games.txt"), folder.file("a.db"));
    assert_eq!(chuhe(&["games", "add", &file, "--to", &to]).0, 0);
    let (_, said) = chuhe(&["games", "add", &file, "--to", &to, "--language", "en"]);
    assert!(said.contains("and 13 more"), "{said}");
    let (status, said) = chuhe(&["games", "find", &to, "--to", "xqf", "--out", &folder.file("out")]);
    assert_eq!(status, 0, "{said}");
    assert_eq!(std::fs::read_dir(folder.file("out")).unwrap().count(), 33);
    // A file in place of a folder is reported.
    std::fs::write(folder.file("taken"), "").unwrap();
    let (status, said) = chuhe(&["convert", &file, "--to", "xqf", "--out", &folder.file("taken"), "--language", "en"]);
    assert!(status == 2 && said.contains("this is a file; xqf holds one game per file"), "{said}");
}
