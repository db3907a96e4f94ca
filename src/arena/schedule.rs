//! Who meets whom, in which order, with which colour and from which opening: all of it follows from the number of the game.

/// The plan of a match. Every opening is played twice, with both colours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    encounters: Vec<(usize, usize)>,
    pairs: u32,
    openings: usize,
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
        let encounters =
            (0..firsts).flat_map(|first| (first + 1..players).map(move |second| (first, second))).collect();
        Schedule { encounters, pairs: games.div_ceil(2), openings: openings.max(1) }
    }

    /// The players of each encounter.
    pub fn encounters(&self) -> &[(usize, usize)] {
        &self.encounters
    }

    /// How many games are planned.
    pub fn games(&self) -> u32 {
        self.pairs * 2 * self.encounters.len() as u32
    }

    /// A game of the plan, `number` from 1. All encounters play an opening before the next opening comes.
    pub fn fixture(&self, number: u32) -> Fixture {
        let index = number.saturating_sub(1);
        let exchanged = index % 2 == 1;
        let count = self.encounters.len() as u32;
        let (pair, encounter) = (index / 2 / count, (index / 2 % count) as usize);
        let (first, second) = self.encounters[encounter];
        let (red, black) = if exchanged { (second, first) } else { (first, second) };
        Fixture { number, encounter, pair, exchanged, red, black, opening: pair as usize % self.openings }
    }
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
    fn a_gauntlet_is_the_first_against_the_others() {
        assert_eq!(Schedule::new(4, true, 2, 1).encounters(), [(0, 1), (0, 2), (0, 3)]);
    }
}
