//! Names of endings: the pieces of the stronger side, a dash, those of the weaker, kings understood: `RP-AAEE`.

use chuhe_board::{Kind, Position, Side};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The order of the kinds in a name, attackers first, with their letters.
const LETTERS: [(Kind, char); 6] = [
    (Kind::Rook, 'R'),
    (Kind::Horse, 'H'),
    (Kind::Cannon, 'C'),
    (Kind::Pawn, 'P'),
    (Kind::Advisor, 'A'),
    (Kind::Elephant, 'E'),
];
/// How many of [`LETTERS`] can cross the river.
const ATTACKERS: usize = 4;
/// A table of more attackers than this, of both sides together, fits no machine.
pub const MOST_ATTACKERS: u32 = 3;

/// How many pieces of each kind both sides have. Red is the stronger side in every table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Material {
    /// By side, in the order of the names.
    counts: [[u8; 6]; 2],
}

impl Material {
    /// The material on a board.
    pub fn of(position: &Position) -> Material {
        Material::counted(|side, kind| position.pieces(side, kind).count() as u8)
    }

    fn counted(count: impl Fn(Side, Kind) -> u8) -> Material {
        Material { counts: Side::ALL.map(|side| LETTERS.map(|(kind, _)| count(side, kind))) }
    }

    /// How many pieces of a kind a side has, apart from the king.
    pub fn count(&self, side: Side, kind: Kind) -> u8 {
        let place = LETTERS.iter().position(|(known, _)| *known == kind);
        place.map_or(0, |place| self.counts[side.index()][place])
    }

    /// How many pieces there are on the board, the kings among them.
    pub fn pieces(&self) -> u32 {
        2 + self.counts.iter().flatten().map(|count| u32::from(*count)).sum::<u32>()
    }

    /// How many pieces of a side can cross the river.
    pub fn attackers(&self, side: Side) -> u32 {
        self.counts[side.index()][..ATTACKERS].iter().map(|count| u32::from(*count)).sum()
    }

    /// Whether both sides have a piece that can cross the river.
    pub fn both_attack(&self) -> bool {
        Side::ALL.into_iter().all(|side| self.attackers(side) > 0)
    }

    /// Whether neither side has a piece that can cross the river: drawn by rule.
    pub fn is_dead(&self) -> bool {
        Side::ALL.into_iter().all(|side| self.attackers(side) == 0)
    }

    /// With the stronger side as Red, and whether the colours had to be swapped for that: more attackers are stronger, then attackers that
    /// come first in a name, then more guards.
    pub fn normal(&self) -> (Material, bool) {
        let strength = |side: Side| (self.attackers(side), self.counts[side.index()]);
        match strength(Side::Red) < strength(Side::Black) {
            true => (Material { counts: [self.counts[1], self.counts[0]] }, true),
            false => (*self, false),
        }
    }

    /// What is left after the capture of a piece that there is.
    pub fn without(&self, side: Side, kind: Kind) -> Material {
        Material::counted(|other_side, other| {
            self.count(other_side, other) - u8::from((other_side, other) == (side, kind))
        })
    }

    /// The endings, in their normal form, that one capture leads to and that are not dead.
    pub fn captures(&self) -> Vec<Material> {
        let pieces = Side::ALL.into_iter().flat_map(|side| LETTERS.map(|(kind, _)| (side, kind)));
        let there = pieces.filter(|(side, kind)| self.count(*side, *kind) > 0);
        let mut left: Vec<Material> = there
            .map(|(side, kind)| self.without(side, kind).normal().0)
            .filter(|material| !material.is_dead())
            .collect();
        left.sort_unstable();
        left.dedup();
        left
    }

    /// The ending itself after all those that captures lead to, each once, in an order in which they can be made.
    pub fn family(&self) -> Vec<Material> {
        let mut family = Vec::new();
        self.add_to(&mut family);
        family
    }

    fn add_to(&self, family: &mut Vec<Material>) {
        if !family.contains(self) {
            self.captures().iter().for_each(|sub| sub.add_to(family));
            family.push(*self);
        }
    }

    /// All endings in which only Red has attackers, so many of them, with no more guards of its own than `own`; Black has any guards.
    pub fn against_guards(attackers: u32, own: [u8; 2]) -> Vec<Material> {
        let mut all = Vec::new();
        let mut red = [0; 6];
        choose(attackers, 0, &mut red, &mut |red| {
            for guards in 0..(own[0] + 1) * (own[1] + 1) * 9 {
                let (mine, theirs) = (guards / 9, guards % 9);
                let mut counts = [*red, [0; 6]];
                (counts[0][4], counts[0][5]) = (mine / (own[1] + 1), mine % (own[1] + 1));
                (counts[1][4], counts[1][5]) = (theirs / 3, theirs % 3);
                all.push(Material { counts });
            }
        });
        all
    }
}

/// Calls `visit` with every choice of so many attackers of the kinds from `kind` on.
fn choose(left: u32, kind: usize, counts: &mut [u8; 6], visit: &mut impl FnMut(&[u8; 6])) {
    if left == 0 {
        return visit(counts);
    }
    for kind in kind..ATTACKERS {
        if u32::from(counts[kind]) < LETTERS[kind].0.in_a_set() {
            counts[kind] += 1;
            choose(left - 1, kind, counts, visit);
            counts[kind] -= 1;
        }
    }
}

/// Writes `RP-AAEE`.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for side in Side::ALL {
            if side == Side::Black {
                f.write_str("-")?;
            }
            for (place, (_, letter)) in LETTERS.iter().enumerate() {
                (0..self.counts[side.index()][place]).try_for_each(|_| write!(f, "{letter}"))?;
            }
        }
        Ok(())
    }
}

/// Why a text is not the name of an ending that a table can hold.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NotAnEnding {
    /// It has no dash, or two.
    #[error("a name has the pieces of both sides with a dash between, as in RP-AAEE")]
    NoDash,
    /// A character that is no piece.
    #[error("{0:?} is none of R, H, C, P, A and E")]
    Letter(char),
    /// More of a piece than a set has.
    #[error("a side has not so many {0}")]
    TooMany(char),
    /// Nobody can win it.
    #[error("without a rook, horse, cannon or pawn it is drawn")]
    Dead,
    /// More attackers than a table can hold.
    #[error("more than {MOST_ATTACKERS} attackers are too many for a table")]
    TooLarge,
    /// The weaker side comes first: the name the other way round.
    #[error("the stronger side comes first: {0}")]
    WeakerFirst(Material),
}

/// Reads `RP-AAEE`, in either case and in any order on each side.
impl FromStr for Material {
    type Err = NotAnEnding;

    fn from_str(text: &str) -> Result<Material, NotAnEnding> {
        let (red, black) = text.split_once('-').ok_or(NotAnEnding::NoDash)?;
        let mut counts = [[0; 6]; 2];
        for (side, letters) in [red, black].into_iter().enumerate() {
            for letter in letters.chars() {
                let capital = letter.to_ascii_uppercase();
                let place = LETTERS.iter().position(|(_, known)| *known == capital);
                let place =
                    place.ok_or(if letter == '-' { NotAnEnding::NoDash } else { NotAnEnding::Letter(letter) })?;
                counts[side][place] += 1;
                if u32::from(counts[side][place]) > LETTERS[place].0.in_a_set() {
                    return Err(NotAnEnding::TooMany(capital));
                }
            }
        }
        let material = Material { counts };
        let attackers = material.attackers(Side::Red) + material.attackers(Side::Black);
        match material.normal() {
            _ if attackers == 0 => Err(NotAnEnding::Dead),
            _ if attackers > MOST_ATTACKERS => Err(NotAnEnding::TooLarge),
            (stronger_first, true) => Err(NotAnEnding::WeakerFirst(stronger_first)),
            (material, false) => Ok(material),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for name in ["H-A", "R-", "RP-AAEE", "CAAEE-AAEE", "PP-AA", "R-C", "RHC-"] {
            let material: Material = name.parse().expect(name);
            assert_eq!(material.to_string(), name);
        }
        let shuffled: Material = "eapr-EeAa".parse().expect("any order");
        assert_eq!(shuffled.to_string(), "RPAE-AAEE");
    }

    #[test]
    fn wrong_names_are_told_what_is_wrong() {
        let error = |text: &str| text.parse::<Material>().expect_err(text).to_string();
        assert_eq!(error("RAAEE"), "a name has the pieces of both sides with a dash between, as in RP-AAEE");
        assert_eq!(error("R-A-E"), error("RAAEE"));
        assert_eq!(error("X-A"), "'X' is none of R, H, C, P, A and E");
        assert_eq!(error("R-AAA"), "a side has not so many A");
        assert_eq!(error("A-E"), "without a rook, horse, cannon or pawn it is drawn");
        assert_eq!(error("RR-HH"), "more than 3 attackers are too many for a table");
        assert_eq!(error("A-R"), "the stronger side comes first: R-A");
    }

    #[test]
    fn captures_lead_to_smaller_endings_made_before() {
        let material: Material = "RC-AE".parse().expect("a name");
        let captures: Vec<String> = material.captures().iter().map(Material::to_string).collect();
        assert_eq!(captures, ["C-AE", "R-AE", "RC-E", "RC-A"]);
        let family = material.family();
        assert_eq!(family.len(), 12);
        for (place, member) in family.iter().enumerate() {
            assert!(member.captures().iter().all(|sub| family[..place].contains(sub)), "{member}");
        }
        let both: Material = "R-C".parse().expect("a name");
        let captures: Vec<String> = both.captures().iter().map(Material::to_string).collect();
        assert_eq!(captures, ["C-", "R-"], "the cannon's side becomes the stronger one");
    }

    #[test]
    fn lists_hold_every_ending_once() {
        let none = [0, 0];
        assert_eq!(Material::against_guards(1, none).len(), 36);
        assert_eq!(Material::against_guards(1, [2, 2]).len(), 324);
        let mut pairs = Material::against_guards(2, none);
        assert_eq!(pairs.len(), 90);
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(pairs.len(), 90);
        assert!(pairs.iter().all(|pair| pair.to_string().parse() == Ok(*pair)));
    }
}
