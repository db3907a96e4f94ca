//! Positions whose only win, or only draw, requires the repetition rules, solved by the search.

use chuhe::board::Move;
use chuhe::engine::{Engine, Options};
use chuhe::rules::{Game, Outcome, Reason, RuleSet, Verdict, judge};
use chuhe::score::{DRAW, Score, is_decided, is_mate};
use chuhe::search::Limits;

/// Nodes per position.
const NODES: u64 = 100_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Goal {
    Win,
    Draw,
}

struct Case {
    name: String,
    game: Game,
    goal: Goal,
    best: Move,
    /// Exceptions: names of rule sets, or `history`, for which the goal cannot be reached.
    unless: Vec<String>,
    /// Move that would reach the goal if every repetition were a draw.
    trap: Option<Move>,
}

fn cases() -> Vec<Case> {
    let text = include_str!("../../positions/rules-search/asian.epd");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let mut parts = line.split(';').map(str::trim);
            let mut game = Game::from_fen(parts.next().expect("a FEN")).expect("a legal FEN");
            let fields: Vec<(&str, &str)> = parts.filter_map(|part| part.split_once(' ')).collect();
            let field = |key: &str| fields.iter().find(|(name, _)| *name == key).map_or("", |(_, value)| *value);
            let moves = |key: &str| field(key).split(' ').filter_map(|mv| mv.parse().ok()).collect::<Vec<Move>>();
            game.play_text(field("moves").split_whitespace()).expect("legal moves");
            Case {
                name: field("name").into(),
                game,
                goal: if field("goal") == "win" { Goal::Win } else { Goal::Draw },
                best: moves("bm")[0],
                unless: field("unless").split_whitespace().map(str::to_string).collect(),
                trap: moves("trap").first().copied(),
            }
        })
        .collect()
}

/// Creates an engine with the network or the hand-written evaluation.
fn engine(use_nnue: bool) -> Engine {
    Engine::new(Options { hash_mb: 4, use_nnue, ..Options::default() }).expect("4 MB can be had")
}

/// Returns the best move of a search and its score.
fn answer(engine: &mut Engine, game: &Game, rules: RuleSet, limits: Limits) -> (Option<Move>, Score) {
    engine.set_options(Options { rules: rules.terms(), ..engine.options().clone() }).expect("only the rules change");
    engine.new_game();
    engine.set_game(game.clone());
    let found = engine.think(Limits { nodes: Some(NODES), ..limits }, |_| {}).expect("no failure");
    (found.best, found.lines[0].score)
}

/// Returns `true` if a score reaches the goal: a win by mate, by rule or by a heavy piece, or a draw by
/// repetition or dead position.
fn reaches(score: Score, goal: Goal) -> bool {
    match goal {
        Goal::Win => score > 700,
        Goal::Draw => (score - DRAW).abs() <= 10,
    }
}

fn loses(score: Score) -> bool {
    score < -250
}

#[test]
fn the_search_finds_the_only_way() {
    let mut engine = engine(false);
    let mut wrong = Vec::new();
    let cases = cases();
    for Case { name, game, goal, best, .. } in &cases {
        let (found, score) = answer(&mut engine, game, RuleSet::Asian, Limits::default());
        if found != Some(*best) || !reaches(score, *goal) {
            wrong.push(format!("{name}: {found:?} {score}"));
        }
        let others = Limits { banned: vec![*best], ..Limits::default() };
        let (found, score) = answer(&mut engine, game, RuleSet::Asian, others);
        let is_only = if *goal == Goal::Win { !reaches(score, Goal::Win) } else { loses(score) };
        if !is_only {
            wrong.push(format!("{name}: also {found:?} {score}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let wins = cases.iter().filter(|case| case.goal == Goal::Win).count();
    assert!(wins >= 15 && cases.len() - wins >= 6, "{wins} of {}", cases.len());
}

#[test]
fn the_network_finds_the_only_way_too() {
    let mut engine = engine(true);
    let mut wrong = Vec::new();
    for Case { name, game, goal, best, .. } in &cases() {
        let (found, score) = answer(&mut engine, game, RuleSet::Asian, Limits::default());
        if found != Some(*best) || !reaches(score, *goal) {
            wrong.push(format!("{name}: {found:?} {score}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_the_goal_hangs_on_is_needed() {
    let mut engine = engine(false);
    let mut wrong = Vec::new();
    for Case { name, game, goal, unless, trap, .. } in cases() {
        for without in &unless {
            let forgotten = Game::new(game.position().clone());
            let (game, rules) = match without.as_str() {
                "history" => (&forgotten, RuleSet::Asian),
                name => (&game, name.parse().unwrap_or_else(|_| panic!("unknown rule set {name}"))),
            };
            let (found, score) = answer(&mut engine, game, rules, Limits::default());
            if reaches(score, goal) {
                wrong.push(format!("{name} without {without}: {found:?} {score}"));
            }
        }
        if let Some(trap) = trap {
            let only = Limits { only: vec![trap], ..Limits::default() };
            let (_, score) = answer(&mut engine, &game, RuleSet::Asian, only.clone());
            let (_, tempting) = answer(&mut engine, &game, RuleSet::Draw, only);
            if !loses(score) || !reaches(tempting, goal) {
                wrong.push(format!("{name}: the trap {trap} gives {score}, and {tempting} where repetitions draw"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// In games with a history, the best move ends the game.
#[test]
fn the_referee_confirms_the_goals_that_hang_on_history() {
    let mut judged = 0;
    for Case { name, mut game, goal, best, .. } in cases() {
        if !game.plies().is_empty() {
            game.make(best);
            let outcome = if goal == Goal::Win { Outcome::Loss } else { Outcome::Draw };
            assert!(matches!(judge(&game, RuleSet::Asian), Verdict::Over(found, _) if found == outcome), "{name}");
            judged += 1;
        }
    }
    assert!(judged >= 7, "{judged}");
}

/// The reported line repeats the cycle as often as the referee requires.
#[test]
fn the_referee_confirms_every_announced_win_by_rule() {
    let mut engine = engine(true);
    let mut announced = 0;
    for Case { name, mut game, .. } in cases() {
        engine.new_game();
        engine.set_game(game.clone());
        let found = engine.think(Limits::nodes(NODES), |_| {}).expect("no failure");
        let score = found.score().expect("a line");
        if !is_decided(score) || is_mate(score) {
            continue;
        }
        announced += 1;
        let side = game.position().side();
        found.main_line().iter().for_each(|&mv| game.make(mv));
        let Verdict::Over(outcome, reason) = judge(&game, RuleSet::Asian) else { panic!("{name} goes on") };
        let wins = (outcome == Outcome::Win) == (game.position().side() == side);
        assert!(outcome != Outcome::Draw && wins == (score > 0) && reason.is_repetition(), "{name}: {reason:?}");
    }
    assert!(announced >= 3, "{announced}");
}

/// At the natural limit, a complete repetition has priority, but a repetition that requires another cycle is
/// too late.
#[test]
fn the_search_asks_in_the_order_of_the_referee() {
    let mut engine = engine(false);
    let mut score_of = |game: &Game, mv: Move| {
        let only = Limits { only: vec![mv], ..Limits::default() };
        answer(&mut engine, game, RuleSet::Asian, only).1
    };
    // Red's rook has chased the horse with every move, and the natural limit is reached with the third
    // occurrence.
    let mut game = Game::from_fen("5k3/9/9/8p/2n6/9/8P/9/3R5/4K4 w - - 112 60").expect("a FEN");
    game.play_text("d1c1 c5d7 c1d1 d7c5 d1c1 c5d7 c1d1".split(' ')).expect("legal moves");
    let last: Move = "d7c5".parse().expect("a move");
    assert!(is_decided(score_of(&game, last)));
    game.make(last);
    assert!(matches!(judge(&game, RuleSet::Asian), Verdict::Over(Outcome::Loss, Reason::PerpetualChase(_))));
    // Black can only give perpetual check. Red wins only if the perpetual check is ruled a loss before the
    // natural limit is reached.
    for (quiet_plies, wins) in [(80, true), (116, false)] {
        let fen = format!("3a5/4a4/C3k4/n5P2/3R5/9/9/9/5Kr2/3R1A3 w - - {quiet_plies} 70");
        let score = score_of(&Game::from_fen(&fen).expect("a FEN"), "f1f2".parse().expect("a move"));
        assert_eq!((is_decided(score), score == DRAW), (wins, !wins), "{quiet_plies}: {score}");
    }
}

#[test]
fn the_horizon_asks_the_rules() {
    let text = "5k3/9/9/8p/2n6/9/8P/9/3R5/4K4 w moves d1c1 c5d7 c1d1 d7c5 d1c1 c5d7 c1d1";
    let (game, closing) = (Game::read(text).expect("legal moves"), "d7c5".parse().expect("a move"));
    let only = Limits { only: vec![closing], ..Limits::depth(1) };
    let (_, score) = answer(&mut engine(false), &game, RuleSet::Asian, only);
    assert!(is_decided(score) && score > 0, "Red chased the horse for three cycles: {score}");
}
