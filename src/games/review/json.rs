//! A review as JSON: fields may be added but are never renamed. Scores are from the mover's point of view;
//! moves are in coordinate notation.

use super::{Deed, Judgement, Reason, Report, Reviewed, ScoredLine};
use crate::openings::Opening;
use chuhe_board::rules::Game;
use chuhe_board::score::{RULE_WIN, Score, TABLEBASE_WIN, mate_in, mate_moves, mated_in};
use chuhe_board::{Kind, Move, Side};
use serde::{Deserialize, Serialize};

/// A reviewed game.
#[derive(Debug, Serialize)]
pub struct Reviewal {
    start: String,
    rules: &'static str,
    players: [String; 2],
    result: String,
    opening: Option<JsonOpening>,
    /// End of the game in words; empty if it is not over.
    ending: String,
    /// Accuracy of Red and Black, 0 to 100.
    accuracy: [Option<f64>; 2],
    /// Red's expected points before the first move and after each.
    points: Vec<f64>,
    /// Ply of the first move outside the lines of a position database; missing without a database.
    #[serde(skip_serializing_if = "Option::is_none")]
    leaves_explored: Option<usize>,
    moves: Vec<MoveEntry>,
}

/// Code and names of an opening.
#[derive(Debug, Serialize)]
struct JsonOpening {
    code: &'static str,
    english: &'static str,
    chinese: &'static str,
}

#[derive(Debug, Serialize)]
struct MoveEntry {
    ply: usize,
    side: &'static str,
    #[serde(rename = "move")]
    mv: String,
    name: String,
    best: Option<String>,
    best_score: JsonScore,
    best_line: Vec<String>,
    score: JsonScore,
    line: Vec<String>,
    loss: f64,
    judgement: Option<Judgement>,
    reason: Option<JsonReason>,
    /// Second reason, if the first one does not explain the loss by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    also: Option<JsonReason>,
    text: String,
    forced: bool,
    only: bool,
    book: bool,
}

/// Score: `mate` in moves, negative if the mover is mated; `rule` is a win or a loss by the repetition rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum JsonScore {
    /// Score in centipawns.
    Cp(Score),
    /// Mate in this number of moves.
    Mate(i32),
    /// Win (1) or loss (-1).
    Rule(Score),
}

#[derive(Debug, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
enum JsonReason {
    AllowsMate { moves: u32 },
    MissesMate { moves: u32 },
    LosesByRule { ruling: String },
    MissesWinByRule { ruling: String },
    Loses { lost: Vec<&'static str>, taken: Vec<&'static str> },
    MissesWin { won: Vec<&'static str>, given: Vec<&'static str> },
    AllowsThreat { moves: u32 },
    MissesThreat { moves: u32 },
    AllowsDraw { ruling: String },
    MissesDraw { ruling: String },
    LosesEnding,
    MissesEnding,
    Lets { deeds: Vec<String> },
    MissesDeeds { deeds: Vec<String> },
    LimitsPiece { piece: &'static str },
    FreesPiece { piece: &'static str },
    Position,
}

impl JsonScore {
    /// Converts a score of the search.
    pub fn of(score: Score) -> JsonScore {
        match mate_moves(score) {
            Some(moves) => JsonScore::Mate(moves),
            None if chuhe_board::score::is_decided(score) => JsonScore::Rule(score.signum()),
            None => JsonScore::Cp(score),
        }
    }

    /// Returns a score of the search that has this form.
    pub fn score(self) -> Score {
        match self {
            // A greater score of another program would be taken for a mate.
            JsonScore::Cp(score) => score.clamp(-TABLEBASE_WIN, TABLEBASE_WIN),
            JsonScore::Mate(moves) if moves > 0 => mate_in((2 * moves.min(400) - 1) as usize),
            JsonScore::Mate(moves) => mated_in((2 * moves.max(-400).unsigned_abs()) as usize),
            JsonScore::Rule(sign) => sign.signum() * (RULE_WIN - 1),
        }
    }
}

fn kinds(kinds: &[Kind]) -> Vec<&'static str> {
    kinds.iter().map(|kind| kind.name()).collect()
}

fn line(found: &ScoredLine) -> Vec<String> {
    found.moves.iter().map(Move::to_string).collect()
}

impl Report<'_> {
    fn reason(&self, reason: &Reason) -> JsonReason {
        let said = |ruling: &chuhe_board::rules::Ruling| ruling.cause(self.language);
        match reason {
            &Reason::AllowsMate(moves) => JsonReason::AllowsMate { moves },
            &Reason::MissesMate(moves) => JsonReason::MissesMate { moves },
            Reason::LosesByRule(ruling) => JsonReason::LosesByRule { ruling: said(ruling) },
            Reason::MissesWinByRule(ruling) => JsonReason::MissesWinByRule { ruling: said(ruling) },
            Reason::Loses { lost, taken } => JsonReason::Loses { lost: kinds(lost), taken: kinds(taken) },
            Reason::MissesWin { won, given } => JsonReason::MissesWin { won: kinds(won), given: kinds(given) },
            &Reason::AllowsThreat(moves) => JsonReason::AllowsThreat { moves },
            &Reason::MissesThreat(moves) => JsonReason::MissesThreat { moves },
            Reason::AllowsDraw(ruling) => JsonReason::AllowsDraw { ruling: said(ruling) },
            Reason::MissesDraw(ruling) => JsonReason::MissesDraw { ruling: said(ruling) },
            Reason::LosesEnding => JsonReason::LosesEnding,
            Reason::MissesEnding => JsonReason::MissesEnding,
            Reason::Lets(deeds) => JsonReason::Lets { deeds: self.deeds(deeds) },
            Reason::MissesDeeds(deeds) => JsonReason::MissesDeeds { deeds: self.deeds(deeds) },
            Reason::Both(first, _) => self.reason(first),
            Reason::LimitsPiece(piece) => JsonReason::LimitsPiece { piece: piece.kind().name() },
            Reason::FreesPiece(piece) => JsonReason::FreesPiece { piece: piece.kind().name() },
            Reason::Position => JsonReason::Position,
        }
    }

    fn deeds(&self, deeds: &[Deed]) -> Vec<String> {
        deeds.iter().map(|deed| deed.say(self.language)).collect()
    }

    /// Returns the review as a serialisable value. If `only` is given, the moves are those of that side.
    pub fn json(&self, only: Option<Side>) -> Reviewal {
        let entry = |reviewed: &Reviewed, game: &Game| MoveEntry {
            ply: reviewed.ply,
            side: reviewed.side.name(),
            mv: reviewed.mv.to_string(),
            name: super::wording::names(game, &[reviewed.mv], self.form).concat(),
            best: reviewed.best.moves.first().map(Move::to_string),
            best_score: JsonScore::of(reviewed.best.score),
            best_line: line(&reviewed.best),
            score: JsonScore::of(reviewed.played.score),
            line: line(&reviewed.played),
            loss: reviewed.loss,
            judgement: reviewed.judgement,
            reason: reviewed.reason.as_ref().map(|reason| self.reason(reason)),
            also: match &reviewed.reason {
                Some(Reason::Both(_, second)) => Some(self.reason(second)),
                _ => None,
            },
            text: reviewed.say(game, self.language, self.form),
            forced: reviewed.is_forced,
            only: reviewed.is_only_good_move,
            book: reviewed.is_in_book,
        };
        let is_wanted = |reviewed: &Reviewed| only.is_none_or(|only| only == reviewed.side);
        let moves = self.each(|reviewed, game| is_wanted(reviewed).then(|| entry(reviewed, game)));
        Reviewal {
            start: self.start.position().to_string(),
            rules: self.terms.rules.name(),
            players: Side::ALL.map(|side| self.players[side.index()].to_owned()),
            result: self.result.text().to_owned(),
            opening: self.opening().map(|Opening { code, english, chinese }| JsonOpening { code, english, chinese }),
            ending: self.ending(),
            accuracy: self.review.accuracy,
            points: self.review.points.clone(),
            leaves_explored: self.leaves_explored(),
            moves: moves.into_iter().flatten().collect(),
        }
    }
}
