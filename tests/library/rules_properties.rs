//! Properties of all verdicts on repetitions, tested on seeded random cycles.

use chuhe::board::{Move, Position, Side};
use chuhe::rules::{Cycles, Game, Outcome, RuleSet, SampledCycle, judge_repetition};
use std::sync::LazyLock;

const CYCLES: usize = if cfg!(debug_assertions) { 500 } else { 2_000 };

/// Returns the losing side if the moves are played from the position and lead back to it.
fn loser(start: &Position, moves: &[Move], rules: RuleSet) -> Option<Side> {
    let mut game = Game::new(start.clone());
    moves.iter().for_each(|&mv| game.make(mv));
    match judge_repetition(&game, rules, moves.len()).0 {
        Outcome::Loss => Some(game.position().side()),
        Outcome::Win => Some(!game.position().side()),
        Outcome::Draw => None,
    }
}

fn cycles() -> impl Iterator<Item = SampledCycle> {
    static SAMPLE: LazyLock<Vec<SampledCycle>> = LazyLock::new(|| Cycles::new(20).take(CYCLES).collect());
    SAMPLE.iter().cloned()
}

/// Returns `true` if every piece returns to its first square; `false` if two identical pieces have changed
/// places.
fn comes_home(cycle: &SampledCycle) -> bool {
    let mut places: Vec<(_, _)> = cycle.start.occupancy().all().into_iter().map(|at| (at, at)).collect();
    for mv in &cycle.moves {
        places.iter_mut().filter(|(_, at)| *at == mv.from).for_each(|(_, at)| *at = mv.to);
    }
    places.iter().all(|(home, at)| home == at)
}

/// Returns the same cycle, starting `plies` plies later.
fn rotated(cycle: &SampledCycle, plies: usize) -> (Position, Vec<Move>) {
    let mut start = cycle.start.clone();
    for &mv in &cycle.moves[..plies] {
        start.make(mv);
    }
    let mut moves = cycle.moves.clone();
    moves.rotate_left(plies);
    (start, moves)
}

#[test]
fn the_sampled_cycles_are_worth_judging() {
    let decided = cycles().filter(|cycle| loser(&cycle.start, &cycle.moves, RuleSet::Asian).is_some()).count();
    assert!(decided * 10 > CYCLES, "{decided} of {CYCLES}");
}

#[test]
fn a_mirrored_cycle_has_the_same_loser() {
    // The league uses the first victim found, and the order is different in the mirror image.
    for rules in RuleSet::ALL.into_iter().filter(|&rules| rules != RuleSet::League) {
        for SampledCycle { start, moves } in cycles() {
            let mirrored: Vec<Move> = moves.iter().map(|mv| mv.mirrored()).collect();
            let expected = loser(&start, &moves, rules);
            assert_eq!(loser(&start.mirrored(), &mirrored, rules), expected, "{rules} {start} {moves:?}");
        }
    }
}

#[test]
fn with_colours_swapped_the_other_side_loses() {
    for rules in RuleSet::ALL.into_iter().filter(|&rules| rules != RuleSet::League) {
        for SampledCycle { start, moves } in cycles() {
            let flipped: Vec<Move> = moves.iter().map(|mv| mv.flipped()).collect();
            let expected = loser(&start, &moves, rules).map(|side| !side);
            assert_eq!(loser(&start.flipped(), &flipped, rules), expected, "{rules} {start} {moves:?}");
        }
    }
}

#[test]
fn a_cycle_has_the_same_loser_wherever_it_is_entered() {
    for rules in RuleSet::ALL {
        for cycle in cycles().filter(comes_home) {
            let expected = loser(&cycle.start, &cycle.moves, rules);
            for plies in 1..cycle.moves.len() {
                let (start, moves) = rotated(&cycle, plies);
                assert_eq!(
                    loser(&start, &moves, rules),
                    expected,
                    "{rules} {} {:?} +{plies}",
                    cycle.start,
                    cycle.moves
                );
            }
        }
    }
}

#[test]
fn further_rounds_change_nothing() {
    for rules in RuleSet::ALL {
        for cycle in cycles().filter(comes_home) {
            let once = loser(&cycle.start, &cycle.moves, rules);
            let thrice = cycle.moves.repeat(3);
            assert_eq!(loser(&cycle.start, &thrice, rules), once, "{rules} {} {:?}", cycle.start, cycle.moves);
        }
    }
}

#[test]
fn two_idle_moves_more_turn_a_loss_into_a_draw() {
    let mut tried = 0;
    for cycle in cycles() {
        let Some(side) = loser(&cycle.start, &cycle.moves, RuleSet::Asian) else { continue };
        let Some(detour) = idle_detour(&cycle.start, side) else { continue };
        let moves = [cycle.moves.clone(), detour].concat();
        tried += 1;
        assert_eq!(loser(&cycle.start, &moves, RuleSet::Asian), None, "{} {moves:?}", cycle.start);
    }
    assert!(tried * 20 > CYCLES, "{tried}");
}

/// Returns two moves of each side, away and back, during which `side` neither checks nor chases.
fn idle_detour(start: &Position, side: Side) -> Option<Vec<Move>> {
    let quiet = |board: &Position| {
        board.legal_moves().into_iter().filter(|mv| board.piece_on(mv.to).is_none()).collect::<Vec<_>>()
    };
    let mut board = start.clone();
    for one in quiet(start) {
        let undo = board.make(one);
        for other in quiet(&board).into_iter().take(8) {
            let detour = vec![one, other, Move::new(one.to, one.from), Move::new(other.to, other.from)];
            if is_playable(start, &detour) && is_idle(start, &detour, side) {
                return Some(detour);
            }
        }
        board.unmake(one, undo);
    }
    None
}

fn is_playable(start: &Position, moves: &[Move]) -> bool {
    let mut board = start.clone();
    moves.iter().all(|&mv| {
        let playable = board.is_legal(mv) && board.piece_on(mv.to).is_none();
        if playable {
            board.make(mv);
        }
        playable
    }) && board.key() == start.key()
}

/// Returns `true` if no move of the side gives check or makes an attack, according to the full description of
/// the cycle.
fn is_idle(start: &Position, moves: &[Move], side: Side) -> bool {
    use chuhe::rules::{Cycle, Deed};
    let mut game = Game::new(start.clone());
    moves.iter().for_each(|&mv| game.make(mv));
    let cycle = Cycle::of(&game, RuleSet::Asian, moves.len());
    let attacks = |deed: &Deed| matches!(deed, Deed::Check | Deed::Chase(_));
    cycle.plies.iter().filter(|ply| ply.side == side).all(|ply| !ply.deeds.iter().any(attacks))
}
