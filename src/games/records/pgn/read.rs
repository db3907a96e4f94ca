//! One game of a PGN text.

use super::tokens::{Token, Tokens};
use crate::records::{Fault, Full, GameResult, MARKS, NodeId, Problem, Record};
use chuhe_board::notation::{self, NoSuchMove, Ranks};
use chuhe_board::{Move, Position, Undo};

/// Variations inside variations; deeper ones are refused.
const MAX_DEPTH: usize = 200;

/// Where in a game one is.
#[derive(Clone)]
struct Place {
    position: Position,
    node: NodeId,
    /// The move that led here, if it can be taken back: a variation replaces it.
    last: Option<(Move, Undo)>,
}

struct GameReader<'r, 't> {
    tokens: &'r mut Tokens<'t>,
    ranks: Ranks,
    game: Record,
    /// `None` before the first move, while the start may still change.
    place: Option<Place>,
    /// Where the lines go on whose variations are being read, and whether these begin with the number of a move.
    outer: Vec<(Place, bool)>,
    /// The first variation that has become a comment because of a move that can't be played.
    fault: Option<Fault>,
    /// A comment before the first move of a variation.
    waiting: String,
    /// Whether there was a tag, a move or a result.
    has_begun: bool,
}

/// Reads the next game, with what is wrong in one that was read to its end; `None` at the end. After any other fault, the rest of the text begins
/// at the fault.
pub(super) fn read_game(tokens: &mut Tokens, ranks: Ranks) -> Result<Option<(Record, Option<Fault>)>, Fault> {
    let mut reader = GameReader {
        tokens,
        ranks,
        game: Record::default(),
        place: None,
        outer: Vec::new(),
        fault: None,
        waiting: String::new(),
        has_begun: false,
    };
    match reader.read() {
        Ok(true) => Ok(Some((reader.game, reader.fault))),
        Ok(false) => Ok(None),
        Err(fault) => Err(fault.with_game(reader.game)),
    }
}

impl<'t> GameReader<'_, 't> {
    /// Whether there was a game.
    fn read(&mut self) -> Result<bool, Fault> {
        loop {
            // A tag after moves belongs to the next game, though there is no result between them.
            self.tokens.skip_blanks();
            if self.place.is_some() && self.tokens.rest.starts_with('[') && self.outer.is_empty() {
                return Ok(true);
            }
            let before = self.tokens.clone();
            let Some(token) = self.tokens.next()? else {
                return if self.outer.is_empty() {
                    Ok(self.has_begun)
                } else {
                    Err(self.tokens.fault(Problem::Brackets))
                };
            };
            match token {
                // So does a second tag of these names, after a game without moves.
                Token::Tag(name, _) if self.has_begun && self.begins_another(&name) => {
                    *self.tokens = before;
                    return Ok(true);
                }
                Token::Tag(name, value) => {
                    self.has_begun = true;
                    self.tag(name, value)?;
                }
                Token::Comment(text) => self.comment(text),
                Token::Open => self.open()?,
                Token::Close => match self.outer.pop() {
                    Some((outer, _)) => self.place = Some(outer),
                    None => return Err(self.tokens.fault(Problem::Brackets)),
                },
                Token::Word(word) => {
                    if let (Some(result), true) = (GameResult::from_word(word), self.outer.is_empty()) {
                        self.game.result = result;
                        return Ok(true);
                    }
                    if self.word(word)? {
                        return Ok(true);
                    }
                }
            }
        }
    }

    fn begins_another(&self, name: &str) -> bool {
        name.eq_ignore_ascii_case("event") && self.game.tag(name).is_some()
    }

    fn tag(&mut self, name: String, value: String) -> Result<(), Fault> {
        match name.to_ascii_lowercase().as_str() {
            "game" | "format" => {}
            "result" => self.game.result = GameResult::read(&value),
            "fen" if value.trim().is_empty() => {}
            "fen" => {
                let start = value.parse().map_err(|error| self.tokens.fault(Problem::Fen(error)))?;
                self.game.start = start;
            }
            _ => self.game.tags.push((name, value)),
        }
        Ok(())
    }

    fn place(&mut self) -> &mut Place {
        let start = &self.game.start;
        self.place.get_or_insert_with(|| Place { position: start.clone(), node: NodeId::ROOT, last: None })
    }

    fn comment(&mut self, text: &str) {
        let (node, last) = self.place.as_ref().map_or((NodeId::ROOT, None), |place| (place.node, place.last));
        if last.is_none() && !self.outer.is_empty() {
            if !self.waiting.is_empty() && !text.is_empty() {
                self.waiting.push(' ');
            }
            self.waiting.push_str(text);
        } else {
            self.game.tree.add_comment(node, text);
        }
    }

    /// `(` begins a variation if a move follows that is legal instead of the last one, else a comment: a fault, if it begins with a number and a move.
    fn open(&mut self) -> Result<(), Fault> {
        let place = self.place().clone();
        let mut inner = place.clone();
        if let Some((mv, undo)) = inner.last.take() {
            inner.position.unmake(mv, undo);
            inner.node = self.game.tree.parent(inner.node).unwrap_or(NodeId::ROOT);
            let (mut ahead, mut is_numbered) = (self.tokens.clone(), false);
            // Comments and a number may come before the move.
            let first = loop {
                match ahead.next() {
                    Ok(Some(Token::Comment(_))) => {}
                    Ok(Some(Token::Word(word))) => {
                        let rest = without_number(word);
                        is_numbered |= rest.len() < word.len();
                        if !rest.is_empty() {
                            break rest;
                        }
                    }
                    _ => break "",
                }
            };
            let (first, _) = first_move(without_bare_number(&inner.position, self.ranks, first));
            let first = without_marks(first).0;
            match notation::read_ranked(&inner.position, first, self.ranks) {
                Err(error) => self.miss(first, error, is_numbered),
                Ok(_) if self.outer.len() >= MAX_DEPTH => {
                    return Err(self.tokens.fault(Problem::TooMuch("the depth of the variations")));
                }
                Ok(_) => {
                    self.outer.push((place, is_numbered));
                    self.place = Some(inner);
                    return Ok(());
                }
            }
        }
        let text = self.tokens.rest_of_brackets()?;
        self.comment(text);
        Ok(())
    }

    /// Notes a move in brackets that can't be played, unless the brackets hold a comment.
    fn miss(&mut self, text: &str, error: NoSuchMove, is_numbered: bool) {
        if is_numbered && error != NoSuchMove::Unreadable && self.fault.is_none() {
            self.fault = Some(self.tokens.fault(refused(text, error)));
        }
    }

    /// A move, or several side by side, or a number or a mark; whether the result follows them.
    fn word(&mut self, word: &'t str) -> Result<bool, Fault> {
        let mut rest = word;
        loop {
            // Only the last words are short: moves without spaces may be long, and are not searched at each move.
            let is_last = rest.len() < word.len() && rest.len() < 20 && self.outer.is_empty();
            if let (Some(result), true) = (GameResult::from_word(if is_last { rest } else { "" }), is_last) {
                self.game.result = result;
                return Ok(true);
            }
            rest = without_number(rest);
            self.place();
            if rest.trim_start_matches('。').is_empty()
                || rest.len() > 2 && rest.chars().all(|c| matches!(c, '=' | '-' | '*' | '_' | '—' | '－' | '─'))
            {
                return Ok(false);
            }
            if let Some(number) = rest.strip_prefix('$') {
                if let Ok(glyph) = number.parse() {
                    self.glyph(glyph);
                }
                return Ok(false);
            }
            if let Some(glyph) = MARKS.iter().position(|mark| *mark == rest) {
                self.glyph(glyph as u8 + 1);
                return Ok(false);
            }
            let ranks = self.ranks;
            rest = without_bare_number(&self.place().position, ranks, rest);
            let (first, later) = first_move(rest);
            let (text, glyph) = without_marks(first);
            if let Err(problem) = self.make(text) {
                // Inside brackets, what is no move is the rest of a comment that began with one.
                let Problem::Move(_, error) = problem else { return Err(self.tokens.fault(problem)) };
                let Some((outer, is_numbered)) = self.outer.pop() else { return Err(self.tokens.fault(problem)) };
                self.miss(text, error, is_numbered);
                let text = self.tokens.rest_of_brackets()?;
                let node = self.place().node;
                self.game.tree.add_comment(node, rest);
                self.game.tree.add_comment(node, text);
                self.place = Some(outer);
                return Ok(false);
            }
            if glyph > 0 {
                self.glyph(glyph);
            }
            rest = later;
        }
    }

    fn glyph(&mut self, glyph: u8) {
        let node = self.place().node;
        if node != NodeId::ROOT {
            self.game.tree.add_glyph(node, glyph);
        }
    }

    fn make(&mut self, text: &str) -> Result<(), Problem> {
        let ranks = self.ranks;
        let place = self.place();
        let mv = notation::read_ranked(&place.position, text, ranks).map_err(|error| refused(text, error))?;
        place.last = Some((mv, place.position.make(mv)));
        let node = place.node;
        let node = self.game.tree.add(node, mv).map_err(|Full| Problem::TooMuch("the number of moves"))?;
        self.place().node = node;
        self.has_begun = true;
        let waiting = std::mem::take(&mut self.waiting);
        self.game.tree.add_comment(node, &waiting);
        Ok(())
    }
}

fn refused(text: &str, error: NoSuchMove) -> Problem {
    Problem::Move(text.chars().take(20).collect(), error)
}

/// What a move in Chinese may begin with, but for 1 to 5.
const FIRST: &str = "一二三四五帅帥将將仕士相象像马馬傌㐷车車俥伡炮砲包軳兵卒前中后後";

fn is_digit(character: char) -> bool {
    character.is_ascii_digit() || ('０'..='９').contains(&character)
}

/// `12.`, `12...`, `12、`, 第12回合 or `12.H2-E2` without the number.
fn without_number(word: &str) -> &str {
    if let Some(rest) = word.strip_prefix('第').and_then(|rest| rest.trim_start_matches(is_digit).strip_prefix("回合"))
    {
        return rest;
    }
    let is_dot = |c: char| matches!(c, '.' | '．' | '…' | ':' | '：');
    let rest = word.trim_start_matches(is_digit);
    if !rest.is_empty() && !rest.starts_with(is_dot) {
        return word;
    }
    let rest = rest.trim_start_matches(is_dot);
    // `15.6` is the first pawn of file 5 that goes to file 6.
    if rest.len() == 1 && rest.starts_with(is_digit) { word } else { rest }
}

/// `2炮二平五` without the number, which may also name a pawn: `2卒进１`.
fn without_bare_number<'t>(position: &Position, ranks: Ranks, word: &'t str) -> &'t str {
    let rest = word.trim_start_matches(is_digit);
    if rest.len() == word.len() || !rest.starts_with(|first| FIRST.contains(first)) {
        return word;
    }
    let move_text = without_marks(first_move(word).0).0;
    if notation::read_ranked(position, move_text, ranks).is_ok() { word } else { rest }
}

/// A move without the marks behind it (also those of check and mate, `+` and `#`), and the glyph that they mean, or 0.
fn without_marks(word: &str) -> (&str, u8) {
    let word = word.trim_end_matches('。');
    let text = word.trim_end_matches(['!', '?']);
    let glyph = MARKS.iter().position(|mark| *mark == &word[text.len()..]);
    (text.trim_end_matches(['+', '#']), glyph.map_or(0, |glyph| glyph as u8 + 1))
}

/// The first of moves written without spaces, and what follows: 炮二平五马８进７, h2e2h9g7, C2=5H8+7.
fn first_move(word: &str) -> (&str, &str) {
    if word.len() <= 5 {
        return (word, "");
    }
    let bytes = word.as_bytes();
    if bytes[..bytes.len().min(6)].is_ascii() {
        let another_follows = |length: usize| bytes.get(length).is_some_and(u8::is_ascii_alphanumeric);
        let squares = |text: &str| text.parse::<Move>().is_ok();
        let is_wxf = matches!(bytes[2], b'+' | b'-' | b'=' | b'.') && bytes[3].is_ascii_digit();
        return if word.len().is_multiple_of(4) && squares(&word[..4]) || is_wxf && another_follows(4) {
            word.split_at(4)
        } else if bytes[2] == b'-' && squares(&word[..5]) && another_follows(5) {
            word.split_at(5)
        } else {
            (word, "")
        };
    }
    // The verb is the third character, or the fourth where a pawn is named with its place and its file.
    let mut characters = word.char_indices();
    let verb = characters.by_ref().skip(2).take(2).find(|(_, c)| matches!(c, '进' | '退' | '平' | '進'));
    let behind = verb.and_then(|_| characters.nth(1));
    match behind {
        Some((end, mark)) if !matches!(mark, '!' | '?') => word.split_at(end),
        _ => (word, ""),
    }
}
