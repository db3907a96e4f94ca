//! FEN parser and writer. The parser accepts every common spelling.

use super::{Impossible, Piece, Position, Rank, Setup, Side, copied};
use alloc::{string::String, vec::Vec};
use core::fmt;
use core::fmt::Write as _;
use core::str::FromStr;
use thiserror::Error;

/// FEN of the initial position.
pub const STARTPOS: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Error in the text of a FEN. Ranks are numbered as on the board, starting with 9; columns are characters
/// within a rank, from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BadFen {
    /// The text is empty.
    Empty,
    /// Number of ranks, if it is not ten.
    RankCount(usize),
    /// A rank does not have nine files.
    FileCount {
        /// Rank, 9 at the top.
        rank: usize,
        /// Number of described files.
        count: usize,
    },
    /// A character is neither a piece nor a digit from 1 to 9.
    Character {
        /// Rank, 9 at the top.
        rank: usize,
        /// Position of the character within its rank, from 1.
        column: usize,
        /// The invalid character.
        character: char,
    },
    /// First 20 characters of the second field, if it does not denote a side.
    Side(String),
}

/// Reason why a FEN does not describe a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FenError {
    /// The text is not a FEN.
    Text(BadFen),
    /// The text is a FEN, but no game can reach the position; lists every reason.
    Impossible(Vec<Impossible>),
}

/// Parses a FEN. Only the board is required. `w`, `r` and a missing field mean Red. The letters `E`, `H`, `G`
/// and `S` are accepted for `B`, `N`, `K` and `P`. Fields after the counters are ignored. A FEN is extracted
/// from surrounding text, such as a URL or a `position` command, and a board with Red on top is rotated.
impl FromStr for Setup {
    type Err = BadFen;

    fn from_str(text: &str) -> Result<Setup, BadFen> {
        let read = read_fields(text).or_else(|bad| copied::fields(text).map_or(Err(bad), |fen| read_fields(&fen)));
        read.map(copied::upright)
    }
}

fn read_fields(text: &str) -> Result<Setup, BadFen> {
    let mut fields = text.split_ascii_whitespace().peekable();
    let mut setup = Setup { board: read_board(fields.next().ok_or(BadFen::Empty)?)?, ..Setup::empty() };
    // A field that does not begin with a letter is not a side but a counter, or junk such as `;comment`.
    if let Some(field) = fields.next_if(|field| field.starts_with(char::is_alphabetic)) {
        let side = copied::side(field);
        setup.side = side.ok_or_else(|| BadFen::Side(field.chars().take(20).collect()))?;
    }
    let mut counters = fields.skip_while(|field| *field == "-").map_while(|field| field.parse::<u64>().ok()).fuse();
    let mut counter = |missing| counters.next().map_or(missing, |value| value.min(u64::from(u16::MAX / 2)) as u16);
    setup.quiet_plies = counter(0);
    setup.move_number = counter(1).max(1);
    Ok(setup)
}

fn read_board(text: &str) -> Result<[Option<Piece>; 90], BadFen> {
    let count = text.split('/').count();
    if count != 10 {
        return Err(BadFen::RankCount(count));
    }
    let mut board = [None; 90];
    for (rank, row) in Rank::ALL.into_iter().rev().zip(text.split('/')) {
        let mut files = 0;
        for (column, character) in row.chars().enumerate() {
            if let Some(piece) = Piece::from_letter(character) {
                if files < 9 {
                    board[rank.index() * 9 + files] = Some(piece);
                }
                files += 1;
            } else {
                files += match character {
                    '1'..='9' => character as usize - '0' as usize,
                    _ => return Err(BadFen::Character { rank: rank.index(), column: column + 1, character }),
                };
            }
        }
        if files != 9 {
            return Err(BadFen::FileCount { rank: rank.index(), count: files });
        }
    }
    Ok(board)
}

/// Writes a FEN as UCCI does: `N` and `B` for horses and elephants, `w` for Red.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (rank, pieces) in self.board.chunks(9).enumerate().rev() {
            let mut empty = 0;
            for piece in pieces {
                match piece {
                    None => empty += 1,
                    Some(piece) => {
                        write_gap(f, &mut empty)?;
                        f.write_char(piece.letter())?;
                    }
                }
            }
            write_gap(f, &mut empty)?;
            if rank > 0 {
                f.write_char('/')?;
            }
        }
        let side = if self.side == Side::Red { 'w' } else { 'b' };
        write!(f, " {side} - - {} {}", self.quiet_plies, self.move_number)
    }
}

fn write_gap(f: &mut fmt::Formatter, empty: &mut u32) -> fmt::Result {
    if *empty > 0 {
        write!(f, "{empty}")?;
    }
    *empty = 0;
    Ok(())
}

impl Position {
    /// Returns the initial position of a game.
    pub fn start() -> Position {
        STARTPOS.parse().expect("the start position is possible")
    }
}

/// Parses a FEN and checks the position.
impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Position, FenError> {
        let setup: Setup = text.parse().map_err(FenError::Text)?;
        Position::new(&setup).map_err(FenError::Impossible)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.setup().fmt(f)
    }
}
