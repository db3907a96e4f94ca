//! Reviews of games with planted mistakes.
#![cfg(feature = "cli")]

use chuhe::board::{Kind, Move};
use chuhe::engine::{Options, Searcher};
use chuhe::notation::Form;
use chuhe::records::{GameResult, Record};
use chuhe::review::{Analyst, Judgement, Reason, Report, Review, ScoredLine, Thoroughness, examine};
use chuhe::rules::{Game, RuleSet};
use chuhe::search::{Limits, STACK};
use chuhe::words::Language;
use std::convert::Infallible;

/// Red's rook can mate on the last rank, but would be captured on the g-file.
const MATE_IN_ONE: &str = "3k5/1R7/9/9/6r2/9/9/9/R8/5K3 w - - 0 1";

struct Engine(Searcher);

impl Analyst for Engine {
    type Error = Infallible;

    fn lines(&mut self, game: &Game, nodes: u64, count: usize) -> Result<Vec<ScoredLine>, Infallible> {
        let options = Options { multipv: count, ..self.0.options().clone() };
        self.0.set_options(options).expect("no further search is requested");
        let conclusion = self.0.think(game, &Limits::nodes(nodes), |_| {});
        Ok(conclusion.lines.into_iter().map(|line| ScoredLine { score: line.score, moves: line.pv }).collect())
    }
}

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().expect("a move")).collect()
}

/// Runs the review on a separate thread, since a search needs a large stack.
fn review(fen: &str, text: &str) -> Review {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        thread.spawn_scoped(scope, || review_here(fen, text)).expect("a thread").join().expect("a review")
    })
}

fn review_here(fen: &str, text: &str) -> Review {
    let start = Game::from_fen(fen).expect("a position");
    let searcher = Searcher::new(Options { hash_mb: 4, ..Options::default() }).expect("a searcher");
    let thoroughness = Thoroughness { nodes: 4_000, second_look: 4 };
    let reviewed =
        examine(&start, &moves(text), RuleSet::Asian.terms(), thoroughness, 0..0, &mut Engine(searcher), |_| {});
    reviewed.expect("it can't fail")
}

#[test]
fn a_rook_that_is_given_for_a_cannon_is_a_blunder_and_named() {
    let found = review("startpos", "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 h0h7 h9h7");
    let worse: Vec<usize> =
        found.moves.iter().filter(|reviewed| reviewed.judgement >= Some(Judgement::Mistake)).map(|it| it.ply).collect();
    assert_eq!(worse, [7], "{found:#?}");
    let blunder = &found.moves[6];
    assert_eq!(blunder.judgement, Some(Judgement::Blunder));
    let Some(Reason::Loses { lost, taken }) = &blunder.reason else { panic!("{blunder:?}") };
    assert_eq!((&lost[..], &taken[..]), (&[Kind::Rook][..], &[Kind::Cannon][..]));
}

#[test]
fn a_mate_that_is_missed_is_named_with_its_length() {
    let found = review(MATE_IN_ONE, "a1g1");
    assert!(matches!(found.moves[0].reason, Some(Reason::MissesMate(1))), "{:?}", found.moves[0]);
    assert!(found.moves[0].judgement.is_some());
}

#[test]
fn a_forced_move_and_a_mate_are_never_blamed() {
    let found = review("3k5/R8/9/9/9/9/9/9/9/1R3K3 b - - 0 1", "d9e9 b0b9");
    assert!(found.moves[0].is_forced && found.moves[0].judgement.is_none(), "a forced move is not a mistake");
    assert_eq!(found.moves[1].judgement, None, "mate is never a mistake");
    assert_eq!(found.points.last(), Some(&1.0));
}

/// An analyst that returns given lines for the first position, and a score of 0 for all others.
struct Scripted(Vec<ScoredLine>);

impl Analyst for Scripted {
    type Error = Infallible;

    fn lines(&mut self, game: &Game, _: u64, _: usize) -> Result<Vec<ScoredLine>, Infallible> {
        let first = game.position().legal_moves()[0];
        Ok(if game.plies().is_empty() { self.0.clone() } else { vec![ScoredLine { score: 0, moves: vec![first] }] })
    }
}

/// An analyst with given scores for each ply, from a first and a second look; counts the second looks.
struct TwoLooks([[i32; 2]; 5], [usize; 5]);

impl Analyst for TwoLooks {
    type Error = Infallible;

    fn lines(&mut self, game: &Game, nodes: u64, _: usize) -> Result<Vec<ScoredLine>, Infallible> {
        let (ply, is_second) = (game.plies().len(), nodes > 1_000);
        self.1[ply] += usize::from(is_second);
        // The last legal move is never the one that was played.
        let moves = vec![*game.position().legal_moves().last().expect("a move")];
        Ok(vec![ScoredLine { score: self.0[ply][usize::from(is_second)], moves }])
    }
}

#[test]
fn a_position_has_one_score_in_a_review_and_one_second_look() {
    // At first the second and the third move look bad. The second look at the position between the first two
    // moves shows that the first one was bad as well.
    let scores = [[0, 10], [0, 200], [300, 250], [0, 40], [0, 0]];
    let start = Game::from_fen("startpos").expect("a position");
    let (terms, thoroughness) = (RuleSet::Asian.terms(), Thoroughness { nodes: 1_000, second_look: 8 });
    let mut analyst = TwoLooks(scores, [0; 5]);
    let played = moves("h2e2 h9g7 h0g2 i9h9");
    let review = examine(&start, &played, terms, thoroughness, 0..0, &mut analyst, |_| {}).expect("it can't fail");
    let best: Vec<i32> = review.moves.iter().map(|reviewed| reviewed.best.score).collect();
    let after: Vec<i32> = review.moves.iter().map(|reviewed| -reviewed.played.score).collect();
    assert_eq!((&best[..], &after[..]), (&[10, 200, 250, 40][..], &[200, 250, 40, 0][..]));
    assert!(review.moves[..3].iter().all(|reviewed| reviewed.judgement.is_some()), "{:#?}", review.moves);
    assert_eq!(analyst.1, [1, 1, 1, 1, 0]);
}

#[test]
fn the_only_good_move_is_one_that_was_played_and_without_which_there_is_a_mistake() {
    let found = |score, text: &str| ScoredLine { score, moves: moves(text) };
    let is_only = |played: &str, lines: Vec<ScoredLine>, start: &str| {
        let start = Game::from_fen(start).expect("a position");
        let (terms, thoroughness) = (RuleSet::Asian.terms(), Thoroughness::default());
        let review = examine(&start, &moves(played), terms, thoroughness, 0..0, &mut Scripted(lines), |_| {});
        review.expect("it can't fail").moves[0].is_only_good_move
    };
    let two = |second| vec![found(0, "h2e2"), found(second, "b0c2")];
    assert!(is_only("h2e2", two(-130), "startpos"), "a mistake");
    assert!(!is_only("h2e2", two(-90), "startpos"), "an inaccuracy");
    assert!(!is_only("b0c2", two(-130), "startpos"), "another move was played");
    assert!(!is_only("h2e2", vec![found(0, "h2e2")], "startpos"), "the other moves have no scores");
    // If a move is the only legal one, the player gets no credit for finding it.
    let forced = "3k5/R8/9/9/9/9/9/9/9/1R3K3 b";
    assert!(!is_only("d9e9", vec![found(-900, "d9e9"), found(-2000, "d9d8")], forced));
}

#[test]
fn a_perpetual_check_that_loses_is_a_blunder_with_the_rule_as_its_reason() {
    let once = "e1d1 d9e9 d1e1 e9d9 ";
    let found = review("3k5/9/9/p8/9/9/P8/9/4R4/5K3 w", &once.repeat(2));
    let last = found.moves.iter().rev().find(|reviewed| reviewed.judgement.is_some()).expect("a judgement");
    let Some(Reason::LosesByRule(ruling)) = &last.reason else { panic!("{last:?}") };
    assert!(ruling.say(Language::English).contains("gives check with every move"), "{}", ruling.say(Language::English));
}

#[test]
fn reports_hold_what_was_found_and_escape_what_players_write() {
    let found = review(MATE_IN_ONE, "a1g1");
    let start = Game::from_fen(MATE_IN_ONE).expect("a position");
    let report = |language| Report {
        review: &found,
        start: &start,
        terms: RuleSet::Asian.terms(),
        players: ["<script>alert(1)</script>", "B"],
        result: GameResult::Unknown,
        form: Form::Wxf,
        language,
        explored_from: None,
    };
    let english = report(Language::English);
    let text = english.text(None);
    assert!(text.contains("misses a mate in 1") && text.contains("Better: "), "{text}");
    assert!(report(Language::Chinese).text(None).contains("错过一步杀"));
    let page = english.html();
    assert!(!page.contains("<script>alert") && page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    for outside in ["http://", "https://", "url(h", "@import", " src=", "style=\""] {
        let inside = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!inside.contains(outside), "{outside}");
    }
    // The page's script uses these elements.
    for id in ["board", "pieces", "said", "now"] {
        assert!(page.contains(&format!(" id=\"{id}\"")), "{id}");
    }
    for name in ["places", "start", "step", "ply", "from", "to", "said", "judged"] {
        assert!(page.contains(&format!(" data-{name}=\"")), "{name}");
    }
    let record = Record::of_line(start.position().clone(), [("a1g1".parse().expect("a move"), "mine".to_owned())]);
    let annotated = english.annotated(&record).expect("room");
    let node = annotated.tree.main_line().next().expect("a move");
    assert!(annotated.tree.comment(node).starts_with("mine ") && annotated.tree.glyphs(node).next().is_some());
    assert_eq!(annotated.tree.children(chuhe::records::NodeId::ROOT).count(), 2, "the better line is a variation");
    let json = serde_json::to_value(english.json(None)).expect("JSON");
    assert_eq!(json["moves"][0]["reason"]["code"], "misses_mate");
    assert_eq!(json["moves"][0]["best_score"]["mate"], 1);
}
