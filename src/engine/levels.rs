//! Playing levels: from 1, which a beginner can beat, to 10, the engine's full strength. The search itself
//! does not depend on levels.

use crate::eval::expected_points;
use crate::search::{Conclusion, Limits, Report};
use chuhe_board::random::SplitMix64;
use chuhe_board::rules::Game;
use chuhe_board::score::{Score, mate_in};
use chuhe_board::{Move, Position};
use std::cmp::Reverse;
use std::fmt;

/// Playing strength, 1 to 10.
///
/// ```
/// use chuhe_engine::Level;
///
/// assert_eq!(Level::new(3).map(Level::number), Some(3));
/// assert_eq!(Level::new(11), None);
/// assert_eq!(Level::of_skill(20), Level::FULL);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// Parameters that weaken the engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handicap {
    /// Number of nodes after which no new iteration starts.
    nodes: u64,
    /// Number of best lines among which the move is chosen.
    lines: usize,
    /// Maximum loss of expected points of the chosen move, compared with the best line.
    cap: f64,
    /// Temperature of the choice in expected points: a move that loses this much is chosen e times less often
    /// than the best.
    temperature: f64,
    /// Share of moves chosen by static evaluation alone, without searching replies.
    glances: f64,
    /// `true` if such a choice may miss a mate in one.
    misses_mates: bool,
}

const fn handicap(nodes: u64, lines: usize, cap: f64, temperature: f64) -> Handicap {
    Handicap { nodes, lines, cap, temperature, glances: 0.0, misses_mates: false }
}

/// Handicaps of levels 1 to 9. `docs/levels.md` lists the measured differences.
const HANDICAPS: [Handicap; 9] = [
    Handicap { glances: 0.64, misses_mates: true, ..handicap(40, 5, 0.35, 0.10) },
    Handicap { glances: 0.29, misses_mates: true, ..handicap(47, 5, 0.227, 0.057) },
    Handicap { glances: 0.12, ..handicap(50, 5, 0.216, 0.054) },
    Handicap { glances: 0.035, ..handicap(48, 5, 0.225, 0.056) },
    handicap(85, 5, 0.155, 0.04),
    handicap(210, 5, 0.088, 0.022),
    handicap(330, 4, 0.06, 0.015),
    handicap(490, 3, 0.042, 0.0105),
    handicap(720, 3, 0.028, 0.0075),
];

/// Elo of levels 1 to 10; see [`Level::elo`].
const ELO: [u32; 10] = [1000, 1209, 1392, 1556, 1796, 1997, 2223, 2437, 2581, 2980];

/// Number of moves per side at the start of a game in which the strongest levels below full strength play
/// more randomly, for variety.
const OPENING_MOVES: u16 = 4;

impl Level {
    /// The weakest level.
    pub const WEAKEST: Level = Level(1);
    /// Full strength, without handicap.
    pub const FULL: Level = Level(10);

    /// Returns the level with this number, or `None` if it is not 1 to 10.
    pub fn new(number: u8) -> Option<Level> {
        (Level::WEAKEST.0..=Level::FULL.0).contains(&number).then_some(Level(number))
    }

    /// Returns all levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (Level::WEAKEST.0..=Level::FULL.0).map(Level)
    }

    /// Returns the number, 1 to 10.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Returns the level for a `Skill Level` from 0 to 20, the option sent by programs made for Stockfish.
    pub fn of_skill(skill: u8) -> Level {
        Level(1 + skill.min(20) * 9 / 20)
    }

    /// Returns the strength on Chuhe's own Elo scale: level 1 is 1000, and the differences between
    /// neighbouring levels are measured (`docs/levels.md`). It cannot be compared with human ratings.
    pub fn elo(self) -> u32 {
        ELO[usize::from(self.0) - 1]
    }

    /// Returns the level nearest to an Elo on the scale of [`Level::elo`].
    pub fn of_elo(elo: u32) -> Level {
        Level::all().min_by_key(|level| level.elo().abs_diff(elo)).unwrap_or(Level::FULL)
    }

    /// Returns the handicap; `None` at full strength.
    pub(super) fn handicap(self) -> Option<Handicap> {
        HANDICAPS.get(usize::from(self.0) - 1).copied()
    }
}

impl Default for Level {
    fn default() -> Level {
        Level::FULL
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Handicap {
    /// Searches and chooses a move at this level. `search` searches a given number of best lines; `look`
    /// statically evaluates a position from the point of view of the side to move. The lines of the result
    /// keep the search's order, regardless of the chosen move.
    pub(super) fn think(
        self,
        game: &Game,
        limits: &Limits,
        random: &mut SplitMix64,
        search: impl FnOnce(&Limits, usize) -> Conclusion,
        look: impl Fn(&Position) -> Score,
    ) -> Conclusion {
        let handicap = self.in_the_opening(game.position().move_number());
        let soft_nodes = limits.soft_nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes));
        let mut conclusion = search(&Limits { soft_nodes: Some(soft_nodes), ..limits.clone() }, handicap.lines);
        let has_mate = conclusion.lines.first().is_some_and(|report| report.score >= mate_in(1));
        let moves = if random.unit_f64() < self.glances && (self.misses_mates || !has_mate) {
            at_a_glance(game.position(), limits, look)
        } else {
            conclusion.lines.iter().filter_map(|report| Some((*report.pv.first()?, report.score))).collect()
        };
        if let Some(chosen) = handicap.choose(&moves, random) {
            let line = conclusion.lines.iter().find(|report| report.pv.first() == Some(&chosen)).cloned();
            conclusion.ponder = line.as_ref().and_then(|report| report.pv.get(1).copied());
            conclusion.best = Some(chosen);
            // A move chosen by static evaluation alone has no continuation.
            let glance = || {
                let &(_, score) = moves.iter().find(|(mv, _)| *mv == chosen)?;
                Some(Report { depth: 1, seldepth: 1, score, pv: vec![chosen], ..conclusion.lines.first()?.clone() })
            };
            if conclusion.main_line().first() != Some(&chosen) {
                conclusion.chosen = line.or_else(glance).map(|line| Report { multipv: 1, ..line });
            }
        }
        conclusion
    }

    /// Returns the handicap, with more randomness in the first moves of a game.
    fn in_the_opening(self, move_number: u16) -> Handicap {
        if move_number > OPENING_MOVES {
            return self;
        }
        Handicap { lines: self.lines.max(3), cap: self.cap.max(0.04), temperature: self.temperature.max(0.02), ..self }
    }

    /// Chooses one of `moves`, which are sorted by score, best first. A mate in one is always played.
    fn choose(self, moves: &[(Move, Score)], random: &mut SplitMix64) -> Option<Move> {
        let &(best, score) = moves.first()?;
        if score >= mate_in(1) {
            return Some(best);
        }
        let loss = |other: Score| (expected_points(score) - expected_points(other)).max(0.0);
        let near_best = moves.iter().take(self.lines).filter(|(_, other)| loss(*other) <= self.cap);
        let weights: Vec<(Move, f64)> =
            near_best.map(|&(mv, other)| (mv, (-loss(other) / self.temperature).exp())).collect();
        let mut left = random.unit_f64() * weights.iter().map(|(_, weight)| weight).sum::<f64>();
        let chosen = weights.iter().find(|(_, weight)| {
            left -= weight;
            left < 0.0
        });
        Some(chosen.map_or(best, |&(mv, _)| mv))
    }
}

/// Returns every allowed move with the static evaluation after it, best first.
fn at_a_glance(position: &Position, limits: &Limits, look: impl Fn(&Position) -> Score) -> Vec<(Move, Score)> {
    let mut board = position.clone();
    let mut moves: Vec<(Move, Score)> = Vec::new();
    for mv in position.legal_moves() {
        if limits.banned.contains(&mv) || !(limits.only.is_empty() || limits.only.contains(&mv)) {
            continue;
        }
        let undo = board.make(mv);
        moves.push((mv, -look(&board)));
        board.unmake(mv, undo);
    }
    moves.sort_by_key(|&(_, score)| Reverse(score));
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVELS: [u8; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

    #[test]
    fn skill_and_elo_reach_every_level_in_order() {
        let skills: Vec<u8> = (0..=20).map(|skill| Level::of_skill(skill).number()).collect();
        assert!(skills.is_sorted() && LEVELS.iter().all(|level| skills.contains(level)), "{skills:?}");
        for level in Level::all() {
            assert_eq!(Level::of_elo(level.elo()), level);
        }
        assert_eq!([0, u32::MAX].map(Level::of_elo), [Level::WEAKEST, Level::FULL]);
        assert!(Level::all().map(Level::elo).is_sorted());
    }

    #[test]
    fn only_the_last_level_is_without_a_handicap() {
        for level in Level::all() {
            assert_eq!(level.handicap().is_none(), level == Level::FULL, "{level}");
        }
        assert!(Level::all().skip(2).filter_map(Level::handicap).all(|handicap| !handicap.misses_mates));
    }

    #[test]
    fn a_choice_stays_within_the_cap_and_prefers_the_better() {
        let moves: Vec<(Move, Score)> = [("a0a1", 0), ("a0a2", -20), ("a0a3", -40), ("a0a4", -900), ("a0a5", 0)]
            .map(|(mv, score)| (mv.parse().expect("a move"), score))
            .to_vec();
        let (mut random, handicap) = (SplitMix64::new(1), handicap(1, 4, 0.1, 0.03));
        let mut counts = [0; 5];
        for _ in 0..1000 {
            let chosen = handicap.choose(&moves, &mut random).expect("a move");
            counts[moves.iter().position(|&(mv, _)| mv == chosen).expect("one of them")] += 1;
        }
        assert!(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] > 0, "{counts:?}");
        assert_eq!(counts[3..], [0, 0]);
    }
}
