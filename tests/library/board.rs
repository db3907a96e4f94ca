//! Invariants of the board, over random games and random sparse positions.

use crate::random_positions::mixed;
use chuhe::board::{Bitboard, Kind, Move, MoveClass, MoveList, Piece, Position, Square, perft, walk};

const POSITIONS: usize = if cfg!(debug_assertions) { 2_000 } else { 30_000 };

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<String> {
    let mut texts: Vec<String> = moves.into_iter().map(|mv| mv.to_string()).collect();
    texts.sort();
    texts
}

/// Returns the position rebuilt from its pieces, side and counters.
fn rebuilt(position: &Position) -> Position {
    Position::new(&position.setup()).unwrap_or_else(|reasons| panic!("{position}: {reasons:?}"))
}

#[test]
fn try_make_plays_the_legal_moves_and_refuses_all_others() {
    mixed(12, 60, |position| {
        let legal = position.legal_moves();
        for (from, to) in Square::ALL.into_iter().flat_map(|from| Square::ALL.map(|to| (from, to))) {
            let (mv, mut tried) = (Move { from, to }, position.clone());
            match tried.try_make(mv) {
                Ok(undo) => {
                    assert!(legal.contains(&mv), "{position} {mv}");
                    tried.unmake(mv, undo);
                }
                Err(refused) => assert!(refused.0 == mv && !legal.contains(&mv), "{position} {mv}"),
            }
            assert_eq!(tried, *position);
        }
    });
}

#[test]
fn make_keeps_everything_and_unmake_restores_it() {
    mixed(11, POSITIONS, |position| {
        let before = position.clone();
        for mv in position.legal_moves() {
            let (key, checks) = (position.key_after(mv), position.gives_check(mv));
            assert_eq!(position.checks().given_by(position, mv), checks, "{before} {mv}");
            let captured = position.piece_on(mv.to);
            let undo = position.make(mv);
            // Equality compares the mailbox, all sets and words, the key, the checkers and the counters.
            assert_eq!(*position, rebuilt(position), "{before} {mv}");
            assert_eq!(undo.captured, captured);
            assert_eq!(position.key(), key, "{before} {mv}");
            assert_eq!(position.in_check(), checks, "{before} {mv}");
            position.unmake(mv, undo);
            assert_eq!(*position, before, "{before} {mv}");
        }
        if !position.in_check() {
            let undo = position.make_null();
            assert_eq!(*position, rebuilt(position), "{before} passes");
            position.unmake_null(undo);
            assert_eq!(*position, before, "{before} passes");
        }
    });
}

#[test]
fn a_game_taken_back_whole_ends_where_it_began() {
    for seed in 0..50 {
        let mut random = chuhe::random::SplitMix64::new(seed);
        let (mut position, mut played) = (Position::start(), Vec::new());
        for _ in 0..200 {
            let Some(&mv) = random.pick(&position.legal_moves()) else { break };
            played.push((mv, position.make(mv)));
        }
        for (mv, undo) in played.into_iter().rev() {
            position.unmake(mv, undo);
        }
        assert_eq!(position, Position::start());
    }
}

#[test]
fn the_fast_generator_equals_the_one_that_walks() {
    mixed(12, POSITIONS, |position| {
        let moves = position.legal_moves();
        assert_eq!(sorted(moves.clone()), sorted(walk::legal_moves(position)), "{position}");
        assert_eq!(position.count_moves(), moves.len() as u64, "{position}");
        assert_eq!(position.has_moves(), !moves.is_empty(), "{position}");
        let board = position.setup().board;
        assert_eq!(position.in_check(), walk::king_is_attacked(&board, position.side()), "{position}");
        assert!(!walk::king_is_attacked(&board, !position.side()), "{position}");
    });
}

#[test]
fn captures_and_quiet_moves_are_all_moves() {
    mixed(13, POSITIONS, |position| {
        let (captures, quiets) = (position.moves(MoveClass::Captures), position.moves(MoveClass::Quiets));
        assert!(captures.iter().all(|mv| position.piece_on(mv.to).is_some()), "{position}");
        assert!(quiets.iter().all(|mv| position.piece_on(mv.to).is_none()), "{position}");
        assert_eq!(sorted(captures.into_iter().chain(quiets)), sorted(position.legal_moves()), "{position}");
    });
}

#[test]
fn any_of_the_8100_moves_is_legal_exactly_if_it_is_generated() {
    mixed(14, POSITIONS / 20, |position| {
        let moves: MoveList = position.legal_moves();
        for from in Square::ALL {
            for to in Square::ALL {
                let mv = Move::new(from, to);
                assert_eq!(position.is_legal(mv), moves.contains(&mv), "{position} {mv}");
            }
        }
    });
}

#[test]
fn who_is_not_pinned_moves_freely() {
    let mut pinned = 0;
    mixed(15, POSITIONS, |position| {
        let (side, king) = (position.side(), position.king(position.side()));
        if position.in_check() {
            assert!(position.pinned().is_empty());
            return;
        }
        pinned += position.pinned().count();
        assert!((position.pinned() & !position.of_side(side)).is_empty(), "{position}");
        // No piece may move between a hollow cannon and the king.
        let sight = position.occupancy().sight(king);
        let cannons = sight.first & position.pieces(!side, Kind::Cannon);
        let hollow = cannons.into_iter().map(|cannon| chuhe::board::Occupancy::between(king, cannon));
        let hollow = hollow.fold(Bitboard::EMPTY, |all, squares| all | squares);
        for from in position.of_side(side) & !position.pinned() & !Bitboard::of(king) {
            let kind = position.piece_on(from).map(Piece::kind).expect("a piece of the side");
            let targets = position.occupancy().targets(side, kind, from) & !position.of_side(side) & !hollow;
            for to in targets {
                assert!(position.is_legal(Move::new(from, to)), "{position} {from}{to}");
            }
        }
    });
    assert!(pinned as usize > POSITIONS / 20, "{pinned} pins are too few to tell");
}

#[test]
fn mirrored_and_colour_swapped_positions_have_equal_counts() {
    mixed(16, POSITIONS / 20, |position| {
        let count = perft::perft(position, 2);
        for mut other in [position.mirrored(), position.flipped(), position.mirrored().flipped()] {
            assert_eq!(perft::perft(&mut other, 2), count, "{position}");
        }
        assert_eq!(position.mirrored().mirrored(), *position);
        assert_eq!(position.flipped().flipped(), *position);
        let flipped: Vec<Move> = position.legal_moves().into_iter().map(Move::flipped).collect();
        assert_eq!(sorted(flipped), sorted(position.flipped().legal_moves()));
    });
}
