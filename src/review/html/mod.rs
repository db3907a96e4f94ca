//! A review as one self-contained page: boards, graph and all, without a request to anywhere; readable and printable without scripts.

use super::report::JUDGEMENTS;
use super::wording;
use super::{Judgement, Report, Reviewed};
use crate::board::{Move, Position, Side, Square};
use crate::output::steers;
use crate::picture::{self, Pieces};
use crate::rules::Game;
use crate::words::{Key, Language};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};
use std::fmt::{self, Write};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The graph's height in its own units; one ply is one unit wide.
const GRAPH: f64 = 100.0;

/// Text escaped for HTML, attributes included.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            order if steers(order) => safe.push(' '),
            other => safe.push(other),
        }
    }
    safe
}

/// A source expression that allows exactly this style or script.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

impl Report<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let mut page = String::new();
        self.write_page(&mut page).expect("a string can always be written to");
        page
    }

    fn word(&self, key: Key) -> &'static str {
        self.language.word(key)
    }

    fn write_page(&self, page: &mut String) -> fmt::Result {
        let language = if self.language == Language::Chinese { "zh" } else { "en" };
        let title = format!("{} – {}", escape(self.player(Side::Red)), escape(self.player(Side::Black)));
        writeln!(page, "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">")?;
        writeln!(
            page,
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'\">",
            hash(STYLE),
            hash(SCRIPT)
        )?;
        writeln!(
            page,
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>"
        )?;
        writeln!(
            page,
            "<style>{STYLE}</style>\n</head>\n<body>\n{}\n<main>\n<h1>{title}</h1>",
            picture::definitions(Pieces::Traditional)
        )?;
        writeln!(page, "<p class=\"ending\">{}</p>", escape(&self.ending()))?;
        self.write_summary(page)?;
        self.write_play(page)?;
        self.write_moments(page)?;
        writeln!(page, "</main>\n<footer>{}</footer>", escape(self.word(Key::ReviewFooter)))?;
        writeln!(page, "<script>{SCRIPT}</script>\n</body>\n</html>")
    }

    fn write_summary(&self, page: &mut String) -> fmt::Result {
        let heads =
            [Key::Player, Key::Accuracy, Key::Inaccuracies, Key::Mistakes, Key::Blunders].map(|key| self.word(key));
        write!(page, "<table><thead><tr><th scope=\"col\">{}</th>", heads[0])?;
        heads[1..].iter().try_for_each(|head| write!(page, "<th scope=\"col\" class=\"number\">{head}</th>"))?;
        writeln!(page, "</tr></thead><tbody>")?;
        for side in Side::ALL {
            let accuracy = self.review.accuracy[side.index()].map_or("–".to_owned(), |value| format!("{value:.0}"));
            let name = format!("{} ({})", self.player(side), self.side(side));
            let name = if self.player(side) == self.side(side) { self.side(side) } else { &name };
            write!(page, "<tr><th scope=\"row\">{}</th><td class=\"number\">{accuracy}</td>", escape(name))?;
            for judgement in JUDGEMENTS {
                write!(page, "<td class=\"number\">{}</td>", self.review.count(side, judgement))?;
            }
            writeln!(page, "</tr>")?;
        }
        writeln!(page, "</tbody></table>")
    }

    /// The board that steps, the moves and the graph.
    fn write_play(&self, page: &mut String) -> fmt::Result {
        let start = self.start.position();
        writeln!(page, "<div class=\"play\">\n<div>")?;
        write!(
            page,
            "<svg class=\"board\" id=\"board\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 612 672\" ",
            self.word(Key::Board)
        )?;
        writeln!(page, "data-board=\"{}\">{}<g id=\"pieces\">", places(start), EMPTY)?;
        write_pieces(page, start, None)?;
        writeln!(page, "</g></svg>\n<div class=\"controls\">")?;
        for (step, sign, key) in [
            ("first", "|◀", Key::ToFirst),
            ("back", "◀", Key::StepBack),
            ("next", "▶", Key::StepNext),
            ("last", "▶|", Key::ToLast),
            ("bad", "?!", Key::ToNextMistake),
            ("flip", "⇅", Key::FlipBoard),
        ] {
            let label = self.word(key);
            write!(
                page,
                "<button type=\"button\" data-step=\"{step}\" aria-label=\"{label}\" title=\"{label}\">{sign}</button>"
            )?;
        }
        writeln!(page, "</div>")?;
        self.write_graph(page)?;
        let prompt = escape(self.word(Key::StepPrompt));
        writeln!(
            page,
            "</div>\n<div>\n<p class=\"said\" id=\"said\" aria-live=\"polite\" data-start=\"{prompt}\">{prompt}</p>"
        )?;
        writeln!(
            page,
            "<h2>{}</h2>\n<ol class=\"moves\" tabindex=\"0\" aria-label=\"{}\">",
            self.word(Key::Moves),
            self.word(Key::Moves)
        )?;
        let mut outcome = Ok(());
        self.each(|reviewed, game| outcome = outcome.and_then(|()| self.write_move(page, reviewed, game)));
        outcome?;
        writeln!(page, "</ol>\n</div>\n</div>")
    }

    fn write_move(&self, page: &mut String, reviewed: &Reviewed, game: &Game) -> fmt::Result {
        let mut after = game.position().clone();
        after.make(reviewed.mv);
        let alone = reviewed.ply == 1 && reviewed.side == Side::Black;
        let mut said = wording::score(self.language, reviewed.side, reviewed.played.score);
        if reviewed.only {
            said = format!("{said} · {}", self.word(Key::OnlyMove));
        }
        if reviewed.judgement.is_some() {
            said = format!("{said} · {}", reviewed.say(game, self.language, self.form));
        }
        write!(
            page,
            "<li id=\"m{ply}\" data-board=\"{}\" data-from=\"{}\" data-to=\"{}\" data-said=\"{}\"",
            places(&after),
            place(reviewed.mv.from),
            place(reviewed.mv.to),
            escape(&said),
            ply = reviewed.ply
        )?;
        if alone {
            write!(page, " class=\"alone\"")?;
        }
        if reviewed.judgement.is_some() {
            write!(page, " data-bad=\"1\"")?;
        }
        let target = if reviewed.judgement.is_some() { "bad" } else { "m" };
        write!(
            page,
            "><a href=\"#{target}{0}\" data-ply=\"{0}\">{1}",
            reviewed.ply,
            escape(&self.numbered(reviewed, game))
        )?;
        if let Some(judgement) = reviewed.judgement {
            write!(page, " <span class=\"{}\">{}</span>", class(judgement), judgement.sign())?;
        }
        writeln!(page, "</a></li>")
    }

    /// Red's expected points over the game, 0 at the bottom, 1 at the top.
    fn write_graph(&self, page: &mut String) -> fmt::Result {
        let points = &self.review.points;
        let width = points.len().saturating_sub(1).max(1);
        let height = |value: f64| GRAPH * (1.0 - value);
        let mut curve = String::new();
        for (ply, &value) in points.iter().enumerate() {
            write!(curve, "{ply},{:.1} ", height(value))?;
        }
        write!(
            page,
            "<svg class=\"graph\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {width} {GRAPH}\" preserveAspectRatio=\"none\">",
            escape(self.word(Key::GraphOfPoints))
        )?;
        write!(page, "<polygon class=\"area\" points=\"0,{GRAPH} {curve}{width},{GRAPH}\"/>")?;
        write!(page, "<line class=\"level\" x1=\"0\" x2=\"{width}\" y1=\"{0}\" y2=\"{0}\"/>", GRAPH / 2.0)?;
        write!(page, "<polyline class=\"curve\" points=\"{}\"/>", curve.trim_end())?;
        for reviewed in &self.review.moves {
            if let Some(judgement) = reviewed.judgement {
                // A line of no length with round ends stays a circle however the graph is stretched.
                write!(
                    page,
                    "<path class=\"dot {}\" d=\"M{},{:.1}h0\"/>",
                    class(judgement),
                    reviewed.ply,
                    height(points[reviewed.ply])
                )?;
            }
        }
        write!(page, "<line id=\"now\" class=\"now\" x1=\"0\" x2=\"0\" y1=\"0\" y2=\"{GRAPH}\"/>")?;
        for ply in 0..points.len() {
            let left = (ply as f64 - 0.5).max(0.0);
            write!(
                page,
                "<rect class=\"hit\" data-ply=\"{ply}\" x=\"{left}\" y=\"0\" width=\"1\" height=\"{GRAPH}\"/>"
            )?;
        }
        writeln!(page, "</svg>")
    }

    /// A board, with an arrow for the better move, and the reason for every judgement.
    fn write_moments(&self, page: &mut String) -> fmt::Result {
        if self.review.moves.iter().all(|reviewed| reviewed.judgement.is_none()) {
            return writeln!(page, "<p>{}</p>", escape(&self.language.sentence(self.word(Key::NothingToBlame))));
        }
        writeln!(page, "<h2>{}</h2>", self.word(Key::KeyMoments))?;
        let mut outcome = Ok(());
        self.each(|reviewed, game| outcome = outcome.and_then(|()| self.write_moment(page, reviewed, game)));
        outcome
    }

    fn write_moment(&self, page: &mut String, reviewed: &Reviewed, game: &Game) -> fmt::Result {
        let Some(judgement) = reviewed.judgement else { return Ok(()) };
        let numbered = escape(&self.numbered(reviewed, game));
        writeln!(page, "<section class=\"moment\" id=\"bad{}\">", reviewed.ply)?;
        write!(
            page,
            "<svg class=\"board\" role=\"img\" aria-label=\"{}: {}\" viewBox=\"0 0 612 672\">{}",
            self.word(Key::Board),
            escape(&game.position().to_string()),
            EMPTY
        )?;
        write_pieces(page, game.position(), Some(reviewed.mv))?;
        if let Some(&best) = reviewed.best.moves.first() {
            write_arrow(page, best)?;
        }
        writeln!(
            page,
            "</svg>\n<div><h3>{numbered} <span class=\"{}\">{}</span></h3>",
            class(judgement),
            judgement.sign()
        )?;
        let score = |found: &super::Found| wording::score(self.language, reviewed.side, found.score);
        writeln!(page, "<p>{} → {}</p>", escape(&score(&reviewed.best)), escape(&score(&reviewed.played)))?;
        writeln!(page, "<p>{}</p></div>\n</section>", escape(&reviewed.say(game, self.language, self.form)))
    }
}

impl Report<'_> {
    /// A row of [`index`]: the game's number, players, result and accuracies, with a link to `NUMBER.html`.
    pub fn index_row(&self, number: usize) -> String {
        let accuracy =
            |side: Side| self.review.accuracy[side.index()].map_or("–".to_owned(), |value| format!("{value:.0}"));
        let [red, black] = Side::ALL.map(|side| (escape(self.player(side)), accuracy(side)));
        format!(
            "<tr><td class=\"number\"><a href=\"{number}.html\">{number}</a></td><td>{}</td><td>{}</td><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>",
            red.0,
            black.0,
            escape(self.claimed()),
            red.1,
            black.1
        )
    }
}

/// A page that links to the pages of many games.
pub fn index(language: Language, rows: &[&str]) -> String {
    let heads = [Key::Game, Key::Red, Key::Black, Key::Result, Key::AccuracyOfRed, Key::AccuracyOfBlack];
    let heads: Vec<String> =
        heads.iter().map(|&key| format!("<th scope=\"col\">{}</th>", language.word(key))).collect();
    let (code, title) = (if language == Language::Chinese { "zh" } else { "en" }, language.word(Key::ReviewedGames));
    format!(
        "<!DOCTYPE html>\n<html lang=\"{code}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>{title}</h1>\n<table><thead><tr>{}</tr></thead><tbody>\n{}\n</tbody></table>\n</main>\n</body>\n</html>\n",
        hash(STYLE),
        heads.concat(),
        rows.join("\n")
    )
}

fn class(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "inaccuracy",
        Judgement::Mistake => "mistake",
        Judgement::Blunder => "blunder",
    }
}

/// A square's place in [`places`], row by row from Black's left: a9 is 0, i0 is 89.
fn place(square: Square) -> usize {
    9 * (9 - square.rank().index()) + square.file().index()
}

/// The 90 points of a position in the order of a FEN, a dot for an empty one.
fn places(position: &Position) -> String {
    let mut letters = ['.'; 90];
    for square in position.occupancy().all() {
        letters[place(square)] = position.piece_on(square).map_or('.', |piece| piece.letter());
    }
    letters.iter().collect()
}

/// The middle of a point, in the units of the board's drawing.
fn centre(square: Square) -> (usize, usize) {
    (66 + 60 * (place(square) % 9), 66 + 60 * (place(square) / 9))
}

/// The empty board.
const EMPTY: &str = "<use href=\"#board-empty\"/>";

fn write_pieces(page: &mut String, position: &Position, marked: Option<Move>) -> fmt::Result {
    if let Some(mv) = marked {
        for (name, square) in [("from", mv.from), ("to", mv.to)] {
            let (x, y) = centre(square);
            write!(
                page,
                "<rect class=\"{name}\" x=\"{}\" y=\"{}\" width=\"58\" height=\"58\" rx=\"6\"/>",
                x - 29,
                y - 29
            )?;
        }
    }
    for square in position.occupancy().all() {
        let (x, y) = centre(square);
        if let Some(piece) = position.piece_on(square) {
            write!(page, "<use href=\"#piece-{}\" x=\"{x}\" y=\"{y}\"/>", piece.letter())?;
        }
    }
    Ok(())
}

fn write_arrow(page: &mut String, mv: Move) -> fmt::Result {
    let ((x1, y1), (x2, y2)) = (centre(mv.from), centre(mv.to));
    let (dx, dy) = (x2 as f64 - x1 as f64, y2 as f64 - y1 as f64);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let (bx, by) = (x2 as f64 - 24.0 * ux, y2 as f64 - 24.0 * uy);
    write!(page, "<path class=\"arrow\" d=\"M{x1},{y1}L{bx:.0},{by:.0}\"/>")?;
    let (left, right) = ((bx - 13.0 * uy, by + 13.0 * ux), (bx + 13.0 * uy, by - 13.0 * ux));
    write!(page, "<path class=\"head\" d=\"M{x2},{y2}L{:.0},{:.0}L{:.0},{:.0}z\"/>", left.0, left.1, right.0, right.1)
}
