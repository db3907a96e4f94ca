//! Reader for the games in a PGN file, one after another, in constant memory.

use super::read::{ReadGame, evidence, read_game};
use super::tokens::Tokens;
use super::words::is_rule;
use crate::records::headings::{begin_a_game, begins_with_a_move, headings, is_remark};
use crate::records::lines::split_fen;
use crate::records::text::MAX_GAME;
use crate::records::{GameResult, Lines, Problem, Record, RecordFault, tags};
use chuhe_board::notation::{Dialect, NoSuchMove, Ranks};
use std::borrow::Cow;
use std::io::BufRead;

/// Iterator over games. After an error it continues with the next game.
#[derive(Debug)]
pub struct PgnGames<R> {
    lines: Lines<R>,
    /// Text of the current game, or of several games that could not be separated.
    text: String,
    /// Number of bytes of `text` that have been read.
    read: usize,
    /// Line number of the rest of `text`.
    line: usize,
    /// First line of the next game, which revealed the end of the current one.
    ahead: Option<String>,
    has_ended: bool,
    has_games: bool,
}

impl<R: BufRead> PgnGames<R> {
    /// Creates an iterator over the games of `input`.
    pub fn new(input: R) -> PgnGames<R> {
        PgnGames::of_lines(Lines::new(input))
    }

    /// Creates an iterator over the games in `lines`.
    pub(crate) fn of_lines(lines: Lines<R>) -> PgnGames<R> {
        PgnGames { lines, text: String::new(), read: 0, line: 1, ahead: None, has_ended: false, has_games: false }
    }

    /// Collects lines until a game ends; returns `false` if no lines are left.
    fn gather(&mut self) -> Result<bool, RecordFault> {
        self.text.clear();
        self.read = 0;
        let mut scan = Scan::default();
        self.line = self.lines.number() + 1;
        if let Some(first) = self.ahead.take() {
            self.line -= 1;
            scan.add(&first);
            self.text += &first;
            self.text.push('\n');
        }
        while let Some(line) = self.lines.read_line()? {
            let line = match fen_as_tag(line) {
                Some(tag) if !scan.is_in_comment => Cow::Owned(tag),
                _ => Cow::Borrowed(line),
            };
            if scan.ends_before(&line) {
                self.ahead = Some(line.into_owned());
                return Ok(true);
            }
            if self.text.len() + line.len() > MAX_GAME {
                return Err(RecordFault::at_line(self.lines.number(), Problem::TooMuch("the text of a game")));
            }
            scan.add(&line);
            // Lines that begin with `%` are not part of the game, according to the PGN standard.
            if !line.starts_with('%') {
                self.text += &line;
            }
            self.text.push('\n');
        }
        self.has_ended = true;
        Ok(!self.text.is_empty())
    }
}

impl<R: BufRead> Iterator for PgnGames<R> {
    type Item = Result<Record, RecordFault>;

    fn next(&mut self) -> Option<Result<Record, RecordFault>> {
        loop {
            if self.read < self.text.len() {
                let mut tokens = Tokens::new(&self.text[self.read..], self.line);
                let game = read_either(&mut tokens);
                self.line = tokens.line;
                self.read = self.text.len() - tokens.rest.len();
                match game {
                    ReadGame::Whole(game) => {
                        self.has_games = true;
                        return Some(game);
                    }
                    ReadGame::End => self.read = self.text.len(),
                    // Text after a game, such as a program's advertisement, is skipped.
                    ReadGame::Stopped(fault) if self.has_games && is_no_game(&fault) => self.read = self.text.len(),
                    ReadGame::Stopped(fault) => {
                        self.read = self.text.len();
                        return Some(Err(fault));
                    }
                }
            }
            if self.has_ended {
                return None;
            }
            match self.gather() {
                Ok(_) => {}
                Err(fault) => {
                    // The game is too long or unreadable, so the following games cannot be separated from it.
                    self.has_ended = true;
                    self.text.clear();
                    self.read = 0;
                    return Some(Err(fault));
                }
            }
        }
    }
}

/// Reads a game in the dialect that its words indicate. If the game cannot be read completely in it, uses the
/// dialect in which the most moves can be read.
fn read_either(tokens: &mut Tokens) -> ReadGame {
    let before = tokens.clone();
    let evidence = evidence(tokens);
    let dialect = |ranks, is_short| Dialect { ranks, is_short };
    let mut best = read_game(tokens, dialect(Ranks::FromZero, evidence.is_short()));
    let others = [(Ranks::FromOne, false), (Ranks::FromZero, true), (Ranks::FromOne, true)];
    // The other interpretation of words such as `A9e8` matters only if some word is a move in both
    // interpretations.
    for (ranks, is_other) in others.into_iter().filter(|(_, is_other)| !is_other || evidence.is_ambiguous()) {
        let Some(as_far) = extent(&best) else { break };
        let mut again = before.clone();
        let read = read_game(&mut again, dialect(ranks, evidence.is_short() != is_other));
        if extent_or_max(&read) > as_far {
            (best, *tokens) = (read, again);
        }
    }
    best
}

/// Returns the number of moves before an illegal one; `None` if another dialect would not help.
fn extent(read: &ReadGame) -> Option<usize> {
    match read {
        ReadGame::Stopped(RecordFault { problem: Problem::Move(..), game: Some(game), .. })
        | ReadGame::Whole(Err(RecordFault { game: Some(game), .. })) => Some(game.tree.len()),
        _ => None,
    }
}

/// Returns the number of moves read; a game without errors counts more than any other.
fn extent_or_max(read: &ReadGame) -> usize {
    match read {
        ReadGame::Whole(Ok(_)) => usize::MAX,
        ReadGame::Whole(Err(fault)) | ReadGame::Stopped(fault) => fault.game.as_ref().map_or(0, |game| game.tree.len()),
        ReadGame::End => 0,
    }
}

fn is_no_game(fault: &RecordFault) -> bool {
    let is_empty = fault.game.as_ref().is_some_and(|game| game.tree.is_empty() && game.tags.is_empty());
    is_empty && matches!(fault.problem, Problem::Move(_, NoSuchMove::Unreadable))
}

/// Converts a line that begins with a FEN, as in lists of moves, to a tag and the rest of the line.
fn fen_as_tag(line: &str) -> Option<String> {
    let is_candidate = line.len() >= 20 && !line.starts_with(['[', '{', '(', ';', '%']);
    let (fen, rest) = split_fen(line).filter(|_| is_candidate)?;
    // A prefix such as `FEN: …` is allowed.
    Some(format!("[FEN \"{fen}\"]{rest}"))
}

/// Returns the move number before a move by Red at the beginning of `text`, as in `1. h2e2`.
fn number(text: &str) -> Option<u32> {
    let (number, rest) = text.split_once(['.', '．'])?;
    number.trim().parse().ok().filter(|_| !rest.starts_with(['.', '．', '…']))
}

/// State of the scan for a game's last line.
#[derive(Default)]
struct Scan {
    has_moves: bool,
    has_result: bool,
    is_in_comment: bool,
    /// `true` after a move number greater than 1.
    has_numbers: bool,
    /// Number of open parentheses.
    open: i32,
}

impl Scan {
    /// Returns `true` if a line belongs to the next game. Games without a result are separated by their move
    /// numbers.
    fn ends_before(&self, line: &str) -> bool {
        let line = line.trim_start();
        // An unclosed comment must not extend over all following games.
        let surely = self.is_in_comment && (line.starts_with("[Game \"") || line.starts_with("[Event \""));
        let restarts = || self.has_numbers && self.open <= 0 && number(line) == Some(1) && begins_with_a_move(line);
        let begins = || line.starts_with('[') || begin_a_game(&headings(line)) || restarts();
        surely || !self.is_in_comment && (self.has_result || self.has_moves && begins())
    }

    fn add(&mut self, line: &str) {
        let line = line.trim();
        if line.starts_with('[') && !self.is_in_comment || line.starts_with('%') {
            return;
        }
        if !self.is_in_comment && (is_remark(line) || !headings(line).is_empty()) {
            // A result after the moves ends the game.
            self.has_result = self.has_moves && headings(line).iter().any(|(tag, _)| *tag == tags::RESULT);
            return;
        }
        self.has_moves |= !line.is_empty() && (!is_rule(line) || line == "*");
        if !self.is_in_comment && !line.contains(['{', '}', ';']) {
            let count = |wanted: [char; 2]| line.matches(wanted).count() as i32;
            self.open += count(['(', '（']) - count([')', '）']);
            self.has_numbers |= line.split_whitespace().any(|word| number(word).is_some_and(|number| number > 1));
        }
        let mut rest = line;
        while let Some(at) = rest.find(if self.is_in_comment { &['}'][..] } else { &['{', ';'] }) {
            if rest[at..].starts_with(';') {
                self.has_result = false;
                return;
            }
            self.is_in_comment = !self.is_in_comment;
            rest = &rest[at + 1..];
        }
        let last = line.rsplit(char::is_whitespace).next().unwrap_or_default();
        self.has_result = !self.is_in_comment && GameResult::from_word(last).is_some();
    }
}
