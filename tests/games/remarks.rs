//! Reasons that a review gives for moves of amateurs' games, with the lines of the search. A reader reported
//! the previous reasons as wrong.

mod claims;

use chuhe_board::Move;
use chuhe_board::rules::{Game, RuleSet};
use chuhe_board::score::Score;
use chuhe_board::words::Language;
use chuhe_games::review::{Analyst, Judgement, Reason, Reviewed, ScoredLine, Thoroughness, examine};
use std::convert::Infallible;

/// An analyst that returns the better line before the move with the given number of plies, and the
/// refutation after it.
struct Scripted(usize, [ScoredLine; 2]);

impl Analyst for Scripted {
    type Error = Infallible;

    fn lines(&mut self, game: &Game, _: u64, _: usize) -> Result<Vec<ScoredLine>, Infallible> {
        Ok(vec![self.1[usize::from(game.plies().len() > self.0)].clone()])
    }
}

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().expect("a move")).collect()
}

/// Returns the review of the first move of the line `played`. Both scores are from the mover's point of view.
fn reviewed(start: &Game, best: (Score, &str), played: (Score, &str)) -> Reviewed {
    let line = moves(played.1);
    let best = ScoredLine { score: best.0, moves: moves(best.1) };
    let refutation = ScoredLine { score: -played.0, moves: line[1..].to_vec() };
    let (terms, thoroughness) = (RuleSet::Asian.terms(), Thoroughness::default());
    let mut analyst = Scripted(start.plies().len(), [best, refutation]);
    let review = examine(start, &line[..1], terms, thoroughness, 0..0, &mut analyst, |_| {});
    review.expect("it can't fail").moves[0].clone()
}

/// Returns the reason for the first move of the line `played` in English and Chinese.
fn reason(fen: &str, best: (Score, &str), played: (Score, &str)) -> [String; 2] {
    let start = Game::from_fen(fen).expect("a position");
    let found = reviewed(&start, best, played).reason.expect("a bad move");
    [Language::English, Language::Chinese].map(|language| found.say(language, start.position().side()))
}

/// Moves of games of club players and of levels 5 and 6: the game before the move, the better line and the
/// line that was played, each with its score. The club players' games are from the collection
/// `Yvonne761/Chinese-Chess-Practical-Dataset` (CC BY 4.0).
const LINES: &str = include_str!("remarks.tsv");

#[test]
fn claims_of_remarks_follow_from_their_lines() {
    let (mut remarks, mut empty) = (0, 0);
    for row in LINES.lines() {
        let [game, best, better, played, line] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let start = Game::read(game).expect("a game");
        let [best, played] = [best, played].map(|score| score.parse().expect("a score"));
        let found = reviewed(&start, (best, better), (played, line));
        if let Err(text) = claims::check(&start, &found) {
            panic!("{text}: {:?}: {row}", found.reason);
        }
        let is_empty = matches!(found.reason, Some(Reason::Position));
        assert!(!is_empty || found.judgement != Some(Judgement::Blunder), "a blunder without a reason: {row}");
        remarks += 1;
        empty += usize::from(is_empty);
    }
    assert!(10 * empty < remarks, "{empty} of {remarks} remarks have no content");
}

#[test]
fn an_attack_that_both_moves_make_is_no_reason() {
    // The cannon that is played attacks the same pawn and takes it.
    let best = "a2a6 h5i3 g2i3 i8i3 e3e4 i6i5 b5b6 i3e3 g0g1 a7a9 b6c6 i5i4 g1g3";
    let played = "g0i0 a7a3 i0i6 a3e3 g2e3 d3e3 i6h6 h5i3 b5b6 i8i5 e0d0";
    let fen = "4kab2/4a3c/c3b4/4p3p/1P5n1/9/3pP3P/C3B1N2/4A4/2B1KAC2 w - - 2 33";
    let [said, _] = reason(fen, (-131, best), (-247, played));
    assert!(!said.contains("to attack a pawn"), "{said}");
}

#[test]
fn a_horse_that_becomes_a_screen_uncovers_nothing() {
    let best = "g7e6 e2e6 b9c7 e6e4 c7e6 c0e2 e7e4 e3e4 b7e7 b0c2";
    let played = "b9c7 e6e5 b7b2 b0c2 b2e2 c0e2 g7e6 e5e7 c9e7 e3e4";
    let fen = "rnb1kab1r/4a4/1c2c1n2/p1p1C3p/6p2/9/P1P1P1P1P/4C1N2/9/RNBAKABR1 b - - 4 5";
    let [said, _] = reason(fen, (141, best), (-88, played));
    assert!(!said.contains("uncover"), "{said}");
}

#[test]
fn an_advisor_that_answers_a_check_uncovers_nothing() {
    let best = "b6d6 g3g0 f0e1 b7c7 c4e3 d5e3 g2e3 c7e7 e3d5 e7e2 c0e2 g0i0 d6c6";
    let played = "b6b3 g3g0 e0e1 c9e7 c4d6 b9c9 e2e7 e8d9 e1f1 g7f5 d6b7 c9c1 f0e1 d5e7";
    let fen = "1rb1ka3/4a4/1c4n1b/pR2p3p/3n5/2N6/P5c1P/C3C1N2/9/2BAKAB2 w - - 1 19";
    let [said, _] = reason(fen, (22, best), (-55, played));
    assert!(!said.contains("uncover"), "{said}");
}

#[test]
fn a_pawn_that_is_won_back_later_is_no_reason() {
    let best = "b9c9 d9d8 e1h1 d7d0 e0e1 c3e4 g6e5 d0d5 h1h8 e8f7 e5f7 d8e8 c9f9 g5g4 f9h9";
    let played = "e1h1 d7c7 h1h8 c3e4 f0e1 g5g4 h8g8 e8f7 g8g9 f9e8 g9c9 h9g7 c9c5 d9d8 c5h5 c7c5 h5h8 e8d7 b9b8 d8d9";
    let fen = "1Rbk1a1n1/4a4/3r5/p5N1p/2p3p2/6P2/P1n5P/9/4C4/2BAKAB2 w - - 3 26";
    let [said, _] = reason(fen, (980, best), (516, played));
    assert!(!said.contains("a pawn"), "{said}");
}

#[test]
fn a_cannon_for_a_horse_is_no_loss() {
    let best = "h0h7 d3d7 h7h5 d7b7 f6d5 f4f1 h5h9 f7f9 h9h2 f5g3";
    let played = "c0e2 f5h4 f6g4 g8g5 h0h4 g5e5 c6f6 f4f6 g4e5 d3i3 i2g0 i3i5";
    let fen = "3ak1b2/4a1r2/4bc3/p1R2N2p/4Cn3/2P2r3/P2cP3P/2N5B/4A4/2B1KA1R1 w - - 3 27";
    let [said, chinese] = reason(fen, (363, best), (245, played));
    assert!(!said.contains("loses a cannon") && !chinese.contains("得不偿失"), "{said} {chinese}");
}

#[test]
fn a_piece_is_lost_only_if_the_captures_have_ended() {
    // When Red's rook takes the horse on d5, Black's rook takes the horse on a1.
    let best = "b7b5 c7c6 e3d5 b4b3 c5c3 c8d8 c3b3 a1b3 d5f4 f0e1 b5e5 b3d2 e7g5";
    let played = "c5g5 c7c0 e3d5 b4b5 g5g3 c8c4 g3c3 c4d4 c3a3 d4d5 a3a1";
    let fen = "1rbak4/2R1a4/1cC1b4/4p3p/p1r3P2/1R6P/P3n4/4BA3/N8/4KAB2 b - - 0 28";
    let [said, _] = reason(fen, (172, best), (-46, played));
    assert!(!said.contains("horse for"), "{said}");
}

#[test]
fn a_cannon_that_is_given_for_two_elephants_does_not_take_one() {
    let best = "e6g5 b4f4 g5f3 e3f5 b7b6 h6c6 f3g1 f4f1 h9f9 c6g6 f9f5";
    let played = "f4f3 e3f5 b7b6 e5e7 c9e7 f5e7 e8d7 e7g8 e9f9 h6f6 e6f8 f6c6 b6b8";
    let fen = "2bak2r1/4a4/1c2b2c1/p1p1n2Rp/4C4/1CP2p3/P3N3P/9/9/2BAKAB2 b - - 4 20";
    let [said, _] = reason(fen, (184, best), (-87, played));
    assert!(!said.contains("take an elephant"), "{said}");
}

#[test]
fn a_greater_later_loss_is_named_instead_of_a_pawn() {
    // Black's pawn takes a pawn at once and a cannon two moves later.
    let fen = "2b1ka3/4a3C/9/p3N4/6R1P/2r3c2/P3Pp3/4C4/4A4/3AK1c2 w";
    let best = (429, "g5c5 g4h4 e2h2 c4c5 e6c5 h4c4 e1d2 f3e3 c5a6");
    let played = (33, "g5f5 f3e3 f5f4 c4f4 e6f4 e3e2 f4e2 g4e4 e0f0");
    assert_eq!(reason(fen, best, played)[0], "it loses a cannon");
}

#[test]
fn a_rook_that_is_lost_four_moves_later_is_named() {
    let fen = "2ba1kbn1/4ar2r/1cn4c1/p1p1p1p2/8p/2P6/P3P1P1P/2NCC1N2/9/1RBAKABR1 w";
    let best = (1025, "d2d8 h9i7 c2d4 i5i4 i3i4 h7g7 b0b6 i8g8 d8f8");
    let played = (535, "c2d4 h9i7 b0b6 b7a7 b6c6 f8f7 c4c5 a7a3 c5d5");
    let [said, _] = reason(fen, best, played);
    assert!(said.starts_with("it misses a chance to win a rook"), "{said}");
}

#[test]
fn a_piece_that_is_lost_in_both_lines_is_no_reason() {
    // Red's cannon takes the horse in both lines; only in the better one Black's rook takes a cannon.
    let fen = "1N2kabC1/r8/3ab4/p3C4/8P/2Pc2p2/P3P4/4n4/4A4/R2AK1c2 b";
    let best = (-368, "e9d9 e6e2 a8h8 a0b0 h8h9 b9a7 g0i0 b0b9 d9d8");
    let played = (-607, "e7c9 e6e2 c9e7 a0b0 a8h8 h9i9 h8h0 b9a7 g0d0");
    let [said, _] = reason(fen, best, played);
    assert!(said.starts_with("it misses a chance to win a cannon"), "{said}");
}

#[test]
fn a_loss_is_named_if_the_better_line_gives_something_else() {
    // The better line exchanges horses and loses two pawns; the other one loses a horse to a fork.
    let fen = "4kab2/4a4/9/pnNP2R2/2b6/2PN2B2/P6r1/3K1A3/9/2B2A3 w";
    let best = (452, "d4f5 b6c4 d2d1 c4e3 f5e3 h3e3 g4e2 e3a3 d1e1");
    let played = (225, "c0a2 h3d3 d2e2 d3d4 e2e1 g9e7 g4e2 d4d3 e1e0");
    let [said, _] = reason(fen, best, played);
    assert!(said.starts_with("it loses a horse"), "{said}");
}

#[test]
fn exchanged_pieces_are_not_named() {
    // The cannon can be taken by the rook for nothing; the cannon that takes it is taken in return.
    let fen = "2bak1b1r/4a4/4c3c/4r1p1p/p1R6/4C1P2/P1P1P3P/2N6/9/R1BAKAB2 b";
    let best = (680, "e6e4 d0e1 e4g4 c0e2 g4g2 c5h5 i7i3 h5h0 g2g3");
    let played = (166, "e7e4 e3e4 e6e4 d0e1 i9h9 c5c9 e4e6 c0e2 i7i3");
    let [said, _] = reason(fen, best, played);
    assert!(said.starts_with("it misses a chance to win a cannon"), "{said}");
}

#[test]
fn a_threat_of_mate_is_not_called_a_mate() {
    let best = "c5d3 e1d2 f4e4 e3f3 i7g9 f0e1 g9e7 f3h3 i6i5";
    let played = "d4d3 e3d3 c5d3 a7e7 e8f9 e7i7 d3c1 e0d0 c1e2";
    let fen = "4k4/4a4/C4a2b/8p/2n6/3r1pP2/P3R3P/4B4/4A4/4KA3 b - - 0 35";
    let [_, chinese] = reason(fen, (40, best), (-54, played));
    assert_eq!(chinese, "错过叫杀的机会");
}

#[test]
fn a_move_of_both_lines_is_no_reason() {
    // Black's rook attacks the cannon from e6 in both lines.
    let best = "a0b0 a6e6 b0b4 i7i3 c0e2 i6i5 c3c4 e7e4 e3e4 c5c4 b4c4 i5i4 c4c9 e6e4 c9c3 g9e7 d0e1 i9f9 h0h5 f9f6";
    let played = "h0h5 a6e6 e4e7 g9e7 c0e2 i9f9 a3a4 a5a4 a0a4 i7i3 d0e1 e6f6 a4e4 i3c3 e4b4 f6f1";
    let fen = "2bak1b1r/4a4/4c3c/r5p1p/p1p6/4C1P2/P1P1P3P/2N6/9/R1BAKABR1 w - - 3 12";
    let [said, _] = reason(fen, (54, best), (-27, played));
    assert!(!said.contains("Black's rook"), "{said}");
}

#[test]
fn an_even_exchange_is_no_reason() {
    // Rooks can be exchanged; nothing is gained by it.
    let best = "b5b1 f1f5 b1d1 d8f8 d2f2 f8g8 f2e2 e5e4 e3e4 e7e4 h2h7 f5f2";
    let played = "h2h4 e5e4 e3e4 f1f4 h4f4 e6f4 b5e5 e7e4 d2e2 f4h3 b0b6 h3g1 e0f0";
    let fen = "2bakab2/3r5/2n1c3c/p1p1n1p1p/1C2p4/2P6/P3P1P1P/2NC2NRB/4Ar3/1RBAK4 w - - 26 14";
    let [said, _] = reason(fen, (-1, best), (-259, played));
    assert!(!said.contains("exchange"), "{said}");
}

#[test]
fn a_gain_behind_an_even_exchange_is_named() {
    // Rooks are exchanged in both lines; the better one wins a horse for nothing.
    let best = "h3d3 a8f8 d3f3 f8f3 d4f3 c4b6 g8f6 f9e8 f6h5 e7c5 f3h2 g9e7 h5f4";
    let played = "g8e7 g9e7 h3d3 a8a3 d3a3 c4a3 e2g4 f9e8 e1f2 e7g5 f1f0 a3c4 d4c2 c4b6";
    let fen = "3k1ab2/r5N2/3ab4/9/9/2nN5/3n3R1/3AB4/4AK3/9 w - - 20 60";
    let [said, _] = reason(fen, (109, best), (2, played));
    assert_eq!(said, "it misses a chance to win a horse");
}

#[test]
fn a_late_loss_is_named_instead_of_an_exchange() {
    // A cannon is exchanged for a horse, and the advisor falls.
    let best = "f9e8";
    let played = "g8e8 b8c8 e3a3 a9d9 e8e2 g0e2 a3a8 c8c7 e9d9 f6d6 d9e9 c7c5 f9e8 c5c2 i6i5 d0e1";
    let fen = "C1baka1r1/1R4c2/2n1b4/5R2p/2p3p2/9/P3r1P1P/4C4/9/2BAKAB2 b - - 3 22";
    let [said, _] = reason(fen, (-168, best), (-306, played));
    assert_eq!(said, "it loses an advisor");
}

#[test]
fn an_attack_that_is_evaded_with_a_capture_is_no_reason() {
    // The attacked horse takes a pawn.
    let best = "e6e5 c4c5 c6c5 b6g6 g9i7 b0b9 c7b9 c2d4 b9c7 f0e1 e7e6 g6a6 e6d6";
    let played = "g7f5 b0b5 f5g3 h6g6 g3i2 g2h4 i2h0 f0e1 h0f1 h4f5 e7f7";
    let fen = "1rb1kab2/4a4/2n1c1nc1/pCp1p2Cp/6p2/2P6/P3P1P1P/2N1B1N2/9/1RBAKA3 b - - 0 12";
    let [said, _] = reason(fen, (-37, best), (-107, played));
    assert!(!said.contains("rook attack a horse"), "{said}");
}

#[test]
fn an_offer_to_exchange_drives_nothing_away() {
    // The attacked rook can take the other one, which is protected.
    let best = "g5h5 h4g4 f6f7 a7f7 e8f7 g4g7 d9e8 c9c4 e8d7 c4f4 f8e8 g7f7 h5a5 f4f2 a5a3 f7d7";
    let played = "g7h5 c9c8 e8f7 a7d7 g5c5 d7d9 d3d2 h4g4 f8e8 g4g8 e8e7 d9e9 e7d7";
    let fen = "2Ca5/4ak3/R5n2/p4r2p/6r2/7R1/P2p5/4B4/4A4/4KAB2 b - - 9 44";
    let [said, _] = reason(fen, (-683, best), (-950, played));
    assert!(!said.contains("drive away a rook"), "{said}");
}

#[test]
fn a_pawn_that_both_lines_lose_is_not_named() {
    // Both lines take the horse and lose the pawn on i5; only the better one takes another pawn.
    let best = "h2h0 c0e2 b1b7 i4i5 b7e7 e0f0 h0h2 i1c1 i7h9 g7g8 e7e4 d0e1";
    let played = "b1b4 i4i5 h2h0 c0e2 b9c7 a3a4 b4b5 i5i6 i7h9 g7g8 c7d5 i1b1";
    let fen = "1nb1kab2/4a4/6C1n/p3p1p2/2p5p/4P3P/P1P3P2/N6rC/1c6R/2BAK1BN1 b - - 5 12";
    let [said, _] = reason(fen, (221, best), (60, played));
    assert_eq!(said, "it misses a chance to win a pawn");
}

#[test]
fn a_piece_that_both_lines_take_is_no_reason() {
    let best = "g6g8 h5g5 i2g4 a6f6 f0e1 f6f3 e3e4 f3f4 c0e2 f4e4 g8f8 d9e8 f8f6 g3a3 g2h4";
    let played = "g6a6 g3h3 g2e1 g8g3 e3e4 g3g4 e1g0 g4g2 a6f6 h3h0 a3a4 h5h1";
    let fen = "3akab2/6r2/4b4/r5R1p/2p4c1/9/P1P1P1c1P/N5N1B/9/2BAKA3 w - - 0 16";
    let [said, _] = reason(fen, (-201, best), (-299, played));
    assert!(!said.contains("take a rook"), "{said}");
}

#[test]
fn a_fork_of_both_lines_is_no_reason() {
    // In the better line, the horse attacks only one of the two pieces from the same square.
    let best = "d3d6 g4g5 h3h4 f4d5 c6c5 d5c3 c5c4 c3e4 e6e5 e4g3 g6g5 e2e5 d6e6";
    let played = "d3d1 f4d5 h9f8 d5c7 b9b1 c7e6 b1c1 e6d4 c1c0 a0a2 c0c1";
    let fen = "1rbaka1n1/9/2n1b4/p1p1p1p1p/9/2P2NP1P/P1ccP2r1/2N1C4/9/R1BCKAB1R b - - 11 6";
    let [said, _] = reason(fen, (-181, best), (-465, played));
    assert!(!said.contains("fork"), "{said}");
}
