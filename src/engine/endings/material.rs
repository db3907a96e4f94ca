//! Names of endings: the pieces of the stronger side, a hyphen, and the pieces of the weaker side, without
//! the kings: `RP-AAEE`.

use chuhe_board::{Kind, Position, Side};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Kinds and their letters, in the order used in names: attackers first.
const LETTERS: [(Kind, char); 6] = [
    (Kind::Rook, 'R'),
    (Kind::Horse, 'H'),
    (Kind::Cannon, 'C'),
    (Kind::Pawn, 'P'),
    (Kind::Advisor, 'A'),
    (Kind::Elephant, 'E'),
];
/// Number of kinds in [`LETTERS`] that can cross the river.
const ATTACKERS: usize = 4;
/// Maximum total number of attackers in a table.
pub(crate) const MAX_ATTACKERS: u32 = 3;

/// Number of pieces by side and kind. Red is the stronger side in every table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Material {
    /// Counts by side and kind; the kinds are in the order of [`LETTERS`].
    counts: [[u8; 6]; 2],
}

impl Material {
    /// Returns the material of a position.
    pub fn of(position: &Position) -> Material {
        Material::counted(|side, kind| position.pieces(side, kind).count() as u8)
    }

    fn counted(count: impl Fn(Side, Kind) -> u8) -> Material {
        Material { counts: Side::ALL.map(|side| LETTERS.map(|(kind, _)| count(side, kind))) }
    }

    /// Returns the number of pieces of a kind and side; kings are not counted.
    pub fn count(&self, side: Side, kind: Kind) -> u8 {
        let place = LETTERS.iter().position(|(known, _)| *known == kind);
        place.map_or(0, |place| self.counts[side.index()][place])
    }

    /// Returns the number of pieces, including kings.
    pub fn pieces(&self) -> u32 {
        2 + self.counts.iter().flatten().map(|count| u32::from(*count)).sum::<u32>()
    }

    /// Returns the number of pieces of a side that can cross the river.
    pub fn attackers(&self, side: Side) -> u32 {
        self.counts[side.index()][..ATTACKERS].iter().map(|count| u32::from(*count)).sum()
    }

    /// Returns `true` if both sides have a piece that can cross the river.
    pub(crate) fn both_attack(&self) -> bool {
        Side::ALL.into_iter().all(|side| self.attackers(side) > 0)
    }

    /// Returns `true` if neither side has a piece that can cross the river, so that the position is drawn by
    /// rule.
    pub(crate) fn is_dead(&self) -> bool {
        Side::ALL.into_iter().all(|side| self.attackers(side) == 0)
    }

    /// Returns the material with the stronger side as Red, and `true` if colours were swapped. The stronger
    /// side has more attackers. If the numbers are equal, it has the attackers whose letters come first in
    /// names; if these are equal too, it has more guards.
    pub fn normal(&self) -> (Material, bool) {
        let strength = |side: Side| (self.attackers(side), self.counts[side.index()]);
        match strength(Side::Red) < strength(Side::Black) {
            true => (Material { counts: [self.counts[1], self.counts[0]] }, true),
            false => (*self, false),
        }
    }

    /// Returns the material after the capture of a piece, which must exist.
    pub(crate) fn without(&self, side: Side, kind: Kind) -> Material {
        Material::counted(|other_side, other| {
            self.count(other_side, other) - u8::from((other_side, other) == (side, kind))
        })
    }

    /// Returns the endings in normal form that result from one capture and are not drawn by rule.
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

    /// Returns the ending and all endings reachable by captures, without duplicates, in an order in which
    /// they can be generated.
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

    /// Returns all endings in which Red has `attackers` attackers, at most `own[0]` advisors and at most
    /// `own[1]` elephants, and Black has only guards or a bare king.
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

/// Calls `visit` with every combination of `left` attackers of the kinds with index `kind` or higher.
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

/// Writes the name, such as `RP-AAEE`.
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

/// Reason why a string is not the name of a supported ending.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NotAnEnding {
    /// No hyphen, or more than one.
    #[error("a name has the pieces of both sides separated by a hyphen, as in RP-AAEE")]
    NoDash,
    /// A character that does not represent a piece.
    #[error("{0:?} is not one of R, H, C, P, A and E")]
    Letter(char),
    /// More pieces of a kind than a full set contains.
    #[error("too many {0} on one side")]
    TooMany(char),
    /// Neither side can win.
    #[error("without a rook, horse, cannon or pawn the ending is drawn")]
    Dead,
    /// Too many attackers for a table.
    #[error("tables have at most {MAX_ATTACKERS} attackers")]
    TooLarge,
    /// The weaker side comes first; contains the normal form.
    #[error("the stronger side comes first: {0}")]
    WeakerFirst(Material),
}

/// Parses a name such as `RP-AAEE`, in either case and in any order on each side.
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
            _ if attackers > MAX_ATTACKERS => Err(NotAnEnding::TooLarge),
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
        assert_eq!(error("RAAEE"), "a name has the pieces of both sides separated by a hyphen, as in RP-AAEE");
        assert_eq!(error("R-A-E"), error("RAAEE"));
        assert_eq!(error("X-A"), "'X' is not one of R, H, C, P, A and E");
        assert_eq!(error("R-AAA"), "too many A on one side");
        assert_eq!(error("A-E"), "without a rook, horse, cannon or pawn the ending is drawn");
        assert_eq!(error("RR-HH"), "tables have at most 3 attackers");
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
