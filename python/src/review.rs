//! Reviews: assessments of every move in a game.

use crate::arguments::{LanguageArgument, Word, colour};
use crate::moves::{Move, moves};
use crate::results::build;
use crate::score::Score;
use crate::session::Session;
use chuhe::board;
use chuhe::book::Book;
use chuhe::notation::Form;
use chuhe::records::GameResult;
use chuhe::review::{self, Analyst, Report, Reviewed, ScoredLine, Thoroughness, examine};
use chuhe::rules::{Game, Terms};
use chuhe::words::Language;
use pyo3::prelude::*;

/// Result of `Engine.review`.
#[pyclass(module = "chuhe", frozen)]
pub struct Review {
    review: review::Review,
    start: Game,
    terms: Terms,
}

impl Analyst for Session<'_, '_> {
    type Error = PyErr;

    fn lines(&mut self, game: &Game, nodes: u64, count: usize) -> PyResult<Vec<ScoredLine>> {
        let lines = Session::lines(self, game, nodes, count)?;
        Ok(lines.into_iter().map(|line| ScoredLine { score: line.score, moves: line.pv }).collect())
    }
}

impl Review {
    /// Reviews a game.
    pub fn of(session: &mut Session, game: Game, terms: Terms, nodes: u64) -> PyResult<Review> {
        let line: Vec<board::Move> = game.plies().iter().filter_map(|ply| ply.mv).collect();
        let mut start = game;
        start.take_back_to(0);
        let thoroughness = Thoroughness { nodes: nodes.max(1), ..Thoroughness::default() };
        let known = Book::built_in().known(&start, &line, 0);
        let review = examine(&start, &line, terms, thoroughness, known, session, |_| {})?;
        Ok(Review { review, start, terms })
    }

    fn report(&self, language: Language) -> Report<'_> {
        let (review, start, terms, form) = (&self.review, &self.start, self.terms, Form::usual(language));
        Report {
            review,
            start,
            terms,
            players: ["", ""],
            result: GameResult::Unknown,
            form,
            language,
            explored_from: None,
        }
    }
}

#[pymethods]
impl Review {
    /// All moves, as a list of `ReviewedMove`.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.review.moves.iter().map(|reviewed| reviewed_of(py, reviewed)).collect()
    }

    /// Red's expected points before the first move and after every move, 0.0 to 1.0.
    #[getter]
    fn points(&self) -> Vec<f64> {
        self.review.points.clone()
    }

    /// Accuracy of Red and Black, 0 to 100; `None` for a side that made no move.
    #[getter]
    fn accuracy(&self) -> (Option<f64>, Option<f64>) {
        let [red, black] = self.review.accuracy;
        (red, black)
    }

    /// Returns the review as text: the moves with their judgements and reasons, then the accuracy of each
    /// side. `language` is `"en"` or `"zh"`.
    #[pyo3(signature = (language = Word(Language::English)))]
    fn text(&self, language: LanguageArgument) -> String {
        self.report(language.0).text(None)
    }

    /// Returns the review as a single HTML page with boards and a graph.
    #[pyo3(signature = (language = Word(Language::English)))]
    fn html(&self, language: LanguageArgument) -> String {
        self.report(language.0).html()
    }

    fn __str__(&self) -> String {
        self.text(Word(Language::English))
    }

    fn __repr__(&self) -> String {
        format!("<Review of {} moves>", self.review.moves.len())
    }
}

fn reviewed_of<'py>(py: Python<'py>, reviewed: &Reviewed) -> PyResult<Bound<'py, PyAny>> {
    let line =
        |found: &ScoredLine| build(py, "ScoredLine", (Score::of(found.score, reviewed.side), moves(&found.moves)));
    let (best, played) = (line(&reviewed.best)?, line(&reviewed.played)?);
    let judgement = reviewed.judgement.map(|judgement| judgement.say(Language::English));
    let reason = reviewed.reason.as_ref().map(|reason| reason.say(Language::English, reviewed.side));
    let Reviewed { ply, side, mv, loss, is_forced, is_only_good_move, is_in_book, .. } = *reviewed;
    let flags = (is_forced, is_only_good_move, is_in_book);
    let judged = (ply, colour(side), Move(mv), best, played, loss, judgement, reason, flags.0, flags.1, flags.2);
    build(py, "ReviewedMove", judged)
}
