//! Read access to a searcher for other threads.

use super::options::Options;
use crate::endings::Tables;
use crate::eval::{Network, evaluate, nnue};
use crate::search::{Bound, Entry, Limits, Report, Settings, TranspositionTable, hash_key, reported};
use chuhe_board::rules::{Game, Outcome, Verdict, judge};
use chuhe_board::score::{DRAW, MAX_PLY, Score, TABLEBASE_WIN, is_evaluation};
use chuhe_board::{Move, Position};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// Read access to a searcher, even during a search. Copies are cheap. A copy shows the current state of the
/// hash table, but the state of everything else at the time of copying.
#[derive(Clone)]
pub struct SearcherView {
    pub(crate) options: Arc<Options>,
    /// Network from the file in the options, the embedded network, or a network supplied by the caller.
    pub(crate) network: Option<Arc<Network>>,
    pub(crate) tablebases: Arc<Tables>,
    /// A weak reference, so that the memory of a replaced table is released at once.
    pub(crate) hash_table: Weak<TranspositionTable>,
}

/// Hash entry of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probe {
    /// Best move, if known.
    pub best: Option<Move>,
    /// Score from the point of view of the side to move.
    pub score: Score,
    /// Relation of the score to the true value.
    pub bound: Bound,
    /// Depth of the search in plies.
    pub depth: u32,
}

impl SearcherView {
    /// Returns the options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the network used for evaluation; `None` if the hand-written evaluation is used.
    pub(crate) fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref().filter(|_| self.options.use_nnue)
    }

    /// Returns the tablebases.
    pub(crate) fn tables(&self) -> &Arc<Tables> {
        &self.tablebases
    }

    /// Restricts the search to moves that preserve the tablebase value, unless several lines or certain moves
    /// are requested, or all these moves are banned. In a won ending, each move then makes progress, regardless
    /// of the search's score.
    pub(crate) fn guided(&self, position: &Position, limits: &Limits, lines: usize) -> Limits {
        let mut guided = limits.clone();
        if self.options.params.on.tablebases && lines <= 1 && limits.only.is_empty() {
            // A search must return a move, so a damaged tablebase imposes no restriction. `chuhe endings
            // verify` and all commands that show tablebase values report the damage.
            guided.only = self.tablebases.best_moves(position).ok().flatten().unwrap_or_default();
            guided.only.retain(|mv| !limits.banned.contains(mv));
        }
        guided
    }

    /// Replaces the evaluation of a line by the tablebase value of its first move; keeps mates found by the
    /// search, and scores of moves that end the game, as by repetition.
    pub(crate) fn apply_tablebase(&self, game: &Game, line: &mut Report) {
        let is_near = game.position().occupancy().all().count() <= self.tablebases.most_pieces() + 1;
        if !self.options.params.on.tablebases || !is_near || !is_evaluation(line.score) {
            return;
        }
        let Some(&first) = line.pv.first() else { return };
        let (mut after, terms) = (game.clone(), self.options.terms());
        after.make(first);
        if judge(&after, terms) != Verdict::Open {
            return;
        }
        // A damaged tablebase changes nothing; see [`Self::guided`].
        if let Ok(Some(outcome)) = self.tablebases.outcome_within(after.position(), terms.natural_limit) {
            line.score = match outcome {
                Outcome::Loss => TABLEBASE_WIN - MAX_PLY as Score,
                Outcome::Draw => DRAW,
                Outcome::Win => MAX_PLY as Score - TABLEBASE_WIN,
            };
            line.bound = Bound::Exact;
        }
    }

    /// Returns the static evaluation of a position, from the point of view of the side to move, in
    /// centipawns.
    pub fn static_score(&self, position: &Position) -> Score {
        match self.network() {
            Some(network) => nnue::evaluate(network, position),
            None => evaluate(position),
        }
    }

    /// Returns the hash entry of a position.
    pub(crate) fn probe(&self, game: &Game) -> Option<Probe> {
        let Entry { best, score, depth, bound, .. } = self.hash_table.upgrade()?.probe(hash_key(game), 0)?;
        let best = best.filter(|&mv| game.position().is_legal(mv));
        Some(Probe { best, score: reported(score), bound: bound?, depth: depth.max(0) as u32 })
    }

    /// Returns the settings of a search.
    pub(crate) fn settings(&self) -> Settings {
        let options = &self.options;
        let Options { multipv, move_overhead, ponder, randomness, seed, .. } = **options;
        Settings {
            params: options.params.clone(),
            multipv,
            terms: options.terms(),
            overhead: Duration::from_millis(move_overhead),
            ponder,
            randomness,
            tablebases: Arc::clone(&self.tablebases),
            seed,
        }
    }
}
