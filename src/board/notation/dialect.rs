//! Notation dialect of a game: its numbering of ranks, and whether a capital letter denotes a piece or a
//! file.

use super::Ranks;

/// Interpretation of moves whose text is ambiguous.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dialect {
    /// Rank numbering.
    pub ranks: Ranks,
    /// Interprets `A9e8` as an advisor's move from rank 9 to e8, as in XBoard's short algebraic notation,
    /// instead of the squares a9 and e8.
    pub is_short: bool,
}

impl From<Ranks> for Dialect {
    fn from(ranks: Ranks) -> Dialect {
        Dialect { ranks, is_short: false }
    }
}

/// Evidence about a game's notation, collected word by word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Evidence {
    /// Number of words that can only be short algebraic moves: `Che2`, `c4`, `Rxb2`.
    short: usize,
    /// Number of words that can only be pairs of squares: `h2e2`, `H2-E2`.
    squares: usize,
    /// Number of words that could be either, such as `A9e8`.
    either: usize,
}

impl Evidence {
    /// Returns the evidence from one word.
    pub fn of(word: &str) -> Evidence {
        let mut evidence = Evidence::default();
        evidence.add(word);
        evidence
    }

    /// Returns `true` if a word has the form of a move.
    pub fn is_move(self) -> bool {
        self.short + self.squares + self.either > 0
    }

    /// Adds a move as written in the game.
    pub fn add(&mut self, word: &str) {
        match class(word) {
            Some(Class::Short) => self.short += 1,
            Some(Class::Squares) => self.squares += 1,
            Some(Class::Either) => self.either += 1,
            None => {}
        }
    }

    /// Returns `true` if some word in the game could be in either notation.
    pub fn is_ambiguous(self) -> bool {
        self.either > 0
    }

    /// Returns `true` if the game uses short algebraic notation. Programs that write squares do not mix upper
    /// and lower case, so ambiguous words count as short unless there is other evidence.
    pub fn is_short(self) -> bool {
        self.short > self.squares || self.short == self.squares && self.is_ambiguous()
    }
}

/// Notations in which a word has the form of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Short,
    Squares,
    Either,
}

fn class(word: &str) -> Option<Class> {
    let word = word.trim_end_matches(['+', '#', '!', '?']);
    // In short algebraic notation, the file of the target is in lower case.
    let (before, _) = split_square(word)?;
    let has_small_target = word[before.len()..].starts_with(|file: char| file.is_ascii_lowercase());
    let start = before.strip_suffix('-').unwrap_or(before);
    let is_square = matches!(split_square(start), Some(("", _)));
    if is_square {
        let begins_with_a_piece = start.starts_with(['K', 'A', 'B', 'E', 'N', 'H', 'R', 'C', 'P']);
        return Some(if begins_with_a_piece && has_small_target { Class::Either } else { Class::Squares });
    }
    let start = before.strip_suffix('x').unwrap_or(before);
    let start = start.strip_prefix(['K', 'A', 'B', 'E', 'N', 'H', 'R', 'C', 'P']).unwrap_or(start);
    let start = start.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let is_disambiguation =
        start.is_empty() || start.len() == 1 && start.starts_with(|file| ('a'..='i').contains(&file));
    (is_disambiguation && has_small_target).then_some(Class::Short)
}

/// Splits a square at the end of a word, in either case, from the preceding text.
fn split_square(word: &str) -> Option<(&str, &str)> {
    let file = word.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let digits = word.len() - file.len();
    let is_file = file.ends_with(|file: char| ('a'..='i').contains(&file.to_ascii_lowercase()));
    (is_file && (1..=2).contains(&digits)).then(|| word.split_at(file.len() - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_classified() {
        for (word, expected) in [
            ("Che2", Some(Class::Short)),
            ("Hg2", Some(Class::Short)),
            ("c4", Some(Class::Short)),
            ("Rxb2+", Some(Class::Short)),
            ("Ri10", Some(Class::Short)),
            ("Ra3xa7#", Some(Class::Short)),
            ("h2e2", Some(Class::Squares)),
            ("a10a9", Some(Class::Squares)),
            ("H2-E2", Some(Class::Squares)),
            ("H2E2", Some(Class::Squares)),
            ("G2e2", Some(Class::Squares)),
            ("A9e8", Some(Class::Either)),
            ("C7h4", Some(Class::Either)),
            ("A10e9", Some(Class::Either)),
            ("C2=5", None),
            ("h8+7", None),
            ("炮二平五", None),
            ("12", None),
            ("", None),
        ] {
            assert_eq!(class(word), expected, "{word}");
        }
    }

    #[test]
    fn the_whole_game_decides() {
        let is_short = |words: &str| {
            let mut evidence = Evidence::default();
            words.split(' ').for_each(|word| evidence.add(word));
            evidence.is_short()
        };
        assert!(is_short("Che2 Hg7 A9e8"));
        assert!(is_short("A9e8"));
        assert!(!is_short("h2e2 h9g7 A9e8"));
        assert!(!is_short("H2-E2 H9-G7"));
    }
}
