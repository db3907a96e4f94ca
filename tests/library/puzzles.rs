//! Puzzles: their file format, their themes, and the search for puzzles in games.

use chuhe::board::{Move, Position};
use chuhe::engine::{Level, Options, Searcher};
use chuhe::eval::expected_points;
use chuhe::puzzles::{Aim, BadPuzzle, Maker, Puzzle, Theme, Wrong, built_in, themes};
use chuhe::rules::{Game, RuleSet, Verdict, judge};
use chuhe::search::{Limits, STACK};
use std::collections::HashSet;

#[test]
fn the_puzzles_in_the_program_are_what_they_say() {
    let puzzles = built_in();
    assert_eq!(puzzles.len(), 500);
    let keys: HashSet<u64> = puzzles.iter().map(|puzzle| puzzle.position.key()).collect();
    assert_eq!(keys.len(), 500, "there are no duplicates");
    for puzzle in &puzzles {
        assert_eq!(puzzle.themes, themes(&puzzle.position, &puzzle.line, puzzle.aim()), "{puzzle}");
        let mut after = puzzle.position.clone();
        for &mv in &puzzle.line {
            after.make(mv);
        }
        assert_eq!(puzzle.aim() == Aim::Mate, !after.has_moves(), "{puzzle}");
    }
}

#[test]
fn every_theme_is_found_where_it_is_and_nowhere_else() {
    let cases = Puzzle::read(include_str!("../../positions/themes.epd")).expect("cases");
    for case in &cases {
        assert_eq!(themes(&case.position, &case.line, case.aim()), case.themes, "{case}");
    }
    for theme in Theme::all().filter(|theme| !matches!(theme, Theme::Pattern(_))) {
        let with = cases.iter().filter(|case| case.themes.contains(&theme)).count();
        assert!(with > 0 && with < cases.len(), "{with} cases of {theme:?}");
    }
}

#[test]
fn names_of_themes_are_read_as_they_are_written() {
    for theme in Theme::all() {
        assert_eq!(Theme::from_name(theme.name()), Some(theme));
    }
    assert_eq!(Theme::from_name("spork"), None);
}

#[test]
fn a_line_that_is_no_puzzle_is_named() {
    for (text, number, what) in [
        ("\n9/9/9/9/9/9/9/9/9/4K4 w ; pv a0a9 ; rating 600 ; themes mate", 2, Wrong::Position),
        ("3k5/4P4/9/9/9/9/9/9/9/R3K4 w ; rating 600 ; themes mate", 1, Wrong::Line),
        ("3k5/4P4/9/9/9/9/9/9/9/R3K4 w ; pv a0b9 ; rating 600 ; themes mate", 1, Wrong::Line),
        ("3k5/4P4/9/9/9/9/9/9/9/R3K4 w ; pv a0b0 d9c9 ; rating 600 ; themes mate", 1, Wrong::Line),
        ("3k5/4P4/9/9/9/9/9/9/9/R3K4 w ; pv a0a9 ; rating x ; themes mate", 1, Wrong::Rating),
        ("3k5/4P4/9/9/9/9/9/9/9/R3K4 w ; pv a0a9 ; rating 600", 1, Wrong::Themes),
        ("3k5/4P4/9/9/9/9/9/9/9/R3K4 w ; pv a0a9 ; rating 600 ; themes fork mate", 1, Wrong::Themes),
        ("3k5/4P4/9/9/9/9/9/9/9/R3K4 w ; pv a0a9 ; rating 600 ; themes mate spork", 1, Wrong::Themes),
    ] {
        assert_eq!(Puzzle::read(text), Err(BadPuzzle { number, what }), "{text}");
    }
}

fn made(fen: &str) -> Option<Puzzle> {
    let position = fen.parse().expect("a position");
    let make = move || Maker::new(2_000).expect("memory").puzzle(&position);
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(make).expect("a thread");
    thread.join().expect("no panic")
}

#[test]
fn a_mate_and_a_fork_are_puzzles_and_a_choice_of_mates_is_none() {
    let mate = made("5R1CC/4k4/9/4c4/9/9/4r4/5p3/9/2B2K3 b").expect("a puzzle");
    assert!(mate.to_string().contains(" ; pv e6f6 f9f6 e3e0 ; "), "{mate}");
    assert_eq!(mate.themes, [Theme::MATE, Theme::Sacrifice]);
    let fork = made("2b1k4/4a3C/2N1b4/6r2/2p6/P1P1P1n2/7R1/4B3N/9/2BA1K3 b").expect("a puzzle");
    assert_eq!((fork.line[0].to_string().as_str(), fork.aim()), ("g6f6", Aim::Win));
    assert!(fork.themes.contains(&Theme::Fork), "{fork}");
    for none in ["3k5/4P4/9/9/9/9/9/9/9/R3K4 w", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"] {
        assert_eq!(made(none), None);
    }
}

#[test]
fn a_mistake_of_a_game_is_found() {
    let find = || {
        let start = Game::from_fen("4k4/r8/9/1N7/9/9/9/9/9/3K5 b").expect("a position");
        let moves = ["a8a9", "b6c8"].map(|mv| mv.parse().expect("a move"));
        Maker::new(2_000).expect("memory").find(&start, &moves, &|| true)
    };
    let found = std::thread::Builder::new().stack_size(STACK).spawn(find).expect("a thread").join().expect("no panic");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].line[0].to_string(), "b6c8");
}

/// Plays a game between two players of the same level.
fn ordinary_game(seed: u64) -> Vec<Move> {
    let level = Level::new(6).expect("a level");
    let options = |seed| Options { hash_mb: 1, level, seed, ..Options::default() };
    let mut players = [2 * seed, 2 * seed + 1].map(|seed| Searcher::new(options(seed)).expect("1 MB can be had"));
    let mut game = Game::new(Position::start());
    while judge(&game, RuleSet::Asian) == Verdict::Open && game.plies().len() < 80 {
        let player = &mut players[game.position().side().index()];
        let mv = player.think(&game, &Limits::depth(60), |_| {}).best.expect("an open game has a legal move");
        game.make(mv);
    }
    game.plies().iter().filter_map(|ply| ply.mv).collect()
}

/// Returns the lead of a puzzle's first move over the others, in expected points, after a deep search.
fn lead(puzzle: &Puzzle, nodes: u64) -> f64 {
    let mut searcher = Searcher::new(Options { hash_mb: 16, ..Options::default() }).expect("16 MB can be had");
    let game = Game::new(puzzle.position.clone());
    let mut points = |limits: Limits| {
        let limits = Limits { nodes: Some(nodes), ..limits };
        searcher.think(&game, &limits, |_| {}).score().map_or(0.0, expected_points)
    };
    let first = vec![puzzle.line[0]];
    points(Limits { only: first.clone(), ..Limits::default() }) - points(Limits { banned: first, ..Limits::default() })
}

#[test]
fn ordinary_games_have_puzzles_with_a_single_good_move() {
    // Debug builds are slow, so they search fewer games.
    let (games, at_least, nodes) = if cfg!(debug_assertions) { (3, 1, 2_000) } else { (10, 3, 5_000) };
    let find = move || {
        let mut maker = Maker::new(nodes).expect("memory");
        let start = Game::new(Position::start());
        let found: Vec<Puzzle> =
            (1..=games).flat_map(|seed| maker.find(&start, &ordinary_game(seed), &|| true)).collect();
        // `Maker` checks a puzzle with `10 * nodes` nodes; this check uses four times as many.
        let leads: Vec<f64> = found.iter().map(|puzzle| lead(puzzle, 40 * nodes)).collect();
        (found, leads)
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(find).expect("a thread");
    let (found, leads) = thread.join().expect("no panic");
    assert!(found.len() >= at_least, "{found:#?}");
    let wrong: Vec<String> = found
        .iter()
        .zip(&leads)
        .filter(|(puzzle, lead)| puzzle.aim() != Aim::Mate && **lead < 0.1)
        .map(|(puzzle, lead)| format!("{puzzle}: {lead:.2}"))
        .collect();
    // A score at a node limit varies with the order of the search, so the lead in a borderline puzzle may
    // vanish.
    assert!(5 * wrong.len() <= found.len(), "{} of {}: {wrong:#?}", wrong.len(), found.len());
}

#[cfg(feature = "desk")]
#[test]
fn a_desk_tells_all_puzzles_with_the_names_of_their_themes() {
    use chuhe::desk::{DeskSettings, Message, RequestHandler, Stop};
    let own =
        Puzzle::read("3k5/4P4/9/9/9/9/9/9/9/R3K4 w ; pv a0a9 ; rating 600 ; themes mate ending").expect("a puzzle");
    let mut desk = RequestHandler::new(DeskSettings { puzzles: Some(own.into()), ..DeskSettings::default() });
    let message = Message::read(r#"{"id":1,"do":"puzzles","language":"zh"}"#).expect("a question");
    let mut told = Vec::new();
    desk.handle(&message, &Stop::default(), &mut |event| told.push(serde_json::to_value(&event).expect("JSON")));
    let puzzle = serde_json::json!({
        "start": "3k5/4P4/9/9/9/9/9/9/9/R3K4 w - - 0 1", "line": ["a0a9"], "rating": 600, "themes": ["mate", "ending"]
    });
    assert_eq!((told.len(), &told[0]["puzzles"][0]), (1, &puzzle));
    // The lessons follow, in the same language.
    let lesson = &told[0]["puzzles"][1];
    assert_eq!(
        (&lesson["themes"][0], &lesson["lesson"]["title"]),
        (&serde_json::json!("mate"), &serde_json::json!("马后炮"))
    );
    assert_eq!(told[0]["themes"][0], serde_json::json!({"name": "mate", "title": "杀法"}));
}
