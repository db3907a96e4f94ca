//! A search thread: its position, its memory, and the operations common to all nodes.

use super::clock::Stability;
use super::history::{HistoryTables, Killers, PieceTo, structures};
use super::key::keys_after;
use super::limits::Limits;
use super::order::Sources;
use super::params::Params;
use super::report::Event;
use super::root::{RootMove, root_moves};
use super::shared::Shared;
use crate::eval::Evaluator;
use crate::eval::endings::damped;
use crate::machine;
use arrayvec::ArrayVec;
use chuhe_board::random::SplitMix64;
use chuhe_board::rules::{Game, Terms};
use chuhe_board::score::{EVALUATION_LIMIT, MAX_PLY, Score};
use chuhe_board::{Move, Side};
use std::time::Duration;

/// A principal variation.
pub(super) type Variation = ArrayVec<Move, MAX_PLY>;

/// State of one ply on the current line.
#[derive(Clone, Default)]
pub(super) struct Frame {
    /// Best line from this ply.
    pub pv: Variation,
    /// Move made at this ply; `None` for a null move.
    pub step: Option<PieceTo>,
    pub static_score: Score,
    /// Correction-history keys of this position.
    pub structures: [u64; 5],
    pub killers: Killers,
    /// Number of cutoffs at this ply among the grandchildren of the node two plies earlier.
    pub cutoffs: u32,
    /// Move excluded by a singular search.
    pub excluded: Option<Move>,
    /// `true` if the node is, or was in an earlier search, on the principal variation.
    pub was_pv: bool,
}

pub(super) struct Worker<'s, E> {
    /// Number of the thread. Thread 0 is the main thread, which reports and decides whether another iteration
    /// starts.
    pub id: usize,
    pub shared: &'s Shared<'s>,
    pub params: &'s Params,
    pub terms: Terms,
    pub game: Game,
    pub evaluator: E,
    pub histories: &'s mut HistoryTables,
    /// Frames by ply.
    pub frames: Vec<Frame>,
    pub root_moves: Vec<RootMove>,
    /// `true` if legal moves are excluded at the root, so that its value does not apply to the position.
    pub restricted: bool,
    /// Index of the line being searched, from 0.
    pub pv_index: usize,
    pub root_depth: i32,
    /// Depth of the last completed iteration.
    pub completed_depth: i32,
    pub seldepth: usize,
    pub nodes: u64,
    /// Number of quiet evasions in the current quiescence line.
    pub quiet_evasions: u32,
    /// Ply up to which null moves are disabled during verification.
    pub no_null_before: usize,
    /// Side for which null moves are disabled up to that ply.
    pub no_null_side: Side,
    /// Stability of the best move.
    pub stability: Stability,
    /// Root move being searched, and its number.
    pub current: Option<(Move, usize)>,
    /// Time of the last event sent to the listener.
    pub last_report: Duration,
    pub listener: Option<&'s mut (dyn FnMut(Event) + Send)>,
    /// Number of plies played in the game before the root.
    root_plies: usize,
    randomness: Score,
    seed: u64,
    node_limit: u64,
    pondering: bool,
}

impl<'s, E: Evaluator> Worker<'s, E> {
    pub(super) fn new(
        id: usize,
        shared: &'s Shared<'s>,
        game: &Game,
        limits: &Limits,
        mut evaluator: E,
        histories: &'s mut HistoryTables,
        listener: Option<&'s mut (dyn FnMut(Event) + Send)>,
    ) -> Self {
        evaluator.reset(game.position());
        histories.age();
        let settings = shared.settings;
        let mut frames = vec![Frame::default(); MAX_PLY + 4];
        frames[0].structures = structures(game.position(), [None; 2]);
        let root_moves = root_moves(game, limits);
        Worker {
            id,
            shared,
            params: &settings.params,
            terms: settings.terms,
            root_plies: game.plies().len(),
            game: game.clone(),
            evaluator,
            histories,
            frames,
            restricted: root_moves.len() < game.position().legal_moves().len(),
            root_moves,
            pv_index: 0,
            root_depth: 0,
            completed_depth: 0,
            seldepth: 0,
            nodes: 0,
            quiet_evasions: 0,
            no_null_before: 0,
            no_null_side: game.position().side(),
            stability: Stability { stable: 0, effort: 1.0, fall: 0, forced: false },
            current: None,
            last_report: Duration::ZERO,
            listener,
            randomness: settings.randomness,
            seed: settings.seed,
            node_limit: limits.nodes.filter(|_| shared.threads() == 1).unwrap_or(u64::MAX),
            pondering: limits.ponder,
        }
    }

    /// Counts a node and checks whether to continue; `None` if the search must stop.
    pub(super) fn count_node(&mut self) -> Option<()> {
        self.nodes += 1;
        // The interval is short, because a node with a repetition can take as long as a hundred other nodes.
        let looks = self.nodes & 63 == 0;
        if looks {
            self.check_limits();
        }
        let is_over = (self.nodes >= self.node_limit && !self.pondering) || (looks && self.shared.control.is_stopped());
        // The main thread always completes its first iteration, so that there is a move and a line.
        if is_over && (self.root_depth > 1 || self.id > 0) {
            self.shared.control.stop();
            return None;
        }
        Some(())
    }

    /// Publishes the node count and checks the clock and the limits. Every thread does so: with more threads
    /// than cores, the main thread might not be scheduled for longer than the time of a move.
    fn check_limits(&mut self) {
        let shared = self.shared;
        machine::give_way();
        shared.publish_nodes(self.id, self.nodes);
        if self.listener.is_some() {
            self.report_progress();
        }
        if self.is_pondering() {
            return;
        }
        // Adding the node counts takes longer with more threads, so each thread does it less often.
        let adds_up = self.nodes & (64 * shared.threads().next_power_of_two() as u64 - 1) == 0;
        let is_over = |limit| shared.nodes_of_others(self.id) + self.nodes >= limit;
        if shared.clock.is_up() || (adds_up && shared.node_limit.is_some_and(is_over)) {
            shared.control.stop();
        }
    }

    /// Returns `true` while the search is pondering. Starts the clock once the opponent has moved.
    pub(super) fn is_pondering(&mut self) -> bool {
        let shared = self.shared;
        if self.pondering && !shared.control.is_pondering() {
            self.pondering = false;
            shared.clock.start();
            // The time spent pondering may already be sufficient.
            if self.id == 0 && !shared.clock.goes_on(self.stability) {
                shared.control.stop();
            }
        }
        self.pondering
    }

    /// Undoes the moves of a stopped search. A node that returns `None` does not undo its moves, since the
    /// position is not used before this call.
    pub(super) fn return_to_root(&mut self) {
        self.quiet_evasions = 0;
        while self.game.plies().len() > self.root_plies {
            self.game.unmake();
        }
        self.evaluator.reset(self.game.position());
        self.shared.publish_nodes(self.id, self.nodes);
    }

    /// Prefetches the hash entry and the cached evaluation of the position after `mv`.
    pub(super) fn prefetch(&self, mv: Move) {
        let (key, hash_key) = keys_after(self.game.position(), Some(mv));
        self.shared.hash_table.prefetch(hash_key);
        self.histories.evaluations.prefetch(key);
    }

    /// Makes a move at a ply.
    pub(super) fn make(&mut self, mv: Move, ply: usize) {
        let position = self.game.position();
        self.frames[ply].step = position.piece_on(mv.from).map(|piece| PieceTo { piece, to: mv.to });
        self.evaluator.made(position, mv);
        self.game.make(mv);
        self.find_structures(ply + 1);
    }

    /// Computes the correction-history keys of a ply, and prefetches their entries.
    fn find_structures(&mut self, ply: usize) {
        let position = self.game.position();
        let structures = structures(position, self.before(ply));
        for (table, structure) in self.histories.corrections.iter().zip(structures) {
            table.prefetch(position.side(), structure);
        }
        self.frames[ply].structures = structures;
    }

    pub(super) fn unmake(&mut self) {
        self.game.unmake();
        self.evaluator.unmade();
    }

    pub(super) fn make_null(&mut self, ply: usize) {
        self.frames[ply].step = None;
        self.game.make_null();
        self.find_structures(ply + 1);
    }

    pub(super) fn unmake_null(&mut self) {
        self.game.unmake();
    }

    /// Returns the moves played one and two plies earlier.
    pub(super) fn before(&self, ply: usize) -> [Option<PieceTo>; 2] {
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

    /// Returns the basic reduction of a late move, in 1/1024 plies.
    pub(super) fn reduction(&self, depth: i32, number: usize) -> i32 {
        self.shared.reductions[depth.clamp(0, 63) as usize][number.min(63)]
    }

    pub(super) fn update_pv(&mut self, mv: Move, ply: usize) {
        let (head, tail) = self.frames.split_at_mut(ply + 1);
        let line = &mut head[ply].pv;
        line.clear();
        line.push(mv);
        line.extend(tail[0].pv.iter().copied().take(MAX_PLY - 1));
    }

    /// Returns the static evaluation, damped by the number of plies without a capture, plus the configured
    /// randomness.
    // A call costs more in WebAssembly, where no registers survive it.
    #[cfg_attr(target_family = "wasm", inline(always))]
    pub(super) fn evaluate(&mut self) -> Score {
        let position = self.game.position();
        let evaluator = &mut self.evaluator;
        let mut score = self.histories.evaluations.get_or_insert(position.key(), || evaluator.score(position));
        if self.params.on.rules {
            score = damped(score, position.quiet_plies());
        }
        score = self.counted_by_tablebase(score);
        if self.randomness > 0 {
            let spread = 2 * self.randomness as u64 + 1;
            score += SplitMix64::new(self.game.position().key() ^ self.seed).below(spread) as Score - self.randomness;
        }
        score.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }

    /// Returns the static evaluation, corrected by searches of similar positions.
    pub(super) fn corrected_evaluation(&mut self, ply: usize) -> Score {
        let score = self.evaluate();
        if !self.params.on.correction_history {
            return score;
        }
        let position = self.game.position();
        let tables = self.histories.corrections.iter().zip(self.frames[ply].structures);
        let sum: i32 = tables.map(|(table, structure)| table.get(position.side(), structure)).sum();
        (score + sum * self.params.numbers.correction_weight / (128 * 256)).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::eval::nnue::{Nnue, embedded};
    use crate::search::clock::Clock;
    use crate::search::{Control, Memory, Settings};
    use chuhe_board::Position;

    /// Runs `test` with a single worker.
    pub(in crate::search) fn with_worker<E: Evaluator>(
        id: usize,
        fen: &str,
        evaluator: E,
        clock: Clock,
        listener: &mut (dyn FnMut(Event) + Send),
        test: impl FnOnce(&mut Worker<E>),
    ) {
        let settings = Settings { multipv: 1, ..Settings::default() };
        let mut memory = Memory::new(1, 1).expect("1 MB can be had");
        let control = Control::default();
        let Memory { hash_table, threads, .. } = &mut memory;
        let shared = Shared::new(&settings, hash_table, &control, clock, None, 2);
        let (histories, _, _) = threads.split();
        let game = Game::from_fen(fen).expect("a legal position");
        let limits = Limits::default();
        test(&mut Worker::new(id, &shared, &game, &limits, evaluator, histories, Some(listener)));
    }

    fn endless() -> Clock {
        Clock::new(crate::search::Time::Unlimited, Duration::ZERO, false, false)
    }

    #[test]
    fn perft_through_the_worker_leaves_every_evaluation_as_if_made_anew() {
        fn walk(worker: &mut Worker<Nnue>, fresh: &mut Nnue, depth: usize, ply: usize) -> u64 {
            // Some nodes are evaluated on the way down, so that updates by one move and by several moves are
            // tested.
            if depth == 0 || worker.game.position().key().is_multiple_of(3) {
                let position: &Position = worker.game.position();
                fresh.reset(position);
                assert_eq!(worker.evaluator.score(position), fresh.score(position), "{position}");
            }
            if depth == 0 {
                return 1;
            }
            let mut nodes = 0;
            for mv in worker.game.position().legal_moves() {
                worker.make(mv, ply);
                nodes += walk(worker, fresh, depth - 1, ply + 1);
                worker.unmake();
            }
            nodes
        }
        let mut fresh = Nnue::new(embedded().expect("the program has a network"));
        let positions = [
            ("startpos", 2, 1_920),
            ("9/9/3k5/9/2r2cb2/2C2NB2/9/2NA4B/4K4/9 w", 3, 8_595),
            ("2b2a1n1/r4k3/n3b4/6p2/2p6/R5p1r/3c5/4B4/4A4/3AK1B1R w", 2, 1_004),
        ];
        for (fen, depth, count) in positions {
            with_worker(0, fen, fresh.clone(), endless(), &mut |_| {}, |worker| {
                assert_eq!(walk(worker, &mut fresh, depth, 0), count, "{fen}");
            });
        }
    }

    #[test]
    fn any_thread_may_call_time() {
        let over = Clock::new(crate::search::Time::Fixed(Duration::ZERO), Duration::ZERO, false, false);
        with_worker(1, "startpos", crate::eval::Handcrafted::default(), over, &mut |_| {}, |helper| {
            let stopped = (0..64).find(|_| helper.count_node().is_none());
            assert_eq!(stopped, Some(63), "at the first check of the clock");
            assert!(helper.shared.control.is_stopped());
        });
    }

    #[test]
    fn who_watches_hears_something_every_second() {
        let mut heard = Vec::new();
        let long_ago = endless().started_earlier(Duration::from_millis(1_500));
        let mut listener = |event| heard.push(event);
        with_worker(0, "startpos", crate::eval::Handcrafted::default(), long_ago, &mut listener, |worker| {
            worker.current = Some((worker.root_moves[3].mv, 4));
            assert_eq!((0..64 * 3).filter_map(|_| worker.count_node()).count(), 64 * 3);
        });
        let [Event::Progress(progress)] = &heard[..] else { panic!("one event, not one per check: {heard:?}") };
        assert_eq!(progress.number, 4);
    }
}
