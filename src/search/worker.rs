//! One searching thread: its position, its memory, and what every node asks of them.

use super::clock::{Clock, Progress};
use super::history::{Histories, Killers, Step, structures};
use super::limits::Limits;
use super::order::Sources;
use super::params::Params;
use super::report::Event;
use super::root::{RootMove, root_moves};
use super::{Settings, Shared};
use crate::board::Move;
use crate::eval::Evaluator;
use crate::random::SplitMix64;
use crate::rules::{Game, Terms};
use crate::score::{EVALUATION_LIMIT, MAX_PLY, Score};
use arrayvec::ArrayVec;
use std::sync::atomic::Ordering::Relaxed;

/// A principal variation.
pub(super) type Variation = ArrayVec<Move, MAX_PLY>;

/// What a ply of the present line remembers.
#[derive(Clone, Default)]
pub(super) struct Frame {
    /// The best line from here.
    pub pv: Variation,
    /// The move made from here; none for a null move.
    pub step: Option<Step>,
    pub static_score: Score,
    pub killers: Killers,
    /// How many nodes of this ply were cut below the present node two plies before.
    pub cutoffs: u32,
    /// The move that a singular search leaves out.
    pub excluded: Option<Move>,
}

pub(super) struct Worker<'s, E> {
    /// 0 is the main thread, which watches clock and limits and reports.
    pub id: usize,
    pub shared: &'s Shared<'s>,
    pub params: &'s Params,
    pub terms: Terms,
    pub game: Game,
    pub evaluator: E,
    pub histories: &'s mut Histories,
    /// By ply.
    pub frames: Vec<Frame>,
    pub root_moves: Vec<RootMove>,
    /// Which of the best lines is being searched, from 0.
    pub pv_index: usize,
    pub root_depth: i32,
    /// The last iteration that was completed.
    pub completed_depth: i32,
    pub seldepth: usize,
    pub nodes: u64,
    /// How many quiet answers to checks stand in the line beyond the horizon.
    pub quiet_evasions: u32,
    /// Verification of a null move: passing is forbidden up to this ply.
    pub no_null_before: usize,
    pub clock: Clock,
    /// How the iterations went so far.
    pub progress: Progress,
    pub listener: Option<&'s mut (dyn FnMut(Event) + Send)>,
    /// How many plies the game had at the root.
    root_plies: usize,
    randomness: Score,
    seed: u64,
    node_limit: u64,
    pondering: bool,
    /// Late-move reductions by depth and number of the move, in 1/1024 plies.
    reductions: Box<[[i32; 64]; 64]>,
}

impl<'s, E: Evaluator> Worker<'s, E> {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn new(
        id: usize,
        shared: &'s Shared<'s>,
        settings: &'s Settings,
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
            params: &settings.params,
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
            quiet_evasions: 0,
            no_null_before: 0,
            terms: settings.terms,
            randomness: settings.randomness,
            seed: settings.seed,
            id,
            node_limit: limits.nodes.filter(|_| shared.nodes.len() == 1).unwrap_or(u64::MAX),
            clock,
            pondering: limits.ponder,
            progress: Progress { stable: 0, effort: 1.0, fall: 0, forced: false },
            reductions,
            listener,
        }
    }

    /// Counts a node and asks whether to go on; none if the search must stop.
    pub(super) fn count_node(&mut self) -> Option<()> {
        self.nodes += 1;
        if self.nodes & 63 == 0 {
            self.check_limits();
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
    fn check_limits(&mut self) {
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
    pub(super) fn is_pondering(&mut self) -> bool {
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

    /// Takes back what a stopped search has left: a node that returns `None` leaves its moves made, for nothing looks at the position any
    /// more until this is called.
    pub(super) fn return_to_root(&mut self) {
        self.quiet_evasions = 0;
        while self.game.plies().len() > self.root_plies {
            self.game.unmake();
        }
        self.evaluator.reset(self.game.position());
        self.shared.publish_nodes(self.id, self.nodes);
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
            params: self.params,
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

    /// The evaluation, smaller the longer nothing was captured, with the randomness that was asked for.
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

    /// The evaluation corrected by what searches of like positions found.
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
}
