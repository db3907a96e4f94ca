//! A review as one self-contained page: summary, a board that steps through the game, graph, moves, and the moments to learn from.
//!
//! Without scripts all but the stepping board works, on paper too. `page.js` finds its places by `id` (`board`, `pieces`, `said`, `now`), the list
//! of moves by its class `moves`, and the rest by `data-`: `step` on a button, `ply` on what leads to a move, `board` on the start's drawing, `start`
//! on `said`, and on each move of the list `board`, `from`, `to`, `said` and `bad`.

mod board;
mod index;
mod page;

pub use index::index;

use self::board::{VIEW, arrow, empty, pieces, place, places};
use self::page::page;
use super::report::JUDGEMENTS;
use super::wording;
use super::{Found, Judgement, Report, Reviewed};
use crate::board::Side;
use crate::picture::{self, Pieces};
use crate::rules::Game;
use crate::words::Key;
use maud::{Markup, PreEscaped, html};

const SCRIPT: &str = include_str!("page.js");
/// The graph's height in its own units; one ply is one unit wide.
const GRAPH: f64 = 100.0;

impl Report<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let title = format!("{} – {}", self.player(Side::Red), self.player(Side::Black));
        let body = html! {
            (PreEscaped(picture::definitions(Pieces::Traditional)))
            main {
                h1 { (title) }
                @if let Some(opening) = self.opening() { p class="opening" { (opening.say(self.language)) } }
                p class="ending" { (self.ending()) }
                (self.summary())
                (self.play())
                (self.moments())
            }
            footer { (self.word(Key::ReviewFooter)) }
        };
        page(self.language, &title, Some(SCRIPT), &body)
    }

    fn word(&self, key: Key) -> &'static str {
        self.language.word(key)
    }

    fn accuracy(&self, side: Side) -> String {
        self.review.accuracy[side.index()].map_or("–".to_owned(), |value| format!("{value:.0}"))
    }

    fn summary(&self) -> Markup {
        html! {
            table {
                thead { tr {
                    th scope="col" { (self.word(Key::Player)) }
                    th scope="col" class="number" { (self.word(Key::Accuracy)) }
                    @for judgement in JUDGEMENTS { th scope="col" class="number" { (self.word(judgement.plural())) } }
                } }
                tbody {
                    @for side in Side::ALL {
                        @let (player, name) = (self.player(side), self.side(side));
                        tr {
                            th scope="row" { (player) @if player != name { " (" (name) ")" } }
                            td class="number" { (self.accuracy(side)) }
                            @for judgement in JUDGEMENTS { td class="number" { (self.review.count(side, judgement)) } }
                        }
                    }
                }
            }
        }
    }

    /// The board that steps, the graph and the moves.
    fn play(&self) -> Markup {
        let (start, prompt, moves) = (self.start.position(), self.word(Key::StepPrompt), self.word(Key::Moves));
        let buttons = [
            ("first", "|◀", Key::ToFirst),
            ("back", "◀", Key::StepBack),
            ("next", "▶", Key::StepNext),
            ("last", "▶|", Key::ToLast),
            ("bad", "?!", Key::ToNextMistake),
            ("flip", "⇅", Key::FlipBoard),
        ];
        html! {
            div class="play" {
                div {
                    svg class="board" id="board" role="img" aria-label=(self.word(Key::Board)) viewBox=(VIEW)
                        data-board=(places(start)) {
                        (empty())
                        g id="pieces" { (pieces(start, None)) }
                    }
                    div class="controls" {
                        @for (step, sign, key) in buttons {
                            @let label = self.word(key);
                            button type="button" data-step=(step) aria-label=(label) title=(label) { (sign) }
                        }
                    }
                    (self.graph())
                }
                div {
                    p class="said" id="said" aria-live="polite" data-start=(prompt) { (prompt) }
                    h2 { (moves) }
                    ol class="moves" tabindex="0" aria-label=(moves) {
                        @for one in self.each(|reviewed, game| self.one_move(reviewed, game)) { (one) }
                    }
                }
            }
        }
    }

    fn one_move(&self, reviewed: &Reviewed, game: &Game) -> Markup {
        let mut after = game.position().clone();
        after.make(reviewed.mv);
        let mut said = wording::score(self.language, reviewed.side, reviewed.played.score);
        if reviewed.only {
            said = format!("{said} · {}", self.word(Key::OnlyMove));
        }
        if reviewed.judgement.is_some() {
            said = format!("{said} · {}", reviewed.say(game, self.language, self.form));
        }
        let ply = reviewed.ply;
        let alone = (ply == 1 && reviewed.side == Side::Black).then_some("alone");
        let bad = reviewed.judgement.map(|_| "1");
        html! {
            li id={ "m" (ply) } data-board=(places(&after)) data-from=(place(reviewed.mv.from)) data-to=(place(reviewed.mv.to))
                data-said=(said) class=[alone] data-bad=[bad] {
                a href={ (if bad.is_some() { "#bad" } else { "#m" }) (ply) } data-ply=(ply) {
                    (self.numbered(reviewed, game))
                    @if let Some(judgement) = reviewed.judgement { " " (sign(judgement)) }
                }
            }
        }
    }

    /// Red's expected points over the game, 0 at the bottom, 1 at the top.
    fn graph(&self) -> Markup {
        let points = &self.review.points;
        let width = points.len().saturating_sub(1).max(1);
        let height = |value: f64| GRAPH * (1.0 - value);
        let curve: Vec<String> =
            points.iter().enumerate().map(|(ply, &value)| format!("{ply},{:.1}", height(value))).collect();
        let curve = curve.join(" ");
        html! {
            svg class="graph" role="img" aria-label=(self.word(Key::GraphOfPoints)) viewBox={ "0 0 " (width) " " (GRAPH) }
                preserveAspectRatio="none" {
                polygon class="area" points={ "0," (GRAPH) " " (curve) " " (width) "," (GRAPH) } {}
                line class="level" x1="0" x2=(width) y1=(GRAPH / 2.0) y2=(GRAPH / 2.0) {}
                polyline class="curve" points=(curve) {}
                @for reviewed in &self.review.moves {
                    @if let Some(judgement) = reviewed.judgement {
                        @let ply = reviewed.ply;
                        // A line of no length with round ends stays a circle however the graph is stretched.
                        path class={ "dot " (class(judgement)) } d=(format!("M{ply},{:.1}h0", height(points[ply]))) {}
                    }
                }
                line id="now" class="now" x1="0" x2="0" y1="0" y2=(GRAPH) {}
                @for ply in 0..points.len() {
                    rect class="hit" data-ply=(ply) x=((ply as f64 - 0.5).max(0.0)) y="0" width="1" height=(GRAPH) {}
                }
            }
        }
    }

    /// A board, with an arrow for the better move, and the reason for every judgement.
    fn moments(&self) -> Markup {
        let moments = self.each(|reviewed, game| Some(self.moment(reviewed, game, reviewed.judgement?)));
        html! {
            @if self.review.moves.iter().all(|reviewed| reviewed.judgement.is_none()) {
                p { (self.language.sentence(self.word(Key::NothingToBlame))) }
            } @else {
                h2 { (self.word(Key::KeyMoments)) }
                @for moment in moments.into_iter().flatten() { (moment) }
            }
        }
    }

    fn moment(&self, reviewed: &Reviewed, game: &Game, judgement: Judgement) -> Markup {
        let score = |found: &Found| wording::score(self.language, reviewed.side, found.score);
        let label = format!("{}: {}", self.word(Key::Board), game.position());
        html! {
            section class="moment" id={ "bad" (reviewed.ply) } {
                svg class="board" role="img" aria-label=(label) viewBox=(VIEW) {
                    (empty())
                    (pieces(game.position(), Some(reviewed.mv)))
                    @if let Some(&best) = reviewed.best.moves.first() { (arrow(best)) }
                }
                div {
                    h3 { (self.numbered(reviewed, game)) " " (sign(judgement)) }
                    p { (score(&reviewed.best)) " → " (score(&reviewed.played)) }
                    p { (reviewed.say(game, self.language, self.form)) }
                }
            }
        }
    }
}

fn class(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "inaccuracy",
        Judgement::Mistake => "mistake",
        Judgement::Blunder => "blunder",
    }
}

/// `?!`, `?` or `??` in its colour.
fn sign(judgement: Judgement) -> Markup {
    html! { span class=(class(judgement)) { (judgement.sign()) } }
}
