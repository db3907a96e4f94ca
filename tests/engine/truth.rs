//! Announced wins, played out: a side that is announced to win by mate or by the repetition rules must win
//! according to the referee.
//!
//! The games are self-play games and random endings. After the first announcement, each game is played out
//! twice: against the best defence found by the engine, and against a sceptical defender that ignores losing
//! repetitions and repeats as long as it does not lose by the rules. Every decided score during these games
//! counts as an announcement, and the referee's final verdict must confirm all of them.
//!
//! `CHUHE_TRUTH=full cargo test --release -p chuhe-engine --test truth -- --nocapture` plays 10,000 positions
//! and 2,000 endings.

use chuhe_board::random::SplitMix64;
use chuhe_board::rules::{Game, Outcome, RuleSet, Verdict, judge};
use chuhe_board::score::{Score, is_decided, is_mate};
use chuhe_board::{Kind, Move, Piece, Position, Setup, Side, Square, domain};
use chuhe_engine::mates::{self, Solver, SolverResult};
use chuhe_engine::search::{Conclusion, Limits, STACK};
use chuhe_engine::{Options, Searcher};

/// Amount of work.
struct Size {
    /// Number of positions from self-play games.
    positions: usize,
    /// Number of random endings.
    endings: usize,
    /// Nodes per move.
    nodes: u64,
}

const SMALL: Size = Size { positions: 500, endings: 100, nodes: 400 };
const FULL: Size = Size { positions: 10_000, endings: 2_000, nodes: 2_000 };
/// Number of random plies before a game.
const OPENING: usize = 8;
/// Number of plies after which an ending without an announcement is abandoned.
const PATIENCE: usize = 16;
/// Number of plies after which a game counts as undecided; the natural limit ends games earlier.
const MAX_PLIES: usize = 600;

fn size() -> Size {
    if std::env::var("CHUHE_TRUTH").is_ok_and(|size| size == "full") { FULL } else { SMALL }
}

/// A decided score.
struct Announcement {
    winner: Side,
    score: Score,
    /// The game up to the announcement, as text.
    game: String,
}

/// Numbers of announcements, and descriptions of the wrong announcements.
#[derive(Default)]
struct Tally {
    mates: usize,
    rule_wins: usize,
    wrong_mates: Vec<String>,
    wrong_rule_wins: Vec<String>,
}

impl Tally {
    fn count(&mut self, announcements: &[Announcement], winner: Option<Side>) {
        for said in announcements {
            let (count, wrong) = match is_mate(said.score) {
                true => (&mut self.mates, &mut self.wrong_mates),
                false => (&mut self.rule_wins, &mut self.wrong_rule_wins),
            };
            *count += 1;
            if winner != Some(said.winner) {
                wrong.push(format!("{} for {:?}, but {winner:?} wins: {}", said.score, said.winner, said.game));
            }
        }
    }

    fn check(&self, name: &str) {
        println!(
            "{name}: {} mates, {} of them wrong; {} wins by rule, {} of them wrong",
            self.mates,
            self.wrong_mates.len(),
            self.rule_wins,
            self.wrong_rule_wins.len()
        );
        assert!(self.mates > 10, "{name}: too few announcements");
        assert!(self.wrong_rule_wins.is_empty(), "{name}: {:#?}", self.wrong_rule_wins);
        assert!(self.wrong_mates.len() * 1_000 <= self.mates, "{name}: {:#?}", self.wrong_mates);
    }
}

/// Defence of the side announced to lose.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Defence {
    /// Plays the best move of its own search.
    Best,
    /// Assumes that every repetition draws, but avoids moves after which it has lost by the rules.
    Sceptical,
}

struct Players {
    /// Searchers by side.
    searchers: [Searcher; 2],
    sceptic: Searcher,
    limits: Limits,
}

impl Players {
    fn new(nodes: u64) -> Players {
        let searcher = |rules: RuleSet| {
            let options = Options { hash_mb: 4, threads: 1, rules: rules.terms(), ..Options::default() };
            Searcher::new(options).expect("4 MB can be had")
        };
        let searchers = [searcher(RuleSet::Asian), searcher(RuleSet::Asian)];
        Players { searchers, sceptic: searcher(RuleSet::Draw), limits: Limits::nodes(nodes) }
    }

    fn forget(&mut self) {
        self.searchers.iter_mut().chain([&mut self.sceptic]).for_each(Searcher::forget);
    }

    fn think(&mut self, game: &Game) -> Conclusion {
        self.searchers[game.position().side().index()].think(game, &self.limits, |_| {})
    }

    /// Returns the move of the side that was announced to lose.
    fn defend(&mut self, game: &Game, found: &Conclusion, defence: Defence) -> Option<Move> {
        if defence == Defence::Best {
            return found.best;
        }
        let limits = Limits { banned: punished(game), ..self.limits.clone() };
        let hope = self.sceptic.think(game, &limits, |_| {});
        // If repetitions do not help either, the engine's own defence is used.
        if hope.score().is_some_and(|score| !is_decided(score)) { hope.best } else { found.best }
    }

    /// Plays a game to its end. Returns the winner, if any, and all announcements.
    fn play_out(&mut self, mut game: Game, defence: Defence) -> (Option<Side>, Vec<Announcement>) {
        let mut announcements = Vec::new();
        while judge(&game, RuleSet::Asian) == Verdict::Open && game.plies().len() < MAX_PLIES {
            let found = self.think(&game);
            let mut mv = found.best;
            if let Some(said) = announcement(&game, &found) {
                if said.score < 0 {
                    mv = self.defend(&game, &found, defence);
                }
                announcements.push(said);
            }
            game.make(mv.expect("an open game has a legal move"));
        }
        (winner(&game), announcements)
    }

    /// Plays out a position announced as won, with every defence.
    fn try_defences(&mut self, game: &Game, tally: &mut Tally) {
        for defence in [Defence::Best, Defence::Sceptical] {
            let (winner, announcements) = self.play_out(game.clone(), defence);
            tally.count(&announcements, winner);
        }
    }
}

/// Returns the announcement of a search; `None` if its score is not decided.
fn announcement(game: &Game, found: &Conclusion) -> Option<Announcement> {
    let score = found.score().filter(|&score| is_decided(score))?;
    let side = game.position().side();
    Some(Announcement { winner: if score > 0 { side } else { !side }, score, game: text(game) })
}

/// Returns the moves after which the mover has lost by the rules, at once or after the right reply.
fn punished(game: &Game) -> Vec<Move> {
    let mut game = game.clone();
    let loses =
        |game: &Game, outcome| matches!(judge(game, RuleSet::Asian), Verdict::Over(found, _) if found == outcome);
    let moves = game.position().legal_moves().into_iter();
    moves
        .filter(|&mv| {
            game.make(mv);
            let mut is_punished = loses(&game, Outcome::Win);
            for answer in game.position().legal_moves() {
                game.make(answer);
                is_punished |= loses(&game, Outcome::Loss);
                game.unmake();
            }
            game.unmake();
            is_punished
        })
        .collect()
}

fn winner(game: &Game) -> Option<Side> {
    let side = game.position().side();
    match judge(game, RuleSet::Asian) {
        Verdict::Over(Outcome::Win, _) => Some(side),
        Verdict::Over(Outcome::Loss, _) => Some(!side),
        _ => None,
    }
}

fn text(game: &Game) -> String {
    let mut start = game.clone();
    start.take_back_to(0);
    let moves: Vec<String> = game.plies().iter().filter_map(|ply| ply.mv).map(|mv| mv.to_string()).collect();
    format!("{} moves {}", start.position(), moves.join(" "))
}

/// Returns a position after random moves that lose no material.
fn opening(random: &mut SplitMix64) -> Option<Position> {
    let mut position = Position::start();
    for _ in 0..OPENING {
        let moves: Vec<Move> = position.legal_moves().into_iter().filter(|&mv| position.exchange_wins(mv, 0)).collect();
        position.make(*random.pick(&moves)?);
    }
    position.has_moves().then_some(position)
}

/// Returns a random ending in which each side has its king, up to four guards and one to three attackers.
fn ending(random: &mut SplitMix64) -> Option<Position> {
    const ATTACKERS: [Kind; 5] = [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Pawn, Kind::Pawn];
    let mut setup = Setup { side: Side::ALL[random.below(2) as usize], ..Setup::empty() };
    for side in Side::ALL {
        let mut kinds = vec![Kind::King];
        for guard in [Kind::Advisor, Kind::Elephant] {
            kinds.extend((0..random.below(3)).map(|_| guard));
        }
        kinds.extend((0..=random.below(3)).filter_map(|_| random.pick(&ATTACKERS).copied()));
        for kind in kinds {
            let squares = domain(side, kind).into_iter();
            let free: Vec<Square> = squares.filter(|at| setup.board[at.index()].is_none()).collect();
            setup.board[random.pick(&free)?.index()] = Some(Piece::new(side, kind));
        }
    }
    Position::new(&setup).ok().filter(Position::has_moves)
}

/// Runs a test on a thread with a stack for searches.
fn with_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(test).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn announced_wins_in_games_are_wins_for_the_referee() {
    with_stack(|| {
        let Size { positions, nodes, .. } = size();
        let (mut players, mut tally, mut random) = (Players::new(nodes), Tally::default(), SplitMix64::new(55));
        let mut seen = 0;
        while seen < positions {
            let Some(start) = opening(&mut random) else { continue };
            players.forget();
            let mut game = Game::new(start);
            while judge(&game, RuleSet::Asian) == Verdict::Open {
                seen += 1;
                let found = players.think(&game);
                if announcement(&game, &found).is_some() {
                    players.try_defences(&game, &mut tally);
                    break;
                }
                game.make(found.best.expect("an open game has a legal move"));
            }
        }
        tally.check("games");
    });
}

#[test]
fn announced_wins_in_endings_are_wins_for_the_referee() {
    with_stack(|| {
        let Size { endings, nodes, .. } = size();
        let (mut players, mut tally, mut random) = (Players::new(nodes), Tally::default(), SplitMix64::new(56));
        let mut seen = 0;
        while seen < endings {
            let Some(start) = ending(&mut random) else { continue };
            seen += 1;
            players.forget();
            let mut game = Game::new(start);
            while judge(&game, RuleSet::Asian) == Verdict::Open && game.plies().len() < PATIENCE {
                let found = players.think(&game);
                if announcement(&game, &found).is_some() {
                    players.try_defences(&game, &mut tally);
                    break;
                }
                game.make(found.best.expect("an open game has a legal move"));
            }
        }
        tally.check("endings");
    });
}

/// The referee also confirms mates of the solver; `tests/mates.rs` tests proofs against every defence.
#[test]
fn the_referee_confirms_the_lines_of_the_solver() {
    let (mut random, mut seen, mut proved) = (SplitMix64::new(57), 0, 0);
    let mut solver = Solver::new(1).expect("1 MB can be had");
    let endings = size().endings;
    while seen < endings {
        let Some(start) = ending(&mut random) else { continue };
        seen += 1;
        // In some of these positions, the natural limit is reached before the mate.
        let setup = Setup { quiet_plies: 100 + random.below(20) as u16, ..start.setup() };
        let mut game = Game::new(Position::new(&setup).expect("only the count differs"));
        solver.forget();
        let limits = mates::Limits { nodes: 3_000, quiet: 1 };
        let SolverResult::Mate(proof) = solver.solve(&game, limits, &mut |_| true) else { continue };
        proved += 1;
        let attacker = game.position().side();
        for &mv in proof.line() {
            assert_eq!(judge(&game, RuleSet::Asian), Verdict::Open, "{}", text(&game));
            game.make(mv);
        }
        assert_eq!(winner(&game), Some(attacker), "{}", text(&game));
    }
    assert!(proved > endings / 20, "{proved} of {endings}");
}
