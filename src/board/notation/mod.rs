//! Move notations: ICCS `H2-E2`, WXF `C2=5`, Chinese 炮二平五, and XBoard's short form, `Che2`.

mod chinese;
mod dialect;
mod form;
mod iccs;
mod naming;
mod ranks;
mod refusal;
mod san;
mod spoken;
mod wxf;

pub(crate) use chinese::file_in_chinese;
pub(crate) use chinese::write_chinese;
pub use dialect::{Dialect, Evidence};
pub use form::{Form, UnknownForm};
pub(crate) use iccs::write_iccs;
pub use ranks::Ranks;
pub use refusal::NoSuchMove;
pub use wxf::write_wxf;

use crate::{Illegal, Move, Position};
use alloc::{string::String, vec::Vec};

/// Writes a legal move of the position.
///
/// ```
/// use chuhe_board::Position;
/// use chuhe_board::notation::{Form, read, write};
///
/// let position = Position::start();
/// let cannon = "h2e2".parse().unwrap();
/// let texts = Form::ALL.map(|form| write(&position, cannon, form));
/// assert_eq!(texts, ["H2-E2", "C2=5", "炮二平五"]);
/// assert!(texts.iter().all(|text| read(&position, text) == Ok(cannon)));
/// ```
pub fn write(position: &Position, mv: Move, form: Form) -> String {
    match form {
        Form::Iccs => write_iccs(mv),
        Form::Wxf => write_wxf(position, mv),
        Form::Chinese => write_chinese(position, mv),
    }
}

/// Writes the move that led to the position, like [`write()`].
///
/// ```
/// use chuhe_board::Position;
/// use chuhe_board::notation::{Form, write_made};
///
/// let mut position = Position::start();
/// let cannon = "h2e2".parse().unwrap();
/// position.make(cannon);
/// assert_eq!(write_made(&position, cannon, Form::Chinese), "炮二平五");
/// ```
pub fn write_made(after: &Position, mv: Move, form: Form) -> String {
    write(&after.without(mv), mv, form)
}

/// Writes the moves of a line that starts in the position.
///
/// ```
/// use chuhe_board::Position;
/// use chuhe_board::notation::{Form, write_line};
///
/// let line = ["h2e2", "h9g7", "h0g2"].map(|text| text.parse().unwrap());
/// let texts = write_line(&Position::start(), &line, Form::Chinese).unwrap();
/// assert_eq!(texts.join(" "), "炮二平五 马８进７ 马二进三");
/// assert!(write_line(&Position::start(), &line[1..], Form::Wxf).is_err());
/// ```
///
/// # Errors
/// Returns an error if a move is not legal after the preceding ones.
pub fn write_line(position: &Position, line: &[Move], form: Form) -> Result<Vec<String>, Illegal> {
    let mut position = position.clone();
    line.iter()
        .map(|&mv| {
            let before = position.clone();
            position.try_make(mv)?;
            Ok(write(&before, mv, form))
        })
        .collect()
}

/// Parses a legal move in any notation: `h2e2`, `H2-E2`, `C2=5`, `c2.5`, `N8+7`, 炮二平五, 砲二平五, 前兵九平八, `Che2`, …
///
/// # Errors
/// Returns an error if the text is not a move, or denotes no legal move or several.
pub fn read(position: &Position, text: &str) -> Result<Move, NoSuchMove> {
    read_in(position, text, Dialect::default())
}

/// Parses a move like [`read`], in the dialect of a game: ranks may be numbered from 1, as in `h3e3`, `Che3`
/// and `a10a9`.
///
/// # Errors
/// Returns the same errors as [`read`].
pub fn read_in(position: &Position, text: &str, dialect: Dialect) -> Result<Move, NoSuchMove> {
    let squares = match dialect.ranks {
        Ranks::FromZero => text.parse::<Move>().ok(),
        Ranks::FromOne => None,
    };
    let squares = squares.map(|mv| if position.is_legal(mv) { Ok(mv) } else { Err(NoSuchMove::Illegal) });
    let named = || spoken::read(position, text).or_else(|| san::read(position, text, dialect.ranks));
    // A string that is a legal move only in the less likely notation denotes that move.
    match (squares, dialect.is_short) {
        (Some(Ok(mv)), false) => Ok(mv),
        (Some(squares), _) => named().and_then(Result::ok).map_or(squares, Ok),
        (None, _) => named().unwrap_or(Err(NoSuchMove::Unreadable)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    /// Returns positions from random games, including games that start with many pawns on one file.
    fn positions() -> Vec<Position> {
        let mut random = SplitMix64::new(3);
        let mut positions = Vec::new();
        let starts = [
            crate::STARTPOS,
            "3k5/4P1P2/4P1P2/6P2/9/9/2p1p1p2/2p1p4/9/5K3 w",
            "3k5/4P4/4P4/4P4/4P4/2p6/2p6/2p6/2p6/5K3 w",
            "r2k5/r3N4/4N4/P1c2C3/P1c2C3/9/4P1P2/9/9/2BAKAB2 b",
        ];
        for start in starts {
            for _ in 0..2 {
                let mut position: Position = start.parse().unwrap();
                for _ in 0..80 {
                    let Some(&mv) = random.pick(&position.legal_moves()) else { break };
                    positions.push(position.clone());
                    position.make(mv);
                }
            }
        }
        positions
    }

    #[test]
    fn every_move_is_read_as_it_was_written() {
        for position in positions() {
            for mv in position.legal_moves() {
                for form in Form::ALL {
                    let text = write(&position, mv, form);
                    assert_eq!(read(&position, &text), Ok(mv), "{text} in {position}");
                }
            }
        }
    }

    #[test]
    fn other_spellings_are_read() {
        let start = Position::start();
        for text in ["砲二平五", "包２平５", "炮2平5", "c2.5", "C2=5", "h2e2", "H2-E2"] {
            assert_eq!(read(&start, text), "h2e2".parse().map_err(|_| NoSuchMove::Unreadable), "{text}");
        }
        for text in ["馬八進七", "傌八进七", "n8+7", "H8+7"] {
            assert_eq!(read(&start, text).map(|mv| mv.to_string()), Ok("b0c2".to_string()), "{text}");
        }
        let pawns: Position = "3k5/2P1P4/2P1P4/9/9/9/9/9/9/5K3 w".parse().unwrap();
        for text in ["前兵七平八", "前七平八", "三兵平八", "17=8", "前兵平八", "P+=8"] {
            assert_eq!(read(&pawns, text).map(|mv| mv.to_string()), Ok("c8b8".to_string()), "{text}");
        }
        for text in ["前兵七进一", "17+1", "P+7+1", "三兵进一"] {
            let expected = if text.starts_with('P') { Err(NoSuchMove::Unreadable) } else { Ok("c8c9".to_string()) };
            assert_eq!(read(&pawns, text).map(|mv| mv.to_string()), expected, "{text}");
        }
        // The front pawns of both files can move to the target.
        assert_eq!(read(&pawns, "前兵平六"), Err(NoSuchMove::Ambiguous));
        for (text, error) in [
            ("炮二平二", NoSuchMove::Illegal),
            ("e4e5", NoSuchMove::Illegal),
            ("hello", NoSuchMove::Unreadable),
            ("Che3", NoSuchMove::Illegal),
            ("", NoSuchMove::Unreadable),
            ("炮", NoSuchMove::Unreadable),
        ] {
            assert_eq!(read(&start, text), Err(error), "{text}");
        }
    }

    #[test]
    fn a_capital_names_a_piece_where_no_file_fits_and_where_the_game_says_so() {
        let advisors: Position = "3ak4/9/3a5/9/9/9/9/9/9/3K5 b".parse().unwrap();
        assert_eq!(read(&advisors, "A9e8").map(|mv| mv.to_string()), Ok("d9e8".to_owned()));
        // There are two legal moves: one by the rook from e4, and one by the elephant from rank 4.
        let both: Position = "3k5/9/9/9/9/2B1R4/9/9/9/4K4 w".parse().unwrap();
        let short = Dialect { is_short: true, ..Dialect::default() };
        assert_eq!(read(&both, "E4e2").map(|mv| mv.to_string()), Ok("e4e2".to_owned()));
        assert_eq!(read_in(&both, "E4e2", short).map(|mv| mv.to_string()), Ok("c4e2".to_owned()));
        assert_eq!(read_in(&both, "e4e2", short).map(|mv| mv.to_string()), Ok("e4e2".to_owned()));
        assert_eq!(read_in(&both, "E4b2", short), Err(NoSuchMove::Illegal));
    }

    #[test]
    fn short_algebraic_moves_are_read_with_ranks_from_0_and_from_1() {
        let position: Position = "3k5/9/9/r8/9/9/9/R7R/9/4K4 w".parse().unwrap();
        for (text, ranks, expected) in [
            ("Rae2", Ranks::FromZero, Ok("a2e2")),
            ("Rie3+", Ranks::FromOne, Ok("i2e2")),
            ("Re2", Ranks::FromZero, Err(NoSuchMove::Ambiguous)),
            ("Rxa6", Ranks::FromZero, Ok("a2a6")),
            ("Ra3xa7#", Ranks::FromOne, Ok("a2a6")),
            ("a3a7", Ranks::FromOne, Ok("a2a6")),
            ("i3i10", Ranks::FromOne, Ok("i2i9")),
            ("Ri9", Ranks::FromZero, Ok("i2i9")),
            ("Ri10", Ranks::FromOne, Ok("i2i9")),
            ("Ri10", Ranks::FromZero, Err(NoSuchMove::Unreadable)),
            ("Ka1", Ranks::FromZero, Err(NoSuchMove::Illegal)),
        ] {
            let expected = expected.map(str::to_string);
            assert_eq!(read_in(&position, text, ranks.into()).map(|mv| mv.to_string()), expected, "{text}");
        }
        let start = Position::start();
        for (text, mv) in [("Che2", "h2e2"), ("Hg2", "h0g2"), ("Nc2", "b0c2"), ("i4", "i3i4"), ("Aee1", "d0e1")] {
            let expected = if text == "Aee1" { Err(NoSuchMove::Illegal) } else { Ok(mv.to_string()) };
            assert_eq!(read(&start, text).map(|mv| mv.to_string()), expected, "{text}");
        }
    }
}
