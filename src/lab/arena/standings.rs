//! Statistics of a match: points, reasons, and each player's resources and faults.
//!
//! `report` formats them for readers, `summary` for programs.

use super::end_reason::GameEndReason;
use super::played::Played;
use super::schedule::{Fixture, Schedule};
use super::statistics::{Elo, GameCounts, Pairs, Sprt, Verdict};
use chuhe_board::rules::Outcome;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// Statistics of a match, updated game by game.
#[derive(Clone, Debug)]
pub struct Standings {
    pub(super) names: Vec<String>,
    pub(super) schedule: Schedule,
    pub(super) sprt: Option<Sprt>,
    pub(super) encounters: Vec<Encounter>,
    pub(super) players: Vec<PlayerStanding>,
    /// Games won by Red, drawn, and won by Black, by reason.
    pub(super) reasons: BTreeMap<GameEndReason, [u64; 3]>,
    pub(super) plies: u64,
    /// History of the first encounter: (games, Elo).
    pub(super) elo_history: Vec<(f64, Elo)>,
    /// Warnings about the players' options.
    pub(super) warnings: Vec<String>,
}

/// Results of two players against each other, from the first player's point of view.
#[derive(Clone, Debug, Default)]
pub(super) struct Encounter {
    pub(super) games: GameCounts,
    pub(super) pairs: Pairs,
    /// Outcomes of the finished games in incomplete pairs, by pair.
    open_pairs: HashMap<u32, Outcome>,
}

impl Encounter {
    /// Adds a game. `pair` is the number of the pair to which the game belongs.
    pub(super) fn add(&mut self, pair: u32, outcome: Outcome) {
        self.games.add(outcome);
        match self.open_pairs.remove(&pair) {
            Some(other) => self.pairs.add(outcome, other),
            None => drop(self.open_pairs.insert(pair, outcome)),
        }
    }

    /// Returns the Elo difference. It is computed from pairs if there are any, since pairs are more
    /// informative.
    pub(super) fn elo(&self) -> Elo {
        if self.pairs.total() > 0 { Elo::of(&self.pairs) } else { Elo::of(&self.games) }
    }
}

/// Statistics of a player over all its games.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct PlayerStanding {
    #[serde(skip)]
    pub(super) games: GameCounts,
    #[serde(skip)]
    pub(super) as_red: GameCounts,
    pub(super) moves: u64,
    #[serde(rename = "us")]
    pub(super) microseconds: u64,
    #[serde(rename = "slowest_us")]
    pub(super) slowest_microseconds: u64,
    pub(super) nodes: u64,
    /// Time of the moves whose node count is known.
    #[serde(rename = "us_of_nodes")]
    pub(super) microseconds_of_nodes: u64,
    /// Number of moves whose depth is known.
    #[serde(rename = "depths")]
    pub(super) depth_count: u64,
    pub(super) depth_sum: u64,
    pub(super) faults: BTreeMap<GameEndReason, u64>,
}

impl Standings {
    /// Creates empty statistics.
    pub fn new(names: Vec<String>, schedule: Schedule, sprt: Option<Sprt>) -> Standings {
        let encounters = vec![Encounter::default(); schedule.encounters().len()];
        let players = vec![PlayerStanding::default(); names.len()];
        Standings {
            names,
            schedule,
            sprt,
            encounters,
            players,
            reasons: BTreeMap::new(),
            plies: 0,
            elo_history: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Adds the warnings about the players' options.
    pub(crate) fn with_warnings(self, warnings: Vec<String>) -> Standings {
        Standings { warnings, ..self }
    }

    /// Adds a game with a result.
    pub fn add(&mut self, game: &Played) {
        let Fixture { encounter, pair, exchanged, red, black, .. } = self.schedule.fixture(game.game);
        let Some(for_red) = game.outcome_for_red() else { return };
        self.reasons.entry(game.reason).or_default()[2 - usize::from(for_red.half_points())] += 1;
        self.plies += (game.moves.len() - game.opening_plies.min(game.moves.len())) as u64;
        let for_first = if exchanged { !for_red } else { for_red };
        self.encounters[encounter].add(pair, for_first);
        self.players[red].as_red.add(for_red);
        for (player, outcome) in [(red, for_red), (black, !for_red)] {
            let standing = &mut self.players[player];
            standing.games.add(outcome);
            for spoken in game.of_player(&self.names[player]) {
                standing.moves += 1;
                standing.microseconds += spoken.microseconds;
                standing.slowest_microseconds = standing.slowest_microseconds.max(spoken.microseconds);
                if let Some(nodes) = spoken.nodes {
                    standing.nodes += nodes;
                    standing.microseconds_of_nodes += spoken.microseconds;
                }
                if let Some(depth) = spoken.depth {
                    standing.depth_count += 1;
                    standing.depth_sum += u64::from(depth);
                }
            }
            if let Some(fault) = game.fault.as_ref().filter(|fault| fault.player == self.names[player]) {
                *standing.faults.entry(fault.kind).or_default() += 1;
            }
        }
        if encounter == 0 {
            let score = &self.encounters[0];
            self.elo_history.push((score.games.total() as f64, score.elo()));
        }
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.encounters.iter().map(|encounter| encounter.games.total()).sum()
    }

    /// Returns the number of games that ended because of a player's fault.
    pub fn faults(&self) -> u64 {
        self.players.iter().flat_map(|player| player.faults.values()).sum()
    }

    /// Returns the verdict of the sequential test, if there is a test.
    pub fn verdict(&self) -> Option<Verdict> {
        self.sprt.map(|sprt| sprt.verdict(&self.encounters[0].pairs))
    }
}

impl PlayerStanding {
    pub(super) fn mean_depth(&self) -> f64 {
        self.depth_sum as f64 / self.depth_count.max(1) as f64
    }

    /// Returns the nodes per second.
    pub(super) fn speed(&self) -> f64 {
        self.nodes as f64 * 1e6 / self.microseconds_of_nodes.max(1) as f64
    }
}
