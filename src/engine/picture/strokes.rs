//! Characters and pictograms as strokes: SVG paths on a grid of 100 × 100, drawn with round caps, so that no
//! font is needed.

use chuhe_board::{Kind, Piece, Side};

/// Width of the strokes in grid units.
pub(crate) const STROKE_WIDTH: f64 = 7.8;

/// Characters of the pieces and of the river as handwritten strokes. Each kind also has a pictogram, named by
/// its letter: a crown, a fan, an elephant, a horse's head, a chariot wheel, a cannon and a soldier. The web
/// page reads the same file.
const STROKES: [[&str; 2]; 30] = include!("strokes.json");

/// The stroke file for programs in other languages: a list of names and paths.
pub const JSON: &str = include_str!("strokes.json");

/// Returns the strokes of a character on the pieces or the river, or of the pictogram for a kind's letter;
/// `None` for other characters.
pub(crate) fn character(character: char) -> Option<&'static str> {
    let [_, path] = STROKES.iter().find(|[name, _]| name.starts_with(character))?;
    Some(path)
}

/// Returns the strokes of a kind's pictogram.
pub(crate) fn pictogram(kind: Kind) -> &'static str {
    character(Piece::new(Side::Red, kind).letter()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_is_made_of_commands_and_stays_on_the_grid() {
        for [_, path] in STROKES {
            assert!(
                path.starts_with('M') && path.chars().all(|c| "MLHVQAZ .".contains(c) || c.is_ascii_digit()),
                "{path}"
            );
            let numbers = path.split(|c: char| !c.is_ascii_digit() && c != '.').filter(|number| !number.is_empty());
            for number in numbers {
                let number: f64 = number.parse().expect("a number");
                assert!((0.0..=97.0).contains(&number), "{number} in {path}");
            }
        }
    }

    #[test]
    fn no_two_are_drawn_alike() {
        let paths: std::collections::HashSet<&str> = STROKES.into_iter().map(|[_, path]| path).collect();
        assert_eq!(paths.len(), STROKES.len());
    }

    #[test]
    fn every_kind_has_a_pictogram() {
        Kind::ALL.into_iter().for_each(|kind| assert!(pictogram(kind).starts_with('M'), "{kind:?}"));
    }
}
