//! The mate solver: its proofs are confirmed with the board's move generator, and its results without a mate
//! by exhaustive search.

use chuhe::board::{Move, Position};
use chuhe::mates::{Limits, Pattern, Proof, Solver, SolverResult, shortest};
use chuhe::random::SplitMix64;
use chuhe::rules::Game;
use chuhe::words::Language;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// Positions with a mate by checks that is found only if a disproof that depends on one line is not used on
/// another line.
const REACHED_BY_TWO_LINES: [&str; 4] = [
    "1R1c1ab2/5k3/3r1a3/3C5/6b1N/3R5/9/3AB4/2p1p4/3K1N1rc w",
    "3a1kbn1/4P4/1c2n1r2/4p4/9/CC5pp/9/9/r1p1p4/3K3RR w",
    "4R4/3ca4/4ka3/5P3/C1b2R3/9/4P4/3AB1n1r/3p1p3/2N1K4 w",
    "r1N3b2/1c1kaP3/3ab4/8N/9/9/9/4BA3/5p3/C1R1K1Rrc w",
];

fn solver() -> Solver {
    Solver::new(1).expect("1 MB can be had")
}

fn game(fen: &str) -> Game {
    Game::from_fen(fen).expect("a legal FEN")
}

fn solve(game: &Game, nodes: u64, quiet: u8) -> SolverResult {
    solver().solve(game, Limits { nodes, quiet }, &mut |_| true)
}

/// Returns the positions in a file with their operations, such as the number of attacker moves to mate.
fn positions(file: &str) -> Vec<(String, Vec<(String, String)>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("positions").join(file);
    let text = fs::read_to_string(path).expect("a file of positions");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let mut parts = line.split(';').map(str::trim);
            let fen = parts.next().expect("a FEN").to_owned();
            let fields = parts.filter_map(|part| part.split_once(' '));
            (fen, fields.map(|(key, value)| (key.to_owned(), value.to_owned())).collect())
        })
        .collect()
}

/// Confirms a proof: it contains a legal move after every legal defence, and each move shortens the distance
/// to mate.
fn confirm(proof: &Proof, game: &Game) {
    fn walk(position: &mut Position, proof: &Proof, seen: &mut HashSet<u64>) {
        let step = proof.step(position).unwrap_or_else(|| panic!("no move in {position}"));
        if !seen.insert(position.key()) {
            return;
        }
        assert!(position.legal_moves().contains(&step.mv), "{} in {position}", step.mv);
        let (was_in_check, undo) = (position.in_check(), position.make(step.mv));
        assert!(proof.quiet() > 0 || position.in_check(), "{} is quiet; in check before: {was_in_check}", step.mv);
        let answers = position.legal_moves();
        assert_eq!(step.plies == 1, answers.is_empty(), "{position}");
        for answer in answers {
            let undo = position.make(answer);
            let next = proof.step(position).unwrap_or_else(|| panic!("no move against {answer} in {position}"));
            assert!(next.plies + 2 <= step.plies, "the distance to the mate does not decrease in {position}");
            walk(position, proof, seen);
            position.unmake(answer, undo);
        }
        position.unmake(step.mv, undo);
    }
    walk(&mut game.position().clone(), proof, &mut HashSet::new());
    let mut position = game.position().clone();
    for mv in proof.line() {
        position.try_make(*mv).expect("a line of legal moves");
    }
    assert!(!position.has_moves(), "the line ends in a mate: {position}");
}

/// Returns `true` if checks mate within `moves` moves, by exhaustive search.
fn mates_by_checks(position: &mut Position, moves: u32) -> bool {
    position.legal_moves().into_iter().any(|check| {
        let undo = position.make(check);
        let mates = position.in_check()
            && position.legal_moves().into_iter().all(|answer| {
                moves > 1 && {
                    let undo = position.make(answer);
                    let mates = mates_by_checks(position, moves - 1);
                    position.unmake(answer, undo);
                    mates
                }
            });
        position.unmake(check, undo);
        mates
    })
}

/// Visits positions from random games in which checks are preferred, so that kings become exposed.
fn wild_positions(count: usize, seed: u64, mut test: impl FnMut(&Game)) {
    let mut random = SplitMix64::new(seed);
    let mut made = 0;
    while made < count {
        let mut game = Game::new(Position::start());
        for ply in 0..160 {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            if ply > 20 && random.below(8) == 0 && made < count {
                made += 1;
                test(&Game::new(game.position().clone()));
            }
            let captures: Vec<Move> =
                moves.iter().copied().filter(|mv| game.position().piece_on(mv.to).is_some()).collect();
            let wild = random.below(3) == 0 && !captures.is_empty();
            let choice = if wild { &captures[..] } else { &moves[..] };
            game.make(choice[random.below(choice.len() as u64) as usize]);
        }
    }
}

#[test]
fn a_mate_by_checks_is_found_with_a_proof_that_plain_moves_confirm() {
    let mut mates = 0;
    for file in ["mates.epd", "hidden-mates.epd", "hidden-mates-2.epd", "hidden-mates-3.epd"] {
        for (fen, _) in positions(file) {
            let game = game(&fen);
            match solve(&game, 30_000, 0) {
                SolverResult::Mate(proof) => {
                    confirm(&proof, &game);
                    mates += 1;
                }
                SolverResult::NoMateByChecks => assert!(!mates_by_checks(&mut game.position().clone(), 2), "{fen}"),
                SolverResult::Unknown => panic!("{fen} is not solved"),
            }
        }
    }
    assert_eq!(mates, MATES_BY_CHECKS);
}

/// Number of positions in the four files that have a mate by checks.
const MATES_BY_CHECKS: usize = 29;

#[test]
fn a_disproof_that_rests_on_one_line_hides_no_mate_on_another() {
    for fen in REACHED_BY_TWO_LINES {
        let game = game(fen);
        let SolverResult::Mate(proof) = solve(&game, 100_000, 0) else { panic!("no mate in {fen}") };
        confirm(&proof, &game);
    }
}

#[test]
fn no_mate_is_proved_where_trying_everything_finds_one() {
    let (mut mates, mut none) = (0, 0);
    wild_positions(2_000, 3, |game| match solve(game, 20_000, 0) {
        SolverResult::Mate(proof) => {
            confirm(&proof, game);
            let mate = shortest(game.position(), proof.moves(), 1_000_000).expect("a proved mate");
            let moves = mate.line.len().div_ceil(2) as u32;
            assert!(moves <= proof.moves() as u32);
            if moves <= 3 {
                assert!(mates_by_checks(&mut game.position().clone(), moves));
                assert!(moves == 1 || !mates_by_checks(&mut game.position().clone(), moves - 1));
            }
            mates += 1;
        }
        SolverResult::NoMateByChecks => {
            assert!(!mates_by_checks(&mut game.position().clone(), 2), "{}", game.position());
            none += 1;
        }
        SolverResult::Unknown => {}
    });
    assert!(mates > 20 && none > 1_500, "{mates} {none}");
}

#[test]
fn quiet_moves_are_proved_as_well() {
    // Black's king is smothered; a quiet move by a rook or a horse prepares the mate.
    for (fen, quiet) in [
        ("4kab2/3Pa4/4b4/1N1N5/9/9/5p3/4B3n/3p4p/5K2c w", 1),
        ("6b2/9/3k5/4P1N2/2b6/9/9/9/3p2p2/4K4 w", 3),
        ("3ak1b1r/4a2Pn/4b4/4C4/9/9/cR7/n8/4A1p2/3AKC3 w", 3),
    ] {
        let game = game(fen);
        assert_eq!(solve(&game, 10_000, 0), SolverResult::NoMateByChecks, "{fen}");
        let SolverResult::Mate(proof) = solve(&game, 400_000, quiet) else { panic!("no mate in {fen}") };
        assert!(proof.quiet() > 0);
        confirm(&proof, &game);
    }
}

/// `CHUHE_TRIES=100000 cargo test --release --test mates random` sets the number of random attempts.
#[test]
fn random_limits_stops_and_a_small_table_never_give_a_wrong_proof() {
    let mut random = SplitMix64::new(11);
    let mut solver = solver();
    let fens: Vec<String> =
        ["mates.epd", "hidden-mates.epd"].iter().flat_map(|file| positions(file)).map(|(fen, _)| fen).collect();
    let mut proofs = 0;
    let tries = std::env::var("CHUHE_TRIES").ok().and_then(|tries| tries.parse().ok()).unwrap_or(1_500);
    for _ in 0..tries {
        let game = game(&fens[random.below(fens.len() as u64) as usize]);
        let limits = Limits { nodes: 1 << random.below(15), quiet: random.below(4) as u8 };
        let stop_at = random.below(20_000);
        // The table is kept between positions, so that it fills up and is cleaned.
        if let SolverResult::Mate(proof) = solver.solve(&game, limits, &mut |nodes| nodes < stop_at) {
            confirm(&proof, &game);
            proofs += 1;
        }
    }
    assert!(proofs > 20, "{proofs}");
}

#[test]
fn a_number_of_nodes_gives_the_same_answer_every_time() {
    for (fen, _) in positions("hidden-mates.epd").into_iter().take(20) {
        let mut once = solver();
        let limits = Limits { nodes: 5_000, quiet: 2 };
        let first = (once.solve(&game(&fen), limits, &mut |_| true), once.nodes());
        once.forget();
        assert_eq!((once.solve(&game(&fen), limits, &mut |_| true), once.nodes()), first, "{fen}");
    }
}

#[test]
fn perpetual_check_is_no_mate() {
    // The rook can give perpetual check from two squares.
    assert_eq!(solve(&game("3k5/9/9/p8/9/9/P8/9/4R4/5K3 w"), 1_000, 0), SolverResult::NoMateByChecks);
}

#[test]
fn a_position_that_has_stood_twice_is_no_step_of_a_mate() {
    let mate = "3k5/4P4/9/9/9/9/9/9/9/R3K4 w";
    assert!(matches!(solve(&game(mate), 100, 0), SolverResult::Mate(_)));
    // Stalemate also loses, and is found as a mate by a quiet move.
    let SolverResult::Mate(proof) = solve(&game("3k5/9/4P4/9/9/9/9/9/9/4K4 w"), 10_000, 1) else {
        panic!("no stalemate")
    };
    assert_eq!(proof.moves(), 1);
}

#[test]
fn two_solutions_are_both_keys() {
    let two = shortest(&"3k5/9/9/9/9/9/9/4R4/4R4/5K3 w".parse().expect("a FEN"), 3, 10_000).expect("a mate");
    assert!(two.keys.len() > 1 && two.line.len() == 1, "{two:?}");
}

#[test]
fn classical_patterns_are_named() {
    for (fen, fields) in positions("patterns.epd") {
        let field = |name: &str| fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
        let mv: Move = field("bm").expect("a move").parse().expect("a move");
        let mut after: Position = fen.parse().expect("a FEN");
        let before = after.clone();
        after.try_make(mv).expect("a legal move");
        assert!(!after.has_moves(), "{fen}: {mv} does not mate");
        for (before, mv) in [(before.clone(), mv), (before.mirrored(), mv.mirrored()), (before.flipped(), mv.flipped())]
        {
            let name = Pattern::of(&before, mv).map_or("none", |pattern| pattern.name(Language::Chinese));
            assert_eq!(Some(name.to_owned()), field("id"), "{before} {mv}");
        }
    }
}
