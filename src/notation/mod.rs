//! Moves as people write them: ICCS `H2-E2`, WXF `C2=5`, Chinese 炮二平五.

mod chinese;
mod iccs;
mod naming;
mod wxf;

pub use chinese::write_chinese;
pub use iccs::write_iccs;
pub use wxf::write_wxf;

use crate::board::{Move, Position};
use naming::Naming;
use std::fmt;
use std::str::FromStr;

/// The forms in which moves are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// `H2-E2`: the squares.
    #[default]
    Iccs,
    /// `C2=5`: the piece, its file, its way.
    Wxf,
    /// 炮二平五: the same in Chinese.
    Chinese,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 3] = [Form::Iccs, Form::Wxf, Form::Chinese];

    /// As the `Format` tag of records names it.
    pub fn tag(self) -> &'static str {
        match self {
            Form::Iccs => "ICCS",
            Form::Wxf => "WXF",
            Form::Chinese => "Chinese",
        }
    }
}

/// Reads a form's name in any case.
impl FromStr for Form {
    type Err = String;

    fn from_str(text: &str) -> Result<Form, String> {
        let known = Form::ALL.into_iter().find(|form| form.tag().eq_ignore_ascii_case(text));
        known.ok_or_else(|| format!("no notation is called {text:?}; there are iccs, wxf and chinese"))
    }
}

/// Why a text is no move of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoSuchMove {
    /// The text is in no form that is known.
    Unreadable,
    /// It names no legal move.
    Illegal,
    /// It names several legal moves.
    Ambiguous,
}

impl fmt::Display for NoSuchMove {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            NoSuchMove::Unreadable => "is not a move in a known notation",
            NoSuchMove::Illegal => "is not legal there",
            NoSuchMove::Ambiguous => "may be several moves there",
        })
    }
}

impl std::error::Error for NoSuchMove {}

/// A legal move of the position as text.
///
/// ```
/// use chuhe::board::Position;
/// use chuhe::notation::{Form, read, write};
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

/// Reads a legal move in any form: `h2e2`, `H2-E2`, `C2=5`, `c2.5`, `N8+7`, 炮二平五, 砲二平五, 前兵九平八, …
///
/// # Errors
/// The text is no move, or names none or several of the legal ones.
pub fn read(position: &Position, text: &str) -> Result<Move, NoSuchMove> {
    if let Ok(mv) = text.parse::<Move>() {
        return if position.is_legal(mv) { Ok(mv) } else { Err(NoSuchMove::Illegal) };
    }
    let text = simplified(text).ok_or(NoSuchMove::Unreadable)?;
    let mut legal = position.legal_moves();
    legal.retain(|mv| Naming::of(position, *mv).is_some_and(|naming| naming.spellings().contains(&text)));
    match legal[..] {
        [] => Err(NoSuchMove::Illegal),
        [mv] => Ok(mv),
        [..] => Err(NoSuchMove::Ambiguous),
    }
}

/// A text of WXF or Chinese in one alphabet: `KAEHRCP`, digits, `+`, `-`, `=` and `m` for the middle one; `None` if it is neither.
fn simplified(text: &str) -> Option<String> {
    let letters: Option<String> = text
        .chars()
        .map(|character| match chinese::letter(character).to_ascii_uppercase() {
            'N' => Some('H'),
            'B' => Some('E'),
            'S' => Some('A'),
            'M' => Some('m'),
            '.' | '。' | '·' => Some('='),
            '–' | '—' | '−' | '－' => Some('-'),
            '＋' => Some('+'),
            '＝' => Some('='),
            known @ ('K' | 'A' | 'E' | 'H' | 'R' | 'C' | 'P' | '1'..='9' | '+' | '-' | '=') => Some(known),
            _ => None,
        })
        .collect();
    letters.filter(|letters| (4..=5).contains(&letters.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    /// Positions of random games, and some where many pawns stand behind each other.
    fn positions() -> Vec<Position> {
        let mut random = SplitMix64::new(3);
        let mut positions = Vec::new();
        let starts = [
            crate::board::STARTPOS,
            "3k5/4P1P2/4P1P2/6P2/9/9/2p1p1p2/2p1p4/9/5K3 w",
            "3k5/4P4/4P4/4P4/4P4/2p6/2p6/2p6/2p6/5K3 w",
            "r2k5/r3N4/4N4/P1c2C3/P1c2C3/9/4P1P2/9/9/2BAKAB2 b",
        ];
        for start in starts {
            for _ in 0..2 {
                let mut position: Position = start.parse().unwrap();
                for _ in 0..80 {
                    let legal = position.legal_moves();
                    if legal.is_empty() {
                        break;
                    }
                    positions.push(position.clone());
                    position.make(legal[random.below(legal.len() as u64) as usize]);
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
        // Both front pawns can go there.
        assert_eq!(read(&pawns, "前兵平六"), Err(NoSuchMove::Ambiguous));
        for (text, error) in [
            ("炮二平二", NoSuchMove::Illegal),
            ("e4e5", NoSuchMove::Illegal),
            ("hello", NoSuchMove::Unreadable),
            ("", NoSuchMove::Unreadable),
            ("炮", NoSuchMove::Unreadable),
        ] {
            assert_eq!(read(&start, text), Err(error), "{text}");
        }
    }
}
