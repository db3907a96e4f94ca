//! Schedule of a match. The number of a game determines its players, colours and opening.
//!
//! An encounter is two players who play each other, a fixture is one game of the schedule, and a pair is two
//! games with the same opening and reversed colours.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use thiserror::Error;

/// Schedule of a match. Every opening is played twice, with reversed colours, unless single games are
/// requested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    encounters: Vec<(usize, usize)>,
    games: u32,
    openings: usize,
    /// Games per opening and encounter: 2 with reversed colours, 1 if single games are requested.
    games_of_opening: u32,
}

/// A share of the work for several machines: every `of`th pair of games, starting with `number`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Number of the part, from 1 to `of`.
    pub number: u32,
    /// Number of parts.
    pub of: u32,
}

impl Part {
    /// Returns the part's range in a list of `count` elements; the ranges of all parts cover the list.
    pub fn range(self, count: usize) -> Range<usize> {
        let end = |number: u32| (count as u128 * u128::from(number) / u128::from(self.of)) as usize;
        end(self.number - 1)..end(self.number)
    }
}

/// A string that is not a [`Part`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is not a part such as 2/8")]
pub struct NotAPart(pub String);

/// Parses `2/8`.
impl FromStr for Part {
    type Err = NotAPart;

    fn from_str(text: &str) -> Result<Part, NotAPart> {
        let bad = || NotAPart(text.to_owned());
        let (number, of) = text.split_once('/').ok_or_else(bad)?;
        let part = Part { number: number.parse().map_err(|_| bad())?, of: of.parse().map_err(|_| bad())? };
        if (1..=part.of).contains(&part.number) { Ok(part) } else { Err(bad()) }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// A game of the schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Number of the game in the match, from 1.
    pub number: u32,
    /// Index of the encounter in the schedule.
    pub encounter: usize,
    /// Index of the pair of games in the encounter, from 0.
    pub pair: u32,
    /// `true` if colours are reversed: the encounter's second player plays Red.
    pub exchanged: bool,
    /// Index of Red's player.
    pub red: usize,
    /// Index of Black's player.
    pub black: usize,
    /// Index of the opening, from 0.
    pub opening: usize,
}

impl Schedule {
    /// Creates a schedule in which each pair of players, or the first and each other player in a `gauntlet`,
    /// plays `games` games, rounded up to pairs.
    pub fn new(players: usize, gauntlet: bool, games: u32, openings: usize) -> Schedule {
        let firsts = if gauntlet { 1 } else { players };
        let encounters: Vec<(usize, usize)> =
            (0..firsts).flat_map(|first| (first + 1..players).map(move |second| (first, second))).collect();
        let games = games.div_ceil(2).saturating_mul(2).saturating_mul(len(&encounters));
        Schedule { encounters, games, openings: openings.max(1), games_of_opening: 2 }
    }

    /// Creates a schedule for two players in which every game has a different opening and colours alternate.
    pub(crate) fn single_games(games: u32, openings: usize) -> Schedule {
        Schedule { encounters: vec![(0, 1)], games, openings: openings.max(1), games_of_opening: 1 }
    }

    /// Returns the indices of the players in each encounter.
    pub(crate) fn encounters(&self) -> &[(usize, usize)] {
        &self.encounters
    }

    /// Returns the number of planned games.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Returns a game in the schedule; `number` starts at 1. An opening is played in all encounters before
    /// the next opening is used.
    pub(crate) fn fixture(&self, number: u32) -> Fixture {
        let index = number.saturating_sub(1);
        let exchanged = index % 2 == 1;
        let round = index / self.games_of_opening;
        let count = len(&self.encounters);
        let encounter = (round % count) as usize;
        let (first, second) = self.encounters[encounter];
        let (red, black) = if exchanged { (second, first) } else { (first, second) };
        let opening = (round / count) as usize % self.openings;
        Fixture { number, encounter, pair: index / 2 / count, exchanged, red, black, opening }
    }

    /// Returns the games of the schedule in order: all games, or the games of a part. Both games of an
    /// opening belong to the same part.
    pub(crate) fn fixtures(&self, part: Option<Part>) -> impl Iterator<Item = Fixture> {
        let is_ours = move |number: &u32| part.is_none_or(|part| (number - 1) / 2 % part.of == part.number - 1);
        (1..=self.games).filter(is_ours).map(|number| self.fixture(number))
    }
}

fn len(encounters: &[(usize, usize)]) -> u32 {
    encounters.len() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opening_is_played_with_both_colours() {
        let schedule = Schedule::new(3, false, 3, 2);
        assert_eq!(schedule.encounters(), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(schedule.games(), 12);
        for number in (1..=12).step_by(2) {
            let (one, two) = (schedule.fixture(number), schedule.fixture(number + 1));
            assert_eq!((one.red, one.black, one.opening), (two.black, two.red, two.opening));
            assert_eq!((one.exchanged, two.exchanged), (false, true));
        }
        assert_eq!(schedule.fixture(7).opening, 1);
    }

    #[test]
    fn single_games_have_openings_of_their_own_and_alternate_colours() {
        let schedule = Schedule::single_games(5, 3);
        let fixtures: Vec<Fixture> = schedule.fixtures(None).collect();
        assert_eq!(fixtures.iter().map(|fixture| fixture.opening).collect::<Vec<_>>(), [0, 1, 2, 0, 1]);
        assert_eq!(fixtures.iter().map(|fixture| fixture.red).collect::<Vec<_>>(), [0, 1, 0, 1, 0]);
    }

    #[test]
    fn parts_share_the_plan() {
        let schedule = Schedule::new(3, false, 7, 2);
        let mut shared: Vec<Fixture> = Vec::new();
        for number in 1..=3 {
            let part: Vec<Fixture> = schedule.fixtures(Some(Part { number, of: 3 })).collect();
            assert!(part.chunks(2).all(|pair| pair[0].opening == pair[1].opening && pair[0].red == pair[1].black));
            shared.extend(part);
        }
        shared.sort_by_key(|fixture| fixture.number);
        assert_eq!(shared, schedule.fixtures(None).collect::<Vec<_>>());
        assert_eq!("2/8".parse(), Ok(Part { number: 2, of: 8 }));
        for bad in ["0/2", "3/2", "1", "1/0", "a/b", "-1/2"] {
            assert!(bad.parse::<Part>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_gauntlet_is_the_first_against_the_others() {
        assert_eq!(Schedule::new(4, true, 2, 1).encounters(), [(0, 1), (0, 2), (0, 3)]);
    }
}
