//! A recorded game as one self-contained page that steps through its lines, for sharing.

use super::drawing::{empty_board, pieces, place, places, view};
use super::page::page;
use super::{SCRIPT, controls};
use crate::records::{Cursor, GameResult, NodeId, Record, Step, tags};
use chuhe_board::Side;
use chuhe_board::notation::{self, Form};
use chuhe_board::words::{Key, Language};
use chuhe_engine::output::plain;
use chuhe_engine::picture::{self, Pieces};
use maud::{Markup, PreEscaped, html};
use std::collections::HashMap;

/// Symbols of the glyphs 1 to 6 of PGN.
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
    let result = match record.result {
        GameResult::RedWins => language.word(Key::RedWon),
        GameResult::BlackWins => language.word(Key::BlackWon),
        GameResult::Draw => language.word(Key::Drawn),
        GameResult::Unknown => "",
    };
    let about = [known(tags::EVENT), known(tags::DATE), result.to_owned()];
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

/// Returns an item for each move of the main line. A second item after it contains its comment and its
/// variations; nested variations are in parentheses.
fn items(record: &Record, form: Form) -> Markup {
    let mut list = List {
        record,
        form,
        cursor: Cursor::new(&record.tree, &record.start),
        numbers: HashMap::from([(NodeId::ROOT, 0)]),
        text: String::new(),
        depth: 0,
        has_notes: false,
        begins: true,
    };
    record.tree.steps().for_each(|step| list.step(step));
    list.close_notes();
    PreEscaped(list.text)
}

/// The list of moves while it is written.
struct List<'r> {
    record: &'r Record,
    form: Form,
    cursor: Cursor<'r>,
    /// Number of each node that has been written, in the order of the page.
    numbers: HashMap<NodeId, usize>,
    /// Markup.
    text: String,
    /// Nesting depth of the variation that contains the next move.
    depth: usize,
    /// True inside the item for comments and variations.
    has_notes: bool,
    /// True if Black's next move needs a number.
    begins: bool,
}

impl List<'_> {
    fn step(&mut self, step: Step) {
        match step {
            Step::Open => {
                self.open_notes();
                self.text += if self.depth == 0 { "<p>" } else { "(" };
                self.depth += 1;
                self.begins = true;
            }
            Step::Close => {
                self.depth -= 1;
                self.text.truncate(self.text.trim_end().len());
                self.text += if self.depth == 0 { "</p>" } else { ") " };
                self.begins = true;
            }
            Step::Move(id) => self.write_move(id),
        }
    }

    fn write_move(&mut self, id: NodeId) {
        let tree = &self.record.tree;
        let (Some(mv), Some(parent)) = (tree.mv(id), tree.parent(id)) else { return };
        let before = self.cursor.before(id).clone();
        let mut after = before.clone();
        after.make(mv);
        let (number, said) = (self.numbers.len(), plain(tree.comment(id).to_owned()));
        let signs: String = tree.glyphs(id).filter_map(|glyph| SIGNS.get(usize::from(glyph))).copied().collect();
        let is_black = before.side() == Side::Black;
        let begins = std::mem::replace(&mut self.begins, !said.is_empty());
        let link = html! {
            a href="#board" data-ply=(number) data-parent=(self.numbers.get(&parent).copied().unwrap_or_default())
                data-places=(places(&after)) data-from=(place(mv.from)) data-to=(place(mv.to)) data-said=(said) {
                @if !is_black || begins || self.depth == 0 { (before.move_number()) (if is_black { "... " } else { ". " }) }
                (notation::write(&before, mv, self.form)) (signs)
            }
        };
        self.numbers.insert(id, number);
        if self.depth > 0 {
            self.text += &html! { (link) " " @if !said.is_empty() { em { (said) } " " } }.into_string();
            return;
        }
        self.close_notes();
        // Black's move after comments belongs to the second column.
        self.text += &html! { li class=[(is_black && begins).then_some("alone")] { (link) } }.into_string();
        if !said.is_empty() {
            self.open_notes();
            self.text += &html! { p { em { (said) } } }.into_string();
        }
    }

    fn open_notes(&mut self) {
        if !std::mem::replace(&mut self.has_notes, true) {
            self.text += "<li class=\"notes\">";
        }
    }

    fn close_notes(&mut self) {
        if std::mem::take(&mut self.has_notes) {
            self.text += "</li>";
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::RecordReader;
    use chuhe_board::Position;

    #[test]
    fn a_page_has_players_moves_comments_and_variations_and_runs_no_script_of_a_game() {
        let moves = ["h2e2", "h9g7"].map(|mv| (mv.parse().expect("a move"), "</script><script>alert(1)".to_owned()));
        let mut record = Record::of_line(Position::start(), moves);
        record.set_tag("Red", "胡荣华");
        record.set_tag("Event", "<b>Cup</b>");
        record.result = GameResult::RedWins;
        record.tree.add(NodeId::ROOT, "c3c4".parse().expect("a move")).expect("room");
        let text = game_page(&record, Form::Chinese, Language::Chinese);
        for part in ["胡荣华 – 黑方", "&lt;b&gt;Cup&lt;/b&gt;", "1. 炮二平五", "1... 马８进７", "红胜", "1. 兵七进一"]
        {
            assert!(text.contains(part), "{part}");
        }
        assert_eq!(text.matches("<script>").count(), 1);
        assert!(!text.contains("src=") && !text.contains("href=\"http"), "something is loaded");
    }

    #[test]
    fn a_page_contains_every_variation_and_comment_and_each_move_refers_to_its_parent() {
        let text = "1. h2e2 {first} (1. c3c4 {pawn} c6c5 (1... h7e7 {cannon}) 2. h2f2 (2. b0c2 h9g7 (2... b9c7)) 2... h7e7) \
                    1... h9g7 2. h0g2 *";
        let mut games = RecordReader::new(std::io::Cursor::new(text.as_bytes().to_vec())).expect("readable");
        let record = games.next().expect("a game").expect("legal");
        let page = game_page(&record, Form::Iccs, Language::English);
        let (_, list) = page.split_once("<ol").expect("a list");
        let (_, list) = list.split_once('>').expect("its end");
        let (list, _) = list.split_once("</ol>").expect("its end");
        let mut shown = String::new();
        let mut rest = list;
        while let Some((before, after)) = rest.split_once('<') {
            shown += before;
            rest = after.split_once('>').map_or("", |(_, rest)| rest);
        }
        assert_eq!(
            shown + rest,
            "1. H2-E2first1. C3-C4 pawn 1... C6-C5 (1... H7-E7 cannon) 2. H2-F2 (2. B0-C2 H9-G7 (2... B9-C7)) 2... H7-E7\
             1... H9-G72. H0-G2"
        );
        let parents: Vec<&str> =
            list.split("data-parent=\"").skip(1).map(|text| &text[..text.find('"').unwrap_or(0)]).collect();
        assert_eq!(parents, ["0", "0", "2", "2", "3", "3", "6", "6", "5", "1", "10"]);
    }
}
