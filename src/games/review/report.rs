//! A review as a report: what all its forms share, and the text for a terminal.

use super::wording::{self, names};
use super::{Judgement, Review, Reviewed};
use crate::openings::Opening;
use chuhe_board::Side;
use chuhe_board::notation::Form;
use chuhe_board::rules::{Game, Terms, rule};
use chuhe_board::words::{Key, Language};
use chuhe_engine::endings::Tables;
use chuhe_engine::output::plain;
use std::fmt::Write as _;

/// A review with what a reader wants to know beside it.
#[derive(Clone, Copy, Debug)]
pub struct Report<'r> {
    /// What was found.
    pub review: &'r Review,
    /// The game before its first reviewed move.
    pub start: &'r Game,
    /// The rules of the review.
    pub terms: Terms,
    /// The players, Red and Black; empty if unknown.
    pub players: [&'r str; 2],
    /// The result that the record claims: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: &'r str,
    /// How moves are written.
    pub form: Form,
    /// The language of sentences.
    pub language: Language,
}

impl Report<'_> {
    /// The name of a side's player, or of the side. A name may come from anywhere: it can't steer what shows it.
    pub(super) fn player(&self, side: Side) -> String {
        match self.players[side.index()] {
            "" => self.side(side).to_owned(),
            name => plain(name.to_owned()),
        }
    }

    pub(super) fn side(&self, side: Side) -> &'static str {
        self.language.word(if side == Side::Red { Key::Red } else { Key::Black })
    }

    /// What is told of every reviewed move, given the game before it.
    pub(super) fn each<T>(&self, mut tell: impl FnMut(&Reviewed, &Game) -> T) -> Vec<T> {
        let mut game = self.start.clone();
        let tell = |reviewed: &Reviewed| {
            let told = tell(reviewed, &game);
            game.make(reviewed.mv);
            told
        };
        self.review.moves.iter().map(tell).collect()
    }

    /// `12. 炮二平五` or `12... 马8进7`.
    pub(super) fn numbered(&self, reviewed: &Reviewed, game: &Game) -> String {
        let dots = if reviewed.side == Side::Red { "." } else { "..." };
        let name = names(game, &[reviewed.mv], self.form).concat();
        format!("{}{dots} {name}", game.position().move_number())
    }

    /// The result that the record claims: `1-0`, 红胜.
    pub(super) fn claimed(&self) -> &str {
        match self.result {
            "1-0" => self.language.word(Key::RedWon),
            "0-1" => self.language.word(Key::BlackWon),
            "1/2-1/2" => self.language.word(Key::Drawn),
            other => other,
        }
    }

    /// The game after its last reviewed move.
    fn finished(&self) -> Game {
        let mut game = self.start.clone();
        self.review.moves.iter().for_each(|reviewed| game.make(reviewed.mv));
        game
    }

    /// What the opening is called.
    pub(super) fn opening(&self) -> Option<Opening> {
        Opening::of_game(&self.finished())
    }

    /// How the game ended, as a sentence; nothing if it is open and claims no result.
    pub(super) fn ending(&self) -> String {
        let ruling = rule(&self.finished(), self.terms);
        match (ruling.verdict, self.result) {
            (chuhe_board::rules::Verdict::Open, "*" | "") => String::new(),
            (chuhe_board::rules::Verdict::Open, _) => self.claimed().to_owned(),
            (_, _) => self.language.sentence(&ruling.say(self.language)),
        }
    }

    /// The opening; the moves with a judgement, and why; then each side's accuracy and counts.
    ///
    /// With a side, only that side's moves and numbers.
    pub fn text(&self, only: Option<Side>) -> String {
        let wanted = |side: Side| only.is_none_or(|only| only == side);
        let score =
            |reviewed: &Reviewed, found: &super::Found| wording::score(self.language, reviewed.side, found.score);
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
        if let Some(opening) = self.opening() {
            text = format!("{}\n\n{text}", opening.say(self.language));
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

    /// After which move a tablebase first knows the result for sure, and what it says: `After 45. R2+3: tablebase: Red wins.`
    pub fn known(&self, tables: &Tables) -> Option<String> {
        let said = self.each(|reviewed, game| {
            let mut after = game.position().clone();
            after.make(reviewed.mv);
            let answer =
                tables.answer(&after).ok().flatten().filter(|answer| answer.is_certain && after.has_moves())?;
            let (mv, said) = (self.numbered(reviewed, game), answer.say(&after, self.language));
            Some(self.language.sentence(&self.language.say(Key::EndingAfter, &[("move", &mv), ("said", &said)])))
        });
        said.into_iter().flatten().next()
    }

    /// `2 mistakes`, 错着 2.
    fn counted(&self, side: Side, judgement: Judgement) -> String {
        let count = self.review.count(side, judgement);
        let name = if count == 1 { judgement.say(self.language) } else { self.language.word(judgement.plural()) };
        match self.language {
            Language::English => format!("{count} {name}"),
            Language::Chinese => format!("{name} {count}"),
        }
    }
}

/// In the order in which reports count them.
pub(super) const JUDGEMENTS: [Judgement; 3] = [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder];
