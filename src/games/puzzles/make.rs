//! Search for puzzles in games: positions in which exactly one move exploits a mistake, or exactly one move
//! saves the game.

use super::puzzle::Puzzle;
use super::themes::{Aim, themes};
use chuhe_board::rules::{Game, Verdict, judge};
use chuhe_board::score::{Score, is_mate};
use chuhe_board::{Move, Position};
use chuhe_engine::eval::expected_points;
use chuhe_engine::mates::{self, Solver, SolverResult, shortest};
use chuhe_engine::search::{Event, Limits, Report};
use chuhe_engine::{Error, Options, Searcher};

/// Ratio of the nodes for the check of a puzzle to those for the first analysis, and of the latter to those
/// for the detection of turning points.
const CHECK: u64 = 10;
const GLANCE: u64 = 4;
/// Minimum loss of a mistake, in expected points.
const MISTAKE: f64 = 0.15;
/// Maximum number of quiet attacker moves in a mating line.
const QUIET: u8 = 1;
/// Maximum number of solver moves in a solution without mate.
const MAX_MOVES: usize = 4;
/// Minimum expected points of a won position, and maximum expected points of a position that is not won.
const WON: f64 = 0.7;
const NOT_WON: f64 = 0.65;
/// Minimum gap between the best two moves in a puzzle without mate, in expected points.
const GAP: f64 = 0.2;
/// Maximum expected points of alternatives to a mate: they may win too, but not by a rook or more.
const NO_MATTER: f64 = 0.97;
/// Minimum gap between the best two moves in the first analyses, before the check, in expected points.
const SEEN: f64 = 0.1;
/// Range of a level position, and maximum of a lost position, in expected points.
const LEVEL: std::ops::RangeInclusive<f64> = 0.4..=WON;
const LOST: f64 = 0.25;
/// Gain of a capture, in centipawns (rook = 1000), above which the first move is too obvious for a puzzle.
const PLAIN: i32 = 100;
/// Minimum rating with the number of nodes up to which it applies, and increase of the rating per doubling of
/// the nodes.
const EASIEST: (f64, f64) = (600.0, 64.0);
const DOUBLING: f64 = 150.0;
/// Minimum rating of a puzzle that consists of a single capture or reply to a check and does not mate; easier
/// ones are obvious.
const MIN_SINGLE: u32 = 900;

/// A finder of puzzles.
pub struct Maker {
    searcher: Searcher,
    solver: Solver,
    nodes: u64,
}

/// Result of a short analysis.
struct QuickAnalysis {
    position: Position,
    /// Expected points of the mover.
    points: f64,
    /// `true` if a move that is not obvious is clearly better than all others.
    has_only_move: bool,
    /// `true` if a mate by checks was found.
    mates: bool,
}

/// The best line, and the expected points of the second-best line; 0 if there is no other move.
struct Choice {
    score: Score,
    best: Move,
    answer: Option<Move>,
    second: f64,
    second_mates: bool,
}

impl Choice {
    /// Returns the expected points of the best move.
    fn points(&self) -> f64 {
        expected_points(self.score)
    }

    /// Returns the difference between the best two moves, in expected points.
    fn gap(&self) -> f64 {
        self.points() - self.second
    }
}

/// Returns `true` if a move is obvious: it is forced, or wins material by an exchange.
fn is_plain(position: &Position, mv: Move) -> bool {
    position.legal_moves().len() == 1 || position.exchange_wins(mv, PLAIN)
}

impl Maker {
    /// Creates a maker that analyses every position of a game with a quarter of `nodes` nodes, turning points
    /// with `nodes`, and candidates with ten times as many.
    ///
    /// # Errors
    /// Returns an error if the memory cannot be allocated.
    pub fn new(nodes: u64) -> Result<Maker, Error> {
        let mut options = Options { hash_mb: 16, ..Options::default() };
        // Mates are proved separately; the searches measure how difficult it is to find a mate without the
        // solver.
        options.params.on.mates = false;
        let solver = Solver::new(16).map_err(|error| Error::Resources(error.to_string()))?;
        Ok(Maker { searcher: Searcher::new(options)?, solver, nodes })
    }

    /// Returns the puzzles in a game's moves; the search needs a stack of
    /// [`STACK`](chuhe_engine::search::STACK) bytes. `goes_on` is called before each position and stops the
    /// search if it returns `false`.
    pub fn find(&mut self, start: &Game, moves: &[Move], goes_on: &dyn Fn() -> bool) -> Vec<Puzzle> {
        self.searcher.forget();
        self.solver.forget();
        let mut game = start.clone();
        let mut looks: Vec<QuickAnalysis> = Vec::new();
        for mv in moves.iter().map(Some).chain([None]) {
            if !goes_on() || judge(&game, self.searcher.options().terms()) != Verdict::Open {
                break;
            }
            let Some(choice) = self.choice(&game, self.nodes / GLANCE) else { break };
            let limits = mates::Limits { nodes: self.nodes / CHECK, quiet: 0 };
            let mates = matches!(self.solver.solve(&game, limits, &mut |_| true), SolverResult::Mate(_));
            let (points, position) = (choice.points(), game.position().clone());
            let is_fair = points >= *LEVEL.start() && choice.second <= NOT_WON;
            let has_only_move = is_fair && choice.gap() >= SEEN && !is_plain(&position, choice.best);
            looks.push(QuickAnalysis { position, points, has_only_move, mates });
            mv.into_iter().for_each(|&mv| game.make(mv));
        }
        let mut puzzles = Vec::new();
        let mut last = None;
        for (ply, look) in looks.iter().enumerate().skip(1) {
            let hoped = 1.0 - looks[ply - 1].points;
            let next = looks.get(ply + 1).map(|enemy| 1.0 - enemy.points);
            let wins = look.points >= NOT_WON && look.points - hoped >= MISTAKE;
            let mates = look.mates && ply.checked_sub(2).is_none_or(|before| !looks[before].mates);
            let falls = LEVEL.contains(&look.points) && next.is_some_and(|next| next <= LOST);
            if !(wins || mates || falls || look.has_only_move) || !goes_on() {
                continue;
            }
            // A position within the solution of a puzzle with the same aim is not a separate puzzle.
            let Some(puzzle) = self.puzzle(&look.position) else { continue };
            let is_part = last.is_some_and(|(end, aim)| ply < end && aim == puzzle.aim());
            if !is_part {
                last = Some((ply + puzzle.line.len(), puzzle.aim()));
                puzzles.push(puzzle);
            }
        }
        puzzles
    }

    /// Returns the puzzle that begins at a position; `None` if the position is not a puzzle.
    pub fn puzzle(&mut self, position: &Position) -> Option<Puzzle> {
        // The position is judged without its history, since a puzzle has none.
        let game = Game::new(position.clone());
        self.searcher.forget();
        let seen = self.choice(&game, self.nodes)?;
        let mates_alone = is_mate(seen.score) && !seen.second_mates;
        if !mates_alone && seen.gap() < SEEN {
            return None;
        }
        let (aim, line) = self.mate(&game).or_else(|| self.advantage(&game)).or_else(|| self.defence(&game))?;
        let rating = self.rating(&game, &line);
        let suggests_itself = position.in_check() || position.piece_on(line[0].to).is_some();
        if aim != Aim::Mate && line.len() == 1 && suggests_itself && rating < MIN_SINGLE {
            return None;
        }
        Some(Puzzle { position: position.clone(), themes: themes(position, &line, aim), line, rating })
    }

    /// Returns a proved mate in which each move of the solver is the only mating move. In a mate of several
    /// moves, the last move need not be unique.
    fn mate(&mut self, game: &Game) -> Option<(Aim, Vec<Move>)> {
        let limits = mates::Limits { nodes: CHECK * self.nodes, quiet: QUIET };
        let SolverResult::Mate(proof) = self.solver.solve(game, limits, &mut |_| true) else { return None };
        let fastest = if proof.quiet() == 0 { shortest(game.position(), proof.moves(), limits.nodes) } else { None };
        if fastest.as_ref().is_some_and(|fastest| fastest.keys.len() > 1) {
            return None;
        }
        let line = fastest.map_or_else(|| proof.line().to_vec(), |fastest| fastest.line);
        let mut after = game.clone();
        for (ply, &mv) in line.iter().enumerate() {
            if ply % 2 == 0 && (ply == 0 || ply + 1 < line.len()) {
                let choice = self.choice(&after, CHECK * self.nodes)?;
                let is_only = choice.best == mv && !choice.second_mates && (ply > 0 || choice.second <= NO_MATTER);
                if !is_only {
                    return None;
                }
            }
            after.make(mv);
        }
        Some((Aim::Mate, line))
    }

    /// Returns the line as long as the solver has exactly one winning move.
    fn advantage(&mut self, game: &Game) -> Option<(Aim, Vec<Move>)> {
        let start = game.position();
        let (mut game, mut line) = (game.clone(), Vec::new());
        while line.len() < 2 * MAX_MOVES {
            let wins = |choice: &Choice| choice.points() >= WON && choice.second <= NOT_WON && choice.gap() >= GAP;
            let Some(choice) = self.choice(&game, CHECK * self.nodes).filter(wins) else { break };
            line.push(choice.best);
            game.make(choice.best);
            let Some(answer) = choice.answer else { break };
            line.push(answer);
            game.make(answer);
        }
        if !game.position().has_moves() {
            // A line that ends in mate was rejected by `mate`: a move is not unique, or the mate can be
            // prevented.
            return None;
        }
        if line.len() % 2 == 0 {
            line.pop();
        }
        let is_obvious = start.legal_moves().len() == 1 || line.len() == 1 && is_plain(start, line[0]);
        (!line.is_empty() && !is_obvious).then_some((Aim::Win, line))
    }

    /// Returns the only move that keeps the position level.
    fn defence(&mut self, game: &Game) -> Option<(Aim, Vec<Move>)> {
        let holds = |choice: &Choice| LEVEL.contains(&choice.points()) && choice.second <= LOST && choice.gap() >= GAP;
        let choice = self.choice(game, CHECK * self.nodes).filter(holds)?;
        (!is_plain(game.position(), choice.best)).then(|| (Aim::Defence, vec![choice.best]))
    }

    /// Returns the best line and the value of the second-best move.
    fn choice(&mut self, game: &Game, nodes: u64) -> Option<Choice> {
        let lines = self.lines(game, nodes, 2);
        let best = lines.first()?;
        let second = lines.get(1).map(|line| line.score);
        Some(Choice {
            score: best.score,
            best: *best.pv.first()?,
            answer: best.pv.get(1).copied(),
            second: second.map_or(0.0, expected_points),
            second_mates: second.is_some_and(|score| is_mate(score) && score > 0),
        })
    }

    fn lines(&mut self, game: &Game, nodes: u64, count: usize) -> Vec<Report> {
        self.set_lines(count);
        self.searcher.think(game, &Limits::nodes(nodes), |_| {}).lines
    }

    fn set_lines(&mut self, count: usize) {
        let options = Options { multipv: count, ..self.searcher.options().clone() };
        self.searcher.set_options(options).expect("the memory is unchanged");
    }

    /// Returns the rating. It is derived from the total number of nodes after which searches with an empty
    /// hash table settle on the solver's moves.
    fn rating(&mut self, game: &Game, line: &[Move]) -> u32 {
        self.set_lines(1);
        let (mut game, mut nodes) = (game.clone(), 0);
        for (ply, &mv) in line.iter().enumerate() {
            if ply % 2 == 0 {
                nodes += self.effort(&game, mv);
            }
            game.make(mv);
        }
        let (least, unit) = EASIEST;
        (least + DOUBLING * (nodes as f64 / unit).log2().max(0.0)).round() as u32
    }

    fn effort(&mut self, game: &Game, mv: Move) -> u64 {
        self.searcher.forget();
        let (most, mut since) = (CHECK * self.nodes, None);
        self.searcher.think(game, &Limits::nodes(most), |event| {
            if let Event::Line(line) = event {
                if line.pv.first() == Some(&mv) {
                    since.get_or_insert(line.nodes);
                } else {
                    since = None;
                }
            }
        });
        since.unwrap_or(most)
    }
}
