//! The search: equal to minimax with all techniques off, reproducible, and correct where the true value is
//! known.

use crate::random_positions::{random_game, strewn};
use chuhe::board::{Move, Position};
use chuhe::engine::{BENCH_DEPTH, Engine, Options, bench_with};
use chuhe::eval::evaluate;
use chuhe::random::SplitMix64;
use chuhe::rules::Game;
use chuhe::score::{DRAW, INFINITE, Score, is_evaluation, mate_in, mated_in};
use chuhe::search::params::{Switches, TECHNIQUES};
use chuhe::search::{Conclusion, Limits, Params, internal, reported};

fn minimax(position: &mut Position, depth: u32, ply: usize) -> Score {
    if depth == 0 {
        return evaluate(position);
    }
    let mut best = mated_in(ply);
    for mv in position.legal_moves() {
        let undo = position.make(mv);
        best = best.max(-minimax(position, depth - 1, ply + 1));
        position.unmake(mv, undo);
    }
    best
}

fn engine(options: Options) -> Engine {
    Engine::new(Options { hash_mb: 8, ..options }).expect("8 MB can be had")
}

fn with_switches(on: Switches) -> Engine {
    engine(Options { params: Params { on, ..Params::default() }, use_nnue: false, ..Options::default() })
}

fn think(engine: &mut Engine, fen: &str, limits: Limits) -> Conclusion {
    engine.new_game();
    engine.set_game(Game::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")));
    engine.think(limits, |_| {}).expect("no failure")
}

fn score(conclusion: &Conclusion) -> Score {
    conclusion.lines[0].score
}

fn mv(text: &str) -> Move {
    text.parse().expect("a move")
}

#[test]
fn with_every_technique_off_the_search_returns_minimax() {
    let mut engine = with_switches(Switches::none());
    let mut random = SplitMix64::new(11);
    let mut positions = Vec::new();
    // 70 sparse boards to depth 4, and 30 positions from games to depth 3 (to depth 4 if they have few
    // moves).
    while positions.len() < 70 {
        let position = strewn(&mut random, 9);
        if position.has_moves() && position.legal_moves().len() < 22 {
            positions.push((position, 4));
        }
    }
    while positions.len() < 100 {
        let mut last = Position::start();
        let plies = 20 + random.below(100) as usize;
        random_game(&mut random, plies, |position| last = position.clone());
        if last.has_moves() {
            let depth = if last.legal_moves().len() < 25 { 4 } else { 3 };
            positions.push((last, depth));
        }
    }
    for (mut position, deepest) in positions {
        for depth in 1..=deepest {
            let truth = minimax(&mut position, depth, 0);
            let found = think(&mut engine, &position.to_string(), Limits::depth(depth));
            assert_eq!(score(&found), as_told(truth), "{position} at depth {depth}");
        }
    }
}

/// Converts a value to the reported score: beyond a decisive advantage, the search compresses centipawns by a
/// factor of three.
pub(crate) fn as_told(value: Score) -> Score {
    if is_evaluation(value) { reported(internal(value)) } else { value }
}

#[test]
fn exact_techniques_alone_do_not_change_the_value() {
    let exact = [
        "aspiration",
        "mate_distance",
        "killers",
        "history",
        "capture_history",
        "continuation_history",
        "reply_history",
        "hash_history",
        "swing_history",
        "checks_early",
    ];
    let mut random = SplitMix64::new(5);
    for name in exact {
        assert!(TECHNIQUES.contains(&name));
        let mut on = Switches::none();
        on.set(name, true);
        let mut engine = with_switches(on);
        for _ in 0..10 {
            let mut position = strewn(&mut random, 8);
            if position.has_moves() {
                let truth = minimax(&mut position, 3, 0);
                let found = think(&mut engine, &position.to_string(), Limits::depth(3));
                assert_eq!(score(&found), as_told(truth), "{position} with {name}");
            }
        }
    }
}

#[test]
fn the_bench_is_the_signature() {
    for (use_nnue, nodes) in [(true, SIGNATURE), (false, SIGNATURE_BY_HAND)] {
        let bench = bench_with(Options { use_nnue, ..Options::default() }, BENCH_DEPTH, |_, _| {});
        assert_eq!(bench.map(|bench| bench.nodes), Ok(nodes));
    }
}

/// Node count of the bench. It changes only in commits that change play; their messages end with the new
/// count.
const SIGNATURE: u64 = 404991;
/// Node count of the bench with the hand-written evaluation.
const SIGNATURE_BY_HAND: u64 = 478709;

#[test]
fn a_new_game_forgets_the_one_before() {
    let fens = ["startpos", "r2akab2/c8/nC2b4/1cp1p3p/p4rp2/2P6/P3P1P1P/N3B4/4AN3/R1B1KA2R w"];
    let mut engine = engine(Options::default());
    let first = fens.map(|fen| think(&mut engine, fen, Limits::depth(9)).nodes);
    let again = fens.map(|fen| think(&mut engine, fen, Limits::depth(9)).nodes);
    assert_eq!(first, again);
}

#[test]
fn an_ending_without_attackers_is_drawn_after_one_move() {
    let mut engine = engine(Options::default());
    let found = think(&mut engine, "4k4/9/9/9/9/9/9/9/4A4/4K4 w", Limits::depth(50));
    assert_eq!((found.lines[0].depth, found.lines[0].pv.len(), score(&found)), (50, 1, DRAW));
    assert!(found.nodes < 50 * 8, "{} nodes", found.nodes);
}

#[test]
fn mates_are_found_at_their_distance() {
    let mut engine = engine(Options::default());
    for (fen, plies) in [("3k5/9/9/9/9/9/9/4R4/4R4/5K3 w", 1), ("4k4/9/9/9/9/9/9/R8/1R7/5K3 w", 3)] {
        let found = think(&mut engine, fen, Limits::depth(8));
        assert_eq!(score(&found), mate_in(plies), "{fen}");
    }
}

#[test]
fn a_side_that_is_losing_looks_for_a_mate() {
    // The mate in six begins with a sacrifice and has quiet moves; the other moves lose quickly.
    let mut engine = engine(Options::default());
    let limits = Limits { nodes: Some(300_000), ..Limits::default() };
    let found = think(&mut engine, "3akarr1/1NC2P2C/9/9/R8/9/6p2/4B4/2n1p4/5K3 w", limits);
    assert_eq!(score(&found), mate_in(11));
}

#[test]
fn stalemate_is_a_win_for_the_side_that_moved() {
    // The black king cannot move once the pawn is beside d8 and Red's king controls the file.
    let mut engine = engine(Options::default());
    let found = think(&mut engine, "3k5/5P3/3P5/9/9/9/9/9/9/4K4 w", Limits::depth(6));
    assert!(score(&found) > INFINITE - 3000, "{found:?}");
}

#[test]
fn banned_moves_are_not_played_unless_all_are() {
    let mut engine = engine(Options::default());
    let free = think(&mut engine, "startpos", Limits::depth(4)).best.expect("there are moves");
    let banned = Limits { banned: vec![free], ..Limits::depth(4) };
    assert_ne!(think(&mut engine, "startpos", banned).best, Some(free));
    let all = Position::start().legal_moves().to_vec();
    let banned = Limits { banned: all, ..Limits::depth(4) };
    assert!(think(&mut engine, "startpos", banned).best.is_some());
    let only = Limits { only: vec![mv("a3a4")], ..Limits::depth(4) };
    assert_eq!(think(&mut engine, "startpos", only).best, Some(mv("a3a4")));
}

#[test]
fn a_search_without_a_bad_move_is_as_deep_as_with_it() {
    let nodes = |banned| {
        let limits = Limits { banned, ..Limits::depth(12) };
        think(&mut engine(Options::default()), "startpos", limits).nodes
    };
    let (all, others) = (nodes(vec![]), nodes(vec![mv("e0e1")]));
    assert!(others * 10 > all * 7, "{others} nodes instead of {all}");
}

#[test]
fn several_lines_are_different_and_in_order() {
    let mut engine = engine(Options { multipv: 4, ..Options::default() });
    let found = think(&mut engine, "startpos", Limits::depth(6));
    assert_eq!(found.lines.len(), 4);
    for pair in found.lines.windows(2) {
        assert!(pair[0].score >= pair[1].score);
        assert_ne!(pair[0].pv[0], pair[1].pv[0]);
    }
}

#[test]
fn a_side_without_moves_gets_no_move() {
    let mut engine = engine(Options::default());
    let found = think(&mut engine, "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b", Limits::depth(3));
    assert_eq!(found.best, None);
    assert!(found.lines.is_empty());
}

#[test]
fn several_threads_find_what_one_finds() {
    let mut engine = engine(Options { threads: 3, ..Options::default() });
    let found = think(&mut engine, "4k4/9/9/9/9/9/9/R8/1R7/5K3 w", Limits::depth(8));
    assert_eq!(score(&found), mate_in(3));
}

#[test]
fn every_line_of_a_stopped_search_has_a_score() {
    for nodes in [2_000, 5_000, 9_000, 20_000] {
        let mut engine = engine(Options { multipv: 3, ..Options::default() });
        let conclusion = engine.think(Limits::nodes(nodes), |_| {}).expect("a search");
        let scores: Vec<_> = conclusion.lines.iter().map(|line| line.score).collect();
        assert!(scores.len() == 3 && scores.iter().all(|score| score.abs() < 1000), "{nodes} nodes: {scores:?}");
    }
}
