//! Characters and pictograms as strokes: paths of SVG on a grid of 100 × 100, drawn with round caps, so that no font is needed.

use crate::board::Kind;

/// How wide the strokes are, in units of the grid.
pub const STROKE_WIDTH: f64 = 7.8;

/// The characters of the pieces and of the river, as they are written by hand, stroke after stroke.
const CHARACTERS: [(char, &str); 23] = [
    ('帥', "M30 5L24 18M14 20V93M14 21H42V45H14M14 59H44V87H14M54 28V79M54 28H92V70Q92 80 80 76M73 6V97"),
    ('仕', "M28 7Q21 30 6 47M19 35V95M38 39H96M67 9V87M45 88H90"),
    ('相', "M6 30H46M27 7V96M26 34Q20 56 5 71M29 40L44 60M56 13H91V93H56ZM56 40H91M56 66H91"),
    (
        '傌',
        "M28 7Q21 30 6 47M19 35V95M44 11V61M44 12H90M67 12V60M44 28H87M44 44H87M44 61H94Q95 84 89 94L80 90M38 72L35 89M51 73L53 87M64 73L67 86M77 72L81 83",
    ),
    ('俥', "M28 7Q21 30 6 47M19 35V95M41 18H90M45 33H87V65H45ZM45 49H87M35 80H96M66 6V97"),
    (
        '炮',
        "M10 30L6 50M40 28L35 44M25 7V42Q24 74 6 94M27 60L41 82M59 6Q54 25 43 40M55 23H93Q94 56 89 71L82 68M53 42H76V60H53M53 42V82Q53 92 63 92H86Q95 92 95 80",
    ),
    ('兵', "M70 7Q50 17 26 19M26 19V62M26 38H82M60 38V62M6 63H94M37 73Q30 86 12 96M63 73Q76 83 88 96"),
    (
        '將',
        "M11 12V38H36M6 58H36M22 58Q21 80 5 95M37 5V97M66 5Q60 19 48 29M62 15H90Q84 40 48 54M66 21L75 29M57 31L66 39M45 64H97M83 52V88Q83 97 69 94M56 74L65 84",
    ),
    ('士', "M7 40H93M50 7V87M21 88H79"),
    (
        '象',
        "M40 4Q32 18 14 28M36 14H66Q61 22 53 28M22 28H80V46H22ZM51 28Q46 50 8 60M38 52Q60 62 60 80Q59 97 41 92M52 61Q38 74 10 79M59 74Q42 90 10 96M87 52Q78 61 64 66M58 58Q72 82 96 93",
    ),
    (
        '馬',
        "M26 11V62M26 12H78M51 12V61M26 29H74M26 45H74M26 62H86Q87 84 79 94L69 89M13 74L9 91M30 75L33 89M46 74L50 87M62 73L67 84",
    ),
    ('車', "M20 18H80M24 33H76V66H24ZM24 49H76M8 81H92M50 6V97"),
    (
        '砲',
        "M6 16H42M25 17Q20 44 5 62M17 52H38V84H17ZM59 6Q54 25 43 40M55 23H93Q94 56 89 71L82 68M53 42H76V60H53M53 42V82Q53 92 63 92H86Q95 92 95 80",
    ),
    ('卒', "M50 4V17M12 20H88M34 25Q28 44 10 55M31 36L44 50M71 25Q66 44 52 54M68 36L90 53M6 69H94M50 56V97"),
    ('帅', "M13 24V60M33 8V52Q32 78 11 96M49 29V81M49 29H92V72Q92 82 80 78M70 7V97"),
    ('马', "M18 14H74L70 53M32 28L28 53H86Q87 84 78 94L66 90M7 74H68"),
    ('车', "M14 20H84M45 6Q36 34 18 51H84M6 72H94M55 34V97"),
    (
        '将',
        "M8 22L16 38M5 70L30 54M31 7V97M60 5Q54 20 42 32M56 16H87Q80 40 42 54M56 26L66 36M40 62H96M78 50V88Q78 97 65 93M52 72L61 82",
    ),
    (
        '楚',
        "M8 20H46M28 5V50M27 23Q22 38 7 46M31 27L43 38M53 20H93M72 5V50M71 23Q66 38 53 46M74 24Q80 37 94 45M17 56H82Q80 64 73 69M49 57V89M49 73H76M30 66Q27 85 9 96M26 79Q46 93 93 93",
    ),
    ('河', "M14 12L26 21M7 37L19 46M9 92L25 63M35 17H95M43 36H66V64H43ZM83 18V86Q83 96 68 91"),
    (
        '漢',
        "M14 12L26 21M7 37L19 46M9 92L25 63M34 18H96M52 6V28M79 6V28M52 28H79M45 38H87V54H45ZM66 28V76M41 65H90M34 77H97M65 77Q58 91 35 97M67 78Q77 90 96 97",
    ),
    ('汉', "M14 12L26 21M7 37L19 46M9 92L25 63M38 18H87Q80 68 33 95M44 34Q60 76 95 94"),
    ('界', "M24 7H76V44H24ZM50 7V44M24 25H76M49 46Q34 66 6 74M51 47Q66 65 94 73M37 67V80Q35 92 18 97M64 67V97"),
];

/// A crown, a fan, an elephant, a horse's head, a chariot's wheel, a cannon and a soldier, in the order of [`Kind::ALL`].
const PICTOGRAMS: [&str; 7] = [
    "M14 80H86M14 92H86M18 80L10 30L34 52L50 16L66 52L90 30L82 80M50 62V62",
    "M50 90L8 46Q28 14 50 14Q72 14 92 46ZM50 90L36 18M50 90L64 18M22 62Q50 34 78 62",
    "M86 92V56Q86 24 56 24H46Q20 24 16 50V74Q16 86 8 88M34 92V66Q34 60 30 58M34 92H46V74H70V92H86M50 28Q38 44 52 56Q66 56 64 36M27 42V43M22 62Q24 72 32 74",
    "M24 92H80Q86 50 66 28L62 10L50 22Q34 26 26 40L12 62Q14 72 24 70Q36 60 50 60Q48 74 30 84ZM46 39V40",
    "M50 8A42 42 0 1 1 49.9 8M50 40A10 10 0 1 1 49.9 40M50 8V40M50 60V92M8 50H40M60 50H92M20 20L43 43M57 57L80 80M80 20L57 43M43 57L20 80",
    "M6 46L72 8L85 31L19 68ZM58 78A16 16 0 1 1 26 78A16 16 0 1 1 58 78M42 77V79M58 82L92 92",
    "M18 36L50 6L82 36ZM34 36V42Q34 58 50 58Q66 58 66 42V36M12 94Q12 68 50 68Q88 68 88 94Z",
];

/// The strokes of a character of the pieces or the river; `None` if it is none of these.
pub fn character(character: char) -> Option<&'static str> {
    CHARACTERS.iter().find(|(known, _)| *known == character).map(|(_, path)| *path)
}

/// The strokes of a kind's pictogram.
pub const fn pictogram(kind: Kind) -> &'static str {
    PICTOGRAMS[kind.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_is_made_of_commands_and_stays_on_the_grid() {
        let paths = CHARACTERS.iter().map(|(_, path)| *path).chain(PICTOGRAMS);
        for path in paths {
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
        let paths: std::collections::HashSet<&str> =
            CHARACTERS.iter().map(|(_, path)| *path).chain(PICTOGRAMS).collect();
        assert_eq!(paths.len(), CHARACTERS.len() + PICTOGRAMS.len());
    }
}
