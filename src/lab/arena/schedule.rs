//! Who meets whom, in which order, with which colour and from which opening: all of it follows from the number of the game.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The plan of a match. Every opening is played twice, with both colours, unless single games were asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    encounters: Vec<(usize, usize)>,
    games: u32,
    openings: usize,
    /// Games of each opening and encounter: 2, or 1.
    games_of_opening: u32,
}

/// A share of work for several machines; of a plan every `of`th pair of games, from the `number`th on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// From 1 to `of`.
    pub number: u32,
    /// How many parts there are.
    pub of: u32,
}

impl Part {
    /// Its share of a list of so many, as places from 0: the shares of all parts, one after the other, are the list.
    pub fn range(self, count: usize) -> Range<usize> {
        let end = |number: u32| (count as u128 * u128::from(number) / u128::from(self.of)) as usize;
        end(self.number - 1)..end(self.number)
    }
}

/// Reads `2/8`.
impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let bad = || format!("{text:?} is not a part such as 2/8");
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

/// One game of the plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// The number of the game in the match, from 1.
    pub number: u32,
    /// Which of [`Schedule::encounters`].
    pub encounter: usize,
    /// Which pair of games of the encounter, from 0.
    pub pair: u32,
    /// Whether colours are exchanged: the encounter's second player has Red.
    pub exchanged: bool,
    /// The player with the red pieces.
    pub red: usize,
    /// The player with the black pieces.
    pub black: usize,
    /// The opening's number, from 0.
    pub opening: usize,
}

impl Schedule {
    /// A plan in which each two players (or the first and each other one, in a `gauntlet`) play `games` games, rounded up to pairs.
    pub fn new(players: usize, gauntlet: bool, games: u32, openings: usize) -> Schedule {
        let firsts = if gauntlet { 1 } else { players };
        let encounters: Vec<(usize, usize)> =
            (0..firsts).flat_map(|first| (first + 1..players).map(move |second| (first, second))).collect();
        let games = games.div_ceil(2).saturating_mul(2).saturating_mul(len(&encounters));
        Schedule { encounters, games, openings: openings.max(1), games_of_opening: 2 }
    }

    /// A plan for two players in which every game has an opening of its own; colours alternate.
    pub fn single_games(games: u32, openings: usize) -> Schedule {
        Schedule { encounters: vec![(0, 1)], games, openings: openings.max(1), games_of_opening: 1 }
    }

    /// The players of each encounter.
    pub fn encounters(&self) -> &[(usize, usize)] {
        &self.encounters
    }

    /// How many games are planned.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// A game of the plan, `number` from 1. All encounters play an opening before the next opening comes.
    pub fn fixture(&self, number: u32) -> Fixture {
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

    /// All games of the plan in their order, or those of a part of it. Both games of an opening are of one part.
    pub fn fixtures(&self, part: Option<Part>) -> impl Iterator<Item = Fixture> {
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
