//! Positions whose only win, or only draw, goes through the rules of repetition: proven by an oracle that knows the rules and nothing else.

mod repetition_oracle;

use chuhe::board::{Kind, Move, Piece, Position, Side, Square, domain};
use chuhe::random::SplitMix64;
use chuhe::rules::{Cycle, Cycles, Deed, Game, Reason, RuleSet, SampledCycle, judge_repetition};
use repetition_oracle::{Goal, Oracle};

const NODES: u32 = 200_000;

/// Whether a move proves a goal for the side to move.
fn proves(game: &Game, mv: Move, goal: Goal, rules: RuleSet, ideas: &[Move], depth: u32, nodes: u32) -> Option<bool> {
    let side = game.position().side();
    Oracle { rules, side, goal, ideas, nodes }.proves_after(&mut game.clone(), mv, depth)
}

/// Whether the enemy wins after a move.
fn loses(game: &Game, mv: Move, depth: u32, nodes: u32) -> Option<bool> {
    let side = !game.position().side();
    let mut oracle = Oracle { rules: RuleSet::Asian, side, goal: Goal::Win, ideas: &[], nodes };
    oracle.proves_after(&mut game.clone(), mv, depth)
}

/// Whether `best` wins by the Asian rules, no other move does, and nothing does where every repetition is a draw.
fn is_only_win(game: &Game, best: Move, ideas: &[Move], depth: u32, nodes: u32) -> bool {
    proves(game, best, Goal::Win, RuleSet::Asian, ideas, depth, nodes) == Some(true)
        && game.position().legal_moves().into_iter().all(|mv| {
            (mv == best || proves(game, mv, Goal::Win, RuleSet::Asian, ideas, depth, nodes) == Some(false))
                && proves(game, mv, Goal::Win, RuleSet::Draw, ideas, depth, nodes) == Some(false)
        })
}

/// Whether `best` draws by the Asian rules, does not win, and every other move loses.
fn is_only_draw(game: &Game, best: Move, ideas: &[Move], depth: u32, nodes: u32) -> bool {
    proves(game, best, Goal::Draw, RuleSet::Asian, ideas, depth, nodes) == Some(true)
        && proves(game, best, Goal::Win, RuleSet::Asian, ideas, depth, nodes) == Some(false)
        && game.position().legal_moves().into_iter().all(|mv| mv == best || loses(game, mv, depth, nodes) == Some(true))
}

struct Case {
    place: usize,
    game: Game,
    goal: Goal,
    best: Move,
    ideas: Vec<Move>,
    depth: u32,
}

fn cases() -> Vec<Case> {
    let text = include_str!("../positions/rules-search/asian.epd");
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            let mut parts = line.split(';').map(str::trim);
            let game = Game::from_fen(parts.next().expect("a FEN")).expect("a legal FEN");
            let fields: Vec<(&str, &str)> = parts.filter_map(|part| part.split_once(' ')).collect();
            let field = |key: &str| fields.iter().find(|(name, _)| *name == key).map_or("", |(_, value)| *value);
            let ideas = field("ideas").split_whitespace().map(|mv| mv.parse().expect("a move")).collect();
            let goal = if field("goal") == "win" { Goal::Win } else { Goal::Draw };
            let (best, depth) = (field("bm").parse().expect("a move"), field("depth").parse().expect("a number"));
            Case { place: index + 1, game, goal, best, ideas, depth }
        })
        .collect()
}

#[test]
fn the_only_way_goes_through_the_rules() {
    let cases = cases();
    for case in &cases {
        let only = match case.goal {
            Goal::Win => is_only_win(&case.game, case.best, &case.ideas, case.depth, NODES),
            Goal::Draw => is_only_draw(&case.game, case.best, &case.ideas, case.depth, NODES),
        };
        assert!(only, "line {}", case.place);
    }
    assert!(cases.len() >= 12);
}

/// Prints new cases: `cargo test --release --test rules_search -- --ignored --nocapture`, with a seed in `SEED`.
#[test]
#[ignore = "looks for new cases"]
fn look_for_cases() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    for cycle in Cycles::new(seed).take(200_000) {
        let mut start = cycle.start.clone();
        for (turn, &best) in cycle.moves.iter().enumerate() {
            let side: Side = start.side();
            let game = Game::new(start.clone());
            let ideas: Vec<Move> = cycle.moves.iter().copied().skip(turn % 2).step_by(2).collect();
            let depth = cycle.moves.len() as u32 + 4;
            if is_only_win(&game, best, &ideas, depth, 3_000) {
                let ideas: Vec<String> = ideas.iter().map(Move::to_string).collect();
                println!(
                    "{start}; goal win; bm {best}; depth {depth}; ideas {}; side {}",
                    ideas.join(" "),
                    side.name()
                );
                break;
            }
            if is_only_draw(&game, best, &ideas, depth, 3_000) {
                let ideas: Vec<String> = ideas.iter().map(Move::to_string).collect();
                println!(
                    "{start}; goal draw; bm {best}; depth {depth}; ideas {}; side {}",
                    ideas.join(" "),
                    side.name()
                );
                break;
            }
            start.make(best);
        }
    }
}

/// The same for draws: cases of `positions/rules` in which a side checks or threatens mate with every move and yet doesn't lose, with random
/// attackers added for the enemy.
#[test]
#[ignore = "looks for new cases"]
fn look_for_draws() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut random = SplitMix64::new(seed);
    let texts = [include_str!("../positions/rules/worked.epd"), include_str!("../positions/rules/found.epd")];
    let cycles: Vec<SampledCycle> = texts.iter().flat_map(|text| text.lines()).filter_map(base_cycle).collect();
    for cycle in cycles {
        let described = Cycle::of(&played(&cycle), RuleSet::Chinese, cycle.moves.len());
        for side in Side::ALL {
            let plies: Vec<_> = described.plies.iter().filter(|ply| ply.side == side).collect();
            let forces =
                |ply: &&chuhe::rules::CyclePly| ply.deeds.iter().any(|deed| matches!(deed, Deed::Check | Deed::Kill));
            if !plies.iter().all(forces) {
                continue;
            }
            println!("# trying {} {:?} for {}", cycle.start, cycle.moves, side.name());
            let mut found = 0;
            for _ in 0..6_000 {
                let Some(variant) = with_more_attackers(&cycle, !side, &mut random) else { continue };
                let turn = usize::from(variant.start.side() != side);
                let mut start = variant.start.clone();
                variant.moves[..turn].iter().for_each(|&mv| {
                    start.make(mv);
                });
                let ideas: Vec<Move> = variant.moves.iter().copied().skip(turn).step_by(2).collect();
                let (best, depth) = (variant.moves[turn], variant.moves.len() as u32 + 4);
                if is_only_draw(&Game::new(start.clone()), best, &ideas, depth, 3_000) {
                    let ideas: Vec<String> = ideas.iter().map(Move::to_string).collect();
                    println!(
                        "{start}; goal draw; bm {best}; depth {depth}; ideas {}; side {}",
                        ideas.join(" "),
                        side.name()
                    );
                    found += 1;
                    if found == 3 {
                        break;
                    }
                }
            }
        }
    }
}

fn base_cycle(line: &str) -> Option<SampledCycle> {
    let (fen, rest) = line.split_once(';')?;
    let moves = rest.split(';').find_map(|field| field.trim().strip_prefix("cycle "))?;
    Some(SampledCycle { start: fen.parse().ok()?, moves: moves.split(' ').filter_map(|mv| mv.parse().ok()).collect() })
}

fn played(cycle: &SampledCycle) -> Game {
    let mut game = Game::new(cycle.start.clone());
    cycle.moves.iter().for_each(|&mv| game.make(mv));
    game
}

/// Cycles in which one side chases and the other threatens mate with every move: row 26 of the table of situations.
#[test]
#[ignore = "looks for new cases"]
fn look_for_chase_against_kill() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut random = SplitMix64::new(seed);
    for cycle in Cycles::new(seed).take(400_000) {
        let game = played(&cycle);
        let (outcome, reason) = judge_repetition(&game, RuleSet::Asian, cycle.moves.len());
        let Reason::PerpetualChase(chaser) = reason else { continue };
        for _ in 0..300 {
            let Some(variant) = with_more_attackers(&cycle, !chaser, &mut random) else { continue };
            let game = played(&variant);
            if judge_repetition(&game, RuleSet::Asian, variant.moves.len()) != (outcome, reason) {
                continue;
            }
            let described = Cycle::of(&game, RuleSet::Chinese, variant.moves.len());
            if described.plies.iter().filter(|ply| ply.side != chaser).all(|ply| ply.deeds.contains(&Deed::Kill)) {
                println!("{} moves {:?}", variant.start, variant.moves);
                break;
            }
        }
    }
}

/// The cycle with one to four more pieces of a side, if it can still be played.
fn with_more_attackers(cycle: &SampledCycle, side: Side, random: &mut SplitMix64) -> Option<SampledCycle> {
    let mut setup = cycle.start.setup();
    for _ in 0..1 + random.below(4) {
        let kind = [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Pawn, Kind::Pawn][random.below(5) as usize];
        let at = Square::ALL[random.below(90) as usize];
        if setup.board[at.index()].is_none() && domain(side, kind).has(at) {
            setup.board[at.index()] = Some(Piece::new(side, kind));
        }
    }
    let start = Position::new(&setup).ok()?;
    let mut board = start.clone();
    for &mv in &cycle.moves {
        if !board.is_legal(mv) || board.piece_on(mv.to).is_some() {
            return None;
        }
        board.make(mv);
    }
    Some(SampledCycle { start, moves: cycle.moves.clone() })
}
