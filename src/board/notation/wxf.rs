//! WXF, the notation of the World Xiangqi Federation: `C2=5`, `H8+7`, `R-=6` for the rear rook, `15=6` for
//! the front pawn on file 5.

use super::naming::{Naming, Way};
use crate::{Kind, Move, Position};
use alloc::{format, string::String};

/// Writes a move in the notation of the World Xiangqi Federation. Returns an empty string if the origin is
/// empty.
pub fn write_wxf(position: &Position, mv: Move) -> String {
    let Some(naming) = Naming::of(position, mv) else { return String::new() };
    let letter = naming.letter();
    let is_pawn = naming.kind == Kind::Pawn;
    let place = naming.place;
    let piece = if place.on_file == 1 || naming.never_needs_a_place() {
        format!("{letter}{}", place.file)
    } else if is_pawn && (place.on_file > 2 || place.crowded_files > 1) {
        format!("{}{}", place.order, place.file)
    } else {
        format!("{letter}{}", if place.order == 1 { '+' } else { '-' })
    };
    let sign = match naming.way {
        Way::Ahead => '+',
        Way::Sideways => '=',
        Way::Back => '-',
    };
    format!("{piece}{sign}{}", naming.goal)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves written by pyffish 0.0.90 (with ranks from 1).
    const BY_PYFFISH: [(&str, &str); 6] = [
        (
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
            "a0a1:R9+1 d0e1:A6+5 h2e2:C2=5 h2h9:C2+7 b2b1:C8-1 c3c4:P7+1 b0c2:H8+7 g0e2:E3+5 e0e1:K5+1",
        ),
        ("3k5/4P4/4P4/4P4/9/9/9/9/9/5K3 w - - 0 1", "e6d6:35=6 e7f7:25=4 e8e9:15+1"),
        ("3k5/4P1P2/4P1P2/6P2/9/9/9/9/9/5K3 w - - 0 1", "g6f6:33=4 e7d7:25=6 g7h7:23=2 g8g9:13+1"),
        (
            "3k5/9/9/9/4R4/2B1R4/9/3A5/9/2BAK4 w - - 0 1",
            "e4e1:R--3 e4d4:R-=6 e5i5:R+=1 e5e9:R++4 d0e1:A6+5 d2e1:A6-5 c0e2:E7+5 c4a2:E7-9",
        ),
        ("3k1a3/4N4/4N4/9/9/9/9/3A5/9/2BAK4 w - - 0 1", "e7d5:H--6 e7g8:H-+3 e8c7:H+-7 e8g9:H++3"),
        (
            "3k1a3/9/5a3/4r4/4r4/2p6/2p6/3p5/9/2BA1K3 b - - 0 1",
            "e5e0:R++5 e6e9:R--3 e6a6:R-=1 f7e8:A6-5 d2d1:P4+1 c3c2:P++1 c3b3:P+=2 c4d4:P-=4 d9e9:K4=5",
        ),
    ];

    #[test]
    fn moves_are_written_as_pyffish_does() {
        for (fen, rows) in BY_PYFFISH {
            let position: Position = fen.parse().unwrap();
            for row in rows.split(' ') {
                let (mv, text) = row.split_once(':').unwrap();
                let mv: Move = mv.parse().unwrap();
                assert!(position.is_legal(mv), "{mv} {fen}");
                assert_eq!(write_wxf(&position, mv), text, "{mv} {fen}");
            }
        }
    }
}
