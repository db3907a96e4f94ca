//! Rank numbering: Red's back rank is 0, or 1 in multi-variant programs.

use crate::{Move, NotAMove, Square};
use alloc::{
    format,
    string::{String, ToString},
};

/// Numbering of ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ranks {
    /// 0 to 9, as in Xiangqi programs.
    #[default]
    FromZero,
    /// 1 to 10, as in multi-variant programs.
    FromOne,
}

impl Ranks {
    /// Parses a move: `h2e2`, or `h3e3` if ranks begin with 1.
    ///
    /// # Errors
    /// Returns an error if the text is not a pair of squares.
    pub fn read(self, text: &str) -> Result<Move, NotAMove> {
        match self {
            Ranks::FromZero => text.parse(),
            Ranks::FromOne => {
                let second = text.char_indices().skip(1).find(|(_, character)| character.is_ascii_alphabetic());
                let (from, to) = second.and_then(|(index, _)| text.split_at_checked(index)).ok_or(NotAMove)?;
                Ok(Move::new(square_from_one(from)?, square_from_one(to)?))
            }
        }
    }

    /// Writes a move.
    pub fn write(self, mv: Move) -> String {
        match self {
            Ranks::FromZero => mv.to_string(),
            Ranks::FromOne => {
                let square = |at: Square| format!("{}{}", char::from(b'a' + at.file() as u8), at.rank() as u8 + 1);
                square(mv.from) + &square(mv.to)
            }
        }
    }
}

fn square_from_one(text: &str) -> Result<Square, NotAMove> {
    let mut characters = text.chars();
    let file = characters.next().map(|file| file.to_ascii_lowercase());
    let file = file.filter(|file| file.is_ascii_lowercase()).ok_or(NotAMove)?;
    let rank: i32 = match characters.as_str() {
        digits @ ("1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "10") => {
            digits.parse().map_err(|_| NotAMove)?
        }
        _ => return Err(NotAMove),
    };
    Square::at(i32::from(file as u8 - b'a'), rank - 1).ok_or(NotAMove)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_from_one_are_read_and_written() {
        for (zero, one) in [("h2e2", "h3e3"), ("a9a8", "a10a9"), ("i0i9", "i1i10"), ("a8a9", "a9a10")] {
            let mv = Ranks::FromZero.read(zero).expect("a move");
            assert_eq!(Ranks::FromOne.read(one), Ok(mv));
            assert_eq!(Ranks::FromOne.write(mv), one);
            assert_eq!(Ranks::FromZero.write(mv), zero);
        }
    }

    #[test]
    fn what_is_no_move_is_refused() {
        for text in ["", "h", "h3", "h3e", "h11e1", "j1e1", "h3e3q", "象3e3", "h３e3", "h3é3", "0000", "h+1e2"] {
            assert_eq!(Ranks::FromOne.read(text), Err(NotAMove), "{text}");
            assert_eq!(Ranks::FromZero.read(text), Err(NotAMove), "{text}");
        }
        assert_eq!(Ranks::FromOne.read("h0e1"), Err(NotAMove));
        assert_eq!(Ranks::FromZero.read("h10e1"), Err(NotAMove));
    }
}
