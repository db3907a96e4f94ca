//! Microbenchmarks of the parts of a search. Run all of them with `cargo bench`, or some with
//! `cargo bench -- generate`.
//!
//! Each benchmark processes all positions of `src/engine/embedded/bench.epd`, and divan counts them, so a
//! figure is the cost per position, move or probe. Only `chuhe bench` shows whether a change makes the engine
//! faster.

use chuhe::board::{Move, MoveClass, Position, exchange_value};
use chuhe::eval::{Evaluator, Handcrafted, Nnue, nnue};
use chuhe::random::SplitMix64;
use chuhe::search::{Bound, Entry, Histories, MoveFilter, Params, Picker, Sources, TranspositionTable};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

fn positions() -> Vec<Position> {
    let lines = include_str!("../src/engine/embedded/bench.epd")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|fen| fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))).collect()
}

/// Returns every position with its legal moves.
fn moves() -> Vec<(Position, Vec<Move>)> {
    positions().into_iter().map(|position| (position.clone(), position.legal_moves().to_vec())).collect()
}

fn count(moves: &[(Position, Vec<Move>)]) -> ItemsCount {
    ItemsCount::new(moves.iter().map(|(_, moves)| moves.len()).sum::<usize>())
}

#[divan::bench(args = [MoveClass::All, MoveClass::Captures, MoveClass::Quiets])]
fn generate(bencher: Bencher, wanted: MoveClass) {
    let positions = positions();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        for position in &positions {
            black_box(position.moves(wanted));
        }
    });
}

#[divan::bench]
fn make_and_unmake(bencher: Bencher) {
    let mut moves = moves();
    bencher.counter(count(&moves)).bench_local(|| {
        for (position, moves) in &mut moves {
            for mv in moves {
                let undo = position.make(*mv);
                black_box(&position);
                position.unmake(*mv, undo);
            }
        }
    });
}

#[divan::bench]
fn gives_check(bencher: Bencher) {
    let moves = moves();
    bencher.counter(count(&moves)).bench_local(|| {
        for (position, moves) in &moves {
            let checks = position.checks();
            for mv in moves {
                black_box(checks.given_by(position, *mv));
            }
        }
    });
}

/// Iterates over all legal moves in search order, without a hash move, killers and histories.
#[divan::bench]
fn pick(bencher: Bencher) {
    let (moves, histories, params) = (moves(), Histories::new().expect("a few MB"), Params::default());
    bencher.counter(count(&moves)).bench_local(|| {
        for (position, _) in &moves {
            let sources = Sources { position, histories: &histories, before: [None; 2], params: &params };
            let mut picker = Picker::new(MoveFilter::All, None, [None; 2]);
            while let Some(mv) = picker.next(&sources, false) {
                black_box(mv);
            }
        }
    });
}

#[divan::bench]
fn exchange(bencher: Bencher) {
    let mut moves = moves();
    for (position, moves) in &mut moves {
        moves.retain(|mv| position.piece_on(mv.to).is_some());
    }
    bencher.counter(count(&moves)).bench_local(|| {
        for (position, moves) in &moves {
            for mv in moves {
                let captured = position.piece_on(mv.to).map_or(0, |piece| exchange_value(piece.kind()));
                black_box(position.exchange_wins(*mv, captured));
            }
        }
    });
}

/// Makes a move, evaluates the new position, and undoes the move: the cost of a leaf of the search.
fn evaluate(bencher: Bencher, mut evaluator: impl Evaluator) {
    let mut moves = moves();
    bencher.counter(count(&moves)).bench_local(|| {
        for (position, moves) in &mut moves {
            evaluator.reset(position);
            for mv in moves {
                evaluator.made(position, *mv);
                let undo = position.make(*mv);
                black_box(evaluator.score(position));
                evaluator.unmade();
                position.unmake(*mv, undo);
            }
        }
    });
}

#[divan::bench]
fn evaluate_by_network(bencher: Bencher) {
    evaluate(bencher, Nnue::new(nnue::embedded().expect("the program has a network")));
}

#[divan::bench]
fn evaluate_by_hand(bencher: Bencher) {
    evaluate(bencher, Handcrafted::default());
}

/// Number of keys in a search that has filled its table, in random order.
const KEYS: usize = 1 << 16;

fn table() -> (TranspositionTable, Vec<u64>) {
    let table = TranspositionTable::new(64).expect("64 MB for the hash table");
    let mut random = SplitMix64::new(1);
    let keys: Vec<u64> = (0..KEYS).map(|_| random.next()).collect();
    (table, keys)
}

fn entry() -> Entry {
    Entry { best: "h2e2".parse().ok(), score: 12, depth: 7, bound: Some(Bound::Lower), pv: false }
}

#[divan::bench]
fn store(bencher: Bencher) {
    let (table, keys) = table();
    bencher.counter(ItemsCount::new(KEYS)).bench_local(|| keys.iter().for_each(|key| table.store(*key, 3, entry())));
}

#[divan::bench]
fn probe(bencher: Bencher) {
    let (table, keys) = table();
    keys.iter().for_each(|key| table.store(*key, 3, entry()));
    bencher.counter(ItemsCount::new(KEYS)).bench_local(|| {
        for key in &keys {
            black_box(table.probe(*key, 3));
        }
    });
}
