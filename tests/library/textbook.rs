//! The gallery is a valid oracle only if every exact algorithm returns the minimax value with all
//! combinations of techniques.

use crate::search::as_told;
use chuhe::board::{MoveClass, Position};
use chuhe::engine::{Engine, Options};
use chuhe::random::SplitMix64;
use chuhe::rules::Game;
use chuhe::search::params::Switches;
use chuhe::search::{self, Params};
use chuhe::textbook::*;

/// Combinations of techniques that do not change the value.
fn exact_techniques() -> Vec<Techniques> {
    let plain = Techniques { table_bits: 12, ..Techniques::default() };
    let table = Techniques { table: Some(UsableEntries::EqualDepth), ..plain };
    vec![
        plain,
        Techniques { order: Order::Gain, killers: 2, ..plain },
        Techniques { order: Order::Random, deepening: true, ..plain },
        Techniques { order: Order::Lists, history: Some(Reward::Power), window: 1, ..table },
        Techniques { order: Order::Staged, deepening: true, killers: 2, history: Some(Reward::Square), ..table },
        Techniques { order: Order::Sorted, killers: 3, forgetful: true, table_bits: 4, ..table },
        Techniques { history: Some(Reward::Square), deepening: true, killers: 1, ..table },
    ]
}

fn value<T: Tree>(algorithm: Algorithm, tree: T, depth: i32, techniques: Techniques) -> i32 {
    let outcome = run(algorithm, tree, techniques, Limits { depth, ..Limits::default() });
    assert_eq!(outcome.depth, depth);
    outcome.value
}

/// Runs all exact algorithms at one depth, each with different techniques; `turn` rotates the assignment.
fn check<T: Tree + Clone>(tree: &T, depth: i32, turn: usize, quiescence: bool, name: &str) {
    let techniques = exact_techniques();
    let truth = value(Algorithm::Minimax, tree.clone(), depth, Techniques { quiescence, ..Techniques::default() });
    let exact = Algorithm::ALL.into_iter().filter(|algorithm| algorithm.is_exact() && *algorithm != Algorithm::Minimax);
    for (index, algorithm) in exact.enumerate() {
        let techniques = Techniques { quiescence, ..techniques[(index + turn) % techniques.len()] };
        let found = value(algorithm, tree.clone(), depth, techniques);
        assert_eq!(found, truth, "{} at depth {depth} with {techniques:?}\n{name}", algorithm.name());
    }
}

fn xiangqi(position: &Position, turn: usize) -> Xiangqi {
    use Evaluation::{Full, Material, Positional};
    let (evaluation, divisor) = [(Material, 1), (Full, 1), (Full, 10), (Material, 1000), (Positional, 1)][turn % 5];
    Xiangqi::new(position.clone(), evaluation, divisor)
}

fn gallery() -> Vec<Position> {
    let lines = include_str!("../../positions/gallery.epd").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.parse().expect("positions/gallery.epd contains legal positions")).collect()
}

/// Checks each position at every depth up to its own.
fn check_all(positions: impl IntoIterator<Item = (Position, i32)>, quiescence: bool) {
    for (turn, (position, most)) in positions.into_iter().enumerate() {
        for depth in 1..=most {
            check(&xiangqi(&position, turn), depth, turn + depth as usize, quiescence, &position.to_string());
        }
    }
}

#[test]
fn every_exact_algorithm_finds_the_minimax_value_of_the_gallery() {
    let positions = gallery();
    assert_eq!(positions.len(), 100);
    let depths = [4, 3, 3, 3].into_iter().cycle();
    check_all(positions.into_iter().zip(depths), false);
}

#[test]
fn every_exact_algorithm_finds_the_minimax_value_of_random_positions() {
    let mut random = SplitMix64::new(7);
    check_all((0..200).map(|_| (random_position(&mut random), 3)), false);
}

#[test]
fn minimax_itself_keeps_its_value_with_every_switch_and_in_every_order() {
    let mut random = SplitMix64::new(6);
    for turn in 0..40 {
        let tree = xiangqi(&random_position(&mut random), turn);
        let truth = value(Algorithm::Minimax, tree.clone(), 2, Techniques::default());
        for techniques in exact_techniques() {
            assert_eq!(value(Algorithm::Minimax, tree.clone(), 2, techniques), truth, "{techniques:?}");
        }
        for order in [Order::Worst, Order::Best] {
            let techniques = Techniques { order, ..Techniques::default() };
            assert_eq!(value(Algorithm::FailSoft, tree.clone(), 2, techniques), truth, "{techniques:?}");
        }
    }
}

#[test]
fn quiescence_gives_one_value_whatever_the_window() {
    let mut random = SplitMix64::new(8);
    check_all((0..60).map(|_| (random_position(&mut random), 2)), true);
}

#[test]
fn every_exact_algorithm_finds_the_minimax_value_of_random_trees() {
    for seed in 0..400 {
        // Few distinct values cause many ties; many distinct values cause few.
        let tree = Synthetic::new(seed, 2 + seed % 4, [1, 5, 100, 10_000][seed as usize % 4]);
        for depth in 1..=5 {
            check(&tree, depth, seed as usize + depth as usize, seed % 3 == 0, &format!("{tree:?}"));
        }
    }
}

/// Fail-hard returns the true value clamped to the window; fail-soft and all other windowed searches return a
/// bound on the correct side.
fn check_windows<T: Tree + Clone>(tree: &T, depth: i32, random: &mut SplitMix64, name: &str) {
    let limits = Limits { depth, ..Limits::default() };
    let truth = value(Algorithm::Minimax, tree.clone(), depth, Techniques::default());
    let spread = tree.pawn() as u64 * 16;
    for techniques in exact_techniques() {
        let alpha = truth - tree.pawn() * 8 + random.below(spread) as i32;
        let beta = alpha + 1 + random.below(spread) as i32;
        let ask = |search: Search<T>| {
            let found = search(&mut Study::new(tree.clone(), techniques, limits), depth, alpha, beta);
            found.expect("the depth is the only limit")
        };
        assert_eq!(ask(fail_hard), truth.clamp(alpha, beta), "fail-hard ({alpha}, {beta}) {techniques:?} {name}");
        let in_window = |search: Search<T>, which: &str, beta: i32| {
            let found = ask(search);
            let sound = match found {
                found if found <= alpha => truth <= found,
                found if found >= beta => truth >= found,
                found => truth == found,
            };
            assert!(sound, "{which} ({alpha}, {beta}) returns {found}, the value is {truth}; {techniques:?} {name}");
        };
        in_window(fail_soft, "fail-soft", beta);
        in_window(pvs::<T, { PvsVariant::Pvs as u8 }>, "pvs", beta);
        in_window(pvs::<T, { PvsVariant::NegaScout as u8 }>, "negascout", beta);
        in_window(pvs::<T, { PvsVariant::Printed as u8 }>, "pvs as printed", beta);
        in_window(|study, depth, alpha, beta| two_maxima(study, depth, [alpha, -beta]), "two maxima", beta);
        in_window(|study, depth, alpha, _| zero_width(study, depth, alpha), "zero width", alpha + 1);
    }
}

#[test]
fn failures_are_bounds_on_the_right_side() {
    let mut random = SplitMix64::new(9);
    for turn in 0..150 {
        let position = random_position(&mut random);
        check_windows(&xiangqi(&position, turn), 1 + turn as i32 % 3, &mut random, &position.to_string());
    }
    for seed in 0..1500 {
        let tree = Synthetic::new(seed, 2 + seed % 4, [1, 5, 100, 10_000][seed as usize % 4]);
        check_windows(&tree, 1 + seed as i32 % 5, &mut random, &format!("{tree:?}"));
    }
}

#[test]
fn the_printed_mtd_is_wrong_on_many_random_trees_and_the_repaired_one_on_none() {
    let wrong = |algorithm| {
        let differs = |seed: &u64| {
            let tree = Synthetic::new(*seed, 6, 10_000);
            let truth = value(Algorithm::Minimax, tree.clone(), 4, Techniques::default());
            value(algorithm, tree, 4, Techniques::default()) != truth
        };
        (0..500).filter(differs).count()
    };
    assert_eq!(wrong(Algorithm::Mtd), 0);
    assert_eq!(wrong(Algorithm::MtdPlaat), 0);
    assert_eq!(wrong(Algorithm::MtdPrinted), 194);
}

#[test]
fn the_best_line_leads_to_the_value() {
    use Algorithm::{FailHard, FailSoft, Minimax, Pvs, TwoMaxima};
    for seed in 0..500 {
        for algorithm in [Minimax, TwoMaxima, FailHard, FailSoft, Pvs] {
            let mut tree = Synthetic::new(seed, 4, 1000);
            let techniques = Techniques { order: Order::Gain, ..Techniques::default() };
            let limits = Limits { depth: 4, ..Limits::default() };
            let outcome = run(algorithm, tree.clone(), techniques, limits);
            let mut sign = 1;
            for &mv in &outcome.line {
                tree.play(mv);
                sign = -sign;
            }
            let plies = outcome.line.len() as i32;
            let end = if plies == limits.depth { tree.value() } else { plies - MATE };
            assert_eq!(sign * end, outcome.value, "{} {:?}", algorithm.name(), outcome.line);
        }
    }
}

/// The engine's own search must equal minimax if all techniques that prune, reduce, extend or store results
/// are off.
#[test]
fn the_playing_search_without_techniques_is_minimax() {
    let params = Params { on: Switches::none(), ..Params::default() };
    let mut engine =
        Engine::new(Options { hash_mb: 1, params, use_nnue: false, ..Options::default() }).expect("1 MB can be had");
    for position in gallery().iter().step_by(3) {
        for depth in 1..=3 {
            let tree = Xiangqi::new(position.clone(), Evaluation::Full, 1);
            let truth = value(Algorithm::Minimax, tree, depth, Techniques::default());
            engine.new_game();
            engine.set_game(Game::new(position.clone()));
            let score = engine.think(search::Limits::depth(depth as u32), |_| {}).expect("no failure").lines[0].score;
            assert_eq!(from_score(score), as_told(truth), "depth {depth} {position}");
        }
    }
}

/// With a history table, the orders may differ, since the table changes between the generation of two stages.
#[test]
fn staged_moves_come_in_the_order_of_sorted_ones() {
    for position in gallery().iter().take(30) {
        let counts = [Order::Staged, Order::Sorted].map(|order| {
            let techniques = Techniques {
                order,
                deepening: true,
                table: Some(UsableEntries::EqualDepth),
                table_bits: 14,
                killers: 2,
                ..Techniques::default()
            };
            run(Algorithm::Pvs, xiangqi(position, 0), techniques, Limits { depth: 4, ..Limits::default() }).counts
        });
        assert_eq!(counts[0], counts[1], "{position}");
    }
}

/// Returns a position from a game of random moves that is not over.
fn random_position(random: &mut SplitMix64) -> Position {
    let mut position = Position::start();
    for _ in 0..random.below(300) {
        let captures = position.moves(MoveClass::Captures);
        // Captures are rare in games of random moves. Here they are sometimes preferred, so that all game
        // phases occur.
        let moves = if random.below(3) == 0 && !captures.is_empty() { captures } else { position.legal_moves() };
        if moves.is_empty() {
            break;
        }
        position.make(moves[random.below(moves.len() as u64) as usize]);
    }
    position
}
