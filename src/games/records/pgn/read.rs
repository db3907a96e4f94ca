//! Parsing of one game in a PGN text.

use super::tokens::{Token, Tokens};
use super::variations::{MAX_DEPTH, TreePoint, Variations};
use super::words::{first_move, is_rule, number_of, without_bare_number, without_glyph, without_number};
use crate::records::headings::{self, is_prose};
use crate::records::start::{Start, is_move};
use crate::records::{Full, GLYPHS, GameResult, Location, NodeId, Problem, Record, RecordFault, tags};
use chuhe_board::notation::{self, Dialect, Evidence, NoSuchMove};
use chuhe_board::{Position, Side};

/// Maximum number of moves in a game whose variations may be listed after the moves.
const MAX_SHEET: usize = 2_000;

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
    /// `true` after a tag `Game`, which is not kept.
    has_game_tag: bool,
    /// Prose before the game.
    preface: String,
    /// Difference between the number of the first numbered move and the number that it would have in a game.
    numbering: Option<isize>,
    /// Number at the beginning of a line before the next move, and `true` if the move is Black's.
    number: Option<(isize, bool)>,
    /// `true` if a remark before the next move announces a variation.
    announces_variation: bool,
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
        has_game_tag: false,
        preface: String::new(),
        numbering: None,
        number: None,
        announces_variation: false,
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
        // A repeated tag of these begins another game, even if the current game has no moves.
        Token::Tag(name, _) => {
            [tags::EVENT, tags::GAME, tags::RED].iter().any(|tag| name.eq_ignore_ascii_case(tag)) && has_tag(name)
        }
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
            let has_tag =
                |tag: &str| self.game.tag(tag).is_some() || self.has_game_tag && tag.eq_ignore_ascii_case(tags::GAME);
            if begins_another_game(&token, self.variations.has_moves(), has_tag) {
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
            Token::Remark(text) => {
                self.announces_variation |= text.contains(['变', '變', '另']);
                self.add_comment(text);
            }
            Token::Comment(text) => self.add_comment(text),
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
        self.has_game_tag |= is(tags::GAME);
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
            inner.depth = inner.depth.saturating_sub(1);
            let (first, is_numbered) = self.first_word_ahead();
            let (first, _) = first_move(without_bare_number(&inner.position, self.dialect, first));
            let first = without_glyph(first).0;
            match notation::read_in(&inner.position, first, self.dialect) {
                Err(error) => self.note_illegal_variation(first, error, is_numbered),
                Ok(_) if self.variations.nesting() >= MAX_DEPTH => {
                    return Err(self.tokens.fault(Problem::TooMuch("the depth of the variations")));
                }
                Ok(_) => {
                    self.variations.enter(inner, is_numbered);
                    return Ok(());
                }
            }
        }
        let text = self.tokens.rest_of_brackets()?;
        // A result in brackets may end the game.
        if let Some(result) = GameResult::from_word(text)
            && self.variations.has_moves()
            && self.variations.is_in_main_line()
            && self.is_at_end()
        {
            self.add_result(result);
        } else {
            self.add_comment(text);
        }
        Ok(())
    }

    /// Returns `true` if only rules and `*` follow.
    fn is_at_end(&self) -> bool {
        let mut ahead = self.tokens.clone();
        loop {
            match ahead.next() {
                Ok(None) => return true,
                Ok(Some(Token::Word(word))) if is_rule(word) => {}
                _ => return false,
            }
        }
    }

    /// Sets the result; `*` does not replace the result of a tag or heading.
    fn add_result(&mut self, result: GameResult) {
        if result != GameResult::Unknown {
            self.game.result = result;
        }
    }

    /// Makes the first move of a variation that a sheet lists after the moves: its line begins with the number of
    /// a different move, usually one of the main line. Numbers are often misprinted, so they only count after a
    /// remark such as 变着, or if the move is illegal in the current position. Returns `true` if the move was made.
    fn begin_listed_variation(&mut self, (number, is_black): (isize, bool), text: &str) -> Result<bool, Full> {
        let depth = self.variations.depth() as isize;
        let first = isize::from(self.game.start.side() == Side::Black);
        let next = (depth + first) / 2;
        let ply = 2 * (number - *self.numbering.get_or_insert(number - next)) + isize::from(is_black) - first;
        let legal = |position: &Position| {
            notation::read_in(position, text, self.dialect).ok().filter(|&mv| is_move(position, mv))
        };
        if ply == depth
            || self.game.tree.len() > MAX_SHEET
            || !self.announces_variation && legal(self.position()).is_some()
        {
            return Ok(false);
        }
        let Ok(ply) = usize::try_from(ply) else { return Ok(false) };
        let tree = &self.game.tree;
        let lines = [self.game.moves(), tree.line_to(self.variations.node())];
        let found = lines.iter().find_map(|line| {
            let before = line.get(..ply).filter(|_| ply < line.len())?;
            let mut here = TreePoint { position: self.game.start.clone(), node: NodeId::ROOT, last: None, depth: 0 };
            before.iter().try_for_each(|&mv| here.follow(tree.child(here.node, mv)?, mv))?;
            let mv = legal(&here.position)?;
            Some((here, mv))
        });
        let Some((mut here, mv)) = found else { return Ok(false) };
        if let Some(node) = tree.child(here.node, mv) {
            here.follow(node, mv);
            self.variations.here = Some(here);
        } else {
            self.variations.here = Some(here);
            self.variations.make(&mut self.game, mv)?;
        }
        Ok(true)
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
            let word_of_result = rest.trim_end_matches(['。', '！', '!']);
            if let Some(result) = may_be_result.then(|| GameResult::from_word(word_of_result)).flatten() {
                self.add_result(result);
                return Ok(true);
            }
            if self.tokens.began_line && self.variations.is_in_main_line() {
                self.number = number_of(rest);
            } else if let Some((_, is_black)) = &mut self.number {
                // As in `2. ... 炮2平5`.
                *is_black |= rest.starts_with("..") || rest.starts_with('…');
            }
            rest = without_number(rest);
            if rest.is_empty() || rest.len() > 2 && is_rule(rest) {
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
        let number = self.number.take().filter(|_| self.variations.is_in_main_line());
        let full = |Full| Problem::TooMuch("the number of moves");
        if let Some(number) = number
            && self.begin_listed_variation(number, text).map_err(full)?
        {
            self.announces_variation = false;
            return Ok(());
        }
        let mv = notation::read_in(self.position(), text, self.dialect).map_err(|error| refused(text, error))?;
        if !self.start.can_move || !is_move(self.position(), mv) {
            return Err(refused(text, NoSuchMove::Illegal));
        }
        self.variations.make(&mut self.game, mv).map_err(full)?;
        self.announces_variation = false;
        self.begin();
        Ok(())
    }
}

fn refused(text: &str, error: NoSuchMove) -> Problem {
    Problem::Move(text.chars().take(20).collect(), error)
}
