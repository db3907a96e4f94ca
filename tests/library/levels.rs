//! Playing levels: the constraints of each level, and the chances of a very simple player against level 1.

use chuhe::board::{Move, Position, Side, exchange_value};
use chuhe::engine::{Level, Options, Searcher};
use chuhe::random::SplitMix64;
use chuhe::rules::{Game, Outcome, RuleSet, Verdict, judge};
use chuhe::search::Limits;
use std::collections::BTreeSet;

fn searcher(level: Level, seed: u64) -> Searcher {
    let options = Options { hash_mb: 1, threads: 1, level, seed, ..Options::default() };
    Searcher::new(options).expect("1 MB can be had")
}

/// Returns limits under which the level's own node limit ends the search; the depth limit only ensures that
/// the search is finite.
fn limits() -> Limits {
    Limits::depth(60)
}

fn level(number: u8) -> Level {
    Level::new(number).expect("1 to 10")
}

/// Returns the move of a very simple player: a capture of the most valuable unprotected piece, otherwise a
/// random move.
fn simple_move(position: &Position, random: &mut SplitMix64) -> Move {
    let moves = position.legal_moves();
    let is_free = |mv: &Move| {
        let mut after = position.clone();
        after.make(*mv);
        position.piece_on(mv.to).is_some() && after.legal_moves().iter().all(|reply| reply.to != mv.to)
    };
    let value = |mv: &Move| position.piece_on(mv.to).map(|piece| exchange_value(piece.kind()));
    let free = moves.iter().copied().filter(is_free).max_by_key(value);
    free.unwrap_or_else(|| moves[random.below(moves.len() as u64) as usize])
}

/// Plays a game and returns the simple player's result: 0, 1 or 2 half points.
fn half_points_of_the_simple_player(side: Side, seed: u64) -> u32 {
    let (mut engine, mut random) = (searcher(Level::WEAKEST, seed), SplitMix64::new(seed));
    let mut game = Game::new(Position::start());
    loop {
        let is_simple = game.position().side() == side;
        match judge(&game, RuleSet::Asian) {
            Verdict::Over(Outcome::Draw, _) => return 1,
            Verdict::Over(outcome, _) => return if (outcome == Outcome::Win) == is_simple { 2 } else { 0 },
            Verdict::Open => {}
        }
        let mv = if is_simple {
            simple_move(game.position(), &mut random)
        } else {
            engine.think(&game, &limits(), |_| {}).best.expect("the game goes on")
        };
        game.make(mv);
    }
}

#[test]
fn a_player_who_only_takes_what_is_free_scores_15_to_60_percent_against_level_1() {
    let games = 100;
    let half_points: u32 =
        (1..=games).map(|seed| half_points_of_the_simple_player([Side::Red, Side::Black][seed % 2], seed as u64)).sum();
    let share = f64::from(half_points) / (2 * games) as f64;
    assert!((0.15..=0.60).contains(&share), "{share}");
}

#[test]
fn from_level_3_a_mate_in_one_is_never_missed() {
    // In the last two positions, an unprotected rook can be captured.
    for fen in [
        "3k5/9/9/9/9/9/9/9/4R4/R3K4 w",
        "r3k4/4r4/9/9/9/9/9/9/9/3K5 b",
        "3k5/9/9/9/9/9/9/9/4R3r/R3K4 w",
        "r3k4/4r3R/9/9/9/9/9/9/9/3K5 b",
    ] {
        let game = Game::from_fen(fen).expect("a legal FEN");
        let is_mate = |mv: Move| {
            let mut after = game.clone();
            after.make(mv);
            matches!(judge(&after, RuleSet::Asian), Verdict::Over(Outcome::Loss, _))
        };
        assert!(game.position().legal_moves().into_iter().any(is_mate), "{fen}");
        for level in Level::all().skip(2) {
            for seed in 1..=10 {
                let best = searcher(level, seed).think(&game, &limits(), |_| {}).best.expect("a move");
                assert!(is_mate(best), "level {level} plays {best} in {fen}");
            }
        }
    }
}

#[test]
fn equal_seeds_play_alike_and_games_begin_differently() {
    let first_moves = |number: u8, seed: u64| {
        let (mut engine, mut game) = (searcher(level(number), seed), Game::new(Position::start()));
        (0..6).for_each(|_| {
            let best = engine.think(&game, &limits(), |_| {}).best.expect("a move");
            game.make(best);
        });
        game.plies().iter().filter_map(|ply| ply.mv).map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
    };
    for number in [1, 5, 9] {
        assert_eq!(first_moves(number, 7), first_moves(number, 7));
        let openings: BTreeSet<String> = (1..=10).map(|seed| first_moves(number, seed)).collect();
        assert!(openings.len() >= 5, "level {number}: {openings:?}");
    }
}

#[test]
fn a_level_tells_as_many_lines_as_were_asked_for_and_thinks_within_the_limits() {
    let game = Game::new(Position::start());
    for number in [1, 6, 9] {
        let mut engine = searcher(level(number), 1);
        let mut most = 0;
        let conclusion = engine.think(&game, &limits(), |event| {
            if let chuhe::search::Event::Line(report) = event {
                most = most.max(report.multipv);
            }
        });
        assert_eq!((most, conclusion.lines.len()), (1, 1), "level {number}");
        let only: Vec<Move> = ["a0a1", "i0i1"].map(|mv| mv.parse().expect("a move")).to_vec();
        let restricted = Limits { only: only.clone(), ..limits() };
        for _ in 0..10 {
            let best = engine.think(&game, &restricted, |_| {}).best.expect("a move");
            assert!(only.contains(&best), "level {number} plays {best}");
        }
    }
}

#[test]
fn the_last_level_is_the_engine_as_it_is() {
    let game = Game::new(Position::start());
    let think = |options: Options| {
        let mut engine = Searcher::new(Options { hash_mb: 1, threads: 1, ..options }).expect("1 MB can be had");
        let conclusion = engine.think(&game, &Limits::depth(6), |_| {});
        (conclusion.best, conclusion.nodes)
    };
    let full = think(Options::default());
    assert_eq!(think(Options { level: Level::FULL, seed: 3, ..Options::default() }), full);
    assert_eq!(think(Options { limit_strength: true, elo: u32::MAX, ..Options::default() }), full);
    assert_ne!(think(Options { level: level(3), ..Options::default() }).1, full.1);
    assert_ne!(think(Options { limit_strength: true, elo: 0, ..Options::default() }).1, full.1);
}
