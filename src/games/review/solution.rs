//! Result of the mate solver with additional information: the shortest mate, other solutions and
//! alternatives.

use crate::records::{GameResult, NodeId, Record};
use chuhe_board::notation::{self, Form};
use chuhe_board::rules::Game;
use chuhe_board::words::{Key, Language};
use chuhe_board::{Move, Position, Side};
use chuhe_engine::mates::{Limits, Pattern, Proof, Solver, SolverResult, checking_moves, shortest};
use serde::Serialize;
use std::collections::HashSet;
use std::fmt::{Display, Write as _};

/// A position and the result of the solver.
pub struct Solution {
    position: Position,
    /// Result.
    pub found: MateResult,
    quiet: u8,
    nodes: u64,
}

/// Result of a mate search.
pub enum MateResult {
    /// A mate.
    Mate(Box<Mating>),
    /// There is no mate by checks, and none with quiet moves was found.
    NoMateByChecks,
    /// There is a mate, but none was found before the natural limit.
    TooLate,
    /// The number of nodes was not sufficient to prove or disprove a mate.
    Unknown,
}

/// A mate with its line.
pub struct Mating {
    proof: Proof,
    /// Line of the mate against the longest defence; the shortest mate if `is_shortest` is set.
    line: Vec<Move>,
    is_shortest: bool,
    /// Other first moves that mate by checks; `None` if unknown.
    others: Option<Vec<Move>>,
    /// Later attacker moves with alternatives that mate as fast: the move number, from 2, and the
    /// alternatives.
    choices: Vec<(usize, Vec<Move>)>,
    pattern: Option<Pattern>,
}

/// A solution as JSON.
#[derive(Serialize)]
pub struct Json {
    fen: String,
    answer: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_checks: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shortest: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    line: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other_first_moves: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<&'static str>,
    nodes: u64,
}

impl Solution {
    /// Runs the solver, with `nodes` nodes for each search.
    pub fn find(game: &Game, solver: &mut Solver, nodes: u64, quiet: u8, goes_on: &dyn Fn() -> bool) -> Solution {
        let answer = solver.solve(game, Limits { nodes, quiet }, &mut |_| goes_on());
        let asked = solver.nodes();
        let found = match answer {
            SolverResult::Mate(proof) => MateResult::Mate(Box::new(Mating::of(proof, game, solver, nodes))),
            _ if solver.is_late() => MateResult::TooLate,
            SolverResult::NoMateByChecks => MateResult::NoMateByChecks,
            SolverResult::Unknown => MateResult::Unknown,
        };
        Solution { position: game.position().clone(), found, quiet, nodes: asked }
    }

    /// Returns the FEN of the position.
    pub fn fen(&self) -> String {
        self.position.to_string()
    }

    /// Returns the result as a few lines of text.
    pub fn say(&self, language: Language, form: Form) -> String {
        let side = self.position.side().title(language);
        let mut text = String::new();
        let mut tell = |key: Key, arguments: &[(&str, &dyn Display)]| {
            let _ = writeln!(text, "{}", language.sentence(&language.say(key, arguments)));
        };
        match &self.found {
            MateResult::TooLate => tell(Key::MateTooLate, &[("side", &side)]),
            MateResult::Unknown => tell(Key::MateUnknown, &[("nodes", &self.nodes)]),
            MateResult::NoMateByChecks if self.quiet == 0 => tell(Key::NoMateByChecksAlone, &[("side", &side)]),
            MateResult::NoMateByChecks => tell(Key::NoMateByChecks, &[("side", &side)]),
            MateResult::Mate(mating) => {
                let by_checks = mating.proof.quiet() == 0;
                let key = if by_checks { Key::MatesByChecks } else { Key::MatesWithQuietMoves };
                let moves = language.count(mating.moves() as u32);
                tell(key, &[("side", &side), ("moves", &moves)]);
                match mating.others.as_deref() {
                    Some([]) => tell(Key::OnlyKey, &[]),
                    Some(others) => tell(Key::OtherKeys, &[("moves", &written(&self.position, others, form))]),
                    None => {}
                }
                for (number, moves) in &mating.choices {
                    let mut before = self.position.clone();
                    for mv in &mating.line[..2 * (number - 1)] {
                        before.make(*mv);
                    }
                    let moves = written(&before, moves, form);
                    tell(Key::LaterChoices, &[("number", number), ("moves", &moves)]);
                }
                if let Some(pattern) = mating.pattern {
                    tell(Key::MatingPattern, &[("name", &pattern.name(language))]);
                }
                let _ = writeln!(text, "{}", self.line(mating, form));
            }
        }
        text
    }

    /// Returns the line with move numbers.
    fn line(&self, mating: &Mating, form: Form) -> String {
        let mut position = self.position.clone();
        let mut words = Vec::new();
        for (ply, &mv) in mating.line.iter().enumerate() {
            if ply % 2 == 0 {
                words.push(format!("{}.", ply / 2 + 1));
            }
            words.push(notation::write(&position, mv, form));
            position.make(mv);
        }
        words.join(" ")
    }

    /// Returns the result for lists: `mate in 5 h2e2`, `no mate by checks`, `unknown`.
    pub fn in_one_line(&self) -> String {
        match &self.found {
            MateResult::Mate(mating) => format!("mate in {} {}", mating.moves(), mating.line[0]),
            MateResult::NoMateByChecks => "no mate by checks".into(),
            MateResult::TooLate | MateResult::Unknown => "unknown".into(),
        }
    }

    /// Returns the result for JSON.
    pub fn json(&self) -> Json {
        let mating = if let MateResult::Mate(mating) = &self.found { Some(mating) } else { None };
        let text = |moves: &Vec<Move>| moves.iter().map(Move::to_string).collect::<Vec<_>>();
        Json {
            fen: self.fen(),
            answer: match self.found {
                MateResult::Mate(_) => "mate",
                MateResult::NoMateByChecks => "no mate by checks",
                MateResult::TooLate | MateResult::Unknown => "unknown",
            },
            moves: mating.map(|mating| mating.moves()),
            by_checks: mating.map(|mating| mating.proof.quiet() == 0),
            shortest: mating.map(|mating| mating.is_shortest),
            line: mating.map_or_else(Vec::new, |mating| text(&mating.line)),
            other_first_moves: mating.and_then(|mating| mating.others.as_ref().map(text)),
            pattern: mating.and_then(|mating| mating.pattern).map(|pattern| pattern.name(Language::Chinese)),
            nodes: self.nodes,
        }
    }

    /// Returns the solution as a game with variations; without moves if there is no mate.
    pub fn record(&self, language: Language) -> Record {
        let mut record = Record::new(self.position.clone());
        record.set_tag("Event", "chuhe mate");
        record.tree.set_comment(NodeId::ROOT, self.say(language, Form::Iccs).lines().next().unwrap_or_default());
        if let MateResult::Mate(mating) = &self.found {
            record.result = if self.position.side() == Side::Red { GameResult::RedWins } else { GameResult::BlackWins };
            let mut position = self.position.clone();
            grow(&mut record, NodeId::ROOT, &mut position, &mating.proof, &mut HashSet::new());
        }
        record
    }
}

impl Mating {
    fn of(proof: Proof, game: &Game, solver: &mut Solver, nodes: u64) -> Mating {
        let by_checks = proof.quiet() == 0;
        let fastest = if by_checks { shortest(game.position(), proof.moves(), nodes) } else { None };
        let is_shortest = fastest.is_some();
        let line = fastest.map_or_else(|| proof.line().to_vec(), |fastest| fastest.line);
        let mut others = if by_checks { Some(Vec::new()) } else { None };
        for mv in checking_moves(game.position()).into_iter().filter(|mv| by_checks && *mv != line[0]) {
            match solver.mates_by_checks(game, mv, nodes) {
                Some(true) => others.iter_mut().for_each(|others| others.push(mv)),
                Some(false) => {}
                None => others = None,
            }
            if others.is_none() {
                break;
            }
        }
        let (mut choices, mut position, mut pattern) = (Vec::new(), game.position().clone(), None);
        for (ply, &mv) in line.iter().enumerate() {
            if is_shortest && ply > 0 && ply % 2 == 0 {
                let fastest = shortest(&position, (line.len() - ply).div_ceil(2), nodes);
                let equal: Vec<Move> = fastest.map_or_else(Vec::new, |fastest| fastest.keys);
                let equal: Vec<Move> = equal.into_iter().filter(|other| *other != mv).collect();
                if !equal.is_empty() {
                    choices.push((ply / 2 + 1, equal));
                }
            }
            if ply + 1 == line.len() {
                pattern = Pattern::of(&position, mv);
            }
            position.make(mv);
        }
        Mating { proof, line, is_shortest, others, choices, pattern }
    }

    fn moves(&self) -> usize {
        self.line.len().div_ceil(2)
    }
}

/// Formats moves of one position as a list.
fn written(position: &Position, moves: &[Move], form: Form) -> String {
    let words: Vec<String> = moves.iter().map(|mv| notation::write(position, *mv, form)).collect();
    words.join(if form == Form::Chinese { "、" } else { ", " })
}

/// Adds the proof's move and every reply, the longest defence first; transpositions already in the tree are
/// not expanded.
fn grow(record: &mut Record, parent: NodeId, position: &mut Position, proof: &Proof, seen: &mut HashSet<u64>) {
    let Some(step) = proof.step(position) else { return };
    let Ok(parent) = record.tree.add(parent, step.mv) else { return };
    if !seen.insert(position.key()) {
        return;
    }
    let undo = position.make(step.mv);
    let mut answers = position.legal_moves();
    let plies = |position: &mut Position, mv: Move| {
        let undo = position.make(mv);
        let plies = proof.step(position).map_or(0, |step| step.plies);
        position.unmake(mv, undo);
        plies
    };
    answers.sort_by_key(|mv| std::cmp::Reverse(plies(position, *mv)));
    for answer in answers {
        let Ok(child) = record.tree.add(parent, answer) else { break };
        let undo = position.make(answer);
        grow(record, child, position, proof, seen);
        position.unmake(answer, undo);
    }
    position.unmake(step.mv, undo);
}
