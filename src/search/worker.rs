//! One searching thread: its position, its memory, and iterative deepening.

use super::clock::{Clock, Progress};
use super::history::{Histories, Killers, Step, structures};
use super::limits::Limits;
use super::node::Root;
use super::order::Sources;
use super::params::Params;
use super::report::{Bound, Event, Report};
use super::{Settings, Shared};
use crate::board::{Move, Targets};
use crate::eval::Evaluator;
use crate::random::SplitMix64;
use crate::rules::{Game, Terms};
use crate::score::{EVALUATION_LIMIT, INFINITE, MATE, MAX_PLY, Score, is_decided, is_mate};
use arrayvec::ArrayVec;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// A value that hangs on no position of the way to it.
pub(super) const CLEAN: i32 = i32::MAX;

/// A line of moves.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// What a ply of the present line remembers.
#[derive(Clone, Default)]
pub(super) struct Frame {
    /// The best line from here.
    pub pv: Line,
    /// The move made from here; none for a pass.
    pub step: Option<Step>,
    pub static_score: Score,
    pub killers: Killers,
    /// How many nodes of this ply were cut below the present node two plies before.
    pub cutoffs: u32,
    /// The move that a singular search leaves out.
    pub excluded: Option<Move>,
}

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Of the present iteration; −[`INFINITE`] if it failed low.
    pub score: Score,
    pub pv: Vec<Move>,
    pub nodes: u64,
    pub seldepth: usize,
}

pub(super) struct Worker<'s, E> {
    pub shared: &'s Shared<'s>,
    pub params: Params,
    pub game: Game,
    pub evaluator: E,
    pub histories: &'s mut Histories,
    pub frames: Vec<Frame>,
    pub root_moves: Vec<RootMove>,
    /// Which of the best lines is being searched, from 0.
    pub pv_index: usize,
    pub root_depth: i32,
    /// The last iteration that was completed.
    pub completed_depth: i32,
    pub seldepth: usize,
    pub nodes: u64,
    /// The first ply of the line, counted from the root, on which the value returned last depends; [`CLEAN`] if on none.
    pub depends_on: i32,
    /// How many quiet answers to checks stand in the line beyond the horizon.
    pub quiet_evasions: u32,
    /// Verification of a null move: passing is forbidden up to this ply.
    pub no_null_before: usize,
    pub terms: Terms,
    randomness: Score,
    seed: u64,
    /// 0 is the main thread, which watches clock and limits and reports.
    id: usize,
    node_limit: u64,
    clock: Clock,
    pondering: bool,
    /// How the iterations went so far.
    progress: Progress,
    /// By depth and number of the move, in 1/1024 plies.
    reductions: Box<[[i32; 64]; 64]>,
    root_plies: usize,
    listener: Option<&'s mut (dyn FnMut(Event) + Send)>,
}

impl<'s, E: Evaluator> Worker<'s, E> {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn new(
        id: usize,
        shared: &'s Shared<'s>,
        settings: &Settings,
        game: &Game,
        limits: &Limits,
        clock: Clock,
        mut evaluator: E,
        histories: &'s mut Histories,
        listener: Option<&'s mut (dyn FnMut(Event) + Send)>,
    ) -> Self {
        evaluator.reset(game.position());
        histories.age();
        let numbers = &settings.params.numbers;
        let mut reductions = Box::new([[0; 64]; 64]);
        let logarithms: [f64; 64] = std::array::from_fn(|number| (number as f64).ln());
        for (depth, row) in reductions.iter_mut().enumerate().skip(1) {
            for (number, reduction) in row.iter_mut().enumerate().skip(1) {
                let product = logarithms[depth] * logarithms[number];
                let plies =
                    f64::from(numbers.reduction_base) / 100.0 + product * 100.0 / f64::from(numbers.reduction_divisor);
                *reduction = (plies * 1024.0) as i32;
            }
        }
        Worker {
            shared,
            params: settings.params.clone(),
            root_plies: game.plies().len(),
            game: game.clone(),
            evaluator,
            histories,
            frames: vec![Frame::default(); MAX_PLY + 4],
            root_moves: root_moves(game, limits),
            pv_index: 0,
            root_depth: 0,
            completed_depth: 0,
            seldepth: 0,
            nodes: 0,
            depends_on: CLEAN,
            quiet_evasions: 0,
            no_null_before: 0,
            terms: settings.terms,
            randomness: settings.randomness,
            seed: settings.seed,
            id,
            node_limit: limits.nodes.filter(|_| settings.threads == 1).unwrap_or(u64::MAX),
            clock,
            pondering: limits.ponder,
            progress: Progress { stable: 0, effort: 1.0, fall: 0, forced: false },
            reductions,
            listener,
        }
    }

    /// Searches deeper and deeper until something ends it.
    pub(super) fn deepen(&mut self, limits: &Limits, multipv: usize) {
        // Mated, stalemated: there is nothing to search, for no thread.
        if self.root_moves.is_empty() {
            return;
        }
        let multipv = multipv.clamp(1, self.root_moves.len());
        let deepest = limits.depth.unwrap_or(MAX_PLY as u32 - 1).clamp(1, MAX_PLY as u32 - 1) as i32;
        let (mut last_best, mut stable, mut last_score) = (None, 0, None);
        for depth in 1..=deepest {
            // Helpers skip some depths, so that not all threads do the same.
            if self.id > 0 && depth > 3 && (depth as usize + self.id).is_multiple_of(3) && depth < deepest {
                continue;
            }
            self.root_depth = depth;
            for pv_index in 0..multipv {
                self.pv_index = pv_index;
                self.seldepth = 0;
                let searched = self.aspirate(depth);
                if searched.is_none() {
                    self.return_to_root();
                    return;
                }
                // A later line can turn out better than an earlier one.
                self.root_moves[..=pv_index].sort_by_key(|root| std::cmp::Reverse(root.score));
            }
            (0..multipv).for_each(|pv_index| self.report(pv_index, depth, Bound::Exact));
            self.completed_depth = depth;
            if self.id > 0 {
                continue;
            }
            let Some(best) = self.root_moves.first() else { return };
            stable = if last_best == Some(best.mv) { stable + 1 } else { 0 };
            last_best = Some(best.mv);
            let fall = last_score.map_or(0, |last: Score| (last - best.score).clamp(-500, 500));
            last_score = Some(best.score);
            if limits.mate.is_some_and(|moves| best.score > 0 && MATE - best.score <= 2 * moves as Score) {
                return;
            }
            self.progress = Progress {
                stable,
                effort: best.nodes as f64 / self.nodes.max(1) as f64,
                fall,
                forced: self.root_moves.len() == 1,
            };
            if limits.soft_nodes.is_some_and(|soft| self.nodes as f64 >= soft as f64 * self.progress.need()) {
                return;
            }
            let found_mate = is_mate(best.score) && MATE - best.score.abs() < depth;
            if !self.is_pondering() && (!self.clock.goes_on(self.progress) || (found_mate && self.clock.is_elastic())) {
                return;
            }
        }
    }

    /// One line of one iteration, in a window around the score before, widened where it fails.
    fn aspirate(&mut self, depth: i32) -> Option<()> {
        let before = self.root_moves.get(self.pv_index).map_or(0, |root| root.score);
        let mut width = self.params.numbers.aspiration_window;
        let narrow = self.params.on.aspiration && depth >= 5 && before.abs() < EVALUATION_LIMIT;
        let (mut alpha, mut beta) = if narrow { (before - width, before + width) } else { (-INFINITE, INFINITE) };
        let mut reduction = 0;
        loop {
            let score = self.node::<Root>((depth - reduction).max(1), alpha, beta, 0, false)?;
            // Stable: moves that failed low keep their order.
            self.root_moves[self.pv_index..].sort_by_key(|root| std::cmp::Reverse(root.score));
            if score <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = (score - width).max(-INFINITE);
                reduction = 0;
            } else if score >= beta && beta < INFINITE {
                beta = (score + width).min(INFINITE);
                reduction = (reduction + 1).min(2);
            } else {
                return Some(());
            }
            if self.clock.elapsed() > Duration::from_secs(1) {
                self.report(self.pv_index, depth, if score <= alpha { Bound::Upper } else { Bound::Lower });
            }
            width += width / 2;
            if width > 600 || is_decided(score) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// The root move that comes after `number` others of this line.
    pub(super) fn next_root_move(&self, number: usize) -> Option<Move> {
        self.root_moves.get(self.pv_index + number).map(|root| root.mv)
    }

    /// Notes what a root move's search gave.
    pub(super) fn note_root_move(&mut self, mv: Move, number: usize, score: Score, alpha: Score, nodes_before: u64) {
        let spent = self.nodes - nodes_before;
        let seldepth = self.seldepth;
        let line = &self.frames[1].pv;
        if let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) {
            root.nodes += spent;
            if number > 1 && score <= alpha {
                root.score = -INFINITE;
                return;
            }
            root.score = score;
            root.seldepth = seldepth;
            if score > alpha {
                root.pv.clear();
                root.pv.push(mv);
                root.pv.extend(line);
            }
        }
    }

    /// Says which root move is being searched, once the search takes long enough for someone to care.
    pub(super) fn announce(&mut self, mv: Move, number: usize) {
        let patience = Duration::from_secs(3);
        if self.listener.is_some() && self.nodes > 1_000_000 && self.clock.elapsed() > patience {
            let number = self.pv_index + number;
            self.tell(Event::Current(mv, number));
        }
    }

    fn tell(&mut self, event: Event) {
        if let Some(listener) = &mut self.listener {
            listener(event);
        }
    }

    fn report(&mut self, pv_index: usize, depth: i32, bound: Bound) {
        if self.listener.is_some()
            && let Some(report) = self.line(pv_index, depth, bound)
        {
            self.tell(Event::Line(report));
        }
    }

    /// One of the best lines as it stands.
    pub(super) fn line(&self, pv_index: usize, depth: i32, bound: Bound) -> Option<Report> {
        let root = self.root_moves.get(pv_index)?;
        Some(Report {
            depth: depth as u32,
            seldepth: root.seldepth as u32,
            multipv: pv_index + 1,
            score: root.score,
            bound,
            nodes: self.shared.nodes_of_others(self.id) + self.nodes,
            time: self.clock.elapsed(),
            hashfull: self.shared.table.hashfull(),
            pv: root.pv.clone(),
        })
    }

    /// Counts a node and asks whether to go on; none if the search must stop.
    pub(super) fn go_on(&mut self) -> Option<()> {
        self.nodes += 1;
        if self.nodes & 63 == 0 {
            self.look_up();
        }
        // The first iteration is always completed, so that there is always a move and a line.
        let over = self.nodes >= self.node_limit || (self.nodes & 63 == 0 && self.shared.control.is_stopped());
        if over && self.root_depth > 1 {
            self.shared.control.stop();
            return None;
        }
        Some(())
    }

    /// Every few nodes, since a node whose repetition must be judged can cost as much as a hundred others: publishes the count and, on the main thread, watches clock and limits.
    fn look_up(&mut self) {
        self.shared.publish_nodes(self.id, self.nodes);
        if self.id > 0 || self.is_pondering() {
            return;
        }
        let over_nodes =
            self.shared.node_limit.is_some_and(|limit| self.shared.nodes_of_others(self.id) + self.nodes >= limit);
        if over_nodes || self.clock.is_up() {
            self.shared.control.stop();
        }
    }

    /// Whether the enemy's move is still awaited; starts the clock when it has come.
    fn is_pondering(&mut self) -> bool {
        if self.pondering && !self.shared.control.pondering.load(Relaxed) {
            self.pondering = false;
            self.clock.ponder_hit();
            // What was thought in the enemy's time may be enough.
            if !self.clock.goes_on(self.progress) {
                self.shared.control.stop();
            }
        }
        self.pondering
    }

    fn return_to_root(&mut self) {
        self.quiet_evasions = 0;
        while self.game.plies().len() > self.root_plies {
            self.game.unmake();
        }
        self.evaluator.reset(self.game.position());
        self.shared.publish_nodes(self.id, self.nodes);
        self.root_moves[self.pv_index..].sort_by_key(|root| std::cmp::Reverse(root.score));
    }

    /// Makes a move from a ply.
    pub(super) fn make(&mut self, mv: Move, ply: usize) {
        let position = self.game.position();
        self.shared.table.prefetch(position.key_after(mv));
        self.frames[ply].step = position.piece_on(mv.from).map(|piece| Step { piece, to: mv.to });
        self.evaluator.made(position, mv);
        self.game.make(mv);
    }

    pub(super) fn unmake(&mut self) {
        self.game.unmake();
        self.evaluator.unmade();
    }

    pub(super) fn make_null(&mut self, ply: usize) {
        self.frames[ply].step = None;
        self.game.make_null();
    }

    pub(super) fn unmake_null(&mut self) {
        self.game.unmake();
    }

    /// The moves one and two plies before.
    pub(super) fn before(&self, ply: usize) -> [Option<Step>; 2] {
        [1, 2].map(|back| self.frames.get(ply.wrapping_sub(back)).and_then(|frame| frame.step))
    }

    pub(super) fn sources(&self, ply: usize) -> Sources<'_> {
        Sources {
            position: self.game.position(),
            histories: self.histories,
            before: self.before(ply),
            params: &self.params,
        }
    }

    /// The lessons about a move, captures on a scale like quiet moves.
    pub(super) fn history_of(&self, mv: Move, ply: usize) -> i32 {
        let position = self.game.position();
        let Some(piece) = position.piece_on(mv.from) else { return 0 };
        match position.piece_on(mv.to) {
            Some(captured) if self.params.on.capture_history => {
                self.histories.capture.get(piece, mv.to, captured.kind())
            }
            Some(_) => 0,
            None => {
                let before = if self.params.on.continuation_history { self.before(ply) } else { [None; 2] };
                self.histories.of_quiet(position.side(), mv, Step { piece, to: mv.to }, before)
            }
        }
    }

    /// The plain reduction of a late move, in 1/1024 plies.
    pub(super) fn reduction(&self, depth: i32, number: usize) -> i32 {
        self.reductions[depth.clamp(0, 63) as usize][number.min(63)]
    }

    pub(super) fn update_pv(&mut self, mv: Move, ply: usize) {
        let (head, tail) = self.frames.split_at_mut(ply + 1);
        let line = &mut head[ply].pv;
        line.clear();
        line.push(mv);
        line.extend(tail[0].pv.iter().copied().take(MAX_PLY - 1));
    }

    /// The evaluation, smaller the longer nothing was taken, with the randomness that was asked for.
    pub(super) fn evaluate(&mut self) -> Score {
        let position = self.game.position();
        let evaluator = &mut self.evaluator;
        let mut score = self.histories.evaluations.get_or_insert(position.key(), || evaluator.score(position));
        if self.params.on.rules {
            score -= score * Score::from(position.quiet_plies().min(120)) / 250;
        }
        if self.randomness > 0 {
            let spread = 2 * self.randomness as u64 + 1;
            score += SplitMix64::new(position.key() ^ self.seed).below(spread) as Score - self.randomness;
        }
        score.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }

    /// The evaluation moved by what searches of like positions found.
    pub(super) fn corrected_evaluation(&mut self, ply: usize) -> Score {
        let score = self.evaluate();
        if !self.params.on.correction_history {
            return score;
        }
        let position = self.game.position();
        let structures = structures(position, self.before(ply));
        let tables = self.histories.corrections.iter().zip(structures);
        let sum: i32 = tables.map(|(table, structure)| table.get(position.side(), structure)).sum();
        (score + sum * self.params.numbers.correction_weight / (128 * 256)).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }

    /// Learns how far the evaluation was off from what a search of some depth found.
    pub(super) fn learn_correction(&mut self, score: Score, depth: i32, ply: usize) {
        if self.params.on.correction_history {
            let weight = (depth + 1).min(16);
            let error = (score - self.evaluate()).clamp(-400, 400);
            let position = self.game.position();
            let structures = structures(position, self.before(ply));
            for (table, structure) in self.histories.corrections.iter_mut().zip(structures) {
                table.learn(position.side(), structure, error, weight);
            }
        }
    }
}

/// The root moves in a first order: captures, then quiet moves; without the banned ones unless all are banned.
fn root_moves(game: &Game, limits: &Limits) -> Vec<RootMove> {
    let position = game.position();
    let all = position.moves(Targets::Captures).into_iter().chain(position.moves(Targets::Quiets));
    let all: Vec<Move> = all.filter(|mv| limits.only.is_empty() || limits.only.contains(mv)).collect();
    let allowed: Vec<Move> = all.iter().copied().filter(|mv| !limits.banned.contains(mv)).collect();
    let moves = if allowed.is_empty() { all } else { allowed };
    moves.into_iter().map(|mv| RootMove { mv, score: -INFINITE, pv: vec![mv], nodes: 0, seldepth: 0 }).collect()
}
