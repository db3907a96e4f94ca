//! Finding puzzles in games: where a player erred and exactly one move makes use of it, or where exactly one move would have held.

use super::puzzle::Puzzle;
use super::themes::{Aim, themes};
use chuhe_board::rules::{Game, Verdict, judge};
use chuhe_board::score::{Score, is_mate};
use chuhe_board::{Move, Position};
use chuhe_engine::eval::expected_points;
use chuhe_engine::mates::{self, Answer, Solver, shortest};
use chuhe_engine::search::{Event, Limits, Report};
use chuhe_engine::{Error, Options, Searcher};

/// So many times the nodes of a look check a puzzle, and so many times fewer tell where a game turned.
const CHECK: u64 = 10;
const GLANCE: u64 = 4;
/// What a mistake gives away, in expected points.
const MISTAKE: f64 = 0.15;
/// Quiet moves of the attacker in a mate.
const QUIET: u8 = 1;
/// The solver's moves in a solution that is no mate.
const LONGEST: usize = 4;
/// A winning position, and one that is not, in expected points.
const WON: f64 = 0.8;
const NOT_WON: f64 = 0.65;
/// Beside a mate another move may win as well, but not by a rook and more.
const NO_MATTER: f64 = 0.97;
/// A look must see something of the choice that the check then has to confirm.
const SEEN: f64 = 0.1;
/// A level position, and a lost one.
const LEVEL: std::ops::RangeInclusive<f64> = 0.4..=0.65;
const LOST: f64 = 0.15;
/// Who takes so much for nothing, in centipawns of a rook of 1000, has found nothing.
const PLAIN: i32 = 100;
/// The rating of what this many nodes find, and by how much it grows when they double.
const EASIEST: (f64, f64) = (600.0, 64.0);
const DOUBLING: f64 = 150.0;
/// A single move that wins is a puzzle from this rating on: below, it is seen at first sight.
const LEAST_SINGLE: u32 = 900;

/// Finds puzzles.
pub struct Maker {
    searcher: Searcher,
    solver: Solver,
    nodes: u64,
}

/// What a glance shows of a position.
struct Look {
    position: Position,
    /// The mover's expected points.
    points: f64,
    /// Whether checks mate.
    mates: bool,
}

/// The best line, and what the next best is worth in expected points; 0 without another move.
struct Choice {
    score: Score,
    best: Move,
    answer: Option<Move>,
    second: f64,
    second_mates: bool,
}

impl Maker {
    /// A maker that looks at every position of a game with so many nodes, and with ten times as many at what may be a puzzle.
    ///
    /// # Errors
    /// The memory can't be had.
    pub fn new(nodes: u64) -> Result<Maker, Error> {
        let mut options = Options { hash_mb: 16, ..Options::default() };
        // Mates are proved apart: the searches tell how hard a mate is to see without that.
        options.params.on.mates = false;
        let solver = Solver::new(16).map_err(|error| Error::Resources(error.to_string()))?;
        Ok(Maker { searcher: Searcher::new(options)?, solver, nodes })
    }

    /// The puzzles in a game's moves; the search needs a stack of [`STACK`](chuhe_engine::search::STACK) bytes. `goes_on` is asked before every search.
    pub fn find(&mut self, start: &Game, moves: &[Move], goes_on: &dyn Fn() -> bool) -> Vec<Puzzle> {
        self.searcher.forget();
        self.solver.forget();
        let mut game = start.clone();
        let mut looks: Vec<Look> = Vec::new();
        for mv in moves.iter().map(Some).chain([None]) {
            if !goes_on() || judge(&game, self.searcher.options().terms()) != Verdict::Open {
                break;
            }
            let Some(line) = self.lines(&game, self.nodes / GLANCE, 1).into_iter().next() else { break };
            let limits = mates::Limits { nodes: self.nodes / CHECK, quiet: 0 };
            let mates = matches!(self.solver.solve(&game, limits, &mut |_| true), Answer::Mate(_));
            looks.push(Look { position: game.position().clone(), points: expected_points(line.score), mates });
            mv.into_iter().for_each(|&mv| game.make(mv));
        }
        let mut puzzles = Vec::new();
        for (ply, look) in looks.iter().enumerate().skip(1) {
            let hoped = 1.0 - looks[ply - 1].points;
            let next = looks.get(ply + 1).map(|enemy| 1.0 - enemy.points);
            let wins = look.points >= NOT_WON && look.points - hoped >= MISTAKE;
            let mates = look.mates && ply.checked_sub(2).is_none_or(|before| !looks[before].mates);
            let falls = LEVEL.contains(&look.points) && next.is_some_and(|next| next <= LOST);
            if (wins || mates || falls) && goes_on() {
                puzzles.extend(self.puzzle(&look.position));
            }
        }
        puzzles
    }

    /// The puzzle of a position, if it is one.
    pub fn puzzle(&mut self, position: &Position) -> Option<Puzzle> {
        // Only the position is the puzzle: what was played before does not count.
        let game = Game::new(position.clone());
        self.searcher.forget();
        let seen = self.choice(&game, self.nodes)?;
        let mates_alone = is_mate(seen.score) && !seen.second_mates;
        if !mates_alone && expected_points(seen.score) - seen.second < SEEN {
            return None;
        }
        let (aim, line) = self.mate(&game).or_else(|| self.advantage(&game)).or_else(|| self.defence(&game))?;
        let rating = self.rating(&game, &line);
        if aim == Aim::Win && line.len() == 1 && rating < LEAST_SINGLE {
            return None;
        }
        Some(Puzzle { position: position.clone(), themes: themes(position, &line, aim), line, rating })
    }

    /// A proved mate, of which every move but the last is the only one that mates.
    fn mate(&mut self, game: &Game) -> Option<(Aim, Vec<Move>)> {
        let limits = mates::Limits { nodes: CHECK * self.nodes, quiet: QUIET };
        let Answer::Mate(proof) = self.solver.solve(game, limits, &mut |_| true) else { return None };
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

    /// Moves that win where all others do not, as long as there are any.
    fn advantage(&mut self, game: &Game) -> Option<(Aim, Vec<Move>)> {
        let start = game.position();
        let (mut game, mut line) = (game.clone(), Vec::new());
        while line.len() < 2 * LONGEST {
            let wins = |choice: &Choice| expected_points(choice.score) >= WON && choice.second <= NOT_WON;
            let Some(choice) = self.choice(&game, CHECK * self.nodes).filter(wins) else { break };
            line.push(choice.best);
            game.make(choice.best);
            let Some(answer) = choice.answer else { break };
            line.push(answer);
            game.make(answer);
        }
        if !game.position().has_moves() {
            // A mate that is none of those above: there is another one, or a defence.
            return None;
        }
        if line.len() % 2 == 0 {
            line.pop();
        }
        // Taking what hangs, and what is forced, is nothing to find.
        let is_plain = start.legal_moves().len() == 1 || line.len() == 1 && start.exchange_wins(line[0], PLAIN);
        (!line.is_empty() && !is_plain).then_some((Aim::Win, line))
    }

    /// The only move that holds a level position.
    fn defence(&mut self, game: &Game) -> Option<(Aim, Vec<Move>)> {
        let holds = |choice: &Choice| LEVEL.contains(&expected_points(choice.score)) && choice.second <= LOST;
        let choice = self.choice(game, CHECK * self.nodes).filter(holds)?;
        let is_plain = game.position().legal_moves().len() == 1 || game.position().exchange_wins(choice.best, PLAIN);
        (!is_plain).then(|| (Aim::Defence, vec![choice.best]))
    }

    /// What there is to choose from.
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
        self.searcher.set_options(options).expect("no other memory is asked for");
    }

    /// How deep the answer lies: the nodes after which a search that knows nothing keeps to it, for all moves of the solver together.
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
