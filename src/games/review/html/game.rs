//! A recorded game as one self-contained page that steps through the main line, to be sent to others.

use super::drawing::{empty_board, pieces, place, places, view};
use super::page::page;
use super::{SCRIPT, controls};
use crate::records::{NodeId, Record, tags};
use crate::review::wording::names;
use chuhe_board::notation::Form;
use chuhe_board::rules::Game;
use chuhe_board::words::{Key, Language};
use chuhe_board::{Position, Side};
use chuhe_engine::output::plain;
use chuhe_engine::picture::{self, Pieces};
use maud::{Markup, PreEscaped, html};

/// Signs of the glyphs 1 to 6 of PGN.
const SIGNS: [&str; 7] = ["", "!", "?", "!!", "??", "!?", "?!"];

/// Returns the page of a game: players, event and date, a board with buttons, and the moves with their
/// comments and variations.
pub fn game_page(record: &Record, form: Form, language: Language) -> String {
    let known = |name: &str| {
        let text = record.tag(name).unwrap_or_default().trim_matches(['?', '.', ' ']);
        plain(text.to_owned())
    };
    let player = |name: &str, key: Key| match known(name) {
        text if text.is_empty() => language.word(key).to_owned(),
        text => text,
    };
    let title = format!("{} – {}", player(tags::RED, Key::Red), player(tags::BLACK, Key::Black));
    let about = [known(tags::EVENT), known(tags::DATE), record.result.text().replace('*', "")];
    let about: Vec<String> = about.into_iter().filter(|text| !text.is_empty()).collect();
    let said = |id: NodeId| plain(record.tree.comment(id).to_owned());
    let begin = match said(NodeId::ROOT) {
        text if text.is_empty() => language.word(Key::StepPrompt).to_owned(),
        text => text,
    };
    let moves = language.word(Key::Moves);
    let body = html! {
        (PreEscaped(picture::definitions(Pieces::Traditional)))
        main {
            h1 { (title) }
            p class="ending" { (about.join(" · ")) }
            div class="play" {
                div {
                    svg class="board" id="board" role="img" aria-label=(language.word(Key::Board)) viewBox=(view())
                        data-places=(places(&record.start)) {
                        (empty_board())
                        g id="pieces" { (pieces(&record.start, None)) }
                    }
                    (controls(language, false))
                }
                div {
                    p class="said" id="said" aria-live="polite" data-start=(begin) { (begin) }
                    h2 { (moves) }
                    ol class="moves" tabindex="0" aria-label=(moves) { (items(record, form)) }
                }
            }
        }
    };
    page(language, &title, Some(SCRIPT), &body)
}

/// Returns an item for each move of the main line.
fn items(record: &Record, form: Form) -> Markup {
    let mut position = record.start.clone();
    let mut parent = NodeId::ROOT;
    let mut items = Vec::new();
    for id in record.tree.main_line() {
        let Some(mv) = record.tree.mv(id) else { break };
        let before = position.clone();
        position.make(mv);
        let signs: String = record.tree.glyphs(id).filter_map(|glyph| SIGNS.get(usize::from(glyph))).copied().collect();
        let mut said = vec![plain(record.tree.comment(id).to_owned())];
        for other in record.tree.children(parent).filter(|other| *other != id) {
            said.push(format!("({})", variation(record, &before, other, form)));
        }
        said.retain(|text| !text.is_empty());
        let dots = if before.side() == Side::Red { "." } else { "..." };
        let name = names(&Game::new(before.clone()), &[mv], form).concat();
        let alone = (items.is_empty() && before.side() == Side::Black).then_some("alone");
        items.push(html! {
            li data-places=(places(&position)) data-from=(place(mv.from)) data-to=(place(mv.to)) data-said=(said.join(" ")) class=[alone] {
                a href="#board" data-ply=(items.len() + 1) { (before.move_number()) (dots) " " (name) " " (signs) }
            }
        });
        parent = id;
    }
    html! { @for item in &items { (item) } }
}

/// Returns the first moves of a variation's own main line.
fn variation(record: &Record, before: &Position, first: NodeId, form: Form) -> String {
    let line = std::iter::successors(Some(first), |&id| record.tree.next(id));
    let moves: Vec<_> = line.filter_map(|id| record.tree.mv(id)).collect();
    names(&Game::new(before.clone()), &moves, form).join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::GameResult;

    #[test]
    fn a_page_has_players_moves_comments_and_variations_and_runs_no_script_of_a_game() {
        let moves = ["h2e2", "h9g7"].map(|mv| (mv.parse().expect("a move"), "</script><script>alert(1)".to_owned()));
        let mut record = Record::of_line(Position::start(), moves);
        record.set_tag("Red", "胡荣华");
        record.set_tag("Event", "<b>Cup</b>");
        record.result = GameResult::RedWins;
        record.tree.add(NodeId::ROOT, "c3c4".parse().expect("a move")).expect("room");
        let text = game_page(&record, Form::Chinese, Language::Chinese);
        for part in ["胡荣华 – 黑方", "&lt;b&gt;Cup&lt;/b&gt;", "1. 炮二平五", "1... 马８进７", "(兵七进一)"]
        {
            assert!(text.contains(part), "{part}");
        }
        assert_eq!(text.matches("<script>").count(), 1);
        assert!(!text.contains("src=") && !text.contains("href=\"http"), "something is loaded");
    }
}
