//! Reviews of games, and evaluation of a learner's answers.

use super::event::Emit;
use super::fields::{Effort, Ruled};
use super::machine::Machine;
use super::names::LineNames;
use super::refusal::Refusal;
use super::response::Response;
use super::stop::Stop;
use super::think::rounded;
use chuhe_board::Move;
use chuhe_board::notation;
use chuhe_board::rules::{Game, Terms};
use chuhe_board::words::Language;
use chuhe_engine::Options;
use chuhe_engine::book::Book;
use chuhe_engine::search::Limits;
use chuhe_games::records::GameResult;
use chuhe_games::review::{Analyst, JsonScore, Judgement, Report, ScoredLine, Thoroughness, examine, expected_points};

/// Range of nodes per position: with fewer, judgements would be random; with more, a review would take hours.
const NODES: std::ops::RangeInclusive<u64> = 1_000..=10_000_000;
/// Maximum length of a reported line, in plies.
const SHOWN_PLIES: usize = 12;

/// Analyses positions with the desk's searcher until it is stopped.
struct StoppableAnalyst<'l> {
    machine: &'l mut Machine,
    effort: &'l Effort,
    terms: Terms,
    stop: &'l Stop,
}

impl Analyst for StoppableAnalyst<'_> {
    type Error = Refusal;

    fn lines(&mut self, game: &Game, nodes: u64, count: usize) -> Result<Vec<ScoredLine>, Refusal> {
        self.machine.prepare(self.effort, |options| Options { rules: self.terms, multipv: count, ..options })?;
        let conclusion = self.machine.search(game, &Limits::nodes(nodes), self.stop, &mut |_| {})?;
        if self.stop.is_asked() || conclusion.lines.is_empty() {
            return Err(Refusal::Stopped);
        }
        Ok(conclusion.lines.into_iter().map(|line| ScoredLine { score: line.score, moves: line.pv }).collect())
    }
}

/// Parameters of a review.
pub(super) struct ReviewParameters<'t> {
    pub nodes: Option<u64>,
    pub players: &'t [String; 2],
    pub result: &'t str,
    pub effort: &'t Effort,
}

/// Reviews every move of a game. Moves in the opening book receive no judgement; if the position database
/// contains a position of the game, it is the book.
pub(super) fn review(
    machine: &mut Machine,
    (book, explored): (&Book, Option<&Book>),
    ruled: &Ruled,
    task: &ReviewParameters,
    language: Language,
    stop: &Stop,
    emit: Emit,
) -> Result<(), Refusal> {
    let Ruled { game, terms, .. } = ruled;
    let result = GameResult::from_mark(task.result).ok_or_else(|| Refusal::bad("result: 1-0, 0-1, 1/2-1/2 or *"))?;
    let usual = Thoroughness::default();
    let nodes = task.nodes.map_or(usual.nodes, |nodes| nodes.clamp(*NODES.start(), *NODES.end()));
    let moves: Vec<Move> = game.plies().iter().filter_map(|ply| ply.mv).collect();
    let mut start = game.clone();
    start.take_back_to(0);
    let of_explored = explored.and_then(|book| Some((book, Some(book.explored_from(&start, &moves)?))));
    let (book, explored_from) = of_explored.unwrap_or_else(|| (book, book.explored_from(&start, &moves)));
    let known = book.known(&start, &moves, explored_from.unwrap_or(0));
    let of = moves.len() + 1;
    // Without earlier searches, the same game receives the same judgements.
    machine.forget();
    let mut analyst = StoppableAnalyst { machine, effort: task.effort, terms: *terms, stop };
    let thoroughness = Thoroughness { nodes, ..usual };
    let review = examine(&start, &moves, *terms, thoroughness, known, &mut analyst, |done| {
        emit(Response::Progress { done, of });
    })?;
    let report = Report {
        review: &review,
        start: &start,
        terms: *terms,
        players: task.players.each_ref().map(String::as_str),
        result,
        form: ruled.form(language),
        language,
        explored_from,
    };
    emit(Response::Review(Box::new(report.json(None))));
    Ok(())
}

/// Parameters of a learner's answer.
pub(super) struct Attempt<'t> {
    pub answer: &'t str,
    pub best: Option<&'t str>,
    pub nodes: Option<u64>,
    pub effort: &'t Effort,
}

/// Judges a learner's answer to a position.
pub(super) fn attempt(machine: &mut Machine, ruled: &Ruled, task: &Attempt, stop: &Stop) -> Result<Response, Refusal> {
    let Ruled { game, terms, .. } = ruled;
    let read = |text: &str| {
        notation::read(game.position(), text).map_err(|why| Refusal::NoSuchMove(text.chars().take(20).collect(), why))
    };
    let (answer, best) = (read(task.answer)?, task.best.map(read).transpose()?);
    let usual = Thoroughness::default().nodes;
    let nodes = task.nodes.map_or(usual, |nodes| nodes.clamp(*NODES.start(), *NODES.end()));
    let mut analyst = StoppableAnalyst { machine, effort: task.effort, terms: *terms, stop };
    let found = analyst.lines(game, nodes, 1)?.remove(0);
    let mut after = game.clone();
    after.make(answer);
    let reply = match ScoredLine::of_end(&after, *terms) {
        Some(end) => end,
        None => analyst.lines(&after, nodes, 1)?.remove(0),
    };
    let ScoredLine { score, mut moves } = reply.after(answer);
    moves.truncate(SHOWN_PLIES);
    let is_best = best == Some(answer) || found.moves.first() == Some(&answer);
    let judgement = if is_best { None } else { Judgement::of(found.score, score) };
    let loss = if is_best { 0.0 } else { (expected_points(found.score) - expected_points(score)).max(0.0) };
    Ok(Response::Tried {
        right: judgement.is_none(),
        best: is_best,
        loss: rounded(loss),
        judgement,
        score: JsonScore::of(score),
        line: moves.iter().map(Move::to_string).collect(),
        names: LineNames::of(game.position(), &moves),
    })
}
