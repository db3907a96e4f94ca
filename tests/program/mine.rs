//! The games played on the page: stored, listed, counted, changed and exported by a desk.

use crate::calls::Folder;
use crate::games::in_change;
use chuhe::board::{Move, Position};
use chuhe::desk::{DatabaseAccess, DeskSettings, Message, RequestHandler, Stop};
use chuhe::games::{Library, Pattern, Query};
use chuhe::records::{GameResult, Record};
use serde_json::{Value, json};

fn ask(desk: &mut RequestHandler, request: Value) -> Value {
    let mut answers = Vec::new();
    let message = Message::read(&request.to_string()).unwrap();
    desk.handle(&message, &Stop::default(), &mut |event| answers.push(serde_json::to_value(&event).unwrap()));
    answers.remove(0)
}

/// Returns a desk with a library of the user's own games in a folder.
fn desk(folder: &Folder) -> RequestHandler {
    let path = folder.join("my.games.db");
    drop(Library::open_to_add(&path).unwrap());
    RequestHandler::new(DeskSettings { own_games: Some(path.into()), ..DeskSettings::default() })
}

/// Returns the request that stores a game.
fn keep(moves: &[&str], result: &str, tags: &[(&str, &str)]) -> Value {
    let nodes: Vec<Value> =
        moves.iter().enumerate().map(|(parent, mv)| json!({"parent": parent, "move": mv})).collect();
    json!({"id": 1, "do": "keep", "tree": {"tags": tags, "result": result, "nodes": nodes}})
}

/// Tags of a game between the user, with a colour, and a level of the engine.
fn seats<'t>(id: &'t str, red: &'t str, black: &'t str) -> [(&'t str, &'t str); 5] {
    [("Red", "You"), ("Black", "Chuhe"), ("GameId", id), ("RedSeat", red), ("BlackSeat", black)]
}

#[test]
fn a_game_is_stored_once_and_again_as_it_goes_on() {
    let folder = Folder::new("mine");
    let mut desk = desk(&folder);
    assert_eq!(
        ask(&mut desk, json!({"id": 1, "do": "hello"}))["mine"],
        json!({"games": 0, "may_add": true, "may_edit": true})
    );
    let begun = ask(&mut desk, keep(&["h2e2", "h9g7"], "*", &seats("a", "human", "3")));
    assert_eq!((&begun["is"], &begun["game"]), (&json!("kept"), &json!(1)));
    ask(&mut desk, keep(&["h2e2", "h9g7"], "1-0", &seats("b", "human", "3")));
    ask(&mut desk, keep(&["h2e2", "h9g7", "h0g2"], "0-1", &seats("a", "human", "3")));
    let found = ask(&mut desk, json!({"id": 2, "do": "find", "mine": true}));
    let rows: Vec<(i64, &str, i64)> = found["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["id"].as_i64().unwrap(), row["result"].as_str().unwrap(), row["plies"].as_i64().unwrap()))
        .collect();
    assert_eq!((rows, &found["all"]), (vec![(2, "1-0", 2), (1, "0-1", 3)], &json!(2)));
    let part = ask(&mut desk, json!({"id": 3, "do": "find", "mine": true, "from": 1, "count": 1}));
    assert_eq!((&part["from"], &part["games"][0]["id"]), (&json!(1), &json!(1)));
    // A removed game is not stored again by a page that still shows it, even if its number belongs to another
    // game.
    let kept = |desk: &mut RequestHandler, id: &str, earlier: i64| {
        let mut request = keep(&["h2e2", "h9g7"], "*", &seats(id, "human", "3"));
        request["game"] = json!(earlier);
        ask(desk, request)["game"].clone()
    };
    assert_eq!(kept(&mut desk, "b", 2), 2);
    ask(&mut desk, json!({"id": 4, "do": "remove", "mine": true, "game": 2}));
    assert_eq!(kept(&mut desk, "b", 2), Value::Null);
    assert_eq!(ask(&mut desk, keep(&["h2e2", "h9g7"], "*", &seats("c", "3", "2")))["game"], 2);
    assert_eq!([kept(&mut desk, "b", 2), kept(&mut desk, "c", 2)], [Value::Null, json!(2)]);
    // An illegal game is not stored, and there is no other library.
    assert_eq!(ask(&mut desk, keep(&["e0e5"], "*", &[]))["code"], "illegal_move");
    assert_eq!(ask(&mut desk, json!({"id": 4, "do": "find"}))["code"], "no_library");
    assert_eq!(ask(&mut RequestHandler::default(), keep(&["h2e2"], "*", &[]))["code"], "no_library");
}

#[test]
fn tags_edited_in_the_library_are_kept_when_the_running_game_is_stored_again() {
    let folder = Folder::new("edited-tags");
    let mut desk = desk(&folder);
    let stored = |desk: &mut RequestHandler, moves: &[&str], more: &[(&str, &str)]| {
        let tags = [seats("a", "human", "3").as_slice(), more].concat();
        assert_eq!(ask(desk, keep(moves, "*", &tags))["game"], 1);
        let shown = ask(desk, json!({"id": 2, "do": "show", "mine": true, "game": 1}));
        let tags: Vec<(String, String)> = serde_json::from_value(shown["games"][0]["tree"]["tags"].clone()).unwrap();
        let tag = |wanted: &str| tags.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
        ["Red", "Black", "Event", "Date"].map(|name| tag(name).unwrap_or_default())
    };
    let line = ["h2e2", "h9g7", "h0g2"];
    assert_eq!(stored(&mut desk, &line[..2], &[("Event", "Friday")]), ["You", "Chuhe", "Friday", ""]);
    // Black is sent unchanged, as by the dialog of the page.
    let tags = json!({"Red": "Li Ming", "Black": "Chuhe", "Event": ""});
    ask(&mut desk, json!({"id": 3, "do": "edit", "mine": true, "game": 1, "tags": tags}));
    let later = [("Event", "Friday"), ("Date", "2026.11.27")];
    assert_eq!(stored(&mut desk, &line, &later), ["Li Ming", "Chuhe", "", "2026.11.27"]);
    assert_eq!(stored(&mut desk, &line, &later), ["Li Ming", "Chuhe", "", "2026.11.27"]);
}

#[test]
fn two_pages_that_continue_one_game_lose_no_moves() {
    let folder = Folder::new("two-pages");
    let mut desk = desk(&folder);
    let mut stored = |moves: &[&str], result: &str, known: &[&str]| {
        let mut request = keep(moves, result, &seats("a", "human", "3"));
        request["known"] = json!(known);
        let answer = ask(&mut desk, request);
        (answer["game"].clone(), answer["conflict"].clone())
    };
    let line = ["h2e2", "h9g7", "h0g2", "i9h9"];
    let (begun, whole) = (["h2e2", "h9g7", "*"], ["h2e2", "h9g7", "h0g2", "i9h9", "*"]);
    let (done, longer, other) = ((json!(1), Value::Null), (json!(1), json!("longer")), (json!(1), json!("other")));
    assert_eq!(stored(&line[..2], "*", &[]), done);
    assert_eq!(stored(&line, "*", &begun), done);
    // The other page still has the first two moves.
    assert_eq!(stored(&line[..2], "*", &begun), longer);
    assert_eq!(stored(&["h2e2", "h9g7", "c3c4"], "*", &begun), other);
    assert_eq!(stored(&line[..2], "0-1", &begun), other);
    // The first page takes moves back, and plays them again after its connection was lost.
    assert_eq!(stored(&line[..2], "*", &whole), done);
    assert_eq!(stored(&line, "0-1", &whole), done);
    // A finished game is not replaced by its unfinished version.
    assert_eq!(stored(&line, "*", &whole), longer);
}

#[test]
fn own_results_are_counted_by_opponent_and_opening_with_both_colours() {
    let folder = Folder::new("own-results");
    let mut desk = desk(&folder);
    for (id, red, black, moves, result) in [
        ("1", "human", "3", ["h2e2", "h9g7"], "1-0"),
        ("2", "human", "3", ["h2e2", "h9g7"], "1/2-1/2"),
        ("3", "3", "human", ["c3c4", "b7c7"], "1-0"),
        ("4", "engine:Pikafish", "human", ["c3c4", "b7c7"], "0-1"),
        // An unfinished game, a game between two people, and a game between two engines.
        ("5", "human", "3", ["h2e2", "b9c7"], "*"),
        ("6", "human", "human", ["h2e2", "h9g7"], "1-0"),
        ("7", "1", "2", ["h2e2", "h9g7"], "1-0"),
    ] {
        ask(&mut desk, keep(&moves, result, &seats(id, red, black)));
    }
    let results = ask(&mut desk, json!({"id": 1, "do": "results", "mine": true}));
    assert_eq!(
        results["opponents"],
        json!([
            {"name": "3", "opening_name": null, "red": [1, 1, 0, 1], "black": [0, 0, 1, 0]},
            {"name": "engine:Pikafish", "opening_name": null, "red": [0, 0, 0, 0], "black": [1, 0, 0, 0]},
        ])
    );
    let openings = results["openings"].as_array().unwrap();
    let sum = |colour: &str| {
        openings
            .iter()
            .flat_map(|row| row[colour].as_array().unwrap())
            .map(|count| count.as_u64().unwrap())
            .sum::<u64>()
    };
    assert_eq!((sum("red"), sum("black")), (3, 2), "{results}");
    assert!(openings.iter().all(|row| row["opening_name"].is_string()), "{results}");
    // The results of a named player, with either colour.
    let named = ask(&mut desk, json!({"id": 2, "do": "results", "mine": true, "player": "you"}));
    assert_eq!(named["opponents"], json!([]));
    // The results of a player, and of the user, with one colour.
    let mut counts = |request: Value| {
        let answer = ask(&mut desk, request);
        let rows = answer["openings"].as_array().unwrap().clone();
        let sum = |colour: &str| {
            let counts = rows.iter().flat_map(|row| row[colour].as_array().unwrap().clone());
            counts.map(|count| count.as_u64().unwrap()).sum::<u64>()
        };
        (sum("red"), sum("black"))
    };
    let asked = |colour: &str, name: &str| json!({"id": 3, "do": "results", "mine": true, colour: name});
    let requests = [("red", "you"), ("black", "chuhe"), ("person", "red"), ("person", "black")];
    assert_eq!(requests.map(|(colour, name)| counts(asked(colour, name))), [(7, 0), (0, 7), (3, 0), (0, 2)]);
    let with_black = ask(&mut desk, json!({"id": 4, "do": "find", "mine": true, "person": "black"}));
    assert_eq!(with_black["total"], 3);
}

#[test]
fn results_of_damaged_tags_are_an_error() {
    let folder = Folder::new("damaged-tags");
    let mut desk = desk(&folder);
    ask(&mut desk, keep(&["h2e2", "h9g7"], "1-0", &seats("1", "human", "3")));
    drop(desk);
    let path = folder.join("my.games.db");
    rusqlite::Connection::open(&path).unwrap().execute("UPDATE lines SET tags = 'x'", ()).unwrap();
    let results = Library::open(&path).unwrap().own_results(&Query::default());
    assert_eq!(results.unwrap_err().to_string(), "game 1 is damaged");
}

#[test]
fn games_are_edited_removed_and_exported() {
    let folder = Folder::new("changes");
    let mut desk = desk(&folder);
    ask(&mut desk, keep(&["h2e2", "h9g7"], "*", &seats("a", "human", "3")));
    ask(&mut desk, keep(&["b2e2", "h9g7"], "1-0", &seats("b", "human", "3")));
    let edit = json!({"id": 1, "do": "edit", "mine": true, "game": 1, "tags": {"Red": " Li \"Ming\" ", "Black": ""}, "result": "0-1"});
    assert_eq!(ask(&mut desk, edit)["is"], "changed");
    let shown = ask(&mut desk, json!({"id": 2, "do": "show", "mine": true, "game": 1}));
    assert_eq!(
        (&shown["games"][0]["players"], &shown["games"][0]["result"]),
        (&json!(["Li \"Ming\"", ""]), &json!("0-1"))
    );
    assert!(shown.to_string().contains("GameId"), "other tags remain: {shown}");
    for bad in [
        json!({"game": 1, "tags": {"GameId": "b"}}),
        json!({"game": 1, "result": "2-0"}),
        json!({"game": 9, "tags": {"Red": "A"}}),
    ] {
        let mut request = json!({"id": 3, "do": "edit", "mine": true});
        request.as_object_mut().unwrap().extend(bad.as_object().unwrap().clone());
        assert_eq!(ask(&mut desk, request)["code"], "bad_request", "{bad}");
    }
    let file = ask(&mut desk, json!({"id": 4, "do": "export", "mine": true, "notation": "chinese"}));
    let text = file["text"].as_str().unwrap();
    assert!(
        text.matches("[Game ").count() == 2 && text.contains("炮二平五") && text.contains("Li \\\"Ming\\\""),
        "{text}"
    );
    let some = ask(&mut desk, json!({"id": 5, "do": "export", "mine": true, "result": "1-0"}));
    assert_eq!(some["text"].as_str().unwrap().matches("[Game ").count(), 1);
    let opened = ask(&mut desk, json!({"id": 6, "do": "open", "text": text}));
    assert_eq!(opened["count"], 2);
    assert_eq!(ask(&mut desk, json!({"id": 7, "do": "remove", "mine": true, "game": 1}))["total"], 1);
    assert_eq!(ask(&mut desk, json!({"id": 8, "do": "remove", "mine": true, "game": 1}))["code"], "bad_request");
    let left = ask(&mut desk, json!({"id": 9, "do": "find", "mine": true, "position": true}));
    assert_eq!((&left["total"], &left["games"][0]["id"]), (&json!(1), &json!(2)));
}

#[test]
fn names_are_merged_in_a_file_beside_the_library() {
    let folder = Folder::new("names");
    let mut desk = desk(&folder);
    for (id, red) in [("a", "胡荣华"), ("b", "上海胡榮華"), ("c", "Hu Ronghua")] {
        ask(&mut desk, keep(&["h2e2", "h9g7"], "1-0", &[("Red", red), ("GameId", id)]));
    }
    let find = json!({"id": 1, "do": "find", "mine": true, "player": "Hu Ronghua"});
    assert_eq!(ask(&mut desk, find.clone())["total"], 1);
    let names = ask(&mut desk, json!({"id": 2, "do": "names", "mine": true}));
    assert_eq!((&names["merged"], &names["proposed"]), (&json!([]), &json!([["胡荣华", "上海胡榮華"]])));
    let merge =
        |name: &str, spelling: Value| json!({"id": 3, "do": "merge", "mine": true, "name": name, "spelling": spelling});
    ask(&mut desk, merge("胡荣华", json!("上海胡榮華")));
    let merged = ask(&mut desk, merge("胡荣华", json!("Hu Ronghua")));
    assert_eq!(
        (&merged["merged"], &merged["proposed"]),
        (&json!([["胡荣华", "上海胡榮華", "Hu Ronghua"]]), &json!([]))
    );
    let found = ask(&mut desk, find);
    assert_eq!((&found["total"], &found["games"][0]["players"][0]), (&json!(3), &json!("胡荣华")));
    let results = ask(&mut desk, json!({"id": 4, "do": "results", "mine": true, "player": "胡荣华"}));
    assert_eq!(results["openings"][0]["red"], json!([3, 0, 0, 0]));
    // The command line reads the same file.
    let file = std::fs::read_to_string(folder.join("my.games.db.names")).unwrap();
    assert_eq!(file, "胡荣华 = 上海胡榮華\n胡荣华 = Hu Ronghua\n");
    assert_eq!(ask(&mut desk, merge("Lü", json!("Hu Ronghua")))["code"], "taken");
    for bad in
        [merge("", json!("a")), merge("a = b", json!("c")), merge("a", json!("c\nd = e")), merge("#a", json!("b"))]
    {
        assert_eq!(ask(&mut desk, bad.clone())["code"], "bad_request", "{bad}");
    }
    assert_eq!(std::fs::read_to_string(folder.join("my.games.db.names")).unwrap(), file);
    assert_eq!(ask(&mut desk, merge("胡荣华", Value::Null))["merged"], json!([]));
}

#[test]
fn the_given_library_is_changed_only_if_the_host_allows_it() {
    let folder = Folder::new("rights");
    let path = folder.join("a.games.db");
    let games = chuhe::records::pgn::read("[Red \"A\"]\n\n1. h2e2 h9g7 1-0\n").unwrap();
    Library::open_to_add(&path).unwrap().add(&games).unwrap();
    let requests = [
        json!({"id": 1, "do": "edit", "game": 1, "tags": {"Red": "B"}}),
        json!({"id": 1, "do": "merge", "name": "A", "spelling": "B"}),
        json!({"id": 1, "do": "remove", "game": 1}),
    ];
    for may_edit in [false, true] {
        let access = Some(DatabaseAccess { path: path.as_path().into(), may_add: true, may_edit });
        let mut desk = RequestHandler::new(DeskSettings { library: access, ..DeskSettings::default() });
        for request in &requests {
            let answer = ask(&mut desk, request.clone());
            assert_eq!(answer["code"] != "read_only", may_edit, "{request}: {answer}");
        }
        assert_eq!(ask(&mut desk, json!({"id": 2, "do": "find"}))["all"], if may_edit { 0 } else { 1 });
        assert_eq!(path.with_file_name("a.games.db.names").exists(), may_edit);
    }
}

/// A library in its own temporary folder.
struct Temporary(Folder, Library);

impl Temporary {
    fn new(name: &str) -> Temporary {
        let folder = Folder::new(name);
        let library = Library::open_to_add(&folder.join("a.games.db")).expect("a library");
        Temporary(folder, library)
    }

    /// Returns the games in which a line of moves, or its mirror image, occurred.
    fn with(&self, moves: &str) -> Vec<i64> {
        let mut position = Position::start();
        for mv in moves.split_whitespace() {
            position.make(mv.parse().expect("a move"));
        }
        let query = Query { pattern: Some(Pattern::position(&position, true)), ..Query::default() };
        self.1.search(&query).expect("a search").into_iter().map(|found| found.id).collect()
    }

    fn names(&self) -> Vec<(String, u64)> {
        self.1.names().expect("names")
    }
}

fn named((name, games): (&str, u64)) -> (String, u64) {
    (name.to_owned(), games)
}

fn game(moves: &str, tags: &[(&str, &str)]) -> Record {
    let moves = moves.split_whitespace().map(|mv| mv.parse::<Move>().expect("a move"));
    let mut record = Record::of_line(Position::start(), moves.map(|mv| (mv, String::new())));
    tags.iter().for_each(|(name, value)| record.set_tag(name, value));
    record
}

#[test]
fn a_removed_game_is_found_by_nothing_and_its_neighbours_remain() {
    let mut library = Temporary::new("change-remove");
    let games = ["h2e2 h9g7", "h2e2 b9c7", "b2e2 b9c7 b0c2"];
    let games = games.map(|moves| game(moves, &[("Red", "Hu"), ("Black", moves)]));
    library.1.add(&games).expect("three games");
    let other = in_change(&mut library.1, |change| change.put(&game("h2e2 h9g7 h0g2", &[("Red", "Lü")]), "GameId"));
    assert_eq!((library.with(""), library.with("h2e2 h9g7")), (vec![1, 2, 3, 4], vec![1, 3, 4]));
    // The first game of the batch of three is removed, then a game of another batch.
    assert!(
        in_change(&mut library.1, |change| change.remove(1))
            && in_change(&mut library.1, |change| change.remove(other))
    );
    assert_eq!((library.with(""), library.with("h2e2 h9g7")), (vec![2, 3], vec![3]));
    assert!(!in_change(&mut library.1, |change| change.remove(1)));
    assert_eq!(library.names(), [("Hu", 2), ("b2e2 b9c7 b0c2", 1), ("h2e2 b9c7", 1)].map(named));
    // The number is reused, and the index still leads to the right games.
    library.1.add(&[game("c3c4 c6c5", &[])]).expect("a game");
    assert_eq!(
        (library.with("c3c4"), library.with("h2e2 b9c7"), library.1.count().expect("a count")),
        (vec![4], vec![2], 3)
    );
    let gone = [2, 3, 4].map(|id| in_change(&mut library.1, |change| change.remove(id)));
    assert!(gone == [true; 3] && library.with("").is_empty() && library.names().is_empty());
    let database = rusqlite::Connection::open(library.0.join("a.games.db")).expect("the file");
    let left: i64 = database.query_row("SELECT count(*) FROM positions", [], |row| row.get(0)).expect("rows");
    assert_eq!(left, 0);
}

#[test]
fn a_game_replaces_the_one_with_its_key_and_no_other() {
    let mut library = Temporary::new("change-put");
    let put = |library: &mut Temporary, moves: &str, key: &str| {
        in_change(&mut library.1, |change| change.put(&game(moves, &[("GameId", key)]), "GameId"))
    };
    put(&mut library, "h2e2 h9g7", "one");
    put(&mut library, "h2e2 h9g7", "two");
    put(&mut library, "h2e2 h9g7", "");
    put(&mut library, "h2e2 h9g7", "");
    let longer = put(&mut library, "h2e2 h9g7 h0g2", "one");
    put(&mut library, "c3c4 c6c5", "o\"ne");
    put(&mut library, "c3c4 c6c5", "%");
    assert_eq!((library.1.count().expect("a count"), library.with("h2e2 h9g7 h0g2")), (6, vec![longer]));
    assert_eq!((longer, library.with("h2e2 h9g7")), (1, vec![1, 2, 3, 4]));
}

#[test]
fn a_replaced_game_in_the_middle_of_a_batch_leaves_its_neighbours_removable() {
    let mut library = Temporary::new("change-middle");
    for key in ["one", "two", "three"] {
        in_change(&mut library.1, |change| change.put(&game("h2e2 h9g7", &[("GameId", key)]), "GameId"));
    }
    let batch = ["h2e2 b9c7", "h2e2 h9g7 h0g2", "b2e2 b9c7"].map(|moves| game(moves, &[("GameId", moves)]));
    library.1.add(&batch).expect("a batch");
    assert_eq!(
        in_change(&mut library.1, |change| change
            .put(&game("h2e2 h9g7 c3c4", &[("GameId", "h2e2 h9g7 h0g2")]), "GameId")),
        5
    );
    assert_eq!((library.with("h2e2"), library.with("h2e2 h9g7 h0g2")), (vec![1, 2, 3, 4, 5, 6], vec![]));
    let query = Query { pattern: Some(Pattern::position(&Position::start(), true)), ..Query::default() };
    let found = library.1.search(&query).expect("a search");
    assert_eq!(library.1.hits(&found).expect("all games").len(), 6);
    for id in [6, 4, 5, 2] {
        assert!(in_change(&mut library.1, |change| change.remove(id)));
    }
    assert_eq!(library.with("h2e2"), [1, 3]);
}

#[test]
fn tags_are_changed_in_all_columns_and_the_moves_remain() {
    let mut library = Temporary::new("change-tags");
    let id = in_change(&mut library.1, |change| {
        change.put(&game("h2e2 h9g7", &[("Red", "Hu"), ("Event", "Cup")]), "GameId")
    });
    let mut changed = library.1.game(id).expect("a library").expect("a game");
    changed.set_tag("Red", "胡榮華");
    changed.set_tag("Date", "1960.11.1");
    changed.result = GameResult::RedWins;
    assert!(in_change(&mut library.1, |change| change.set_tags(id, &changed)));
    assert_eq!(library.1.game(id).expect("a library"), Some(changed.clone()));
    let query = Query {
        player: Some("胡荣华".into()),
        since: Some(1960),
        result: Some(GameResult::RedWins),
        ..Query::default()
    };
    assert_eq!(library.1.search(&query).expect("a search").len(), 1);
    assert_eq!(library.names(), [named(("胡榮華", 1))]);
    assert!(!in_change(&mut library.1, |change| change.set_tags(id + 1, &changed)));
}

#[test]
fn edits_by_two_pages_at_once_are_all_kept() {
    let folder = Folder::new("two-pages");
    ask(&mut desk(&folder), keep(&["h2e2"], "*", &[("GameId", "x")]));
    std::thread::scope(|scope| {
        for (side, tag) in ["Red", "Black"].into_iter().enumerate() {
            let mut desk = desk(&folder);
            scope.spawn(move || {
                for number in 0..100 {
                    let number = number.to_string();
                    let edit = json!({"id": 1, "do": "edit", "mine": true, "game": 1, "tags": {tag: number}});
                    assert_eq!(ask(&mut desk, edit)["is"], "changed");
                    let shown = ask(&mut desk, json!({"id": 2, "do": "show", "mine": true, "game": 1}));
                    assert_eq!(shown["games"][0]["players"][side], number, "{tag}");
                }
            });
        }
    });
}

#[test]
fn only_one_of_two_pages_that_know_the_same_version_replaces_it() {
    let folder = Folder::new("two-versions");
    let desks = [desk(&folder), desk(&folder)];
    let barrier = std::sync::Barrier::new(2);
    let conflicts: Vec<Vec<bool>> = std::thread::scope(|scope| {
        let pages = desks.into_iter().zip(["h9g7", "b9c7"]).map(|(mut desk, reply)| {
            let barrier = &barrier;
            scope.spawn(move || {
                let round = |number: usize| {
                    let id = number.to_string();
                    let tags = [("GameId", id.as_str())];
                    ask(&mut desk, keep(&["h2e2"], "*", &tags));
                    barrier.wait();
                    let mut next = keep(&["h2e2", reply], "*", &tags);
                    next["known"] = json!(["h2e2", "*"]);
                    let kept = ask(&mut desk, next);
                    barrier.wait();
                    kept["conflict"].is_string()
                };
                (0..50).map(round).collect()
            })
        });
        let pages: Vec<_> = pages.collect();
        pages.into_iter().map(|page| page.join().expect("no panic")).collect()
    });
    for (one, other) in conflicts[0].iter().zip(&conflicts[1]) {
        assert!(one != other, "one page stores its version and the other one learns of it: {conflicts:?}");
    }
}

#[test]
fn a_game_with_long_comments_is_stored() {
    let folder = Folder::new("long-comments");
    let mut long = keep(&["h2e2"], "*", &[("GameId", "x")]);
    long["tree"]["comment"] = json!("x".repeat(300 << 10));
    assert_eq!(ask(&mut desk(&folder), long)["is"], "kept");
}
