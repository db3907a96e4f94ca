//! A review as one self-contained page: summary, a board that steps through the game, graph, moves, and the
//! critical moments.
//!
//! Without scripts and on paper, everything works except stepping through the game. `page.js` uses these
//! elements:
//! - `#board` with the start in `data-places`, containing `#pieces`; `#said` with `data-start`; `#now`, the
//!   line in the graph;
//! - `#piece-…` for each piece, from `picture`; `button[data-step]`, and `[data-ply]` on every link to a
//!   move;
//! - `[data-places]` in `ol.moves`, one per move in order; the script displays the element's text, followed
//!   by its `data-said`. The element also has `data-from`, `data-to`, `data-judged` if the move was judged,
//!   and `data-parent`, the number of the preceding move (0 for the start); without `data-parent`, the move
//!   follows the move of the previous element.

mod drawing;
mod game;
mod index;
mod page;

pub use game::game_page;
pub use index::index;

use self::drawing::{arrow, empty_board, pieces, place, places, view};
use self::page::page;
use super::report::JUDGEMENTS;
use super::wording;
use super::{Judgement, Report, Reviewed, ScoredLine};
use chuhe_board::Side;
use chuhe_board::rules::Game;
use chuhe_board::words::{Key, Language};
use chuhe_engine::picture::{self, Pieces};
use maud::{Markup, PreEscaped, html};

const SCRIPT: &str = include_str!("page.js");
/// Height of the graph in its own units; one ply is one unit wide.
const GRAPH_HEIGHT: f64 = 100.0;

impl Report<'_> {
    /// Returns the page.
    pub fn html(&self) -> String {
        let title = format!("{} – {}", self.player(Side::Red), self.player(Side::Black));
        let body = html! {
            (PreEscaped(picture::definitions(Pieces::Traditional)))
            main {
                h1 { (title) }
                @if let Some(opening) = self.opening() { p class="opening" { (opening.say(self.language)) } }
                @if let Some(leaving) = self.leaving() { p class="opening" { (leaving) } }
                p class="ending" { (self.ending()) }
                (self.summary())
                (self.stepper())
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

    /// Returns the stepping board, the graph and the moves; their text is from `report.rs` and `wording.rs`.
    fn stepper(&self) -> Markup {
        let (start, prompt, moves) = (self.start.position(), self.word(Key::StepPrompt), self.word(Key::Moves));
        html! {
            div class="play" {
                div {
                    svg class="board" id="board" role="img" aria-label=(self.word(Key::Board)) viewBox=(view())
                        data-places=(places(start)) {
                        (empty_board())
                        g id="pieces" { (pieces(start, None)) }
                    }
                    (controls(self.language, self.has_judgements()))
                    (self.graph())
                }
                div {
                    p class="said" id="said" aria-live="polite" data-start=(prompt) { (prompt) }
                    h2 { (moves) }
                    ol class="moves" tabindex="0" aria-label=(moves) {
                        @for item in self.each(|reviewed, game| self.move_item(reviewed, game)) { (item) }
                    }
                }
            }
        }
    }

    fn move_item(&self, reviewed: &Reviewed, game: &Game) -> Markup {
        let mut after = game.position().clone();
        after.make(reviewed.mv);
        let mut said = vec![wording::score(self.language, reviewed.side, reviewed.played.score)];
        if reviewed.is_only_good_move {
            said.push(self.word(Key::OnlyMove).to_owned());
        }
        if reviewed.judgement.is_some() {
            said.push(reviewed.say(game, self.language, self.form));
        }
        let ply = reviewed.ply;
        // If Black moves first, its move belongs to the second column.
        let alone = (ply == 1 && reviewed.side == Side::Black).then_some("alone");
        let judged = reviewed.judgement.map(|_| "1");
        html! {
            li id={ "m" (ply) } data-places=(places(&after)) data-from=(place(reviewed.mv.from)) data-to=(place(reviewed.mv.to))
                data-said=(said.join(" · ")) class=[alone] data-judged=[judged] {
                // Without scripts, a judged move links to its moment.
                a href=(if judged.is_some() { format!("#{}", moment_id(ply)) } else { format!("#m{ply}") }) data-ply=(ply) {
                    (self.numbered(reviewed, game))
                    @if let Some(judgement) = reviewed.judgement { " " (sign(judgement)) }
                }
            }
        }
    }

    /// Returns the graph of Red's expected points over the game, 0 at the bottom, 1 at the top.
    fn graph(&self) -> Markup {
        let points = &self.review.points;
        // The graph of a game without moves must have a width too.
        let width = points.len().saturating_sub(1).max(1);
        let y = |value: f64| GRAPH_HEIGHT * (1.0 - value);
        let corner = |(ply, &value): (usize, &f64)| format!("{ply},{:.1}", y(value));
        let curve = points.iter().enumerate().map(corner).collect::<Vec<_>>().join(" ");
        html! {
            svg class="graph" role="img" aria-label=(self.word(Key::GraphOfPoints)) viewBox={ "0 0 " (width) " " (GRAPH_HEIGHT) }
                preserveAspectRatio="none" {
                polygon class="area" points={ "0," (GRAPH_HEIGHT) " " (curve) " " (width) "," (GRAPH_HEIGHT) } {}
                line class="level" x1="0" x2=(width) y1=(GRAPH_HEIGHT / 2.0) y2=(GRAPH_HEIGHT / 2.0) {}
                polyline class="curve" points=(curve) {}
                @for reviewed in &self.review.moves {
                    @if let Some(judgement) = reviewed.judgement {
                        @let ply = reviewed.ply;
                        // A line of zero length with round caps remains a circle when the graph is stretched.
                        path class={ "dot " (judgement_class(judgement)) } d=(format!("M{ply},{:.1}h0", y(points[ply]))) {}
                    }
                }
                line id="now" class="now" x1="0" x2="0" y1="0" y2=(GRAPH_HEIGHT) {}
                // Click targets: each ply has a strip around it, from top to bottom.
                @for ply in 0..points.len() {
                    rect class="hit" data-ply=(ply) x=((ply as f64 - 0.5).max(0.0)) y="0" width="1" height=(GRAPH_HEIGHT) {}
                }
            }
        }
    }

    fn has_judgements(&self) -> bool {
        self.review.moves.iter().any(|reviewed| reviewed.judgement.is_some())
    }

    fn moments(&self) -> Markup {
        let moments = self.each(|reviewed, game| Some(self.moment(reviewed, game, reviewed.judgement?)));
        html! {
            @if !self.has_judgements() {
                p { (self.language.sentence(self.word(Key::NothingToBlame))) }
            } @else {
                h2 { (self.word(Key::KeyMoments)) }
                @for moment in moments.into_iter().flatten() { (moment) }
            }
        }
    }

    /// Returns a board, with an arrow for the better move, and the reason for the judgement.
    fn moment(&self, reviewed: &Reviewed, game: &Game, judgement: Judgement) -> Markup {
        let score = |found: &ScoredLine| wording::score(self.language, reviewed.side, found.score);
        let label = format!("{}: {}", self.word(Key::Board), game.position());
        html! {
            section class="moment" id=(moment_id(reviewed.ply)) {
                svg class="board" role="img" aria-label=(label) viewBox=(view()) {
                    (empty_board())
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

/// Returns the buttons below a board; one of them steps to the next mistake, if the game has any.
fn controls(language: Language, has_judgements: bool) -> Markup {
    let buttons = [
        ("first", "|◀", Key::ToFirst),
        ("back", "◀", Key::StepBack),
        ("next", "▶", Key::StepNext),
        ("last", "▶|", Key::ToLast),
        ("judged", "?!", Key::ToNextMistake),
        ("flip", "⇅", Key::FlipBoard),
    ];
    let buttons = buttons.into_iter().filter(|(step, ..)| *step != "judged" || has_judgements);
    html! {
        div class="controls" {
            @for (step, face, key) in buttons {
                @let label = language.word(key);
                button type="button" data-step=(step) aria-label=(label) title=(label) { (face) }
            }
        }
    }
}

/// Returns the anchor of a moment.
fn moment_id(ply: usize) -> String {
    format!("moment{ply}")
}

fn judgement_class(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "inaccuracy",
        Judgement::Mistake => "mistake",
        Judgement::Blunder => "blunder",
    }
}

/// Returns `?!`, `?` or `??` in its colour.
fn sign(judgement: Judgement) -> Markup {
    html! { span class=(judgement_class(judgement)) { (judgement.sign()) } }
}
