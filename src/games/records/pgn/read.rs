//! Parsing of one game in a PGN text.

use super::tokens::{Token, Tokens};
use super::words::{first_move, without_bare_number, without_glyph, without_number};
use crate::records::headings::{self, is_prose};
use crate::records::start::{Start, is_move};
use crate::records::{Full, GLYPHS, GameResult, Location, NodeId, Problem, Record, RecordFault, Tree, tags};
use chuhe_board::notation::{self, Dialect, Evidence, NoSuchMove};
use chuhe_board::{Move, Position, Undo};

/// Maximum nesting depth of variations.
pub(in crate::records) const MAX_DEPTH: usize = 200;

/// Point in a game's tree at which parsing continues.
#[derive(Clone)]
struct TreePoint {
    position: Position,
    node: NodeId,
    /// Last move with its undo data; a variation starts before it.
    last: Option<(Move, Undo)>,
}

/// The current line, and the lines that contain it.
#[derive(Default)]
struct Variations {
    /// Current point; `None` before the first move, while the starting position may still change.
    here: Option<TreePoint>,
    /// Points at which the outer lines continue, each with `true` if the variation began with a move number.
    outer: Vec<(TreePoint, bool)>,
    /// Comment before the first move of a variation.
    waiting: String,
}

impl Variations {
    /// Returns `true` after the first move of the game.
    fn has_moves(&self) -> bool {
        self.here.is_some()
    }

    fn is_in_main_line(&self) -> bool {
        self.outer.is_empty()
    }

    fn node(&self) -> NodeId {
        self.here.as_ref().map_or(NodeId::ROOT, |here| here.node)
    }

    /// Enters a variation at its first point.
    fn enter(&mut self, first: TreePoint, is_numbered: bool) {
        self.outer.extend(self.here.replace(first).map(|outer| (outer, is_numbered)));
    }

    /// Returns to the outer line. Returns `true` if the variation began with a move number, and `None` in the
    /// main line.
    fn leave(&mut self) -> Option<bool> {
        let (outer, is_numbered) = self.outer.pop()?;
        self.here = Some(outer);
        Some(is_numbered)
    }

    /// Adds a comment to the last move or, at the beginning of a variation, to the next move.
    fn add_comment(&mut self, tree: &mut Tree, text: &str) {
        let follows_a_move = self.here.as_ref().is_some_and(|here| here.last.is_some());
        if follows_a_move || self.is_in_main_line() {
            return tree.add_comment(self.node(), text);
        }
        if !self.waiting.is_empty() && !text.is_empty() {
            self.waiting.push(' ');
        }
        self.waiting.push_str(text);
    }

    /// Adds a legal move.
    fn make(&mut self, game: &mut Record, mv: Move) -> Result<(), Full> {
        let start = || TreePoint { position: game.start.clone(), node: NodeId::ROOT, last: None };
        let here = self.here.get_or_insert_with(start);
        here.last = Some((mv, here.position.make(mv)));
        here.node = game.tree.add(here.node, mv)?;
        game.tree.add_comment(here.node, &std::mem::take(&mut self.waiting));
        Ok(())
    }
}

struct GameReader<'r, 't> {
    tokens: &'r mut Tokens<'t>,
    dialect: Dialect,
    game: Record,
    start: Start,
    variations: Variations,
    /// First variation that was treated as a comment because of an illegal move.
    fault: Option<RecordFault>,
    /// `true` after a tag, a move or a result.
    has_begun: bool,
    /// Prose before the game.
    preface: String,
}

/// Result of reading a game.
#[allow(clippy::large_enum_variant)] // a result is moved only once or twice
pub(super) enum ReadGame {
    /// A complete game, or its first error, after which reading continued to the end of the game.
    Whole(Result<Record, RecordFault>),
    /// An error that stopped reading within the game.
    Stopped(RecordFault),
    /// The text contains no further game.
    End,
}

/// Reads the next game. After an error that stops reading, the tokens continue at the error.
pub(super) fn read_game(tokens: &mut Tokens, dialect: Dialect) -> ReadGame {
    let mut reader = GameReader {
        tokens,
        dialect,
        game: Record::default(),
        start: Position::start().into(),
        variations: Variations::default(),
        fault: None,
        has_begun: false,
        preface: String::new(),
    };
    match reader.read() {
        Ok(true) => ReadGame::Whole(reader.start.finish(reader.game, reader.fault)),
        Ok(false) => ReadGame::End,
        Err(fault) => match reader.start.finish(reader.game, Some(fault)) {
            Ok(game) => ReadGame::Whole(Ok(game)),
            Err(fault) => ReadGame::Stopped(fault),
        },
    }
}

/// Returns the evidence for the notation in the words of the next game, ignoring comments.
pub(super) fn evidence(tokens: &Tokens) -> Evidence {
    let (mut ahead, mut evidence, mut has_words) = (tokens.clone(), Evidence::default(), false);
    let mut seen: Vec<String> = Vec::new();
    while let Ok(Some(token)) = ahead.next() {
        let has_tag = |wanted: &str| seen.iter().any(|tag| tag.eq_ignore_ascii_case(wanted));
        if begins_another_game(&token, has_words, has_tag) {
            break;
        }
        match token {
            Token::Tag(..) | Token::Headings(_) if has_words => break,
            Token::Tag(name, _) => seen.push(name),
            Token::Headings(headings) => {
                let named = headings.into_iter().filter(|(_, value)| !value.is_empty());
                seen.extend(named.map(|(tag, _)| tag.to_owned()));
            }
            Token::Word(word) if GameResult::from_word(word).is_some() => break,
            Token::Word(word) => {
                has_words = true;
                evidence.add(without_number(word));
            }
            _ => {}
        }
    }
    evidence
}

/// Returns `true` if a tag or headings begin the next game although the current one has no result. `has_tag`
/// returns `true` for the tags of the current game.
fn begins_another_game(token: &Token, has_moves: bool, has_tag: impl Fn(&str) -> bool) -> bool {
    match token {
        // A repeated `Event` tag begins another game, even if the current game has no moves.
        Token::Tag(name, _) => name.eq_ignore_ascii_case(tags::EVENT) && has_tag(name),
        // A result may follow the moves of a sheet; other headings begin the next sheet.
        Token::Headings(headings) => {
            has_moves && headings::begin_a_game(headings) || headings::repeat(headings, has_tag)
        }
        _ => false,
    }
}

impl<'t> GameReader<'_, 't> {
    /// Parses a game; returns `false` if there is none.
    fn read(&mut self) -> Result<bool, RecordFault> {
        loop {
            // A tag after moves belongs to the next game, even without a result in between.
            self.tokens.skip_blanks();
            if self.variations.has_moves() && self.tokens.rest.starts_with('[') && self.variations.is_in_main_line() {
                return Ok(true);
            }
            let before = self.tokens.clone();
            let Some(token) = self.tokens.next()? else {
                return if self.variations.is_in_main_line() {
                    Ok(self.has_begun)
                } else {
                    Err(self.tokens.fault(Problem::Brackets))
                };
            };
            if begins_another_game(&token, self.variations.has_moves(), |tag| self.game.tag(tag).is_some()) {
                *self.tokens = before;
                return Ok(true);
            }
            if self.handle(token)? {
                return Ok(true);
            }
        }
    }

    /// Handles a token of this game; returns `true` after the result.
    fn handle(&mut self, token: Token<'t>) -> Result<bool, RecordFault> {
        match token {
            Token::Tag(name, value) => {
                self.has_begun = true;
                // Text between games, such as a program's advertisement, is discarded.
                self.preface.clear();
                self.add_tag(name, value)?;
            }
            Token::Headings(headings) => {
                self.begin();
                for (name, value) in headings.into_iter().filter(|(_, value)| !value.is_empty()) {
                    self.add_tag(name.to_owned(), value.to_owned())?;
                }
            }
            Token::Remark(text) if !self.has_begun => {
                self.preface.extend((!self.preface.is_empty()).then_some('\n'));
                self.preface += text;
            }
            Token::Comment(text) | Token::Remark(text) => self.add_comment(text),
            Token::Open => self.open_bracket()?,
            Token::Close => _ = self.variations.leave().ok_or_else(|| self.tokens.fault(Problem::Brackets))?,
            Token::Word(word) => return self.handle_word(word),
        }
        Ok(false)
    }

    /// Begins the game; the lines before the first heading or move become its preface.
    fn begin(&mut self) {
        self.has_begun = true;
        let preface = std::mem::take(&mut self.preface);
        self.game.tree.add_comment(NodeId::ROOT, &preface);
    }

    fn add_tag(&mut self, name: String, value: String) -> Result<(), RecordFault> {
        let is = |tag: &str| name.eq_ignore_ascii_case(tag);
        if is(tags::GAME) || is(tags::FORMAT) || (is(tags::FEN) && value.trim().is_empty()) {
            return Ok(());
        }
        if is(tags::RESULT) {
            self.game.result = GameResult::read(&value);
        } else if is(tags::FEN) {
            let start = Start::of_fen(&value, Location::Line(self.tokens.line));
            self.start = start.map_err(|problem| self.tokens.fault(problem))?;
            self.game.start.clone_from(&self.start.position);
        } else {
            self.game.tags.push((name, value.trim().to_owned()));
        }
        Ok(())
    }

    /// Returns the position before the next move.
    fn position(&self) -> &Position {
        self.variations.here.as_ref().map_or(&self.game.start, |here| &here.position)
    }

    fn add_comment(&mut self, text: &str) {
        self.variations.add_comment(&mut self.game.tree, text);
    }

    /// Handles `(`. It begins a variation if the next move is a legal alternative to the last move, and
    /// otherwise a comment. A comment that begins with a number and a move is reported as an error.
    fn open_bracket(&mut self) -> Result<(), RecordFault> {
        let before = self.variations.here.clone().and_then(|here| Some((here.last?, here)));
        if let Some(((mv, undo), mut inner)) = before {
            inner.last = None;
            inner.position.unmake(mv, undo);
            inner.node = self.game.tree.parent(inner.node).unwrap_or(NodeId::ROOT);
            let (first, is_numbered) = self.first_word_ahead();
            let (first, _) = first_move(without_bare_number(&inner.position, self.dialect, first));
            let first = without_glyph(first).0;
            match notation::read_in(&inner.position, first, self.dialect) {
                Err(error) => self.note_illegal_variation(first, error, is_numbered),
                Ok(_) if self.variations.outer.len() >= MAX_DEPTH => {
                    return Err(self.tokens.fault(Problem::TooMuch("the depth of the variations")));
                }
                Ok(_) => {
                    self.variations.enter(inner, is_numbered);
                    return Ok(());
                }
            }
        }
        let text = self.tokens.rest_of_brackets()?;
        self.add_comment(text);
        Ok(())
    }

    /// Returns the first word of a variation without its number, and `true` if it has a number. Comments and
    /// the number may precede it.
    fn first_word_ahead(&self) -> (&'t str, bool) {
        let (mut ahead, mut is_numbered) = (self.tokens.clone(), false);
        loop {
            match ahead.next() {
                Ok(Some(Token::Comment(_))) => {}
                Ok(Some(Token::Word(word))) => {
                    let rest = without_number(word);
                    is_numbered |= rest.len() < word.len();
                    if !rest.is_empty() {
                        return (rest, is_numbered);
                    }
                }
                _ => return ("", is_numbered),
            }
        }
    }

    /// Records an illegal move in brackets, unless the brackets contain a comment.
    fn note_illegal_variation(&mut self, text: &str, error: NoSuchMove, is_numbered: bool) {
        if is_numbered && error != NoSuchMove::Unreadable && self.fault.is_none() {
            self.fault = Some(self.tokens.fault(refused(text, error)));
        }
    }

    /// Parses a word: a move, several moves without spaces, a number or a glyph; returns `true` after the
    /// result.
    ///
    /// The order of the checks matters: the result `1-0` begins with a number, numbers precede dashes and
    /// glyphs (`1. --`), and a word is a comment or a move only if it is nothing else.
    fn handle_word(&mut self, word: &'t str) -> Result<bool, RecordFault> {
        let mut rest = word;
        loop {
            // After a move, only a short rest is checked for a result: moves without spaces may form a long
            // word, which must not be scanned again at each move.
            let may_be_result = (rest.len() == word.len() || rest.len() < 20) && self.variations.is_in_main_line();
            // A full stop may follow a move without a space.
            rest = rest.trim_start_matches('。');
            if let Some(result) = may_be_result.then(|| GameResult::from_word(rest)).flatten() {
                self.game.result = result;
                return Ok(true);
            }
            rest = without_number(rest);
            if rest.is_empty()
                || rest.len() > 2 && rest.chars().all(|c| matches!(c, '=' | '-' | '*' | '_' | '—' | '－' | '─'))
            {
                return Ok(false);
            }
            if let Some(number) = rest.strip_prefix('$') {
                // The standard defines no glyph above 255; such a number is kept as a comment.
                match number.parse() {
                    Ok(glyph) => self.add_glyph(glyph),
                    Err(_) => self.add_comment(rest),
                }
                return Ok(false);
            }
            if let Some(glyph) = GLYPHS.iter().position(|glyph| *glyph == rest) {
                self.add_glyph(glyph as u8 + 1);
                return Ok(false);
            }
            rest = without_bare_number(self.position(), self.dialect, rest);
            // Prose after a move on a sheet is a comment.
            if self.has_begun && is_prose(rest) {
                self.add_comment(rest);
                return Ok(false);
            }
            let (first, later) = first_move(rest);
            let (text, glyph) = without_glyph(first);
            if let Err(problem) = self.make(text) {
                // Within brackets, text that is not a move continues a comment that began like a move.
                let Problem::Move(_, error) = problem else { return Err(self.tokens.fault(problem)) };
                let node = self.variations.node();
                let Some(is_numbered) = self.variations.leave() else { return Err(self.tokens.fault(problem)) };
                self.note_illegal_variation(text, error, is_numbered);
                let text = self.tokens.rest_of_brackets()?;
                self.game.tree.add_comment(node, rest);
                self.game.tree.add_comment(node, text);
                return Ok(false);
            }
            if glyph > 0 {
                self.add_glyph(glyph);
            }
            rest = later;
        }
    }

    fn add_glyph(&mut self, glyph: u8) {
        let node = self.variations.node();
        if node != NodeId::ROOT {
            self.game.tree.add_glyph(node, glyph);
        }
    }

    fn make(&mut self, text: &str) -> Result<(), Problem> {
        let mv = notation::read_in(self.position(), text, self.dialect).map_err(|error| refused(text, error))?;
        if !self.start.can_move || !is_move(self.position(), mv) {
            return Err(refused(text, NoSuchMove::Illegal));
        }
        self.variations.make(&mut self.game, mv).map_err(|Full| Problem::TooMuch("the number of moves"))?;
        self.begin();
        Ok(())
    }
}

fn refused(text: &str, error: NoSuchMove) -> Problem {
    Problem::Move(text.chars().take(20).collect(), error)
}
