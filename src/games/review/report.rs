//! A review as a report: data shared by all formats, and the text for a terminal.

use super::wording::{self, names};
use super::{Judgement, Review, Reviewed};
use crate::openings::Opening;
use crate::records::GameResult;
use chuhe_board::Side;
use chuhe_board::notation::Form;
use chuhe_board::rules::{Game, Terms, Verdict, rule};
use chuhe_board::words::{Key, Language};
use chuhe_engine::endings::Tables;
use chuhe_engine::endings::file::TableFault;
use chuhe_engine::output::plain;
use std::fmt::Write as _;

/// A review with additional data for readers.
#[derive(Clone, Copy, Debug)]
pub struct Report<'r> {
    /// Review.
    pub review: &'r Review,
    /// Game before its first reviewed move.
    pub start: &'r Game,
    /// Rules of the review.
    pub terms: Terms,
    /// Names of Red's and Black's players; empty if unknown.
    pub players: [&'r str; 2],
    /// Result given in the record.
    pub result: GameResult,
    /// Notation of moves.
    pub form: Form,
    /// Language of sentences.
    pub language: Language,
    /// Number of moves to the first position in the position database that was used as a book, if any.
    pub explored_from: Option<usize>,
}

impl Report<'_> {
    /// Returns the name of a side's player, or of the side. Names come from untrusted files, so control
    /// characters are replaced.
    pub(super) fn player(&self, side: Side) -> String {
        match self.players[side.index()] {
            "" => self.side(side).to_owned(),
            name => plain(name.to_owned()),
        }
    }

    pub(super) fn side(&self, side: Side) -> &'static str {
        self.language.word(if side == Side::Red { Key::Red } else { Key::Black })
    }

    /// Calls `tell` for every reviewed move with the game before it, and returns the results.
    pub(super) fn each<T>(&self, mut tell: impl FnMut(&Reviewed, &Game) -> T) -> Vec<T> {
        let mut game = self.start.clone();
        let tell = |reviewed: &Reviewed| {
            let told = tell(reviewed, &game);
            game.make(reviewed.mv);
            told
        };
        self.review.moves.iter().map(tell).collect()
    }

    /// Returns a move with its number: `12. 炮二平五` or `12... 马8进7`.
    pub(super) fn numbered(&self, reviewed: &Reviewed, game: &Game) -> String {
        let dots = if reviewed.side == Side::Red { "." } else { "..." };
        let name = names(game, &[reviewed.mv], self.form).concat();
        format!("{}{dots} {name}", game.position().move_number())
    }

    /// Returns the result given in the record: `Red won`, 红胜; `*` if there is none.
    pub(super) fn claimed(&self) -> &'static str {
        match self.result {
            GameResult::RedWins => self.language.word(Key::RedWon),
            GameResult::BlackWins => self.language.word(Key::BlackWon),
            GameResult::Draw => self.language.word(Key::Drawn),
            GameResult::Unknown => self.result.text(),
        }
    }

    /// Returns the game after its last reviewed move.
    fn finished(&self) -> Game {
        let mut game = self.start.clone();
        self.review.moves.iter().for_each(|reviewed| game.make(reviewed.mv));
        game
    }

    /// Returns the ply of the first move outside the explored lines.
    pub(super) fn leaves_explored(&self) -> Option<usize> {
        let left = self.review.moves.iter().skip(self.explored_from?).find(|reviewed| !reviewed.is_in_book);
        left.map(|reviewed| reviewed.ply)
    }

    /// Returns the first move outside the explored lines, with a remark.
    pub(super) fn leaving(&self) -> Option<String> {
        let ply = self.leaves_explored()?;
        let moves = self.each(|reviewed, game| (reviewed.ply == ply).then(|| self.numbered(reviewed, game)));
        let mv = moves.into_iter().flatten().next()?;
        Some(self.language.sentence(&format!("{mv} {}", self.language.word(Key::LeavesExplored))))
    }

    /// Returns the opening.
    pub(super) fn opening(&self) -> Option<Opening> {
        Opening::of_game(&self.finished())
    }

    /// Returns the end of the game as a sentence; empty if it is not over and has no result.
    pub(super) fn ending(&self) -> String {
        let ruling = rule(&self.finished(), self.terms);
        match (ruling.verdict, self.result) {
            (Verdict::Open, GameResult::Unknown) => String::new(),
            (Verdict::Open, _) => self.claimed().to_owned(),
            (_, _) => self.language.sentence(&ruling.say(self.language)),
        }
    }

    /// Returns the opening, the moves with a judgement and their reasons, and each side's accuracy and
    /// counts.
    ///
    /// If `only` is given, the moves and numbers are those of that side.
    pub fn text(&self, only: Option<Side>) -> String {
        let wanted = |side: Side| only.is_none_or(|only| only == side);
        let score =
            |reviewed: &Reviewed, found: &super::ScoredLine| wording::score(self.language, reviewed.side, found.score);
        let judged = self.each(|reviewed, game| match reviewed.judgement {
            Some(judgement) if wanted(reviewed.side) => format!(
                "{}{}  {} → {}\n    {}\n",
                self.numbered(reviewed, game),
                judgement.sign(),
                score(reviewed, &reviewed.best),
                score(reviewed, &reviewed.played),
                reviewed.say(game, self.language, self.form)
            ),
            _ => String::new(),
        });
        let mut text = judged.concat();
        if text.is_empty() && !self.review.moves.is_empty() {
            text = self.language.sentence(self.language.word(Key::NothingToBlame)) + "\n";
        }
        let opening = self.opening().map(|opening| opening.say(self.language));
        let head: Vec<String> = opening.into_iter().chain(self.leaving()).collect();
        if !head.is_empty() {
            text = format!("{}\n\n{text}", head.join("\n"));
        }
        text.push('\n');
        for side in Side::ALL.into_iter().filter(|side| wanted(*side)) {
            let Some(accuracy) = self.review.accuracy[side.index()] else { continue };
            let counts = JUDGEMENTS.map(|judgement| self.counted(side, judgement));
            let line = self.language.say(
                Key::AccuracyLine,
                &[
                    ("player", &self.player(side)),
                    ("accuracy", &format!("{accuracy:.0}")),
                    ("counts", &counts.join(if self.language == Language::Chinese { "、" } else { ", " })),
                ],
            );
            let _ = writeln!(text, "{line}");
        }
        match self.ending() {
            ending if ending.is_empty() => text,
            ending => text + &ending + "\n",
        }
    }

    /// Returns the move after which a tablebase first gives a definite result, and the result: `After 45.
    /// R2+3: tablebase: Red wins.`
    ///
    /// # Errors
    /// Returns an error if a table is damaged or cannot be read.
    pub fn tablebase_result(&self, tables: &Tables) -> Result<Option<String>, TableFault> {
        let results = self.each(|reviewed, game| {
            let mut after = game.position().clone();
            after.make(reviewed.mv);
            let Some(answer) = tables.answer(&after)?.filter(|answer| answer.is_certain && after.has_moves()) else {
                return Ok(None);
            };
            let (mv, said) = (self.numbered(reviewed, game), answer.say(&after, self.language));
            Ok(Some(self.language.sentence(&self.language.say(Key::EndingAfter, &[("move", &mv), ("said", &said)]))))
        });
        results.into_iter().find_map(Result::transpose).transpose()
    }

    /// Returns a count of judgements: `2 mistakes`, 错着 2.
    fn counted(&self, side: Side, judgement: Judgement) -> String {
        let count = self.review.count(side, judgement);
        let name = if count == 1 { judgement.say(self.language) } else { self.language.word(judgement.plural()) };
        match self.language {
            Language::English => format!("{count} {name}"),
            Language::Chinese => format!("{name} {count}"),
        }
    }
}

/// Judgements in the order of reports.
pub(super) const JUDGEMENTS: [Judgement; 3] = [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder];
