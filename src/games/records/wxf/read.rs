//! Parsing of one game in a WXF file: its header and its moves.

use super::names::{FORMAT, TEXTS, key};
use crate::records::lookahead::{count_lookahead, find};
use crate::records::pgn::{first_move, without_glyph, without_number};
use crate::records::start::{Start, is_move};
use crate::records::{Full, GameResult, Location, NodeId, Problem, Record, RecordFault, tags};
use chuhe_board::notation::{self, Dialect, Evidence, NoSuchMove, Ranks};
use chuhe_board::{Piece, Position, Setup, Side, Square};

/// Part of a file being read.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Part {
    #[default]
    Header,
    Moves,
    /// A comment among the moves.
    Comment,
    /// Pieces in the first position.
    Pieces,
    /// An unknown block.
    Other,
}

/// A token of the moves, with its line number.
enum Token {
    Word(String, usize),
    Comment(String),
}

/// A game being read.
#[derive(Default)]
pub(super) struct Draft {
    part: Part,
    /// `true` after a header whose moves have not been found.
    is_open: bool,
    tags: Vec<(String, String)>,
    result: GameResult,
    /// Board with its line number.
    fen: Option<(String, usize)>,
    setup: Option<Setup>,
    tokens: Vec<Token>,
}

impl Draft {
    /// Reads a line; returns `true` if the game ends with it.
    pub(crate) fn read_line(&mut self, line: &str, number: usize) -> bool {
        if self.part == Part::Moves && line.trim_start().starts_with('#') {
            self.tokens.push(Token::Comment(line.trim_start().trim_start_matches('#').trim().to_owned()));
            return false;
        }
        let (mut rest, mut has_ended) = (line, false);
        while !rest.is_empty() {
            rest = match self.part {
                Part::Header => self.read_header(rest, number),
                Part::Moves => {
                    let end = find!(rest, ['{', '}']).unwrap_or(rest.len());
                    // In this format, a `;` between moves does not begin a comment.
                    let words = rest[..end].split(|c: char| c.is_whitespace() || matches!(c, ';' | ',' | '，'));
                    let words = words.filter(|word| !word.is_empty());
                    self.tokens.extend(words.map(|word| Token::Word(word.to_owned(), number)));
                    match rest[end..].chars().next() {
                        Some('{') => {
                            self.tokens.push(Token::Comment(String::new()));
                            self.part = Part::Comment;
                        }
                        Some(_) => (self.part, has_ended) = (Part::Header, true),
                        None => {}
                    }
                    after_block(&rest[end..])
                }
                Part::Comment => self.read_comment(rest),
                Part::Pieces | Part::Other => {
                    let end = find!(rest, '}').unwrap_or(rest.len());
                    self.read_pieces(&rest[..end]);
                    if end < rest.len() {
                        self.part = Part::Header;
                        self.fen = self.setup.take().map(|setup| (setup.to_string(), number)).or(self.fen.take());
                    }
                    after_block(&rest[end..])
                }
            };
        }
        if self.part == Part::Comment
            && let Some(Token::Comment(text)) = self.tokens.last_mut()
        {
            text.push('\n');
        }
        has_ended
    }

    /// Adds a part of a comment; returns the text after the comment.
    fn read_comment<'t>(&mut self, line: &'t str) -> &'t str {
        let end = find!(line, '}').unwrap_or(line.len());
        if let Some(Token::Comment(text)) = self.tokens.last_mut() {
            *text += &line[..end];
        }
        if end < line.len() {
            self.part = Part::Moves;
        }
        line.get(end + 1..).unwrap_or_default()
    }

    /// Parses a header line; returns the rest if a block begins in it.
    fn read_header<'t>(&mut self, line: &'t str, number: usize) -> &'t str {
        let (word, rest) = key(line);
        let key = &*word.to_ascii_uppercase();
        let value = rest.trim_start().trim_start_matches(':').trim_start();
        if let Some(inside) = value.strip_prefix('{') {
            self.is_open &= key != "START";
            self.part = match key {
                "START" => Part::Moves,
                "SETUP" => Part::Pieces,
                _ => Part::Other,
            };
            self.setup = (self.part == Part::Pieces).then(Setup::empty);
            return inside;
        }
        count_lookahead(value.len());
        let value = value.trim_end_matches(|c: char| c.is_whitespace() || c == ';');
        match key {
            FORMAT => self.is_open = true,
            "RESULT" => self.result = GameResult::read(value),
            "FEN" => self.fen = Some((value.to_owned(), number)),
            "RED" | "BLACK" => {
                // The value consists of the name, the rating, and two more fields.
                let mut parts = value.split(';').map(str::trim);
                let [name, elo] =
                    if key == "RED" { [tags::RED, tags::RED_ELO] } else { [tags::BLACK, tags::BLACK_ELO] };
                self.add_tag(name, parts.next().unwrap_or_default());
                let rating = parts.next().filter(|rating| rating.bytes().all(|byte| byte.is_ascii_digit()));
                self.add_tag(elo, rating.unwrap_or_default());
            }
            "TIME" => {
                let (red, black) = value.split_once(';').unwrap_or((value, ""));
                self.add_tag(tags::RED_TIME, red);
                self.add_tag(tags::BLACK_TIME, black);
            }
            "END" => {}
            key => {
                let known = TEXTS.iter().find(|(known, _)| *known == key).map(|(_, tag)| *tag);
                // Other keys are kept if they are words in capitals.
                let other = Some(word).filter(|word| *word == key && (2..20).contains(&word.len()));
                if let Some(tag) = known.or(other) {
                    self.add_tag(tag, value);
                }
            }
        }
        ""
    }

    fn add_tag(&mut self, name: &str, value: &str) {
        if !value.trim().is_empty() {
            self.tags.push((name.to_owned(), value.trim().to_owned()));
        }
    }

    /// Parses `Rh0 cb7 … BLACK`: pieces with their squares, and the side to move.
    fn read_pieces(&mut self, text: &str) {
        let Some(setup) = &mut self.setup else { return };
        for word in text.split_whitespace() {
            let mut letters = word.chars();
            let piece = letters.next().and_then(Piece::from_letter);
            match (word, piece, letters.as_str().parse::<Square>()) {
                ("RED", ..) => setup.side = Side::Red,
                ("BLACK", ..) => setup.side = Side::Black,
                (_, Some(piece), Ok(square)) => setup.board[square.index()] = Some(piece),
                _ => {}
            }
        }
    }

    /// Returns the part within which the file is truncated.
    pub(crate) fn cut(&self) -> Option<&'static str> {
        match self.part {
            Part::Header => Some("the head").filter(|_| self.is_open),
            Part::Moves | Part::Comment => Some("the moves"),
            Part::Pieces | Part::Other => Some("a block"),
        }
    }

    /// Returns the game, or the error of the file.
    pub(crate) fn finish(self, cut: Option<RecordFault>) -> Result<Record, RecordFault> {
        let start = match &self.fen {
            None => Ok(Position::start().into()),
            Some((fen, line)) => {
                Start::of_fen(fen, Location::Line(*line)).map_err(|problem| RecordFault::at_line(*line, problem))
            }
        };
        let mut evidence = Evidence::default();
        for token in &self.tokens {
            if let Token::Word(word, _) = token {
                evidence.add(without_number(word));
            }
        }
        let is_short = evidence.is_short();
        let (mut record, fault) = match &start {
            Err(_) => (Record::default(), None),
            Ok(start) => {
                let (record, fault) = self.play(start, Dialect { ranks: Ranks::FromZero, is_short });
                match fault {
                    None => (record, None),
                    Some(fault) => match self.play(start, Dialect { ranks: Ranks::FromOne, is_short }) {
                        (other, problem) if other.tree.len() > record.tree.len() => (other, problem),
                        _ => (record, Some(fault)),
                    },
                }
            }
        };
        (record.tags, record.result) = (self.tags, self.result);
        match start {
            Err(fault) => Err(fault.with_game(record)),
            Ok(start) => start.finish(record, fault.or(cut)),
        }
    }

    /// Plays the moves up to the first illegal one.
    fn play(&self, start: &Start, dialect: Dialect) -> (Record, Option<RecordFault>) {
        let mut record = Record::new(start.position.clone());
        let mut position = start.position.clone();
        let mut node = NodeId::ROOT;
        for token in &self.tokens {
            let (word, line) = match token {
                Token::Comment(text) => {
                    record.tree.add_comment(node, text.trim());
                    continue;
                }
                Token::Word(word, line) => (word, *line),
            };
            let mut rest = without_number(word);
            while !rest.trim_start_matches(['.', '…', '。']).is_empty() && GameResult::from_word(rest).is_none() {
                let (first, later) = first_move(rest);
                let (text, glyph) = without_glyph(first);
                count_lookahead(first.len());
                let read = notation::read_in(&position, text, dialect);
                let mv = read.and_then(|mv| match start.can_move && is_move(&position, mv) {
                    true => Ok(mv),
                    false => Err(NoSuchMove::Illegal),
                });
                let problem = match mv {
                    Ok(mv) => match record.tree.add(node, mv) {
                        Ok(id) => {
                            position.make(mv);
                            record.tree.add_glyph(id, glyph);
                            node = id;
                            None
                        }
                        Err(Full) => Some(Problem::TooMuch("the number of moves")),
                    },
                    Err(error) => Some(Problem::Move(text.chars().take(20).collect(), error)),
                };
                if let Some(problem) = problem {
                    return (record, Some(RecordFault::at_line(line, problem)));
                }
                rest = without_number(later);
            }
        }
        (record, None)
    }
}

/// Returns the text after a brace, and after the word `END` if it follows.
fn after_block(text: &str) -> &str {
    let rest = text.get(1..).unwrap_or_default();
    if text.starts_with('}') { rest.strip_prefix("END").unwrap_or(rest) } else { rest }
}
