//! Chinese notation: 炮二平五, 马８进７, 前车退一, 二兵平六.

use super::naming::{Naming, Way, file};
use crate::{Kind, Move, Piece, Position, Side, Square};
use alloc::string::String;

const RED_DIGITS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
const BLACK_DIGITS: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// Returns the Chinese name of a piece; the names of Red's and Black's pieces differ, as on the board.
fn name(piece: Piece) -> char {
    let [red, black] = match piece.kind() {
        Kind::King => ['帅', '将'],
        Kind::Advisor => ['仕', '士'],
        Kind::Elephant => ['相', '象'],
        Kind::Horse => ['马', '马'],
        Kind::Rook => ['车', '车'],
        Kind::Cannon => ['炮', '炮'],
        Kind::Pawn => ['兵', '卒'],
    };
    if piece.side() == Side::Red { red } else { black }
}

/// Writes a move in Chinese; numbers are 一–九 for Red and １–９ for Black. If two files contain several pawns
/// each, these pawns are numbered from the mover's right, starting with 一兵, as on xqbase.com. Returns an
/// empty string if there is no piece on the origin.
pub(crate) fn write_chinese(position: &Position, mv: Move) -> String {
    let Some(naming) = Naming::of(position, mv) else { return String::new() };
    let digits = if naming.side == Side::Red { RED_DIGITS } else { BLACK_DIGITS };
    let (name, place) = (name(naming.piece()), naming.place);
    let [first, second] = if place.on_file == 1 || naming.never_needs_a_place() {
        [name, digits[place.file - 1]]
    } else {
        let spot = if place.crowded_files > 1 && naming.kind == Kind::Pawn {
            RED_DIGITS[place.number - 1]
        } else if place.order == 1 {
            '前'
        } else if place.order == place.on_file {
            '后'
        } else if place.on_file == 3 {
            '中'
        } else {
            RED_DIGITS[place.order - 1]
        };
        [spot, name]
    };
    let way = match naming.way {
        Way::Ahead => '进',
        Way::Sideways => '平',
        Way::Back => '退',
    };
    [first, second, way, digits[naming.goal - 1]].into_iter().collect()
}

/// Returns a file's number in Chinese, counted from a side's right.
pub(crate) fn file_in_chinese(side: Side, square: Square) -> char {
    let digits = if side == Side::Red { RED_DIGITS } else { BLACK_DIGITS };
    digits[file(side, square) - 1]
}

/// Returns the WXF letter, digit or sign for a character in any Chinese spelling, `m` for the middle piece;
/// other characters are unchanged.
pub(super) fn letter(character: char) -> char {
    if let Some(index) = RED_DIGITS.iter().chain(&BLACK_DIGITS).position(|digit| *digit == character) {
        return (b'1' + (index % 9) as u8) as char;
    }
    match character {
        '帅' | '帥' | '将' | '將' => 'K',
        '仕' | '士' => 'A',
        '相' | '象' | '像' => 'E',
        '马' | '馬' | '傌' | '㐷' => 'H',
        '车' | '車' | '俥' | '伡' => 'R',
        '炮' | '砲' | '包' | '軳' => 'C',
        '兵' | '卒' => 'P',
        '前' | '进' | '進' => '+',
        '后' | '後' | '退' => '-',
        '中' => 'm',
        '平' => '=',
        // Full-width letters.
        'Ａ'..='Ｚ' | 'ａ'..='ｚ' => char::from_u32(u32::from(character) - 0xFEE0).unwrap_or(character),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_written_in_chinese() {
        for (fen, rows) in [
            (
                "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
                "h2e2:炮二平五 b0c2:马八进七 a0a1:车九进一 d0e1:仕六进五 g0e2:相三进五 e0e1:帅五进一 c3c4:兵七进一 b2b1:炮八退一",
            ),
            (
                "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b",
                "h9g7:马８进７ h7e7:炮８平５ g6g5:卒７进１",
            ),
            ("3k5/9/9/9/4R4/2B1R4/9/3A5/9/2BAK4 w", "e4e1:后车退三 e5i5:前车平一 d0e1:仕六进五 d2e1:仕六退五"),
            ("3k5/4P4/4P4/4P4/9/9/9/9/9/5K3 w", "e8e9:前兵进一 e7d7:中兵平六 e6f6:后兵平四"),
            ("3k5/4P4/4P4/4P4/4P4/9/9/9/9/5K3 w", "e8e9:前兵进一 e7d7:二兵平六 e6d6:三兵平六 e5d5:后兵平六"),
            // 一兵 is the front pawn on the file on the mover's right.
            ("3k5/4P1P2/4P1P2/9/9/9/9/9/9/5K3 w", "g8f8:一兵平四 g7f7:二兵平四 e8d8:三兵平六 e7d7:四兵平六"),
        ] {
            let position: Position = fen.parse().unwrap();
            for row in rows.split(' ') {
                let (mv, text) = row.split_once(':').unwrap();
                assert_eq!(write_chinese(&position, mv.parse().unwrap()), text, "{mv} {fen}");
            }
        }
    }
}
